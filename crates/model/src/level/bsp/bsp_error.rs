//! Errors and warnings of level files, and the cost of a file while it is read.

use std::fmt;

use crate::level::allowance::Allowance;
use crate::limits::{LimitExceeded, Limits};
use crate::shown::{counted, past_end};

/// Error of loading a level file: the problem, and the record and lump that have it.
///
/// ```
/// use skelobj::physics::Level;
///
/// let error = Level::from_bsp(b"IBSP\x2c\0\0\0").unwrap_err();
/// assert_eq!((error.lump, error.message()), ("header", "version 44 is not supported".to_owned()));
/// assert_eq!(error.to_string(), "header at byte 0: version 44 is not supported");
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BspError {
    /// Name of the lump: "header", "faces", "brush sides".
    pub lump: &'static str,
    /// Index of the record in the lump.
    pub record: usize,
    /// Offset of the record, bytes from the beginning of the file.
    pub offset: usize,
    problem: BspProblem,
}

/// Problem reported by a [`BspError`].
#[derive(Clone, PartialEq, Debug)]
pub(super) enum BspProblem {
    /// Beginning of the file that belongs to no supported format.
    UnknownFormat,
    /// Version that is not supported.
    UnsupportedVersion {
        /// Version in the file.
        found: i32,
    },
    /// Lump that reaches past the end of the file.
    PastEnd {
        /// Number of bytes needed from the lump's offset on.
        needed: u64,
        /// Number of bytes available.
        available: u64,
    },
    /// Length of a lump that is not a multiple of the length of its records.
    NotWhole {
        /// Length in the file, bytes.
        length: usize,
        /// Length of a record, bytes.
        record: usize,
    },
    /// Field with a number outside the range of what it refers to.
    OutOfRange {
        /// Name of the field.
        field: &'static str,
        /// Number in the file.
        found: i64,
        /// Number of things that can be referred to: the field must be below it, or at most equal for the end of a
        /// range.
        count: usize,
    },
    /// Number that is NaN, infinite, or beyond a million units.
    NotFinite {
        /// Name of the field.
        field: &'static str,
    },
    /// Plane with a normal of length 0.
    NoNormal,
    /// Empty lump that every level needs.
    Missing,
    /// Node that is its own ancestor.
    Cycle,
    /// Face or brush with more edges or sides than any tool writes.
    TooManySides {
        /// Number found.
        found: usize,
        /// Maximum number.
        allowed: usize,
    },
    /// File that exceeds one of the [`Limits`](crate::Limits), or needs more steps of work than a level file of its
    /// size should.
    LimitExceeded(LimitExceeded),
}

impl BspError {
    pub(super) fn new(lump: &'static str, record: usize, offset: usize, problem: BspProblem) -> Self {
        Self { lump, record, offset, problem }
    }

    /// Returns the message of the error, without its place in the file.
    #[must_use]
    pub fn message(&self) -> String {
        self.problem.to_string()
    }
}

impl fmt::Display for BspError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A file has one header.
        match self.lump {
            "header" => write!(f, "header at byte {}: {}", self.offset, self.problem),
            lump => write!(f, "{lump} {} at byte {}: {}", self.record, self.offset, self.problem),
        }
    }
}

impl std::error::Error for BspError {
    /// Returns the [`LimitExceeded`] of a level that is too large.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            BspProblem::LimitExceeded(exceeded) => Some(exceeded),
            _ => None,
        }
    }
}

