//! What can be wrong with a level file.

use std::fmt;

/// A level file that cannot be loaded: what is wrong, in which record of which lump.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BspError {
    /// The lump: "header", "faces", "brush sides".
    pub lump: &'static str,
    /// The record in the lump, from 0.
    pub record: usize,
    /// Where that record begins, bytes from the file's beginning.
    pub offset: usize,
    /// What is wrong there.
    pub problem: BspProblem,
}

/// What is wrong at a [`BspError`]'s place.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum BspProblem {
    /// The file begins like no level that is read here.
    UnknownFormat,
    /// A version that is not read.
    UnsupportedVersion {
        /// The version in the file.
        found: i32,
    },
    /// The lump reaches past the end of the file.
    PastEnd {
        /// Bytes it needs from its offset on.
        needed: u64,
        /// Bytes there are.
        available: u64,
    },
    /// The lump's length is no multiple of its records'.
    NotWhole {
        /// The length in the file.
        length: usize,
        /// Bytes per record.
        record: usize,
    },
    /// A field refers to something that is not there.
    OutOfRange {
        /// The field.
        field: &'static str,
        /// The number in the file.
        found: i64,
        /// How many there are: the number must be below, or for the end of a run at most this.
        count: usize,
    },
    /// A number that is NaN, infinite, or beyond a million units.
    NotFinite {
        /// The field.
        field: &'static str,
    },
    /// A plane without a normal.
    NoNormal,
    /// There are none of what a level must have.
    Missing,
    /// A node is its own ancestor.
    Cycle,
    /// A face or brush with more edges or sides than any tool writes.
    TooManySides {
        /// How many there are.
        found: usize,
        /// How many there may be.
        allowed: usize,
    },
    /// The contents would take far more memory or time than a file of this size is worth.
    TooLarge,
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
            Self::TooLarge => f.write_str("takes more memory or time than a file of this size is worth"),
        }
    }
}

/// Something wrong that a level loads in spite of.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BspWarning {
    /// The lump.
    pub lump: &'static str,
    /// The record in the lump, from 0.
    pub record: usize,
    /// What was wrong and what was done.
    pub fixup: BspFixup,
}

/// What was wrong at a [`BspWarning`]'s place, and what was done about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BspFixup {
    /// A face with less than three edges was left out.
    FewEdges,
    /// A face lies more than a unit off its plane; it is used as it is.
    NotPlanar,
    /// A plane's normal was not of length 1 and was made so.
    Normal,
    /// Text ends inside a quoted word or an entity; what was read counts.
    Unclosed,
    /// An entity names a brush model that is not there and is no brush entity.
    NoSuchModel,
    /// Two entities show one brush model; both have it.
    SharedModel,
    /// The extension lump is faulty and was ignored.
    Extension,
}

impl fmt::Display for BspWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.lump, self.record, self.fixup)
    }
}

impl fmt::Display for BspFixup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
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
