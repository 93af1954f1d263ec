//! Forces of joints and of water on bodies, which act for one step.

use glam::Vec3;
use rapier3d::prelude::RigidBody;

use super::Ragdoll;
use super::solver_body::Wrench;
use crate::physics::Physics;

/// Forces and torques on a body before a load was put on it and while the load acts, between the beginning and the end
/// of a step.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Load {
    body: usize,
    before: [Vec3; 2],
    during: [Vec3; 2],
}

impl Load {
    /// Puts a force and a torque on a body, unless they are non-finite.
    pub(super) fn put(built: &mut RigidBody, body: usize, Wrench { force, torque }: Wrench) -> Option<Self> {
        if !(force.is_finite() && torque.is_finite()) {
            return None;
        }
        let before = forces(built);
        built.add_force(force, false);
        built.add_torque(torque, false);
        Some(Self { body, before, during: forces(built) })
    }

    /// Takes the force and the torque off the body again, exactly unless the host has changed them since.
    fn take_off(&self, built: &mut RigidBody) {
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

    /// Returns a load on a body that may not exist.
    #[cfg(all(test, feature = "serde"))]
    pub(super) fn astray(body: usize) -> Self {
        Self { body, before: [Vec3::ZERO; 2], during: [Vec3::ZERO; 2] }
    }
}

fn forces(body: &RigidBody) -> [Vec3; 2] {
    [body.user_force(), body.user_torque()]
}

impl Ragdoll {
    /// Takes all loads off the bodies again, the last one first; forces of the host stay.
    pub(super) fn unload(&mut self, physics: &mut Physics) {
        for load in self.loads.drain(..).rev() {
            if let Some(built) = physics.world_mut().bodies.get_mut(self.bodies[load.body].handle) {
                load.take_off(built);
            }
        }
    }
}
