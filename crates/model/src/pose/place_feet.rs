//! Feet that are placed on the ground for a frame.
//!
//! All heights are offsets from the animation in units of the model, along the up axis of world space.

use std::f32::consts::{PI, TAU};

use glam::Vec3A;

use super::aim::below;
use super::feet::{BodyState, Feet, FeetState, FootState, Leg, Track};
use super::turn::{IntoBone, arc};
use super::{EndRotation, Ground, PosingError, bone_in_model_space};
use crate::math::{Mat3x4, Vec3};
use crate::trig;

/// Seconds beyond which the feet begin anew, as nobody saw what happened meanwhile.
const GAP: f32 = 0.5;

/// Seconds below which a frame counts as none.
const INSTANT: f32 = 1e-6;

/// Distance from where its speed would have brought it, in lengths of a leg, beyond which the entity has jumped.
const JUMP: f32 = 2.0;

/// Greatest speed of a foot beyond the animation and what the pelvis takes along, units per second: 1.83 in 1/60 s.
const FOOT_SPEED: f32 = 110.0;

/// Greatest speed with which a knee turns beyond the animation, radians per second: 7.5 degrees in 1/60 s.
const KNEE_SPEED: f32 = 7.5 * 60.0 / 180.0 * PI;

/// Speed, beside its own, with which stretched legs pull the pelvis, units per second.
const PULL: f32 = 45.0;

/// Heights of an ankle above its place in the bind pose, in lengths of the leg: up to the first, the foot stands; from
/// the second on, it swings; from the third on, it follows the pelvis instead of the ground.
const SWINGING: [f32; 3] = [0.03, 0.1, 0.5];

/// Seconds and greatest distance, in lengths of the leg, to which a swinging foot sees ahead.
const AHEAD: [f32; 2] = [0.11, 0.8];

/// Angular frequencies of the springs of a foot that swings and of the climb, and the rate with which a sole takes the
/// slope of the ground, per second.
const SWING: f32 = 32.0;
const CLIMB: f32 = 12.0;
const TILT: f32 = 15.0;

/// Part of a drop ahead of a swinging foot by which the pelvis sinks beforehand.
const SINK: f32 = 0.5;

/// Speed of a climb from which on the pelvis is between both feet, units per second.
const RISING: f32 = 40.0;

/// Distance behind its target from which a height is carried along in full, units.
const LAG: f32 = 4.0;

/// Difference from its target at which a height has arrived, units.
const ARRIVED: f32 = 1e-4;

/// Parts of its length to which a leg may stretch, unless the animation stretches it further, and to which it may fold.
const STRETCH: f32 = 0.97;
const FOLD: f32 = 0.3;

