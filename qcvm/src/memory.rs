//! Reading and writing through pointers.

use super::address::{self, Place};
use super::fault::Fault;
use super::machine::{Builtins, Machine};
use super::strings::ALLOCATED;
use super::values::UNITS_A_STATEMENT;

impl Machine {
    /// Gives memory of the host an address for QuakeC: `region` is any number but 0, `bytes` its size.
    ///
    /// The same region keeps the same address until it is unmapped, or mapped with more bytes than its units hold. QuakeC's
    /// reads and writes there go to [`Builtins::read_host`] and [`Builtins::write_host`], which see the region's number and
    /// a byte offset. Regions together have 2^30 bytes of addresses, in units of 16 KiB.
    pub fn map_host(&mut self, region: u32, bytes: u32) -> Result<u32, Fault> {
        self.regions.map(region, bytes)
    }

    /// Takes a region's address away; using it is an error from then on, until the address is given to another region,
    /// which happens as late as possible.
    pub fn unmap_host(&mut self, region: u32) {
        self.regions.unmap(region);
    }

    /// Unmaps all regions that are not `wanted`.
    pub fn retain_host(&mut self, wanted: impl FnMut(u32) -> bool) {
        self.regions.retain(wanted);
    }

    /// The word at an address, a multiple of 4, that QuakeC passed.
    #[inline(never)]
    pub fn load_word<B: Builtins + ?Sized>(&self, address: u32, host: &mut B) -> Result<u32, Fault> {
        let bad = Fault::BadPointer { address, write: false };
        if !address.is_multiple_of(4) {
            return Err(bad);
        }
        let word = match self.regions.resolve(address) {
            Some(Place::Global(index)) => self.globals.as_slice().get(index as usize).copied(),
            Some(Place::Stack(index)) => self.stack.get(index as usize).copied(),
            Some(Place::Entity(index)) => self.entities.words.get(index as usize).copied(),
            Some(Place::Host { region, offset }) => host.read_host(region, offset),
            Some(Place::Text(_) | Place::String(_)) | None => None,
        };
        word.ok_or(bad)
    }

    /// Overwrites the word at an address, a multiple of 4, that QuakeC passed.
    #[inline(never)]
    pub fn store_word<B: Builtins + ?Sized>(&mut self, address: u32, bits: u32, host: &mut B) -> Result<(), Fault> {
        let bad = Fault::BadPointer { address, write: true };
        if !address.is_multiple_of(4) {
            return Err(bad);
        }
        let place = match self.regions.resolve(address) {
            Some(Place::Global(index)) => self.globals.as_mut_slice().get_mut(index as usize),
            Some(Place::Stack(index)) => self.stack.get_mut(index as usize),
            Some(Place::Entity(index)) => self.entities.words.get_mut(index as usize),
            Some(Place::Host { region, offset }) => return host.write_host(region, offset, bits).ok_or(bad),
            Some(Place::Text(_) | Place::String(_)) | None => None,
        };
        *place.ok_or(bad)? = bits;
        Ok(())
    }

    #[inline(never)]
    pub(super) fn load_words<B: Builtins + ?Sized>(&self, address: u32, host: &mut B) -> Result<[u32; 3], Fault> {
        let mut next = |offset| self.load_word(address.wrapping_add(offset), host);
        Ok([next(0)?, next(4)?, next(8)?])
    }

    #[inline(never)]
    pub(super) fn store_words<B: Builtins + ?Sized>(
        &mut self,
        address: u32,
        words: [u32; 3],
        host: &mut B,
    ) -> Result<(), Fault> {
        for (offset, bits) in [0, 4, 8].into_iter().zip(words) {
            self.store_word(address.wrapping_add(offset), bits, host)?;
        }
        Ok(())
    }

