//! Skeletal objects: bones in a pose.

use std::ffi::c_char;
use std::ops::Range;

use skelobj::object::{Blending, Build, Space};

use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::{Id, SkelobjModel, SkelobjObject, SkelobjWorld};
use crate::model::{SkelobjFrameDef, room};
use crate::numbers::{self, bone, flag};
use crate::pointer::{Def, In, InMatrix, Out, OutMatrix};

/// Space of an object's bones.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjSpace {
    /// Bones relative to their parents: the object can be built and have a ragdoll.
    Local = 0,
    /// Bones relative to the entity.
    Model = 1,
}

/// Rule by which the poses of an object are mixed.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjBlending {
    /// Sum of matrices, as in FTE. Poses far apart shorten and shear a bone between them.
    Linear = 0,
    /// Each bone is a rotation times its own scale.
    Rotations = 1,
}

/// Mix of the new pose with the old one in skelobj_build. Get one from skelobj_default_build_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjBuildDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// First bone to build. Default 1.
    pub first_bone: i32,
    /// Last bone to build; 0 (default) for the object's last.
    pub last_bone: i32,
    /// Weight of the old pose. Default 0.
    pub retain: f32,
    /// Weight of the new pose. Default 1.
    pub add: f32,
    /// 1 to normalise the rotations afterwards. Default 0.
    pub normalized: i32,
}

/// Summary of an object.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjObjectInfo {
    /// Model of the object; none if it was removed from the world, or the host has freed its id.
    pub model: SkelobjModel,
    /// Number of bones.
    pub bone_count: i32,
    /// Space of the bones, SKELOBJ_SPACE_...
    pub space: i32,
    /// 1 if the object has been built.
    pub is_built: i32,
    /// 1 if the object has been built since its ragdoll last read it.
    pub is_built_since_ragdoll: i32,
    /// 1 if the object has a ragdoll.
    pub has_ragdoll: i32,
    /// Rule by which poses are mixed, SKELOBJ_BLENDING_...
    pub blending: i32,
}

/// Returns bones from `first` to `last`, both included; a `last` of 0 means the last of `count`.
pub(crate) fn range(first: i32, last: i32, count: usize) -> Result<Range<usize>> {
    let first = numbers::bone_or_none(first)?.unwrap_or(0);
    Ok(first..numbers::bone_or_none(last)?.map_or(count, |last| last.saturating_add(1)))
}

/// Creates an object of a model of the world, and returns its id; none on failure. `space` is one of SKELOBJ_SPACE_...
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_object_create(world: SkelobjWorld, model: SkelobjModel, space: i32) -> SkelobjObject {
    guard::world_value(world, SkelobjObject::NONE, |world| {
        let space = match space {
            0 => Space::Local,
            1 => Space::Model,
            _ => return Err(Failure::number("space", "SKELOBJ_SPACE_LOCAL or SKELOBJ_SPACE_MODEL")),
        };
        Ok(world.runtime.create_object(world.model(model)?, space)?.into())
    })
}

/// Deletes an object at the end of the frame: calls reach it until skelobj_step or skelobj_flush_deleted frees it.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_object_delete(world: SkelobjWorld, object: SkelobjObject) -> SkelobjStatus {
    guard::world(world, |world| {
        let (id, _) = world.object(object)?;
        Ok(world.runtime.delete_object(id)?)
    })
}

/// Returns 1 if an object has this id, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_object_is_valid(world: SkelobjWorld, object: SkelobjObject) -> i32 {
    guard::world_value(world, 0, |world| Ok(flag(object.get().is_ok_and(|id| world.runtime.object(id).is_some()))))
}

/// Writes the ids of all objects of a world, and their number (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_objects(
    world: SkelobjWorld,
    objects: Out<SkelobjObject>,
    capacity: i32,
    count: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (buffer, count) = (objects.buffer(numbers::size(capacity)?)?, count.wanted()?);
        let ids: Vec<SkelobjObject> = world.runtime.objects().map(|(id, _)| id.into()).collect();
        buffer.fill(&ids, count)
    })
}

