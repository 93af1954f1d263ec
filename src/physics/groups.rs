//! Collision groups: which colliders meet each other.

use rapier3d::prelude::{Group, InteractionGroups, InteractionTestMode};

/// A set of collision groups, one bit each: those that a collider is in, or those that a trace can hit.
///
/// The level meets ragdolls and entity boxes, ragdolls meet everything, entity boxes do not meet each other. rapier has 32
/// bits, too few for a group of each ragdoll. These are rapier's groups 1 to 3; the host's own colliders may use them too.
///
/// ```
/// use skelobj::physics::CollisionGroups;
/// let solid = CollisionGroups::LEVEL | CollisionGroups::BOXES;
/// assert!(solid.contains(CollisionGroups::BOXES) && !solid.contains(CollisionGroups::RAGDOLLS));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "u32", into = "u32"))]
pub struct CollisionGroups(u32);

impl From<u32> for CollisionGroups {
    /// Takes the bits of the groups; bits that no group has are dropped.
    fn from(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }
}

impl From<CollisionGroups> for u32 {
    fn from(groups: CollisionGroups) -> Self {
        groups.0
    }
}

impl CollisionGroups {
    /// No group.
    pub const NONE: Self = Self(0);
    /// Level geometry: the world, doors, lifts.
    pub const LEVEL: Self = Self(1);
    /// Bodies of ragdolls.
    pub const RAGDOLLS: Self = Self(2);
    /// Bounding boxes of the engine's entities.
    pub const BOXES: Self = Self(4);
    /// Every group.
    pub const ALL: Self = Self(7);

    /// Returns whether this set contains all of `other`.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns rapier's groups for a collider in these groups.
    #[must_use]
    pub fn for_collider(self) -> InteractionGroups {
        let mut meets = Self::NONE;
        for (group, others) in [
            (Self::LEVEL, Self::RAGDOLLS | Self::BOXES),
            (Self::RAGDOLLS, Self::ALL),
            (Self::BOXES, Self::LEVEL | Self::RAGDOLLS),
        ] {
            if self.contains(group) {
                meets = meets | others;
            }
        }
        InteractionGroups::new(self.bits(), meets.bits(), InteractionTestMode::And)
    }

    /// Returns rapier's groups for a query that finds colliders in any of these groups, whatever their own filters.
    #[must_use]
    pub fn for_query(self) -> InteractionGroups {
        InteractionGroups::new(Group::ALL, self.bits(), InteractionTestMode::And)
    }

    fn bits(self) -> Group {
        Group::from_bits_truncate(self.0)
    }
}

impl std::ops::BitOr for CollisionGroups {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
