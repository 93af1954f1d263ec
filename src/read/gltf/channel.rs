//! Channels: one property of one node over time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use glam::{DQuat, DVec3};
use gltf_json::animation::{Interpolation, Property};
use gltf_json::validation::Checked;

use super::Gltf;
use super::accessor::Accessor;
use super::nodes::unit;
use crate::model::ModelError;

/// What is known of an array of key times.
#[derive(Clone, Copy)]
pub(super) struct Keys {
    pub count: usize,
    pub last: f64,
    /// Keys a second, if all stand at whole multiples of an interval.
    pub rate: Option<f64>,
}

/// Keys may be off their place by this part of an interval.
const OFF: f64 = 0.01;
/// Intervals are looked for down to this part of the shortest one between two keys.
const PARTS: u32 = 8;

impl Keys {
    /// `None` unless times are finite and increase.
    fn new(times: &Accessor) -> Option<Self> {
        let time = |key: usize| f64::from(times.floats::<1>(key)[0]);
        let mut shortest = f64::INFINITY;
        for key in 0..times.count {
            let time_before = key.checked_sub(1).map(time);
            if !time(key).is_finite() || time_before.is_some_and(|before| before >= time(key)) {
                return None;
            }
            shortest = time_before.map_or(shortest, |before| shortest.min(time(key) - before));
        }
        let last = time(times.count.checked_sub(1)?);
        let fits = |rate: f64| (0..times.count).all(|key| (time(key) * rate - (time(key) * rate).round()).abs() <= OFF);
        let whole = |parts: u32| {
            let rate = (last * f64::from(parts) / shortest).round() / last;
            // 23.9999 keys a second are 24 that went through an f32.
            [rate.round(), rate].into_iter().find(|&rate| rate.is_finite() && rate > 0.0 && fits(rate))
        };
        Some(Self { count: times.count, last, rate: (1..=PARTS).find_map(whole) })
    }
}

/// A property of a node over time.
pub(super) struct Channel<'a> {
    pub node: usize,
    pub property: Property,
    pub keys: Keys,
    times: Accessor<'a>,
    values: Accessor<'a>,
    interpolation: Interpolation,
}

impl<'a> Gltf<'a> {
    /// A channel of an animation; `None` for one that makes no sense. What `seen` knows of key times need not be found
    /// again.
    pub fn channel(
        &mut self,
        animation: usize,
        channel: usize,
        seen: &mut HashMap<usize, Option<Keys>>,
    ) -> Result<Option<Channel<'a>>, ModelError> {
        let root = self.root;
        let json = &root.animations[animation];
        let (target, sampler) = (&json.channels[channel].target, json.channels[channel].sampler.value());
        let Some(sampler) = json.samplers.get(sampler) else {
            return Err(self.outside("animations", animation, "sampler", sampler, json.samplers.len()));
        };
        let (Checked::Valid(property), Checked::Valid(interpolation)) = (target.path, sampler.interpolation) else {
            return Ok(None);
        };
        let width = match property {
            Property::Rotation => 4,
            Property::Translation | Property::Scale => 3,
            Property::MorphTargetWeights => 1,
        };
        let times = self.accessor(sampler.input, &[1])?;
        let values = self.accessor(sampler.output, &[width])?;
        let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        if times.count.saturating_mul(each) > values.count {
            return Ok(None);
        }
        let keys = match seen.entry(times.index) {
            Entry::Occupied(keys) => *keys.get(),
            Entry::Vacant(place) => {
                // Arrays may share their bytes: what is read over and over counts as if it were kept.
                self.charge("accessors", times.index, times.count as u64 * 8)?;
                *place.insert(Keys::new(&times))
            }
        };
        let node = target.node.value();
        Ok(keys.map(|keys| Channel { node, property, keys, times, values, interpolation }))
    }
}

/// How values of a channel are put between keys.
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

/// Where among a channel's keys a time lies.
#[derive(Clone, Copy)]
pub(super) enum Moment {
    /// At a key, before the first or after the last.
    At(usize),
    /// This part of the way from a key to the next, which lies this many seconds after it.
    Between(usize, f64, f64),
}

impl Channel<'_> {
    /// A translation or scale at a time in seconds.
    pub fn vector(&self, time: f64) -> DVec3 {
        self.value(self.moment(time), |index| DVec3::from_array(self.values.floats::<3>(index).map(f64::from)))
    }

    /// A rotation at a time in seconds.
    pub fn rotation(&self, time: f64) -> DQuat {
        let moment = self.moment(time);
        unit(self.value(moment, |index| DQuat::from_array(self.values.floats::<4>(index).map(f64::from))))
    }

    /// One of `count` weights at a moment.
    pub fn weight(&self, moment: Moment, weight: usize, count: usize) -> f64 {
        let stored = self.times.count.saturating_mul(self.each()).saturating_mul(count);
        if self.values.count != stored {
            return 0.0;
        }
        let of = |index: usize| f64::from(self.values.floats::<1>(index.saturating_mul(count) + weight)[0]);
        self.value(moment, of)
    }

    /// Where a time in seconds lies.
    pub fn moment(&self, time: f64) -> Moment {
        let after = self.after(time);
        match after.checked_sub(1) {
            None => Moment::At(0),
            Some(before) if after >= self.times.count => Moment::At(before),
            Some(before) => {
                let length = self.time(after) - self.time(before);
                Moment::Between(before, (time - self.time(before)) / length, length)
            }
        }
    }

    /// Values to a key: those of a spline have a tangent before and one behind them.
    fn each(&self) -> usize {
        if self.interpolation == Interpolation::CubicSpline { 3 } else { 1 }
    }

    fn time(&self, key: usize) -> f64 {
        self.times.floats::<1>(key)[0].into()
    }

    /// The first key after a time.
    fn after(&self, time: f64) -> usize {
        let (mut low, mut high) = (0, self.times.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.time(middle) <= time {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
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
