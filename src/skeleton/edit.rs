//! Editing bones, and copying them between objects.

use std::ops::Range;

use super::pose::{is_usable, saturate};
use super::{Built, Pose, SkelError, SkeletalObject};
use crate::math::{Mat3x4, Vec3};

impl SkeletalObject {
    /// Replaces a bone, in the object's own space (builtin #271).
    ///
    /// # Errors
    /// [`SkelError::NoSuchBone`], [`SkelError::TooLarge`]; the bone is left alone then.
    #[inline]
    pub fn set_bone(&mut self, bone: usize, matrix: Mat3x4) -> Result<(), SkelError> {
        self.edit(bone, |_| matrix)
    }

    /// `bone = matrix * bone`: turns a bone, **and its offset**, about its parent's origin (builtin #272).
    ///
    /// # Errors
    /// As [`set_bone`](Self::set_bone).
    #[inline]
    pub fn mul_bone(&mut self, bone: usize, matrix: Mat3x4) -> Result<(), SkelError> {
        self.edit(bone, |old| matrix * old)
    }

    #[inline]
    fn edit(&mut self, bone: usize, change: impl FnOnce(Mat3x4) -> Mat3x4) -> Result<(), SkelError> {
        let slot = self.pose.bones_mut().get_mut(bone).ok_or(SkelError::NoSuchBone)?;
        let changed = change(*slot);
        if !is_usable(&changed) {
            return Err(SkelError::TooLarge);
        }
        *slot = changed;
        self.built = Built::ByScript;
        Ok(())
    }

    /// `bone = bone * matrix`: turns a bone in its own place, about its own origin (FTE's `skel_postmul_bone`).
    ///
    /// # Errors
    /// As [`set_bone`](Self::set_bone).
    #[inline]
    pub fn post_mul_bone(&mut self, bone: usize, matrix: Mat3x4) -> Result<(), SkelError> {
        self.edit(bone, |old| old * matrix)
    }

    /// `bone = matrix * bone` for each of `bones` (0-based) by itself, so turns of a chain add up (builtin #273). What
    /// lies beyond the object is cut off; a bone that would overflow is left alone.
    pub fn mul_bones(&mut self, bones: Range<usize>, matrix: Mat3x4) {
        let count = self.bone_count();
        for bone in bones.start..bones.end.min(count) {
            let _ = self.mul_bone(bone, matrix);
        }
    }

    /// Puts a bone where `matrix` is in model space, whatever space the object is in.
    ///
    /// # Errors
    /// As [`set_bone_world`](Self::set_bone_world).
    pub fn set_bone_model_space(&mut self, bone: usize, matrix: Mat3x4) -> Result<(), SkelError> {
        self.set_bone_world(bone, &Mat3x4::IDENTITY, &matrix)
    }

    /// Puts a bone where `world` is in the world, its entity standing at `entity` (builtin #283, skel_set_bone_world).
    ///
    /// The bone's parents stay; the inverse is a true affine one, also of scaled and sheared parents (ruling 13).
    ///
    /// # Errors
    /// As [`set_bone`](Self::set_bone), or [`SkelError::Singular`] if the parent or the entity has no inverse; the bone
    /// is left alone then.
    pub fn set_bone_world(&mut self, bone: usize, entity: &Mat3x4, world: &Mat3x4) -> Result<(), SkelError> {
        let to_parent = match self.parent_in_model(bone) {
            Some(parent) => inverse(&(*entity * parent)),
            None => inverse_rigid(entity).or_else(|| inverse(entity)),
        };
        self.set_bone(bone, to_parent.ok_or(SkelError::Singular)? * *world)
    }

    /// Returns the bone's parent in model space, if the object is in local space.
    fn parent_in_model(&self, bone: usize) -> Option<Mat3x4> {
        let parent = self.pose.is_local().then(|| self.bone_parent(bone)).flatten()?;
        self.model_space(parent)
    }

    /// Copies a range of bones (0-based) from another object, in ascending order (builtin #274, skel_copybones); what
    /// lies beyond either object is cut off.
    ///
    /// Objects of the same space are copied matrix by matrix. Into model space a bone becomes `parent * local`, the
    /// parent being this object's, copied or not; out of it `inverse(parent) * bone`, the parent being the source's
    /// (ruling 14), or the bone itself where that has no inverse. A source that was never built changes nothing but
    /// matrices: this object counts as unbuilt if it was.
    pub fn copy_bones(&mut self, source: &SkeletalObject, bones: Range<usize>) {
        let end = bones.end.min(self.bone_count()).min(source.bone_count());
        let start = bones.start.min(end);
        if start < end && source.is_built() {
            self.built = Built::ByScript;
        }
        let model = self.model.clone();
        let from = source.pose.bones();
        let to_model = source.pose.is_local() && !self.pose.is_local();
        let to_local = !source.pose.is_local() && self.pose.is_local();
        let (Pose::Local(to) | Pose::ModelSpace(to)) = &mut self.pose;
        for bone in start..end {
            let parent = model.skeleton.parent(bone);
            to[bone] = match parent {
                Some(parent) if to_model => to[parent] * from[bone],
                Some(parent) if to_local => inverse(&from[parent]).map_or(from[bone], |inverse| inverse * from[bone]),
                _ => from[bone],
            };
            if parent.is_some() && (to_model || to_local) {
                saturate(&mut to[bone..=bone]);
            }
        }
    }
}

/// The true affine inverse in f32: cofactors over the determinant, which is expanded along the first row. Edits use it
/// so that their bits depend on nothing but this.
fn inverse(matrix: &Mat3x4) -> Option<Mat3x4> {
    // Whether there is one is decided in f64.
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

/// The inverse of a matrix whose axes are unit vectors at right angles: its transpose, each axis over its squared
/// length, which FTE computes anew for every component. `None` for other matrices.
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

/// The inverse of a matrix whose axes have the inverse `rows`.
fn with_rows(rows: [Vec3; 3], origin: Vec3) -> Mat3x4 {
    let [x, y, z] = rows;
    let origin = rows.map(|row| -dot(row, origin));
    Mat3x4([x.x, x.y, x.z, origin[0], y.x, y.y, y.z, origin[1], z.x, z.y, z.z, origin[2]])
}
