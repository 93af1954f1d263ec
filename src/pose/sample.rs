//! From a model and a frame state to local matrices.

use std::ops::Range;

use super::{blend, retain_and_add};
use crate::math::Mat3x4;
use crate::model::{Animation, AnimationSource, Blend, FrameState, Model};

/// A model to pose and the state to pose it in.
#[derive(Clone, Copy, Debug)]
pub struct PoseSource<'a> {
    /// The model with the animations.
    pub model: &'a Model,
    /// The animations to play, their times and weights.
    pub frame: &'a FrameState,
}

/// Writes the local matrices of bones `bones` (0-based) into `out`, whose first element is bone `bones.start`.
///
/// Returns how many were written: the source's bones in that range, or as many as fit. Each of the two bone groups
/// reads its own poses (FTE gives the upper group the lower one's). A model without animations gives its bind pose.
pub fn sample(source: PoseSource<'_>, bones: Range<usize>, out: &mut [Mat3x4]) -> usize {
    let end = bones.end.min(source.model.skeleton.len()).min(bones.start.saturating_add(out.len()));
    if end <= bones.start {
        return 0;
    }
    let split = source.frame.base_bones().clamp(bones.start, end);
    let (base, main) = out[..end - bones.start].split_at_mut(split - bones.start);
    let PoseSource { model, frame } = source;
    for (blends, bones, out) in
        [(frame.base().as_slice(), bones.start..split, base), (frame.blends(), split..end, main)]
    {
        if !out.is_empty() {
            Group { model, frame, blends }.sample(bones, out);
        }
    }
    end - bones.start
}

/// The blends of one bone group.
pub(super) struct Group<'a> {
    pub model: &'a Model,
    pub frame: &'a FrameState,
    /// The blends of the frame state that pose this group.
    pub blends: &'a [Blend],
}

impl<'a> Group<'a> {
    fn sample(&self, bones: Range<usize>, out: &mut [Mat3x4]) {
        // Two poses for each of four blends.
        let mut poses: [(&[Mat3x4], f32); 8] = [(&[], 0.0); 8];
        let mut count = 0;
        for active in self.active() {
            let Some(animation) = self.animation(active) else {
                out.copy_from_slice(&self.model.skeleton.bind_local()[bones]);
                return;
            };
            if matches!(animation.source, AnimationSource::Evaluated { .. }) {
                return self.sample_evaluated(bones, out);
            }
            for (pose, weight) in self.baked_poses(animation, active) {
                if weight > 0.0 && count < poses.len() {
                    poses[count] = (&self.model.pose(animation, pose)[bones.clone()], weight);
                    count += 1;
                }
            }
        }
        blend(out, &poses[..count]);
    }

    /// Samples blends of which at least one is computed, a bounded piece of the bones at a time.
    fn sample_evaluated(&self, bones: Range<usize>, out: &mut [Mat3x4]) {
        let mut scratch = [Mat3x4::ZERO; 32];
        let pieces = bones.step_by(scratch.len()).zip(out.chunks_mut(scratch.len()));
        for (start, out) in pieces {
            let bones = start..start + out.len();
            out.fill(Mat3x4::ZERO);
            for active in self.active() {
                let Some(animation) = self.animation(active) else { continue };
                if let AnimationSource::Evaluated { poses, .. } = &animation.source {
                    let time = if active.time.is_finite() { active.time } else { 0.0 };
                    let scratch = &mut scratch[..out.len()];
                    poses.evaluate(time, self.frame.parameters(), bones.clone(), scratch);
                    retain_and_add(out, 1.0, scratch, active.weight);
                    continue;
                }
                for (pose, weight) in self.baked_poses(animation, active) {
                    if weight > 0.0 {
                        retain_and_add(out, 1.0, &self.model.pose(animation, pose)[bones.clone()], weight);
                    }
                }
            }
        }
    }

    pub fn active(&self) -> impl Iterator<Item = &'a Blend> + use<'a> {
        self.blends.iter().filter(|b| b.weight > 0.0)
    }

    /// Finds the animation of a blend: the first where the number is outside the model's range.
    pub fn animation(&self, blend: &Blend) -> Option<&'a Animation> {
        let number = usize::try_from(blend.animation).unwrap_or(0);
        self.model.animations.get(number).or(self.model.animations.first())
    }

    /// The two poses that a blend shows of an animation, each with its weight.
    #[inline]
    pub fn baked_poses(&self, animation: &Animation, blend: &Blend) -> [(usize, f32); 2] {
        let (a, b, fraction) = animation.poses_around(blend.time, self.frame.rounds_positions());
        [(a, (1.0 - fraction) * blend.weight), (b, fraction * blend.weight)]
    }
}
