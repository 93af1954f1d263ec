//! Tracks: one value over time.

use glam::{DQuat, DVec3, DVec4};

use super::super::cursor::Scalar;
use super::curve::{BezierKey, Curve, Range};
use super::ease::Tcb;
use super::keys::{Keys, Moment};
use super::sampled::Sampled;
use super::stream::Stream;
use super::turn::{Turn, TurnFromBefore, slerp};
use crate::model::{ModelError, ModelProblem, Name};

/// Value over time, from an `.anim` file. Values that move no bone are checked, but not kept.
#[derive(Clone, Debug)]
pub(super) struct Track {
    kind: Type,
    /// `None` without keys, or for values that move no bone.
    motion: Option<Motion>,
    /// End of the track, or the moment at which it loops, seconds.
    pub end: f32,
    /// `true` if the track loops. A constant loops.
    pub looping: bool,
}

/// Vectors (with 0 as fourth number) or rotations (x, y, z, w) over time.
#[derive(Clone, Debug)]
enum Motion {
    Steps(Keys<[f32; 4]>),
    Linear(Keys<[f32; 4]>),
    Curve(Curve),
    Turn(Turn),
    Sampled(Sampled),
}

/// Type of a track's values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Type {
    Float,
    Vector,
    Quat,
    Int,
    Rgba,
    String,
    Bool,
}

impl Type {
    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"Float" => Self::Float,
            b"Vector" => Self::Vector,
            b"Quat" => Self::Quat,
            b"Int" => Self::Int,
            b"RGBA" => Self::Rgba,
            b"String" => Self::String,
            b"Bool" => Self::Bool,
            _ => return None,
        })
    }
}

impl Track {
    /// Reads a track after its class name.
    pub fn read(stream: &mut Stream, class: &[u8]) -> Result<Self, ModelError> {
        stream.enter("track");
        let at = stream.offset();
        let unknown = || {
            let name = Name::new(class.get(..64).unwrap_or(class));
            ModelError::new("track", at, ModelProblem::UnsupportedClass { name })
        };
        if let Some(name) = class.strip_prefix(b"CTrackDefault") {
            let kind = Type::named(name).ok_or_else(unknown)?;
            stream.version(0)?;
            let mut bad = 0;
            let value = value(stream, kind, &mut bad)?;
            stream.warn_not_finite(at, bad);
            let key = Keys::new(vec![(0.0, value)], true, None);
            Ok(Self::of_keys(kind, (key, 0.0), Motion::Steps))
        } else if let Some(name) = class.strip_prefix(b"CTrackKeyFramer") {
            keyed(stream, name)?.ok_or_else(unknown)
        } else if class == b"CTrackSampledVector" {
            Ok(Self::sampled(Type::Vector, Sampled::vectors(stream)?))
        } else if class == b"CTrackSampledQuat" {
            Ok(Self::sampled(Type::Quat, Sampled::rotations(stream)?))
        } else {
            Err(unknown())
        }
    }

    /// Creates a track from its keys and its end.
    fn of_keys<K>(kind: Type, (keys, end): (Keys<K>, f32), motion: impl FnOnce(Keys<K>) -> Motion) -> Self {
        let moves = matches!(kind, Type::Vector | Type::Quat) && keys.first().is_some();
        let looping = keys.is_looping();
        Self { kind, motion: moves.then(|| motion(keys)), end, looping }
    }

    fn sampled(kind: Type, sampled: Sampled) -> Self {
        let (end, looping) = (sampled.end(), sampled.is_looping());
        let motion = (!sampled.is_empty()).then_some(Motion::Sampled(sampled));
        Self { kind, motion, end, looping }
    }

    /// Returns `true` if the track has values of a type that moves bones: vectors or rotations.
    pub fn moves(&self, kind: Type) -> bool {
        self.kind == kind && self.motion.is_some()
    }

    /// Returns the vector at `time` seconds.
    pub fn vector_at(&self, time: f64) -> Option<DVec3> {
        debug_assert!(self.moves(Type::Vector), "the track has vectors");
        Some(DVec4::from(self.value_at(time)?.map(f64::from)).truncate()).filter(|v| v.is_finite())
    }

