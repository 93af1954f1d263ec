//! Kinematic bodies: doors, lifts, trains and the boxes of the engine's entities, which move as the game says and push the
//! bodies that they meet.

use glam::{Quat, Vec3};
use rapier3d::prelude::{Pose, RigidBodyBuilder, RigidBodyHandle};

use super::level_body::LevelBody;
use super::level_shape::{BuiltShape, checked_pose, numbered};
use super::motion::{between, leaps, move_to};
use super::{CollisionGroups, LevelError, LevelShape, Physics};
use crate::id::LevelBodyId;

/// The place of a kinematic body at the host's last frame, and its place now.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Motion {
    from: Pose,
    to: Pose,
}

impl Motion {
    pub(super) fn resting(pose: Pose) -> Self {
        Self { from: pose, to: pose }
    }
}

/// A body that touches a level body.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Contact {
    /// Handle of the body in the [`Physics::world`]; [`Runtime::body_owner`](crate::Runtime::body_owner) returns its owner.
    pub body: RigidBodyHandle,
    /// Penetration depth, Quake units: about 0 for a body that is carried or pushed along, several for one that is crushed
    /// between a door and a wall.
    pub depth: f32,
}

impl Physics {
    /// Adds a door, lift or train: a body that carries and pushes others and is stopped by nothing.
    ///
    /// From the first kinematic body on, ragdolls use continuous collision detection against moving bodies, which costs
    /// nothing at walking pace.
    ///
    /// # Errors
    /// [`LevelError`]; nothing is added then.
    pub fn add_kinematic_body(
        &mut self,
        shapes: &[LevelShape<'_>],
        origin: Vec3,
        rotation: Quat,
    ) -> Result<LevelBodyId, LevelError> {
        self.insert_kinematic_body(numbered(shapes)?, checked_pose(origin, rotation)?, CollisionGroups::LEVEL)
    }

    /// Adds the bounding box of an engine's entity, a kinematic body that ragdolls collide with: corners relative to the
    /// entity's origin, Quake units.
    ///
    /// # Errors
    /// [`LevelError`]; nothing is added then.
    pub fn add_entity_box(&mut self, mins: Vec3, maxs: Vec3, origin: Vec3) -> Result<LevelBodyId, LevelError> {
        if !(mins.is_finite() && maxs.is_finite()) {
            return Err(LevelError::NotFinite);
        }
        let (size, centre) = (maxs - mins, (mins + maxs) * 0.5);
        if size.min_element() <= 0.0 {
            return Err(LevelError::Flat);
        }
        let corners: Vec<Vec3> = (0..8u8)
            .map(|bits| {
                centre + size * 0.5 * Vec3::from_array([1, 2, 4].map(|bit| if bits & bit == 0 { -1.0 } else { 1.0 }))
            })
            .collect();
        let shapes = numbered(&[LevelShape::Hull(&corners)])?;
        self.insert_kinematic_body(shapes, checked_pose(origin, Quat::IDENTITY)?, CollisionGroups::BOXES)
    }

    /// Sets the place of a kinematic body at the end of the frame that is about to be simulated. The body moves straight and
    /// turns evenly to it. Call it once a frame before [`Runtime::step`](crate::Runtime::step) while the body moves.
    ///
    /// # Errors
    /// [`LevelError`]: the place is unusable, or no kinematic body has this id; the target is unchanged then.
    pub fn set_target(&mut self, id: LevelBodyId, origin: Vec3, rotation: Quat) -> Result<(), LevelError> {
        let to = checked_pose(origin, rotation)?;
        self.level_body(id)?;
        let body = self.level_bodies.get_mut(id).ok_or(LevelError::NoSuchBody)?;
        body.motion.as_mut().ok_or(LevelError::NotKinematic)?.to = to;
        Ok(())
    }

    /// Returns the bodies that touch a level body after the last step, each once, for games in which a door reverses or
    /// hurts those in its way.
    #[must_use]
    pub fn contacts(&self, id: LevelBodyId) -> Vec<Contact> {
        let mut contacts: Vec<Contact> = Vec::new();
        self.for_contacts(id, |body, depth| match contacts.iter_mut().find(|other| other.body == body) {
            Some(other) => other.depth = other.depth.max(depth),
            None => contacts.push(Contact { body, depth }),
        });
        contacts.retain(|contact| contact.depth > 0.0);
        contacts
    }

    pub(super) fn insert_kinematic_body(
        &mut self,
        shapes: Vec<BuiltShape>,
        pose: Pose,
        groups: CollisionGroups,
    ) -> Result<LevelBodyId, LevelError> {
        let body = RigidBodyBuilder::kinematic_position_based().pose(pose);
        let id = self.insert_level_body(body, shapes, groups, Some(Motion::resting(pose)))?;
        if self.kinematic_bodies.is_empty() {
            for (_, body) in self.world.bodies.iter_mut() {
                if body.is_dynamic() {
                    body.enable_ccd(true);
                }
            }
        }
        self.kinematic_bodies.push(id);
        Ok(id)
    }

    /// Gives every kinematic body its target for the next step, which ends at `progress` of the host's frame. Returns the
    /// bodies to pass to [`guard`](Self::guard) after the step.
    pub(super) fn move_kinematic_bodies(&mut self, progress: f32) -> Vec<RigidBodyHandle> {
        let mut unguarded = Vec::new();
        let step = self.step_time();
        for number in 0..self.kinematic_bodies.len() {
            let body = self.kinematic_bodies.get(number).and_then(|id| self.level_bodies.get(*id)).copied();
            let Some(LevelBody { handle, motion: Some(motion), .. }) = body else { continue };
            let target = between(&motion.from, &motion.to, progress);
            let Some(body) = self.world.bodies.get_mut(handle) else { continue };
            if target != *body.position() {
                let leaps = leaps(body, &target, step);
                move_to(body, &target, step);
                if !leaps {
                    unguarded.extend(self.sweep(handle, &target));
                }
            }
        }
        unguarded
    }

    /// Returns whether bodies need continuous collision detection.
    pub(crate) fn has_kinematic_bodies(&self) -> bool {
        !self.kinematic_bodies.is_empty()
    }

    /// Ends the host's frame: kinematic bodies are at their targets.
    pub(super) fn rest_kinematic_bodies(&mut self) {
        for id in &self.kinematic_bodies {
            if let Some(motion) = self.level_bodies.get_mut(*id).and_then(|body| body.motion.as_mut()) {
                motion.from = motion.to;
            }
        }
    }

    /// Returns the bodies that a level body touches, in the order of their colliders.
    pub(super) fn touching(&self, id: LevelBodyId) -> Vec<RigidBodyHandle> {
        let mut bodies = Vec::new();
        self.for_contacts(id, |body, _| bodies.push(body));
        bodies
    }

    fn for_contacts(&self, id: LevelBodyId, mut see: impl FnMut(RigidBodyHandle, f32)) {
        let Some(body) = self.rigid_body(id).and_then(|handle| self.world.bodies.get(handle)) else { return };
        for &collider in body.colliders() {
            for pair in self.world.contact_pairs_with(collider) {
                let other = if pair.collider1 == collider { pair.collider2 } else { pair.collider1 };
                let Some(other) = self.world.colliders.get(other).and_then(|other| other.parent()) else { continue };
                let deepest = pair
                    .manifolds()
                    .iter()
                    .flat_map(|manifold| &manifold.points)
                    .map(|point| -point.dist)
                    .fold(f32::NEG_INFINITY, f32::max);
                if deepest > f32::NEG_INFINITY {
                    see(other, deepest);
                }
            }
        }
    }
}
