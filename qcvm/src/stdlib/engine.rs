//! Builtins of the engine around the machine: its clock, its globals by name, its settings.

use super::call::Call;
use super::strings::joined;
use crate::Fault;
use crate::progs::{Entry, FunctionId};

/// Number of a progs that means the running one.
const RUNNING: f32 = -1.0;
/// Cost of looking up a name of the progs, in statements.
const LOOKUP: u64 = 16;

pub(super) fn gettime(call: &mut Call<'_>) -> Result<(), Fault> {
    call.machine.charge(LOOKUP)?;
    let time = call.machine.progs().global(b"time").map_or(0.0, |time| call.machine.global_float(time));
    call.return_float(time)
}

/// Returns `true` if an argument names the only progs.
fn is_own(call: &mut Call<'_>, argument: usize) -> bool {
    matches!(call.float(argument), 0.0 | RUNNING)
}

pub(super) fn externvalue(call: &mut Call<'_>) -> Result<(), Fault> {
    let own = is_own(call, 0);
    call.machine.charge(LOOKUP)?;
    let name = call.string(1)?;
    let machine = &*call.machine;
    let global = machine.progs().global(name).map(|global| {
        let words = machine.words(global.offset);
        if global.kind.words() == 3 { words } else { [words[0], 0, 0] }
    });
    let found = global.or_else(|| machine.find_function(name).map(|function| [function.0, 0, 0]));
    call.return_vector(found.filter(|_| own).unwrap_or_default().map(f32::from_bits))
}

pub(super) fn externset(call: &mut Call<'_>) -> Result<(), Fault> {
    let own = is_own(call, 0);
    call.machine.charge(LOOKUP)?;
    let Some(global) = call.machine.progs().global(call.string(2)?).filter(|_| own) else { return Ok(()) };
    let words = call.machine.argument(1);
    match global.kind.words() {
        3 => call.machine.set_global_vector(global, words.map(f32::from_bits)),
        _ => call.machine.set_global(global, words[0]),
    }
    Ok(())
}

pub(super) fn serverkey(call: &mut Call<'_>) -> Result<(), Fault> {
    call.return_string(b"")
}

/// Returns an argument, 0 without it.
fn assumed(call: &mut Call<'_>, argument: usize) -> Result<(), Fault> {
    let assumed = if argument < call.machine.argc() { call.float(argument) } else { 0.0 };
    call.return_float(assumed)
}

pub(super) fn serverkeyfloat(call: &mut Call<'_>) -> Result<(), Fault> {
    assumed(call, 1)
}

pub(super) fn getplayerkeyfloat(call: &mut Call<'_>) -> Result<(), Fault> {
    assumed(call, 2)
}

pub(super) fn checkbuiltin(call: &mut Call<'_>) -> Result<(), Fault> {
    call.machine.charge(LOOKUP)?;
    let function = call.machine.argument_function(0);
    let progs = call.machine.progs();
    let known = match progs.entries.get(function.0 as usize) {
        Some(Entry::Statement(_)) => true,
        Some(Entry::Builtin(index)) => {
            progs.builtins.get(*index as usize).is_some_and(|builtin| call.host.has_builtin(builtin))
        }
        Some(Entry::Null) | None => false,
    };
    call.return_float(f32::from(u8::from(known)))
}

/// Returns the function with a body, or the builtin, that an argument names.
fn named(call: &Call<'_>, argument: usize) -> Result<Option<FunctionId>, Fault> {
    call.machine.charge(LOOKUP)?;
    let entries = &call.machine.progs().entries;
    let has_body = |function: &FunctionId| !matches!(entries.get(function.0 as usize), None | Some(Entry::Null));
    Ok(call.machine.find_function(call.string(argument)?).filter(has_body))
}

/// Calls the function that the last argument names with the other arguments; nothing without such a function.
pub(super) fn callfunction(call: &mut Call<'_>) -> Result<(), Fault> {
    let Some(last) = call.machine.argc().checked_sub(1) else {
        return Err(call.fault("the last argument must be the name of a function"));
    };
    match named(call, last)? {
        Some(function) => call.machine.call_next(function, last),
        None => call.machine.return_vector([0.0; 3]),
    }
    Ok(())
}

pub(super) fn isfunction(call: &mut Call<'_>) -> Result<(), Fault> {
    let exists = named(call, 0)?.is_some();
    call.return_float(f32::from(u8::from(exists)))
}

pub(super) fn minus_one(call: &mut Call<'_>) -> Result<(), Fault> {
    call.return_float(-1.0)
}

/// Checksum of the definitions of QuakeWorld's server, where the level of a message comes before its texts.
const QUAKEWORLD: u32 = 54730;

/// Prints the texts after some arguments.
fn print_after(call: &mut Call<'_>, arguments: usize) -> Result<(), Fault> {
    let text = joined(call, arguments)?;
    call.charge_bytes(text.len())?;
    call.host.print(&text);
    Ok(())
}

/// Returns the number of arguments for the level of a message.
fn levels(call: &Call<'_>) -> usize {
    usize::from(call.machine.progs().crc() == QUAKEWORLD)
}

/// Prints the texts for all clients.
pub(super) fn print_to_all(call: &mut Call<'_>) -> Result<(), Fault> {
    print_after(call, levels(call))
}

/// Prints the texts after the first argument, the client.
pub(super) fn print_to(call: &mut Call<'_>) -> Result<(), Fault> {
    print_after(call, 1 + levels(call))
}

/// Prints the texts after the client, and ends the line, as messages in the centre of the screen do in the console.
pub(super) fn print_centre(call: &mut Call<'_>) -> Result<(), Fault> {
    print_after(call, 1)?;
    call.host.print(b"\n");
    Ok(())
}

pub(super) fn changelevel(call: &mut Call<'_>) -> Result<(), Fault> {
    let map = call.string(0)?.to_vec();
    // The host reads it as UTF-8, character by character.
    call.machine.charge(2 * map.len() as u64)?;
    call.host.change_level(&map);
    Ok(())
}

pub(super) fn name(call: &mut Call<'_>) -> Result<(), Fault> {
    let handle = call.machine.argument_bits(0);
    call.machine.return_bits(handle);
    Ok(())
}

pub(super) fn stringwidth(call: &mut Call<'_>) -> Result<(), Fault> {
    let width = if call.machine.argc() > 2 { call.vector(2)[0] } else { 8.0 };
    let bytes = call.string(0)?.len();
    call.return_float(width * bytes as f32)
}

/// Does nothing, and returns 0.
pub(super) fn nothing(call: &mut Call<'_>) -> Result<(), Fault> {
    call.return_vector([0.0; 3])
}
