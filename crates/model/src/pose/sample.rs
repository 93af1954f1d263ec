//! Sampling of animations: from a model and a frame state to local matrices.

use std::ops::Range;

use super::blend::{mix, mix_exactly, retain_and_add};
use super::octet::{self, Layer, MAX_LAYERS};
use super::split_frames::SplitFrames;
use crate::math::Mat3x4;
use crate::model::{Animation, AnimationSource, Blend, FrameState, Model, PoseParameters};

/// Model to pose, with the frame state to pose it in.
///
/// The model may be another than the one that is shown: [`SkeletalObject::build`](crate::SkeletalObject::build) reads
/// poses from a model that holds only animations.
///
/// ```
/// use skelobj::{math::Mat3x4, model::FrameState, pose::{self, PoseSource}};
///
/// let mannequin = skelobj::assets::mannequin();
/// let source = PoseSource { model: &mannequin, frame: &FrameState::single(3, 1.2) };
/// let mut local = [Mat3x4::ZERO; 21];
/// assert_eq!(pose::sample(source, 0..21, &mut local), 21);
/// assert!(local[0].origin().z < 15.0); // the pelvis is near the floor at the end of "death"
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
///
/// let mannequin = skelobj::assets::mannequin();
/// let source = PoseSource { model: &mannequin, frame: &FrameState::single(2, 0.0) };
/// let mut arms = [Mat3x4::ZERO; 16];
/// assert_eq!(pose::sample(source, 13..99, &mut arms), 8); // bones 13 to 20
/// assert_eq!(arms[..8], mannequin.pose(&mannequin.animations[2], 0)[13..]);
/// ```
pub fn sample(source: PoseSource<'_>, bones: Range<usize>, out: &mut [Mat3x4]) -> usize {
    sample_over(source, bones, 0.0, 1.0, out)
}

/// Computes `out = out * retain + new * add` in one pass, where `new` is what [`sample`] writes.
///
/// Factors as for [`retain_and_add`]. Returns the number of bones written; all others are unchanged.
///
/// ```
/// use skelobj::{math::Mat3x4, model::FrameState, pose::{self, PoseSource}};
///
/// let mannequin = skelobj::assets::mannequin();
/// let [walk, run] = [1, 2].map(|animation| FrameState::single(animation, 0.2));
/// let mut local = [Mat3x4::ZERO; 21];
/// pose::sample(PoseSource { model: &mannequin, frame: &walk }, 0..21, &mut local);
/// let walking = local[0].origin().z;
/// pose::raw::sample_over(PoseSource { model: &mannequin, frame: &run }, 0..9, 0.75, 0.25, &mut local[..9]);
/// assert!((local[0].origin().z - walking).abs() < 1.0);
/// ```
pub fn sample_over(source: PoseSource<'_>, bones: Range<usize>, retain: f32, add: f32, out: &mut [Mat3x4]) -> usize {
    sample_into(source, bones, retain, add, out).bones
}

/// Number of bones whose evaluated poses are mixed at a time: no allocation, and they stay in the nearest cache.
const PIECE: usize = 32;

/// Outcome of sampling.
pub(crate) struct Sampled {
    /// Number of bones written.
    pub bones: usize,
    /// `true` if what was sampled depends on the arguments alone.
    pub is_pure: bool,
}

/// Samples as [`sample_over`] does.
pub(crate) fn sample_into(
    source: PoseSource<'_>,
    bones: Range<usize>,
    retain: f32,
    add: f32,
    out: &mut [Mat3x4],
) -> Sampled {
    let bones = source.within(bones, out.len());
    if bones.is_empty() {
        return Sampled { bones: 0, is_pure: true };
    }
    let (count, out) = (bones.len(), &mut out[..bones.len()]);
    let is_pure = match source.frame.base_bones() {
        split if split <= bones.start => source.main().sample_over(bones, retain, add, out),
        _ => each_group(source, bones, out, |group, bones, out| group.sample_over(bones, retain, add, out)),
    };
    Sampled { bones: count, is_pure }
}

