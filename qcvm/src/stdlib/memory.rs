//! Builtins on memory: blocks, and bytes behind pointers.

use super::StdHost;
use super::call::Call;
use crate::strings::ALLOCATED;
use crate::values::UNITS_A_STATEMENT;
use crate::{Builtin, Builtins, Fault, Machine, address};

/// Statements in the time of which a byte of the host's memory is read, or checked and written.
const HOST_BYTE: u64 = 2;

/// Memory of the host behind pointers.
struct HostMemory<'a>(&'a mut dyn StdHost);

impl Builtins for HostMemory<'_> {
    fn call(&mut self, _: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
        Err(builtin.unknown())
    }

    fn read_host(&mut self, region: u32, offset: u32) -> Option<u32> {
        self.0.read_memory(region, offset)
    }

    fn write_host(&mut self, region: u32, offset: u32, bits: u32) -> Option<()> {
        self.0.write_memory(region, offset, bits)
    }
}

impl Call<'_> {
    fn int(&self, argument: usize) -> i32 {
        self.machine.argument_bits(argument) as i32
    }

    /// Returns an integer that may be left out.
    fn optional_int(&self, argument: usize) -> i32 {
        if argument < self.machine.argc() { self.int(argument) } else { 0 }
    }

    /// Returns a number of bytes, and charges for them.
    pub(super) fn size(&self, argument: usize) -> Result<u32, Fault> {
        let size = self.int(argument);
        let bytes = u32::try_from(size).map_err(|_| self.fault(format_args!("{size} is not a number of bytes")))?;
        self.machine.charge(u64::from(bytes) / UNITS_A_STATEMENT)?;
        Ok(bytes)
    }

    /// Returns the address in an argument, with an offset in bytes. Texts made at run time have no addresses between
    /// their handles.
    fn address(&self, argument: usize, offset: i32) -> Result<u32, Fault> {
        let base = self.machine.argument_bits(argument);
        match base.checked_add_signed(offset) {
            Some(address) if base < ALLOCATED || offset == 0 => Ok(address),
            _ => Err(Fault::BadPointer { address: base.wrapping_add_signed(offset), write: false }),
        }
    }

    /// Returns the address in argument 1, with the offset in argument 3.
    pub(super) fn target(&self) -> Result<u32, Fault> {
        self.address(1, self.optional_int(3))
    }

    /// Reads bytes from an address or a string.
    pub(super) fn read(&mut self, address: u32, bytes: u32) -> Result<Vec<u8>, Fault> {
        if address >= ALLOCATED {
            let text = self.machine.string(address)?;
            let ended: Vec<u8> = text.iter().copied().chain([0]).take(bytes as usize).collect();
            let end = ended.len() as u32;
            let missing = Fault::BadPointer { address: address.wrapping_add(end), write: false };
            return if end < bytes { Err(missing) } else { Ok(ended) };
        }
        let mut host = HostMemory(&mut *self.host);
        let machine = &*self.machine;
        let (mut read, bytes) = (Vec::new(), bytes as usize);
        while read.len() < bytes {
            let place = address.wrapping_add(read.len() as u32);
            match machine.words_from(place & !3).filter(|words| !words.is_empty()) {
                Some(words) => take(words, place as usize % 4, bytes - read.len(), &mut read),
                None => {
                    machine.charge(HOST_BYTE)?;
                    read.push(machine.load_byte(address, read.len() as u32, &mut host)?);
                }
            }
        }
        Ok(read)
    }

    /// Checks that bytes may be overwritten.
    fn check_writable(&mut self, address: u32, bytes: usize) -> Result<(), Fault> {
        let bad = |address| Fault::BadPointer { address, write: true };
        if bytes > 0 && !(address::GLOBALS..ALLOCATED).contains(&address) {
            return Err(bad(address));
        }
        let mut host = HostMemory(&mut *self.host);
        let mut checked = 0;
        while checked < bytes {
            let place = address.wrapping_add(checked as u32);
            match self.machine.words_from(place & !3).filter(|words| !words.is_empty()) {
                Some(words) => checked += 4 * words.len() - place as usize % 4,
                None => {
                    self.machine.charge(4 * HOST_BYTE)?;
                    self.machine.load_word(place & !3, &mut host).map_err(|_| bad(place))?;
                    checked += 4 - place as usize % 4;
                }
            }
        }
        Ok(())
    }

    /// Writes bytes to an address; nothing is written unless all of it is memory.
    pub(super) fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), Fault> {
        self.check_writable(address, bytes.len())?;
        let mut host = HostMemory(&mut *self.host);
        let mut written = 0;
        while let Some((first, _)) = bytes.get(written..).and_then(<[u8]>::split_first) {
            let place = address.wrapping_add(written as u32);
            let rest = bytes.get(written..).unwrap_or_default();
            match self.machine.words_from_mut(place & !3).filter(|words| !words.is_empty()) {
                Some(words) => written += overwrite(words, place as usize % 4, rest),
                None => {
                    self.machine.store_byte(place, *first, &mut host)?;
                    written += 1;
                }
            }
        }
        Ok(())
    }
}

