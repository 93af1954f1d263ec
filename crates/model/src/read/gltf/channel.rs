//! Channels: one property of a node over time.

use std::collections::HashMap;
use std::rc::Rc;

use glam::{DQuat, DVec3};

use super::Gltf;
use super::accessor::{Accessor, Elements};
use super::nodes::unit;
use super::schema::Property;
use crate::model::ModelError;

/// Times of keys and their common rate.
pub(super) struct Keys {
    /// Time of each key, seconds.
    pub times: Vec<f32>,
    pub last: f64,
    /// Rate of the keys, keys per second, if all times are multiples of one interval.
    pub rate: Option<f64>,
}

/// Tolerance of the times of keys, as a fraction of an interval.
const OFF: f64 = 0.01;
/// Distance from a key below which a time is that of the key, as a fraction of an interval.
const ROUNDING: f64 = 1e-5;
/// Maximum number of parts into which the shortest interval between two keys is divided in search of a rate.
const PARTS: u32 = 8;

impl Keys {
    /// Returns `None` unless the times are finite and increase.
    fn new(times: Vec<f32>) -> Option<Self> {
        let last = f64::from(*times.last()?);
        if !times.iter().all(|time| time.is_finite()) {
            return None;
        }
        let mut shortest = f64::INFINITY;
        for pair in times.windows(2) {
            let &[before, after] = pair else { continue };
            if before >= after {
                return None;
            }
            shortest = shortest.min(f64::from(after) - f64::from(before));
        }
        let off = |time: f64| (time - time.round()).abs() > OFF;
        let fits = |rate: f64| !times.iter().any(|&time| off(f64::from(time) * rate));
        let whole = |parts: u32| {
            let rate = (last * f64::from(parts) / shortest).round() / last;
            // 23.9999 keys per second were 24 before they were rounded to an f32.
            [rate.round(), rate].into_iter().find(|&rate| rate.is_finite() && rate > 0.0 && fits(rate))
        };
        let rate = (1..=PARTS).find_map(whole);
        Some(Self { times, last, rate })
    }

    /// Returns the number of keys at or before a time, seconds.
    fn after(&self, time: f64) -> usize {
        debug_assert!(!self.times.is_empty(), "a channel has a key");
        let is_before = |key: f32| f64::from(key) <= time;
        // Keys at a steady rate are found without a search.
        let guess = (time * self.rate.unwrap_or(0.0)) as usize;
        match self.times.get(guess..).and_then(|times| times.first_chunk::<2>()) {
            Some(&[key, next]) if is_before(key) && !is_before(next) => guess + 1,
            _ => self.times.partition_point(|&key| is_before(key)),
        }
    }

    fn time(&self, key: usize) -> f64 {
        debug_assert!(key < self.times.len(), "the key exists");
        self.times.get(key).copied().map_or(0.0, f64::from)
    }
}

