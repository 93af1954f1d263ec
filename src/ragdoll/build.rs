//! Insertion of a doll's bodies and joints into the world.

use std::collections::HashSet;
use std::sync::Arc;

use glam::Vec3;
use rapier3d::prelude::{GenericJoint, JointAxesMask, Pose, RigidBodyBuilder};

use super::stability::Hold;
use super::tuning::EASING;
use super::{RagBody, RagJoint, Ragdoll, RagdollError, cone::Cone, joint, muscle::Muscle, shape};
use crate::doll::{Doll, Joint};
use crate::math::Mat3x4;
use crate::model::{Model, Name};
use crate::object::SkeletalObject;
use crate::physics::Physics;

/// Maximum number of pairs of bodies that disabled joints keep from touching; a doll with more passes through itself.
const MOST_FILTERS: usize = 1024;

impl Ragdoll {
    pub(super) fn insert_bodies(&mut self, physics: &mut Physics) {
        for (body, definition) in self.bodies.iter_mut().zip(&self.doll.bodies) {
            let mut built = physics.body_builder().pose(body.to).build();
            built.activation_mut().normalized_linear_threshold = physics.normalized_sleep_speed();
            built.set_body_type(body.body_type(), true);
            body.handle = physics.insert_doll_body(built, shape::collider(definition, self.scale));
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
        for definition in &doll.joints {
            let (body1, body2) = (definition.body1, definition.body2);
            let frame = joint::frame(definition, anchor(definition, &doll, model, reference));
            let scale = self.scale;
            let in_body = |body: &RagBody| {
                let mut frame = body.place.on(&reference[body.bone]).inverse() * frame;
                frame.translation *= scale;
                frame
            };
            let frame1 = in_body(&self.bodies[body1]);
            let (handle2, frame2) = match body2 {
                Some(body2) => (self.bodies[body2].handle, in_body(&self.bodies[body2])),
                // The world holds the body in its place, its axes turned as the entity turns the reference pose.
                None => {
                    let anchor = self.bodies[body1].to * frame1;
                    let world =
                        *self.world.get_or_insert_with(|| physics.world_mut().insert_body(RigidBodyBuilder::fixed()));
                    (world, Pose::from_parts(anchor.translation, entity.rotation() * frame.rotation))
                }
            };
            let rest = joint::build(definition, self.scale, frame1, frame2);
            let handle = physics.insert_joint(self.bodies[body1].handle, handle2, rest);
            let hold = if definition.enabled { Hold::Firm } else { Hold::Severed };
            self.joints.push(RagJoint {
                handle,
                body1,
                body2,
                hold,
                rest,
                violation: Pose::IDENTITY,
                easing: 0.0,
                easing_time: EASING,
                held: [0.0; 3],
                soft: Default::default(),
                cone: Cone::of(definition).map(Box::new),
                muscle: Muscle::default(),
            });
            self.aim_at_pose(self.joints.len() - 1);
            self.fit_joint(self.joints.len() - 1, physics);
            self.work(self.joints.len() - 1, physics);
        }
    }

    /// Fits a joint to the pose of its bodies, so that nothing jumps. Bones may be stretched, so the joint is anchored
    /// where the second body has it; other violations are taken back over [`EASING`].
    pub(super) fn fit_joint(&mut self, number: usize, physics: &mut Physics) {
        let definition = &self.doll.joints[number];
        let joint = &mut self.joints[number];
        let at1 = self.bodies[joint.body1].to;
        let at2 = joint.body2.map_or(Pose::IDENTITY, |body2| self.bodies[body2].to) * joint.rest.local_frame2;
        let mut relative = (at1 * joint.rest.local_frame1).inverse() * at2;
        let stretch =
            if joint::holds_point(definition.kind) { relative.translation } else { relative.translation.with_x(0.0) };
        joint.rest.local_frame1 *= Pose::from_translation(stretch);
        relative.translation -= stretch;
        let mut violation = relative * joint::nearest_allowed(definition, self.scale, &relative).inverse();
        if violation.rotation.w < 0.0 {
            violation.rotation = -violation.rotation;
        }
        let allowed = violation.translation.length() < 1e-3 && violation.rotation.w > 0.999_999;
        joint.start_easing(violation);
        if allowed {
            joint.easing = 0.0;
        }
        joint.ease(0.0, physics);
    }

    /// Increases the inertia of bodies that are far smaller than the limb they stand for to that of a rod that reaches
    /// to their joints. Without it, joints would turn them much faster than they move them, and the solver would not
    /// settle.
    pub(super) fn steady(&self, physics: &mut Physics) {
        let mut reach = vec![Vec3::ZERO; self.bodies.len()];
        for joint in &self.joints {
            let ends = [(Some(joint.body1), joint.rest.local_frame1), (joint.body2, joint.rest.local_frame2)];
            for (body, frame) in ends {
                if let Some(reach) = body.and_then(|body| reach.get_mut(body)) {
                    *reach = reach.max(frame.translation.abs());
                }
            }
        }
        let world = physics.world_mut();
        for (body, reach) in self.bodies.iter().zip(reach) {
            let Some(built) = world.bodies.get_mut(body.handle) else { continue };
            for handle in built.colliders().to_vec() {
                if let Some(collider) = world.colliders.get_mut(handle) {
                    collider.set_mass_properties(shape::steadied(collider, reach));
                }
            }
            built.recompute_mass_properties_from_colliders(&world.colliders);
        }
    }

    /// Disables collisions between bodies that overlap in the reference pose without a joint; they would push each
    /// other apart forever.
    pub(super) fn separate_overlaps(&self, reference: &[Mat3x4], physics: &mut Physics) {
        let mut poses: Vec<Pose> = self.bodies.iter().map(|b| b.place.on(&reference[b.bone])).collect();
        poses.iter_mut().for_each(|pose| pose.translation *= self.scale);
        let pair = |joint: &RagJoint| joint.body2.map(|body2| (joint.body1.min(body2), joint.body1.max(body2)));
        let jointed: HashSet<(usize, usize)> = self.joints.iter().filter_map(pair).collect();
        let mut overlaps = Vec::new();
        for a in 0..self.bodies.len() {
            for b in a + 1..self.bodies.len() {
                if jointed.contains(&(a, b))
                    || !shape::overlap(&self.bodies[a], &poses[a], &self.bodies[b], &poses[b], physics)
                {
                    continue;
                }
                if overlaps.len() == MOST_FILTERS {
                    let bodies: Vec<_> = self.bodies.iter().map(|body| body.handle).collect();
                    return physics.stop_self_contacts(&bodies);
                }
                overlaps.push((self.bodies[a].handle, self.bodies[b].handle));
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
        let entity = *self.travel.entity();
        let mut renewed = Self::new(doll, object, &entity, physics)?;
        renewed.set_drive_strength(self.strength, physics);
        // A corpse may have fallen far from its entity.
        renewed.astray = self.astray.renewed(renewed.bodies.len());
        for (number, joint) in renewed.doll.clone().joints.iter().enumerate() {
            if let Some(old) = self.doll.find_joint(joint.name.as_bytes()) {
                renewed.joints[number].muscle = self.joints[old].muscle;
            }
        }
        renewed.set_groups(self.groups(physics), physics);
        for (number, body) in renewed.doll.clone().bodies.iter().enumerate() {
            let Some(old) = self.doll.find_body(body.name.as_bytes()) else { continue };
            let Some(built) = physics.world().bodies.get(self.bodies[old].handle) else { continue };
            let (linear, angular, sleeping) = (built.linvel(), built.angvel(), built.is_sleeping());
            if let Some(built) = physics.world_mut().bodies.get_mut(renewed.bodies[number].handle)
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
    let offset = if shape::is_near(joint.offset) { joint.offset } else { Vec3::ZERO };
    let bone = pivot_bone(joint, doll, model);
    reference[bone].unscaled(shape::is_scaled(bone, &model.skeleton, reference)).transform_point(offset)
}

fn pivot_bone(joint: &Joint, doll: &Doll, model: &Model) -> usize {
    let default = &doll.bodies[joint.body2.unwrap_or(joint.body1)].bone;
    let find = |name: &Name| model.skeleton.find(name.as_bytes());
    joint.pivot.as_ref().and_then(find).or_else(|| find(default)).unwrap_or(0)
}
