//! Dolls: text in, problems out.

mod check;
mod drop;
mod fit;
mod words;

use std::ffi::c_char;
use std::sync::Arc;

use skelobj::Doll;
use skelobj::doll::{DollProblem, Orient, ReferencePose, Severity, Stops, decode, format, lint};
use skelobj::math::Vec3;
use skelobj::model::Name;

pub use check::*;
pub use drop::*;
pub use fit::*;
pub use words::*;

use crate::SkelobjStatus;
use crate::error::Result;
use crate::guard;
use crate::id::{Id, SkelobjDoll, SkelobjModel};
use crate::numbers::{self, count, flag};
use crate::pointer::{In, Out};
use crate::table::{self, Entry};
use crate::text;

/// Doll with the problems of its text.
pub(crate) struct ParsedDoll {
    pub(crate) doll: Arc<Doll>,
    pub(crate) problems: Vec<DollProblem>,
}

/// Problem in the text of a doll.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjDollProblem {
    /// 1 for an error: a line was left out or changed; 0 for a warning.
    pub is_error: i32,
    /// Line of the text, from 1.
    pub line: i32,
    /// Column in bytes of UTF-8, from 1.
    pub column: i32,
    /// First byte that the problem is about, in the text as skelobj_doll_decode returns it.
    pub start: i32,
    /// End of those bytes.
    pub end: i32,
    /// Short name of the kind of problem, such as "stop-in-degrees", which stays the same between versions.
    pub code: [c_char; 32],
    /// Message, "line:column: severity: what is wrong".
    pub text: [c_char; 256],
    /// Text to write in the place of those bytes; empty if none is known.
    pub suggestion: [c_char; 256],
}

/// Bytes of a suggestion that fits.
const LONGEST_SUGGESTION: usize = 255;

impl From<&DollProblem> for SkelobjDollProblem {
    fn from(problem: &DollProblem) -> Self {
        Self {
            is_error: flag(problem.severity() == Severity::Error),
            line: count(problem.line),
            column: count(problem.column),
            start: count(problem.span.start),
            end: count(problem.span.end),
            code: text::array(problem.code()),
            text: text::array(problem.to_string()),
            // A part of it would be wrong.
            suggestion: text::array(
                problem.suggestion().filter(|text| text.len() <= LONGEST_SUGGESTION).unwrap_or_default(),
            ),
        }
    }
}

/// Writes the text of a .doll file as UTF-8 without a byte order mark, and its length (may be null). The file is UTF-8,
/// UTF-16 with a byte order mark, or Latin-1. All functions that read dolls decode them in this way; the places of
/// problems are those of the decoded text.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_decode(
    source: In<c_char>,
    size: usize,
    buffer: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, length) = (buffer.buffer(capacity)?, length.wanted()?);
        buffer.fill_text(decode(&characters(&source, size)?).as_bytes(), length)
    })
}

/// Reads the text of a .doll file and returns the id of the doll; none on failure. Lines with errors are left out, as
/// in FTE: skelobj_doll_problems tells them. A doll for a `model` lacks bodies whose bones the model lacks; none is for
/// any model.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_parse(source: In<c_char>, size: usize, model: SkelobjModel) -> SkelobjDoll {
    guard::value(SkelobjDoll::NONE, || {
        let source = characters(&source, size)?;
        let parsed = match model.is_none() {
            true => Doll::parse(&source),
            false => Doll::parse_for(&source, &table::model(model)?.model().skeleton),
        };
        let doll = ParsedDoll { doll: parsed.doll.into(), problems: parsed.problems };
        table::insert(Entry::Doll(doll.into()))
    })
}

fn characters(source: &In<c_char>, size: usize) -> Result<Vec<u8>> {
    Ok(source.slice(size)?.iter().map(|character| *character as u8).collect())
}

/// Returns 1 if a doll has this id, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_is_valid(doll: SkelobjDoll) -> i32 {
    guard::value(0, || Ok(flag(table::has(doll))))
}

/// Frees a doll. Ragdolls that were made from it stay.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_free(doll: SkelobjDoll) -> SkelobjStatus {
    guard::status(|| table::remove(doll))
}

/// Writes the problems of the text that a doll was read from, and their number (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_problems(
    doll: SkelobjDoll,
    problems: Out<SkelobjDollProblem>,
    capacity: i32,
    count: Out<i32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, count) = (problems.buffer(numbers::size(capacity)?)?, count.wanted()?);
        let parsed = table::parsed_doll(doll)?;
        buffer.fill(&parsed.problems.iter().map(SkelobjDollProblem::from).collect::<Vec<_>>(), count)
    })
}

