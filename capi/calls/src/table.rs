//! The table of everything that C refers to by an id: worlds, models, dolls and more. The only global state.
//!
//! Ids are positive and below 2^24, so that an f32 of QuakeC holds them: 14 bits for a slot, 10 bits that count the
//! uses of the slot. A freed slot is reused after all others. Every slot has two locks of its own: that of a world is
//! held during the calls on it and never waited for, that of everything else is held for a moment.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use skelobj::Doll;
use skelobj::model::Player;
use skelobj::physics::Level;
use skelobj::runtime::{BoneReceiver, Snapshot};

use crate::doll::ParsedDoll;
use crate::error::{Failure, Result, SkelobjStatus};
use crate::lock::{Refused, WorldLock};
use crate::model::LoadedModel;
use crate::world::World;

/// Id of anything; 0 is none.
pub type SkelobjId = i32;

/// Kind of what an id refers to.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjKind {
    /// Nothing: the id is invalid.
    None = 0,
    /// World: a runtime with its objects, ragdolls and physics.
    World = 1,
    /// Model.
    Model = 2,
    /// Doll.
    Doll = 3,
    /// Player of three models.
    Player = 4,
    /// Level from a BSP file.
    Level = 5,
    /// Snapshot of a world.
    Snapshot = 6,
    /// Receiver of bones from a network.
    Receiver = 7,
}

const SLOT_BITS: u32 = 14;
/// Number of slots. The first is never used: 0 is not an id.
const SLOTS: usize = 1 << SLOT_BITS;
const GENERATIONS: u32 = 1 << 10;

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

/// Generation of a slot, and what is in it unless that is a world.
struct Slot {
    generation: u32,
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
pub fn slot_of(id: SkelobjId) -> usize {
    id as u32 as usize % SLOTS
}

#[inline]
fn place_of(id: SkelobjId) -> &'static Place {
    &TABLE[slot_of(id)]
}

#[inline]
fn generation_of(id: SkelobjId) -> u32 {
    // A negative id has a generation that no slot reaches.
    id as u32 >> SLOT_BITS
}

/// Locks the list of free slots. A panic elsewhere never leaves it half changed.
fn free() -> MutexGuard<'static, Free> {
    FREE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cold]
fn bad_id(id: SkelobjId, kind: SkelobjKind) -> Failure {
    let kind = format!("{kind:?}").to_lowercase();
    Failure::new(
        SkelobjStatus::BadId,
        format!("{id} is not the id of a {kind}: never given out, deleted, or another kind"),
    )
}

/// Puts something into the table and returns its id.
pub fn insert(entry: Entry) -> Result<SkelobjId> {
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
    let id = (guard.generation << SLOT_BITS | slot as u32) as SkelobjId;
    match entry {
        Entry::World(world) => place.world.put(id, world).map_err(|why| refused(id, why))?,
        entry => guard.entry = entry,
    }
    Ok(id)
}

/// Removes something of a kind from the table and returns it. A world that is in use is refused.
pub fn remove(id: SkelobjId, kind: SkelobjKind) -> Result<Entry> {
    let place = place_of(id);
    let entry = if kind == SkelobjKind::World {
        let world = place.world.take(id).map_err(|why| refused(id, why))?;
        place.lock().retire();
        world.map_or(Entry::Free, Entry::World)
    } else {
        let mut slot = place.lock();
        if slot.generation != generation_of(id) || slot.entry.kind() != kind || kind == SkelobjKind::None {
            return Err(bad_id(id, kind));
        }
        slot.retire()
    };
    free().freed.push_back(slot_of(id) as u16);
    Ok(entry)
}

impl Slot {
    /// Empties the slot for its next generation; returns what was in it.
    fn retire(&mut self) -> Entry {
        self.generation = (self.generation + 1) % GENERATIONS;
        std::mem::replace(&mut self.entry, Entry::Free)
    }
}

/// Returns what an id refers to.
pub fn kind(id: SkelobjId) -> SkelobjKind {
    let place = place_of(id);
    if place.world.has(id) {
        return SkelobjKind::World;
    }
    let slot = place.lock();
    if slot.generation == generation_of(id) { slot.entry.kind() } else { SkelobjKind::None }
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
fn busy(id: SkelobjId) -> Failure {
    if cfg!(debug_assertions) && !crate::guard::is_nested() {
        // This call is not from a callback, so another thread uses the world.
        eprintln!("skelobj: world {id} is used by two threads at the same time");
    }
    let text = format!("world {id} is in use: by a call whose callback makes this one, or by another thread");
    Failure::new(SkelobjStatus::Busy, text)
}

/// Calls a function with a world, which nothing else can use meanwhile.
#[inline]
pub fn with_world<T>(id: SkelobjId, run: impl FnOnce(&mut World) -> Result<T>) -> Result<T> {
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
fn refused(id: SkelobjId, why: Refused) -> Failure {
    match why {
        Refused::Absent => bad_id(id, SkelobjKind::World),
        Refused::InUse => busy(id),
        Refused::Defect => {
            Failure::new(SkelobjStatus::Panic, format!("a defect was met in world {id}: it can only be freed"))
        }
    }
}

macro_rules! shared {
    ($(#[$doc:meta] $name:ident: $variant:ident($value:ty);)*) => {$(
        #[$doc]
        pub fn $name(id: SkelobjId) -> Result<Arc<$value>> {
            let slot = place_of(id).lock();
            match &*slot {
                Slot { generation, entry: Entry::$variant(value) }
                    if *generation == generation_of(id) => Ok(value.clone()),
                _ => Err(bad_id(id, SkelobjKind::$variant)),
            }
        }
    )*};
}

shared! {
    #[doc = "Returns a model."]
    model: Model(LoadedModel);
    #[doc = "Returns a doll with the problems of its text."]
    parsed_doll: Doll(ParsedDoll);
    #[doc = "Returns a player."]
    player: Player(Player);
    #[doc = "Returns a level."]
    level: Level(Level);
    #[doc = "Returns a snapshot."]
    snapshot: Snapshot(Snapshot);
    #[doc = "Returns a receiver of bones."]
    receiver: Receiver(Mutex<BoneReceiver>);
}

/// Returns a doll.
pub fn doll(id: SkelobjId) -> Result<Arc<Doll>> {
    parsed_doll(id).map(|parsed| parsed.doll.clone())
}
