//! What can be wrong with a model file.

use std::fmt;

use super::Name;
use crate::limits::LimitExceeded;

/// An error in a model file: the problem, its section and byte offset.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ModelError {
    /// The part of the file, in its specification's words: "header", "joints", "frames".
    pub section: &'static str,
    /// Byte offset in the file (for text files, of the offending word).
    pub offset: usize,
    /// The problem.
    pub problem: ModelProblem,
}

/// The problem that a [`ModelError`] reports.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum ModelProblem {
    /// The first bytes belong to no format that is read here.
    UnknownFormat,
    /// A known format that is not read here.
    ForeignFormat {
        /// The format, with its article: "a Quake model (MDL)".
        name: &'static str,
        /// Advice on what to do with the file.
        advice: &'static str,
    },
    /// A version that is not read.
    UnsupportedVersion {
        /// The version in the file.
        found: u32,
        /// The versions that are read.
        expected: &'static str,
    },
    /// The file's own size field disagrees with its length.
    WrongFileSize {
        /// The size in the field.
        stated: u32,
        /// Length of the file, bytes.
        actual: usize,
    },
    /// A table reaches past the end of what holds it.
    PastEnd {
        /// Bytes the table needs from the offset on.
        needed: u64,
        /// Bytes there are from the offset on.
        available: usize,
    },
    /// A field holds a number outside its range.
    OutOfRange {
        /// The field.
        field: &'static str,
        /// The number in the file.
        found: i64,
        /// The smallest number allowed.
        min: i64,
        /// The largest number allowed.
        max: i64,
    },
    /// Two fields that must agree do not.
    Mismatch {
        /// The field.
        field: &'static str,
        /// The value of the field.
        found: i64,
        /// The value that the rest of the file implies.
        expected: i64,
    },
    /// A number that is NaN or infinite.
    NotFinite {
        /// The field.
        field: &'static str,
    },
    /// A transform with numbers that an `f32` does not hold, in Quake units.
    OutOfReach {
        /// The kind of object that has the transform.
        what: &'static str,
        /// The object's name in the file.
        name: Name,
    },
    /// The contents need more than one of the [`Limits`](crate::Limits) allows.
    LimitExceeded(LimitExceeded),
    /// Something the format requires is absent.
    Missing {
        /// The thing that is absent.
        what: &'static str,
    },
    /// A class of object that holds no skeleton, mesh or motion, or that nobody knows.
    UnsupportedClass {
        /// The class's name in the file.
        name: Name,
    },
    /// An object of one class where another one belongs.
    WrongClass {
        /// The class that belongs there.
        expected: &'static str,
    },
    /// Objects inside objects, deeper than any tool writes them.
    TooDeep {
        /// The depth that is allowed.
        allowed: usize,
    },
    /// Text that is no JSON, or JSON that is not of the format's shape.
    Json {
        /// The parser's message.
        reason: Name,
    },
    /// A file beside this one that cannot be done without, and is not there.
    SideFile {
        /// The name by which the model refers to it.
        name: Name,
    },
    /// An extension that the file cannot be understood without.
    UnsupportedExtension {
        /// The extension's name.
        name: Name,
    },
    /// A format whose reader this build of the library does not have.
    NotBuiltIn {
        /// The feature of the crate that turns it on.
        feature: &'static str,
    },
    /// A word of a text file that cannot stand where it does.
    UnexpectedText {
        /// The words that may stand there.
        expected: &'static str,
        /// The word; a long one is cut.
        found: Name,
    },
}

impl ModelError {
    pub(crate) fn new(section: &'static str, offset: usize, problem: ModelProblem) -> Self {
        Self { section, offset, problem }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.section, self.offset, self.problem)
    }
}

impl std::error::Error for ModelError {}

