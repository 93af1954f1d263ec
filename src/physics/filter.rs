//! What meets what.

use rapier3d::prelude::{Group, InteractionGroups, InteractionTestMode};

/// Kinds of things in a physics world, one bit each: what a collider is, or what a trace may hit.
///
/// The level meets dolls and entity boxes, dolls meet everything, entity boxes leave each other alone. rapier has 32
/// bits, so there is none per doll. These are rapier's groups 1 to 3, for colliders of the host's own.
///
/// ```
/// use skelobj::physics::Layers;
/// let solid = Layers::LEVEL | Layers::BOXES;
/// assert!(solid.contains(Layers::BOXES) && !solid.contains(Layers::DOLLS));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layers(u32);

impl Layers {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// What is built: world, doors, lifts.
    pub const LEVEL: Self = Self(1);
    /// Bodies of ragdolls.
    pub const DOLLS: Self = Self(2);
    /// Bounding boxes of the engine's entities.
    pub const BOXES: Self = Self(4);
    /// All of them.
    pub const ALL: Self = Self(7);

    /// Whether all of `other` is in it.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The groups of a collider of this kind.
    pub fn collider_groups(self) -> InteractionGroups {
        let mut meets = Self::NONE;
        for (kind, others) in [
            (Self::LEVEL, Self::DOLLS | Self::BOXES),
            (Self::DOLLS, Self::ALL),
            (Self::BOXES, Self::LEVEL | Self::DOLLS),
        ] {
            if self.contains(kind) {
                meets = meets | others;
            }
        }
        InteractionGroups::new(self.group(), meets.group(), InteractionTestMode::And)
    }

    /// The groups of a query that finds colliders of these kinds, whatever they meet.
    pub fn query_groups(self) -> InteractionGroups {
        InteractionGroups::new(Group::ALL, self.group(), InteractionTestMode::And)
    }

    fn group(self) -> Group {
        Group::from_bits_truncate(self.0)
    }
}

impl std::ops::BitOr for Layers {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
