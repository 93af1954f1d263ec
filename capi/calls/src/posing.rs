//! Aims, limbs that reach, masks and layers.

use std::ffi::c_char;

use skelobj::Model;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::object::ObjectError;
use skelobj::pose::{Aim, Chain, EndRotation, Feet, Ground, Reach, RootMotion, Spring};
use skelobj::ragdoll::{aim_within_stops, within_stops};

use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::{Id, SkelobjDoll, SkelobjModel, SkelobjObject, SkelobjWorld};
use crate::model::SkelobjFrameDef;
use crate::numbers::{self, bone};
use crate::pointer::{Def, In, InMatrix, InVector, Out};
use crate::table;
use crate::user::SkelobjUser;

/// Aim of a chain of bones. Get one from skelobj_default_aim_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjAimDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Part of the turn that is made, 0 to 1 (default).
    pub weight: f32,
    /// Greatest angle by which the axis turns from its direction in the pose, radians. Default: half a turn.
    pub limit: f32,
    /// Direction in the last bone's own space that points at the target; 0 (default) for the one that is forward in the
    /// bind pose.
    pub axis: [f32; 3],
    /// Direction in the last bone's own space that turns to the side of the pole; 0 (default) for the one that is up in
    /// the bind pose, or forward if the axis is up.
    pub up: [f32; 3],
    /// Direction in model space that keeps the last bone upright; 0 to add no roll. Default: up.
    pub pole: [f32; 3],
    /// Place in the last bone's own space from which the axis begins. Default 0.
    pub offset: [f32; 3],
    /// Doll whose stops replace the limit by the sum of the narrowest stop of each bone. Default none.
    pub doll: SkelobjDoll,
}

/// Rotation of the bone at the end of a limb that reaches.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjEndRotation {
    /// The bone turns with the limb.
    WithLimb = 0,
    /// The bone keeps the rotation in model space that it had in the pose.
    Kept = 1,
    /// The rotation that the bone had in the pose, and `end_turn` after it, in model space.
    KeptThen = 2,
}

/// Reach of a limb. Get one from skelobj_default_reach_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjReachDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Part of the correction that is made, 0 to 1 (default).
    pub weight: f32,
    /// Part of the limb's length from which the end falls behind the target, 0 to 1. Default 0.97.
    pub soften: f32,
    /// Turn of the limb about the line to the target, radians. Default 0.
    pub twist: f32,
    /// Least angle between the segments, radians. Default 0.
    pub least_bend: f32,
    /// Greatest angle between the segments, radians. Default: half a turn, straight.
    pub greatest_bend: f32,
    /// Direction in model space to whose side the middle points; 0 (default) to keep the plane in which it is bent.
    pub pole: [f32; 3],
    /// Axis in the middle bone's own space about which a positive turn opens the limb; 0 (default) for the one of the
    /// pose, or of the bind pose where it is straight.
    pub hinge: [f32; 3],
    /// Rotation of the bone at the end, SKELOBJ_END_ROTATION_...
    pub end: i32,
    /// Quaternion x, y, z, w for SKELOBJ_END_ROTATION_KEPT_THEN.
    pub end_turn: [f32; 4],
    /// Doll whose hinge in the middle of the limb gives the hinge and both bends. Default none.
    pub doll: SkelobjDoll,
}

/// Returns a def that turns all the way.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_aim_def() -> SkelobjAimDef {
    SkelobjAimDef {
        cookie: SkelobjAimDef::COOKIE,
        weight: 1.0,
        limit: std::f32::consts::PI,
        axis: [0.0; 3],
        up: [0.0; 3],
        pole: [0.0, 0.0, 1.0],
        offset: [0.0; 3],
        doll: SkelobjDoll::NONE,
    }
}

/// Returns a def that reaches as far as the limb is soft.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_reach_def() -> SkelobjReachDef {
    SkelobjReachDef {
        cookie: SkelobjReachDef::COOKIE,
        weight: 1.0,
        soften: 0.97,
        twist: 0.0,
        least_bend: 0.0,
        greatest_bend: std::f32::consts::PI,
        pole: [0.0; 3],
        hinge: [0.0; 3],
        end: SkelobjEndRotation::WithLimb as i32,
        end_turn: [0.0, 0.0, 0.0, 1.0],
        doll: SkelobjDoll::NONE,
    }
}

