//! Sleep of ragdolls that only tremble.
//!
//! rapier lets bodies sleep when they are slow. Limbs that are stuck between each other may tremble faster than that for
//! ever while the doll hardly moves; so slow, stuck ragdolls are calmed: damped, and allowed to sleep at any speed. (Putting
//! bodies to sleep directly does not work: rapier keeps moving them, without contacts, for as long as any body that they
//! touch is awake.)

use glam::Vec3;
use rapier3d::prelude::Pose;

use super::Ragdoll;
use crate::physics::Physics;

/// Seconds between two looks at the bodies' places.
const LOOK: f32 = 0.25;
/// Number of looks in a row that must find every body in its place.
const QUIET_LOOKS: u32 = 2;
/// Tolerance of a body's place: Quake units, and the cosine of half the angle (0.06 radians).
const SAME_PLACE: f32 = 0.5;
const SAME_TURN: f32 = 0.999_55;
/// Number of looks in a row that must find no body faster than this, units/s: limbs that push each other may also rock, or
/// move slowly, for ever. A falling body is faster after a fortieth of a second.
const CREEPING_LOOKS: u32 = 5;
const CREEPING: f32 = 20.0;

/// Angular damping of a doll of which no body is [`STIRRED`], 1/s: a doll that rocks on an edge stops sooner.
const SETTLING: f32 = 4.0;
/// Sleep threshold above every speed, in rapier's normalized units.
const ANY_SPEED: f32 = 1e6;
/// Linear and angular damping of a calmed doll, 1/s.
const CALM: f32 = 30.0;
/// Maximum spin of a calmed doll's body, radians/s: rapier keeps awake bodies that turn faster than a quarter of a turn a
/// second, and a limb wedged in between others may seem to, about its own axis, without moving.
const CALM_SPIN: f32 = 1.5;
/// Gap of the joints below which a calmed doll may come to rest, Quake units, and the number of looks after which it may.
const TIGHT: f32 = 0.09;
const CALM_LOOKS: u32 = 6;
/// Speed beyond which a body of a calmed doll was pushed, and must not be held, units/s.
const STIRRED: f32 = 40.0;
/// Speed beyond which a body of a settling doll falls or was pushed, units/s.
const FALLING: f32 = 120.0;

/// The damping of a doll's bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Unrest {
    /// The doll falls, or is pushed.
    #[default]
    Moving,
    /// No body is fast any more.
    Settling,
    /// The doll is slow and stuck, and may sleep at any speed.
    Calmed,
}

#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct RestWatch {
    until_look: f32,
    quiet_looks: u32,
    unrest: Unrest,
    /// Number of looks in a row that found the doll calm.
    calm_looks: u32,
    was_asleep: bool,
    /// Places of the bodies at the last look.
    seen: Vec<Pose>,
    creeping_looks: u32,
}

impl RestWatch {
    /// Returns whether the doll slept when the last step began.
    pub(super) fn was_asleep(&self) -> bool {
        self.was_asleep
    }
}

impl Ragdoll {
    /// Watches for rest; call it before every step. Returns whether the doll is asleep.
    pub(super) fn watch_rest(&mut self, physics: &mut Physics) -> bool {
        let asleep = self.is_asleep(physics);
        let woken = self.rest.was_asleep && !asleep;
        self.rest.was_asleep = asleep;
        if asleep {
            return true;
        }
        let calmed = self.rest.unrest == Unrest::Calmed;
        if woken || (calmed && self.fastest_squared(physics) > STIRRED * STIRRED) {
            self.damp(Unrest::Moving, physics);
            self.rest = RestWatch::default();
        } else if calmed && (self.rest.calm_looks >= CALM_LOOKS || self.is_tight(physics)) {
            self.slow_spin(physics);
        }
        self.rest.until_look -= physics.step_time();
        if self.rest.until_look > 0.0 {
            return false;
        }
        self.rest.until_look = LOOK;
        // A doll that a joint pulls together gently is not yet at rest.
        let pulled = self.joints.iter().any(|joint| joint.catching || joint.easing > 0.0);
        let quiet = self.look(physics);
        let fastest = self.fastest_squared(physics);
        let creeping = fastest <= CREEPING * CREEPING;
        self.rest.quiet_looks = if quiet && !pulled { self.rest.quiet_looks + 1 } else { 0 };
        self.rest.creeping_looks = if creeping && !pulled { self.rest.creeping_looks + 1 } else { 0 };
        let calm = self.rest.quiet_looks >= QUIET_LOOKS || self.rest.creeping_looks >= CREEPING_LOOKS;
        self.rest.calm_looks = if calm { self.rest.calm_looks + 1 } else { 0 };
        let unrest = match calm {
            true => Unrest::Calmed,
            false if fastest > FALLING * FALLING => Unrest::Moving,
            false if fastest > STIRRED * STIRRED => self.rest.unrest,
            false => Unrest::Settling,
        };
        self.damp(unrest, physics);
        false
    }

    /// Returns whether the joints hold together as they should at rest.
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

    /// Returns the square of the fastest body's speed.
    fn fastest_squared(&self, physics: &Physics) -> f32 {
        let bodies = self.bodies.iter().filter_map(|body| physics.world().bodies.get(body.handle));
        bodies.map(|body| body.linvel().length_squared()).fold(0.0, f32::max)
    }

    /// Returns whether every body is in its place of the last look.
    fn look(&mut self, physics: &Physics) -> bool {
        let rest = &mut self.rest;
        let mut quiet = rest.seen.len() == self.bodies.len();
        rest.seen.resize(self.bodies.len(), Pose::IDENTITY);
        for (body, seen) in self.bodies.iter().zip(&mut rest.seen) {
            let Some(built) = physics.world().bodies.get(body.handle) else { continue };
            let now = built.position();
            quiet &= now.translation.distance_squared(seen.translation) <= SAME_PLACE * SAME_PLACE
                && now.rotation.dot(seen.rotation).abs() >= SAME_TURN;
            *seen = *now;
        }
        quiet
    }

    fn damp(&mut self, unrest: Unrest, physics: &mut Physics) {
        if self.rest.unrest == unrest || physics.normalized_sleep_speed() <= 0.0 {
            return;
        }
        self.rest.unrest = unrest;
        let settings = *physics.settings();
        let (linear, angular) = (settings.linear_damping, settings.angular_damping);
        let (linear, angular, threshold) = match unrest {
            Unrest::Moving => (linear, angular, physics.normalized_sleep_speed()),
            Unrest::Settling => (linear, angular.max(SETTLING), physics.normalized_sleep_speed()),
            Unrest::Calmed => (CALM, CALM, ANY_SPEED),
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
