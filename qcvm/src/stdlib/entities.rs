//! Builtins on entities.

use super::Mistake;
use super::call::{Call, finite};
use super::strings::joined;
use crate::{Fault, Field, FunctionId, Machine, Type};

/// Entity of the player.
const PLAYER: u32 = 1;
/// Bits of `flags` of clients, and of those that monsters do not notice.
const CLIENT: i32 = 8;
const NO_TARGET: i32 = 128;
/// Cost of reading and writing a field, in statements.
const FIELD: u64 = 8;

/// Runs `spawn` (#14).
pub(super) fn spawn(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.spawn_entity()?;
    call.return_entity(Some(entity))
}

/// Runs `remove` (#15).
pub(super) fn remove(call: &mut Call<'_>) -> Result<(), Fault> {
    match call.machine.argument_entity(0)? {
        0 => {
            call.mistake(Mistake::World);
            Ok(())
        }
        entity => call.machine.remove_entity(entity),
    }
}

/// Returns the first wanted living entity after an entity; each entity visited costs a statement.
fn first_after(
    machine: &Machine,
    entity: u32,
    wanted: impl Fn(u32) -> Result<bool, Fault>,
) -> Result<Option<u32>, Fault> {
    for number in entity.saturating_add(1)..machine.entity_count() {
        machine.charge(1)?;
        if machine.is_entity_alive(number) && wanted(number)? {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// Returns the first entity after argument 0 for whose field, given by argument 1, `wanted` returns `true`.
fn search(call: &Call<'_>, wanted: impl Fn(u32) -> Result<bool, Fault>) -> Result<Option<u32>, Fault> {
    let (after, field) = (call.machine.argument_entity(0)?, call.machine.argument_bits(1));
    first_after(call.machine, after, |entity| wanted(call.machine.field_at(entity, field)?))
}

/// Runs `nextent` (#47): the world comes after the last entity.
pub(super) fn nextent(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.argument_entity(0)?;
    let next = first_after(call.machine, entity, |_| Ok(true))?;
    call.return_entity(next)
}

/// Runs `find` (#18): returns the world if no entity matches.
pub(super) fn find(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = call.string(2)?;
    let found = search(call, |handle| Ok(call.machine.string(handle)? == text))?;
    call.return_entity(found)
}

/// Runs `findfloat` (#98): returns the world if no entity matches.
pub(super) fn findfloat(call: &mut Call<'_>) -> Result<(), Fault> {
    let number = call.machine.argument_float(2);
    let found = search(call, |bits| Ok(f32::from_bits(bits) == number))?;
    call.return_entity(found)
}

/// Runs `wasfreed` (#353): 1 for a removed entity whose number was not reused.
pub(super) fn wasfreed(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.argument_entity(0)?;
    let freed = !call.machine.is_entity_alive(entity);
    call.return_float(f32::from(u8::from(freed)))
}

/// Runs `num_for_edict` (#512).
pub(super) fn num_for_edict(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.argument_entity(0)?;
    call.return_float(entity as f32)
}

/// Runs `edict_num` (#459): returns the world for a number that no entity has.
pub(super) fn edict_num(call: &mut Call<'_>) -> Result<(), Fault> {
    let number = u32::try_from(call.integer(0)).ok();
    let entity = number.filter(|&number| number < call.machine.entity_count());
    call.return_entity(entity)
}

/// Runs `setsize` (#4): sets `mins`, `maxs` and `size`.
pub(super) fn setsize(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.argument_entity(0)?;
    let corners = [call.vector(1), call.vector(2)];
    if call.machine.is_entity_alive(entity) { call.machine.set_entity_size(entity, corners) } else { Ok(()) }
}

/// Runs `setorigin` (#2).
pub(super) fn setorigin(call: &mut Call<'_>) -> Result<(), Fault> {
    let (entity, origin) = (call.machine.argument_entity(0)?, call.vector(1));
    if let Some(field) = call.machine.names.origin {
        call.machine.set_field_vector(entity, field, origin)?;
    }
    call.machine.link_entity(entity)
}

/// Runs `copyentity` (#400): copies to argument 1, or to a new entity.
pub(super) fn copyentity(call: &mut Call<'_>) -> Result<(), Fault> {
    let from = call.machine.argument_entity(0)?;
    let to = if call.machine.argc() > 1 { call.machine.argument_entity(1)? } else { call.machine.spawn_entity()? };
    if to == 0 {
        call.mistake(Mistake::World);
        return call.return_entity(None);
    }
    let words = call.machine.fields(from)?.to_vec();
    call.charge_bytes(size_of_val(&*words))?;
    for (offset, word) in (0..).zip(words) {
        call.machine.set_field_at(to, offset, word)?;
    }
    call.machine.link_entity(to)?;
    call.return_entity(Some(to))
}

/// Returns a field of an entity as a float; 0 if the progs lacks it.
fn float(machine: &Machine, entity: u32, field: Option<Field>) -> Result<f32, Fault> {
    field.map_or(Ok(0.0), |field| machine.field_float(entity, field)).map(finite)
}

/// Returns a field of an entity as a vector; 0 if the progs lacks it.
fn vector(machine: &Machine, entity: u32, field: Option<Field>) -> Result<[f32; 3], Fault> {
    field.map_or(Ok([0.0; 3]), |field| machine.field_vector(entity, field))
}

/// Chains the wanted living entities through a field, `chain` if there is no other, and returns the first of them: that
/// with the highest number. Each entity visited costs two statements.
fn chained(
    call: &mut Call<'_>,
    through: Option<usize>,
    wanted: impl Fn(&Machine, u32) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let given = through.filter(|argument| *argument < call.machine.argc());
    let own = call.machine.names.chain.map(|field| field.offset);
    let link = given.map(|argument| call.machine.argument_bits(argument)).or(own);
    let mut first = 0;
    for entity in 1..call.machine.entity_count() {
        call.machine.charge(2)?;
        if call.machine.is_entity_alive(entity) && wanted(call.machine, entity)? {
            if let Some(link) = link {
                call.machine.set_field_at(entity, link, first)?;
            }
            first = entity;
        }
    }
    call.return_entity(Some(first))
}

/// Runs `findradius` (#22): entities that are not solid are left out.
pub(super) fn findradius(call: &mut Call<'_>) -> Result<(), Fault> {
    let (centre, radius) = (call.vector(0), call.float(1));
    chained(call, None, |machine, entity| {
        let [mins, maxs, _] = machine.names.size;
        let origin = vector(machine, entity, machine.names.origin)?;
        let (mins, maxs) = (vector(machine, entity, mins)?, vector(machine, entity, maxs)?);
        let away = [0, 1, 2].map(|axis| origin[axis] + (mins[axis] + maxs[axis]) * 0.5 - centre[axis]);
        let is_near = away.iter().map(|part| part * part).sum::<f32>() <= radius * radius && radius >= 0.0;
        Ok(is_near && float(machine, entity, machine.names.solid)? != 0.0)
    })
}

/// Runs `findchain` (#402).
pub(super) fn findchain(call: &mut Call<'_>) -> Result<(), Fault> {
    let field = call.machine.argument_bits(0);
    let text: Box<[u8]> = call.string(1)?.into();
    chained(call, Some(2), |machine, entity| Ok(*machine.string(machine.field_at(entity, field)?)? == *text))
}

/// Runs `findchainfloat` (#403).
pub(super) fn findchainfloat(call: &mut Call<'_>) -> Result<(), Fault> {
    let (field, number) = (call.machine.argument_bits(0), call.machine.argument_float(1));
    chained(call, Some(2), |machine, entity| Ok(f32::from_bits(machine.field_at(entity, field)?) == number))
}

/// Runs `findchainflags` (#450).
pub(super) fn findchainflags(call: &mut Call<'_>) -> Result<(), Fault> {
    let (field, bits) = (call.machine.argument_bits(0), call.integer(1));
    chained(call, Some(2), |machine, entity| Ok(f32::from_bits(machine.field_at(entity, field)?) as i32 & bits != 0))
}

/// Runs `findflags` (#449): returns the world if no entity matches.
pub(super) fn findflags(call: &mut Call<'_>) -> Result<(), Fault> {
    let wanted = call.integer(2);
    let found = search(call, |bits| Ok(f32::from_bits(bits) as i32 & wanted != 0))?;
    call.return_entity(found)
}

/// Runs `checkclient` (#17): the player, if monsters may notice it.
pub(super) fn checkclient(call: &mut Call<'_>) -> Result<(), Fault> {
    let machine = &*call.machine;
    let is_noticed = machine.entity_count() > PLAYER && machine.is_entity_alive(PLAYER) && {
        let flags = float(machine, PLAYER, machine.names.flags)? as i32;
        flags & (CLIENT | NO_TARGET) == CLIENT && float(machine, PLAYER, machine.names.health)? > 0.0
    };
    call.return_entity(is_noticed.then_some(PLAYER))
}

/// Returns the entity in `self`, the world if there is none.
fn this(machine: &Machine) -> u32 {
    machine.names.this.map_or(0, |this| machine.global(this))
}

/// Runs `ChangeYaw` (#49).
pub(super) fn changeyaw(call: &mut Call<'_>) -> Result<(), Fault> {
    call.machine.change_yaw(this(call.machine))
}

/// Runs `objerror` (#11): prints the error with the entity in `self`, and removes it.
pub(super) fn objerror(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = joined(call, 0)?;
    call.charge_bytes(text.len())?;
    let entity = this(call.machine);
    let class = call.machine.names.classname.map_or(Ok(0), |field| call.machine.field(entity, field))?;
    let class = call.machine.string(class).unwrap_or_default();
    let end: &[u8] = if text.ends_with(b"\n") { b"" } else { b"\n" };
    let told = [format!("error of entity {entity} (").as_bytes(), class, b"): ", &text, end].concat();
    call.host.print(&told);
    if entity == 0 { Ok(()) } else { call.machine.remove_entity(entity) }
}

/// Runs `eprint` (#31): prints the fields of an entity that are not 0.
pub(super) fn eprint(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.argument_entity(0)?;
    let progs = std::sync::Arc::clone(call.machine.progs());
    let mut told = format!("entity {entity}\n").into_bytes();
    let mut vector = 0..0;
    for (name, field) in progs.fields() {
        call.machine.charge(FIELD)?;
        // The components of a vector have names, too.
        if name.is_empty() || field.kind == Type::Float && vector.contains(&field.offset) {
            continue;
        }
        let is_set = match field.kind {
            Type::Vector => {
                vector = field.offset..field.offset.saturating_add(3);
                call.machine.field_vector(entity, field)? != [0.0; 3]
            }
            _ => call.machine.field(entity, field)? != 0,
        };
        if !is_set {
            continue;
        }
        let value = match field.kind {
            Type::Float => call.machine.field_float(entity, field)?.to_string().into_bytes(),
            Type::Vector => {
                let [x, y, z] = call.machine.field_vector(entity, field)?;
                format!("'{x} {y} {z}'").into_bytes()
            }
            Type::String => call.machine.string(call.machine.field(entity, field)?).unwrap_or_default().to_vec(),
            Type::Function => progs.function_name(FunctionId(call.machine.field(entity, field)?)).to_vec(),
            Type::Void => continue,
            _ => call.machine.field(entity, field)?.to_string().into_bytes(),
        };
        call.charge_bytes(value.len())?;
        told.extend([b"  ", name, b" ", &value, b"\n"].concat());
    }
    call.host.print(&told);
    Ok(())
}
