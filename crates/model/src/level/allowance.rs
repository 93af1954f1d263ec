//! Limits of memory, triangles and work for reading a level or building a mesh.

use crate::limits::{Budget, Limit, LimitExceeded, Limits};

/// Steps of work that a file of any size may cost. A step takes some nanoseconds.
const FREE_WORK: u64 = 1 << 24;
/// Steps of work, beyond the free ones, for each byte of the file; real levels need less than one.
const WORK_PER_BYTE: u64 = 64;

/// Memory, triangles and work that are left to spend.
pub(super) struct Allowance {
    memory: Budget,
    triangles: usize,
    work: u64,
    most_work: u64,
}

impl Allowance {
    /// Creates the allowance of a file or mesh of `bytes` bytes.
    pub fn new(bytes: usize, limits: &Limits) -> Self {
        let mut allowance = Self { memory: limits.budget(0), triangles: 0, work: 0, most_work: FREE_WORK };
        allowance.admit(bytes);
        allowance
    }

    /// Adds `bytes` bytes to the size of the input, which raises the limits.
    pub fn admit(&mut self, bytes: usize) {
        self.memory.admit(bytes);
        self.most_work = self.most_work.saturating_add(WORK_PER_BYTE.saturating_mul(bytes as u64));
    }

    /// Returns the maximum number of warnings.
    pub fn warnings(&self) -> u32 {
        self.memory.limits.warnings
    }

    /// Spends memory, in bytes.
    pub fn memory(&mut self, bytes: u64) -> Result<(), LimitExceeded> {
        self.memory.spend(bytes)
    }

    /// Spends one triangle.
    pub fn triangle(&mut self) -> Result<(), LimitExceeded> {
        self.triangles += 1;
        Limits::check(Limit::Triangles, self.triangles, self.memory.limits.triangles)
    }

    /// Spends steps of work.
    pub fn work(&mut self, steps: u64) -> Result<(), LimitExceeded> {
        self.work = self.work.saturating_add(steps);
        if self.work > self.most_work {
            return Err(LimitExceeded { limit: Limit::Work, needed: self.work, allowed: self.most_work });
        }
        Ok(())
    }
}
