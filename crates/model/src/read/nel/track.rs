//! Tracks: one value over time.

use glam::{DQuat, DVec3};

use super::super::cursor::Scalar;
use super::curve::{BezierKey, Curve, Range};
use super::ease::Tcb;
use super::keys::{Keys, Moment};
use super::sampled::Sampled;
use super::stream::Stream;
use super::turn::{Turn, TurnFromBefore, slerp};
use crate::model::{ModelError, ModelProblem, Name};

/// Value over time, from an `.anim` file.
///
/// [`TrackSet`](super::TrackSet) finds tracks by name.
///
/// ```
/// use skelobj::read::nel::{Track, TrackSet};
///
/// let tracks = TrackSet::read(&std::fs::read("../../tests/data/examples/glow.anim")?)?;
/// let glow: &Track = tracks.track("glow").unwrap();
/// // A constant has no duration and holds at every time.
/// assert_eq!((glow.begin(), glow.end(), glow.is_looping()), (0.0, 0.0, true));
/// assert_eq!(glow.value_at(-1.0), glow.value_at(60.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Track {
    motion: Motion,
    /// Begin and end in seconds, if the file states them.
    range: Option<(f64, f64)>,
}

/// Value of a [`Track`] at a moment.
///
/// ```
/// use skelobj::read::nel::{TrackSet, TrackValue};
///
/// let tracks = TrackSet::read(&std::fs::read("../../tests/data/examples/glow.anim")?)?;
/// let brightness = match tracks.track("glow").and_then(|track| track.value_at(1.0)) {
///     Some(TrackValue::Float(value)) => value,
///     _ => 1.0, // no such track, or a value of another type
/// };
/// assert_eq!(brightness, 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum TrackValue {
    /// Number.
    Float(f32),
    /// Three numbers.
    Vector([f32; 3]),
    /// Rotation as a quaternion: x, y, z, w.
    Quat([f32; 4]),
    /// Integer.
    Int(i32),
    /// Colour: red, green, blue, alpha.
    Rgba([u8; 4]),
    /// Text.
    String(Name),
    /// Boolean.
    Bool(bool),
}

/// Source of a track's values.
#[derive(Clone, Debug)]
enum Motion {
    Constant(TrackValue),
    Steps(Keys<TrackValue>),
    Linear(Keys<TrackValue>),
    Curve(Curve, Type),
    Turn(Turn),
    Sampled(Sampled),
}

