//! Limits on the memory and the contents of files.

use std::fmt;

/// Limits on the memory and the contents of a model or level file.
///
/// The defaults accept every file of the supported games and refuse files made to exhaust memory. Loading a file that
/// exceeds a limit fails with [`LimitExceeded`], which names the limit.
/// [`LoadOptions`](crate::LoadOptions) contain limits, and so do the settings of a `Runtime`.
///
/// ```
/// use skelobj::{LoadOptions, Model, assets};
///
/// let mut options = LoadOptions::default();
/// options.limits.bones = 16;
/// let error = Model::load_with(&options, "mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap_err();
/// assert!(error.to_string().ends_with("needs 21 bones, the limit is 16"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Limits {
    /// Maximum memory for the contents of a file and its side files, bytes. Default 1 GiB.
    pub memory: u64,
    /// Maximum memory per byte of the file and its side files, bytes, in addition to 32 MiB that any file may take.
    /// Default 64: two bytes of a frame may describe the 48 bytes of a matrix.
    pub memory_per_byte: u32,
    /// Maximum number of bones of a model. Default 8192, which is also the maximum for a skeleton.
    pub bones: u32,
    /// Maximum number of frames of a model, and of samples of one glTF animation. Evaluated animations store no
    /// frames. Default 1,048,576.
    pub frames: u32,
    /// Maximum number of triangles of a model or level. Default 16,777,216.
    pub triangles: u32,
    /// Maximum number of stored warnings of a model or level; further warnings are only counted. Default 64.
    pub warnings: u32,
}

impl Limits {
    /// Default limits.
    pub(crate) const DEFAULT: Self =
        Self { memory: 1 << 30, memory_per_byte: 64, bones: 8192, frames: 1 << 20, triangles: 1 << 24, warnings: 64 };

    /// Memory that every file may take regardless of its size, bytes.
    const FREE: u64 = 32 << 20;

    /// Returns the memory budget of a file of `bytes` bytes.
    pub(crate) fn budget(&self, bytes: usize) -> Budget {
        let mut budget = Budget { limits: *self, proportional: Self::FREE, spent: 0 };
        budget.admit(bytes);
        budget
    }

    /// Checks that a count of bones, frames or triangles is allowed.
    pub(crate) fn check(limit: Limit, needed: usize, allowed: u32) -> Result<(), LimitExceeded> {
        let (needed, allowed) = (needed as u64, u64::from(allowed));
        if needed <= allowed { Ok(()) } else { Err(LimitExceeded { limit, needed, allowed }) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Quantity that has a limit; the [`Display`](fmt::Display) form is its unit.
///
/// ```
/// use skelobj::Limit;
/// assert_eq!(Limit::Memory.to_string(), "bytes of memory");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// Memory for the contents of a file.
    Memory,
    /// Bones of a model.
    Bones,
    /// Frames of a model.
    Frames,
    /// Triangles of a model or level.
    Triangles,
    /// Work of reading a level.
    Work,
    /// Shapes of the level bodies of a world.
    LevelShapes,
    /// Overlaps of shapes of the level bodies of a world.
    LevelOverlaps,
    /// Bones of the skeletal objects of a runtime.
    ObjectBones,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Memory => "bytes of memory",
            Self::Bones => "bones",
            Self::Frames => "frames",
            Self::Triangles => "triangles",
            Self::Work => "steps of work",
            Self::LevelShapes => "shapes of level bodies",
            Self::LevelOverlaps => "overlaps of level shapes",
            Self::ObjectBones => "bones of objects",
        })
    }
}

/// Error of a file that exceeds one of its [`Limits`].
///
/// ```
/// use skelobj::model::ModelProblem;
/// use skelobj::{Limit, LoadOptions, Model, assets};
///
/// let mut options = LoadOptions::default();
/// options.limits.triangles = 100;
/// let error = Model::load_with(&options, "mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap_err();
/// let ModelProblem::LimitExceeded(exceeded) = error.problem else { panic!("{error}") };
/// assert_eq!((exceeded.limit, exceeded.allowed), (Limit::Triangles, 100));
/// assert!(exceeded.needed > 100);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LimitExceeded {
    /// Limit that was exceeded.
    pub limit: Limit,
    /// Amount that the part of the file read so far needs.
    pub needed: u64,
    /// Maximum amount.
    pub allowed: u64,
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "needs {} {}, the limit is {}", self.needed, self.limit, self.allowed)
    }
}

impl std::error::Error for LimitExceeded {}

/// Memory budget of a file and its side files.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    pub limits: Limits,
    /// Memory in proportion to the size of the files, bytes.
    proportional: u64,
    /// Memory spent so far, bytes.
    spent: u64,
}

impl Budget {
    /// Raises the budget for a side file of `bytes` bytes.
    pub fn admit(&mut self, bytes: usize) {
        let more = u64::from(self.limits.memory_per_byte).saturating_mul(bytes as u64);
        self.proportional = self.proportional.saturating_add(more);
    }

    /// Spends memory; called before the memory is allocated.
    pub fn spend(&mut self, bytes: u64) -> Result<(), LimitExceeded> {
        let needed = self.spent.saturating_add(bytes);
        let allowed = self.proportional.min(self.limits.memory);
        if needed > allowed {
            return Err(LimitExceeded { limit: Limit::Memory, needed, allowed });
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
        let exceeded = LimitExceeded { limit: Limit::Memory, needed: (32 << 20) + 641, allowed: (32 << 20) + 640 };
        assert_eq!(budget.spend(1), Err(exceeded));
        budget.admit(1);
        assert!(budget.spend(64).is_ok());
        budget.admit(usize::MAX);
        assert_eq!(budget.spend(u64::MAX).unwrap_err().allowed, 40 << 20);
    }
}
