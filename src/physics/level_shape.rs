//! Shapes of level bodies, and the error of level calls.

use glam::{Quat, Vec3};
use rapier3d::prelude::{ColliderBuilder, MassProperties, Pose, SharedShape, TriMeshFlags};

use super::SolidMesh;
use super::tuning::{DEFAULT_DENSITY, MIN_HULL_DEPTH};
use crate::limits::LimitExceeded;
use crate::out_of_range::FARTHEST;

/// Shape of a level body, in the body's local space.
///
/// ```
/// use skelobj::math::{Quat, Vec3};
/// use skelobj::physics::{LevelShape, Physics};
///
/// let ramp = [(0, 0), (64, 0), (64, 32)].map(|(x, z)| Vec3::new(x as f32, 0.0, z as f32));
/// let ramp: Vec<Vec3> = ramp.into_iter().chain(ramp.map(|point| point.with_y(48.0))).collect();
/// let shapes = [LevelShape::Hull(&ramp), LevelShape::Box(Vec3::new(128.0, 128.0, 8.0))];
/// let mut physics = Physics::default();
/// physics.add_level_body(&shapes, Vec3::ZERO, Quat::IDENTITY)?;
/// assert_eq!(physics.world().colliders.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum LevelShape<'a> {
    /// Box around the origin, given by its full extents in Quake units.
    Box(Vec3),
    /// Convex hull of these points, Quake units.
    Hull(&'a [Vec3]),
    /// Mesh that is solid on the front of its triangles.
    Mesh(&'a SolidMesh),
}

impl LevelShape<'_> {
    /// Maximum number of points of a [`Hull`](Self::Hull).
    pub const MAX_HULL_POINTS: usize = 1024;
}

/// Error of adding or changing level bodies. The physics world is unchanged.
///
/// ```
/// use skelobj::math::{Quat, Vec3};
/// use skelobj::physics::{LevelError, Physics};
///
/// let mut physics = Physics::default();
/// assert_eq!(physics.add_floor(2e6), Err(LevelError::TooFar));
/// let floor = physics.add_floor(0.0)?;
/// physics.remove_level_body(floor);
/// let error = physics.teleport_level_body(floor, Vec3::ZERO, Quat::IDENTITY).unwrap_err();
/// assert_eq!(error.to_string(), "no level body has this id");
/// # Ok::<(), LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LevelError {
    /// Coordinate, size or rotation that is NaN or infinite.
    NotFinite,
    /// Coordinate more than a million units from the origin.
    TooFar,
    /// Box or hull without volume, or rotation of length 0.
    Flat,
    /// Empty list of shapes, or a mesh without triangles.
    Empty,
    /// Hull with more points than [`LevelShape::MAX_HULL_POINTS`].
    TooManyPoints,
    /// World that already has 16,383 level bodies.
    TooManyBodies,
    /// Triangle that refers to a missing vertex.
    Index {
        /// Index of the triangle.
        triangle: usize,
    },
    /// Id that no level body has, or no longer has.
    NoSuchBody,
    /// Fixed body where a kinematic one was expected; only kinematic bodies and entity boxes have targets.
    NotKinematic,
    /// Level body where an entity box was expected; only boxes have a force.
    NotBox,
    /// Force that is negative, above 1e9 or not finite.
    Force,
    /// Mesh or level that needs more than a limit allows.
    LimitExceeded(LimitExceeded),
}

impl std::fmt::Display for LevelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite => f.write_str("a coordinate, size or rotation is not finite"),
            Self::TooFar => f.write_str("a coordinate is more than a million units from the origin"),
            Self::Flat => f.write_str("a box or hull has no volume, or a rotation has length 0"),
            Self::Empty => f.write_str("the body has no shapes, or a mesh has no triangles"),
            Self::TooManyPoints => {
                write!(f, "the hull has more than {} points; use a mesh instead", LevelShape::MAX_HULL_POINTS)
            }
            Self::TooManyBodies => f.write_str("the world already has 16,383 level bodies, the maximum"),
            Self::Index { triangle } => write!(f, "triangle {triangle} refers to a vertex that does not exist"),
            Self::NoSuchBody => f.write_str("no level body has this id"),
            Self::NotKinematic => {
                f.write_str("the level body is not kinematic and has no target, but it can be teleported")
            }
            Self::NotBox => f.write_str("the level body is not an entity box"),
            Self::Force => f.write_str("a force is not a number from 0 to 1e9"),
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

/// Shape for rapier that any number of colliders can share.
#[derive(Clone)]
pub(super) struct BuiltShape {
    /// Number of the shape in its body.
    pub number: u32,
    pub shape: SharedShape,
    /// Mass properties, which rapier would otherwise compute from all triangles for every collider, and in every step
    /// after a change.
    mass: MassProperties,
}

impl BuiltShape {
    pub fn new(number: u32, shape: SharedShape) -> Self {
        let mass = shape.mass_properties(DEFAULT_DENSITY);
        Self { number, shape, mass }
    }

    /// Returns a collider builder with the shape and its mass properties.
    pub fn collider(self) -> ColliderBuilder {
        ColliderBuilder::new(self.shape).mass_properties(self.mass)
    }
}

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

/// Returns `true` if points reach far enough from every plane for a hull.
fn has_volume(points: &[Vec3]) -> bool {
    let farthest = |distance: &dyn Fn(Vec3) -> f32| {
        let far = points.iter().map(|&point| (distance(point), point)).max_by(|a, b| a.0.total_cmp(&b.0));
        far.filter(|(distance, _)| *distance > MIN_HULL_DEPTH).map(|(_, point)| point)
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
