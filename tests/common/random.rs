//! Random numbers that are the same in every run.

/// Marsaglia's xorshift; the seed is not 0.
pub struct Random(pub u64);

impl Random {
    /// Returns a number from 0 to below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    /// Returns an element of a list that is not empty.
    pub fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
