//! Builtins on ragdolls, and shots at them.

use skelobj_model::internal;

use super::history;
use crate::math::{Mat3x4, Vec3};
use crate::model::Name;
use crate::physics::CollisionGroups;
use crate::qc::call::{Call, LOOKUP, TRACE};
use crate::qc::{Field, Host, ScriptResult, ScriptTrace};
use crate::ragdoll::{Command, Flinch, Order, Ragdoll, RagdollError};
use crate::runtime::{Hit, ObjectGeometry, ObjectId, RagdollCommandError, Trace};

/// Cost of a ragdoll command, in QuakeC statements.
const COMMAND: u64 = 64;
/// Cost of each body when a ragdoll's bodies are created or removed, in QuakeC statements.
const BODY: u64 = 256;
/// Cost of each other body in the world when a ragdoll's bodies are created or removed, in QuakeC statements.
const OTHER_BODY: u64 = 32;

/// Returns the number of bodies of an object's ragdoll.
fn bodies(call: &Call<'_, impl Host + ?Sized>, id: ObjectId) -> u64 {
    call.runtime.ragdoll(id).map_or(0, |ragdoll| ragdoll.doll().bodies.len() as u64)
}

/// Runs `skel_ragupdate` (#281): commands a ragdoll and updates its object's bones.
pub(crate) fn ragupdate(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    let entity = call.host.entity(0);
    let source = call.live_object(2);
    let Some(id) = call.entity_object(entity) else { return };
    let world = call.ragdoll_world(entity);
    let text = call.host.string(1).to_vec();
    if !call.charge_bones(id, 4) || !call.host.charge(COMMAND + 8 * text.len() as u64) {
        return;
    }
    let bodies_before = bodies(call, id);
    let order = match Command::Text(&text).order() {
        Ok(order) => order,
        Err(error) => return call.complain(&error),
    };
    let asked = order != Order::Update;
    let renews = match order {
        Order::Doll(_) => call.host.charge(LOOKUP),
        Order::DollString(_) | Order::ClearDoll => true,
        _ => false,
    };
    let command = if asked { Command::Text(&text) } else { Command::Update };
    let frame = call.host.float_field(entity, Field::frame);
    call.runtime.suspend_by_frame(id, frame);
    let result = call.on_ragdoll(|runtime| runtime.ragdoll_command(id, &world, command, source));
    if let Err(RagdollCommandError::NoSuchBody { name, .. } | RagdollCommandError::NoSuchJoint { name, .. }) = &result {
        charge_unknown(call, id, name, bodies_before);
    }
    let result = match result {
        // FTE updates the bones even so, and returns the number of animated bodies (difference 34).
        Err(error @ RagdollCommandError::NoSuchBody { .. }) => {
            call.complain(&error);
            let updated = call.on_ragdoll(|runtime| runtime.ragdoll_command(id, &world, Command::Update, source));
            updated.map(|_| call.runtime.ragdoll(id).map_or(0, Ragdoll::animated_bodies) as u32)
        }
        result => result,
    };
    call.runtime.suspend_by_frame(id, frame);
    let bodies_now = bodies(call, id);
    if renews || bodies_now != bodies_before {
        charge_bodies(call, bodies_before + bodies_now);
    }
    match result {
        Ok(result) => call.host.return_float(result as f32),
        // A plain update of a model without a doll is not an error.
        Err(RagdollCommandError::NoDoll { .. }) if !asked => {}
        Err(RagdollCommandError::Unusable(RagdollError::UnusableBone { bone })) => {
            let object = call.runtime.object(id);
            let name = object.and_then(|object| object.model().skeleton.names().get(bone).cloned()).unwrap_or_default();
            call.complain(&format_args!(
                "the bone \"{name}\" was never set, or its matrix is flat, not finite or more than a million units away"
            ));
        }
        Err(error) => call.complain(&error),
    }
}

/// Charges for bodies that are made or removed. rapier then visits all bodies of a world.
fn charge_bodies(call: &Call<'_, impl Host + ?Sized>, count: u64) {
    let others = call.runtime.physics().world().bodies.len() as u64;
    call.host.charge(BODY * count + OTHER_BODY * others);
}

/// Charges for a name that a doll lacks: for the search of the nearest one, and for a ragdoll that the command made and
/// removed again.
#[cold]
fn charge_unknown(call: &mut Call<'_, impl Host + ?Sized>, id: ObjectId, name: &Name, bodies_before: u64) {
    let model = call.runtime.model_of(id);
    let own = call.runtime.ragdoll(id).map(|ragdoll| ragdoll.doll().clone());
    let Some(doll) = own.or_else(|| call.runtime.precache_doll(model?)) else { return };
    let (bodies, joints) = (doll.bodies.len(), doll.joints.len());
    call.host.charge(internal::nearest_cost(name.as_bytes(), bodies.max(joints)));
    if bodies_before == 0 {
        charge_bodies(call, 2 * bodies as u64);
    }
}

/// Runs `precache_doll`: returns 1 if model 0 has a default doll, which is then loaded.
pub(crate) fn precache_doll(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    if !call.host.charge(LOOKUP) {
        return;
    }
    let model = call.model(0).id();
    let has_doll = model.is_some_and(|model| call.runtime.precache_doll(model).is_some());
    call.host.return_float(f32::from(u8::from(has_doll)));
}