/// Returns a direction of a def, or `None` for 0.
fn direction(numbers: [f32; 3]) -> Option<Vec3> {
    (numbers != [0.0; 3]).then(|| Vec3::from_array(numbers))
}

fn aim_of(def: &SkelobjAimDef, model: &Model, bones: &[u8]) -> Result<Aim> {
    let aim = Aim::parse(&model.skeleton, bones)?;
    let axis = direction(def.axis).unwrap_or(aim.axis);
    // The bind pose may have its up direction along the axis.
    let is_up = axis.cross(aim.up).length_squared() < 1e-3 * axis.length_squared();
    let up = direction(def.up).unwrap_or(if is_up { aim.axis } else { aim.up });
    let aim = aim.with_axis(axis, up).with_pole(direction(def.pole)).with_offset(def.offset.into());
    let aim = aim.with_weight(def.weight).with_limit(def.limit);
    if def.doll.is_none() {
        return Ok(aim);
    }
    let doll = table::doll(def.doll)?;
    aim_within_stops(&doll, model, aim).ok_or_else(|| Failure::not_found("joint of the doll at a bone of the aim"))
}

fn reach_of(def: &SkelobjReachDef, model: &Model, bones: &[u8]) -> Result<Reach> {
    let reach = Reach::parse(&model.skeleton, bones)?;
    let end = match def.end {
        0 => EndRotation::WithLimb,
        1 => EndRotation::Kept,
        2 => EndRotation::KeptThen(Quat::from_array(def.end_turn)),
        _ => return Err(Failure::number("end", "SKELOBJ_END_ROTATION_...")),
    };
    let reach = reach.with_weight(def.weight).with_soften(def.soften).with_twist(def.twist).with_end(end);
    let reach = reach.with_bend([def.least_bend, def.greatest_bend]);
    let reach = reach.with_pole(direction(def.pole)).with_hinge(direction(def.hinge));
    if def.doll.is_none() {
        return Ok(reach);
    }
    let doll = table::doll(def.doll)?;
    within_stops(&doll, model, reach).ok_or_else(|| Failure::not_found("hinge of the doll in the middle of the limb"))
}

/// Turns a chain of bones, so that an axis of the last one points at `target`, model space, Quake units. `bones` are
/// names with their shares of the turn: "chest 0.2, neck 0.3, head 0.5". `def` may be null for the default. Writes the
/// angle by which the axis misses to `missed`, radians in model space (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_aim(
    world: SkelobjWorld,
    object: SkelobjObject,
    bones: In<c_char>,
    target: InVector,
    def: In<SkelobjAimDef>,
    missed: Out<f32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (bones, target, missed) = (bones.bytes()?, target.vector()?, missed.wanted()?);
        let def = def.def_or(skelobj_default_aim_def)?;
        let object = world.object_mut(object)?;
        let aim = aim_of(&def, object.model(), bones)?;
        let angle = object.aim(&aim, target)?;
        if let Some(missed) = missed {
            missed.set(angle);
        }
        Ok(())
    })
}

/// Turns a chain of bones by `pitch` and `yaw`, radians about the axes of model space: a positive pitch turns down, a
/// positive yaw to the left. `bones` and `def` are as in skelobj_aim. Writes the angle that is left by the limit or the
/// weight to `missed`, radians (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_turn(
    world: SkelobjWorld,
    object: SkelobjObject,
    bones: In<c_char>,
    pitch: f32,
    yaw: f32,
    def: In<SkelobjAimDef>,
    missed: Out<f32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (bones, missed) = (bones.bytes()?, missed.wanted()?);
        let def = def.def_or(skelobj_default_aim_def)?;
        let object = world.object_mut(object)?;
        let aim = aim_of(&def, object.model(), bones)?;
        let angle = object.turn(&aim, pitch, yaw)?;
        if let Some(missed) = missed {
            missed.set(angle);
        }
        Ok(())
    })
}

