//! Rays and boxes through the world.

use glam::Vec3;
use rapier3d::parry::query::{ShapeCastOptions, ShapeCastStatus};
use rapier3d::parry::shape::Cuboid;
use rapier3d::prelude::{Collider, ColliderHandle, Pose, QueryFilter, Ray, RigidBodyHandle, ShapeType};

use super::mesh::FARTHEST;
use super::{Layers, LevelPart, Owner, Physics};

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
    /// What of this crate's it is; `None` for the host's own.
    pub owner: Option<Owner>,
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
        let triangle = (collider.shape().shape_type() == ShapeType::TriMesh).then_some(hit.subshape);
        Some(self.hit(handle, collider, fraction, start + ray.dir * fraction, hit.normal, triangle))
    }

    /// As [`trace_where`](Self::trace_where) with a box instead of a point, its corners `mins` and `maxs` relative to the
    /// place that moves, as Quake's hulls: [`TraceHit::point`] is where that place got. Triangles are not told.
    ///
    /// A box that starts in something solid hits it at once, without a normal. One without a size is a line; one whose
    /// corners are more than a million units away, farther than any level, hits nothing.
    pub fn trace_box_where(
        &self,
        start: Vec3,
        end: Vec3,
        (mins, maxs): (Vec3, Vec3),
        kinds: Layers,
        hits: &dyn Fn(ColliderHandle, &Collider) -> bool,
    ) -> Option<TraceHit> {
        let (half, centre) = ((maxs - mins) * 0.5, (mins + maxs) * 0.5);
        if half == Vec3::ZERO {
            return self
                .trace_where(start + centre, end + centre, kinds, hits)
                .map(|hit| TraceHit { point: hit.point - centre, ..hit });
        }
        let along = end - start;
        // parry panics at boxes of which the squares overflow.
        let near = mins.abs().max(maxs.abs()).max_element() <= FARTHEST && mins.is_finite() && maxs.is_finite();
        if !(start.is_finite() && along.is_finite() && near && half.min_element() >= 0.0) {
            return None;
        }
        let filter =
            QueryFilter { groups: Some(kinds.query_groups()), predicate: Some(hits), ..QueryFilter::default() };
        let options = ShapeCastOptions { max_time_of_impact: 1.0, ..ShapeCastOptions::default() };
        let place = Pose::from_translation(start + centre);
        let shape = Cuboid::new(half);
        let (handle, hit) = self.world.cast_shape(&place, along, &shape, options, filter)?;
        let collider = self.world.colliders.get(handle)?;
        let inside = hit.status == ShapeCastStatus::PenetratingOrWithinTargetDist;
        let fraction = if inside { 0.0 } else { hit.time_of_impact.clamp(0.0, 1.0) };
        let normal = if inside { Vec3::ZERO } else { hit.normal1 };
        Some(self.hit(handle, collider, fraction, start + along * fraction, normal, None))
    }

    fn hit(
        &self,
        handle: ColliderHandle,
        collider: &Collider,
        fraction: f32,
        point: Vec3,
        normal: Vec3,
        triangle: Option<u32>,
    ) -> TraceHit {
        let owner = Owner::of(collider.user_data);
        let body = collider.parent();
        let shape = match owner {
            Some(Owner::Level { shape }) => Some(shape),
            _ => None,
        };
        TraceHit {
            fraction,
            point,
            normal: normal.normalize_or_zero(),
            collider: handle,
            body,
            owner,
            part: body.filter(|_| shape.is_some()).map(LevelPart),
            shape: shape.unwrap_or(0),
            triangle,
        }
    }
}
