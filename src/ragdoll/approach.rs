//! Changes of strength over time, and the way of bodies to an animation that they will follow exactly: blended parent
//! by parent, so that no limb stretches.

use glam::Vec3;
use rapier3d::prelude::Pose;

use super::{
    RagBody, RagJoint, Ragdoll, body_shape,
    bone_transfer::Link,
    drive_mode::{Drive, strength_of},
    tuning::{CATCH_UP_SPEED, CATCH_UP_SPIN, GET_UP_TIME, MAX_CHANGE_TIME},
};
use crate::math::Mat3x4;
use crate::physics::{Physics, extrapolated, interpolated};

/// Change of a body's strength at a constant pace.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Ramp {
    pub(super) to: f32,
    /// Seconds until the strength is `to`.
    left: f32,
}

impl Ramp {
    /// Returns the strength after a step.
    pub(super) fn advance(&mut self, strength: f32, step: f32) -> f32 {
        debug_assert!(step > 0.0, "a step takes some time");
        let share = step / self.left;
        self.left -= step;
        if self.has_ended() { self.to } else { strength + (self.to - strength) * share }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.left.is_nan() || self.left <= 0.0
    }

    /// Returns `true` if a snapshot's numbers are those of a change.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        self.to == strength_of(self.to) && (0.0..=MAX_CHANGE_TIME).contains(&self.left)
    }
}

/// Way of an exact body to the animation.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Approach {
    /// Seconds until the body reaches the animation, and total seconds.
    left: f32,
    time: f32,
    /// `true` if the body catches up with the animation as soon as it can do so in one step.
    hurries: bool,
    start: Start,
    /// Matrix from body to bone at the start.
    to_bone: Mat3x4,
    /// Depth of the body under the ground at the start, units.
    depth: f32,
}

/// Beginning of an approach.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Start {
    /// Pose at the next step, where the joint that carries the body shows it.
    Hanging,
    /// Pose at the next step, where the body is.
    Anew,
    /// Pose of the anchor that a joint has on the body, relative to the body that carries it; without a joint, pose of
    /// the body relative to its pose in the animation.
    Known { joint: Option<usize>, pose: Pose },
}

impl Approach {
    /// Returns the approach of a body for which the host gave no time.
    pub(super) fn untimed(to_bone: Mat3x4) -> Self {
        Self { left: GET_UP_TIME, time: GET_UP_TIME, hurries: true, start: Start::Hanging, to_bone, depth: 0.0 }
    }

    pub(super) fn has_started(&self) -> bool {
        !matches!(self.start, Start::Hanging)
    }

    /// Lets the approach start again, after a hit, in the time that is left.
    pub(super) fn resumed(self, to_bone: Mat3x4) -> Self {
        Self { time: self.left, start: Start::Hanging, to_bone, ..self }
    }

    /// Returns `true` if a snapshot's numbers are those of an approach and its joint exists.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self, joints: usize) -> bool {
        let start_is_sound = match self.start {
            Start::Hanging | Start::Anew => true,
            Start::Known { joint, pose } => joint.is_none_or(|joint| joint < joints) && pose.is_finite(),
        };
        let numbers_are_sound = self.to_bone.is_finite() && self.depth.is_finite();
        start_is_sound && numbers_are_sound && self.left <= self.time && self.time <= MAX_CHANGE_TIME
    }

    /// Returns the share of the way that is covered when these seconds are left, 0 to 1.
    fn covered(&self, left: f32) -> f32 {
        debug_assert!(self.left <= self.time, "time passes");
        if !self.has_started() {
            return 0.0;
        }
        if left.is_nan() || left <= 0.0 {
            return 1.0;
        }
        let t = (1.0 - left / self.time).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }
}