/// Type of a track's values.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Type {
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
    pub(super) fn read(stream: &mut Stream, class: &[u8]) -> Result<Self, ModelError> {
        stream.enter("track");
        let at = stream.offset();
        let unknown = || {
            let name = Name::new(class.get(..64).unwrap_or(class));
            ModelError::new("track", at, ModelProblem::UnsupportedClass { name })
        };
        let (motion, range) = if let Some(name) = class.strip_prefix(b"CTrackDefault") {
            let kind = Type::named(name).ok_or_else(unknown)?;
            stream.version(0)?;
            let mut bad = 0;
            let value = value(stream, kind, &mut bad)?;
            stream.warn_not_finite(at, bad);
            (Motion::Constant(value), Some((0.0, 0.0)))
        } else if let Some(name) = class.strip_prefix(b"CTrackKeyFramer") {
            keyed(stream, name)?.ok_or_else(unknown)?
        } else if class == b"CTrackSampledVector" {
            (Motion::Sampled(Sampled::vectors(stream)?), None)
        } else if class == b"CTrackSampledQuat" {
            (Motion::Sampled(Sampled::rotations(stream)?), None)
        } else {
            return Err(unknown());
        };
        Ok(Self { motion, range })
    }

    /// Returns the value at `time` seconds, or `None` for a track without keys.
    ///
    /// ```
    /// use skelobj::read::nel::{TrackSet, TrackValue};
    ///
    /// let tracks = TrackSet::read(&std::fs::read("../../tests/data/examples/glow.anim")?)?;
    /// let glow = tracks.track("glow").unwrap();
    /// assert_eq!(glow.value_at(7.0), Some(TrackValue::Float(0.5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value_at(&self, time: f64) -> Option<TrackValue> {
        let time = if time.is_finite() { time } else { 0.0 };
        Some(match &self.motion {
            Motion::Constant(value) => value.clone(),
            Motion::Steps(keys) => match keys.at(time)? {
                Moment::At(key) | Moment::Between(key, _, _) => key.clone(),
            },
            Motion::Linear(keys) => match keys.at(time)? {
                Moment::At(key) => key.clone(),
                Moment::Between(from, to, u) => from.mixed(to, u),
            },
            Motion::Curve(curve, kind) => TrackValue::of_curve(*kind, curve.at(time)?),
            Motion::Turn(turn) => TrackValue::Quat(turn.at(time)?.as_quat().to_array()),
            Motion::Sampled(sampled) => {
                let value = sampled.at(time)?.map(|v| v as f32);
                let [x, y, z, _] = value;
                if sampled.is_rotation() { TrackValue::Quat(value) } else { TrackValue::Vector([x, y, z]) }
            }
        })
    }

    /// Returns the beginning of the track, seconds.
    ///
    /// ```
    /// use skelobj::read::nel::TrackSet;
    ///
    /// let tracks = TrackSet::read(&std::fs::read("../../tests/data/examples/glow.anim")?)?;
    /// let glow = tracks.track("glow").unwrap();
    /// assert_eq!(glow.end() - glow.begin(), 0.0); // a constant has no duration
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin(&self) -> f32 {
        let begin = match &self.motion {
            Motion::Constant(_) => 0.0,
            Motion::Steps(keys) | Motion::Linear(keys) => keys.begin(),
            Motion::Curve(curve, _) => curve.0.begin(),
            Motion::Turn(turn) => turn.0.begin(),
            Motion::Sampled(sampled) => sampled.begin(),
        };
        self.range.map_or(begin, |range| range.0) as f32
    }

    /// Returns the end of the track, or the moment at which it loops, seconds.
    ///
    /// ```
    /// use skelobj::read::nel::TrackSet;
    ///
    /// let tracks = TrackSet::read(&std::fs::read("../../tests/data/examples/glow.anim")?)?;
    /// let longest = tracks.iter().map(|(_, track)| track.end()).fold(0.0, f32::max);
    /// assert_eq!(longest, tracks.end());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn end(&self) -> f32 {
        let end = match &self.motion {
            Motion::Constant(_) => 0.0,
            Motion::Steps(keys) | Motion::Linear(keys) => keys.end(),
            Motion::Curve(curve, _) => curve.0.end(),
            Motion::Turn(turn) => turn.0.end(),
            Motion::Sampled(sampled) => sampled.end(),
        };
        self.range.map_or(end, |range| range.1) as f32
    }

    /// Returns `true` if the track loops. A constant loops.
    ///
    /// ```
    /// use skelobj::read::nel::TrackSet;
    ///
    /// let tracks = TrackSet::read(&std::fs::read("../../tests/data/examples/glow.anim")?)?;
    /// assert!(tracks.iter().all(|(_, track)| track.is_looping()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_looping(&self) -> bool {
        match &self.motion {
            Motion::Constant(_) => true,
            Motion::Steps(keys) | Motion::Linear(keys) => keys.is_looping(),
            Motion::Curve(curve, _) => curve.0.is_looping(),
            Motion::Turn(turn) => turn.0.is_looping(),
            Motion::Sampled(sampled) => sampled.is_looping(),
        }
    }

    /// Returns `true` if the track has values of three numbers each.
    pub(super) fn holds_vectors(&self) -> bool {
        match &self.motion {
            Motion::Constant(value) => matches!(value, TrackValue::Vector(_)),
            Motion::Steps(keys) | Motion::Linear(keys) => matches!(keys.first(), Some(TrackValue::Vector(_))),
            Motion::Curve(curve, kind) => *kind == Type::Vector && curve.0.first().is_some(),
            Motion::Turn(_) => false,
            Motion::Sampled(sampled) => !sampled.is_rotation() && !sampled.is_empty(),
        }
    }

    /// Returns `true` if the track has values that are rotations.
    pub(super) fn holds_rotations(&self) -> bool {
        match &self.motion {
            Motion::Constant(value) => matches!(value, TrackValue::Quat(_)),
            Motion::Steps(keys) | Motion::Linear(keys) => matches!(keys.first(), Some(TrackValue::Quat(_))),
            Motion::Curve(..) => false,
            Motion::Turn(turn) => turn.0.first().is_some(),
            Motion::Sampled(sampled) => sampled.is_rotation() && !sampled.is_empty(),
        }
    }

    /// Returns bounds of the vectors that the track has at all times.
    pub(super) fn range_of_vectors(&self) -> Range {
        let with = |range: Range, value: &TrackValue| match value {
            TrackValue::Vector(vector) => range.with(DVec3::from(vector.map(f64::from))),
            _ => range,
        };
        match &self.motion {
            Motion::Constant(value) => with(Range::EMPTY, value),
            Motion::Steps(keys) | Motion::Linear(keys) => keys.iter().fold(Range::EMPTY, with),
            Motion::Curve(curve, _) => curve.range(),
            Motion::Turn(_) => Range::EMPTY,
            Motion::Sampled(sampled) => sampled
                .values_of_vectors()
                .fold(Range::EMPTY, |range, value| range.with(DVec3::from(value.map(f64::from)))),
        }
    }

    /// Returns the value at `time` seconds if it is three numbers.
    pub(super) fn vector_at(&self, time: f64) -> Option<DVec3> {
        match self.value_at(time)? {
            TrackValue::Vector(vector) => Some(DVec3::from(vector.map(f64::from))).filter(|v| v.is_finite()),
            _ => None,
        }
    }

    /// Returns the value at `time` seconds if it is a rotation.
    pub(super) fn rotation_at(&self, time: f64) -> Option<DQuat> {
        match self.value_at(time)? {
            TrackValue::Quat(quat) => {
                let quat = DQuat::from_array(quat.map(f64::from));
                Some(quat).filter(|q| q.is_finite() && q.length_squared() > 0.0).map(DQuat::normalize)
            }
            _ => None,
        }
    }
}

