//! Strings made at run time: permanent ones live as long as the machine, temporary ones until nothing refers to them.

use super::fault::Fault;
use std::collections::HashMap;

/// Lowest handle of allocated strings; smaller handles are offsets in the progs' string pool.
pub(super) const ALLOCATED: u32 = 0x8000_0000;
/// Number of bytes that a string counts in addition to its text, so that empty and short strings are also limited.
const OVERHEAD: usize = 32;
/// Minimum number of new strings between two collections.
const MIN_STRINGS: usize = 4096;
/// Minimum number of bytes of new strings between two collections.
const MIN_BYTES: usize = 1 << 20;

#[derive(Debug, Default)]
enum Slot {
    #[default]
    Free,
    Static(Box<[u8]>),
    Temporary {
        text: Box<[u8]>,
        marked: bool,
    },
}

/// Allocated strings of a machine.
///
/// Temporary strings are freed by mark and sweep, as in FTE: any word of a global, entity or saved local that looks
/// like a string's handle keeps the string. No handle is reused while reachable memory holds it.
#[derive(Debug, Default)]
pub(super) struct Strings {
    slots: Vec<Slot>,
    free: Vec<u32>,
    interned: HashMap<Box<[u8]>, u32>,
    bytes: usize,
    limit: usize,
    /// Number of new strings allowed before a collection is due.
    strings_left: usize,
    /// Number of bytes of new strings allowed before a collection is due.
    bytes_left: usize,
    due: bool,
}

impl Strings {
    pub(super) fn new(limit: usize) -> Self {
        // Slot 0 stays free: its handle is the bit pattern of -0.0.
        let slots = vec![Slot::Free];
        Strings { slots, limit, strings_left: MIN_STRINGS, bytes_left: MIN_BYTES.min(limit / 4), ..Self::default() }
    }

    /// Returns the text of an allocated string.
    pub(super) fn get(&self, handle: u32) -> Option<&[u8]> {
        match self.slots.get((handle ^ ALLOCATED) as usize)? {
            Slot::Free => None,
            Slot::Static(text) | Slot::Temporary { text, .. } => Some(text),
        }
    }

    /// Makes a temporary string and returns its handle, 0 for the empty string. The text ends at its first NUL.
    pub(super) fn temporary(&mut self, text: &[u8]) -> Result<u32, Fault> {
        if matches!(text, [] | [0, ..]) { Ok(0) } else { self.line(text) }
    }

    /// Makes a temporary string as [`temporary`](Self::temporary) does, but an empty one has a handle, too.
    pub(super) fn line(&mut self, text: &[u8]) -> Result<u32, Fault> {
        let text = cut(text);
        self.insert(Slot::Temporary { text: text.into(), marked: false }, text.len())
    }

    /// Returns the handle of the permanent string with this text, which the first request makes.
    pub(super) fn permanent(&mut self, text: &[u8]) -> Result<u32, Fault> {
        let text = cut(text);
        if text.is_empty() {
            return Ok(0);
        }
        if let Some(&handle) = self.interned.get(text) {
            return Ok(handle);
        }
        let handle = self.insert(Slot::Static(text.into()), text.len().saturating_mul(2))?;
        self.interned.insert(text.into(), handle);
        Ok(handle)
    }

    /// Returns `true` if enough strings have been made since the last collection for another.
    pub(super) fn is_collection_due(&self) -> bool {
        self.due
    }

    /// Returns the number of strings and the bytes they count.
    pub(super) fn usage(&self) -> (usize, usize) {
        (self.slots.len() - 1 - self.free.len(), self.bytes)
    }

    /// Marks the strings whose handles are among `words`, so that the next sweep keeps them.
    pub(super) fn mark(&mut self, words: &[u32]) {
        for &word in words {
            if word > ALLOCATED
                && let Some(Slot::Temporary { marked, .. }) = self.slots.get_mut((word ^ ALLOCATED) as usize)
            {
                *marked = true;
            }
        }
    }

    /// Frees all unmarked strings and returns the number of slots visited.
    ///
    /// `scanned` is the number of words visited for marking; the more words, the less frequent the collections.
    pub(super) fn sweep(&mut self, scanned: usize) -> usize {
        for (index, slot) in (0u32..).zip(&mut self.slots) {
            match slot {
                Slot::Temporary { marked, .. } if *marked => *marked = false,
                Slot::Temporary { text, .. } => {
                    self.bytes = self.bytes.saturating_sub(text.len() + OVERHEAD);
                    *slot = Slot::Free;
                    self.free.push(index);
                }
                _ => {}
            }
        }
        self.due = false;
        let live = self.slots.len() - self.free.len();
        self.strings_left = MIN_STRINGS.max(live).max(scanned / 16);
        self.bytes_left = MIN_BYTES.max(self.bytes).min(self.limit.saturating_sub(self.bytes) / 2 + 1);
        self.slots.len()
    }

    fn insert(&mut self, slot: Slot, length: usize) -> Result<u32, Fault> {
        let cost = length.saturating_add(OVERHEAD);
        let bytes = self.bytes.checked_add(cost).filter(|&sum| sum <= self.limit).ok_or(Fault::NoStringMemory)?;
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                let index = u32::try_from(self.slots.len()).ok().filter(|&i| i < ALLOCATED);
                self.slots.push(Slot::Free);
                index.ok_or(Fault::NoStringMemory)?
            }
        };
        if let Some(place) = self.slots.get_mut(index as usize) {
            *place = slot;
        }
        self.bytes = bytes;
        self.strings_left = self.strings_left.saturating_sub(1);
        self.bytes_left = self.bytes_left.saturating_sub(cost);
        self.due = self.strings_left == 0 || self.bytes_left == 0;
        Ok(ALLOCATED | index)
    }
}

fn cut(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == 0).next().unwrap_or(text)
}
