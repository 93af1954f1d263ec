//! Driving of bodies by the animation: exactly, with some strength, or not at all.

use glam::Vec3;
use rapier3d::prelude::{Pose, RigidBody};
use skelobj_model::internal::{self, powf};

use super::{
    RagBody, RagJoint, Ragdoll,
    approach::Approach,
    carried_bones::BoneReturn,
    drive_mode::{Drive, strength_of},
    flinch::RemainingFlinch,
    sanitize::{is_near, max_speed},
    tuning::{GET_UP_TIME, PULL_SPEED, PULL_SPIN},
};
use crate::OutOfRange;
use crate::physics::{
    Physics, StepPhase, extrapolated, is_parked, move_to, park, smoothed, turn_between, with_sign_of,
};

impl Ragdoll {
    /// Sets the strength of all bodies: the doll's own `animate` times `strength`, at once or over a time in seconds.
    /// [`Command::Animate`](super::Command::Animate) states what follows.
    ///
    /// Between 0 and 1, a body follows with a strength that is independent of the frame rate. A body that is to follow
    /// exactly and is far from the animation approaches it for 0.3 seconds.
    ///
    /// # Errors
    /// [`OutOfRange`] for a strength or a time that is not finite.
    pub(crate) fn set_drive_strength(
        &mut self,
        strength: f32,
        over: Option<f32>,
        physics: &mut Physics,
    ) -> Result<(), OutOfRange> {
        check_change(strength, over)?;
        match &mut self.state.suspended_strength {
            Some(suspended) => *suspended = strength,
            None => self.set_strengths(strength, over, physics),
        }
        Ok(())
    }

    /// Makes all bodies limp, or ends that: they then have the strength that was set last. Returns `true` if either
    /// happened.
    pub(crate) fn suspend_drive(&mut self, suspended: bool, physics: &mut Physics) -> bool {
        match (suspended, self.state.suspended_strength.take()) {
            (true, None) => {
                self.state.suspended_strength = Some(self.state.drive_strength);
                self.set_strengths(0.0, None, physics);
                true
            }
            (false, Some(strength)) => {
                self.set_strengths(strength, None, physics);
                true
            }
            (_, before) => {
                self.state.suspended_strength = before;
                false
            }
        }
    }

    /// Sets the strength of all bodies to a finite number, at once or over a finite time.
    pub(super) fn set_strengths(&mut self, strength: f32, over: Option<f32>, physics: &mut Physics) {
        self.state.drive_strength = strength;
        let mut changed = false;
        debug_assert_eq!(self.state.bodies.len(), self.doll.bodies.len(), "every body of the doll has one of rapier");
        for number in 0..self.state.bodies.len() {
            let strength = self.doll.bodies[number].animate * strength;
            let body = &mut self.state.bodies[number];
            if strength > 0.0 && body.attached_strength.is_some() && !body.is_animated() {
                body.attached_strength = Some(strength_of(strength));
            } else {
                changed |= self.set_body(number, strength, over, physics);
            }
        }
        if changed {
            self.plan_gap_fixes();
        }
    }

    /// Sets the strength of one body, regardless of the doll's, at once or over a time in seconds. Returns `true` if
    /// the body exists.
    ///
    /// # Errors
    /// [`OutOfRange`] for a strength or a time that is not finite.
    pub(crate) fn set_body_strength(
        &mut self,
        name: impl AsRef<[u8]>,
        strength: f32,
        over: Option<f32>,
        physics: &mut Physics,
    ) -> Result<bool, OutOfRange> {
        check_change(strength, over)?;
        let Some(body) = self.doll.find_body(name) else { return Ok(false) };
        self.set_bodies(&[body], strength, over, physics);
        Ok(true)
    }

