//! Transfer between bones and bodies: targets from the animation, and bones from the bodies.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::{Quat, Vec3};
use rapier3d::prelude::{JointAxesMask, Pose};
use skelobj_model::internal;

use super::muscle::has_muscle;
use super::{RagBody, RagJoint, Ragdoll, RagdollError, rapier_joint, sanitize, stability::Attachment};
use crate::math::Mat3x4;
use crate::object::SkeletalObject;
use crate::physics::Physics;

impl Ragdoll {
    /// Takes targets for animated bodies from the animation, and writes the poses of the bodies into the skeletal
    /// object, in model space. One frame of `skel_ragupdate` (#281).
    ///
    /// The animation is `source` if given, an object in local space; bones that it lacks count as not animated.
    /// Otherwise it is the pose built into the object since the last update. Bones without bodies have the animation's
    /// matrix relative to their parents; without an animation, they keep the last one if `keeps` is set, and else
    /// return to the bind pose. `entity` is the matrix from model space to world space.
    ///
    /// # Errors
    /// [`RagdollError::UnusableEntity`], [`RagdollError::OutOfRange`]. On error, nothing changes.
    pub(crate) fn update(
        &mut self,
        keeps: bool,
        object: &mut SkeletalObject,
        source: Option<&SkeletalObject>,
        entity: &Mat3x4,
        physics: &mut Physics,
    ) -> Result<(), RagdollError> {
        if source.is_none() && self.is_shown(object, entity, physics) {
            return Ok(());
        }
        let settled = self.state.entity_motion.is_at(entity) && self.is_asleep(physics);
        let to_model = sanitize::to_model(entity)?;
        self.state.bones_match = settled && source.is_none();
        self.follow_teleport(entity, physics);
        let animation = source.or(object.is_built_since_ragdoll().then_some(&*object));
        self.pose_carried_bones(object, animation, keeps, self.ago(physics));
        self.take_animation(animation, entity, physics);
        self.find_anchored_bodies(physics);
        let mut poses = std::mem::take(&mut self.scratch.shown_poses);
        self.show(&mut poses, physics);
        internal::make_model_space(object);
        let parents = object.model().clone();
        let parents = parents.skeleton.parents();
        let bones = internal::written_by_ragdoll(object);
        for (bone, (driver, &parent)) in self.derived.drivers.iter().zip(parents).enumerate() {
            let (before, rest) = bones.split_at_mut(bone);
            let own = match *driver {
                Some(body) => to_model * matrix(&poses[body]) * self.shown_to_bone(body, physics),
                None => match usize::try_from(parent).ok().and_then(|p| before.get(p)) {
                    Some(parent) => *parent * self.state.relative_bones[bone],
                    None => self.state.relative_bones[bone],
                },
            };
            if own.is_finite() {
                rest[0] = own;
            }
        }
        self.scratch.shown_poses = poses;
        Ok(())
    }

    /// Returns `true` if steps need not visit the ragdoll: it slept when the last one began, and is limp.
    pub(crate) fn is_dormant(&self) -> bool {
        self.scratch.dormant && self.state.quarantined.is_empty()
    }

    /// Makes the next steps visit the ragdoll, which was dormant.
    pub(crate) fn wake(&mut self) {
        self.scratch.dormant = false;
    }

    /// Returns `true` if the bones already match the sleeping bodies, so that an update would change nothing.
    #[inline]
    pub(crate) fn is_shown(&self, object: &SkeletalObject, entity: &Mat3x4, physics: &Physics) -> bool {
        let asleep = || (self.is_dormant() && !physics.is_touched()) || self.is_asleep(physics);
        self.state.bones_match && !object.is_built_since_ragdoll() && self.state.entity_motion.is_at(entity) && asleep()
    }

    /// Returns `true` if the entity has the matrix of the last update.
    pub(crate) fn stands_at(&self, entity: &Mat3x4) -> bool {
        self.state.entity_motion.is_at(entity)
    }

