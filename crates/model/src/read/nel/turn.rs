//! Rotations over time: Bézier and TCB keys, both as spherical quadrangles.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

use super::ease::{Tcb, apart, ease};
use super::keys::{Keys, Moment};
use crate::trig::{acos, atan2, cos, sin};

/// Angle, or sine of an angle, below which a rotation is treated as the identity, radians.
const EPSILON: f64 = 1e-6;

/// Rotation of a key and the path of the motion through it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnKey {
    rotation: DQuat,
    /// Inner corners of the quadrangles before and after the key.
    before: DQuat,
    after: DQuat,
    /// Rotation from the previous key to this one: axis in this key's space, and angle in radians.
    axis: DVec3,
    angle: f64,
    ease_to: f64,
    ease_from: f64,
}

/// TCB key as files store it: a rotation from the previous key with its axis in parent space.
pub(super) struct TurnFromBefore {
    pub axis: DVec3,
    pub angle: f64,
    pub tcb: Tcb,
}

/// Smooth motion of a rotation.
#[derive(Clone, Debug)]
pub(super) struct Turn(Keys<TurnKey>);

impl Turn {
    pub fn bezier(keys: Keys<DQuat>) -> Self {
        Self(keys.map(|_, keys| {
            let mut turns: Vec<TurnKey> = Vec::with_capacity(keys.len());
            for (i, &key) in keys.iter().enumerate() {
                let before = turns.last().map(|key| key.rotation);
                let rotation = before.map_or(key, |before| closest(key, before));
                // NeL computes the corner of a key before it flips the sign of the next key, so the next key is used as
                // stored.
                let after = keys.get(i + 1).copied();
                let towards = |other: Option<DQuat>| other.map(|other| log_difference(rotation, other));
                let (back, on) = (towards(before.or(after)), towards(after.or(before)));
                let bend = back.zip(on).map_or(DVec3::ZERO, |(back, on)| -0.25 * (back + on));
                let corner = rotation * exp(bend);
                turns.push(TurnKey {
                    rotation,
                    before: corner,
                    after: corner,
                    axis: DVec3::ZERO,
                    angle: 0.0,
                    ease_to: 0.0,
                    ease_from: 0.0,
                });
            }
            turns
        }))
    }

    pub fn tcb(keys: Keys<TurnFromBefore>) -> Self {
        let (looping, gap) = (keys.is_looping(), keys.delta());
        Self(keys.map(|times, keys| {
            let mut turns: Vec<TurnKey> = Vec::with_capacity(keys.len());
            for key in &keys {
                let last = turns.last().map_or(DQuat::IDENTITY, |key| key.rotation);
                turns.push(TurnKey::after(last, key));
            }
            let corners: Vec<_> = keys
                .iter()
                .enumerate()
                .map(|(i, key)| corners(&turns, i, &key.tcb, looping, apart(times, i, looping, gap)))
                .collect();
            for (turn, (before, after)) in turns.iter_mut().zip(corners) {
                (turn.before, turn.after) = (before, after);
            }
            turns
        }))
    }

    /// Returns the rotation at `time` seconds; `None` without keys.
    pub fn at(&self, time: f64) -> Option<DQuat> {
        Some(match self.0.at(time)? {
            Moment::At(key) => key.rotation,
            Moment::Between(from, to, u) => between(from, to, ease(u, from.ease_from, to.ease_to)),
        })
    }
}

impl TurnKey {
    /// Returns the key that a rotation from `last` leads to.
    fn after(last: DQuat, key: &TurnFromBefore) -> Self {
        let axis = (last.inverse() * key.axis).normalize_or_zero();
        let (axis, angle) = if key.angle < 0.0 { (-axis, -key.angle) } else { (axis, key.angle) };
        let (sin, cos) = (sin(0.5 * angle), cos(0.5 * angle));
        let turn = DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos);
        let rotation = last * turn;
        let rotation = if rotation.length_squared() > 0.0 { rotation.normalize() } else { last };
        Self {
            rotation,
            before: rotation,
            after: rotation,
            axis,
            angle,
            ease_to: key.tcb.ease_to,
            ease_from: key.tcb.ease_from,
        }
    }

    /// Returns the logarithm of the rotation from `last` to this key. Full turns are not visible in the rotations; they
    /// are treated as a quarter turn about the axis.
    fn way_from(&self, last: &TurnKey) -> DVec3 {
        if self.angle > TAU - EPSILON {
            return log(DQuat::from_xyzw(self.axis.x, self.axis.y, self.axis.z, 0.0));
        }
        log_difference(last.rotation, closest(self.rotation, last.rotation))
    }
}

