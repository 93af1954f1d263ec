//! Builtins that create, build, query and delete skeletal objects.

use std::sync::Arc;

use skelobj_model::internal;

use crate::math::{Mat3x4, truncate};
use crate::model::{Model, Name};
use crate::object::{Build, ObjectError, SkeletalObject, Space};
use crate::qc::argument_number::object_id;
use crate::qc::call::{BONES_A_STATEMENT, Call};
use crate::qc::frame_state::{frame_state, shows_bind_pose, single_animation};
use crate::qc::{Dialect, Entity, Host, ModelRef};
use crate::runtime::{ModelId, ObjectId};

/// Runs `skel_create` (#263): returns a new object's handle, or 0.
pub(crate) fn create(call: &mut Call<'_, impl Host + ?Sized>) {
    let model = call.model(0);
    let absolute = call.host.argc() > 1 && call.integer(1) != 0 && call.dialect() == Dialect::Fte;
    let space = if absolute { Space::Model } else { Space::Local };
    let id = model.id().and_then(|model| new_object(call, model, space));
    return_object(call, id);
}

fn new_object(call: &mut Call<'_, impl Host + ?Sized>, model: ModelId, space: Space) -> Option<ObjectId> {
    let bones = call.runtime.model(model).map_or(0, |model| model.skeleton.len());
    if !call.host.charge(bones as u64) {
        return None;
    }
    let created = call.runtime.create_object(model, space);
    if let (Ok(id), Dialect::DarkPlaces) = (&created, call.dialect())
        && let Some(object) = call.runtime.object_mut(*id)
    {
        object.bones_mut().fill(Mat3x4::IDENTITY);
    }
    if matches!(created, Err(ObjectError::TooManyObjects | ObjectError::LimitExceeded(_))) {
        call.check(created.map(drop));
        return None;
    }
    created.ok()
}

fn return_object(call: &mut Call<'_, impl Host + ?Sized>, id: Option<ObjectId>) {
    call.host.return_float(id.map_or(0.0, |id| id.get() as f32));
}

/// Runs `skel_build` (#264): returns the handle, or 0 if nothing was built.
pub(crate) fn build(call: &mut Call<'_, impl Host + ?Sized>) {
    let [handle, _, source, retain, first, last, add] = call.floats();
    let [handle, source, retain, first, last, add] = call.finite([handle, source, retain, first, last, add]);
    let dialect = call.dialect();
    let mut id = object_id(handle);
    let source = call.host.model(call.runtime, truncate(source));
    if id.is_none() && dialect == Dialect::Fte {
        // FTE makes an object if none was passed. Here its model is the source (difference 7).
        id = source.id().and_then(|model| new_object(call, model, Space::Local));
    }
    let add = match dialect {
        Dialect::Fte if call.host.argc() > 6 => add,
        _ => 1.0 - retain,
    };
    let build = Build { retain, add, bones: dialect.bones(first, last) };
    let built = id.filter(|&id| build_object(call, dialect, id, source, &build));
    return_object(call, built);
}

/// Builds the animations of the entity of argument 1.
#[inline]
fn build_object(
    call: &mut Call<'_, impl Host + ?Sized>,
    dialect: Dialect,
    id: ObjectId,
    source: ModelRef,
    build: &Build,
) -> bool {
    let ModelRef::Model(model) = source else {
        // A model without bones has none to copy, which is success in FTE; DarkPlaces crashes.
        return source != ModelRef::Unknown && dialect == Dialect::Fte && call.runtime.object(id).is_some();
    };
    let built = call.runtime.object_and_model(id, model).and_then(|(object, source)| {
        let entity = call.host.entity(1);
        call.host.charge(2 * source.model.skeleton.len() as u64);
        match source.frames_only.then(|| single_animation(call.host, dialect, entity)).flatten() {
            Some(frame) => internal::build_shared(object, &source.model, &frame, build),
            None => build_blended(call.host, entity, object, &source.model, build),
        }
    });
    call.check(built)
}

