//! Allocator that counts the memory of each thread, and of all threads together.
#![allow(dead_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

static ALL: AtomicI64 = AtomicI64::new(0);

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Allocator that counts the memory of each thread.
struct Counting;

fn count(bytes: i64) {
    ALL.fetch_add(bytes, Relaxed);
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + usize::from(bytes > 0)));
    // A thread that ends frees memory after its counters are gone; those bytes are not counted.
    let _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
    });
}

// SAFETY: every call is forwarded to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promise about `layout` is forwarded.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: `pointer` came from `alloc` above, which is the system's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs a function; returns its result and the most memory that it held at any time, bytes.
pub fn peak<T>(run: impl FnOnce() -> T) -> (T, i64) {
    let before = NOW.get();
    PEAK.set(before);
    let result = run();
    (result, PEAK.get() - before)
}

/// Returns the lock of the tests that count what all threads hold.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the memory that all threads hold, bytes.
pub fn held() -> i64 {
    ALL.load(Relaxed)
}

/// Runs a function; returns its result and the number of allocations by this thread meanwhile.
pub fn allocations<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = CALLS.get();
    let result = run();
    (result, CALLS.get() - before)
}
