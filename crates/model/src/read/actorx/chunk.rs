//! Chunks of an ActorX file.

use super::super::cursor::{Cursor, File};
use crate::model::{Fixup, ModelError, ModelProblem};

/// Size of a chunk's header, bytes.
const HEADER: usize = 32;
/// Size of a chunk's name, bytes.
const ID: usize = 20;

/// Records of a chunk.
#[derive(Clone, Copy)]
pub(super) struct Chunk<'a> {
    id: &'a [u8],
    record_size: usize,
    count: u32,
    data: Cursor<'a>,
}

impl<'a> Chunk<'a> {
    pub(super) fn is(&self, id: &str) -> bool {
        self.id == id.as_bytes()
    }

    /// Returns the position of the first record, bytes.
    pub(super) fn offset(&self) -> usize {
        self.data.offset()
    }

    /// Returns the records; `None` if they have another size.
    pub(super) fn of_size(&self, size: usize) -> Option<Records<'a>> {
        (self.count == 0 || self.record_size == size).then_some(Records {
            count: self.count,
            data: Some(self.data),
            size,
        })
    }
}

/// Returns all chunks of a file, known or not. A rest at the end that is too short for a chunk is dropped.
pub(super) fn chunks<'a>(file: &mut File<'a>) -> Result<Vec<Chunk<'a>>, ModelError> {
    let mut chunks = Vec::new();
    let mut at = 0;
    while file.len() - at >= HEADER {
        let mut header = file.table("chunk", at as u32, 1, HEADER)?;
        let id = header.take(ID)?.split(|&b| b == 0).next().unwrap_or_default();
        let _version = header.get::<i32>()?;
        let most = 0..=i64::from(i32::MAX);
        let record_size = header.ranged::<u32>("record size", most.clone())?;
        let count = header.ranged::<u32>("number of records", most)?;
        at += HEADER;
        let data = file.table(section(id), at as u32, count, record_size as usize)?;
        at += data.rest().len();
        chunks.push(Chunk { id, record_size: record_size as usize, count, data });
    }
    if at < file.len() {
        file.warn("chunk", at, Fixup::Dropped("a remainder too short for a chunk"));
    }
    Ok(chunks)
}

/// Returns the name of a chunk for errors.
fn section(id: &[u8]) -> &'static str {
    const KNOWN: [&str; 12] = [
        "PNTS0000",
        "VTXW0000",
        "FACE0000",
        "FACE3200",
        "MATT0000",
        "REFSKELT",
        "RAWWEIGHTS",
        "BONENAMES",
        "ANIMINFO",
        "ANIMKEYS",
        "SCALEKEYS",
        "VTXNORMS",
    ];
    KNOWN.into_iter().find(|known| known.as_bytes() == id).unwrap_or("chunk")
}

/// Returns the records of the first chunk of that name, which must have `size` bytes each; none without such a chunk.
pub(super) fn records<'a>(chunks: &[Chunk<'a>], id: &'static str, size: usize) -> Result<Records<'a>, ModelError> {
    let Some(chunk) = chunks.iter().find(|chunk| chunk.is(id)) else {
        return Ok(Records { count: 0, data: None, size });
    };
    let (found, expected) = (chunk.record_size as i64, size as i64);
    let mismatch = ModelProblem::Mismatch { field: "record size", found, expected };
    chunk.of_size(size).ok_or_else(|| chunk.data.error(mismatch))
}

/// Records of the expected size.
#[derive(Clone, Copy)]
pub(super) struct Records<'a> {
    /// Number of records.
    pub count: u32,
    data: Option<Cursor<'a>>,
    size: usize,
}

impl<'a> Records<'a> {
    /// Returns `true` if the file has such a chunk, even an empty one.
    pub fn is_present(&self) -> bool {
        self.data.is_some()
    }

    /// Returns the position of the first record, bytes.
    pub fn offset(&self) -> usize {
        self.data.map_or(0, |data| data.offset())
    }

    /// Returns a cursor for each record.
    pub fn iter(self) -> impl Iterator<Item = Cursor<'a>> {
        self.data.into_iter().flat_map(move |data| data.records(self.size))
    }
}