impl Ragdoll {
    /// Changes the strength of a body over time, seconds. Returns `true` if its mode of following has changed.
    pub(super) fn set_strength_over(
        &mut self,
        number: usize,
        strength: f32,
        seconds: f32,
        physics: &mut Physics,
    ) -> bool {
        let strength = strength_of(strength);
        if seconds.is_nan() || seconds <= 0.0 {
            let changed = self.set_strength(number, strength, physics);
            return self.state.bodies[number].approach.take().is_some() || changed;
        }
        let seconds = seconds.min(MAX_CHANGE_TIME);
        let body = &mut self.state.bodies[number];
        if strength < 1.0 || matches!(body.drive(), Drive::Pulled(_)) {
            body.ramp = Some(Ramp { to: strength, left: seconds });
            return false;
        }
        let to_bone = body.shown_to_bone(0.0);
        let on_the_way = body.approach.is_some();
        let changed = self.set_strength(number, strength, physics);
        if changed || on_the_way {
            let start = if changed { Start::Hanging } else { Start::Anew };
            let approach = Approach { left: seconds, time: seconds, hurries: false, start, to_bone, depth: 0.0 };
            self.state.bodies[number].approach = Some(approach);
        }
        changed
    }

    /// Moves all approaches ahead by a step. Returns the poses of all bodies after the step, of which only those of
    /// exact bodies count; empty if no body approaches the animation.
    pub(super) fn approach(&mut self, progress: f32, step: f32, physics: &Physics) -> Vec<Pose> {
        if !self.state.bodies.iter().any(RagBody::is_approaching) {
            return Vec::new();
        }
        let scale = physics.scale();
        // The animation as the step begins, from the end of the frame back in time, and as it ends.
        let back = 1.0 - progress + step / self.state.entity_motion.frame_time;
        let animated = self.state.bodies.iter().map(|body| {
            let RagBody { earlier_target, last_target, target, .. } = body;
            let before = extrapolated(target, target, last_target, back, scale);
            (before, extrapolated(earlier_target, last_target, target, progress, scale))
        });
        let (before, mut poses): (Vec<Pose>, Vec<Pose>) = animated.unzip();
        let parent_links = self.parent_links();
        let whole = physics.whole_step_time();
        let limits = [CATCH_UP_SPEED * self.speed_scale(physics) * whole, CATCH_UP_SPIN * whole];
        let mut changed = self.catch_up(&parent_links, &before, limits);
        changed |= self.start(&parent_links, &before, physics);
        for body in self.state.bodies.iter_mut().filter(|body| body.is_approaching()) {
            body.approach.iter_mut().for_each(|approach| approach.left -= step);
        }
        self.blend(&parent_links, 0.0, &mut poses, physics);
        for (number, parent_link) in &parent_links {
            // A carried body arrives with its carrier.
            let has_parent = parent_link.as_ref().is_some_and(|link| self.state.bodies[link.parent].is_approaching());
            let body = &mut self.state.bodies[*number];
            if !has_parent && body.approach.is_some_and(|approach| approach.covered(approach.left) == 1.0) {
                body.approach = None;
                changed = true;
            }
        }
        if changed {
            self.plan_gap_fixes();
        }
        poses
    }

    /// Replaces the animation's poses of approaching bodies by those on the way there, some seconds ago.
    fn blend(&self, parent_links: &[(usize, Option<Link>)], ago: f32, poses: &mut [Pose], physics: &Physics) {
        debug_assert_eq!(poses.len(), self.state.bodies.len(), "every body has a pose");
        let animated = poses.to_vec();
        for (number, parent_link) in parent_links {
            let number = *number;
            let approach = self.state.bodies[number].approach.filter(|_| self.state.bodies[number].is_approaching());
            let Some(approach @ Approach { start: Start::Known { joint, pose: start }, .. }) = approach else {
                continue;
            };
            if joint != parent_link.as_ref().map(|link| link.joint) {
                continue;
            }
            let covered = approach.covered(approach.left + ago);
            poses[number] = match parent_link {
                Some(link) => {
                    let anchor = Pose::from_translation(link.anchor(self));
                    let end = animated[link.parent].inverse() * animated[number] * anchor;
                    poses[link.parent] * interpolated(&start, &end, covered) * anchor.inverse()
                }
                None => animated[number] * interpolated(&start, &Pose::IDENTITY, covered),
            };
        }
        self.raise(parent_links, ago, &animated, poses, physics);
    }

