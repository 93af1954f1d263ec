//! Count of the bytes that the libraries for C hold.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

static IN_USE: AtomicUsize = AtomicUsize::new(0);

/// Allocator of the system that counts the bytes it has given out. The libraries for C have it as theirs.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

fn given(memory: *mut u8, bytes: usize) -> *mut u8 {
    if !memory.is_null() {
        IN_USE.fetch_add(bytes, Ordering::Relaxed);
    }
    memory
}

// SAFETY: the system's allocator does everything; counting neither allocates nor panics.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are the same.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        let moved = unsafe { System.realloc(memory, layout, size) };
        if !moved.is_null() {
            IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        given(moved, size)
    }
}

/// Returns the bytes that the library holds for all worlds, models and the rest, without what the allocator of the
/// system adds to them. The difference of two calls is what a world or a model takes, if no other thread calls the
/// library meanwhile.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_memory_in_use() -> usize {
    IN_USE.load(Ordering::Relaxed)
}
