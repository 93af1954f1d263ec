//! Buffers of texts by number, and the builtins on them.

use std::collections::BTreeMap;

use super::call::Call;
use crate::Fault;

/// Bytes that a buffer, and each text, count in addition to the text.
const OVERHEAD: usize = 48;
/// Bytes of each place for a text.
const PLACE: usize = 16;
/// Largest index of a text.
const LAST_INDEX: usize = 1 << 20;
/// Largest number of a buffer, which a float holds.
const LAST: u32 = 1 << 24;

/// Buffers of a script. They belong to the machine.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    buffers: BTreeMap<u32, Buffer>,
    /// Number of the last buffer that was created.
    last: u32,
}

type Buffer = Vec<Option<Box<[u8]>>>;

/// Returns the bytes that the places and texts of a buffer count.
fn bytes(buffer: &Buffer) -> usize {
    buffer.len() * PLACE + buffer.iter().flatten().map(|text| text_bytes(text)).sum::<usize>()
}

fn text_bytes(text: &[u8]) -> usize {
    OVERHEAD + text.len()
}

/// Returns the buffer of an argument, if it exists.
fn buffer<'c>(call: &'c mut Call<'_>, argument: usize) -> Option<&'c mut Buffer> {
    let number = u32::try_from(call.integer(argument)).ok()?;
    call.machine.buffers.buffers.get_mut(&number)
}

/// Returns the index in an argument, beyond every text for a negative one.
fn index(call: &mut Call<'_>, argument: usize) -> usize {
    usize::try_from(call.integer(argument)).unwrap_or(usize::MAX)
}

pub(super) fn create(call: &mut Call<'_>) -> Result<(), Fault> {
    let is_text = call.machine.argc() == 0 || call.string(0)?.eq_ignore_ascii_case(b"string");
    let number = call.machine.buffers.last + 1;
    if !is_text || number > LAST {
        return call.return_float(-1.0);
    }
    call.machine.reserve(OVERHEAD)?;
    call.machine.buffers.buffers.insert(number, Buffer::new());
    call.machine.buffers.last = number;
    call.return_float(number as f32)
}

pub(super) fn del(call: &mut Call<'_>) -> Result<(), Fault> {
    let number = u32::try_from(call.integer(0)).unwrap_or(0);
    let Some(removed) = call.machine.buffers.buffers.remove(&number) else { return Ok(()) };
    call.machine.release(OVERHEAD + bytes(&removed));
    call.machine.charge(removed.len() as u64)
}

pub(super) fn getsize(call: &mut Call<'_>) -> Result<(), Fault> {
    let size = buffer(call, 0).map_or(-1.0, |buffer| buffer.len() as f32);
    call.return_float(size)
}

pub(super) fn copy(call: &mut Call<'_>) -> Result<(), Fault> {
    if call.integer(0) == call.integer(1) || buffer(call, 1).is_none() {
        return Ok(());
    }
    let Some(size) = buffer(call, 0).map(|from| bytes(from)) else { return Ok(()) };
    call.charge_bytes(size)?;
    call.machine.reserve(size)?;
    let copied = buffer(call, 0).map(|from| from.clone()).unwrap_or_default();
    let before = buffer(call, 1).map(|to| std::mem::replace(to, copied));
    call.machine.release(before.map_or(0, |before| bytes(&before)));
    Ok(())
}

