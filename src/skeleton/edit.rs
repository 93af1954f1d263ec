//! Editing many bones, and copying between objects.

use std::ops::Range;

use super::{Build, Built, Pose, SkelError, SkeletalObject};
use crate::math::Mat3x4;
use crate::model::{FrameState, Model};

impl SkeletalObject {
    /// [`build`](Self::build) as DarkPlaces does it: every axis of the new pose is made a unit vector before it is mixed
    /// in; what comes of the mixing is not.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_normalized(&mut self, source: &Model, frame: &FrameState, build: &Build) -> Result<(), SkelError> {
        self.build_shaped(source, frame, build, Some(normalize_axes))
    }

    /// `bone = bone * matrix`: turns a bone in its own place, about its own origin (FTE's `skel_postmul_bone`).
    ///
    /// # Errors
    /// As [`set_bone`](Self::set_bone).
    pub fn post_mul_bone(&mut self, bone: usize, matrix: Mat3x4) -> Result<(), SkelError> {
        self.edit(bone, |old| old * matrix)
    }

    /// `bone = matrix * bone` for each of `bones` (0-based) by itself, so turns of a chain add up (builtin #273). What
    /// lies beyond the object is cut off; a bone that would overflow is left alone.
    pub fn mul_bones(&mut self, bones: Range<usize>, matrix: Mat3x4) {
        let count = self.bone_count();
        for bone in bones.start..bones.end.min(count) {
            let _ = self.mul_bone(bone, matrix);
        }
    }

    /// Puts a bone where `matrix` is in model space, whatever space the object is in.
    ///
    /// The bone's parents stay; the inverse is a true affine one, also of scaled and sheared parents (ruling 13).
    ///
    /// # Errors
    /// As [`set_bone`](Self::set_bone), or [`SkelError::Singular`] if the parent has no inverse; the bone is left alone
    /// then.
    pub fn set_bone_model_space(&mut self, bone: usize, matrix: Mat3x4) -> Result<(), SkelError> {
        let parent = self.pose.is_relative().then(|| self.bone_parent(bone)).flatten();
        let own = match parent.and_then(|parent| self.model_space(parent)) {
            Some(parent) => parent.inverse().ok_or(SkelError::Singular)? * matrix,
            None => matrix,
        };
        self.set_bone(bone, own)
    }

    /// Copies a range of bones (0-based) from another object, in ascending order (builtin #274, skel_copybones); what lies
    /// beyond either object is cut off.
    ///
    /// Objects of the same space are copied matrix by matrix. Into model space a bone becomes `parent * relative`, the
    /// parent being this object's, copied or not; out of it `inverse(parent) * bone`, the parent being the source's
    /// (ruling 14), or the bone itself where that has no inverse. A source that was never built changes nothing but
    /// matrices: this object counts as unbuilt if it was.
    pub fn copy_bones(&mut self, source: &SkeletalObject, bones: Range<usize>) {
        let end = bones.end.min(self.bone_count()).min(source.bone_count());
        let start = bones.start.min(end);
        if start < end && source.is_built() {
            self.built = Built::ByScript;
        }
        let model = self.model.clone();
        let from = source.pose.bones();
        let to_model = source.pose.is_relative() && !self.pose.is_relative();
        let to_relative = !source.pose.is_relative() && self.pose.is_relative();
        let (Pose::Relative(to) | Pose::ModelSpace(to)) = &mut self.pose;
        for bone in start..end {
            let parent = model.skeleton.parent(bone);
            to[bone] = match parent {
                Some(parent) if to_model => to[parent] * from[bone],
                Some(parent) if to_relative => {
                    from[parent].inverse().map_or(from[bone], |inverse| inverse * from[bone])
                }
                _ => from[bone],
            };
            if parent.is_some() && (to_model || to_relative) {
                saturate(&mut to[bone]);
            }
        }
    }
}

/// Makes unit vectors of the three axes; a zero one stays.
fn normalize_axes(matrix: &mut Mat3x4) {
    let m = &mut matrix.0;
    for column in 0..3 {
        let [x, y, z] = [column, 4 + column, 8 + column].map(|i| f64::from(m[i]));
        let length = (x * x + y * y + z * z).sqrt();
        if length > 0.0 {
            for row in 0..3 {
                m[4 * row + column] = (f64::from(m[4 * row + column]) / length) as f32;
            }
        }
    }
}

/// The largest number that edits leave in a bone: far beyond any model, and products of two stay finite in f64.
const LARGEST: f32 = 1e30;

/// Whether all numbers are finite and small enough to calculate with.
pub(super) fn is_usable(matrix: &Mat3x4) -> bool {
    matrix.0.iter().all(|v| v.abs() <= LARGEST)
}

/// Brings numbers that are not into range; NaN becomes 0.
pub(super) fn saturate(matrix: &mut Mat3x4) {
    for v in &mut matrix.0 {
        *v = if v.is_nan() { 0.0 } else { v.clamp(-LARGEST, LARGEST) };
    }
}
