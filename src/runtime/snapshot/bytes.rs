//! Snapshots as bytes: a magic number, the version, a checksum, and the compressed state.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `SKELSNAP` |
//! | 1 | length of the version |
//! | 0 to 255 | version, text |
//! | 8 | length of the state, little endian |
//! | 8 | length of the blocks, little endian |
//! | 4 | CRC-32 of the blocks, little endian |
//! | | state, encoded by postcard, in LZ4 blocks |
//!
//! A block consists of its compressed length, 4 bytes, little endian, and of 65,534 compressed bytes of the state; the
//! last block has the rest.

use lz4_flex::block::{CompressTable, compress_into_with_table, decompress_into, get_maximum_output_size};

use super::state::State;
use super::{Snapshot, SnapshotError};

const MAGIC: &[u8; 8] = b"SKELSNAP";

/// Number of the layout: any change of the state that is saved raises it.
const LAYOUT: u32 = 15;

/// Returns the version of the layout of snapshots, which depends on this crate and on rapier's sets.
fn version() -> String {
    format!("skelobj {}, rapier {}, layout {LAYOUT}", env!("CARGO_PKG_VERSION"), rapier3d::VERSION)
}

impl Snapshot {
    /// Encodes the snapshot as bytes, for a save file or another process.
    ///
    /// Bytes of the same state are equal on every machine, so peers may compare their hashes.
    ///
    /// ```
    /// let (runtime, _) = skelobj::assets::mannequin_runtime();
    /// let bytes = runtime.snapshot().to_bytes()?;
    /// assert!(bytes.starts_with(b"SKELSNAP"));
    /// assert_eq!(bytes, runtime.snapshot().to_bytes()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SnapshotError::Inconsistent`] if the host left the physics world in a state that
    /// [`from_bytes`](Self::from_bytes) would refuse.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SnapshotError> {
        if let Some(part) = self.0.fault() {
            return Err(SnapshotError::Inconsistent { part: part.name() });
        }
        let not_encodable = |_| SnapshotError::Inconsistent { part: "numbers" };
        let state = postcard::to_allocvec(&self.0).map_err(not_encodable)?;
        let version = version();
        let blocks = compress(&state).ok_or(SnapshotError::Inconsistent { part: "numbers" })?;
        let mut bytes = Vec::with_capacity(MAGIC.len() + 1 + version.len() + 20 + blocks.len());
        bytes.extend_from_slice(MAGIC);
        bytes.push(u8::try_from(version.len()).map_err(|_| SnapshotError::Inconsistent { part: "version" })?);
        bytes.extend_from_slice(version.as_bytes());
        bytes.extend_from_slice(&(state.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&(blocks.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(&blocks).to_le_bytes());
        bytes.extend_from_slice(&blocks);
        Ok(bytes)
    }

    /// Decodes a snapshot from bytes.
    ///
    /// ```
    /// use skelobj::runtime::{Snapshot, SnapshotError};
    /// let (runtime, _) = skelobj::assets::mannequin_runtime();
    /// let bytes = runtime.snapshot().to_bytes()?;
    /// let snapshot = Snapshot::from_bytes(&bytes)?;
    /// assert!(snapshot.models().eq(["mannequin.iqm"]));
    /// assert!(matches!(Snapshot::from_bytes(&bytes[..100]), Err(SnapshotError::Truncated { found: 100, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SnapshotError::NotASnapshot`], [`SnapshotError::Truncated`], [`SnapshotError::Damaged`],
    /// [`SnapshotError::OtherVersion`], [`SnapshotError::Inconsistent`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let mut reader = Reader { bytes, at: 0 };
        let magic = bytes.get(..MAGIC.len()).unwrap_or(bytes);
        if !MAGIC.starts_with(magic) || bytes.is_empty() {
            return Err(SnapshotError::NotASnapshot);
        }
        reader.take(MAGIC.len())?;
        let [length] = reader.array()?;
        let found = reader.take(usize::from(length))?;
        if found != version().as_bytes() {
            let found = String::from_utf8_lossy(found).into_owned();
            return Err(SnapshotError::OtherVersion { found, expected: version() });
        }
        let length = u64::from_le_bytes(reader.array()?);
        let blocks_length = u64::from_le_bytes(reader.array()?);
        let checksum = u32::from_le_bytes(reader.array()?);
        // A length that does not fit into a usize is longer than these bytes.
        let blocks = reader.take(usize::try_from(blocks_length).unwrap_or(usize::MAX))?;
        if reader.at < bytes.len() || crc32fast::hash(blocks) != checksum {
            return Err(SnapshotError::Damaged);
        }
        let state = decompress(blocks, length).ok_or(SnapshotError::Damaged)?;
        let (state, rest): (State, _) = postcard::take_from_bytes(&state).map_err(|_| SnapshotError::Damaged)?;
        if !rest.is_empty() {
            return Err(SnapshotError::Damaged);
        }
        if let Some(part) = state.fault() {
            return Err(SnapshotError::Inconsistent { part: part.name() });
        }
        Ok(Self(state))
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], SnapshotError> {
        let expected = self.at.saturating_add(count);
        let taken = self.bytes.get(self.at..expected);
        self.at = expected;
        taken.ok_or(SnapshotError::Truncated { expected, found: self.bytes.len() })
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| SnapshotError::Damaged)
    }
}

/// Bytes in a block. From 65,535 on, `lz4_flex` compresses differently on machines of 32 and 64 bits.
const BLOCK: usize = 65_534;

/// Most bytes that one byte of an LZ4 block can stand for.
const MAX_EXPANSION: u64 = 255;

/// Compresses bytes; the result is the same on every machine.
pub(super) fn compress(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut table = CompressTable::small();
    let mut buffer = vec![0; get_maximum_output_size(BLOCK)];
    let mut blocks = Vec::with_capacity(bytes.len() / 2);
    for block in bytes.chunks(BLOCK) {
        let length = compress_into_with_table(block, &mut buffer, &mut table).ok()?;
        blocks.extend_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
        blocks.extend_from_slice(buffer.get(..length)?);
    }
    Some(blocks)
}

/// Decompresses blocks that must become `length` bytes. An impossible length allocates no memory.
pub(super) fn decompress(mut blocks: &[u8], length: u64) -> Option<Vec<u8>> {
    if length > (blocks.len() as u64).saturating_mul(MAX_EXPANSION) {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    for block in bytes.chunks_mut(BLOCK) {
        let (length, rest) = blocks.split_first_chunk()?;
        let (compressed, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        if decompress_into(compressed, block).ok()? != block.len() {
            return None;
        }
        blocks = rest;
    }
    blocks.is_empty().then_some(bytes)
}
