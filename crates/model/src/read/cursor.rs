//! Bounds-checked reading of numbers, names and tables from the bytes of a file.
//!
//! A [`File`] returns [`Cursor`]s over tables that are proven to lie inside it, and vectors whose size is proven to be
//! in proportion to the file. A cursor cannot leave its table, and reports section and offset in its errors.

use std::ops::RangeInclusive;

use super::Input;
use crate::limits::{Budget, Limits};
use crate::math::Mat3x4;
use crate::model::{Animation, Fixup, ModelError, ModelProblem, ModelWarning, Name};
use crate::options::Dialect;

/// Number, or array of numbers, in a file.
pub(super) trait Scalar: Copy {
    /// Size in the file, bytes.
    const SIZE: usize;

    /// Returns the value; bytes past the end of `bytes` are treated as zero.
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

/// Bytes of a file, big-endian if `BIG`, with the memory budget of the file.
pub(super) struct File<'a, const BIG: bool = false> {
    bytes: &'a [u8],
    budget: Budget,
    /// Repairs so far.
    pub warnings: Vec<ModelWarning>,
    /// Engine whose rules the reader follows.
    pub dialect: Dialect,
}

impl<'a, const BIG: bool> File<'a, BIG> {
    pub fn new(bytes: &'a [u8], limits: &Limits) -> Self {
        Self { bytes, budget: limits.budget(bytes.len()), warnings: Vec::new(), dialect: Dialect::Fte }
    }

    /// Returns the file of an input, to be read by the rules of its engine.
    pub fn of(input: &Input<'a>) -> Self {
        Self { dialect: input.dialect, ..Self::new(input.bytes, input.limits) }
    }

    /// Returns the size of the file, bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns `count` records of `size` bytes each at `offset`. The offset of an empty table is not checked.
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

    /// Returns an empty vector with room for `count` elements, charged to the budget.
    pub fn reserve<T>(&mut self, section: &'static str, offset: usize, count: u64) -> Result<Vec<T>, ModelError> {
        self.charge(section, offset, count.saturating_mul(size_of::<T>() as u64))?;
        Ok(Vec::with_capacity(count as usize))
    }

    /// Charges memory to the budget, bytes.
    pub fn charge(&mut self, section: &'static str, offset: usize, bytes: u64) -> Result<(), ModelError> {
        self.budget
            .spend(bytes)
            .map_err(|exceeded| ModelError::new(section, offset, ModelProblem::LimitExceeded(exceeded)))
    }

    /// Raises the budget for a side file of `bytes` bytes.
    pub fn admit(&mut self, bytes: usize) {
        self.budget.admit(bytes);
    }

    /// Reads a side file and charges its contents to the budget of this file.
    ///
    /// The inner error is that of the side file, which the caller may ignore. The outer error is an exceeded budget,
    /// which every caller passes on.
    pub fn beside<'b, T>(
        &mut self,
        bytes: &'b [u8],
        read: impl FnOnce(&mut File<'b, BIG>) -> Result<T, ModelError>,
    ) -> Result<Result<T, ModelError>, ModelError> {
        let mut beside = File { bytes, budget: self.budget.clone(), warnings: Vec::new(), dialect: self.dialect };
        let result = read(&mut beside);
        self.budget = beside.budget;
        match result {
            Err(error) if matches!(error.problem, ModelProblem::LimitExceeded(_)) => Err(error),
            result => Ok(result),
        }
    }

    /// Returns a name, charged to the budget.
    pub fn name(&mut self, section: &'static str, offset: usize, bytes: &[u8]) -> Result<Name, ModelError> {
        self.charge(section, offset, Name::memory_of(bytes))?;
        Ok(Name::new(bytes))
    }

    /// Adds a warning about a repair.
    pub fn warn(&mut self, section: &'static str, offset: usize, fixup: Fixup) {
        let warning = ModelWarning { section, offset, fixup };
        warning.add_to(&mut self.warnings, self.budget.limits.warnings);
    }

