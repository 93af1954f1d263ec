//! Warning about bones that turn far between two frames.

use crate::limits::Limits;
use crate::math::Mat3x4;
use crate::model::{Animation, AnimationSource, Fixup, Model, ModelWarning};

/// Cosine of 60 degrees. Poses between frames are sums of matrices, as in both engines: half-way, a bone that turns by
/// 60 degrees is as long as 0.87 of itself, and by 90 degrees as 0.71.
const COSINE: f32 = 0.5;

/// Greatest number of visits of each bone of each frame; animations beyond that are not looked at.
const MAX_VISITS: usize = 4;

/// Turn of a bone between two frames.
struct Turn {
    bone: usize,
    /// Number of the first frame of the two, from the start of the animation.
    pose: usize,
    cosine: f32,
}

/// Adds a warning about the bone that turns most between two frames, if it turns by more than 60 degrees, with the
/// number of other animations of which this is true.
pub(super) fn warn(model: &mut Model, limits: &Limits) {
    // Animations may share frames: a small file can state many that are long.
    let mut left = MAX_VISITS.saturating_mul(model.frames.len());
    let mut found: Vec<(&Animation, Turn)> = Vec::new();
    for animation in &model.animations {
        let visits = animation.pose_count().saturating_mul(model.skeleton.len());
        if visits > left {
            continue;
        }
        left -= visits;
        found.extend(worst(model, animation).map(|turn| (animation, turn)));
    }
    let resample = found.iter().map(|(animation, turn)| turn.resample(animation.rate)).fold(0.0, f32::max);
    let Some((animation, turn)) = found.iter().min_by(|(_, a), (_, b)| a.cosine.total_cmp(&b.cosine)) else { return };
    let fixup = Fixup::FarTurn {
        animation: animation.name.clone(),
        bone: model.skeleton.name(turn.bone).cloned().unwrap_or_default(),
        pose: turn.pose,
        degrees: turn.degrees(),
        resample,
        others: found.len() - 1,
    };
    ModelWarning { section: "animations", offset: 0, fixup }.add_to(&mut model.warnings, limits.warnings);
}

impl Turn {
    fn degrees(&self) -> f32 {
        (crate::trig::acos(f64::from(self.cosine).clamp(-1.0, 1.0)) as f32).to_degrees()
    }

    /// Returns the frames per second with which the bone turns by at most 30 degrees between two frames, so that it
    /// keeps 0.97 of its size. Half a degree more does not matter.
    fn resample(&self, rate: f32) -> f32 {
        (rate.abs() * ((self.degrees() - 0.5) / 30.0).ceil()).ceil()
    }
}

fn worst(model: &Model, animation: &Animation) -> Option<Turn> {
    if !matches!(animation.source, AnimationSource::Frames { .. } | AnimationSource::List(_)) {
        return None;
    }
    let mut worst: Option<Turn> = None;
    for pose in 1..animation.pose_count() {
        let pair = [pose - 1, pose].map(|pose| model.pose(animation, pose));
        for (bone, (before, after)) in pair[0].iter().zip(pair[1]).enumerate() {
            let cosine = cosine(before, after);
            if cosine < worst.as_ref().map_or(COSINE, |worst| worst.cosine) {
                worst = Some(Turn { bone, pose: pose - 1, cosine });
            }
        }
    }
    worst
}

/// Returns the cosine of the angle between two rotations. Different scales do not count, nor do matrices
/// without a size.
fn cosine(a: &Mat3x4, b: &Mat3x4) -> f32 {
    let axes = |m: &Mat3x4| [m.forward(), m.left(), m.up()];
    let (a, b) = (axes(a), axes(b));
    let sum = |a: &[crate::math::Vec3; 3], b: &[crate::math::Vec3; 3]| a[0].dot(b[0]) + a[1].dot(b[1]) + a[2].dot(b[2]);
    let size = (sum(&a, &a) * sum(&b, &b)).sqrt();
    // For rotations, the sum is 1 + 2 cos, and the size is 3.
    let cosine = (3.0 * sum(&a, &b) / size - 1.0) / 2.0;
    if cosine.is_finite() { cosine.max(-1.0) } else { 1.0 }
}
