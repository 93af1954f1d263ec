//! Kinds of problems, and their messages.

use std::fmt;

use super::{DropProblem, JointKind, OnModelProblem, Severity, Shape};
use crate::model::Name;

/// Ratio of masses above which a mannequin with that ratio at all joints rarely comes to rest: 3 of 6 drops did not at
/// 1000, and none did at 10,000.
pub(super) const MAX_MASS_RATIO: f32 = 1000.0;

/// Numbers that an attribute accepts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Requirement {
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
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum DollProblemKind {
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
    /// Comment with the mark of another language, which makes the line wrong.
    CommentMark {
        /// Mark of the comment: `#` or `;`, or several of them.
        mark: Name,
        /// `true` if the line is skipped because of the comment.
        is_skipped: bool,
    },
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
        /// Pose that was probably meant.
        suggestion: Option<Name>,
    },
    /// Word where a number was expected.
    NotANumber {
        /// Word in place of a number.
        word: Name,
        /// Number that was probably meant.
        suggestion: Option<Name>,
    },
    /// Number followed by other characters, which are ignored.
    TrailingJunk {
        /// Whole word.
        word: Name,
        /// Part of the word that counts.
        number: Name,
        /// Another number that was probably meant.
        suggestion: Option<Name>,
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
        /// Body that was probably meant.
        suggestion: Option<Name>,
    },
    /// Name that no joint has so far.
    UnknownJoint {
        /// Name on the line.
        name: Name,
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
    /// Several bones, none of which the model has, and few of which are like those that it has.
    OtherModel {
        /// Number of the bones.
        bones: usize,
        /// Name of the model, if it is known.
        model: Option<Name>,
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
    /// Name of an earlier body or joint, used again; `updatebody`, joints and commands find the earlier one.
    DuplicateName {
        /// Name on the line.
        name: Name,
        /// Line of the earlier body or joint.
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
        /// Text with both numbers exchanged; `None` if they do not belong to the same lines of the doll.
        exchanged: Option<String>,
    },
    /// `twist` of a joint that is neither universal nor a cone; it has no effect.
    TwistWithoutCone {
        /// Type of the joint.
        kind: JointKind,
    },
    /// Joint that needs two axes but has parallel ones; another second axis is chosen.
    ParallelAxes,
    /// Quoted word that its line does not close.
    UnclosedQuote {
        /// `true` if the line is skipped because of the quote.
        is_skipped: bool,
    },
    /// `/*` without `*/`: the rest of the text is ignored.
    UnclosedComment,
    /// Doll without bodies.
    NoBodies,
    /// More than [`Parsed::MAX_PROBLEMS`](super::Parsed::MAX_PROBLEMS) problems; the rest is not listed.
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
    /// Several bodies without any joint.
    NoJoints {
        /// Number of the bodies.
        bodies: usize,
    },
    /// Joint between two bodies of which one is more than ten times as heavy as the other: the joint will stretch. An
    /// error above a ratio of 1000: the doll will not come to rest.
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
    /// Bodies that joints hold together, but that no joint holds to the rest of the doll.
    Island {
        /// First body of the group.
        body: Name,
        /// Number of bodies in the group.
        bodies: usize,
    },
    /// Second enabled joint between the same two bodies.
    JointedTwice {
        /// Name of the earlier joint.
        joint: Name,
        /// Line of the earlier joint.
        first: usize,
    },
    /// Joint of a type that moves, all of whose stops allow a single angle or position only.
    JointLocked {
        /// Type of the joint.
        kind: JointKind,
    },
    /// Sizes that differ where the shape has one radius.
    SizesAveraged {
        /// Shape of the body.
        shape: Shape,
        /// Radius that results, Quake units.
        radius: f32,
        /// Sizes that mean the same; `None` if other bodies have these, too.
        suggestion: Option<String>,
    },
    /// Size, mass or offset beyond what the simulation can use.
    BeyondSimulation {
        /// Attribute of the line: `size`, `mass` or `offset`.
        attribute: &'static str,
        /// Number as written.
        value: f32,
        /// Number that is used in its place.
        used: f32,
    },
    /// Share of a stop's violation to correct per step that is above 1; 1 is used.
    ErpAboveOne {
        /// Number as written.
        erp: f32,
    },
    /// Time over which a muscle slackens, of a joint without a muscle.
    SlackenWithoutMuscle,
    /// Strength of a body above 1, which stays exact while a fade or a hit weakens the others.
    AnimateAboveOne {
        /// Number as written.
        strength: f32,
    },
    /// Joint that names the child before its parent.
    JointExchanged {
        /// Names of the bodies, in the order of the text.
        bodies: [Name; 2],
    },
    /// Problem that shows on a model.
    OnModel(OnModelProblem),
    /// Problem that shows in a drop test.
    Drop(DropProblem),
}

impl DollProblemKind {
    /// Returns the severity of a problem of this kind: an error if something is skipped or cannot work.
    pub(super) fn severity(&self) -> Severity {
        match self {
            Self::OnModel(OnModelProblem::BodyFar { .. } | OnModelProblem::OtherScale { .. }) => Severity::Error,
            Self::ExtraWords
            | Self::CommentMark { is_skipped: false, .. }
            | Self::TrailingJunk { .. }
            | Self::DuplicateName { .. }
            | Self::NameTooLong { .. }
            | Self::StopLooksLikeDegrees { .. }
            | Self::StopsCrossed { .. }
            | Self::TwistWithoutCone { .. }
            | Self::ParallelAxes
            | Self::UnclosedQuote { is_skipped: false }
            | Self::SharedBone { .. }
            | Self::NeverJointed { .. }
            | Self::NoJoints { .. }
            | Self::DenseBody { .. }
            | Self::OrientNowhere { .. }
            | Self::Island { .. }
            | Self::JointedTwice { .. }
            | Self::JointLocked { .. }
            | Self::SizesAveraged { .. }
            | Self::BeyondSimulation { .. }
            | Self::ErpAboveOne { .. }
            | Self::SlackenWithoutMuscle
            | Self::AnimateAboveOne { .. }
            | Self::JointExchanged { .. }
            | Self::OnModel(_) => Severity::Warning,
            Self::MassRatio { ratio } if *ratio <= MAX_MASS_RATIO => Severity::Warning,
            _ => Severity::Error,
        }
    }
}