impl fmt::Display for ModelProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFormat => write!(f, "no known model format begins like this"),
            Self::ForeignFormat { name, advice } => write!(f, "the file is {name}: {advice}"),
            Self::UnsupportedVersion { found, expected } => write!(f, "version {found}, expected {expected}"),
            Self::WrongFileSize { stated, actual } => {
                write!(f, "the file says it is {stated} bytes long but is {actual}")
            }
            Self::PastEnd { needed, available } => write!(f, "needs {needed} bytes, {available} are left"),
            Self::OutOfRange { field, found, min, max } => {
                write!(f, "{field} is {found}, expected {min} to {max}")
            }
            Self::Mismatch { field, found, expected } => write!(f, "{field} is {found}, expected {expected}"),
            Self::NotFinite { field } => write!(f, "{field} is not a finite number"),
            Self::OutOfReach { what, name } => {
                write!(f, "{what} {name:?} is further away or larger than numbers hold")
            }
            Self::LimitExceeded(exceeded) => exceeded.fmt(f),
            Self::Missing { what } => write!(f, "{what} missing"),
            Self::UnsupportedClass { name } => write!(f, "class {name:?} holds nothing that is read here"),
            Self::WrongClass { expected } => write!(f, "an object of another class in place of a {expected}"),
            Self::TooDeep { allowed } => write!(f, "objects inside objects more than {allowed} deep"),
            Self::Json { reason } => write!(f, "{reason}"),
            Self::SideFile { name } => {
                write!(f, "the file {name} is needed, but missing or outside the model's folder")
            }
            Self::UnsupportedExtension { name } => write!(f, "requires the extension {name}, which is not read here"),
            Self::NotBuiltIn { feature } => write!(f, "built without the feature `{feature}`, which reads this format"),
            Self::UnexpectedText { expected, found } => write!(f, "expected {expected}, found {found:?}"),
        }
    }
}

/// A defect of a model file that was put right while loading.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ModelWarning {
    /// The part of the file.
    pub section: &'static str,
    /// Byte offset in the file.
    pub offset: usize,
    /// The defect, and what was done about it.
    pub fixup: Fixup,
}

impl ModelWarning {
    /// Adds the warning to a list of at most `limit`; the element after those counts the rest.
    pub(crate) fn add_to(self, list: &mut Vec<Self>, limit: u32) {
        let further = if let Fixup::Further(count) = self.fixup { Some(count) } else { None };
        if let Some(Self { fixup: Fixup::Further(count), .. }) = list.last_mut() {
            *count = count.saturating_add(further.unwrap_or(1));
        } else if list.len() < limit as usize || further.is_some() {
            list.push(self);
        } else {
            list.push(Self { fixup: Fixup::Further(1), ..self });
        }
    }
}

/// A defect, and what was done about it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Fixup {
    /// A text offset outside the text block: the name is empty.
    BadString,
    /// An animation runs past the last frame: its count was cut.
    AnimationCut {
        /// Frames it asked for.
        stated: u32,
        /// Frames it has now.
        kept: u32,
    },
    /// An animation without frames, or one that starts past the last frame: it shows the bind pose.
    AnimationOutside,
    /// A frame rate that is zero, negative or NaN: 10 frames a second.
    NoRate,
    /// Blend indexes beyond the last bone: bone 0, this many times.
    BlendIndexes(usize),
    /// Numbers that do not fit an `f32` or are not finite: zero in their place, or the identity in place of a matrix,
    /// this many times.
    NotFinite(usize),
    /// A count that the contents do not bear out: theirs is taken.
    CountCorrected {
        /// The field that counts.
        field: &'static str,
        /// The count in the file.
        stated: u32,
        /// The count of the contents.
        found: u32,
    },
    /// A file beside the model that is not there, or cannot be used: done without.
    SideFile(Name),
    /// An unusable extension, event or line of a side file: left out.
    Dropped(&'static str),
    /// Something against the letter of the format that does no harm: taken as it is.
    Tolerated(&'static str),
    /// Further defects of any kind, from here on: counted only, as there are more than
    /// [`Limits::warnings`](crate::Limits::warnings).
    Further(usize),
}

impl fmt::Display for ModelWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: ", self.section, self.offset)?;
        match &self.fixup {
            Fixup::BadString => write!(f, "text offset outside the text block, name left empty"),
            Fixup::AnimationCut { stated, kept } => {
                write!(f, "animation of {stated} frames runs past the last one, cut to {kept}")
            }
            Fixup::AnimationOutside => {
                write!(f, "animation has no frames or starts past the last one, shows the bind pose")
            }
            Fixup::NoRate => write!(f, "no usable frame rate, 10 frames a second assumed"),
            Fixup::BlendIndexes(n) => write!(f, "{n} blend indexes beyond the last bone, set to bone 0"),
            Fixup::NotFinite(n) => write!(f, "{n} values that are not finite, replaced by zero or identity"),
            Fixup::CountCorrected { field, stated, found } => {
                write!(f, "{field} is {stated} but there are {found}, which counts")
            }
            Fixup::SideFile(name) => write!(f, "{name} is missing or unusable, done without"),
            Fixup::Dropped(what) => write!(f, "left out: {what}"),
            Fixup::Tolerated(what) => write!(f, "{what}, accepted"),
            Fixup::Further(count) => write!(f, "further defects here or later, {count} of them"),
        }
    }
}
