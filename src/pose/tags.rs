//! Places of tags in a pose.

use super::{FrameWeights, PoseSource, sample};
use crate::math::Mat3x4;
use crate::model::{FrameState, Model, Place};

impl Model {
    /// Returns the matrix of a tag in a frame state; model space. `None` past the last tag, and where a weight, a time or a
    /// parameter of the frame state is not finite.
    ///
    /// Tags of vertex-animated models follow framegroups and blend linearly, as bones do: nothing is normalised. Their
    /// axes are columns (FTE transposes them).
    #[must_use]
    pub fn tag_matrix(&self, tag: usize, frame: &FrameState) -> Option<Mat3x4> {
        if !frame.is_finite() {
            return None;
        }
        match self.place(tag)? {
            Place::Bone(bone) => Some(self.bone_matrix(bone, frame)),
            Place::Attachment(attachment) => Some(self.bone_matrix(attachment.bone, frame) * attachment.offset),
            Place::Tag(tag) => Some(FrameWeights::new(self, frame).blend_tag(tag)),
        }
    }

    /// Returns the matrix of a tag on bones that something else poses, a skeletal object for instance: `bones` are
    /// their matrices in model space. `None` for tags that hang on none of these.
    #[must_use]
    pub fn tag_matrix_on(&self, tag: usize, bones: &[Mat3x4]) -> Option<Mat3x4> {
        match self.place(tag)? {
            Place::Bone(bone) => bones.get(bone).copied(),
            Place::Attachment(attachment) => Some(*bones.get(attachment.bone)? * attachment.offset),
            Place::Tag(_) => None,
        }
    }

    /// A bone in model space: its own relative matrix and those above it, nothing else.
    fn bone_matrix(&self, bone: usize, frame: &FrameState) -> Mat3x4 {
        let relative = |bone: usize| {
            let mut out = [Mat3x4::IDENTITY];
            sample(PoseSource { model: self, frame }, bone..bone + 1, &mut out);
            out[0]
        };
        let mut matrix = relative(bone);
        let mut bone = bone;
        while let Some(parent) = self.skeleton.parent(bone) {
            matrix = relative(parent) * matrix;
            bone = parent;
        }
        matrix
    }
}
