//! Pieces of the level: floors, boxes, hulls and meshes, that stand, move, change and go.

use glam::{Quat, Vec3};
use rapier3d::prelude::{ColliderBuilder, Pose, RigidBodyBuilder, RigidBodyHandle, SharedShape, TriMeshFlags};

use super::mesh::FARTHEST;
use super::{Layers, Owner, Physics, SolidMesh};

/// One piece of the level: what stands or moves as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LevelPart(pub(super) RigidBodyHandle);

impl LevelPart {
    /// Its body in the [`Physics::world`].
    pub fn body(self) -> RigidBodyHandle {
        self.0
    }
}

/// What a piece of the level looks like, in its own space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LevelShape<'a> {
    /// A box round the origin: its full extents, Quake units.
    Box(Vec3),
    /// The convex hull of these points.
    Hull(&'a [Vec3]),
    /// A mesh; its triangles are solid from their front.
    Mesh(&'a SolidMesh),
}

/// Geometry that cannot be part of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LevelError {
    /// A coordinate, size or rotation is NaN or infinite.
    NotFinite,
    /// A coordinate is more than a million units from the origin.
    TooFar,
    /// A box or hull without volume, or a rotation of length 0.
    Flat,
    /// No shape, or a mesh without triangles.
    Empty,
    /// A hull of more points than [`Physics::MAX_HULL_POINTS`].
    TooManyPoints,
    /// A triangle uses a vertex that is not there.
    Index {
        /// The triangle, from 0.
        triangle: usize,
    },
    /// The part was removed.
    NoSuchPart,
}

impl std::fmt::Display for LevelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite => f.write_str("a coordinate is not finite"),
            Self::TooFar => f.write_str("a coordinate is more than a million units from the origin"),
            Self::Flat => f.write_str("a box or hull needs a size above zero on every axis, a rotation a length"),
            Self::Empty => f.write_str("there is nothing to collide with"),
            Self::TooManyPoints => {
                write!(f, "a hull may have {} points, for more use a mesh", Physics::MAX_HULL_POINTS)
            }
            Self::Index { triangle } => write!(f, "triangle {triangle} uses a vertex that is not there"),
            Self::NoSuchPart => f.write_str("the part is not there any more"),
        }
    }
}

impl std::error::Error for LevelError {}

impl Physics {
    /// The most points that a [`LevelShape::Hull`] may have.
    pub const MAX_HULL_POINTS: usize = 1024;

    /// An endless floor at height `z`; solid below. A height that is not finite is taken as 0.
    pub fn add_floor(&mut self, z: f32) -> LevelPart {
        let z = if z.is_finite() { z } else { 0.0 };
        let body = RigidBodyBuilder::fixed().translation(Vec3::new(0.0, 0.0, z));
        self.insert_part(body, vec![(0, SharedShape::halfspace(Vec3::Z))], Layers::LEVEL)
    }

    /// A solid box: its centre in the world, its full extents in Quake units and its rotation.
    ///
    /// # Errors
    /// [`LevelError`]; nothing is added then.
    pub fn add_box(&mut self, centre: Vec3, size: Vec3, rotation: Quat) -> Result<LevelPart, LevelError> {
        self.add_part(&[LevelShape::Box(size)], centre, rotation)
    }

