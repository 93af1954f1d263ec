//! Edits of single bones, and copies between objects.

use std::ops::Range;

use super::{Built, ObjectError, Pose, SkeletalObject};
use crate::math::{Mat3x4, Vec3};
use crate::pose::{self, is_usable, saturate};

impl SkeletalObject {
    /// Replaces the matrix of a bone (0-based), in the object's current space (builtin #271, skel_set_bone).
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// use skelobj::object::ObjectError;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let neck = Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.5), Vec3::new(0.0, 0.0, 10.0));
    /// object.set_bone(11, neck)?; // relative to the chest
    /// assert_eq!(object.local_space(11), Some(neck));
    /// assert_eq!(object.set_bone(21, neck), Err(ObjectError::NoSuchBone));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchBone`] if the object has no such bone; [`ObjectError::TooLarge`] if a number of the matrix
    /// is non-finite or beyond 1e30. The bone is unchanged.
    #[inline]
    pub fn set_bone(&mut self, bone: usize, matrix: Mat3x4) -> Result<(), ObjectError> {
        self.edit(bone, |_| matrix)
    }

    /// Sets a bone (0-based) to `matrix * bone` (builtin #272, skel_mul_bone).
    ///
    /// In local space this rotates the bone **and its offset** about the origin of its parent.
    /// [`post_mul_bone`](Self::post_mul_bone) rotates the bone in place.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// let mut object = skelobj::assets::mannequin_object();
    /// let [elbow, hand] = [15, 16];
    /// let length = object.local_space(hand).unwrap().origin().length();
    /// object.mul_bone(hand, Mat3x4::from_rotation_translation(Quat::from_rotation_x(1.2), Vec3::ZERO))?;
    /// let distance = object.model_space(hand).unwrap().origin() - object.model_space(elbow).unwrap().origin();
    /// assert!((distance.length() - length).abs() < 1e-3); // the hand moved about the elbow
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchBone`] if the object has no such bone; [`ObjectError::TooLarge`] if a number of the product
    /// is non-finite or beyond 1e30. The bone is unchanged.
    #[inline]
    pub fn mul_bone(&mut self, bone: usize, matrix: Mat3x4) -> Result<(), ObjectError> {
        self.edit(bone, |old| matrix * old)
    }

    #[inline]
    fn edit(&mut self, bone: usize, change: impl FnOnce(Mat3x4) -> Mat3x4) -> Result<(), ObjectError> {
        let slot = self.pose.bones_mut().get_mut(bone).ok_or(ObjectError::NoSuchBone)?;
        let changed = change(*slot);
        if !is_usable(&changed) {
            return Err(ObjectError::TooLarge);
        }
        *slot = changed;
        self.note_write(Built::ByScript);
        Ok(())
    }

    /// Sets a bone (0-based) to `bone * matrix`: rotates it about its own origin (FTE's skel_postmul_bone).
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// let mut object = skelobj::assets::mannequin_object();
    /// let head = 12;
    /// let before = object.model_space(head).unwrap();
    /// object.post_mul_bone(head, Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.7), Vec3::ZERO))?;
    /// let after = object.model_space(head).unwrap();
    /// assert_eq!(before.origin(), after.origin()); // the head turns and stays on the neck
    /// assert!(before.forward().angle_between(after.forward()) > 0.6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchBone`] if the object has no such bone; [`ObjectError::TooLarge`] if a number of the product
    /// is non-finite or beyond 1e30. The bone is unchanged.
    #[inline]
    pub fn post_mul_bone(&mut self, bone: usize, matrix: Mat3x4) -> Result<(), ObjectError> {
        self.edit(bone, |old| old * matrix)
    }

    /// Sets each of `bones` (0-based, the end excluded) to `matrix * bone` (builtin #273, skel_mul_bones).
    ///
    /// In local space every bone rotates about its parent, so rotations add up along a chain. The object's
    /// [mask](Self::set_mask) weights the changes. Bones beyond the object are ignored; a bone whose product would not
    /// be finite or exceed 1e30 is unchanged.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// let mut object = skelobj::assets::mannequin_object();
    /// let bend = Mat3x4::from_rotation_translation(Quat::from_rotation_y(0.2), Vec3::ZERO);
    /// object.mul_bones(9..13, bend); // spine, chest, neck, head
    /// assert!(object.model_space(12).unwrap().origin().x > 3.0); // the mannequin leans forward
    /// ```
    pub fn mul_bones(&mut self, bones: Range<usize>, matrix: Mat3x4) {
        let count = self.bone_count();
        let (mask, blending) = (self.mask.clone(), self.blending);
        for bone in bones.start..bones.end.min(count) {
            let weight = mask.as_ref().map_or(1.0, |mask| mask.weight(bone));
            let _ = self.edit(bone, |old| {
                let mut changed = old;
                blending.mix(&mut changed, &(matrix * old), weight);
                changed
            });
        }
    }

    /// Sets a bone (0-based) from its matrix in model space, regardless of the space of the object.
    ///
    /// The bone's parents are unchanged; its children move with it if the object is in local space.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let mut object = skelobj::assets::mannequin_object();
    /// let hand = 16;
    /// let target = Mat3x4::from_translation(Vec3::new(20.0, 5.0, 45.0));
    /// object.set_bone_model_space(hand, target)?;
    /// assert!((object.model_space(hand).unwrap().origin() - target.origin()).length() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A head that looks at a point of the world, turned by 60 degrees at most. The X axis of the mannequin's head
    /// points forward; other models have other axes.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// let mut object = skelobj::assets::mannequin_object(); // in a game, built anew in every frame before the edit
    /// let entity = Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.6), Vec3::new(100.0, 0.0, 0.0));
    /// let point = Vec3::new(300.0, 250.0, 90.0); // world space
    ///
    /// let bone = object.find_bone("head").expect("a head");
    /// let head = object.model_space(bone).expect("a matrix");
    /// let to_model = entity.inverse().expect("an entity with a volume");
    /// let wanted = (to_model.transform_point(point) - head.origin()).normalize_or(head.forward());
    /// let (axis, angle) = Quat::from_rotation_arc(head.forward().normalize(), wanted).to_axis_angle();
    /// let turn = Quat::from_axis_angle(axis, angle.min(60f32.to_radians()));
    /// object.set_bone_model_space(bone, Mat3x4::from_rotation_translation(turn * head.rotation(), head.origin()))?;
    ///
    /// let shown = entity * object.model_space(bone).expect("a matrix");
    /// assert!(shown.forward().angle_between(point - shown.origin()) < 1e-2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchBone`], [`ObjectError::TooLarge`]; [`ObjectError::Singular`] if the bone's parent has no
    /// inverse. The bone is unchanged.
    pub fn set_bone_model_space(&mut self, bone: usize, matrix: Mat3x4) -> Result<(), ObjectError> {
        self.set_bone_world(bone, &Mat3x4::IDENTITY, &matrix)
    }

    /// Sets a bone (0-based) from its matrix in world space (builtin #283, skel_set_bone_world).
    ///
    /// `entity` is the matrix of the object's entity, model space to world space. The bone's parents are unchanged.
    /// Parents may be scaled and sheared: the inverse is affine, unlike FTE's (difference 13).
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// let mut object = skelobj::assets::mannequin_object();
    /// let entity = Mat3x4::from_translation(Vec3::new(500.0, 0.0, 24.0));
    /// let door_handle = Mat3x4::from_translation(Vec3::new(515.0, 10.0, 70.0));
    /// object.set_bone_world(16, &entity, &door_handle)?;
    /// let hand = entity * object.model_space(16).unwrap();
    /// assert!((hand.origin() - door_handle.origin()).length() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchBone`], [`ObjectError::TooLarge`]; [`ObjectError::Singular`] if the parent or the entity
    /// has no inverse. The bone is unchanged.
    pub fn set_bone_world(&mut self, bone: usize, entity: &Mat3x4, world: &Mat3x4) -> Result<(), ObjectError> {
        let to_parent = match self.parent_in_model(bone) {
            Some(parent) => inverse(&(*entity * parent)),
            None => inverse_rigid(entity).or_else(|| inverse(entity)),
        };
        self.set_bone(bone, to_parent.ok_or(ObjectError::Singular)? * *world)
    }

    /// Turns a bone (0-based) so that its axes in model space are those of a matrix; the bone stays at its place.
    ///
    /// Use it to give a bone the absolute rotation that it has in another layer, such as a torso that must not follow
    /// the hips of a run. The origin of `matrix` is not used. Children turn with the bone if the object is in local
    /// space.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// let spine = object.find_bone("spine").unwrap();
    /// object.build(&model, &FrameState::single(0, 0.2), &Build::REPLACE)?; // idle
    /// let idle = object.model_space(spine).unwrap();
    /// object.build(&model, &FrameState::single(2, 0.2), &Build::REPLACE)?; // run
    /// let run = object.model_space(spine).unwrap();
    /// object.set_bone_axes(spine, &idle)?;
    /// let mixed = object.model_space(spine).unwrap();
    /// assert!(mixed.up().distance(idle.up()) < 1e-5 && mixed.origin().distance(run.origin()) < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchBone`], [`ObjectError::TooLarge`]; [`ObjectError::Singular`] if the bone's parent has no
    /// inverse. The bone is unchanged.
    pub fn set_bone_axes(&mut self, bone: usize, matrix: &Mat3x4) -> Result<(), ObjectError> {
        let axes = matrix.with_origin(Vec3::ZERO);
        let turned = match self.parent_in_model(bone) {
            Some(parent) => inverse(&parent).ok_or(ObjectError::Singular)? * axes,
            None => axes,
        };
        self.edit(bone, |old| turned.with_origin(old.origin()))
    }

    /// Returns the matrix of a bone's parent in model space; `None` if the object is in model space itself.
    fn parent_in_model(&self, bone: usize) -> Option<Mat3x4> {
        let parent = self.pose.is_local().then(|| self.bone_parent(bone)).flatten()?;
        self.model_space(parent)
    }

    /// Copies the places of bones in model space from another object, by name; returns the number of bones copied.
    ///
    /// The models may differ: a weapon whose hands and arms have the names of the player's follows the player. `to_own`
    /// takes the model space of the source to that of this object, the identity if both entities are at one place.
    /// Bones that the source lacks keep their pose relative to their parents. The [mask](Self::set_mask) weights the
    /// copies. A bone is unchanged and not counted if its weight is 0, its parent has no inverse, or its numbers would
    /// exceed 1e30.
    ///
    /// ```
    /// use skelobj::SkeletalObject;
    /// use skelobj::math::Mat3x4;
    /// use skelobj::model::{Bone, Skeleton};
    /// use skelobj::object::Space;
    /// let player = skelobj::assets::mannequin_object();
    /// let bone = |name: &str, parent| Bone { name: name.into(), parent, bind: Mat3x4::IDENTITY };
    /// let skeleton = Skeleton::new(vec![bone("hand_r", None), bone("gun", Some(0))])?;
    /// let model = skelobj::Model { skeleton, ..Default::default() };
    /// let mut weapon = SkeletalObject::new(model.into(), Space::Local);
    /// weapon.set_local_pose(&[Mat3x4::IDENTITY; 2])?;
    /// assert_eq!(weapon.copy_bones_by_name(&player, &Mat3x4::IDENTITY)?, 1);
    /// let hand = player.find_bone("hand_r").and_then(|bone| player.model_space(bone)).unwrap();
    /// assert_eq!(weapon.model_space(1), Some(hand)); // the gun is in the hand
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NotBuilt`] if one of the objects was never built. This object is unchanged.
    pub fn copy_bones_by_name(&mut self, source: &SkeletalObject, to_own: &Mat3x4) -> Result<usize, ObjectError> {
        if !(self.is_built() && source.is_built()) {
            return Err(ObjectError::NotBuilt);
        }
        let (model, mask, blending) = (self.model.clone(), self.mask.clone(), self.blending);
        let parents = model.skeleton.parents();
        let is_local = self.pose.is_local();
        let bones = self.pose.bones_mut();
        let mut copied = 0;
        for (bone, name) in model.skeleton.names().iter().enumerate() {
            let weight = mask.as_ref().map_or(1.0, |mask| mask.weight(bone));
            let found = source.find_bone(name).filter(|_| weight != 0.0);
            let Some(found) = found.and_then(|bone| source.model_space(bone)) else { continue };
            // Parents come first, and are at their new places.
            let place = match model.skeleton.parent(bone).filter(|_| is_local) {
                Some(parent) => inverse(&pose::bone_in_model_space(parents, bones, parent))
                    .map(|inverse| inverse * (*to_own * found)),
                None => Some(*to_own * found),
            };
            let mut changed = bones[bone];
            let Some(place) = place else { continue };
            blending.mix(&mut changed, &place, weight);
            if is_usable(&changed) {
                bones[bone] = changed;
                copied += 1;
            }
        }
        if copied > 0 {
            self.note_write(Built::ByScript);
        }
        Ok(copied)
    }

    /// Copies a range of bones (0-based, the end excluded) from another object, in ascending order (builtin #274,
    /// skel_copybones).
    ///
    /// Bones beyond either object are ignored. Between objects of the same space, matrices are copied. A bone that goes
    /// into model space becomes `parent * bone`, where the parent is this object's, copied or not. A bone that goes
    /// into local space becomes `inverse(parent) * bone`, where the parent is the source's (difference 14), or stays as
    /// it is if that parent has no inverse. The [mask](Self::set_mask) of this object weights the copies. Copying from
    /// a source that was never built does not make this object count as built.
    ///
    /// ```
    /// use skelobj::SkeletalObject;
    /// use skelobj::math::Vec3;
    /// use skelobj::object::Space;
    /// let object = skelobj::assets::mannequin_object();
    /// let mut shown = SkeletalObject::new(object.model().clone(), Space::Model);
    /// shown.copy_bones(&object, 0..usize::MAX); // local space to model space
    /// assert!((shown.pose().bones()[12].origin() - Vec3::new(-0.3, 0.0, 56.0)).length() < 1e-3); // the head
    /// ```
    pub fn copy_bones(&mut self, source: &SkeletalObject, bones: Range<usize>) {
        let end = bones.end.min(self.bone_count()).min(source.bone_count());
        let start = bones.start.min(end);
        if start < end {
            self.note_write(if source.is_built() { Built::ByScript } else { self.built });
        }
        let (model, mask, blending) = (self.model.clone(), self.mask.clone(), self.blending);
        let from = source.pose.bones();
        let to_model = source.pose.is_local() && !self.pose.is_local();
        let to_local = !source.pose.is_local() && self.pose.is_local();
        let (Pose::Local(to) | Pose::ModelSpace(to)) = &mut self.pose;
        for bone in start..end {
            let parent = model.skeleton.parent(bone);
            let copy = match parent {
                Some(parent) if to_model => to[parent] * from[bone],
                Some(parent) if to_local => inverse(&from[parent]).map_or(from[bone], |inverse| inverse * from[bone]),
                _ => from[bone],
            };
            blending.mix(&mut to[bone], &copy, mask.as_ref().map_or(1.0, |mask| mask.weight(bone)));
            if parent.is_some() && (to_model || to_local) {
                saturate(&mut to[bone..=bone]);
            }
        }
    }
}

