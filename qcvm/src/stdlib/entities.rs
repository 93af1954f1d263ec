//! Builtins on entities.

use super::call::Call;
use crate::{Fault, Machine};

/// Runs `spawn` (#14).
pub(super) fn spawn(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.spawn_entity()?;
    call.return_entity(Some(entity))
}

/// Runs `remove` (#15).
pub(super) fn remove(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.argument_entity(0)?;
    call.machine.remove_entity(entity)
}

/// Returns the first living entity after one that is wanted; each entity visited costs a statement.
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

/// Runs `setorigin` (#2).
pub(super) fn setorigin(call: &mut Call<'_>) -> Result<(), Fault> {
    let (entity, origin) = (call.machine.argument_entity(0)?, call.vector(1));
    match call.machine.names.origin {
        Some(field) => call.machine.set_field_vector(entity, field, origin),
        None => Ok(()),
    }
}
