//! Sleep of ragdolls that only tremble.
//!
//! rapier lets bodies sleep when they are slow. Limbs that are stuck between each other may tremble faster than that
//! forever while the ragdoll hardly moves; so slow, stuck ragdolls are calmed: damped, and allowed to sleep at any
//! speed. (Putting bodies to sleep directly does not work: rapier keeps moving them, without contacts, for as long as
//! any body that they touch is awake.)

use glam::Vec3;
use rapier3d::prelude::Pose;

use super::Ragdoll;
use super::stability::{Hold, RestMode, Stillness};
use super::tuning::{ANY_SPEED, CALM, CALM_SAMPLES, CALM_SPIN, SAME_PLACE, SAME_TURN, SAMPLE, SETTLING, TIGHT};
use crate::physics::Physics;

/// Samples of a ragdoll's bodies, and the mode that follows from them.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct RestWatch {
    mode: RestMode,
    /// Mode of which the bodies have the damping; never [`RestMode::Asleep`], which leaves it as it is.
    damped: RestMode,
    /// Seconds until the next sample.
    until_sample: f32,
    stillness: Stillness,
    /// Number of samples in a row that found the ragdoll still.
    calm_samples: u32,
    /// Poses of the bodies at the last sample.
    seen: Vec<Pose>,
}

impl Default for RestWatch {
    fn default() -> Self {
        Self {
            mode: RestMode::Moving,
            damped: RestMode::Moving,
            // A ragdoll that begins to fall is slow.
            until_sample: SAMPLE,
            stillness: Stillness::default(),
            calm_samples: 0,
            seen: Vec::new(),
        }
    }
}

impl RestWatch {
    /// Returns `true` if the ragdoll slept when the last step began.
    pub(super) fn was_asleep(&self) -> bool {
        self.mode == RestMode::Asleep
    }

    /// Returns `true` if a snapshot's numbers are those of a watch.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        self.until_sample <= SAMPLE && self.damped != RestMode::Asleep
    }
}

impl Ragdoll {
    /// Returns the mode of the ragdoll as a whole as the last step began.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use skelobj::math::Mat3x4;
    /// # use skelobj::object::{SkeletalObject, Space};
    /// # use skelobj::{Doll, Model, Physics, Ragdoll, assets};
    /// # let model = Arc::new(Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?);
    /// # let doll = Arc::new(Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll);
    /// # let mut object = SkeletalObject::new(model.clone(), Space::Local);
    /// # object.set_local_pose(model.skeleton.bind_local())?;
    /// # let (mut physics, entity) = (Physics::default(), Mat3x4::IDENTITY);
    /// # let mut ragdoll = Ragdoll::new(&doll, &object, &entity, &mut physics)?;
    /// use skelobj::ragdoll::stability::RestMode;
    ///
    /// ragdoll.set_drive_strength(0.0, &mut physics);
    /// for _frame in 0..60 {
    ///     physics.advance(1.0 / 60.0, |physics, phase| ragdoll.step(phase, physics));
    ///     ragdoll.end_frame();
    /// }
    /// assert_eq!(ragdoll.rest_mode(), RestMode::Moving); // there is no floor
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rest_mode(&self) -> RestMode {
        self.rest.mode
    }

    /// Watches for rest. Call it before every step. Returns `true` if the ragdoll is asleep.
    pub(super) fn watch_rest(&mut self, physics: &mut Physics) -> bool {
        let before = self.rest.mode;
        self.rest.mode = before.before_step(self.is_asleep(physics), || self.fastest(physics));
        match (before, self.rest.mode) {
            (_, RestMode::Asleep) => return true,
            (RestMode::Asleep | RestMode::Calmed, RestMode::Moving) => self.stir(physics),
            (RestMode::Calmed, _) if self.rest.calm_samples >= CALM_SAMPLES || self.is_tight(physics) => {
                self.slow_spin(physics);
            }
            _ => {}
        }
        self.rest.until_sample -= physics.step_time();
        if self.rest.until_sample <= 0.0 {
            self.rest.until_sample = SAMPLE;
            self.sample_rest(physics);
            self.watch_fall(physics);
            self.look_for_walls(physics);
        }
        false
    }

    /// Begins to watch a ragdoll that was woken or released anew.
    pub(super) fn stir(&mut self, physics: &mut Physics) {
        self.damp(RestMode::Moving, physics);
        self.rest.seen.clear();
        let RestWatch { damped, seen, .. } = std::mem::take(&mut self.rest);
        self.rest = RestWatch { damped, seen, ..RestWatch::default() };
    }

    fn sample_rest(&mut self, physics: &mut Physics) {
        // A doll that a joint pulls together gently, that drifts in water or comes out of a wall, is not yet at rest.
        let pulled = self.drifting
            || self.astray.is_under_way()
            || self.joints.iter().any(|joint| joint.hold == Hold::Catching || joint.easing > 0.0);
        let in_place = self.is_in_place(physics);
        let fastest = self.fastest(physics);
        if pulled {
            self.rest.stillness = Stillness::default();
        }
        let still = !pulled && self.rest.stillness.sample(in_place, fastest);
        self.rest.calm_samples = if still { self.rest.calm_samples.saturating_add(1) } else { 0 };
        // A world whose bodies must not sleep keeps its damping.
        if physics.normalized_sleep_speed() > 0.0 {
            self.rest.mode = self.rest.mode.after_sample(still, fastest);
            self.damp(self.rest.mode, physics);
        }
    }

    /// Returns `true` if the joints hold together as they should at rest.
    fn is_tight(&self, physics: &Physics) -> bool {
        let mut holding = (0..self.joints.len()).filter(|joint| self.joints[*joint].hold.is_enabled());
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

    /// Returns the speed of the fastest body, units/s.
    fn fastest(&self, physics: &Physics) -> f32 {
        let bodies = self.bodies.iter().filter_map(|body| physics.world().bodies.get(body.handle));
        bodies.map(|body| body.linvel().length_squared()).fold(0.0, f32::max).sqrt()
    }

    /// Returns `true` if every body is where the last sample found it, and takes the next sample.
    fn is_in_place(&mut self, physics: &Physics) -> bool {
        let rest = &mut self.rest;
        let mut in_place = rest.seen.len() == self.bodies.len();
        rest.seen.resize(self.bodies.len(), Pose::IDENTITY);
        for (body, seen) in self.bodies.iter().zip(&mut rest.seen) {
            let Some(built) = physics.world().bodies.get(body.handle) else { continue };
            let now = built.position();
            in_place &= now.translation.distance_squared(seen.translation) <= SAME_PLACE * SAME_PLACE
                && now.rotation.dot(seen.rotation).abs() >= SAME_TURN;
            *seen = *now;
        }
        in_place
    }

    /// Gives the bodies the damping of a mode.
    fn damp(&mut self, mode: RestMode, physics: &mut Physics) {
        if self.rest.damped == mode {
            return;
        }
        self.rest.damped = mode;
        let settings = *physics.settings();
        let (linear, angular) = (settings.linear_damping, settings.angular_damping);
        let (linear, angular, threshold) = match mode {
            RestMode::Settling => (linear, angular.max(SETTLING), physics.normalized_sleep_speed()),
            RestMode::Calmed => (CALM, CALM, ANY_SPEED),
            RestMode::Moving | RestMode::Asleep => (linear, angular, physics.normalized_sleep_speed()),
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
