//! Table of values by their ids, on a slot map.

use std::collections::VecDeque;
use std::marker::PhantomData;

use slotmap::SlotMap;

use super::{Id, IdBits};

slotmap::new_key_type! {
    /// Key of a value in the slot map. Keys stay in this file: those of a restored map differ.
    struct Key;
}

/// Slot map behind a table of ids.
///
/// The slot map reuses its latest free slot first, so the versions of its keys repeat too soon for ids of 24 bits. The
/// table reuses its slots in the order in which they were freed, and decides the next id and the order in which values
/// are visited; both are the same in a restored map.
#[derive(Clone, Debug)]
pub(crate) struct IdSlotMap<I, T> {
    values: SlotMap<Key, T>,
    slots: Vec<Slot>,
    free: VecDeque<u16>,
    /// Taken slots in ascending order.
    taken: Vec<u16>,
    ids: PhantomData<I>,
}

/// Slot of the table. While it is free, the key is null, and the id is the next that the slot gets.
#[derive(Clone, Copy, Debug)]
struct Slot {
    id: IdBits,
    key: Key,
}

impl Slot {
    /// Makes a free slot. Ids count the slots from 1.
    fn free(slot: usize, generation: u16) -> Self {
        let id = IdBits(u32::from(generation) << IdBits::SLOT_BITS | (slot as u32 + 1));
        Self { id, key: Key::default() }
    }
}

impl<I, T> Default for IdSlotMap<I, T> {
    fn default() -> Self {
        Self {
            values: SlotMap::with_key(),
            slots: Vec::new(),
            free: VecDeque::new(),
            taken: Vec::new(),
            ids: PhantomData,
        }
    }
}

impl<I: Id, T> IdSlotMap<I, T> {
    /// Maximum number of values.
    pub const CAPACITY: usize = IdBits::SLOTS - 1;

    /// Returns the number of values that can still be added.
    pub fn room(&self) -> usize {
        Self::CAPACITY - self.taken.len()
    }

    /// Returns `true` if the map has no values.
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// Adds a value and returns its new id, or `None` if the map is full.
    pub fn insert(&mut self, value: T) -> Option<I> {
        debug_assert_eq!(self.taken.len() + self.free.len(), self.slots.len(), "every slot is taken or free");
        let slot = match self.slots.len() < Self::CAPACITY {
            true => self.slots.len(),
            false => usize::from(*self.free.front()?),
        };
        let next = self.slots.get(slot).copied().unwrap_or_else(|| Slot::free(slot, 0));
        let id = I::from_number(next.id.number())?;
        debug_assert!(slotmap::Key::is_null(&next.key), "a free slot has no value");
        let key = self.values.insert(value);
        match self.slots.get_mut(slot) {
            Some(taken) => {
                taken.key = key;
                self.free.pop_front();
            }
            None => self.slots.push(Slot { key, ..next }),
        }
        self.take(slot as u16);
        Some(id)
    }

    fn take(&mut self, slot: u16) {
        let place = self.taken.partition_point(|taken| *taken < slot);
        debug_assert_ne!(self.taken.get(place), Some(&slot), "a free slot is not taken");
        self.taken.insert(place, slot);
    }

    #[inline]
    fn key(&self, id: I) -> Option<Key> {
        let slot = self.slots.get(slot_of(id.number()))?;
        (slot.id.bits() == id.number()).then_some(slot.key)
    }

    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.values.get(self.key(id)?)
    }

    #[inline]
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.values.get_mut(self.key(id)?)
    }

    /// Returns two values at once, or `None` unless both exist and differ.
    pub fn get_two_mut(&mut self, ids: [I; 2]) -> Option<[&mut T; 2]> {
        let [a, b] = ids.map(|id| self.key(id));
        self.values.get_disjoint_mut([a?, b?])
    }

    /// Removes a value and its id.
    pub fn remove(&mut self, id: I) -> Option<T> {
        let value = self.values.remove(self.key(id)?)?;
        let slot = slot_of(id.number());
        debug_assert!(slot < self.slots.len(), "a value has a slot");
        if let Some(freed) = self.slots.get_mut(slot) {
            *freed = Slot { id: freed.id.next_use(), key: Key::default() };
            self.free.push_back(slot as u16);
            debug_assert!(self.taken.binary_search(&(slot as u16)).is_ok(), "the slot of a value is taken");
            if let Ok(place) = self.taken.binary_search(&(slot as u16)) {
                self.taken.remove(place);
            }
        }
        Some(value)
    }

    /// Returns an iterator over all values in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = (I, &T)> {
        debug_assert_eq!(self.values.len(), self.taken.len(), "every taken slot has a value");
        let slots = self.taken.iter().filter_map(|slot| self.slots.get(usize::from(*slot)));
        slots.filter_map(|slot| I::from_number(slot.id.number()).zip(self.values.get(slot.key)))
    }

    /// Calls a function with every value, in the order of their slots.
    pub fn for_each_mut(&mut self, mut visit: impl FnMut(I, &mut T)) {
        debug_assert_eq!(self.values.len(), self.taken.len(), "every taken slot has a value");
        let Self { values, slots, taken, .. } = self;
        for slot in taken.iter().filter_map(|slot| slots.get(usize::from(*slot))) {
            if let Some((id, value)) = I::from_number(slot.id.number()).zip(values.get_mut(slot.key)) {
                visit(id, value);
            }
        }
    }
}

