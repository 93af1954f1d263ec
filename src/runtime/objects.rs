//! Making, posing and deleting skeletal objects.

use super::{LoadedModel, ModelId, Object, Runtime, SkelId};
use crate::math::Mat3x4;
use crate::model::FrameState;
use crate::skeleton::{Build, SkelError, SkeletalObject, Space};

impl Runtime {
    /// Creates a skeletal object for a model, its bones zero until built (builtin #263, skel_create).
    ///
    /// # Errors
    /// [`SkelError::NoSuchModel`], [`SkelError::NoBones`], or [`SkelError::TooManyObjects`] with 16,383 alive.
    pub fn create_skeleton(&mut self, model: ModelId, space: Space) -> Result<SkelId, SkelError> {
        let loaded = self.models.get(model).ok_or(SkelError::NoSuchModel)?;
        if loaded.model.skeleton.is_empty() {
            return Err(SkelError::NoBones);
        }
        if !self.handles.has_room() {
            return Err(SkelError::TooManyObjects);
        }
        let skeleton = SkeletalObject::new(loaded.model.clone(), space);
        let id = self.ids.insert();
        let object = Object {
            skeleton,
            model,
            handle: self.handles.insert(id).ok_or(SkelError::TooManyObjects)?,
            doomed: false,
            #[cfg(feature = "ragdoll")]
            ragdoll: None,
        };
        self.objects.insert(id, object);
        Ok(id)
    }

    /// Deletes a skeletal object at the end of the frame: every call still reaches it until
    /// [`end_frame`](Self::end_frame), and none after (builtin #275, skel_delete). Returns whether it was there;
    /// deleting twice is harmless.
    pub fn delete(&mut self, id: SkelId) -> bool {
        let Some(object) = self.objects.get_mut(id) else { return false };
        if !object.doomed {
            object.doomed = true;
            self.doomed.push(id);
        }
        true
    }

    /// Ends a frame: what was deleted in it is gone, ragdoll and all.
    pub fn end_frame(&mut self) {
        for id in std::mem::take(&mut self.doomed) {
            let Some(object) = self.objects.remove(id) else { continue };
            self.ids.remove(id);
            self.handles.remove(object.handle);
            #[cfg(feature = "ragdoll")]
            if let Some(ragdoll) = object.ragdoll {
                ragdoll.remove(&mut self.physics);
            }
        }
    }

    /// A skeletal object, to read.
    #[inline]
    pub fn object(&self, id: SkelId) -> Option<&SkeletalObject> {
        self.objects.get(id).map(|object| &object.skeleton)
    }

    /// A skeletal object, to edit.
    #[inline]
    pub fn object_mut(&mut self, id: SkelId) -> Option<&mut SkeletalObject> {
        self.objects.get_mut(id).map(|object| &mut object.skeleton)
    }

    /// All skeletal objects.
    pub fn objects(&self) -> impl Iterator<Item = (SkelId, &SkeletalObject)> {
        self.objects.iter().map(|(id, object)| (id, &object.skeleton))
    }

    /// The integer by which scripts know an object: positive, below 2^24, exact in an f32, and never that of a newer
    /// object within 8 million creations.
    #[inline]
    pub fn handle(&self, id: SkelId) -> Option<u32> {
        self.objects.get(id).map(|object| object.handle)
    }

    /// The object that scripts know by this integer.
    #[inline]
    pub fn object_by_handle(&self, handle: u32) -> Option<SkelId> {
        self.handles.get(handle)
    }

    /// An object to edit, and the model to edit it from.
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

    /// Mixes a pose from `source`'s animations into an object (builtin #264, skel_build); see
    /// [`SkeletalObject::build`].
    ///
    /// # Errors
    /// [`SkelError`]; the object is unchanged then.
    pub fn build(&mut self, id: SkelId, source: ModelId, frame: &FrameState, build: &Build) -> Result<(), SkelError> {
        let (object, source) = self.object_and_model(id, source)?;
        object.build(&source.model, frame, build)
    }

    /// The same as DarkPlaces mixes; see [`SkeletalObject::build_normalized`].
    ///
    /// # Errors
    /// As [`build`](Self::build).
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

    /// The skinning palette of an object for a renderer; writes as many bones as `out` has room for.
    ///
    /// # Errors
    /// [`SkelError::NoSuchObject`].
    pub fn write_palette(&self, id: SkelId, out: &mut [Mat3x4]) -> Result<(), SkelError> {
        self.object(id).ok_or(SkelError::NoSuchObject)?.write_palette(out);
        Ok(())
    }
}
