//! The integers by which scripts and C know skeletal objects.

use std::collections::VecDeque;

use super::SkelId;

/// Maps positive integers below 2^24, which an f32 holds exactly, to objects.
///
/// 14 bits of slot and 10 bits of generation. A freed slot waits until all others have been used, so an old handle
/// cannot reach a newer object before 8 million further creations while at most half of the slots are taken.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct HandleTable {
    slots: Vec<Slot>,
    free: VecDeque<u16>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Slot {
    generation: u16,
    object: Option<SkelId>,
}

const SLOT_BITS: u32 = 14;
const MAX_SLOTS: usize = (1 << SLOT_BITS) - 1;
const GENERATIONS: u16 = 1 << 10;

impl HandleTable {
    /// Whether another object can be given a handle.
    pub(super) fn has_room(&self) -> bool {
        self.slots.len() < MAX_SLOTS || !self.free.is_empty()
    }

    /// A handle for an object; `None` when none is free.
    pub(super) fn insert(&mut self, object: SkelId) -> Option<u32> {
        let slot = if self.slots.len() < MAX_SLOTS {
            self.slots.push(Slot { generation: 0, object: None });
            self.slots.len() - 1
        } else {
            usize::from(self.free.pop_front()?)
        };
        let entry = &mut self.slots[slot];
        entry.object = Some(object);
        Some(u32::from(entry.generation) << SLOT_BITS | (slot as u32 + 1))
    }

    /// The object of a handle.
    #[inline]
    pub(super) fn get(&self, handle: u32) -> Option<SkelId> {
        let slot = self.slots.get(slot(handle))?;
        (u32::from(slot.generation) == handle >> SLOT_BITS).then_some(slot.object).flatten()
    }

    /// Ends a handle.
    pub(super) fn remove(&mut self, handle: u32) {
        if self.get(handle).is_none() {
            return;
        }
        let number = slot(handle);
        if let Some(entry) = self.slots.get_mut(number) {
            entry.object = None;
            entry.generation = (entry.generation + 1) % GENERATIONS;
            self.free.push_back(number as u16);
        }
    }

    /// Whether so many handles are in use and every other slot is free, once.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self, in_use: usize) -> bool {
        let mut free = vec![false; self.slots.len()];
        let frees = self.free.iter().all(|&slot| {
            let slot = usize::from(slot);
            let vacant = self.slots.get(slot).is_some_and(|entry| entry.object.is_none());
            vacant && !std::mem::replace(&mut free[slot], true)
        });
        frees
            && self.slots.len() <= MAX_SLOTS
            && self.slots.iter().all(|slot| slot.generation < GENERATIONS)
            && self.slots.len() == self.free.len() + in_use
    }
}

/// The slot that a handle names; one that never is for what names none.
#[inline]
fn slot(handle: u32) -> usize {
    ((handle & MAX_SLOTS as u32) as usize).wrapping_sub(1)
}
