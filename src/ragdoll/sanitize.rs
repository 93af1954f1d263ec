//! Validity of ragdolls: moved along with an entity that is teleported, and reset when their positions are non-finite.

use glam::Vec3;
use rapier3d::prelude::{Pose, RigidBody, RigidBodyType};
use skelobj_model::internal::{self, FARTHEST};

use super::tuning::{MAX_SPEED, MAX_SPIN, MAX_STEADY_DISTANCE, TELEPORT_DISTANCE};
use super::{RagBody, Ragdoll, RagdollError, body_shape, drive_mode::Drive};
use crate::math::Mat3x4;
use crate::physics::Physics;

#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct EntityMotion {
    entity: Mat3x4,
    /// Motion in the last frame, Quake units.
    last_way: Vec3,
    /// Lengths of the host's frame and of the one before, seconds.
    pub(super) frame_time: f32,
    last_frame_time: f32,
}

impl EntityMotion {
    pub(super) fn new(entity: &Mat3x4) -> Self {
        Self { entity: *entity, last_way: Vec3::ZERO, frame_time: 0.0, last_frame_time: 0.0 }
    }

    /// Returns the length of the last frame as a fraction of the current one.
    pub(super) fn last_frame(&self) -> f32 {
        let share = self.last_frame_time / self.frame_time;
        if share.is_normal() { share.clamp(0.1, 10.0) } else { 1.0 }
    }

    pub(super) fn end_frame(&mut self) {
        self.last_frame_time = self.frame_time;
    }

    pub(super) fn entity(&self) -> &Mat3x4 {
        &self.entity
    }

    #[inline]
    pub(super) fn is_at(&self, entity: &Mat3x4) -> bool {
        // Rows are compared whole, and together: three branches cost more.
        let rows = |matrix: &Mat3x4| bytemuck::cast::<[f32; 12], [u128; 3]>(matrix.0);
        let ([a, b, c], [x, y, z]) = (rows(&self.entity), rows(entity));
        ((a ^ x) | (b ^ y) | (c ^ z)) == 0
    }
}

impl Ragdoll {
    /// Checks that a ragdoll can be where this entity is.
    ///
    /// # Errors
    /// [`RagdollError::UnusableEntity`], [`RagdollError::OutOfRange`].
    pub(crate) fn check_entity(entity: &Mat3x4) -> Result<(), RagdollError> {
        to_model(entity).map(drop)
    }

    /// Moves all bodies along when the entity was teleported. A ragdoll that was limp until now is left where it lies
    /// if the entity moves to it, as in games that let a corpse's entity follow its body, or let it get up there.
    pub(super) fn follow_teleport(&mut self, entity: &Mat3x4, physics: &mut Physics) {
        let before = self.state.entity_motion;
        let way = entity.origin() - before.entity.origin();
        self.state.entity_motion = EntityMotion { entity: *entity, last_way: way, ..before };
        let [jump, most] = [TELEPORT_DISTANCE, MAX_STEADY_DISTANCE].map(|limit| limit * self.travel_scale(physics));
        if way.length() <= jump || (way.length() <= most && way.distance(before.last_way) <= jump) {
            return;
        }
        let animated = self.state.bodies.iter().any(|body| body.drive() != Drive::Limp && !body.is_joining);
        let centre = self.centre_of_mass(physics);
        if !animated && entity.origin().distance(centre) < before.entity.origin().distance(centre) {
            return;
        }
        self.return_to_level(physics);
        let jump = body_shape::rigid(entity) * body_shape::rigid(&before.entity).inverse();
        // A limb that was cut off the living stays where it lies.
        let stays = |body: &RagBody| animated && body.attached_strength.is_some() && !body.is_animated();
        for body in self.state.bodies.iter_mut().filter(|body| !stays(body)) {
            for pose in [
                &mut body.earlier_target,
                &mut body.last_target,
                &mut body.target,
                &mut body.previous,
                &mut body.step_start,
            ] {
                *pose = jump * *pose;
            }
            if let Some(built) = physics.world_mut().bodies.get_mut(body.handle) {
                let (linear, angular) = (built.linvel(), built.angvel());
                built.set_position(jump * *built.position(), true);
                built.set_linvel(jump.rotation * linear, true);
                built.set_angvel(jump.rotation * angular, true);
            }
        }
    }

