//! Shapes and poses of a ragdoll's bodies, for traces against the current and against recorded poses.

use std::sync::Arc;

use glam::Vec3;
use rapier3d::parry::shape::Shape;
use rapier3d::prelude::{Pose, Ray, SharedShape};

use super::{Ragdoll, body_shape};
use crate::physics::Physics;

/// First body that a line hits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct BodyHit {
    /// Fraction of the line: 0 at the start, 1 at the end.
    pub fraction: f32,
    /// Unit normal, world space; zero if the line starts inside.
    pub normal: Vec3,
    pub body: usize,
    pub bone: usize,
}

/// Shapes of a ragdoll's bodies, and the bodies that drive its bones.
#[derive(Debug)]
pub(crate) struct BodyShapes {
    /// Shape and bone of each body; a body without a collider has no shape.
    bodies: Vec<(Option<SharedShape>, usize)>,
    drivers: Vec<Option<usize>>,
}

impl BodyShapes {
    /// Returns the first body on the line from `start` to `end` at these poses of the shapes; all in world space.
    pub fn cast_line(&self, poses: &[Pose], start: Vec3, end: Vec3) -> Option<BodyHit> {
        debug_assert_eq!(poses.len(), self.bodies.len(), "every body has a pose");
        let bodies = self.bodies.iter().zip(poses);
        first_body(
            bodies.map(|((shape, bone), pose)| (*bone, shape.as_deref().map(|shape| (shape, *pose)))),
            start,
            end,
        )
    }

    /// Returns the body that drives a bone.
    pub fn bone_body(&self, bone: usize) -> Option<usize> {
        self.drivers.get(bone).copied().flatten()
    }

    /// Returns the number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Returns centers and radiuses of spheres around the shapes at these poses.
    pub fn spheres(&self, poses: &[Pose]) -> impl Iterator<Item = (Vec3, f32)> {
        debug_assert_eq!(poses.len(), self.bodies.len(), "every body has a pose");
        self.bodies.iter().zip(poses).filter_map(|((shape, _), pose)| {
            let sphere = shape.as_ref()?.compute_bounding_sphere(pose);
            Some((sphere.center, sphere.radius))
        })
    }
}

impl Ragdoll {
    /// Returns the first body on the line from `start` to `end`, world space, at the current poses of the bodies.
    pub(crate) fn cast_line(&self, start: Vec3, end: Vec3, physics: &Physics) -> Option<BodyHit> {
        let posed = self.posed_shapes(physics).map(|(bone, posed)| (bone, posed.map(|(shape, pose)| (&**shape, pose))));
        first_body(posed, start, end)
    }

    /// Returns the shapes of the bodies.
    pub(crate) fn body_shapes(&self, physics: &Physics) -> BodyShapes {
        let shapes = self.posed_shapes(physics).map(|(bone, posed)| (posed.map(|(shape, _)| shape.clone()), bone));
        BodyShapes { bodies: shapes.collect(), drivers: self.derived.drivers.clone() }
    }

    /// Returns `true` if these are the shapes of the bodies.
    pub(crate) fn has_shapes(&self, shapes: &BodyShapes, physics: &Physics) -> bool {
        let address = |shape: &SharedShape| Arc::as_ptr(&shape.0).cast::<()>();
        let own = self.posed_shapes(physics).map(|(bone, posed)| (posed.map(|(shape, _)| address(shape)), bone));
        let known = shapes.bodies.iter().map(|(shape, bone)| (shape.as_ref().map(address), *bone));
        self.derived.drivers == shapes.drivers && own.eq(known)
    }

    /// Returns the poses of the bodies' shapes in world space; the identity for a body without a shape.
    pub(crate) fn shape_poses<'a>(&'a self, physics: &'a Physics) -> impl Iterator<Item = Pose> + 'a {
        self.posed_shapes(physics).map(|(_, posed)| posed.map_or(Pose::IDENTITY, |(_, pose)| pose))
    }

    /// Returns the bone of each body, and its shape with its pose in world space.
    fn posed_shapes<'a>(
        &'a self,
        physics: &'a Physics,
    ) -> impl Iterator<Item = (usize, Option<(&'a SharedShape, Pose)>)> {
        self.state.bodies.iter().map(|body| {
            let collider = body_shape::collider_of(body, physics);
            let posed = collider.zip(physics.world().bodies.get(body.handle)).map(|(collider, built)| {
                (collider.shared_shape(), body_shape::collider_pose(built.position(), collider))
            });
            (body.bone, posed)
        })
    }
}

/// Returns the first of several bodies on a line; a body is its bone, and its shape with its pose.
fn first_body<'a>(
    bodies: impl Iterator<Item = (usize, Option<(&'a dyn Shape, Pose)>)>,
    start: Vec3,
    end: Vec3,
) -> Option<BodyHit> {
    let ray = Ray::new(start, end - start);
    let hits = bodies.enumerate().filter_map(|(body, (bone, posed))| {
        let (shape, pose) = posed?;
        let hit = shape.cast_ray_and_get_normal(&pose, &ray, 1.0, true)?;
        Some(BodyHit { fraction: hit.time_of_impact, normal: hit.normal.normalize_or_zero(), body, bone })
    });
    hits.min_by(|a, b| a.fraction.total_cmp(&b.fraction))
}
