//! Levels as plain data.

use glam::Vec3;

use super::{BspWarning, SolidMesh};
use crate::id::LevelBodyId;
use crate::model::Name;

/// The solid geometry of a level: brush models and the entities that use them. Plain data, without physics.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Level {
    /// Brush models; number 0 is the world.
    pub models: Vec<BrushModel>,
    /// Surfaces of the triangles of all models.
    pub surfaces: Vec<LevelSurface>,
    /// Entities of the map, in the file's order.
    pub entities: Vec<Entity>,
    /// Entities that show a brush model, in the file's order.
    pub brush_entities: Vec<BrushEntity>,
    /// Problems of the file that did not keep it from loading.
    pub warnings: Vec<BspWarning>,
}

/// The geometry of the world or of one brush entity, in its own space.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct BrushModel {
    /// Mesh that bodies lie on and collide with.
    pub mesh: SolidMesh,
    /// Mesh of the sky: solid, so that nothing leaves the level.
    pub sky: SolidMesh,
    /// Solid brushes that are invisible and have no triangles in the mesh, as corner points of convex hulls, Quake
    /// units.
    pub hulls: Vec<Vec<Vec3>>,
    /// Brushes that are solid for players only, as corner points of convex hulls, Quake units.
    pub clip: Vec<Vec<Vec3>>,
}

/// The surface of a part of the level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct LevelSurface {
    /// Name of the texture or shader; empty where the file has none.
    pub name: Name,
    /// Surface flags, as the file's format defines them; 0 where it has none.
    pub flags: u32,
    /// Contents bits, as the file's format defines them; 0 where it has none.
    pub contents: u32,
}

/// The keys and values of an entity in the map.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Entity {
    /// Keys and values in the file's order, duplicates included.
    pub pairs: Vec<(Name, Name)>,
}

impl Entity {
    /// Returns the value of the first pair with a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Name> {
        self.pairs.iter().find(|(name, _)| *name == *key).map(|(_, value)| value)
    }

    /// Returns the three numbers of a value; numbers that are missing or not finite are 0.
    #[must_use]
    pub fn vector(&self, key: &str) -> Vec3 {
        let text =
            self.get(key).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).unwrap_or_default();
        let mut words = text.split_whitespace().map(|word| word.parse().ok().filter(|v: &f32| v.is_finite()));
        Vec3::from_array([(); 3].map(|()| words.next().flatten().unwrap_or(0.0)))
    }
}

/// An entity that shows a brush model.
#[derive(Clone, PartialEq, Debug)]
pub struct BrushEntity {
    /// Index into [`Level::entities`].
    pub entity: usize,
    /// Index into [`Level::models`].
    pub model: usize,
    /// Origin of the model's space in the world, Quake units.
    pub origin: Vec3,
    /// The entity's `angles`: pitch, yaw and roll in degrees. For doors they are the direction in which they open; no
    /// brush entity is turned by them until the game turns it.
    pub angles: Vec3,
    /// True if entities of this class are solid; triggers and ladders, for example, are not.
    pub solid: bool,
}

/// The parts of a level that become solid.
///
/// ```
/// use skelobj::physics::LevelOptions;
/// let options = LevelOptions::default().with_clip(true);
/// assert!(options.sky && options.clip);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LevelOptions {
    /// Sky as solid. Default true: a limb that leaves the level would fall for ever.
    pub sky: bool,
    /// Brushes that are solid for players only. Default false.
    pub clip: bool,
}

impl LevelOptions {
    /// Returns the options with the sky solid, or passable so that bodies can fall out of the level.
    #[must_use]
    pub fn with_sky(self, sky: bool) -> Self {
        Self { sky, ..self }
    }

    /// Returns the options with brushes that are solid for players only made solid or passable.
    #[must_use]
    pub fn with_clip(self, clip: bool) -> Self {
        Self { clip, ..self }
    }
}

impl Default for LevelOptions {
    fn default() -> Self {
        Self { sky: true, clip: false }
    }
}

/// The bodies of a level in the physics world.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LevelBodies {
    /// Body of the world; `None` if nothing of the world is solid.
    pub world: Option<LevelBodyId>,
    /// Kinematic body of every solid brush entity, with the entity's index into [`Level::brush_entities`].
    pub entities: Vec<(usize, LevelBodyId)>,
}
