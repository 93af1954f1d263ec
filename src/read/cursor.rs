//! Bounds-checked reading: the one way from a file's bytes to numbers, names and tables.
//!
//! A [`File`] hands out [`Cursor`]s over tables that are proven to lie inside it, and vectors that are proven to be in
//! proportion to it; a cursor cannot leave its table, and knows section and offset for its errors.

use std::ops::RangeInclusive;

use crate::limits::{Budget, Limits};
use crate::math::Mat3x4;
use crate::model::{Animation, Fixup, ModelError, ModelProblem, ModelWarning, Name};

/// A number, or an array of numbers, that stands in a file.
pub(super) trait Scalar: Copy {
    /// Bytes it takes.
    const SIZE: usize;

    /// Its value; bytes past the end of `bytes` count as zero.
    fn parse<const BIG: bool>(bytes: &[u8]) -> Self;
}

macro_rules! scalars {
    ($($t:ty),*) => {$(
        impl Scalar for $t {
            const SIZE: usize = size_of::<$t>();

            #[inline]
            fn parse<const BIG: bool>(bytes: &[u8]) -> Self {
                let bytes = bytes.first_chunk().copied().unwrap_or_default();
                if BIG { <$t>::from_be_bytes(bytes) } else { <$t>::from_le_bytes(bytes) }
            }
        }
    )*};
}

scalars!(u8, i8, u16, i16, u32, i32, f32, f64);

impl<T: Scalar, const N: usize> Scalar for [T; N] {
    const SIZE: usize = N * T::SIZE;

    #[inline]
    fn parse<const BIG: bool>(bytes: &[u8]) -> Self {
        std::array::from_fn(|i| T::parse::<BIG>(bytes.get(i * T::SIZE..).unwrap_or_default()))
    }
}

/// The bytes of a file, big-endian when `BIG`, with an allowance for the memory that its contents may take.
pub(super) struct File<'a, const BIG: bool = false> {
    bytes: &'a [u8],
    budget: Budget,
    /// What was put right so far.
    pub warnings: Vec<ModelWarning>,
}

impl<'a, const BIG: bool> File<'a, BIG> {
    pub fn new(bytes: &'a [u8], limits: &Limits) -> Self {
        Self { bytes, budget: limits.budget(bytes.len()), warnings: Vec::new() }
    }

    /// How many bytes the file has.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// `count` records of `size` bytes at `offset`. The offset of an empty table does not matter.
    pub fn table(
        &self,
        section: &'static str,
        offset: u32,
        count: u32,
        size: usize,
    ) -> Result<Cursor<'a, BIG>, ModelError> {
        let start = offset as usize;
        let needed = u64::from(count).saturating_mul(size as u64);
        if needed == 0 {
            return Ok(Cursor { section, offset: start, bytes: &[] });
        }
        let rest = self.bytes.get(start..).unwrap_or_default();
        match usize::try_from(needed).ok().and_then(|needed| rest.get(..needed)) {
            Some(bytes) => Ok(Cursor { section, offset: start, bytes }),
            None => {
                let problem = ModelProblem::PastEnd { needed, available: rest.len() };
                Err(ModelError::new(section, start, problem))
            }
        }
    }

    /// An empty vector with room for `count` elements, charged to the file's allowance.
    pub fn reserve<T>(&mut self, section: &'static str, offset: usize, count: u64) -> Result<Vec<T>, ModelError> {
        self.charge(section, offset, count.saturating_mul(size_of::<T>() as u64))?;
        Ok(Vec::with_capacity(count as usize))
    }

    /// Charges memory to the file's allowance.
    pub fn charge(&mut self, section: &'static str, offset: usize, bytes: u64) -> Result<(), ModelError> {
        self.budget
            .spend(bytes)
            .map_err(|exceeded| ModelError::new(section, offset, ModelProblem::LimitExceeded(exceeded)))
    }

    /// Counts a file beside this one, of `bytes` bytes, as part of it.
    pub fn admit(&mut self, bytes: usize) {
        self.budget.admit(bytes);
    }

    /// Reads from a file beside this one, whose contents are charged to this one's allowance. What is wrong with that
    /// file is the inner error; more than is allowed is the outer one, which no reader does without.
    pub fn beside<'b, T>(
        &mut self,
        bytes: &'b [u8],
        read: impl FnOnce(&mut File<'b, BIG>) -> Result<T, ModelError>,
    ) -> Result<Result<T, ModelError>, ModelError> {
        let mut beside = File { bytes, budget: self.budget.clone(), warnings: Vec::new() };
        let result = read(&mut beside);
        self.budget = beside.budget;
        match result {
            Err(error) if matches!(error.problem, ModelProblem::LimitExceeded(_)) => Err(error),
            result => Ok(result),
        }
    }

    /// A name, charged to the file's allowance.
    pub fn name(&mut self, section: &'static str, offset: usize, bytes: &[u8]) -> Result<Name, ModelError> {
        self.charge(section, offset, Name::memory_of(bytes))?;
        Ok(Name::new(bytes))
    }

    /// Notes something that was put right.
    pub fn warn(&mut self, section: &'static str, offset: usize, fixup: Fixup) {
        let warning = ModelWarning { section, offset, fixup };
        warning.add_to(&mut self.warnings, self.budget.limits.warnings);
    }

    /// A frame rate that can be used, noting it where the file's cannot.
    pub fn rate(&mut self, section: &'static str, offset: usize, rate: f32) -> f32 {
        if rate.is_normal() && rate > 0.0 {
            return rate;
        }
        self.warn(section, offset, Fixup::NoRate);
        Animation::DEFAULT_RATE
    }

    /// Notes `count` values that were not finite, if there were any.
    pub fn warn_not_finite(&mut self, section: &'static str, offset: usize, count: usize) {
        if count > 0 {
            self.warn(section, offset, Fixup::NotFinite(count));
        }
    }
}

