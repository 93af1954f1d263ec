//! Bodies and joints of a ragdoll in a snapshot, without values that follow from the doll or are mostly equal.

use rapier3d::prelude::{ImpulseJointHandle, Pose, RigidBodyHandle};
use serde::{Deserialize, Serialize};

use super::approach::{Approach, Ramp};
use super::{
    RagBody, RagJoint, body_shape::Placement, cone::Cone, flinch::Flinch, muscle::Muscle, rapier_joint,
    soft_stop::SoftStop, stability::Attachment,
};
use crate::doll::Joint;
use crate::math::Mat3x4;

/// State of a body; poses equal to the one that the animation gives now are omitted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedBody {
    handle: RigidBodyHandle,
    pub(super) bone: usize,
    placement: Placement,
    to_bone: Mat3x4,
    strength: f32,
    target: Pose,
    earlier_target: Option<Pose>,
    last_target: Option<Pose>,
    previous: Option<Pose>,
    step_start: Option<Pose>,
    approach: Option<Approach>,
    ramp: Option<Ramp>,
    is_joining: bool,
    flinch: Flinch,
}

impl SavedBody {
    pub(super) fn new(body: &RagBody) -> Self {
        let RagBody {
            handle,
            bone,
            placement,
            to_bone,
            strength,
            earlier_target,
            last_target,
            target,
            previous,
            step_start,
            approach,
            ramp,
            is_joining,
            flinch,
        } = *body;
        let unlike = |pose: Pose| (bits(&pose) != bits(&target)).then_some(pose);
        Self {
            handle,
            bone,
            placement,
            to_bone,
            strength,
            target,
            earlier_target: unlike(earlier_target),
            last_target: unlike(last_target),
            previous: unlike(previous),
            step_start: unlike(step_start),
            approach,
            ramp,
            is_joining,
            flinch,
        }
    }

    /// Returns `true` if the numbers are sound, on a model with this number of bones, with this number of joints.
    pub(super) fn is_sound(&self, bones: usize, joints: usize) -> bool {
        self.bone < bones
            && self.flinch.is_sound()
            && self.approach.is_none_or(|approach| approach.is_sound(joints))
            && self.ramp.is_none_or(|ramp| ramp.is_sound())
    }

    pub(super) fn restore(self) -> RagBody {
        let like = |pose: Option<Pose>| pose.unwrap_or(self.target);
        RagBody {
            handle: self.handle,
            bone: self.bone,
            placement: self.placement,
            to_bone: self.to_bone,
            strength: self.strength,
            earlier_target: like(self.earlier_target),
            last_target: like(self.last_target),
            target: self.target,
            previous: like(self.previous),
            step_start: like(self.step_start),
            approach: self.approach,
            ramp: self.ramp,
            is_joining: self.is_joining,
            flinch: self.flinch,
        }
    }
}

/// State of a joint without the values of its definition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedJoint {
    handle: ImpulseJointHandle,
    pub(super) body1: usize,
    pub(super) body2: Option<usize>,
    attachment: Attachment,
    contacts_enabled: bool,
    frame1: Pose,
    frame2: Pose,
    violation: Option<Pose>,
    easing_left: f32,
    easing_time: f32,
    friction_torque: [f32; 3],
    soft_stops: [SoftStop; 2],
    muscle: Muscle,
}

impl SavedJoint {
    pub(super) fn new(joint: &RagJoint) -> Self {
        let RagJoint {
            handle,
            body1,
            body2,
            attachment,
            ref definition,
            violation,
            easing_left,
            easing_time,
            friction_torque,
            soft_stops,
            cone: _,
            muscle,
        } = *joint;
        Self {
            handle,
            body1,
            body2,
            attachment,
            contacts_enabled: definition.contacts_enabled,
            frame1: definition.local_frame1,
            frame2: definition.local_frame2,
            violation: (bits(&violation) != bits(&Pose::IDENTITY)).then_some(violation),
            easing_left,
            easing_time,
            friction_torque,
            soft_stops,
            muscle,
        }
    }

    /// Returns `true` if the numbers are sound and the bodies exist.
    pub(super) fn is_sound(&self, bodies: usize) -> bool {
        self.body1 < bodies
            && self.body2.is_none_or(|body| body < bodies)
            && [self.easing_left, self.easing_time].iter().all(|time| time.is_finite())
            && self.soft_stops.iter().all(SoftStop::is_sound)
            && self.muscle.is_sound()
    }

    /// Returns the joint of this definition, at the scale of its ragdoll.
    pub(super) fn restore(self, doll_joint: &Joint, scale: f32) -> RagJoint {
        let mut definition = rapier_joint::build(doll_joint, scale, self.frame1, self.frame2);
        definition.set_contacts_enabled(self.contacts_enabled);
        definition.set_enabled(self.attachment.is_enabled());
        RagJoint {
            handle: self.handle,
            body1: self.body1,
            body2: self.body2,
            attachment: self.attachment,
            definition,
            violation: self.violation.unwrap_or(Pose::IDENTITY),
            easing_left: self.easing_left,
            easing_time: self.easing_time,
            friction_torque: self.friction_torque,
            soft_stops: self.soft_stops,
            cone: Cone::of(doll_joint).map(Box::new),
            muscle: self.muscle,
        }
    }
}

fn bits(pose: &Pose) -> ([u32; 3], [u32; 4]) {
    (pose.translation.to_array().map(f32::to_bits), pose.rotation.to_array().map(f32::to_bits))
}
