//! Problems of a doll on a model and in drop tests.

use std::fmt;

use skelobj_model::internal::{Shown, ShownLength};

use super::JointKind;
use super::diagnostic::Quoted;
use crate::model::Name;

/// Problem of a doll that shows on a model.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum OnModelProblem {
    /// Doll whose lengths are those of a model of another size.
    OtherScale {
        /// Length of the shapes relative to the vertices that they move.
        factor: f32,
    },
    /// Body far from its bone and from the vertices that it moves.
    BodyFar {
        /// Distance to the box around bone and vertices, Quake units.
        distance: f32,
    },
    /// Joint far from both of its bodies.
    JointFar {
        /// Distance to the nearer body, Quake units.
        distance: f32,
        /// Name of the nearer body.
        body: Name,
    },
    /// Overlap with an earlier body to which no joint leads: the two never collide.
    Overlap {
        /// Name of the earlier body.
        body: Name,
        /// Line of the earlier body.
        line: usize,
        /// Depth of the overlap, Quake units.
        depth: f32,
    },
    /// Shape far larger than the vertices that the body moves.
    ShapeTooLarge {
        /// Length or width of the shape, Quake units.
        shape: f32,
        /// Length or width of the vertices, Quake units.
        vertices: f32,
    },
    /// Shape far smaller than the vertices that the body moves.
    ShapeTooSmall {
        /// Length or width of the shape, Quake units.
        shape: f32,
        /// Length or width of the vertices, Quake units.
        vertices: f32,
    },
    /// Animation that moves a joint beyond a stop, at its worst moment.
    AnimationBeyondStop {
        /// Name of the joint.
        joint: Name,
        /// Name of the animation.
        animation: Name,
        /// Time since the start of the animation, seconds.
        time: f32,
        /// Angle of the joint, radians; for sliders the distance, Quake units.
        position: f32,
        /// Excess beyond the stop, radians or Quake units.
        excess: f32,
        /// Stop that would hold the animation; `None` if both axes of a cone have to widen, or if the animation turns
        /// the joint beyond half a turn.
        suggestion: Option<f32>,
        /// `true` if the text has the stop, `false` if it is the default of the language.
        is_written: bool,
    },
    /// Animation with a turn of a joint in a direction that its type does not allow, at its worst moment.
    AnimationOffAxis {
        /// Name of the joint.
        joint: Name,
        /// Type of the joint.
        kind: JointKind,
        /// Name of the animation.
        animation: Name,
        /// Time since the start of the animation, seconds.
        time: f32,
        /// Angle that the joint takes back, radians.
        angle: f32,
    },
    /// Soft stop that cannot carry its limb.
    WeakSoftStop {
        /// Number of the axis, 0 or 1.
        order: usize,
        /// Softness.
        cfm: f32,
        /// Angle by which the stop would yield to the weight of the limb, radians.
        angle: f32,
        /// Angle at which the joint is held, radians.
        limit: f32,
    },
}

impl fmt::Display for OnModelProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherScale { factor } => {
                let digits = usize::from((1.0..10.0).contains(factor));
                let factor = format!("{:.digits$}", ShownLength(*factor));
                write!(f, "the doll is about {factor} times as large as the model: scale the model by {factor} ")?;
                write!(f, "(`--scale {factor}`)")
            }
            Self::BodyFar { distance } => {
                let distance = ShownLength(*distance);
                write!(
                    f,
                    "the body is {distance:.1} units away from its bone and the vertices it moves: correct its `offset`"
                )
            }
            Self::JointFar { distance, body } => {
                let (distance, body) = (ShownLength(*distance), Quoted::of(body));
                write!(
                    f,
                    "the joint is {distance:.1} units away from {body}, the nearer of its bodies: move its `pivot`"
                )
            }
            Self::Overlap { body, line, depth } => {
                let (body, depth) = (Quoted::of(body), ShownLength(*depth));
                write!(
                    f,
                    "overlaps body {body} (line {line}) by {depth:.1} units without a joint: the two never collide"
                )
            }
            Self::ShapeTooLarge { shape, vertices } => {
                let (shape, vertices) = (ShownLength(*shape), ShownLength(*vertices));
                write!(
                    f,
                    "the shape reaches over {shape:.1} units, far more than the {vertices:.1} of the vertices it moves"
                )
            }
            Self::ShapeTooSmall { shape, vertices } => {
                let (shape, vertices) = (ShownLength(*shape), ShownLength(*vertices));
                write!(
                    f,
                    "the shape reaches over {shape:.1} units, far less than the {vertices:.1} of the vertices it moves"
                )
            }
            Self::AnimationBeyondStop { joint, animation, time, position, excess, suggestion, .. } => {
                let (joint, animation) = (Quoted::of(joint), Quoted::of(animation));
                write!(
                    f,
                    "animation {animation} moves joint {joint} to {position:.2} at {time:.2} s, {excess:.2} beyond "
                )?;
                match suggestion {
                    Some(stop) => write!(f, "this stop: {stop} would hold it"),
                    None => write!(f, "its stops"),
                }
            }
            Self::AnimationOffAxis { joint, kind, animation, time, angle } => {
                let (joint, animation, kind) = (Quoted::of(joint), Quoted::of(animation), kind.word());
                write!(
                    f,
                    "animation {animation} turns joint {joint} by {angle:.2} radians at {time:.2} s in a direction in \
                     which a {kind} joint does not move"
                )
            }
            Self::WeakSoftStop { order, cfm, angle, limit } => {
                let word = if *order == 0 { "cfm" } else { "cfm2" };
                write!(
                    f,
                    "`{word} {cfm}` cannot carry this limb: it would give {angle:.1} radians, {limit} are allowed"
                )
            }
        }
    }
}

