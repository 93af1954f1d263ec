//! Matrices of bones in a history, exact or packed.

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
    step: f32,
    axis_step: f32,
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
        let low = bones.iter().map(Mat3x4::origin).reduce(Vec3::min).unwrap_or_default();
        let high = bones.iter().map(Mat3x4::origin).reduce(Vec3::max).unwrap_or_default();
        let extent = (high - low).max_element();
        if !extent.is_finite() || bones.iter().any(|bone| !bone.is_finite()) {
            return self.push_exact(bones);
        }
        let rigid = |bone: usize| {
            let matrix = &bones[bone];
            let rotation = matrix.known_rotation()?;
            let other = Mat3x4::from_rotation_translation(rotation, matrix.origin());
            let off = matrix.0.iter().zip(&other.0).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            // Three components, each off by so much along three axes.
            (3.0 * off * reach.get(bone).copied().unwrap_or(0.0) <= TOLERANCE).then_some(rotation)
        };
        let largest = bones.iter().flat_map(axes).map(f32::abs).fold(1.0, f32::max);
        let steps = Packing {
            center: low + (high - low) * 0.5,
            step: (extent * 0.5 / ONE).max(f32::MIN_POSITIVE),
            axis_step: largest / ONE,
        };
        let start = self.packed.len();
        self.packed.resize(start + bones.len().div_ceil(16), 0);
        let put = |number: f32| number.round() as i16;
        for (bone, matrix) in bones.iter().enumerate() {
            let place = (matrix.origin() - steps.center) / steps.step;
            self.packed.extend(place.to_array().map(put));
            match rigid(bone) {
                Some(rotation) => self.packed.extend(rotation.to_array().map(|component| put(component * ONE))),
                None => {
                    self.packed[start + bone / 16] |= 1 << (bone % 16);
                    self.packed.extend(axes(matrix).map(|component| put(component / steps.axis_step)));
                }
            }
        }
        PoseRange { start, bones: bones.len(), packing: Some(steps) }
    }

    /// Returns the matrices of a range.
    pub fn get(&self, range: PoseRange) -> Vec<Mat3x4> {
        let Some(steps) = range.packing else {
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
            let origin = steps.center + vector(0) * steps.step;
            if has_axes {
                let [forward, left, up] = [3, 6, 9].map(|first| vector(first) * steps.axis_step);
                return Mat3x4::from_columns(forward, left, up, origin);
            }
            let rotation = Quat::from_xyzw(number(3), number(4), number(5), number(6));
            Mat3x4::from_rotation_translation(rotation.normalize(), origin)
        };
        (0..range.bones).map(&mut bone).collect()
    }
}

/// Returns the nine numbers of the axes.
fn axes(matrix: &Mat3x4) -> impl Iterator<Item = f32> {
    [matrix.forward(), matrix.left(), matrix.up()].into_iter().flat_map(|axis| axis.to_array())
}
