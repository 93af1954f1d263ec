//! Stops of joints, in rapier's solver only where the next step can reach them.
//!
//! A limited axis costs rapier a row of constraints in every iteration, even far from its stops, where the row does
//! nothing. So rapier sees only the limits that a joint may reach in the step. Cones choose theirs anew for each step.

use std::f32::consts::PI;

use glam::Quat;
use rapier3d::prelude::{ImpulseJoint, JointAxesMask, JointAxis, Pose, RigidBody};

use super::step_limits::{Limits, rough_angle};
use super::tuning::{CONTACT_ARM, CONTACT_SPIN, LIMIT_NEAR, ROUGH_ANGLE_ERROR, SPIN_GROWTH};
use super::{RagJoint, Ragdoll, rapier_joint, rapier_joint::JointDefinition};
use crate::doll::JointKind;
use crate::physics::Physics;

impl Ragdoll {
    /// Chooses the limits that rapier solves in the next step.
    ///
    /// rapier solves a change in this very step, so it leaves no records, which would make rapier examine all joints.
    pub(super) fn choose_limits(&self, physics: &mut Physics) {
        let (step, arm) = (physics.step_time(), CONTACT_ARM * self.state.size);
        debug_assert_eq!(self.state.joints.len(), self.derived.definitions.len(), "every joint has a definition");
        let joints = self.state.joints.iter().zip(&self.derived.definitions);
        for (joint, definition) in joints.filter(|(joint, _)| joint.attachment.is_enabled()) {
            let world = physics.world();
            let Some(built) = world.impulse_joints.get(joint.handle) else { continue };
            let [body1, body2] = [built.body1(), built.body2()].map(|body| world.bodies.get(body));
            let (Some(body1), Some(body2)) = (body1, body2) else { continue };
            if let Some(limits) = joint.limits(definition, built, [body1, body2], step, arm)
                && let Some(built) = physics.world_mut().impulse_joints.get_mut(joint.handle, false)
            {
                limits.set(built);
            }
        }
    }
}

impl RagJoint {
    /// Returns the limits that rapier has to solve in a step of `step` seconds, `None` if the joint has them. Contacts
    /// act `arm` units from the joint.
    fn limits(
        &self,
        definition: &JointDefinition,
        built: &ImpulseJoint,
        bodies: [&RigidBody; 2],
        step: f32,
        arm: f32,
    ) -> Option<Limits> {
        let rests = |body: &RigidBody| body.is_sleeping() || !body.is_dynamic();
        if !built.data.is_enabled() || bodies.into_iter().all(rests) {
            return None;
        }
        if let Some(cone) = &definition.cone {
            return self.limits_of_cone(cone, built, bodies, [step, contact_spin(bodies, arm)]);
        }
        let axes = self.limits_in_reach(definition, bodies, [step, contact_spin(bodies, arm)]);
        let changed = axes != built.data.limit_axes;
        changed.then_some(Limits { axes, limits: built.data.limits, turned_frames: None })
    }

    fn limits_in_reach(
        &self,
        definition: &JointDefinition,
        [body1, body2]: [&RigidBody; 2],
        [step, contact_spin]: [f32; 2],
    ) -> JointAxesMask {
        let mut limits = definition.limit_axes;
        if limits.is_empty() {
            return limits;
        }
        let reach = LIMIT_NEAR + step * (contact_spin + SPIN_GROWTH * (body2.angvel() - body1.angvel()).length());
        let frame1 = *body1.rotation() * self.frame1().rotation;
        let relative = frame1.inverse() * (*body2.rotation() * self.frames[1].rotation);
        for axis in rapier_joint::axes(JointKind::Universal) {
            let limit = &definition.limits[*axis as usize];
            if limits.contains((*axis).into()) && is_between(*axis, relative, limit.min + reach, limit.max - reach) {
                limits.remove((*axis).into());
            }
        }
        limits
    }
}

/// Returns the relative angular velocity that contacts, `arm` units from a joint, may give to it within a step,
/// radians/s.
fn contact_spin(bodies: [&RigidBody; 2], arm: f32) -> f32 {
    let [one, two] = bodies.map(|body| body.linvel().length_squared());
    CONTACT_SPIN + one.max(two).sqrt() / arm
}

/// Returns `true` if the angle about an axis lies between two angles, radians.
fn is_between(axis: JointAxis, q: Quat, lo: f32, hi: f32) -> bool {
    if lo >= hi {
        return false;
    }
    let rough = rough_angle(if axis == JointAxis::AngX { q.x } else { q.y }, q.w);
    // Far from both bounds the rough angle gives the answer of the exact one.
    let is_clear = |bound: f32| (rough - bound).abs() > ROUGH_ANGLE_ERROR;
    let at = match rough.abs() < PI - ROUGH_ANGLE_ERROR && is_clear(lo) && is_clear(hi) {
        true => rough,
        false => rapier_joint::position(axis, &Pose::from_rotation(q)),
    };
    at > lo && at < hi
}
