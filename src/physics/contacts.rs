//! Contacts: pairs of colliders that touch, the bodies that touch a level body, and the owners of bodies.

use glam::Vec3;
use rapier3d::prelude::{ColliderHandle, ContactManifold, ContactPair, RigidBody, RigidBodyHandle};

use super::{Physics, UserData};
use crate::id::LevelBodyId;

/// A body that touches a level body, as [`Physics::contacts`] reports it.
///
/// ```
/// use skelobj::math::{Quat, Vec3};
/// use skelobj::physics::{Physics, rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder}};
///
/// let mut physics = Physics::default();
/// let floor = physics.add_box(Vec3::ZERO, Vec3::new(256.0, 256.0, 16.0), Quat::IDENTITY)?;
/// let ball = RigidBodyBuilder::dynamic().translation(Vec3::Z * 16.0);
/// let (ball, _) = physics.world_mut().insert(ball, ColliderBuilder::ball(8.1));
/// physics.advance(1.0 / 60.0, |_, _| {})?;
/// let contacts = physics.contacts(floor);
/// assert_eq!(contacts[0].body, ball);
/// assert!(contacts[0].depth < 1.0); // the ball lies on the floor, nothing crushes it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct LevelContact {
    /// Handle of the body in the [`Physics::world`]; [`Runtime::body_owner`](crate::Runtime::body_owner) returns the
    /// owner.
    pub body: RigidBodyHandle,
    /// Penetration depth, Quake units: about 0 for a body that is carried or pushed along, several units for a body
    /// that is crushed between a door and a wall or that is inside an entity box.
    ///
    /// Measured with the mannequin as a corpse: 0.3 units while a door pushes it along; between a door and a wall 1
    /// unit and more for the limbs that the door squeezes and passes through, and over 5 where it has closed. A
    /// threshold of 1 finds what is caught, 3 what is crushed.
    pub depth: f32,
}

impl Physics {
    /// Returns the bodies that touched a level body in the last step, each once.
    ///
    /// Games use it to reverse a door or to hurt entities in its way. The result is empty if no level body has this id.
    ///
    /// ```
    /// use skelobj::math::{Quat, Vec3};
    /// use skelobj::physics::{LevelShape, Physics, rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder}};
    ///
    /// let mut physics = Physics::default();
    /// let lift = [LevelShape::Box(Vec3::new(64.0, 64.0, 16.0))];
    /// let lift = physics.add_kinematic_body(&lift, Vec3::ZERO, Quat::IDENTITY)?;
    /// let crate_body = RigidBodyBuilder::dynamic().translation(Vec3::Z * 15.9);
    /// physics.world_mut().insert(crate_body, ColliderBuilder::cuboid(8.0, 8.0, 8.0));
    /// physics.advance(1.0 / 60.0, |_, _| {})?;
    /// assert_eq!(physics.contacts(lift).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contacts(&self, id: LevelBodyId) -> Vec<LevelContact> {
        let mut contacts: Vec<LevelContact> = Vec::new();
        self.for_contacts(id, |body, depth| match contacts.iter_mut().find(|other| other.body == body) {
            Some(other) => other.depth = other.depth.max(depth),
            None => contacts.push(LevelContact { body, depth }),
        });
        contacts.retain(|contact| contact.depth >= 0.0);
        contacts
    }

    /// Returns the bodies in contact with a level body, in the order of its colliders.
    pub(super) fn touching(&self, id: LevelBodyId) -> Vec<RigidBodyHandle> {
        let mut bodies = Vec::new();
        self.for_contacts(id, |body, _| bodies.push(body));
        bodies
    }

    fn for_contacts(&self, id: LevelBodyId, mut see: impl FnMut(RigidBodyHandle, f32)) {
        let Some(body) = self.rigid_body(id).and_then(|handle| self.world.bodies.get(handle)) else { return };
        for &collider in body.colliders() {
            for pair in self.world.contact_pairs_with(collider) {
                let Some(other) = self.world.colliders.get(other_of(pair, collider)).and_then(|other| other.parent())
                else {
                    continue;
                };
                let deepest = deepest(pair);
                if deepest > f32::NEG_INFINITY {
                    // rapier does not measure the distance of bodies that hardly move again.
                    let bears = pair.total_impulse() != Vec3::ZERO;
                    see(other, if bears { deepest.max(0.0) } else { deepest });
                }
            }
        }
    }
}

/// Returns the collider that a pair has beside `collider`.
pub(crate) fn other_of(contacts: &ContactPair, collider: ColliderHandle) -> ColliderHandle {
    if contacts.collider1 == collider { contacts.collider2 } else { contacts.collider1 }
}

/// Returns the depth of the deepest contact, units; negative for colliders that are apart.
pub(super) fn deepest(contacts: &ContactPair) -> f32 {
    contacts.manifolds().iter().map(deepest_of).fold(f32::NEG_INFINITY, f32::max)
}

/// Returns the depth of the deepest contact of a manifold, units; negative for colliders that are apart.
pub(super) fn deepest_of(manifold: &ContactManifold) -> f32 {
    manifold.points.iter().map(|point| -point.dist).fold(f32::NEG_INFINITY, f32::max)
}

/// Returns the owner of the ragdoll that a body belongs to.
pub(super) fn ragdoll_of(body: &RigidBody) -> Option<u64> {
    match UserData::from_bits(body.user_data) {
        Some(UserData::Ragdoll { owner, .. }) => Some(owner),
        _ => None,
    }
}
