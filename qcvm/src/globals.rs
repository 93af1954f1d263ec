//! The globals of a machine.

use std::ops::Range;

use super::MAX_GLOBALS;

/// How many globals the table has room for, a power of two.
const ROOM: usize = (MAX_GLOBALS as usize).next_power_of_two();
/// The bits that an operand may have.
const MASK: u32 = ROOM as u32 - 1;
/// Three words can be read and written from any global on.
const SIZE: usize = ROOM + 2;

/// The globals of a machine, in a table that is as large for the smallest progs as for the largest.
///
/// So no operand can be outside of it, and the interpreter's loop, whose operands were checked when the progs was loaded,
/// need not look again at each access. Where the system gives memory when it is first used, what the progs does not use
/// of the table mostly takes none.
pub(super) struct Globals {
    table: Box<[u32; SIZE]>,
    count: usize,
}

impl Globals {
    /// With these values; what there are more than [`MAX_GLOBALS`] is left out.
    pub(super) fn new(values: &[u32]) -> Self {
        let mut table: Box<[u32; SIZE]> = bytemuck::zeroed_box();
        let count = values.len().min(MAX_GLOBALS as usize);
        for (word, value) in table.iter_mut().zip(values.iter().take(count)) {
            *word = *value;
        }
        Globals { table, count }
    }

    /// Those that the progs has.
    pub(super) fn as_slice(&self) -> &[u32] {
        self.table.get(..self.count).unwrap_or_default()
    }

    /// Those that the progs has, to write.
    pub(super) fn as_mut_slice(&mut self) -> &mut [u32] {
        self.table.get_mut(..self.count).unwrap_or_default()
    }

    /// A run of them; what is not there is left out.
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

    /// Copies words, one after the other: from the first of each pair to the second.
    #[inline(always)]
    pub(super) fn copy(&mut self, mut copies: &[[u16; 2]]) {
        let table = &mut *self.table;
        let mut copy = |&[from, to]: &[u16; 2]| table[usize::from(to)] = table[usize::from(from)];
        // Most calls have few arguments, so that a loop would cost more than what it does.
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
