//! How bodies follow the animation: exactly, with some strength, or not at all.

use glam::Vec3;
use rapier3d::prelude::{Pose, RigidBody, RigidBodyType};

use super::{RagBody, RagJoint, Ragdoll};
use crate::physics::{Physics, StepPhase, ahead, between, smooth, turn_between};
use crate::trig::powf;

/// What a body's strength makes of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Drive {
    /// Physics alone.
    Limp,
    /// Physics, pulled towards the animation: the share of the way that it makes in a sixtieth of a second.
    Pulled(f32),
    /// Where the animation is, whatever is in the way.
    Exact,
}

/// Seconds in which a body that starts to follow exactly from afar gets there.
const GET_UP: f32 = 0.3;
/// A body that would have to be faster than this to be where the animation is gets there slowly: units/s, radians/s.
const TOO_FAST: f32 = 1000.0;
const TOO_FAST_TURN: f32 = 60.0;
/// How much faster than the animation a pulled body may be made, units/s, and how fast it may be turned, radians/s: one
/// that something holds back does not shoot off once it is free.
const PULL_SPEED: f32 = 600.0;
const PULL_SPIN: f32 = 30.0;

impl RagBody {
    pub(super) fn drive(&self) -> Drive {
        match self.strength * self.flinch_factor() {
            strength if strength >= 1.0 => Drive::Exact,
            strength if strength > 0.0 => Drive::Pulled(strength),
            _ => Drive::Limp,
        }
    }

    /// Whether it is shown exactly where the animation has it.
    pub(super) fn is_exact(&self) -> bool {
        self.drive() == Drive::Exact && self.getting_up <= 0.0
    }

    pub(super) fn is_animated(&self) -> bool {
        self.strength > 0.0
    }

    pub(super) fn body_type(&self) -> RigidBodyType {
        match self.drive() {
            Drive::Exact => RigidBodyType::KinematicPositionBased,
            Drive::Pulled(_) | Drive::Limp => RigidBodyType::Dynamic,
        }
    }
}

impl Ragdoll {
    /// Scales every body's strength: the doll's own `animate` times `strength` (command `animate`).
    ///
    /// At 1 a body is exactly where the animation is, and pushes what it meets; between 0 and 1 it follows with that
    /// strength, whatever the frame rate; at 0 and below it is limp. One that is let go keeps the velocity that the
    /// animation gave it; one that is far from where it should be gets there within a third of a second. NaN and
    /// infinities count as 0.
    pub fn set_drive_strength(&mut self, strength: f32, physics: &mut Physics) {
        self.strength = if strength.is_finite() { strength } else { 0.0 };
        let mut changed = false;
        for body in 0..self.bodies.len() {
            changed |= self.set_strength(body, self.doll.bodies[body].animate * strength, physics);
        }
        if changed {
            self.plan_gap_fixes();
        }
    }

    /// Sets one body's strength, whatever the doll says (command `animatebody`). Returns whether the body exists.
    pub fn set_body_strength(&mut self, name: &[u8], strength: f32, physics: &mut Physics) -> bool {
        let Some(body) = self.doll.find_body(name) else { return false };
        if self.set_strength(body, strength, physics) {
            self.plan_gap_fixes();
        }
        true
    }

    /// To be called around every physics step, from [`Physics::advance`].
    pub fn step(&mut self, phase: StepPhase, physics: &mut Physics) {
        match phase {
            StepPhase::Before { progress, frame_time } => {
                self.travel.frame_time = frame_time;
                self.before_step(progress, physics);
            }
            StepPhase::After => self.after_step(physics),
        }
    }

    fn before_step(&mut self, progress: f32, physics: &mut Physics) {
        let asleep = self.watch_rest(physics);
        if asleep && !self.bodies.iter().any(RagBody::is_animated) {
            return;
        }
        let (step, gravity) = (physics.step_time(), physics.world().gravity);
        let last_frame = self.travel.last_frame();
        let mut arrived = false;
        for number in 0..self.bodies.len() {
            self.recover_from_hit(number, step, physics);
            let body = &mut self.bodies[number];
            // To rapier a body that is only asked to be changed has changed, and so has every joint in the world.
            let Some(built) = physics.world().bodies.get(body.handle) else { continue };
            body.previous = *built.position();
            let drive = body.drive();
            let target = match drive {
                Drive::Limp => continue,
                Drive::Pulled(_) => smooth(&body.before, &body.from, &body.to, last_frame, progress),
                Drive::Exact => {
                    let getting_up = body.getting_up > 0.0;
                    let target = body.exact_target(progress, step);
                    arrived |= getting_up && body.is_exact();
                    target
                }
            };
            if drive == Drive::Exact && target == body.previous {
                continue;
            }
            let Some(built) = physics.world_mut().bodies.get_mut(body.handle) else { continue };
            match drive {
                Drive::Pulled(strength) => {
                    let paced = body.to.translation.distance(body.from.translation);
                    pull(built, &target, strength, paced, step, gravity);
                }
                _ => built.set_next_kinematic_position(target),
            }
        }
        if arrived {
            self.plan_gap_fixes();
        }
        self.hold_joints(physics);
    }

