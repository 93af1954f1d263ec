//! Muscles: limp joints that hold a pose, as torques of a damped spring in the space of the joint.
//!
//! The torque acts during the step, with equal and opposite parts on both bodies. It is computed for the end of the
//! step: the spring and the damping answer the motion that they cause. So no stiffness and no step makes them unstable,
//! however light the bodies are; what hangs on the two bodies only makes them slower.
//!
//! A limb that hangs still does not answer: its weight undoes the motion that the spring causes. The muscle learns the
//! weight slowly, as a load, so that in the end it gives way by the load divided by the stiffness at any step.
//!
//! With `slacken`, the stiffness falls evenly from the step in which the joint becomes limp, and faster while the whole
//! corpse turns. Muscles break a fall straight down, but would turn a body that topples into a plank. The spin is the
//! mean of all bodies: the legs of a runner turn fast in opposite directions, and their muscles prevent the splits.

use glam::{Mat3, Quat, Vec3};
use rapier3d::prelude::Pose;
use skelobj_model::internal;

use super::drive_mode::Drive;
use super::solver_body::{SolverBody, SolverPair, UNITS};
use super::step_force::Wrench;
use super::tuning::{
    MAX_MUSCLE_LOAD_GAIN, MAX_MUSCLE_SPIN, MAX_MUSCLE_STIFFNESS, MAX_SPIN, MUSCLE_LOAD_RATE, MUSCLE_LOAD_SPIN,
    MUSCLE_TOPPLE_SPIN, MUSCLE_WAKE_ANGLE,
};
use super::{RagBody, RagJoint, Ragdoll};
use crate::OutOfRange;
use crate::doll::{Joint, JointKind};
use crate::math::Mat3x4;
use crate::physics::{Physics, turn_between};

/// State of a joint's muscle.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Muscle {
    /// Factor of the doll's stiffness.
    strength: f32,
    /// Time for which the joint has been limp with this strength, seconds; it passes faster while the corpse turns.
    limp_time: f32,
    /// Rotation of body 2's frame in body 1's to hold.
    target: Quat,
    /// Target in the last step in which the joint was awake.
    awake_target: Quat,
    /// Torque in body 1's frame with which everything else turns the joint: what the limb weighs, and what it lies on.
    load: Vec3,
    /// Angular velocity in body 1's frame that the muscle expected after the last step without the load.
    expected_velocity: Vec3,
}

impl Default for Muscle {
    fn default() -> Self {
        Self {
            strength: 1.0,
            limp_time: 0.0,
            target: Quat::IDENTITY,
            awake_target: Quat::IDENTITY,
            load: Vec3::ZERO,
            expected_velocity: Vec3::ZERO,
        }
    }
}

#[cfg(feature = "serde")]
impl Muscle {
    /// Returns `true` if a snapshot's numbers are finite and the strength is not negative.
    pub(super) fn is_sound(&self) -> bool {
        let Self { strength, limp_time, target, awake_target, load, expected_velocity } = *self;
        let turns = target.is_finite() && awake_target.is_finite();
        let scalars = [strength, limp_time].into_iter().all(|number| number >= 0.0 && number.is_finite());
        scalars && turns && load.is_finite() && expected_velocity.is_finite()
    }
}

impl Muscle {
    /// Returns the factor of the doll's stiffness that is left.
    fn tone(&self, doll_joint: &Joint) -> f32 {
        debug_assert!(self.strength >= 0.0 && self.limp_time >= 0.0, "strengths and times are not negative");
        match doll_joint.slacken {
            seconds if seconds > 0.0 => self.strength * (1.0 - self.limp_time / seconds).max(0.0),
            _ => self.strength,
        }
    }
}

/// Directions in a joint's frame about which a kind of joint turns; 0 for the others.
fn free_axes(kind: JointKind) -> Vec3 {
    match kind {
        JointKind::Fixed | JointKind::Slider => Vec3::ZERO,
        JointKind::Hinge => Vec3::X,
        JointKind::Universal | JointKind::Hinge2 => Vec3::new(1.0, 1.0, 0.0),
        JointKind::Point | JointKind::Cone => Vec3::ONE,
    }
}

pub(super) fn has_muscle(doll_joint: &Joint) -> bool {
    doll_joint.muscle > 0.0 && free_axes(doll_joint.kind) != Vec3::ZERO
}

impl Ragdoll {
    /// Sets the strength of all muscles. [`Command::Muscle`](super::Command::Muscle) states what they do.
    ///
    /// # Errors
    /// [`OutOfRange`] for a strength that is not finite.
    pub(crate) fn set_muscle(&mut self, strength: f32, physics: &mut Physics) -> Result<(), OutOfRange> {
        internal::check_number(strength.is_finite(), "strength", strength, "a finite number")?;
        for joint in 0..self.state.joints.len() {
            self.set_strength_of_muscle(joint, strength, physics);
        }
        Ok(())
    }

