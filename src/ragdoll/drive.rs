//! What moves a ragdoll's bodies besides gravity: animation, and stops that close in.

use glam::Vec3;
use rapier3d::prelude::{Pose, RigidBodyType};

use super::Ragdoll;
use crate::physics::Physics;

/// How a body of some strength takes part in physics: at 1 it is where the animation is, whatever it meets.
pub(super) fn body_type(strength: f32) -> RigidBodyType {
    if is_animated(strength) { RigidBodyType::KinematicPositionBased } else { RigidBodyType::Dynamic }
}

pub(super) fn is_animated(strength: f32) -> bool {
    strength != 0.0
}

impl Ragdoll {
    /// Scales every body's strength: the doll's own `animate` times `strength` (command `animate`).
    ///
    /// A body that is let go keeps the velocity that the animation gave it. NaN and infinities count as 0.
    pub fn animate(&mut self, strength: f32, physics: &mut Physics) {
        let strength = if strength.is_finite() { strength } else { 0.0 };
        for body in 0..self.bodies.len() {
            self.set_strength(body, self.doll.bodies[body].animate * strength, physics);
        }
        self.plan_closings();
    }

    /// Sets one body's strength, whatever the doll says (command `animatebody`). Returns whether it exists.
    pub fn animate_body(&mut self, name: &[u8], strength: f32, physics: &mut Physics) -> bool {
        let Some(body) = self.doll.find_body(name) else { return false };
        let strength = if strength.is_finite() { strength } else { 0.0 };
        self.set_strength(body, strength, physics);
        self.plan_closings();
        true
    }

    /// Makes a joint hold or lets it go (command `enablejoint`). Returns whether it exists.
    pub fn enable_joint(&mut self, name: &[u8], enabled: bool, physics: &mut Physics) -> bool {
        let Some(number) = self.doll.find_joint(name) else { return false };
        let joint = &mut self.joints[number];
        joint.enabled = enabled;
        joint.rest.set_enabled(enabled);
        joint.rest.set_contacts_enabled(!enabled);
        if let Some(built) = physics.world_mut().impulse_joints.get_mut(joint.handle, true) {
            built.data.set_enabled(enabled);
            built.data.set_contacts_enabled(!enabled);
        }
        self.plan_closings();
        true
    }

    /// To be called before every physics step; `progress` tells how much of the host's frame the step ends at: 0 where
    /// the last frame ended, 1 where this one does.
    pub fn before_step(&mut self, progress: f32, physics: &mut Physics) {
        self.watch_rest(physics);
        for body in &mut self.bodies {
            let Some(built) = physics.world_mut().bodies.get_mut(body.handle) else { continue };
            body.previous = *built.position();
            if is_animated(body.strength) {
                let target = between(&body.from, &body.to, progress);
                if target != body.previous {
                    built.set_next_kinematic_position(target);
                }
            }
        }
        let step = physics.settings().step;
        for joint in self.joints.iter_mut().filter(|joint| joint.easing > 0.0) {
            joint.ease(step, physics);
        }
    }

    /// To be called when the host's frame is over: what is animated stands where it was told to.
    pub fn end_frame(&mut self) {
        for body in &mut self.bodies {
            body.from = body.to;
        }
    }

    fn set_strength(&mut self, number: usize, strength: f32, physics: &mut Physics) {
        let body = &mut self.bodies[number];
        let was_animated = is_animated(body.strength);
        body.strength = strength;
        if was_animated == is_animated(strength) {
            return;
        }
        if let Some(built) = physics.world_mut().bodies.get_mut(body.handle) {
            built.set_body_type(body_type(strength), true);
            if !was_animated {
                // Until it is told otherwise it holds the pose it has.
                body.from = *built.position();
                body.to = body.from;
                built.set_linvel(Vec3::ZERO, true);
                built.set_angvel(Vec3::ZERO, true);
            }
        }
        if was_animated {
            self.fit_released_joints(number, physics);
        }
    }

    /// The animation may have posed two bodies as no joint would let them.
    fn fit_released_joints(&mut self, body: usize, physics: &mut Physics) {
        for number in 0..self.joints.len() {
            let (body1, body2) = (self.joints[number].body1, self.joints[number].body2);
            let other = if body1 == body { body2 } else { Some(body1) };
            let touches = body1 == body || body2 == Some(body);
            if touches && other.is_none_or(|other| is_animated(self.bodies[other].strength)) {
                self.fit_joint(number, physics);
            }
        }
    }
}

/// Between two poses, or beyond the second at the same pace.
fn between(from: &Pose, to: &Pose, progress: f32) -> Pose {
    if from == to || progress == 1.0 {
        return *to;
    }
    let turn = (to.rotation * from.rotation.inverse()).to_scaled_axis();
    Pose::from_parts(
        from.translation + (to.translation - from.translation) * progress,
        (glam::Quat::from_scaled_axis(turn * progress) * from.rotation).normalize(),
    )
}