/// Writes a summary of an object.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_object_info(
    world: SkelobjWorld,
    object: SkelobjObject,
    info: Out<SkelobjObjectInfo>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (place, (id, object)) = (info.place()?, world.object(object)?);
        let runtime = &world.runtime;
        place.set(SkelobjObjectInfo {
            model: runtime.model_of(id).map_or(SkelobjModel::NONE, |model| world.valid_model_id(model)),
            bone_count: numbers::count(object.bone_count()),
            space: if object.pose().is_local() { 0 } else { 1 },
            is_built: flag(object.is_built()),
            is_built_since_ragdoll: flag(object.is_built_since_ragdoll()),
            has_ragdoll: flag(runtime.ragdoll(id).is_some()),
            blending: if object.blending() == Blending::Linear { 0 } else { 1 },
        });
        Ok(())
    })
}

/// Keeps a number for an object, such as that of its entity. Snapshots keep it, too.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_object_set_user_data(
    world: SkelobjWorld,
    object: SkelobjObject,
    user_data: u64,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (id, _) = world.object(object)?;
        world.runtime.set_user_data(id, user_data)?;
        Ok(())
    })
}

/// Returns the number that is kept for an object; 0 if there is none, and on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_object_user_data(world: SkelobjWorld, object: SkelobjObject) -> u64 {
    guard::world_value(world, 0, |world| {
        let (id, _) = world.object(object)?;
        Ok(world.runtime.user_data(id).unwrap_or(0))
    })
}

/// Sets the rule (SKELOBJ_BLENDING_...) by which later calls mix the poses of an object: skelobj_build, between two
/// frames of an animation, between animations and with the old pose; skelobj_add_pose and skelobj_take_motion; and
/// where a mask has a weight between 0 and 1. A new object has SKELOBJ_BLENDING_LINEAR. Snapshots keep the rule.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_object_set_blending(
    world: SkelobjWorld,
    object: SkelobjObject,
    blending: i32,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let blending = match blending {
            0 => Blending::Linear,
            1 => Blending::Rotations,
            _ => return Err(Failure::number("blending", "SKELOBJ_BLENDING_LINEAR or SKELOBJ_BLENDING_ROTATIONS")),
        };
        world.object_mut(object)?.set_blending(blending);
        Ok(())
    })
}

/// Returns a def that replaces the pose of all bones.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_build_def() -> SkelobjBuildDef {
    let cookie = SkelobjBuildDef::COOKIE;
    SkelobjBuildDef { cookie, first_bone: 1, last_bone: 0, retain: 0.0, add: 1.0, normalized: 0 }
}

/// Poses an object with the animations of a model of the world, its own or another with the same skeleton: bones are
/// matched by number. `build` may be null to replace the pose of all bones.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_build(
    world: SkelobjWorld,
    object: SkelobjObject,
    model: SkelobjModel,
    frame: In<SkelobjFrameDef>,
    build: In<SkelobjBuildDef>,
) -> SkelobjStatus {
    // Most builds: the state is made in place, and the build is part of this function.
    if build.is_null()
        && let Some(frame) = frame.single()
    {
        return guard::world(world, |world| {
            let (id, source) = (object.get()?, world.model(model)?);
            Ok(world.runtime.build(id, source, &frame.first(), &Build::REPLACE)?)
        });
    }
    build_mixed(world, object, model, frame, build)
}

/// Builds an object with any defs.
#[inline(never)]
fn build_mixed(
    world: SkelobjWorld,
    object: SkelobjObject,
    model: SkelobjModel,
    frame: In<SkelobjFrameDef>,
    def: In<SkelobjBuildDef>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (id, source) = (object.get()?, world.model(model)?);
        let frame = frame.state()?;
        let def = def.def_or(skelobj_default_build_def)?;
        let mut build = Build::REPLACE.with_bones(range(def.first_bone, def.last_bone, usize::MAX)?);
        (build.retain, build.add) = (def.retain, def.add);
        match def.normalized {
            0 => world.runtime.build(id, source, &frame, &build)?,
            _ => world.runtime.build_normalized(id, source, &frame, &build)?,
        }
        Ok(())
    })
}

