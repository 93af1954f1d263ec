//! Control of joints over time: easing in, disabling and catching again.

use rapier3d::prelude::{Group, InteractionGroups, InteractionTestMode, Pose};
use skelobj_model::internal::acosf;

use super::stability::Attachment;
use super::tuning::{CATCH_SOFTNESS, JOINT_SOFTNESS, MAX_EASING_SPEED, MAX_EASING_SPIN, MIN_EASING_TIME};
use super::{Ragdoll, rapier_joint, rapier_joint::JointDefinition};
use crate::physics::{Physics, interpolated};

impl Ragdoll {
    /// Enables or disables a joint. Returns `true` if the joint exists.
    /// [`Command::EnableJoint`](super::Command::EnableJoint) states what becomes of the bodies.
    pub(crate) fn enable_joint(&mut self, name: impl AsRef<[u8]>, enabled: bool, physics: &mut Physics) -> bool {
        let Some(number) = self.doll.find_joint(name) else { return false };
        if self.state.joints[number].attachment.is_enabled() == enabled {
            return true;
        }
        let gap = self.gap(number, physics);
        if enabled {
            self.start_turn_easing(number, physics);
            self.drop_contacts(self.state.joints[number].body1, physics);
        }
        let joint = &mut self.state.joints[number];
        joint.attachment = Attachment::switched(enabled, gap / self.state.size);
        (joint.friction_torque, joint.soft_stops) = Default::default();
        joint.contacts_enabled = false;
        let softness = if joint.attachment == Attachment::Catching { CATCH_SOFTNESS } else { JOINT_SOFTNESS };
        if let Some(built) = physics.joint_mut(joint.handle) {
            built.data.set_contacts_enabled(false);
            built.data.softness = softness;
        }
        physics.wake_joint(self.state.joints[number].handle);
        self.update_enabled(number, physics);
        self.drop_severed(physics);
        self.plan_gap_fixes();
        true
    }

    /// Enables a joint in rapier only where it can move something: between bodies that the animation holds, rapier
    /// would solve it at full cost, to no effect.
    pub(super) fn update_enabled(&mut self, number: usize, physics: &mut Physics) {
        let is_solved = self.state.joints[number].attachment.is_enabled() && !self.is_idle(&self.state.joints[number]);
        let joint = &mut self.state.joints[number];
        if !is_solved {
            // The friction torque belongs to a pose that the joint leaves.
            (joint.friction_torque, joint.soft_stops) = Default::default();
        }
        let built = physics.world().impulse_joints.get(joint.handle);
        if built.is_some_and(|built| built.data.is_enabled() != is_solved)
            && let Some(built) = physics.joint_mut(joint.handle)
        {
            built.data.set_enabled(is_solved);
            physics.wake_joint(joint.handle);
        }
    }

    /// Prepares all joints for a step.
    pub(super) fn prepare_joints(&mut self, physics: &mut Physics) {
        let step = physics.step_time();
        for number in 0..self.state.joints.len() {
            if self.state.joints[number].easing_left > 0.0 {
                self.state.joints[number].ease(&self.derived.definitions[number], step, physics);
            }
            if self.state.joints[number].attachment == Attachment::Catching {
                let attachment = Attachment::Catching.before_step(self.gap(number, physics) / self.state.size);
                let joint = &mut self.state.joints[number];
                joint.attachment = attachment;
                // The joint pulls too slowly to keep its bodies awake.
                physics.wake_joint(joint.handle);
                if attachment == Attachment::Firm {
                    if let Some(built) = physics.joint_mut(joint.handle) {
                        built.data.softness = JOINT_SOFTNESS;
                    }
                    self.plan_gap_fixes();
                }
            }
            if self.state.joints[number].attachment == Attachment::Severed
                && !self.state.joints[number].contacts_enabled
            {
                self.enable_contacts_once_apart(number, physics);
            }
        }
    }

