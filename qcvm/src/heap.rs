//! Memory that scripts allocate, and what their tables, buffers and open files may hold.

use std::collections::BTreeMap;

use super::address;
use super::fault::Fault;
use super::machine::Machine;
use super::values::UNITS_A_STATEMENT;

/// Bytes that a block counts in addition to its words.
const BLOCK: usize = 64;
/// Maximum number of words that have addresses.
const MAX_WORDS: u32 = 1 << 24;
/// Blocks that are passed in the time of one statement.
const BLOCKS_A_STATEMENT: u64 = 4;

/// Blocks of memory that scripts have allocated.
#[derive(Debug, Default)]
pub(super) struct Heap {
    words: Vec<u32>,
    /// Number of words of each block, by the first one.
    blocks: BTreeMap<u32, u32>,
    /// Bytes that are in use, here and in the tables, buffers and files of the script.
    used: usize,
}

impl Heap {
    /// Returns all words, for the search for handles of strings.
    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }

    /// Returns the words from one to the end of its block.
    pub(super) fn run(&self, index: u32) -> Option<&[u32]> {
        self.words.get(index as usize..self.end_of_block(index)?)
    }

    pub(super) fn run_mut(&mut self, index: u32) -> Option<&mut [u32]> {
        let end = self.end_of_block(index)?;
        self.words.get_mut(index as usize..end)
    }

    /// Returns the end of the block that a word belongs to.
    fn end_of_block(&self, index: u32) -> Option<usize> {
        let (first, words) = self.blocks.range(..=index).next_back()?;
        (index - first < *words).then_some((first + words) as usize)
    }

    /// Returns the end of the last block.
    fn end(&self) -> u32 {
        self.blocks.last_key_value().map_or(0, |(first, words)| first + words)
    }

    /// Finds room for a block among `most` words: behind the last block, else in the first gap. Returns the place and
    /// the number of blocks passed.
    fn room(&self, words: u32, most: u32) -> (Option<u32>, u64) {
        let end = self.end();
        if words <= most.saturating_sub(end) {
            return (Some(end), 1);
        }
        let (mut free, mut passed) = (0, 0);
        for (first, length) in &self.blocks {
            passed += 1;
            if first - free >= words {
                return (Some(free), passed);
            }
            free = first + length;
        }
        (None, passed)
    }
}

impl Machine {
    /// Counts bytes that a script is about to hold.
    pub(super) fn reserve(&mut self, bytes: usize) -> Result<(), Fault> {
        let used = self.heap.used.saturating_add(bytes);
        if used > self.limits.memory_bytes {
            return Err(Fault::NoMemory);
        }
        self.heap.used = used;
        Ok(())
    }

    /// Counts bytes that a script no longer holds.
    pub(super) fn release(&mut self, bytes: usize) {
        self.heap.used = self.heap.used.saturating_sub(bytes);
    }

    /// Allocates a block of zeros; returns its address.
    pub(super) fn allocate(&mut self, bytes: u32) -> Result<u32, Fault> {
        let words = bytes.div_ceil(4).max(1);
        self.charge(u64::from(words) / UNITS_A_STATEMENT)?;
        let most = u32::try_from(self.limits.memory_bytes / 4).unwrap_or(u32::MAX).min(MAX_WORDS);
        let (place, passed) = self.heap.room(words, most);
        self.charge(passed / BLOCKS_A_STATEMENT)?;
        let first = place.ok_or(Fault::NoMemory)?;
        self.reserve(BLOCK + 4 * words as usize)?;
        let end = (first + words) as usize;
        if self.heap.words.len() < end {
            self.heap.words.resize(end, 0);
        }
        self.heap.words.get_mut(first as usize..end).unwrap_or_default().fill(0);
        self.heap.blocks.insert(first, words);
        Ok(address::HEAP + 4 * first)
    }

    /// Frees a block by its address; returns its number of bytes.
    pub(super) fn free(&mut self, address: u32) -> Result<u32, Fault> {
        let words = self.block(address)?;
        self.heap.blocks.remove(&((address - address::HEAP) / 4));
        self.release(BLOCK + 4 * words as usize);
        self.heap.words.truncate(self.heap.end() as usize);
        Ok(4 * words)
    }

    /// Returns the number of words of the block that begins at an address.
    pub(super) fn block(&self, address: u32) -> Result<u32, Fault> {
        let offset = address.checked_sub(address::HEAP).filter(|offset| offset.is_multiple_of(4));
        let words = offset.and_then(|offset| self.heap.blocks.get(&(offset / 4)));
        words.copied().ok_or(Fault::BadPointer { address, write: true })
    }

    /// Returns the number of bytes that the script holds in blocks, tables, buffers and open files, as counted in
    /// [`Limits::memory_bytes`](crate::Limits::memory_bytes).
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// assert_eq!(Machine::new(progs.into()).memory_usage(), 0); // the game allocates nothing
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn memory_usage(&self) -> usize {
        self.heap.used
    }
}
