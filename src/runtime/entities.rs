//! Operations on an engine's entities: tags, attachments, bones set in world space.

use super::{ModelId, Runtime, SkelId};
use crate::math::Mat3x4;
use crate::model::{FrameState, Model};
use crate::pose::{self, PoseSource};
use crate::skeleton::SkelError;

/// What an engine's entity is to a runtime, at the moment of a call.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EntityState {
    /// Model space to world space; see [`EntityTransform::to_world`](crate::math::EntityTransform::to_world).
    pub world: Mat3x4,
    /// Its model.
    pub model: Option<ModelId>,
    /// Its skeletal object; one that is gone counts as none.
    pub skeleton: Option<SkelId>,
    /// What it plays where no skeletal object poses it.
    pub frame: FrameState,
}

impl Runtime {
    /// How many entities [`tag_to_world`](Self::tag_to_world) follows an entity to that is attached to others (ruling 15).
    pub const MAX_ATTACHMENTS: usize = 10;

    /// Where a tag of an entity is, model space. Tags are the bones (0-based).
    ///
    /// The entity's skeletal object has the word, else its frame fields, else the bind pose. `None` where there is no
    /// such tag.
    pub fn tag(&self, entity: &EntityState, tag: usize) -> Option<Mat3x4> {
        if let Some(object) = entity.skeleton.and_then(|id| self.object(id)) {
            return object.model_space(tag);
        }
        framed_bone(self.model(entity.model?)?, &entity.frame, tag)
    }

    /// The same relative to the tag's parent, and the parent (0-based, `None` for a root).
    pub fn tag_relative(&self, entity: &EntityState, tag: usize) -> Option<(Mat3x4, Option<usize>)> {
        if let Some(object) = entity.skeleton.and_then(|id| self.object(id)) {
            return Some((object.relative(tag)?, object.bone_parent(tag)));
        }
        let model = self.model(entity.model?)?;
        Some((framed_relative(model, &entity.frame, tag)?, model.skeleton.parent(tag)))
    }

    /// Where a tag of an entity is in the world (builtin #452, gettaginfo).
    ///
    /// `links` begins with the entity and its tag; where the entity is attached to another (its `tag_entity`), that one
    /// and the tag it hangs on (its `tag_index`) follow, and so on: at most [`MAX_ATTACHMENTS`](Self::MAX_ATTACHMENTS)
    /// more, so that circles end. An attached entity's own transform counts from the tag. No tag, or one that is not
    /// there, is the entity itself.
    pub fn tag_to_world(&self, links: impl IntoIterator<Item = (EntityState, Option<usize>)>) -> Mat3x4 {
        let place = |(entity, tag): (EntityState, Option<usize>)| match tag.and_then(|tag| self.tag(&entity, tag)) {
            Some(tag) => entity.world * tag,
            None => entity.world,
        };
        let places = links.into_iter().take(1 + Self::MAX_ATTACHMENTS).map(place);
        places.reduce(|own, parent| parent * own).unwrap_or(Mat3x4::IDENTITY)
    }

    /// Puts a bone of an object to where `world` is in the world, the object's entity standing at `entity` (builtin #283,
    /// skel_set_bone_world).
    ///
    /// # Errors
    /// [`SkelError::NoSuchObject`], [`SkelError::NoSuchBone`]; [`SkelError::Singular`] where the entity or the bone's
    /// parent has no inverse, the bone is left alone then.
    pub fn set_bone_world(
        &mut self,
        id: SkelId,
        entity: &Mat3x4,
        bone: usize,
        world: &Mat3x4,
    ) -> Result<(), SkelError> {
        let object = self.object_mut(id).ok_or(SkelError::NoSuchObject)?;
        let to_model = entity.inverse().ok_or(SkelError::Singular)?;
        object.set_bone_model_space(bone, to_model * *world)
    }

    /// Copies bones from one object to another; see
    /// [`SkeletalObject::copy_bones`](crate::SkeletalObject::copy_bones). An object copied to itself stays as it is.
    ///
    /// # Errors
    /// [`SkelError::NoSuchObject`].
    pub fn copy_bones(
        &mut self,
        to: SkelId,
        from: SkelId,
        bones: std::ops::Range<usize>,
    ) -> Result<(), SkelError> {
        if to == from {
            return self.object(to).map(|_| ()).ok_or(SkelError::NoSuchObject);
        }
        let [to, from] = self.objects.get_disjoint_mut([to, from]).ok_or(SkelError::NoSuchObject)?;
        to.skeleton.copy_bones(&from.skeleton, bones);
        Ok(())
    }
}

/// A bone of a model in a frame state, model space.
fn framed_bone(model: &Model, frame: &FrameState, bone: usize) -> Option<Mat3x4> {
    let mut matrix = framed_relative(model, frame, bone)?;
    let mut at = bone;
    while let Some(parent) = model.skeleton.parent(at) {
        matrix = framed_relative(model, frame, parent)? * matrix;
        at = parent;
    }
    Some(matrix)
}

fn framed_relative(model: &Model, frame: &FrameState, bone: usize) -> Option<Mat3x4> {
    let mut matrix = [Mat3x4::IDENTITY];
    let written = pose::sample(PoseSource { model, frame }, bone..bone.saturating_add(1), &mut matrix);
    (written == 1).then_some(matrix[0])
}
