//! Insertion of a doll's bodies and joints into the world.

use std::collections::HashSet;
use std::sync::Arc;

use glam::Vec3;
use rapier3d::prelude::{GenericJoint, JointAxesMask, Pose, RigidBodyBuilder};
use skelobj_model::internal;

use super::stability::Attachment;
use super::tuning::{EASING_DISTANCE, MAX_EASING_SPEED, MAX_OVERLAP_FILTERS, MIN_EASING_TIME};
use super::{RagBody, RagJoint, Ragdoll, RagdollError, body_shape, muscle::Muscle, rapier_joint};
use crate::doll::{Doll, Joint};
use crate::math::Mat3x4;
use crate::model::{Model, Name};
use crate::object::SkeletalObject;
use crate::physics::Physics;

impl Ragdoll {
    pub(super) fn insert_bodies(&mut self, physics: &mut Physics) {
        debug_assert_eq!(self.state.bodies.len(), self.doll.bodies.len(), "every body of the doll has one of rapier");
        let speed_scale = self.speed_scale(physics);
        for (body, doll_body) in self.state.bodies.iter_mut().zip(&self.doll.bodies) {
            let mut built = physics.body_builder(speed_scale).pose(body.target).build();
            built.activation_mut().normalized_linear_threshold = physics.normalized_sleep_speed();
            built.set_body_type(body.body_type(), true);
            body.handle =
                physics.insert_doll_body(built, body_shape::collider(doll_body, self.state.scale, self.state.size));
        }
    }

    pub(super) fn insert_joints(
        &mut self,
        model: &Model,
        reference: &[Mat3x4],
        entity: &Mat3x4,
        physics: &mut Physics,
    ) {
        let doll = self.doll.clone();
        for doll_joint in &doll.joints {
            let (body1, body2) = (doll_joint.body1, doll_joint.body2);
            let frame = rapier_joint::frame(doll_joint, anchor(doll_joint, &doll, model, reference));
            let scale = self.state.scale;
            let in_body = |body: &RagBody| {
                let mut frame = body.placement.on(&reference[body.bone]).inverse() * frame;
                frame.translation *= scale;
                frame
            };
            let frame1 = in_body(&self.state.bodies[body1]);
            let (handle2, frame2) = match body2 {
                Some(body2) => (self.state.bodies[body2].handle, in_body(&self.state.bodies[body2])),
                // The world holds the body in its place, its axes turned as the entity turns the reference pose.
                None => {
                    let anchor = self.state.bodies[body1].target * frame1;
                    let world = *self
                        .state
                        .world_anchor
                        .get_or_insert_with(|| physics.world_mut().insert_body(RigidBodyBuilder::fixed()));
                    (world, Pose::from_parts(anchor.translation, entity.rotation() * frame.rotation))
                }
            };
            let frames = [frame1, frame2];
            let built = rapier_joint::build(doll_joint, self.state.scale, frames);
            let handle = physics.insert_joint(self.state.bodies[body1].handle, handle2, built);
            let attachment = if doll_joint.enabled { Attachment::Firm } else { Attachment::Severed };
            self.state.joints.push(RagJoint {
                handle,
                body1,
                body2,
                attachment,
                contacts_enabled: built.contacts_enabled,
                frames,
                violation: Pose::IDENTITY,
                easing_left: 0.0,
                easing_time: MIN_EASING_TIME,
                friction_torque: [0.0; 3],
                soft_stops: Default::default(),
                muscle: Muscle::default(),
            });
            self.aim_muscle_at_bodies(self.state.joints.len() - 1);
            self.fit_joint(self.state.joints.len() - 1, physics);
            self.update_enabled(self.state.joints.len() - 1, physics);
        }
    }

    /// Fits a joint to the pose of its bodies, so that nothing jumps. Bones may be stretched, so the joint is anchored
    /// where the second body has it; other violations are taken back over [`MIN_EASING_TIME`].
    pub(super) fn fit_joint(&mut self, number: usize, physics: &mut Physics) {
        let doll_joint = &self.doll.joints[number];
        let (speed, tolerance) = (MAX_EASING_SPEED * self.speed_scale(physics), EASING_DISTANCE * self.state.size);
        let joint = &mut self.state.joints[number];
        let at1 = self.state.bodies[joint.body1].target;
        let at2 = joint.body2.map_or(Pose::IDENTITY, |body2| self.state.bodies[body2].target) * joint.frames[1];
        let mut relative = (at1 * joint.frames[0]).inverse() * at2;
        let stretch = if rapier_joint::holds_point(doll_joint.kind) {
            relative.translation
        } else {
            relative.translation.with_x(0.0)
        };
        joint.frames[0] *= Pose::from_translation(stretch);
        relative.translation -= stretch;
        let mut violation = relative * rapier_joint::nearest_allowed(doll_joint, self.state.scale, &relative).inverse();
        if violation.rotation.w < 0.0 {
            violation.rotation = -violation.rotation;
        }
        let allowed = violation.translation.length() < tolerance && violation.rotation.w > 0.999_999;
        joint.start_easing(violation, speed);
        if allowed {
            joint.easing_left = 0.0;
        }
        joint.ease(&self.derived.definitions[number], 0.0, physics);
    }