impl fmt::Display for BspProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFormat => f.write_str("the file has no supported level format"),
            Self::UnsupportedVersion { found } => write!(f, "version {found} is not supported"),
            Self::PastEnd { needed, available } => f.write_str(&past_end(*needed, *available)),
            Self::NotWhole { length, record } => {
                let length = counted(*length, "byte", "bytes");
                write!(f, "the length is {length}, expected a multiple of {record}")
            }
            Self::OutOfRange { field, found, count: 0 } => write!(f, "{field} is {found}, but none exists"),
            Self::OutOfRange { field, found, count } => {
                write!(f, "{field} is {found}, but only {}", counted(*count, "exists", "exist"))
            }
            Self::NotFinite { field } => write!(f, "{field} is not finite, or beyond a million units"),
            Self::NoNormal => f.write_str("the plane's normal has length 0"),
            Self::Missing => f.write_str("the lump is empty, expected at least one record"),
            Self::Cycle => f.write_str("the node is its own ancestor"),
            Self::TooManySides { found, allowed } => write!(f, "{found} sides, at most {allowed} are allowed"),
            Self::LimitExceeded(exceeded) => exceeded.fmt(f),
        }
    }
}

/// Problem that does not prevent a level file from loading.
///
/// ```
/// use skelobj::physics::Level;
///
/// let level = Level::from_bsp(&std::fs::read("../../tests/data/examples/start.bsp")?)?; // its door has no brushes
/// assert_eq!(level.warnings[0].to_string(), "entities 1: the entity's brush model does not exist");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BspWarning {
    /// Name of the lump.
    pub lump: &'static str,
    /// Index of the record in the lump.
    pub record: usize,
    pub(super) fixup: BspFixup,
}

impl BspWarning {
    /// Returns the message of the warning, the problem and its fix, without its place in the file.
    #[must_use]
    pub fn message(&self) -> String {
        self.fixup.to_string()
    }
}

/// Problem reported by a [`BspWarning`], and its fix.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum BspFixup {
    /// Face with fewer than three edges; it was skipped.
    FewEdges,
    /// Face that lies more than a unit off its plane; it is used unchanged.
    NotPlanar,
    /// Plane with a normal of a length other than 1; it was normalized.
    Normal,
    /// Entity text that ends inside a quoted word or an entity; the part before the end was read.
    Unclosed,
    /// Entity that names a missing brush model; it is not a brush entity.
    NoSuchModel,
    /// Second entity that shows the same brush model; both are brush entities.
    SharedModel,
    /// Faulty extension lump; it was ignored.
    Extension,
    /// Number of further defects of any kind, which are only counted because there are more than
    /// [`Limits::warnings`](crate::Limits::warnings).
    Further(usize),
}

impl fmt::Display for BspWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.lump, self.record, self.fixup)
    }
}

impl fmt::Display for BspFixup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Further(count) => return write!(f, "{count} further defects from here on, not listed"),
            Self::FewEdges => "the face has fewer than three edges and was skipped",
            Self::NotPlanar => "the face lies more than a unit off its plane",
            Self::Normal => "the normal did not have length 1 and was normalized",
            Self::Unclosed => "the text ends inside a word or an entity",
            Self::NoSuchModel => "the entity's brush model does not exist",
            Self::SharedModel => "another entity has the same brush model",
            Self::Extension => "the extension lump is faulty and was ignored",
        })
    }
}

/// Allowance of a file, and the warnings about it.
pub(super) struct Ledger {
    pub allowance: Allowance,
    pub warnings: Vec<BspWarning>,
}

impl Ledger {
    pub fn new(bytes: &[u8], limits: &Limits) -> Self {
        Self { allowance: Allowance::new(bytes.len(), limits), warnings: Vec::new() }
    }

    /// Adds a warning. Beyond the maximum number, one last element counts the rest.
    pub fn warn(&mut self, lump: &'static str, record: usize, fixup: BspFixup) {
        if let Some(BspWarning { fixup: BspFixup::Further(count), .. }) = self.warnings.last_mut() {
            *count += 1;
        } else if self.warnings.len() < self.allowance.warnings() as usize {
            self.warnings.push(BspWarning { lump, record, fixup });
        } else {
            self.warnings.push(BspWarning { lump, record, fixup: BspFixup::Further(1) });
        }
    }
}