/// What is left to read of a table; it knows where in the file it stands.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a, const BIG: bool = false> {
    section: &'static str,
    offset: usize,
    bytes: &'a [u8],
}

impl<'a, const BIG: bool> Cursor<'a, BIG> {
    /// Byte offset in the file.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The same place, under the name of another section.
    pub fn in_section(self, section: &'static str) -> Self {
        Self { section, ..self }
    }

    /// All that is left, unread.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], ModelError> {
        let Some((taken, rest)) = self.bytes.split_at_checked(count) else {
            return Err(self.error(ModelProblem::PastEnd { needed: count as u64, available: self.bytes.len() }));
        };
        self.bytes = rest;
        self.offset += count;
        Ok(taken)
    }

    /// The next number or array of numbers.
    pub fn get<T: Scalar>(&mut self) -> Result<T, ModelError> {
        Ok(T::parse::<BIG>(self.take(T::SIZE)?))
    }

    /// The next number, which must lie in `range`.
    pub fn ranged<T: Scalar + Into<i64>>(
        &mut self,
        field: &'static str,
        range: RangeInclusive<i64>,
    ) -> Result<T, ModelError> {
        let start = *self;
        let value = self.get::<T>()?;
        let found = value.into();
        if !range.contains(&found) {
            let problem = ModelProblem::OutOfRange { field, found, min: *range.start(), max: *range.end() };
            return Err(start.error(problem));
        }
        Ok(value)
    }

    /// What is left as records of `size` bytes each; a rest that is no whole record does not come out.
    pub fn records(self, size: usize) -> impl ExactSizeIterator<Item = Self> {
        self.bytes.chunks_exact(size.max(1)).enumerate().map(move |(i, bytes)| Self {
            section: self.section,
            offset: self.offset + i * size,
            bytes,
        })
    }

    /// A problem with what is read next.
    pub fn error(&self, problem: ModelProblem) -> ModelError {
        ModelError::new(self.section, self.offset, problem)
    }
}

/// A block of NUL-terminated strings that records refer to by offset.
#[derive(Clone, Copy)]
pub(super) struct Text<'a>(pub &'a [u8]);

impl<'a> Text<'a> {
    /// The string at `offset`, up to its NUL or the end of the block; `None` outside the block.
    pub fn at(&self, offset: u32) -> Option<&'a [u8]> {
        let rest = self.0.get(offset as usize..).filter(|rest| !rest.is_empty())?;
        rest.split(|&b| b == 0).next()
    }

    /// Whether the string at `offset` is `name`, whatever its case. Unlike [`at`](Self::at) this never looks further
    /// than the name reaches.
    pub fn is(&self, offset: u32, name: &[u8]) -> bool {
        let rest = self.0.get(offset as usize..).unwrap_or_default();
        let (found, after) = rest.split_at_checked(name.len()).unwrap_or((rest, &[]));
        found.eq_ignore_ascii_case(name) && matches!(after, [] | [0, ..])
    }
}

