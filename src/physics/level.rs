//! A whole level as plain data, and its way into the world.

use glam::{Quat, Vec3};
use rapier3d::prelude::{RigidBodyBuilder, SharedShape};

use super::level_shape::{build, checked_pose};
use super::{BspWarning, CollisionGroups, LevelError, LevelShape, Physics, SolidMesh};
use crate::id::{IdMap, LevelBodyId};
use crate::model::Name;

/// The solid geometry of a level: brush models and the entities that use them. No physics in it.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Level {
    /// Brush models; 0 is the world.
    pub models: Vec<BrushModel>,
    /// What the triangles of all models are made of.
    pub surfaces: Vec<LevelSurface>,
    /// The entities of the map, in the file's order.
    pub entities: Vec<Entity>,
    /// Entities that show a brush model, in the same order.
    pub brush_entities: Vec<BrushEntity>,
    /// What was wrong with the file without keeping it from loading.
    pub warnings: Vec<BspWarning>,
}

/// What stands or moves as a whole, in its own space.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct BrushModel {
    /// What bodies lie on and bump into.
    pub mesh: SolidMesh,
    /// The sky: solid for what must not leave the level.
    pub sky: SolidMesh,
    /// Solid brushes that nobody sees and that have no triangles in the mesh, as corner points of convex hulls.
    pub hulls: Vec<Vec<Vec3>>,
    /// Brushes that are solid for players only, likewise.
    pub clip: Vec<Vec<Vec3>>,
}

/// What a part of the level is made of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct LevelSurface {
    /// Texture or shader; empty where the file has no name.
    pub name: Name,
    /// Surface flags, in the sense of the file's format; 0 where it has none.
    pub flags: u32,
    /// Contents bits, likewise.
    pub contents: u32,
}

/// Keys and values of an entity, as the map has them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Entity {
    /// In the file's order, duplicates included.
    pub pairs: Vec<(Name, Name)>,
}

impl Entity {
    /// The value of the first pair with this key.
    pub fn get(&self, key: &str) -> Option<&Name> {
        self.pairs.iter().find(|(name, _)| *name == *key).map(|(_, value)| value)
    }

    /// Three numbers of a value, 0 where they are missing or no finite numbers.
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
    /// Where the model's space is, Quake units.
    pub origin: Vec3,
    /// The entity's `angles`: pitch, yaw and roll in degrees. Of doors they tell where they open to, and nothing is turned
    /// by them until the game turns it.
    pub angles: Vec3,
    /// Whether entities of its class are solid: triggers, ladders and the like are not.
    pub solid: bool,
}

/// The parts of a level that bodies meet.
///
/// ```
/// use skelobj::physics::LevelOptions;
/// let options = LevelOptions::default().with_clip(true);
/// assert!(options.sky && options.clip);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LevelOptions {
    /// The sky. Default true: a limb that leaves the level would fall for ever.
    pub sky: bool,
    /// Brushes that are solid for players only. Default false.
    pub clip: bool,
}

impl LevelOptions {
    /// Lets bodies meet the sky or fall out of the level through it.
    #[must_use]
    pub fn with_sky(self, sky: bool) -> Self {
        Self { sky, ..self }
    }

    /// Lets bodies meet brushes that are solid for players only, or pass through them.
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

/// The bodies that a level became.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LevelBodies {
    /// The world; `None` if nothing of it is solid.
    pub world: Option<LevelBodyId>,
    /// The kinematic body of every solid brush entity, with its index into [`Level::brush_entities`].
    pub entities: Vec<(usize, LevelBodyId)>,
}

impl Physics {
    /// Adds a level: the world as one body that stands still, and a kinematic body for every solid brush entity, at its
    /// origin.
    ///
    /// Shape 0 of each body is the mesh, shape 1 the sky, and then come hulls and clip brushes in the model's order.
    ///
    /// # Errors
    /// [`LevelError`]; nothing is added then. A level from [`Level::from_bsp`] fails only where there are too many bodies.
    pub fn add_level(&mut self, level: &Level, options: LevelOptions) -> Result<LevelBodies, LevelError> {
        let mut bodies = LevelBodies::default();
        let world = level.models.first().map(|model| shapes(model, options)).unwrap_or_default();
        let mut entities = Vec::new();
        for (number, entity) in level.brush_entities.iter().enumerate().filter(|(_, entity)| entity.solid) {
            let Some(model) = level.models.get(entity.model) else { continue };
            let shapes = shapes(model, options);
            if !shapes.is_empty() {
                entities.push((number, shapes, checked_pose(entity.origin, Quat::IDENTITY)?));
            }
            if entities.len() > IdMap::<LevelBodyId, ()>::CAPACITY {
                return Err(LevelError::TooManyBodies);
            }
        }
        if entities.len() + usize::from(!world.is_empty()) > self.level_bodies.room() {
            return Err(LevelError::TooManyBodies);
        }
        if !world.is_empty() {
            let fixed = RigidBodyBuilder::fixed();
            bodies.world = Some(self.insert_level_body(fixed, world, CollisionGroups::LEVEL, None)?);
        }
        for (number, shapes, pose) in entities {
            bodies.entities.push((number, self.insert_kinematic_body(shapes, pose, CollisionGroups::LEVEL)?));
        }
        Ok(bodies)
    }
}

/// A brush model's shapes with their numbers. Slivers of which no hull can be made are left out.
fn shapes(model: &BrushModel, options: LevelOptions) -> Vec<(u32, SharedShape)> {
    let meshes = [(0, &model.mesh, true), (1, &model.sky, options.sky)];
    let meshes = meshes.into_iter().filter(|(_, mesh, wanted)| *wanted && !mesh.is_empty());
    let clip = if options.clip { model.clip.as_slice() } else { &[] };
    let hulls = (2..).zip(model.hulls.iter().chain(clip));
    meshes
        .map(|(number, mesh, _)| (number, LevelShape::Mesh(mesh)))
        .chain(hulls.map(|(number, points)| (number, LevelShape::Hull(points))))
        .filter_map(|(number, shape)| Some((number, build(&shape).ok()?)))
        .collect()
}
