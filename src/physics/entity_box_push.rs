//! Entity boxes among ragdolls: a gentle push of limited force instead of contacts.
//!
//! rapier gives kinematic bodies an infinite mass: as contacts, a box that walks at 320 units/s flung limbs at twice
//! its speed and pulled joints apart. Contacts between boxes and ragdolls are therefore found but not solved, and
//! before each step the ragdolls in a box get a push out of it.

use glam::Vec3;
use rapier3d::prelude::{Pose, RigidBody, RigidBodyHandle};

use super::contacts::{deepest, other_of, ragdoll_of};
use super::interpolation::leaps;
use super::tuning::{
    MAX_PUSH_ACCELERATION, MAX_PUSH_SPEED, MIN_PUSH_DEPTH, PUSH_FORCE, PUSH_FORCES, PUSH_RATE, PUSH_WAKE_TIME,
};
use super::{LevelError, Physics};
use crate::id::LevelBodyId;

/// Push of an entity box.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Push {
    force: f32,
    /// Seconds for which the box still wakes ragdolls.
    wakes_for: f32,
}

impl Push {
    /// Returns the push of a new box in a world of this size. Masses grow with the cube of the size, speeds with it.
    pub(super) fn in_world(scale: f32) -> Self {
        Self { force: (PUSH_FORCE * scale.powi(4)).min(*PUSH_FORCES.end()), wakes_for: PUSH_WAKE_TIME }
    }

    /// Returns the push of a box that was put elsewhere.
    pub(super) fn moved_elsewhere(self) -> Self {
        Self { wakes_for: PUSH_WAKE_TIME, ..self }
    }
}

#[cfg(feature = "serde")]
impl Push {
    /// Returns `true` if a snapshot's numbers are those of a box.
    pub(super) fn is_sound(&self) -> bool {
        PUSH_FORCES.contains(&self.force) && (0.0..=PUSH_WAKE_TIME).contains(&self.wakes_for)
    }
}

/// Change of the velocity of one body in a box.
struct PushVelocity {
    body: RigidBodyHandle,
    change: Vec3,
    momentum: f32,
}

impl Physics {
    /// Sets the greatest force with which an entity box pushes ragdolls, mass * units/s^2; 0 lets them lie.
    ///
    /// The force is shared by all bodies in the box. The default is 75,000 times the fourth power of the world's size
    /// (`length_unit` / 40), at most 1e9: one and a half times the weight of a mannequin of that size. A box that walks
    /// shoves a corpse aside or passes over it, and never flings it.
    ///
    /// ```
    /// use skelobj::math::{Quat, Vec3};
    /// use skelobj::physics::{LevelError, Physics};
    ///
    /// let mut physics = Physics::default();
    /// let (mins, maxs) = (Vec3::new(-64.0, -64.0, -24.0), Vec3::new(64.0, 64.0, 150.0));
    /// let shambler = physics.add_entity_box(mins, maxs, Vec3::Z * 24.0)?;
    /// physics.set_level_body_push_force(shambler, 300_000.0)?;
    /// let floor = physics.add_floor(0.0)?;
    /// assert_eq!(physics.set_level_body_push_force(floor, 1.0), Err(LevelError::NotBox));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError::Force`] if the force is negative, above 1e9 or not finite; [`LevelError::NoSuchBody`];
    /// [`LevelError::NotBox`] if the body is not an entity box. On error, the force is unchanged.
    pub fn set_level_body_push_force(&mut self, id: LevelBodyId, force: f32) -> Result<(), LevelError> {
        if !PUSH_FORCES.contains(&force) {
            return Err(LevelError::Force);
        }
        self.level_body(id)?;
        let body = self.state.level_bodies.get_mut(id).ok_or(LevelError::NoSuchBody)?;
        body.push.as_mut().ok_or(LevelError::NotBox)?.force = force;
        Ok(())
    }

    /// Pushes the ragdolls in an entity box, which moves to `target` in the next step. Returns the push that is left.
    pub(super) fn push_out(&mut self, moving: RigidBodyHandle, push: Push, target: &Pose) -> Push {
        let step = self.step_time();
        let Some(built) = self.world.bodies.get(moving) else { return push };
        let way = target.translation - built.position().translation;
        let wakes_for = if way == Vec3::ZERO { (push.wakes_for - step).max(0.0) } else { PUSH_WAKE_TIME };
        let velocity = if leaps(built, target, step, self.scale()) { Vec3::ZERO } else { way / step };
        if push.force <= 0.0 {
            return Push { wakes_for, ..push };
        }
        let pushes = self.pushes(built, velocity, wakes_for > 0.0);
        let total: f32 = pushes.iter().map(|push| push.momentum).sum();
        let share = (push.force * step / total.max(f32::MIN_POSITIVE)).min(1.0);
        for PushVelocity { body, change, .. } in pushes {
            if let Some(built) = self.world.bodies.get_mut(body) {
                let (asleep, velocity) = (built.is_sleeping(), built.linvel() + change * share);
                // A body that stays awake could not fall asleep where it cannot get out.
                built.set_linvel(velocity, asleep);
            }
        }
        Push { wakes_for, ..push }
    }

    /// Returns what each ragdoll body in a box needs to get out of it, at most once for each.
    fn pushes(&self, moving: &RigidBody, velocity: Vec3, wakes: bool) -> Vec<PushVelocity> {
        let step = self.step_time();
        let mut pushes: Vec<PushVelocity> = Vec::new();
        for &collider in moving.colliders() {
            let Some(middle) = self.world.colliders.get(collider).map(|own| own.compute_aabb().center()) else {
                continue;
            };
            for contacts in self.world.contact_pairs_with(collider) {
                let Some(parent) =
                    self.world.colliders.get(other_of(contacts, collider)).and_then(|other| other.parent())
                else {
                    continue;
                };
                let Some(body) = self.world.bodies.get(parent).filter(|body| body.is_dynamic()) else { continue };
                let depth = deepest(contacts);
                let known = pushes.iter().any(|push| push.body == parent);
                let is_shallow = depth < MIN_PUSH_DEPTH * self.scale();
                if ragdoll_of(body).is_none() || known || is_shallow || (body.is_sleeping() && !wakes) {
                    continue;
                }
                // A box stands upright on the floor on which the ragdoll lies: the way out is to the side.
                let aside = (body.center_of_mass() - middle).with_z(0.0);
                let out = aside.try_normalize().or(velocity.with_z(0.0).try_normalize()).unwrap_or(Vec3::X);
                let wanted = out.dot(velocity).max(0.0) + (depth * PUSH_RATE).min(MAX_PUSH_SPEED * self.scale());
                let missing = wanted - out.dot(body.linvel());
                if missing > 0.0 {
                    let change = missing.min(MAX_PUSH_ACCELERATION * self.scale() * step);
                    pushes.push(PushVelocity { body: parent, change: out * change, momentum: change * body.mass() });
                }
            }
        }
        pushes
    }
}
