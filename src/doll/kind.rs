//! Kinds of problems, and their messages.

use std::fmt;

use super::diagnostic::Shown;
use super::{JointKind, Parsed, Severity, Shape};
use crate::model::Name;

/// Numbers that an attribute accepts.
///
/// ```
/// use skelobj::doll::{Doll, DollProblemKind, Requirement};
///
/// let problem = &Doll::parse(b"body head Head\n mass 0\n").problems[0];
/// assert_eq!(problem.kind, DollProblemKind::BadNumber { attribute: "mass", requirement: Requirement::Positive });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Requirement {
    /// Finite numbers above zero.
    Positive,
    /// Finite numbers that are zero or above.
    NotNegative,
    /// Numbers that are neither infinite nor NaN.
    Finite,
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Positive => "a finite number above zero",
            Self::NotNegative => "a finite number, zero or above",
            Self::Finite => "a finite number",
        })
    }
}

/// Kinds of problems in a doll, with the details of each.
///
/// ```
/// use skelobj::doll::{Doll, DollProblemKind};
///
/// let parsed = Doll::parse(b"body head Head\n shape ball\njoint neck chest head\n");
/// assert!(matches!(&parsed.problems[0].kind, DollProblemKind::UnknownShape { word, .. } if *word == *"ball"));
/// assert!(matches!(&parsed.problems[1].kind, DollProblemKind::UnknownBody { name, .. } if *name == *"chest"));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum DollProblemKind {
    /// Line that starts with an unknown word.
    UnknownDirective {
        /// First word of the line.
        word: Name,
        /// Directive that was probably meant.
        suggestion: Option<Name>,
    },
    /// Attribute before any `body` or `joint`, attribute of joints under a body, or attribute of bodies under a joint.
    Misplaced {
        /// Attribute of the line.
        attribute: &'static str,
        /// Owner of the attribute: `body`, `joint` or `body or joint`.
        owner: &'static str,
    },
    /// Directive with the wrong number of words.
    WrongCount {
        /// Spelling of the directive with its arguments.
        usage: &'static str,
    },
    /// Words after those that a `joint` line takes; they are ignored.
    ExtraWords,
    /// Unknown shape.
    UnknownShape {
        /// Word in place of a shape.
        word: Name,
        /// Shape that was probably meant.
        suggestion: Option<Name>,
    },
    /// Unknown joint type.
    UnknownJointType {
        /// Word in place of a type.
        word: Name,
        /// Type that was probably meant.
        suggestion: Option<Name>,
    },
    /// `refpose` with a word that is neither `skin` nor the number of an animation.
    UnknownPose {
        /// Word in place of a pose.
        word: Name,
    },
    /// Word where a number was expected.
    NotANumber {
        /// Word in place of a number.
        word: Name,
    },
    /// Number followed by other characters, which are ignored.
    TrailingJunk {
        /// Whole word.
        word: Name,
        /// Part of the word that counts.
        number: Name,
    },
    /// Number that the attribute does not accept.
    BadNumber {
        /// Attribute of the line.
        attribute: &'static str,
        /// Numbers that the attribute accepts.
        requirement: Requirement,
    },
    /// Axis without a direction: zero, non-finite, or too small or large to normalize.
    ZeroAxis,
    /// Name that no body has so far.
    UnknownBody {
        /// Name on the line.
        name: Name,
        /// Line where a body of this name was skipped.
        dropped: Option<usize>,
        /// Body that was probably meant.
        suggestion: Option<Name>,
    },
    /// Name that no joint has so far.
    UnknownJoint {
        /// Name on the line.
        name: Name,
        /// Line where a joint of this name was skipped.
        dropped: Option<usize>,
        /// Joint that was probably meant.
        suggestion: Option<Name>,
    },
    /// Bone that the model lacks.
    NoSuchBone {
        /// Name on the line.
        bone: Name,
        /// Bone that was probably meant.
        suggestion: Option<Name>,
    },
    /// Joint from a body to itself.
    JointToItself,
    /// Joint without a `type` line.
    JointWithoutType {
        /// Name of the joint.
        joint: Name,
    },
    /// `pivot` under `updatejoint default`.
    PivotOnDefault,
    /// Name that an earlier object of the same kind has; `updatebody`, joints and commands find the earlier one.
    DuplicateName {
        /// Name on the line.
        name: Name,
        /// Line of the earlier object.
        first: usize,
    },
    /// Name of more than 31 bytes; the rest is cut off.
    NameTooLong {
        /// Part of the name that counts.
        kept: Name,
    },
    /// Stop beyond half a turn.
    StopLooksLikeDegrees {
        /// Stop as written, in what should be radians.
        stop: f32,
    },
    /// `LoStop` above `HiStop`: the joint is not limited.
    StopsCrossed {
        /// Value of `LoStop` or `LoStop2`.
        lo: f32,
        /// Value of `HiStop` or `HiStop2`.
        hi: f32,
    },
    /// `twist` of a joint that is neither universal nor a cone; it has no effect.
    TwistWithoutCone {
        /// Type of the joint.
        kind: JointKind,
    },
    /// Joint that needs two axes but has parallel ones; another second axis is chosen.
    ParallelAxes,
    /// Quoted word that its line does not close.
    UnclosedQuote,
    /// `/*` without `*/`: the rest of the text is ignored.
    UnclosedComment,
    /// Doll without bodies.
    NoBodies,
    /// More than [`Parsed::MAX_PROBLEMS`] problems; the rest is not listed.
    TooManyProblems,
    /// `refpose` with an animation that the model does not have.
    NoSuchAnimation {
        /// Number of the animation, 0-based.
        index: u32,
        /// Number of animations in the model.
        count: usize,
    },
    /// Second body on a bone; the later body drives it.
    SharedBone {
        /// Name of the bone.
        bone: Name,
        /// Line of the earlier body.
        first: usize,
    },
    /// Body without a joint, in a doll with several bodies.
    NeverJointed {
        /// Name of the body.
        body: Name,
    },
    /// Joint between two bodies of which one is more than ten times as heavy as the other: the joint will stretch.
    MassRatio {
        /// Ratio of the masses.
        ratio: f32,
    },
    /// Density above that of any substance: probably kg/m^3 in place of a multiple of water's.
    DenseBody {
        /// Density of the body.
        density: f32,
    },
    /// `orient` without effect: toward the parent of a bone that has none, or toward the body's own bone.
    OrientNowhere {
        /// Name of the body's bone.
        bone: Name,
    },
}

