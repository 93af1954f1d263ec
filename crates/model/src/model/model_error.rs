//! Errors and warnings about model files.

use std::fmt;

use super::Name;
use crate::files::source::write_not_plain;
use crate::limits::LimitExceeded;
use crate::shown::{counted, past_end};

/// Error in a model file: the problem, the section and the byte offset.
///
/// ```
/// use skelobj::{Model, assets, model::ModelProblem};
///
/// let cut = &assets::MANNEQUIN_IQM[..1000];
/// let error = Model::load("mannequin.iqm", cut, |_| None).unwrap_err();
/// assert_eq!(error.section, "header");
/// assert_eq!(error.problem, ModelProblem::WrongFileSize { stated: 150_643, actual: 1000 });
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ModelError {
    /// Section of the file, as its specification names it: "header", "joints", "frames".
    pub section: &'static str,
    /// Byte offset in the file; in a text file, the offset of the offending word.
    pub offset: usize,
    /// Problem that makes the file unusable.
    pub problem: ModelProblem,
}

/// Problem that a [`ModelError`] reports.
///
/// ```
/// use skelobj::{Model, model::ModelProblem};
///
/// let error = Model::load("notes.txt", b"buy milk", |_| None).unwrap_err();
/// assert_eq!(error.problem, ModelProblem::UnknownFormat);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum ModelProblem {
    /// The first bytes match no known format.
    UnknownFormat,
    /// The file has a known format that the library does not read.
    ForeignFormat {
        /// Format with its article: "a Quake model (MDL)"; or "empty".
        name: &'static str,
        /// Advice on how to make the file usable.
        advice: &'static str,
    },
    /// The file has a version that the library does not read.
    UnsupportedVersion {
        /// Version in the file.
        found: u32,
        /// Versions that the library reads.
        expected: &'static str,
    },
    /// The file's own size field differs from its length.
    WrongFileSize {
        /// Value of the size field, bytes.
        stated: u32,
        /// Length of the file, bytes.
        actual: usize,
    },
    /// A table extends past the end of the file or of the block that contains it.
    PastEnd {
        /// Bytes that the table needs, starting at the offset.
        needed: u64,
        /// Bytes that follow the offset.
        available: usize,
    },
    /// A field holds a number outside its range.
    OutOfRange {
        /// Name of the field.
        field: &'static str,
        /// Number in the file.
        found: i64,
        /// Smallest allowed number.
        min: i64,
        /// Largest allowed number.
        max: i64,
    },
    /// A field disagrees with the rest of the file.
    Mismatch {
        /// Name of the field.
        field: &'static str,
        /// Value of the field.
        found: i64,
        /// Value that the rest of the file implies.
        expected: i64,
    },
    /// A number is NaN or infinite.
    NotFinite {
        /// Name of the field.
        field: &'static str,
    },
    /// A transform has numbers beyond the range of an `f32`, in Quake units, or its products in poses would have some.
    OutOfReach {
        /// Kind of the object with the transform.
        what: &'static str,
        /// Name of the object in the file.
        name: Name,
    },
    /// The contents exceed one of the [`Limits`](crate::Limits).
    LimitExceeded(LimitExceeded),
    /// The file lacks something that the format requires.
    Missing {
        /// Description of the missing part.
        what: &'static str,
    },
    /// An object has a class that is unknown, or that holds no skeleton, mesh or motion.
    UnsupportedClass {
        /// Name of the class in the file.
        name: Name,
    },
    /// An object has a different class than its position requires.
    WrongClass {
        /// Class that belongs there.
        expected: &'static str,
    },
    /// Objects are nested too deeply.
    TooDeep {
        /// Largest allowed depth.
        allowed: usize,
    },
    /// The text is not JSON, or the JSON does not have the shape of the format.
    Json {
        /// Message of the parser.
        reason: Name,
    },
    /// A required file beside this one is missing.
    SideFile {
        /// Name by which the model refers to the file.
        name: Name,
    },
    /// The file requires an extension that the library does not read.
    UnsupportedExtension {
        /// Name of the extension.
        name: Name,
    },
    /// The library was built without the reader of the format.
    NotBuiltIn {
        /// Feature of the crate that adds the reader.
        feature: &'static str,
    },
    /// A text file contains a word that is not allowed at its position.
    UnexpectedText {
        /// Description of the words that are allowed.
        expected: &'static str,
        /// Word in the file; long words are cut.
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
            Self::UnknownFormat => write!(f, "the first bytes match no known model format"),
            Self::ForeignFormat { name, advice } => write!(f, "the file is {name}: {advice}"),
            Self::UnsupportedVersion { found, expected } => write!(f, "version {found}, expected {expected}"),
            Self::WrongFileSize { stated, actual } => {
                write!(f, "the size field states {stated} bytes, but the file has {actual}")
            }
            Self::PastEnd { needed, available } => f.write_str(&past_end(*needed, *available as u64)),
            Self::OutOfRange { field, found, min, max } if max < min => {
                write!(f, "{field} is {found}, where no number is possible")
            }
            Self::OutOfRange { field, found, min, max } if max == min => {
                write!(f, "{field} is {found}, expected {min}")
            }
            Self::OutOfRange { field, found, min, max } => write!(f, "{field} is {found}, expected {min} to {max}"),
            Self::Mismatch { field, found, expected } => write!(f, "{field} is {found}, expected {expected}"),
            Self::NotFinite { field } => write!(f, "{field} is not a finite number"),
            Self::OutOfReach { what, name } => {
                write!(f, "the transform of {what} \"{name}\" exceeds the range of an f32")
            }
            Self::LimitExceeded(exceeded) => exceeded.fmt(f),
            Self::Missing { what } => write!(f, "{what} missing"),
            Self::UnsupportedClass { name } => write!(f, "class \"{name}\" is not supported"),
            Self::WrongClass { expected } => write!(f, "expected an object of class {expected}, found another class"),
            Self::TooDeep { allowed } => write!(f, "objects are nested more than {allowed} levels deep"),
            Self::Json { reason } => write!(f, "{reason}"),
            Self::SideFile { name } => {
                write!(f, "the required file {name} is missing, or outside the folder of the model or of the game")
            }
            Self::UnsupportedExtension { name } => write!(f, "the required extension {name} is not supported"),
            Self::NotBuiltIn { feature } => write!(f, "built without the feature `{feature}`, which reads this format"),
            Self::UnexpectedText { expected, found } => write!(f, "expected {expected}, found \"{found}\""),
        }
    }
}

