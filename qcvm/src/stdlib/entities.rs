//! Entities.

use super::call::Call;
use crate::{Fault, Machine};

/// #14.
pub(super) fn spawn(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.spawn_entity()?;
    call.return_entity(Some(entity))
}

/// #15.
pub(super) fn remove(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.argument_entity(0)?;
    call.machine.remove_entity(entity)
}

/// The first living entity after one that is wanted; looking at each costs a statement.
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

/// The first entity after argument 0 whose field, the one that argument 1 names, is the wanted one.
fn search(call: &Call<'_>, wanted: impl Fn(u32) -> Result<bool, Fault>) -> Result<Option<u32>, Fault> {
    let (after, field) = (call.machine.argument_entity(0)?, call.machine.argument_bits(1));
    first_after(call.machine, after, |entity| wanted(call.machine.field_at(entity, field)?))
}

/// #47: the world after the last.
pub(super) fn nextent(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.argument_entity(0)?;
    let next = first_after(call.machine, entity, |_| Ok(true))?;
    call.return_entity(next)
}

/// #18: the world if there is none.
pub(super) fn find(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = call.string(2)?;
    let found = search(call, |handle| Ok(call.machine.string(handle)? == text))?;
    call.return_entity(found)
}

/// #98: the world if there is none.
pub(super) fn findfloat(call: &mut Call<'_>) -> Result<(), Fault> {
    let number = call.machine.argument_float(2);
    let found = search(call, |bits| Ok(f32::from_bits(bits) == number))?;
    call.return_entity(found)
}

/// #2.
pub(super) fn setorigin(call: &mut Call<'_>) -> Result<(), Fault> {
    let (entity, origin) = (call.machine.argument_entity(0)?, call.vector(1));
    match call.machine.names.origin {
        Some(field) => call.machine.set_field_vector(entity, field, origin),
        None => Ok(()),
    }
}