    /// Sets the strength of one joint's muscle. Returns `true` if the joint exists.
    ///
    /// # Errors
    /// [`OutOfRange`] for a strength that is not finite.
    pub(crate) fn set_joint_muscle(
        &mut self,
        name: impl AsRef<[u8]>,
        strength: f32,
        physics: &mut Physics,
    ) -> Result<bool, OutOfRange> {
        internal::check_number(strength.is_finite(), "strength", strength, "a finite number")?;
        let Some(joint) = self.doll.find_joint(name) else { return Ok(false) };
        self.set_strength_of_muscle(joint, strength, physics);
        Ok(true)
    }

    fn set_strength_of_muscle(&mut self, number: usize, strength: f32, physics: &mut Physics) {
        let strength = strength.max(0.0);
        let joint = &mut self.state.joints[number];
        if joint.muscle.strength != strength {
            (joint.muscle.strength, joint.muscle.limp_time) = (strength, 0.0);
            if has_muscle(&self.doll.joints[number]) {
                physics.wake_joint(joint.handle);
            }
        }
    }

    pub(super) fn has_muscles(&self) -> bool {
        debug_assert_eq!(self.state.joints.len(), self.doll.joints.len(), "every joint of the doll is built");
        let acts = |(joint, doll_joint): (&RagJoint, &Joint)| {
            has_muscle(doll_joint)
                && joint.muscle.strength > 0.0
                && (joint.muscle.tone(doll_joint) > 0.0 || !self.is_limp(joint))
        };
        self.state.joints.iter().zip(&self.doll.joints).any(acts)
    }

    /// Returns `true` if a muscle holds a limp joint and loses its strength.
    pub(super) fn is_slackening(&self) -> bool {
        let slackens = |(joint, doll_joint): (&RagJoint, &Joint)| {
            doll_joint.slacken > 0.0
                && has_muscle(doll_joint)
                && joint.muscle.tone(doll_joint) > 0.0
                && joint.attachment.is_enabled()
                && self.is_limp(joint)
        };
        self.state.joints.iter().zip(&self.doll.joints).any(slackens)
    }

    /// Returns `true` if one of a joint's bodies is limp.
    fn is_limp(&self, joint: &RagJoint) -> bool {
        let limp = |body: usize| self.state.bodies[body].drive() == Drive::Limp;
        limp(joint.body1) || joint.body2.is_some_and(limp)
    }

    /// Aims a joint's muscle at the pose that the animation gave its bodies.
    pub(super) fn aim_muscle_at_bodies(&mut self, number: usize) {
        let joint = &self.state.joints[number];
        let turn1 = self.state.bodies[joint.body1].target.rotation;
        let turn2 = joint.body2.map_or(Quat::IDENTITY, |body2| self.state.bodies[body2].target.rotation);
        self.state.joints[number].aim_muscle([turn1, turn2]);
    }

    /// Makes the muscles hold the pose of an animation, given by its bones in model space.
    pub(super) fn aim_muscles(&mut self, in_model: &[Mat3x4], entity: &Mat3x4, physics: &mut Physics) {
        let turn = |body: &RagBody| {
            let bone = in_model.get(body.bone).filter(|bone| internal::known_rotation(bone).is_some())?;
            Some(body.placement.in_world(entity, bone).rotation)
        };
        for (number, _) in self.doll.joints.iter().enumerate().filter(|(_, joint)| has_muscle(joint)) {
            let joint = &self.state.joints[number];
            let turn1 = turn(&self.state.bodies[joint.body1]);
            let turn2 = joint.body2.map_or(Some(Quat::IDENTITY), |body2| turn(&self.state.bodies[body2]));
            let (Some(turn1), Some(turn2)) = (turn1, turn2) else { continue };
            let moved = self.state.joints[number].aim_muscle([turn1, turn2]) > MUSCLE_WAKE_ANGLE;
            let drives = |body: usize| self.state.bodies[body].drive() != Drive::Limp;
            let joint = &self.state.joints[number];
            let is_driven = drives(joint.body1) && joint.body2.is_none_or(drives);
            if moved && !is_driven && joint.muscle.tone(&self.doll.joints[number]) > 0.0 {
                physics.wake_joint(joint.handle);
            }
        }
    }