/// Defect of a model file that was repaired while loading.
///
/// ```
/// use skelobj::{Model, assets};
///
/// let side = |name: &str| name.ends_with(".framegroups").then(|| b"0 500 20 1 everything".to_vec());
/// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, side)?;
/// assert_eq!(model.warnings[0].section, "framegroups");
/// assert_eq!(model.warnings[0].message(), "animation of 500 frames extends past the last frame; cut to 143");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ModelWarning {
    /// Section of the file, as its specification names it.
    pub section: &'static str,
    /// Byte offset in the file.
    pub offset: usize,
    pub(crate) fixup: Fixup,
}

impl ModelWarning {
    /// Returns the message of the warning, the defect and its repair, without its place in the file.
    #[must_use]
    pub fn message(&self) -> String {
        self.fixup.to_string()
    }

    /// Returns the warning about a side file whose name is not a plain path.
    pub(crate) fn not_plain(name: &str) -> Self {
        Self { section: "side files", offset: 0, fixup: Fixup::NotPlainPath(Name::from(name)) }
    }

    /// Adds the warning to a list of at most `limit` warnings; one more element counts the rest.
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

/// Defect of a model file and its repair.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Fixup {
    /// A text offset points outside the text block. The name is empty.
    BadString,
    /// An animation extends past the last frame. Its count was cut.
    AnimationCut {
        /// Number of frames in the file.
        stated: u32,
        /// Number of frames that are left.
        kept: u32,
    },
    /// An animation has no frames or starts past the last one. It shows the bind pose.
    AnimationOutside,
    /// A frame rate is zero, negative or NaN. It became 10 frames per second.
    NoRate,
    /// Number of blend indexes past the last bone. They became bone 0.
    BlendIndexes(usize),
    /// Number of vertices on more than four bones. They keep the four strongest influences.
    CutInfluences(usize),
    /// Number of values that are non-finite or beyond an `f32`. They became zero; a matrix became the identity.
    NotFinite(usize),
    /// A count disagrees with the contents. The contents were used.
    CountCorrected {
        /// Name of the count.
        field: &'static str,
        /// Count in the file.
        stated: u32,
        /// Count of the contents.
        found: u32,
    },
    /// A file beside the model is missing or unusable. The model was loaded without it.
    SideFile(Name),
    /// The name of a file beside the model is not a [plain path](crate::is_plain_path), because that of the model or of
    /// its skin is not. The model was loaded without such files; the first of them is stated.
    NotPlainPath(Name),
    /// An extension, an event or a line of a side file is unusable. It was skipped.
    Dropped(&'static str),
    /// Bones turn so far between two frames of an animation that they shrink between them. The frames are kept.
    FarTurn {
        /// Name of the animation.
        animation: Name,
        /// Name of the bone that turns most in all animations.
        bone: Name,
        /// Number of the first of the frames, from the start of the animation.
        pose: usize,
        /// Angle between the frames.
        degrees: f32,
        /// Frames per second with which no bone shrinks visibly.
        resample: f32,
        /// Number of other animations that have such bones.
        others: usize,
    },
    /// A harmless deviation from the format. It was accepted.
    Tolerated(&'static str),
    /// Number of further defects of any kind, beyond [`Limits::warnings`](crate::Limits::warnings).
    Further(usize),
}

impl fmt::Display for ModelWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.section, self.offset, self.fixup)
    }
}

