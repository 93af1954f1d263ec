//! Collision groups: sets of bits that decide which colliders collide.

use rapier3d::prelude::{Group, InteractionGroups, InteractionTestMode};

/// A set of collision groups: the groups that a collider is in, or the groups that a
/// [trace](crate::runtime::Trace::with_groups) can hit.
///
/// The level collides with ragdolls and entity boxes, ragdolls collide with everything, and entity boxes do not collide
/// with each other. Corpses collide with the level and with ragdolls, but not with entity boxes. The groups are
/// rapier's groups 1 to 4; the host's own colliders may use them.
///
/// ```
/// use skelobj::Runtime;
/// use skelobj::math::Vec3;
/// use skelobj::physics::CollisionGroups;
/// use skelobj::runtime::Trace;
///
/// let mut runtime = Runtime::default();
/// runtime.physics_mut().add_floor(0.0)?;
/// let down = Trace::line(Vec3::Z * 64.0, Vec3::Z * -64.0);
/// let solid = CollisionGroups::LEVEL | CollisionGroups::BOXES;
/// assert!(runtime.trace(&down.with_groups(solid))?.is_some());
/// assert!(runtime.trace(&down.with_groups(CollisionGroups::RAGDOLLS))?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "u32", into = "u32"))]
pub struct CollisionGroups(u32);

/// Group of squeezed bodies, for the solver only.
const SQUEEZED: Group = Group::GROUP_5;
/// Group of floors, for the solver only.
const FLOORS: Group = Group::GROUP_6;

impl From<u32> for CollisionGroups {
    /// Converts the bits of the groups; bits that stand for no group are dropped.
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
    /// Empty set.
    pub const NONE: Self = Self(0);
    /// Level geometry: the world, doors, lifts.
    pub const LEVEL: Self = Self(1);
    /// Bodies of ragdolls.
    pub const RAGDOLLS: Self = Self(2);
    /// Bounding boxes of the engine's entities.
    pub const BOXES: Self = Self(4);
    /// Bodies of ragdolls that entity boxes pass through and leave alone: those that a game has put there with
    /// [`Runtime::set_ragdoll_groups`](crate::Runtime::set_ragdoll_groups).
    pub const CORPSES: Self = Self(8);
    /// Every group.
    pub const ALL: Self = Self(15);

    /// Returns `true` if this set contains every group of `other`.
    ///
    /// ```
    /// use skelobj::physics::CollisionGroups;
    ///
    /// let solid = CollisionGroups::LEVEL | CollisionGroups::BOXES;
    /// assert!(solid.contains(CollisionGroups::BOXES) && !solid.contains(CollisionGroups::RAGDOLLS));
    /// ```
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns rapier's interaction groups for a collider in these groups.
    ///
    /// ```
    /// use skelobj::physics::CollisionGroups;
    ///
    /// let (level, boxes) = (CollisionGroups::LEVEL.for_collider(), CollisionGroups::BOXES.for_collider());
    /// assert!(level.test(boxes)); // a player stands on the floor
    /// assert!(!boxes.test(boxes)); // players do not push each other
    /// ```
    #[must_use]
    pub fn for_collider(self) -> InteractionGroups {
        let mut meets = Self::NONE;
        for (group, others) in [
            (Self::LEVEL, Self::RAGDOLLS | Self::CORPSES | Self::BOXES),
            (Self::RAGDOLLS, Self::ALL),
            (Self::CORPSES, Self::LEVEL | Self::RAGDOLLS | Self::CORPSES),
            (Self::BOXES, Self::LEVEL | Self::RAGDOLLS),
        ] {
            if self.contains(group) {
                meets = meets | others;
            }
        }
        InteractionGroups::new(self.bits(), meets.bits(), InteractionTestMode::And)
    }

    /// Returns rapier's interaction groups for a query that finds colliders in any of these groups, regardless of the
    /// colliders' own filters.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{CollisionGroups, Physics, rapier3d::prelude::{QueryFilter, Ray}};
    ///
    /// let mut physics = Physics::default();
    /// physics.add_floor(0.0)?;
    /// let ray = Ray::new(Vec3::Z * 64.0, Vec3::NEG_Z);
    /// let filter = QueryFilter::new().groups(CollisionGroups::LEVEL.for_query());
    /// let (_, distance) = physics.world().cast_ray(&ray, 100.0, true, filter).expect("the floor");
    /// assert_eq!(distance, 64.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn for_query(self) -> InteractionGroups {
        InteractionGroups::new(Group::ALL, self.bits(), InteractionTestMode::And)
    }

    /// Returns the groups in which rapier solves contacts: a box pushes ragdolls gently, without contacts.
    pub(super) fn for_solver(self) -> InteractionGroups {
        let ragdolls = (Self::RAGDOLLS | Self::CORPSES).bits() | SQUEEZED;
        let solved = if self.contains(Self::BOXES) { Group::ALL.difference(ragdolls) } else { Group::ALL };
        InteractionGroups::new(self.bits(), solved, InteractionTestMode::And)
    }

    /// Returns the groups in which rapier solves contacts of a door, lift or train: all but squeezed bodies.
    pub(super) fn for_solver_of_mover(self) -> InteractionGroups {
        let solved = self.for_solver().filter.difference(SQUEEZED);
        InteractionGroups::new(self.bits(), solved, InteractionTestMode::And)
    }

    /// Returns the groups in which rapier solves contacts of a floor, which no body passes.
    pub(super) fn for_solver_of_floor(self) -> InteractionGroups {
        let InteractionGroups { memberships, filter, test_mode } = self.for_solver();
        InteractionGroups::new(memberships | FLOORS, filter, test_mode)
    }

    /// Returns the groups in which rapier solves contacts of a squeezed body.
    pub(super) fn for_solver_of_squeezed(self) -> InteractionGroups {
        InteractionGroups::new(SQUEEZED, Group::ALL, InteractionTestMode::And)
    }

    /// Returns the groups in which rapier solves contacts of a body on its way back through a wall: without the level,
    /// but with floors.
    pub(super) fn for_solver_in_walls(self) -> InteractionGroups {
        let solved = self.for_solver().filter.difference(Self::LEVEL.bits());
        InteractionGroups::new(self.bits(), solved, InteractionTestMode::And)
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
