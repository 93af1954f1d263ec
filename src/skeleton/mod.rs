//! One skeletal object: a model's bones in a pose that game code builds and edits.

mod build;
mod edit;
mod error;
mod pose;
#[cfg(feature = "serde")]
mod saved;
mod space;

use std::sync::Arc;

use crate::math::Mat3x4;
use crate::model::{Model, Name};
pub use build::Build;
pub use error::{BuildNumber, SkelError};
pub use pose::{Pose, Space};
#[cfg(feature = "serde")]
pub(crate) use saved::SavedSkeleton;

/// A model's bones in a pose of their own (builtins #263 to #275).
///
/// Bones are numbered from 0 here; scripts count from 1.
///
/// ```
/// use std::sync::Arc;
/// use skelobj::{Model, SkeletalObject, assets};
/// use skelobj::model::FrameState;
/// use skelobj::skeleton::{Build, Space};
///
/// let model = Arc::new(Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?);
/// let mut object = SkeletalObject::new(model.clone(), Space::Local);
/// object.build(&model, &FrameState::single(0, 0.25), &Build::REPLACE)?;
/// let head = object.find_bone(b"head").unwrap();
/// assert!(object.model_space(head).unwrap().origin().z > 50.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SkeletalObject {
    model: Arc<Model>,
    pose: Pose,
    built: Built,
}

/// The last writer of a skeletal object's matrices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Built {
    /// Zeros, as created.
    Never,
    /// Written by game code since a ragdoll last wrote them.
    ByScript,
    /// Written by a ragdoll last.
    #[cfg(feature = "ragdoll")]
    ByRagdoll,
}

impl SkeletalObject {
    /// Makes an object for the model, all its matrices zero (builtin #263).
    #[must_use]
    pub fn new(model: Arc<Model>, space: Space) -> Self {
        let bones = vec![Mat3x4::ZERO; model.skeleton.len()].into_boxed_slice();
        let pose = match space {
            Space::Local => Pose::Local(bones),
            Space::Model => Pose::ModelSpace(bones),
        };
        Self { model, pose, built: Built::Never }
    }

    /// Returns the model that the bones belong to.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Returns the bones and their space.
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Returns the twelve floats of every bone, to write through (builtin #282, skel_mmap). Their address is the same
    /// for as long as the object lives, and what is written there counts from the next call on.
    pub fn bones_mut(&mut self) -> &mut [Mat3x4] {
        self.built = Built::ByScript;
        self.pose.bones_mut()
    }

    /// Returns the matrices' memory, to hand out for later writes: the object does not count as built by this.
    #[cfg(feature = "qc")]
    pub(crate) fn bones_in_place(&mut self) -> &mut [Mat3x4] {
        self.pose.bones_mut()
    }

    /// Returns whether anything was ever written into the bones: until then they are zeros.
    #[must_use]
    pub fn is_built(&self) -> bool {
        // Scripts may have written through a pointer.
        self.built != Built::Never || self.pose.bones().iter().any(|bone| *bone != Mat3x4::ZERO)
    }

    /// Returns whether game code wrote into the bones after a ragdoll last did.
    #[must_use]
    pub fn is_built_since_ragdoll(&self) -> bool {
        self.built == Built::ByScript
    }

    /// Returns the number of bones (builtin #265).
    #[inline]
    #[must_use]
    pub fn bone_count(&self) -> usize {
        self.pose.bones().len()
    }

    /// Returns a bone's name (builtin #266).
    #[inline]
    #[must_use]
    pub fn bone_name(&self, bone: usize) -> Option<&Name> {
        self.model.skeleton.name(bone)
    }

    /// Returns the parent of a bone; `None` for roots and for bones that do not exist (builtin #267).
    #[inline]
    #[must_use]
    pub fn bone_parent(&self, bone: usize) -> Option<usize> {
        self.model.skeleton.parent(bone)
    }

    /// Returns the first bone of this name; case matters (builtin #268).
    #[must_use]
    pub fn find_bone(&self, name: &[u8]) -> Option<usize> {
        self.model.skeleton.find(name)
    }

    /// The bones as a ragdoll leaves them.
    #[cfg(feature = "ragdoll")]
    pub(crate) fn written_by_ragdoll(&mut self) -> &mut [Mat3x4] {
        self.built = Built::ByRagdoll;
        self.pose.bones_mut()
    }
}