    /// To be called when the host's frame is over: what is animated stands where it was told to.
    pub fn end_frame(&mut self) {
        for body in self.bodies.iter_mut().filter(|body| body.is_animated()) {
            body.before = body.from;
            body.from = body.to;
        }
        self.travel.end_frame();
    }

    /// Returns whether the body follows otherwise than before.
    fn set_strength(&mut self, number: usize, strength: f32, physics: &mut Physics) -> bool {
        let body = &mut self.bodies[number];
        let before = body.drive();
        body.strength = if strength.is_finite() { strength.max(0.0) } else { 0.0 };
        body.flinch = 0.0;
        let changed = body.drive() != before;
        self.change_drive(number, before, physics);
        changed
    }

    /// Makes physics treat a body as its strength asks, which it did not before.
    pub(super) fn change_drive(&mut self, number: usize, before: Drive, physics: &mut Physics) {
        let body = &mut self.bodies[number];
        let now = body.drive();
        if now == before {
            return;
        }
        if let Some(built) = physics.world_mut().bodies.get_mut(body.handle) {
            if before == Drive::Limp {
                // Until it is told otherwise it holds the pose it has.
                body.from = *built.position();
                (body.before, body.to) = (body.from, body.from);
                body.joining = true;
            }
            if now == Drive::Exact {
                body.start = *built.position();
                body.getting_up = GET_UP;
                built.set_linvel(Vec3::ZERO, true);
                built.set_angvel(Vec3::ZERO, true);
            }
            built.set_body_type(body.body_type(), true);
        }
        if before == Drive::Exact {
            self.fit_released_joints(number, physics);
        }
        if before == Drive::Exact || now == Drive::Exact {
            for joint in 0..self.joints.len() {
                let RagJoint { body1, body2, .. } = self.joints[joint];
                if body1 == number || body2 == Some(number) {
                    self.work(joint, physics);
                }
            }
        }
    }

    /// The animation may have posed two bodies as no joint would let them.
    fn fit_released_joints(&mut self, body: usize, physics: &mut Physics) {
        for number in 0..self.joints.len() {
            let (body1, body2) = (self.joints[number].body1, self.joints[number].body2);
            let other = if body1 == body { body2 } else { Some(body1) };
            let touches = body1 == body || body2 == Some(body);
            if touches && other.is_none_or(|other| self.bodies[other].is_exact()) {
                self.fit_joint(number, physics);
            }
        }
    }
}

impl RagBody {
    /// Where an exact body goes in this step: to the animation, or on its way there from where it lay.
    fn exact_target(&mut self, progress: f32, step: f32) -> Pose {
        let target = ahead(&self.before, &self.from, &self.to, progress);
        if self.getting_up <= 0.0 {
            return target;
        }
        let way = target.translation.distance(self.previous.translation);
        let turn = target.rotation.angle_between(self.previous.rotation);
        if way < TOO_FAST * step && turn < TOO_FAST_TURN * step {
            self.getting_up = 0.0;
            return target;
        }
        self.getting_up -= step;
        let t = (1.0 - self.getting_up / GET_UP).clamp(0.0, 1.0);
        between(&self.start, &target, t * t * (3.0 - 2.0 * t))
    }
}

/// Changes a body's velocity towards the one that would bring it to `target` in this step.
fn pull(built: &mut RigidBody, target: &Pose, strength: f32, paced: f32, step: f32, gravity: Vec3) {
    // The same share of the way in a sixtieth of a second, however many steps that takes.
    let share = 1.0 - powf(1.0 - strength, 60.0 * step);
    let at = *built.position();
    let way = target.translation - at.translation;
    let velocity = (way / step).clamp_length_max(paced / step + PULL_SPEED);
    let spin = (turn_between(at.rotation, target.rotation) / step).clamp_length_max(PULL_SPIN);
    let (linear, angular) = (built.linvel(), built.angvel());
    // What gravity is about to add is taken away by the same share.
    built.set_linvel(linear + (velocity - linear) * share - gravity * step * share, true);
    built.set_angvel(angular + (spin - angular) * share, true);
}
