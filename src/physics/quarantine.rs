//! Bodies and colliders that rapier disabled because of non-finite numbers.
//!
//! A non-finite force or contact spreads to everything that touches the body. rapier disables such bodies for good, so
//! this crate enables its own bodies and colliders again. Ragdolls enable their bodies themselves, and put them back in
//! place.

use rapier3d::prelude::RigidBodyHandle;

use super::{Physics, UserData};

impl Physics {
    /// Enables kinematic level bodies, and colliders of this crate, that the last step disabled.
    pub(super) fn readmit_level_bodies(&mut self) {
        if self.world.quarantine().is_empty() {
            return;
        }
        self.readmit(|owner| matches!(owner, UserData::Level { .. }));
        self.readmit_colliders();
    }

    /// Enables all bodies of this crate that a step of length zero disabled. Their contacts were dropped in that step.
    pub(super) fn readmit_all_bodies(&mut self) {
        self.readmit(|_| true);
    }

    fn readmit(&mut self, may: impl Fn(UserData) -> bool) {
        let bodies: Vec<RigidBodyHandle> = self.world.quarantine().bodies().to_vec();
        for body in bodies {
            if self.owner(body).is_some_and(&may)
                && let Some(body) = self.world.bodies.get_mut(body)
            {
                body.set_enabled(true);
            }
        }
    }

    /// Enables the colliders of bodies with non-finite velocity, which rapier mistakes for colliders with a broken
    /// shape.
    fn readmit_colliders(&mut self) {
        let colliders = self.world.quarantine().colliders().to_vec();
        if colliders.is_empty() {
            return;
        }
        // rapier 0.36 loses the record that these have changed, and would keep their contacts with bodies that left
        // its islands.
        let _ = self.world.colliders.iter_mut().count();
        for handle in colliders {
            let body = self.world.colliders.get(handle).and_then(|collider| collider.parent());
            if body.and_then(|body| self.owner(body)).is_some()
                && let Some(collider) = self.world.colliders.get_mut(handle)
            {
                collider.set_enabled(true);
            }
        }
    }

    fn owner(&self, body: RigidBodyHandle) -> Option<UserData> {
        self.world.bodies.get(body).and_then(|body| UserData::from_bits(body.user_data))
    }
}