pub(super) fn sort(call: &mut Call<'_>) -> Result<(), Fault> {
    let (prefix, backward) = (usize::try_from(call.integer(1)).ok().filter(|prefix| *prefix > 0), call.integer(2) != 0);
    let Some(found) = buffer(call, 0) else { return Ok(()) };
    let (places, longest) = (found.len(), found.iter().flatten().map(|text| text.len()).max().unwrap_or(0));
    let compared = prefix.map_or(longest, |prefix| prefix.min(longest));
    let rounds = u64::from(places.max(1).ilog2()) + 1;
    call.machine.charge(places as u64 * rounds * (2 + compared as u64 / 16))?;
    let Some(found) = buffer(call, 0) else { return Ok(()) };
    found.retain(Option::is_some);
    found.shrink_to_fit();
    let key = |text: &Option<Box<[u8]>>| -> Vec<u8> {
        let text = text.as_deref().unwrap_or_default();
        text.get(..prefix.unwrap_or(text.len())).unwrap_or(text).to_vec()
    };
    found.sort_by_cached_key(key);
    if backward {
        found.reverse();
    }
    let removed = places - found.len();
    call.machine.release(removed * PLACE);
    Ok(())
}

pub(super) fn implode(call: &mut Call<'_>) -> Result<(), Fault> {
    let glue: Box<[u8]> = call.string(1)?.into();
    let Some(found) = buffer(call, 0) else { return call.return_string(b"") };
    // No glue follows an empty beginning, as in FTE.
    let texts = found.iter().flatten().skip_while(|text| text.is_empty());
    let size = texts.clone().map(|text| text.len() + glue.len()).sum::<usize>();
    let places = found.len();
    call.charge_bytes(size)?;
    call.machine.charge(places as u64)?;
    // The longest text that a machine could keep.
    if size > call.machine.limits.string_bytes.saturating_add(glue.len()) {
        return Err(Fault::NoStringMemory);
    }
    let joined = buffer(call, 0).map(|found| {
        let texts = found.iter().flatten().skip_while(|text| text.is_empty());
        let texts: Vec<&[u8]> = texts.map(|text| &**text).collect();
        texts.join(&*glue)
    });
    call.return_string(&joined.unwrap_or_default())
}

pub(super) fn get(call: &mut Call<'_>) -> Result<(), Fault> {
    let index = index(call, 1);
    let text = buffer(call, 0).and_then(|found| found.get(index)?.clone());
    call.return_string(&text.unwrap_or_default())
}

/// Puts a text at an index, at most the last one, of the buffer of argument 0, which exists.
fn put(call: &mut Call<'_>, index: usize, text: Box<[u8]>) -> Result<(), Fault> {
    let Some(found) = buffer(call, 0) else { return Ok(()) };
    let grown = (index + 1).saturating_sub(found.len());
    let before = found.get(index).and_then(Option::as_deref).map_or(0, text_bytes);
    let added = grown * PLACE + text_bytes(&text);
    call.charge_bytes(added)?;
    call.machine.reserve(added)?;
    call.machine.release(before);
    let Some(found) = buffer(call, 0) else { return Ok(()) };
    if grown > 0 {
        found.resize(index + 1, None);
    }
    if let Some(place) = found.get_mut(index) {
        *place = Some(text);
    }
    Ok(())
}

pub(super) fn set(call: &mut Call<'_>) -> Result<(), Fault> {
    let (index, text) = (index(call, 1), Box::from(call.string(2)?));
    if index > LAST_INDEX { Ok(()) } else { put(call, index, text) }
}

pub(super) fn add(call: &mut Call<'_>) -> Result<(), Fault> {
    let (text, at_end) = (Box::from(call.string(1)?), call.float(2) != 0.0);
    let Some(found) = buffer(call, 0) else { return call.return_float(-1.0) };
    let end = found.len();
    let hole = if at_end { None } else { found.iter().position(Option::is_none) };
    let passed = if at_end { 0 } else { hole.unwrap_or(end) };
    call.machine.charge(passed as u64 / 16)?;
    let index = hole.unwrap_or(end);
    if index > LAST_INDEX {
        return call.return_float(-1.0);
    }
    put(call, index, text)?;
    call.return_float(index as f32)
}

pub(super) fn free(call: &mut Call<'_>) -> Result<(), Fault> {
    let index = index(call, 1);
    let removed = buffer(call, 0).and_then(|found| found.get_mut(index)?.take());
    call.machine.release(removed.map_or(0, |text| text_bytes(&text)));
    Ok(())
}