    /// Returns a usable frame rate, poses per second, and adds a warning if it differs from `rate`.
    ///
    /// In DarkPlaces animations without a usable rate stand still (difference 51).
    pub fn rate(&mut self, section: &'static str, offset: usize, rate: f32) -> f32 {
        if rate.is_normal() && rate > 0.0 {
            return rate;
        }
        if self.dialect == Dialect::DarkPlaces {
            return 0.0;
        }
        self.warn(section, offset, Fixup::NoRate);
        Animation::DEFAULT_RATE
    }

    /// Adds a warning about `count` non-finite values, unless `count` is 0.
    pub fn warn_not_finite(&mut self, section: &'static str, offset: usize, count: usize) {
        if count > 0 {
            self.warn(section, offset, Fixup::NotFinite(count));
        }
    }

    /// Adds a warning about the number of vertices that lost influences, if there are any.
    pub fn warn_cut_influences(&mut self, section: &'static str, offset: usize, count: usize) {
        if count > 0 {
            self.warn(section, offset, Fixup::CutInfluences(count));
        }
    }
}

/// Unread rest of a table. The cursor tracks its position in the file.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a, const BIG: bool = false> {
    section: &'static str,
    offset: usize,
    bytes: &'a [u8],
}

impl<'a, const BIG: bool> Cursor<'a, BIG> {
    /// Returns the position in the file, bytes.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the cursor under the name of another section.
    pub fn in_section(self, section: &'static str) -> Self {
        Self { section, ..self }
    }

    /// Returns all unread bytes without reading them.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// Reads `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], ModelError> {
        let Some((taken, rest)) = self.bytes.split_at_checked(count) else {
            return Err(self.error(ModelProblem::PastEnd { needed: count as u64, available: self.bytes.len() }));
        };
        self.bytes = rest;
        self.offset += count;
        Ok(taken)
    }

    /// Reads a number or an array of numbers.
    pub fn get<T: Scalar>(&mut self) -> Result<T, ModelError> {
        Ok(T::parse::<BIG>(self.take(T::SIZE)?))
    }

    /// Reads a number that must lie in `range`.
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

    /// Returns the unread rest as records of `size` bytes each, without an incomplete record at the end.
    pub fn records(self, size: usize) -> impl ExactSizeIterator<Item = Self> {
        self.bytes.chunks_exact(size.max(1)).enumerate().map(move |(i, bytes)| Self {
            section: self.section,
            offset: self.offset + i * size,
            bytes,
        })
    }

    /// Returns the error of `problem` at the current position.
    pub fn error(&self, problem: ModelProblem) -> ModelError {
        ModelError::new(self.section, self.offset, problem)
    }
}

/// Block of NUL-terminated strings that records refer to by offset.
#[derive(Clone, Copy)]
pub(super) struct Text<'a>(pub &'a [u8]);

impl<'a> Text<'a> {
    /// Returns the string at `offset`, up to its NUL or the end of the block; `None` for an offset outside the block.
    pub fn at(&self, offset: u32) -> Option<&'a [u8]> {
        let rest = self.0.get(offset as usize..).filter(|rest| !rest.is_empty())?;
        rest.split(|&b| b == 0).next()
    }

    /// Returns `true` if the string at `offset` is `name`, ignoring ASCII case. Unlike [`at`](Self::at) it never
    /// examines more bytes than the name has.
    pub fn is(&self, offset: u32, name: &[u8]) -> bool {
        let rest = self.0.get(offset as usize..).unwrap_or_default();
        let (found, after) = rest.split_at_checked(name.len()).unwrap_or((rest, &[]));
        found.eq_ignore_ascii_case(name) && matches!(after, [] | [0, ..])
    }
}

/// Replaces non-finite values with zero and counts them in `bad`.
#[inline]
pub(super) fn finite_or_zero(values: &mut [f32], bad: &mut usize) {
    for value in values {
        if !value.is_finite() {
            *value = 0.0;
            *bad += 1;
        }
    }
}

/// Returns the identity in place of a non-finite matrix and counts it in `bad`.
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