/// Samples as [`sample_into`] does, except that bones keep their rotations, as by [`octet::mix`]. `frames` are those of
/// the model, if they are kept.
pub(crate) fn sample_rotations(
    source: PoseSource<'_>,
    frames: Option<&SplitFrames>,
    bones: Range<usize>,
    retain: f32,
    add: f32,
    out: &mut [Mat3x4],
) -> Sampled {
    let bones = source.within(bones, out.len());
    let (count, out) = (bones.len(), &mut out[..bones.len()]);
    let rotations =
        |group: Group<'_>, bones, out: &mut [Mat3x4]| group.sample_rotations(frames, bones, retain, add, out);
    Sampled { bones: count, is_pure: each_group(source, bones, out, rotations) }
}

/// Samples bones group by group, and returns `true` if `sample` does for each.
#[inline(never)]
fn each_group(
    source: PoseSource<'_>,
    bones: Range<usize>,
    out: &mut [Mat3x4],
    sample: impl Fn(Group<'_>, Range<usize>, &mut [Mat3x4]) -> bool,
) -> bool {
    debug_assert_eq!(bones.len(), out.len(), "every bone has a matrix");
    let split = source.frame.base_bones().clamp(bones.start, bones.end);
    let (base, main) = out.split_at_mut(split - bones.start);
    let mut is_pure = true;
    for (group, bones, out) in [(source.base(), bones.start..split, base), (source.main(), split..bones.end, main)] {
        is_pure &= out.is_empty() || sample(group, bones, out);
    }
    is_pure
}

impl<'a> PoseSource<'a> {
    /// Returns the bones of a range that the model has, at most `room`.
    #[inline(always)]
    fn within(&self, bones: Range<usize>, room: usize) -> Range<usize> {
        let end = bones.end.min(self.model.skeleton.len()).min(bones.start.saturating_add(room));
        bones.start..end.max(bones.start)
    }

    /// Returns the group of bones that poses a range; `None` if the range is empty or has bones of both groups.
    #[inline]
    pub(super) fn group(&self, bones: Range<usize>) -> Option<Group<'a>> {
        let base = self.frame.base_bones();
        if bones.is_empty() || (bones.start < base && base < bones.end) {
            return None;
        }
        Some(if bones.start < base { self.base() } else { self.main() })
    }

    #[inline]
    pub(super) fn main(&self) -> Group<'a> {
        Group { model: self.model, frame: self.frame, blends: self.frame.leading_blends(), is_base: false }
    }

    #[inline]
    fn base(&self) -> Group<'a> {
        Group { model: self.model, frame: self.frame, blends: self.frame.base(), is_base: true }
    }
}

/// Bone group of a model with the blends that pose it.
pub(super) struct Group<'a> {
    model: &'a Model,
    frame: &'a FrameState,
    /// Blends of the frame state that pose the group.
    blends: &'a [Blend],
    is_base: bool,
}

/// Source of the poses of a group.
pub(super) enum Poses<'a> {
    /// Weighted poses of the model, so many.
    Baked(usize),
    /// Animations of which at least one is evaluated.
    Evaluated,
    /// Bind pose, as the model has no animations.
    Bind(&'a [Mat3x4]),
}

/// Room for the poses of a group with their weights.
pub(super) type Room<'a, const N: usize> = [(&'a [Mat3x4], f32); N];

impl<'a> Group<'a> {
    /// Samples, and returns `true` if what was sampled depends on the arguments alone.
    #[inline(always)]
    fn sample_over(&self, bones: Range<usize>, retain: f32, add: f32, out: &mut [Mat3x4]) -> bool {
        // Most entities play one or two animations, each between two of its frames.
        match self.blends {
            [blend] => {
                if let Some(poses) = self.frames_around(blend, bones.start, out.len()) {
                    mix_exactly(out, retain, poses, add);
                    return true;
                }
            }
            [first, second] => {
                let both = [first, second].map(|blend| self.frames_around(blend, bones.start, out.len()));
                if let [Some([a, b]), Some([c, d])] = both {
                    mix_exactly(out, retain, [a, b, c, d], add);
                    return true;
                }
            }
            _ => {}
        }
        self.sample_any_over(bones, retain, add, out)
    }

