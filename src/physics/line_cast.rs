//! Line and box casts through the world.

use glam::Vec3;
use rapier3d::parry::query::{ShapeCastOptions, ShapeCastStatus};
use rapier3d::parry::shape::Cuboid;
use rapier3d::prelude::{Collider, ColliderHandle, Pose, QueryFilter, Ray, ShapeType};

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

    /// Casts a box with corners relative to the point that moves from `start` to `end`. A box that starts inside
    /// something solid hits it at fraction 0, with a zero normal.
    pub(crate) fn cast_box(
        &self,
        start: Vec3,
        end: Vec3,
        [mins, maxs]: [Vec3; 2],
        groups: CollisionGroups,
        hits: &dyn Fn(ColliderHandle, &Collider) -> bool,
    ) -> Option<ColliderHit> {
        let options = ShapeCastOptions { max_time_of_impact: 1.0, ..ShapeCastOptions::default() };
        let place = Pose::from_translation(start + (mins + maxs) * 0.5);
        let shape = Cuboid::new((maxs - mins) * 0.5);
        let (collider, hit) = self.world.cast_shape(&place, end - start, &shape, options, filter(groups, hits))?;
        let inside = hit.status == ShapeCastStatus::PenetratingOrWithinTargetDist;
        Some(ColliderHit {
            fraction: if inside { 0.0 } else { hit.time_of_impact.clamp(0.0, 1.0) },
            normal: if inside { Vec3::ZERO } else { hit.normal1.normalize_or_zero() },
            collider,
            triangle: None,
        })
    }
}

fn filter<'a>(groups: CollisionGroups, hits: &'a dyn Fn(ColliderHandle, &Collider) -> bool) -> QueryFilter<'a> {
    QueryFilter { groups: Some(groups.for_query()), predicate: Some(hits), ..QueryFilter::default() }
}