/// Returns the slot of a number; one beyond all slots if the number has none.
#[inline]
pub(super) fn slot_of(number: u32) -> usize {
    usize::from(IdBits(number).slot()).wrapping_sub(1)
}

/// Ids of a map in a snapshot: the uses of every slot, and the free slots in the order of their reuse.
#[cfg(feature = "serde")]
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Runs", into = "Runs")]
pub(crate) struct SavedIds {
    generations: Vec<u16>,
    free: VecDeque<u16>,
}

/// Serialised ids. Slots are used in turn, so neighbours have similar generations and are mostly freed in sequence.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Runs {
    /// Runs of equal generations: the difference to the previous run, and the number of slots.
    generations: Vec<(i16, u16)>,
    /// Runs of consecutive free slots: the difference of the first slot to the expected one, and the number of slots.
    free: Vec<(i16, u16)>,
}

#[cfg(feature = "serde")]
impl Runs {
    /// Returns the runs of values. Within a run each value is the previous one plus `step`.
    fn of(values: impl Iterator<Item = u16>, step: u16) -> Vec<(i16, u16)> {
        let mut runs: Vec<(i16, u16)> = Vec::new();
        let mut next = 0_u16;
        for value in values {
            match runs.last_mut() {
                Some((_, count)) if next == value => *count += 1,
                _ => runs.push((value.wrapping_sub(next).cast_signed(), 1)),
            }
            next = value.wrapping_add(step);
        }
        runs
    }

    /// Returns the values of runs, or an error if there are more values than slots.
    fn values(runs: &[(i16, u16)], step: u16) -> Result<Vec<u16>, &'static str> {
        let mut values = Vec::new();
        let mut next = 0_u16;
        for &(difference, count) in runs {
            if values.len() + usize::from(count) > IdSlotMap::<super::ObjectId, ()>::CAPACITY {
                return Err("more ids than there can be");
            }
            next = next.wrapping_add_signed(difference);
            for _ in 0..count {
                values.push(next);
                next = next.wrapping_add(step);
            }
        }
        Ok(values)
    }
}

#[cfg(feature = "serde")]
impl From<SavedIds> for Runs {
    fn from(ids: SavedIds) -> Self {
        Self { generations: Self::of(ids.generations.into_iter(), 0), free: Self::of(ids.free.into_iter(), 1) }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Runs> for SavedIds {
    type Error = &'static str;

    fn try_from(runs: Runs) -> Result<Self, &'static str> {
        Ok(Self { generations: Runs::values(&runs.generations, 0)?, free: Runs::values(&runs.free, 1)?.into() })
    }
}

#[cfg(feature = "serde")]
impl<I: Id, T> IdSlotMap<I, T> {
    pub fn save_ids(&self) -> SavedIds {
        SavedIds { generations: self.slots.iter().map(|slot| slot.id.generation()).collect(), free: self.free.clone() }
    }
}

/// Serializes a map as its ids and its values in the order of their slots.
#[cfg(feature = "serde")]
impl<I: Id + serde::Serialize, T: serde::Serialize> serde::Serialize for IdSlotMap<I, T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.save_ids(), self.iter().collect::<Vec<_>>()).serialize(serializer)
    }
}

/// Refuses ids other than those of the values.
#[cfg(feature = "serde")]
impl<'de, I: Id + serde::Deserialize<'de>, T: serde::Deserialize<'de>> serde::Deserialize<'de> for IdSlotMap<I, T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (ids, values): (SavedIds, Vec<(I, T)>) = serde::Deserialize::deserialize(deserializer)?;
        if !ids.are_in_use(values.iter().map(|(id, _)| *id)) {
            return Err(serde::de::Error::custom("ids other than those of the values"));
        }
        Ok(ids.restore(values.into_iter()))
    }
}

