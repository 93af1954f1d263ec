//! LZ4 blocks.

use lz4_flex::block::{CompressTable, compress_into_with_table, decompress_into, get_maximum_output_size};

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
