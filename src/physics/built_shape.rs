//! Shapes of level bodies for rapier.

use glam::{Quat, Vec3};
use rapier3d::prelude::{ColliderBuilder, MassProperties, Pose, SharedShape, TriMeshFlags};
use skelobj_model::internal::FARTHEST;
use skelobj_model::level::{LevelError, LevelShape};

use super::tuning::{DEFAULT_DENSITY, MIN_HULL_DEPTH};

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