impl DollProblemKind {
    /// Returns the severity of a problem of this kind: an error if something is skipped or cannot work.
    ///
    /// ```
    /// use skelobj::doll::{DollProblemKind, Severity};
    ///
    /// assert_eq!(DollProblemKind::NoBodies.severity(), Severity::Error);
    /// assert_eq!(DollProblemKind::ParallelAxes.severity(), Severity::Warning);
    /// ```
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self {
            Self::ExtraWords
            | Self::TrailingJunk { .. }
            | Self::DuplicateName { .. }
            | Self::NameTooLong { .. }
            | Self::StopLooksLikeDegrees { .. }
            | Self::StopsCrossed { .. }
            | Self::TwistWithoutCone { .. }
            | Self::ParallelAxes
            | Self::UnclosedQuote
            | Self::SharedBone { .. }
            | Self::NeverJointed { .. }
            | Self::MassRatio { .. }
            | Self::DenseBody { .. }
            | Self::OrientNowhere { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for DollProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownDirective { word, suggestion } => {
                write!(f, "unknown directive {}{}", Shown::of(word), DidYouMean(suggestion))
            }
            Self::Misplaced { attribute, owner } => {
                write!(f, "`{attribute}` must appear under a {owner}")
            }
            Self::WrongCount { usage } => write!(f, "wrong number of words, expected `{usage}`"),
            Self::ExtraWords => write!(f, "a joint has at most two bodies, further words are ignored"),
            Self::UnknownShape { word, suggestion } => {
                write!(f, "unknown shape {}{}", Shown::of(word), DidYouMean(suggestion))?;
                list_if_unsure(f, suggestion, &Shape::ALL.map(Shape::word))
            }
            Self::UnknownJointType { word, suggestion } => {
                write!(f, "unknown joint type {}{}", Shown::of(word), DidYouMean(suggestion))?;
                list_if_unsure(f, suggestion, &JointKind::ALL.map(JointKind::word))
            }
            Self::UnknownPose { word } => {
                write!(
                    f,
                    "{} is not a pose, expected `skin` or an animation's number and a time in seconds",
                    Shown::of(word)
                )
            }
            Self::NotANumber { word } => write!(f, "{} is not a number", Shown::of(word)),
            Self::TrailingJunk { word, number } => write!(f, "{} is read as {number}", Shown::of(word)),
            Self::BadNumber { attribute, requirement } => {
                write!(f, "`{attribute}` must be {requirement}; the previous value is kept")
            }
            Self::ZeroAxis => write!(f, "the axis has no direction; the previous value is kept"),
            Self::UnknownBody { name, dropped, suggestion } => {
                write!(f, "unknown body {}", Shown::of(name))?;
                explain_missing(f, *dropped, suggestion)
            }
            Self::UnknownJoint { name, dropped, suggestion } => {
                write!(f, "unknown joint {}", Shown::of(name))?;
                explain_missing(f, *dropped, suggestion)
            }
            Self::NoSuchBone { bone, suggestion } => {
                write!(f, "the model has no bone {}{}", Shown::of(bone), DidYouMean(suggestion))
            }
            Self::JointToItself => write!(f, "a joint cannot join a body to itself"),
            Self::JointWithoutType { joint } => write!(f, "joint {} has no `type` and is dropped", Shown::of(joint)),
            Self::PivotOnDefault => write!(f, "the default joint cannot have a `pivot`, use `offset`"),
            Self::DuplicateName { name, first } => {
                write!(f, "the name {} is already used in line {first} and refers to that object", Shown::of(name))
            }
            Self::NameTooLong { kept } => {
                write!(f, "names have at most 31 bytes, this one is cut to {}", Shown::of(kept))
            }
            Self::StopLooksLikeDegrees { stop } => {
                write!(
                    f,
                    "stops are in radians, {stop} is more than half a turn; {stop} degrees are {:.3}",
                    stop.to_radians()
                )
            }
            Self::StopsCrossed { lo, hi } => {
                write!(f, "the low stop {lo} is above the high stop {hi}: the joint is not limited")
            }
            Self::TwistWithoutCone { kind } => {
                write!(f, "`twist` has no effect on type {}, expected type cone or universal", kind.word())
            }
            Self::ParallelAxes => write!(f, "the two axes are parallel, another second axis is chosen"),
            Self::UnclosedQuote => write!(f, "the quote is not closed, the word ends with its line"),
            Self::UnclosedComment => write!(f, "the comment is not closed, the rest of the doll is ignored"),
            Self::NoBodies => write!(f, "a doll needs at least one body"),
            Self::TooManyProblems => write!(f, "more than {} problems, the rest is not listed", Parsed::MAX_PROBLEMS),
            Self::NoSuchAnimation { index, count } => {
                write!(f, "the model has no animation {index}; it has {count}, counted from 0")
            }
            Self::SharedBone { bone, first } => {
                write!(f, "bone {} already has a body (line {first}); the later body drives it", Shown::of(bone))
            }
            Self::NeverJointed { body } => write!(f, "no joint holds body {}", Shown::of(body)),
            Self::MassRatio { ratio } => {
                write!(f, "one body is {ratio:.0} times as heavy as the other; above a ratio of 10 joints stretch")
            }
            Self::DenseBody { density } => {
                write!(
                    f,
                    "a density of {density} is that many times as dense as water, where lead is 11: use {}",
                    density / 1000.0
                )
            }
            Self::OrientNowhere { bone } => {
                write!(f, "`orient` has no effect: {} has no other bone to point to", Shown::of(bone))
            }
        }
    }
}

fn list_if_unsure(f: &mut fmt::Formatter<'_>, suggestion: &Option<Name>, words: &[&str]) -> fmt::Result {
    if suggestion.is_none() {
        write!(f, ", expected one of {}", words.join(", "))?;
    }
    Ok(())
}

fn explain_missing(f: &mut fmt::Formatter<'_>, dropped: Option<usize>, suggestion: &Option<Name>) -> fmt::Result {
    match dropped {
        Some(line) => write!(f, ", which was skipped in line {line}"),
        None => write!(f, "{}", DidYouMean(suggestion)),
    }
}

struct DidYouMean<'a>(&'a Option<Name>);

impl fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, ", did you mean {}?", Shown::of(name)),
            None => Ok(()),
        }
    }
}
