//! Builtins that aim, reach, mask and layer.

use std::sync::Arc;

use skelobj_model::internal;

use super::bone_words;
use crate::doll::Doll;
use crate::math::{Axes, Mat3x4, Vec3};
use crate::model::FrameState;
use crate::object::{Blending, ObjectError, SkeletalObject};
use crate::pose::{Aim, Chain, Feet, Motion, PosingError, Reach, RootMotion, Spring};
use crate::qc::argument_number::object_id;
use crate::qc::call::{BONES_A_STATEMENT, Call, NAMES_A_STATEMENT, TRACE};
use crate::qc::frame_state::frame_state;
use crate::qc::{Dialect, Entity, Host, ModelRef};
use crate::ragdoll::{aim_within_stops, within_stops};
use crate::runtime::{ModelId, ObjectId};

/// Statements that the sweeps of a chain of the greatest length take.
const CHAIN_STATEMENTS: u64 = 600;

/// Statements that a leg on the ground takes beside its traces.
const LEG_STATEMENTS: u64 = 100;

/// Result of a builtin that did nothing: no angle and no distance is negative.
const NOTHING_DONE: f32 = -1.0;

/// Runs `skel_aim`: aims the bones 1 of entity 0 at the point 2 with weight 3 and the greatest angle 4, degrees.
pub(crate) fn aim(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let Some(id) = call.entity_object(entity) else { return call.host.return_float(NOTHING_DONE) };
    let (point, weight, limit) = (call.vector(2), weight(call, 3), limit(call, 4));
    let doll = if limit.is_none() { doll(call, id) } else { None };
    let missed = into_model(call, entity).and_then(|(into_model, _)| {
        pose(call, id, |object, bones| {
            let aim = Aim::parse(&object.model().skeleton, bones)?.with_weight(weight);
            let aim = match (limit, &doll) {
                (Some(limit), _) => aim.with_limit(limit),
                (None, Some(doll)) => aim_within_stops(doll, object.model(), aim.clone()).unwrap_or(aim),
                (None, None) => aim,
            };
            object.aim(&aim, into_model.transform_point(point)).map(f32::to_degrees)
        })
    });
    answer(call, id, missed, NOTHING_DONE);
}

/// Runs `skel_turn`: turns the bones 1 of object 0 by the angles 2, with weight 3 and the greatest angle 4, degrees.
pub(crate) fn turn(call: &mut Call<'_, impl Host + ?Sized>) {
    let Some(id) = call.object(0) else { return call.host.return_float(NOTHING_DONE) };
    let (angles, weight, limit) = (call.vector(2), weight(call, 3), limit(call, 4));
    let left = pose(call, id, |object, bones| {
        let aim = Aim::parse(&object.model().skeleton, bones)?.with_weight(weight);
        let aim = aim.with_limit(limit.unwrap_or(std::f32::consts::PI));
        object.turn(&aim, angles.x.to_radians(), angles.y.to_radians()).map(f32::to_degrees)
    });
    answer(call, id, left, NOTHING_DONE);
}

/// Runs `skel_reach`: brings the limb or chain 1 of entity 0 to the point 2, with the pole 3 and the weight 4.
pub(crate) fn reach(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let Some(id) = call.entity_object(entity) else { return call.host.return_float(NOTHING_DONE) };
    let (point, pole, weight) = (call.vector(2), call.vector(3), weight(call, 4));
    let missed = into_model(call, entity).and_then(|(into_model, scale)| {
        let pole = (pole != Vec3::ZERO).then(|| into_model.transform_vector(pole));
        let target = into_model.transform_point(point);
        if Chain::is_named_by(call.host.string(1)) {
            call.host.charge(CHAIN_STATEMENTS);
            return pose(call, id, |object, bones| {
                let chain = Chain::parse(&object.model().skeleton, bones)?.with_weight(weight);
                object.reach_chain(&chain, target).map(|missed| missed * scale)
            });
        }
        let doll = doll(call, id);
        pose(call, id, |object, bones| {
            let reach = Reach::parse(&object.model().skeleton, bones)?.with_weight(weight).with_pole(pole);
            let reach = match &doll {
                Some(doll) => within_stops(doll, object.model(), reach.clone()).unwrap_or(reach),
                None => reach,
            };
            object.reach(&reach, target).map(|missed| missed * scale)
        })
    });
    answer(call, id, missed, NOTHING_DONE);
}

