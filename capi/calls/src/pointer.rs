//! Pointers from C.
//!
//! A value of these types comes from C, in an argument or in a struct. The header's contract is that such a pointer is
//! null or points to as much as the function's documentation says, readable or writable during the call, and that
//! buffers which a call writes overlap no other argument. Null and alignment are checked here; the rest of
//! the contract is what every `SAFETY` comment of this file refers to. Rust code can only make such values through
//! `unsafe` constructors.

use std::ffi::{CStr, c_char};

use skelobj::math::{Mat3x4, Vec3};

use crate::error::{Failure, Result, SkelobjStatus};

/// Pointer to values that a call reads.
#[repr(transparent)]
pub struct In<T>(*const T);

/// Pointer to values that a call writes.
#[repr(transparent)]
pub struct Out<T>(*mut T);

/// Pointer to the 12 floats of a matrix that a call reads.
pub type InMatrix = In<SkelobjMatrixFloats>;
/// Pointer to the 12 floats of a matrix that a call writes.
pub type OutMatrix = Out<SkelobjMatrixFloats>;
/// Pointer to the 3 floats of a vector that a call reads.
pub type InVector = In<SkelobjVectorFloats>;
/// Pointer to the 3 floats of a vector that a call writes.
pub type OutVector = Out<SkelobjVectorFloats>;

/// Floats of a matrix.
pub type SkelobjMatrixFloats = [f32; 12];
/// Floats of a vector.
pub type SkelobjVectorFloats = [f32; 3];

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for In<T> {}

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T> In<T> {
    /// Null.
    pub const NULL: Self = Self(std::ptr::null());

    /// Wraps a pointer.
    ///
    /// # Safety
    /// The pointer must meet the contract of this file wherever the value is used.
    pub const unsafe fn new(pointer: *const T) -> Self {
        Self(pointer)
    }

    /// Returns `true` if the pointer is null.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Returns the address; 0 for null.
    #[inline]
    pub(crate) fn address(self) -> u64 {
        self.0.addr() as u64
    }

    fn check(self) -> Result<()> {
        if self.0.is_null() {
            return Err(null());
        }
        if !self.0.is_aligned() {
            return Err(misaligned());
        }
        Ok(())
    }
}

impl<T: Copy> In<T> {
    /// Returns a copy of the value.
    #[inline]
    pub(crate) fn read(self) -> Result<T> {
        self.check()?;
        // SAFETY: not null, aligned, and by contract one readable value; every type read here holds numbers and
        // pointers, for which any bits are valid.
        Ok(unsafe { self.0.read() })
    }

    /// Returns `count` values; none for a null pointer if `count` is 0.
    pub(crate) fn slice(&self, count: usize) -> Result<&[T]> {
        if count == 0 {
            return Ok(&[]);
        }
        self.check()?;
        within_memory::<T>(count)?;
        // SAFETY: not null, aligned, of a possible size, and by contract as many readable values, which nothing writes
        // to during the call.
        Ok(unsafe { std::slice::from_raw_parts(self.0, count) })
    }
}

impl In<c_char> {
    /// Returns the bytes of a text up to its terminating zero.
    pub(crate) fn bytes(&self) -> Result<&[u8]> {
        self.check()?;
        // SAFETY: not null, and by contract a text that ends with a zero and that nothing writes to during the call.
        Ok(unsafe { CStr::from_ptr(self.0) }.to_bytes())
    }

    /// Returns a text that must be UTF-8.
    pub(crate) fn text(&self) -> Result<&str> {
        let bytes = self.bytes()?;
        std::str::from_utf8(bytes).map_err(|error| {
            let text = String::from_utf8_lossy(bytes);
            Failure::new(SkelobjStatus::BadText, format!("\"{text}\" is not UTF-8 from byte {}", error.valid_up_to()))
        })
    }
}

impl InMatrix {
    /// Returns the matrix.
    #[inline]
    pub(crate) fn matrix(self) -> Result<Mat3x4> {
        self.read().map(Mat3x4)
    }

    /// Returns `count` matrices.
    pub(crate) fn matrices(&self, count: usize) -> Result<&[Mat3x4]> {
        // SAFETY: the same pointer with the same contract; `Mat3x4` is 12 floats in C's layout.
        let matrices = unsafe { &*(std::ptr::from_ref(self).cast::<In<Mat3x4>>()) };
        matrices.slice(count)
    }
}

