//! Operations on entities of an engine: tags, attachments, bones set in world space.

use super::{ModelId, ObjectId, Runtime};
use crate::math::Mat3x4;
use crate::model::FrameState;
use crate::object::ObjectError;
use crate::pose::{self, PoseSource};

/// State of an entity of the engine at the moment of a call: its place, its model and its pose.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::model::FrameState;
/// use skelobj::runtime::EntityState;
/// let (runtime, object) = skelobj::assets::mannequin_runtime();
/// let model = runtime.model_by_name("mannequin.iqm").unwrap();
/// let player = EntityState::new(Mat3x4::from_translation(Vec3::new(100.0, 0.0, 24.0)))
///     .with_model(model, FrameState::single(1, 0.5)) // what it plays without a skeletal object
///     .with_object(object); // and the object that poses it
/// let head = runtime.tag_to_world([(player, Some(12))]);
/// assert!((head.origin() - Vec3::new(100.0, 0.0, 80.0)).length() < 4.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct EntityState {
    /// Matrix from model space to world space; see [`Settings::entity_matrix`](super::Settings::entity_matrix).
    pub world: Mat3x4,
    /// Model that the entity shows.
    pub model: Option<ModelId>,
    /// Skeletal object that poses the entity. An object that does not exist is ignored.
    pub object: Option<ObjectId>,
    /// Animations that the entity plays if no skeletal object poses it.
    pub frame: FrameState,
}

impl EntityState {
    /// Creates an entity without a model; `world` is its matrix from model space to world space.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::runtime::EntityState;
    /// let (runtime, _) = skelobj::assets::mannequin_runtime();
    /// let crate_lid = EntityState::new(Mat3x4::from_translation(Vec3::Z * 32.0));
    /// assert_eq!(runtime.tag_to_world([(crate_lid, None)]).origin().z, 32.0);
    /// ```
    #[must_use]
    pub fn new(world: Mat3x4) -> Self {
        Self { world, model: None, object: None, frame: FrameState::default() }
    }

    /// Returns the entity with a model that plays `frame`.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::model::FrameState;
    /// use skelobj::runtime::EntityState;
    /// let (runtime, _) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let walker = EntityState::new(Mat3x4::IDENTITY).with_model(model, FrameState::single(1, 0.25));
    /// assert!(runtime.tag(&walker, 12).is_some()); // the head, without any skeletal object
    /// ```
    #[must_use]
    pub fn with_model(self, model: ModelId, frame: FrameState) -> Self {
        Self { model: Some(model), frame, ..self }
    }

    /// Returns the entity posed by a skeletal object.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::runtime::EntityState;
    /// let (runtime, object) = skelobj::assets::mannequin_runtime();
    /// let corpse = EntityState::new(Mat3x4::IDENTITY).with_object(object);
    /// assert_eq!(runtime.tag(&corpse, 12), runtime.object(object).unwrap().model_space(12));
    /// ```
    #[must_use]
    pub fn with_object(self, object: ObjectId) -> Self {
        Self { object: Some(object), ..self }
    }
}

impl Runtime {
    /// Maximum number of attachments that [`tag_to_world`](Self::tag_to_world) follows from an entity (difference 15).
    pub const MAX_ATTACHMENTS: usize = 10;