/// Appends bytes of words, from one of the first word on, at most `most`.
fn take(words: &[u32], first: usize, most: usize, to: &mut Vec<u8>) {
    let mut left = most.min(4 * words.len() - first);
    to.reserve(left);
    let mut at = first;
    for word in words {
        let bytes = word.to_le_bytes();
        let part = bytes.get(at..).unwrap_or_default();
        let part = part.get(..left).unwrap_or(part);
        to.extend_from_slice(part);
        left -= part.len();
        at = 0;
        if left == 0 {
            break;
        }
    }
}

/// Overwrites bytes of words, from one of the first word on; returns the number of bytes.
fn overwrite(words: &mut [u32], first: usize, bytes: &[u8]) -> usize {
    let count = bytes.len().min(4 * words.len() - first);
    let mut rest = bytes.get(..count).unwrap_or_default();
    let mut at = first;
    for word in words {
        if at == 0
            && let Some((whole, others)) = rest.split_first_chunk()
        {
            *word = u32::from_le_bytes(*whole);
            rest = others;
            continue;
        }
        let mut parts = word.to_le_bytes();
        let room = parts.get_mut(at..).unwrap_or_default();
        let taken = room.len().min(rest.len());
        for (part, byte) in room.iter_mut().zip(rest) {
            *part = *byte;
        }
        *word = u32::from_le_bytes(parts);
        rest = rest.get(taken..).unwrap_or_default();
        at = 0;
        if rest.is_empty() {
            break;
        }
    }
    count
}

pub(super) fn memalloc(call: &mut Call<'_>) -> Result<(), Fault> {
    let bytes = call.size(0)?;
    let address = call.machine.allocate(bytes)?;
    call.machine.return_bits(address);
    Ok(())
}

pub(super) fn memrealloc(call: &mut Call<'_>) -> Result<(), Fault> {
    let (old, bytes) = (call.address(0, 0)?, call.size(1)?);
    let kept = if old == 0 { 0 } else { bytes.min(4 * call.machine.block(old)?) };
    call.machine.charge(u64::from(kept) / UNITS_A_STATEMENT)?;
    let contents = call.read(old, kept)?;
    let address = call.machine.allocate(bytes)?;
    call.write(address, &contents)?;
    if old != 0 {
        call.machine.free(old)?;
    }
    call.machine.return_bits(address);
    Ok(())
}

pub(super) fn memfree(call: &mut Call<'_>) -> Result<(), Fault> {
    match call.address(0, 0)? {
        0 => Ok(()),
        address => call.machine.free(address).map(drop),
    }
}

pub(super) fn memcmp(call: &mut Call<'_>) -> Result<(), Fault> {
    let bytes = call.size(2)?;
    let (first, second) = (call.address(0, call.optional_int(3))?, call.address(1, call.optional_int(4))?);
    call.machine.charge(u64::from(bytes) / UNITS_A_STATEMENT)?;
    let order = call.read(first, bytes)?.cmp(&call.read(second, bytes)?);
    call.machine.return_bits(order as i32 as u32);
    Ok(())
}

pub(super) fn memcpy(call: &mut Call<'_>) -> Result<(), Fault> {
    let bytes = call.size(2)?;
    let (to, from) = (call.address(0, call.optional_int(3))?, call.address(1, call.optional_int(4))?);
    let contents = call.read(from, bytes)?;
    call.write(to, &contents)
}

pub(super) fn memfill8(call: &mut Call<'_>) -> Result<(), Fault> {
    let (to, value, bytes) = (call.address(0, call.optional_int(3))?, call.int(1) as u8, call.size(2)?);
    // A range beyond the memory fails before a copy of its size is made.
    call.check_writable(to, bytes as usize)?;
    call.write(to, &vec![value; bytes as usize])
}

/// Returns the address of argument 0 with the offset of argument 1, a float.
fn offset_address(call: &mut Call<'_>) -> Result<u32, Fault> {
    let offset = call.float(1);
    if offset != offset.trunc() || offset.abs() > 2e9 {
        return Err(call.fault(format_args!("{offset} is not a whole number of bytes")));
    }
    call.address(0, offset as i32)
}

pub(super) fn memgetval(call: &mut Call<'_>) -> Result<(), Fault> {
    let address = offset_address(call)?;
    let word = call.machine.load_word(address, &mut HostMemory(&mut *call.host))?;
    call.machine.return_bits(word);
    Ok(())
}

pub(super) fn memsetval(call: &mut Call<'_>) -> Result<(), Fault> {
    let address = offset_address(call)?;
    let value = call.machine.argument_bits(2);
    call.machine.store_word(address, value, &mut HostMemory(&mut *call.host))
}

pub(super) fn memptradd(call: &mut Call<'_>) -> Result<(), Fault> {
    let address = offset_address(call)?;
    call.machine.return_bits(address);
    Ok(())
}

pub(super) fn memstrsize(call: &mut Call<'_>) -> Result<(), Fault> {
    let bytes = call.string(0)?.len();
    call.return_float(bytes as f32)
}
