//! What ragdolls fall on.

use glam::{Quat, Vec3};
use rapier3d::prelude::{ColliderBuilder, ColliderHandle, Pose, SharedShape};

use super::{DOLL_GROUP, LEVEL_GROUP, Physics};

/// One piece of the level, to remove it by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelPart(ColliderHandle);

/// Geometry that cannot be part of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LevelError {
    /// A coordinate or size is NaN or infinite.
    NotFinite,
    /// A box without volume.
    Flat,
}

impl std::fmt::Display for LevelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "a coordinate is not finite",
            Self::Flat => "a box needs a size above zero on every axis",
        })
    }
}

impl std::error::Error for LevelError {}

impl Physics {
    /// An endless floor at height `z`; solid below. A height that is not finite is taken as 0.
    pub fn add_floor(&mut self, z: f32) -> LevelPart {
        let z = if z.is_finite() { z } else { 0.0 };
        let floor = ColliderBuilder::new(SharedShape::halfspace(Vec3::Z)).translation(Vec3::new(0.0, 0.0, z));
        self.add_level(floor)
    }

    /// A solid box: its centre in the world, its full extents in Quake units and its rotation.
    ///
    /// # Errors
    /// [`LevelError`]; nothing is added then.
    pub fn add_box(&mut self, centre: Vec3, size: Vec3, rotation: Quat) -> Result<LevelPart, LevelError> {
        if !(centre.is_finite() && size.is_finite() && rotation.is_finite()) {
            return Err(LevelError::NotFinite);
        }
        if size.min_element() <= 0.0 || rotation.length_squared() == 0.0 {
            return Err(LevelError::Flat);
        }
        let half = size * 0.5;
        let pose = Pose::from_parts(centre, rotation.normalize());
        Ok(self.add_level(ColliderBuilder::cuboid(half.x, half.y, half.z).position(pose)))
    }

    /// Takes a piece of the level away; what lies on it wakes up. Returns whether it was there.
    pub fn remove_level(&mut self, part: LevelPart) -> bool {
        self.world.remove_collider(part.0).is_some()
    }

    fn add_level(&mut self, shape: ColliderBuilder) -> LevelPart {
        let collider = self.surface(shape, LEVEL_GROUP, DOLL_GROUP);
        LevelPart(self.world.insert_collider(collider, None))
    }
}