/// Runs `skel_ragimpulse`: hits the ragdoll of argument 0 at bone 1, point 2, with impulse 3. Arguments 4 to 6 are the
/// numbers of a [`Flinch`].
pub(crate) fn ragimpulse(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    let entity = call.host.entity(0);
    let bone = call.index(1);
    let (point, impulse) = (call.vector(2), call.vector(3));
    let hit = hit(call);
    let Some(id) = call.entity_object(entity) else { return };
    call.host.charge(COMMAND + bodies(call, id));
    match call.runtime.ragdoll_impulse(id, bone, point, impulse, hit) {
        Ok(hit) => call.host.return_float(f32::from(u8::from(hit))),
        Err(error) => call.complain(&error),
    }
}

/// Returns the hit of arguments 4 to 6; those that are absent have the default.
fn hit(call: &mut Call<'_, impl Host + ?Sized>) -> Flinch {
    let mut hit = Flinch::default();
    let passed = call.host.argc();
    if passed > 4 {
        hit = hit.with_seconds(call.float(4));
    }
    if passed > 5 {
        hit = hit.with_strength(call.float(5));
    }
    if passed > 6 {
        // A negative number of joints is out of range, not 0.
        hit = hit.with_spread(usize::try_from(call.integer(6)).unwrap_or(usize::MAX));
    }
    hit
}

/// Runs `skel_ragvelocity`: adds velocity 1, units/s, and spin 2, degrees/s about the centre of mass, to the ragdoll of
/// argument 0.
pub(crate) fn ragvelocity(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    let entity = call.host.entity(0);
    let (velocity, spin) = (call.vector(1), call.vector(2));
    let Some(id) = call.entity_object(entity) else { return };
    call.host.charge(COMMAND + bodies(call, id));
    // Without a spin the centre does not matter, wherever the ragdoll has fallen to.
    let ragdoll = call.runtime.ragdoll(id).filter(|_| spin != Vec3::ZERO);
    let centre = ragdoll.map(|ragdoll| ragdoll.centre_of_mass(call.runtime.physics())).unwrap_or_default();
    match call.runtime.add_ragdoll_velocity(id, velocity, spin.map(f32::to_radians), centre) {
        Ok(()) => call.host.return_float(1.0),
        Err(error) => call.complain(&error),
    }
}

/// Runs `skel_issolid`: 1 if the point of argument 0 is solid in the level.
pub(crate) fn issolid(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.charge(TRACE);
    let point = call.vector(0);
    let solid = call.runtime.physics().is_solid(point);
    call.host.return_float(f32::from(u8::from(solid)));
}

/// Runs `skel_raggroups`: puts the ragdoll of argument 0 into the collision groups 1.
pub(crate) fn raggroups(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    let entity = call.host.entity(0);
    let groups = call.integer(1);
    let Some(id) = call.entity_object(entity) else { return };
    call.host.charge(COMMAND + 4 * bodies(call, id));
    let Some(groups) = u32::try_from(groups).ok().filter(|&bits| u32::from(CollisionGroups::from(bits)) == bits) else {
        call.complain(&format_args!("{groups} is not a sum of collision groups, which are 1, 2, 4 and 8"));
        return;
    };
    match call.runtime.set_ragdoll_groups(id, groups.into()) {
        Ok(()) => call.host.return_float(1.0),
        Err(error) => call.complain(&error),
    }
}

/// Runs `skel_trace`: a line from argument 1 to 2 through the object of argument 0, or through all ragdolls if argument
/// 0 names no object. The bone goes to argument 3, the fraction to 4. With a time 5, through recorded poses.
pub(crate) fn trace(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let line = [call.vector(1), call.vector(2)];
    call.host.charge(TRACE);
    let hit = match call.entity_object(entity) {
        None if call.names_object(entity) => None,
        object if call.host.argc() > 5 => history::trace(call, Trace::line(line[0], line[1]), object),
        Some(id) => {
            let world = call.ragdoll_world(entity);
            let [start, end] = line;
            charge_skin(call, id);
            call.traced(&Trace::line(start, end).with_object(id, world, ObjectGeometry::Best))
        }
        None => trace_ragdolls(call, line),
    };
    let object = hit.and_then(|hit| hit.object);
    call.host.return_float(object.map_or(0.0, |object| object.get() as f32));
    let bone = hit.and_then(|hit| hit.bone).map_or(0.0, |bone| (bone + 1) as f32);
    call.out_float(3, ScriptResult::skel_trace_bone, bone);
    call.out_float(4, ScriptResult::skel_trace_fraction, hit.map_or(1.0, |hit| hit.fraction));
    if let Some(host) = call.host.script() {
        host.set_trace(&hit.map_or(ScriptTrace::clear(line[1]), ScriptTrace::from));
    }
}

/// Charges the work of posing and tracing the skin of an object.
fn charge_skin(call: &mut Call<'_, impl Host + ?Sized>, id: ObjectId) {
    let skin = call.skin_size(id);
    call.charge_bones(id, 1);
    call.host.charge(skin);
}

fn trace_ragdolls(call: &mut Call<'_, impl Host + ?Sized>, [start, end]: [Vec3; 2]) -> Option<Hit> {
    let (line, groups) = (Trace::line(start, end), CollisionGroups::RAGDOLLS | CollisionGroups::CORPSES);
    let mut first = call.traced(&line.with_groups(groups));
    call.host.charge(call.runtime.objects().count() as u64);
    for id in call.runtime.ragdolls_on_line(start, end, groups) {
        charge_skin(call, id);
        let hit = call.traced(&line.with_object(id, Mat3x4::IDENTITY, ObjectGeometry::Best));
        first = [first, hit].into_iter().flatten().min_by(|a, b| a.fraction.total_cmp(&b.fraction));
    }
    first
}
