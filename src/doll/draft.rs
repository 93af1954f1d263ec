//! Doll while it is parsed: objects with the places in the text that define them.

use std::f32::consts::PI;
use std::ops::Range;

use super::bone_names::Bones;
use super::lexer::Word;
use super::problem::Problems;
use super::{Body, Doll, DollProblemKind, Joint, JointKind, Parsed, Shape, c_number};
use crate::math::Vec3;
use crate::model::Name;

/// Parsed content of a text, with its places in the text.
pub(crate) struct Draft<'a> {
    pub(super) text: &'a [u8],
    /// Bones of the model for which the text is parsed.
    pub(super) bones: Option<Bones<'a>>,
    pub(crate) doll: Doll,
    /// Position of the `refpose` that takes effect.
    pub(super) reference_span: Range<usize>,
    /// Places of the bodies, in order.
    pub(crate) bodies: Vec<BodyPlaces>,
    /// Places of the joints, in order.
    pub(crate) joints: Vec<JointPlaces>,
    pub(crate) problems: Problems,
}

impl Draft<'_> {
    /// Returns `true` if a joint names the child before its parent, by the bones of the model.
    pub(crate) fn is_exchanged(&self, joint: &Joint) -> bool {
        let bone = |body: usize| self.doll.bodies.get(body).map(|body| &body.bone);
        let (Some(bones), Some(first), Some(second)) = (&self.bones, bone(joint.body1), joint.body2.and_then(bone))
        else {
            return false;
        };
        bones.is_below(first, second)
    }

    pub(crate) fn finish(self) -> Parsed {
        Parsed { doll: self.doll, problems: self.problems.locate(self.text) }
    }
}

/// Places of a body in the text; those that the text does not have are empty.
#[derive(Clone, Default)]
pub(crate) struct BodyPlaces {
    pub(crate) name: Range<usize>,
    /// Sizes of the shape.
    pub(crate) size: Range<usize>,
    pub(crate) mass: Range<usize>,
    pub(super) density: Range<usize>,
    pub(super) animate: Range<usize>,
    pub(crate) offset: Range<usize>,
}

/// Places of a joint in the text; those that the text does not have are empty.
#[derive(Clone, Default)]
pub(crate) struct JointPlaces {
    pub(crate) name: Range<usize>,
    /// Stops: for each axis, and for the twist, low and high.
    pub(crate) stops: [[Range<usize>; 2]; 3],
    pub(super) axes: [Range<usize>; 2],
    pub(super) erp: [Range<usize>; 2],
    pub(super) slacken: Range<usize>,
    /// `true` if a line of the joint has an error.
    pub(super) has_error: bool,
}

impl BodyPlaces {
    /// Returns a place, or that of the name if the text does not have it.
    pub(crate) fn or_name<'a>(&'a self, place: &'a Range<usize>) -> &'a Range<usize> {
        if place.is_empty() { &self.name } else { place }
    }
}

impl JointPlaces {
    /// Returns a place, or that of the name if the text does not have it.
    pub(crate) fn or_name<'a>(&'a self, place: &'a Range<usize>) -> &'a Range<usize> {
        if place.is_empty() { &self.name } else { place }
    }
}

#[derive(Clone)]
pub(super) struct BodyDraft {
    pub(super) body: Body,
    /// Size of the body with what lines in other words say about it.
    pub(super) meant_size: [f32; 3],
    pub(super) places: BodyPlaces,
}

impl Default for BodyDraft {
    fn default() -> Self {
        let body = Body::new(Name::default(), Name::default());
        Self { meant_size: body.size, body, places: BodyPlaces::default() }
    }
}

impl BodyDraft {
    /// Returns the `size` that a line with a radius or a length means; `None` for other words, and for shapes without
    /// the two.
    pub(super) fn meant_size(&mut self, word: &[u8], number: &Word) -> Option<String> {
        let (value, len) = c_number::float(&number.bytes)?;
        if len < number.bytes.len() || !value.is_finite() || value <= 0.0 {
            return None;
        }
        let size = &mut self.meant_size;
        match (word, self.body.shape) {
            (b"radius", Shape::Sphere) => *size = [value; 3],
            (b"radius", Shape::Cylinder | Shape::Capsule) => (size[0], size[1]) = (value, value),
            (b"length" | b"height", Shape::Cylinder | Shape::Capsule) => size[2] = value,
            _ => return None,
        }
        let [x, y, z] = *size;
        Some(if self.body.shape == Shape::Sphere { format!("size {x}") } else { format!("size {x} {y} {z}") })
    }
}