    /// Puts back bodies that rapier disabled because of non-finite numbers, at rest in their last poses.
    ///
    /// They stay out of the simulation for one more step, so that contacts with non-finite impulses are dropped. Bodies
    /// that the host disabled stay disabled.
    pub(super) fn after_step(&mut self, physics: &mut Physics) {
        self.remove_step_forces(physics);
        if !self.state.sleep.was_asleep() {
            self.limit_velocities(physics);
        }
        let quarantine = physics.world().quarantine().bodies();
        if quarantine.is_empty() && self.state.quarantined.is_empty() {
            return;
        }
        let struck = |body: &RagBody| quarantine.contains(&body.handle);
        let struck: Vec<usize> =
            (0..self.state.bodies.len()).filter(|body| struck(&self.state.bodies[*body])).collect();
        let waiting = std::mem::replace(&mut self.state.quarantined, struck);
        if waiting.is_empty() && self.state.quarantined.is_empty() {
            return;
        }
        for joint in &self.state.joints {
            if let Some(built) = physics.joint_mut(joint.handle) {
                built.impulses = Default::default();
                built.data.limits.iter_mut().for_each(|limit| limit.impulse = 0.0);
                built.data.motors.iter_mut().for_each(|motor| motor.impulse = 0.0);
            }
        }
        for body in waiting.into_iter().filter(|body| !self.state.quarantined.contains(body)) {
            if let Some(built) = physics.world_mut().bodies.get_mut(self.state.bodies[body].handle) {
                built.set_enabled(true);
                self.state.resets += 1;
            }
        }
        for &body in &self.state.quarantined {
            let body = &self.state.bodies[body];
            let Some(built) = physics.world_mut().bodies.get_mut(body.handle) else { continue };
            let at =
                [*built.position(), body.previous, body.target].into_iter().find(is_sound).unwrap_or(Pose::IDENTITY);
            built.set_position(at, true);
            built.set_linvel(Vec3::ZERO, true);
            built.set_angvel(Vec3::ZERO, true);
            built.reset_forces(true);
            built.reset_torques(true);
        }
    }

    /// Limits the speed of bodies: joints that contradict each other can accelerate them without end.
    fn limit_velocities(&self, physics: &mut Physics) {
        let max_speed = max_speed(physics);
        for body in &self.state.bodies {
            let Some(built) = physics.world().bodies.get(body.handle) else { continue };
            let (linear, angular) = (built.linvel(), built.angvel());
            let sane =
                linear.length_squared() <= max_speed * max_speed && angular.length_squared() <= MAX_SPIN * MAX_SPIN;
            let (finite, dynamic) = (linear.is_finite() && angular.is_finite(), built.is_dynamic());
            // rapier quarantines dynamic bodies with non-finite velocities, but not all of them in the same step, and
            // never kinematic ones.
            let struck = || physics.world().quarantine().bodies().contains(&body.handle);
            if sane || (finite && !dynamic) || (!finite && dynamic && struck()) {
                continue;
            }
            let Some(built) = physics.world_mut().bodies.get_mut(body.handle) else { continue };
            if dynamic {
                set_velocity(built, linear, angular, max_speed);
            } else {
                // The velocity of this type of body cannot be set.
                built.set_body_type(RigidBodyType::KinematicVelocityBased, true);
                set_velocity(built, linear, angular, max_speed);
                built.set_body_type(RigidBodyType::KinematicPositionBased, true);
            }
        }
    }

    /// Returns the number of times that a body was put back because its position or velocity was non-finite.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "animate 0", None)?;
    /// for (_, body) in runtime.physics_mut().world_mut().bodies.iter_mut() {
    ///     body.add_force(Vec3::splat(f32::NAN), true); // a bug of the host
    /// }
    /// runtime.step(1.0 / 15.0)?;
    /// let ragdoll = runtime.ragdoll(object).expect("a ragdoll");
    /// assert!(ragdoll.resets() > 0);
    /// assert!(ragdoll.bodies(runtime.physics()).all(|body| body.position.is_finite()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn resets(&self) -> usize {
        self.state.resets
    }

    /// Returns the number of bodies put back since the last call.
    pub(crate) fn take_reset(&mut self) -> usize {
        let new = self.state.resets - self.state.resets_reported;
        self.state.resets_reported = self.state.resets;
        new
    }
}

/// Returns the greatest speed of a body that a world can hold, units/s.
pub(super) fn max_speed(physics: &Physics) -> f32 {
    MAX_SPEED * physics.scale()
}

/// Sets the velocity of a body, units/s and radians/s, limited to a [speed](max_speed) and a spin that the world can
/// hold.
pub(super) fn set_velocity(body: &mut RigidBody, linear: Vec3, angular: Vec3, max_speed: f32) {
    let limited = |velocity: Vec3, most: f32| match velocity.is_finite() {
        true => velocity.clamp_length_max(most),
        false => Vec3::ZERO,
    };
    body.set_linvel(limited(linear, max_speed), true);
    body.set_angvel(limited(angular, MAX_SPIN), true);
}

/// Returns the inverse of an entity's matrix if a ragdoll can be there.
pub(super) fn to_model(entity: &Mat3x4) -> Result<Mat3x4, RagdollError> {
    internal::check_place("entity", entity.origin())?;
    entity.inverse().filter(|_| internal::is_within(entity, FARTHEST)).ok_or(RagdollError::UnusableEntity)
}

/// Returns `true` if the world can hold a body at this pose; a ragdoll reaches farther than its entity.
pub(super) fn is_near(pose: &Pose) -> bool {
    is_sound(pose) && pose.translation.abs().max_element() <= 2.0 * FARTHEST
}

fn is_sound(pose: &Pose) -> bool {
    pose.is_finite() && pose.rotation.length_squared() > 0.5
}
