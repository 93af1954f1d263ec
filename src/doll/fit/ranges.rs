//! Stops that contain every pose of a model's animations, and what anatomy allows.

use glam::Vec2;
use skelobj_model::internal as trig;

use super::motion::Turn;
use super::swing::{about, swing_and_twist, wrapped};
use crate::math::Quat;

/// Range of an angle with a doll's sign, radians.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Range {
    pub(super) lo: f32,
    pub(super) hi: f32,
}

impl Range {
    /// Widest range that a doll holds without a warning.
    pub(super) const FULL: Self = Self::even(WIDEST);

    pub(super) const fn new(lo: f32, hi: f32) -> Self {
        Self { lo, hi }
    }

    /// Returns the range that is as wide on both sides of 0.
    pub(super) const fn even(half: f32) -> Self {
        Self { lo: -half, hi: half }
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// Returns the range with more room at both ends.
    pub(super) fn widened(self, by: f32) -> Self {
        Self { lo: self.lo - by, hi: self.hi + by }
    }

    pub(super) fn shifted(self, by: f32) -> Self {
        Self { lo: self.lo + by, hi: self.hi + by }
    }

    fn half(self) -> f32 {
        (self.hi - self.lo) / 2.0
    }

    fn middle(self) -> f32 {
        (self.hi + self.lo) / 2.0
    }

    /// Returns the range with hundredths of a radian as ends, short of half a turn.
    fn rounded(self) -> Self {
        let end = |angle: f32| angle.clamp(-WIDEST, WIDEST);
        Self { lo: (end(self.lo) * 100.0 + 0.02).floor() / 100.0, hi: (end(self.hi) * 100.0 - 0.02).ceil() / 100.0 }
            .clamped()
    }

    fn clamped(self) -> Self {
        Self { lo: self.lo.max(-WIDEST), hi: self.hi.min(WIDEST) }
    }
}

/// Widest stop, radians: just below half a turn.
const WIDEST: f32 = std::f32::consts::PI - 0.0016;

/// Half range from which an axis of a cone is not limited, radians.
const UNLIMITED: f32 = 3.1;

/// Angles that animations reach, with the animations that reach the ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) range: Range,
    pub(super) by: [Option<usize>; 2],
}

impl Seen {
    /// Returns the range of some angles; the reference pose is at 0.
    fn of(angles: impl Iterator<Item = (f32, usize)>) -> Self {
        let mut seen = Self { range: Range::even(0.0), by: [None; 2] };
        for (angle, animation) in angles {
            if angle < seen.range.lo {
                (seen.range.lo, seen.by[0]) = (angle, Some(animation));
            }
            if angle > seen.range.hi {
                (seen.range.hi, seen.by[1]) = (angle, Some(animation));
            }
        }
        seen
    }

    /// Returns the range with a margin.
    fn with_margin(&self, margin: f32) -> Range {
        debug_assert!(self.range.lo <= 0.0 && self.range.hi >= 0.0, "the reference pose is seen, too");
        let margin = margin + 0.1 * (self.range.hi - self.range.lo);
        Range { lo: self.range.lo - margin, hi: self.range.hi + margin }
    }
}

/// Stops of a joint, and the angles from which they come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stops {
    /// Ranges about the axes and of the twist.
    pub(super) ranges: [Range; 3],
    /// Ranges that the joint has in any case.
    pub(super) least: [Range; 3],
    pub(super) seen: [Seen; 3],
}

impl Stops {
    /// Returns the stops with more room at all ends that are not locked, radians.
    pub(super) fn with_room(self, by: f32) -> Self {
        let is_free = |range: &Range| range.hi > range.lo;
        let ranges =
            self.ranges.map(|range| if is_free(&range) && by > 0.0 { range.widened(by).rounded() } else { range });
        Self { ranges, ..self }
    }
}

/// Margin around what animations show, radians.
const MARGIN: f32 = 0.08;

/// Returns the stops of a hinge about the X axis of a frame.
pub(super) fn hinge(frame: Quat, turns: &[Turn], least: Range) -> Stops {
    let angle = |turn: &Turn| (-about(frame.inverse() * turn.rotation * frame, 0), turn.animation);
    let seen = Seen::of(turns.iter().map(angle));
    let none = Seen { range: Range::even(0.0), by: [None; 2] };
    let range = seen.with_margin(MARGIN).union(least).rounded();
    let still = Range::even(0.0);
    Stops { ranges: [range, still, still], least: [least, still, still], seen: [seen, none, none] }
}

