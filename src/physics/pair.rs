//! Pairs of colliders that touch, and the owners of their bodies.

use rapier3d::prelude::{ColliderHandle, ContactManifold, ContactPair, RigidBody};

use super::UserData;

/// Returns the collider that a pair has beside `collider`.
pub(super) fn other_of(contacts: &ContactPair, collider: ColliderHandle) -> ColliderHandle {
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
