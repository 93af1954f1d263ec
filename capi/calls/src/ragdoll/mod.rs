//! Ragdolls: commands, hits, and their parts.

mod impact;
mod state;

use std::ffi::c_char;

use skelobj::Ragdoll;
use skelobj::physics::CollisionGroups;
use skelobj::ragdoll::{Command, Flinch};
use skelobj::runtime::ObjectId;

pub use impact::*;
pub use state::*;

use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::{Id, SkelobjDoll, SkelobjModel, SkelobjObject, SkelobjWorld};
use crate::numbers::{self, count, flag};
use crate::pointer::{Def, In, InMatrix, InVector, Out};
use crate::table;
use crate::world::World;

/// Runs a command of skel_ragupdate on an object of an entity, such as "animate 0.5", "animatelimb upperarm_l 0 0.3",
/// "enablejoint neck 0", "muscle 0.4", "doll progs/other.doll" or "cleardoll", as text that game code has. A host's own
/// code has skelobj_ragdoll_animate, skelobj_ragdoll_enable_joint and the like. Writes the result of the builtin (may
/// be null): the number of animated bodies for "animatebody" and "animatelimb", 0 for "cleardoll" without a doll, else
/// 1. `source` is an object whose pose the bodies follow; none is the object's own.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_command(
    world: SkelobjWorld,
    object: SkelobjObject,
    entity: InMatrix,
    command: In<c_char>,
    source: SkelobjObject,
    result: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        entity.matrix()?;
        write_command(world, object, entity, Command::parse(command.bytes()?)?, source, result)
    })
}

/// Runs a command, and writes the result of the builtin where the caller wants it.
fn write_command(
    world: &mut World,
    object: SkelobjObject,
    entity: InMatrix,
    command: Command<'_>,
    source: SkelobjObject,
    result: Out<i32>,
) -> Result<()> {
    let place = result.wanted()?;
    let done = run_command(world, object, entity, command, source)?;
    if let Some(place) = place {
        place.set(done);
    }
    Ok(())
}

/// Runs a command, and returns the result of the builtin.
fn run_command(
    world: &mut World,
    object: SkelobjObject,
    entity: InMatrix,
    command: Command<'_>,
    source: SkelobjObject,
) -> Result<i32> {
    let (entity, id, source) = (entity.matrix()?, object.get()?, source_of(world, source)?);
    Ok(count(world.runtime.ragdoll_command(id, &entity, command, source)? as usize))
}

/// Returns the time over which a strength changes, or `None` for the usual one.
fn over(seconds: f32) -> Option<f32> {
    if seconds.is_finite() && seconds < 0.0 { None } else { Some(seconds) }
}

/// Returns the object that a ragdoll follows, which must exist.
fn source_of(world: &World, source: SkelobjObject) -> Result<Option<ObjectId>> {
    if source.is_none() { Ok(None) } else { world.object(source).map(|(object, _)| Some(object)) }
}

/// Updates the ragdoll of an object once per frame: bodies follow the pose while the character lives, bones follow the
/// bodies once it is limp. The first call makes the ragdoll from the model's doll. `source` is an object whose pose the
/// bodies follow; none is the object's own.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_update(
    world: SkelobjWorld,
    object: SkelobjObject,
    entity: InMatrix,
    source: SkelobjObject,
) -> SkelobjStatus {
    guard::world(world, |world| run_command(world, object, entity, Command::Update, source).map(drop))
}

/// Makes all bodies follow the animation with the doll's strengths times `strength`, 0 to 1: exactly at 1, limp at 0,
/// as at a death. The strengths change within `seconds`, 0 to 3600. A negative number is the usual time: 0.3 seconds
/// for limp bodies that are to follow exactly from far away, as when a corpse gets up, and 0 for all others. Also
/// updates the ragdoll.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_animate(
    world: SkelobjWorld,
    object: SkelobjObject,
    entity: InMatrix,
    strength: f32,
    seconds: f32,
    source: SkelobjObject,
) -> SkelobjStatus {
    guard::world(world, |world| {
        run_command(world, object, entity, Command::Animate(strength, over(seconds)), source).map(drop)
    })
}

