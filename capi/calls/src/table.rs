//! The table of everything that C refers to by an id: worlds, models, dolls and more. The only global state.
//!
//! Ids have the bits of [`IdBits`]. A freed slot is reused after all others. Every slot has two locks of its own: that
//! of a world is held during the calls on it and never waited for, that of everything else is held for a moment.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use skelobj::Doll;
use skelobj::model::Player;
use skelobj::physics::Level;
use skelobj::runtime::{BoneReceiver, IdBits, Snapshot};

use crate::doll::ParsedDoll;
use crate::error::{Failure, Result, SkelobjStatus};
use crate::id::{
    Id, SkelobjDoll, SkelobjKind, SkelobjLevel, SkelobjModel, SkelobjPlayer, SkelobjReceiver, SkelobjSnapshot,
    SkelobjWorld,
};
use crate::lock::{Refused, WorldLock};
use crate::model::LoadedModel;
use crate::world::World;

const SLOTS: usize = IdBits::SLOTS;

/// Contents of a slot.
///
/// `Free` comes first: a table of zeros needs no place in the library's file.
pub enum Entry {
    Free,
    World(Box<World>),
    Model(Arc<LoadedModel>),
    Doll(Arc<ParsedDoll>),
    Player(Arc<Player>),
    Level(Arc<Level>),
    Snapshot(Arc<Snapshot>),
    Receiver(Arc<Mutex<BoneReceiver>>),
}

impl Entry {
    fn kind(&self) -> SkelobjKind {
        match self {
            Self::Free => SkelobjKind::None,
            Self::World(_) => SkelobjKind::World,
            Self::Model(_) => SkelobjKind::Model,
            Self::Doll(_) => SkelobjKind::Doll,
            Self::Player(_) => SkelobjKind::Player,
            Self::Level(_) => SkelobjKind::Level,
            Self::Snapshot(_) => SkelobjKind::Snapshot,
            Self::Receiver(_) => SkelobjKind::Receiver,
        }
    }
}

/// Uses of a slot, and what is in it unless that is a world.
struct Slot {
    generation: u16,
    entry: Entry,
}

/// Slot of the table.
#[repr(align(64))]
struct Place {
    world: WorldLock,
    slot: Mutex<Slot>,
}

impl Place {
    const fn empty() -> Self {
        Self { world: WorldLock::empty(), slot: Mutex::new(Slot { generation: 0, entry: Entry::Free }) }
    }

    /// Locks what is not a world. No code that may panic runs under this lock.
    fn lock(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Slots that were used and freed, and the number of slots that were ever used.
struct Free {
    freed: VecDeque<u16>,
    used: usize,
}

static TABLE: [Place; SLOTS] = [const { Place::empty() }; SLOTS];
static FREE: Mutex<Free> = Mutex::new(Free { freed: VecDeque::new(), used: 1 });

/// Returns the slot of an id.
#[inline]
pub fn slot_of(id: impl Id) -> usize {
    id.bits() as usize % SLOTS
}

#[inline]
fn place_of(id: impl Id) -> &'static Place {
    &TABLE[slot_of(id)]
}

/// Locks the list of free slots. A panic elsewhere never leaves it half changed.
fn free() -> MutexGuard<'static, Free> {
    FREE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Puts something of the kind of an id into the table and returns its id.
pub fn insert<I: Id>(entry: Entry) -> Result<I> {
    let slot = {
        let mut free = free();
        if free.used < SLOTS {
            free.used += 1;
            free.used - 1
        } else if let Some(slot) = free.freed.pop_front() {
            usize::from(slot)
        } else {
            return Err(Failure::new(
                SkelobjStatus::Limit,
                format!("{} ids of worlds, models and others are in use, the maximum", SLOTS - 1),
            ));
        }
    };
    let place = &TABLE[slot];
    let mut guard = place.lock();
    let id = guard.id::<I>(slot as u16);
    match entry {
        Entry::World(world) => {
            let id = SkelobjWorld::from_bits(id.bits());
            place.world.put(id, world).map_err(|why| refused(id, why))?;
        }
        entry => guard.entry = entry,
    }
    Ok(id)
}

/// Removes a world that is not in use.
pub fn remove_world(id: SkelobjWorld) -> Result<()> {
    let place = place_of(id);
    let world = place.world.take(id).map_err(|why| refused(id, why))?;
    place.lock().retire(id);
    free().freed.push_back(slot_of(id) as u16);
    drop(world);
    Ok(())
}

/// Removes anything but a world.
pub fn remove<I: Id>(id: I) -> Result<()> {
    let mut slot = place_of(id).lock();
    if !slot.has(id) {
        return Err(id.refused());
    }
    let entry = slot.retire(id);
    drop(slot);
    free().freed.push_back(slot_of(id) as u16);
    drop(entry);
    Ok(())
}

impl Slot {
    /// Returns the id of what is in this slot, or is put into it next.
    fn id<I: Id>(&self, slot: u16) -> I {
        IdBits::new(slot, self.generation).map_or(I::NONE, |bits| I::from_number(bits.number()))
    }

