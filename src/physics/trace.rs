//! Rays through the world.

use glam::Vec3;
use rapier3d::prelude::{Collider, ColliderHandle, QueryFilter, Ray, RigidBodyHandle, ShapeType};

use super::{Layers, LevelPart, Physics};

/// What a trace hit first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TraceHit {
    /// How far along it got: 0 at its start, 1 at its end.
    pub fraction: f32,
    /// Where, world space.
    pub point: Vec3,
    /// The surface's unit normal, on the side that the trace came from; zero if it starts inside something solid.
    pub normal: Vec3,
    /// The collider it hit.
    pub collider: ColliderHandle,
    /// The collider's body: of a ragdoll, a part of the level or the host.
    pub body: Option<RigidBodyHandle>,
    /// The piece of the level or the entity box, if it is one.
    pub part: Option<LevelPart>,
    /// Which of the part's shapes, in the order they were given.
    pub shape: u32,
    /// Of a mesh the triangle: an index into [`SolidMesh::triangles`](super::SolidMesh::triangles) and
    /// [`surfaces`](super::SolidMesh::surfaces).
    pub triangle: Option<u32>,
}

impl Physics {
    /// The first thing of the given kinds on the straight way from `start` to `end`, world space.
    ///
    /// Bodies of ragdolls and movers are where the last step left them, parts of the level where they are. Both sides of a
    /// mesh's triangles are hit. A trace from or to a place that is not finite hits nothing.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{Layers, Physics};
    /// let mut physics = Physics::default();
    /// physics.add_floor(0.0);
    /// let hit = physics.trace(Vec3::new(0.0, 0.0, 30.0), Vec3::new(0.0, 0.0, -10.0), Layers::LEVEL).unwrap();
    /// assert_eq!((hit.fraction, hit.normal), (0.75, Vec3::Z));
    /// ```
    pub fn trace(&self, start: Vec3, end: Vec3, kinds: Layers) -> Option<TraceHit> {
        self.trace_where(start, end, kinds, &|_, _| true)
    }

    /// As [`trace`](Self::trace), through every collider that `hits` does not want.
    pub fn trace_where(
        &self,
        start: Vec3,
        end: Vec3,
        kinds: Layers,
        hits: &dyn Fn(ColliderHandle, &Collider) -> bool,
    ) -> Option<TraceHit> {
        if !(start.is_finite() && end.is_finite() && (end - start).is_finite()) {
            return None;
        }
        let ray = Ray::new(start, end - start);
        let filter =
            QueryFilter { groups: Some(kinds.query_groups()), predicate: Some(hits), ..QueryFilter::default() };
        let (handle, hit) = self.world.cast_ray_and_get_normal(&ray, 1.0, true, filter)?;
        let collider = self.world.colliders.get(handle)?;
        let fraction = hit.time_of_impact.clamp(0.0, 1.0);
        let body = collider.parent();
        let groups = collider.collision_groups();
        let is_part = [Layers::LEVEL, Layers::BOXES].iter().any(|layer| layer.collider_groups() == groups);
        Some(TraceHit {
            fraction,
            point: start + ray.dir * fraction,
            normal: hit.normal.normalize_or_zero(),
            collider: handle,
            body,
            part: body.filter(|_| is_part).map(LevelPart),
            shape: u32::try_from(collider.user_data).unwrap_or(0),
            triangle: (collider.shape().shape_type() == ShapeType::TriMesh).then_some(hit.subshape),
        })
    }
}
