//! Pointers of the host that callbacks get back.

use std::ffi::c_void;

/// Pointer that the library hands back to callbacks and never reads.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct SkelobjUser(*mut c_void);

// SAFETY: the library only stores the pointer and passes it to the host's callbacks; they are called on the thread that
// calls the library, as the header says, and what they do there is up to the host.
unsafe impl Send for SkelobjUser {}
// SAFETY: as for `Send`.
unsafe impl Sync for SkelobjUser {}

impl SkelobjUser {
    /// Null.
    pub const NULL: Self = Self(std::ptr::null_mut());

    /// Wraps a pointer.
    pub fn new(pointer: *mut c_void) -> Self {
        Self(pointer)
    }

    /// Returns the pointer.
    pub fn get(self) -> *mut c_void {
        self.0
    }
}
