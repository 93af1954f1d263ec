//! Messages of problems.

use std::fmt;

use super::diagnostic::Quoted;
use super::kind::MAX_MASS_RATIO;
use super::{DollProblemKind, JointKind, Parsed, Shape};
use crate::model::Name;

impl fmt::Display for DollProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownDirective { word, suggestion } => {
                write!(f, "unknown directive {}{}", Quoted::of(word), DidYouMean(suggestion))
            }
            Self::Misplaced { attribute, owner } => {
                write!(f, "`{attribute}` must appear under a {owner}")
            }
            Self::WrongCount { usage } => write!(f, "wrong number of words, expected `{usage}`"),
            Self::ExtraWords => write!(f, "a joint has at most two bodies, further words are ignored"),
            Self::CommentMark { mark, is_skipped } => {
                write!(f, "a comment begins with `//`, not with {}", Quoted::of(mark))?;
                f.write_str(if *is_skipped { "; the line is skipped" } else { "" })
            }
            Self::UnknownShape { word, suggestion } => {
                write!(f, "unknown shape {}{}", Quoted::of(word), DidYouMean(suggestion))?;
                list_if_unsure(f, suggestion, &Shape::ALL.map(Shape::word))
            }
            Self::UnknownJointType { word, suggestion } => {
                write!(f, "unknown joint type {}{}", Quoted::of(word), DidYouMean(suggestion))?;
                list_if_unsure(f, suggestion, &JointKind::ALL.map(JointKind::word))
            }
            Self::UnknownPose { word, suggestion: suggestion @ Some(_) } => {
                write!(f, "{} is not a pose{}", Quoted::of(word), DidYouMean(suggestion))
            }
            Self::UnknownPose { word, suggestion: None } => {
                write!(
                    f,
                    "{} is not a pose, expected `skin` or an animation's number and a time in seconds",
                    Quoted::of(word)
                )
            }
            Self::NotANumber { word, suggestion } => {
                write!(f, "{} is not a number{}", Quoted::of(word), DidYouMean(suggestion))
            }
            Self::TrailingJunk { word, number, suggestion } => {
                write!(f, "{} is read as {number}{}", Quoted::of(word), DidYouMean(suggestion))
            }
            Self::BadNumber { attribute, requirement } => {
                write!(f, "`{attribute}` must be {requirement}; the previous value is kept")
            }
            Self::ZeroAxis => write!(f, "the axis has no direction; the previous value is kept"),
            Self::UnknownBody { name, suggestion } => {
                write!(f, "unknown body {}{}", Quoted::of(name), DidYouMean(suggestion))
            }
            Self::UnknownJoint { name, suggestion } => {
                write!(f, "unknown joint {}{}", Quoted::of(name), DidYouMean(suggestion))
            }
            Self::NoSuchBone { bone, suggestion } => {
                write!(f, "the model has no bone {}{}", Quoted::of(bone), DidYouMean(suggestion))
            }
            Self::OtherModel { bones, model } => {
                write!(f, "none of its {bones} bones is in ")?;
                match model {
                    Some(model) => write!(f, "{model}")?,
                    None => f.write_str("the model")?,
                }
                f.write_str(": is it another model's doll?")
            }
            Self::JointToItself => write!(f, "a joint cannot join a body to itself"),
            Self::JointWithoutType { joint } => write!(f, "joint {} has no `type` and is dropped", Quoted::of(joint)),
            Self::PivotOnDefault => write!(f, "the default joint cannot have a `pivot`, use `offset`"),
            Self::DuplicateName { name, first } => {
                write!(
                    f,
                    "the name {} is already used in line {first} and refers to what is defined there",
                    Quoted::of(name)
                )
            }
            Self::NameTooLong { kept } => {
                write!(f, "names have at most 31 bytes, this one is cut to {}", Quoted::of(kept))
            }
            Self::StopLooksLikeDegrees { stop } => {
                write!(
                    f,
                    "stops are in radians, {stop} is more than half a turn; {stop} degrees are {:.3}",
                    stop.to_radians()
                )
            }
            Self::StopsCrossed { lo, hi, exchanged } => {
                write!(f, "the low stop {lo} is above the high stop {hi}: the joint is not limited")?;
                f.write_str(if exchanged.is_some() { "; exchange the two" } else { "" })
            }
            Self::TwistWithoutCone { kind } => {
                write!(f, "`twist` has no effect on type {}, expected type cone or universal", kind.word())
            }
            Self::ParallelAxes => write!(f, "the two axes are parallel, another second axis is chosen"),
            Self::UnclosedQuote { is_skipped } => {
                f.write_str("the quote is not closed, the word ends with its line")?;
                f.write_str(if *is_skipped { ", which is skipped" } else { "" })
            }
            Self::UnclosedComment => write!(f, "the comment is not closed, the rest of the doll is ignored"),
            Self::NoBodies => write!(f, "a doll needs at least one body"),
            Self::TooManyProblems => write!(f, "more than {} problems, the rest is not listed", Parsed::MAX_PROBLEMS),
            Self::NoSuchAnimation { index, count } => {
                write!(f, "the model has no animation {index}; it has {count}, counted from 0")
            }
            Self::SharedBone { bone, first } => {
                write!(f, "bone {} already has a body (line {first}); the later body drives it", Quoted::of(bone))
            }
            Self::NeverJointed { body } => write!(f, "no joint holds body {}", Quoted::of(body)),
            Self::NoJoints { bodies } => write!(f, "no joint holds the {bodies} bodies together"),
            Self::MassRatio { ratio } => {
                write!(f, "one body is {ratio:.0} times as heavy as the other; ")?;
                match *ratio > MAX_MASS_RATIO {
                    true => write!(f, "above a ratio of {MAX_MASS_RATIO} dolls do not come to rest"),
                    false => f.write_str("above a ratio of 10 joints stretch"),
                }
            }
            Self::DenseBody { density } => {
                write!(
                    f,
                    "a density of {density} is that many times as dense as water, where lead is 11: use {}",
                    density / 1000.0
                )
            }
            Self::OrientNowhere { bone } => {
                write!(f, "`orient` has no effect: {} has no other bone to point to", Quoted::of(bone))
            }
            Self::Island { body, bodies: 2 } => {
                write!(f, "no joint holds body {} and its neighbour to the rest of the doll", Quoted::of(body))
            }
            Self::Island { body, bodies } => {
                let others = bodies - 1;
                write!(
                    f,
                    "no joint holds body {} and the {others} bodies joined to it to the rest of the doll",
                    Quoted::of(body)
                )
            }
            Self::JointedTwice { joint, first } => {
                write!(f, "joint {} (line {first}) already joins these two bodies", Quoted::of(joint))
            }
            Self::JointLocked { kind } => {
                let kind = kind.word();
                write!(f, "the stops of this {kind} allow no motion: set them, or use `type fixed`")
            }
            Self::SizesAveraged { shape: Shape::Sphere, radius, .. } => {
                write!(f, "a sphere has one size: its radius is the mean, {radius}; write `size {radius}`")
            }
            Self::SizesAveraged { shape, radius, .. } => {
                write!(f, "the first two sizes of a {} are averaged to its radius, {radius}", shape.word())
            }
            Self::BeyondSimulation { attribute, value, used } => {
                write!(f, "the simulation cannot use {attribute} {value}; it uses {used}")
            }
            Self::ErpAboveOne { erp } => {
                write!(f, "an ERP of {erp} is used as 1, which corrects the whole violation in a step")
            }
            Self::SlackenWithoutMuscle => {
                write!(f, "`slacken` has no effect on a joint without a muscle: set one with `muscle`")
            }
            Self::AnimateAboveOne { strength } => {
                write!(
                    f,
                    "a strength of {strength} resists fades, hits and weaker commands; 1 is exact, and less is a pull"
                )
            }
            Self::JointExchanged { bodies: [child, parent] } => {
                let (child, parent) = (Quoted::of(child), Quoted::of(parent));
                write!(f, "the bone of {child} hangs on that of {parent}: a joint names the parent, {parent}, first")
            }
            Self::OnModel(problem) => problem.fmt(f),
            Self::Drop(problem) => problem.fmt(f),
        }
    }
}

fn list_if_unsure(f: &mut fmt::Formatter<'_>, suggestion: &Option<Name>, words: &[&str]) -> fmt::Result {
    if suggestion.is_none() {
        write!(f, ", expected one of {}", words.join(", "))?;
    }
    Ok(())
}

/// Suggestion that a message adds after an unknown name.
pub(crate) struct DidYouMean<'a>(pub(crate) &'a Option<Name>);

impl fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, ", did you mean {}?", Quoted::of(name)),
            None => Ok(()),
        }
    }
}
