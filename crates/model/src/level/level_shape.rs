//! Shapes of level bodies, and the error of level calls.

use glam::Vec3;

use super::SolidMesh;
use crate::limits::LimitExceeded;

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
/// physics.remove_level_body(floor)?;
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