    /// Returns `true` if the thing with an id is here.
    fn has<I: Id>(&self, id: I) -> bool {
        self.entry.kind() == I::KIND && self.id::<I>(slot_of(id) as u16).bits() == id.bits()
    }

    /// Empties the slot of an id for its next use; returns what was in it.
    fn retire(&mut self, id: impl Id) -> Entry {
        let next = IdBits::from_bits(id.bits()).map_or(0, |bits| bits.next_use().generation());
        self.generation = next;
        std::mem::replace(&mut self.entry, Entry::Free)
    }
}

/// Returns `true` if something has an id.
pub fn has<I: Id>(id: I) -> bool {
    place_of(id).lock().has(id)
}

/// Returns `true` if a world has an id.
pub fn has_world(id: SkelobjWorld) -> bool {
    place_of(id).world.has(id)
}

/// Returns how many things of a kind exist.
pub fn count(kind: SkelobjKind) -> usize {
    let used = free().used;
    let of_kind = |place: &&Place| match kind {
        SkelobjKind::World => !place.world.is_empty(),
        _ => place.lock().entry.kind() == kind,
    };
    TABLE[1..used].iter().filter(of_kind).count()
}

#[cold]
fn busy(id: SkelobjWorld) -> Failure {
    if cfg!(debug_assertions) && !crate::guard::is_nested() {
        // This call is not from a callback, so another thread uses the world.
        eprintln!("skelobj: {id} is used by two threads at the same time");
    }
    let text = format!("{id} is in use: by a call whose callback makes this one, or by another thread");
    Failure::new(SkelobjStatus::Busy, text)
}

/// Calls a function with a world, which nothing else can use meanwhile.
#[inline]
pub fn with_world<T>(id: SkelobjWorld, run: impl FnOnce(&mut World) -> Result<T>) -> Result<T> {
    let result = place_of(id).world.with(id, |world| match run(world) {
        Ok(value) => {
            if world.runtime.has_warnings() {
                world.report(None);
            }
            Ok(value)
        }
        Err(failure) => {
            world.report(Some(&failure));
            Err(failure)
        }
    });
    result.unwrap_or_else(|why| Err(refused(id, why)))
}

/// Returns why a call on the world with an id fails.
#[cold]
fn refused(id: SkelobjWorld, why: Refused) -> Failure {
    match why {
        Refused::Absent => id.refused(),
        Refused::InUse => busy(id),
        Refused::Defect => {
            Failure::new(SkelobjStatus::Panic, format!("a defect was met in {id}: it can only be freed"))
        }
    }
}

macro_rules! shared {
    ($(#[$doc:meta] $name:ident: $id:ident, $variant:ident($value:ty);)*) => {$(
        #[$doc]
        pub fn $name(id: $id) -> Result<Arc<$value>> {
            let slot = place_of(id).lock();
            match &slot.entry {
                Entry::$variant(value) if slot.has(id) => Ok(value.clone()),
                _ => Err(id.refused()),
            }
        }
    )*};
}

shared! {
    #[doc = "Returns a model."]
    model: SkelobjModel, Model(LoadedModel);
    #[doc = "Returns a doll with the problems of its text."]
    parsed_doll: SkelobjDoll, Doll(ParsedDoll);
    #[doc = "Returns a player."]
    player: SkelobjPlayer, Player(Player);
    #[doc = "Returns a level."]
    level: SkelobjLevel, Level(Level);
    #[doc = "Returns a snapshot."]
    snapshot: SkelobjSnapshot, Snapshot(Snapshot);
    #[doc = "Returns a receiver of bones."]
    receiver: SkelobjReceiver, Receiver(Mutex<BoneReceiver>);
}

/// Returns a doll.
pub fn doll(id: SkelobjDoll) -> Result<Arc<Doll>> {
    parsed_doll(id).map(|parsed| parsed.doll.clone())
}
