//! Stops of joints, in rapier's solver only where the next step can reach them.
//!
//! A limited axis costs rapier a row of constraints in every iteration, even far from its stops, where the row does
//! nothing. So rapier sees only the limits that a joint may reach in the step.

use std::f32::consts::PI;

use glam::Vec3;
use rapier3d::prelude::{ImpulseJoint, JointAxesMask, JointAxis, Pose, RigidBody};

use super::{RagJoint, Ragdoll, joint};
use crate::doll::JointKind;
use crate::physics::Physics;

/// Distance to a stop within which it is solved in any case, radians.
const NEAR: f32 = 0.1;
/// Relative angular velocity that contacts may give to a joint at rest within a step, radians/s.
const SUDDEN: f32 = 12.0;
/// Factor by which the relative angular velocity of a joint may grow within a step.
const GROWTH: f32 = 2.0;
/// Distance of an angle from a bound within which a rough angle does not tell on which side it is, radians.
const ROUGH: f32 = 1e-3;

impl Ragdoll {
    /// Chooses the limits that rapier solves in the next step.
    pub(super) fn limit_joints(&self, physics: &mut Physics) {
        let step = physics.step_time();
        for joint in self.joints.iter().filter(|joint| joint.enabled && !joint.rest.limit_axes.is_empty()) {
            let world = physics.world();
            let Some(built) = world.impulse_joints.get(joint.handle) else { continue };
            let body = |body: usize| world.bodies.get(self.bodies[body].handle);
            let Some(body1) = body(joint.body1) else { continue };
            let limits = joint.limits_in_reach(body1, joint.body2.and_then(body), step);
            if limits != built.data.limit_axes {
                // rapier solves the change in this very step, so it leaves no records.
                if let Some(built) = physics.world_mut().impulse_joints.get_mut(joint.handle, false) {
                    set_limits(built, limits);
                }
            }
        }
    }
}

impl RagJoint {
    fn limits_in_reach(&self, body1: &RigidBody, body2: Option<&RigidBody>, step: f32) -> JointAxesMask {
        let turning = body2.map_or(Vec3::ZERO, RigidBody::angvel) - body1.angvel();
        let reach = NEAR + step * (SUDDEN + GROWTH * turning.length());
        let pose2 = body2.map_or_else(Default::default, |body| *body.position());
        let relative = (*body1.position() * self.frame1()).inverse() * (pose2 * self.rest.local_frame2);
        let mut limits = self.rest.limit_axes;
        for axis in joint::axes(JointKind::Universal) {
            let limit = &self.rest.limits[*axis as usize];
            if limits.contains((*axis).into()) && is_between(*axis, &relative, limit.min + reach, limit.max - reach) {
                limits.remove((*axis).into());
            }
        }
        limits
    }
}

/// Returns `true` if the angle about an axis lies between two angles, radians.
fn is_between(axis: JointAxis, relative: &Pose, lo: f32, hi: f32) -> bool {
    if lo >= hi {
        return false;
    }
    let q = relative.rotation;
    let rough = rough_angle(if axis == JointAxis::AngX { q.x } else { q.y }, q.w);
    // Far from both bounds the rough angle gives the answer of the exact one.
    let is_clear = |bound: f32| (rough - bound).abs() > ROUGH;
    let at = match rough.abs() < PI - ROUGH && is_clear(lo) && is_clear(hi) {
        true => rough,
        false => joint::position(axis, relative),
    };
    at > lo && at < hi
}

/// Returns twice the arc tangent of a ratio, to 0.0001 radians, without a call of the C library.
fn rough_angle(imaginary: f32, real: f32) -> f32 {
    let twice_atan = |x: f32| {
        let square = x * x;
        let series = 0.180_141 + square * (-0.085_133 + square * 0.020_835_1);
        2.0 * x * (0.999_866 + square * (-0.330_299_5 + square * series))
    };
    match imaginary.abs() <= real.abs() {
        true => twice_atan(imaginary / real),
        false => {
            let rest = real / imaginary;
            PI.copysign(rest) - twice_atan(rest)
        }
    }
}

/// Sets the limited axes of a joint. Impulses of limits that were not solved in the last step are out of date.
fn set_limits(joint: &mut ImpulseJoint, axes: JointAxesMask) {
    for (number, limit) in joint.data.limits.iter_mut().enumerate() {
        if !joint.data.limit_axes.contains(JointAxesMask::from_bits_truncate(1 << number)) {
            limit.impulse = 0.0;
        }
    }
    joint.data.limit_axes = axes;
}