/// Writes what a careful reader says about the text of a doll, beyond its errors: masses that do not fit, bodies
/// without joints, and bones that a `model` (may be none) lacks; and their number (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_lint(
    source: In<c_char>,
    size: usize,
    model: SkelobjModel,
    problems: Out<SkelobjDollProblem>,
    capacity: i32,
    count: Out<i32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, count) = (problems.buffer(numbers::size(capacity)?)?, count.wanted()?);
        let source = characters(&source, size)?;
        let loaded = if model.is_none() { None } else { Some(table::model(model)?) };
        let found = lint(&source, loaded.as_ref().map(|loaded| &**loaded.model()));
        buffer.fill(&found.iter().map(SkelobjDollProblem::from).collect::<Vec<_>>(), count)
    })
}

/// Writes the text of a .doll file with tidy blanks and line breaks, and its length (may be null). Words and comments
/// stay as they are, so the text is that of the same doll. A Latin-1 text stays Latin-1; others become UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_format(
    source: In<c_char>,
    size: usize,
    buffer: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, length) = (buffer.buffer(capacity)?, length.wanted()?);
        buffer.fill_text(&format(&characters(&source, size)?), length)
    })
}

/// Writes a doll as text, and its length (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_text(
    doll: SkelobjDoll,
    buffer: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, length) = (buffer.buffer(capacity)?, length.wanted()?);
        buffer.fill_text(&table::doll(doll)?.to_text(), length)
    })
}

/// Returns 1 if a model has all bones of a doll, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_is_compatible(doll: SkelobjDoll, model: SkelobjModel) -> i32 {
    guard::value(0, || Ok(flag(table::doll(doll)?.is_compatible(&table::model(model)?.model().skeleton))))
}

/// Body of a doll.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjDollBody {
    /// Name.
    pub name: [c_char; 32],
    /// Name of the bone that it drives, cut to 63 bytes.
    pub bone: [c_char; 64],
    /// Name of the bone that it points to, cut to 63 bytes; empty for none.
    pub toward: [c_char; 64],
    /// Number of the bone that it drives in the model of the call; 0 for none.
    pub bone_number: i32,
    /// Number of the bone that it points to in the model of the call; 0 for none.
    pub toward_number: i32,
    /// Shape: box, sphere, capsule or cylinder, as SKELOBJ_BODY_SHAPE_...
    pub shape: i32,
    /// Size along its axes, units.
    pub size: [f32; 3],
    /// Mass.
    pub mass: f32,
    /// Density relative to water.
    pub density: f32,
    /// Share of the animation: 0 is limp.
    pub animate: f32,
    /// 1 if `offset` and `angles` place it relative to its bone.
    pub has_offset: i32,
    /// Position relative to its bone, units.
    pub offset: [f32; 3],
    /// Angles relative to its bone, degrees.
    pub angles: [f32; 3],
    /// 1 if debug drawing shows it.
    pub draw: i32,
    /// Line of the text.
    pub line: i32,
}

/// Shape of a body.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjBodyShape {
    /// Box: `size` is its extent along x, y and z.
    Box = 0,
    /// Sphere.
    Sphere = 1,
    /// Capsule along z.
    Capsule = 2,
    /// Cylinder along z.
    Cylinder = 3,
}

impl From<skelobj::doll::Shape> for SkelobjBodyShape {
    fn from(shape: skelobj::doll::Shape) -> Self {
        match shape {
            skelobj::doll::Shape::Box => Self::Box,
            skelobj::doll::Shape::Sphere => Self::Sphere,
            skelobj::doll::Shape::Capsule => Self::Capsule,
            skelobj::doll::Shape::Cylinder => Self::Cylinder,
        }
    }
}

/// Joint of a doll.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjDollJoint {
    /// Name.
    pub name: [c_char; 32],
    /// Kind, such as "hinge", as in the text.
    pub kind: [c_char; 16],
    /// Name of the bone at which it turns, cut to 63 bytes; empty for that of the first body.
    pub pivot: [c_char; 64],
    /// Number of the bone at which it turns in the model of the call; 0 for none.
    pub pivot_number: i32,
    /// Index of its first body.
    pub body1: i32,
    /// Index of its second body; -1 for the world.
    pub body2: i32,
    /// First axis.
    pub axis: [f32; 3],
    /// Second axis.
    pub axis2: [f32; 3],
    /// Position relative to the pivot, units.
    pub offset: [f32; 3],
    /// Lowest angles (radians) or distances (units) of both axes.
    pub stop_lo: [f32; 2],
    /// Highest angles or distances of both axes.
    pub stop_hi: [f32; 2],
    /// Lowest and highest twist of a cone joint, radians.
    pub twist: [f32; 2],
    /// Greatest friction of both axes.
    pub fmax: [f32; 2],
    /// Softness of both axes.
    pub cfm: [f32; 2],
    /// Share of an error that a step repairs, of both axes.
    pub erp: [f32; 2],
    /// Strength of the muscle.
    pub muscle: f32,
    /// Damping of the muscle; negative for that of its strength.
    pub muscle_damping: f32,
    /// Time over which the muscle slackens once the joint is limp, seconds; 0 if it does not.
    pub slacken: f32,
    /// 1 if the joint holds.
    pub enabled: i32,
    /// 1 if debug drawing shows it.
    pub draw: i32,
    /// Line of the text.
    pub line: i32,
}

