//! The owners of bodies and colliders in the physics world.

use super::{Runtime, SkelId};
use crate::physics::rapier3d::prelude::{ColliderHandle, RigidBodyHandle};
use crate::physics::{LevelBodyId, UserData};

/// The owner of a body or collider in the physics world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BodyOwner {
    /// A body of the ragdoll of a skeletal object.
    Ragdoll {
        /// Id of the skeletal object.
        skel: SkelId,
        /// Index into [`Doll::bodies`](crate::Doll::bodies) of the ragdoll's doll.
        body: usize,
        /// Bone that the body stands for, 0-based.
        bone: usize,
    },
    /// A piece of the level, or the box of an entity.
    Level(LevelBodyId),
}

impl Runtime {
    /// Returns the owner of a body in the physics world, for contacts and events that rapier reports; `None` for the host's
    /// own bodies and for owners that no longer exist.
    ///
    /// ```
    /// use skelobj::runtime::BodyOwner;
    /// let mut runtime = skelobj::Runtime::default();
    /// let floor = runtime.physics_mut().add_floor(0.0)?;
    /// let (body, _) = runtime.physics().world().bodies.iter().next().expect("the floor's");
    /// assert_eq!(runtime.body_owner(body), Some(BodyOwner::Level(floor)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn body_owner(&self, body: RigidBodyHandle) -> Option<BodyOwner> {
        self.owner_of(self.physics.world().bodies.get(body)?.user_data)
    }

    /// Returns the owner of a collider in the physics world; `None` for the host's own colliders and for owners that no
    /// longer exist.
    #[must_use]
    pub fn collider_owner(&self, collider: ColliderHandle) -> Option<BodyOwner> {
        self.owner_of(self.physics.world().colliders.get(collider)?.user_data)
    }

    pub(super) fn owner_of(&self, user_data: u128) -> Option<BodyOwner> {
        match UserData::from_bits(user_data)? {
            UserData::Ragdoll { owner, body } => {
                let skel = SkelId::new(u32::try_from(owner).ok()?)?;
                let body = body as usize;
                let bone = self.ragdoll(skel)?.body_bone(body)?;
                Some(BodyOwner::Ragdoll { skel, body, bone })
            }
            UserData::Level { body, .. } => self.physics.rigid_body(body).map(|_| BodyOwner::Level(body)),
        }
    }
}