    fn enable_contacts_once_apart(&mut self, number: usize, physics: &mut Physics) {
        let joint = &self.state.joints[number];
        let Some(body2) = joint.body2 else { return };
        if self.bodies_overlap(joint.body1, body2, physics) {
            return;
        }
        let joint = &mut self.state.joints[number];
        joint.contacts_enabled = true;
        if let Some(built) = physics.joint_mut(joint.handle) {
            built.data.set_contacts_enabled(true);
        }
        physics.wake_joint(self.state.joints[number].handle);
    }

    /// Drops the contacts of a body. rapier keeps the contacts of bodies that hardly move, without testing their joints
    /// again, until a collider changes.
    fn drop_contacts(&self, body: usize, physics: &mut Physics) {
        let nothing = InteractionGroups::new(Group::NONE, Group::NONE, InteractionTestMode::And);
        let world = physics.world_mut();
        let Some(built) = world.bodies.get(self.state.bodies[body].handle) else { return };
        for handle in built.colliders() {
            if let Some(collider) = world.colliders.get_mut(*handle) {
                let groups = collider.collision_groups();
                collider.set_collision_groups(nothing);
                collider.set_collision_groups(groups);
            }
        }
    }

    pub(super) fn gap(&self, number: usize, physics: &Physics) -> f32 {
        let [at1, at2] = self.joint_frames(&self.state.joints[number], physics);
        at1.translation.distance(at2.translation)
    }

    /// Starts a joint with the relative rotation of its bodies, and takes back the part that it does not allow over
    /// [`MIN_EASING_TIME`].
    fn start_turn_easing(&mut self, number: usize, physics: &mut Physics) {
        self.state.joints[number].easing_left = 0.0;
        let [at1, at2] = self.joint_frames(&self.state.joints[number], physics);
        let relative = Pose::from_rotation((at1.inverse() * at2).rotation);
        let allowed = rapier_joint::nearest_allowed(&self.doll.joints[number], self.state.scale, &relative);
        let speed = MAX_EASING_SPEED * self.speed_scale(physics);
        let joint = &mut self.state.joints[number];
        joint.start_easing(Pose::from_rotation((relative * allowed.inverse()).rotation), speed);
        joint.ease(&self.derived.definitions[number], 0.0, physics);
    }
}

impl super::RagJoint {
    /// Begins to take back a violation, no faster than a long limb may move, and a slider at `speed`, units/s.
    pub(super) fn start_easing(&mut self, violation: Pose, speed: f32) {
        let angle = 2.0 * acosf(violation.rotation.w.abs().min(1.0));
        self.easing_time = MIN_EASING_TIME.max(angle / MAX_EASING_SPIN).max(violation.translation.length() / speed);
        self.easing_left = self.easing_time;
        self.violation = violation;
    }

    /// Returns the remaining part of the first pose's violation.
    pub(super) fn violation_left(&self) -> Pose {
        let left = (self.easing_left / self.easing_time).clamp(0.0, 1.0);
        interpolated(&Pose::IDENTITY, &self.violation, left)
    }

    /// Returns the joint's current frame on body 1.
    pub(super) fn frame1(&self) -> Pose {
        if self.easing_left > 0.0 { self.frames[0] * self.violation_left() } else { self.frames[0] }
    }

    /// Moves the frame on body 1 closer to its place.
    pub(super) fn ease(&mut self, definition: &JointDefinition, step: f32, physics: &mut Physics) {
        self.easing_left -= step;
        let frame = self.frame1();
        if let Some(built) = physics.joint_mut(self.handle) {
            // The rotation of a cone's frame follows its limits.
            built.data.local_frame1.translation = frame.translation;
            if definition.cone.is_none() {
                built.data.local_frame1.rotation = frame.rotation;
            }
        }
        // The frame moves too slowly to keep the bodies awake.
        if step > 0.0 {
            physics.wake_joint(self.handle);
        }
    }
}
