//! Space of an object's bones, and poses read and written in local and in model space regardless of it.

use super::{Built, ObjectError, Pose, SkeletalObject};
use crate::math::Mat3x4;
use crate::pose::{self, is_usable, saturate};

/// Space of the bones of a new skeletal object.
///
/// ```
/// use skelobj::object::Space;
/// use skelobj::{SkeletalObject, assets};
/// use std::sync::Arc;
/// let model = Arc::new(assets::mannequin());
/// let client = SkeletalObject::new(model.clone(), Space::default()); // to build animations into
/// let shown = SkeletalObject::new(model, Space::Model); // to copy poses of a server into
/// assert!(client.pose().is_local() && !shown.pose().is_local());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Space {
    /// Local space: each bone relative to its parent.
    #[default]
    Local,
    /// Model space: each bone relative to the entity (second argument 1 of skel_create).
    Model,
}

impl SkeletalObject {
    /// Replaces the bones with matrices in local space; the object is in local space afterwards.
    ///
    /// If there are fewer matrices than bones, the remaining bones keep their pose relative to their parents: those of
    /// an object in model space are converted.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// object.set_bone(13, Mat3x4::IDENTITY)?; // the left clavicle, undone by the next line
    /// object.set_local_pose(model.skeleton.bind_local())?;
    /// let hand = object.model_space(16).unwrap().origin();
    /// assert!((hand - Vec3::new(-0.2, 21.2, 37.4)).length() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::TooLong`] if there are more matrices than bones, [`ObjectError::TooLarge`] if a number is
    /// non-finite or beyond 1e30. The object is unchanged.
    pub fn set_local_pose(&mut self, local: &[Mat3x4]) -> Result<(), ObjectError> {
        self.check_usable(local)?;
        self.make_local(local.len());
        self.note_write(Built::ByScript);
        for (bone, given) in self.pose.bones_mut().iter_mut().zip(local) {
            *bone = *given;
        }
        Ok(())
    }

    /// Replaces the bones with matrices in model space; the object is in model space afterwards.
    ///
    /// If there are fewer matrices than bones, the remaining bones keep their place in model space: those of an object
    /// in local space are converted.
    ///
    /// ```
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// object.set_model_space_pose(model.skeleton.bind_model())?;
    /// assert!(!object.pose().is_local());
    /// let hand = object.local_space(16).unwrap().origin(); // relative to the forearm, which is 9.5 units long
    /// assert!((hand.length() - 9.5).abs() < 0.1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::TooLong`] if there are more matrices than bones, [`ObjectError::TooLarge`] if a number is
    /// non-finite or beyond 1e30. The object is unchanged.
    pub fn set_model_space_pose(&mut self, model_space: &[Mat3x4]) -> Result<(), ObjectError> {
        self.check_usable(model_space)?;
        self.replace_model_space_pose(model_space);
        Ok(())
    }

    fn check_usable(&self, pose: &[Mat3x4]) -> Result<(), ObjectError> {
        let (bones, found) = (self.bone_count(), pose.len());
        if found > bones {
            return Err(ObjectError::TooLong { bones, found });
        }
        if pose.iter().all(is_usable) { Ok(()) } else { Err(ObjectError::TooLarge) }
    }

    /// Replaces the bones with matrices in model space, which must be usable.
    pub(crate) fn replace_model_space_pose(&mut self, model_space: &[Mat3x4]) {
        debug_assert!(model_space.len() <= self.bone_count(), "every matrix has a bone");
        debug_assert!(model_space.iter().all(is_usable), "the matrices were checked");
        if let Some(remaining @ 1..) = self.bone_count().checked_sub(model_space.len()) {
            self.make_model_space();
            let bones = self.pose.bones_mut();
            let first = bones.len() - remaining;
            saturate(&mut bones[first..]);
        } else {
            self.replace_pose(Pose::ModelSpace);
        }
        self.note_write(Built::ByScript);
        for (bone, given) in self.pose.bones_mut().iter_mut().zip(model_space) {
            *bone = *given;
        }
    }

    /// Returns the matrix of a bone (0-based) in local space, relative to its parent (builtin #269, skel_get_bonerel).
    ///
    /// If the object is in model space, the result is `inverse(parent) * bone`; for roots, and for parents without an
    /// inverse, it is the matrix of the bone. `None` if the object has no such bone.
    ///
    /// ```
    /// let object = skelobj::assets::mannequin_object();
    /// let [forearm, hand] = [15, 16];
    /// let relative = object.local_space(hand).unwrap();
    /// let product = object.model_space(forearm).unwrap() * relative;
    /// assert!((product.origin() - object.model_space(hand).unwrap().origin()).length() < 1e-4);
    /// ```
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

