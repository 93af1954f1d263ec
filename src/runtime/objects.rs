//! Skeletal objects of a runtime: creating, posing and deleting them.

use std::sync::OnceLock;

use skelobj_model::internal;

use super::{LoadedModel, ModelId, Object, ObjectId, Runtime};
use crate::math::{Mat3x4, Vec3};
use crate::model::FrameState;
use crate::object::{Build, ObjectError, SkeletalObject, Space};
use crate::physics::CollisionGroups;
use crate::pose::{Feet, Ground, RootMotion};
use crate::{Limit, LimitExceeded};

impl Object {
    /// Cost of a body's memory in rapier, bones.
    pub(super) const BODY_COST: usize = 32;

    /// Computes the cost of the object again and corrects the total of all objects.
    pub(super) fn recount(&mut self, total: &mut usize) {
        let bodies = Self::BODY_COST * self.ragdoll.as_ref().map_or(0, |ragdoll| ragdoll.doll().bodies.len());
        *total -= self.cost;
        self.cost = self.skeletal.bone_count() + bodies;
        *total += self.cost;
    }
}

impl Runtime {
    /// Creates a skeletal object for a model; its bones are zero until built (builtin #263, skel_create).
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::{Build, Space};
    /// let (mut runtime, _) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let object = runtime.create_object(model, Space::Local)?;
    /// assert!(!runtime.object(object).unwrap().is_built());
    /// runtime.build(object, model, &FrameState::single(1, 0.5), &Build::REPLACE)?;
    /// assert!(runtime.object(object).unwrap().is_built());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchModel`]; [`ObjectError::NoBones`] if the model has no bones;
    /// [`ObjectError::TooManyObjects`] if 16,383 objects exist; [`ObjectError::LimitExceeded`] beyond
    /// [`Settings::max_bones`](super::Settings::max_bones).
    pub fn create_object(&mut self, model: ModelId, space: Space) -> Result<ObjectId, ObjectError> {
        let loaded = self.models.get(model).ok_or(ObjectError::NoSuchModel)?;
        if loaded.model.skeleton.is_empty() {
            return Err(ObjectError::NoBones);
        }
        if self.objects.room() == 0 {
            return Err(ObjectError::TooManyObjects);
        }
        let bones = loaded.model.skeleton.len();
        self.check_room(bones).map_err(ObjectError::LimitExceeded)?;
        let object = Object {
            skeletal: SkeletalObject::new(loaded.model.clone(), space),
            model,
            user_data: 0,
            pending_delete: false,
            doublings: OnceLock::new(),
            cost: bones,
            ragdoll: None,
        };
        let id = self.objects.insert(object).ok_or(ObjectError::TooManyObjects)?;
        self.cost += bones;
        Ok(id)
    }

    /// Checks that the budget of bones has room for `more` bones.
    pub(super) fn check_room(&self, more: usize) -> Result<(), LimitExceeded> {
        internal::check_limit(Limit::ObjectBones, self.cost + more, self.settings.max_bones)
    }