/// Bends a limb, so that its last bone comes to `target`, model space, Quake units. `bones` are the names of three
/// bones, each below the one before it: "thigh_l, shin_l, foot_l". Two names are the first and the last bone of a
/// longer chain: all of its bones turn, and only the weight of `def` counts. `def` may be null for the default. Writes
/// the distance by which the limb misses to `missed`, Quake units (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_reach(
    world: SkelobjWorld,
    object: SkelobjObject,
    bones: In<c_char>,
    target: InVector,
    def: In<SkelobjReachDef>,
    missed: Out<f32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (bones, target, missed) = (bones.bytes()?, target.vector()?, missed.wanted()?);
        let def = def.def_or(skelobj_default_reach_def)?;
        let object = world.object_mut(object)?;
        let model = object.model().clone();
        let distance = if Chain::is_named_by(bones) {
            object.reach_chain(&Chain::parse(&model.skeleton, bones)?.with_weight(def.weight), target)?
        } else {
            object.reach(&reach_of(&def, &model, bones)?, target)?
        };
        if let Some(missed) = missed {
            missed.set(distance);
        }
        Ok(())
    })
}

/// Limits later builds, copies, edits of ranges and added poses of an object to bones, until it is called with "".
/// `bones` are names with weights from 0 to 1, for the bone and everything below it, of which later ones replace
/// earlier ones: "spine 1 2, head 0". A second number is the count of generations over which the weight rises.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_object_set_mask(
    world: SkelobjWorld,
    object: SkelobjObject,
    bones: In<c_char>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (bones, object) = (bones.bytes()?, world.object_mut(object)?);
        Ok(object.set_mask_named(bones)?)
    })
}

/// Adds the difference of a pose of a model to a reference to an object's pose, with a `weight` from -1 to 1.
/// `reference` selects the pose that adds nothing; null for the bind pose.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_add_pose(
    world: SkelobjWorld,
    object: SkelobjObject,
    model: SkelobjModel,
    frame: In<SkelobjFrameDef>,
    reference: In<SkelobjFrameDef>,
    weight: f32,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (id, source) = (object.get()?, world.model(model)?);
        let frame = frame.state()?;
        let reference = if reference.is_null() { None } else { Some(reference.state()?) };
        Ok(world.runtime.add_pose(id, source, &frame, reference.as_ref(), weight)?)
    })
}

/// Spring of a chain of bones. Get one from skelobj_default_spring_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjSpringDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Swings per second without damping, 0.01 to 100. Default 2.
    pub frequency: f32,
    /// Damping ratio, from 0, with which a single bone swings for ever, to 1, with which it does not overshoot. Default
    /// 0.3.
    pub damping: f32,
    /// Acceleration in world space, Quake units per second squared. Default 0.
    pub gravity: [f32; 3],
    /// Greatest angle from the animation, radians. Default: half a turn, none.
    pub limit: f32,
    /// Radius of the bones for colliders, Quake units of the model. Default 0.
    pub radius: f32,
    /// Distance from where its speed would have brought it, in lengths of the chain, beyond which the start of the
    /// chain has jumped, so that the spring begins anew; 0 for never. Default 4.
    pub teleport: f32,
    /// Part of the swing that is shown, 0 to 1. Default 1.
    pub weight: f32,
    /// Part of the swing of the bone above that a bone follows, 0 to 1. Default 0.5.
    pub share: f32,
}

/// Returns a def of a spring that swings twice a second.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_spring_def() -> SkelobjSpringDef {
    SkelobjSpringDef {
        cookie: SkelobjSpringDef::COOKIE,
        frequency: 2.0,
        damping: 0.3,
        gravity: [0.0; 3],
        limit: std::f32::consts::PI,
        radius: 0.0,
        teleport: 4.0,
        weight: 1.0,
        share: 0.5,
    }
}

