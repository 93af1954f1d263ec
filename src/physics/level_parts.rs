//! Level bodies of a whole [`Level`].

use glam::Quat;
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::partitioning::{Bvh, BvhBuildStrategy};
use rapier3d::prelude::{Pose, RigidBodyBuilder};
use skelobj_model::internal;

use super::built_shape::{BuiltShape, build, checked_pose};
use super::tuning::{FREE_OVERLAPS, MAX_LEVEL_SHAPES, OVERLAPS_PER_SHAPE};
use super::{BrushModel, CollisionGroups, Level, LevelBodies, LevelError, LevelOptions, LevelShape, Physics};
use crate::{Limit, LimitExceeded};

impl Physics {
    /// Adds a level: the world as one fixed body, and a kinematic body at its origin for every solid brush entity.
    ///
    /// Entities that show the same brush model share its shapes. Shape 0 of each body is the mesh, shape 1 the sky;
    /// hulls and clip brushes follow in the order of the model.
    ///
    /// ```
    /// use skelobj::math::Quat;
    /// use skelobj::physics::{Level, LevelOptions};
    ///
    /// let level = Level::from_bsp(&std::fs::read("tests/data/examples/start.bsp")?)?;
    /// let mut runtime = skelobj::Runtime::default();
    /// let bodies = runtime.physics_mut().add_level(&level, LevelOptions::default())?;
    /// for (number, body) in bodies.entities {
    ///     let door = &level.brush_entities[number];
    ///     // In every frame in which it moves:
    ///     runtime.physics_mut().set_level_body_target(body, door.origin, Quat::IDENTITY)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError`]. On error, nothing is added. A level from [`Level::from_bsp`] fails only if there are too many
    /// bodies, if the bodies have more than 65,536 shapes, or if too many pairs of shapes overlap.
    pub fn add_level(&mut self, level: &Level, options: LevelOptions) -> Result<LevelBodies, LevelError> {
        let mut models: Vec<Option<Vec<BuiltShape>>> = vec![None; level.models.len()];
        let solid = level.brush_entities.iter().enumerate().filter(|(_, entity)| entity.solid);
        for model in solid.clone().map(|(_, entity)| entity.model).chain([0]) {
            if let (Some(shapes @ None), Some(model)) = (models.get_mut(model), level.models.get(model)) {
                *shapes = Some(build_all(model, options));
            }
        }
        let shapes_of = |model: usize| models.get(model).and_then(Option::as_deref).filter(|shapes| !shapes.is_empty());
        let world = shapes_of(0);
        let mut entities = Vec::new();
        for (number, entity) in solid {
            let Some(shapes) = shapes_of(entity.model) else { continue };
            entities.push((number, shapes, checked_pose(entity.origin, Quat::IDENTITY)?));
        }
        if entities.len() + usize::from(world.is_some()) > self.state.level_bodies.room() {
            return Err(LevelError::TooManyBodies);
        }
        let still = world.map(|shapes| (shapes, Pose::IDENTITY));
        check_shapes(entities.iter().map(|&(_, shapes, pose)| (shapes, pose)).chain(still))?;

        let mut bodies = LevelBodies::default();
        if let Some(world) = world {
            let fixed = RigidBodyBuilder::fixed();
            let body = self.insert_level_body(fixed, world.to_vec(), CollisionGroups::LEVEL, None)?;
            bodies.world = Some(body);
            // Without its sky, the tree does not tell where bodies may be.
            if options.sky {
                level.models.first().into_iter().for_each(|model| self.fill(body, &model.solid));
            }
        }
        for (number, shapes, pose) in entities {
            let body = self.insert_kinematic_body(shapes.to_vec(), pose, CollisionGroups::LEVEL)?;
            let model = level.brush_entities.get(number).and_then(|entity| level.models.get(entity.model));
            model.into_iter().for_each(|model| self.fill(body, &model.solid));
            bodies.entities.push((number, body));
        }
        Ok(bodies)
    }
}

/// Returns the numbered shapes of a brush model, without slivers that have no hull.
fn build_all(model: &BrushModel, options: LevelOptions) -> Vec<BuiltShape> {
    let meshes = [(0, &model.mesh, true), (1, &model.sky, options.sky)];
    let meshes = meshes.into_iter().filter(|(_, mesh, wanted)| *wanted && !mesh.is_empty());
    let clip = if options.clip { model.clip.as_slice() } else { &[] };
    let hulls = (2..).zip(model.hulls.iter().chain(clip));
    meshes
        .map(|(number, mesh, _)| (number, LevelShape::Mesh(mesh)))
        .chain(hulls.map(|(number, points)| (number, LevelShape::Hull(points))))
        .filter_map(|(number, shape)| Some(BuiltShape::new(number, build(&shape).ok()?)))
        .collect()
}

/// Checks that bodies do not have too many shapes or too many overlapping pairs of shapes.
fn check_shapes<'s>(bodies: impl Iterator<Item = (&'s [BuiltShape], Pose)> + Clone) -> Result<(), LimitExceeded> {
    let count = bodies.clone().fold(0usize, |count, (shapes, _)| count.saturating_add(shapes.len()));
    internal::check_limit(Limit::LevelShapes, count, MAX_LEVEL_SHAPES)?;
    let shapes = bodies.flat_map(|(shapes, pose)| shapes.iter().map(move |built| built.shape.compute_aabb(&pose)));
    let bounds: Vec<Aabb> = shapes.collect();
    let allowed = FREE_OVERLAPS + OVERLAPS_PER_SHAPE * bounds.len();
    let tree = Bvh::from_leaves(BvhBuildStrategy::default(), &bounds);
    // Every pair is found twice, and every shape overlaps itself.
    let found = bounds.iter().flat_map(|own| tree.intersect_aabb(own)).take(2 * allowed + bounds.len() + 1).count();
    let needed = found.saturating_sub(bounds.len()).div_ceil(2);
    internal::check_limit(Limit::LevelOverlaps, needed, allowed as u32)
}