/// Returns the numbers that bones have in a model; 0 for all without one.
fn bone_numbers(model: SkelobjModel) -> Result<impl Fn(Option<&Name>) -> i32> {
    let loaded = if model.is_none() { None } else { Some(table::model(model)?) };
    Ok(move |bone: Option<&Name>| {
        let skeleton = loaded.as_ref().map(|loaded| &loaded.model().skeleton);
        numbers::bone_number(skeleton.and_then(|skeleton| skeleton.find(bone?.as_bytes())))
    })
}

/// Writes the bodies of a doll, with the numbers that their bones have in a `model` (may be none), and their number
/// (may be null). Their indices are those of skelobj_ragdoll_bodies.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_bodies(
    doll: SkelobjDoll,
    model: SkelobjModel,
    bodies: Out<SkelobjDollBody>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, number, doll) = (bodies.buffer(numbers::size(capacity)?)?, number.wanted()?, table::doll(doll)?);
        let number_of = bone_numbers(model)?;
        let bodies = doll.bodies.iter().map(|body| {
            let toward = match &body.orient {
                Some(Orient::Toward(bone)) => Some(bone),
                _ => None,
            };
            SkelobjDollBody {
                name: text::array(&body.name),
                bone: text::array(&body.bone),
                toward: toward.map_or(text::array(b""), text::array),
                bone_number: number_of(Some(&body.bone)),
                toward_number: number_of(toward),
                shape: SkelobjBodyShape::from(body.shape) as i32,
                size: body.size,
                mass: body.mass,
                density: body.density,
                animate: body.animate,
                has_offset: flag(body.offset.is_some()),
                offset: body.offset.as_ref().map_or(Vec3::ZERO, |offset| offset.position).to_array(),
                angles: body.offset.as_ref().map_or(Vec3::ZERO, |offset| offset.angles).to_array(),
                draw: flag(body.draw),
                line: count(body.line),
            }
        });
        buffer.fill(&bodies.collect::<Vec<_>>(), number)
    })
}

/// Writes the joints of a doll, with the numbers that their bones have in a `model` (may be none), and their number
/// (may be null). Their indices are those of skelobj_ragdoll_joints.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_joints(
    doll: SkelobjDoll,
    model: SkelobjModel,
    joints: Out<SkelobjDollJoint>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, number, doll) = (joints.buffer(numbers::size(capacity)?)?, number.wanted()?, table::doll(doll)?);
        let number_of = bone_numbers(model)?;
        let joints = doll.joints.iter().map(|joint| {
            let lo = |stops: &Stops| stops.lo;
            SkelobjDollJoint {
                name: text::array(&joint.name),
                kind: text::array(joint.kind.word()),
                pivot: joint.pivot.as_ref().map_or(text::array(b""), text::array),
                pivot_number: number_of(joint.pivot.as_ref()),
                body1: count(joint.body1),
                body2: numbers::number(joint.body2),
                axis: joint.axis.to_array(),
                axis2: joint.axis2.to_array(),
                offset: joint.offset.to_array(),
                stop_lo: joint.stops.each_ref().map(lo),
                stop_hi: joint.stops.each_ref().map(|stops| stops.hi),
                twist: [joint.twist_stops.lo, joint.twist_stops.hi],
                fmax: joint.fmax,
                cfm: joint.cfm,
                erp: joint.erp,
                muscle: joint.muscle,
                muscle_damping: joint.muscle_damping.unwrap_or(-1.0),
                slacken: joint.slacken,
                enabled: flag(joint.enabled),
                draw: flag(joint.draw),
                line: count(joint.line),
            }
        });
        buffer.fill(&joints.collect::<Vec<_>>(), number)
    })
}

/// Writes the animation and time in which the bodies of a doll are placed; animation -1 is the bind pose.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_reference(doll: SkelobjDoll, animation: Out<i32>, time: Out<f32>) -> SkelobjStatus {
    guard::status(|| {
        let (animation, time, doll) = (animation.place()?, time.place()?, table::doll(doll)?);
        let (number, seconds) = match doll.reference {
            ReferencePose::Animation { index, time } => (numbers::number(Some(index as usize)), time),
            _ => (-1, 0.0),
        };
        animation.set(number);
        time.set(seconds);
        Ok(())
    })
}