/// Builds any state of an entity.
#[inline(never)]
fn build_blended(
    host: &(impl Host + ?Sized),
    entity: Entity,
    object: &mut SkeletalObject,
    source: &Arc<Model>,
    build: &Build,
) -> Result<(), ObjectError> {
    host.charge(6 * object.bone_count() as u64);
    let frame = frame_state(host, entity, Some(source));
    match host.dialect() {
        Dialect::Fte if shows_bind_pose(source, &frame) => Ok(()),
        Dialect::Fte => internal::build_shared(object, source, &frame, build),
        Dialect::DarkPlaces => object.build_normalized(source, &frame, build),
    }
}

/// Runs `skel_delete` (#275).
pub(crate) fn delete(call: &mut Call<'_, impl Host + ?Sized>) {
    if let Some(id) = call.object(0) {
        let _ = call.runtime.delete_object(id);
    }
}

/// Runs `skel_copybones` (#274).
pub(crate) fn copybones(call: &mut Call<'_, impl Host + ?Sized>) {
    let (to, from) = (call.object(0), call.object(1));
    let bones = call.bones(2);
    if let (Some(to), Some(from)) = (to, from) {
        call.charge_bones(to, 1);
        let copied = call.runtime.copy_bones(to, from, bones);
        call.check(copied);
    }
}

/// Reads from the object of argument 0 and the bone of argument 1.
fn bone<T>(
    call: &mut Call<'_, impl Host + ?Sized>,
    read: impl FnOnce(&SkeletalObject, usize) -> Option<T>,
) -> Option<T> {
    let (id, bone) = call.object_and_bone();
    read(call.runtime.object(id?)?, bone)
}

/// Runs `skel_get_numbones` (#265).
pub(crate) fn get_numbones(call: &mut Call<'_, impl Host + ?Sized>) {
    let object = call.object(0).and_then(|id| call.runtime.object(id));
    let count = object.map_or(0, SkeletalObject::bone_count);
    call.host.return_float(count as f32);
}

/// Runs `skel_get_bonename` (#266).
pub(crate) fn get_bonename(call: &mut Call<'_, impl Host + ?Sized>) {
    let (id, bone) = call.object_and_bone();
    let name = id.and_then(|id| call.runtime.object(id)?.bone_name(bone));
    call.host.return_string(name.map_or(&[], Name::as_bytes));
}

/// Runs `skel_get_boneparent` (#267).
pub(crate) fn get_boneparent(call: &mut Call<'_, impl Host + ?Sized>) {
    let parent = bone(call, |object, bone| object.bone_parent(bone));
    call.host.return_float(parent.map_or(0.0, |parent| (parent + 1) as f32));
}

/// Runs `skel_find_bone` (#268).
pub(crate) fn find_bone(call: &mut Call<'_, impl Host + ?Sized>) {
    let id = call.object(0);
    let found = id.and_then(|id| call.runtime.object(id)).and_then(|object| {
        let name = call.host.string(1);
        let names = || object.model().skeleton.names().iter();
        (!name.is_empty()).then(|| call.find_name(names(), name)).flatten()
    });
    call.host.return_float(found.map_or(0.0, |bone| (bone + 1) as f32));
}

/// Runs `skel_get_bonerel` (#269).
pub(crate) fn get_bonerel(call: &mut Call<'_, impl Host + ?Sized>) {
    let matrix = bone(call, SkeletalObject::local_space);
    call.return_matrix(matrix);
}

/// Runs `skel_get_boneabs` (#270).
pub(crate) fn get_boneabs(call: &mut Call<'_, impl Host + ?Sized>) {
    let (id, bone) = call.object_and_bone();
    let matrix = id.and_then(|id| call.runtime.object(id)).and_then(|object| {
        let matrix = object.model_space(bone)?;
        // Every ancestor counts, and ancestors come first.
        call.host.charge(bone as u64 / BONES_A_STATEMENT);
        Some(matrix)
    });
    call.return_matrix(matrix);
}