/// Returns the affine inverse in f32: cofactors over the determinant, which is expanded along the first row. Edits use
/// this instead of [`Mat3x4::inverse`] so that their bits depend on f32 arithmetic only.
fn inverse(matrix: &Mat3x4) -> Option<Mat3x4> {
    // In f64 a nearly singular matrix is distinguished from a singular one.
    matrix.inverse()?;
    let (f, l, u) = (matrix.forward(), matrix.left(), matrix.up());
    let rows = [cross(l, u), cross(u, f), cross(f, l)];
    let determinant = f.x * rows[0].x + l.x * rows[1].x + u.x * rows[2].x;
    let rows = rows.map(|row| row / determinant);
    Some(with_rows(rows, matrix.origin())).filter(Mat3x4::is_finite)
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

/// Returns the inverse of a matrix with orthonormal axes: the transpose, each axis divided by its squared length. As in
/// FTE, the squared length is computed anew for every component. `None` for other matrices.
fn inverse_rigid(matrix: &Mat3x4) -> Option<Mat3x4> {
    let (f, l, u) = (matrix.forward(), matrix.left(), matrix.up());
    let unit = |axis: Vec3| (axis.length_squared() - 1.0).abs() < 1e-4;
    let right = |a: Vec3, b: Vec3| a.dot(b).abs() < 1e-4;
    if !(unit(f) && unit(l) && unit(u) && right(f, l) && right(l, u) && right(u, f)) {
        return None;
    }
    let rows = [f, l, u].map(|mut axis| {
        for component in 0..3 {
            axis[component] *= 1.0 / dot(axis, axis);
        }
        axis
    });
    Some(with_rows(rows, matrix.origin()))
}

fn dot(a: Vec3, b: Vec3) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// Returns the inverse of a matrix with this origin and with axes whose inverse is `rows`.
fn with_rows(rows: [Vec3; 3], origin: Vec3) -> Mat3x4 {
    let [x, y, z] = rows;
    let origin = rows.map(|row| -dot(row, origin));
    Mat3x4([x.x, x.y, x.z, origin[0], y.x, y.y, y.z, origin[1], z.x, z.y, z.z, origin[2]])
}
