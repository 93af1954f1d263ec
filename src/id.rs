//! Ids: positive integers below 2^24 for everything that a host, a script or C refers to.
//!
//! An id is the same number in Rust and in QuakeC: an f32 holds it exactly. C has the number in the low bits of a
//! struct, below the kind of thing. [`IdBits`] is the layout of both: 14 bits for a slot of a table, 10 bits that count
//! the uses of the slot, 4 bits for the kind. A freed slot is reused after all other slots, so while at most half of
//! the slots are taken, an old id cannot refer to a newer value before 8 million further creations.
//!
//! The values live in a slot map of the crate `slotmap`. The table translates ids to its keys.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::num::NonZeroU32;

use slotmap::SlotMap;

/// Type of ids.
pub(crate) trait Id: Copy {
    /// Returns the id with this number, or `None` for a number that is not an id.
    fn from_number(number: u32) -> Option<Self>;
    /// Returns the number of the id.
    fn number(self) -> u32;
}

macro_rules! ids {
    ($($(#[$attribute:meta])* $module:ident::$name:ident;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(try_from = "u32", into = "u32"))]
        pub struct $name(NonZeroU32);

        impl $name {
            /// Returns the id with this number, or `None` for 0 and for numbers of 2^24 and above.
            ///
            /// Every other number is accepted. A call that takes the id reports it if no value has it.
            ///
            #[cfg_attr(feature = "ragdoll", doc = "```")]
            #[cfg_attr(not(feature = "ragdoll"), doc = "```ignore")]
            #[doc = concat!("use skelobj::", stringify!($module), "::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($name), "::new(7).is_some());")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::new(0), None);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::new(1 << 24), None);")]
            /// ```
            #[inline]
            #[must_use]
            pub const fn new(number: u32) -> Option<Self> {
                if number >= 1 << 24 {
                    return None;
                }
                match NonZeroU32::new(number) {
                    Some(number) => Some(Self(number)),
                    None => None,
                }
            }

            /// Returns the number of the id.
            ///
            /// QuakeC has the same number. The C API has it in the low 24 bits of a struct.
            ///
            #[cfg_attr(feature = "ragdoll", doc = "```")]
            #[cfg_attr(not(feature = "ragdoll"), doc = "```ignore")]
            #[doc = concat!("use skelobj::", stringify!($module), "::", stringify!($name), ";")]
            ///
            #[doc = concat!("let id = ", stringify!($name), "::try_from(7_u32)?;")]
            /// let in_quakec = id.get() as f32; // exact
            #[doc = concat!("assert_eq!(", stringify!($name), "::new(in_quakec as u32), Some(id));")]
            /// # Ok::<(), skelobj::runtime::InvalidId>(())
            /// ```
            #[inline]
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0.get()
            }
        }

        impl Id for $name {
            #[inline]
            fn from_number(number: u32) -> Option<Self> {
                Self::new(number)
            }

            #[inline]
            fn number(self) -> u32 {
                self.get()
            }
        }

        impl From<$name> for u32 {
            fn from(id: $name) -> u32 {
                id.get()
            }
        }

        impl TryFrom<u32> for $name {
            type Error = InvalidId;

            fn try_from(number: u32) -> Result<Self, InvalidId> {
                Self::new(number).ok_or(InvalidId { number })
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// Id of a skeletal object of a [`Runtime`](crate::Runtime): the number that `skel_create` (#263) returns.
    ///
    /// ```
    /// use skelobj::{assets, runtime::ObjectId};
    ///
    /// let (_, object) = assets::mannequin_runtime();
    /// let number = object.get(); // for a script or a saved game
    /// assert_eq!(ObjectId::new(number), Some(object));
    /// ```
    runtime::ObjectId;
    /// Id of a model of a [`Runtime`](crate::Runtime).
    ///
    /// ```
    /// use skelobj::{Model, Runtime, assets};
    /// let mut runtime = Runtime::default();
    /// let id = runtime.add_model("mannequin.iqm", Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?)?;
    /// assert_eq!(runtime.model_by_name("mannequin.iqm"), Some(id));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    runtime::ModelId;
    /// Id of a level body: a floor, a wall, a door, or the box of an entity.
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// # #[cfg(feature = "ragdoll")] {
    /// let floor = runtime.physics_mut().add_floor(0.0).expect("a finite height");
    /// assert_eq!(floor.get(), 1);
    /// # }
    /// ```
    physics::LevelBodyId;
    /// Id of a volume of water or another liquid.
    ///
    #[cfg_attr(feature = "ragdoll", doc = "```")]
    #[cfg_attr(not(feature = "ragdoll"), doc = "```ignore")]
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{Liquid, LiquidVolume, Physics, WaterId};
    ///
    /// let sea = LiquidVolume::behind(&[(Vec3::Z, 0.0)])?;
    /// let sea = Physics::default().add_water(sea, Liquid::WATER)?;
    /// assert_eq!(WaterId::new(sea.get()), Some(sea)); // for a saved game
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    physics::WaterId;
}

#[cfg(feature = "ragdoll")]
impl ObjectId {
    /// Returns a number that no other living object has, by which objects are ordered.
    #[inline]
    pub(crate) fn slot(self) -> usize {
        slot_of(self.get())
    }
}

#[cfg(feature = "qc")]
impl ObjectId {
    /// Returns the id with the number that a script passed, or `None` for 0.
    ///
    /// Numbers of 2^24 and above are accepted here, because no value has such an id and a look-up refuses them anyway.
    #[inline]
    pub(crate) fn of_script(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }
}

/// Error of a number that is not an id: 0, or 2^24 and above.
///
/// ```
/// use skelobj::runtime::{InvalidId, ObjectId};
///
/// let error: InvalidId = ObjectId::try_from(0).unwrap_err();
/// assert_eq!(error.number, 0);
/// assert_eq!(error.to_string(), "0 is not an id: ids are above 0 and below 2^24");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct InvalidId {
    /// Number that was given.
    pub number: u32,
}

impl std::fmt::Display for InvalidId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is not an id: ids are above 0 and below 2^24", self.number)
    }
}

impl std::error::Error for InvalidId {}

/// Layout of an id: a slot of a table, the number of earlier uses of the slot, and a kind.
///
/// | bits | contents |
/// |---|---|
/// | 0 to 13 | slot, 1 to 16383; tables leave slot 0 out, because the number 0 is none |
/// | 14 to 23 | use of the slot, 0 to 1023 |
/// | 24 to 27 | kind, 0 to 15 |
///
/// Bits 0 to 23 are the [number](Self::number), which is all that Rust and QuakeC have: their kind is 0, because the
/// type or the builtin says what the number stands for. The C API gives each of its id structs a kind of its own.
///
/// ```
/// use skelobj::runtime::{IdBits, ObjectId};
///
/// let object = ObjectId::new(5 | 3 << 14).expect("an id");
/// let bits = IdBits::from_bits(object.get()).expect("below 2^28");
/// assert_eq!((bits.slot(), bits.generation(), bits.kind()), (5, 3, 0));
/// let in_c = bits.with_kind(8).expect("a kind below 16");
/// assert_eq!((in_c.bits(), in_c.number()), (object.get() | 8 << 24, object.get()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IdBits(u32);

impl IdBits {
    /// Number of slots. The first is never used.
    pub const SLOTS: usize = 1 << Self::SLOT_BITS;
    /// Number of uses of a slot before its numbers repeat.
    pub const GENERATIONS: u16 = 1 << 10;
    const SLOT_BITS: u32 = 14;
    const NUMBER_BITS: u32 = 24;
    const BITS: u32 = 28;

    /// Returns the id of a use of a slot, with the kind 0; `None` for slot 0, for slots of 16384 and above, and for
    /// uses of 1024 and above.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    ///
    /// assert_eq!(IdBits::new(7, 0).map(IdBits::bits), Some(7));
    /// assert_eq!(IdBits::new(0, 0), None);
    /// assert_eq!(IdBits::new(16_384, 0), None);
    /// assert_eq!(IdBits::new(7, 1024), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn new(slot: u16, generation: u16) -> Option<Self> {
        if slot == 0 || slot as usize >= Self::SLOTS || generation >= Self::GENERATIONS {
            return None;
        }
        Some(Self((generation as u32) << Self::SLOT_BITS | slot as u32))
    }

    /// Returns the parts of 28 bits; `None` for numbers of 2^28 and above.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    ///
    /// assert_eq!(IdBits::from_bits(2 << 24 | 9).map(IdBits::kind), Some(2));
    /// assert_eq!(IdBits::from_bits(1 << 28), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        if bits >> Self::BITS == 0 { Some(Self(bits)) } else { None }
    }

    /// Returns all 28 bits.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    /// assert_eq!(IdBits::from_bits(0x0a00_4003).map(IdBits::bits), Some(0x0a00_4003));
    /// ```
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns slot and use as one number below 2^24, as Rust and QuakeC have it.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    /// assert_eq!(IdBits::from_bits(0x0a00_4003).map(IdBits::number), Some(0x4003));
    /// ```
    #[inline]
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0 & ((1 << Self::NUMBER_BITS) - 1)
    }

    /// Returns the slot, 0 to 16383.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    /// assert_eq!(IdBits::from_bits(0x0a00_4003).map(IdBits::slot), Some(3));
    /// ```
    #[inline]
    #[must_use]
    pub const fn slot(self) -> u16 {
        (self.0 & ((1 << Self::SLOT_BITS) - 1)) as u16
    }

    /// Returns the number of earlier uses of the slot, 0 to 1023; after 1023 follows 0.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    /// assert_eq!(IdBits::from_bits(0x0a00_4003).map(IdBits::generation), Some(1));
    /// ```
    #[inline]
    #[must_use]
    pub const fn generation(self) -> u16 {
        (self.number() >> Self::SLOT_BITS) as u16
    }

    /// Returns the kind, 0 to 15.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    /// assert_eq!(IdBits::from_bits(0x0a00_4003).map(IdBits::kind), Some(10));
    /// ```
    #[inline]
    #[must_use]
    pub const fn kind(self) -> u8 {
        (self.0 >> Self::NUMBER_BITS) as u8
    }

    /// Returns the same slot and use with another kind; `None` for a kind of 16 and above.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    ///
    /// let id = IdBits::new(7, 0).expect("a slot");
    /// assert_eq!(id.with_kind(2).map(IdBits::bits), Some(2 << 24 | 7));
    /// assert_eq!(id.with_kind(16), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn with_kind(self, kind: u8) -> Option<Self> {
        if kind < 16 { Some(Self((kind as u32) << Self::NUMBER_BITS | self.number())) } else { None }
    }

    /// Returns the id that the slot has after this one was freed.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    ///
    /// let mut id = IdBits::new(7, 0).expect("a slot");
    /// assert_eq!(id.next_use().bits(), 1 << 14 | 7);
    /// for _ in 0..IdBits::GENERATIONS {
    ///     id = id.next_use();
    /// }
    /// assert_eq!(id.bits(), 7);
    /// ```
    #[inline]
    #[must_use]
    pub const fn next_use(self) -> Self {
        let generation = (self.generation() + 1) % Self::GENERATIONS;
        Self((self.kind() as u32) << Self::NUMBER_BITS | (generation as u32) << Self::SLOT_BITS | self.slot() as u32)
    }
}

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
    #[cfg(feature = "ragdoll")]
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// Adds a value and returns its new id, or `None` if the map is full.
    pub fn insert(&mut self, value: T) -> Option<I> {
        let slot = match self.slots.len() < Self::CAPACITY {
            true => self.slots.len(),
            false => usize::from(*self.free.front()?),
        };
        let next = self.slots.get(slot).copied().unwrap_or_else(|| Slot::free(slot, 0));
        let id = I::from_number(next.id.number())?;
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
        if let Some(freed) = self.slots.get_mut(slot) {
            *freed = Slot { id: freed.id.next_use(), key: Key::default() };
            self.free.push_back(slot as u16);
            if let Ok(place) = self.taken.binary_search(&(slot as u16)) {
                self.taken.remove(place);
            }
        }
        Some(value)
    }

    /// Returns an iterator over all values in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = (I, &T)> {
        let slots = self.taken.iter().filter_map(|slot| self.slots.get(usize::from(*slot)));
        slots.filter_map(|slot| I::from_number(slot.id.number()).zip(self.values.get(slot.key)))
    }

    /// Calls a function with every value, in the order of their slots.
    #[cfg(feature = "ragdoll")]
    pub fn for_each_mut(&mut self, mut visit: impl FnMut(I, &mut T)) {
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
fn slot_of(number: u32) -> usize {
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
            if values.len() + usize::from(count) > IdSlotMap::<ObjectId, ()>::CAPACITY {
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
#[cfg(all(feature = "serde", feature = "ragdoll"))]
impl<I: Id + serde::Serialize, T: serde::Serialize> serde::Serialize for IdSlotMap<I, T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.save_ids(), self.iter().collect::<Vec<_>>()).serialize(serializer)
    }
}

/// Refuses ids other than those of the values.
#[cfg(all(feature = "serde", feature = "ragdoll"))]
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
        #[cfg(feature = "ragdoll")]
        {
            let mut visited = Vec::new();
            map.for_each_mut(|id, value| visited.push((id, *value)));
            assert_eq!(visited, model);
        }
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

    #[cfg(all(feature = "serde", feature = "ragdoll"))]
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
