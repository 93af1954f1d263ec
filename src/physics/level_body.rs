//! Level bodies: adding, changing, moving and removing floors, boxes, hulls and meshes.

use glam::{Quat, Vec3};
use rapier3d::prelude::{ColliderHandle, Pose, RigidBodyBuilder, RigidBodyHandle, ShapeType, SharedShape};

use super::built_shape::{BuiltShape, checked_pose, numbered};
use super::contact_filter::LEVEL_HOOKS;
use super::entity_box_push::Push;
use super::{CollisionGroups, LevelError, LevelShape, Physics, UserData};
use crate::id::LevelBodyId;

/// Rigid piece of the level.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct LevelBody {
    pub(super) handle: RigidBodyHandle,
    groups: CollisionGroups,
    pub(super) solid: bool,
    /// Motion of a kinematic body; `None` for a fixed body.
    pub(super) motion: Option<Motion>,
    /// Push of an entity box; `None` for other bodies.
    pub(super) push: Option<Push>,
    user_data: u64,
}

/// Poses of a kinematic body at the end of the host's last frame and of the current one, world space.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Motion {
    pub(super) from: Pose,
    pub(super) to: Pose,
}

impl Motion {
    pub(super) fn resting(pose: Pose) -> Self {
        Self { from: pose, to: pose }
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.from != self.to
    }
}

impl LevelBody {
    /// Returns `true` if the body is on its way to a target.
    pub(super) fn moves(&self) -> bool {
        self.motion.is_some_and(|motion| motion.is_under_way())
    }
}

impl Physics {
    /// Adds an infinite floor at height `z`, world space, Quake units; everything below it is solid.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::runtime::Trace;
    ///
    /// let mut runtime = skelobj::Runtime::default();
    /// runtime.physics_mut().add_floor(-24.0)?;
    /// let hit = runtime.trace(&Trace::line(Vec3::ZERO, Vec3::Z * -96.0))?.expect("the floor");
    /// assert_eq!(hit.point.z, -24.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError::NotFinite`], [`LevelError::TooFar`], [`LevelError::TooManyBodies`]. On error, nothing is added.
    pub fn add_floor(&mut self, z: f32) -> Result<LevelBodyId, LevelError> {
        let pose = checked_pose(Vec3::new(0.0, 0.0, z), Quat::IDENTITY)?;
        let shapes = vec![BuiltShape::new(0, SharedShape::halfspace(Vec3::Z))];
        self.insert_level_body(RigidBodyBuilder::fixed().pose(pose), shapes, CollisionGroups::LEVEL, None)
    }

    /// Adds a fixed solid box.
    ///
    /// `centre` is in world space, `size` gives the full extents along the box's own axes, both in Quake units;
    /// `rotation` rotates the box about its centre.
    ///
    /// ```
    /// use skelobj::math::{Quat, Vec3};
    /// use skelobj::physics::{LevelError, Physics};
    ///
    /// let mut physics = Physics::default();
    /// let size = Vec3::new(64.0, 64.0, 16.0);
    /// physics.add_box(Vec3::new(0.0, 0.0, 8.0), size, Quat::from_rotation_z(0.5))?;
    /// assert_eq!(physics.add_box(Vec3::ZERO, size.with_z(0.0), Quat::IDENTITY), Err(LevelError::Flat));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError`] if a number is non-finite or beyond a million units, if the box has no volume, or if there are
    /// too many level bodies. On error, nothing is added.
    pub fn add_box(&mut self, centre: Vec3, size: Vec3, rotation: Quat) -> Result<LevelBodyId, LevelError> {
        self.add_level_body(&[LevelShape::Box(size)], centre, rotation)
    }

