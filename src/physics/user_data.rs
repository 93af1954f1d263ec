//! User data of this crate's bodies and colliders in rapier's world.

use crate::id::LevelBodyId;

/// Owner of a body or collider of the [`world`](super::Physics::world), as its `user_data` stores it.
///
/// The upper 31 bits of this crate's user data are [`TAG`](Self::TAG). A host's own bodies and colliders may have any
/// other value there, such as 0. [`Runtime::body_owner`](crate::Runtime::body_owner) goes one step further and finds
/// the skeletal object and the bone of a ragdoll's body.
///
/// ```
/// use skelobj::physics::UserData;
///
/// let mut physics = skelobj::Physics::default();
/// let floor = physics.add_floor(0.0)?;
/// let (_, collider) = physics.world().colliders.iter().next().expect("the floor");
/// assert_eq!(UserData::from_bits(collider.user_data), Some(UserData::Level { body: floor, shape: 0 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UserData {
    /// Level body, or one of its colliders.
    Level {
        /// Id of the level body.
        body: LevelBodyId,
        /// Index of the body's shape, in the order in which the shapes were given; 0 for the body itself.
        shape: u32,
    },
    /// Body of a ragdoll, or its collider.
    Ragdoll {
        /// [`ObjectId`](crate::runtime::ObjectId) of the skeletal object.
        owner: u64,
        /// Index into [`Doll::bodies`](crate::Doll::bodies); `u32::MAX` for the fixed body that joints to the world are
        /// attached to.
        body: u32,
    },
}

impl UserData {
    /// Upper 31 of the 128 bits of user data.
    pub const TAG: u32 = 0x534b_454c >> 1;

    /// Decodes user data; `None` for data that is not of this crate.
    ///
    /// ```
    /// use skelobj::physics::UserData;
    ///
    /// assert_eq!(UserData::from_bits(0), None); // a body of the host
    /// let limb = UserData::Ragdoll { owner: 7, body: 3 };
    /// assert_eq!(UserData::from_bits(limb.to_bits()), Some(limb));
    /// ```
    #[must_use]
    pub fn from_bits(bits: u128) -> Option<Self> {
        if (bits >> 97) as u32 != Self::TAG {
            return None;
        }
        let (low, middle) = (bits as u32, (bits >> 32) as u64);
        match (bits >> 96) & 1 {
            0 => Some(Self::Level { body: LevelBodyId::new(u32::try_from(middle).ok()?)?, shape: low }),
            _ => Some(Self::Ragdoll { owner: middle, body: low }),
        }
    }

    /// Returns the level body that user data names, of the body or of one of its colliders.
    pub(super) fn level_body(bits: u128) -> Option<LevelBodyId> {
        match Self::from_bits(bits)? {
            Self::Level { body, .. } => Some(body),
            Self::Ragdoll { .. } => None,
        }
    }

    /// Encodes the owner as user data.
    ///
    /// ```
    /// use skelobj::physics::UserData;
    ///
    /// let bits = UserData::Ragdoll { owner: 7, body: 3 }.to_bits();
    /// assert_eq!((bits >> 97) as u32, UserData::TAG);
    /// ```
    #[must_use]
    pub fn to_bits(self) -> u128 {
        let tag = u128::from(Self::TAG) << 97;
        match self {
            Self::Level { body, shape } => tag | u128::from(body.get()) << 32 | u128::from(shape),
            Self::Ragdoll { owner, body } => tag | 1 << 96 | u128::from(owner) << 32 | u128::from(body),
        }
    }
}