/// Makes one body, by its name in the doll, follow the animation with a strength of its own, 0 to 1, whatever the
/// doll's is: a hand drags the corpse. `seconds` is as in skelobj_ragdoll_animate. Also updates the ragdoll, and writes
/// the number of bodies that follow the animation (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_animate_body(
    world: SkelobjWorld,
    object: SkelobjObject,
    entity: InMatrix,
    body: In<c_char>,
    strength: f32,
    seconds: f32,
    source: SkelobjObject,
    animated: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let command = Command::AnimateBody(body.text()?, strength, over(seconds));
        write_command(world, object, entity, command, source, animated)
    })
}

/// Makes a body, by its name in the doll, and all that hangs on it follow the animation with a strength of their own, 0
/// to 1, whatever the doll's is: a shot in the upper arm paralyses forearm and hand, too. A body hangs on another if
/// enabled joints connect it with the body on the topmost bone by way of that other body alone. The rest is as in
/// skelobj_ragdoll_animate_body.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_animate_limb(
    world: SkelobjWorld,
    object: SkelobjObject,
    entity: InMatrix,
    body: In<c_char>,
    strength: f32,
    seconds: f32,
    source: SkelobjObject,
    animated: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let command = Command::AnimateLimb(body.text()?, strength, over(seconds));
        write_command(world, object, entity, command, source, animated)
    })
}

/// Enables (1) or disables (0) a joint, by its name in the doll. A disabled joint severs the bodies that hang on it,
/// also on an animated character: they become limp and keep their velocity, until the joint is enabled again. Also
/// updates the ragdoll.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_enable_joint(
    world: SkelobjWorld,
    object: SkelobjObject,
    entity: InMatrix,
    joint: In<c_char>,
    enabled: i32,
    source: SkelobjObject,
) -> SkelobjStatus {
    guard::world(world, |world| {
        run_command(world, object, entity, Command::EnableJoint(joint.text()?, enabled != 0), source).map(drop)
    })
}

/// Sets the strength of all muscles, a factor of the doll's own stiffness: at 0 the corpse is slack. Also updates the
/// ragdoll.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_muscle(
    world: SkelobjWorld,
    object: SkelobjObject,
    entity: InMatrix,
    strength: f32,
    source: SkelobjObject,
) -> SkelobjStatus {
    guard::world(world, |world| run_command(world, object, entity, Command::Muscle(strength), source).map(drop))
}

/// Sets the strength of the muscle of one joint, by its name in the doll: a factor of the doll's own stiffness. Also
/// updates the ragdoll.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_muscle_joint(
    world: SkelobjWorld,
    object: SkelobjObject,
    entity: InMatrix,
    joint: In<c_char>,
    strength: f32,
    source: SkelobjObject,
) -> SkelobjStatus {
    guard::world(world, |world| {
        run_command(world, object, entity, Command::MuscleJoint(joint.text()?, strength), source).map(drop)
    })
}

/// Wakes the ragdoll (1), or lets it sleep where it is (0), from the end of the next step on. It stays awake while it
/// touches something that moves, and while bodies of it follow an animation. Also updates the ragdoll.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_set_awake(
    world: SkelobjWorld,
    object: SkelobjObject,
    entity: InMatrix,
    awake: i32,
    source: SkelobjObject,
) -> SkelobjStatus {
    guard::world(world, |world| run_command(world, object, entity, Command::Awake(awake != 0), source).map(drop))
}

/// Updates the ragdoll of an entity that has its model's default doll and receives no commands. The ragdoll follows the
/// animation with the doll's strengths, or with that of the last skelobj_ragdoll_animate. The ragdoll is limp while
/// `frame`, the entity's frame, is positive and has bit 15 set, such as 65535.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_update_default(
    world: SkelobjWorld,
    object: SkelobjObject,
    entity: InMatrix,
    frame: f32,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (entity, id) = (entity.matrix()?, object.get()?);
        Ok(world.runtime.update_default_ragdoll(id, &entity, frame)?)
    })
}

/// Makes the ragdoll of an object from a doll.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_set(
    world: SkelobjWorld,
    object: SkelobjObject,
    entity: InMatrix,
    doll: SkelobjDoll,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (entity, id, doll) = (entity.matrix()?, object.get()?, table::doll(doll)?);
        Ok(world.runtime.set_ragdoll(id, &entity, &doll)?)
    })
}

/// Removes the ragdoll of an object; its bones keep their pose. Returns 1 if there was one, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_clear(world: SkelobjWorld, object: SkelobjObject) -> i32 {
    guard::world_value(world, 0, |world| {
        let (id, _) = world.object(object)?;
        Ok(flag(world.runtime.clear_ragdoll(id).is_some()))
    })
}

