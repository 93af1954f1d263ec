//! Numbers of C and of Rust: bones and tags begin at 1 in C, as in QuakeC; counts are `int32_t`.

use crate::error::{Failure, Result};

/// Returns the index of a bone or tag, or `None` for 0.
pub fn bone_or_none(number: i32) -> Result<Option<usize>> {
    match usize::try_from(number) {
        Ok(0) => Ok(None),
        Ok(number) => Ok(Some(number - 1)),
        Err(_) => Err(Failure::not_found(format_args!("bone or tag {number}"))),
    }
}

/// Returns the index of a bone or tag.
#[inline]
pub fn bone(number: i32) -> Result<usize> {
    bone_or_none(number)?.ok_or_else(|| Failure::not_found("bone or tag 0: they begin at 1"))
}

/// Returns the number of a bone or tag in C.
pub fn bone_number(bone: Option<usize>) -> i32 {
    bone.map_or(0, |bone| count(bone + 1))
}

/// Returns the number of something that begins at 0, or -1 for none.
pub fn number(index: Option<usize>) -> i32 {
    index.map_or(-1, count)
}

/// Returns the index of something that begins at 0.
pub fn index(number: i32, what: &str) -> Result<usize> {
    usize::try_from(number).map_err(|_| Failure::not_found(format_args!("{what} {number}")))
}

/// Returns a count for C; nothing that is counted reaches the maximum.
pub fn count(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// Returns a count or a capacity from C.
#[inline]
pub fn size(count: i32) -> Result<usize> {
    usize::try_from(count).map_err(|_| Failure::number("count", "a number of 0 or above"))
}

/// Returns 0 or 1.
pub fn flag(value: bool) -> i32 {
    i32::from(value)
}