/// Arrays that were read; several channels share one copy.
#[derive(Default)]
pub(super) struct Seen {
    /// Key times by accessor; `None` for unusable ones.
    keys: HashMap<usize, Option<Rc<Keys>>>,
    /// Values by accessor.
    values: HashMap<usize, Rc<[f32]>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Interpolation {
    Linear,
    Step,
    CubicSpline,
}

impl Interpolation {
    fn of(name: Option<&str>) -> Option<Self> {
        Some(match name {
            None | Some("LINEAR") => Self::Linear,
            Some("STEP") => Self::Step,
            Some("CUBICSPLINE") => Self::CubicSpline,
            Some(_) => return None,
        })
    }
}

/// Property of a node over time.
pub(super) struct Channel {
    pub node: usize,
    pub property: Property,
    pub keys: Rc<Keys>,
    values: Rc<[f32]>,
    interpolation: Interpolation,
}

impl Gltf<'_> {
    /// Reads a channel of an animation; returns `None` if it is unusable or moves no node.
    pub fn channel(
        &mut self,
        animation: usize,
        channel: usize,
        seen: &mut Seen,
    ) -> Result<Option<Channel>, ModelError> {
        let root = self.root;
        let json = &root.animations[animation];
        let (target, sampler) = (&json.channels[channel].target, json.channels[channel].sampler);
        let Some(sampler) = json.samplers.get(sampler) else {
            return Err(self.outside("animations", animation, "sampler", sampler, json.samplers.len()));
        };
        let interpolation = Interpolation::of(sampler.interpolation.as_deref());
        let (Some(node), Some(property), Some(interpolation)) =
            (target.node, Property::of(&target.path), interpolation)
        else {
            return Ok(None);
        };
        let times = self.accessor(sampler.input, &[1])?;
        let values = self.accessor(sampler.output, &[property.width()])?;
        let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        if times.count.saturating_mul(each) > values.count {
            return Ok(None);
        }
        let keys = match seen.keys.get(&times.index) {
            Some(keys) => keys.clone(),
            None => {
                let all = self.numbers::<1>(&times)?.to_vec();
                // The search for a rate takes as long as reading the keys again.
                self.charge("accessors", times.index, all.len() as u64 * 4)?;
                let keys = Keys::new(all).map(Rc::new);
                seen.keys.insert(times.index, keys.clone());
                keys
            }
        };
        let Some(keys) = keys else { return Ok(None) };
        let values = match seen.values.get(&values.index) {
            Some(values) => values.clone(),
            None => {
                let all: Rc<[f32]> = match property.width() {
                    1 => self.numbers::<1>(&values)?,
                    3 => self.numbers::<3>(&values)?,
                    _ => self.numbers::<4>(&values)?,
                }
                .into();
                seen.values.insert(values.index, all.clone());
                all
            }
        };
        Ok(Some(Channel { node, property, keys, values, interpolation }))
    }

    /// Returns all numbers of an accessor.
    fn numbers<const N: usize>(&mut self, accessor: &Accessor) -> Result<Vec<f32>, ModelError> {
        let mut out: Vec<[f32; N]> = self.reserve("accessors", accessor.index, accessor.count as u64)?;
        accessor.floats(Elements::First(accessor.count), &mut out);
        Ok(out.into_flattened())
    }
}

/// Interpolation of values between keys.
trait Value: Copy {
    fn linear(a: Self, b: Self, fraction: f64) -> Self;
    fn sum(parts: [(Self, f64); 4]) -> Self;
}

impl Value for DVec3 {
    fn linear(a: Self, b: Self, fraction: f64) -> Self {
        a.lerp(b, fraction)
    }

    fn sum(parts: [(Self, f64); 4]) -> Self {
        parts.into_iter().map(|(value, factor)| value * factor).sum()
    }
}

impl Value for DQuat {
    fn linear(a: Self, b: Self, fraction: f64) -> Self {
        unit(unit(a).slerp(unit(b), fraction))
    }

    fn sum(parts: [(Self, f64); 4]) -> Self {
        parts.into_iter().map(|(value, factor)| value * factor).fold(DQuat::from_array([0.0; 4]), |a, b| a + b)
    }
}

impl Value for f64 {
    fn linear(a: Self, b: Self, fraction: f64) -> Self {
        a + (b - a) * fraction
    }

    fn sum(parts: [(Self, f64); 4]) -> Self {
        parts.into_iter().map(|(value, factor)| value * factor).sum()
    }
}

/// Cache of the position of a time, because consecutive channels often share their keys.
pub(super) struct Moments<'a> {
    /// Seconds.
    time: f64,
    last: Option<(&'a Channel, Moment)>,
}

impl<'a> Moments<'a> {
    pub fn at(time: f64) -> Self {
        Self { time, last: None }
    }

    /// Returns the position of the time among the keys of a channel.
    pub fn of(&mut self, channel: &'a Channel) -> Moment {
        let shares =
            |last: &Channel| Rc::ptr_eq(&last.keys, &channel.keys) && last.interpolation == channel.interpolation;
        match self.last {
            Some((last, moment)) if shares(last) => moment,
            _ => {
                let moment = channel.moment(self.time);
                self.last = Some((channel, moment));
                moment
            }
        }
    }
}

/// Position of a time among the keys of a channel.
#[derive(Clone, Copy)]
pub(super) enum Moment {
    /// Key number; times before the first key or after the last belong to that key.
    At(usize),
    /// Key number, fraction of the way to the next key, and seconds to the next key.
    Between(usize, f64, f64),
}

impl Channel {
    /// Returns a translation or scale at a moment.
    pub fn vector(&self, moment: Moment) -> DVec3 {
        self.value(moment, |index| DVec3::from_array(self.stored(index)))
    }

