//! Lock with a world in it, which a call takes or is refused: nobody waits for a world.
//!
//! One exchange of the state finds out that a world has the id of the call and is not in use, and takes the lock.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::id::{Id, SkelobjWorld};
use crate::world::World;

/// Place for a world with its lock.
pub struct WorldLock {
    /// [`idle`] for the id of the world, with [`IN_USE`] during a call and [`DEFECT`] after a panic; 0 without a world.
    state: AtomicU64,
    /// World, for the call that set [`IN_USE`] only. Present while the state is idle.
    world: UnsafeCell<Option<Box<World>>>,
}

/// State of a world during a call on it.
const IN_USE: u64 = 1;
/// State of a world in which a call met a defect.
const DEFECT: u64 = 2;

/// Reason why a call cannot have a world.
pub enum Refused {
    /// The place is free, or belongs to another world.
    Absent,
    /// A call is using the world.
    InUse,
    /// A call met a defect in the world.
    Defect,
}

const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<World>();
};

// SAFETY: a world moves between threads (it is `Send`, see above), and the state lets one call at a time touch it.
unsafe impl Sync for WorldLock {}

impl WorldLock {
    pub const fn empty() -> Self {
        Self { state: AtomicU64::new(0), world: UnsafeCell::new(None) }
    }

    /// Puts a world with an id here, unless there is another.
    pub fn put(&self, id: SkelobjWorld, world: Box<World>) -> Result<(), Refused> {
        let call = self.claim(id, 0)?;
        // SAFETY: the claim makes this call the only one that touches the world until it ends.
        unsafe { *self.world.get() = Some(world) };
        call.end(idle(id));
        Ok(())
    }

    /// Takes the world with an id out, unless a call is using it.
    pub fn take(&self, id: SkelobjWorld) -> Result<Option<Box<World>>, Refused> {
        // A world in which a call met a defect can be freed, too.
        let defect = idle(id) | DEFECT;
        let has_defect = self.state.load(Ordering::Relaxed) == defect;
        let call = self.claim(id, if has_defect { defect } else { idle(id) })?;
        // SAFETY: as above.
        let world = unsafe { (*self.world.get()).take() };
        call.end(0);
        Ok(world)
    }

    /// Calls a function with the world that has an id, which nothing else can use meanwhile. A panic leaves a world
    /// that can only be taken out.
    #[inline]
    pub fn with<T>(&self, id: SkelobjWorld, run: impl FnOnce(&mut World) -> T) -> Result<T, Refused> {
        let call = self.claim(id, idle(id))?;
        // SAFETY: as above; and there is a world, as the state was idle.
        let world = unsafe { (*self.world.get()).as_deref_mut().unwrap_unchecked() };
        let result = run(world);
        let state = call.state_after();
        call.end(state);
        Ok(result)
    }

    /// Returns `true` if the world with an id is here.
    pub fn has(&self, id: SkelobjWorld) -> bool {
        self.state.load(Ordering::Acquire) & !(IN_USE | DEFECT) == idle(id)
    }

    /// Returns `true` if no world is here.
    pub fn is_empty(&self) -> bool {
        self.state.load(Ordering::Acquire) == 0
    }

    #[inline]
    fn claim(&self, id: SkelobjWorld, state: u64) -> Result<Call<'_>, Refused> {
        match self.state.compare_exchange(state, idle(id) | IN_USE, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Ok(Call(self)),
            Err(found) if found == idle(id) | IN_USE => Err(Refused::InUse),
            Err(found) if found == idle(id) | DEFECT => Err(Refused::Defect),
            Err(_) => Err(Refused::Absent),
        }
    }
}

/// Call that has claimed a world. Dropped by a panic, it leaves a defect.
struct Call<'a>(&'a WorldLock);

impl Call<'_> {
    /// Ends the call with a new state.
    #[inline]
    fn end(self, state: u64) {
        self.0.state.store(state, Ordering::Release);
        std::mem::forget(self);
    }

    /// Returns the state after the call. Nobody else changes the state during a call.
    #[inline]
    fn state_after(&self) -> u64 {
        self.0.state.load(Ordering::Relaxed) & !IN_USE
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.0.state.store(self.state_after() | DEFECT, Ordering::Release);
    }
}

/// Returns the state of a world that no call is using: not 0, and another for each number that C may give.
#[inline]
fn idle(id: SkelobjWorld) -> u64 {
    (u64::from(id.bits()) + 1) << 2
}