impl InVector {
    /// Returns the vector.
    pub(crate) fn vector(self) -> Result<Vec3> {
        self.read().map(Vec3::from_array)
    }
}

impl<T> Out<T> {
    /// Null.
    pub const NULL: Self = Self(std::ptr::null_mut());

    /// Wraps a pointer.
    ///
    /// # Safety
    /// The pointer must meet the contract of this file wherever the value is used.
    pub const unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    /// Returns the pointer.
    #[cfg(test)]
    pub(crate) fn pointer(self) -> *mut T {
        self.0
    }

    fn check(self) -> Result<()> {
        if self.0.is_null() {
            return Err(null());
        }
        if !self.0.is_aligned() {
            return Err(misaligned());
        }
        Ok(())
    }

    /// Checks the pointer before a call does anything.
    pub(crate) fn place(self) -> Result<Place<T>> {
        self.check()?;
        Ok(Place(self))
    }

    /// Checks a pointer that may be null: null means that the value is not wanted.
    pub(crate) fn wanted(self) -> Result<Option<Place<T>>> {
        if self.0.is_null() { Ok(None) } else { self.place().map(Some) }
    }

    /// Checks a buffer of `capacity` values, which may be null if the capacity is 0.
    pub(crate) fn buffer(self, capacity: usize) -> Result<Buffer<T>> {
        if capacity > 0 {
            self.check()?;
            within_memory::<T>(capacity)?;
        }
        Ok(Buffer { start: self, capacity })
    }
}

impl OutMatrix {
    /// Returns `count` matrices to be written.
    #[inline]
    pub(crate) fn matrices(&mut self, count: usize) -> Result<&mut [Mat3x4]> {
        if count == 0 {
            return Ok(&mut []);
        }
        self.check()?;
        within_memory::<SkelobjMatrixFloats>(count)?;
        // SAFETY: not null, aligned, of a possible size, and by contract as many floats that nothing else refers to
        // during the call; `Mat3x4` is 12 floats in C's layout. What is written here is not read before.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.0.cast(), count) })
    }
}

impl Out<f32> {
    /// Returns `count` groups of four floats to be written.
    pub(crate) fn quads(&mut self, count: usize) -> Result<&mut [[f32; 4]]> {
        if count == 0 {
            return Ok(&mut []);
        }
        self.check()?;
        within_memory::<[f32; 4]>(count)?;
        // SAFETY: as for matrices; an array of floats is as aligned as a float.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.0.cast(), count) })
    }
}

impl OutVector {
    /// Returns `count` vectors to be written.
    pub(crate) fn vectors(&mut self, count: usize) -> Result<&mut [Vec3]> {
        if count == 0 {
            return Ok(&mut []);
        }
        self.check()?;
        within_memory::<SkelobjVectorFloats>(count)?;
        // SAFETY: as for matrices; `Vec3` is 3 floats in C's layout.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.0.cast(), count) })
    }
}

/// Place for one value.
#[must_use]
pub struct Place<T>(Out<T>);

impl<T> Place<T> {
    #[inline]
    pub fn set(self, value: T) {
        // SAFETY: checked when the place was made, and by contract one writable value.
        unsafe { self.0.0.write(value) }
    }
}

/// Place for several values.
#[must_use]
pub struct Buffer<T> {
    start: Out<T>,
    capacity: usize,
}

impl<T: Copy> Buffer<T> {
    /// Writes all values, or none if there is no room for all; their number goes to `count` in both cases.
    pub fn fill<N: TryFrom<usize>>(self, values: &[T], count: Option<Place<N>>) -> Result<()> {
        self.fill_with(values, values.len(), count)
    }

    /// Returns `true` if there is room for so many values.
    pub fn has_room(&self, needed: usize) -> bool {
        needed <= self.capacity
    }

    /// Returns `true` if a call does what it does besides: there is room for so many values, or the list is not wanted,
    /// because it and the place for its number are null.
    pub fn lets_act<N>(&self, needed: usize, count: Option<&Place<N>>) -> bool {
        if self.start.0.is_null() { count.is_none() } else { self.has_room(needed) }
    }

    /// Writes values like `fill`, with `needed` as their number. Without room for them, `values` may be empty.
    pub fn fill_with<N: TryFrom<usize>>(self, values: &[T], needed: usize, count: Option<Place<N>>) -> Result<()> {
        let is_told = count.is_some();
        if let Some(count) = count {
            let number = N::try_from(needed);
            count.set(number.map_err(|_| Failure::new(SkelobjStatus::Limit, format!("{needed} values are too many")))?);
        }
        self.write(values, needed, is_told)
    }

