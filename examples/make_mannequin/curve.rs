//! Smooth curves through keys without overshoot.

/// Key: time (seconds or phase) and value.
pub type Key = (f32, f32);

/// Returns the curve through `keys` at `t`; beyond the ends it is constant.
pub fn curve(keys: &[Key], t: f32) -> f32 {
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { return 0.0 };
    if t <= first.0 {
        return first.1;
    }
    if t >= last.0 {
        return last.1;
    }
    let i = keys.partition_point(|key| key.0 <= t) - 1;
    let before = if i == 0 { None } else { Some(keys[i - 1]) };
    hermite(before, keys[i], keys[i + 1], keys.get(i + 2).copied(), t)
}

/// Returns the curve of a cycle of length 1 at `phase`; the phase wraps, and so do the keys, which lie in 0..1.
pub fn cycle(keys: &[Key], phase: f32) -> f32 {
    let count = keys.len() as isize;
    let phase = phase.rem_euclid(1.0);
    let at = |i: isize| {
        let key = keys[i.rem_euclid(count) as usize];
        (key.0 + i.div_euclid(count) as f32, key.1)
    };
    let i = keys.partition_point(|key| key.0 <= phase) as isize - 1;
    hermite(Some(at(i - 1)), at(i), at(i + 1), Some(at(i + 2)), phase)
}

/// Returns a cubic from `a` to `b` with the monotone slopes of Fritsch and Butland.
fn hermite(before: Option<Key>, a: Key, b: Key, after: Option<Key>, t: f32) -> f32 {
    let span = b.0 - a.0;
    let slope = |from: Key, to: Key| (to.1 - from.1) / (to.0 - from.0);
    let here = slope(a, b);
    let tangent = |other: Option<f32>| match other {
        Some(other) if other * here > 0.0 => 2.0 * other * here / (other + here),
        _ => 0.0,
    };
    let start = tangent(before.map(|key| slope(key, a))) * span;
    let end = tangent(after.map(|key| slope(b, key))) * span;
    cubic(a.1, start, b.1, end, (t - a.0) / span)
}

/// Returns the cubic from `a` to `b` with slopes `start` and `end` (per unit of `u`) at `u`, 0 to 1.
pub fn cubic(a: f32, start: f32, b: f32, end: f32, u: f32) -> f32 {
    let (u2, u3) = (u * u, u * u * u);
    a * (2.0 * u3 - 3.0 * u2 + 1.0) + start * (u3 - 2.0 * u2 + u) + b * (3.0 * u2 - 2.0 * u3) + end * (u3 - u2)
}