    /// Returns the matrix of an entity's tag in model space; `None` if the entity has no such tag.
    ///
    /// Tags are numbered as in [`Model::tag_matrix`](crate::Model::tag_matrix): bones first, from 0. Bones and the tags
    /// attached to them are posed by the skeletal object if the entity has one, else by its
    /// [`frame`](EntityState::frame).
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::model::FrameState;
    /// use skelobj::runtime::EntityState;
    /// let (runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let player = EntityState::new(Mat3x4::IDENTITY).with_model(model, FrameState::default()).with_object(object);
    /// let hand = runtime.model(model).and_then(|model| model.find_tag("hand_r")).unwrap();
    /// assert_eq!(runtime.tag(&player, hand), runtime.object(object).unwrap().model_space(hand));
    /// ```
    #[must_use]
    pub fn tag(&self, entity: &EntityState, tag: usize) -> Option<Mat3x4> {
        let model = entity.model.and_then(|id| self.model(id));
        if let Some(object) = entity.object.and_then(|id| self.object(id)) {
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
    ///
    /// `None` if the entity has no such tag.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::model::FrameState;
    /// use skelobj::runtime::EntityState;
    /// let (runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let player = EntityState::new(Mat3x4::IDENTITY).with_model(model, FrameState::default()).with_object(object);
    /// let (hand, forearm) = runtime.tag_local(&player, 20).unwrap();
    /// assert_eq!(forearm, Some(19));
    /// assert!((hand.origin().length() - 9.5).abs() < 0.1); // the length of the forearm
    /// ```
    #[must_use]
    pub fn tag_local(&self, entity: &EntityState, tag: usize) -> Option<(Mat3x4, Option<usize>)> {
        let model = self.model(entity.model?)?;
        let object = entity.object.and_then(|id| self.object(id));
        let parent = model.tag_parent(tag);
        let relative = match object.filter(|_| tag < model.skeleton.len()) {
            Some(object) => object.local_space(tag)?,
            None => match tag.checked_sub(model.skeleton.len()) {
                Some(number) if number < model.attachments.len() => model.attachments[number].offset,
                Some(_) => model.tag_matrix(tag, &entity.frame)?,
                None if !skelobj_model::internal::is_finite_frame(&entity.frame) => return None,
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
    /// `links` begins with the entity and its tag. If the entity is attached to another one (its `tag_entity`), that
    /// entity and the tag of the attachment (its `tag_index`) follow, and so on, for at most
    /// [`MAX_ATTACHMENTS`](Self::MAX_ATTACHMENTS) attachments, so that cycles terminate. The matrix of an attached
    /// entity is relative to the tag. If a tag is `None` or does not exist, the matrix of its entity is used instead.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::model::FrameState;
    /// use skelobj::runtime::EntityState;
    /// let (runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let player = EntityState::new(Mat3x4::from_translation(Vec3::new(100.0, 0.0, 24.0)))
    ///     .with_model(model, FrameState::default())
    ///     .with_object(object);
    /// let rifle = EntityState::new(Mat3x4::IDENTITY); // its matrix is relative to the tag
    /// let right_hand = 20;
    /// let at = runtime.tag_to_world([(rifle, None), (player, Some(right_hand))]);
    /// assert_eq!(at, runtime.tag_to_world([(player, Some(right_hand))]));
    /// ```
    #[must_use]
    pub fn tag_to_world(&self, links: impl IntoIterator<Item = (EntityState, Option<usize>)>) -> Mat3x4 {
        let place = |(entity, tag): (EntityState, Option<usize>)| match tag.and_then(|tag| self.tag(&entity, tag)) {
            Some(tag) => entity.world * tag,
            None => entity.world,
        };
        let places = links.into_iter().take(1 + Self::MAX_ATTACHMENTS).map(place);
        places.reduce(|own, parent| parent * own).unwrap_or(Mat3x4::IDENTITY)
    }

    /// Sets a bone (0-based) of an object from its matrix in world space (builtin #283, skel_set_bone_world).
    ///
    /// `entity` is the matrix of the object's entity, model space to world space.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::runtime::EntityState;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let entity = Mat3x4::from_translation(Vec3::new(500.0, 0.0, 24.0));
    /// let lever = Mat3x4::from_translation(Vec3::new(515.0, 10.0, 70.0));
    /// runtime.set_bone_world(object, &entity, 16, &lever)?; // the left hand
    /// let player = EntityState::new(entity).with_object(object);
    /// assert!((runtime.tag_to_world([(player, Some(16))]).origin() - lever.origin()).length() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchObject`], [`ObjectError::NoSuchBone`]; [`ObjectError::Singular`] if the entity or the
    /// bone's parent has no inverse; [`ObjectError::TooLarge`] if a number of the result is non-finite or beyond 1e30.
    /// The bone is unchanged.
    pub fn set_bone_world(
        &mut self,
        id: ObjectId,
        entity: &Mat3x4,
        bone: usize,
        world: &Mat3x4,
    ) -> Result<(), ObjectError> {
        self.object_mut(id).ok_or(ObjectError::NoSuchObject)?.set_bone_world(bone, entity, world)
    }

    /// Copies a range of bones (0-based, the end excluded) from one object to another (builtin #274, skel_copybones).
    ///
    /// [`SkeletalObject::copy_bones`](crate::SkeletalObject::copy_bones) explains how objects of different spaces are
    /// copied. Copying an object to itself has no effect.
    ///
    /// ```
    /// use skelobj::object::Space;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let shown = runtime.create_object(model, Space::Model)?;
    /// runtime.copy_bones(shown, object, 0..usize::MAX)?;
    /// let heads = [object, shown].map(|object| runtime.object(object).unwrap().model_space(12).unwrap().origin());
    /// assert!((heads[0] - heads[1]).length() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchObject`] if either object does not exist.
    pub fn copy_bones(
        &mut self,
        to: ObjectId,
        from: ObjectId,
        bones: std::ops::Range<usize>,
    ) -> Result<(), ObjectError> {
        if to == from {
            return self.object(to).map(|_| ()).ok_or(ObjectError::NoSuchObject);
        }
        let [to, from] = self.objects.get_two_mut([to, from]).ok_or(ObjectError::NoSuchObject)?;
        to.skeletal.copy_bones(&from.skeletal, bones);
        Ok(())
    }

    /// Copies the places of bones in model space from one object to another, by name; returns the number of bones
    /// copied.
    ///
    /// [`SkeletalObject::copy_bones_by_name`](crate::SkeletalObject::copy_bones_by_name) documents the rules. Copying
    /// an object to itself copies nothing.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::object::Space;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let shown = runtime.create_object(model, Space::Local)?;
    /// runtime.copy_bones(shown, object, 0..1)?;
    /// assert_eq!(runtime.copy_bones_by_name(shown, object, &Mat3x4::IDENTITY)?, 21);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchObject`] if either object does not exist; [`ObjectError::NotBuilt`] if one was never built.
    pub fn copy_bones_by_name(&mut self, to: ObjectId, from: ObjectId, to_own: &Mat3x4) -> Result<usize, ObjectError> {
        if to == from {
            return self.object(to).map(|_| 0).ok_or(ObjectError::NoSuchObject);
        }
        let [to, from] = self.objects.get_two_mut([to, from]).ok_or(ObjectError::NoSuchObject)?;
        to.skeletal.copy_bones_by_name(&from.skeletal, to_own)
    }
}