#[cfg(feature = "serde")]
impl SavedIds {
    /// Returns `true` if exactly these ids are in use and each appears once, in the order of the slots.
    pub fn are_in_use<I: Id>(&self, ids: impl Iterator<Item = I>) -> bool {
        let slots = self.generations.len();
        let mut free = vec![false; slots];
        let frees = self.free.iter().all(|&slot| {
            let free = free.get_mut(usize::from(slot));
            free.is_some_and(|free| !std::mem::replace(free, true))
        });
        let generations = self.generations.iter().all(|generation| *generation < IdBits::GENERATIONS);
        let mut taken = (0..slots).filter(|slot| !free[*slot]);
        frees
            && generations
            && slots <= IdSlotMap::<I, ()>::CAPACITY
            && ids.into_iter().all(|id| {
                let slot = slot_of(id.number());
                taken.next() == Some(slot) && self.generations[slot] == IdBits(id.number()).generation()
            })
            && taken.next().is_none()
    }

    /// Recreates the map from the values that had these ids.
    pub fn restore<I: Id, T>(self, values: impl Iterator<Item = (I, T)>) -> IdSlotMap<I, T> {
        let generations = self.generations.into_iter().enumerate();
        let slots = generations.map(|(slot, generation)| Slot::free(slot, generation));
        let mut map = IdSlotMap { slots: slots.collect(), free: self.free, ..IdSlotMap::default() };
        for (id, value) in values {
            debug_assert!(slot_of(id.number()) < map.slots.len(), "the ids are those of the values");
            if let Some(slot) = map.slots.get_mut(slot_of(id.number())) {
                slot.key = map.values.insert(value);
                map.take(slot_of(id.number()) as u16);
            }
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::ObjectId;

    /// Returns a function that returns random numbers below its argument.
    fn randoms() -> impl FnMut(usize) -> usize {
        let mut seed = 1u32;
        move |most| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize % most
        }
    }

    /// Returns a full map, and its ids in the order of their slots.
    fn full() -> (IdSlotMap<ObjectId, usize>, Vec<ObjectId>) {
        let mut map = IdSlotMap::default();
        let ids = (0..16_383).map(|number| map.insert(number).expect("room")).collect();
        (map, ids)
    }

    /// Returns the id that the slot of another gets with its next use.
    fn next(id: ObjectId) -> ObjectId {
        ObjectId::new(IdBits(id.get()).next_use().number()).expect("few uses")
    }

    /// Compares ten thousand random inserts and removals with a plain vector of pairs.
    #[test]
    fn behaves_as_a_vector_of_pairs() {
        let (mut map, mut model) = (IdSlotMap::<ObjectId, u32>::default(), Vec::<(ObjectId, u32)>::new());
        let (mut random, mut gone) = (randoms(), Vec::new());
        for number in 0..10_000 {
            if random(3) < 2 || model.is_empty() {
                let id = map.insert(number).expect("room");
                assert!(model.iter().all(|(other, _)| *other != id));
                model.push((id, number));
            } else {
                let (id, value) = model.swap_remove(random(model.len()));
                assert_eq!((map.remove(id), map.remove(id), map.get(id)), (Some(value), None, None));
                gone.push(id);
            }
        }
        model.sort_by_key(|(id, _)| slot_of(id.get()));
        assert!(map.iter().map(|(id, value)| (id, *value)).eq(model.iter().copied()));
        assert!(model.iter().all(|(id, value)| map.get(*id) == Some(value)));
        assert!(gone.into_iter().all(|id| map.get(id).is_none()));
        assert_eq!(map.room(), 16_383 - model.len());
        let mut visited = Vec::new();
        map.for_each_mut(|id, value| visited.push((id, *value)));
        assert_eq!(visited, model);
    }

    #[test]
    fn a_full_map_takes_no_more_and_reuses_the_slot_that_was_freed_first() {
        let (mut map, ids) = full();
        assert_eq!((map.insert(0), map.room()), (None, 0));
        map.remove(ids[9]);
        map.remove(ids[3]);
        let again = [map.insert(1), map.insert(2)].map(|id| id.map(ObjectId::get));
        assert_eq!(again, [Some(1 << 14 | 10), Some(1 << 14 | 4)]);
    }

    #[test]
    fn ids_that_were_freed_or_come_next_reach_no_value() {
        let (mut map, ids) = full();
        let [first, second] = [ids[9], ids[3]];
        let refuses = |map: &mut IdSlotMap<_, usize>, id| {
            assert_eq!((map.get(id).copied(), map.get_mut(id).copied(), map.remove(id)), (None, None, None), "{id}");
            let pairs = [[id, ids[0]], [ids[0], id]];
            assert!(pairs.into_iter().all(|pair| map.get_two_mut(pair).is_none()), "{id}");
        };
        map.remove(first);
        map.remove(second);
        for id in [first, second, next(first), next(second), next(next(first))] {
            refuses(&mut map, id);
        }
        assert_eq!((map.room(), map.insert(20_000), map.room()), (2, Some(next(first)), 1));
        for id in [first, second, next(second), next(next(first))] {
            refuses(&mut map, id);
        }
        assert_eq!(map.get_two_mut([next(first), ids[0]]), Some([&mut 20_000, &mut 0]));
        assert_eq!(map.get_two_mut([next(first); 2]), None);
        assert_eq!(map.iter().nth(8), Some((next(first), &20_000)));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_restored_map_hands_out_the_ids_that_would_have_come_next() {
        let mut map = IdSlotMap::<ObjectId, u32>::default();
        let ids = [1, 2, 3, 4].map(|value| map.insert(value).expect("room"));
        map.remove(ids[1]);
        let saved = map.save_ids();
        assert!(saved.are_in_use(map.iter().map(|(id, _)| id)));
        assert!(!saved.are_in_use([ids[0], ids[2]].into_iter()) && !saved.are_in_use(ids.into_iter()));
        let mut restored = saved.restore(map.iter().map(|(id, value)| (id, *value)));
        assert!(restored.iter().eq(map.iter()));
        for id in [ids[1], next(ids[1])] {
            assert_eq!((restored.get(id).copied(), restored.remove(id)), (None, None), "{id}");
        }
        assert_eq!(restored.insert(5), map.insert(5));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_decoded_map_has_the_values_under_their_ids_and_no_others() {
        let mut map = IdSlotMap::<ObjectId, u32>::default();
        let ids = [1, 2, 3].map(|value| map.insert(value).expect("room"));
        map.remove(ids[1]);
        let bytes = postcard::to_allocvec(&map).expect("encodable");
        let mut decoded: IdSlotMap<ObjectId, u32> = postcard::from_bytes(&bytes).expect("our own bytes");
        assert!(decoded.iter().eq(map.iter()));
        assert_eq!(decoded.insert(4), map.insert(4));
        for values in [vec![(ids[0], 1)], vec![(ids[0], 1), (ids[0], 1)], vec![(ids[0], 1), (ids[1], 2)]] {
            let bytes = postcard::to_allocvec(&(map.save_ids(), values)).expect("encodable");
            assert!(postcard::from_bytes::<IdSlotMap<ObjectId, u32>>(&bytes).is_err());
        }
    }

    /// Compares two full maps under the same random removals and inserts, one of which is restored again and again.
    #[cfg(feature = "serde")]
    #[test]
    fn restoring_a_map_changes_no_later_id_and_no_order() {
        let ((mut restored, mut taken), mut random) = (full(), randoms());
        let mut map = restored.clone();
        let mut gone = Vec::new();
        for round in 0..20 {
            for _ in 0..200 {
                let id = taken.swap_remove(random(taken.len()));
                assert!(restored.remove(id).is_some_and(|value| map.remove(id) == Some(value)));
                gone.push(id);
            }
            let values: Vec<_> = restored.iter().map(|(id, value)| (id, *value)).collect();
            restored = restored.save_ids().restore(values.into_iter());
            for number in 0..150 {
                let ids = [&mut restored, &mut map].map(|map| map.insert(number).expect("room"));
                assert_eq!(ids[0], ids[1], "round {round}");
                taken.push(ids[0]);
            }
            assert!(restored.iter().eq(map.iter()));
            assert_eq!(restored.save_ids(), map.save_ids());
            assert!(gone.iter().all(|id| restored.get(*id).is_none() && map.get(*id).is_none()));
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn ids_of_a_long_game_are_few_bytes_and_made_up_ones_are_refused() {
        let mut map = IdSlotMap::<ObjectId, ()>::default();
        for _ in 0..100_000 {
            let id = map.insert(()).expect("room");
            map.remove(id);
        }
        let saved = map.save_ids();
        let bytes = postcard::to_allocvec(&saved).expect("encodable");
        assert!(bytes.len() < 40, "{} bytes", bytes.len());
        assert_eq!(postcard::from_bytes(&bytes), Ok(saved));
        let runs = |generations, free| postcard::to_allocvec(&Runs { generations, free }).expect("encodable");
        for bytes in
            [runs(vec![(0, 16_384)], vec![]), runs(vec![], vec![(9, 65_000)]), runs(vec![(1, 9_000); 2], vec![])]
        {
            assert!(postcard::from_bytes::<SavedIds>(&bytes).is_err());
        }
    }
}
