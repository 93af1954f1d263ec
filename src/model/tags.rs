//! Tags: places on a model, by name and number, that other models are attached to.

use super::{Model, Name};
use crate::math::Mat3x4;

/// A named place that moves with a vertex-animated model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tag {
    /// Its name: `tag_torso`, `tag_head`, `tag_weapon` in players.
    pub name: Name,
    /// Where it is in each frame; model space, columns forward, left and up as stored (also scaled).
    pub frames: Vec<Mat3x4>,
}

/// A place that hangs rigidly on a bone.
#[derive(Clone, PartialEq, Debug)]
pub struct Attachment {
    /// Its name; usually empty.
    pub name: Name,
    /// The bone, 0-based.
    pub bone: usize,
    /// From the attachment's space to the bone's.
    pub offset: Mat3x4,
}

/// What a tag number stands for.
pub(crate) enum Place<'a> {
    Bone(usize),
    Attachment(&'a Attachment),
    Tag(&'a Tag),
}

/// Tags are numbered from 0: bones first, then attachments, then the tags of vertex-animated models. Scripts count
/// from 1.
impl Model {
    /// Returns the number of tags.
    pub fn tag_count(&self) -> usize {
        self.skeleton.len() + self.attachments.len() + self.tags.len()
    }

    /// Returns the name of a tag; `None` past the last.
    pub fn tag_name(&self, tag: usize) -> Option<&Name> {
        match self.place(tag)? {
            Place::Bone(bone) => self.skeleton.name(bone),
            Place::Attachment(attachment) => Some(&attachment.name),
            Place::Tag(tag) => Some(&tag.name),
        }
    }

    /// Finds the first tag with exactly this name (builtin #451, `gettagindex`, less 1); case matters. Attachments without a
    /// name are not found.
    pub fn find_tag(&self, name: &[u8]) -> Option<usize> {
        let attachments = self.attachments.iter().map(|a| &a.name);
        let mut others = attachments.chain(self.tags.iter().map(|t| &t.name));
        let mut other = || others.position(|other| !name.is_empty() && other.as_bytes() == name);
        self.skeleton.find(name).or_else(|| Some(self.skeleton.len() + other()?))
    }

    /// Returns the bone that a tag hangs on: a bone's parent, an attachment's bone.
    pub fn tag_parent(&self, tag: usize) -> Option<usize> {
        match self.place(tag)? {
            Place::Bone(bone) => self.skeleton.parent(bone),
            Place::Attachment(attachment) => Some(attachment.bone),
            Place::Tag(_) => None,
        }
    }

    /// What a tag number stands for; `None` past the last.
    pub(crate) fn place(&self, tag: usize) -> Option<Place<'_>> {
        let Some(after_bones) = tag.checked_sub(self.skeleton.len()) else { return Some(Place::Bone(tag)) };
        match after_bones.checked_sub(self.attachments.len()) {
            None => self.attachments.get(after_bones).map(Place::Attachment),
            Some(after_attachments) => self.tags.get(after_attachments).map(Place::Tag),
        }
    }
}
