//! Whose a body or a collider is, as its user data tells.

/// What of this crate's a collider or body of the [`world`](super::Physics::world) is.
///
/// It stands in rapier's `user_data`, whose upper 31 bits are then [`TAG`](Self::TAG). A host's own bodies and colliders
/// may hold anything else there, such as 0.
///
/// ```
/// use skelobj::physics::Owner;
/// let body = Owner::Doll { owner: 7, body: 3 };
/// assert_eq!(Owner::of(body.user_data()), Some(body));
/// assert_eq!(Owner::of(12345), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// A collider of a piece of the level or of an entity's box.
    Level {
        /// Which of its shapes, in the order they were given.
        shape: u32,
    },
    /// A body of a ragdoll and its collider.
    Doll {
        /// What [`Ragdoll::set_owner`](crate::Ragdoll::set_owner) was told; of a runtime's it stands for the skeletal object.
        owner: u64,
        /// Which of the doll's bodies.
        body: u32,
    },
}

impl Owner {
    /// What the upper 31 of the 128 bits of user data are.
    pub const TAG: u32 = 0x534b_454c >> 1;

    /// Reads user data.
    pub fn of(user_data: u128) -> Option<Self> {
        if (user_data >> 97) as u32 != Self::TAG {
            return None;
        }
        let low = user_data as u32;
        match (user_data >> 96) & 1 {
            0 => Some(Self::Level { shape: low }),
            _ => Some(Self::Doll { owner: (user_data >> 32) as u64, body: low }),
        }
    }

    /// The user data that says so.
    pub fn user_data(self) -> u128 {
        let tag = u128::from(Self::TAG) << 97;
        match self {
            Self::Level { shape } => tag | u128::from(shape),
            Self::Doll { owner, body } => tag | 1 << 96 | u128::from(owner) << 32 | u128::from(body),
        }
    }
}