/// Swings a chain of bones behind the motion of its entity for a frame of some `seconds`. `bones` are the first one and
/// the end, which does not turn: "tail1, tail6". `colliders` are bones with radii that keep them out: "chest 7, pelvis
/// 6"; null for none. `def` may be null for the default. Call it in every frame after the build.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_swing(
    world: SkelobjWorld,
    object: SkelobjObject,
    bones: In<c_char>,
    entity: InMatrix,
    seconds: f32,
    colliders: In<c_char>,
    def: In<SkelobjSpringDef>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (bones, entity) = (bones.bytes()?, entity.matrix()?);
        let colliders = if colliders.is_null() { &[] } else { colliders.bytes()? };
        let def = def.def_or(skelobj_default_spring_def)?;
        let object = world.object_mut(object)?;
        let skeleton = &object.model().skeleton;
        let mut spring = Spring::parse(skeleton, bones)?.with_colliders(skeleton, colliders)?;
        spring.teleport = def.teleport;
        let spring = spring.with_frequency(def.frequency).with_damping(def.damping).with_gravity(def.gravity.into());
        let spring = spring.with_limit(def.limit).with_radius(def.radius).with_weight(def.weight);
        let spring = spring.with_share(def.share);
        Ok(object.swing(&spring, &entity, seconds)?)
    })
}

/// Lets all springs of an object begin anew in the next frame, at rest, after a teleport for instance.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_reset_springs(world: SkelobjWorld, object: SkelobjObject) -> SkelobjStatus {
    guard::world(world, |world| {
        world.object_mut(object)?.reset_springs();
        Ok(())
    })
}

/// Feet of a character. Get one from skelobj_default_feet_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjFeetDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Height of the floor of the animations in model space: -24 for a model whose origin is that of Quake's player.
    /// Default 0.
    pub floor: f32,
    /// Greatest height of a step from one foot to another, Quake units of the model. Default 18.
    pub step: f32,
    /// Greatest angle by which the ground tilts a sole, radians. Default 0.6.
    pub slope: f32,
    /// Frequency of the critically damped spring of the pelvis, swings per second, 0.1 to 100. Default 3.
    pub frequency: f32,
    /// Part of the correction that is made, 0 to 1: 1 (default) on the ground, 0 in the air.
    pub weight: f32,
    /// Finds the first ground on a line straight down from `from` to `to`, world space. Returns the fraction of the
    /// line before the ground, and writes the normal of the ground there; returns 2 if there is none, or if the line
    /// starts in something solid. It must not call the world. Null (default) for the level of the world.
    pub trace: Option<extern "C" fn(user: SkelobjUser, from: *const f32, to: *const f32, normal: *mut f32) -> f32>,
    /// Handed to `trace`.
    pub user: SkelobjUser,
}

/// Returns a def of feet that stand on the level of the world.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_feet_def() -> SkelobjFeetDef {
    SkelobjFeetDef {
        cookie: SkelobjFeetDef::COOKIE,
        floor: 0.0,
        step: 18.0,
        slope: 0.6,
        frequency: 3.0,
        weight: 1.0,
        trace: None,
        user: SkelobjUser::NULL,
    }
}

/// Places the feet of an object on the ground, for a frame of some `seconds`. `bones` are the pelvis, and a thigh, a
/// shin and a foot for each leg: "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r". `def` may be null for the
/// default. Call it in every frame after the build.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_place_feet(
    world: SkelobjWorld,
    object: SkelobjObject,
    bones: In<c_char>,
    entity: InMatrix,
    seconds: f32,
    def: In<SkelobjFeetDef>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (bones, entity) = (bones.bytes()?, entity.matrix()?);
        let def = def.def_or(skelobj_default_feet_def)?;
        let (id, object) = world.object(object)?;
        let mut feet = Feet::parse(&object.model().skeleton, bones)?;
        feet.slope = def.slope;
        let feet = feet.with_floor(def.floor).with_step(def.step).with_frequency(def.frequency);
        let feet = feet.with_weight(def.weight);
        let Some(trace) = def.trace else { return Ok(world.runtime.place_feet(id, &feet, &entity, seconds)?) };
        let object = world.runtime.object_mut(id).ok_or_else(|| Failure::not_found("object"))?;
        let done = object.place_feet(&feet, &entity, seconds, |from, to| {
            let (start, end, mut normal) = (from.to_array(), to.to_array(), [0.0; 3]);
            let fraction = trace(def.user, start.as_ptr(), end.as_ptr(), normal.as_mut_ptr());
            let is_hit = (0.0..=1.0).contains(&fraction);
            is_hit.then(|| Ground { point: from + (to - from) * fraction, normal: normal.into() })
        });
        Ok(done?)
    })
}