    /// Raises approaching bodies from the ground, each group as a whole: the ground may be between two poses that are
    /// both above it. A body may be as deep as it was at the start and as the animation has it.
    fn raise(
        &self,
        parent_links: &[(usize, Option<Link>)],
        ago: f32,
        animated: &[Pose],
        poses: &mut [Pose],
        physics: &Physics,
    ) {
        let groups = self.approach_groups(parent_links);
        let is_root = |(number, parent_link): &&(usize, Option<Link>)| {
            parent_link.is_none() && self.state.bodies[*number].is_approaching()
        };
        for (root, _) in parent_links.iter().filter(is_root) {
            let Some(ground) = physics.ground(poses[*root].translation) else { continue };
            let excess = |number: usize, approach: Approach| {
                let [way, end] = [&*poses, animated].map(|poses| self.depth(number, &poses[number], &ground, physics));
                way - (approach.depth + (end - approach.depth) * approach.covered(approach.left + ago))
            };
            let members = (0..poses.len()).filter(|number| groups[*number] == *root);
            let excesses =
                members.clone().filter_map(|number| Some(excess(number, self.state.bodies[number].approach?)));
            let lift = ground.rotation * (Vec3::Z * excesses.fold(0.0, f32::max));
            members.for_each(|number| poses[number].translation += lift);
        }
    }

    /// Returns how deep a body in a pose is under the ground, units.
    fn depth(&self, number: usize, pose: &Pose, ground: &Pose, physics: &Physics) -> f32 {
        let Some(collider) = body_shape::collider_of(&self.state.bodies[number], physics) else { return 0.0 };
        let at = body_shape::collider_pose(&(ground.inverse() * *pose), collider);
        (-collider.shape().compute_aabb(&at).mins.z).max(0.0)
    }

    /// Shows approaching bodies on the way to the animation as it is now.
    pub(super) fn show_approach(&self, poses: &mut [Pose], physics: &Physics) {
        if !self.state.bodies.iter().any(|body| body.is_approaching() && body.is_placed()) {
            return;
        }
        let mut blended: Vec<Pose> = self.state.bodies.iter().map(|body| body.target).collect();
        self.blend(&self.parent_links(), self.ago(physics), &mut blended, physics);
        for ((body, shown), blended) in self.state.bodies.iter().zip(poses).zip(blended) {
            if body.is_approaching() && body.is_placed() {
                *shown = blended;
            }
        }
    }

    /// Returns the matrix from a body to the bone that is shown.
    pub(super) fn shown_to_bone(&self, body: usize, physics: &Physics) -> Mat3x4 {
        self.state.bodies[body].shown_to_bone(self.ago(physics))
    }

    /// Returns the time between what is shown and the last step, seconds.
    pub(super) fn ago(&self, physics: &Physics) -> f32 {
        (1.0 - physics.blend()) * physics.step_time()
    }

    /// Returns the exact bodies, each after the body that carries it, with the joint between the two. Bodies that
    /// have arrived are carried by the animation alone.
    fn parent_links(&self) -> Vec<(usize, Option<Link>)> {
        let exact = |body: usize| self.state.bodies[body].drive() == Drive::Exact;
        let connects =
            |_, joint: &RagJoint| joint.attachment.is_enabled() && exact(joint.body1) && joint.body2.is_some_and(exact);
        let links = self.joint_tree(self.state.bodies.iter().map(RagBody::is_exact).collect(), connects);
        let mut has_parent = vec![false; self.state.bodies.len()];
        links.iter().for_each(|link| has_parent[link.child] = true);
        let roots = (0..self.state.bodies.len()).filter(|body| exact(*body) && !has_parent[*body]);
        let mut parent_links: Vec<_> = roots.map(|body| (body, None)).collect();
        parent_links.extend(links.into_iter().map(|link| (link.child, Some(link))));
        parent_links
    }

