//! Tension, continuity and bias of keys: easing, and the influence of neighbouring keys on a tangent.

/// Parameters of a key.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tcb {
    pub tension: f64,
    pub continuity: f64,
    pub bias: f64,
    /// Amount by which motion slows down before the key, and after it.
    pub ease_to: f64,
    pub ease_from: f64,
}

/// Weights of the differences to the previous and to the next key.
#[derive(Clone, Copy)]
pub(super) struct Pull {
    /// Weights in the tangent that reaches the key.
    pub to: [f64; 2],
    /// Weights in the tangent that leaves the key.
    pub from: [f64; 2],
}

impl Tcb {
    /// Returns the weights for neighbours that are `before` and `after` seconds away; `None` at an end, where both
    /// count equally.
    pub fn pull(&self, apart: Option<(f64, f64)>) -> Pull {
        let (before, after) = match apart {
            Some((before, after)) if before + after > 0.0 => {
                let middle = 0.5 * (before + after);
                let c = self.continuity.abs();
                // Speed is equalised where the key is continuous.
                let even = |part: f64| part + c - c * part;
                (even(before / middle), even(after / middle))
            }
            _ => (1.0, 1.0),
        };
        let t = 0.5 * (1.0 - self.tension);
        let (c_less, c_more) = (1.0 - self.continuity, 1.0 + self.continuity);
        let (b_less, b_more) = (1.0 - self.bias, 1.0 + self.bias);
        Pull {
            to: [t * c_less * b_more * before, t * c_more * b_less * before],
            from: [t * c_more * b_more * after, t * c_less * b_less * after],
        }
    }
}

/// Returns the eased position between two keys: `u`, 0 to 1, with the easing of both keys.
pub(super) fn ease(u: f64, from: f64, to: f64) -> f64 {
    let (mut from, mut to) = (from, to);
    let sum = from + to;
    if u <= 0.0 || u >= 1.0 || sum == 0.0 {
        return u;
    }
    if sum > 1.0 {
        (from, to) = (from / sum, to / sum);
    }
    let k = 1.0 / (2.0 - from - to);
    if u < from {
        k / from * u * u
    } else if u < 1.0 - to {
        k * (2.0 * u - from)
    } else {
        let left = 1.0 - u;
        1.0 - k / to * left * left
    }
}

/// Returns the distances from a key to its neighbours as tangents use them, seconds; `None` at the ends of keys that do
/// not loop.
///
/// As in NeL, the last key of a loop has the gap of the loop before it and the interval from the previous key after it.
pub(super) fn apart(times: &[f32], key: usize, looping: bool, gap: f64) -> Option<(f64, f64)> {
    let time = |key: usize| times.get(key).copied().map(f64::from);
    let own = time(key)?;
    let before = key.checked_sub(1).and_then(time).map(|before| own - before);
    let after = time(key + 1).map(|after| after - own);
    match (before, after) {
        (Some(before), Some(after)) => Some((before, after)),
        _ if !looping => None,
        (None, Some(after)) => Some((gap, after)),
        (Some(before), None) => Some((gap, before)),
        (None, None) => None,
    }
}