/// Returns the doll of an object's ragdoll, and charges for the search of the joints of a few bones.
fn doll(call: &mut Call<'_, impl Host + ?Sized>, id: ObjectId) -> Option<Arc<Doll>> {
    let doll = call.runtime.ragdoll(id)?.doll().clone();
    // Names are compared, and three bones and all above them are posed in the reference pose.
    let bones = call.runtime.object(id).map_or(0, |object| object.bone_count() as u64);
    call.host.charge(doll.joints.len() as u64 * bones / NAMES_A_STATEMENT + 3 * bones);
    Some(doll)
}

/// Runs `skel_motion`: takes the motion of the bone 1 out of the object of entity 0, and returns its translation in the
/// last seconds 2 in world space; 3 are the parts.
pub(crate) fn motion(call: &mut Call<'_, impl Host + ?Sized>) {
    let parts = if call.host.argc() > 3 { call.integer(3) } else { DISTANCE | YAW };
    let moved = root_motion(call, parts).and_then(|(id, source, root, frame, motion)| {
        let entity = call.host.entity(0);
        let world = to_world(call, entity).0;
        call.runtime.take_motion(id, &root, source, &frame)?;
        Ok(world.transform_vector(motion.translation))
    });
    let moved = moved.unwrap_or_else(|error| {
        refuse_motion(call, error);
        Vec3::ZERO
    });
    call.host.return_vector(moved);
}

/// Runs `skel_motionyaw`: returns by how many degrees the bone 1 of entity 0 has turned in the last seconds 2.
pub(crate) fn motionyaw(call: &mut Call<'_, impl Host + ?Sized>) {
    let yaw = root_motion(call, YAW).map(|(.., motion)| motion.yaw.to_degrees());
    let yaw = yaw.unwrap_or_else(|error| {
        refuse_motion(call, error);
        0.0
    });
    call.host.return_float(yaw);
}

/// Tells why the motion of the bone 1 of entity 0 is not known.
#[cold]
fn refuse_motion(call: &mut Call<'_, impl Host + ?Sized>, error: ObjectError) {
    let entity = call.host.entity(0);
    match call.entity_object(entity) {
        Some(id) => refuse(call, id, error),
        None => {
            call.check(Err(error));
        }
    }
}

/// Parts of a motion, bits of an argument.
const DISTANCE: i32 = 1;
const HEIGHT: i32 = 2;
const YAW: i32 = 4;

/// Bones in model space that the motion of a frame takes, as a multiple of the bones of the model.
const MOTION_BONES: u64 = 64;

/// Returns the object and the model of entity 0, its frame state, and the motion of the bone 1 in the last seconds 2.
fn root_motion(
    call: &mut Call<'_, impl Host + ?Sized>,
    parts: i32,
) -> Result<(ObjectId, ModelId, RootMotion, FrameState, Motion), ObjectError> {
    let entity = call.host.entity(0);
    let seconds = f64::from(call.float(2));
    let id = call.entity_object(entity).ok_or(ObjectError::NoSuchObject)?;
    let ModelRef::Model(source) = call.entity_model(entity) else { return Err(ObjectError::NoSuchModel) };
    let model = call.runtime.model(source).ok_or(ObjectError::NoSuchModel)?.clone();
    let (bones, name) = (model.skeleton.len() as u64, call.host.string(1));
    call.host.charge(bones / NAMES_A_STATEMENT + MOTION_BONES * bones / BONES_A_STATEMENT + name.len() as u64);
    let root = RootMotion::parse(&model.skeleton, name)?;
    let root = root.with_distance(parts & DISTANCE != 0).with_height(parts & HEIGHT != 0).with_yaw(parts & YAW != 0);
    let frame = frame_state(call.host, entity, Some(&model));
    call.host.charge(2 * internal::poses_within(&root, &model, &frame, seconds) * bones / BONES_A_STATEMENT);
    let motion = root.during(&model, &frame, seconds)?;
    Ok((id, source, root, frame, motion))
}

