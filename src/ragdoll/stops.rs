//! Stops of a doll's joints, with rapier's sign.

use super::tuning::{MAX_ANGLE_RANGE, SOFT_STOP_CFM};
use crate::doll::{Joint, JointKind};

/// Returns the stops of the joint's axis 0 or 1 with rapier's sign, at a scale.
pub(super) fn stops(joint: &Joint, number: usize, scale: f32) -> Option<[f32; 2]> {
    let (lo, hi) = joint.range(number)?;
    match joint.kind {
        JointKind::Slider => Some([-hi * scale, -lo * scale].map(|stop| stop.clamp(-f32::MAX, f32::MAX))),
        _ => Some(turn_stops(lo, hi)),
    }
}

/// Returns the stops of a cone's twist with rapier's sign.
pub(super) fn twist_stops(joint: &Joint) -> Option<[f32; 2]> {
    joint.twist_range().map(|(lo, hi)| turn_stops(lo, hi))
}

/// Returns the stops of an angle with rapier's sign. Of two stops the upper one is kept where both do not fit into a
/// turn.
fn turn_stops(lo: f32, hi: f32) -> [f32; 2] {
    if hi <= std::f32::consts::PI { [-hi, -lo.max(hi - MAX_ANGLE_RANGE)] } else { [-hi.min(lo + MAX_ANGLE_RANGE), -lo] }
}

/// Returns `true` if the stops of an axis are soft. Those of cones are always hard.
pub(super) fn is_soft(doll_joint: &Joint, axis: usize) -> bool {
    doll_joint.kind != JointKind::Cone && doll_joint.cfm[axis] > SOFT_STOP_CFM && doll_joint.cfm[axis].is_finite()
}