    /// Returns the two successive frames that a blend shows, from bone `start` on, if no pose wraps and both have a
    /// positive weight.
    #[inline(always)]
    fn frames_around(&self, blend: &Blend, start: usize, bones: usize) -> Option<Room<'a, 2>> {
        let animation = self.animation(blend)?;
        let AnimationSource::Frames { first, .. } = animation.source else { return None };
        let (pose, fraction) = animation.pose_before((blend.time * f64::from(animation.rate)) as f32)?;
        let weights = [(1.0 - fraction) * blend.weight, fraction * blend.weight];
        if !(weights[0] > 0.0 && weights[1] > 0.0) || self.frame.shows_whole_poses() {
            return None;
        }
        let all = self.model.skeleton.len();
        let start = (first as usize + pose).checked_mul(all)?.checked_add(start)?;
        let a = self.model.frames.get(start..)?;
        let b = a.get(all..)?;
        Some([(a.get(..bones)?, weights[0]), (b.get(..bones)?, weights[1])])
    }

    #[inline(never)]
    fn sample_any_over(&self, bones: Range<usize>, retain: f32, add: f32, out: &mut [Mat3x4]) -> bool {
        let mut room = [(&[][..], 0.0); 8];
        match self.poses(bones.clone(), &mut room) {
            Poses::Baked(count) => mix(out, retain, &room[..count], add),
            Poses::Bind(bind) => retain_and_add(out, retain, bind, add),
            Poses::Evaluated => return self.sample_evaluated_over(bones, retain, add, out),
        }
        true
    }

    #[inline(never)]
    fn sample_evaluated_over(&self, bones: Range<usize>, retain: f32, add: f32, out: &mut [Mat3x4]) -> bool {
        if retain == 0.0 && add == 1.0 {
            self.sample_evaluated(bones, out);
        } else {
            // A bounded piece at a time: no allocation, and the piece stays in the nearest cache.
            let mut scratch = [Mat3x4::ZERO; 32];
            for (start, out) in bones.step_by(scratch.len()).zip(out.chunks_mut(scratch.len())) {
                let scratch = &mut scratch[..out.len()];
                self.sample_evaluated(start..start + out.len(), scratch);
                retain_and_add(out, retain, scratch, add);
            }
        }
        self.is_pure()
    }

    /// Samples, and returns `true` if what was sampled depends on the arguments alone.
    fn sample_rotations(
        &self,
        frames: Option<&SplitFrames>,
        bones: Range<usize>,
        retain: f32,
        add: f32,
        out: &mut [Mat3x4],
    ) -> bool {
        let is_evaluated = |blend| {
            let source = self.animation(blend).map(|animation| &animation.source);
            matches!(source, Some(AnimationSource::Evaluated { .. }))
        };
        if !self.active().any(is_evaluated) {
            self.mix_rotations(&mut [], frames, bones, retain, add, out);
            return true;
        }
        let mut scratch = [[Mat3x4::ZERO; PIECE]; MAX_LAYERS / 2];
        for (start, out) in bones.step_by(PIECE).zip(out.chunks_mut(PIECE)) {
            self.mix_rotations(&mut scratch, frames, start..start + out.len(), retain, add, out);
        }
        self.is_pure()
    }

    /// Mixes the poses of the group. Evaluated ones are written into `scratch`.
    fn mix_rotations(
        &self,
        scratch: &mut [[Mat3x4; PIECE]],
        frames: Option<&SplitFrames>,
        bones: Range<usize>,
        retain: f32,
        add: f32,
        out: &mut [Mat3x4],
    ) {
        let (mut layers, mut count) = ([Layer::NONE; MAX_LAYERS], 0);
        let mut put = |layer| {
            if let Some(place) = layers.get_mut(count) {
                *place = layer;
                count += 1;
            }
        };
        let mut scratch = scratch.iter_mut();
        for active in self.active() {
            let Some(animation) = self.animation(active) else {
                put(Layer { pose: &self.model.skeleton.bind_local()[bones.clone()], octets: &[], weight: 1.0 });
                break;
            };
            if let AnimationSource::Evaluated { poses, .. } = &animation.source {
                let Some(pose) = scratch.next().and_then(|pose| pose.get_mut(..bones.len())) else { continue };
                let time = if active.time.is_finite() { active.time } else { 0.0 };
                poses.evaluate(time, &self.parameters(), bones.clone(), pose);
                put(Layer { pose, octets: &[], weight: active.weight });
                continue;
            }
            for (pose, weight) in self.baked_poses(animation, active) {
                if weight > 0.0 {
                    let kept = frames.and_then(|frames| frames.frame(self.model, animation.frame_of(pose)?));
                    put(Layer {
                        pose: &self.model.pose(animation, pose)[bones.clone()],
                        octets: kept.unwrap_or_default(),
                        weight,
                    });
                }
            }
        }
        octet::mix(out, bones.start, retain, &layers[..count], add);
    }

    /// Returns `true` if what is sampled depends on the arguments alone.
    fn is_pure(&self) -> bool {
        self.active().all(|blend| match self.animation(blend).map(|animation| &animation.source) {
            Some(AnimationSource::Evaluated { poses, .. }) => poses.is_pure(),
            _ => true,
        })
    }

    /// Writes the poses of a range of bones, which must be bones of the model, with their weights.
    #[inline(always)]
    pub fn poses(&self, bones: Range<usize>, room: &mut Room<'a, 8>) -> Poses<'a> {
        debug_assert!(bones.end <= self.model.skeleton.len(), "the bones are those of the model");
        let mut count = 0;
        for active in self.active() {
            if let Some(two) = self.frames_around(active, bones.start, bones.len())
                && let Some(room) = room.get_mut(count..count + 2)
            {
                room.copy_from_slice(&two);
                count += 2;
                continue;
            }
            let Some(animation) = self.animation(active) else {
                return Poses::Bind(&self.model.skeleton.bind_local()[bones]);
            };
            if matches!(animation.source, AnimationSource::Evaluated { .. }) {
                return Poses::Evaluated;
            }
            for (pose, weight) in self.baked_poses(animation, active) {
                if weight > 0.0 && count < room.len() {
                    room[count] = (&self.model.pose(animation, pose)[bones.clone()], weight);
                    count += 1;
                }
            }
        }
        Poses::Baked(count)
    }

    /// Returns the pose parameters of the group.
    fn parameters(&self) -> PoseParameters {
        if self.is_base { self.frame.base_parameters() } else { *self.frame.parameters() }
    }

    /// Samples blends of which at least one is evaluated, a bounded number of bones at a time.
    fn sample_evaluated(&self, bones: Range<usize>, out: &mut [Mat3x4]) {
        debug_assert!(!self.model.animations.is_empty(), "only animations are evaluated");
        debug_assert_eq!(bones.len(), out.len(), "every bone has a matrix");
        let (mut scratch, parameters) = ([Mat3x4::ZERO; 32], self.parameters());
        let pieces = bones.step_by(scratch.len()).zip(out.chunks_mut(scratch.len()));
        for (start, out) in pieces {
            let bones = start..start + out.len();
            out.fill(Mat3x4::ZERO);
            for active in self.active() {
                let Some(animation) = self.animation(active) else { continue };
                if let AnimationSource::Evaluated { poses, .. } = &animation.source {
                    let time = if active.time.is_finite() { active.time } else { 0.0 };
                    let scratch = &mut scratch[..out.len()];
                    poses.evaluate(time, &parameters, bones.clone(), scratch);
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
        let fraction = if self.frame.shows_whole_poses() { 0.0 } else { fraction };
        [(a, (1.0 - fraction) * blend.weight), (b, fraction * blend.weight)]
    }
}