    /// Returns for each body the first body of the group in which it approaches the animation, and else its own number.
    fn approach_groups(&self, parent_links: &[(usize, Option<Link>)]) -> Vec<usize> {
        let mut groups: Vec<usize> = (0..self.state.bodies.len()).collect();
        let is_approaching = |number: usize| self.state.bodies[number].is_approaching();
        for (number, parent_link) in parent_links {
            let parent = parent_link.as_ref().map(|link| link.parent);
            if let Some(parent) = parent.filter(|parent| is_approaching(*parent) && is_approaching(*number)) {
                debug_assert_ne!(parent, *number, "nothing carries itself");
                groups[*number] = groups[parent];
            }
        }
        groups
    }

    /// Ends the approaches of bodies that catch up with the animation in this step: that hurry and are within a
    /// distance and an angle of where the animation had them as the step began, like all bodies that approach the
    /// animation together with them. Returns `true` if any approach has ended.
    fn catch_up(
        &mut self,
        parent_links: &[(usize, Option<Link>)],
        animated: &[Pose],
        [distance, angle]: [f32; 2],
    ) -> bool {
        let groups = self.approach_groups(parent_links);
        debug_assert_eq!(animated.len(), self.state.bodies.len(), "every body has a pose");
        let mut near = vec![true; self.state.bodies.len()];
        for (number, _) in parent_links {
            let (body, target) = (&self.state.bodies[*number], &animated[*number]);
            let Some(approach) = body.approach else { continue };
            let way = target.translation.distance(body.previous.translation);
            let turn = target.rotation.angle_between(body.previous.rotation);
            let reaches = way < distance && turn < angle;
            near[groups[*number]] &= approach.hurries && reaches && !body.is_joining;
        }
        let mut changed = false;
        for (number, body) in self.state.bodies.iter_mut().enumerate() {
            if body.is_approaching() && near[groups[number]] {
                body.approach = None;
                changed = true;
            }
        }
        changed
    }

    /// Starts approaches where the bodies are shown, and starts those again whose bodies are carried by another joint
    /// than before. `animated` has the poses of the animation as the step begins. Returns `true` if any approach has
    /// started.
    fn start(&mut self, parent_links: &[(usize, Option<Link>)], animated: &[Pose], physics: &Physics) -> bool {
        let mut at: Vec<Pose> = self.state.bodies.iter().map(|body| body.previous).collect();
        self.fix_gaps(&mut at);
        let groups = self.approach_groups(parent_links);
        let mut changed = false;
        for (number, parent_link) in parent_links {
            let number = *number;
            let is_approaching = self.state.bodies[number].is_approaching();
            let Some(mut approach) = self.state.bodies[number].approach.filter(|_| is_approaching) else { continue };
            let now = parent_link.as_ref().map(|link| link.joint);
            if matches!(approach.start, Start::Known { joint, .. } if joint == now) {
                continue;
            }
            let pose = match parent_link {
                Some(link) => at[link.parent].inverse() * at[number] * Pose::from_translation(link.anchor(self)),
                None => animated[number].inverse() * at[number],
            };
            approach.to_bone = self.state.bodies[number].shown_to_bone(0.0);
            approach.start = Start::Known { joint: now, pose };
            let ground = physics.ground(at[groups[number]].translation);
            approach.depth = ground.map_or(0.0, |ground| self.depth(number, &at[number], &ground, physics));
            approach.time = approach.left;
            self.state.bodies[number].approach = Some(approach);
            changed = true;
        }
        changed
    }
}

impl RagBody {
    /// Returns `true` if the body follows exactly but has not yet reached the animation.
    fn is_approaching(&self) -> bool {
        self.drive() == Drive::Exact && self.approach.is_some()
    }

    /// Returns the matrix from the body to the bone that is shown, some seconds ago.
    fn shown_to_bone(&self, ago: f32) -> Mat3x4 {
        match &self.approach {
            Some(approach) if self.is_approaching() => {
                let covered = approach.covered(approach.left + ago);
                let blended = |number: usize| {
                    let (start, end) = (approach.to_bone.0[number], self.to_bone.0[number]);
                    start + (end - start) * covered
                };
                Mat3x4(std::array::from_fn(blended))
            }
            _ => self.to_bone,
        }
    }
}