    /// Returns a rotation at a moment.
    pub fn rotation(&self, moment: Moment) -> DQuat {
        unit(self.value(moment, |index| DQuat::from_array(self.stored(index))))
    }

    /// Returns one of `count` weights at a moment; 0 if the channel has another number of weights.
    pub fn weight(&self, moment: Moment, weight: usize, count: usize) -> f64 {
        debug_assert!(weight < count, "the morph exists");
        let stored = self.keys.times.len().saturating_mul(self.each()).saturating_mul(count);
        if self.values.len() != stored {
            return 0.0;
        }
        let of = |index: usize| self.stored::<1>(index.saturating_mul(count) + weight)[0];
        self.value(moment, of)
    }

    /// Returns the position of a time in seconds.
    pub fn moment(&self, time: f64) -> Moment {
        let after = self.keys.after(time);
        match after.checked_sub(1) {
            None => Moment::At(0),
            Some(before) if after >= self.keys.times.len() => Moment::At(before),
            Some(before) => {
                let length = self.keys.time(after) - self.keys.time(before);
                debug_assert!(length > 0.0, "keys ascend");
                let x = (time - self.keys.time(before)) / length;
                // The times of keys were rounded to f32.
                let rounding = ROUNDING.max(f64::from(f32::EPSILON) * time / length);
                if x < rounding {
                    Moment::At(before)
                } else if x > 1.0 - rounding && self.interpolation != Interpolation::Step {
                    Moment::At(after)
                } else {
                    Moment::Between(before, x, length)
                }
            }
        }
    }

    /// Returns numbers that are equal for channels with the same effect and arrays.
    pub fn identity(&self) -> [u64; 4] {
        let kind = self.property as u64 * 3 + self.interpolation as u64;
        let arrays = [self.keys.times.as_ptr().addr(), self.values.as_ptr().addr()].map(|address| address as u64);
        [self.node as u64, kind, arrays[0], arrays[1]]
    }

    /// Returns the intervals in seconds in which the value may change.
    pub fn movements(&self) -> impl Iterator<Item = (f64, f64)> {
        // All numbers of a key; a spline has tangents, too.
        let each = self.each();
        let key = self.values.len() / (self.keys.times.len() * each).max(1) * each;
        let of = move |number: usize| self.values.get(number * key..(number + 1) * key).unwrap_or_default();
        let is_spline = self.interpolation == Interpolation::CubicSpline;
        (1..self.keys.times.len()).filter(move |&after| of(after - 1) != of(after) || is_spline).map(move |after| {
            let (from, to) = (self.keys.time(after - 1), self.keys.time(after));
            if self.interpolation == Interpolation::Step { (to, to) } else { (from, to) }
        })
    }

    /// Returns the number of values of a key; a spline has a tangent before the value and one after it.
    fn each(&self) -> usize {
        if self.interpolation == Interpolation::CubicSpline { 3 } else { 1 }
    }

    fn stored<const N: usize>(&self, index: usize) -> [f64; N] {
        let numbers = self.values.get(index.saturating_mul(N)..).and_then(<[f32]>::first_chunk::<N>);
        debug_assert!(numbers.is_some(), "every key has its values");
        numbers.map_or([0.0; N], |numbers| numbers.map(f64::from))
    }

    fn value<T: Value>(&self, moment: Moment, read: impl Fn(usize) -> T) -> T {
        let each = self.each();
        let own = |key: usize| read(key * each + each / 2);
        let (before, x, length) = match moment {
            Moment::At(key) => return own(key),
            Moment::Between(before, x, length) => (before, x, length),
        };
        let after = before + 1;
        match self.interpolation {
            Interpolation::Step => own(before),
            Interpolation::Linear => T::linear(own(before), own(after), x),
            Interpolation::CubicSpline => {
                let (xx, xxx) = (x * x, x * x * x);
                T::sum([
                    (own(before), 2.0 * xxx - 3.0 * xx + 1.0),
                    (read(before * each + 2), length * (xxx - 2.0 * xx + x)),
                    (own(after), 3.0 * xx - 2.0 * xxx),
                    (read(after * each), length * (xxx - xx)),
                ])
            }
        }
    }
}
