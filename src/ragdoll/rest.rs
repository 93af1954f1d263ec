//! Bringing to rest what only trembles.
//!
//! rapier lets bodies sleep when they are slow. Limbs that are stuck between each other may tremble faster than that
//! for ever while the doll hardly creeps; so a doll that gets nowhere for a while is calmed: damped, and allowed to
//! sleep at any speed. (Putting bodies to sleep by hand is no way: rapier goes on moving them, without contacts, for as
//! long as anything they touch is awake.)

use glam::Vec3;
use rapier3d::prelude::Pose;

use super::Ragdoll;
use crate::physics::Physics;

/// Seconds between two looks at where the bodies are.
const LOOK: f32 = 0.25;
/// How many looks in a row must find every body where it was.
const QUIET_LOOKS: u32 = 2;
/// What counts as where it was at the look before: Quake units, and the cosine of half the angle (0.06 radians).
const SAME_PLACE: f32 = 0.5;
const SAME_TURN: f32 = 0.999_55;
/// Limbs may also rock to and fro without getting anywhere: how many looks in a row must find every body near where it
/// was at the first of them, and what counts as near (0.7 radians).
const ROCKING_LOOKS: u32 = 6;
const NEAR_PLACE: f32 = 3.0;
const NEAR_TURN: f32 = 0.94;

/// A sleep threshold that every speed is below, in rapier's normalized units.
const ANY_SPEED: f32 = 1e6;
/// Linear and angular damping of a calmed doll, 1/s.
const CALM: f32 = 30.0;
/// The fastest that a body of a calmed doll turns, radians/s: rapier keeps awake what turns faster than a quarter of a turn
/// a second, and a limb wedged in between others may seem to, about its own axis, without getting anywhere.
const CALM_SPIN: f32 = 1.5;
/// Such a doll may come to rest when its joints are closed, Quake units, or after so many looks.
const TIGHT: f32 = 0.09;
const CALM_LOOKS: u32 = 16;
/// A calmed doll with a body faster than this was pushed, and must not be held: units/s.
const STIRRED: f32 = 40.0;

#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct RestWatch {
    until_look: f32,
    quiet_looks: u32,
    calmed: bool,
    /// How many looks in a row it has been calm.
    calm_looks: u32,
    was_asleep: bool,
    /// Where the bodies were at the last look.
    seen: Vec<Pose>,
    rocking_looks: u32,
    /// Where they were when they were first near where they are.
    near: Vec<Pose>,
}

impl RestWatch {
    /// Whether the doll slept when the last step began.
    pub(super) fn was_asleep(&self) -> bool {
        self.was_asleep
    }
}

impl Ragdoll {
    /// To be called before every step. Returns whether the doll is asleep.
    pub(super) fn watch_rest(&mut self, physics: &mut Physics) -> bool {
        let asleep = self.is_asleep(physics);
        let woken = self.rest.was_asleep && !asleep;
        self.rest.was_asleep = asleep;
        if asleep {
            return true;
        }
        if woken || (self.rest.calmed && self.is_stirred(physics)) {
            self.calm(false, physics);
            self.rest = RestWatch::default();
        }
        if self.rest.calm_looks >= CALM_LOOKS || (self.rest.calmed && self.is_tight(physics)) {
            self.slow_spin(physics);
        }
        self.rest.until_look -= physics.step_time();
        if self.rest.until_look > 0.0 {
            return false;
        }
        self.rest.until_look = LOOK;
        // What a joint pulls together gently is not yet at rest.
        let pulled = self.joints.iter().any(|joint| joint.catching || joint.easing > 0.0);
        let (quiet, near) = self.look(physics);
        self.rest.quiet_looks = if quiet && !pulled { self.rest.quiet_looks + 1 } else { 0 };
        self.rest.rocking_looks = if near && !pulled { self.rest.rocking_looks + 1 } else { 0 };
        if self.rest.rocking_looks == 0 {
            self.rest.near.clone_from(&self.rest.seen);
        }
        let calm = self.rest.quiet_looks >= QUIET_LOOKS || self.rest.rocking_looks >= ROCKING_LOOKS;
        self.rest.calm_looks = if calm { self.rest.calm_looks + 1 } else { 0 };
        self.calm(calm, physics);
        false
    }

    /// Whether its joints hold together as they should at rest.
    fn is_tight(&self, physics: &Physics) -> bool {
        let mut holding = (0..self.joints.len()).filter(|joint| self.joints[*joint].enabled);
        holding.all(|joint| self.gap(joint, physics) < TIGHT)
    }

    fn slow_spin(&self, physics: &mut Physics) {
        for body in &self.bodies {
            let spin = physics.world().bodies.get(body.handle).map_or(Vec3::ZERO, |built| built.angvel());
            if spin.length_squared() > CALM_SPIN * CALM_SPIN
                && let Some(built) = physics.world_mut().bodies.get_mut(body.handle)
            {
                built.set_angvel(spin.clamp_length_max(CALM_SPIN), false);
            }
        }
    }

    fn is_stirred(&self, physics: &Physics) -> bool {
        let mut bodies = self.bodies.iter().filter_map(|body| physics.world().bodies.get(body.handle));
        bodies.any(|body| body.linvel().length_squared() > STIRRED * STIRRED)
    }

    /// Whether every body is where it was at the last look, and whether it is near where it was some looks ago.
    fn look(&mut self, physics: &Physics) -> (bool, bool) {
        let rest = &mut self.rest;
        let known = rest.seen.len() == self.bodies.len();
        let (mut quiet, mut near) = (known, known);
        rest.seen.resize(self.bodies.len(), Pose::IDENTITY);
        rest.near.resize(self.bodies.len(), Pose::IDENTITY);
        for ((body, seen), first) in self.bodies.iter().zip(&mut rest.seen).zip(&rest.near) {
            let Some(built) = physics.world().bodies.get(body.handle) else { continue };
            let now = built.position();
            quiet &= is_within(now, seen, SAME_PLACE, SAME_TURN);
            near &= is_within(now, first, NEAR_PLACE, NEAR_TURN);
            *seen = *now;
        }
        (quiet, near)
    }

    fn calm(&mut self, calm: bool, physics: &mut Physics) {
        if self.rest.calmed == calm || physics.normalized_sleep_speed() <= 0.0 {
            return;
        }
        self.rest.calmed = calm;
        let settings = *physics.settings();
        let (linear, angular, threshold) = match calm {
            true => (CALM, CALM, ANY_SPEED),
            false => (settings.linear_damping, settings.angular_damping, physics.normalized_sleep_speed()),
        };
        for body in &self.bodies {
            if let Some(built) = physics.world_mut().bodies.get_mut(body.handle) {
                built.set_linear_damping(linear);
                built.set_angular_damping(angular);
                built.activation_mut().normalized_linear_threshold = threshold;
            }
        }
    }
}

/// Whether a pose is within a distance and a turn, by the cosine of half its angle, of another.
fn is_within(pose: &Pose, other: &Pose, distance: f32, turn: f32) -> bool {
    pose.translation.distance_squared(other.translation) <= distance * distance
        && pose.rotation.dot(other.rotation).abs() >= turn
}