    /// Takes targets for animated bodies and for muscles from the animation.
    fn take_animation(&mut self, animation: Option<&SkeletalObject>, entity: &Mat3x4, physics: &mut Physics) {
        let wanted = self.state.bodies.iter().any(RagBody::is_animated) || self.doll.joints.iter().any(has_muscle);
        let Some(animation) = animation.filter(|_| wanted) else { return };
        let mut in_model = std::mem::take(&mut self.scratch.animated_bones);
        in_model.clear();
        in_model.resize(animation.bone_count(), Mat3x4::ZERO);
        animation.write_model_space(&mut in_model);
        for body in self.state.bodies.iter_mut().filter(|b| b.is_animated()) {
            if let Some(bone) = in_model.get(body.bone) {
                let to = match internal::known_rotation(bone) {
                    Some(_) => body.placement.in_world(entity, bone),
                    None => body.placement.in_world_turned(entity, bone, body.target.rotation),
                };
                if let (true, Some(inverse)) = (sanitize::is_near(&to), matrix(&to).inverse()) {
                    body.target = to;
                    // The way there from where it lay is not a motion of the animation.
                    if std::mem::take(&mut body.is_joining) {
                        (body.earlier_target, body.last_target) = (to, to);
                    }
                    body.to_bone = inverse * (*entity * *bone);
                }
            }
        }
        self.aim_muscles(&in_model, entity, physics);
        self.scratch.animated_bones = in_model;
    }

    /// Writes the shown pose of each body: interpolated between the last two steps and, where a joint holds a point,
    /// moved to the body that holds it, so that gaps of the solver stay invisible.
    fn show(&self, poses: &mut Vec<Pose>, physics: &Physics) {
        let blend = physics.blend();
        poses.clear();
        poses.extend(self.state.bodies.iter().map(|body| match physics.world().bodies.get(body.handle) {
            _ if body.is_exact() => body.target,
            Some(built) if blend < 1.0 && !built.is_sleeping() => nlerp(&body.step_start, built.position(), blend),
            Some(built) => *built.position(),
            None => body.target,
        }));
        self.show_approach(poses, physics);
        self.fix_gaps(poses);
    }

    /// Moves bodies to where their parents hold them.
    pub(super) fn fix_gaps(&self, poses: &mut [Pose]) {
        debug_assert_eq!(poses.len(), self.state.bodies.len(), "every body has a pose");
        for fix in &self.state.gap_fixes {
            let [parent_anchor, child_anchor] = fix.anchors(self);
            let anchor = poses[fix.parent].transform_point(parent_anchor);
            let child = &mut poses[fix.child];
            child.translation = anchor - child.rotation * child_anchor;
        }
    }
}

/// Joint at which one body, the parent, carries another, the child.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Link {
    pub(super) joint: usize,
    pub(super) parent: usize,
    pub(super) child: usize,
    child_is_body1: bool,
}

impl Link {
    /// Returns the anchors of the joint on the parent and on the child, local space.
    fn anchors(&self, ragdoll: &Ragdoll) -> [Vec3; 2] {
        let [anchor1, anchor2] = ragdoll.state.joints[self.joint].frames.map(|frame| frame.translation);
        if self.child_is_body1 { [anchor2, anchor1] } else { [anchor1, anchor2] }
    }

    /// Returns the anchor of the joint on the child, local space.
    pub(super) fn anchor(&self, ragdoll: &Ragdoll) -> Vec3 {
        self.anchors(ragdoll)[1]
    }
}

#[cfg(feature = "serde")]
impl Link {
    /// Returns `true` if the joint and the bodies exist.
    pub(super) fn is_sound(&self, joints: usize, bodies: usize) -> bool {
        self.joint < joints && self.parent.max(self.child) < bodies
    }

    /// Makes the fix refer to a joint that no doll has.
    #[cfg(test)]
    pub(super) fn derail(&mut self) {
        self.joint = usize::MAX;
    }
}

impl Ragdoll {
    /// Chooses the joints that are shown without gaps: a tree over each group of connected bodies. It starts from the
    /// animated bodies, whose poses are exact, and the anchored ones, then from the first body of the doll.
    pub(super) fn plan_gap_fixes(&mut self) {
        let mut placed: Vec<bool> = self.state.bodies.iter().map(RagBody::is_placed).collect();
        for body in &self.scratch.anchored.bodies {
            placed[*body] = true;
        }
        self.state.gap_fixes = self.joint_tree(placed, |number, joint| {
            joint.attachment == Attachment::Firm && rapier_joint::holds_point(self.doll.joints[number].kind)
        });
    }

