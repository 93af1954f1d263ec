//! Doll while it is parsed: objects with the places in the text that define them.

use std::collections::HashSet;
use std::f32::consts::PI;
use std::ops::Range;

use super::bones::Bones;
use super::problem::Problems;
use super::{Body, Doll, DollProblemKind, Joint, JointKind, Parsed};
use crate::math::Vec3;
use crate::model::Name;

/// Parsed content of a text, with its places in the text.
pub(super) struct Draft<'a> {
    pub(super) text: &'a [u8],
    /// Bones of the model for which the text is parsed.
    pub(super) bones: Option<Bones<'a>>,
    pub(super) doll: Doll,
    /// Position of the `refpose` that takes effect.
    pub(super) reference_span: Range<usize>,
    /// Places of the bodies' names, in order.
    pub(super) body_spans: Vec<Range<usize>>,
    /// Places of the joints' names, in order.
    pub(super) joint_spans: Vec<Range<usize>>,
    pub(super) problems: Problems,
}

impl Draft<'_> {
    pub(super) fn finish(self) -> Parsed {
        Parsed { doll: self.doll, problems: self.problems.locate(self.text) }
    }
}

#[derive(Clone)]
pub(super) struct BodyDraft {
    pub(super) body: Body,
    pub(super) span: Range<usize>,
}

impl Default for BodyDraft {
    fn default() -> Self {
        Self { body: Body::new(Name::default(), Name::default()), span: 0..0 }
    }
}

#[derive(Clone)]
pub(super) struct JointDraft {
    /// Joint so far; its `kind` is a placeholder.
    pub(super) joint: Joint,
    pub(super) kind: Option<JointKind>,
    /// `true` after a `type` line that was reported as wrong.
    pub(super) type_reported: bool,
    pub(super) span: Range<usize>,
    /// `true` after a `twist` line, which makes a universal joint a cone.
    pub(super) twists: bool,
    /// Places where the stops were set: for each axis, and for the twist, low and high; empty if never.
    pub(super) stop_spans: [[Range<usize>; 2]; 3],
    /// Places where the axes were set, empty if never.
    pub(super) axis_spans: [Range<usize>; 2],
}

impl Default for JointDraft {
    fn default() -> Self {
        Self {
            joint: Joint::new(Name::default(), JointKind::Fixed, 0, None),
            kind: None,
            type_reported: false,
            span: 0..0,
            twists: false,
            stop_spans: Default::default(),
            axis_spans: Default::default(),
        }
    }
}

impl JointDraft {
    /// Returns the type of the joint once all its attributes are known.
    pub(super) fn kind(&self) -> Option<JointKind> {
        self.kind.map(|kind| if kind == JointKind::Universal && self.twists { JointKind::Cone } else { kind })
    }
}

/// Half a turn plus a margin for rounding, radians.
const HALF_TURN: f32 = PI + 0.01;

/// Reports suspicious stops and axes once all attributes are known. A problem that many joints have from the default is
/// reported once.
pub(super) fn warn(joints: &[JointDraft], problems: &mut Problems) {
    let mut reported = HashSet::new();
    for draft in joints {
        let Some(kind) = draft.kind() else { continue };
        let JointDraft { joint, stop_spans, axis_spans, .. } = draft;
        let span = later(&stop_spans[2]);
        if draft.twists && kind != JointKind::Cone && reported.insert(span.clone()) {
            problems.add(span, || DollProblemKind::TwistWithoutCone { kind });
        }
        let limited = match kind {
            JointKind::Hinge | JointKind::Slider | JointKind::Hinge2 => 1,
            JointKind::Universal => 2,
            JointKind::Cone => 3,
            JointKind::Fixed | JointKind::Point => 0,
        };
        for (stops, spans) in joint.stops.iter().chain([&joint.twist]).zip(stop_spans).take(limited) {
            for (stop, span) in [stops.lo, stops.hi].into_iter().zip(spans) {
                let degrees = kind != JointKind::Slider && stop.is_finite() && stop.abs() > HALF_TURN;
                if degrees && reported.insert(span.clone()) {
                    problems.add(span, || DollProblemKind::StopLooksLikeDegrees { stop });
                }
            }
            let span = later(spans);
            if stops.lo > stops.hi && reported.insert(span.start..span.start) {
                problems.add(span, || DollProblemKind::StopsCrossed { lo: stops.lo, hi: stops.hi });
            }
        }
        let span = later(axis_spans);
        let both = matches!(kind, JointKind::Universal | JointKind::Hinge2 | JointKind::Cone);
        if both && parallel(joint.axis, joint.axis2) && reported.insert(span.clone()) {
            problems.add(span, || DollProblemKind::ParallelAxes);
        }
    }
}

fn later(spans: &[Range<usize>; 2]) -> &Range<usize> {
    let [a, b] = spans;
    if a.start > b.start { a } else { b }
}

fn parallel(a: Vec3, b: Vec3) -> bool {
    a.normalize_or_zero().cross(b.normalize_or_zero()).length() < 1e-3
}
