//! Kinematic bodies: doors, lifts, trains and entity boxes, which move as the game commands and push the bodies in
//! their way.

use glam::{Quat, Vec3};
use rapier3d::prelude::{Pose, RigidBody, RigidBodyBuilder, RigidBodyHandle, RigidBodyType};

use super::built_shape::{BuiltShape, checked_pose, numbered};
use super::interpolation::{extrapolated, leaps, move_to, turn_between, with_sign_of};
use super::level_body::{LevelBody, Motion};
use super::tuning::{DOOR_WIDTH, MAX_EXTRAPOLATION, MAX_ROUNDED_SPEED};
use super::{CollisionGroups, LevelError, LevelShape, Physics};
use crate::id::LevelBodyId;

impl Physics {
    /// Adds a kinematic body, such as a door, lift or train, which carries and pushes other bodies and which nothing
    /// stops. Bodies of ragdolls that it squeezes against something solid give way: it passes through them until they
    /// are apart.
    ///
    /// `shapes` are in the body's local space, `origin` and `rotation` give its pose in world space. Move the body with
    /// [`set_level_body_target`](Self::set_level_body_target). Once a world has a kinematic body, ragdolls use
    /// continuous collision detection against moving bodies, which costs nothing at walking pace.
    ///
    /// ```
    /// use skelobj::math::{Quat, Vec3};
    /// use skelobj::physics::{LevelShape, Physics};
    ///
    /// let mut physics = Physics::default();
    /// let door = [LevelShape::Box(Vec3::new(8.0, 96.0, 128.0))];
    /// let door = physics.add_kinematic_body(&door, Vec3::new(0.0, 0.0, 64.0), Quat::IDENTITY)?;
    /// physics.set_level_body_target(door, Vec3::new(0.0, 4.0, 64.0), Quat::IDENTITY)?;
    /// physics.advance(1.0 / 60.0, |_, _| {})?;
    /// let body = physics.rigid_body(door).expect("the door");
    /// assert_eq!(physics.world().bodies[body].translation().y, 4.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError`] if a shape or the pose is unusable, or if there are too many level bodies. On error, nothing is
    /// added.
    pub fn add_kinematic_body(
        &mut self,
        shapes: &[LevelShape<'_>],
        origin: Vec3,
        rotation: Quat,
    ) -> Result<LevelBodyId, LevelError> {
        self.insert_kinematic_body(numbered(shapes)?, checked_pose(origin, rotation)?, CollisionGroups::LEVEL)
    }

    /// Adds the bounding box of an engine's entity, a kinematic body that pushes ragdolls gently.
    ///
    /// `mins` and `maxs` are corners relative to the entity's origin, Quake units, as `setsize` takes them; `origin` is
    /// in world space. Entity boxes are in [`CollisionGroups::BOXES`] and do not collide with each other. Call
    /// [`set_level_body_target`](Self::set_level_body_target) in every frame in which the entity moves, and
    /// [`set_level_body_solid`](Self::set_level_body_solid) with `false` when it dies.
    ///
    /// Boxes and ragdolls pass through each other, and the bodies in a box get a push to the side: at most 60 units/s
    /// out of a box that stands, and the speed of a box that moves, with at most the [force of the
    /// box](Self::set_level_body_push_force). Other dynamic bodies, such as the host's crates, collide with the box.
    ///
    /// The box surrounds the ragdoll of its own entity: a trace through all groups hits the box first, and a trace that
    /// starts in it, such as a shot from the eye of its owner, leaves it again. Shots that should find bones trace only
    /// [`CollisionGroups::LEVEL`] and [`CollisionGroups::RAGDOLLS`];
    /// [`Trace::without`](crate::runtime::Trace::without) ignores a ragdoll, not a box.
    ///
    /// ```
    /// use skelobj::math::{Quat, Vec3};
    ///
    /// let mut runtime = skelobj::Runtime::default();
    /// let (mins, maxs) = (Vec3::new(-16.0, -16.0, -24.0), Vec3::new(16.0, 16.0, 32.0));
    /// let player = runtime.physics_mut().add_entity_box(mins, maxs, Vec3::Z * 24.0)?;
    /// let ahead = Vec3::new(5.0, 0.0, 24.0); // the player walks
    /// runtime.physics_mut().set_level_body_target(player, ahead, Quat::IDENTITY)?;
    /// runtime.step(1.0 / 60.0)?;
    ///
    /// use skelobj::{physics::CollisionGroups, runtime::Trace};
    /// let shot = Trace::line(Vec3::new(-100.0, 0.0, 32.0), Vec3::new(100.0, 0.0, 32.0));
    /// assert!(runtime.trace(&shot)?.is_some()); // the box
    /// assert_eq!(runtime.trace(&shot.with_groups(CollisionGroups::LEVEL | CollisionGroups::RAGDOLLS))?, None);
    /// runtime.physics_mut().set_level_body_solid(player, false)?; // the player dies
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError`] if a number is not finite, or beyond a million units, if the box has no volume, or if there are
    /// too many level bodies. On error, nothing is added.
    pub fn add_entity_box(&mut self, mins: Vec3, maxs: Vec3, origin: Vec3) -> Result<LevelBodyId, LevelError> {
        if !(mins.is_finite() && maxs.is_finite()) {
            return Err(LevelError::NotFinite);
        }
        let (size, centre) = (maxs - mins, (mins + maxs) * 0.5);
        if size.min_element() <= 0.0 {
            return Err(LevelError::Flat);
        }
        let corners: Vec<Vec3> = (0..8u8)
            .map(|bits| {
                centre + size * 0.5 * Vec3::from_array([1, 2, 4].map(|bit| if bits & bit == 0 { -1.0 } else { 1.0 }))
            })
            .collect();
        let shapes = numbered(&[LevelShape::Hull(&corners)])?;
        self.insert_kinematic_body(shapes, checked_pose(origin, Quat::IDENTITY)?, CollisionGroups::BOXES)
    }

    /// Sets the pose that a kinematic body reaches at the end of the next frame, world space.
    ///
    /// The body moves in a straight line and rotates at constant speed to the target while the frame is simulated. Call
    /// this once per frame before [`Runtime::step`](crate::Runtime::step) while the body moves. A jump of more than
    /// 100,000 units/s, in proportion to [`PhysicsSettings::length_unit`](super::PhysicsSettings::length_unit),
    /// repositions the body without pushing anything.
    ///
    /// ```
    /// use skelobj::math::{Quat, Vec3};
    /// use skelobj::physics::{LevelError, Physics};
    ///
    /// let mut physics = Physics::default();
    /// let floor = physics.add_floor(0.0)?;
    /// assert_eq!(physics.set_level_body_target(floor, Vec3::Z, Quat::IDENTITY), Err(LevelError::NotKinematic));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError`] if the pose is unusable, if no level body has this id, or if the body is not kinematic. On error,
    /// the target is unchanged.
    pub fn set_level_body_target(&mut self, id: LevelBodyId, origin: Vec3, rotation: Quat) -> Result<(), LevelError> {
        let to = checked_pose(origin, rotation)?;
        self.level_body(id)?;
        let body = self.state.level_bodies.get_mut(id).ok_or(LevelError::NoSuchBody)?;
        let motion = body.motion.as_mut().ok_or(LevelError::NotKinematic)?;
        motion.to = with_sign_of(to, motion.from.rotation);
        let (handle, is_to_move) = (body.handle, motion.is_under_way());
        // The frame in which the target is set may have no step.
        if is_to_move && let Some(built) = self.world.bodies.get_mut(handle).filter(|built| is_parked(built)) {
            built.set_body_type(RigidBodyType::KinematicPositionBased, false);
        }
        Ok(())
    }

    pub(super) fn insert_kinematic_body(
        &mut self,
        shapes: Vec<BuiltShape>,
        pose: Pose,
        groups: CollisionGroups,
    ) -> Result<LevelBodyId, LevelError> {
        let body = RigidBodyBuilder::kinematic_position_based().pose(pose);
        let id = self.insert_level_body(body, shapes, groups, Some(Motion::resting(pose)))?;
        if self.state.kinematic_bodies.is_empty() {
            for (_, body) in self.world.bodies.iter_mut() {
                if body.is_dynamic() {
                    body.enable_ccd(true);
                }
            }
        }
        debug_assert!(!self.state.kinematic_bodies.contains(&id), "a new body has a new id");
        self.state.kinematic_bodies.push(id);
        Ok(id)
    }

    /// Moves every kinematic body to its target for the next step, which ends at the fraction `progress` of the host's
    /// frame. Returns the bodies to pass to [`resume_ccd`](Self::resume_ccd) after the step.
    pub(super) fn move_kinematic_bodies(&mut self, progress: f32) -> Vec<RigidBodyHandle> {
        let mut ccd_suspended = Vec::new();
        let (step, scale) = (self.step_time(), self.scale());
        for number in 0..self.state.kinematic_bodies.len() {
            let body = self.state.kinematic_bodies.get(number).and_then(|id| self.state.level_bodies.get(*id)).copied();
            debug_assert!(body.is_some_and(|body| body.motion.is_some()), "the list has living bodies that move");
            let Some(LevelBody { handle, motion: Some(motion), push, .. }) = body else { continue };
            let target = extrapolated(&motion.from, &motion.from, &motion.to, progress, scale);
            if let Some(push) = push {
                let push = self.push_out(handle, push, &target);
                let own = self.state.kinematic_bodies.get(number).and_then(|id| self.state.level_bodies.get_mut(*id));
                own.into_iter().for_each(|own| own.push = Some(push));
            }
            let Some(body) = self.world.bodies.get_mut(handle) else { continue };
            if !motion.is_under_way() && (is_parked(body) || target == *body.position()) {
                park(body, scale);
            } else if target != *body.position() {
                body.set_body_type(RigidBodyType::KinematicPositionBased, false);
                let leaps = leaps(body, &target, step, scale);
                move_to(body, &target, step, scale);
                if !leaps {
                    ccd_suspended.extend(self.sweep(handle, &target));
                }
            }
        }
        ccd_suspended
    }

    /// Returns the longest way that a kinematic level body makes in a step of a frame of `frame_time` seconds, Quake
    /// units.
    pub(super) fn longest_way(&self, frame_time: f32) -> f32 {
        if frame_time <= 0.0 {
            return 0.0;
        }
        let share = self.step_time() / frame_time;
        let ways = self.state.kinematic_bodies.iter().filter_map(|id| {
            let Motion { from, to } = self.state.level_bodies.get(*id).filter(|body| body.push.is_none())?.motion?;
            if from == to {
                return None;
            }
            let turn = turn_between(from.rotation, to.rotation).length() * (DOOR_WIDTH * self.scale());
            let way = from.translation.distance(to.translation) + turn;
            Some((way * share).min(way.max(MAX_EXTRAPOLATION * self.scale())))
        });
        ways.fold(0.0, f32::max)
    }

    /// Ends the host's frame: the targets of kinematic bodies become the starts of their next motions.
    pub(super) fn rest_kinematic_bodies(&mut self) {
        for id in &self.state.kinematic_bodies {
            debug_assert!(self.state.level_bodies.get(*id).is_some(), "the list has living bodies");
            if let Some(motion) = self.state.level_bodies.get_mut(*id).and_then(|body| body.motion.as_mut()) {
                motion.from = motion.to;
            }
        }
    }
}

/// Ends the tiny velocity that rapier computes, by rounding, for a turned body at rest: it would keep awake what
/// touches the body.
pub(crate) fn park(body: &mut RigidBody, scale: f32) {
    let is_slow = body.linvel().length() < MAX_ROUNDED_SPEED * scale && body.angvel().length() < MAX_ROUNDED_SPEED;
    if body.is_moving() && is_slow {
        body.set_body_type(RigidBodyType::KinematicVelocityBased, false);
        body.set_linvel(Vec3::ZERO, false);
        body.set_angvel(Vec3::ZERO, false);
    }
}

/// Returns `true` if nothing gives a kinematic body a velocity.
pub(crate) fn is_parked(body: &RigidBody) -> bool {
    body.body_type() == RigidBodyType::KinematicVelocityBased
}
