//! Bodies that a fast kinematic body would pass through in one step.

use glam::Vec3;
use rapier3d::parry::query::{ShapeCastOptions, ShapeCastStatus, cast_shapes};
use rapier3d::prelude::{Aabb, ColliderHandle, Pose, QueryFilter, QueryFilterFlags, RigidBodyHandle};

use super::Physics;
use super::tuning::SLOW_MOTION;

/// Body near a fast kinematic body.
struct Near {
    body: RigidBodyHandle,
    /// Change of its velocity that keeps it ahead of the kinematic body, units/s.
    change: Vec3,
    /// Collider of the kinematic body, and the point where it hits the body, world space.
    collider: ColliderHandle,
    point: Vec3,
}

impl Physics {
    /// Gives the velocity of a kinematic body to the bodies that it is about to hit on its way to `target`, as a
    /// contact would. Returns the bodies to pass to [`resume_ccd`](Self::resume_ccd) after the step.
    ///
    /// rapier finds contacts from the poses before a step, and continuous collision detection stops the bodies, not the
    /// kinematic body that hits them: one that moves several units in a step would end up past a limb. Continuous
    /// collision detection would hold the bodies near it back, so it is disabled for them during the step.
    pub(super) fn sweep(&mut self, moving: RigidBodyHandle, target: &Pose) -> Vec<RigidBodyHandle> {
        let mut ccd_suspended = Vec::new();
        let start = self.world.bodies.get(moving).map_or(target.translation, |built| built.position().translation);
        let way = start.distance(target.translation);
        for Near { body: handle, change, collider, point } in self.near(moving, target) {
            if change != Vec3::ZERO && self.is_caught(handle, way) {
                self.pass_through(handle);
                continue;
            }
            self.note_hit(handle, collider, point, change);
            let Some(body) = self.world.bodies.get_mut(handle) else { continue };
            if body.is_ccd_enabled() {
                body.enable_ccd(false);
                ccd_suspended.push(handle);
            }
            if change != Vec3::ZERO {
                let velocity = body.linvel() + change;
                body.set_linvel(velocity, true);
            }
        }
        ccd_suspended
    }

    /// Enables continuous collision detection again for bodies that [`sweep`](Self::sweep) changed for a step.
    pub(super) fn resume_ccd(&mut self, bodies: Vec<RigidBodyHandle>) {
        for handle in bodies {
            if let Some(body) = self.world.bodies.get_mut(handle) {
                body.enable_ccd(true);
            }
        }
    }

    fn near(&self, moving: RigidBodyHandle, target: &Pose) -> Vec<Near> {
        let mut near: Vec<Near> = Vec::new();
        let Some(moving) = self.world.bodies.get(moving) else { return near };
        let step = self.step_time();
        let from = *moving.position();
        let options =
            ShapeCastOptions { max_time_of_impact: step, stop_at_penetration: false, ..ShapeCastOptions::default() };
        for &handle in moving.colliders() {
            let Some(collider) = self.world.colliders.get(handle).filter(|collider| collider.is_enabled()) else {
                continue;
            };
            let [start, end] = [from, *target].map(|pose| collider.shape().compute_aabb(&pose));
            let reach = farthest_corner(&start, &end);
            if reach < SLOW_MOTION * self.scale() {
                continue;
            }
            let filter = QueryFilter {
                flags: QueryFilterFlags::EXCLUDE_FIXED | QueryFilterFlags::EXCLUDE_KINEMATIC,
                groups: Some(collider.collision_groups()),
                ..QueryFilter::default()
            };
            let bounds =
                Aabb::new(start.mins.min(end.mins) - Vec3::splat(reach), start.maxs.max(end.maxs) + Vec3::splat(reach));
            for (_, other) in self.world.intersect_aabb_conservative(bounds, filter) {
                let Some(parent) = other.parent() else { continue };
                let Some(body) = self.world.bodies.get(parent).filter(|body| body.is_dynamic()) else { continue };
                // Contacts that are not solved move nothing.
                if !collider.solver_groups().test(other.solver_groups()) {
                    continue;
                }
                let place = other.position().translation;
                let velocity = (*target * (from.inverse() * place) - place) / step;
                let hit = cast_shapes(
                    &from,
                    velocity,
                    collider.shape(),
                    other.position(),
                    body.linvel(),
                    other.shape(),
                    options,
                );
                // A body in contact is moved by the contact.
                let hit = hit.ok().flatten().filter(|hit| hit.status != ShapeCastStatus::PenetratingOrWithinTargetDist);
                let normal = hit.map_or(Vec3::ZERO, |hit| from.rotation * hit.normal1);
                let change = normal * (velocity - body.linvel()).dot(normal).max(0.0);
                let change = if change.is_finite() { change } else { Vec3::ZERO };
                let point = hit.map_or(Vec3::ZERO, |hit| from * hit.witness1 + velocity * hit.time_of_impact);
                near.push(Near { body: parent, change, collider: handle, point });
            }
        }
        near
    }
}

/// Returns the greatest distance that a corner of the box moves.
fn farthest_corner(from: &Aabb, to: &Aabb) -> f32 {
    (to.mins - from.mins).length().max((to.maxs - from.maxs).length())
}
