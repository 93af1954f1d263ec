//! Ragdolls that fall out of the level forever: the simulation leaves them out.

use rapier3d::prelude::RigidBody;

use super::tuning::{LEVEL_EXIT_SAMPLES, LEVEL_EXIT_SPEED};
use super::{RagBody, Ragdoll};
use crate::physics::Physics;

/// Fall with nothing below.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct LevelExit {
    /// Number of samples in a row that found the ragdoll falling with nothing below.
    samples: u32,
    /// `true` if the ragdoll has left the level.
    has_left: bool,
    /// `true` if the host does not know yet that it has left.
    unreported: bool,
}

impl Ragdoll {
    /// Returns `true` if the ragdoll has left the level through a hole: it fell for three seconds with nothing below.
    ///
    /// Its bodies stay where they are and cost no more time; [`is_asleep`](Self::is_asleep) returns `true`. They move
    /// again when a body is to follow an animation, and when the entity is teleported away from them, which moves them
    /// by the same distance. A world without level bodies has nothing to leave.
    #[must_use]
    pub fn has_left_level(&self) -> bool {
        self.state.level_exit.has_left
    }

    /// Samples the fall, and takes the ragdoll out of the simulation when it has left the level.
    pub(super) fn sample_level_exit(&mut self, physics: &mut Physics) {
        if self.state.bodies.iter().any(RagBody::is_animated) || !self.falls_out(physics) {
            self.state.level_exit.samples = 0;
            return;
        }
        self.state.level_exit.samples += 1;
        if self.state.level_exit.samples >= LEVEL_EXIT_SAMPLES {
            self.state.level_exit = LevelExit { samples: 0, has_left: true, unreported: true };
            self.enable(false, physics);
        }
    }

    /// Brings a ragdoll that had left the level back into the simulation.
    pub(super) fn return_to_level(&mut self, physics: &mut Physics) {
        if std::mem::take(&mut self.state.level_exit.has_left) {
            self.enable(true, physics);
            self.reset_sleep_detector(physics);
        }
    }

    /// Returns `true`, once, if the ragdoll has left the level.
    pub(crate) fn take_left_level(&mut self) -> bool {
        std::mem::take(&mut self.state.level_exit.unreported)
    }

    /// Returns `true` if the ragdoll falls and nothing is below.
    fn falls_out(&self, physics: &Physics) -> bool {
        let down = physics.world().gravity.normalize_or_zero();
        let built = self.state.bodies.first().and_then(|body| physics.world().bodies.get(body.handle));
        built.is_some_and(|built| built.linvel().dot(down) > LEVEL_EXIT_SPEED * self.speed_scale(physics))
            && physics.is_bottomless(self.centre_of_mass(physics), down)
    }

    fn enable(&self, enabled: bool, physics: &mut Physics) {
        let stop = |built: &mut RigidBody| {
            built.set_linvel(Default::default(), false);
            built.set_angvel(Default::default(), false);
            built.set_enabled(enabled);
        };
        for body in &self.state.bodies {
            physics.world_mut().bodies.get_mut(body.handle).into_iter().for_each(stop);
        }
    }
}
