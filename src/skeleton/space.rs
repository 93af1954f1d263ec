//! Bones in local space and in model space, whichever the object is in.

use super::pose::{is_usable, saturate};
use super::{Built, Pose, SkelError, SkeletalObject};
use crate::math::Mat3x4;
use crate::pose;

impl SkeletalObject {
    /// Replaces the bones by these, in local space, the object being in local space from then on.
    ///
    /// The matrices are taken as they are. Where there are fewer of them than bones, the remaining bones of an object
    /// in model space are converted: they keep their pose relative to their parents.
    ///
    /// # Errors
    /// [`SkelError::TooLarge`] if a bone cannot hold its matrix; the object is left alone then.
    pub fn set_local_pose(&mut self, local: &[Mat3x4]) -> Result<(), SkelError> {
        self.check_usable(local)?;
        self.make_local(local.len());
        self.built = Built::ByScript;
        for (bone, given) in self.pose.bones_mut().iter_mut().zip(local) {
            *bone = *given;
        }
        Ok(())
    }

    /// Replaces the bones by these, in model space, the object being in model space from then on.
    ///
    /// The matrices are taken as they are. Where there are fewer of them than bones, the remaining bones of an object
    /// in local space are converted: they keep the place that they had in model space.
    ///
    /// # Errors
    /// [`SkelError::TooLarge`] if a bone cannot hold its matrix; the object is left alone then.
    pub fn set_model_space_pose(&mut self, model_space: &[Mat3x4]) -> Result<(), SkelError> {
        self.check_usable(model_space)?;
        self.replace_model_space_pose(model_space);
        Ok(())
    }

    fn check_usable(&self, bones: &[Mat3x4]) -> Result<(), SkelError> {
        let usable = bones.iter().take(self.bone_count()).all(is_usable);
        if usable { Ok(()) } else { Err(SkelError::TooLarge) }
    }

    /// Replaces the bones by these, which must be usable, in model space.
    pub(crate) fn replace_model_space_pose(&mut self, model_space: &[Mat3x4]) {
        if let Some(remaining @ 1..) = self.bone_count().checked_sub(model_space.len()) {
            self.make_model_space();
            let bones = self.pose.bones_mut();
            let first = bones.len() - remaining;
            saturate(&mut bones[first..]);
        } else {
            self.replace_pose(Pose::ModelSpace);
        }
        self.built = Built::ByScript;
        for (bone, given) in self.pose.bones_mut().iter_mut().zip(model_space) {
            *bone = *given;
        }
    }

    /// Returns a bone in local space: relative to its parent bone (builtin #269).
    ///
    /// Of an object in model space it is `inverse(parent) * bone`, or the bone itself for roots and where the parent
    /// has no inverse.
    #[inline]
    #[must_use]
    pub fn local_space(&self, bone: usize) -> Option<Mat3x4> {
        let bones = self.pose.bones();
        let own = *bones.get(bone)?;
        match (&self.pose, self.bone_parent(bone)) {
            (Pose::ModelSpace(_), Some(parent)) => Some(relative_to(&bones[parent], own)),
            _ => Some(own),
        }
    }

    /// Returns a bone in model space: relative to the entity (builtin #270).
    #[must_use]
    pub fn model_space(&self, bone: usize) -> Option<Mat3x4> {
        let bones = self.pose.bones();
        let mut matrix = *bones.get(bone)?;
        if self.pose.is_local() {
            let mut at = bone;
            while let Some(parent) = self.bone_parent(at) {
                matrix = bones[parent] * matrix;
                at = parent;
            }
        }
        Some(matrix)
    }

    /// Writes all bones in model space, as many as `out` has room for.
    pub fn write_model_space(&self, out: &mut [Mat3x4]) {
        match &self.pose {
            Pose::Local(bones) => pose::to_model_space(self.model.skeleton.parents(), bones, out),
            Pose::ModelSpace(bones) => {
                let count = bones.len().min(out.len());
                out[..count].copy_from_slice(&bones[..count]);
            }
        }
    }

    /// Writes the skinning palette, as many bones as `out` has room for: every bone's model-space matrix times its
    /// inverse bind matrix.
    pub fn write_palette(&self, out: &mut [Mat3x4]) {
        self.write_model_space(out);
        for (out, inverse_bind) in out.iter_mut().zip(self.model.skeleton.inverse_bind()) {
            *out = *out * *inverse_bind;
        }
    }

    /// Converts the object to model space.
    pub(crate) fn make_model_space(&mut self) {
        if let Pose::Local(bones) = &mut self.pose {
            // Parents stand before children, so one pass in place is enough.
            for bone in 0..bones.len() {
                if let Some(parent) = self.model.skeleton.parent(bone) {
                    bones[bone] = bones[parent] * bones[bone];
                }
            }
            self.replace_pose(Pose::ModelSpace);
        }
    }

    /// Converts the object to local space, but for its first bones, this many: those are about to be replaced.
    pub(super) fn make_local(&mut self, replaced: usize) {
        if let Pose::ModelSpace(bones) = &mut self.pose {
            // Children first: their parents are still in model space.
            for bone in (replaced..bones.len()).rev() {
                if let Some(parent) = self.model.skeleton.parent(bone) {
                    bones[bone] = relative_to(&bones[parent], bones[bone]);
                    saturate(&mut bones[bone..=bone]);
                }
            }
            self.replace_pose(Pose::Local);
        }
    }

    pub(super) fn replace_pose(&mut self, kind: fn(Box<[Mat3x4]>) -> Pose) {
        let old = std::mem::replace(&mut self.pose, Pose::Local(Box::default()));
        self.pose = kind(old.into_bones());
    }
}

/// Computes the bone relative to its parent; the bone itself where the parent has no inverse.
#[inline]
fn relative_to(parent: &Mat3x4, bone: Mat3x4) -> Mat3x4 {
    parent.inverse().map_or(bone, |inverse| inverse * bone)
}
