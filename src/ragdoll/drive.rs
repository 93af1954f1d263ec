//! Driving bodies by the animation: exactly, with some strength, or not at all.

use glam::Vec3;
use rapier3d::prelude::{Pose, RigidBody, RigidBodyType};

use super::{
    RagBody, RagJoint, Ragdoll,
    sanitize::{MAX_SPEED, is_near},
};
use crate::physics::{Physics, StepPhase, ahead, between, move_to, smooth, turn_between};
use crate::trig::powf;

/// The way in which a body of some strength follows the animation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Drive {
    /// Physics alone.
    Limp,
    /// Physics with a pull towards the animation: the share of the way covered in a sixtieth of a second.
    Pulled(f32),
    /// The place that the animation gives, whatever is in the way.
    Exact,
}

/// Seconds in which a body that starts to follow exactly from afar reaches the animation.
const GET_UP: f32 = 0.3;
/// Speed beyond which a body would have to catch up with the animation, and does so slowly instead: units/s, radians/s.
const TOO_FAST: f32 = 1000.0;
const TOO_FAST_TURN: f32 = 60.0;
/// Limits of the speed at which a pulled body may exceed the animation, units/s, and of its spin, radians/s: a body that is
/// held back does not shoot off once it is free.
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

    /// Returns whether the body is shown exactly where the animation has it.
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
    /// Sets the strength of all bodies: the doll's own `animate` times `strength` (command `animate`).
    ///
    /// A body of strength 1 is exactly where the animation is, and pushes the bodies that it meets; between 0 and 1 it
    /// follows with that strength, at any frame rate; at 0 and below it is limp. A body that is let go keeps the velocity
    /// that the animation gave it; a body that is far from the animation reaches it within a third of a second. NaN and
    /// infinities count as 0.
    pub fn set_drive_strength(&mut self, strength: f32, physics: &mut Physics) {
        self.strength = if strength.is_finite() { strength } else { 0.0 };
        let mut changed = false;
        for body in 0..self.bodies.len() {
            changed |= self.set_strength(body, self.doll.bodies[body].animate * self.strength, physics);
        }
        if changed {
            self.plan_gap_fixes();
        }
    }

    /// Sets the strength of one body, whatever the doll says (command `animatebody`): NaN and infinities count as 0.
    /// Returns whether the body exists.
    pub fn set_body_strength(&mut self, name: &[u8], strength: f32, physics: &mut Physics) -> bool {
        let Some(body) = self.doll.find_body(name) else { return false };
        if self.set_strength(body, strength, physics) {
            self.plan_gap_fixes();
        }
        true
    }

    /// Drives the bodies in one physics step; call it before and after every step, from [`Physics::advance`].
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
            // rapier counts a body that is only borrowed mutably as changed, and with it every joint in the world.
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
            if !is_near(&target) || (drive == Drive::Exact && target == body.previous) {
                continue;
            }
            let Some(built) = physics.world_mut().bodies.get_mut(body.handle) else { continue };
            match drive {
                Drive::Pulled(strength) => {
                    let paced = body.to.translation.distance(body.from.translation);
                    pull(built, &target, strength, paced, step, gravity);
                }
                _ => move_to(built, &target, step),
            }
        }
        if arrived {
            self.plan_gap_fixes();
        }
        self.hold_joints(physics);
        self.rub_joints(physics);
        self.unguard_if_torn(physics);
    }

    /// Ends the host's frame: animated bodies are at their targets.
    pub fn end_frame(&mut self) {
        for body in self.bodies.iter_mut().filter(|body| body.is_animated()) {
            body.before = body.from;
            body.from = body.to;
        }
        self.travel.end_frame();
    }

    /// Sets a body's strength and returns whether the way in which it follows has changed.
    fn set_strength(&mut self, number: usize, strength: f32, physics: &mut Physics) -> bool {
        let body = &mut self.bodies[number];
        let before = body.drive();
        body.strength = if strength.is_finite() { strength.max(0.0) } else { 0.0 };
        body.flinch = 0.0;
        let changed = body.drive() != before;
        self.change_drive(number, before, physics);
        changed
    }

    /// Changes the body in the physics world from the previous way of following to that of its strength.
    pub(super) fn change_drive(&mut self, number: usize, before: Drive, physics: &mut Physics) {
        let body = &mut self.bodies[number];
        let now = body.drive();
        if now == before {
            return;
        }
        if let Some(built) = physics.world_mut().bodies.get_mut(body.handle) {
            if before == Drive::Limp {
                // Until it gets a target it holds its current pose.
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

    /// Fits the joints between a released body and exact ones, which the animation may have posed as no joint would allow.
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
    /// Returns the target of an exact body in this step: the animation, or a place on the way there.
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
    // The share of the way in a sixtieth of a second is independent of the number of steps.
    let share = 1.0 - powf(1.0 - strength, 60.0 * step);
    let at = *built.position();
    let way = target.translation - at.translation;
    let velocity = (way / step).clamp_length_max((paced / step + PULL_SPEED).min(MAX_SPEED));
    let spin = (turn_between(at.rotation, target.rotation) / step).clamp_length_max(PULL_SPIN);
    let (linear, angular) = (built.linvel(), built.angvel());
    // The velocity that gravity is about to add is taken away by the same share.
    built.set_linvel(linear + (velocity - linear) * share - gravity * step * share, true);
    built.set_angvel(angular + (spin - angular) * share, true);
}
