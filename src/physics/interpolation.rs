//! Interpolation and extrapolation of poses.

use super::tuning::{MAX_EXTRAPOLATED_TURN, MAX_EXTRAPOLATION, MAX_KINEMATIC_SPEED};
use glam::{Quat, Vec3};
use rapier3d::prelude::{Pose, RigidBody};

/// Moves a kinematic body to the pose that it has after a step of `step` seconds in a world of `scale`. The body pushes
/// everything in its way, unless it is too fast and is repositioned.
pub(crate) fn move_to(body: &mut RigidBody, target: &Pose, step: f32, scale: f32) {
    if leaps(body, target, step, scale) {
        body.set_position(*target, true);
    } else {
        body.set_next_kinematic_position(*target);
    }
}

/// Returns `true` if a kinematic body is too far from its target for a motion in one step.
pub(super) fn leaps(body: &RigidBody, target: &Pose, step: f32, scale: f32) -> bool {
    body.position().translation.distance(target.translation) > MAX_KINEMATIC_SPEED * scale * step
}

/// Returns a pose whose quaternion has the sign of `like`. Both signs are the same rotation, but rapier takes a spin
/// from the difference of two quaternions, the long way round if their signs differ.
pub(crate) fn with_sign_of(pose: Pose, like: Quat) -> Pose {
    Pose { rotation: if pose.rotation.dot(like) < 0.0 { -pose.rotation } else { pose.rotation }, ..pose }
}

/// Interpolates between two poses: `from` at 0, `to` at 1, rotating the shorter way.
pub(crate) fn interpolated(from: &Pose, to: &Pose, progress: f32) -> Pose {
    extrapolated(from, from, to, progress, 1.0)
}

/// Interpolates between two poses, at constant pace beyond them. In a world of `scale`, the part beyond `to` is limited
/// by the motion since `before`, a frame earlier.
pub(crate) fn extrapolated(before: &Pose, from: &Pose, to: &Pose, progress: f32, scale: f32) -> Pose {
    if from == to || progress == 1.0 {
        return *to;
    }
    let way = to.translation - from.translation;
    let turn = turn_between(from.rotation, to.rotation);
    let (along, around) = match progress > 1.0 {
        true => {
            let last_way = from.translation - before.translation;
            let last_turn = turn_between(before.rotation, from.rotation);
            (
                1.0 + limited(progress - 1.0, way, last_way, MAX_EXTRAPOLATION * scale),
                1.0 + limited(progress - 1.0, turn, last_turn, MAX_EXTRAPOLATED_TURN),
            )
        }
        false => (progress, progress),
    };
    Pose::from_parts(
        from.translation + way * along,
        (Quat::from_scaled_axis(turn * around) * from.rotation).normalize(),
    )
}

/// Returns the share of `way` to move beyond its end: at most `limit` units, or as far as `last` moved in that
/// direction.
fn limited(share: f32, way: Vec3, last: Vec3, limit: f32) -> f32 {
    let length = way.length().max(1e-9);
    let known = last.dot(way) / length;
    (share * length).min(limit.max(known)) / length
}

/// Returns the pose at `progress` on the smooth path through `before`, `from` and `to`, which lie at -`last`, 0 and 1.
///
/// Between frames of equal length the path is a parabola. Its velocity does not jump from frame to frame, as that of
/// straight lines does.
pub(crate) fn smoothed(before: &Pose, from: &Pose, to: &Pose, last: f32, progress: f32, scale: f32) -> Pose {
    debug_assert!(last > 0.0, "the last frame took some time");
    let straight = extrapolated(before, from, to, progress, scale);
    if progress >= 1.0 || from == before {
        return straight;
    }
    // Weight of the difference between the velocities of the two frames at this point.
    let bend = progress * (progress - 1.0) / (1.0 + last);
    let change = |way: Vec3, last_way: Vec3| {
        let change = (way - last_way / last) * bend;
        // A jump has no smooth path.
        change.clamp_length_max(way.length() * 0.25)
    };
    let way = change(to.translation - from.translation, from.translation - before.translation);
    let turn = change(turn_between(from.rotation, to.rotation), turn_between(before.rotation, from.rotation));
    Pose::from_parts(straight.translation + way, (Quat::from_scaled_axis(turn) * straight.rotation).normalize())
}

/// Returns the rotation vector (axis times radians) from `from` to `to`, the shorter way.
pub(crate) fn turn_between(from: Quat, to: Quat) -> Vec3 {
    let turn = to * from.inverse();
    if turn.w < 0.0 { -turn } else { turn }.to_scaled_axis()
}
