//! Joints, poses and frames: matrices decomposed and quantised.

use glam::DQuat;

use super::{FramePlan, Header, Table, Writer};
use crate::math::Mat3x4;
use crate::math::convert::decompose;
use crate::math::hierarchy::to_local_space;
use crate::model::{Bone, Name, Skeleton};

/// Number of channels: three of translation, four of rotation, three of scale.
const CHANNELS: usize = 10;

/// Variation up to which a rotation channel is constant: the step of such a channel over its whole range.
const STILL_ROTATION: f32 = 2.0 / 65535.0;

/// Relative variation up to which a scale channel is constant: the squared lengths of quantised quaternions deviate
/// from 1 by this much, which shows as scale.
const STILL_SCALE: f32 = 4.0 / 65535.0;

/// Returns the channels of a matrix. Of the two quaternions of its rotation it takes the one nearer to `near`.
fn channels(matrix: &Mat3x4, near: &mut DQuat) -> [f32; CHANNELS] {
    let ([tx, ty, tz], rotation, [sx, sy, sz]) = decompose(matrix);
    *near = if near.dot(rotation) < 0.0 { -rotation } else { rotation };
    let [qx, qy, qz, qw] = near.as_quat().to_array();
    [tx, ty, tz, qx, qy, qz, qw, sx, sy, sz]
}

/// Quaternion near which the first one is chosen: with negative w, as version 1 of the format requires.
const START: DQuat = DQuat::from_xyzw(0.0, 0.0, 0.0, -1.0);

/// Value of a channel at frame number 0, and its change per unit; `None` if it is constant.
#[derive(Clone, Copy, Default)]
struct Range {
    offset: f32,
    scale: Option<f32>,
}

impl Range {
    fn new(channel: usize, values: impl Iterator<Item = f32> + Clone) -> Self {
        let min = values.clone().fold(f32::INFINITY, f32::min);
        let max = values.fold(f32::NEG_INFINITY, f32::max);
        let still = match channel {
            0..3 => 0.0,
            3..7 => STILL_ROTATION,
            _ => STILL_SCALE * max.abs().max(min.abs()),
        };
        let span = f64::from(max) - f64::from(min);
        if span <= f64::from(still) {
            return Self { offset: (f64::from(min) + span / 2.0) as f32, scale: None };
        }
        Self { offset: min, scale: Some((span / 65535.0) as f32) }
    }

    fn quantise(self, value: f32) -> Option<u16> {
        let steps = (f64::from(value) - f64::from(self.offset)) / f64::from(self.scale?);
        // A range whose step underflows gives NaN, which becomes 0.
        Some(steps.round() as u16)
    }
}

/// Returns `true` if the file has joints. Unnamed bones without a bind pose have their parents in the poses alone.
fn has_joints(skeleton: &Skeleton) -> bool {
    skeleton.has_bind() || skeleton.names().iter().any(|name| !name.is_empty())
}

/// Deviation of a bind pose times its inverse from the identity that is more than rounding.
const BOUND: f32 = 1e-2;

/// Returns the parent-relative transforms of joints with which readers bind skins as the model does; `None` if these
/// are the bind pose.
pub(super) fn bound_elsewhere(skeleton: &Skeleton) -> Option<Vec<Mat3x4>> {
    let is_off = |(bind, inverse): (&Mat3x4, &Mat3x4)| {
        // With non-unit axes the matrix that readers derive from a bind pose need not be its inverse.
        if *inverse == bind.inverse_uniform() {
            return false;
        }
        let off = (*bind * *inverse).0.iter().zip(Mat3x4::IDENTITY.0).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        off > BOUND
    };
    if !skeleton.has_bind() || !skeleton.bind_model().iter().zip(skeleton.inverse_bind()).any(is_off) {
        return None;
    }
    let bound = skeleton.inverse_bind().iter().zip(skeleton.bind_model());
    let bound: Vec<Mat3x4> = bound.map(|(inverse, bind)| inverse.inverse().unwrap_or(*bind)).collect();
    let mut local = skeleton.bind_local().to_vec();
    to_local_space(skeleton.parents(), &bound, &mut local);
    local.iter().all(Mat3x4::is_finite).then_some(local)
}

