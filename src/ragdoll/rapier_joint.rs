//! Conversion of a doll's joints to rapier's.
//!
//! Each joint has a frame: X along the doll's axis, Y along axis2 made perpendicular, the origin at the pivot. Both
//! bodies carry a copy of it, taken in the reference pose, so angle 0 is the reference pose regardless of the current
//! pose. A doll measures body 1 against body 2, rapier body 2 against body 1: stops are negated and swapped.

use std::f32::consts::{PI, TAU};

use glam::{Mat3, Quat, Vec3};
use rapier3d::prelude::{GenericJoint, JointAxesMask, JointAxis, JointLimits, Pose};
use skelobj_model::internal::{atan2f, portable_range, tanf};

use super::cone::Cone;
use super::stops::{is_soft, stops};
use super::tuning::{ANGLE_OVERSHOOT, JOINT_SOFTNESS, SOFT_STOP_REACH};
use crate::doll::{Joint, JointKind};

/// Returns the joint's frame in the space of the reference pose.
pub(crate) fn frame(joint: &Joint, pivot: Vec3) -> Pose {
    let x = joint.axis.try_normalize().unwrap_or(Vec3::Y);
    let y = (joint.axis2 - x * x.dot(joint.axis2)).try_normalize();
    let y = y.filter(|y| y.is_finite()).unwrap_or_else(|| x.any_orthonormal_vector());
    Pose::from_parts(pivot, Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))).normalize())
}

/// Limits of a doll's joint in rapier, which follow from the doll and its scale.
#[derive(Clone, Debug)]
pub(super) struct JointDefinition {
    pub(super) limit_axes: JointAxesMask,
    pub(super) limits: [JointLimits<f32>; 6],
    pub(super) cone: Option<Cone>,
}

impl JointDefinition {
    pub(super) fn new(doll_joint: &Joint, scale: f32) -> Self {
        let GenericJoint { limit_axes, limits, .. } = build(doll_joint, scale, [Pose::IDENTITY; 2]);
        Self { limit_axes, limits, cone: Cone::of(doll_joint) }
    }
}

/// Returns the joint for rapier at a scale, with its frame given in the local spaces of both bodies.
pub(super) fn build(joint: &Joint, scale: f32, [frame1, frame2]: [Pose; 2]) -> GenericJoint {
    let mut built = GenericJoint::new(locked_axes(joint.kind));
    built.set_local_frame1(frame1).set_local_frame2(frame2).set_contacts_enabled(!joint.enabled);
    built.softness = JOINT_SOFTNESS;
    // The limits of a cone depend on its pose: they follow step by step.
    let constant = if joint.kind == JointKind::Cone { &[] } else { axes(joint.kind) };
    for (number, axis) in constant.iter().enumerate() {
        if let Some(limits) = limits(joint, number, scale) {
            let is_angle = joint.kind != JointKind::Slider;
            built.set_limits(*axis, if is_angle { portable_range(limits) } else { limits });
        }
    }
    built.set_enabled(joint.enabled);
    built
}

/// Returns rapier's limits of the joint's axis 0 or 1: the stops, or an angle beyond soft stops.
fn limits(joint: &Joint, number: usize, scale: f32) -> Option<[f32; 2]> {
    let [lo, hi] = stops(joint, number, scale)?;
    match (is_soft(joint, number), joint.kind) {
        (false, _) => Some([lo, hi]),
        (true, JointKind::Slider) => None,
        (true, _) => Some([lo - SOFT_STOP_REACH, hi + SOFT_STOP_REACH]),
    }
}

/// Returns rapier's names for the axes of the doll's joint, first axis first.
pub(super) fn axes(kind: JointKind) -> &'static [JointAxis] {
    match kind {
        JointKind::Fixed | JointKind::Point => &[],
        JointKind::Slider => &[JointAxis::LinX],
        JointKind::Hinge => &[JointAxis::AngX],
        JointKind::Universal | JointKind::Hinge2 | JointKind::Cone => &[JointAxis::AngX, JointAxis::AngY],
    }
}

/// Returns `true` if the joint holds its bodies together at a point.
pub(super) fn holds_point(kind: JointKind) -> bool {
    kind != JointKind::Slider
}

/// Returns the joint's position relative to the reference pose on an axis, with rapier's sign.
pub(super) fn position(axis: JointAxis, relative: &Pose) -> f32 {
    let q = relative.rotation;
    let angle = |imaginary: f32| {
        let angle = 2.0 * atan2f(imaginary, q.w);
        angle - TAU * (angle / TAU).round()
    };
    match axis {
        JointAxis::LinX => relative.translation.x,
        JointAxis::LinY => relative.translation.y,
        JointAxis::LinZ => relative.translation.z,
        JointAxis::AngX => angle(q.x),
        JointAxis::AngY => angle(q.y),
        JointAxis::AngZ => angle(q.z),
    }
}

/// Returns the angle that is the same rotation as `angle` and nearer to a range, radians: just beyond half a turn, an
/// angle is measured with the other sign.
pub(super) fn same_angle_near(angle: f32, lo: f32, hi: f32) -> f32 {
    let other = angle - TAU.copysign(angle);
    let outside = |angle: f32| (lo - angle).max(angle - hi);
    if other.abs() <= PI + ANGLE_OVERSHOOT && outside(other) < outside(angle) { other } else { angle }
}

/// Returns the pose of body 2's frame in body 1's nearest to `relative` that the joint allows at a scale.
pub(super) fn nearest_allowed(joint: &Joint, scale: f32, relative: &Pose) -> Pose {
    let clamped = |number: usize| {
        let at = axes(joint.kind).get(number).map_or(0.0, |axis| position(*axis, relative));
        stops(joint, number, scale).map_or(at, |[lo, hi]| at.clamp(lo, hi.max(lo)))
    };
    let turned = |rotation: Quat| Pose::from_parts(relative.translation, rotation);
    match joint.kind {
        JointKind::Fixed => turned(Quat::IDENTITY),
        JointKind::Point => *relative,
        JointKind::Hinge => turned(Quat::from_rotation_x(clamped(0))),
        JointKind::Slider => Pose::from_translation(Vec3::new(clamped(0), 0.0, 0.0)),
        JointKind::Cone => {
            turned(Cone::of(joint).map_or(relative.rotation, |cone| cone.nearest_allowed(relative.rotation)))
        }
        JointKind::Universal | JointKind::Hinge2 => {
            // Both angles are measured against the same w, and there is no twist. Short of half a turn, where the
            // tangent ends.
            let half_tangent = |number| tanf((clamped(number) / 2.0).clamp(-1.5, 1.5));
            turned(Quat::from_xyzw(half_tangent(0), half_tangent(1), 0.0, 1.0).normalize())
        }
    }
}

fn locked_axes(kind: JointKind) -> JointAxesMask {
    match kind {
        JointKind::Fixed => JointAxesMask::LOCKED_FIXED_AXES,
        JointKind::Point | JointKind::Cone => JointAxesMask::LIN_AXES,
        JointKind::Hinge => JointAxesMask::LOCKED_REVOLUTE_AXES,
        JointKind::Slider => JointAxesMask::LOCKED_PRISMATIC_AXES,
        JointKind::Universal | JointKind::Hinge2 => JointAxesMask::LIN_AXES | JointAxesMask::ANG_Z,
    }
}
