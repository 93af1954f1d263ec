//! Version, status texts and the last failure.

use std::ffi::c_char;

use crate::SkelobjStatus;
use crate::error::{clear, last_status, with_last_text};
use crate::guard;
use crate::id::SkelobjKind;
use crate::numbers;
use crate::pointer::{In, Out};
use crate::table;

/// Version of the interface that the header declares: 10000 * major + 100 * minor + patch. Structs and functions of one
/// minor version stay as they are. It is counted apart from the version of the Rust packages, and is in the name of the
/// shared library: 0.1 is `libskelobj.so.0.1`.
pub const SKELOBJ_VERSION: i32 = 100;

/// Returns the version of the interface that the library has, as in SKELOBJ_VERSION. A host that loads the shared
/// library compares both.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_version() -> i32 {
    SKELOBJ_VERSION
}

/// Returns the status of the last call of this thread that failed; SKELOBJ_STATUS_OK if none did since
/// skelobj_clear_error. Calls that succeed do not change it.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_last_status() -> SkelobjStatus {
    last_status()
}

/// Copies the text of the last failure of this thread and a terminating zero, cut to the capacity, and returns the
/// length of the whole text. `buffer` may be null if `capacity` is 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_last_error(buffer: Out<c_char>, capacity: usize) -> usize {
    // A failure here is not recorded: it would replace the text that the caller asks for.
    with_last_text(|text| {
        if let Ok(buffer) = buffer.buffer(capacity) {
            buffer.fill_start(text);
        }
        text.len()
    })
}

/// Forgets the last failure of this thread: skelobj_last_status is SKELOBJ_STATUS_OK again, and skelobj_last_error has
/// no text. A host calls it before a call that returns 0 both as an answer and on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_clear_error() {
    clear();
}

/// Returns the name of a status, such as "bad id"; never null.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_status_name(status: i32) -> *const c_char {
    let name = match status {
        0 => c"ok",
        1 => c"null pointer",
        2 => c"misaligned pointer",
        3 => c"bad id",
        4 => c"bad def",
        5 => c"bad text",
        6 => c"bad number",
        7 => c"not found",
        8 => c"buffer too small",
        9 => c"busy",
        10 => c"limit exceeded",
        11 => c"bad file",
        12 => c"mismatch",
        13 => c"ragdoll",
        14 => c"level",
        15 => c"bad snapshot",
        16 => c"bad message",
        17 => c"panic",
        _ => c"unknown status",
    };
    name.as_ptr()
}

/// Returns how many things of a kind (SKELOBJ_KIND_...) exist, for a host that looks for what it forgot to free.
/// Objects, level bodies and water go with their world and are not counted: 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_live_count(kind: i32) -> i32 {
    guard::value(0, || {
        let kind = SkelobjKind::from_number(kind);
        Ok(kind.map_or(0, |kind| numbers::count(table::count(kind))))
    })
}

/// Returns 1 if a file name is a relative path that cannot leave the folder it is looked up in, otherwise 0.
/// SkelobjFiles gets only such names. Names that a host takes from models and game code for files of its own deserve
/// this check before it opens them.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_is_plain_path(name: In<c_char>) -> i32 {
    guard::value(0, || Ok(numbers::flag(skelobj::is_plain_path(name.text()?))))
}
