//! Codes of problems, by which tools know them, and texts to write instead.

use super::encoding::text_of;
use super::print::quoted;
use super::{DollProblemKind, DropProblem, OnModelProblem};
use crate::model::Name;

impl DollProblemKind {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::UnknownDirective { .. } => "unknown-directive",
            Self::Misplaced { .. } => "misplaced",
            Self::WrongCount { .. } => "wrong-count",
            Self::ExtraWords => "extra-words",
            Self::CommentMark { .. } => "comment-mark",
            Self::UnknownShape { .. } => "unknown-shape",
            Self::UnknownJointType { .. } => "unknown-joint-type",
            Self::UnknownPose { .. } => "unknown-pose",
            Self::NotANumber { .. } => "not-a-number",
            Self::TrailingJunk { .. } => "trailing-junk",
            Self::BadNumber { .. } => "bad-number",
            Self::ZeroAxis => "zero-axis",
            Self::UnknownBody { .. } => "unknown-body",
            Self::UnknownJoint { .. } => "unknown-joint",
            Self::NoSuchBone { .. } => "no-such-bone",
            Self::OtherModel { .. } => "other-model",
            Self::JointToItself => "joint-to-itself",
            Self::JointWithoutType { .. } => "joint-without-type",
            Self::PivotOnDefault => "pivot-on-default",
            Self::DuplicateName { .. } => "duplicate-name",
            Self::NameTooLong { .. } => "name-too-long",
            Self::StopLooksLikeDegrees { .. } => "stop-in-degrees",
            Self::StopsCrossed { .. } => "stops-crossed",
            Self::TwistWithoutCone { .. } => "twist-without-cone",
            Self::ParallelAxes => "parallel-axes",
            Self::UnclosedQuote { .. } => "unclosed-quote",
            Self::UnclosedComment => "unclosed-comment",
            Self::NoBodies => "no-bodies",
            Self::TooManyProblems => "too-many-problems",
            Self::NoSuchAnimation { .. } => "no-such-animation",
            Self::SharedBone { .. } => "shared-bone",
            Self::NeverJointed { .. } => "never-jointed",
            Self::NoJoints { .. } => "no-joints",
            Self::MassRatio { .. } => "mass-ratio",
            Self::DenseBody { .. } => "dense-body",
            Self::OrientNowhere { .. } => "orient-nowhere",
            Self::Island { .. } => "island",
            Self::JointedTwice { .. } => "jointed-twice",
            Self::JointLocked { .. } => "joint-locked",
            Self::SizesAveraged { .. } => "sizes-averaged",
            Self::BeyondSimulation { .. } => "beyond-simulation",
            Self::ErpAboveOne { .. } => "erp-above-one",
            Self::SlackenWithoutMuscle => "slacken-without-muscle",
            Self::AnimateAboveOne { .. } => "animate-above-one",
            Self::JointExchanged { .. } => "joint-exchanged",
            Self::OnModel(problem) => match problem {
                OnModelProblem::OtherScale { .. } => "other-scale",
                OnModelProblem::BodyFar { .. } => "body-far",
                OnModelProblem::JointFar { .. } => "joint-far",
                OnModelProblem::Overlap { .. } => "overlap",
                OnModelProblem::ShapeTooLarge { .. } => "shape-too-large",
                OnModelProblem::ShapeTooSmall { .. } => "shape-too-small",
                OnModelProblem::AnimationBeyondStop { .. } => "animation-beyond-stop",
                OnModelProblem::AnimationOffAxis { .. } => "animation-off-axis",
                OnModelProblem::WeakSoftStop { .. } => "weak-soft-stop",
            },
            Self::Drop(problem) => match problem {
                DropProblem::Refused { .. } => "drop-refused",
                DropProblem::Gap { .. } => "drop-gap",
                DropProblem::Restless { .. } => "drop-restless",
                DropProblem::BeyondStop { .. } => "drop-beyond-stop",
                DropProblem::NonFinite { .. } => "drop-non-finite",
                DropProblem::GainsEnergy { .. } => "drop-gains-energy",
                DropProblem::ThroughFloor { .. } => "drop-through-floor",
            },
        }
    }

    /// Returns the text to write in the place of the problem.
    pub(super) fn suggestion(&self) -> Option<String> {
        let name = |name: &Option<Name>| name.as_ref().map(written);
        let word = |word: &Name| text_of(word.as_bytes()).into_owned();
        match self {
            Self::UnknownBody { suggestion, .. }
            | Self::UnknownJoint { suggestion, .. }
            | Self::NoSuchBone { suggestion, .. } => name(suggestion),
            Self::UnknownDirective { suggestion, .. }
            | Self::UnknownShape { suggestion, .. }
            | Self::UnknownJointType { suggestion, .. }
            | Self::UnknownPose { suggestion, .. }
            | Self::NotANumber { suggestion, .. } => suggestion.as_ref().map(word),
            Self::TrailingJunk { number, suggestion, .. } => Some(word(suggestion.as_ref().unwrap_or(number))),
            Self::CommentMark { .. } => Some("//".to_owned()),
            // The cut may be within a character.
            Self::NameTooLong { kept } => kept.as_str().map(|_| written(kept)),
            Self::StopLooksLikeDegrees { stop } => Some(format!("{:.3}", stop.to_radians())),
            Self::StopsCrossed { exchanged, .. } => exchanged.clone(),
            Self::DenseBody { density } => Some((density / 1000.0).to_string()),
            Self::SizesAveraged { suggestion, .. } => suggestion.clone(),
            Self::ErpAboveOne { .. } => Some("1".to_owned()),
            Self::OnModel(OnModelProblem::AnimationBeyondStop { suggestion, is_written: true, .. }) => {
                suggestion.map(|stop| stop.to_string())
            }
            _ => None,
        }
    }
}

/// Returns a name as a word of a text.
fn written(name: &Name) -> String {
    String::from_utf8_lossy(&quoted(text_of(name.as_bytes()).as_bytes())).into_owned()
}
