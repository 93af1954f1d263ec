//! Builtins on entities.

use super::Mistake;
use super::call::{Call, finite};
use crate::{Fault, Machine};

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
    let (mins, maxs) = (call.vector(1), call.vector(2));
    let size = std::array::from_fn(|axis| finite(maxs[axis] - mins[axis]));
    if !call.machine.is_entity_alive(entity) {
        return Ok(());
    }
    for (field, value) in call.machine.names.size.into_iter().zip([mins, maxs, size]) {
        if let Some(field) = field {
            call.machine.set_field_vector(entity, field, value)?;
        }
    }
    Ok(())
}

/// Runs `setorigin` (#2).
pub(super) fn setorigin(call: &mut Call<'_>) -> Result<(), Fault> {
    let (entity, origin) = (call.machine.argument_entity(0)?, call.vector(1));
    match call.machine.names.origin {
        Some(field) => call.machine.set_field_vector(entity, field, origin),
        None => Ok(()),
    }
}
