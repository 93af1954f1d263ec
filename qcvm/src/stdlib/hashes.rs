//! Tables of values by name, and the builtins on them.

use std::collections::{BTreeMap, HashMap};

use super::call::Call;
use crate::{Fault, Machine};

/// Bytes that a table, and each entry, count in addition to their names and texts.
const OVERHEAD: usize = 128;
/// Bytes of a name that are compared in the time of a statement.
const BYTES_A_STATEMENT: usize = 4;
/// Share of a table's capacity below which a removal gives the rest back.
const SPARSE: usize = 4;
/// Type of texts.
const STRING: u8 = 1;
/// Type of values without a stated type.
const VECTOR: u8 = 3;
/// Flag of `hash_add` that removes the newest value of the name.
const REPLACE: i32 = 256;
/// Flag of `hash_add` that keeps the values of the name.
const ADD: i32 = 512;
/// Number of the table that always exists.
const FIRST: u32 = 0;
/// Largest number of a table, which a float holds.
const LAST: u32 = 1 << 24;

/// Tables of a script by number. They belong to the machine.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    tables: BTreeMap<u32, Table>,
    /// Number of the last table that was created.
    last: u32,
}

/// Values by name.
#[derive(Debug, Default)]
struct Table {
    default_type: u8,
    entries: Vec<Entry>,
    /// Places of the entries of each name, the newest last.
    places: HashMap<Box<[u8]>, Vec<usize>>,
}

#[derive(Debug)]
struct Entry {
    name: Box<[u8]>,
    kind: u8,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    Text(Box<[u8]>),
    Words([u32; 3]),
}

impl Entry {
    /// Returns the bytes that the entry counts.
    fn bytes(&self) -> usize {
        let text = if let Value::Text(text) = &self.value { text.len() } else { 0 };
        OVERHEAD + 2 * self.name.len() + text
    }
}

impl Table {
    fn add(&mut self, entry: Entry) {
        self.places.entry(entry.name.clone()).or_default().push(self.entries.len());
        self.entries.push(entry);
    }

    /// Removes the newest entry of a name. Returns the statements for the entry that took its place, too.
    fn remove(&mut self, name: &[u8]) -> Option<(Entry, usize)> {
        let places = self.places.get_mut(name)?;
        let place = places.pop()?;
        if places.is_empty() {
            self.places.remove(name);
        }
        let removed = self.entries.swap_remove(place);
        // What is no longer counted is no longer held.
        if self.entries.len() * SPARSE < self.entries.capacity() {
            self.entries.shrink_to_fit();
            self.places.shrink_to_fit();
        }
        let (moved, from) = (self.entries.get(place), self.entries.len());
        let Some(moved) = moved else { return Some((removed, 0)) };
        let Some(places) = self.places.get_mut(&moved.name) else { return Some((removed, 0)) };
        if let Some(known) = places.iter_mut().find(|known| **known == from) {
            *known = place;
        }
        Some((removed, places.len() + moved.name.len() / BYTES_A_STATEMENT))
    }
}

/// Returns the table of argument 0.
fn table<'m>(machine: &'m mut Machine, name: &str, number: f32) -> Result<&'m mut Table, Fault> {
    let known = if number >= 0.0 && number <= LAST as f32 { Some(number as u32) } else { None };
    if known == Some(FIRST) {
        return Ok(machine
            .tables
            .tables
            .entry(FIRST)
            .or_insert_with(|| Table { default_type: STRING, ..Table::default() }));
    }
    let found = known.and_then(|number| machine.tables.tables.get_mut(&number));
    found.ok_or_else(|| Fault::Script(format!("{name}: no table {number}").into_bytes().into()))
}

/// Returns the name in argument 1, and charges for it.
fn key(call: &Call<'_>) -> Result<Box<[u8]>, Fault> {
    let name: Box<[u8]> = call.string(1)?.into();
    call.charge_bytes(name.len())?;
    Ok(name)
}

/// Counts an entry that was removed; returns its value.
fn take_out(call: &mut Call<'_>, removed: Option<(Entry, usize)>) -> Result<Option<Value>, Fault> {
    let Some((entry, work)) = removed else { return Ok(None) };
    call.machine.release(entry.bytes());
    call.machine.charge(work as u64)?;
    Ok(Some(entry.value))
}

