//! The table of everything that C refers to by an id: worlds, models, dolls and more. The only global state.
//!
//! Ids are positive and below 2^24, so that an f32 of QuakeC holds them: 14 bits for a slot, 10 bits that count the
//! uses of the slot. A freed slot is reused after all others. Every slot has a lock of its own; a world's lock is held
//! during the calls on it and never waited for, all others are held for a moment.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use skelobj::Doll;
use skelobj::model::Player;
use skelobj::physics::Level;
use skelobj::runtime::{BoneReceiver, Snapshot};

use crate::doll::ParsedDoll;
use crate::error::{Failure, Result, SkelobjStatus};
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
const SLOTS: usize = (1 << SLOT_BITS) - 1;
const GENERATIONS: u32 = 1 << 10;

/// Contents of a slot.
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

struct Slot {
    generation: u32,
    entry: Entry,
}

/// Slot with its lock.
struct Place {
    /// Id of the world in the slot, 0 for anything else. Only a world is locked for longer than a moment, so this tells
    /// what must not be waited for.
    world: AtomicI32,
    slot: Mutex<Slot>,
}

impl Place {
    const fn empty() -> Self {
        Self { world: AtomicI32::new(0), slot: Mutex::new(Slot { generation: 0, entry: Entry::Free }) }
    }

    /// Returns the slot, or the id of the world that is in use.
    fn lock_unless_busy(&self) -> std::result::Result<MutexGuard<'_, Slot>, SkelobjId> {
        loop {
            match self.slot.try_lock() {
                Ok(slot) => return Ok(slot),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => match self.world.load(Ordering::Acquire) {
                    0 => std::thread::yield_now(),
                    world => return Err(world),
                },
            }
        }
    }
}

/// Slots that were used and freed, and the number of slots that were ever used.
struct Free {
    freed: VecDeque<u16>,
    used: usize,
}

static TABLE: [Place; SLOTS] = [const { Place::empty() }; SLOTS];
static FREE: Mutex<Free> = Mutex::new(Free { freed: VecDeque::new(), used: 0 });

#[inline]
fn slot_of(id: SkelobjId) -> usize {
    ((id as u32 & SLOTS as u32) as usize).wrapping_sub(1)
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
            return Err(Failure::new(SkelobjStatus::Limit, format!("{SLOTS} worlds, models and others exist")));
        }
    };
    let place = &TABLE[slot];
    // Free slots are locked for moments only.
    let mut guard = place.slot.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let id = (guard.generation << SLOT_BITS | (slot as u32 + 1)) as SkelobjId;
    if matches!(entry, Entry::World(_)) {
        place.world.store(id, Ordering::Release);
    }
    guard.entry = entry;
    Ok(id)
}

/// Removes something of a kind from the table and returns it. A world that is in use is refused.
pub fn remove(id: SkelobjId, kind: SkelobjKind) -> Result<Entry> {
    let place = TABLE.get(slot_of(id)).ok_or_else(|| bad_id(id, kind))?;
    let mut slot = match place.lock_unless_busy() {
        Ok(slot) => slot,
        Err(world) if world == id && kind == SkelobjKind::World => return Err(busy(id)),
        Err(_) => return Err(bad_id(id, kind)),
    };
    if slot.generation != generation_of(id) || slot.entry.kind() != kind || kind == SkelobjKind::None {
        return Err(bad_id(id, kind));
    }
    let entry = std::mem::replace(&mut slot.entry, Entry::Free);
    slot.generation = (slot.generation + 1) % GENERATIONS;
    place.world.store(0, Ordering::Release);
    // The lock of a world in which a call met a defect is poisoned.
    place.slot.clear_poison();
    drop(slot);
    free().freed.push_back(slot_of(id) as u16);
    Ok(entry)
}

/// Returns what an id refers to.
pub fn kind(id: SkelobjId) -> SkelobjKind {
    let Some(place) = TABLE.get(slot_of(id)) else { return SkelobjKind::None };
    match place.lock_unless_busy() {
        Ok(slot) if slot.generation == generation_of(id) => slot.entry.kind(),
        Err(world) if world == id => SkelobjKind::World,
        _ => SkelobjKind::None,
    }
}

/// Returns how many things of a kind exist.
pub fn count(kind: SkelobjKind) -> usize {
    let used = free().used;
    let of_kind = |place: &&Place| match place.lock_unless_busy() {
        Ok(slot) => slot.entry.kind() == kind,
        Err(_) => kind == SkelobjKind::World,
    };
    TABLE[..used].iter().filter(of_kind).count()
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
    let Some(place) = TABLE.get(slot_of(id)) else { return Err(bad_id(id, SkelobjKind::World)) };
    let mut slot = match place.slot.try_lock() {
        Ok(slot) => slot,
        Err(error) => return Err(locked(id, place, &error)),
    };
    let Slot { generation, entry } = &mut *slot;
    let Entry::World(world) = entry else { return Err(bad_id(id, SkelobjKind::World)) };
    if *generation != generation_of(id) {
        return Err(bad_id(id, SkelobjKind::World));
    }
    let result = run(world);
    if result.is_err() || world.runtime.has_warnings() {
        world.report(result.as_ref().err());
    }
    result
}

#[cold]
fn locked(id: SkelobjId, place: &Place, error: &TryLockError<MutexGuard<'_, Slot>>) -> Failure {
    if place.world.load(Ordering::Acquire) != id {
        return bad_id(id, SkelobjKind::World);
    }
    match error {
        TryLockError::WouldBlock => busy(id),
        TryLockError::Poisoned(_) => {
            Failure::new(SkelobjStatus::Panic, format!("a defect was met in world {id}: it can only be freed"))
        }
    }
}

macro_rules! shared {
    ($(#[$doc:meta] $name:ident: $variant:ident($value:ty);)*) => {$(
        #[$doc]
        pub fn $name(id: SkelobjId) -> Result<Arc<$value>> {
            // A world that is in use is no such thing.
            let slot = TABLE.get(slot_of(id)).and_then(|place| place.lock_unless_busy().ok());
            match slot.as_deref() {
                Some(Slot { generation, entry: Entry::$variant(value) }) if *generation == generation_of(id) => {
                    Ok(value.clone())
                }
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
