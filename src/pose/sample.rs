//! Sampling of animations: from a model and a frame state to local matrices.

use std::ops::Range;

use super::{blend, retain_and_add};
use crate::math::Mat3x4;
use crate::model::{Animation, AnimationSource, Blend, FrameState, Model};

/// Model to pose, with the frame state to pose it in.
///
/// The model may be another than the one that is shown: [`SkeletalObject::build`](crate::SkeletalObject::build) reads
/// poses from a model that holds only animations.
///
/// ```
/// use skelobj::{math::Mat3x4, model::FrameState, pose::{self, PoseSource}};
/// # let mannequin = skelobj::Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None)?;
/// let source = PoseSource { model: &mannequin, frame: &FrameState::single(3, 1.2) };
/// let mut local = [Mat3x4::ZERO; 21];
/// assert_eq!(pose::sample(source, 0..21, &mut local), 21);
/// assert!(local[0].origin().z < 15.0); // the pelvis is near the floor at the end of "death"
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PoseSource<'a> {
    /// Model with the animations.
    pub model: &'a Model,
    /// Animations to play, with times and weights.
    pub frame: &'a FrameState,
}

/// Writes the local matrices of `bones` (0-based) into `out`, whose first element is bone `bones.start`.
///
/// Returns the number of bones written: the bones of the range that the model has, or as many as fit into `out`. Each
/// of the two bone groups reads its own poses (FTE gives the upper group the lower one's). A model without animations
/// gives its bind pose.
///
/// ```
/// use skelobj::{math::Mat3x4, model::FrameState, pose::{self, PoseSource}};
/// # let mannequin = skelobj::Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None)?;
/// let source = PoseSource { model: &mannequin, frame: &FrameState::single(2, 0.0) };
/// let mut arms = [Mat3x4::ZERO; 16];
/// assert_eq!(pose::sample(source, 13..99, &mut arms), 8); // bones 13 to 20
/// assert_eq!(arms[..8], mannequin.pose(&mannequin.animations[2], 0)[13..]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// Bone group of a model with the blends that pose it.
pub(super) struct Group<'a> {
    pub model: &'a Model,
    pub frame: &'a FrameState,
    /// Blends of the frame state that pose the group.
    pub blends: &'a [Blend],
}

impl<'a> Group<'a> {
    fn sample(&self, bones: Range<usize>, out: &mut [Mat3x4]) {
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

    /// Samples blends of which at least one is evaluated, a bounded number of bones at a time.
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

    /// Returns the blends with a positive weight.
    pub fn active(&self) -> impl Iterator<Item = &'a Blend> + use<'a> {
        self.blends.iter().filter(|b| b.weight > 0.0)
    }

    /// Returns the animation of a blend; animation 0 if the number is outside the model's range.
    pub fn animation(&self, blend: &Blend) -> Option<&'a Animation> {
        let number = usize::try_from(blend.animation).unwrap_or(0);
        self.model.animations.get(number).or(self.model.animations.first())
    }

    /// Returns the two poses of an animation that a blend shows, each with its weight.
    #[inline]
    pub fn baked_poses(&self, animation: &Animation, blend: &Blend) -> [(usize, f32); 2] {
        let (a, b, fraction) = animation.poses_around(blend.time, self.frame.rounds_positions());
        [(a, (1.0 - fraction) * blend.weight), (b, fraction * blend.weight)]
    }
}
