//! Tracks sampled at a fixed rate, without redundant samples.

use glam::{DQuat, DVec4};

use super::super::cursor::{Scalar, finite_or_zero};
use super::stream::Stream;
use super::turn::slerp;
use crate::model::{ModelError, ModelProblem};

/// Values at numbered frames.
#[derive(Clone, Debug)]
pub(super) struct Sampled {
    /// Frame numbers in ascending order.
    frames: Vec<u32>,
    /// Value at each frame number.
    values: Vec<[f32; 4]>,
    rotation: bool,
    looping: bool,
    begin: f64,
    end: f32,
    /// Duration of the loop, seconds.
    range: f64,
    /// Duration of a frame, seconds.
    frame_duration: f64,
}

impl Sampled {
    pub fn vectors(stream: &mut Stream) -> Result<Self, ModelError> {
        stream.version(0)?;
        stream.version(0)?;
        let mut track = Self::common(stream)?;
        let at = stream.offset();
        let values = stream.list::<[f32; 3]>()?;
        track.values = stream.reserve(values.len() / 12)?;
        let mut bad = 0;
        for value in values.chunks_exact(12) {
            let [x, y, z] = <[f32; 3]>::parse::<false>(value);
            let mut value = [x, y, z, 0.0];
            finite_or_zero(&mut value, &mut bad);
            track.values.push(value);
        }
        stream.warn_not_finite(at, bad);
        track.checked(at)
    }

    pub fn rotations(stream: &mut Stream) -> Result<Self, ModelError> {
        if stream.version(1)? >= 1 {
            stream.version(0)?;
        }
        let mut track = Self { rotation: true, ..Self::common(stream)? };
        let at = stream.offset();
        let values = stream.list::<[i16; 4]>()?;
        track.values = stream.reserve(values.len() / 8)?;
        let mut bad = 0;
        for value in values.chunks_exact(8) {
            let value = DQuat::from_array(<[i16; 4]>::parse::<false>(value).map(f64::from));
            let rotation = if value.length_squared() > 0.0 { value.normalize() } else { DQuat::IDENTITY };
            bad += usize::from(value.length_squared() == 0.0);
            track.values.push(rotation.as_quat().to_array());
        }
        stream.warn_not_finite(at, bad);
        track.checked(at)
    }

    fn common(stream: &mut Stream) -> Result<Self, ModelError> {
        let at = stream.offset();
        let looping = stream.flag()?;
        let [begin, end, range, _, frame_duration, _] = stream.get::<[f32; 6]>()?;
        for (field, value) in [("begin", begin), ("end", end), ("range", range), ("frame duration", frame_duration)] {
            if !value.is_finite() {
                return Err(ModelError::new("track", at, ModelProblem::NotFinite { field }));
            }
        }
        let mut frames: Vec<u32> = Vec::new();
        for _ in 0..stream.count(11)? {
            stream.version(0)?;
            let at = stream.offset();
            let offset = stream.get::<u16>()?;
            let first = stream.get::<u32>()?;
            if first as usize != frames.len() {
                let (found, expected) = (first.into(), frames.len() as i64);
                let problem = ModelProblem::Mismatch { field: "first key of a block", found, expected };
                return Err(ModelError::new("track", at, problem));
            }
            let times = stream.list::<u8>()?;
            drop(stream.reserve::<u32>(times.len())?);
            for &time in times {
                let frame = u32::from(offset) + u32::from(time);
                if let Some(&last) = frames.last()
                    && frame <= last
                {
                    let problem = ModelProblem::OutOfRange {
                        field: "frame of a key",
                        found: frame.into(),
                        min: i64::from(last) + 1,
                        max: u16::MAX.into(),
                    };
                    return Err(ModelError::new("track", at, problem));
                }
                frames.push(frame);
            }
        }
        let values = Vec::new();
        let [begin, range, frame_duration] = [begin, range, frame_duration].map(f64::from);
        Ok(Self { frames, values, rotation: false, looping, begin, end, range, frame_duration })
    }

    fn checked(self, at: usize) -> Result<Self, ModelError> {
        let (found, expected) = (self.values.len() as i64, self.frames.len() as i64);
        if found != expected {
            let problem = ModelProblem::Mismatch { field: "number of keys", found, expected };
            return Err(ModelError::new("track", at, problem));
        }
        if expected > 1 && self.frame_duration <= 0.0 {
            return Err(ModelError::new("track", at, ModelProblem::Missing { what: "frame duration above zero" }));
        }
        Ok(self)
    }

    /// Returns the value of each key.
    pub fn values(&self) -> &[[f32; 4]] {
        &self.values
    }

    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub fn end(&self) -> f32 {
        self.end
    }

    pub fn is_looping(&self) -> bool {
        self.looping
    }

    /// Returns the value at `time` seconds; `None` without keys.
    pub fn at(&self, time: f64) -> Option<[f64; 4]> {
        debug_assert_eq!(self.values.len(), self.frames.len(), "every frame has a value");
        debug_assert!(self.frames.len() < 2 || self.frame_duration > 0.0, "frames last");
        let mut time = time - self.begin;
        if self.looping && self.range > 0.0 {
            time = time.rem_euclid(self.range);
        }
        let frame = if self.frames.len() > 1 { (time / self.frame_duration).floor() } else { 0.0 };
        let frame = frame.clamp(0.0, f64::from(u16::MAX)) as u32;
        let next = self.frames.partition_point(|&key| key <= frame);
        let from = next.saturating_sub(1);
        let (value, start) = (self.values.get(from)?.map(f64::from), f64::from(*self.frames.get(from)?));
        let (Some(to), Some(&end)) = (self.values.get(from + 1), self.frames.get(from + 1)) else {
            return Some(value);
        };
        let to = to.map(f64::from);
        let whole = (f64::from(end) - start) * self.frame_duration;
        let u = ((time - start * self.frame_duration) / whole).clamp(0.0, 1.0);
        Some(if self.rotation {
            slerp(DQuat::from_array(value), DQuat::from_array(to), u).to_array()
        } else {
            DVec4::from(value).lerp(to.into(), u).to_array()
        })
    }
}
