//! Limits of a joint for one step, and the angle that tells which are near.

use std::f32::consts::PI;

use glam::Quat;
use rapier3d::prelude::{ImpulseJoint, JointAxesMask, JointLimits};

/// Limits that rapier solves in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) axes: JointAxesMask,
    pub(super) limits: [JointLimits<f32>; 6],
    /// Frames of the joint, if they turn.
    pub(super) turned_frames: Option<TurnedFrames>,
}

/// Rotations of a joint's frames on both bodies, and the impulses of its anchor about the new axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnedFrames {
    pub(super) frames: [Quat; 2],
    pub(super) impulses: [f32; 3],
}

impl Limits {
    /// Gives the limits to a joint. Impulses of limits that were not solved in the last step are out of date.
    pub(super) fn set(mut self, joint: &mut ImpulseJoint) {
        for (number, limit) in self.limits.iter_mut().enumerate() {
            if !joint.data.limit_axes.contains(JointAxesMask::from_bits_truncate(1 << number)) {
                limit.impulse = 0.0;
            }
        }
        (joint.data.limit_axes, joint.data.limits) = (self.axes, self.limits);
        if let Some(TurnedFrames { frames, impulses }) = self.turned_frames {
            joint.data.local_frame1.rotation = frames[0];
            joint.data.local_frame2.rotation = frames[1];
            joint.impulses[..3].copy_from_slice(&impulses);
        }
    }
}

/// Returns twice the arc tangent of a ratio, to 0.0001 radians, without a call of the C library.
pub(super) fn rough_angle(imaginary: f32, real: f32) -> f32 {
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