    /// Returns the rotation at `time` seconds.
    pub fn rotation_at(&self, time: f64) -> Option<DQuat> {
        debug_assert!(self.moves(Type::Quat), "the track has rotations");
        let quat = DQuat::from_array(self.value_at(time)?.map(f64::from));
        Some(quat).filter(|q| q.is_finite() && q.length_squared() > 0.0).map(DQuat::normalize)
    }

    fn value_at(&self, time: f64) -> Option<[f32; 4]> {
        let time = if time.is_finite() { time } else { 0.0 };
        Some(match self.motion.as_ref()? {
            Motion::Steps(keys) => match keys.at(time)? {
                Moment::At(key) | Moment::Between(key, _, _) => *key,
            },
            Motion::Linear(keys) => match keys.at(time)? {
                Moment::At(key) => *key,
                Moment::Between(from, to, u) => self.mixed(from, to, u),
            },
            Motion::Curve(curve) => curve.at(time)?.as_vec3().extend(0.0).to_array(),
            Motion::Turn(turn) => turn.at(time)?.as_quat().to_array(),
            Motion::Sampled(sampled) => sampled.at(time)?.map(|v| v as f32),
        })
    }

    /// Interpolates between two values at `u`, 0 to 1.
    fn mixed(&self, from: &[f32; 4], to: &[f32; 4], u: f64) -> [f32; 4] {
        let [from, to] = [from, to].map(|value| DVec4::from(value.map(f64::from)));
        match self.kind {
            Type::Quat => slerp(DQuat::from_vec4(from), DQuat::from_vec4(to), u).as_quat().to_array(),
            _ => (from + (to - from) * u).as_vec4().to_array(),
        }
    }

    /// Returns bounds of the vectors that the track has at all times.
    pub fn range_of_vectors(&self) -> Range {
        let with = |range: Range, value: &[f32; 4]| range.with(DVec4::from(value.map(f64::from)).truncate());
        match &self.motion {
            Some(Motion::Steps(keys) | Motion::Linear(keys)) => keys.iter().fold(Range::EMPTY, with),
            Some(Motion::Curve(curve)) => curve.range(),
            Some(Motion::Sampled(sampled)) => sampled.values().iter().fold(Range::EMPTY, with),
            Some(Motion::Turn(_)) | None => Range::EMPTY,
        }
    }
}

/// Reads a value; those that move no bone become zero.
fn value(stream: &mut Stream, kind: Type, bad: &mut usize) -> Result<[f32; 4], ModelError> {
    match kind {
        Type::Vector => {
            let [x, y, z] = finite(stream, bad)?;
            return Ok([x, y, z, 0.0]);
        }
        Type::Quat => return finite(stream, bad),
        Type::Float => drop(finite::<1>(stream, bad)?),
        Type::Int | Type::Rgba => stream.skip::<u32>()?,
        Type::String => {
            let at = stream.offset();
            let text = stream.string()?;
            stream.file.name("track", at, text)?;
        }
        Type::Bool => stream.skip::<u8>()?,
    }
    Ok([0.0; 4])
}

/// Reads numbers; non-finite ones become zero and are counted in `bad`.
fn finite<const N: usize>(stream: &mut Stream, bad: &mut usize) -> Result<[f32; N], ModelError>
where
    [f32; N]: Scalar,
{
    let mut values = stream.get::<[f32; N]>()?;
    super::super::cursor::finite_or_zero(&mut values, bad);
    Ok(values)
}

/// Reads the one or three numbers of a curve.
fn curve_value(stream: &mut Stream, kind: Type, bad: &mut usize) -> Result<DVec3, ModelError> {
    Ok(match kind {
        Type::Vector | Type::Rgba => DVec3::from(finite::<3>(stream, bad)?.map(f64::from)),
        _ => DVec3::new(finite::<1>(stream, bad)?[0].into(), 0.0, 0.0),
    })
}

fn tcb(stream: &mut Stream, bad: &mut usize) -> Result<Tcb, ModelError> {
    let [tension, continuity, bias, ease_to, ease_from] = finite::<5>(stream, bad)?.map(f64::from);
    Ok(Tcb { tension, continuity, bias, ease_to, ease_from })
}