    /// Returns how many times as fast muscles slacken because the whole corpse turns.
    fn haste(&self) -> f32 {
        if self.state.bodies.iter().any(|body| body.drive() != Drive::Limp) {
            return 1.0;
        }
        let (mut mass, mut spin) = (0.0, Vec3::ZERO);
        for body in self.scratch.solver_bodies.iter().filter(|body| body.is_movable()) {
            mass += body.mass();
            spin += body.mass() * body.angular;
        }
        let speed = if mass > 0.0 { spin.length() / mass } else { 0.0 };
        let times = speed.min(MAX_SPIN) / MUSCLE_TOPPLE_SPIN;
        1.0 + times * times
    }

    /// Lets the muscles of all joints act on the solver bodies for a step.
    pub(super) fn apply_muscles(&mut self, step: f32) {
        let scale = self.state.scale.powi(4);
        let mut muscle_steps = std::mem::take(&mut self.scratch.muscle_steps);
        muscle_steps.clear();
        let haste = self.haste();
        for (number, doll_joint) in self.doll.joints.iter().enumerate().filter(|(_, joint)| has_muscle(joint)) {
            let is_limp = self.is_limp(&self.state.joints[number]);
            let joint = &mut self.state.joints[number];
            let tone = joint.muscle.tone(doll_joint);
            joint.muscle.limp_time = if is_limp { joint.muscle.limp_time + step * haste } else { 0.0 };
            if is_limp && tone > 0.0 && joint.attachment.is_enabled() {
                // Masses grow with the cube of the scale and lengths with the scale; gravity stays the same.
                let factor = tone * scale;
                muscle_steps.extend(
                    joint
                        .begin_step(doll_joint, factor, &mut self.scratch.solver_bodies, step)
                        .map(|muscle_step| (number, muscle_step)),
                );
            }
        }
        for (number, muscle_step) in &muscle_steps {
            self.state.joints[*number].apply_muscle(muscle_step, &mut self.scratch.solver_bodies, step);
        }
        for (number, muscle_step) in &muscle_steps {
            self.state.joints[*number].expect_velocity(muscle_step, &self.scratch.solver_bodies);
        }
        self.scratch.muscle_steps = muscle_steps;
    }
}

/// Muscle in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct MuscleStep {
    kind: JointKind,
    /// Frame of the joint on body 1, world space, and the directions in it about which the joint turns.
    frame: Quat,
    free: Vec3,
    /// Rotation vector to the pose to hold, and angular velocity, in the frame.
    error: Vec3,
    speed: Vec3,
    stiffness: f32,
    damping: f32,
    /// Changes of both bodies' velocities by torques about the axes of the frame, and of their relative one.
    responses: [[[Vec3; 2]; 2]; 3],
    mobility: Mat3,
}

impl RagJoint {
    /// Aims the muscle at the rotations of both bodies, and returns the angle between the target and that while
    /// the joint was last awake, radians.
    fn aim_muscle(&mut self, [turn1, turn2]: [Quat; 2]) -> f32 {
        let frame1 = turn1 * self.frames[0].rotation;
        let target = (frame1.inverse() * turn2 * self.frames[1].rotation).normalize();
        if !target.is_finite() {
            return 0.0;
        }
        self.muscle.target = target;
        turn_between(self.muscle.awake_target, target).length()
    }

    /// Returns the muscle in this step, with a factor of its stiffness.
    fn begin_step(
        &mut self,
        doll_joint: &Joint,
        factor: f32,
        solver_bodies: &mut [SolverBody],
        step: f32,
    ) -> Option<MuscleStep> {
        let mut world = SolverBody::fixed(Pose::IDENTITY);
        let pair = self.pair(doll_joint.kind, solver_bodies, &mut world)?;
        self.muscle.awake_target = self.muscle.target;
        let free = free_axes(doll_joint.kind);
        let frame = pair.bodies[0].pose.rotation * self.frames[0].rotation;
        let now = pair.bodies[1].pose.rotation * self.frames[1].rotation;
        let into = frame.inverse();
        let error = free * (into * turn_between(now, frame * self.muscle.target));
        let speed = free * (into * (pair.bodies[1].angular - pair.bodies[0].angular));
        let responses = pair.torque_responses(frame)?;
        let relative = |response: [[Vec3; 2]; 2]| free * (into * (response[1][1] - response[0][1]));
        let mobility = Mat3::from_cols_array_2d(&responses.map(|response| relative(response).to_array()));
        let mobility = mobility * Mat3::from_diagonal(free);
        let stiffness = (doll_joint.muscle * factor).min(MAX_MUSCLE_STIFFNESS);
        let damping = match doll_joint.muscle_damping {
            Some(damping) => (damping * factor).min(MAX_MUSCLE_STIFFNESS),
            None => 2.0 * (stiffness / mean(&mobility, free)).sqrt(),
        };
        self.learn_load(&mobility, free, speed, step);
        let kind = doll_joint.kind;
        Some(MuscleStep { kind, frame, free, error, speed, stiffness, damping, responses, mobility })
    }

