//! Bounds-checked reading of lumps: tables of records of one size.

use glam::Vec3;

use super::bsp_error::{BspError, BspProblem};
use crate::limits::LimitExceeded;
use crate::out_of_range::FARTHEST;

/// Tables of a file, little endian.
#[derive(Clone, Copy)]
pub(super) struct File<'a> {
    pub bytes: &'a [u8],
    /// Offset of the lump directory.
    pub directory: usize,
}

impl<'a> File<'a> {
    /// Returns a lump by its position in the directory, as records of `size` bytes. The offset of an empty lump is not
    /// checked.
    pub fn lump(&self, number: usize, name: &'static str, size: usize) -> Result<Lump<'a>, BspError> {
        let at = self.directory + 8 * number;
        let Some(entry) = self.bytes.get(at..at + 8).map(Record) else {
            return Err(past_end("header", at, 8, self.bytes.len()));
        };
        let (offset, length) = (entry.u32(0) as usize, entry.u32(4) as usize);
        if length == 0 {
            return Ok(Lump { name, offset, size, bytes: &[] });
        }
        let rest = self.bytes.get(offset..).unwrap_or_default();
        let Some(bytes) = rest.get(..length) else { return Err(past_end(name, offset, length, rest.len() + offset)) };
        if length % size != 0 {
            let problem = BspProblem::NotWhole { length, record: size };
            return Err(BspError::new(name, 0, offset, problem));
        }
        Ok(Lump { name, offset, size, bytes })
    }

    /// Returns the offset of the end of the directory's last lump.
    pub fn end_of_lumps(&self, count: usize) -> usize {
        let directory = self.bytes.get(self.directory..).unwrap_or_default();
        let entries = directory.chunks_exact(8).take(count).map(Record);
        entries.map(|entry| (entry.u32(0) as usize).saturating_add(entry.u32(4) as usize)).max().unwrap_or(0)
    }
}

fn past_end(lump: &'static str, offset: usize, needed: usize, available: usize) -> BspError {
    let available = available.saturating_sub(offset) as u64;
    BspError::new(lump, 0, offset, BspProblem::PastEnd { needed: needed as u64, available })
}

/// Table of records.
#[derive(Clone, Copy)]
pub(super) struct Lump<'a> {
    name: &'static str,
    offset: usize,
    size: usize,
    bytes: &'a [u8],
}

impl<'a> Lump<'a> {
    /// Returns the number of records.
    pub fn len(&self) -> usize {
        debug_assert!(self.bytes.len().is_multiple_of(self.size), "a lump has whole records");
        self.bytes.len() / self.size
    }

    /// Returns the bytes of all records.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub fn get(&self, record: usize) -> Option<Record<'a>> {
        let start = record.checked_mul(self.size)?;
        self.bytes.get(start..start.checked_add(self.size)?).map(Record)
    }

    pub fn records(&self) -> impl ExactSizeIterator<Item = Record<'a>> + use<'a> {
        self.bytes.chunks_exact(self.size).map(Record)
    }

    /// Returns the error of a record.
    pub fn error(&self, record: usize, problem: BspProblem) -> BspError {
        BspError::new(self.name, record, self.offset.saturating_add(record.saturating_mul(self.size)), problem)
    }

    /// Adds the position of the record to the error of a limit.
    pub fn within<T>(&self, record: usize, spent: Result<T, LimitExceeded>) -> Result<T, BspError> {
        spent.map_err(|exceeded| self.error(record, BspProblem::LimitExceeded(exceeded)))
    }

    /// Checks that an index in a record refers to something that exists.
    pub fn index(&self, record: usize, field: &'static str, found: i64, count: usize) -> Result<usize, BspError> {
        match usize::try_from(found) {
            Ok(index) if index < count => Ok(index),
            _ => Err(self.error(record, BspProblem::OutOfRange { field, found, count })),
        }
    }

    /// Checks that a range in a record lies inside the table that it refers to.
    pub fn run(
        &self,
        record: usize,
        field: &'static str,
        (first, number): (i64, i64),
        count: usize,
    ) -> Result<std::ops::Range<usize>, BspError> {
        let end = first.saturating_add(number);
        match (usize::try_from(first), usize::try_from(number), usize::try_from(end)) {
            (Ok(first), Ok(_), Ok(end)) if end <= count => Ok(first..end),
            _ => Err(self.error(record, BspProblem::OutOfRange { field, found: end, count })),
        }
    }

    /// Reads three floats of a record as a position in a level.
    pub fn place(&self, number: usize, field: &'static str, record: Record<'_>, at: usize) -> Result<Vec3, BspError> {
        let place = record.vec3(at);
        if place.is_finite() && place.abs().max_element() <= FARTHEST {
            Ok(place)
        } else {
            Err(self.error(number, BspProblem::NotFinite { field }))
        }
    }
}

/// Record of a table; bytes past its end are treated as zero.
#[derive(Clone, Copy)]
pub(super) struct Record<'a>(pub &'a [u8]);

impl Record<'_> {
    fn array<const N: usize>(self, at: usize) -> [u8; N] {
        self.0.get(at..).and_then(|rest| rest.first_chunk().copied()).unwrap_or([0; N])
    }

    pub fn u16(self, at: usize) -> u16 {
        u16::from_le_bytes(self.array(at))
    }

    pub fn u32(self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    pub fn i32(self, at: usize) -> i32 {
        i32::from_le_bytes(self.array(at))
    }

    pub fn f32(self, at: usize) -> f32 {
        f32::from_le_bytes(self.array(at))
    }

    pub fn vec3(self, at: usize) -> Vec3 {
        Vec3::new(self.f32(at), self.f32(at + 4), self.f32(at + 8))
    }
}
