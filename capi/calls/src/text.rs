//! Texts for C that live as long as what holds them.

use std::ffi::{CString, c_char};

use crate::pointer::In;

/// Texts with terminating zeros, referred to by pointers in structs for C.
#[derive(Default)]
pub struct Texts(Vec<CString>);

impl Texts {
    /// Keeps a text, cut at its first zero, and returns its pointer.
    pub fn keep(&mut self, text: impl AsRef<[u8]>) -> *const c_char {
        let text = text.as_ref();
        let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
        self.0.push(CString::new(&text[..end]).unwrap_or_default());
        // Of the text where it stays: moving its box would end the use of a pointer from before.
        self.0.last().map_or(std::ptr::null(), |kept| kept.as_ptr())
    }
}

/// Writes a text into an array of a struct, cut to its size with a terminating zero.
pub fn array<const N: usize>(text: impl AsRef<[u8]>) -> [c_char; N] {
    let mut array = [0; N];
    for (to, from) in array[..N - 1].iter_mut().zip(text.as_ref()) {
        *to = *from as c_char;
    }
    array
}

/// Name in a struct from C; null is an empty one.
pub fn name_or_empty(name: &In<c_char>) -> crate::error::Result<skelobj::model::Name> {
    if name.is_null() { Ok(skelobj::model::Name::default()) } else { name.bytes().map(skelobj::model::Name::new) }
}
