//! Address space of QuakeC's pointers: 32 bits, with a part for each kind of memory.
//!
//! | from | holds | access |
//! |---|---|---|
//! | `0x0000_0000` | the progs' string pool, with offsets as addresses; 0 is the null pointer | bytes, read |
//! | `0x1000_0000` | globals, 4 bytes each | read, write |
//! | `0x2000_0000` | the stack of pushed locals | read, write |
//! | `0x2800_0000` | blocks that the script has allocated | read, write |
//! | `0x3000_0000` | entities, one after the other | read, write |
//! | `0x4000_0000` | memory of the host, in slots of 16 KiB | read, write, by the host |
//! | `0x8000_0000` | handles of allocated strings, which are not addresses of bytes | bytes, read |
//! | `0xffff_fff0` | what a refused write gets: nothing is kept there | 0, write |
//!
//! A host names its regions by any number except 0, for instance the 24-bit handle of a skeletal object. A region gets
//! slots when it is first mapped (one slot holds 341 bones of 48 bytes) and keeps them, so that its address never
//! changes. Released slots are reused as late as possible. There are 65,536 slots, four times the largest number of
//! skeletal objects that can live at once.

use super::fault::Fault;
use std::collections::HashMap;

pub(super) const GLOBALS: u32 = 0x1000_0000;
pub(super) const STACK: u32 = 0x2000_0000;
pub(super) const HEAP: u32 = 0x2800_0000;
pub(super) const ENTITIES: u32 = 0x3000_0000;
pub(super) const HOST: u32 = 0x4000_0000;
pub(super) const DISCARDED: u32 = 0xffff_fff0;
const SLOTS: u32 = 1 << 16;
const SLOT_BYTES: u32 = 1 << 14;

/// Target of an address; word indices are in words, offsets in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Text(u32),
    Global(u32),
    Stack(u32),
    Heap(u32),
    Entity(u32),
    Host { region: u32, offset: u32 },
    String(u32),
}

/// Returns `true` for an address of the words that a refused write goes to.
pub(super) fn is_discarded(address: u32) -> bool {
    (DISCARDED..DISCARDED + 12).contains(&address)
}

/// Slots of the host's regions.
#[derive(Debug, Default)]
pub(super) struct HostRegions {
    /// Region (0 for a free slot) in each slot, and the part of the region that the slot holds.
    slots: Vec<(u32, u32)>,
    /// First slot and number of slots of each region.
    regions: HashMap<u32, (u32, u32)>,
    next: u32,
}

impl HostRegions {
    /// Returns the address of a region of `bytes` bytes.
    pub(super) fn map(&mut self, region: u32, bytes: u32) -> Result<u32, Fault> {
        if region == 0 {
            return Err(Fault::NoFreeAddress);
        }
        let needed = bytes.div_ceil(SLOT_BYTES).max(1);
        match self.regions.get(&region) {
            Some(&(first, count)) if count >= needed => return Ok(HOST + first * SLOT_BYTES),
            Some(_) => self.unmap(region),
            None => {}
        }
        let first = self.find(self.next, needed).or_else(|| self.find(0, needed)).ok_or(Fault::NoFreeAddress)?;
        let end = (first + needed) as usize;
        if self.slots.len() < end {
            self.slots.resize(end, (0, 0));
        }
        for (part, slot) in (0u32..).zip(self.slots.get_mut(first as usize..end).unwrap_or_default()) {
            *slot = (region, part);
        }
        self.regions.insert(region, (first, needed));
        self.next = first + needed;
        Ok(HOST + first * SLOT_BYTES)
    }

    /// Frees a region's slots.
    pub(super) fn unmap(&mut self, region: u32) {
        if let Some((first, count)) = self.regions.remove(&region)
            && let Some(slots) = self.slots.get_mut(first as usize..(first + count) as usize)
        {
            slots.fill((0, 0));
        }
    }

    /// Frees the slots of all regions that are not `wanted`.
    pub(super) fn retain(&mut self, mut wanted: impl FnMut(u32) -> bool) {
        let unwanted: Vec<u32> = self.regions.keys().copied().filter(|&region| !wanted(region)).collect();
        for region in unwanted {
            self.unmap(region);
        }
    }

    /// Returns the first of `needed` consecutive free slots, from slot `start` on.
    fn find(&self, start: u32, needed: u32) -> Option<u32> {
        let mut first = start;
        for slot in start..SLOTS {
            if self.slots.get(slot as usize).is_some_and(|&(region, _)| region != 0) {
                first = slot + 1;
            } else if slot + 1 - first >= needed {
                return Some(first);
            }
        }
        None
    }

    fn place(&self, offset: u32) -> Option<Place> {
        let &(region, part) = self.slots.get((offset / SLOT_BYTES) as usize)?;
        (region != 0).then_some(Place::Host { region, offset: part * SLOT_BYTES + offset % SLOT_BYTES })
    }

    /// Returns the target of `address`, if it has one. The memory in question decides if the word exists.
    pub(super) fn resolve(&self, address: u32) -> Option<Place> {
        match address >> 28 {
            0 if address == 0 => None,
            0 => Some(Place::Text(address)),
            1 => Some(Place::Global((address - GLOBALS) / 4)),
            2 if address >= HEAP => Some(Place::Heap((address - HEAP) / 4)),
            2 => Some(Place::Stack((address - STACK) / 4)),
            3 => Some(Place::Entity((address - ENTITIES) / 4)),
            4..=7 => self.place(address - HOST),
            _ => Some(Place::String(address)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_keeps_its_address_and_released_slots_are_reused_last() {
        let mut regions = HostRegions::default();
        let first = regions.map(0x00ff_ffff, 12_288).unwrap();
        let wide = regions.map(2, 3 * SLOT_BYTES).unwrap();
        assert_eq!(wide, first + SLOT_BYTES);
        for region in 3..10_003 {
            regions.map(region, 48).unwrap();
            assert_eq!(regions.map(0x00ff_ffff, 12_288), Ok(first));
        }
        assert_eq!(regions.resolve(first + 12_287), Some(Place::Host { region: 0x00ff_ffff, offset: 12_287 }));
        assert_eq!(regions.resolve(wide + 40_000), Some(Place::Host { region: 2, offset: 40_000 }));
        regions.unmap(2);
        assert_eq!(regions.resolve(wide), None);
        assert!(regions.map(20_000, 4).unwrap() > wide + 10_000 * SLOT_BYTES);
        regions.retain(|region| region < 5000);
        assert_eq!(regions.resolve(first), None);
    }

    #[test]
    fn the_address_space_fills_up_with_an_error() {
        let mut regions = HostRegions::default();
        for region in 1..=SLOTS {
            regions.map(region, 1).unwrap();
        }
        assert_eq!(regions.map(SLOTS + 1, 1), Err(Fault::NoFreeAddress));
        regions.unmap(77);
        assert_eq!(regions.map(SLOTS + 1, 1), Ok(HOST + 76 * SLOT_BYTES));
    }
}
