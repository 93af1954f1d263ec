//! Poses between and ahead of two that are given.

use glam::{Quat, Vec3};
use rapier3d::prelude::Pose;

/// The farthest that a pose is taken ahead of what is known, Quake units and radians: more is a jump, not a motion.
const MAX_AHEAD: f32 = 32.0;
const MAX_TURN_AHEAD: f32 = 0.5;

/// `from` at 0, `to` at 1, and beyond it at the same pace, rotating the shorter way.
pub(crate) fn between(from: &Pose, to: &Pose, progress: f32) -> Pose {
    if from == to || progress == 1.0 {
        return *to;
    }
    let way = to.translation - from.translation;
    let turn = turn_between(from.rotation, to.rotation);
    let at_most = |length: f32, limit: f32| 1.0 + ((progress - 1.0) * length).min(limit) / length.max(1e-9);
    let (along, around) = match progress > 1.0 {
        true => (at_most(way.length(), MAX_AHEAD), at_most(turn.length(), MAX_TURN_AHEAD)),
        false => (progress, progress),
    };
    Pose::from_parts(
        from.translation + way * along,
        (Quat::from_scaled_axis(turn * around) * from.rotation).normalize(),
    )
}

/// The rotation vector (axis times radians) that takes `from` to `to` the shorter way.
pub(crate) fn turn_between(from: Quat, to: Quat) -> Vec3 {
    let turn = to * from.inverse();
    if turn.w < 0.0 { -turn } else { turn }.to_scaled_axis()
}