    /// The byte `index` bytes behind a pointer or a string; a string's end reads as 0.
    pub(super) fn load_byte<B: Builtins + ?Sized>(&self, base: u32, index: u32, host: &mut B) -> Result<u8, Fault> {
        if base >= ALLOCATED {
            let text = self.made(base)?;
            let bad = Fault::BadPointer { address: base.wrapping_add(index), write: false };
            return text.iter().chain(&[0]).nth(index as usize).copied().ok_or(bad);
        }
        let address = base.wrapping_add(index);
        if address < address::GLOBALS {
            let bad = Fault::BadPointer { address, write: false };
            return self.progs.strings.get(address as usize).copied().ok_or(bad);
        }
        let word = self.load_word(address & !3, host)?;
        Ok((word >> (8 * (address & 3))) as u8)
    }

    pub(super) fn store_byte<B: Builtins + ?Sized>(
        &mut self,
        address: u32,
        byte: u8,
        host: &mut B,
    ) -> Result<(), Fault> {
        let shift = 8 * (address & 3);
        let word = self.load_word(address & !3, host).map_err(|_| Fault::BadPointer { address, write: true })?;
        self.store_word(address & !3, (word & !(0xff << shift)) | u32::from(byte) << shift, host)
    }

    /// The two bytes `index` pairs behind a pointer.
    pub(super) fn load_half<B: Builtins + ?Sized>(&self, base: u32, index: u32, host: &mut B) -> Result<u16, Fault> {
        let index = index.wrapping_mul(2);
        let low = self.load_byte(base, index, host)?;
        Ok(u16::from_le_bytes([low, self.load_byte(base, index.wrapping_add(1), host)?]))
    }

    pub(super) fn store_half<B: Builtins + ?Sized>(
        &mut self,
        address: u32,
        half: u16,
        host: &mut B,
    ) -> Result<(), Fault> {
        let [low, high] = half.to_le_bytes();
        self.store_byte(address, low, host)?;
        self.store_byte(address.wrapping_add(1), high, host)
    }

    /// The address of an entity's field.
    #[inline(never)]
    pub(super) fn field_address(&self, entity: u32, field: u32) -> Result<u32, Fault> {
        Ok(address::ENTITIES + 4 * self.entities.index(entity, field, 1)? as u32)
    }

    /// The address of the global `index` places behind `first`.
    pub(super) fn global_address(&self, first: u32, index: u32) -> u32 {
        address::GLOBALS.wrapping_add(first.wrapping_add(index).wrapping_mul(4))
    }

    /// The global `index` places behind `first`, if there are `words` words.
    pub(super) fn global_index(&self, first: u32, index: u32, words: u32) -> Result<u32, Fault> {
        let last = self.globals.as_slice().len() as i64 - i64::from(words) - i64::from(first);
        let index = index as i32;
        if i64::from(index) < -i64::from(first) || i64::from(index) > last {
            return Err(Fault::BadIndex { index, last: last.max(0) as i32 });
        }
        Ok(first.wrapping_add_signed(index))
    }

    /// Reserves `words` words of the running function's stack, all 0, and gives their address.
    #[inline(never)]
    pub(super) fn push(&mut self, words: u32) -> Result<u32, Fault> {
        let base = self.stack.len();
        if base as u64 + u64::from(words) > self.limits.stack_words as u64 || base >= 1 << 26 {
            return Err(Fault::StackOverflow);
        }
        self.charge(u64::from(words) / UNITS_A_STATEMENT)?;
        self.stack.resize(base + words as usize, 0);
        Ok(address::STACK + 4 * base as u32)
    }

    /// The string without its first `count` bytes: for a pool string a handle behind it, else a new temporary.
    #[inline(never)]
    pub(super) fn string_tail(&mut self, handle: u32, count: i32) -> Result<u32, Fault> {
        if handle < ALLOCATED {
            return Ok(handle.wrapping_add_signed(count));
        }
        let text = self.string(handle)?;
        let tail = usize::try_from(count).ok().and_then(|count| text.get(count..)).map(<[u8]>::to_vec);
        self.temporary_string(&tail.ok_or(Fault::BadString(handle.wrapping_add_signed(count)))?)
    }
}