    /// Returns the matrix of a bone (0-based) in model space, relative to the entity (builtin #270, skel_get_boneabs).
    ///
    /// `None` if the object has no such bone. Multiply by the matrix of the entity for world space. The result is kept
    /// until the next write to the object, so a repeated query costs one copy. If half of the bones were asked for, in
    /// this pose or in the last one, all are computed in one pass.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let object = skelobj::assets::mannequin_object();
    /// let head = object.model_space(12).unwrap();
    /// let entity = Mat3x4::from_translation(Vec3::new(100.0, 0.0, 0.0));
    /// assert!(((entity * head).origin() - Vec3::new(99.7, 0.0, 56.0)).length() < 1e-3); // world space
    /// ```
    #[inline]
    #[must_use]
    pub fn model_space(&self, bone: usize) -> Option<Mat3x4> {
        // Every change of the space counts as a write, so the kept matrices are still right.
        match self.in_model.get(bone) {
            Some(matrix) => Some(*matrix),
            None => self.compute_model_space(bone),
        }
    }

    #[inline(never)]
    fn compute_model_space(&self, bone: usize) -> Option<Mat3x4> {
        let bones = self.pose.bones();
        let own = bones.get(bone)?;
        if !self.pose.is_local() || self.bone_parent(bone).is_none() {
            return Some(*own);
        }
        let skeleton = &self.model.skeleton;
        let one = || pose::bone_in_model_space(skeleton.parents(), bones, bone);
        let Some(revision) = self.revision() else { return Some(one()) };
        let all = |out: &mut [Mat3x4]| pose::bones_in_model_space(skeleton, bones, out);
        Some(self.in_model.compute(bone, bones.len(), revision, one, all))
    }

    /// Writes the matrices of all bones in model space, as many as `out` has room for.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let object = skelobj::assets::mannequin_object();
    /// let mut bones = [Mat3x4::IDENTITY; 21];
    /// object.write_model_space(&mut bones);
    /// let lowest = bones.iter().map(|bone| bone.origin().z).fold(f32::MAX, f32::min);
    /// assert!((lowest - 1.2).abs() < 1e-3); // the toes
    /// ```
    pub fn write_model_space(&self, out: &mut [Mat3x4]) {
        match &self.pose {
            Pose::Local(bones) => pose::to_model_space(self.model.skeleton.parents(), bones, out),
            Pose::ModelSpace(bones) => {
                let count = bones.len().min(out.len());
                out[..count].copy_from_slice(&bones[..count]);
            }
        }
    }

    /// Writes the skinning palette, one matrix for each bone.
    ///
    /// The matrix of a bone in the palette is its matrix in model space times the inverse of its bind pose.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let object = skelobj::assets::mannequin_object();
    /// let mut palette = [Mat3x4::ZERO; 21];
    /// object.write_palette(&mut palette)?;
    /// let nose = Vec3::new(4.0, 0.0, 60.0); // a vertex of the mesh
    /// assert!((palette[12].transform_point(nose) - nose).length() < 1e-3); // the bind pose moves no vertex
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::TooShort`] if `out` has room for fewer matrices than the object has bones. Nothing is written.
    pub fn write_palette(&self, out: &mut [Mat3x4]) -> Result<(), ObjectError> {
        let skeleton = &self.model.skeleton;
        ObjectError::check_room(skeleton.len(), out.len())?;
        match &self.pose {
            Pose::Local(bones) => pose::raw::local_to_palette(skeleton.parents(), bones, skeleton.inverse_bind(), out),
            Pose::ModelSpace(bones) => pose::palette(bones, skeleton.inverse_bind(), out),
        }
        Ok(())
    }

    /// Converts the object to model space.
    pub(crate) fn make_model_space(&mut self) {
        if let Pose::Local(bones) = &mut self.pose {
            // Parents precede children, so one pass in place is enough.
            for bone in 0..bones.len() {
                if let Some(parent) = self.model.skeleton.parent(bone) {
                    debug_assert!(parent < bone, "parents stand before children");
                    bones[bone] = bones[parent] * bones[bone];
                }
            }
            self.replace_pose(Pose::ModelSpace);
        }
    }

    /// Converts the object to local space, except for the first `replaced` bones, which are about to be replaced.
    pub(super) fn make_local(&mut self, replaced: usize) {
        if let Pose::ModelSpace(bones) = &mut self.pose {
            // Children first: their parents are still in model space.
            for bone in (replaced..bones.len()).rev() {
                if let Some(parent) = self.model.skeleton.parent(bone) {
                    debug_assert!(parent < bone, "parents stand before children");
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

/// Returns a bone relative to its parent; the bone itself if the parent has no inverse.
#[inline]
fn relative_to(parent: &Mat3x4, bone: Mat3x4) -> Mat3x4 {
    parent.inverse().map_or(bone, |inverse| inverse * bone)
}