/// Replaces values that are not finite by zero, and counts them.
#[inline]
pub(super) fn finite_or_zero(values: &mut [f32], bad: &mut usize) {
    for value in values {
        if !value.is_finite() {
            *value = 0.0;
            *bad += 1;
        }
    }
}

/// Replaces a matrix that is not finite by the identity, and counts it.
#[inline]
pub(super) fn finite_or_identity(matrix: Mat3x4, bad: &mut usize) -> Mat3x4 {
    if matrix.is_finite() {
        return matrix;
    }
    *bad += 1;
    Mat3x4::IDENTITY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_past_the_end_are_refused_even_when_32_bits_would_wrap() {
        let file = File::<false>::new(&[0; 16], &Limits::DEFAULT);
        for (offset, count, size) in [(0, 5, 4), (12, 2, 4), (16, 1, 1), (u32::MAX, 1, 4), (8, 0x4000_0001, 4)] {
            let error = file.table("joints", offset, count, size).err().expect("refused");
            assert_eq!((error.section, error.offset), ("joints", offset as usize));
            assert!(matches!(error.problem, ModelProblem::PastEnd { .. }));
        }
        assert_eq!(file.table("joints", 12, 1, 4).unwrap().rest().len(), 4);
        assert_eq!(file.table("joints", u32::MAX, 0, 4).unwrap().rest().len(), 0);
    }

    #[test]
    fn numbers_come_out_in_the_byte_order_of_the_file() {
        let bytes = [1, 2, 3, 4, 0xff, 0xfe];
        let mut big = File::<true>::new(&bytes, &Limits::DEFAULT).table("header", 0, 6, 1).unwrap();
        assert_eq!(big.get::<u32>().unwrap(), 0x0102_0304);
        assert_eq!(big.get::<i16>().unwrap(), -2);
        let mut little = File::<false>::new(&bytes, &Limits::DEFAULT).table("header", 0, 6, 1).unwrap();
        assert_eq!(little.get::<[u16; 2]>().unwrap(), [0x0201, 0x0403]);
        assert_eq!(little.get::<i8>().unwrap(), -1);
        let error = little.get::<u32>().unwrap_err();
        assert_eq!((error.offset, error.problem), (5, ModelProblem::PastEnd { needed: 4, available: 1 }));
    }

    #[test]
    fn numbers_outside_their_range_are_refused_where_they_stand() {
        let bytes = 7i32.to_le_bytes();
        let mut cursor = File::<false>::new(&bytes, &Limits::DEFAULT).table("joints", 0, 1, 4).unwrap();
        let error = cursor.ranged::<i32>("parent", -1..=3).unwrap_err();
        assert_eq!(error.offset, 0);
        assert_eq!(error.problem, ModelProblem::OutOfRange { field: "parent", found: 7, min: -1, max: 3 });
    }

    #[test]
    fn memory_out_of_proportion_to_the_file_is_refused() {
        let mut file = File::<false>::new(&[0; 10], &Limits::DEFAULT);
        assert!(file.reserve::<u8>("frames", 0, 32 << 20).is_ok());
        assert!(file.reserve::<u8>("frames", 0, 640).is_ok());
        let error = file.reserve::<u8>("frames", 4, 1).unwrap_err();
        assert_eq!((error.section, error.offset), ("frames", 4));
        assert!(file.reserve::<u64>("frames", 0, u64::MAX).is_err());
    }

    #[test]
    fn strings_end_at_their_nul_or_with_the_block() {
        let text = Text(b"\0hip\0spine");
        assert_eq!(text.at(0), Some(&b""[..]));
        assert_eq!(text.at(1), Some(&b"hip"[..]));
        assert_eq!(text.at(5), Some(&b"spine"[..]));
        assert_eq!(text.at(10), None);
        assert_eq!(text.at(u32::MAX), None);
    }
}