/// Runs `skel_spring`: swings the bones 1 of entity 0 for the seconds 2, with the frequency 3, the damping 4, the
/// gravity 5, the colliders 6 and the share 7; returns 1, or 0.
pub(crate) fn spring(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let Some(id) = call.entity_object(entity) else { return call.host.return_float(0.0) };
    let (seconds, gravity) = (call.float(2), call.vector(5));
    let [frequency, damping] = [3, 4].map(|argument| (call.host.argc() > argument).then(|| call.float(argument)));
    let world = to_world(call, entity).0;
    let colliders = if call.host.argc() > 6 { call.host.string(6).to_vec() } else { Vec::new() };
    let share = (call.host.argc() > 7).then(|| call.float(7));
    call.host.charge(CHAIN_STATEMENTS + entries(&colliders) * CHAIN_STATEMENTS / 32 + colliders.len() as u64);
    let swung = pose(call, id, |object, bones| {
        let skeleton = &object.model().skeleton;
        let spring = Spring::parse(skeleton, bones)?.with_gravity(gravity).with_colliders(skeleton, &colliders)?;
        let spring = spring.with_frequency(frequency.filter(|number| *number != 0.0).unwrap_or(2.0));
        let share = share.unwrap_or(spring.share);
        object.swing(&spring.with_damping(damping.unwrap_or(0.3)).with_share(share), &world, seconds).map(|()| 1.0)
    });
    answer(call, id, swung, 0.0);
}

/// Runs `skel_spring_reset`: lets the springs of object 0 begin anew.
pub(crate) fn spring_reset(call: &mut Call<'_, impl Host + ?Sized>) {
    let Some(id) = call.object(0) else { return };
    if let Some(object) = call.runtime.object_mut(id) {
        object.reset_springs();
    }
}

/// Runs `skel_feet`: places the feet 1 of entity 0 on the level for the seconds 2, with the weight 3, the height of the
/// floor 4 and that of a step 5; returns 1, or 0.
pub(crate) fn feet(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let Some(id) = call.entity_object(entity) else { return call.host.return_float(0.0) };
    let (seconds, weight, floor, step) = (call.float(2), weight(call, 3), call.float(4), call.float(5));
    let world = to_world(call, entity).0;
    let legs = (entries(call.host.string(1)) / 3).min(Feet::MAX_LEGS as u64);
    call.host.charge(legs * (2 * TRACE + LEG_STATEMENTS));
    let feet = pose(call, id, |object, bones| {
        let feet = Feet::parse(&object.model().skeleton, bones)?;
        let step = if step == 0.0 { feet.step } else { step };
        Ok(feet.with_weight(weight).with_floor(floor).with_step(step))
    });
    let placed = feet.and_then(|feet| {
        feet.map(|feet| call.runtime.place_feet(id, &feet, &world, seconds).map(|()| 1.0)).transpose()
    });
    answer(call, id, placed, 0.0);
}

/// Runs `skel_feet_reset`: lets the feet of object 0 begin anew.
pub(crate) fn feet_reset(call: &mut Call<'_, impl Host + ?Sized>) {
    let Some(id) = call.object(0) else { return };
    if let Some(object) = call.runtime.object_mut(id) {
        object.reset_feet();
    }
}

/// Runs `skel_mask`: limits later builds, layers and edits of object 0 to the bones 1; returns 1, or 0.
pub(crate) fn mask(call: &mut Call<'_, impl Host + ?Sized>) {
    let Some(id) = call.object(0) else { return call.host.return_float(0.0) };
    let masked = set_mask(call, id);
    call.host.return_float(f32::from(u8::from(masked.is_ok())));
    if let Err(error) = masked {
        refuse(call, id, error);
    }
}

