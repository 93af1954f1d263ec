//! The table of everything that C refers to by an id: worlds, models, dolls and more. The only global state.
//!
//! Ids are positive and below 2^24, so that an f32 of QuakeC holds them: 14 bits for a slot, 10 bits that count the
//! uses of the slot. A freed slot is reused after all others. Every slot has two locks of its own: that of a world is
//! held during the calls on it and never waited for, that of everything else is held for a moment.

use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
/// Number of slots. The first is never used: 0 is no id.
const SLOTS: usize = 1 << SLOT_BITS;
const GENERATIONS: u32 = 1 << 10;

/// Something to which an id refers.
pub enum Entry {
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
    entry: Option<Entry>,
}

/// Slot of the table.
#[repr(align(64))]
struct Place {
    /// Lock of a world: [`idle`] for its id, with [`IN_USE`] during a call and [`DEFECT`] after a panic; 0 for anything
    /// else.
    state: AtomicU64,
    /// World in the slot. Only the call that set [`IN_USE`], or that puts a world into a free slot, touches it.
    world: UnsafeCell<Option<Box<World>>>,
    slot: Mutex<Slot>,
}

/// State of a world during a call on it.
const IN_USE: u64 = 1;
/// State of a world in which a call met a defect.
const DEFECT: u64 = 2;

const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<World>();
};

// SAFETY: a world moves between threads (it is `Send`, see above), and `state` lets one call at a time touch it.
unsafe impl Sync for Place {}

impl Place {
    const fn empty() -> Self {
        let slot = Mutex::new(Slot { generation: 0, entry: None });
        Self { state: AtomicU64::new(0), world: UnsafeCell::new(None), slot }
    }

    /// Locks what is not a world. No code that may panic runs under this lock.
    fn lock(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if the world with an id is in this slot.
    fn has_world(&self, id: SkelobjId) -> bool {
        self.state.load(Ordering::Acquire) & !(IN_USE | DEFECT) == idle(id)
    }

    /// Locks the world with an id, which is in `state`.
    #[inline]
    fn claim(&self, id: SkelobjId, state: u64) -> Result<()> {
        let claimed = self.state.compare_exchange(state, idle(id) | IN_USE, Ordering::Acquire, Ordering::Relaxed);
        claimed.map(drop).map_err(|state| refused(id, state))
    }
}

/// Lock of a world. Dropped by a panic, it leaves a world that can only be freed.
struct InUse<'a>(&'a Place);

impl InUse<'_> {
    /// Unlocks the world.
    #[inline]
    fn end(self) {
        self.change(0);
        std::mem::forget(self);
    }

    /// Replaces [`IN_USE`] in the state, which nobody else changes during the call.
    #[inline]
    fn change(&self, flag: u64) {
        let state = self.0.state.load(Ordering::Relaxed);
        self.0.state.store(state & !IN_USE | flag, Ordering::Release);
    }
}

impl Drop for InUse<'_> {
    fn drop(&mut self) {
        self.change(DEFECT);
    }
}

/// Returns the state of a world that no call is using: not 0 for any id, and different for every number that C may give.
#[inline]
fn idle(id: SkelobjId) -> u64 {
    (u64::from(id as u32) + 1) << 2
}

/// Slots that were used and freed, and the number of slots that were ever used.
struct Free {
    freed: VecDeque<u16>,
    used: usize,
}

static TABLE: [Place; SLOTS] = [const { Place::empty() }; SLOTS];
static FREE: Mutex<Free> = Mutex::new(Free { freed: VecDeque::new(), used: 1 });

#[inline]
fn slot_of(id: SkelobjId) -> usize {
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
            return Err(Failure::new(SkelobjStatus::Limit, format!("{} worlds, models and others exist", SLOTS - 1)));
        }
    };
    let place = &TABLE[slot];
    let mut guard = place.lock();
    let id = (guard.generation << SLOT_BITS | slot as u32) as SkelobjId;
    match entry {
        Entry::World(world) => {
            // SAFETY: the slot was free, so no id reaches the world before the state is stored.
            unsafe { *place.world.get() = Some(world) };
            place.state.store(idle(id), Ordering::Release);
        }
        entry => guard.entry = Some(entry),
    }
    Ok(id)
}

/// Removes something of a kind from the table and returns it. A world that is in use is refused.
pub fn remove(id: SkelobjId, kind: SkelobjKind) -> Result<Entry> {
    let place = place_of(id);
    let entry = match kind {
        SkelobjKind::World => {
            // A world in which a call met a defect can be freed, too.
            place.claim(id, idle(id) | DEFECT).or_else(|_| place.claim(id, idle(id)))?;
            // SAFETY: the state makes this call the only one that touches the world.
            let world = unsafe { (*place.world.get()).take() };
            place.state.store(0, Ordering::Release);
            place.lock().retire();
            world.map(Entry::World)
        }
        _ => {
            let mut slot = place.lock();
            let is_wanted = slot.entry.as_ref().is_some_and(|entry| entry.kind() == kind);
            if slot.generation != generation_of(id) || !is_wanted {
                return Err(bad_id(id, kind));
            }
            slot.retire()
        }
    };
    free().freed.push_back(slot_of(id) as u16);
    entry.ok_or_else(|| bad_id(id, kind))
}

impl Slot {
    /// Empties the slot for its next generation; returns what was in it.
    fn retire(&mut self) -> Option<Entry> {
        self.generation = (self.generation + 1) % GENERATIONS;
        self.entry.take()
    }
}

/// Returns what an id refers to.
pub fn kind(id: SkelobjId) -> SkelobjKind {
    let place = place_of(id);
    if place.has_world(id) {
        return SkelobjKind::World;
    }
    let slot = place.lock();
    let entry = slot.entry.as_ref().filter(|_| slot.generation == generation_of(id));
    entry.map_or(SkelobjKind::None, Entry::kind)
}

/// Returns how many things of a kind exist.
pub fn count(kind: SkelobjKind) -> usize {
    let used = free().used;
    let of_kind = |place: &&Place| match kind {
        SkelobjKind::World => place.state.load(Ordering::Acquire) != 0,
        _ => place.lock().entry.as_ref().is_some_and(|entry| entry.kind() == kind),
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
    let place = place_of(id);
    place.claim(id, idle(id))?;
    let lock = InUse(place);
    // SAFETY: the lock makes this call the only one that touches the world, until `end` or the drop of the lock; and a
    // slot holds a world while its state is not 0.
    let world = unsafe { (*place.world.get()).as_deref_mut().unwrap_unchecked() };
    match run(world) {
        Ok(value) => {
            if world.runtime.has_warnings() {
                world.report(None);
            }
            lock.end();
            Ok(value)
        }
        Err(failure) => {
            world.report(Some(&failure));
            lock.end();
            Err(failure)
        }
    }
}

/// Returns why a world with an id cannot be locked in a slot with this state.
#[cold]
fn refused(id: SkelobjId, state: u64) -> Failure {
    match state ^ idle(id) {
        IN_USE => busy(id),
        DEFECT => Failure::new(SkelobjStatus::Panic, format!("a defect was met in world {id}: it can only be freed")),
        _ => bad_id(id, SkelobjKind::World),
    }
}

macro_rules! shared {
    ($(#[$doc:meta] $name:ident: $variant:ident($value:ty);)*) => {$(
        #[$doc]
        pub fn $name(id: SkelobjId) -> Result<Arc<$value>> {
            let slot = place_of(id).lock();
            match &*slot {
                Slot { generation, entry: Some(Entry::$variant(value)) }
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