/// Returns the number of bones of an object; 0 on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_bone_count(world: SkelobjWorld, object: SkelobjObject) -> i32 {
    guard::world_value(world, 0, |world| Ok(numbers::count(world.object(object)?.1.bone_count())))
}

/// Writes the name of a bone, and its length (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_bone_name(
    world: SkelobjWorld,
    object: SkelobjObject,
    bone: i32,
    buffer: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (buffer, length, (_, object)) = (buffer.buffer(capacity)?, length.wanted()?, world.object(object)?);
        let name = object.bone_name(numbers::bone(bone)?).ok_or_else(|| no_bone(bone))?;
        buffer.fill_text(name.as_bytes(), length)
    })
}

/// Returns the number of a bone's parent; 0 for a root and on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_bone_parent(world: SkelobjWorld, object: SkelobjObject, bone: i32) -> i32 {
    guard::world_value(world, 0, |world| {
        Ok(numbers::bone_number(world.object(object)?.1.bone_parent(numbers::bone(bone)?)))
    })
}

/// Returns the number of the bone with a name; 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_find_bone(world: SkelobjWorld, object: SkelobjObject, name: In<c_char>) -> i32 {
    guard::world_value(world, 0, |world| Ok(numbers::bone_number(world.object(object)?.1.find_bone(name.bytes()?))))
}

#[cold]
fn no_bone(bone: i32) -> Failure {
    Failure::not_found(format_args!("bone {bone}"))
}

/// Writes the matrix of a bone relative to its parent.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_bone_local(
    world: SkelobjWorld,
    object: SkelobjObject,
    bone: i32,
    matrix: OutMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (place, (_, object)) = (matrix.place()?, world.object(object)?);
        place.set(object.local_space(numbers::bone(bone)?).ok_or_else(|| no_bone(bone))?.0);
        Ok(())
    })
}

/// Writes the matrix of a bone in model space.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_bone_model(
    world: SkelobjWorld,
    object: SkelobjObject,
    bone: i32,
    matrix: OutMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (place, (_, object)) = (matrix.place()?, world.object(object)?);
        place.set(object.model_space(numbers::bone(bone)?).ok_or_else(|| no_bone(bone))?.0);
        Ok(())
    })
}

/// Sets the matrix of a bone, in the space of the object.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_set_bone(
    world: SkelobjWorld,
    object: SkelobjObject,
    number: i32,
    matrix: InMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let matrix = matrix.matrix()?;
        Ok(world.object_mut(object)?.set_bone(bone(number)?, matrix)?)
    })
}

/// Sets the matrix of a bone in model space. Its children move with it if the object is in local space.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_set_bone_model(
    world: SkelobjWorld,
    object: SkelobjObject,
    number: i32,
    matrix: InMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let matrix = matrix.matrix()?;
        Ok(world.object_mut(object)?.set_bone_model_space(bone(number)?, matrix)?)
    })
}

/// Sets the matrix of a bone in world space, on an entity with a matrix.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_set_bone_world(
    world: SkelobjWorld,
    object: SkelobjObject,
    entity: InMatrix,
    number: i32,
    matrix: InMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (entity, matrix, id) = (entity.matrix()?, matrix.matrix()?, object.get()?);
        Ok(world.runtime.set_bone_world(id, &entity, bone(number)?, &matrix)?)
    })
}

/// Turns and moves a bone by a matrix in the space of the object, of the bone's parent or of the model: the matrix is
/// applied after the bone.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_mul_bone(
    world: SkelobjWorld,
    object: SkelobjObject,
    number: i32,
    matrix: InMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let matrix = matrix.matrix()?;
        Ok(world.object_mut(object)?.mul_bone(bone(number)?, matrix)?)
    })
}

/// Turns and moves a bone by a matrix in its own space: the matrix is applied before the bone.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_post_mul_bone(
    world: SkelobjWorld,
    object: SkelobjObject,
    number: i32,
    matrix: InMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let matrix = matrix.matrix()?;
        Ok(world.object_mut(object)?.post_mul_bone(bone(number)?, matrix)?)
    })
}