    /// Returns a tree over each group of bodies that these joints connect, in the order of growth. It starts from the
    /// bodies that are `placed`, then from the first body of the doll.
    ///
    /// Of the joints that could grow the tree, the first one does.
    pub(super) fn joint_tree(&self, mut placed: Vec<bool>, connects: impl Fn(usize, &RagJoint) -> bool) -> Vec<Link> {
        debug_assert_eq!(placed.len(), self.state.bodies.len(), "every body is placed or not");
        let lists = self.joint_lists(connects);
        // Joints of the bodies that are placed.
        let mut open: BinaryHeap<Reverse<usize>> = BinaryHeap::new();
        let reach = |body: usize, open: &mut BinaryHeap<_>| {
            open.extend(lists.of(body).iter().map(|(joint, _)| Reverse(*joint)))
        };
        (0..placed.len()).filter(|body| placed[*body]).for_each(|body| reach(body, &mut open));
        let mut tree = Vec::new();
        for root in 0..=placed.len() {
            // First grow from what is placed already, then from each body in turn.
            if let Some(root) = root.checked_sub(1)
                && !std::mem::replace(&mut placed[root], true)
            {
                reach(root, &mut open);
            }
            while let Some(Reverse(number)) = open.pop() {
                let Some(link) = self.state.joints[number].link(number, &placed) else { continue };
                debug_assert!(placed[link.parent] && !placed[link.child], "the tree grows from what is placed");
                placed[link.child] = true;
                reach(link.child, &mut open);
                tree.push(link);
            }
        }
        tree
    }
}

impl RagJoint {
    /// Returns the link from the body that is placed to the other; `None` if both are, or neither.
    fn link(&self, joint: usize, placed: &[bool]) -> Option<Link> {
        let (body1, body2) = (self.body1, self.body2?);
        match (placed[body1], placed[body2]) {
            (true, false) => Some(Link { joint, parent: body1, child: body2, child_is_body1: false }),
            (false, true) => Some(Link { joint, parent: body2, child: body1, child_is_body1: true }),
            _ => None,
        }
    }
}

/// Bodies that joints of the host attach to immovable bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct AnchoredBodies {
    bodies: Vec<usize>,
    /// Number of joints in the world when the anchored bodies were looked for.
    joints_seen: usize,
}

impl Ragdoll {
    /// Plans the fixes of gaps again if a joint of the host has begun or ceased to hold a body.
    fn find_anchored_bodies(&mut self, physics: &Physics) {
        let world = physics.world();
        let seen = world.impulse_joints.len();
        if seen == self.scratch.anchored.joints_seen {
            return;
        }
        let is_immovable = |handle| world.bodies.get(handle).is_some_and(|other| !other.is_dynamic());
        let hangs = |body: &RagBody| {
            world.impulse_joints.attached_joints(body.handle).any(|(one, two, handle, joint)| {
                joint.data.locked_axes.contains(JointAxesMask::LIN_AXES)
                    && is_immovable(if one == body.handle { two } else { one })
                    && self.state.joints.iter().all(|own| own.handle != handle)
            })
        };
        let bodies = (0..self.state.bodies.len()).filter(|body| hangs(&self.state.bodies[*body])).collect();
        if bodies != self.scratch.anchored.bodies {
            self.scratch.anchored.bodies = bodies;
            self.plan_gap_fixes();
        }
        self.scratch.anchored.joints_seen = seen;
    }
}

fn matrix(pose: &Pose) -> Mat3x4 {
    Mat3x4::from_rotation_translation(pose.rotation, pose.translation)
}

fn nlerp(from: &Pose, to: &Pose, t: f32) -> Pose {
    let translation: Vec3 = from.translation + (to.translation - from.translation) * t;
    let rotation: Quat = from.rotation.lerp(to.rotation, t);
    Pose::from_parts(translation, rotation)
}