impl TrackValue {
    /// Interpolates between two values at `u`, 0 to 1.
    fn mixed(&self, to: &Self, u: f64) -> Self {
        let mix = |a: f32, b: f32| (f64::from(a) + (f64::from(b) - f64::from(a)) * u) as f32;
        match (self, to) {
            (Self::Float(a), Self::Float(b)) => Self::Float(mix(*a, *b)),
            (Self::Vector(a), Self::Vector(b)) => Self::Vector([mix(a[0], b[0]), mix(a[1], b[1]), mix(a[2], b[2])]),
            (Self::Quat(a), Self::Quat(b)) => {
                let [a, b] = [a, b].map(|q| DQuat::from_array(q.map(f64::from)));
                Self::Quat(slerp(a, b, u).as_quat().to_array())
            }
            (Self::Int(a), Self::Int(b)) => {
                let (a, b) = (f64::from(*a), f64::from(*b));
                Self::Int((a + (b - a) * u + 0.5).floor() as i32)
            }
            (Self::Rgba(a), Self::Rgba(b)) => {
                // In whole 256ths, as the game blends colours.
                let part = (u * 256.0) as u32;
                let blend = |a: u8, b: u8| ((u32::from(a) * (256 - part) + u32::from(b) * part) >> 8) as u8;
                Self::Rgba([blend(a[0], b[0]), blend(a[1], b[1]), blend(a[2], b[2]), blend(a[3], b[3])])
            }
            _ => self.clone(),
        }
    }