#[derive(Clone)]
pub(super) struct JointDraft {
    /// Joint so far; its `kind` is a placeholder.
    pub(super) joint: Joint,
    pub(super) kind: Option<JointKind>,
    /// `true` after a `type` line, that of the default joint, too. Without a `kind`, the line was reported.
    pub(super) has_type_line: bool,
    /// `true` after a `twist` line, which makes a universal joint a cone.
    pub(super) twists: bool,
    pub(super) places: JointPlaces,
}

impl Default for JointDraft {
    fn default() -> Self {
        Self {
            joint: Joint::new(Name::default(), JointKind::Fixed, 0, None),
            kind: None,
            has_type_line: false,
            twists: false,
            places: JointPlaces::default(),
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
pub(super) fn warn(text: &[u8], joints: &[JointDraft], problems: &mut Problems) {
    let mut reported = problems.places();
    for draft in joints {
        let Some(kind) = draft.kind() else { continue };
        let JointDraft { joint, places, .. } = draft;
        let span = later(&places.stops[2]);
        if draft.twists && kind != JointKind::Cone && reported.insert(span.clone()) {
            problems.add(span, || DollProblemKind::TwistWithoutCone { kind });
        }
        let limited = match kind {
            JointKind::Hinge | JointKind::Slider | JointKind::Hinge2 => 1,
            JointKind::Universal => 2,
            JointKind::Cone => 3,
            JointKind::Fixed | JointKind::Point => 0,
        };
        for (stops, spans) in joint.stops.iter().chain([&joint.twist_stops]).zip(&places.stops).take(limited) {
            for (stop, span) in [stops.lo, stops.hi].into_iter().zip(spans) {
                let degrees = kind != JointKind::Slider && stop.is_finite() && stop.abs() > HALF_TURN;
                if degrees && reported.insert(span.clone()) {
                    problems.add(span, || DollProblemKind::StopLooksLikeDegrees { stop });
                }
            }
            let span = later(spans);
            if stops.lo > stops.hi && reported.insert(span.start..span.start) {
                let exchange = exchange(text, spans, &places.name);
                let span = exchange.as_ref().map_or(span.clone(), |(span, _)| span.clone());
                let exchanged = exchange.map(|(_, exchanged)| exchanged);
                problems.add(&span, || DollProblemKind::StopsCrossed { lo: stops.lo, hi: stops.hi, exchanged });
            }
        }
        let span = later(&places.axes);
        let both = matches!(kind, JointKind::Universal | JointKind::Hinge2 | JointKind::Cone);
        if both && parallel(joint.axis, joint.axis2) && reported.insert(span.clone()) {
            problems.add(span, || DollProblemKind::ParallelAxes);
        }
    }
}

/// Maximum length of the text from a stop to the other one that is exchanged with it, bytes.
const LONGEST_EXCHANGE: usize = 200;

/// Returns the place of two words with the text between them, and that text with the words exchanged; `None` unless
/// both are of the joint's own lines, or both of those of the default joint above `name`.
fn exchange(text: &[u8], words: &[Range<usize>; 2], name: &Range<usize>) -> Option<(Range<usize>, String)> {
    let [first, second] = if words[0].start < words[1].start { [&words[0], &words[1]] } else { [&words[1], &words[0]] };
    let is_own = |span: &Range<usize>| span.start > name.start;
    let (whole, between) = (first.start..second.end, first.end..second.start);
    if first.is_empty() || is_own(first) != is_own(second) || whole.len() > LONGEST_EXCHANGE {
        return None;
    }
    let parts = [second.clone(), between, first.clone()].map(|span| text.get(span));
    let exchanged = parts.into_iter().collect::<Option<Vec<_>>>()?.concat();
    Some((whole, String::from_utf8(exchanged).ok()?))
}

fn later(spans: &[Range<usize>; 2]) -> &Range<usize> {
    let [a, b] = spans;
    if a.start > b.start { a } else { b }
}

fn parallel(a: Vec3, b: Vec3) -> bool {
    a.normalize_or_zero().cross(b.normalize_or_zero()).length() < 1e-3
}
