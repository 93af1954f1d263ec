//! Access through pointers.

use super::address::{self, Place};
use super::fault::Fault;
use super::machine::{Builtins, Machine};
use super::strings::ALLOCATED;
use super::values::UNITS_A_STATEMENT;

impl Machine {
    /// Maps `bytes` bytes of the host's memory to an address for QuakeC, and returns the address.
    ///
    /// `region` is the host's name for the memory, any number except 0. A region keeps its address until it is
    /// unmapped, or mapped again with more bytes than its units hold. QuakeC's reads and writes there call
    /// [`Builtins::read_host`] and [`Builtins::write_host`] with the region and a byte offset. All regions share 2^30
    /// bytes of addresses, in units of 16 KiB.
    ///
    /// # Errors
    /// [`Fault::NoFreeAddress`] if no run of free units is long enough, or `region` is 0.
    ///
    /// # Example
    /// A host lends an array of floats.
    /// ```
    /// use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
    ///
    /// struct Weights([f32; 3]);
    ///
    /// impl Builtins for Weights {
    ///     fn call(&mut self, _machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
    ///         Err(builtin.unknown())
    ///     }
    ///
    ///     fn read_host(&mut self, _region: u32, offset: u32) -> Option<u32> {
    ///         self.0.get(offset as usize / 4).map(|weight| weight.to_bits())
    ///     }
    ///
    ///     fn write_host(&mut self, _region: u32, offset: u32, bits: u32) -> Option<()> {
    ///         *self.0.get_mut(offset as usize / 4)? = f32::from_bits(bits);
    ///         Some(())
    ///     }
    /// }
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let mut weights = Weights([0.5, 0.25, 0.25]);
    /// let address = machine.map_host(1, 12)?;
    /// machine.store_word(address + 8, 1f32.to_bits(), &mut weights)?; // as QuakeC does with pointer[2] = 1
    /// assert_eq!(weights.0, [0.5, 0.25, 1.0]);
    /// assert_eq!(machine.load_word(address, &mut weights)?, 0.5f32.to_bits());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map_host(&mut self, region: u32, bytes: u32) -> Result<u32, Fault> {
        self.regions.map(region, bytes)
    }

    /// Frees a region's address.
    ///
    /// From then on, any use of the address fails with [`Fault::BadPointer`] until another region gets the address.
    /// Addresses are reused as late as possible.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Console;
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.into());
    /// let address = machine.map_host(7, 48)?;
    /// machine.unmap_host(7);
    /// assert!(machine.load_word(address, &mut console).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unmap_host(&mut self, region: u32) {
        self.regions.unmap(region);
    }

    /// Unmaps all regions for which `wanted` returns `false`.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let [first, second] = [machine.map_host(1, 48)?, machine.map_host(2, 48)?];
    /// machine.retain_host(|region| region != 1); // object 1 was deleted
    /// assert_eq!(machine.map_host(2, 48)?, second);
    /// assert_ne!(machine.map_host(1, 48)?, first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain_host(&mut self, wanted: impl FnMut(u32) -> bool) {
        self.regions.retain(wanted);
    }

    /// Returns the word at an address that QuakeC passed. The address must be a multiple of 4.
    ///
    /// Globals, locals, allocated blocks, entities and the host's regions consist of words; `host` provides the words
    /// of its regions.
    ///
    /// # Errors
    /// [`Fault::BadPointer`] if no word has this address.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Console;
    /// use skelobj_qcvm::{Fault, Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.into());
    /// let null = machine.load_word(0, &mut console);
    /// assert_eq!(null, Err(Fault::BadPointer { address: 0, write: false }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(never)]
    pub fn load_word<B: Builtins + ?Sized>(&self, address: u32, host: &mut B) -> Result<u32, Fault> {
        let bad = Fault::BadPointer { address, write: false };
        if !address.is_multiple_of(4) {
            return Err(bad);
        }
        let word = match self.regions.resolve(address) {
            Some(Place::Global(index)) => self.globals.as_slice().get(index as usize).copied(),
            Some(Place::Stack(index)) => self.stack.get(index as usize).copied(),
            Some(Place::Heap(index)) => self.heap.run(index).and_then(<[u32]>::first).copied(),
            Some(Place::Entity(index)) => self.entities.words.get(index as usize).copied(),
            Some(Place::Host { region, offset }) => host.read_host(region, offset),
            _ if address::is_discarded(address) => Some(0),
            Some(Place::Text(_) | Place::String(_)) | None => None,
        };
        word.ok_or(bad)
    }

    /// Returns the machine's own words from an address, a multiple of 4, to the end of their memory.
    pub(super) fn words_from(&self, address: u32) -> Option<&[u32]> {
        match self.regions.resolve(address)? {
            Place::Global(index) => self.globals.as_slice().get(index as usize..),
            Place::Stack(index) => self.stack.get(index as usize..),
            Place::Heap(index) => self.heap.run(index),
            Place::Entity(index) => self.entities.words.get(index as usize..),
            Place::Host { .. } | Place::Text(_) | Place::String(_) => None,
        }
    }

    pub(super) fn words_from_mut(&mut self, address: u32) -> Option<&mut [u32]> {
        match self.regions.resolve(address)? {
            Place::Global(index) => self.globals.as_mut_slice().get_mut(index as usize..),
            Place::Stack(index) => self.stack.get_mut(index as usize..),
            Place::Heap(index) => self.heap.run_mut(index),
            Place::Entity(index) => self.entities.words.get_mut(index as usize..),
            Place::Host { .. } | Place::Text(_) | Place::String(_) => None,
        }
    }

    /// Overwrites the word at an address that QuakeC passed. The address must be a multiple of 4.
    ///
    /// The example of [`map_host`](Self::map_host) writes to host memory.
    ///
    /// # Errors
    /// [`Fault::BadPointer`] if no writable word has this address.
    #[inline(never)]
    pub fn store_word<B: Builtins + ?Sized>(&mut self, address: u32, bits: u32, host: &mut B) -> Result<(), Fault> {
        let bad = Fault::BadPointer { address, write: true };
        if !address.is_multiple_of(4) {
            return Err(bad);
        }
        let place = match self.regions.resolve(address) {
            Some(Place::Global(index)) => self.globals.as_mut_slice().get_mut(index as usize),
            Some(Place::Stack(index)) => self.stack.get_mut(index as usize),
            Some(Place::Heap(index)) => self.heap.run_mut(index).and_then(<[u32]>::first_mut),
            Some(Place::Entity(index)) => self.entities.words.get_mut(index as usize),
            Some(Place::Host { region, offset }) => return host.write_host(region, offset, bits).ok_or(bad),
            _ if address::is_discarded(address) => return Ok(()),
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

    /// Returns the byte at a byte index from a pointer or a string; a string's end reads as 0.
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

    /// Returns the two bytes at an index of pairs from a pointer.
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

    /// Returns the address of an entity's field.
    #[inline(never)]
    pub(super) fn field_address(&self, entity: u32, field: u32) -> Result<u32, Fault> {
        Ok(address::ENTITIES + 4 * self.entities.index(entity, field, 1)? as u32)
    }

    /// Returns the address of the global `index` places after `first`.
    pub(super) fn global_address(&self, first: u32, index: u32) -> u32 {
        address::GLOBALS.wrapping_add(first.wrapping_add(index).wrapping_mul(4))
    }

    /// Returns the offset of the global `index` places after `first`, if `words` words follow it.
    pub(super) fn global_index(&self, first: u32, index: u32, words: u32) -> Result<u32, Fault> {
        let last = self.globals.as_slice().len() as i64 - i64::from(words) - i64::from(first);
        let index = index as i32;
        if i64::from(index) < -i64::from(first) || i64::from(index) > last {
            return Err(Fault::BadIndex { index, last: last.max(0) as i32 });
        }
        Ok(first.wrapping_add_signed(index))
    }

    /// Reserves `words` words of the running function's stack, all 0, and returns their address.
    #[inline(never)]
    pub(super) fn push(&mut self, words: u32) -> Result<u32, Fault> {
        let base = self.stack.len();
        if base as u64 + u64::from(words) > self.limits.stack_words as u64 || base >= 1 << 25 {
            return Err(Fault::StackOverflow);
        }
        self.charge(u64::from(words) / UNITS_A_STATEMENT)?;
        self.stack.resize(base + words as usize, 0);
        Ok(address::STACK + 4 * base as u32)
    }

    /// Returns the string without its first `count` bytes: a handle into the pool for a literal, a new temporary
    /// otherwise.
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
