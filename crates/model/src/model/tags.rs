//! Tags: places on a model, with name and number, that other models are attached to.

use super::{Model, Name};
use crate::math::Mat3x4;

/// Named place that moves with a vertex-animated model.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::model::{FrameState, Model, Tag};
/// let frames = vec![Mat3x4::from_translation(Vec3::Z * 24.0)];
/// let legs = Model { tags: vec![Tag { name: "tag_torso".into(), frames }], ..Model::default() };
/// let tag = legs.find_tag("tag_torso").ok_or("no torso")?;
/// let torso = legs.tag_matrix(tag, &FrameState::default()).ok_or("no matrix")?;
/// assert_eq!(torso.origin(), Vec3::Z * 24.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tag {
    /// Name of the tag; players have `tag_torso`, `tag_head` and `tag_weapon`.
    pub name: Name,
    /// Matrices of the tag in each frame; model space, with the columns forward, left and up as stored, possibly
    /// scaled.
    pub frames: Vec<Mat3x4>,
}

/// Place with a fixed offset from a bone.
///
/// ```
/// use skelobj::{math::{Mat3x4, Vec3}, model::{Attachment, FrameState}};
///
/// let mut mannequin = skelobj::assets::mannequin();
/// let offset = Mat3x4::from_translation(Vec3::Z * 8.0); // above the head
/// mannequin.attachments.push(Attachment { name: "halo".into(), bone: 12, offset });
/// let halo = mannequin.find_tag("halo").ok_or("no halo")?;
/// let matrix = mannequin.tag_matrix(halo, &FrameState::single(0, 0.0)).ok_or("no matrix")?;
/// assert!(matrix.origin().z > 60.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Attachment {
    /// Name of the attachment; usually empty.
    pub name: Name,
    /// Bone that the place moves with, 0-based.
    pub bone: usize,
    /// Matrix from the attachment's space to the bone's.
    pub offset: Mat3x4,
}

/// Meaning of a tag number.
pub(crate) enum Place<'a> {
    Bone(usize),
    Attachment(&'a Attachment),
    Tag(&'a Tag),
}

/// Tags are numbered from 0: bones first, then attachments, then the tags of vertex-animated models. Scripts count from
/// 1.
impl Model {
    /// Returns the number of tags: of bones, attachments and tags of vertex-animated models.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.tag_count(), mannequin.skeleton.len()); // bones only
    /// ```
    pub fn tag_count(&self) -> usize {
        self.skeleton.len() + self.attachments.len() + self.tags.len()
    }

    /// Returns the name of tag `tag` (0-based); `None` past the last.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.tag_name(12), Some(&"head".into()));
    /// ```
    pub fn tag_name(&self, tag: usize) -> Option<&Name> {
        match self.place(tag)? {
            Place::Bone(bone) => self.skeleton.name(bone),
            Place::Attachment(attachment) => Some(&attachment.name),
            Place::Tag(tag) => Some(&tag.name),
        }
    }

    /// Returns the first tag with exactly this name, 0-based; case matters.
    ///
    /// `gettagindex` (builtin #451) returns this number plus 1. Attachments and tags without a name are not found.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.find_tag("hand_r"), Some(20));
    /// ```
    #[must_use]
    pub fn find_tag(&self, name: impl AsRef<[u8]>) -> Option<usize> {
        let name = name.as_ref();
        let attachments = self.attachments.iter().map(|a| &a.name);
        let mut others = attachments.chain(self.tags.iter().map(|t| &t.name));
        let mut other = || others.position(|other| !name.is_empty() && other.as_bytes() == name);
        self.skeleton.find(name).or_else(|| Some(self.skeleton.len() + other()?))
    }

    /// Returns the bone that a tag moves with: the parent of a bone, the bone of an attachment.
    ///
    /// `None` for root bones, for tags of vertex-animated models and past the last tag.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let hand = mannequin.find_tag("hand_r").ok_or("no hand")?;
    /// assert_eq!(mannequin.tag_parent(hand), mannequin.skeleton.find("forearm_r"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tag_parent(&self, tag: usize) -> Option<usize> {
        match self.place(tag)? {
            Place::Bone(bone) => self.skeleton.parent(bone),
            Place::Attachment(attachment) => Some(attachment.bone),
            Place::Tag(_) => None,
        }
    }

    /// Returns the meaning of a tag number; `None` past the last.
    pub(crate) fn place(&self, tag: usize) -> Option<Place<'_>> {
        let Some(after_bones) = tag.checked_sub(self.skeleton.len()) else { return Some(Place::Bone(tag)) };
        match after_bones.checked_sub(self.attachments.len()) {
            None => self.attachments.get(after_bones).map(Place::Attachment),
            Some(after_attachments) => self.tags.get(after_attachments).map(Place::Tag),
        }
    }
}