/// Returns the stops of a universal joint about the X and Y axes of a frame.
pub(super) fn universal(frame: Quat, turns: &[Turn], least: [Range; 3]) -> Stops {
    let seen = |axis: usize| {
        let angle = |turn: &Turn| (-about(frame.inverse() * turn.rotation * frame, axis), turn.animation);
        Seen::of(turns.iter().map(angle))
    };
    let seen = [seen(0), seen(1), Seen { range: Range::even(0.0), by: [None; 2] }];
    let range = |axis: usize| seen[axis].with_margin(MARGIN).union(least[axis]).rounded();
    Stops { ranges: [range(0), range(1), Range::even(0.0)], least, seen }
}

/// Returns the stops of a cone about the X and Y axes of a frame. The narrower of its ranges is at least `roundness`
/// times the wider one.
pub(super) fn cone(frame: Quat, turns: &[Turn], least: [Range; 3], roundness: f32) -> Stops {
    let own = |turn: &Turn| frame.inverse() * turn.rotation * frame;
    let still = Turn { rotation: Quat::IDENTITY, animation: usize::MAX };
    let all = || turns.iter().chain([&still]);
    // The centre moves to the middle of all poses; swings are then measured from there.
    let mut centre = Vec2::ZERO;
    for _round in 0..4 {
        let swings = all().map(|turn| swing_and_twist(own(turn), centre).0);
        let (low, high) = swings.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), s| (low.min(s), high.max(s)));
        centre += (low + high) / 2.0;
        centre = centre.clamp_length_max(WIDEST / 2.0);
    }
    let extent = all().map(|turn| swing_and_twist(own(turn), centre).0.abs()).fold(Vec2::ZERO, Vec2::max);
    // With a doll's sign, which is opposite.
    let seen_swing = [0, 1].map(|axis| {
        Seen::of(turns.iter().map(|turn| {
            let (swing, _) = swing_and_twist(own(turn), centre);
            (-(centre + swing)[axis], turn.animation)
        }))
    });
    let around = |axis: usize| {
        let half = extent[axis] * 1.1 + MARGIN;
        Range { lo: -centre[axis] - half, hi: -centre[axis] + half }
    };
    let swing = [0, 1].map(|axis| around(axis).union(least[axis]).clamped());
    let narrowest = roundness * swing[0].half().max(swing[1].half());
    let mut swing = swing.map(|range| range.widened((narrowest - range.half()).max(0.0)).rounded());
    // An ellipse that touches the sides of a rectangle leaves out its corners.
    let mut seen_twist = Seen { range: Range::even(0.0), by: [None; 2] };
    for _round in 0..60 {
        let centre = Vec2::new(-swing[0].middle(), -swing[1].middle());
        let half = Vec2::new(swing[0].half(), swing[1].half()).max(Vec2::splat(1e-3));
        // The ragdoll does not limit an axis of nearly a full turn.
        let curve = Vec2::from(half.to_array().map(|half| if half < UNLIMITED { 1.0 / half } else { 0.0 }));
        let level = all().map(|turn| (swing_and_twist(own(turn), centre).0 * curve).length()).fold(0.0, f32::max);
        let twists = || turns.iter().map(|turn| (-swing_and_twist(own(turn), centre).1, turn.animation));
        seen_twist = Seen::of(twists());
        if seen_twist.range.hi - seen_twist.range.lo > 4.0 {
            // Around half a turn, the range goes the other way about.
            let (sin, cos) = twists()
                .fold((0.0, 0.0), |(s, c), (twist, _)| (s + trig::sin(twist.into()), c + trig::cos(twist.into())));
            let mean = trig::atan2(sin, cos) as f32;
            seen_twist = Seen::of(twists().map(|(twist, animation)| (mean + wrapped(twist - mean), animation)));
        }
        if level <= 0.99 {
            break;
        }
        swing = swing.map(|range| {
            let grow = range.half() * (level / 0.98 - 1.0).clamp(0.01, 0.5);
            Range { lo: range.lo - grow, hi: range.hi + grow }.rounded()
        });
    }
    let is_any = seen_twist.range.hi - seen_twist.range.lo > 4.0;
    let twist = if is_any { Range::FULL } else { seen_twist.with_margin(MARGIN).union(least[2]).rounded() };
    Stops { ranges: [swing[0], swing[1], twist], least, seen: [seen_swing[0], seen_swing[1], seen_twist] }
}
