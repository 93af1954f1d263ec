//! The kinds of problems, and what is said about each.

use std::fmt;

use super::diagnostic::Shown;
use super::{JointKind, Parsed, Severity, Shape};
use crate::model::Name;

/// The numbers that an attribute accepts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Requirement {
    /// Finite and above zero.
    Positive,
    /// Finite and not below zero.
    NotNegative,
    /// Neither infinite nor NaN.
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

/// The kinds of problems in a doll.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum DollProblemKind {
    /// A line starts with a word that is no directive.
    UnknownDirective {
        /// The word.
        word: Name,
        /// The directive that was probably meant.
        suggestion: Option<Name>,
    },
    /// An attribute before any `body` or `joint`, one of joints under a body, or one of bodies under a joint.
    Misplaced {
        /// The attribute.
        attribute: &'static str,
        /// The owner of the attribute: `body`, `joint` or `body or joint`.
        owner: &'static str,
    },
    /// A directive with the wrong number of words.
    WrongCount {
        /// The form of the directive.
        usage: &'static str,
    },
    /// Words after those a `joint` line takes; ignored.
    ExtraWords,
    /// No such shape.
    UnknownShape {
        /// The word.
        word: Name,
        /// The shape that was probably meant.
        suggestion: Option<Name>,
    },
    /// No such joint type.
    UnknownJointType {
        /// The word.
        word: Name,
        /// The type that was probably meant.
        suggestion: Option<Name>,
    },
    /// `refpose` with a word that is neither `skin` nor an animation's number.
    UnknownPose {
        /// The word.
        word: Name,
    },
    /// A number was expected.
    NotANumber {
        /// The word.
        word: Name,
    },
    /// A number with something behind it; the number counts.
    TrailingJunk {
        /// The whole word.
        word: Name,
        /// The part that counts.
        number: Name,
    },
    /// A number that the attribute cannot have.
    BadNumber {
        /// The attribute.
        attribute: &'static str,
        /// The numbers that the attribute accepts.
        requirement: Requirement,
    },
    /// An axis without a direction: all zero, not finite, or too small or large to normalise.
    ZeroAxis,
    /// No body of this name so far.
    UnknownBody {
        /// The name.
        name: Name,
        /// The line where a body of this name was left out.
        dropped: Option<usize>,
        /// The body that was probably meant.
        suggestion: Option<Name>,
    },
    /// No joint of this name so far.
    UnknownJoint {
        /// The name.
        name: Name,
        /// The line where a joint of this name was left out.
        dropped: Option<usize>,
        /// The joint that was probably meant.
        suggestion: Option<Name>,
    },
    /// The model has no such bone.
    NoSuchBone {
        /// The name.
        bone: Name,
        /// The bone that was probably meant.
        suggestion: Option<Name>,
    },
    /// A joint from a body to itself.
    JointToItself,
    /// A joint that never got a type.
    JointWithoutType {
        /// The joint.
        joint: Name,
    },
    /// `pivot` under `updatejoint default`.
    PivotOnDefault,
    /// A name that an earlier object of the same sort has; `updatebody`, joints and commands find the earlier one.
    DuplicateName {
        /// The name.
        name: Name,
        /// The line of the earlier one.
        first: usize,
    },
    /// A name of more than 31 bytes; the rest is cut off.
    NameTooLong {
        /// The part of the name that counts.
        kept: Name,
    },
    /// A stop beyond half a turn.
    StopLooksLikeDegrees {
        /// The stop, in what were meant to be radians.
        stop: f32,
    },
    /// `LoStop` above `HiStop`: the joint is not limited at all.
    StopsCrossed {
        /// `LoStop` or `LoStop2`.
        lo: f32,
        /// `HiStop` or `HiStop2`.
        hi: f32,
    },
    /// The two axes of a joint that needs both are parallel; another second axis is made up.
    ParallelAxes,
    /// A quoted word that its line does not close.
    UnclosedQuote,
    /// A `/*` without its `*/`: the rest of the text is ignored.
    UnclosedComment,
    /// A doll without bodies.
    NoBodies,
    /// More than [`Parsed::MAX_PROBLEMS`]; the rest is not listed.
    TooManyProblems,
    /// `refpose` names an animation that the model does not have.
    NoSuchAnimation {
        /// The animation's number, 0-based.
        index: u32,
        /// Number of animations in the model.
        count: usize,
    },
    /// Two bodies on one bone: the later drives it.
    SharedBone {
        /// The bone.
        bone: Name,
        /// The line of the earlier body.
        first: usize,
    },
    /// A body that no joint holds, in a doll with several.
    NeverJointed {
        /// The body.
        body: Name,
    },
    /// One of two jointed bodies is more than ten times as heavy as the other: the joint will be soft.
    MassRatio {
        /// The ratio of the masses.
        ratio: f32,
    },
    /// `orient` toward the parent of a bone that has none, or toward the body's own bone: it has no effect.
    OrientNowhere {
        /// The body's bone.
        bone: Name,
    },
}

