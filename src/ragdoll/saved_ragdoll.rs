//! State of ragdolls in snapshots.

use std::sync::Arc;

use rapier3d::prelude::Pose;

use super::drive_mode::strength_of;
use super::soft_stop::SoftStop;
use super::tuning::ENTITY_SCALES;
use super::{Derived, RagBody, RagJoint, Ragdoll, Scratch, State, size};
use crate::doll::Doll;
use crate::physics::STEP_TIMES;

impl Ragdoll {
    pub(crate) fn save(&self) -> State {
        self.state.clone()
    }
}

impl State {
    /// Returns `true` if the state fits this doll on a model with this number of bones.
    pub(crate) fn is_sound(&self, doll: &Doll, bones: usize) -> bool {
        let (bodies, joints) = (self.bodies.len(), self.joints.len());
        let is_body = |number: usize| number < bodies;
        (bodies, joints) == (doll.bodies.len(), doll.joints.len())
            && (1..=Ragdoll::MAX_BODIES).contains(&bodies)
            && joints <= Ragdoll::MAX_JOINTS
            && self.bodies.iter().all(|body| body.is_sound(bones, joints))
            && self.joints.iter().all(|joint| joint.is_sound(bodies))
            && self.relative_bones.len() == bones
            && self.relative_bones.iter().all(|bone| bone.is_finite())
            && self.sleep.is_sound()
            && self.gap_fixes.iter().all(|fix| fix.is_sound(joints, bodies))
            && self.step_forces.iter().all(|step_force| step_force.is_sound(bodies))
            && self.wall_recovery.is_sound(bodies)
            && self.quarantined.iter().all(|body| is_body(*body))
            && self.resets_reported <= self.resets
            && ENTITY_SCALES.contains(&self.scale)
            && size::is_sound(self.size)
            && STEP_TIMES.contains(&self.last_step)
    }

    /// Returns the ragdoll, for the world that was saved with it.
    pub(crate) fn restore(self, doll: Arc<Doll>, bones: usize) -> Ragdoll {
        let derived = Derived::new(&doll, &self.bodies, self.scale, bones);
        Ragdoll { doll, derived, state: self, scratch: Scratch::default() }
    }
}

impl RagBody {
    /// Returns `true` if the numbers are sound, on a model with this number of bones, with this number of joints.
    fn is_sound(&self, bones: usize, joints: usize) -> bool {
        self.bone < bones
            && is_frame(&self.placement.pose)
            && [&self.earlier_target, &self.last_target, &self.target].into_iter().all(is_frame)
            && [Some(self.strength), self.attached_strength].into_iter().flatten().all(|it| it == strength_of(it))
            && self.flinch.is_sound()
            && self.approach.is_none_or(|approach| approach.is_sound(joints))
            && self.ramp.is_none_or(|ramp| ramp.is_sound())
            && self.bone_return.is_none_or(|way| way.is_sound())
    }
}

impl RagJoint {
    /// Returns `true` if the numbers are sound and the bodies exist.
    fn is_sound(&self, bodies: usize) -> bool {
        self.body1 < bodies
            && self.body2.is_none_or(|body| body < bodies)
            && self.frames.iter().chain([&self.violation]).all(is_frame)
            && self.friction_torque.iter().all(|torque| torque.is_finite())
            && [self.easing_left, self.easing_time].iter().all(|time| time.is_finite())
            && self.soft_stops.iter().all(SoftStop::is_sound)
            && self.muscle.is_sound()
    }
}

/// Returns `true` for a rotation and a place of a joint's frame, of a body on its bone, or of a body's target.
fn is_frame(pose: &Pose) -> bool {
    // The squares of coordinates must be finite, too, and so must a target that moves along with a teleported entity.
    pose.translation.to_array().iter().all(|number| number.abs() <= 1e15)
        && (0.5..=2.0).contains(&pose.rotation.length_squared())
}

#[cfg(test)]
mod tests {
    use super::super::{bone_transfer::Link, step_force::StepForce};
    use super::*;
    use crate::math::Mat3x4;
    use crate::model::Model;
    use crate::object::{SkeletalObject, Space};
    use crate::physics::Physics;

    #[test]
    fn indexes_of_missing_parts_are_rejected() {
        let model = Model::load("mannequin.iqm", include_bytes!("../../dolls/mannequin.iqm"), |_| None).map(Arc::new);
        let model = model.expect("our own model");
        let bones = model.skeleton.len();
        let doll = Arc::new(Doll::parse_for(include_bytes!("../../dolls/mannequin.doll"), &model.skeleton).doll);
        let mut object = SkeletalObject::new(model.clone(), Space::Local);
        object.set_local_pose(model.skeleton.bind_local()).expect("our own bind pose");
        let mut physics = Physics::default();
        let ragdoll = Ragdoll::new(&doll, &object, &Mat3x4::IDENTITY, &mut physics);
        let mut ragdoll = ragdoll.expect("our own doll");
        ragdoll.set_strengths(0.0, None, &mut physics);
        let saved = ragdoll.save();
        assert!(saved.is_sound(&doll, bones) && !saved.gap_fixes.is_empty());
        let changes: [fn(&mut State); 25] = [
            |saved| saved.size = 0.0,
            |saved| saved.last_step = 0.0,
            |saved| saved.bodies[3].bone = 999,
            |saved| saved.joints[3].body1 = 16,
            |saved| saved.joints[3].body2 = Some(usize::MAX),
            |saved| saved.joints[3].frames[0].rotation.z = 2e38,
            |saved| saved.joints[3].violation.translation.x = f32::NAN,
            |saved| saved.joints[3].friction_torque[1] = f32::INFINITY,
            |saved| saved.bodies[3].strength = -1.0,
            |saved| saved.bodies[3].attached_strength = Some(f32::INFINITY),
            |saved| saved.bodies[3].placement.pose.rotation.x = 3.0,
            |saved| saved.bodies[3].placement.pose.translation.y = 1e38,
            |saved| saved.bodies[3].target.rotation = glam::Quat::from_xyzw(0.0, 0.0, 0.0, 0.1),
            |saved| saved.bodies[3].target.translation.x = f32::NAN,
            |saved| saved.bodies[3].earlier_target.translation.z = f32::MAX,
            |saved| saved.joints.truncate(3),
            |saved| saved.bodies.truncate(3),
            |saved| saved.bodies.clear(),
            |saved| saved.relative_bones.truncate(3),
            |saved| saved.relative_bones[3] = Mat3x4([f32::NAN; 12]),
            |saved| saved.gap_fixes.iter_mut().for_each(Link::derail),
            |saved| saved.resets_reported = 1,
            |saved| saved.quarantined.push(16),
            |saved| saved.step_forces.push(StepForce::on_body(16)),
            |saved| saved.wall_recovery.lose(16),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = saved.clone();
            change(&mut changed);
            assert!(!changed.is_sound(&doll, bones), "change {number}");
        }
        assert!(!saved.is_sound(&Doll::default(), bones) && !saved.is_sound(&doll, 3));
    }
}
