//! Matrices of tags in a pose.

use super::frames::FrameWeights;
use super::{PoseSource, sample};
use crate::math::Mat3x4;
use crate::model::{FrameState, Model, Place, Player, PlayerFrames, PlayerParts, Skeleton};

impl Model {
    /// Returns the matrix of a tag in a frame state; model space.
    ///
    /// `None` past the last tag, and if a weight, a time or a parameter of the frame state is non-finite. Tags of
    /// vertex-animated models follow framegroups and blend linearly, as bones do, without normalising. Their axes are
    /// columns (FTE transposes them).
    ///
    /// ```
    /// use skelobj::model::FrameState;
    ///
    /// let mannequin = skelobj::assets::mannequin();
    /// let head = mannequin.find_tag("head").ok_or("no head")?;
    /// let alive = mannequin.tag_matrix(head, &FrameState::single(0, 0.0)).ok_or("no matrix")?;
    /// let dead = mannequin.tag_matrix(head, &FrameState::single(3, 1.2)).ok_or("no matrix")?;
    /// assert!(alive.origin().z > 50.0 && dead.origin().z < 40.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tag_matrix(&self, tag: usize, frame: &FrameState) -> Option<Mat3x4> {
        if !frame.is_finite() {
            return None;
        }
        match self.place(tag)? {
            Place::Bone(bone) => Some(self.bone_matrix(bone, frame)),
            Place::Attachment(attachment) => Some(self.bone_matrix(attachment.bone, frame) * attachment.offset),
            Place::Tag(tag) => Some(FrameWeights::new(PoseSource { model: self, frame }).blend_tag(tag)),
        }
    }

    /// Returns the matrix of a tag on bones that are posed elsewhere, by a skeletal object for instance; model space.
    ///
    /// `bones` are matrices in model space. `None` past the last tag, if `bones` lacks the tag's bone, and for tags of
    /// vertex-animated models.
    ///
    /// ```
    /// use skelobj::{math::{Mat3x4, Vec3}, model::Attachment};
    ///
    /// let mut mannequin = skelobj::assets::mannequin();
    /// let (hand, offset) = (20, Mat3x4::from_translation(Vec3::Z * 4.0));
    /// mannequin.attachments.push(Attachment { name: "muzzle".into(), bone: hand, offset });
    /// let muzzle = mannequin.find_tag("muzzle").ok_or("no muzzle")?;
    /// let bones = mannequin.skeleton.bind_model();
    /// assert_eq!(mannequin.tag_matrix_on(muzzle, bones), Some(bones[hand] * offset));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tag_matrix_on(&self, tag: usize, bones: &[Mat3x4]) -> Option<Mat3x4> {
        match self.place(tag)? {
            Place::Bone(bone) => bones.get(bone).copied(),
            Place::Attachment(attachment) => Some(*bones.get(attachment.bone)? * attachment.offset),
            Place::Tag(_) => None,
        }
    }

    /// Returns a bone's matrix in model space, sampling only the bone and its ancestors.
    fn bone_matrix(&self, bone: usize, frame: &FrameState) -> Mat3x4 {
        bone_matrix(&self.skeleton, bone, |bone| {
            let mut out = [Mat3x4::IDENTITY];
            sample(PoseSource { model: self, frame }, bone..bone + 1, &mut out);
            out[0]
        })
    }
}

/// Returns a bone's matrix in model space. `local` returns those of the bone and its ancestors in local space.
pub(super) fn bone_matrix(skeleton: &Skeleton, bone: usize, local: impl Fn(usize) -> Mat3x4) -> Mat3x4 {
    let mut matrix = local(bone);
    let mut bone = bone;
    while let Some(parent) = skeleton.parent(bone) {
        debug_assert!(parent < bone, "parents stand before children");
        matrix = local(parent) * matrix;
        bone = parent;
    }
    matrix
}

impl Player {
    /// Returns the placement of the torso, the head and the weapon in the space of the legs. A missing tag counts as
    /// the origin.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::model::{Model, Player, PlayerConfig, PlayerFrames, Tag};
    ///
    /// let carrying = |tag: &str, height: f32| {
    ///     let frames = vec![Mat3x4::from_translation(Vec3::Z * height)];
    ///     Model { tags: vec![Tag { name: tag.into(), frames }], ..Model::default() }
    /// };
    /// let (lower, upper) = (carrying("tag_torso", 24.0), carrying("tag_head", 20.0));
    /// let player = Player { lower, upper, head: Model::default(), config: PlayerConfig::default() };
    /// let parts = player.place(&PlayerFrames::default());
    /// assert_eq!(parts.upper.origin(), Vec3::Z * 24.0);
    /// assert_eq!(parts.head.origin(), Vec3::Z * 44.0);
    /// ```
    #[must_use]
    pub fn place(&self, pose: &PlayerFrames) -> PlayerParts {
        let tag = |model: &Model, name: &str, frame: &FrameState| {
            let tag = model.find_tag(name.as_bytes()).and_then(|tag| model.tag_matrix(tag, frame));
            tag.unwrap_or(Mat3x4::IDENTITY)
        };
        let upper = tag(&self.lower, "tag_torso", &pose.lower) * pose.torso_turn;
        let head = upper * tag(&self.upper, "tag_head", &pose.upper) * pose.head_turn;
        let weapon = upper * tag(&self.upper, "tag_weapon", &pose.upper);
        PlayerParts { upper, head, weapon }
    }
}
