//! Matrices of bones in a history, exact or packed.

use glam::Vec4;
use skelobj_model::internal;

use crate::math::{Mat3x4, Quat, Vec3};

/// Largest number of a packed component.
const ONE: f32 = 32767.0;
/// Distance by which packing may move what a bone moves by leaving out scale and shear, Quake units.
const TOLERANCE: f32 = 1.0 / 128.0;
/// Numbers of the longer of the two forms of a packed bone: position and axes.
const WITH_AXES: usize = 12;

/// Matrices of all objects at one time.
#[derive(Debug, Default)]
pub(super) struct PoseBuffer {
    exact: Vec<Mat3x4>,
    /// Packed lists: a bit for each bone that is set if the bone has axes, then the bones: the position, then the
    /// quaternion of the rotation, or the axes.
    packed: Vec<i16>,
}

/// Matrices of one object in a [`PoseBuffer`].
#[derive(Clone, Copy, Debug)]
pub(super) struct PoseRange {
    start: usize,
    bones: usize,
    packing: Option<Packing>,
}

/// Steps of packed numbers.
#[derive(Clone, Copy, Debug)]
struct Packing {
    center: Vec3,
    /// Numbers to the Quake unit.
    steps: f32,
    /// Numbers to the unit of an axis.
    axis_steps: f32,
}

impl Packing {
    /// Returns the finest steps for a pose; `None` if it is not finite.
    fn of(bones: &[Mat3x4]) -> Option<Self> {
        let first = bones.first().map_or(Vec3::ZERO, Mat3x4::origin);
        let (mut low, mut high, mut largest) = (first, first, Vec4::ONE);
        let mut sum = Vec4::ZERO;
        for bone in bones {
            let origin = bone.origin();
            (low, high) = (low.min(origin), high.max(origin));
            for row in internal::rows(bone) {
                let row = row.abs();
                sum += row;
                largest = largest.max(row);
            }
        }
        let extent = (high - low).max_element();
        let longest = largest.truncate().max_element();
        // A sum is finite only if all numbers are.
        let is_finite = sum.is_finite() && extent.is_finite();
        let center = low + (high - low) * 0.5;
        let steps = ONE / (extent * 0.5).max(1e-6);
        is_finite.then_some(Self { center, steps, axis_steps: ONE / longest })
    }
}

/// Returns the rotation of a matrix that moves what is within `reach` as the matrix does, except for rounding.
fn rigid(matrix: &Mat3x4, reach: f32) -> Option<Quat> {
    let rotation = internal::known_rotation(matrix)?;
    let other = Mat3x4::from_rotation_translation(rotation, matrix.origin());
    let [x, y, z] = internal::rows(matrix);
    let [a, b, c] = internal::rows(&other);
    let off = (x - a).abs().max((y - b).abs()).max((z - c).abs()).max_element();
    // Three components, each off by so much along three axes.
    (3.0 * off * reach <= TOLERANCE).then_some(rotation)
}

/// Returns the nearest integer.
fn nearest(number: f32) -> i16 {
    (number + 0.5f32.copysign(number)) as i16
}

/// Writes numbers at the front of a slice, which becomes shorter, and returns how many.
fn write(rest: &mut &mut [i16], numbers: &[i16]) -> usize {
    debug_assert!(numbers.len() <= rest.len(), "there is room for all numbers");
    if let Some(own) = rest.split_off_mut(..numbers.len()) {
        own.copy_from_slice(numbers);
    }
    numbers.len()
}

impl PoseRange {
    pub fn bones(self) -> usize {
        self.bones
    }
}

impl PoseBuffer {
    pub fn clear(&mut self) {
        self.exact.clear();
        self.packed.clear();
    }

    pub fn bytes(&self) -> usize {
        size_of_val(self.exact.as_slice()) + size_of_val(self.packed.as_slice())
    }

    /// Returns the number of bytes that no pose of so many bones exceeds.
    pub fn max_bytes(bones: usize) -> usize {
        bones * size_of::<Mat3x4>()
    }

    /// Appends matrices as they are.
    pub fn push_exact(&mut self, bones: &[Mat3x4]) -> PoseRange {
        let start = self.exact.len();
        self.exact.extend_from_slice(bones);
        PoseRange { start, bones: bones.len(), packing: None }
    }

    /// Appends matrices in their packed form; `reach` is the distance from each bone of what it moves. A pose that is
    /// not finite stays as it is.
    pub fn push_packed(&mut self, bones: &[Mat3x4], reach: &[f32]) -> PoseRange {
        debug_assert_eq!(bones.len(), reach.len(), "every bone has a reach");
        let Some(packing) = Packing::of(bones) else { return self.push_exact(bones) };
        let start = self.packed.len();
        let flags = bones.len().div_ceil(16);
        self.packed.resize(start + flags + bones.len() * WITH_AXES, 0);
        let (flags, mut rest) = self.packed[start..].split_at_mut(flags);
        let mut length = flags.len();
        for (bone, matrix) in bones.iter().enumerate() {
            let place = (matrix.origin() - packing.center) * packing.steps;
            let [x, y, z] = place.to_array().map(nearest);
            let reach = reach.get(bone).copied().unwrap_or(0.0);
            let numbers = match rigid(matrix, reach) {
                Some(rotation) => {
                    let rotation = (rotation * ONE).to_array().map(nearest);
                    let numbers = [x, y, z, rotation[0], rotation[1], rotation[2], rotation[3]];
                    write(&mut rest, &numbers)
                }
                None => {
                    flags[bone / 16] |= 1 << (bone % 16);
                    let axes = [matrix.forward(), matrix.left(), matrix.up()];
                    let [f, l, u] = axes.map(|axis| (axis * packing.axis_steps).to_array().map(nearest));
                    write(&mut rest, &[x, y, z, f[0], f[1], f[2], l[0], l[1], l[2], u[0], u[1], u[2]])
                }
            };
            length += numbers;
        }
        self.packed.truncate(start + length);
        PoseRange { start, bones: bones.len(), packing: Some(packing) }
    }

    /// Returns the matrices of a range.
    pub fn get(&self, range: PoseRange) -> Vec<Mat3x4> {
        let Some(packing) = range.packing else {
            return self.exact[range.start..range.start + range.bones].to_vec();
        };
        let (flags, numbers) = self.packed[range.start..].split_at(range.bones.div_ceil(16));
        let mut rest = numbers;
        let mut bone = |bone: usize| {
            let has_axes = flags[bone / 16] & 1 << (bone % 16) != 0;
            let (own, others) = rest.split_at(if has_axes { WITH_AXES } else { 7 });
            rest = others;
            let number = |index: usize| f32::from(own[index]);
            let vector = |first: usize| Vec3::new(number(first), number(first + 1), number(first + 2));
            let origin = packing.center + vector(0) / packing.steps;
            if has_axes {
                let [forward, left, up] = [3, 6, 9].map(|first| vector(first) / packing.axis_steps);
                return Mat3x4::from_columns(forward, left, up, origin);
            }
            let rotation = Quat::from_xyzw(number(3), number(4), number(5), number(6));
            Mat3x4::from_rotation_translation(rotation.normalize(), origin)
        };
        (0..range.bones).map(&mut bone).collect()
    }
}
