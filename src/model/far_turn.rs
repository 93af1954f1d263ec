//! Bones that turn far between two poses of an animation.

use super::{Animation, AnimationSource, Model};
use crate::math::{Mat3x4, Vec3};

/// Cosine of 60 degrees. Poses between frames are sums of matrices, as in both engines: half-way, a bone that turns by
/// 60 degrees is as long as 0.87 of itself, and by 90 degrees as 0.71.
const COSINE: f32 = 0.5;

/// Turn of a bone between two poses.
pub(crate) struct FarTurn {
    pub bone: usize,
    /// Number of the first pose of the two, from the start of the animation.
    pub pose: usize,
    cosine: f32,
}

impl FarTurn {
    /// Returns the angle, degrees.
    pub fn degrees(&self) -> f32 {
        (crate::trig::acos(f64::from(self.cosine).clamp(-1.0, 1.0)) as f32).to_degrees()
    }
}

impl Model {
    /// Returns the greatest turn of a bone between two neighbouring frames of an animation, if it is above 60 degrees.
    ///
    /// The step from the last pose to the first counts if `across_loop` is set and the animation loops.
    pub(crate) fn far_turn(&self, animation: &Animation, across_loop: bool) -> Option<FarTurn> {
        if !matches!(animation.source, AnimationSource::Frames { .. } | AnimationSource::List(_)) {
            return None;
        }
        let count = animation.pose_count();
        let mut worst: Option<FarTurn> = None;
        let end = if across_loop && animation.looping { count } else { count - 1 };
        for pose in 0..end {
            let pair = [pose, (pose + 1) % count].map(|pose| self.pose(animation, pose));
            for (bone, (before, after)) in pair[0].iter().zip(pair[1]).enumerate() {
                let cosine = cosine(before, after);
                if cosine < worst.as_ref().map_or(COSINE, |worst| worst.cosine) {
                    worst = Some(FarTurn { bone, pose, cosine });
                }
            }
        }
        worst
    }
}

/// Returns the cosine of the angle between two rotations. Different scales do not count, nor do matrices
/// without a size.
fn cosine(a: &Mat3x4, b: &Mat3x4) -> f32 {
    let axes = |m: &Mat3x4| [m.forward(), m.left(), m.up()];
    let (a, b) = (axes(a), axes(b));
    let sum = |a: &[Vec3; 3], b: &[Vec3; 3]| a[0].dot(b[0]) + a[1].dot(b[1]) + a[2].dot(b[2]);
    let size = (sum(&a, &a) * sum(&b, &b)).sqrt();
    // For rotations, the sum is 1 + 2 cos, and the size is 3.
    let cosine = (3.0 * sum(&a, &b) / size - 1.0) / 2.0;
    if cosine.is_finite() { cosine.max(-1.0) } else { 1.0 }
}