fn set_mask(call: &mut Call<'_, impl Host + ?Sized>, id: ObjectId) -> Result<(), ObjectError> {
    let object = call.runtime.object_mut(id).ok_or(ObjectError::NoSuchObject)?;
    let bones = call.host.string(1);
    let (entries, count) = (entries(bones), object.bone_count() as u64);
    if !call.host.charge(entries * count + bones.len() as u64) {
        return Ok(());
    }
    object.set_mask_named(bones).map_err(ObjectError::from)
}

/// Runs `skel_blending`: sets how later calls mix poses of object 0 by rule 1; returns 1, or 0.
pub(crate) fn blending(call: &mut Call<'_, impl Host + ?Sized>) {
    let blending = match call.float(1) {
        0.0 => Some(Blending::Linear),
        1.0 => Some(Blending::Rotations),
        _ => None,
    };
    let object = call.object(0).and_then(|id| call.runtime.object_mut(id));
    let is_set = object.zip(blending).map(|(object, blending)| object.set_blending(blending)).is_some();
    call.host.return_float(f32::from(u8::from(is_set)));
}

/// Runs `skel_add`: adds to object 0 the animations of entity 1 in model 2, with weight 3, as the difference to the
/// first frame of animation 4 (by default of their own, for -1 the bind pose); returns 1, or 0.
pub(crate) fn add(call: &mut Call<'_, impl Host + ?Sized>) {
    let [handle, _, _, weight] = call.floats();
    let [handle, weight] = call.finite([handle, weight]);
    let reference = (call.host.argc() > 4).then(|| call.integer(4));
    let ModelRef::Model(model) = call.model(2) else { return call.host.return_float(0.0) };
    let Some(id) = object_id(handle) else { return call.host.return_float(0.0) };
    let entity = call.host.entity(1);
    let added = call.runtime.object_and_model(id, model).and_then(|(object, source)| {
        call.host.charge(32 * object.bone_count() as u64);
        let frame = frame_state(call.host, entity, Some(&source.model));
        let reference = match reference {
            None => internal::active(&frame).next().map(|blend| usize::try_from(blend.animation).unwrap_or(0)),
            Some(animation) => usize::try_from(animation).ok(),
        };
        let reference = reference.map(|animation| FrameState::single(animation, 0.0));
        object.add_pose(&source.model, &frame, reference.as_ref(), weight)
    });
    let done = call.check(added);
    call.host.return_float(f32::from(u8::from(done)));
}

/// Runs `skel_set_bone_axes`: gives bone 1 of object 0 the axes 2 to 4, or those of the globals, in model space.
pub(crate) fn set_bone_axes(call: &mut Call<'_, impl Host + ?Sized>) {
    let (id, bone) = call.object_and_bone();
    let axes = if call.host.argc() > 4 {
        Axes { forward: call.vector(2), right: call.vector(3), up: call.vector(4) }
    } else {
        call.global_axes()
    };
    let object = id.and_then(|id| call.runtime.object_mut(id)).ok_or(ObjectError::NoSuchObject);
    let set = object.and_then(|object| {
        call.host.charge(object.bone_count().min(bone) as u64 / BONES_A_STATEMENT);
        object.set_bone_axes(bone, &Mat3x4::from_axes(axes, Vec3::ZERO))
    });
    call.check(set);
}

/// Runs `skel_copybones_named`: copies bones of object 1 to those of object 0 that have their names; returns their
/// number.
pub(crate) fn copybones_named(call: &mut Call<'_, impl Host + ?Sized>) {
    let (to, from) = (call.object(0), call.object(1));
    let (Some(to), Some(from)) = (to, from) else { return call.host.return_float(0.0) };
    let bones = |id| call.runtime.object(id).map_or(0, |object| object.bone_count() as u64);
    let (own, others) = (bones(to), bones(from));
    if !call.host.charge(own * others / NAMES_A_STATEMENT + own * (own + others) / BONES_A_STATEMENT) {
        return;
    }
    let copied = call.runtime.copy_bones_by_name(to, from, &Mat3x4::IDENTITY);
    let copied = copied.unwrap_or_else(|error| {
        call.check(Err(error));
        0
    });
    call.host.return_float(copied as f32);
}

