//! Operations on an engine's entities: tags, attachments, bones set in world space.

use super::{ModelId, Runtime, SkelId};
use crate::math::Mat3x4;
use crate::model::FrameState;
use crate::pose::{self, PoseSource};
use crate::skeleton::SkelError;

/// An engine's entity as a runtime sees it, at the moment of a call.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct EntityState {
    /// Matrix from model space to world space; see [`Settings::entity_matrix`](super::Settings::entity_matrix).
    pub world: Mat3x4,
    /// Model that the entity shows.
    pub model: Option<ModelId>,
    /// Skeletal object of the entity; an object that was deleted counts as none.
    pub skeleton: Option<SkelId>,
    /// Animations that the entity plays where no skeletal object poses it.
    pub frame: FrameState,
}

impl EntityState {
    /// Creates an entity that stands at `world` and shows nothing.
    #[must_use]
    pub fn new(world: Mat3x4) -> Self {
        Self { world, model: None, skeleton: None, frame: FrameState::default() }
    }

    /// Returns the entity with a model that plays `frame`.
    #[must_use]
    pub fn with_model(self, model: ModelId, frame: FrameState) -> Self {
        Self { model: Some(model), frame, ..self }
    }

    /// Returns the entity posed by a skeletal object.
    #[must_use]
    pub fn with_skeleton(self, skeleton: SkelId) -> Self {
        Self { skeleton: Some(skeleton), ..self }
    }
}

impl Runtime {
    /// Maximum number of attachments that [`tag_to_world`](Self::tag_to_world) follows from an entity (ruling 15).
    pub const MAX_ATTACHMENTS: usize = 10;

    /// Returns the matrix of an entity's tag, model space. Tags are numbered as in
    /// [`Model::tag_matrix`](crate::Model::tag_matrix): bones first, from 0.
    ///
    /// The entity's skeletal object takes precedence for bones and for the tags attached to them; its frame fields and the
    /// bind pose come next. `None` if there is no such tag.
    #[must_use]
    pub fn tag(&self, entity: &EntityState, tag: usize) -> Option<Mat3x4> {
        let model = entity.model.and_then(|id| self.model(id));
        if let Some(object) = entity.skeleton.and_then(|id| self.object(id)) {
            let bones = model.map_or(usize::MAX, |model| model.skeleton.len());
            let attachment = tag.checked_sub(bones).zip(model).map(|(number, model)| model.attachments.get(number));
            match attachment {
                None => return object.model_space(tag),
                Some(Some(attachment)) => return Some(object.model_space(attachment.bone)? * attachment.offset),
                Some(None) => {}
            }
        }
        model?.tag_matrix(tag, &entity.frame)
    }

    /// Returns the matrix of an entity's tag relative to its bone, and that bone (0-based, `None` for a root).
    #[must_use]
    pub fn tag_local(&self, entity: &EntityState, tag: usize) -> Option<(Mat3x4, Option<usize>)> {
        let model = self.model(entity.model?)?;
        let object = entity.skeleton.and_then(|id| self.object(id));
        let parent = model.tag_parent(tag);
        let relative = match object.filter(|_| tag < model.skeleton.len()) {
            Some(object) => object.local_space(tag)?,
            None => match tag.checked_sub(model.skeleton.len()) {
                Some(number) if number < model.attachments.len() => model.attachments[number].offset,
                Some(_) => model.tag_matrix(tag, &entity.frame)?,
                None if !entity.frame.is_finite() => return None,
                None => {
                    let mut matrix = [Mat3x4::IDENTITY];
                    pose::sample(PoseSource { model, frame: &entity.frame }, tag..tag + 1, &mut matrix);
                    matrix[0]
                }
            },
        };
        Some((relative, parent))
    }

    /// Returns the matrix of an entity's tag in world space (builtin #452, gettaginfo).
    ///
    /// `links` begins with the entity and its tag. If the entity is attached to another one (its `tag_entity`), that entity
    /// and the tag of the attachment (its `tag_index`) follow, and so on: at most [`MAX_ATTACHMENTS`](Self::MAX_ATTACHMENTS)
    /// more, so that circular attachments end. The transform of an attached entity is relative to the tag. Without a tag, or
    /// with one that does not exist, the result is the place of the entity itself.
    #[must_use]
    pub fn tag_to_world(&self, links: impl IntoIterator<Item = (EntityState, Option<usize>)>) -> Mat3x4 {
        let place = |(entity, tag): (EntityState, Option<usize>)| match tag.and_then(|tag| self.tag(&entity, tag)) {
            Some(tag) => entity.world * tag,
            None => entity.world,
        };
        let places = links.into_iter().take(1 + Self::MAX_ATTACHMENTS).map(place);
        places.reduce(|own, parent| parent * own).unwrap_or(Mat3x4::IDENTITY)
    }

    /// Sets a bone of an object from its matrix in world space; `entity` is the matrix of the object's entity (builtin #283,
    /// skel_set_bone_world).
    ///
    /// # Errors
    /// [`SkelError::NoSuchObject`], [`SkelError::NoSuchBone`]; [`SkelError::Singular`] if the entity or the bone's parent
    /// has no inverse; the bone is unchanged then.
    pub fn set_bone_world(
        &mut self,
        id: SkelId,
        entity: &Mat3x4,
        bone: usize,
        world: &Mat3x4,
    ) -> Result<(), SkelError> {
        self.object_mut(id).ok_or(SkelError::NoSuchObject)?.set_bone_world(bone, entity, world)
    }

    /// Copies bones from one object to another; see [`SkeletalObject::copy_bones`](crate::SkeletalObject::copy_bones).
    /// Copying an object to itself has no effect.
    ///
    /// # Errors
    /// [`SkelError::NoSuchObject`].
    pub fn copy_bones(&mut self, to: SkelId, from: SkelId, bones: std::ops::Range<usize>) -> Result<(), SkelError> {
        if to == from {
            return self.object(to).map(|_| ()).ok_or(SkelError::NoSuchObject);
        }
        let [to, from] = self.objects.get_two_mut([to, from]).ok_or(SkelError::NoSuchObject)?;
        to.skeleton.copy_bones(&from.skeleton, bones);
        Ok(())
    }
}
