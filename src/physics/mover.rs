//! Doors, lifts and trains, and the boxes of the engine's entities: what moves as the game says and pushes what it
//! meets.

use glam::{Quat, Vec3};
use rapier3d::prelude::{Pose, RigidBodyBuilder, RigidBodyHandle};

use super::motion::between;
use super::part::{checked_pose, numbered};
use super::{Layers, LevelError, LevelPart, LevelShape, Physics};

/// Where a moving part was at the host's last frame and where it is now.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Mover {
    pub part: LevelPart,
    from: Pose,
    to: Pose,
}

/// A body that a mover presses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pressed {
    /// The body in the [`Physics::world`].
    pub body: RigidBodyHandle,
    /// How deep it is in the mover, Quake units: about 0 for what is carried or pushed along, several for what is crushed
    /// between the mover and a wall.
    pub depth: f32,
}

impl Physics {
    /// A door, lift or train: a part that carries and pushes bodies, and gives way to nothing.
    ///
    /// From the first mover on, bodies are guarded against being passed by fast ones (continuous collision detection
    /// against moving parts), which costs nothing at walking pace.
    ///
    /// # Errors
    /// [`LevelError`]; nothing is added then.
    pub fn add_mover(
        &mut self,
        shapes: &[LevelShape<'_>],
        origin: Vec3,
        rotation: Quat,
    ) -> Result<LevelPart, LevelError> {
        Ok(self.insert_mover(numbered(shapes)?, checked_pose(origin, rotation)?, Layers::LEVEL))
    }

    /// The bounding box of an engine's entity, a mover that dolls bump into: corners relative to the entity's origin.
    ///
    /// # Errors
    /// [`LevelError`]; nothing is added then.
    pub fn add_entity_box(&mut self, mins: Vec3, maxs: Vec3, origin: Vec3) -> Result<LevelPart, LevelError> {
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
        Ok(self.insert_mover(shapes, checked_pose(origin, Quat::IDENTITY)?, Layers::BOXES))
    }

    /// Tells where a mover is at the end of the frame that is about to be simulated: to be called once a frame before
    /// [`advance`](Self::advance), while it moves. On the way it goes straight and turns evenly.
    ///
    /// # Errors
    /// [`LevelError`]: the place is not finite, or this is no mover; it stays where it is then.
    pub fn move_part(&mut self, part: LevelPart, origin: Vec3, rotation: Quat) -> Result<(), LevelError> {
        let to = checked_pose(origin, rotation)?;
        let mover = self.movers.iter_mut().find(|mover| mover.part == part).ok_or(LevelError::NoSuchPart)?;
        mover.to = to;
        Ok(())
    }

    /// The bodies that a part presses, after the last step; a game reverses its door, or hurts who is in the way.
    pub fn pressed_by(&self, part: LevelPart) -> Vec<Pressed> {
        let mut pressed: Vec<Pressed> = Vec::new();
        self.for_contacts(part, |body, depth| match pressed.iter_mut().find(|other| other.body == body) {
            Some(other) => other.depth = other.depth.max(depth),
            None => pressed.push(Pressed { body, depth }),
        });
        pressed.retain(|body| body.depth > 0.0);
        pressed
    }

    pub(super) fn insert_mover(
        &mut self,
        shapes: Vec<(u32, rapier3d::prelude::SharedShape)>,
        pose: Pose,
        layer: Layers,
    ) -> LevelPart {
        let part = self.insert_part(RigidBodyBuilder::kinematic_position_based().pose(pose), shapes, layer);
        if self.movers.is_empty() {
            for (_, body) in self.world.bodies.iter_mut() {
                if body.is_dynamic() {
                    body.enable_ccd(true);
                }
            }
        }
        self.movers.push(Mover { part, from: pose, to: pose });
        part
    }

    /// Gives every mover its target for the next step; `progress` as in [`advance`](Self::advance). Returns the bodies to
    /// [`guard`](Self::guard) again after the step.
    pub(super) fn move_movers(&mut self, progress: f32) -> Vec<RigidBodyHandle> {
        let mut unguarded = Vec::new();
        for number in 0..self.movers.len() {
            let Some(&mover) = self.movers.get(number) else { continue };
            let target = between(&mover.from, &mover.to, progress);
            let Some(body) = self.world.bodies.get_mut(mover.part.0) else { continue };
            if target != *body.position() {
                body.set_next_kinematic_position(target);
                unguarded.extend(self.sweep(mover.part, &target));
            }
        }
        unguarded
    }

    /// The host's frame is over: movers are where they were told to be.
    pub(super) fn rest_movers(&mut self) {
        for mover in &mut self.movers {
            mover.from = mover.to;
        }
    }

    /// A mover that was put somewhere did not move there.
    pub(super) fn forget_motion(&mut self, part: LevelPart, pose: Pose) {
        for mover in self.movers.iter_mut().filter(|mover| mover.part == part) {
            *mover = Mover { part, from: pose, to: pose };
        }
    }

    /// The bodies that a part touches, in the order of their colliders.
    pub(super) fn touching(&self, part: LevelPart) -> Vec<RigidBodyHandle> {
        let mut bodies = Vec::new();
        self.for_contacts(part, |body, _| bodies.push(body));
        bodies
    }

    fn for_contacts(&self, part: LevelPart, mut see: impl FnMut(RigidBodyHandle, f32)) {
        let Some(body) = self.world.bodies.get(part.0) else { return };
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