impl DollProblemKind {
    /// Returns how bad a problem of this kind is: an error if something is left out or cannot work.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self {
            Self::ExtraWords
            | Self::TrailingJunk { .. }
            | Self::DuplicateName { .. }
            | Self::NameTooLong { .. }
            | Self::StopLooksLikeDegrees { .. }
            | Self::StopsCrossed { .. }
            | Self::ParallelAxes
            | Self::UnclosedQuote
            | Self::SharedBone { .. }
            | Self::NeverJointed { .. }
            | Self::MassRatio { .. }
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
                write!(f, "`{attribute}` must stand under a {owner}")
            }
            Self::WrongCount { usage } => write!(f, "wrong number of words, expected `{usage}`"),
            Self::ExtraWords => write!(f, "a joint has two bodies at most, the rest is ignored"),
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
                    "{} is no pose, expected `skin` or an animation's number and a time in seconds",
                    Shown::of(word)
                )
            }
            Self::NotANumber { word } => write!(f, "{} is not a number", Shown::of(word)),
            Self::TrailingJunk { word, number } => write!(f, "{} is read as {number}", Shown::of(word)),
            Self::BadNumber { attribute, requirement } => {
                write!(f, "`{attribute}` must be {requirement}; it stays as it was")
            }
            Self::ZeroAxis => write!(f, "this axis has no direction; it stays as it was"),
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
                write!(f, "the name {} already stands in line {first} and will mean that one", Shown::of(name))
            }
            Self::NameTooLong { kept } => write!(f, "names end after 31 bytes, this one is {}", Shown::of(kept)),
            Self::StopLooksLikeDegrees { stop } => {
                write!(
                    f,
                    "stops are radians, {stop} is beyond half a turn; {stop} degrees are {:.3}",
                    stop.to_radians()
                )
            }
            Self::StopsCrossed { lo, hi } => {
                write!(f, "the low stop {lo} is above the high stop {hi}: no limit at all")
            }
            Self::ParallelAxes => write!(f, "the two axes are parallel, another second axis will be made up"),
            Self::UnclosedQuote => write!(f, "this quote is not closed, the word ends with its line"),
            Self::UnclosedComment => write!(f, "this comment is not closed, the rest of the doll is ignored"),
            Self::NoBodies => write!(f, "a doll needs at least one body"),
            Self::TooManyProblems => write!(f, "more than {} problems, the rest is not listed", Parsed::MAX_PROBLEMS),
            Self::NoSuchAnimation { index, count } => {
                write!(f, "the model has no animation {index}, it has {count}, counted from 0")
            }
            Self::SharedBone { bone, first } => {
                write!(f, "bone {} has a body since line {first}; this one will drive it", Shown::of(bone))
            }
            Self::NeverJointed { body } => write!(f, "no joint holds body {}", Shown::of(body)),
            Self::MassRatio { ratio } => {
                write!(
                    f,
                    "one of these bodies is {ratio:.0} times as heavy as the other, more than 10 makes joints stretch"
                )
            }
            Self::OrientNowhere { bone } => {
                write!(f, "`orient` has no effect, there is no other bone for {} to point to", Shown::of(bone))
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
        Some(line) => write!(f, ", it was left out at line {line}"),
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
