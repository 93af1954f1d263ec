//! Sleep of ragdolls that only tremble.
//!
//! rapier lets bodies sleep when they are slow. Limbs that are stuck between each other may tremble faster than that
//! forever while the ragdoll hardly moves; so slow, stuck ragdolls are calmed: damped, and allowed to sleep at any
//! speed. (Putting bodies to sleep directly does not work: rapier keeps moving them, without contacts, for as long as
//! any body that they touch is awake.)

use glam::Vec3;
use rapier3d::prelude::Pose;

use super::Ragdoll;
use crate::physics::Physics;

/// Time between two samples of the bodies' poses, seconds.
const LOOK: f32 = 0.25;
/// Number of samples in a row that must find every body in its place.
const QUIET_LOOKS: u32 = 2;
/// Tolerance of a body's position, Quake units.
const SAME_PLACE: f32 = 0.5;
/// Tolerance of a body's rotation, as the cosine of half the angle (0.06 radians).
const SAME_TURN: f32 = 0.999_55;
/// Number of samples in a row that must find no body faster than [`CREEPING`]: limbs that push each other may rock or
/// creep forever.
const CREEPING_LOOKS: u32 = 5;
/// Speed of a creeping body, units/s. A falling body is faster after a fortieth of a second.
const CREEPING: f32 = 20.0;

/// Angular damping of a ragdoll without a [`STIRRED`] body, 1/s: a ragdoll that rocks on an edge stops sooner.
const SETTLING: f32 = 4.0;
/// Sleep threshold above every speed, in rapier's normalized units.
const ANY_SPEED: f32 = 1e6;
/// Linear and angular damping of a calmed ragdoll, 1/s.
const CALM: f32 = 30.0;
/// Maximum angular velocity of a calmed ragdoll's body, radians/s. rapier keeps bodies awake that turn faster than a
/// quarter of a turn per second, and a limb wedged between others may seem to turn about its own axis without moving.
const CALM_SPIN: f32 = 1.5;
/// Gap of the joints below which a calmed ragdoll may come to rest, Quake units.
const TIGHT: f32 = 0.09;
/// Number of samples after which a calmed ragdoll may come to rest regardless of its gaps.
const CALM_LOOKS: u32 = 6;
/// Speed beyond which a body of a calmed ragdoll was pushed, and must not be held, units/s.
const STIRRED: f32 = 40.0;
/// Speed beyond which a body of a settling ragdoll falls or was pushed, units/s.
const FALLING: f32 = 120.0;

/// Damping of a ragdoll's bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Unrest {
    /// Normal damping: the ragdoll falls, or is pushed.
    #[default]
    Moving,
    /// More angular damping: no body is fast any more.
    Settling,
    /// Strong damping and sleep at any speed: the ragdoll is slow and stuck.
    Calmed,
}

#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct RestWatch {
    until_look: f32,
    quiet_looks: u32,
    unrest: Unrest,
    /// Number of samples in a row that found the ragdoll calm.
    calm_looks: u32,
    was_asleep: bool,
    /// Poses of the bodies at the last sample.
    seen: Vec<Pose>,
    creeping_looks: u32,
}

impl RestWatch {
    /// Returns `true` if the ragdoll slept when the last step began.
    pub(super) fn was_asleep(&self) -> bool {
        self.was_asleep
    }
}

impl Ragdoll {
    /// Watches for rest. Call it before every step. Returns `true` if the ragdoll is asleep.
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
            let mut seen = std::mem::take(&mut self.rest.seen);
            seen.clear();
            self.rest = RestWatch { seen, ..RestWatch::default() };
        } else if calmed && (self.rest.calm_looks >= CALM_LOOKS || self.is_tight(physics)) {
            self.slow_spin(physics);
        }
        self.rest.until_look -= physics.step_time();
        if self.rest.until_look > 0.0 {
            return false;
        }
        self.rest.until_look = LOOK;
        // A doll that a joint pulls together gently, or that drifts in water, is not yet at rest.
        let pulled = self.drifting || self.joints.iter().any(|joint| joint.catching || joint.easing > 0.0);
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

    /// Returns `true` if the joints hold together as they should at rest.
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

    /// Returns `true` if every body is where the last sample found it, and takes the next sample.
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