    /// Adds fixed level geometry.
    ///
    /// `shapes` are in the body's local space, `origin` and `rotation` give its pose in world space. The world itself
    /// should be **one mesh**: limbs catch on the seam between two boxes or hulls, but slide over seams within a mesh.
    ///
    /// ```
    /// use skelobj::math::{Quat, Vec3};
    /// use skelobj::physics::LevelShape;
    /// use skelobj::runtime::Trace;
    ///
    /// let mut runtime = skelobj::Runtime::default();
    /// let corners = [Vec3::ZERO, Vec3::X * 64.0, Vec3::Y * 64.0, Vec3::Z * 64.0];
    /// let rock = LevelShape::Hull(&corners);
    /// runtime.physics_mut().add_level_body(&[rock], Vec3::X * 128.0, Quat::IDENTITY)?;
    /// let shot = Trace::line(Vec3::new(0.0, 8.0, 8.0), Vec3::new(256.0, 8.0, 8.0));
    /// assert_eq!(runtime.trace(&shot)?.map(|hit| hit.point.x), Some(128.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError`] if a shape or the pose is unusable, or if there are too many level bodies. On error, nothing is
    /// added.
    pub fn add_level_body(
        &mut self,
        shapes: &[LevelShape<'_>],
        origin: Vec3,
        rotation: Quat,
    ) -> Result<LevelBodyId, LevelError> {
        let body = RigidBodyBuilder::fixed().pose(checked_pose(origin, rotation)?);
        self.insert_level_body(body, numbered(shapes)?, CollisionGroups::LEVEL, None)
    }

    /// Replaces the shapes of a level body. The body stays solid or passable, and bodies that rest on it wake up.
    ///
    /// ```
    /// use skelobj::math::{Quat, Vec3};
    /// use skelobj::physics::LevelShape;
    /// use skelobj::runtime::Trace;
    ///
    /// let mut runtime = skelobj::Runtime::default();
    /// let wall = runtime.physics_mut().add_box(Vec3::ZERO, Vec3::splat(64.0), Quat::IDENTITY)?;
    /// let rubble = [LevelShape::Box(Vec3::new(64.0, 64.0, 8.0))];
    /// runtime.physics_mut().set_level_body_shapes(wall, &rubble)?; // an explosion destroys the wall
    /// let over_it = Trace::line(Vec3::new(-99.0, 0.0, 16.0), Vec3::new(99.0, 0.0, 16.0));
    /// assert_eq!(runtime.trace(&over_it)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError`] if a shape is unusable or if no level body has this id. On error, nothing changes.
    pub fn set_level_body_shapes(&mut self, id: LevelBodyId, shapes: &[LevelShape<'_>]) -> Result<(), LevelError> {
        let shapes = numbered(shapes)?;
        let body = self.level_body(id)?;
        for collider in self.colliders_of(body.handle) {
            self.state.pending.has_removals |= self.world.remove_collider(collider).is_some();
        }
        self.finish_removals();
        self.empty(id);
        self.insert_shapes(id, &body, shapes);
        Ok(())
    }

    /// Makes a level body solid or passable, such as a wall that appears and disappears. Bodies that rest on it wake
    /// up.
    ///
    /// The change affects bodies in the next step, and traces after it.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::runtime::Trace;
    ///
    /// let mut runtime = skelobj::Runtime::default();
    /// let floor = runtime.physics_mut().add_floor(0.0)?;
    /// runtime.physics_mut().set_level_body_solid(floor, false)?;
    /// runtime.step(1.0 / 60.0)?;
    /// assert_eq!(runtime.trace(&Trace::line(Vec3::Z * 8.0, Vec3::Z * -8.0))?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError::NoSuchBody`].
    pub fn set_level_body_solid(&mut self, id: LevelBodyId, solid: bool) -> Result<(), LevelError> {
        let handle = self.level_body(id)?.handle;
        if let Some(body) = self.state.level_bodies.get_mut(id) {
            body.solid = solid;
        }
        if !solid {
            self.wake_touching(id);
        }
        for collider in self.colliders_of(handle) {
            if let Some(collider) = self.world.colliders.get_mut(collider) {
                collider.set_enabled(solid);
            }
        }
        Ok(())
    }

    /// Teleports a level body, without pushing anything on the way. Bodies that rest on it wake up.
    ///
    /// `origin` and `rotation` give the new pose in world space. A body that moves visibly should be
    /// [kinematic](Self::add_kinematic_body) instead. The target of a kinematic body becomes the new pose.
    ///
    /// ```
    /// use skelobj::math::{Quat, Vec3};
    /// use skelobj::physics::Physics;
    ///
    /// let mut physics = Physics::default();
    /// let block = physics.add_box(Vec3::ZERO, Vec3::splat(32.0), Quat::IDENTITY)?;
    /// physics.teleport_level_body(block, Vec3::X * 256.0, Quat::IDENTITY)?;
    /// let body = physics.rigid_body(block).expect("the block");
    /// assert_eq!(physics.world().bodies[body].translation(), Vec3::X * 256.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError`] if the pose is unusable or if no level body has this id. On error, nothing moves.
    pub fn teleport_level_body(&mut self, id: LevelBodyId, origin: Vec3, rotation: Quat) -> Result<(), LevelError> {
        let pose = checked_pose(origin, rotation)?;
        let handle = self.level_body(id)?.handle;
        if let Some(body) = self.state.level_bodies.get_mut(id) {
            body.motion = body.motion.map(|_| Motion::resting(pose));
            body.push = body.push.map(Push::moved_elsewhere);
        }
        self.wake_touching(id);
        if let Some(body) = self.world.bodies.get_mut(handle) {
            body.set_position(pose, true);
        }
        for handle in self.colliders_of(handle) {
            if let Some(collider) = self.world.colliders.get_mut(handle) {
                collider.set_position(pose);
            }
            self.find_in_traces(handle);
        }
        Ok(())
    }

    /// Returns the ids of all level bodies, in a fixed order, such as those of a restored snapshot.
    ///
    /// ```
    /// use skelobj::physics::Physics;
    /// let mut physics = Physics::default();
    /// let floor = physics.add_floor(0.0)?;
    /// physics.set_level_body_user_data(floor, 17)?; // the number of its entity
    /// let found = physics.level_bodies().find(|body| physics.level_body_user_data(*body) == Some(17));
    /// assert_eq!(found, Some(floor));
    /// # Ok::<(), skelobj::physics::LevelError>(())
    /// ```
    pub fn level_bodies(&self) -> impl Iterator<Item = LevelBodyId> {
        self.state.level_bodies.iter().map(|(id, _)| id)
    }

    /// Returns the user data of a level body, which is 0 until [`set_level_body_user_data`]; `None` if no level body
    /// has this id.
    ///
    /// [`set_level_body_user_data`]: Self::set_level_body_user_data
    #[must_use]
    pub fn level_body_user_data(&self, id: LevelBodyId) -> Option<u64> {
        self.state.level_bodies.get(id).map(|body| body.user_data)
    }

    /// Sets the user data of a level body, such as the number of its entity. Snapshots keep the user data.
    ///
    /// # Errors
    /// [`LevelError::NoSuchBody`].
    pub fn set_level_body_user_data(&mut self, id: LevelBodyId, user_data: u64) -> Result<(), LevelError> {
        self.state.level_bodies.get_mut(id).ok_or(LevelError::NoSuchBody)?.user_data = user_data;
        Ok(())
    }

    /// Removes a level body and wakes the bodies that rest on it.
    ///
    /// # Errors
    /// [`LevelError::NoSuchBody`]. Nothing has changed.
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// let floor = runtime.physics_mut().add_floor(0.0)?;
    /// runtime.physics_mut().remove_level_body(floor)?;
    /// assert!(runtime.physics_mut().remove_level_body(floor).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_level_body(&mut self, id: LevelBodyId) -> Result<(), LevelError> {
        let body = self.level_body(id)?;
        self.wake_touching(id);
        self.state.level_bodies.remove(id);
        self.empty(id);
        self.state.kinematic_bodies.retain(|kinematic| *kinematic != id);
        self.remove_bodies(std::iter::once(body.handle));
        self.finish_removals();
        Ok(())
    }

    /// Returns a level body that is in the current world.
    ///
    /// # Errors
    /// [`LevelError::NoSuchBody`], also for a body of another world and for one that the host removed from rapier's
    /// world.
    pub(super) fn level_body(&self, id: LevelBodyId) -> Result<LevelBody, LevelError> {
        let body = self.state.level_bodies.get(id).ok_or(LevelError::NoSuchBody)?;
        let built = self.world.bodies.get(body.handle).ok_or(LevelError::NoSuchBody)?;
        match UserData::from_bits(built.user_data) {
            Some(UserData::Level { body: own, .. }) if own == id => Ok(*body),
            _ => Err(LevelError::NoSuchBody),
        }
    }

    /// Returns the handle of a level body in the [`world`](Self::world).
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// let floor = runtime.physics_mut().add_floor(0.0)?;
    /// let physics = runtime.physics();
    /// let body = physics.rigid_body(floor).expect("the floor");
    /// assert_eq!(physics.world().bodies[body].colliders().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rigid_body(&self, id: LevelBodyId) -> Option<RigidBodyHandle> {
        self.state.level_bodies.get(id).map(|body| body.handle)
    }