    /// Converts the numbers of a curve to a value.
    fn of_curve(kind: Type, v: DVec3) -> Self {
        match kind {
            Type::Vector => Self::Vector(v.as_vec3().to_array()),
            Type::Int => Self::Int((v.x + 0.5).floor() as i32),
            Type::Rgba => {
                let [r, g, b] = v.to_array().map(|part| (part * 255.0).clamp(0.0, 255.0) as u8);
                Self::Rgba([r, g, b, 255])
            }
            _ => Self::Float(v.x as f32),
        }
    }
}

/// Reads a value.
fn value(stream: &mut Stream, kind: Type, bad: &mut usize) -> Result<TrackValue, ModelError> {
    Ok(match kind {
        Type::Float => TrackValue::Float(finite::<1>(stream, bad)?[0]),
        Type::Vector => TrackValue::Vector(finite(stream, bad)?),
        Type::Quat => TrackValue::Quat(finite(stream, bad)?),
        Type::Int => TrackValue::Int(stream.get()?),
        Type::Rgba => TrackValue::Rgba(stream.get()?),
        Type::String => {
            let at = stream.offset();
            let text = stream.string()?;
            TrackValue::String(stream.file.name("track", at, text)?)
        }
        Type::Bool => TrackValue::Bool(stream.flag()?),
    })
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

type Ranged = (Motion, Option<(f64, f64)>);

/// Reads a track of keys, whose class gives interpolation and type; returns `None` for an unknown class.
fn keyed(stream: &mut Stream, class: &[u8]) -> Result<Option<Ranged>, ModelError> {
    let split = |joined: &[u8]| class.strip_prefix(joined).and_then(Type::named);
    let smooth = |kind: &Type| !matches!(kind, Type::String | Type::Bool);
    let numbers = |kind: &Type| smooth(kind) && *kind != Type::Quat;
    Ok(Some(if let Some(kind) = split(b"Const") {
        let (keys, range) = keys(stream, |stream, bad| value(stream, kind, bad))?;
        (Motion::Steps(keys), range)
    } else if let Some(kind) = split(b"Linear").filter(smooth) {
        let (keys, range) = keys(stream, |stream, bad| value(stream, kind, bad))?;
        (Motion::Linear(keys), range)
    } else if let Some(kind) = split(b"Bezier").filter(numbers) {
        let (keys, range) = keys(stream, |stream, bad| {
            Ok(BezierKey {
                value: curve_value(stream, kind, bad)?,
                tangent_in: curve_value(stream, kind, bad)?,
                tangent_out: curve_value(stream, kind, bad)?,
                step: stream.flag()?,
            })
        })?;
        (Motion::Curve(Curve::bezier(keys), kind), range)
    } else if let Some(kind) = split(b"TCB").filter(numbers) {
        let (keys, range) = keys(stream, |stream, bad| Ok((curve_value(stream, kind, bad)?, tcb(stream, bad)?)))?;
        (Motion::Curve(Curve::tcb(keys), kind), range)
    } else if class == b"BezierQuat" {
        let (keys, range) = keys(stream, |stream, bad| {
            let quat = DQuat::from_array(finite::<4>(stream, bad)?.map(f64::from));
            Ok(if quat.length_squared() > 0.0 { quat } else { DQuat::IDENTITY })
        })?;
        (Motion::Turn(Turn::bezier(keys)), range)
    } else if class == b"TCBQuat" {
        let (keys, range) = keys(stream, |stream, bad| {
            let [x, y, z, angle] = finite::<4>(stream, bad)?.map(f64::from);
            Ok(TurnFromBefore { axis: DVec3::new(x, y, z), angle, tcb: tcb(stream, bad)? })
        })?;
        (Motion::Turn(Turn::tcb(keys)), range)
    } else {
        return Ok(None);
    }))
}

type RangedKeys<K> = (Keys<K>, Option<(f64, f64)>);

/// Reads keys, their loop mode and their stated range.
fn keys<K>(
    stream: &mut Stream,
    mut read: impl FnMut(&mut Stream, &mut usize) -> Result<K, ModelError>,
) -> Result<RangedKeys<K>, ModelError> {
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
    Ok((Keys::new(keys, looping, range.map(|(begin, end)| end - begin)), range))
}