    /// Turns both bodies toward the pose to hold.
    fn apply_muscle(&self, muscle_step: &MuscleStep, solver_bodies: &mut [SolverBody], step: f32) {
        let mut world = SolverBody::fixed(Pose::IDENTITY);
        let Some(mut pair) = self.pair(muscle_step.kind, solver_bodies, &mut world) else { return };
        let MuscleStep { frame, free, error, stiffness, damping, mobility, .. } = *muscle_step;
        // The muscles before this one have moved its bodies already.
        let speed = free * (frame.inverse() * (pair.bodies[1].angular - pair.bodies[0].angular));
        let load = self.muscle.load * step;
        let carried = speed + mobility * load;
        let answer = step * (damping + step * stiffness);
        let wanted = step * (stiffness * (error - step * carried) - damping * carried);
        // Divided by the stiffness first, for products that stay finite.
        let size = 1.0 + answer * mean(&mobility, free);
        let whole = Mat3::from_diagonal(Vec3::ONE / size) + mobility * (answer / size);
        let mut impulse = free * (whole.inverse() * (wanted / size));
        let added = mobility * impulse;
        let most = speed.length().max(MAX_MUSCLE_SPIN);
        if (speed + added).length() > most {
            // Of the way to the new speed, as much as the fastest allows.
            let (a, b, c) = (added.length_squared(), speed.dot(added), speed.length_squared() - most * most);
            impulse *= ((b * b - a * c).max(0.0).sqrt() - b) / a;
        }
        if !impulse.is_finite() {
            return;
        }
        let at = pair.anchor;
        let torque = Wrench { torque: frame * impulse, ..Wrench::ZERO };
        for (body, sign) in pair.bodies.iter_mut().zip([-1.0, 1.0]) {
            body.add_force(at, torque, sign / step);
        }
        let (driven, moved) = (impulse.to_array(), (impulse + load).to_array());
        for (axis, response) in muscle_step.responses.iter().enumerate() {
            for (body, change) in pair.bodies.iter_mut().zip(response) {
                body.add_velocity(*change, moved[axis]);
                body.muscle_spin += change[1] * driven[axis];
            }
        }
    }

    /// Records the angular velocity that all muscles together would give the joint without loads.
    fn expect_velocity(&mut self, muscle_step: &MuscleStep, solver_bodies: &[SolverBody]) {
        let driven = |body: usize| solver_bodies.get(body).map_or(Vec3::ZERO, |body| body.muscle_spin);
        let added = self.body2.map_or(Vec3::ZERO, driven) - driven(self.body1);
        self.muscle.expected_velocity = muscle_step.speed + muscle_step.free * (muscle_step.frame.inverse() * added);
    }
}

/// Returns the mean of a mobility about the axes about which a joint turns.
fn mean(mobility: &Mat3, free: Vec3) -> f32 {
    (mobility.x_axis.x + mobility.y_axis.y + mobility.z_axis.z) / free.element_sum()
}

impl RagJoint {
    /// Learns the load of the muscle from the motion that it did not expect.
    fn learn_load(&mut self, mobility: &Mat3, free: Vec3, speed: Vec3, step: f32) {
        let muscle = &mut self.muscle;
        let inertia = (*mobility + Mat3::from_diagonal(Vec3::ONE - free)).inverse();
        let found = free * (inertia * (speed - muscle.expected_velocity)) / step;
        let share = (MUSCLE_LOAD_RATE * step).min(MAX_MUSCLE_LOAD_GAIN)
            / (1.0 + speed.length_squared() / (MUSCLE_LOAD_SPIN * MUSCLE_LOAD_SPIN));
        let load = muscle.load + (found - muscle.load) * share;
        muscle.load = if load.is_finite() { load } else { Vec3::ZERO };
    }
}

impl SolverPair<'_> {
    /// Returns the changes of both bodies' velocities by unit torques on body 2 about the axes of a frame and their
    /// opposites on body 1, while the joint holds its point. `None` if nothing can move.
    fn torque_responses(&self, frame: Quat) -> Option<[[[Vec3; 2]; 2]; 3]> {
        let effective_mass = self.effective_mass()?;
        Some(
            UNITS.map(|unit| {
                self.constrained_response(&effective_mass, Wrench { torque: frame * unit, ..Wrench::ZERO })
            }),
        )
    }
}
