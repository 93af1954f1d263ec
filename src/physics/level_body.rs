//! Level bodies: floors, boxes, hulls and meshes that are added, moved, changed and removed.

use glam::{Quat, Vec3};
use rapier3d::prelude::{ColliderHandle, RigidBodyBuilder, RigidBodyHandle, SharedShape};

use super::kinematic::Motion;
use super::level_shape::{BuiltShape, checked_pose, numbered};
use super::{CollisionGroups, LevelError, LevelShape, Physics, UserData};
use crate::id::LevelBodyId;

/// A rigid piece of the level.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct LevelBody {
    pub(super) handle: RigidBodyHandle,
    groups: CollisionGroups,
    solid: bool,
    /// Motion of a kinematic body; `None` for a fixed one.
    pub(super) motion: Option<Motion>,
}

impl Physics {
    /// Adds an endless floor at height `z`, Quake units in world space, solid below.
    ///
    /// # Errors
    /// [`LevelError::NotFinite`], [`LevelError::TooFar`], [`LevelError::TooManyBodies`]; nothing is added then.
    pub fn add_floor(&mut self, z: f32) -> Result<LevelBodyId, LevelError> {
        let pose = checked_pose(Vec3::new(0.0, 0.0, z), Quat::IDENTITY)?;
        let shapes = vec![BuiltShape::new(0, SharedShape::halfspace(Vec3::Z))];
        self.insert_level_body(RigidBodyBuilder::fixed().pose(pose), shapes, CollisionGroups::LEVEL, None)
    }

    /// Adds a solid box: its centre in the world and its full extents, both in Quake units, and its rotation.
    ///
    /// # Errors
    /// [`LevelError`]; nothing is added then.
    pub fn add_box(&mut self, centre: Vec3, size: Vec3, rotation: Quat) -> Result<LevelBodyId, LevelError> {
        self.add_level_body(&[LevelShape::Box(size)], centre, rotation)
    }

    /// Adds fixed level geometry.
    ///
    /// The world itself should be **one mesh**: limbs that slide over the seam between two boxes or hulls stop dead at
    /// it; within a mesh they do not.
    ///
    /// # Errors
    /// [`LevelError`]; nothing is added then.
    pub fn add_level_body(
        &mut self,
        shapes: &[LevelShape<'_>],
        origin: Vec3,
        rotation: Quat,
    ) -> Result<LevelBodyId, LevelError> {
        let body = RigidBodyBuilder::fixed().pose(checked_pose(origin, rotation)?);
        self.insert_level_body(body, numbered(shapes)?, CollisionGroups::LEVEL, None)
    }

    /// Replaces the shapes of a level body. The body stays solid or passable, and bodies that lie on it wake up.
    ///
    /// # Errors
    /// [`LevelError`]; nothing has changed then.
    pub fn set_shapes(&mut self, id: LevelBodyId, shapes: &[LevelShape<'_>]) -> Result<(), LevelError> {
        let shapes = numbered(shapes)?;
        let body = self.level_body(id)?;
        for collider in self.colliders_of(body.handle) {
            self.unsettled |= self.world.remove_collider(collider).is_some();
        }
        self.settle();
        self.insert_shapes(id, &body, shapes);
        Ok(())
    }

    /// Makes a level body solid or passable, as for a wall that appears and disappears. Bodies that lie on it wake up.
    ///
    /// # Errors
    /// [`LevelError::NoSuchBody`].
    pub fn set_solid(&mut self, id: LevelBodyId, solid: bool) -> Result<(), LevelError> {
        let handle = self.level_body(id)?.handle;
        if let Some(body) = self.level_bodies.get_mut(id) {
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

    /// Moves a level body at once, without pushing anything on the way. Bodies that lie on it wake up.
    ///
    /// Bodies that move visibly should be [kinematic](Self::add_kinematic_body).
    ///
    /// # Errors
    /// [`LevelError`]; nothing has moved then.
    pub fn teleport(&mut self, id: LevelBodyId, origin: Vec3, rotation: Quat) -> Result<(), LevelError> {
        let pose = checked_pose(origin, rotation)?;
        let handle = self.level_body(id)?.handle;
        if let Some(body) = self.level_bodies.get_mut(id) {
            body.motion = body.motion.map(|_| Motion::resting(pose));
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

    /// Removes a level body; bodies that lie on it wake up. Returns whether it was there.
    pub fn remove_level_body(&mut self, id: LevelBodyId) -> bool {
        let Ok(body) = self.level_body(id) else { return false };
        self.wake_touching(id);
        self.level_bodies.remove(id);
        self.kinematic_bodies.retain(|kinematic| *kinematic != id);
        self.remove_bodies(std::iter::once(body.handle));
        self.settle();
        true
    }

    /// Returns a level body that is in the world: not one of another world, nor one that the host took out.
    pub(super) fn level_body(&self, id: LevelBodyId) -> Result<LevelBody, LevelError> {
        let body = self.level_bodies.get(id).ok_or(LevelError::NoSuchBody)?;
        let built = self.world.bodies.get(body.handle).ok_or(LevelError::NoSuchBody)?;
        match UserData::from_bits(built.user_data) {
            Some(UserData::Level { body: own, .. }) if own == id => Ok(*body),
            _ => Err(LevelError::NoSuchBody),
        }
    }

    /// Returns the body that a level body has in the [`world`](Self::world).
    #[must_use]
    pub fn rigid_body(&self, id: LevelBodyId) -> Option<RigidBodyHandle> {
        self.level_bodies.get(id).map(|body| body.handle)
    }

    pub(super) fn insert_level_body(
        &mut self,
        builder: RigidBodyBuilder,
        shapes: Vec<BuiltShape>,
        groups: CollisionGroups,
        motion: Option<Motion>,
    ) -> Result<LevelBodyId, LevelError> {
        let body = LevelBody { handle: RigidBodyHandle::invalid(), groups, solid: true, motion };
        let id = self.level_bodies.insert(body).ok_or(LevelError::TooManyBodies)?;
        let user_data = UserData::Level { body: id, shape: 0 }.to_bits();
        let handle = self.world.insert_body(builder.user_data(user_data));
        let body = LevelBody { handle, ..body };
        if let Some(inserted) = self.level_bodies.get_mut(id) {
            *inserted = body;
        }
        self.insert_shapes(id, &body, shapes);
        Ok(id)
    }

    fn insert_shapes(&mut self, id: LevelBodyId, body: &LevelBody, shapes: Vec<BuiltShape>) {
        for shape in shapes {
            let user_data = UserData::Level { body: id, shape: shape.number }.to_bits();
            let builder = shape.collider().user_data(user_data).enabled(body.solid);
            let collider = self.surface(builder, body.groups);
            let handle = self.world.insert_collider(collider, Some(body.handle));
            self.find_in_traces(handle);
        }
    }

    /// Traces find a collider at its place in the last step; after this call they find a new or moved one at its place
    /// now.
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