/// Lets the feet of an object begin anew on the ground of the next frame, after a teleport for instance.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_reset_feet(world: SkelobjWorld, object: SkelobjObject) -> SkelobjStatus {
    guard::world(world, |world| {
        world.object_mut(object)?.reset_feet();
        Ok(())
    })
}

/// Parts of a root bone's motion that move the entity, a sum of SKELOBJ_MOTION_PART_... for skelobj_motion.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjMotionPart {
    /// Along X and Y of model space.
    Distance = 1,
    /// Along Z of model space.
    Height = 2,
    /// About Z of model space.
    Yaw = 4,
}

fn root_of(model: &Model, bone: &[u8], parts: u32) -> Result<RootMotion> {
    if parts > 7 {
        return Err(Failure::number("parts", "a sum of SKELOBJ_MOTION_PART_..."));
    }
    let has = |part: SkelobjMotionPart| parts & part as u32 != 0;
    let root = RootMotion::parse(&model.skeleton, bone)?.with_distance(has(SkelobjMotionPart::Distance));
    Ok(root.with_height(has(SkelobjMotionPart::Height)).with_yaw(has(SkelobjMotionPart::Yaw)))
}

/// Writes the motion of a root bone from one frame state of a model to another: `translation`, Quake units in the space
/// that the entity had at the first one, and `yaw`, radians. `parts` is a sum of SKELOBJ_MOTION_PART_...; each result
/// may be null. Times of an animation that loops go on beyond its duration.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_motion(
    world: SkelobjWorld,
    model: SkelobjModel,
    bone: In<c_char>,
    from: In<SkelobjFrameDef>,
    to: In<SkelobjFrameDef>,
    parts: u32,
    translation: Out<[f32; 3]>,
    yaw: Out<f32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let id = world.model(model)?;
        let (bone, from, to) = (bone.bytes()?, from.state()?, to.state()?);
        let (translation, yaw) = (translation.wanted()?, yaw.wanted()?);
        let model = world.runtime.model(id).ok_or_else(|| Failure::not_found("model"))?;
        let motion = root_of(model, bone, parts)?.motion(model, &from, &to).map_err(ObjectError::from)?;
        if let Some(translation) = translation {
            translation.set(motion.translation.to_array());
        }
        if let Some(yaw) = yaw {
            yaw.set(motion.yaw);
        }
        Ok(())
    })
}

/// Takes the motion of a root bone out of an object's pose, which was built, whole, of a frame state of `model`.
/// `parts` is as in skelobj_motion.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_take_motion(
    world: SkelobjWorld,
    object: SkelobjObject,
    model: SkelobjModel,
    frame: In<SkelobjFrameDef>,
    bone: In<c_char>,
    parts: u32,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (id, source) = (object.get()?, world.model(model)?);
        let (frame, bone) = (frame.state()?, bone.bytes()?);
        let shown = world.runtime.model(source).ok_or_else(|| Failure::not_found("model"))?;
        let root = root_of(shown, bone, parts)?;
        Ok(world.runtime.take_motion(id, &root, source, &frame)?)
    })
}

/// Turns a bone so that its axes in model space are those of a matrix, whose origin is not used; the bone stays at its
/// place. Its children turn with it if the object is in local space.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_set_bone_axes(
    world: SkelobjWorld,
    object: SkelobjObject,
    number: i32,
    matrix: InMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let matrix = matrix.matrix()?;
        Ok(world.object_mut(object)?.set_bone_axes(bone(number)?, &matrix)?)
    })
}

/// Copies the places in model space of all bones that have the same names in both objects, whose models may differ.
/// `to_own_matrix` takes the model space of `from` to that of `to`; null if both are the same. Writes the number of
/// bones copied (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_copy_bones_by_name(
    world: SkelobjWorld,
    to: SkelobjObject,
    from: SkelobjObject,
    to_own_matrix: InMatrix,
    copied: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let ((to, _), (from, _), copied) = (world.object(to)?, world.object(from)?, copied.wanted()?);
        let to_own = if to_own_matrix.is_null() { Mat3x4::IDENTITY } else { to_own_matrix.matrix()? };
        let count = world.runtime.copy_bones_by_name(to, from, &to_own)?;
        if let Some(copied) = copied {
            copied.set(numbers::count(count));
        }
        Ok(())
    })
}
