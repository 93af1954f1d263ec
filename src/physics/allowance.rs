//! Memory, triangles and work that reading a level may still cost.

use crate::limits::{Budget, LimitExceeded, Limits};

/// Steps of work that any file may cost, and for each of its bytes. A step takes some nanoseconds; real levels need less
/// than two for each byte.
const FREE_WORK: u64 = 1 << 24;
const WORK_PER_BYTE: u64 = 64;

/// Steps of work that a mesh of the host's own may cost.
const HOST_WORK: u64 = 1 << 30;

/// Memory, triangles and work that are left to spend.
pub(super) struct Allowance {
    memory: Budget,
    triangles: usize,
    work: u64,
    most_work: u64,
}

impl Allowance {
    /// Returns the allowance of a file of `bytes` bytes.
    pub fn of_file(bytes: usize, limits: &Limits) -> Self {
        let most_work = WORK_PER_BYTE.saturating_mul(bytes as u64).saturating_add(FREE_WORK);
        Self { memory: limits.budget(bytes), triangles: 0, work: 0, most_work }
    }

    /// Returns the allowance of a mesh that comes from no file.
    pub fn of_host() -> Self {
        Self { memory: Limits::DEFAULT.budget(usize::MAX), triangles: 0, work: 0, most_work: HOST_WORK }
    }

    /// Returns the maximum number of warnings.
    pub fn warnings(&self) -> u32 {
        self.memory.limits.warnings
    }

    /// Spends memory, bytes.
    pub fn memory(&mut self, bytes: u64) -> Result<(), LimitExceeded> {
        self.memory.spend(bytes)
    }

    /// Spends one triangle.
    pub fn triangle(&mut self) -> Result<(), LimitExceeded> {
        self.triangles += 1;
        Limits::check("triangles", self.triangles, self.memory.limits.triangles)
    }

    /// Spends steps of work.
    pub fn work(&mut self, steps: u64) -> Result<(), LimitExceeded> {
        self.work = self.work.saturating_add(steps);
        if self.work > self.most_work {
            return Err(LimitExceeded { limit: "steps of work", needed: self.work, allowed: self.most_work });
        }
        Ok(())
    }
}
