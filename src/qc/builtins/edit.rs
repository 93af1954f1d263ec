//! Builtins that set and turn bones.

use skelobj_model::internal;

use crate::math::{Axes, Mat3x4, Vec3, truncate};
use crate::object::{ObjectError, SkeletalObject};
use crate::qc::Dialect;
use crate::qc::Host;
use crate::qc::call::{BONES_A_STATEMENT, Call};
use crate::runtime::ObjectId;

/// Edit of a bone with a matrix.
trait Edit: Fn(&mut SkeletalObject, usize, Mat3x4) -> Result<(), ObjectError> {}
impl<F: Fn(&mut SkeletalObject, usize, Mat3x4) -> Result<(), ObjectError>> Edit for F {}

/// Edits the bone of argument 1 of the object of argument 0 with the matrix of the arguments starting with 2.
#[inline]
fn edit(call: &mut Call<'_, impl Host + ?Sized>, edit: impl Edit) {
    // Separate code for each source of the matrix keeps each as short as possible.
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

/// Edits with non-finite numbers replaced, which the first attempt refuses, and prints why an edit fails.
#[cold]
fn edit_with_numbers(call: &mut Call<'_, impl Host + ?Sized>, id: Option<ObjectId>, bone: usize, edit: impl Edit) {
    let matrix = call.matrix(2);
    let object = id.and_then(|id| call.runtime.object_mut(id));
    let edited = object.map_or(Err(ObjectError::NoSuchObject), |object| edit(object, bone, matrix));
    call.check(edited);
}

/// Runs `skel_set_bone` (#271).
pub(crate) fn set_bone(call: &mut Call<'_, impl Host + ?Sized>) {
    edit(call, SkeletalObject::set_bone);
}

/// Runs `skel_mul_bone` (#272).
pub(crate) fn mul_bone(call: &mut Call<'_, impl Host + ?Sized>) {
    edit(call, SkeletalObject::mul_bone);
}

/// Runs `skel_postmul_bone`: rotates a bone about its origin.
pub(crate) fn postmul_bone(call: &mut Call<'_, impl Host + ?Sized>) {
    edit(call, SkeletalObject::post_mul_bone);
}

/// Runs `skel_mul_bones` (#273). A negative first bone edits nothing in FTE.
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

/// Runs `skel_set_bone_world` (#283).
///
/// Three or five arguments take the axes from the globals, four are angles, six are three axes.
pub(crate) fn set_bone_world(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let (id, bone) = (call.entity_object(entity), call.index(1));
    let (Some(id), Some(bone)) = (id, bone) else { return };
    let object = call.runtime.object(id);
    // Every ancestor counts, and ancestors come first.
    let above = object.map_or(0, |object| object.bone_count().min(bone));
    call.host.charge(above as u64 / BONES_A_STATEMENT);
    // FTE is right for root bones, so the results must have its bits there.
    let hangs = object.is_some_and(|object| object.pose().is_local() && object.bone_parent(bone).is_some());
    let from_angles = if hangs { internal::axes_from_angles_f64 } else { Axes::from_angles };
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