/// Applies skelobj_mul_bone to bones from `first` to `last`; 0 means the object's last.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_mul_bones(
    world: SkelobjWorld,
    object: SkelobjObject,
    first: i32,
    last: i32,
    matrix: InMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (matrix, object) = (matrix.matrix()?, world.object_mut(object)?);
        if !matrix.is_finite() {
            return Err(Failure::number("matrix", "finite numbers"));
        }
        object.mul_bones(range(first, last, object.bone_count())?, matrix);
        Ok(())
    })
}

/// Copies bones from `first` to `last` (0 means the last) from another object, converting between spaces.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_copy_bones(
    world: SkelobjWorld,
    to: SkelobjObject,
    from: SkelobjObject,
    first: i32,
    last: i32,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let ((to, _), (from, source)) = (world.object(to)?, world.object(from)?);
        let bones = range(first, last, source.bone_count())?;
        Ok(world.runtime.copy_bones(to, from, bones)?)
    })
}

/// Sets the first `count` bones of an object at once. The others keep their pose relative to their parents, or their
/// place in model space if that is the `space` (SKELOBJ_SPACE_...) of the matrices, and of the object afterwards. More
/// matrices than bones are refused.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_set_pose(
    world: SkelobjWorld,
    object: SkelobjObject,
    space: i32,
    matrices: InMatrix,
    count: i32,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (count, object) = (numbers::size(count)?, world.object_mut(object)?);
        let matrices = matrices.matrices(count)?;
        match space {
            0 => Ok(object.set_local_pose(matrices)?),
            1 => Ok(object.set_model_space_pose(matrices)?),
            _ => Err(Failure::number("space", "SKELOBJ_SPACE_LOCAL or SKELOBJ_SPACE_MODEL")),
        }
    })
}

/// Writes all bones of an object. `space` (SKELOBJ_SPACE_...) is that of the matrices; `capacity` is the number of
/// matrices that there is room for.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_pose(
    world: SkelobjWorld,
    object: SkelobjObject,
    space: i32,
    mut matrices: OutMatrix,
    capacity: i32,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (_, object) = world.object(object)?;
        let bones = object.bone_count();
        let out = matrices.matrices(room(numbers::size(capacity)?, bones)?)?;
        match space {
            0 => (0..bones).zip(out).for_each(|(bone, out)| *out = object.local_space(bone).unwrap_or(*out)),
            1 => object.write_model_space(out),
            _ => return Err(Failure::number("space", "SKELOBJ_SPACE_LOCAL or SKELOBJ_SPACE_MODEL")),
        }
        Ok(())
    })
}

/// Writes the palette of an object: the matrices that a renderer skins with. `capacity` is the number of matrices that
/// there is room for.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_palette(
    world: SkelobjWorld,
    object: SkelobjObject,
    mut matrices: OutMatrix,
    capacity: i32,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (_, object) = world.object(object)?;
        let out = matrices.matrices(room(numbers::size(capacity)?, object.bone_count())?)?;
        Ok(object.write_palette(out)?)
    })
}

/// Writes the palettes of many objects at once. That of object `i` begins at matrix `i * stride` and has at most
/// `stride` matrices; a stride below the number of its bones is an error. There must be room for `count * stride`
/// matrices.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_palettes(
    world: SkelobjWorld,
    objects: In<SkelobjObject>,
    count: i32,
    stride: i32,
    mut matrices: OutMatrix,
    capacity: i32,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (objects, stride) = (objects.slice(numbers::size(count)?)?, numbers::size(stride)?);
        let needed = objects.len().checked_mul(stride).ok_or_else(|| Failure::number("stride", "fewer matrices"))?;
        let out = matrices.matrices(room(numbers::size(capacity)?, needed)?)?;
        let objects = objects.iter().map(|id| id.get()).collect::<Result<Vec<_>>>()?;
        Ok(world.runtime.write_palettes(&objects, stride, out)?)
    })
}

/// Returns a number that changes whenever the bones of an object may have changed, so that a renderer can keep a
/// palette; 0 on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_object_revision(world: SkelobjWorld, object: SkelobjObject) -> u64 {
    guard::world_value(world, 0, |world| Ok(world.object(object)?.1.revision().unwrap_or(0)))
}