/// Problem of a doll that shows in drop tests, with the worst of the drops.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum DropProblem {
    /// Doll that the simulation does not take.
    Refused {
        /// Reason.
        why: String,
    },
    /// Joint whose bodies come apart.
    Gap {
        /// Name of the joint.
        joint: Name,
        /// Distance between the anchors, Quake units.
        gap: f32,
        /// Maximum, Quake units.
        limit: f32,
        /// `true` if the gap is that at the end, `false` if it closed again.
        resting: bool,
        /// Number of the drop: the seed of [`DropTest::with_seed`](crate::DropTest::with_seed).
        drop: u64,
    },
    /// Doll that does not come to rest in time.
    Restless {
        /// Name of the fastest body at the end.
        body: Name,
        /// Time that was set, seconds.
        limit: f32,
        /// Number of the drop.
        drop: u64,
        /// Number of drops without rest.
        count: usize,
    },
    /// Joint that the fall moves beyond a stop.
    BeyondStop {
        /// Name of the joint.
        joint: Name,
        /// Excess beyond the stop, radians; for sliders Quake units.
        excess: f32,
        /// Maximum in the same unit.
        limit: f32,
        /// `true` for a slider.
        slides: bool,
        /// Number of the drop.
        drop: u64,
    },
    /// Positions or velocities that are not finite.
    NonFinite {
        /// Number of the drop.
        drop: u64,
    },
    /// Fall that gains energy.
    GainsEnergy {
        /// Energy in the worst moment, relative to that of the release.
        ratio: f32,
        /// Number of the drop.
        drop: u64,
    },
    /// Doll that sinks into the floor or falls through it.
    ThroughFloor {
        /// Depth of the lowest point below the floor, Quake units.
        depth: f32,
        /// Number of the drop.
        drop: u64,
    },
}

impl fmt::Display for DropProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { why } => write!(f, "the doll cannot be dropped: {}", Shown::of(why)),
            Self::Gap { joint, gap, limit, resting, drop } => {
                let (joint, gap) = (Quoted::of(joint), ShownLength(*gap));
                let when = if *resting { "at rest" } else { "falling" };
                write!(f, "joint {joint} comes apart by {gap:.2} units {when} in drop {drop}; {limit} are allowed")
            }
            Self::Restless { body, limit, drop, count } => {
                let body = Quoted::of(body);
                write!(f, "body {body} still moves {limit} s after its release in drop {drop}")?;
                match count {
                    1 => Ok(()),
                    count => write!(f, "; {count} drops do not come to rest"),
                }
            }
            Self::BeyondStop { joint, excess, limit, slides, drop } => {
                let (joint, excess) = (Quoted::of(joint), ShownLength(*excess));
                let unit = if *slides { "units" } else { "radians" };
                write!(f, "joint {joint} gets {excess:.2} {unit} beyond a stop in drop {drop}; {limit} are allowed")
            }
            Self::NonFinite { drop } => write!(f, "drop {drop} has positions that are not finite"),
            Self::GainsEnergy { ratio, drop } => {
                write!(f, "drop {drop} gains energy: {ratio:.1} times that of the release")
            }
            Self::ThroughFloor { depth, drop } => {
                write!(f, "drop {drop} sinks {:.1} units into the floor", ShownLength(*depth))
            }
        }
    }
}
