//! Curves through numbers: Bézier and TCB keys, both as cubics between tangents.

use glam::DVec3;

use super::ease::{Tcb, apart, ease};
use super::keys::{Keys, Moment};

/// Value of a key and the tangents of the curve at it.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurveKey {
    value: DVec3,
    /// Tangents towards the key and away from it, scaled to the whole interval to the neighbouring key.
    to: DVec3,
    from: DVec3,
    /// `true` if the value holds until the next key.
    step: bool,
    ease_to: f64,
    ease_from: f64,
}

/// Bézier key as files store it; tangents are per second.
pub(super) struct BezierKey {
    pub value: DVec3,
    pub tangent_in: DVec3,
    pub tangent_out: DVec3,
    pub step: bool,
}

/// Smooth motion of up to three numbers.
#[derive(Clone, Debug)]
pub(super) struct Curve(Keys<CurveKey>);

impl Curve {
    pub fn bezier(keys: Keys<BezierKey>) -> Self {
        Self(keys.map(|times, keys| {
            let time = |key: usize| times.get(key).copied().map(f64::from);
            let way = |key: usize| time(key).zip(time(key + 1)).map_or(0.0, |(start, end)| end - start);
            keys.into_iter()
                .enumerate()
                .map(|(i, key)| CurveKey {
                    value: key.value,
                    to: -key.tangent_in * i.checked_sub(1).map_or(0.0, way),
                    from: key.tangent_out * way(i),
                    step: key.step,
                    ease_to: 0.0,
                    ease_from: 0.0,
                })
                .collect()
        }))
    }

    pub fn tcb(keys: Keys<(DVec3, Tcb)>) -> Self {
        let (looping, gap) = (keys.is_looping(), keys.delta());
        Self(keys.map(|times, keys| {
            let mut curve: Vec<CurveKey> = keys
                .iter()
                .enumerate()
                .map(|(i, &(value, tcb))| {
                    let mut key = CurveKey {
                        value,
                        to: DVec3::ZERO,
                        from: DVec3::ZERO,
                        step: false,
                        ease_to: tcb.ease_to,
                        ease_from: tcb.ease_from,
                    };
                    let Some(apart) = apart(times, i, looping, gap) else { return key };
                    let before = i.checked_sub(1).and_then(|i| keys.get(i)).or(keys.last());
                    let after = keys.get(i + 1).or(keys.first());
                    if let (Some(before), Some(after)) = (before, after) {
                        let pull = tcb.pull(Some(apart));
                        let (back, on) = (value - before.0, after.0 - value);
                        key.to = back * pull.to[0] + on * pull.to[1];
                        key.from = back * pull.from[0] + on * pull.from[1];
                    }
                    key
                })
                .collect();
            if !looping {
                ends(&keys, &mut curve);
            }
            curve
        }))
    }

    /// Returns bounds of the numbers at all times.
    pub fn range(&self) -> Range {
        let keys: Vec<&CurveKey> = self.0.iter().collect();
        let range = keys.iter().fold(Range::EMPTY, |range, key| range.with(key.value));
        keys.windows(2).filter(|pair| !pair[0].step).fold(range, |range, pair| {
            let (from, to) = (pair[0], pair[1]);
            turns(from, to).into_iter().fold(range, |range, u| range.with(between(from, to, u)))
        })
    }

    /// Returns the value at `time` seconds; `None` without keys.
    pub fn at(&self, time: f64) -> Option<DVec3> {
        Some(match self.0.at(time)? {
            Moment::At(key) => key.value,
            Moment::Between(from, _, _) if from.step => from.value,
            Moment::Between(from, to, u) => {
                // Numbers of a file may ease it out of its interval.
                between(from, to, ease(u, from.ease_from, to.ease_to).clamp(0.0, 1.0))
            }
        })
    }
}

/// Returns the numbers between two keys, at `u` from 0 to 1.
fn between(from: &CurveKey, to: &CurveKey, u: f64) -> DVec3 {
    let (u2, u3) = (u * u, u * u * u);
    from.value * (2.0 * u3 - 3.0 * u2 + 1.0)
        + to.value * (3.0 * u2 - 2.0 * u3)
        + from.from * (u3 - 2.0 * u2 + u)
        + to.to * (u3 - u2)
}

/// Returns where the numbers between two keys may be greatest or least: two places of each number, 0 to 1.
fn turns(from: &CurveKey, to: &CurveKey) -> Vec<f64> {
    // The slope is a u² + 2 b u + c.
    let apart = from.value - to.value;
    let a = 3.0 * (2.0 * apart + from.from + to.to);
    let b = -3.0 * apart - 2.0 * from.from - to.to;
    let c = from.from;
    let root = (b * b - a * c).max(DVec3::ZERO).map(f64::sqrt);
    // Neither form loses digits where `a` or `c` is next to zero.
    let steep = -(b + b.signum() * root);
    let places = (steep / a).to_array().into_iter().chain((c / steep).to_array());
    places.filter(|u| (0.0..=1.0).contains(u)).collect()
}

/// Least and greatest numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    low: DVec3,
    high: DVec3,
}

impl Range {
    pub const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// Returns the range with some numbers; with NaN it is unbounded.
    pub fn with(self, numbers: DVec3) -> Self {
        if numbers.is_nan() {
            return Self { low: DVec3::NEG_INFINITY, high: DVec3::INFINITY };
        }
        Self { low: self.low.min(numbers), high: self.high.max(numbers) }
    }

    /// Returns the largest absolute number.
    pub fn largest(&self) -> f64 {
        self.low.abs().max(self.high.abs()).max_element()
    }

    /// Returns the smallest absolute number.
    pub fn smallest(&self) -> f64 {
        let away = |low: f64, high: f64| if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
        let (low, high) = (self.low, self.high);
        away(low.x, high.x).min(away(low.y, high.y)).min(away(low.z, high.z))
    }
}

/// Computes the tangents at the ends of a curve that does not loop.
fn ends(keys: &[(DVec3, Tcb)], curve: &mut [CurveKey]) {
    match (keys, curve) {
        ([(a, first), (b, last)], [start, end]) => {
            start.from = (*b - *a) * (1.0 - first.tension);
            end.to = (*b - *a) * (1.0 - last.tension);
        }
        ([(_, first), .., (_, last)], [start, second, .., before_last, end]) => {
            start.from = (3.0 * (second.value - start.value) - second.to) * (0.5 * (1.0 - first.tension));
            end.to = (3.0 * (end.value - before_last.value) - before_last.from) * (0.5 * (1.0 - last.tension));
        }
        ([(_, first), _, (_, last)], [start, middle, end]) => {
            start.from = (3.0 * (middle.value - start.value) - middle.to) * (0.5 * (1.0 - first.tension));
            end.to = (3.0 * (end.value - middle.value) - middle.from) * (0.5 * (1.0 - last.tension));
        }
        _ => {}
    }
}
