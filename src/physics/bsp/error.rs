//! Errors and warnings of level files.

use std::fmt;

use crate::limits::LimitExceeded;

/// The error of loading a level file: the problem, and the record and lump that have it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BspError {
    /// Name of the lump: "header", "faces", "brush sides".
    pub lump: &'static str,
    /// Index of the record in the lump.
    pub record: usize,
    /// Offset of the record, bytes from the beginning of the file.
    pub offset: usize,
    /// Description of the problem.
    pub problem: BspProblem,
}

/// The problem reported by a [`BspError`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum BspProblem {
    /// The beginning of the file is that of no supported format.
    UnknownFormat,
    /// The version is not supported.
    UnsupportedVersion {
        /// Version in the file.
        found: i32,
    },
    /// The lump reaches past the end of the file.
    PastEnd {
        /// Bytes needed from the lump's offset on.
        needed: u64,
        /// Bytes available.
        available: u64,
    },
    /// The length of the lump is no multiple of that of its records.
    NotWhole {
        /// Length in the file.
        length: usize,
        /// Length of a record, bytes.
        record: usize,
    },
    /// A field refers to something that does not exist.
    OutOfRange {
        /// Name of the field.
        field: &'static str,
        /// Number in the file.
        found: i64,
        /// Number of the things referred to: the field must be below it, or for the end of a run at most equal.
        count: usize,
    },
    /// A number is NaN, infinite, or beyond a million units.
    NotFinite {
        /// Name of the field.
        field: &'static str,
    },
    /// A plane has no normal.
    NoNormal,
    /// A lump that every level must have is empty.
    Missing,
    /// A node is its own ancestor.
    Cycle,
    /// A face or brush has more edges or sides than any tool writes.
    TooManySides {
        /// Number found.
        found: usize,
        /// Maximum number.
        allowed: usize,
    },
    /// The contents need more than one of the [`Limits`](crate::Limits) allows, or more steps of work than a level file
    /// of this size should.
    LimitExceeded(LimitExceeded),
}

impl BspError {
    pub(super) fn new(lump: &'static str, record: usize, offset: usize, problem: BspProblem) -> Self {
        Self { lump, record, offset, problem }
    }
}

impl fmt::Display for BspError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} at byte {}: {}", self.lump, self.record, self.offset, self.problem)
    }
}

impl std::error::Error for BspError {}

impl fmt::Display for BspProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFormat => f.write_str("no known level format begins like this"),
            Self::UnsupportedVersion { found } => write!(f, "version {found} is not read"),
            Self::PastEnd { needed, available } => write!(f, "needs {needed} bytes, {available} are left"),
            Self::NotWhole { length, record } => write!(f, "{length} bytes are no whole records of {record}"),
            Self::OutOfRange { field, found, count } => write!(f, "{field} is {found}, there are {count}"),
            Self::NotFinite { field } => write!(f, "{field} is not a finite number below a million"),
            Self::NoNormal => f.write_str("the plane's normal has no length"),
            Self::Missing => f.write_str("there are none"),
            Self::Cycle => f.write_str("the node is its own ancestor"),
            Self::TooManySides { found, allowed } => write!(f, "{found} sides, {allowed} are allowed"),
            Self::LimitExceeded(exceeded) => exceeded.fmt(f),
        }
    }
}

/// A problem that a level file loads in spite of.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BspWarning {
    /// Name of the lump.
    pub lump: &'static str,
    /// Index of the record in the lump.
    pub record: usize,
    /// The problem and its fix.
    pub fixup: BspFixup,
}

/// The problem reported by a [`BspWarning`], and its fix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BspFixup {
    /// A face with fewer than three edges was left out.
    FewEdges,
    /// A face lies more than a unit off its plane; it is used as it is.
    NotPlanar,
    /// A plane's normal was not of length 1 and was normalized.
    Normal,
    /// The text of the entities ends inside a quoted word or an entity; the part before was read.
    Unclosed,
    /// An entity names a brush model that does not exist; it is no brush entity.
    NoSuchModel,
    /// Two entities show the same brush model; both have it.
    SharedModel,
    /// The extension lump is faulty and was ignored.
    Extension,
    /// Further defects of any kind, from here on: counted only, as there are more than
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
            Self::Further(count) => return write!(f, "further defects here or later, {count} of them"),
            Self::FewEdges => "the face has less than three edges and was left out",
            Self::NotPlanar => "the face lies more than a unit off its plane",
            Self::Normal => "the normal was not of length 1",
            Self::Unclosed => "the text ends inside a word or an entity",
            Self::NoSuchModel => "the entity's brush model is not there",
            Self::SharedModel => "another entity has the same brush model",
            Self::Extension => "faulty, ignored",
        })
    }
}
