//! Line casts through the world.

use glam::Vec3;
use rapier3d::prelude::{Collider, ColliderHandle, QueryFilter, Ray, ShapeType};

use super::{CollisionGroups, Physics};

/// First collider that a line or box hits, world space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ColliderHit {
    /// Fraction of the line: 0 at the start, 1 at the end.
    pub fraction: f32,
    /// Unit normal on the side that the line came from; zero if the line starts inside.
    pub normal: Vec3,
    pub collider: ColliderHandle,
    /// Triangle of a mesh; `None` for other shapes and for box casts.
    pub triangle: Option<u32>,
}

impl Physics {
    /// Casts a line through all colliders of these groups that `hits` accepts. The triangles of a mesh are hit from
    /// both sides.
    pub(crate) fn cast_line(
        &self,
        start: Vec3,
        end: Vec3,
        groups: CollisionGroups,
        hits: &dyn Fn(ColliderHandle, &Collider) -> bool,
    ) -> Option<ColliderHit> {
        let ray = Ray::new(start, end - start);
        let (collider, hit) = self.world.cast_ray_and_get_normal(&ray, 1.0, true, filter(groups, hits))?;
        let shape = self.world.colliders.get(collider)?.shape();
        Some(ColliderHit {
            fraction: hit.time_of_impact.clamp(0.0, 1.0),
            normal: hit.normal.normalize_or_zero(),
            collider,
            triangle: (shape.shape_type() == ShapeType::TriMesh).then_some(hit.subshape),
        })
    }
}

/// Returns the filter for colliders of these groups that `hits` accepts.
pub(super) fn filter<'a>(
    groups: CollisionGroups,
    hits: &'a dyn Fn(ColliderHandle, &Collider) -> bool,
) -> QueryFilter<'a> {
    QueryFilter { groups: Some(groups.for_query()), predicate: Some(hits), ..QueryFilter::default() }
}
