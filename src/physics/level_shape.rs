//! Shapes of level bodies, and their errors.

use glam::{Quat, Vec3};
use rapier3d::prelude::{ColliderBuilder, MassProperties, Pose, SharedShape, TriMeshFlags};

use super::SolidMesh;
use crate::limits::LimitExceeded;
use crate::number::FARTHEST;

/// A shape of a level body, in the body's local space.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum LevelShape<'a> {
    /// A box around the origin: its full extents, Quake units.
    Box(Vec3),
    /// The convex hull of these points.
    Hull(&'a [Vec3]),
    /// A mesh, solid on the front of its triangles.
    Mesh(&'a SolidMesh),
}

impl LevelShape<'_> {
    /// Maximum number of points of a [`Hull`](Self::Hull).
    pub const MAX_HULL_POINTS: usize = 1024;
}

/// The error of adding or changing level bodies; nothing has changed then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LevelError {
    /// A coordinate, size or rotation is NaN or infinite.
    NotFinite,
    /// A coordinate is more than a million units from the origin.
    TooFar,
    /// A box or hull has no volume, or a rotation has length 0.
    Flat,
    /// There is no shape, or a mesh has no triangles.
    Empty,
    /// A hull has more points than [`LevelShape::MAX_HULL_POINTS`].
    TooManyPoints,
    /// There would be more than 16,383 level bodies.
    TooManyBodies,
    /// A triangle refers to a vertex that does not exist.
    Index {
        /// Index of the triangle.
        triangle: usize,
    },
    /// No level body has this id, or it was removed.
    NoSuchBody,
    /// The body is fixed: only kinematic bodies and entity boxes have targets.
    NotKinematic,
    /// The mesh or level needs more than a limit allows.
    LimitExceeded(LimitExceeded),
}

impl std::fmt::Display for LevelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite => f.write_str("a coordinate is not finite"),
            Self::TooFar => f.write_str("a coordinate is more than a million units from the origin"),
            Self::Flat => f.write_str("a box or hull needs a size above zero on every axis, a rotation a length"),
            Self::Empty => f.write_str("there is nothing to collide with"),
            Self::TooManyPoints => {
                write!(f, "a hull may have {} points; use a mesh for more", LevelShape::MAX_HULL_POINTS)
            }
            Self::TooManyBodies => f.write_str("there are 16,383 level bodies already"),
            Self::Index { triangle } => write!(f, "triangle {triangle} uses a vertex that is not there"),
            Self::NoSuchBody => f.write_str("no such level body"),
            Self::NotKinematic => {
                f.write_str("the level body is not kinematic: it has no target, but can be teleported")
            }
            Self::LimitExceeded(exceeded) => exceeded.fmt(f),
        }
    }
}

impl std::error::Error for LevelError {}

impl From<LimitExceeded> for LevelError {
    fn from(exceeded: LimitExceeded) -> Self {
        Self::LimitExceeded(exceeded)
    }
}

/// A shape for rapier that any number of colliders share.
#[derive(Clone)]
pub(super) struct BuiltShape {
    /// Number of the shape in its body.
    pub number: u32,
    pub shape: SharedShape,
    /// rapier computes them from all triangles again for every collider that it is not told them for, and in every step
    /// after a change.
    mass: MassProperties,
}

impl BuiltShape {
    pub fn new(number: u32, shape: SharedShape) -> Self {
        let mass = shape.mass_properties(DENSITY);
        Self { number, shape, mass }
    }

    /// Returns a builder of a collider of the shape.
    pub fn collider(self) -> ColliderBuilder {
        ColliderBuilder::new(self.shape).mass_properties(self.mass)
    }
}

/// rapier's default density.
const DENSITY: f32 = 1.0;

/// Returns shapes for rapier, numbered in the order given.
pub(super) fn numbered(shapes: &[LevelShape<'_>]) -> Result<Vec<BuiltShape>, LevelError> {
    if shapes.is_empty() {
        return Err(LevelError::Empty);
    }
    (0..).zip(shapes).map(|(number, shape)| Ok(BuiltShape::new(number, build(shape)?))).collect()
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
            if points.len() > LevelShape::MAX_HULL_POINTS {
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

/// Returns whether points reach far enough from every plane for a hull.
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