    /// Sets the strength of a body and of all that hangs on it, at once or over a time in seconds. Returns `true` if
    /// the body exists. [`Command::AnimateLimb`](super::Command::AnimateLimb) states what hangs on a body.
    ///
    /// # Errors
    /// [`OutOfRange`] for a strength or a time that is not finite.
    pub(crate) fn set_limb_strength(
        &mut self,
        name: impl AsRef<[u8]>,
        strength: f32,
        over: Option<f32>,
        physics: &mut Physics,
    ) -> Result<bool, OutOfRange> {
        check_change(strength, over)?;
        let Some(body) = self.doll.find_body(name) else { return Ok(false) };
        self.set_bodies(&self.limb(body), strength, over, physics);
        Ok(true)
    }

    fn set_bodies(&mut self, bodies: &[usize], strength: f32, over: Option<f32>, physics: &mut Physics) {
        let mut changed = false;
        for body in bodies {
            changed |= self.set_body(*body, strength, over, physics);
        }
        if changed {
            self.plan_gap_fixes();
        }
    }

    /// Makes bodies limp that no longer hang on the root, and gives back the strength of those that hang on it again.
    pub(super) fn drop_severed(&mut self, physics: &mut Physics) {
        // A joint that the doll disables has never held its bodies.
        let hangs =
            self.hangs_on_root(|number, joint| joint.attachment.is_enabled() || !self.doll.joints[number].enabled);
        for (number, hangs) in hangs.into_iter().enumerate() {
            let body = &mut self.state.bodies[number];
            match body.attached_strength {
                None if !hangs => {
                    let strength = body.final_strength();
                    self.set_body(number, 0.0, None, physics);
                    self.state.bodies[number].attached_strength = Some(strength);
                }
                Some(strength) if hangs => {
                    body.attached_strength = None;
                    self.set_body(number, strength, None, physics);
                }
                _ => {}
            }
        }
    }

    /// Sets the strength of a body. Returns `true` if its mode of following has changed.
    fn set_body(&mut self, body: usize, strength: f32, over: Option<f32>, physics: &mut Physics) -> bool {
        let stayed_animated = self.state.bodies[body].stays_animated();
        self.state.bodies[body].attached_strength.iter_mut().for_each(|attached| *attached = strength_of(strength));
        let changed = match over {
            Some(seconds) => self.set_strength_over(body, strength, seconds, physics),
            None => self.set_strength(body, strength, physics),
        };
        let body = &mut self.state.bodies[body];
        if !body.stays_animated() {
            body.bone_return = None;
        } else if !stayed_animated {
            body.bone_return = BoneReturn::over(over.unwrap_or(GET_UP_TIME));
        }
        changed
    }

    /// Drives the bodies in a physics step. Call it before and after every step, from [`Physics::advance`].
    pub(crate) fn step(&mut self, phase: StepPhase, physics: &mut Physics) {
        match phase {
            StepPhase::Before { progress, frame_time } => {
                self.state.entity_motion.frame_time = frame_time;
                self.before_step(progress, physics);
            }
            StepPhase::After => self.after_step(physics),
        }
    }

