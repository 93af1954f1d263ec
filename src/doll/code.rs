//! Codes of problems, by which tools know them.

use super::{DollProblemKind, DropProblem, OnModelProblem};
use crate::model::Name;

impl DollProblemKind {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::UnknownDirective { .. } => "unknown-directive",
            Self::Misplaced { .. } => "misplaced",
            Self::WrongCount { .. } => "wrong-count",
            Self::ExtraWords => "extra-words",
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
            Self::JointToItself => "joint-to-itself",
            Self::JointWithoutType { .. } => "joint-without-type",
            Self::PivotOnDefault => "pivot-on-default",
            Self::DuplicateName { .. } => "duplicate-name",
            Self::NameTooLong { .. } => "name-too-long",
            Self::StopLooksLikeDegrees { .. } => "stop-in-degrees",
            Self::StopsCrossed { .. } => "stops-crossed",
            Self::TwistWithoutCone { .. } => "twist-without-cone",
            Self::ParallelAxes => "parallel-axes",
            Self::UnclosedQuote => "unclosed-quote",
            Self::UnclosedComment => "unclosed-comment",
            Self::NoBodies => "no-bodies",
            Self::TooManyProblems => "too-many-problems",
            Self::NoSuchAnimation { .. } => "no-such-animation",
            Self::SharedBone { .. } => "shared-bone",
            Self::NeverJointed { .. } => "never-jointed",
            Self::MassRatio { .. } => "mass-ratio",
            Self::DenseBody { .. } => "dense-body",
            Self::OrientNowhere { .. } => "orient-nowhere",
            Self::Island { .. } => "island",
            Self::JointedTwice { .. } => "jointed-twice",
            Self::JointLocked { .. } => "joint-locked",
            Self::SizesAveraged { .. } => "sizes-averaged",
            Self::BeyondSimulation { .. } => "beyond-simulation",
            Self::ErpAboveOne { .. } => "erp-above-one",
            Self::OnModel(problem) => match problem {
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

    pub(super) fn suggestion(&self) -> Option<Name> {
        match self {
            Self::UnknownDirective { suggestion, .. }
            | Self::UnknownShape { suggestion, .. }
            | Self::UnknownJointType { suggestion, .. }
            | Self::UnknownBody { suggestion, .. }
            | Self::UnknownJoint { suggestion, .. }
            | Self::NoSuchBone { suggestion, .. } => suggestion.clone(),
            Self::TrailingJunk { number, .. } => Some(number.clone()),
            Self::StopLooksLikeDegrees { stop } => Some(format!("{:.3}", stop.to_radians()).as_str().into()),
            Self::OnModel(OnModelProblem::AnimationBeyondStop { suggestion, .. }) => {
                suggestion.map(|stop| format!("{stop}").as_str().into())
            }
            _ => None,
        }
    }
}
