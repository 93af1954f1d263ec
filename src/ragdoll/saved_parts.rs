//! Bodies and joints of a ragdoll in a snapshot, without values that follow from the doll or are mostly equal.

use rapier3d::prelude::{ImpulseJointHandle, Pose, RigidBodyHandle};
use serde::{Deserialize, Serialize};

use super::approach::{Approach, Ramp};
use super::{
    RagBody, RagJoint, body_shape::Place, cone::Cone, flinch::Flinch, muscle::Muscle, rapier_joint,
    soft_stop::SoftStop, stability::Hold,
};
use crate::doll::Joint;
use crate::math::Mat3x4;

/// State of a body; poses equal to the one that the animation gives now are omitted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedBody {
    handle: RigidBodyHandle,
    pub(super) bone: usize,
    place: Place,
    to_bone: Mat3x4,
    strength: f32,
    to: Pose,
    before: Option<Pose>,
    from: Option<Pose>,
    previous: Option<Pose>,
    step_start: Option<Pose>,
    approach: Option<Approach>,
    ramp: Option<Ramp>,
    joining: bool,
    flinch: Flinch,
}

impl SavedBody {
    pub(super) fn new(body: &RagBody) -> Self {
        let RagBody {
            handle,
            bone,
            place,
            to_bone,
            strength,
            before,
            from,
            to,
            previous,
            step_start,
            approach,
            ramp,
            joining,
            flinch,
        } = *body;
        let unlike = |pose: Pose| (bits(&pose) != bits(&to)).then_some(pose);
        Self {
            handle,
            bone,
            place,
            to_bone,
            strength,
            to,
            before: unlike(before),
            from: unlike(from),
            previous: unlike(previous),
            step_start: unlike(step_start),
            approach,
            ramp,
            joining,
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
        let like = |pose: Option<Pose>| pose.unwrap_or(self.to);
        RagBody {
            handle: self.handle,
            bone: self.bone,
            place: self.place,
            to_bone: self.to_bone,
            strength: self.strength,
            before: like(self.before),
            from: like(self.from),
            to: self.to,
            previous: like(self.previous),
            step_start: like(self.step_start),
            approach: self.approach,
            ramp: self.ramp,
            joining: self.joining,
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
    hold: Hold,
    contacts_enabled: bool,
    frame1: Pose,
    frame2: Pose,
    violation: Option<Pose>,
    easing: f32,
    easing_time: f32,
    held: [f32; 3],
    soft: [SoftStop; 2],
    muscle: Muscle,
}

impl SavedJoint {
    pub(super) fn new(joint: &RagJoint) -> Self {
        let RagJoint {
            handle,
            body1,
            body2,
            hold,
            ref rest,
            violation,
            easing,
            easing_time,
            held,
            soft,
            cone: _,
            muscle,
        } = *joint;
        Self {
            handle,
            body1,
            body2,
            hold,
            contacts_enabled: rest.contacts_enabled,
            frame1: rest.local_frame1,
            frame2: rest.local_frame2,
            violation: (bits(&violation) != bits(&Pose::IDENTITY)).then_some(violation),
            easing,
            easing_time,
            held,
            soft,
            muscle,
        }
    }

    /// Returns `true` if the numbers are sound and the bodies exist.
    pub(super) fn is_sound(&self, bodies: usize) -> bool {
        self.body1 < bodies
            && self.body2.is_none_or(|body| body < bodies)
            && [self.easing, self.easing_time].iter().all(|time| time.is_finite())
            && self.soft.iter().all(SoftStop::is_sound)
            && self.muscle.is_sound()
    }

    /// Returns the joint of this definition, at the scale of its ragdoll.
    pub(super) fn restore(self, definition: &Joint, scale: f32) -> RagJoint {
        let mut rest = rapier_joint::build(definition, scale, self.frame1, self.frame2);
        rest.set_contacts_enabled(self.contacts_enabled);
        rest.set_enabled(self.hold.is_enabled());
        RagJoint {
            handle: self.handle,
            body1: self.body1,
            body2: self.body2,
            hold: self.hold,
            rest,
            violation: self.violation.unwrap_or(Pose::IDENTITY),
            easing: self.easing,
            easing_time: self.easing_time,
            held: self.held,
            soft: self.soft,
            cone: Cone::of(definition).map(Box::new),
            muscle: self.muscle,
        }
    }
}

fn bits(pose: &Pose) -> ([u32; 3], [u32; 4]) {
    (pose.translation.to_array().map(f32::to_bits), pose.rotation.to_array().map(f32::to_bits))
}