/// Places the feet of a pose on the ground, for a frame of some seconds.
///
/// `local` holds the animated pose in local space, made for a level floor at [`Feet::floor`]; `entity` is the matrix
/// from model space to world space, whose up axis is Z. `trace` returns the first ground on a line from its first point
/// straight down to its second, world space; `None` without any, and for a line that starts in something solid. It is
/// called up to twice for each foot.
///
/// A foot that stands keeps the height of its ground. A foot that swings rises to the higher one of the ground below it
/// and that to which it flies. The pelvis follows the lower foot, and on the way up the middle of both. A step of the
/// entity moves neither, but a lift that raises entity and ground carries all. Beyond the animation, no knee turns by
/// more than 7.5 degrees in 1/60 s, and feet move by at most 1.83 units of the model beside the pelvis, or by more
/// where a knee is at its limit.
///
/// With 0 seconds nothing moves and nothing is traced. After more than half a second, after a jump of the entity by two
/// lengths of a leg and with the state of another number of legs, the feet begin anew on their ground. On the level
/// floor of the entity, no bit of the pose changes.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::pose::{self, Feet, FeetState, Ground};
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let feet = Feet::parse(skeleton, "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r")?;
/// let mut state = FeetState::default();
/// let mut local = skeleton.bind_local().to_vec();
/// let slope = Vec3::new(-0.2, 0.0, 1.0); // rises by a fifth along X
/// let trace = |from: Vec3, _| Some(Ground { point: from.with_z(0.2 * from.x), normal: slope });
/// pose::place_feet(skeleton.parents(), &mut local, &feet, &mut state, &Mat3x4::IDENTITY, 1.0 / 60.0, trace)?;
/// assert_ne!(local[3], skeleton.bind_local()[3]); // the left foot is tilted
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PosingError::NoSuchBone`] and [`PosingError::NotBelow`] if the slices are not those of the skeleton of the feet;
/// [`PosingError::Singular`], also for a flat entity; [`PosingError::NoLength`]; [`PosingError::NoBend`];
/// [`PosingError::OutOfRange`]. No bone and no state is changed.
pub fn place_feet(
    parents: &[i32],
    local: &mut [Mat3x4],
    feet: &Feet,
    state: &mut FeetState,
    entity: &Mat3x4,
    seconds: f32,
    trace: impl FnMut(Vec3, Vec3) -> Option<Ground>,
) -> Result<(), PosingError> {
    feet.check(parents, local, entity, seconds)?;
    // Most characters have two legs, and filling longer arrays takes time.
    match feet.legs().count() {
        0..=2 => place_at_most::<2>(parents, local, feet, state, entity, seconds, trace),
        _ => place_at_most::<{ Feet::MAX_LEGS }>(parents, local, feet, state, entity, seconds, trace),
    }
}

/// Places the feet of at most `MOST` legs.
fn place_at_most<const MOST: usize>(
    parents: &[i32],
    local: &mut [Mat3x4],
    feet: &Feet,
    state: &mut FeetState,
    entity: &Mat3x4,
    seconds: f32,
    trace: impl FnMut(Vec3, Vec3) -> Option<Ground>,
) -> Result<(), PosingError> {
    let singular = || PosingError::Singular { bone: feet.pelvis };
    let into_model = IntoBone::new(entity).ok_or_else(singular)?;
    let scale = entity.scale();
    let up = Vec3::from(into_model.vector(Vec3A::Z)) * scale;
    let is_usable = up.length_squared() > 1e-6 && up.length_squared() < 1e6;
    if !is_usable {
        return Err(singular());
    }
    let count = feet.legs().count();
    let (mut posed, mut now) = ([Posed::NONE; MOST], [FootState::default(); MOST]);
    let (posed, now) = (&mut posed[..count], &mut now[..count]);
    let pelvis = bone_in_model_space(parents, local, feet.pelvis);
    for (posed, leg) in posed.iter_mut().zip(feet.legs()) {
        let thigh = pelvis * below(parents, local, feet.pelvis, leg.reach.bones()[0]);
        posed.set(parents, local, leg, &thigh, entity)?;
    }
    let floor = entity.transform_point(Vec3::Z * feet.floor);
    let jump = JUMP * posed[0].length * scale;
    let is_known = state.feet.len() == count
        && seconds <= GAP
        && floor.distance_squared(state.body.floor + state.body.speed * seconds) <= jump * jump
        && is_finite(&state.body, &state.feet);
    let mut body = BodyState::default();
    if is_known {
        body = state.body;
        now.copy_from_slice(&state.feet);
    }
    let seconds = if seconds < INSTANT { 0.0 } else { seconds };
    let mut frame = Frame::<MOST> { feet, posed, floor, scale, up, seconds, is_known, rise: 0.0 };
    frame.advance(&mut body, now, trace);
    let targets = frame.targets(&mut body, now);
    if !is_finite(&body, now) {
        return Err(singular());
    }
    frame.pose(parents, local, &into_model, body.pelvis.offset, now, &targets)?;
    state.body = body;
    state.feet.resize(count, FootState::default());
    state.feet.copy_from_slice(now);
    Ok(())
}

/// Leg in the animation.
#[derive(Clone, Copy)]
struct Posed {
    /// Matrices of the thigh in model space, of the shin relative to it and in model space, and of the foot relative to
    /// the shin.
    bones: [Mat3x4; 4],
    /// Joints in model space.
    hip: Vec3,
    ankle: Vec3,
    /// Ankle in world space.
    world: Vec3,
    thigh: f32,
    shin: f32,
    /// Length of both.
    length: f32,
    /// Distance from the hip to the ankle.
    reached: f32,
    /// Height of the ankle above its place in the bind pose, from 0.
    above: f32,
    /// Part of the foot that stands, 0 to 1.
    standing: f32,
    /// Part of the ground's height that the foot follows, 0 to 1.
    following: f32,
}

impl Posed {
    const NONE: Self = Self {
        bones: [Mat3x4::ZERO; 4],
        hip: Vec3::ZERO,
        ankle: Vec3::ZERO,
        world: Vec3::ZERO,
        thigh: 0.0,
        shin: 0.0,
        length: 0.0,
        reached: 0.0,
        above: 0.0,
        standing: 0.0,
        following: 0.0,
    };

    /// Takes a leg of a pose; `thigh` is its first matrix.
    #[inline(always)]
    fn set(
        &mut self,
        parents: &[i32],
        local: &[Mat3x4],
        leg: &Leg,
        thigh: &Mat3x4,
        entity: &Mat3x4,
    ) -> Result<(), PosingError> {
        let [start, middle, end] = leg.reach.bones();
        let (to_shin, to_foot) = (below(parents, local, start, middle), below(parents, local, middle, end));
        let shin = *thigh * to_shin;
        self.bones = [*thigh, to_shin, shin, to_foot];
        let knee = shin.origin();
        self.hip = thigh.origin();
        self.ankle = shin.transform_point(to_foot.origin());
        self.world = entity.transform_point(self.ankle);
        (self.thigh, self.shin) = (self.hip.distance(knee), knee.distance(self.ankle));
        self.length = self.thigh + self.shin;
        self.reached = self.hip.distance(self.ankle);
        if !(self.world.length_squared() + self.length * self.length).is_finite() {
            return Err(PosingError::Singular { bone: start });
        }
        let are_long = self.thigh > 1e-6 && self.shin > 1e-6;
        if !are_long {
            return Err(PosingError::NoLength { bone: if self.thigh > 1e-6 { end } else { middle } });
        }
        self.above = (self.ankle.z - leg.ankle).max(0.0);
        let [stands, swings, free] = SWINGING.map(|part| part * self.length);
        let part = |end: f32| ((end - self.above) / (end - stands)).clamp(0.0, 1.0);
        (self.standing, self.following) = (part(swings), part(free));
        Ok(())
    }

    /// Returns the angle of the knee at a distance of the ankle from the hip, radians; half a turn is straight.
    fn knee(&self, distance: f32) -> f32 {
        let Self { thigh, shin, .. } = *self;
        trig::acosf(((thigh * thigh + shin * shin - distance * distance) / (2.0 * thigh * shin)).clamp(-1.0, 1.0))
    }

    /// Returns the distance of the ankle from the hip at an angle of the knee.
    fn distance(&self, knee: f32) -> f32 {
        let Self { thigh, shin, .. } = *self;
        (thigh * thigh + shin * shin - 2.0 * thigh * shin * trig::cosf(knee)).max(0.0).sqrt()
    }

    /// Returns the distances of the ankle from the hip to which the leg may fold and stretch.
    fn reach(&self) -> [f32; 2] {
        [self.reached.min(FOLD * self.length), self.reached.max(STRETCH * self.length)]
    }
}

/// Frame of a character with at most `MOST` legs.
struct Frame<'a, const MOST: usize> {
    feet: &'a Feet,
    posed: &'a [Posed],
    /// Floor of the entity, world space.
    floor: Vec3,
    scale: f32,
    /// Unit of height in model space.
    up: Vec3,
    seconds: f32,
    /// `false` if the feet begin anew.
    is_known: bool,
    /// Rise of the entity since the last frame that feet and pelvis do not take part in.
    rise: f32,
}

/// Critically damped spring, in a frame.
#[derive(Clone, Copy)]
struct Spring {
    /// Radians per second.
    frequency: f32,
    /// Part of a difference that is left after the frame, but for the velocity.
    left: f32,
}

/// Ground to which a foot goes.
#[derive(Clone, Copy, Default)]
struct Below {
    height: Option<f32>,
    /// Depth by which the ground ahead is lower.
    drop: f32,
    normal: Vec3,
}

impl<const MOST: usize> Frame<'_, MOST> {
    /// Returns a spring of an angular frequency.
    fn spring(&self, frequency: f32) -> Spring {
        Spring { frequency, left: decay(frequency * self.seconds) }
    }

    fn is_moving(&self) -> bool {
        self.is_known && self.seconds > 0.0
    }

    /// Moves feet and pelvis on to this frame.
    fn advance(
        &mut self,
        body: &mut BodyState,
        now: &mut [FootState],
        trace: impl FnMut(Vec3, Vec3) -> Option<Ground>,
    ) {
        let Self { feet, seconds, is_known, .. } = *self;
        let mut raised = 0.0;
        if is_known {
            raised = (self.floor.z - body.floor.z) / self.scale;
            if seconds > 0.0 {
                body.speed = (self.floor - body.floor) / seconds;
            }
        }
        body.floor = self.floor;
        let mut grounds = [Below::default(); MOST];
        let mut highest = None;
        if feet.weight > 0.0 && (seconds > 0.0 || !is_known) {
            let carried;
            [highest, carried] = self.look(raised, now, &mut grounds, trace);
            raised -= self.carried(body, raised, carried);
        }
        now.iter_mut().zip(self.posed).for_each(|(foot, posed)| foot.ankle = posed.world);
        self.rise = raised * feet.weight;
        self.follow(&mut body.climb, 0.0, 0.0, self.spring(CLIMB));
        let (climb, swing) = (body.climb.velocity, self.spring(SWING));
        let [mut lowest, mut topmost] = [f32::INFINITY, f32::NEG_INFINITY];
        for ((foot, below), posed) in now.iter_mut().zip(&grounds).zip(self.posed) {
            let height = match (below.height, highest) {
                (Some(height), Some(highest)) => height.max(highest - feet.step),
                (height, highest) => height.or(highest).unwrap_or(0.0),
            };
            let height = height * feet.weight;
            // High in the air, a foot keeps its place below the pelvis.
            let pelvis = if is_known { body.pelvis.offset - self.rise } else { height };
            let free = (1.0 - posed.following) * feet.weight;
            let target = (height + (pelvis - height) * free).max(height - posed.above);
            self.lift(foot, posed, target, climb, swing);
            self.tilt(foot, tilted(below.normal, feet.slope, feet.weight));
            lowest = lowest.min(foot.lift.offset);
            if below.drop > 0.0 {
                lowest = lowest.min(height - below.drop * SINK * feet.weight);
            }
            topmost = topmost.max(foot.lift.offset);
        }
        // On the way up, legs stretch.
        let target = lowest + (topmost - lowest) * 0.5 * (climb / RISING).clamp(0.0, 1.0);
        self.follow(&mut body.pelvis, target, climb, self.spring(TAU * feet.frequency));
    }

    /// Finds the ground to which each foot goes. Returns the height of the highest ground below a foot, and by how much
    /// the ground below all feet that stand has risen.
    fn look(
        &self,
        raised: f32,
        now: &mut [FootState],
        grounds: &mut [Below],
        mut trace: impl FnMut(Vec3, Vec3) -> Option<Ground>,
    ) -> [Option<f32>; 2] {
        let Self { feet, floor, scale, seconds, .. } = *self;
        let reach = feet.step * scale;
        let mut look = |at: Vec3| {
            let found = trace(at.with_z(floor.z + reach), at.with_z(floor.z - 2.0 * reach))?;
            let (height, normal) = ((found.point.z - floor.z) / scale, found.normal.try_normalize()?);
            (height.abs() <= 2.0 * feet.step && normal.z > 1e-3).then_some((height, normal))
        };
        let (mut highest, mut carried) = (None, None);
        for ((below, posed), foot) in grounds.iter_mut().zip(self.posed).zip(now) {
            let under = look(posed.world);
            *below =
                Below { height: under.map(|(height, _)| height), drop: 0.0, normal: under.map_or(Vec3::Z, |(_, n)| n) };
            let before = std::mem::replace(&mut foot.under, below.height);
            highest = below.height.into_iter().chain(highest).reduce(f32::max);
            if posed.standing == 1.0 {
                // What is found anew has not moved.
                let moved = below.height.zip(before).map_or(0.0, |(height, before)| height - before + raised);
                let nearer = |other: f32| if moved.abs() < other.abs() { moved } else { other };
                carried = Some(carried.map_or(moved, nearer));
            }
            if !self.is_moving() || posed.standing == 1.0 {
                continue;
            }
            let way = (posed.world - foot.ankle).with_z(0.0) * (AHEAD[0] / seconds);
            if let Some((ahead, normal)) = look(posed.world + way.clamp_length_max(AHEAD[1] * posed.length * scale)) {
                let under = below.height.unwrap_or(ahead);
                let more = (ahead - under).clamp(-feet.step, feet.step) * (1.0 - posed.standing);
                if more >= 0.0 {
                    *below = Below { height: Some(under + more), drop: 0.0, normal };
                } else {
                    below.drop = -more;
                }
            }
        }
        [highest, carried]
    }

    /// Returns the part of the entity's rise that a lift makes, with what it stands on: in two frames at least, as an
    /// entity may take a step in the moment in which a foot slides over its edge.
    fn carried(&self, body: &mut BodyState, raised: f32, ground: Option<f32>) -> f32 {
        if !self.is_moving() {
            return 0.0;
        }
        let before = body.carried * self.seconds;
        let most = raised.abs().min(FOOT_SPEED * self.seconds);
        let along = |moved: f32| (moved * raised.signum()).clamp(0.0, most) * raised.signum();
        // Nobody stands in the air to tell.
        let carried = along(ground.unwrap_or(before));
        body.carried = carried / self.seconds;
        if carried.abs() < along(before).abs() { carried } else { along(before) }
    }

    /// Moves a foot to a height.
    fn lift(&self, foot: &mut FootState, posed: &Posed, target: f32, climb: f32, spring: Spring) {
        let lift = &mut foot.lift;
        let before = lift.offset - self.rise;
        self.follow(lift, target, climb, spring);
        if self.is_moving() {
            let (most, climbed) = (FOOT_SPEED * self.seconds, climb * self.seconds);
            let within = |offset: f32| (offset - before).clamp(climbed.min(0.0) - most, climbed.max(0.0) + most);
            // A foot that stands is at its target, as far as its speed allows.
            let standing = posed.standing * self.feet.weight;
            lift.offset = before + within(lift.offset + (target - lift.offset) * standing);
            lift.velocity *= 1.0 - standing;
        }
    }

    /// Turns the ground of a sole to a normal.
    fn tilt(&self, foot: &mut FootState, normal: Vec3) {
        if foot.normal == normal {
            return;
        }
        if self.is_moving() {
            let left = decay(TILT * self.seconds);
            foot.normal = (normal + (foot.normal - normal) * left).normalize_or(normal);
        }
        if !self.is_known || self.seconds > 0.0 && foot.normal.distance_squared(normal) < 1e-8 {
            foot.normal = normal;
        }
    }

    /// Moves a height on to a target on a critically damped spring, which a speed carries along while it is behind.
    fn follow(&self, track: &mut Track, target: f32, carried: f32, spring: Spring) {
        let Spring { frequency, left } = spring;
        if !self.is_known {
            *track = Track { offset: target, velocity: 0.0, target };
            return;
        }
        let (before, offset) = (track.target - self.rise, track.offset - self.rise);
        if self.seconds == 0.0 {
            *track = Track { offset, target: before, ..*track };
            return;
        }
        let speed = (target - before) / self.seconds;
        let behind = (target - offset) * carried.signum();
        let carried = carried * (behind / LAG).clamp(0.0, 1.0);
        // Distance from a target of a steady speed at which the height stays.
        let rest = 2.0 * (carried - speed) / frequency;
        let (apart, velocity) = (offset - before - rest, track.velocity - speed);
        let change = velocity + frequency * apart;
        track.offset = target + rest + (apart + change * self.seconds) * left;
        track.velocity = speed + (velocity - frequency * change * self.seconds) * left;
        track.target = target;
        if (track.offset - target).abs() < ARRIVED && track.velocity.abs() < ARRIVED * frequency {
            (track.offset, track.velocity) = (target, 0.0);
        }
    }

    /// Returns the place of each ankle in model space, within the limits of its leg, and holds the pelvis within reach.
    fn targets(&self, body: &mut BodyState, now: &mut [FootState]) -> [Vec3; MOST] {
        let unit = self.up.length();
        let upright = self.up / unit;
        let before = body.pelvis_shown - self.rise;
        let mut lifts = [0.0; MOST];
        let mut highest = f32::INFINITY;
        for (((lift, foot), posed), leg) in lifts.iter_mut().zip(&*now).zip(self.posed).zip(self.feet.legs()) {
            // On a slope, the sole turns about the ankle.
            *lift = foot.lift.offset + (leg.ankle - self.feet.floor).max(0.0) * (1.0 / foot.normal.z - 1.0);
            let way = posed.ankle - posed.hip;
            let (down, [_, farthest]) = (way.dot(upright), posed.reach());
            let aside = way.length_squared() - down * down;
            let room = (down + (farthest * farthest - aside).max(0.0).sqrt()) / unit;
            highest = highest.min(*lift + room.max(0.0));
        }
        let pelvis = &mut body.pelvis;
        if pelvis.offset > highest {
            let mut pull = pelvis.offset - highest;
            if self.is_known {
                pull = pull.min(PULL * self.seconds);
            }
            pelvis.offset -= pull;
            if self.is_moving() {
                pelvis.velocity -= pull / self.seconds;
            }
        }
        body.pelvis_shown = pelvis.offset;
        let taken = (pelvis.offset - before) * unit;
        let mut targets = [Vec3::ZERO; MOST];
        for (((target, foot), posed), lift) in targets.iter_mut().zip(now).zip(self.posed).zip(lifts) {
            let hip = posed.hip + self.up * pelvis.offset;
            // An ankle stays below its hip.
            let high = (posed.ankle - hip).dot(upright) + lift * unit;
            let most = (posed.ankle - posed.hip).dot(upright).max(-FOLD * posed.length);
            let mut shown = self.up * lift - upright * (high - most).max(0.0);
            if self.is_known {
                let before = foot.shown - self.up * self.rise;
                let change = shown - before;
                let along = upright * change.dot(upright).clamp(taken.min(0.0), taken.max(0.0));
                let beside = change - along;
                let most = FOOT_SPEED * self.seconds;
                if beside.length_squared() > most * most {
                    shown = before + along + beside.clamp_length_max(most);
                }
            }
            let way = posed.ankle + shown - hip;
            let (wanted, [least, farthest]) = (way.length(), posed.reach());
            let mut distance = wanted.min(farthest).max(least);
            let animated = posed.knee(posed.reached);
            let mut knee = posed.knee(distance) - animated;
            let most = KNEE_SPEED * self.seconds;
            if self.is_known && (knee - foot.knee).abs() > most {
                knee = foot.knee + (knee - foot.knee).clamp(-most, most);
                distance = posed.distance((animated + knee).clamp(0.0, PI));
            }
            foot.knee = knee;
            if distance != wanted {
                shown = hip + way * (distance / wanted.max(f32::MIN_POSITIVE)) - posed.ankle;
            }
            foot.shown = shown;
            *target = posed.ankle + shown;
        }
        targets
    }

    /// Poses the pelvis and the legs.
    fn pose(
        &self,
        parents: &[i32],
        local: &mut [Mat3x4],
        into_model: &IntoBone,
        pelvis_offset: f32,
        now: &[FootState],
        targets: &[Vec3],
    ) -> Result<(), PosingError> {
        let rests = |foot: &FootState| foot.shown == Vec3::ZERO && foot.normal == Vec3::Z;
        if pelvis_offset == 0.0 && now.iter().all(rests) {
            return Ok(());
        }
        let pelvis = self.feet.pelvis;
        let mut moved = self.up * pelvis_offset;
        if let Ok(parent) = usize::try_from(parents[pelvis]) {
            let into_parent = bone_in_model_space(parents, local, parent).inverse();
            moved = into_parent.ok_or(PosingError::Singular { bone: parent })?.transform_vector(moved);
        }
        let before = local[pelvis];
        let mut legs_before = [[Mat3x4::ZERO; 3]; MOST];
        local[pelvis] = before.with_origin(before.origin() + moved);
        let upright = self.up.normalize();
        for (at, (((leg, foot), target), posed)) in self.feet.legs().zip(now).zip(targets).zip(self.posed).enumerate() {
            legs_before[at] = leg.reach.bones().map(|bone| local[bone]);
            let rotation = if foot.normal == Vec3::Z {
                EndRotation::Kept
            } else {
                let normal = into_model.vector(foot.normal.into()).normalize_or(upright.into());
                EndRotation::KeptThen(arc(upright.into(), normal, || upright.any_orthonormal_vector().into()))
            };
            let [thigh, to_shin, shin, to_foot] = &posed.bones;
            let sunk = self.up * pelvis_offset;
            let [thigh, shin] = [thigh, shin].map(|bone| bone.with_origin(bone.origin() + sunk));
            let bones = [&thigh, to_shin, &shin, to_foot];
            if let Err(error) = leg.reach.apply(parents, local, bones, *target, rotation) {
                local[pelvis] = before;
                for (leg, before) in self.feet.legs().zip(&legs_before[..at]) {
                    leg.reach.bones().into_iter().zip(before).for_each(|(bone, before)| local[bone] = *before);
                }
                return Err(error);
            }
        }
        Ok(())
    }
}

/// Returns the part that is left after some time constants: the exponential function of minus their number.
fn decay(constants: f32) -> f32 {
    let (mut x, mut doublings) = (constants, 0);
    while x > 0.25 {
        (x, doublings) = (0.5 * x, doublings + 1);
    }
    let series = 1.0 - x * (1.0 - x / 2.0 * (1.0 - x / 3.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0))));
    (0..doublings).fold(series, |left, _| left * left)
}

/// Returns a unit normal that is tilted by at most `slope`, and a part of that.
fn tilted(mut normal: Vec3, slope: f32, part: f32) -> Vec3 {
    if normal == Vec3::Z {
        return normal;
    }
    let least = trig::cosf(slope);
    if normal.z < least {
        let aside = normal.with_z(0.0).normalize_or_zero();
        normal = (aside * (1.0 - least * least).max(0.0).sqrt()).with_z(least);
    }
    if part < 1.0 { Vec3::Z.lerp(normal, part).normalize_or(Vec3::Z) } else { normal }
}

/// Returns `false` for numbers that are too large, and for those of a snapshot that was tampered with.
#[inline(always)]
fn is_finite(body: &BodyState, feet: &[FootState]) -> bool {
    // Zero times a finite number is zero.
    let of_track = |track: &Track| (track.offset + track.velocity + track.target) * 0.0;
    let mut sum = (body.floor + body.speed) * 0.0;
    sum.x += of_track(&body.pelvis) + of_track(&body.climb) + (body.carried + body.pelvis_shown) * 0.0;
    for foot in feet {
        sum += (foot.normal + foot.shown + foot.ankle) * 0.0;
        sum.x += of_track(&foot.lift) + (foot.knee + foot.under.unwrap_or(0.0)) * 0.0;
    }
    sum == Vec3::ZERO
}