    fn before_step(&mut self, progress: f32, physics: &mut Physics) {
        // The host may not have reported the end of the last step.
        self.remove_step_forces(physics);
        if self.state.bodies.iter().any(RagBody::is_animated) {
            self.return_to_level(physics);
        }
        let asleep = self.has_left_level() || self.detect_sleep(physics);
        self.scratch.dormant = asleep && !self.state.bodies.iter().any(RagBody::is_animated);
        if self.scratch.dormant {
            return;
        }
        physics.note_ragdoll(self.state.bodies.iter().map(|body| body.handle));
        let (step, gravity) = (physics.step_time(), physics.world().gravity);
        self.state.last_step = step;
        let (pull_speed, max_speed) = (PULL_SPEED * self.speed_scale(physics), max_speed(physics));
        let (last_frame, scale) = (self.state.entity_motion.last_frame(), physics.scale());
        let (mut longest_way, mut replan) = (0.0f32, false);
        for number in 0..self.state.bodies.len() {
            replan |= self.recover_from_hit(number, step, physics);
            replan |= self.change_strength(number, step, physics);
            let body = &mut self.state.bodies[number];
            body.bone_return.iter_mut().for_each(|way| way.advance(step));
            if let Some(built) = physics.world().bodies.get(body.handle) {
                body.previous = *built.position();
                if !physics.is_later_part() {
                    body.step_start = body.previous;
                }
            }
        }
        if replan {
            self.plan_gap_fixes();
        }
        let approaching = self.approach(progress, step, physics);
        debug_assert!(
            approaching.is_empty() || approaching.len() == self.state.bodies.len(),
            "all bodies have a pose on the way, or none"
        );
        // Bodies that hang on still ones may sleep.
        let carries_limp = self.state.bodies.iter().any(|body| body.drive() == Drive::Limp);
        for number in 0..self.state.bodies.len() {
            let body = &self.state.bodies[number];
            // rapier counts a body that is only borrowed mutably as changed, and with it every joint in the world.
            let Some(built) = physics.world().bodies.get(body.handle) else { continue };
            let drive = body.drive();
            let target = match drive {
                Drive::Limp => continue,
                Drive::Pulled(_) => {
                    smoothed(&body.earlier_target, &body.last_target, &body.target, last_frame, progress, scale)
                }
                Drive::Exact => {
                    let target = approaching.get(number).copied();
                    let target = target.unwrap_or_else(|| {
                        extrapolated(&body.earlier_target, &body.last_target, &body.target, progress, scale)
                    });
                    longest_way = longest_way.max(target.translation.distance(built.translation()));
                    with_sign_of(target, *built.rotation())
                }
            };
            let is_still = body.is_exact() && body.target == body.last_target && is_parked(built);
            if drive == Drive::Exact && (is_still || target == *built.position()) {
                if carries_limp && built.is_moving() {
                    physics.world_mut().bodies.get_mut(body.handle).into_iter().for_each(|built| park(built, scale));
                }
                continue;
            }
            if !is_near(&target) {
                continue;
            }
            let target = match drive {
                Drive::Pulled(_) => physics.stopped_at_wall(built.translation(), target),
                _ => target,
            };
            let Some(built) = physics.world_mut().bodies.get_mut(body.handle) else { continue };
            match drive {
                Drive::Pulled(strength) => {
                    let paced = body.target.translation.distance(body.last_target.translation);
                    pull(built, &target, strength, (paced / step + pull_speed).min(max_speed), step, gravity);
                }
                _ => {
                    built.set_body_type(body.body_type(), true);
                    move_to(built, &target, step, scale);
                }
            }
        }
        if self.state.bodies.iter().any(|body| body.drive() != Drive::Exact) {
            // Larger limbs bear longer ways.
            physics.note_animation_speed(longest_way * (physics.scale() / self.travel_scale(physics)));
        }
        self.lead_out_of_walls(physics);
        self.prepare_joints(physics);
        self.choose_limits(physics);
        self.apply_joint_forces(physics);
        self.apply_buoyancy(physics);
    }

    /// Ends the host's frame: the targets of animated bodies become the starts of their next motions. Call it once per
    /// frame, after the steps.
    pub(crate) fn end_frame(&mut self) {
        for body in self.state.bodies.iter_mut().filter(|body| body.is_animated()) {
            body.earlier_target = body.last_target;
            body.last_target = body.target;
        }
        self.state.entity_motion.end_frame();
    }

    /// Sets the strength of a body. Returns `true` if its mode of following has changed.
    pub(super) fn set_strength(&mut self, number: usize, strength: f32, physics: &mut Physics) -> bool {
        let body = &mut self.state.bodies[number];
        let before = body.drive();
        body.strength = strength_of(strength);
        (body.flinch, body.ramp) = (RemainingFlinch::default(), None);
        let now = body.drive();
        if now != Drive::Exact {
            body.approach = None;
        }
        self.change_drive(number, before, physics);
        now != before
    }