/// Reads the doll of a model now rather than at the first update. Returns 1 if there is one with bodies, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_precache_doll(world: SkelobjWorld, model: SkelobjModel) -> i32 {
    guard::world_value(world, 0, |world| {
        let model = world.model(model)?;
        Ok(flag(world.runtime.precache_doll(model).is_some()))
    })
}

/// Reads all doll files again and changes the ragdolls in place. Returns the number of dolls that changed.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_reload_dolls(world: SkelobjWorld) -> i32 {
    guard::world_value(world, 0, |world| Ok(count(world.runtime.reload_dolls())))
}

fn ragdoll(world: &World, object: SkelobjObject) -> Result<&Ragdoll> {
    let (id, _) = world.object(object)?;
    world.runtime.ragdoll(id).ok_or_else(|| no_ragdoll(object))
}

#[cold]
fn no_ragdoll(object: SkelobjObject) -> Failure {
    let text = format!("{object} has no ragdoll: skelobj_ragdoll_update makes it");
    Failure::new(SkelobjStatus::Ragdoll, text)
}

/// Returns the index of the body that drives a bone; -1 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_bone_body(world: SkelobjWorld, object: SkelobjObject, bone: i32) -> i32 {
    guard::world_value(world, -1, |world| Ok(numbers::number(ragdoll(world, object)?.bone_body(numbers::bone(bone)?))))
}

/// Flinch of a living character. Get one from skelobj_default_flinch_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjFlinchDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Number of joints over which a flinch spreads. Default 3.
    pub spread: i32,
    /// Duration of the flinch, seconds. Default 0.5.
    pub seconds: f32,
    /// Strength of the flinch, 0 to 1. Default 0.9.
    pub strength: f32,
}

/// Returns the default flinch.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_flinch_def() -> SkelobjFlinchDef {
    let Flinch { seconds, strength, spread, .. } = Flinch::default();
    SkelobjFlinchDef { cookie: SkelobjFlinchDef::COOKIE, spread: count(spread), seconds, strength }
}

/// Pushes a ragdoll with an impulse (mass * units per second) at a point, both in world space. `bone` is the bone that
/// was hit; 0 pushes the nearest body. A body that the animation holds flinches as `hit` (null for the default) says.
/// Returns 1 if there was a body, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_impulse(
    world: SkelobjWorld,
    object: SkelobjObject,
    bone: i32,
    point: InVector,
    impulse: InVector,
    hit: In<SkelobjFlinchDef>,
) -> i32 {
    guard::world_value(world, 0, |world| {
        let (point, impulse, def) = (point.vector()?, impulse.vector()?, hit.def_or(skelobj_default_flinch_def)?);
        let hit = Flinch::default().with_seconds(def.seconds).with_strength(def.strength);
        let hit = hit.with_spread(numbers::size(def.spread)?);
        ragdoll(world, object)?;
        let (id, bone) = (object.get()?, numbers::bone_or_none(bone)?);
        Ok(flag(world.runtime.ragdoll_impulse(id, bone, point, impulse, hit)?))
    })
}

/// Adds a velocity (units per second) and a spin (radians per second) about a centre in world space to all limp and
/// partly animated bodies. Those that follow the animation exactly stay as they are.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_add_velocity(
    world: SkelobjWorld,
    object: SkelobjObject,
    velocity: InVector,
    spin: InVector,
    centre: InVector,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (velocity, spin, centre) = (velocity.vector()?, spin.vector()?, centre.vector()?);
        ragdoll(world, object)?;
        Ok(world.runtime.add_ragdoll_velocity(object.get()?, velocity, spin, centre)?)
    })
}

/// Collision groups. Corpses collide with the level and with ragdolls, but not with boxes of entities.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjGroup {
    /// Level: the world, doors, lifts.
    Level = 1,
    /// Bodies of ragdolls.
    Ragdolls = 2,
    /// Boxes of entities.
    Boxes = 4,
    /// Bodies of ragdolls that boxes of entities pass through.
    Corpses = 8,
    /// All groups.
    All = 15,
}

/// Sets the collision groups of an object's ragdoll: a sum of SKELOBJ_GROUP_...
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_ragdoll_set_groups(world: SkelobjWorld, object: SkelobjObject, groups: u32) -> SkelobjStatus {
    guard::world(world, |world| {
        ragdoll(world, object)?;
        let id = object.get()?;
        Ok(world.runtime.set_ragdoll_groups(id, CollisionGroups::from(groups))?)
    })
}
