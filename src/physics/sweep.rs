//! What fast movers would pass over in one step.

use glam::Vec3;
use rapier3d::parry::query::{ShapeCastOptions, ShapeCastStatus, cast_shapes};
use rapier3d::prelude::{Aabb, Pose, QueryFilter, QueryFilterFlags, RigidBodyHandle};

use super::{LevelPart, Physics};

/// Movers that go less than this in a step, Quake units, cannot pass a body: contacts stop it in time.
const SLOW: f32 = 0.5;

/// A body in a mover's way: by how much its velocity must change to leave it.
struct Swept {
    body: RigidBodyHandle,
    change: Vec3,
}

impl Physics {
    /// Gives bodies that a part is about to hit on its way to `target` its speed, as the hit would.
    ///
    /// Contacts are found where things are before a step, and continuous collision detection stops the bodies, not what
    /// hits them: a mover that goes several units in a step would end up past a limb.
    pub(super) fn sweep(&mut self, part: LevelPart, target: &Pose) {
        for Swept { body, change } in self.in_the_way(part, target) {
            if let Some(body) = self.world.bodies.get_mut(body) {
                let velocity = body.linvel() + change;
                body.set_linvel(velocity, true);
            }
        }
    }

    fn in_the_way(&self, part: LevelPart, target: &Pose) -> Vec<Swept> {
        let mut swept: Vec<Swept> = Vec::new();
        let Some(mover) = self.world.bodies.get(part.0) else { return swept };
        let step = self.settings.step;
        let from = *mover.position();
        let options = ShapeCastOptions {
            max_time_of_impact: step,
            stop_at_penetration: false,
            ..ShapeCastOptions::default()
        };
        for &handle in mover.colliders() {
            let Some(collider) = self.world.colliders.get(handle).filter(|collider| collider.is_enabled()) else { continue };
            let [start, end] = [from, *target].map(|pose| collider.shape().compute_aabb(&pose));
            let reach = farthest_corner(&start, &end);
            if reach < SLOW {
                continue;
            }
            let filter = QueryFilter {
                flags: QueryFilterFlags::EXCLUDE_FIXED | QueryFilterFlags::EXCLUDE_KINEMATIC,
                groups: Some(collider.collision_groups()),
                ..QueryFilter::default()
            };
            let bounds = Aabb::new(start.mins.min(end.mins) - Vec3::splat(reach), start.maxs.max(end.maxs) + Vec3::splat(reach));
            for (_, other) in self.world.intersect_aabb_conservative(bounds, filter) {
                let Some(parent) = other.parent() else { continue };
                let Some(body) = self.world.bodies.get(parent).filter(|body| body.is_dynamic()) else { continue };
                let place = other.position().translation;
                let velocity = (*target * (from.inverse() * place) - place) / step;
                let hit = cast_shapes(&from, velocity, collider.shape(), other.position(), body.linvel(), other.shape(), options);
                let Ok(Some(hit)) = hit else { continue };
                if hit.status == ShapeCastStatus::PenetratingOrWithinTargetDist {
                    continue;
                }
                let normal = from.rotation * hit.normal1;
                let missing = (velocity - body.linvel()).dot(normal);
                if missing > 0.0 && missing.is_finite() && normal.is_finite() {
                    swept.push(Swept { body: parent, change: normal * missing });
                }
            }
        }
        swept
    }
}

/// How far the corners of a box are apart, at most.
fn farthest_corner(from: &Aabb, to: &Aabb) -> f32 {
    (to.mins - from.mins).length().max((to.maxs - from.maxs).length())
}