    /// Deletes a skeletal object at the end of the frame (builtin #275, skel_delete).
    ///
    /// Every call still reaches the object until [`step`](Self::step) or [`flush_deleted`](Self::flush_deleted) frees
    /// it. Deleting it twice has no further effect.
    ///
    /// # Errors
    /// [`ObjectError::NoSuchObject`].
    ///
    /// ```
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.delete_object(object)?;
    /// assert!(runtime.object(object).is_some()); // this frame's code may still use it
    /// runtime.step(1.0 / 60.0)?;
    /// assert!(runtime.object(object).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn delete_object(&mut self, id: ObjectId) -> Result<(), ObjectError> {
        let object = self.objects.get_mut(id).ok_or(ObjectError::NoSuchObject)?;
        if !object.pending_delete {
            object.pending_delete = true;
            self.pending_delete.push(id);
        }
        Ok(())
    }

    /// Returns `true` for an object that was deleted in this frame.
    #[cfg(feature = "qcvm")]
    pub(crate) fn is_pending_delete(&self, id: ObjectId) -> bool {
        self.objects.get(id).is_some_and(|object| object.pending_delete)
    }

    /// Returns a skeletal object to read; `None` if no object has this id.
    ///
    /// ```
    /// let (runtime, id) = skelobj::assets::mannequin_runtime();
    /// let object = runtime.object(id).unwrap();
    /// let head = object.find_bone("head").and_then(|bone| object.model_space(bone)).unwrap();
    /// assert!(head.origin().z > 50.0);
    /// ```
    #[inline]
    #[must_use]
    pub fn object(&self, id: ObjectId) -> Option<&SkeletalObject> {
        self.objects.get(id).map(|object| &object.skeletal)
    }

    /// Returns a skeletal object to edit; `None` if no object has this id.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// let (mut runtime, id) = skelobj::assets::mannequin_runtime();
    /// let look_left = Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.6), Vec3::ZERO);
    /// let object = runtime.object_mut(id).unwrap();
    /// object.post_mul_bone(12, look_left)?; // the head
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut SkeletalObject> {
        self.objects.get_mut(id).map(|object| &mut object.skeletal)
    }

    /// Returns an iterator over all skeletal objects and their ids.
    ///
    /// ```
    /// let (runtime, _) = skelobj::assets::mannequin_runtime();
    /// let unbuilt = runtime.objects().filter(|(_, object)| !object.is_built()).count();
    /// assert_eq!((runtime.objects().count(), unbuilt), (1, 0));
    /// ```
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &SkeletalObject)> {
        self.objects.iter().map(|(id, object)| (id, &object.skeletal))
    }

    /// Returns the id of the model that an object was created for, even if that model was
    /// [removed](Self::remove_model).
    ///
    /// ```
    /// let (runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// assert_eq!(runtime.model_of(object), Some(model));
    /// ```
    #[must_use]
    pub fn model_of(&self, id: ObjectId) -> Option<ModelId> {
        self.objects.get(id).map(|object| object.model)
    }

    /// Returns the user data of an object, which is 0 until [`set_user_data`](Self::set_user_data).
    ///
    /// `None` if no object has this id.
    ///
    /// ```
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// assert_eq!(runtime.user_data(object), Some(0));
    /// runtime.set_user_data(object, 17)?; // the number of its entity
    /// assert_eq!(runtime.user_data(object), Some(17));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn user_data(&self, id: ObjectId) -> Option<u64> {
        self.objects.get(id).map(|object| object.user_data)
    }

    /// Sets the user data of an object, such as the number of its entity. Snapshots keep the user data.
    ///
    /// ```
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let entity_number = 17;
    /// runtime.set_user_data(object, entity_number)?;
    /// assert_eq!(runtime.user_data(object), Some(17));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchObject`] if no object has this id.
    pub fn set_user_data(&mut self, id: ObjectId, user_data: u64) -> Result<(), ObjectError> {
        self.objects.get_mut(id).ok_or(ObjectError::NoSuchObject)?.user_data = user_data;
        Ok(())
    }

    /// Returns an object to edit and a model to edit it from.
    #[inline]
    pub(crate) fn object_and_model(
        &mut self,
        id: ObjectId,
        model: ModelId,
    ) -> Result<(&mut SkeletalObject, &LoadedModel), ObjectError> {
        let model = self.models.get(model).ok_or(ObjectError::NoSuchModel)?;
        let object = self.objects.get_mut(id).ok_or(ObjectError::NoSuchObject)?;
        Ok((&mut object.skeletal, model))
    }

    /// Blends a pose from the animations of `source` into an object (builtin #264, skel_build).
    ///
    /// [`SkeletalObject::build`] documents the rules. `source` is usually the object's own model.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let walk = runtime.model(model).unwrap().find_animation("walk").unwrap();
    /// runtime.build(object, model, &FrameState::single(walk, 0.5), &Build::REPLACE)?;
    /// let aim = FrameState::single(0, 0.5);
    /// runtime.build(object, model, &aim, &Build::REPLACE.with_bones(9..21))?; // the upper body idles
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchObject`], [`ObjectError::NoSuchModel`], and the errors of [`SkeletalObject::build`]. The
    /// object is unchanged.
    #[inline(always)]
    pub fn build(
        &mut self,
        id: ObjectId,
        source: ModelId,
        frame: &FrameState,
        build: &Build,
    ) -> Result<(), ObjectError> {
        let (object, source) = self.object_and_model(id, source)?;
        internal::build_shared(object, &source.model, frame, build)
    }

    /// Blends a pose from the animations of `source` into an object with DarkPlaces' rules; see
    /// [`SkeletalObject::build_normalized`].
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// runtime.build_normalized(object, model, &FrameState::single(2, 0.31), &Build::REPLACE)?;
    /// let head = runtime.object(object).unwrap().local_space(12).unwrap();
    /// assert!((head.up().length() - 1.0).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchObject`], [`ObjectError::NoSuchModel`], and the errors of [`SkeletalObject::build`]. The
    /// object is unchanged.
    pub fn build_normalized(
        &mut self,
        id: ObjectId,
        source: ModelId,
        frame: &FrameState,
        build: &Build,
    ) -> Result<(), ObjectError> {
        let (object, source) = self.object_and_model(id, source)?;
        object.build_normalized(&source.model, frame, build)
    }

    /// Adds the difference of a pose of `source` to a reference to an object's pose.
    ///
    /// [`SkeletalObject::add_pose`] documents the rules.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let [frame, first] = [0.3, 0.0].map(|time| FrameState::single(3, time)); // death
    /// runtime.add_pose(object, model, &frame, Some(&first), 0.5)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchObject`], [`ObjectError::NoSuchModel`], and the errors of [`SkeletalObject::add_pose`]. The
    /// object is unchanged.
    pub fn add_pose(
        &mut self,
        id: ObjectId,
        source: ModelId,
        frame: &FrameState,
        reference: Option<&FrameState>,
        weight: f32,
    ) -> Result<(), ObjectError> {
        let (object, source) = self.object_and_model(id, source)?;
        object.add_pose(&source.model, frame, reference, weight)
    }

    /// Takes the motion of a root bone out of an object's pose, which was built of a frame state of `source`.
    ///
    /// [`SkeletalObject::take_motion`] documents the rules.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::pose::RootMotion;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let root = RootMotion::parse(&runtime.model(model).unwrap().skeleton, "pelvis")?; // once for a model
    /// runtime.take_motion(object, &root, model, &FrameState::single(0, 0.0))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchObject`], [`ObjectError::NoSuchModel`], and the errors of [`SkeletalObject::take_motion`].
    /// The object is unchanged.
    pub fn take_motion(
        &mut self,
        id: ObjectId,
        root: &RootMotion,
        source: ModelId,
        frame: &FrameState,
    ) -> Result<(), ObjectError> {
        let (object, source) = self.object_and_model(id, source)?;
        object.take_motion(root, &source.model, frame)
    }

    /// Places the feet of an object on the level, for a frame of some seconds.
    ///
    /// `entity` is the matrix of the entity, model space to world space. Feet stand on the level, doors and lifts, but
    /// not on ragdolls and boxes of entities. [`SkeletalObject::place_feet`] takes traces of the host instead.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// use skelobj::pose::Feet;
    /// let (mut runtime, id) = skelobj::assets::mannequin_runtime(); // on a floor
    /// runtime.physics_mut().add_box(Vec3::new(0.0, 40.0, 4.0), Vec3::new(80.0, 80.0, 8.0), Quat::IDENTITY)?;
    /// let model = runtime.model_by_name("mannequin.iqm").ok_or("no model")?;
    /// let skeleton = &runtime.model(model).ok_or("no model")?.skeleton;
    /// let legs = "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r";
    /// let feet = Feet::parse(skeleton, legs)?; // once for a model
    /// runtime.place_feet(id, &feet, &Mat3x4::from_translation(Vec3::Z * 8.0), 1.0 / 60.0)?;
    /// let object = runtime.object(id).ok_or("no object")?;
    /// let [left, right] = ["foot_l", "foot_r"].map(|name| object.find_bone(name).unwrap());
    /// let height = |bone| object.model_space(bone).unwrap().origin().z;
    /// assert!((height(left) - height(right) - 8.0).abs() < 0.01); // the box ends between the feet
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchObject`] and the errors of [`SkeletalObject::place_feet`]. The object is unchanged.
    pub fn place_feet(&mut self, id: ObjectId, feet: &Feet, entity: &Mat3x4, seconds: f32) -> Result<(), ObjectError> {
        let object = self.objects.get_mut(id).ok_or(ObjectError::NoSuchObject)?;
        let physics = &self.physics;
        object.skeletal.place_feet(feet, entity, seconds, |from, to| {
            let found = physics.trace([from, to], [Vec3::ZERO; 2], CollisionGroups::LEVEL, &|_, _| true)?;
            let point = from + (to - from) * found.hit.fraction;
            (!found.start_solid).then_some(Ground { point, normal: found.hit.normal })
        })
    }

    /// Writes the skinning palette of an object for a renderer, one matrix for each bone.
    ///
    /// Each matrix takes a vertex from its place in the bind pose to its place in the current pose, both in model
    /// space. [`write_palettes`](Self::write_palettes) writes those of many objects.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let (runtime, object) = skelobj::assets::mannequin_runtime();
    /// let mut palette = [Mat3x4::IDENTITY; 21];
    /// runtime.write_palette(object, &mut palette)?;
    /// let bytes: &[u8] = bytemuck::cast_slice(&palette); // 48 bytes per bone, row-major 3x4
    /// assert_eq!(bytes.len(), 21 * 48);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchObject`]; [`ObjectError::TooShort`] if `out` has room for fewer matrices than the object
    /// has bones. Nothing is written.
    pub fn write_palette(&self, id: ObjectId, out: &mut [Mat3x4]) -> Result<(), ObjectError> {
        self.object(id).ok_or(ObjectError::NoSuchObject)?.write_palette(out)
    }
}