    /// Writes all values or none. A capacity of 0 is a question, which is answered if the number was told, or a list
    /// that is not wanted.
    fn write(self, values: &[T], needed: usize, is_told: bool) -> Result<()> {
        if self.capacity == 0 && (is_told || needed == 0 || self.start.0.is_null()) {
            return Ok(());
        }
        if !self.has_room(needed) {
            let text = format!("the buffer has room for {}, but {needed} are needed", self.capacity);
            return Err(Failure::new(SkelobjStatus::BufferTooSmall, text));
        }
        // SAFETY: checked when the buffer was made, and by contract `capacity` writable values outside of our memory.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), self.start.0, values.len()) };
        Ok(())
    }
}

impl Buffer<c_char> {
    /// Writes a text and a terminating zero, or nothing if there is no room for both; the length of the text goes to
    /// `length` in both cases.
    pub fn fill_text(self, text: &[u8], length: Option<Place<usize>>) -> Result<()> {
        let is_told = length.is_some();
        if let Some(length) = length {
            length.set(text.len());
        }
        let text: Vec<c_char> = text.iter().map(|byte| *byte as c_char).chain([0]).collect();
        self.write(&text, text.len(), is_told)
    }

    /// Writes as much of a text as there is room for, and a terminating zero.
    pub fn fill_start(self, text: &[u8]) {
        let Some(room) = self.capacity.checked_sub(1) else { return };
        let text: Vec<c_char> = text.iter().take(room).map(|byte| *byte as c_char).chain([0]).collect();
        // SAFETY: checked when the buffer was made, and by contract `capacity` writable characters.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), self.start.0, text.len()) };
    }
}

/// Struct of settings that a caller gets from a `skelobj_default_..._def` function and changes.
///
/// # Safety
/// The type must be valid for any bits, and its first field must be the `u32` cookie.
pub unsafe trait Def: Copy {
    /// Low 8 bits of the cookie, different for every def.
    const KIND: u32;

    /// Value of the first field of a genuine def: kind and size.
    const COOKIE: u32 = 0x5c00_0000 | (size_of::<Self>() as u32) << 8 | Self::KIND;
}

impl<T: Def> In<T> {
    /// Returns a copy of a def with a genuine cookie.
    #[inline]
    pub(crate) fn def(self) -> Result<T> {
        self.in_place().copied()
    }

    /// Returns a def with a genuine cookie in place.
    #[inline]
    pub(crate) fn in_place(&self) -> Result<&T> {
        self.genuine().ok_or_else(|| self.check().err().unwrap_or_else(bad_def))
    }

    /// Returns the def in place, or `None` if the pointer is null or misaligned, or the cookie is wrong.
    #[inline]
    pub(crate) fn genuine(&self) -> Option<&T> {
        if self.0.is_null() || !self.0.is_aligned() {
            return None;
        }
        // The cookie alone is read first: a struct of another size or kind may end before our last field.
        // SAFETY: not null, aligned, and by contract a def, which begins with its cookie.
        let cookie = unsafe { self.0.cast::<u32>().read() };
        // SAFETY: a def of this kind and size, as its cookie says; by contract nothing writes to it during the call.
        (cookie == T::COOKIE).then(|| unsafe { &*self.0 })
    }

    /// Returns a copy of a def, or the default for a null pointer.
    pub(crate) fn def_or(self, default: extern "C" fn() -> T) -> Result<T> {
        if self.0.is_null() { Ok(default()) } else { self.def() }
    }
}

#[cold]
fn null() -> Failure {
    Failure::new(SkelobjStatus::NullPointer, "a pointer that must not be null is null")
}

#[cold]
fn misaligned() -> Failure {
    Failure::new(SkelobjStatus::Misaligned, "a pointer is not aligned for its type")
}

#[cold]
fn bad_def() -> Failure {
    Failure::new(SkelobjStatus::BadDef, "the cookie of a def is wrong: it must come from its skelobj_default function")
}

/// Checks that as many values can exist at all.
fn within_memory<T>(count: usize) -> Result<()> {
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
        _ => Err(Failure::number("count", "a number of values that fit into memory")),
    }
}

