//! Globals of a machine.

use std::ops::Range;

use super::MAX_GLOBALS;

/// Number of globals that the table has room for, a power of two.
const ROOM: usize = (MAX_GLOBALS as usize).next_power_of_two();
/// Mask of the bits that an operand may have.
const MASK: u32 = ROOM as u32 - 1;
/// Length of the table: any global can be read and written as three words.
const SIZE: usize = ROOM + 2;

/// Globals of a machine, in a table of the same size for every progs.
///
/// No operand can be outside of the table. The interpreter's loop, whose operands were checked when the progs was
/// loaded, therefore accesses it without further checks. Most systems provide memory when it is first used, so the
/// unused part of the table takes none.
pub(super) struct Globals {
    table: Box<[u32; SIZE]>,
    count: usize,
}

impl Globals {
    /// Creates globals with these values; those beyond [`MAX_GLOBALS`] are left out.
    pub(super) fn new(values: &[u32]) -> Self {
        let mut table: Box<[u32; SIZE]> = bytemuck::zeroed_box();
        let count = values.len().min(MAX_GLOBALS as usize);
        for (word, value) in table.iter_mut().zip(values.iter().take(count)) {
            *word = *value;
        }
        Globals { table, count }
    }

    /// Returns the globals of the progs.
    pub(super) fn as_slice(&self) -> &[u32] {
        self.table.get(..self.count).unwrap_or_default()
    }

    /// Returns the globals of the progs for writing.
    pub(super) fn as_mut_slice(&mut self) -> &mut [u32] {
        self.table.get_mut(..self.count).unwrap_or_default()
    }

    /// Returns a range of the globals, empty if it is out of range.
    pub(super) fn run(&mut self, run: Range<usize>) -> &mut [u32] {
        self.as_mut_slice().get_mut(run).unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn word(&self, index: u32) -> u32 {
        self.table[(index & MASK) as usize]
    }

    #[inline(always)]
    pub(super) fn set_word(&mut self, index: u32, bits: u32) {
        self.table[(index & MASK) as usize] = bits;
    }

    #[inline(always)]
    pub(super) fn words(&self, index: u32) -> [u32; 3] {
        let first = (index & MASK) as usize;
        [self.table[first], self.table[first + 1], self.table[first + 2]]
    }

    #[inline(always)]
    pub(super) fn set_words(&mut self, index: u32, [x, y, z]: [u32; 3]) {
        let first = (index & MASK) as usize;
        self.table[first] = x;
        self.table[first + 1] = y;
        self.table[first + 2] = z;
    }

    /// Copies words one after the other, from the first global of each pair to the second.
    #[inline(always)]
    pub(super) fn copy(&mut self, mut copies: &[[u16; 2]]) {
        let table = &mut *self.table;
        let mut copy = |&[from, to]: &[u16; 2]| table[usize::from(to)] = table[usize::from(from)];
        // Most calls have few arguments, for which a loop would cost more than the copies.
        while let [a, b, c, d, rest @ ..] = copies {
            copy(a);
            copy(b);
            copy(c);
            copy(d);
            copies = rest;
        }
        if let [a, b, rest @ ..] = copies {
            copy(a);
            copy(b);
            copies = rest;
        }
        if let [a, ..] = copies {
            copy(a);
        }
    }
}

impl std::fmt::Debug for Globals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Globals").field("count", &self.count).finish_non_exhaustive()
    }
}