/// Returns the inner corners before and after a TCB key.
fn corners(turns: &[TurnKey], i: usize, tcb: &Tcb, looping: bool, apart: Option<(f64, f64)>) -> (DQuat, DQuat) {
    debug_assert!(i < turns.len(), "the key exists");
    let Some(own) = turns.get(i) else { return (DQuat::IDENTITY, DQuat::IDENTITY) };
    let around = |end: Option<&TurnKey>| end.filter(|_| looping && turns.len() > 1).copied();
    let before = i.checked_sub(1).and_then(|i| turns.get(i)).copied().or_else(|| around(turns.last()));
    let after = turns.get(i + 1).copied().or_else(|| around(turns.first()));
    let (back, on) = (before.map(|key| own.way_from(&key)), after.map(|key| key.way_from(own)));
    let (Some(back), Some(on)) = (back.or(on), on.or(back)) else { return (own.rotation, own.rotation) };
    let pull = tcb.pull(apart);
    let before = 0.5 * (back * (1.0 - pull.to[0]) - on * pull.to[1]);
    let after = 0.5 * (back * pull.from[0] + on * (pull.from[1] - 1.0));
    (own.rotation * exp(before), own.rotation * exp(after))
}

/// Returns the rotation between two keys at `u`, 0 to 1.
fn between(from: &TurnKey, to: &TurnKey, u: f64) -> DQuat {
    if to.angle < TAU - EPSILON {
        return squad(from.rotation, from.after, to.before, to.rotation, u);
    }
    // Above a full turn: half a turn leaves the first key, half a turn reaches the second, and the speed between them
    // is constant.
    let half = DQuat::from_xyzw(to.axis.x, to.axis.y, to.axis.z, 0.0);
    let all = to.angle / PI;
    let done = u * all;
    let left = done + 1.0 - all;
    let away = from.rotation * half;
    if done < 1.0 {
        squad(from.rotation, from.after, away, away, done)
    } else if left <= 0.0 {
        slerp(from.rotation, away, done.rem_euclid(4.0))
    } else {
        let before = to.rotation * half.conjugate();
        squad(before, before, to.before, to.rotation, left)
    }
}

/// Interpolates through the quadrangle `q0 a b q1`; the ends lie on its sides.
fn squad(q0: DQuat, a: DQuat, b: DQuat, q1: DQuat, u: f64) -> DQuat {
    slerp(slerp(q0, q1, u), slerp(a, b, u), 2.0 * u * (1.0 - u))
}

/// Interpolates along the arc from `a` to `b`, even if it is the longer one.
pub(super) fn slerp(a: DQuat, b: DQuat, u: f64) -> DQuat {
    let dot = a.dot(b);
    if dot >= 1.0 - EPSILON {
        return a * (1.0 - u) + b * u;
    }
    let angle = acos(dot.clamp(-1.0, 1.0));
    let whole = sin(angle);
    // Between opposite rotations, the arc is ambiguous.
    if whole < EPSILON {
        return if u < 0.5 { a } else { b };
    }
    a * (sin((1.0 - u) * angle) / whole) + b * (sin(u * angle) / whole)
}

/// Returns `q` or `-q`, which are the same rotation, whichever is nearer to `to`.
fn closest(q: DQuat, to: DQuat) -> DQuat {
    if q.dot(to) < 0.0 { -q } else { q }
}

fn log_difference(from: DQuat, to: DQuat) -> DVec3 {
    let turn = from.inverse() * to;
    if turn.length_squared() > 0.0 { log(turn.normalize()) } else { DVec3::ZERO }
}

/// Returns axis times half the angle.
fn log(q: DQuat) -> DVec3 {
    let axis = DVec3::new(q.x, q.y, q.z);
    let length = axis.length();
    if length > EPSILON { axis * (atan2(length, q.w) / length) } else { axis }
}

fn exp(v: DVec3) -> DQuat {
    let angle = v.length();
    let (sin, cos) = (sin(angle), cos(angle));
    let v = if angle > EPSILON { v * (sin / angle) } else { v };
    DQuat::from_xyzw(v.x, v.y, v.z, cos)
}