    /// Changes the strength of a body in a step if it changes over time. Returns `true` if it begins or ceases to
    /// follow exactly.
    fn change_strength(&mut self, number: usize, step: f32, physics: &mut Physics) -> bool {
        let body = &mut self.state.bodies[number];
        let Some(ramp) = &mut body.ramp else { return false };
        let strength = ramp.advance(body.strength, step);
        if ramp.has_ended() {
            body.ramp = None;
        }
        let before = body.drive();
        body.strength = strength;
        let now = body.drive();
        self.change_drive(number, before, physics);
        (before == Drive::Exact) != (now == Drive::Exact)
    }

    /// Changes the body in the physics world from the previous way of following to that of its strength.
    pub(super) fn change_drive(&mut self, number: usize, before: Drive, physics: &mut Physics) {
        let body = &mut self.state.bodies[number];
        let now = body.drive();
        if now == before {
            return;
        }
        if let Some(built) = physics.world_mut().bodies.get_mut(body.handle) {
            if before == Drive::Limp {
                // Until it gets a target it holds its current pose.
                body.last_target = *built.position();
                (body.earlier_target, body.target) = (body.last_target, body.last_target);
                body.is_joining = true;
            }
            if now == Drive::Exact {
                // A hit only interrupts the way to the animation.
                let interrupted = body.approach.map(|approach| approach.resumed(body.to_bone));
                body.approach = Some(interrupted.unwrap_or_else(|| Approach::untimed(body.to_bone)));
                built.set_linvel(Vec3::ZERO, true);
                built.set_angvel(Vec3::ZERO, true);
            }
            built.set_body_type(body.body_type(), true);
        }
        if before == Drive::Exact {
            self.state.wall_recovery.release(number);
            self.fit_released_joints(number, physics);
            self.reset_sleep_detector(physics);
        }
        if before == Drive::Exact || now == Drive::Exact {
            for joint in 0..self.state.joints.len() {
                let RagJoint { body1, body2, .. } = self.state.joints[joint];
                if body1 == number || body2 == Some(number) {
                    self.update_enabled(joint, physics);
                }
            }
        }
    }

    /// Fits the joints between a released body and exact bodies, which the animation may have posed outside the limits
    /// of the joint.
    fn fit_released_joints(&mut self, body: usize, physics: &mut Physics) {
        for number in 0..self.state.joints.len() {
            let (body1, body2) = (self.state.joints[number].body1, self.state.joints[number].body2);
            let other = if body1 == body { body2 } else { Some(body1) };
            let touches = body1 == body || body2 == Some(body);
            if touches && other.is_none_or(|other| self.state.bodies[other].is_exact()) {
                self.fit_joint(number, physics);
            }
        }
    }
}

/// Changes the velocity of a body toward the velocity that would bring it to `target` in this step, at most `speed`.
fn pull(built: &mut RigidBody, target: &Pose, strength: f32, speed: f32, step: f32, gravity: Vec3) {
    debug_assert!(strength > 0.0 && strength < 1.0, "others are limp or exact");
    debug_assert!(step > 0.0, "a step takes some time");
    // The share of the distance covered in a sixtieth of a second is independent of the number of steps.
    let share = 1.0 - powf(1.0 - strength, 60.0 * step);
    let at = *built.position();
    let way = target.translation - at.translation;
    let velocity = (way / step).clamp_length_max(speed);
    let spin = (turn_between(at.rotation, target.rotation) / step).clamp_length_max(PULL_SPIN);
    let (linear, angular) = (built.linvel(), built.angvel());
    // The velocity that gravity is about to add is taken away by the same share.
    built.set_linvel(linear + (velocity - linear) * share - gravity * step * share, true);
    built.set_angvel(angular + (spin - angular) * share, true);
}

/// Checks the numbers of a change of strength.
fn check_change(strength: f32, over: Option<f32>) -> Result<(), OutOfRange> {
    internal::check_number(strength.is_finite(), "strength", strength, "a finite number")?;
    let seconds = over.unwrap_or(0.0);
    internal::check_number(seconds.is_finite(), "seconds", seconds, "a finite number")
}
