//! Setting and turning single bones.

use crate::math::{Axes, Mat3x4, Vec3, truncate};
use crate::qc::Dialect;
use crate::qc::Host;
use crate::qc::call::{BONES_A_STATEMENT, Call};
use crate::runtime::SkelId;
use crate::skeleton::{SkelError, SkeletalObject};

/// An edit of a bone with a matrix.
trait Edit: Fn(&mut SkeletalObject, usize, Mat3x4) -> Result<(), SkelError> {}
impl<F: Fn(&mut SkeletalObject, usize, Mat3x4) -> Result<(), SkelError>> Edit for F {}

/// Edits the bone of argument 1 of the object of argument 0 with the matrix of the arguments from 2 on.
#[inline]
fn edit(call: &mut Call<'_, impl Host + ?Sized>, edit: impl Edit) {
    // Each way to a matrix has code of its own, so that no more is done than it needs.
    if call.has_axes(2) { edit_with_arguments(call, edit) } else { edit_with(call, |call| call.global_matrix(2), edit) }
}

#[inline(never)]
fn edit_with_arguments(call: &mut Call<'_, impl Host + ?Sized>, edit: impl Edit) {
    edit_with(call, |call| call.passed_matrix(2), edit);
}

#[inline]
fn edit_with<'a, H: Host + ?Sized>(call: &mut Call<'a, H>, matrix: impl Fn(&Call<'a, H>) -> Mat3x4, edit: impl Edit) {
    let (id, bone) = call.object_and_bone();
    let matrix = matrix(call);
    let object = id.and_then(|id| call.runtime.object_mut(id));
    let edited = object.is_some_and(|object| edit(object, bone, matrix).is_ok());
    if !edited {
        edit_with_numbers(call, id, bone, edit);
    }
}

/// Edits without what is not finite, which nothing can have been done with, and says why nothing can be done.
#[cold]
fn edit_with_numbers(call: &mut Call<'_, impl Host + ?Sized>, id: Option<SkelId>, bone: usize, edit: impl Edit) {
    let matrix = call.matrix(2);
    let object = id.and_then(|id| call.runtime.object_mut(id));
    let edited = object.map_or(Err(SkelError::NoSuchObject), |object| edit(object, bone, matrix));
    call.check(edited);
}

/// #271.
pub(crate) fn set_bone(call: &mut Call<'_, impl Host + ?Sized>) {
    edit(call, SkeletalObject::set_bone);
}

/// #272.
pub(crate) fn mul_bone(call: &mut Call<'_, impl Host + ?Sized>) {
    edit(call, SkeletalObject::mul_bone);
}

/// By name: turns a bone in its own place.
pub(crate) fn postmul_bone(call: &mut Call<'_, impl Host + ?Sized>) {
    edit(call, SkeletalObject::post_mul_bone);
}

/// #273. A negative first bone edits nothing in FTE.
pub(crate) fn mul_bones(call: &mut Call<'_, impl Host + ?Sized>) {
    let id = call.object(0);
    let bones = call.bones(1);
    let matrix = call.matrix(3);
    if call.dialect() == Dialect::Fte && truncate(call.host.float(1)) < 0 {
        return;
    }
    if let Some(object) = id.and_then(|id| call.runtime.object_mut(id)) {
        call.host.charge(object.bone_count() as u64);
        object.mul_bones(bones, matrix);
    }
}

/// #283: three arguments or five take the axes from the globals, four angles, six three axes.
pub(crate) fn set_bone_world(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let (id, bone) = (call.entity_object(entity), call.index(1));
    let (Some(id), Some(bone)) = (id, bone) else { return };
    let object = call.runtime.object(id);
    // Every bone above it counts, and those stand before it.
    let above = object.map_or(0, |object| object.bone_count().min(bone));
    call.host.charge(above as u64 / BONES_A_STATEMENT);
    // FTE's bits count where FTE is right: for bones that hang on no other.
    let hangs = object.is_some_and(|object| object.pose().is_local() && object.bone_parent(bone).is_some());
    let from_angles = if hangs { Axes::from_angles_f64 } else { Axes::from_angles };
    let wanted = if call.host.argc() == 4 {
        let angles = call.vector(3);
        let pitch = call.runtime.settings().mesh_pitch;
        let axes = from_angles(Vec3::new(angles.x * pitch, angles.y, angles.z));
        Mat3x4::from_axes(axes, call.vector(2))
    } else {
        call.matrix(2)
    };
    let model = call.entity_model(entity);
    let world = call.world_with(entity, model, from_angles);
    let set = call.runtime.set_bone_world(id, &world, bone, &wanted);
    call.check(set);
}