fn return_value(call: &mut Call<'_>, value: Value) -> Result<(), Fault> {
    match value {
        Value::Text(text) => {
            call.return_vector([0.0; 3])?;
            call.return_string(&text)
        }
        Value::Words(words) => call.return_vector(words.map(f32::from_bits)),
    }
}

pub(super) fn createtab(call: &mut Call<'_>) -> Result<(), Fault> {
    let default_type = if call.machine.argc() > 1 { call.integer(1) as u8 } else { 0 };
    let number = call.machine.tables.last + 1;
    if number > LAST {
        return Err(Fault::NoMemory);
    }
    call.machine.reserve(OVERHEAD)?;
    let default_type = if default_type == 0 { VECTOR } else { default_type };
    call.machine.tables.tables.insert(number, Table { default_type, ..Table::default() });
    call.machine.tables.last = number;
    call.return_float(number as f32)
}

pub(super) fn destroytab(call: &mut Call<'_>) -> Result<(), Fault> {
    let number = call.float(0);
    let entries = table(call.machine, call.builtin.name, number)?.entries.len();
    call.machine.charge(4 * entries as u64)?;
    let Some(removed) = call.machine.tables.tables.remove(&(number as u32)) else { return Ok(()) };
    let own = if number as u32 == FIRST { 0 } else { OVERHEAD };
    call.machine.release(own + removed.entries.iter().map(Entry::bytes).sum::<usize>());
    Ok(())
}

pub(super) fn add(call: &mut Call<'_>) -> Result<(), Fault> {
    let (number, name) = (call.float(0), key(call)?);
    let flags = if call.machine.argc() > 3 { call.integer(3) } else { 0 };
    let default_type = table(call.machine, call.builtin.name, number)?.default_type;
    if name.is_empty() {
        return Ok(());
    }
    let kind = if flags as u8 == 0 { default_type } else { flags as u8 };
    let value = if kind == STRING {
        let text = call.string(2)?;
        Value::Text(text.into())
    } else {
        Value::Words(call.machine.argument(2))
    };
    let entry = Entry { name, kind, value };
    call.charge_bytes(entry.bytes())?;
    call.machine.reserve(entry.bytes())?;
    let table = table(call.machine, call.builtin.name, number)?;
    let replaced = if flags & ADD == 0 || flags & REPLACE != 0 { table.remove(&entry.name) } else { None };
    table.add(entry);
    take_out(call, replaced).map(drop)
}

pub(super) fn get(call: &mut Call<'_>) -> Result<(), Fault> {
    let (number, name, argc) = (call.float(0), key(call)?, call.machine.argc());
    let missing = if argc > 2 { call.machine.argument(2) } else { [0; 3] };
    let kind = if argc > 3 { call.integer(3) as u8 } else { 0 };
    let skipped = if argc > 4 { usize::try_from(call.integer(4)).unwrap_or(0) } else { 0 };
    let table = table(call.machine, call.builtin.name, number)?;
    let places = table.places.get(&name).map_or(&[][..], |places| places);
    let visited = places.len().min(skipped.saturating_add(1));
    let entries = places.iter().rev().filter_map(|place| table.entries.get(*place));
    let wanted = entries.filter(|entry| kind == 0 || entry.kind == kind).nth(skipped);
    let value = wanted.map_or(Value::Words(missing), |entry| entry.value.clone());
    let others = if kind == 0 { visited } else { places.len() };
    call.machine.charge(others as u64)?;
    return_value(call, value)
}

pub(super) fn delete(call: &mut Call<'_>) -> Result<(), Fault> {
    let (number, name) = (call.float(0), key(call)?);
    let removed = table(call.machine, call.builtin.name, number)?.remove(&name);
    let value = take_out(call, removed)?;
    return_value(call, value.unwrap_or(Value::Words([0; 3])))
}

pub(super) fn getkey(call: &mut Call<'_>) -> Result<(), Fault> {
    let (number, place) = (call.float(0), usize::try_from(call.integer(1)).unwrap_or(usize::MAX));
    let name = table(call.machine, call.builtin.name, number)?.entries.get(place).map(|entry| entry.name.clone());
    call.return_string(&name.unwrap_or_default())
}
