//! Poses of a sequence, computed on demand.

use std::ops::Range;
use std::sync::Arc;

use super::bone_pose::BonePose;
use super::rig::Rig;
use crate::math::{Mat3x4, Quat, Vec3};
use crate::model::{PoseEvaluator, PoseParameters};

/// Distance that a bone may have from its parent, Quake units: sums of all bones are finite.
const FARTHEST: f32 = 1e30;

/// Samples of a sequence, and the first sample of each channel of each blend and bone.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    /// First samples, blend-major: bone `i` of blend `b` of `n` bones is at index `b * n + i`. 0 for a constant
    /// channel, otherwise the index of the first sample plus 1.
    pub starts: Vec<[u32; 6]>,
    /// One sample per frame for each channel that moves.
    pub samples: Vec<i16>,
}

/// Evaluator of a sequence. Times between frames are exact (positions linear, rotations spherical); blends and bone
/// controllers are applied.
#[derive(Debug)]
pub(super) struct SequencePoses {
    pub rig: Arc<Rig>,
    pub tracks: Tracks,
    /// Number of frames; at least 1.
    pub frames: u32,
    pub blends: u32,
    pub rate: f32,
    pub looping: bool,
}

impl PoseEvaluator for SequencePoses {
    fn evaluate(&self, time: f64, parameters: &PoseParameters, bones: Range<usize>, out: &mut [Mat3x4]) {
        let moment = self.moment(time);
        let corners = corners(self.blends, parameters.blends);
        for (bone, out) in bones.zip(out) {
            let pose = self.blended(bone, &corners, moment, parameters);
            let whole = pose.matrix();
            let bind = || self.rig.bind.get(bone).copied().unwrap_or(Mat3x4::IDENTITY);
            *out = if whole.is_within(FARTHEST) { whole } else { bind() };
        }
    }

    fn is_pure(&self) -> bool {
        true
    }

    fn duration(&self) -> Option<f32> {
        Some((self.frames - 1) as f32 / self.rate)
    }
}

impl SequencePoses {
    /// Returns the frames around a time and the fraction between them. A looping sequence blends its last frame into
    /// its first over one more step, as in FTE, although both are usually equal.
    fn moment(&self, time: f64) -> (u32, u32, f32) {
        // A position that overflows may become any frame.
        let x = (time * f64::from(self.rate)).clamp(0.0, f64::MAX);
        let floor = x.floor();
        let (frames, last) = (f64::from(self.frames), f64::from(self.frames - 1));
        let frame = |x: f64| if self.looping { x.rem_euclid(frames) as u32 } else { x.min(last) as u32 };
        (frame(floor), frame(floor + 1.0), (x - floor) as f32)
    }

    /// Returns the weighted mean of the blends. Rotations are brought to one hemisphere, summed and normalised.
    fn blended(
        &self,
        bone: usize,
        corners: &[(usize, f32); 4],
        (a, b, fraction): (u32, u32, f32),
        parameters: &PoseParameters,
    ) -> BonePose {
        let pose = |blend: usize| {
            let first = BonePose::of(self.channels(blend, bone, a, parameters));
            if fraction == 0.0 || a == b {
                return first;
            }
            first.between(BonePose::of(self.channels(blend, bone, b, parameters)), fraction)
        };
        if let Some(&(only, _)) = corners.iter().find(|(_, weight)| *weight == 1.0) {
            return pose(only);
        }
        let mut sum = BonePose { position: Vec3::ZERO, rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0) };
        for &(blend, weight) in corners.iter().filter(|(_, weight)| *weight > 0.0) {
            let pose = pose(blend);
            let side = if sum.rotation.dot(pose.rotation) < 0.0 { -weight } else { weight };
            sum.position += pose.position * weight;
            sum.rotation += pose.rotation * side;
        }
        let length = sum.rotation.length();
        let rotation = if length > 0.0 { sum.rotation / length } else { Quat::IDENTITY };
        BonePose { rotation, ..sum }
    }

    fn channels(&self, blend: usize, bone: usize, frame: u32, parameters: &PoseParameters) -> [f32; 6] {
        let Some(described) = self.rig.bones.get(bone) else { return [0.0; 6] };
        let starts = self.tracks.starts.get(blend * self.rig.bones.len() + bone).copied().unwrap_or_default();
        std::array::from_fn(|c| {
            let sample = starts[c].checked_sub(1).and_then(|start| self.tracks.samples.get((start + frame) as usize));
            let moved = described.values[c] + sample.map_or(0.0, |&sample| f32::from(sample) * described.scales[c]);
            moved + self.adjustment(described.controllers[c], parameters)
        })
    }

    /// Returns the contribution of the controller of a bone channel.
    fn adjustment(&self, slot: i32, parameters: &PoseParameters) -> f32 {
        let controller = usize::try_from(slot).ok().and_then(|slot| self.rig.controllers.get(slot));
        let Some(controller) = controller else { return 0.0 };
        let input = usize::try_from(controller.input).ok().and_then(|input| parameters.controllers.get(input));
        controller.adjustment(input.copied().unwrap_or(0.0))
    }
}

/// Returns the blends around the parameters with weights that sum to 1; unused blends have weight 0.
fn corners(blends: u32, parameters: [f32; 2]) -> [(usize, f32); 4] {
    let width = match blends {
        4 => 2,
        9 => 3,
        row => row.max(1) as usize,
    };
    let height = blends.max(1) as usize / width;
    let ([left, right], x) = around(parameters[0], width);
    let ([top, bottom], y) = around(parameters[1], height);
    [
        (left + top * width, (1.0 - x) * (1.0 - y)),
        (right + top * width, x * (1.0 - y)),
        (left + bottom * width, (1.0 - x) * y),
        (right + bottom * width, x * y),
    ]
}

/// Returns the two of `count` positions around `position` (0 to 1), and the fraction between them.
fn around(position: f32, count: usize) -> ([usize; 2], f32) {
    let position = if position.is_finite() { position.clamp(0.0, 1.0) } else { 0.0 };
    let x = position * (count - 1) as f32;
    let low = x.floor() as usize;
    ([low, (low + 1).min(count - 1)], x - x.floor())
}
