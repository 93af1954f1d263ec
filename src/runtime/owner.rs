//! Owners of bodies and colliders in the physics world.

use super::{ObjectId, Runtime};
use crate::physics::rapier3d::prelude::{ColliderHandle, RigidBodyHandle};
use crate::physics::{LevelBodyId, UserData};

/// Owner of a body or collider in the physics world.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::ragdoll::Command;
/// use skelobj::runtime::BodyOwner;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
/// let owners = runtime.physics().world().bodies.iter().filter_map(|(body, _)| runtime.body_owner(body));
/// let heads = owners.filter(|owner| matches!(owner, BodyOwner::Ragdoll { bone: 12, .. }));
/// assert_eq!(heads.count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BodyOwner {
    /// Body of the ragdoll of a skeletal object.
    Ragdoll {
        /// Id of the skeletal object.
        object: ObjectId,
        /// Index into [`Doll::bodies`](crate::Doll::bodies) of the ragdoll's doll.
        body: usize,
        /// Bone that the body stands for, 0-based.
        bone: usize,
    },
    /// Piece of the level, or box of an entity.
    Level(LevelBodyId),
}

impl Runtime {
    /// Returns the owner of a body in the physics world, for contacts and events that rapier reports.
    ///
    /// `None` for the host's own bodies and for owners that no longer exist.
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

    /// Returns the owner of a collider in the physics world, for contacts and events that rapier reports.
    ///
    /// `None` for the host's own colliders and for owners that no longer exist.
    ///
    /// ```
    /// use skelobj::runtime::BodyOwner;
    /// let mut runtime = skelobj::Runtime::default();
    /// let floor = runtime.physics_mut().add_floor(0.0)?;
    /// let (collider, _) = runtime.physics().world().colliders.iter().next().expect("the floor's");
    /// assert_eq!(runtime.collider_owner(collider), Some(BodyOwner::Level(floor)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn collider_owner(&self, collider: ColliderHandle) -> Option<BodyOwner> {
        self.owner_of(self.physics.world().colliders.get(collider)?.user_data)
    }

    /// Returns the owner that user data of rapier names.
    pub(super) fn owner_of(&self, user_data: u128) -> Option<BodyOwner> {
        match UserData::from_bits(user_data)? {
            UserData::Ragdoll { owner, body } => {
                let object = ObjectId::new(u32::try_from(owner).ok()?)?;
                let body = body as usize;
                let bone = self.ragdoll(object)?.body_bone(body)?;
                Some(BodyOwner::Ragdoll { object, body, bone })
            }
            UserData::Level { body, .. } => self.physics.rigid_body(body).map(|_| BodyOwner::Level(body)),
        }
    }
}
