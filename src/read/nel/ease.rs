//! Tension, continuity and bias: how keys ease into each other, and how much neighbours pull.

/// A key's parameters.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tcb {
    pub tension: f64,
    pub continuity: f64,
    pub bias: f64,
    /// How slowly the key is reached, and left.
    pub ease_to: f64,
    pub ease_from: f64,
}

/// How much the ways to the previous and to the next key count.
#[derive(Clone, Copy)]
pub(super) struct Pull {
    /// In the tangent that reaches the key.
    pub to: [f64; 2],
    /// In the tangent that leaves the key.
    pub from: [f64; 2],
}

impl Tcb {
    /// The pull of neighbours that are `before` and `after` seconds away; `None` at an end, where both count the same.
    pub fn pull(&self, apart: Option<(f64, f64)>) -> Pull {
        let (before, after) = match apart {
            Some((before, after)) if before + after > 0.0 => {
                let middle = 0.5 * (before + after);
                let c = self.continuity.abs();
                // Speed is evened out where the key is continuous.
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

/// How far along a key is left and the next reached: `u` with the easing of both.
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

/// Seconds from each key to its neighbours, as pulls are reckoned; `None` for the ends of what does not loop.
///
/// The last key of a loop counts the gap behind it as lying before it, and the way to the key before as lying behind:
/// so does NeL.
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
