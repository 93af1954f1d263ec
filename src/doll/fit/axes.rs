//! Axes of joints, and what anatomy and motion say about their stops.

use super::anatomy::{Part, Side};
use super::motion::Turn;
use super::ranges::Range;
use super::shapes::strongest;
use super::swing::{off_x, whole};
use crate::math::{Mat3x4, Quat, Vec3};

/// Directions of an upright figure, model space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stance {
    pub(super) forward: Vec3,
    pub(super) left: Vec3,
    pub(super) up: Vec3,
}

/// Joint of a figure that names or motion explain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// Rotation from the joint's axes to model space.
    pub(super) frame: Quat,
    pub(super) is_hinge: bool,
    /// `true` if the joint need not twist.
    pub(super) is_straight: bool,
    /// Least ranges about both axes and of the twist.
    pub(super) ranges: [Range; 3],
}

/// Returns the rotation with these X and Z axes; X is made perpendicular to Z.
pub(super) fn frame(x: Vec3, z: Vec3) -> Option<Quat> {
    let z = z.try_normalize()?;
    let x = (x - z * z.dot(x)).try_normalize()?;
    Some(Mat3x4::from_columns(x, z.cross(x), z, Vec3::ZERO).rotation())
}

/// Returns the joint of a part of an upright figure. `above` and `along` are the directions of the parent's and of the
/// child's limb. A right limb is described as the mirror image of a left one, by the caller.
pub(super) fn anatomical(part: Part, stance: &Stance, above: Vec3, along: Vec3) -> Option<Rule> {
    let Stance { forward, left, up } = *stance;
    let is_straight = matches!(part, Part::Spine | Part::Pelvis | Part::Hand);
    let cone =
        |x: Vec3, z: Vec3, ranges: [Range; 3]| Some(Rule { frame: frame(x, z)?, is_hinge: false, is_straight, ranges });
    let bend = |axis: Vec3| {
        let axis = axis.try_normalize()?;
        // Parent and child may already be bent in the reference pose.
        let (flat, other) = (above - axis * axis.dot(above), along - axis * axis.dot(along));
        let bent = signed_angle(flat, other, -axis);
        let range = Range::new(-0.1, 2.4).shifted(-bent);
        let side = Range::even(0.1);
        Some(Rule {
            frame: frame(above, axis).map(x_for_z)?,
            is_hinge: true,
            is_straight: false,
            ranges: [range, side, Range::even(0.2)],
        })
    };
    match part {
        Part::Spine | Part::Pelvis => cone(-left, up, [Range::new(-0.35, 0.7), Range::even(0.4), Range::even(0.4)]),
        Part::Head | Part::Neck => cone(-left, up, [Range::new(-0.8, 0.8), Range::even(0.6), Range::even(1.2)]),
        Part::Thigh => cone(left, -along, [Range::new(-0.6, 2.1), Range::new(-0.5, 0.9), Range::new(-1.1, 0.9)]),
        Part::UpperArm => {
            let side = along - forward * forward.dot(along);
            // Angle of the arm from hanging straight down, sideways.
            let raised = signed_angle(-up, side, forward).clamp(-0.5, 2.6);
            let raise = Range::new(-0.12, 2.58).shifted(-raised);
            cone(forward.cross(along), -along, [Range::new(-1.1, 2.0), raise, Range::even(1.4)])
        }
        Part::Shin => bend((-forward).cross(above)),
        Part::Forearm => bend(forward.cross(above)),
        Part::Foot => Some(Rule {
            frame: frame(up, left).map(x_for_z)?,
            is_hinge: true,
            is_straight: false,
            ranges: [Range::new(-0.9, 0.7), Range::even(0.1), Range::even(0.1)],
        }),
        Part::Hand => cone(forward, -along, [Range::even(0.9), Range::even(0.6), Range::even(0.4)]),
        _ => None,
    }
}

/// Returns the frame whose X axis is the Z axis of another, and whose Z axis is its X.
fn x_for_z(q: Quat) -> Quat {
    let (x, z) = (q * Vec3::Z, q * Vec3::X);
    frame(x, z).unwrap_or(q)
}

/// Returns the angle from one direction to another about an axis, radians.
fn signed_angle(from: Vec3, to: Vec3, axis: Vec3) -> f32 {
    let (sine, cosine) = (axis.dot(from.cross(to)), from.dot(to));
    skelobj_model::internal::atan2(f64::from(sine), f64::from(cosine)) as f32
}

/// Rotation off its axis that a hinge forgives, radians.
pub(super) const STRAY: f32 = 0.1;
/// Rotation off its axis that a knee, an elbow or a spine forgives, radians: limbs are easily thrown past the stops of
/// a narrow cone.
pub(super) const STRAY_LIMB: f32 = 0.4;
/// Rotation from which motion shows an axis, radians.
const CLEAR: f32 = 0.35;

/// Returns the axis about which a joint turns most, if it turns about this one only and far enough.
pub(super) fn hinge_axis(turns: &[Turn]) -> Option<Vec3> {
    let farthest = turns.iter().map(|turn| whole(turn.rotation)).fold(0.0, f32::max);
    if farthest < CLEAR {
        return None;
    }
    let axis = main_axis(turns)?;
    let frame = frame(axis.any_orthonormal_vector(), axis).map(x_for_z)?;
    let off = turns.iter().map(|turn| off_x(frame.inverse() * turn.rotation * frame)).fold(0.0, f32::max);
    (off <= STRAY).then_some(axis)
}

/// Returns the direction about which the rotations turn most.
pub(super) fn main_axis(turns: &[Turn]) -> Option<Vec3> {
    let mut columns = [Vec3::ZERO; 3];
    for turn in turns {
        let q = turn.rotation;
        let v = Vec3::new(q.x, q.y, q.z);
        for (axis, column) in columns.iter_mut().enumerate() {
            *column += v * v[axis];
        }
    }
    let spread = columns[0].x + columns[1].y + columns[2].z;
    (spread > 1e-6).then(|| strongest(columns, Vec3::new(0.577, 0.59, 0.565)).normalize_or(Vec3::Y))
}

/// Returns the rotation of a mirrored frame, or back: half a turn about the direction to the left.
pub(super) fn turned(q: Quat, left: Vec3) -> Quat {
    (super::shapes::half_turn(left) * q).normalize()
}

/// Returns `true` for the right side.
pub(super) fn is_right(side: Option<Side>) -> bool {
    side == Some(Side::Right)
}
