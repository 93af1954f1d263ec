//! Selection of the moments of a fall to draw.

use std::collections::BTreeSet;

use skelobj::math::Vec3;
use skelobj::ragdoll::{BodyState, DropFrame};

use super::solid;

/// Kind of a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Animation still plays.
    Animated,
    /// Last pose of the animation, at the release.
    Released,
    /// Moment between the others.
    Between,
    /// First contact of a body with the floor that was clear of it at the release.
    Contact,
    /// Last step of a drop test whose ragdoll sleeps, or the first frame of a script in which a whole ragdoll sleeps.
    Rest,
    /// Last step of a drop test that ends before the ragdoll sleeps.
    Moving,
    /// Last step of a drop test in which the ragdoll sleeps upright, as it was released.
    Standing,
    /// Last step of a drop test in which the ragdoll fell out of the level.
    LeftLevel,
    /// Fall of an entity of a script.
    Falls,
    /// Fall of a limb of an entity of a script.
    ComesApart,
    /// Change of an entity of a script from limp to animated.
    GetsUp,
}

/// Step of the test to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Number of the step, from 0.
    pub step: usize,
    /// Kind of the moment.
    pub kind: Kind,
}

/// End of a fall, as far as it was watched.
#[derive(Clone, Copy, Default)]
pub struct End {
    left_level: bool,
    sleeps: bool,
    /// Height of the figure at the release, infinite for one that did not stand, and now.
    released: Option<f32>,
    tall: f32,
}

/// Part of its height at the release above which a figure stands.
const UPRIGHT: f32 = 0.8;

impl End {
    /// Watches the next step of the test.
    pub fn watch(&mut self, frame: &DropFrame<'_>) {
        self.left_level = frame.ragdoll.has_left_level();
        self.sleeps = frame.ragdoll.is_asleep(frame.physics);
        let extent = frame.ragdoll.bodies(frame.physics).fold(Extent::default(), Extent::with);
        self.tall = extent.tall();
        if frame.time >= 0.0 && self.released.is_none() {
            self.released = Some(if extent.is_upright() { self.tall } else { f32::INFINITY });
        }
    }

    /// Returns the kind of the last moment.
    pub fn kind(self) -> Kind {
        match () {
            () if self.left_level => Kind::LeftLevel,
            () if !self.sleeps => Kind::Moving,
            () if self.released.is_some_and(|released| self.tall > UPRIGHT * released) => Kind::Standing,
            () => Kind::Rest,
        }
    }
}

/// Space in which bodies are: from the lowest point to the highest centre, and between the centres.
struct Extent {
    low: Vec3,
    high: Vec3,
}

impl Default for Extent {
    fn default() -> Self {
        Self { low: Vec3::MAX, high: Vec3::MIN }
    }
}

impl Extent {
    fn with(self, body: BodyState) -> Self {
        let lowest = body.position.with_z(solid::lowest(&body));
        Self { low: self.low.min(lowest), high: self.high.max(body.position) }
    }

    /// Returns `true` if the figure is taller than it is wide. One body alone does not stand.
    fn is_upright(&self) -> bool {
        let wide = (self.high - self.low).truncate().max_element();
        wide > 0.0 && self.tall() > 1.5 * wide
    }

    fn tall(&self) -> f32 {
        (self.high.z - self.low.z).max(0.0)
    }
}

/// Motion of all bodies, step by step.
#[derive(Default)]
pub struct Timeline {
    /// Total path of all bodies up to each step, Quake units.
    motion: Vec<f32>,
    /// Point on the edge of each body, so that rotation counts as motion.
    points: Vec<Vec3>,
    released: Option<usize>,
    contact: Option<usize>,
    /// Bodies that were clear of the floor at the release.
    clear: Vec<bool>,
    touching: f32,
    end: End,
    /// `true` if there is a floor at 0; in a level, nobody knows what a body touches.
    has_floor: bool,
}

impl Timeline {
    /// Creates the timeline of a fall onto a floor at 0, or in a level.
    pub fn new(has_floor: bool) -> Self {
        Self { has_floor, ..Self::default() }
    }

    /// Adds the next step of the test.
    pub fn watch(&mut self, frame: &DropFrame<'_>) {
        self.end.watch(frame);
        let bodies: Vec<BodyState> = frame.ragdoll.bodies(frame.physics).collect();
        let points: Vec<Vec3> =
            bodies.iter().map(|b| b.position + b.rotation * (Vec3::from_array(b.size) * 0.5)).collect();
        let ways = points.iter().zip(&self.points).map(|(new, old)| new.distance(*old));
        let way: f32 = ways.filter(|way| way.is_finite()).sum();
        self.points = points;
        let step = self.motion.len();
        self.motion.push(self.motion.last().unwrap_or(&0.0) + way);
        if self.released.is_none() {
            if frame.time >= 0.0 {
                self.release(step, &bodies);
            }
        } else if self.has_floor && self.contact.is_none() {
            let mut falling = bodies.iter().zip(&self.clear).filter(|(_, clear)| **clear);
            if falling.any(|(body, _)| solid::lowest(body) <= self.touching) {
                self.contact = Some(step);
            }
        }
    }

