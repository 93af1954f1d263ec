//! Sleep of ragdolls that only tremble.
//!
//! rapier lets bodies sleep when they are slow. Limbs that are stuck between each other may tremble faster than that
//! forever while the ragdoll hardly moves; so slow, stuck ragdolls are calmed: damped, and allowed to sleep at any
//! speed. (Putting bodies to sleep directly does not work: rapier keeps moving them, without contacts, for as long as
//! any body that they touch is awake.)

use glam::Vec3;
use rapier3d::prelude::{Pose, RigidBody, RigidBodyVelocity};

use super::Ragdoll;
use super::stability::{Attachment, RestMode, Stillness};
use super::tuning::{
    CALM_DAMPING, CALM_SAMPLES, CALM_SLEEP_SPEED, CALM_SPIN, FLICKER_SAMPLES, SAMPLE_TIME, SETTLE_DAMPING,
    STILL_DISTANCE, STILL_ROTATION, TIGHT_GAP,
};
use crate::physics::Physics;

/// Samples of a ragdoll's bodies, and the mode that follows from them.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct SleepDetector {
    mode: RestMode,
    /// Mode whose damping the bodies have; never [`RestMode::Asleep`], which keeps the damping of the mode before.
    damped: RestMode,
    /// Seconds until the next sample.
    until_sample: f32,
    stillness: Stillness,
    /// Number of samples in a row that found the ragdoll still.
    calm_samples: u32,
    /// Poses of the bodies at the last sample.
    seen: Vec<Pose>,
}

impl Default for SleepDetector {
    fn default() -> Self {
        Self {
            mode: RestMode::Moving,
            damped: RestMode::Moving,
            // A ragdoll that begins to fall is slow.
            until_sample: SAMPLE_TIME,
            stillness: Stillness::default(),
            calm_samples: 0,
            seen: Vec::new(),
        }
    }
}

impl SleepDetector {
    /// Returns `true` if the ragdoll slept when the last step began.
    pub(super) fn was_asleep(&self) -> bool {
        self.mode == RestMode::Asleep
    }

    /// Returns `true` if a snapshot's numbers are possible ones.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        self.until_sample <= SAMPLE_TIME && self.damped != RestMode::Asleep
    }
}

impl Ragdoll {
    /// Returns the mode of the ragdoll as a whole as the last step began.
    #[must_use]
    pub fn rest_mode(&self) -> RestMode {
        self.state.sleep.mode
    }

    /// Watches for rest. Call it before every step. Returns `true` if the ragdoll is asleep.
    pub(super) fn detect_sleep(&mut self, physics: &mut Physics) -> bool {
        let before = self.state.sleep.mode;
        self.state.sleep.mode = before.before_step(self.is_asleep(physics), || self.fastest(physics));
        match (before, self.state.sleep.mode) {
            (_, RestMode::Asleep) => return true,
            (RestMode::Asleep | RestMode::Calmed, RestMode::Moving) => self.reset_sleep_detector(physics),
            (RestMode::Calmed, _) if self.state.sleep.calm_samples >= CALM_SAMPLES || self.is_tight(physics) => {
                self.limit_spin(physics);
                if self.state.sleep.calm_samples >= FLICKER_SAMPLES {
                    self.overlook_flicker(physics);
                }
            }
            _ => {}
        }
        self.state.sleep.until_sample -= physics.step_time();
        if self.state.sleep.until_sample <= 0.0 {
            self.state.sleep.until_sample = SAMPLE_TIME;
            self.sample_stillness(physics);
            self.sample_level_exit(physics);
            self.find_bodies_in_walls(physics);
        }
        false
    }

    /// Begins to watch a ragdoll that was woken or released anew.
    pub(super) fn reset_sleep_detector(&mut self, physics: &mut Physics) {
        self.damp(RestMode::Moving, physics);
        self.state.sleep.seen.clear();
        let SleepDetector { damped, seen, .. } = std::mem::take(&mut self.state.sleep);
        self.state.sleep = SleepDetector { damped, seen, ..SleepDetector::default() };
    }

    /// Wakes the bodies, or calms them so that they sleep at the end of the next step.
    pub(crate) fn set_awake(&mut self, awake: bool, physics: &mut Physics) {
        if !awake && self.is_asleep(physics) {
            return;
        }
        self.reset_sleep_detector(physics);
        if !awake {
            self.state.sleep.mode = RestMode::Calmed;
            self.damp(RestMode::Calmed, physics);
            self.overlook_flicker(physics);
        }
        for body in &self.state.bodies {
            if awake {
                physics.world_mut().wake_up(body.handle, true);
            } else if let Some(built) = physics.world_mut().bodies.get_mut(body.handle) {
                built.set_vels(RigidBodyVelocity::zero(), false);
            }
        }
    }

