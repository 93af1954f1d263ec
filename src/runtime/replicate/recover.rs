//! Recovery of rotations from positions and from the bind pose.

use glam::{Mat3, Quat, Vec3};
use skelobj_model::internal;

use crate::math::Mat3x4;
use crate::model::Skeleton;

/// Direction of a bone's child.
pub(super) struct Sight {
    /// Direction of the child in the bind pose, in the bone's axes; a unit vector.
    pub bind: Vec3,
    length: f32,
    /// Direction of the child now, model space; a unit vector.
    pub now: Vec3,
}

impl Sight {
    /// Turns a rotation of the bone the shortest way, so that the child is seen.
    pub fn align(&self, rotation: Quat) -> Quat {
        let turn = Quat::from_rotation_arc((rotation * self.bind).normalize_or(self.now), self.now);
        (turn * rotation).normalize()
    }
}

/// Directions of the children of all bones.
pub(super) struct Sights(Vec<Vec<Sight>>);

impl Sights {
    fn new(positions: &[Vec3], factor: f32, skeleton: &Skeleton) -> Self {
        debug_assert_eq!(positions.len(), skeleton.len(), "every bone has a place");
        let mut sights: Vec<Vec<Sight>> = Vec::new();
        sights.resize_with(skeleton.len(), Vec::new);
        for (bone, bind) in skeleton.bind_local().iter().enumerate() {
            let Some(parent) = skeleton.parent(bone) else { continue };
            let way = |bone: usize| positions.get(bone).copied().unwrap_or_default();
            let bind = in_rigid(bone, skeleton).unwrap_or(*bind).origin() / factor;
            let now = way(bone) / factor - way(parent) / factor;
            let length = bind.length();
            if length > CLOSE && length.is_finite() && now.length() > CLOSE {
                sights[parent].push(Sight { bind: bind / length, now: now.normalize_or_zero(), length });
            }
        }
        Self(sights)
    }

    /// Returns the child of a bone at the greatest distance in the bind pose.
    pub fn farthest(&self, bone: usize) -> Option<&Sight> {
        debug_assert!(bone < self.0.len(), "the bone exists");
        farthest(self.0.get(bone)?)
    }
}

/// Distance below which a child determines no direction, Quake units: a position may be off by 1/128. In messages of a
/// larger range it grows as the steps do.
const CLOSE: f32 = 0.05;
/// Least sine of the angle between two children that determine the bone's twist.
const APART: f32 = 0.1;

/// Returns the rotations of all bones in model space.
///
/// If a bone has children in one direction only, `bend` may return its rotation from a joint. Its arguments are the
/// bone, the directions of all children and the rotations of the bones before it. The rotation that it returns is then
/// turned the shortest way to the direction of the child. `factor` is that of the range of the positions.
pub(super) fn rotations(
    positions: &[Vec3],
    factor: f32,
    skeleton: &Skeleton,
    bend: impl Fn(usize, &Sights, &[Quat]) -> Option<Quat>,
) -> Vec<Quat> {
    let sights = Sights::new(positions, factor, skeleton);
    let mut rotations: Vec<Quat> = Vec::with_capacity(skeleton.len());
    for (bone, bind) in skeleton.bind_local().iter().enumerate() {
        debug_assert!(
            skeleton.parent(bone).is_none_or(|parent| parent < rotations.len()),
            "parents stand before children"
        );
        let own = in_rigid(bone, skeleton).unwrap_or(*bind).rotation();
        let unbent = skeleton.parent(bone).and_then(|parent| rotations.get(parent)).map_or(own, |parent| *parent * own);
        rotations.push(from_two(&sights.0[bone], unbent).unwrap_or_else(|| {
            let Some(sight) = sights.farthest(bone) else { return unbent };
            sight.align(bend(bone, &sights, &rotations).unwrap_or(unbent))
        }));
    }
    rotations
}

/// Returns a bone of the bind pose in the axes of its parent without their scale, if the parent is scaled.
fn in_rigid(bone: usize, skeleton: &Skeleton) -> Option<Mat3x4> {
    let bind = skeleton.bind_model();
    let parent = &bind[skeleton.parent(bone)?];
    let to_parent = internal::is_scaled(parent).then(|| internal::unscaled(parent, true).inverse()).flatten()?;
    Some(to_parent * bind[bone])
}

/// Returns the child at the greatest distance in the bind pose.
fn farthest(sights: &[Sight]) -> Option<&Sight> {
    sights.iter().max_by(|a, b| a.length.total_cmp(&b.length))
}

/// Returns the rotation that fits two or more children in different directions best; `None` if there is only one
/// direction.
fn from_two(sights: &[Sight], unbent: Quat) -> Option<Quat> {
    let first = farthest(sights)?;
    let aside = |sight: &&Sight| sight.length * first.bind.cross(sight.bind).length();
    let second = sights.iter().max_by(|a, b| aside(a).total_cmp(&aside(b)))?;
    let sine = |a: Vec3, b: Vec3| a.cross(b).length();
    if sine(first.bind, second.bind) < APART || sine(first.now, second.now) < APART {
        return None;
    }
    let axes = |a: Vec3, b: Vec3| {
        let normal = a.cross(b).normalize_or_zero();
        Mat3::from_cols(a, normal, a.cross(normal))
    };
    let turn = axes(first.now, second.now) * axes(first.bind, second.bind).transpose();
    let start = Quat::from_mat3(&turn).normalize();
    Some(if start.is_finite() { best(sights, start) } else { unbent })
}

/// Maximum number of steps from a rotation near the best one to the best one; each reduces the error by orders of
/// magnitude.
const STEPS: usize = 8;

/// Returns the rotation near `start` that fits all children best, distant ones weighted more (Müller, Bender, Chentanez
/// and Macklin, A Robust Method to Extract the Rotational Part of Deformations).
fn best(sights: &[Sight], start: Quat) -> Quat {
    let mut rotation = start;
    for _step in 0..STEPS {
        let (mut turn, mut along) = (Vec3::ZERO, 0.0);
        for sight in sights {
            let turned = rotation * sight.bind;
            turn += turned.cross(sight.now) * sight.length;
            along += turned.dot(sight.now) * sight.length;
        }
        let turn = turn / (along.abs() + 1e-9);
        if !(turn.length_squared() > 1e-12 && turn.is_finite()) {
            break;
        }
        rotation = (Quat::from_scaled_axis(turn) * rotation).normalize();
    }
    rotation
}