/// Run by Miri, too: see `fuzz/README.md`.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Texts;

    fn input<T>(value: &T) -> In<T> {
        // SAFETY: the value outlives its uses in these tests.
        unsafe { In::new(value) }
    }

    fn output<T>(value: &mut T) -> Out<T> {
        // SAFETY: the value outlives its uses in these tests, and nothing else refers to it meanwhile.
        unsafe { Out::new(value) }
    }

    #[test]
    fn texts_stay_readable_while_more_are_kept_and_all_move() {
        let mut texts = Texts::default();
        let kept: Vec<*const c_char> = (0..50).map(|number| texts.keep(format!("text {number}\0cut"))).collect();
        let texts = Box::new(texts);
        for (number, pointer) in kept.into_iter().enumerate() {
            // SAFETY: texts that the box holds.
            let text = unsafe { In::new(pointer) };
            assert_eq!(text.text().ok(), Some(&*format!("text {number}")));
        }
        drop(texts);
    }

    #[test]
    fn values_and_matrices_are_read_and_written_in_place() {
        let floats: [SkelobjMatrixFloats; 3] = [[1.0; 12], [2.0; 12], [3.0; 12]];
        assert_eq!(input(&floats[1]).matrix().ok(), Some(Mat3x4([2.0; 12])));
        // SAFETY: three matrices.
        let all: InMatrix = unsafe { In::new(floats.as_ptr()) };
        assert_eq!(all.matrices(3).ok().map(|matrices| matrices[2]), Some(Mat3x4([3.0; 12])));
        let mut written: [SkelobjMatrixFloats; 2] = [[0.0; 12]; 2];
        // SAFETY: two matrices that nothing else refers to.
        let mut places: OutMatrix = unsafe { Out::new(written.as_mut_ptr()) };
        places.matrices(2).ok().expect("two matrices").copy_from_slice(&[Mat3x4([4.0; 12]), Mat3x4([5.0; 12])]);
        assert_eq!(written, [[4.0; 12], [5.0; 12]]);
        let mut vectors = [0.0f32; 6];
        // SAFETY: two vectors that nothing else refers to.
        let mut places: OutVector = unsafe { Out::new(vectors.as_mut_ptr().cast()) };
        places.vectors(2).ok().expect("two vectors")[1] = Vec3::ONE;
        assert_eq!(vectors, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn buffers_take_all_or_nothing_and_state_the_number() {
        let (mut values, mut count) = ([0u16; 4], 0i32);
        // SAFETY: four values that nothing else refers to.
        let start = |values: &mut [u16; 4]| unsafe { Out::new(values.as_mut_ptr()) };
        let fill = |room, count: &mut i32, values: &mut [u16; 4]| {
            let count = output(count).place().ok();
            start(values).buffer(room).and_then(|buffer| buffer.fill(&[7, 8, 9], count)).is_ok()
        };
        assert!(fill(4, &mut count, &mut values) && fill(0, &mut count, &mut values));
        assert!(!fill(2, &mut count, &mut values));
        assert_eq!((values, count), ([7, 8, 9, 0], 3));
        let mut text = [1 as c_char; 6];
        // SAFETY: six characters that nothing else refers to.
        let room = unsafe { Out::new(text.as_mut_ptr()) };
        let mut length = 0usize;
        let place = output(&mut length).place().ok();
        assert!(room.buffer(6).and_then(|buffer| buffer.fill_text(b"hello", place)).is_ok());
        assert_eq!((text[5], length), (0, 5));
        room.buffer(3).ok().expect("a buffer").fill_start(b"hello");
        assert_eq!(text[..3], [b'h' as c_char, b'e' as c_char, 0]);
    }

    #[test]
    fn null_and_misaligned_pointers_are_refused() {
        let words = [0u32; 2];
        // SAFETY: not read, because it is misaligned.
        let misaligned: In<u32> = unsafe { In::new(words.as_ptr().byte_add(1)) };
        for pointer in [In::NULL, misaligned] {
            assert!(pointer.read().is_err() && pointer.slice(1).is_err());
        }
        assert!(In::<u32>::NULL.slice(0).is_ok_and(<[u32]>::is_empty));
        assert!(input(&words[0]).slice(usize::MAX).is_err());
        assert!(Out::<u32>::NULL.place().is_err() && Out::<u32>::NULL.wanted().is_ok_and(|place| place.is_none()));
    }
}
