//! Limits of what a file may cost.

use std::fmt;

/// Limits of what a model or level file may cost its host.
///
/// The defaults let every file of the games in, and stop files that are made to exhaust memory. A file that exceeds a
/// limit is refused with a [`LimitExceeded`], which names the limit.
///
/// ```
/// use skelobj::{Limits, Model, assets};
///
/// let mut limits = Limits::default();
/// limits.bones = 16;
/// let error = Model::load_within(&limits, "mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap_err();
/// assert!(error.to_string().ends_with("needs 21 bones, the limit is 16"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of memory that the contents of a file, with those of the files beside it, may take. Default 1 GiB.
    pub memory: u64,
    /// Bytes of memory for each byte of the file and of the files beside it, beyond 32 MiB that any file may take.
    /// Default 64: two bytes of a frame may describe 48 of a matrix.
    pub memory_per_byte: u32,
    /// Bones of a model. Default 8192, which is also the largest number that a skeleton can have.
    pub bones: u32,
    /// Frames that a model stores, and samples of one glTF animation; animations that are evaluated when asked for
    /// store none. Default 1,048,576.
    pub frames: u32,
    /// Triangles of a model or level. Default 16,777,216.
    pub triangles: u32,
    /// Warnings of a model or level; further ones are counted only. Default 64.
    pub warnings: u32,
}

impl Limits {
    /// The defaults, as a constant.
    pub(crate) const DEFAULT: Self =
        Self { memory: 1 << 30, memory_per_byte: 64, bones: 8192, frames: 1 << 20, triangles: 1 << 24, warnings: 64 };

    /// Bytes of memory that every file may take, however short it is.
    const FREE: u64 = 32 << 20;

    /// Returns the budget of memory of a file of `bytes` bytes.
    pub(crate) fn budget(&self, bytes: usize) -> Budget {
        let mut budget = Budget { limits: *self, proportional: Self::FREE, spent: 0 };
        budget.admit(bytes);
        budget
    }

    /// Checks a number of bones, frames or triangles.
    pub(crate) fn check(limit: &'static str, needed: usize, allowed: u32) -> Result<(), LimitExceeded> {
        let (needed, allowed) = (needed as u64, u64::from(allowed));
        if needed <= allowed { Ok(()) } else { Err(LimitExceeded { limit, needed, allowed }) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The error of a file that needs more than a limit allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LimitExceeded {
    /// Name of the limit with its unit: "bytes of memory", "bones", "frames", "triangles"; for levels "steps of work",
    /// "shapes of level bodies", "overlaps of level shapes"; for a runtime "bones of objects".
    pub limit: &'static str,
    /// Amount that the file needs, as far as it was read.
    pub needed: u64,
    /// Amount that is allowed.
    pub allowed: u64,
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "needs {} {}, the limit is {}", self.needed, self.limit, self.allowed)
    }
}

impl std::error::Error for LimitExceeded {}

/// Memory that a file may still take.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    pub limits: Limits,
    /// Bytes of memory in proportion to the files.
    proportional: u64,
    spent: u64,
}

impl Budget {
    /// Counts a file beside the one being read as part of it.
    pub fn admit(&mut self, bytes: usize) {
        let more = u64::from(self.limits.memory_per_byte).saturating_mul(bytes as u64);
        self.proportional = self.proportional.saturating_add(more);
    }

    /// Spends memory before it is allocated.
    pub fn spend(&mut self, bytes: u64) -> Result<(), LimitExceeded> {
        let needed = self.spent.saturating_add(bytes);
        let allowed = self.proportional.min(self.limits.memory);
        if needed > allowed {
            return Err(LimitExceeded { limit: "bytes of memory", needed, allowed });
        }
        self.spent = needed;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_grows_with_its_files_up_to_the_limit() {
        let limits = Limits { memory: 40 << 20, ..Limits::default() };
        let mut budget = limits.budget(10);
        assert!(budget.spend((32 << 20) + 640).is_ok());
        let exceeded = LimitExceeded { limit: "bytes of memory", needed: (32 << 20) + 641, allowed: (32 << 20) + 640 };
        assert_eq!(budget.spend(1), Err(exceeded));
        budget.admit(1);
        assert!(budget.spend(64).is_ok());
        budget.admit(usize::MAX);
        assert_eq!(budget.spend(u64::MAX).unwrap_err().allowed, 40 << 20);
    }
}
