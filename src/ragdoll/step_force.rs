//! Forces of joints and of water on bodies, which act for one step.

use glam::Vec3;
use rapier3d::prelude::RigidBody;

use super::Ragdoll;
use crate::physics::Physics;

/// A force and a torque, or an impulse of both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrench {
    pub(super) force: Vec3,
    pub(super) torque: Vec3,
}

impl Wrench {
    pub(super) const ZERO: Self = Self { force: Vec3::ZERO, torque: Vec3::ZERO };
}

/// Force and torque on a body that act from the beginning to the end of a step: the sums of the forces and torques on
/// the body before they were applied, and while they act.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct StepForce {
    body: usize,
    before: [Vec3; 2],
    during: [Vec3; 2],
}

impl StepForce {
    /// Applies a force and a torque to a body, unless they are non-finite.
    pub(super) fn apply(built: &mut RigidBody, body: usize, Wrench { force, torque }: Wrench) -> Option<Self> {
        if !(force.is_finite() && torque.is_finite()) {
            return None;
        }
        let before = forces(built);
        built.add_force(force, false);
        built.add_torque(torque, false);
        Some(Self { body, before, during: forces(built) })
    }

    /// Removes the force and the torque from the body again, exactly unless the host has changed them since.
    fn remove(&self, built: &mut RigidBody) {
        let now = forces(built);
        let [force, torque] = [0, 1].map(|kind| match now[kind] == self.during[kind] {
            true => self.before[kind],
            // Forces that were reset stay so.
            false if now[kind] == Vec3::ZERO => Vec3::ZERO,
            false => now[kind] - (self.during[kind] - self.before[kind]),
        });
        // A body that is no longer dynamic takes no forces and is left without any.
        built.reset_forces(false);
        built.reset_torques(false);
        built.add_force(force, false);
        built.add_torque(torque, false);
    }

    /// Returns `true` if the body exists and all numbers are finite.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self, bodies: usize) -> bool {
        self.body < bodies && self.before.iter().chain(&self.during).all(|force| force.is_finite())
    }

    /// Returns a force on a body that may not exist.
    #[cfg(all(test, feature = "serde"))]
    pub(super) fn on_body(body: usize) -> Self {
        Self { body, before: [Vec3::ZERO; 2], during: [Vec3::ZERO; 2] }
    }
}

fn forces(body: &RigidBody) -> [Vec3; 2] {
    [body.user_force(), body.user_torque()]
}

impl Ragdoll {
    /// Removes all forces of the step from the bodies again, the last one first; forces of the host stay.
    pub(super) fn remove_step_forces(&mut self, physics: &mut Physics) {
        for step_force in self.state.step_forces.drain(..).rev() {
            if let Some(built) = physics.world_mut().bodies.get_mut(self.state.bodies[step_force.body].handle) {
                step_force.remove(built);
            }
        }
    }
}
