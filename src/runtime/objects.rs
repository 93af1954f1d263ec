//! Creating, posing and deleting skeletal objects.

use super::{LoadedModel, ModelId, Object, Runtime, SkelId};
use crate::limits::{LimitExceeded, Limits};
use crate::math::Mat3x4;
use crate::model::FrameState;
use crate::skeleton::{Build, SkelError, SkeletalObject, Space};

impl Object {
    /// Bones that a body counts as in the budget: its memory in rapier.
    #[cfg(feature = "ragdoll")]
    pub(super) const BODY_COST: usize = 32;

    /// Counts the object's bones and bodies anew, in what all objects count as.
    #[cfg(any(feature = "ragdoll", feature = "serde"))]
    pub(super) fn recount(&mut self, total: &mut usize) {
        #[cfg(feature = "ragdoll")]
        let bodies = Self::BODY_COST * self.ragdoll.as_ref().map_or(0, |ragdoll| ragdoll.doll().bodies.len());
        #[cfg(not(feature = "ragdoll"))]
        let bodies = 0;
        *total -= self.cost;
        self.cost = self.skeleton.bone_count() + bodies;
        *total += self.cost;
    }
}

impl Runtime {
    /// Creates a skeletal object for a model; its bones are zero until built (builtin #263, skel_create).
    ///
    /// # Errors
    /// [`SkelError::NoSuchModel`], [`SkelError::NoBones`], [`SkelError::TooManyObjects`] with 16,383 alive, or
    /// [`SkelError::LimitExceeded`] beyond [`Settings::max_bones`](super::Settings::max_bones).
    pub fn create_skeleton(&mut self, model: ModelId, space: Space) -> Result<SkelId, SkelError> {
        let loaded = self.models.get(model).ok_or(SkelError::NoSuchModel)?;
        if loaded.model.skeleton.is_empty() {
            return Err(SkelError::NoBones);
        }
        if self.objects.room() == 0 {
            return Err(SkelError::TooManyObjects);
        }
        let bones = loaded.model.skeleton.len();
        self.check_room(bones).map_err(SkelError::LimitExceeded)?;
        let object = Object {
            skeleton: SkeletalObject::new(loaded.model.clone(), space),
            model,
            user_data: 0,
            pending_delete: false,
            cost: bones,
            #[cfg(feature = "ragdoll")]
            ragdoll: None,
        };
        let id = self.objects.insert(object).ok_or(SkelError::TooManyObjects)?;
        self.cost += bones;
        Ok(id)
    }

    /// Checks that objects may count as so many bones more than they do.
    pub(super) fn check_room(&self, more: usize) -> Result<(), LimitExceeded> {
        Limits::check("bones of objects", self.cost + more, self.settings.max_bones)
    }

    /// Deletes a skeletal object at the end of the frame: every call still reaches it until [`step`](Self::step) or
    /// [`flush_deleted`](Self::flush_deleted), and none after (builtin #275, skel_delete). Returns whether the object
    /// exists; deleting it twice is harmless.
    ///
    /// ```
    /// # use skelobj::{Model, Runtime, assets, skeleton::Space};
    /// # let mut runtime = Runtime::default();
    /// # let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// # let model = runtime.add_model("mannequin.iqm", model)?;
    /// let skel = runtime.create_skeleton(model, Space::Local)?;
    /// assert!(runtime.delete(skel));
    /// assert!(runtime.object(skel).is_some()); // this frame's code may still use it
    /// runtime.step(1.0 / 60.0);
    /// assert!(runtime.object(skel).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn delete(&mut self, id: SkelId) -> bool {
        let Some(object) = self.objects.get_mut(id) else { return false };
        if !object.pending_delete {
            object.pending_delete = true;
            self.pending_delete.push(id);
        }
        true
    }

    /// Returns a skeletal object.
    #[inline]
    #[must_use]
    pub fn object(&self, id: SkelId) -> Option<&SkeletalObject> {
        self.objects.get(id).map(|object| &object.skeleton)
    }

    /// Returns a mutable reference to a skeletal object.
    #[inline]
    #[must_use]
    pub fn object_mut(&mut self, id: SkelId) -> Option<&mut SkeletalObject> {
        self.objects.get_mut(id).map(|object| &mut object.skeleton)
    }

    /// Returns an iterator over all skeletal objects and their ids.
    pub fn objects(&self) -> impl Iterator<Item = (SkelId, &SkeletalObject)> {
        self.objects.iter().map(|(id, object)| (id, &object.skeleton))
    }

    /// Returns the id of the model that an object was made from, also if that model was [removed](Self::remove_model).
    #[must_use]
    pub fn model_of(&self, id: SkelId) -> Option<ModelId> {
        self.objects.get(id).map(|object| object.model)
    }

    /// Returns the user data of an object: 0 until [`set_user_data`](Self::set_user_data), `None` if there is no such
    /// object.
    #[must_use]
    pub fn user_data(&self, id: SkelId) -> Option<u64> {
        self.objects.get(id).map(|object| object.user_data)
    }

    /// Sets the user data of an object, such as the number of its entity; snapshots keep it. Returns whether the object
    /// exists.
    ///
    /// ```
    /// # use skelobj::{Model, Runtime, assets, skeleton::Space};
    /// # let mut runtime = Runtime::default();
    /// # let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// # let model = runtime.add_model("mannequin.iqm", model)?;
    /// # let skel = runtime.create_skeleton(model, Space::Local)?;
    /// let entity_number = 17;
    /// runtime.set_user_data(skel, entity_number);
    /// assert_eq!(runtime.user_data(skel), Some(17));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_user_data(&mut self, id: SkelId, user_data: u64) -> bool {
        let object = self.objects.get_mut(id);
        object.map(|object| object.user_data = user_data).is_some()
    }

    /// Returns an object to edit, and the model to edit it from.
    #[inline]
    pub(crate) fn object_and_model(
        &mut self,
        id: SkelId,
        model: ModelId,
    ) -> Result<(&mut SkeletalObject, &LoadedModel), SkelError> {
        let model = self.models.get(model).ok_or(SkelError::NoSuchModel)?;
        let object = self.objects.get_mut(id).ok_or(SkelError::NoSuchObject)?;
        Ok((&mut object.skeleton, model))
    }

    /// Blends a pose from the animations of `source` into an object (builtin #264, skel_build); see
    /// [`SkeletalObject::build`].
    ///
    /// # Errors
    /// [`SkelError`]; the object is unchanged then.
    #[inline]
    pub fn build(&mut self, id: SkelId, source: ModelId, frame: &FrameState, build: &Build) -> Result<(), SkelError> {
        let (object, source) = self.object_and_model(id, source)?;
        object.build(&source.model, frame, build)
    }

    /// Blends a pose into an object with DarkPlaces' rules; see [`SkeletalObject::build_normalized`].
    ///
    /// # Errors
    /// [`SkelError`]; the object is unchanged then.
    pub fn build_normalized(
        &mut self,
        id: SkelId,
        source: ModelId,
        frame: &FrameState,
        build: &Build,
    ) -> Result<(), SkelError> {
        let (object, source) = self.object_and_model(id, source)?;
        object.build_normalized(&source.model, frame, build)
    }

    /// Writes the skinning palette of an object for a renderer, as many bones as `out` has room for.
    ///
    /// # Errors
    /// [`SkelError::NoSuchObject`].
    pub fn write_palette(&self, id: SkelId, out: &mut [Mat3x4]) -> Result<(), SkelError> {
        self.object(id).ok_or(SkelError::NoSuchObject)?.write_palette(out);
        Ok(())
    }
}
