//! Bones where the bodies are, for traces.

#[cfg(feature = "qc")]
use glam::Vec3;

use super::Ragdoll;
#[cfg(feature = "qc")]
use super::body_shape;
#[cfg(feature = "qc")]
use super::tuning::SKIN_MARGIN;
use crate::math::Mat3x4;
use crate::object::SkeletalObject;
use crate::physics::Physics;

impl Ragdoll {
    /// Appends the bones in world space at the current poses of the bodies. Bones without bodies have the matrix of the
    /// ragdoll's object, relative to their parents.
    pub(crate) fn write_world_bones(&self, object: &SkeletalObject, physics: &Physics, out: &mut Vec<Mat3x4>) {
        let skeleton = &object.model().skeleton;
        let first = out.len();
        for (bone, driver) in self.derived.drivers.iter().enumerate() {
            let body = driver.and_then(|body| Some((body, self.state.bodies.get(body)?)));
            let at = body.and_then(|(number, body)| {
                let at = physics.world().bodies.get(body.handle)?.position();
                let matrix = Mat3x4::from_rotation_translation(at.rotation, at.translation);
                Some(matrix * self.shown_to_bone(number, physics))
            });
            let parent = || {
                let parent = skeleton.parent(bone).and_then(|parent| out.get(first + parent));
                *parent.unwrap_or(self.state.entity_motion.entity())
            };
            let relative = || object.local_space(bone).unwrap_or(Mat3x4::IDENTITY);
            let matrix = at.unwrap_or_else(|| parent() * relative());
            out.push(matrix);
        }
    }

    /// Returns the length of a unit of the model, world units, as of the last update.
    pub(crate) fn unit(&self) -> f32 {
        self.state.entity_motion.entity().forward().length()
    }

    /// Returns the lowest and highest corner of a box around all bodies and the skin on them, world space; `None`
    /// without bodies.
    #[cfg(feature = "qc")]
    pub(crate) fn bounds(&self, physics: &Physics) -> Option<[Vec3; 2]> {
        let boxes = self.state.bodies.iter().filter_map(|body| {
            let collider = body_shape::collider_of(body, physics)?;
            let at = body_shape::collider_pose(physics.world().bodies.get(body.handle)?.position(), collider);
            let around = collider.shape().compute_aabb(&at);
            Some([around.mins, around.maxs])
        });
        let [low, high] = boxes.reduce(|[low, high], [mins, maxs]| [low.min(mins), high.max(maxs)])?;
        let margin = Vec3::splat((high - low).max_element() * SKIN_MARGIN);
        Some([low - margin, high + margin])
    }
}