    /// A piece of the level that stands where it is put.
    ///
    /// The world itself should be **one mesh**: limbs that slide over the seam between two boxes or hulls are stopped
    /// dead by it, within a mesh they are not.
    ///
    /// # Errors
    /// [`LevelError`]; nothing is added then.
    pub fn add_part(
        &mut self,
        shapes: &[LevelShape<'_>],
        origin: Vec3,
        rotation: Quat,
    ) -> Result<LevelPart, LevelError> {
        let pose = checked_pose(origin, rotation)?;
        let shapes = numbered(shapes)?;
        Ok(self.insert_part(RigidBodyBuilder::fixed().pose(pose), shapes, Layers::LEVEL))
    }

    /// Gives a piece of the level another shape; what lies on it wakes up.
    ///
    /// # Errors
    /// [`LevelError`]; nothing is changed then.
    pub fn change_part(&mut self, part: LevelPart, shapes: &[LevelShape<'_>]) -> Result<(), LevelError> {
        let shapes = numbered(shapes)?;
        let body = self.world.bodies.get(part.0).ok_or(LevelError::NoSuchPart)?;
        let old = body.colliders().to_vec();
        let layer = self.layer_of(part).ok_or(LevelError::NoSuchPart)?;
        for collider in old {
            self.world.remove_collider(collider);
        }
        self.insert_shapes(part.0, shapes, layer);
        Ok(())
    }

    /// Makes a piece of the level solid or passable, as a wall that appears and disappears. Returns whether it is there.
    pub fn set_part_solid(&mut self, part: LevelPart, solid: bool) -> bool {
        let Some(body) = self.world.bodies.get(part.0) else { return false };
        let colliders = body.colliders().to_vec();
        if !solid {
            self.wake_touching(part);
        }
        for collider in colliders {
            if let Some(collider) = self.world.colliders.get_mut(collider) {
                collider.set_enabled(solid);
            }
        }
        true
    }

    /// Puts a piece of the level somewhere else at once, pushing nothing on its way; what lies on it wakes up.
    ///
    /// For what moves visibly there are movers.
    ///
    /// # Errors
    /// [`LevelError`]; nothing has moved then.
    pub fn place_part(&mut self, part: LevelPart, origin: Vec3, rotation: Quat) -> Result<(), LevelError> {
        let pose = checked_pose(origin, rotation)?;
        self.wake_touching(part);
        let body = self.world.bodies.get_mut(part.0).ok_or(LevelError::NoSuchPart)?;
        body.set_position(pose, true);
        let colliders = body.colliders().to_vec();
        self.forget_motion(part, pose);
        for handle in colliders {
            if let Some(collider) = self.world.colliders.get_mut(handle) {
                collider.set_position(pose);
            }
            self.find_in_traces(handle);
        }
        Ok(())
    }

    /// Takes a piece of the level away; what lies on it wakes up. Returns whether it was there.
    pub fn remove_part(&mut self, part: LevelPart) -> bool {
        self.movers.retain(|mover| mover.part != part);
        self.wake_touching(part);
        self.world.remove_body(part.0).is_some()
    }

    pub(super) fn insert_part(
        &mut self,
        body: RigidBodyBuilder,
        shapes: Vec<(u32, SharedShape)>,
        layer: Layers,
    ) -> LevelPart {
        let body = self.world.insert_body(body);
        self.insert_shapes(body, shapes, layer);
        LevelPart(body)
    }

    fn insert_shapes(&mut self, body: RigidBodyHandle, shapes: Vec<(u32, SharedShape)>, layer: Layers) {
        for (number, shape) in shapes {
            let collider =
                self.surface(ColliderBuilder::new(shape).user_data(Owner::Level { shape: number }.user_data()), layer);
            let handle = self.world.insert_collider(collider, Some(body));
            self.find_in_traces(handle);
        }
    }

    /// Traces find a collider where the last step saw it; one that is new or was put elsewhere they find from now on.
    pub(super) fn find_in_traces(&mut self, handle: rapier3d::prelude::ColliderHandle) {
        if let Some(collider) = self.world.colliders.get(handle) {
            let bounds = collider.compute_aabb();
            self.world.broad_phase.set_aabb(&self.world.integration_parameters, handle, bounds);
        }
    }

    fn wake_touching(&mut self, part: LevelPart) {
        for body in self.touching(part) {
            self.world.wake_up(body, true);
        }
    }

    /// Which kind of thing a part is.
    fn layer_of(&self, part: LevelPart) -> Option<Layers> {
        let collider = *self.world.bodies.get(part.0)?.colliders().first()?;
        let groups = self.world.colliders.get(collider)?.collision_groups();
        [Layers::LEVEL, Layers::BOXES].into_iter().find(|layer| layer.collider_groups() == groups)
    }
}

/// Shapes ready for rapier, numbered as given.
pub(super) fn numbered(shapes: &[LevelShape<'_>]) -> Result<Vec<(u32, SharedShape)>, LevelError> {
    if shapes.is_empty() {
        return Err(LevelError::Empty);
    }
    (0..).zip(shapes).map(|(number, shape)| Ok((number, build(shape)?))).collect()
}

pub(super) fn build(shape: &LevelShape<'_>) -> Result<SharedShape, LevelError> {
    match *shape {
        LevelShape::Box(size) => {
            check(size)?;
            if size.min_element() <= 0.0 {
                return Err(LevelError::Flat);
            }
            Ok(SharedShape::cuboid(size.x * 0.5, size.y * 0.5, size.z * 0.5))
        }
        LevelShape::Hull(points) => {
            if points.len() > Physics::MAX_HULL_POINTS {
                return Err(LevelError::TooManyPoints);
            }
            points.iter().try_for_each(|&point| check(point))?;
            if !has_volume(points) {
                return Err(LevelError::Flat);
            }
            SharedShape::convex_hull(points).ok_or(LevelError::Flat)
        }
        LevelShape::Mesh(mesh) => {
            let (vertices, triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
            SharedShape::trimesh_with_flags(vertices, triangles, TriMeshFlags::FIX_INTERNAL_EDGES)
                .map_err(|_| LevelError::Empty)
        }
    }
}

/// Whether points reach far enough from every plane to make a hull.
fn has_volume(points: &[Vec3]) -> bool {
    const THIN: f32 = 1e-3;
    let farthest = |distance: &dyn Fn(Vec3) -> f32| {
        let far = points.iter().map(|&point| (distance(point), point)).max_by(|a, b| a.0.total_cmp(&b.0));
        far.filter(|(distance, _)| *distance > THIN).map(|(_, point)| point)
    };
    let Some(&a) = points.first() else { return false };
    let Some(b) = farthest(&|point| point.distance(a)) else { return false };
    let along = (b - a).normalize_or_zero();
    let Some(c) = farthest(&|point| (point - a).reject_from_normalized(along).length()) else { return false };
    let normal = along.cross(c - a).normalize_or_zero();
    farthest(&|point| (point - a).dot(normal).abs()).is_some()
}

pub(super) fn checked_pose(origin: Vec3, rotation: Quat) -> Result<Pose, LevelError> {
    check(origin)?;
    if !rotation.is_finite() {
        return Err(LevelError::NotFinite);
    }
    let rotation = rotation / rotation.to_array().map(f32::abs).into_iter().fold(f32::MIN_POSITIVE, f32::max);
    if rotation.length_squared() < 0.5 {
        return Err(LevelError::Flat);
    }
    Ok(Pose::from_parts(origin, rotation.normalize()))
}

fn check(point: Vec3) -> Result<(), LevelError> {
    if !point.is_finite() {
        return Err(LevelError::NotFinite);
    }
    if point.abs().max_element() > FARTHEST {
        return Err(LevelError::TooFar);
    }
    Ok(())
}