    fn sample_stillness(&mut self, physics: &mut Physics) {
        // A doll that a joint pulls together gently, that drifts in water, comes out of a wall, or still stands on
        // muscles that slacken, is not yet at rest.
        let slackens = self.is_slackening();
        if slackens {
            self.put_off_sleep(physics);
        }
        let pulled = self.state.drifting
            || slackens
            || self.state.wall_recovery.is_under_way()
            || self
                .state
                .joints
                .iter()
                .any(|joint| joint.attachment == Attachment::Catching || joint.easing_left > 0.0);
        let in_place = self.is_in_place(physics);
        let fastest = self.fastest(physics);
        if pulled {
            self.state.sleep.stillness = Stillness::default();
        }
        let still = !pulled && self.state.sleep.stillness.sample(in_place, fastest);
        self.state.sleep.calm_samples = if still { self.state.sleep.calm_samples.saturating_add(1) } else { 0 };
        // A world whose bodies must not sleep keeps its damping.
        if physics.normalized_sleep_speed() > 0.0 {
            self.state.sleep.mode = self.state.sleep.mode.after_sample(still, fastest);
            self.damp(self.state.sleep.mode, physics);
        }
    }

    /// Lets bodies count their time to sleep anew.
    fn put_off_sleep(&self, physics: &mut Physics) {
        for body in &self.state.bodies {
            let counts = |built: &RigidBody| built.activation().time_since_can_sleep > 0.0;
            if physics.world().bodies.get(body.handle).is_some_and(counts)
                && let Some(built) = physics.world_mut().bodies.get_mut(body.handle)
            {
                built.activation_mut().time_since_can_sleep = 0.0;
            }
        }
    }

    /// Returns `true` if the joints hold together as they should at rest.
    fn is_tight(&self, physics: &Physics) -> bool {
        let mut holding =
            (0..self.state.joints.len()).filter(|joint| self.state.joints[*joint].attachment.is_enabled());
        holding.all(|joint| self.gap(joint, physics) < TIGHT_GAP * self.state.size)
    }

    /// Lets bodies sleep although contacts that come and go wake them: rapier begins to count anew with each of them.
    fn overlook_flicker(&self, physics: &mut Physics) {
        for body in &self.state.bodies {
            if let Some(built) = physics.world_mut().bodies.get_mut(body.handle) {
                let activation = built.activation_mut();
                activation.time_since_can_sleep = activation.time_until_sleep;
            }
        }
    }

    fn limit_spin(&self, physics: &mut Physics) {
        for body in &self.state.bodies {
            let spin = physics.world().bodies.get(body.handle).map_or(Vec3::ZERO, |built| built.angvel());
            if spin.length_squared() > CALM_SPIN * CALM_SPIN
                && let Some(built) = physics.world_mut().bodies.get_mut(body.handle)
            {
                built.set_angvel(spin.clamp_length_max(CALM_SPIN), false);
            }
        }
    }

    /// Returns the speed of the fastest body, units/s, of a ragdoll of the mannequin's size.
    fn fastest(&self, physics: &Physics) -> f32 {
        let bodies = self.state.bodies.iter().filter_map(|body| physics.world().bodies.get(body.handle));
        bodies.map(|body| body.linvel().length_squared()).fold(0.0, f32::max).sqrt() / self.speed_scale(physics)
    }

    /// Returns `true` if every body is where the last sample found it, and takes the next sample.
    fn is_in_place(&mut self, physics: &Physics) -> bool {
        let tolerance = STILL_DISTANCE * self.state.size;
        let sleep = &mut self.state.sleep;
        let mut in_place = sleep.seen.len() == self.state.bodies.len();
        sleep.seen.resize(self.state.bodies.len(), Pose::IDENTITY);
        for (body, seen) in self.state.bodies.iter().zip(&mut sleep.seen) {
            let Some(built) = physics.world().bodies.get(body.handle) else { continue };
            let now = built.position();
            in_place &= now.translation.distance_squared(seen.translation) <= tolerance * tolerance
                && now.rotation.dot(seen.rotation).abs() >= STILL_ROTATION;
            *seen = *now;
        }
        in_place
    }

    /// Gives the bodies the damping of a mode.
    fn damp(&mut self, mode: RestMode, physics: &mut Physics) {
        debug_assert_ne!(mode, RestMode::Asleep, "a sleeping ragdoll keeps its damping");
        debug_assert_ne!(self.state.sleep.damped, RestMode::Asleep, "a sleeping ragdoll keeps its damping");
        if self.state.sleep.damped == mode {
            return;
        }
        self.state.sleep.damped = mode;
        let settings = *physics.settings();
        let (linear, angular) = (settings.linear_damping, settings.angular_damping);
        let (linear, angular, threshold) = match mode {
            RestMode::Settling => (linear, angular.max(SETTLE_DAMPING), physics.normalized_sleep_speed()),
            RestMode::Calmed => (CALM_DAMPING, CALM_DAMPING, CALM_SLEEP_SPEED),
            RestMode::Moving | RestMode::Asleep => (linear, angular, physics.normalized_sleep_speed()),
        };
        for body in &self.state.bodies {
            if let Some(built) = physics.world_mut().bodies.get_mut(body.handle) {
                built.set_linear_damping(linear);
                built.set_angular_damping(angular);
                built.activation_mut().normalized_linear_threshold = threshold;
            }
        }
    }
}