    pub(super) fn insert_level_body(
        &mut self,
        builder: RigidBodyBuilder,
        shapes: Vec<BuiltShape>,
        groups: CollisionGroups,
        motion: Option<Motion>,
    ) -> Result<LevelBodyId, LevelError> {
        let push = groups.contains(CollisionGroups::BOXES).then(|| Push::in_world(self.scale()));
        let body = LevelBody { handle: RigidBodyHandle::invalid(), groups, solid: true, motion, push, user_data: 0 };
        let id = self.state.level_bodies.insert(body).ok_or(LevelError::TooManyBodies)?;
        let user_data = UserData::Level { body: id, shape: 0 }.to_bits();
        let handle = self.world.insert_body(builder.user_data(user_data));
        let body = LevelBody { handle, ..body };
        debug_assert!(self.state.level_bodies.get(id).is_some(), "the body has just got its id");
        if let Some(inserted) = self.state.level_bodies.get_mut(id) {
            *inserted = body;
        }
        self.insert_shapes(id, &body, shapes);
        Ok(id)
    }

    fn insert_shapes(&mut self, id: LevelBodyId, body: &LevelBody, shapes: Vec<BuiltShape>) {
        for shape in shapes {
            let user_data = UserData::Level { body: id, shape: shape.number }.to_bits();
            let builder = shape.collider().user_data(user_data).enabled(body.solid);
            let mut collider = self.surface(builder, body.groups);
            if body.motion.is_some() {
                collider.set_solver_groups(body.groups.for_solver_of_mover());
            } else if collider.shape().shape_type() == ShapeType::HalfSpace {
                collider.set_solver_groups(body.groups.for_solver_of_floor());
            } else {
                collider.set_active_hooks(LEVEL_HOOKS);
            }
            let handle = self.world.insert_collider(collider, Some(body.handle));
            self.find_in_traces(handle);
        }
    }

    /// Updates the bounds of a new or moved collider, so that traces find it at its current pose before the next step.
    pub(super) fn find_in_traces(&mut self, handle: ColliderHandle) {
        if let Some(collider) = self.world.colliders.get(handle) {
            let bounds = collider.compute_aabb();
            self.world.broad_phase.set_aabb(&self.world.integration_parameters, handle, bounds);
        }
    }

    fn colliders_of(&self, body: RigidBodyHandle) -> Vec<ColliderHandle> {
        self.world.bodies.get(body).map(|body| body.colliders().to_vec()).unwrap_or_default()
    }

    fn wake_touching(&mut self, id: LevelBodyId) {
        for body in self.touching(id) {
            self.world.wake_up(body, true);
        }
    }
}
