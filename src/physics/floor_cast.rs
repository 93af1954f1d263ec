//! Sweeps of fast convex bodies against floors, which are half-spaces.
//!
//! parry has no such sweep, so that rapier's continuous collision detection would let bodies pass. A world that the
//! host lends keeps the queries of its own narrow phase.

use glam::Vec3;
use rapier3d::math::{Pose, Real};
use rapier3d::parry::query::details::NormalConstraints;
use rapier3d::parry::query::{
    ClosestPoints, Contact, ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, NonlinearRigidMotion,
    PersistentQueryDispatcher, QueryDispatcher, ShapeCastHit, ShapeCastOptions, ShapeCastStatus, ShapeDistance,
    ShapeIntersection, Unsupported,
};
use rapier3d::parry::shape::{HalfSpace, Shape, TypedShape};
use rapier3d::prelude::NarrowPhase;

use super::PhysicsSettings;
use super::tuning::{FLOOR_DEPTH, LENGTH_UNIT, MAX_SWEEP_STEPS};

/// Queries of parry, and sweeps against half-spaces.
#[derive(Clone, Copy)]
struct Queries {
    /// Depth in a floor at which the motion of a step ends, units.
    depth: f32,
}

/// Gives a narrow phase the sweeps against floors.
pub(super) fn sweep_against_floors(narrow_phase: &mut NarrowPhase, settings: &PhysicsSettings) {
    narrow_phase.set_query_dispatcher(Queries { depth: FLOOR_DEPTH * settings.length_unit / LENGTH_UNIT });
}

/// Returns the first time from `start` to `end` at which a moving shape is `depth` deep in a floor.
fn time_of_depth(
    (shape, motion): (&dyn Shape, &NonlinearRigidMotion),
    (floor, pose): (&HalfSpace, Pose),
    [start, end]: [Real; 2],
    depth: f32,
) -> Option<Real> {
    let support = shape.as_support_map()?;
    let normal: Vec3 = pose.rotation * floor.normal;
    let left = |time: Real| {
        let lowest = support.support_point(&motion.position_at_time(time), -normal);
        (lowest - pose.translation).dot(normal) + depth
    };
    let ball = shape.compute_local_bounding_sphere();
    let radius = (ball.center - motion.local_center).length() + ball.radius;
    // No point of the shape comes nearer by more in a second. A turn about the normal brings none nearer.
    let fastest = (-motion.linvel.dot(normal)).max(0.0) + motion.angvel.cross(normal).length() * radius;
    let mut time = start;
    for _ in 0..MAX_SWEEP_STEPS {
        let left = left(time);
        if left <= 0.02 * depth {
            return Some(time);
        }
        time += left / fastest;
        // The time of a shape that does not move is infinite or not a number.
        if time.is_nan() || time >= end {
            return None;
        }
    }
    // A shape that rolls comes hardly nearer than it is.
    (left(end) <= 0.0).then_some(time)
}

/// Methods with the results of parry.
macro_rules! of_parry {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        fn $name(&self, $($argument: $type),*) -> Result<$result, Unsupported> {
            DefaultQueryDispatcher.$name($($argument),*)
        }
    )*};
}

impl QueryDispatcher for Queries {
    fn cast_shapes_nonlinear(
        &self,
        motion1: &NonlinearRigidMotion,
        shape1: &dyn Shape,
        motion2: &NonlinearRigidMotion,
        shape2: &dyn Shape,
        start: Real,
        end: Real,
        stop_at_penetration: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        // rapier names the fast shape first. Floors do not move.
        let TypedShape::HalfSpace(floor) = shape2.as_typed_shape() else {
            let parry = DefaultQueryDispatcher;
            return parry.cast_shapes_nonlinear(motion1, shape1, motion2, shape2, start, end, stop_at_penetration);
        };
        let (pose, depth) = (motion2.position_at_time(start), if stop_at_penetration { 0.0 } else { self.depth });
        let time = time_of_depth((shape1, motion1), (floor, pose), [start, end], depth);
        Ok(time.map(|time_of_impact| ShapeCastHit {
            time_of_impact,
            witness1: Vec3::ZERO,
            witness2: Vec3::ZERO,
            normal1: -floor.normal,
            normal2: floor.normal,
            status: ShapeCastStatus::Converged,
            subshape1: 0,
            subshape2: 0,
        }))
    }

    of_parry! {
        intersection_test(pose: &Pose, a: &dyn Shape, b: &dyn Shape) -> ShapeIntersection;
        distance(pose: &Pose, a: &dyn Shape, b: &dyn Shape) -> ShapeDistance;
        contact(pose: &Pose, a: &dyn Shape, b: &dyn Shape, prediction: Real) -> Option<Contact>;
        closest_points(pose: &Pose, a: &dyn Shape, b: &dyn Shape, farthest: Real) -> ClosestPoints;
        cast_shapes(pose: &Pose, velocity: Vec3, a: &dyn Shape, b: &dyn Shape, options: ShapeCastOptions)
            -> Option<ShapeCastHit>;
    }
}

impl<M: Default + Clone + Send + Sync, C: Default + Copy + Send + Sync> PersistentQueryDispatcher<M, C> for Queries {
    of_parry! {
        contact_manifolds(
            pose: &Pose, a: &dyn Shape, b: &dyn Shape, prediction: Real,
            manifolds: &mut Vec<ContactManifold<M, C>>, workspace: &mut Option<ContactManifoldsWorkspace>
        ) -> ();
        contact_manifold_convex_convex(
            pose: &Pose, a: &dyn Shape, b: &dyn Shape,
            normals_a: Option<&dyn NormalConstraints>, normals_b: Option<&dyn NormalConstraints>,
            prediction: Real, manifold: &mut ContactManifold<M, C>
        ) -> ();
    }
}