/// Reads a track of keys, whose class gives interpolation and type; returns `None` for an unknown class.
fn keyed(stream: &mut Stream, class: &[u8]) -> Result<Option<Track>, ModelError> {
    let split = |joined: &[u8]| class.strip_prefix(joined).and_then(Type::named);
    let smooth = |kind: &Type| !matches!(kind, Type::String | Type::Bool);
    let numbers = |kind: &Type| smooth(kind) && *kind != Type::Quat;
    Ok(Some(if let Some(kind) = split(b"Const") {
        Track::of_keys(kind, keys(stream, |stream, bad| value(stream, kind, bad))?, Motion::Steps)
    } else if let Some(kind) = split(b"Linear").filter(smooth) {
        Track::of_keys(kind, keys(stream, |stream, bad| value(stream, kind, bad))?, Motion::Linear)
    } else if let Some(kind) = split(b"Bezier").filter(numbers) {
        let keys = keys(stream, |stream, bad| {
            Ok(BezierKey {
                value: curve_value(stream, kind, bad)?,
                tangent_in: curve_value(stream, kind, bad)?,
                tangent_out: curve_value(stream, kind, bad)?,
                step: stream.flag()?,
            })
        })?;
        Track::of_keys(kind, keys, |keys| Motion::Curve(Curve::bezier(keys)))
    } else if let Some(kind) = split(b"TCB").filter(numbers) {
        let keys = keys(stream, |stream, bad| Ok((curve_value(stream, kind, bad)?, tcb(stream, bad)?)))?;
        Track::of_keys(kind, keys, |keys| Motion::Curve(Curve::tcb(keys)))
    } else if class == b"BezierQuat" {
        let keys = keys(stream, |stream, bad| {
            let quat = DQuat::from_array(finite::<4>(stream, bad)?.map(f64::from));
            Ok(if quat.length_squared() > 0.0 { quat } else { DQuat::IDENTITY })
        })?;
        Track::of_keys(Type::Quat, keys, |keys| Motion::Turn(Turn::bezier(keys)))
    } else if class == b"TCBQuat" {
        let keys = keys(stream, |stream, bad| {
            let [x, y, z, angle] = finite::<4>(stream, bad)?.map(f64::from);
            Ok(TurnFromBefore { axis: DVec3::new(x, y, z), angle, tcb: tcb(stream, bad)? })
        })?;
        Track::of_keys(Type::Quat, keys, |keys| Motion::Turn(Turn::tcb(keys)))
    } else {
        return Ok(None);
    }))
}

/// Reads keys and their loop mode; returns the stated end, or that of the keys, too.
fn keys<K>(
    stream: &mut Stream,
    mut read: impl FnMut(&mut Stream, &mut usize) -> Result<K, ModelError>,
) -> Result<(Keys<K>, f32), ModelError> {
    stream.version(0)?;
    let at = stream.offset();
    let count = stream.count(6)?;
    let mut keys = stream.reserve(count)?;
    // Sorting and computing the tangents need memory of their own.
    drop(stream.reserve::<[(f32, K); 2]>(count)?);
    let mut bad = 0;
    for _ in 0..count {
        let at = stream.offset();
        let time = stream.get::<f32>()?;
        if !time.is_finite() {
            return Err(ModelError::new("track", at, ModelProblem::NotFinite { field: "time of a key" }));
        }
        stream.version(0)?;
        keys.push((time, read(stream, &mut bad)?));
    }
    stream.warn_not_finite(at, bad);
    let locked = stream.flag()?;
    let [begin, end] = stream.get::<[f32; 2]>()?.map(f64::from);
    let looping = stream.flag()?;
    // A locked range is that of the keys; the stored one is uninitialised.
    let range = (!locked && begin.is_finite() && end.is_finite()).then_some((begin, end));
    let keys = Keys::new(keys, looping, range.map(|(begin, end)| end - begin));
    let end = range.map_or(keys.end(), |range| range.1) as f32;
    Ok((keys, end))
}