/// Returns the matrix from model space to world space, with the scale of the entity, and that scale.
fn to_world(call: &mut Call<'_, impl Host + ?Sized>, entity: Entity) -> (Mat3x4, f32) {
    let model = call.entity_model(entity);
    let (world, scale) = (call.world(entity, model), internal::factor(&call.transform(entity)));
    let world = match call.dialect() {
        Dialect::Fte => Mat3x4::from_axes(world.axes().scaled(scale), world.origin()),
        Dialect::DarkPlaces => world,
    };
    (world, scale)
}

/// Returns the matrix from world space to model space, and the scale of the entity.
fn into_model(call: &mut Call<'_, impl Host + ?Sized>, entity: Entity) -> Result<(Mat3x4, f32), ObjectError> {
    let (world, scale) = to_world(call, entity);
    Ok((world.inverse().ok_or(ObjectError::Singular)?, scale))
}

/// Poses an object with the bones that argument 1 names. Returns `None` if the budget does not allow it.
fn pose<T>(
    call: &mut Call<'_, impl Host + ?Sized>,
    id: ObjectId,
    pose: impl FnOnce(&mut SkeletalObject, &[u8]) -> Result<T, ObjectError>,
) -> Result<Option<T>, ObjectError> {
    let object = call.runtime.object_mut(id).ok_or(ObjectError::NoSuchObject)?;
    let bones = call.host.string(1);
    let count = object.bone_count() as u64;
    let cost = entries(bones) * 3 * count / NAMES_A_STATEMENT + count / BONES_A_STATEMENT + bones.len() as u64;
    if !call.host.charge(cost) {
        return Ok(None);
    }
    pose(object, bones).map(Some)
}

/// Returns the number of entries of a list of bones, each of which is looked for three times at most: with its numbers,
/// with one and without.
fn entries(bones: &[u8]) -> u64 {
    bones.iter().filter(|byte| **byte == b',').count() as u64 + 1
}

/// Returns an optional weight, 1 if it was not passed.
fn weight(call: &mut Call<'_, impl Host + ?Sized>, argument: usize) -> f32 {
    if call.host.argc() > argument { call.float(argument) } else { 1.0 }
}

/// Returns an optional greatest angle, radians; `None` for 0 or if it was not passed.
fn limit(call: &mut Call<'_, impl Host + ?Sized>, argument: usize) -> Option<f32> {
    let angle = call.float(argument);
    (angle != 0.0).then(|| angle.to_radians())
}

/// Returns a result to the script, or `otherwise`, and tells of an error.
fn answer(
    call: &mut Call<'_, impl Host + ?Sized>,
    id: ObjectId,
    result: Result<Option<f32>, ObjectError>,
    otherwise: f32,
) {
    let result = result.unwrap_or_else(|error| {
        refuse(call, id, error);
        None
    });
    call.host.return_float(result.unwrap_or(otherwise));
}

/// Tells why nothing was done to an object with the bones that the arguments name.
#[cold]
fn refuse(call: &mut Call<'_, impl Host + ?Sized>, id: ObjectId, error: ObjectError) {
    let ObjectError::Posing(error) = error else {
        call.check(Err(error));
        return;
    };
    let Some(object) = call.runtime.object(id) else { return };
    if let PosingError::NoBoneNamed { name, .. } = &error {
        let bones = object.bone_count();
        call.host.charge(bones as u64 + internal::nearest_cost(name.as_bytes(), bones));
    }
    let told = bone_words::told(&error, &object.model().skeleton);
    call.complain(&told);
}
