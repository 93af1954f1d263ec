//! The frame around every function that C calls: panics end here, and failures are recorded.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{Failure, Result, SkelobjStatus, record};
use crate::id::SkelobjWorld;
use crate::table::with_world;
use crate::world::World;

#[cfg(debug_assertions)]
mod depth {
    use std::cell::Cell;

    thread_local! {
        static DEPTH: Cell<u32> = const { Cell::new(0) };
    }

    /// Counts the calls of this thread that have not returned.
    pub struct Inside(());

    impl Inside {
        pub fn enter() -> Self {
            DEPTH.set(DEPTH.get() + 1);
            Self(())
        }
    }

    impl Drop for Inside {
        fn drop(&mut self) {
            DEPTH.set(DEPTH.get() - 1);
        }
    }

    pub fn is_nested() -> bool {
        DEPTH.get() > 1
    }
}

/// Returns `true` if the running call comes from a callback of another call. Known in debug builds only.
pub fn is_nested() -> bool {
    #[cfg(debug_assertions)]
    return depth::is_nested();
    #[cfg(not(debug_assertions))]
    true
}

/// Runs a call that returns a value; a failure is recorded and returned as `failed`.
#[inline]
pub fn value<T>(failed: T, run: impl FnOnce() -> Result<T>) -> T {
    #[cfg(debug_assertions)]
    let _inside = depth::Inside::enter();
    // A world in which a panic happened is never used again: its lock is poisoned. Everything else is immutable.
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(value)) => value,
        Ok(Err(failure)) => {
            record(&failure);
            failed
        }
        Err(payload) => {
            record(&panicked(payload));
            failed
        }
    }
}

/// Runs a call that returns a status.
#[inline]
pub fn status(run: impl FnOnce() -> Result<()>) -> SkelobjStatus {
    #[cfg(debug_assertions)]
    let _inside = depth::Inside::enter();
    let failure = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => return SkelobjStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(payload) => panicked(payload),
    };
    record(&failure);
    failure.status()
}

/// Runs a call on a world that returns a status.
#[inline]
pub fn world(id: SkelobjWorld, run: impl FnOnce(&mut World) -> Result<()>) -> SkelobjStatus {
    status(|| with_world(id, run))
}

/// Runs a call on a world that returns a value.
#[inline]
pub fn world_value<T>(id: SkelobjWorld, failed: T, run: impl FnOnce(&mut World) -> Result<T>) -> T {
    value(failed, || with_world(id, run))
}

#[cold]
fn panicked(payload: Box<dyn Any + Send>) -> Failure {
    let text = match payload.downcast_ref::<&str>() {
        Some(text) => text,
        None => payload.downcast_ref::<String>().map_or("without a message", String::as_str),
    };
    let failure = Failure::new(SkelobjStatus::Panic, format!("skelobj met a defect of its own: {text}"));
    // A payload whose drop panics would end the process.
    std::mem::forget(payload);
    failure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::with_last_text;
    use crate::pointer::In;
    use crate::{skelobj_world_create, skelobj_world_free, skelobj_world_is_valid};

    #[test]
    fn a_panic_ends_at_the_call_and_its_world_can_only_be_freed() {
        let id = skelobj_world_create(In::NULL);
        assert_eq!(world(id, |_| panic!("by intent")), SkelobjStatus::Panic);
        with_last_text(|text| assert!(String::from_utf8_lossy(text).ends_with("by intent")));
        assert_eq!(world(id, |_| Ok(())), SkelobjStatus::Panic);
        assert_eq!(skelobj_world_is_valid(id), 1);
        assert_eq!(skelobj_world_free(id), SkelobjStatus::Ok);
        assert_eq!(skelobj_world_free(id), SkelobjStatus::BadId);
        assert_eq!(world(id, |_| Ok(())), SkelobjStatus::BadId);
    }
}
