//! Moments of a script that a film strip shows first.

use skelobj::ragdoll::BodyState;

use super::figure::Figure;
use super::film::Frame;
use crate::draw::Kind;

/// Kinds of moments, the most important first, and the seconds after which each is easiest to see. A fall is shown
/// before its first frame, too.
const KINDS: [(Kind, f32); 6] = [
    (Kind::Falls, 0.35),
    (Kind::GetsUp, 0.8),
    (Kind::ComesApart, 0.35),
    (Kind::LeftLevel, 0.0),
    (Kind::Released, 0.0),
    (Kind::Rest, 0.0),
];

/// Returns the first frame of each kind that happens to a followed figure, the most important first.
pub fn firsts(frames: &[Frame], is_followed: impl Fn(&Figure) -> bool) -> Vec<(usize, Kind)> {
    let first = |(kind, later): (Kind, f32)| {
        let changes = frames.windows(2).position(|pair| {
            pair[1].figures.iter().filter(|figure| is_followed(figure)).any(|now| happens(kind, &pair[0], now))
        });
        let before = changes?;
        if kind == Kind::Released {
            return Some((before, kind));
        }
        let time = frames.get(before + 1)?.time + later;
        let step = frames.iter().position(|frame| frame.time >= time).unwrap_or(frames.len() - 1);
        Some((step, kind))
    };
    KINDS.into_iter().filter_map(first).collect()
}

/// Returns `true` if an entity has become of a kind since the frame before.
fn happens(kind: Kind, before: &Frame, now: &Figure) -> bool {
    let same = |old: &&Figure| old.entity == now.entity && old.object == now.object;
    let Some(old) = before.figures.iter().find(same).filter(|old| !old.bodies.is_empty()) else { return false };
    match kind {
        Kind::Falls | Kind::Released => !is_limp(old) && is_limp(now),
        Kind::GetsUp => !is_animated(old) && is_animated(now),
        Kind::ComesApart => now.severed > old.severed,
        Kind::Rest => !is_asleep(old) && is_asleep(now),
        Kind::LeftLevel => !old.left_level && now.left_level,
        Kind::Animated | Kind::Between | Kind::Contact | Kind::Moving | Kind::Standing => false,
    }
}

fn is_limp(figure: &Figure) -> bool {
    all(figure, |body| body.strength == 0.0)
}

/// Returns `true` if most bodies follow the animation: a corpse that is held by a hand does not get up.
fn is_animated(figure: &Figure) -> bool {
    2 * figure.bodies.iter().filter(|body| body.strength > 0.0).count() > figure.bodies.len()
}

fn is_asleep(figure: &Figure) -> bool {
    !figure.left_level && all(figure, |body| body.strength == 0.0 && body.is_sleeping)
}

fn all(figure: &Figure, is: impl Fn(&BodyState) -> bool) -> bool {
    !figure.bodies.is_empty() && figure.bodies.iter().all(is)
}