/// Returns a matrix as a reader makes it of its channels.
fn stored(matrix: &Mat3x4) -> Mat3x4 {
    let [tx, ty, tz, qx, qy, qz, qw, sx, sy, sz] = channels(matrix, &mut START.clone());
    Mat3x4::from_translation_rotation_scale([tx, ty, tz], [qx, qy, qz, qw], [sx, sy, sz])
}

/// Returns the skeleton that readers get: the format stores channels, and no inverse bind pose, which readers compute.
pub(super) fn stored_skeleton(skeleton: &Skeleton) -> Skeleton {
    let bound = bound_elsewhere(skeleton);
    let bind = bound.as_deref().unwrap_or(skeleton.bind_local()).iter().copied();
    let names = skeleton.names().iter().zip(skeleton.parents()).zip(bind);
    let bone = |((name, parent), bind): ((&Name, &i32), Mat3x4)| Bone {
        name: name.clone(),
        parent: usize::try_from(*parent).ok(),
        bind: stored(&bind),
    };
    Skeleton::new(names.map(bone).collect()).unwrap_or_else(|_| skeleton.clone())
}

impl<'m> Writer<'m> {
    /// Writes the joints: the bind pose, or without one the first frame, so that the bones have names.
    pub fn joints(&mut self, header: &mut Header, plan: &FramePlan<'m>) {
        let skeleton = &self.model.skeleton;
        if !has_joints(skeleton) {
            return;
        }
        let first = plan.frames.first().copied().flatten();
        let bind = if skeleton.has_bind() { skeleton.bind_local() } else { plan.matrices(first) };
        header.joints = Table { count: skeleton.len() as u32, offset: self.align() };
        let bound = bound_elsewhere(skeleton);
        let bind = bound.as_deref().unwrap_or(bind);
        for ((name, &parent), bind) in skeleton.names().iter().zip(skeleton.parents()).zip(bind) {
            let name = self.text.offset(name);
            self.u32s(&[name, parent.cast_unsigned()]);
            self.f32s(&channels(bind, &mut START.clone()));
        }
    }

    /// Writes poses and frames, or poses alone if only they can hold the parents.
    pub fn poses(&mut self, header: &mut Header, plan: &FramePlan<'m>) {
        let skeleton = &self.model.skeleton;
        if plan.frames.is_empty() && has_joints(skeleton) {
            return;
        }
        let bones = skeleton.len();
        let mut near = vec![START; bones];
        let mut values: Vec<[f32; CHANNELS]> = Vec::with_capacity(plan.frames.len() * bones);
        for &frame in &plan.frames {
            values.extend(plan.matrices(frame).iter().zip(&mut near).map(|(matrix, near)| channels(matrix, near)));
        }
        if values.is_empty() {
            values.extend(skeleton.bind_local().iter().map(|bind| channels(bind, &mut START.clone())));
        }
        let ranges: Vec<[Range; CHANNELS]> = (0..bones)
            .map(|bone| {
                let frames = values.iter().skip(bone).step_by(bones);
                std::array::from_fn(|c| Range::new(c, frames.clone().map(move |channels| channels[c])))
            })
            .collect();

        header.poses = Table { count: bones as u32, offset: self.align() };
        for (ranges, &parent) in ranges.iter().zip(skeleton.parents()) {
            let moving = ranges.iter().enumerate().filter(|(_, range)| range.scale.is_some());
            let mask: u32 = moving.map(|(c, _)| 1 << c).sum();
            self.u32s(&[parent.cast_unsigned(), mask]);
            self.f32s(&ranges.map(|range| range.offset));
            self.f32s(&ranges.map(|range| range.scale.unwrap_or(0.0)));
            header.channels += mask.count_ones();
        }
        header.frames = Table { count: plan.frames.len() as u32, offset: self.align() };
        if header.channels == 0 {
            return;
        }
        for (bone, channels) in values.iter().enumerate() {
            let ranges = &ranges[bone % bones];
            let numbers = channels.iter().zip(ranges).filter_map(|(&value, range)| range.quantise(value));
            self.out.extend(numbers.flat_map(u16::to_le_bytes));
        }
    }
}