    fn release(&mut self, step: usize, bodies: &[BodyState]) {
        self.released = Some(step);
        let tall = bodies.iter().cloned().fold(Extent::default(), Extent::with).tall();
        self.touching = tall * 0.01;
        // The feet and shins of a standing figure do not count.
        self.clear = bodies.iter().map(|body| solid::lowest(body) > tall * 0.1).collect();
    }

    /// Returns at most `count` moments in order: the end, the release, the first contact, the start, and between them
    /// moments with equal amounts of motion from one to the next. Half of them are after the contact, or at it, so that
    /// the ragdoll is seen to settle.
    pub fn moments(&self, count: usize) -> Vec<Moment> {
        let Some(last) = self.motion.len().checked_sub(1) else { return Vec::new() };
        let keys = [(Some(last), self.end.kind()), (self.released, Kind::Released), (self.contact, Kind::Contact)];
        let mut moments: Vec<Moment> = Vec::new();
        for (step, kind) in keys.into_iter().chain([(Some(0), Kind::Animated)]) {
            if let Some(step) = step
                && moments.len() < count
                && moments.iter().all(|moment| moment.step != step)
            {
                moments.push(Moment { step, kind });
            }
        }
        moments.sort_by_key(|moment| moment.step);
        let keys: Vec<usize> = moments.iter().map(|moment| moment.step).collect();
        let settling = keys.iter().position(|step| Some(*step) == self.contact).unwrap_or(keys.len());
        let half = count.div_ceil(2).min(count - settling.min(count));
        let after = between(&self.motion, &keys[settling..], half);
        let keys: Vec<usize> =
            keys.into_iter().chain(after.iter().copied()).collect::<BTreeSet<_>>().into_iter().collect();
        let mut all = moments;
        all.extend(between(&self.motion, &keys, count).into_iter().chain(after).map(|step| {
            let is_animated = self.released.is_none_or(|released| step < released);
            Moment { step, kind: if is_animated { Kind::Animated } else { Kind::Between } }
        }));
        // The sort is stable: of two moments at one step the key moment stays.
        all.sort_by_key(|moment| moment.step);
        all.dedup_by_key(|moment| moment.step);
        all
    }
}

/// Returns steps between the steps `keys`, up to `count` steps with them, with motion as equal as possible from each to
/// the next. `motion` is the total up to each step. A step may be returned twice if little moves.
pub fn between(motion: &[f32], keys: &[usize], count: usize) -> Vec<usize> {
    let at = |step: usize| motion.get(step).copied().unwrap_or(0.0);
    let spans: Vec<[usize; 2]> = keys.windows(2).filter_map(|pair| pair.try_into().ok()).collect();
    let mut extras = vec![0_usize; spans.len()];
    for _ in keys.len()..count {
        let share = |i: &usize, extras: &[usize]| {
            let [from, to] = spans[*i];
            (at(to) - at(from)) / (extras[*i] + 1) as f32
        };
        let longest = (0..extras.len()).max_by(|a, b| share(a, &extras).total_cmp(&share(b, &extras)));
        if let Some(longest) = longest {
            extras[longest] += 1;
        }
    }
    let mut steps = Vec::new();
    for ([from, to], extras) in spans.into_iter().zip(extras) {
        let (from, to) = (at(from), at(to));
        for extra in 1..=extras {
            let target = from + (to - from) * extra as f32 / (extras + 1) as f32;
            steps.push(motion.partition_point(|motion| *motion < target));
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_moments_are_at_or_after_the_first_contact() {
        // Much moves before the contact at step 60, and little after it.
        let motion = (0..200).map(|step| if step < 60 { step as f32 * 10.0 } else { 600.0 + step as f32 * 0.1 });
        let fall = Timeline {
            motion: motion.collect(),
            released: Some(20),
            contact: Some(60),
            has_floor: true,
            ..Timeline::default()
        };
        for count in 4..=16 {
            let moments = fall.moments(count);
            assert_eq!(moments.len(), count);
            let steps: Vec<usize> = moments.iter().map(|moment| moment.step).collect();
            assert!(steps.is_sorted() && [0, 20, 60, 199].iter().all(|key| steps.contains(key)), "{steps:?}");
            let settling = steps.iter().filter(|step| **step >= 60).count();
            assert!(settling >= count / 2, "{settling} of {count}: {steps:?}");
            let kind = |step| moments.iter().find(|moment| moment.step == step).map(|moment| moment.kind);
            assert_eq!([kind(0), kind(20), kind(60)], [Kind::Animated, Kind::Released, Kind::Contact].map(Some));
        }
        // Without a contact, motion alone decides.
        let early = Timeline { contact: None, ..fall }.moments(8);
        assert!(early.iter().filter(|moment| moment.step < 60).count() >= 6, "{early:?}");
    }
}