impl fmt::Display for Fixup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadString => write!(f, "text offset is outside the text block; the name is empty"),
            Self::AnimationCut { stated, kept } => {
                write!(f, "animation of {stated} frames extends past the last frame; cut to {kept}")
            }
            Self::AnimationOutside => {
                write!(f, "animation has no frames or starts past the last frame; it shows the bind pose")
            }
            Self::NoRate => write!(f, "no usable frame rate; set to 10 frames per second"),
            Self::BlendIndexes(n) => {
                let indexes = counted(*n, "blend index", "blend indexes");
                write!(f, "{indexes} past the last bone; set to bone 0")
            }
            Self::CutInfluences(n) => {
                let vertices = counted(*n, "vertex is", "vertices are");
                write!(f, "{vertices} on more than four bones; kept the four strongest of each")
            }
            Self::NotFinite(n) => {
                let values = counted(*n, "value is", "values are");
                write!(f, "{values} non-finite; replaced by zero or the identity")
            }
            Self::CountCorrected { field, stated, found } => {
                write!(f, "{field} is {stated}, but the contents have {found}; used {found}")
            }
            Self::SideFile(name) => write!(f, "{name} is missing or unusable; loaded without it"),
            Self::NotPlainPath(name) => {
                write_not_plain(&name.to_string(), f)?;
                f.write_str("; loaded without it")
            }
            Self::FarTurn { animation, bone, pose, degrees, resample, others } => {
                let half = crate::trig::cos(f64::from(degrees.to_radians()) / 2.0).max(0.0);
                let next = pose + 1;
                write!(
                    f,
                    "animation `{animation}` turns bone `{bone}` by {degrees:.0} degrees from frame {pose} to {next}; "
                )?;
                write!(f, "half-way, it shrinks to {half:.2} of its size")?;
                if *others > 0 {
                    write!(f, "; bones of {} shrink, too", counted(*others, "other animation", "other animations"))?;
                }
                if *resample <= 0.0 || *resample > 1e3 {
                    return Ok(());
                }
                write!(f, "; `skelobj convert --resample {resample}` adds frames between")
            }
            Self::Dropped(what) => write!(f, "skipped: {what}"),
            Self::Tolerated(what) => write!(f, "accepted: {what}"),
            Self::Further(count) => write!(f, "{count} further defects here or later"),
        }
    }
}