    /// Increases the inertia of bodies that are far smaller than the limb they stand for to that of a rod that reaches
    /// to their joints. Without it, joints would turn them much faster than they move them, and the solver would not
    /// settle.
    pub(super) fn raise_inertia(&self, physics: &mut Physics) {
        let mut reach = vec![Vec3::ZERO; self.state.bodies.len()];
        for joint in &self.state.joints {
            let ends = [(Some(joint.body1), joint.frames[0]), (joint.body2, joint.frames[1])];
            for (body, frame) in ends {
                debug_assert!(body.is_none_or(|body| body < self.state.bodies.len()), "the bodies of a joint exist");
                if let Some(reach) = body.and_then(|body| reach.get_mut(body)) {
                    *reach = reach.max(frame.translation.abs());
                }
            }
        }
        let world = physics.world_mut();
        for (body, reach) in self.state.bodies.iter().zip(reach) {
            debug_assert!(world.bodies.contains(body.handle), "the body was just inserted");
            let Some(built) = world.bodies.get_mut(body.handle) else { continue };
            for handle in built.colliders().to_vec() {
                if let Some(collider) = world.colliders.get_mut(handle) {
                    collider.set_mass_properties(body_shape::with_raised_inertia(collider, reach));
                }
            }
            built.recompute_mass_properties_from_colliders(&world.colliders);
        }
    }

    /// Disables collisions between bodies that overlap in the reference pose without a joint; they would push each
    /// other apart forever.
    pub(super) fn separate_overlaps(&self, reference: &[Mat3x4], physics: &mut Physics) {
        let mut poses: Vec<Pose> = self.state.bodies.iter().map(|b| b.placement.on(&reference[b.bone])).collect();
        poses.iter_mut().for_each(|pose| pose.translation *= self.state.scale);
        let pair = |joint: &RagJoint| joint.body2.map(|body2| (joint.body1.min(body2), joint.body1.max(body2)));
        let jointed: HashSet<(usize, usize)> = self.state.joints.iter().filter_map(pair).collect();
        let mut overlaps = Vec::new();
        for a in 0..self.state.bodies.len() {
            for b in a + 1..self.state.bodies.len() {
                if jointed.contains(&(a, b))
                    || !body_shape::overlap(&self.state.bodies[a], &poses[a], &self.state.bodies[b], &poses[b], physics)
                {
                    continue;
                }
                if overlaps.len() == MAX_OVERLAP_FILTERS {
                    let bodies: Vec<_> = self.state.bodies.iter().map(|body| body.handle).collect();
                    return physics.stop_self_contacts(&bodies);
                }
                overlaps.push((self.state.bodies[a].handle, self.state.bodies[b].handle));
            }
        }
        for (a, b) in overlaps {
            let mut filter = GenericJoint::new(JointAxesMask::empty());
            // rapier keeps bodies with a joint from touching even if the joint is disabled, and does not solve it.
            filter.set_contacts_enabled(false).set_enabled(false);
            physics.insert_joint(a, b, filter);
        }
    }

    /// Creates a ragdoll with another doll in place of this one; bodies of the same name keep their velocity. Strengths
    /// are the new doll's, times the last `animate`; the new doll decides which joints are enabled. Muscles of the same
    /// name keep their strength and the pose that they hold.
    ///
    /// # Errors
    /// [`RagdollError`].
    pub(crate) fn renew(
        &self,
        doll: &Arc<Doll>,
        object: &SkeletalObject,
        physics: &mut Physics,
    ) -> Result<Self, RagdollError> {
        let entity = *self.state.entity_motion.entity();
        let mut renewed = Self::new(doll, object, &entity, physics)?;
        renewed.set_strengths(self.state.drive_strength, None, physics);
        renewed.state.suspended_strength = self.state.suspended_strength;
        // A corpse may have fallen far from its entity.
        renewed.state.wall_recovery = self.state.wall_recovery.renewed(renewed.state.bodies.len());
        for (number, joint) in renewed.doll.clone().joints.iter().enumerate() {
            if let Some(old) = self.doll.find_joint(joint.name.as_bytes()) {
                renewed.state.joints[number].muscle = self.state.joints[old].muscle;
            }
        }
        renewed.set_groups(self.groups(physics), physics);
        for (number, body) in renewed.doll.clone().bodies.iter().enumerate() {
            let Some(old) = self.doll.find_body(body.name.as_bytes()) else { continue };
            let Some(built) = physics.world().bodies.get(self.state.bodies[old].handle) else { continue };
            let (linear, angular, sleeping) = (built.linvel(), built.angvel(), built.is_sleeping());
            if let Some(built) = physics.world_mut().bodies.get_mut(renewed.state.bodies[number].handle)
                && built.is_dynamic()
            {
                built.set_linvel(linear, !sleeping);
                built.set_angvel(angular, !sleeping);
            }
        }
        Ok(renewed)
    }
}

/// Returns the position of a joint on a model in the reference pose, model space.
pub(super) fn anchor(joint: &Joint, doll: &Doll, model: &Model, reference: &[Mat3x4]) -> Vec3 {
    let offset = if body_shape::is_near(joint.offset) { joint.offset } else { Vec3::ZERO };
    let bone = pivot_bone(joint, doll, model);
    internal::unscaled(&reference[bone], body_shape::is_scaled(bone, &model.skeleton, reference))
        .transform_point(offset)
}

fn pivot_bone(joint: &Joint, doll: &Doll, model: &Model) -> usize {
    let default = &doll.bodies[joint.body2.unwrap_or(joint.body1)].bone;
    let find = |name: &Name| model.skeleton.find(name.as_bytes());
    joint.pivot.as_ref().and_then(find).or_else(|| find(default)).unwrap_or(0)
}
