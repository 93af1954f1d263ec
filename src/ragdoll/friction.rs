//! Dry friction of joints, as impulses before each step and forces during it.
//!
//! rapier solves joints four at a time, except for joints with motors; so friction is not a motor. Each axis with
//! friction acts on its two bodies with equal and opposite torques (for sliders, forces) in two ways:
//!
//! - An impulse before the step stops the motion that is left over from the last step, as far as the friction that was
//!   unused in that step allows.
//! - A torque during the step resists gravity and contacts, which act only then. The axis learns it from the leftover
//!   motion of the steps before; it is at most FMax.

use glam::Vec3;
use rapier3d::parry::math::AngularInertia;
use rapier3d::prelude::{JointAxis, Pose, RigidBody};

use super::{RagBody, RagJoint, Ragdoll, joint};
use crate::doll::JointKind;
use crate::physics::Physics;

/// Share of the torque that would stop the leftover motion in one step, which is added to the held torque. At a
/// quarter, a pair of bodies comes to rest without overshooting, and bodies that carry others overshoot little.
const LEARNING: f32 = 0.25;

/// Least mobility of an axis with the reaction of its joint, as a share of the mobility without it.
const LEAST_MOBILITY: f32 = 1e-5;

/// A body as friction sees it: momentum goes in and out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    centre: Vec3,
    pose: Pose,
    inverse_mass: Vec3,
    inverse_inertia: AngularInertia,
    linear: Vec3,
    angular: Vec3,
    /// Force and torque that act in the step.
    lean: Wrench,
    pushed: bool,
}

impl Mover {
    /// Returns the world or a body that nothing moves, at a pose.
    fn fixed(pose: Pose) -> Self {
        let (inverse_inertia, zero) = (AngularInertia::zero(), Vec3::ZERO);
        let [centre, inverse_mass, linear, angular] = [pose.translation, zero, zero, zero];
        Self { centre, pose, inverse_mass, inverse_inertia, linear, angular, lean: Wrench::ZERO, pushed: false }
    }

    /// Returns a body of the world; one that sleeps does not move.
    fn new(body: &RigidBody) -> Self {
        let pose = *body.position();
        if body.is_sleeping() || !body.is_enabled() {
            return Self::fixed(pose);
        }
        let moving = Self { linear: body.linvel(), angular: body.angvel(), ..Self::fixed(pose) };
        if !body.is_dynamic() {
            return moving;
        }
        let mass = body.mass_properties();
        Self {
            centre: mass.world_com,
            inverse_mass: mass.effective_inv_mass,
            inverse_inertia: mass.effective_world_inv_inertia,
            ..moving
        }
    }

    fn is_movable(&self) -> bool {
        self.inverse_mass != Vec3::ZERO || !self.inverse_inertia.is_zero()
    }

    /// Returns an impulse at a point as one at the centre of mass.
    fn about_centre(&self, at: Vec3, impulse: Wrench) -> Wrench {
        Wrench { force: impulse.force, torque: impulse.torque + (at - self.centre).cross(impulse.force) }
    }

    /// Returns the change of velocity, linear and angular, by an impulse at a point.
    fn response(&self, at: Vec3, impulse: Wrench) -> [Vec3; 2] {
        let impulse = self.about_centre(at, impulse);
        [self.inverse_mass * impulse.force, self.inverse_inertia.mul_vec(impulse.torque)]
    }

    /// Applies a multiple of a change of velocity at once.
    fn push(&mut self, [linear, angular]: [Vec3; 2], times: f32) {
        self.linear += linear * times;
        self.angular += angular * times;
        self.pushed = true;
    }

    /// Has a multiple of a force at a point act throughout the step.
    fn lean(&mut self, at: Vec3, force: Wrench, times: f32) {
        let force = self.about_centre(at, force);
        self.lean.force += force.force * times;
        self.lean.torque += force.torque * times;
    }

    /// Returns the change of the velocity at a point by a change of velocity.
    fn at_point(&self, at: Vec3, [linear, angular]: [Vec3; 2]) -> Vec3 {
        linear + angular.cross(at - self.centre)
    }
}

/// A force and a torque, or an impulse of both.
#[derive(Clone, Copy, Debug)]
struct Wrench {
    force: Vec3,
    torque: Vec3,
}

impl Wrench {
    const ZERO: Self = Self { force: Vec3::ZERO, torque: Vec3::ZERO };
}

/// The force and torque of friction on a body between the beginning and the end of a step.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Leaning {
    body: usize,
    force: Vec3,
    torque: Vec3,
}

#[cfg(feature = "serde")]
impl Leaning {
    /// Returns whether its body exists and its numbers are finite.
    pub(super) fn is_sound(&self, bodies: usize) -> bool {
        self.body < bodies && self.force.is_finite() && self.torque.is_finite()
    }

    /// Returns a force on a body that may not exist.
    #[cfg(test)]
    pub(super) fn astray(body: usize) -> Self {
        Self { body, force: Vec3::ZERO, torque: Vec3::ZERO }
    }
}

/// The two bodies of a joint and the point where it holds them.
struct Pair<'a> {
    bodies: [&'a mut Mover; 2],
    at: Vec3,
    /// True for a slider: it moves along its axes and holds all directions, others turn about axes and hold a point.
    slides: bool,
}

impl Pair<'_> {
    /// Returns what moves the joint on an axis.
    fn along(&self, axis: Vec3) -> Wrench {
        if self.slides { Wrench { force: axis, ..Wrench::ZERO } } else { Wrench { torque: axis, ..Wrench::ZERO } }
    }

    /// Returns what the joint holds its bodies together with, in a direction.
    fn reaction(&self, direction: Vec3) -> Wrench {
        if self.slides {
            Wrench { torque: direction, ..Wrench::ZERO }
        } else {
            Wrench { force: direction, ..Wrench::ZERO }
        }
    }

    /// Returns the velocities of the bodies, linear and angular.
    fn velocities(&self) -> [[Vec3; 2]; 2] {
        [0, 1].map(|body| [self.bodies[body].linear, self.bodies[body].angular])
    }

    /// Returns the changes of both bodies' velocities by an impulse on body 2 and its opposite on body 1.
    fn response(&self, impulse: Wrench) -> [[Vec3; 2]; 2] {
        let opposite = Wrench { force: -impulse.force, torque: -impulse.torque };
        [self.bodies[0].response(self.at, opposite), self.bodies[1].response(self.at, impulse)]
    }

    /// Returns how velocities, or changes of them, move the point of body 2 against that of body 1.
    fn parting(&self, [one, two]: [[Vec3; 2]; 2]) -> Vec3 {
        self.bodies[1].at_point(self.at, two) - self.bodies[0].at_point(self.at, one)
    }

    /// Returns how velocities, or changes of them, move body 2 against body 1 on an axis.
    fn relative(&self, axis: Vec3, velocities: [[Vec3; 2]; 2]) -> f32 {
        axis.dot(if self.slides { self.parting(velocities) } else { velocities[1][1] - velocities[0][1] })
    }

    /// Returns how velocities, or changes of them, violate what the joint holds.
    fn strayed(&self, velocities: [[Vec3; 2]; 2]) -> Vec3 {
        if self.slides { velocities[1][1] - velocities[0][1] } else { self.parting(velocities) }
    }

    /// Slows the motion on one axis with a torque of at most `greatest` in a step of `step` seconds, and returns the
    /// torque that the axis holds now.
    fn rub(&mut self, axis: Vec3, greatest: f32, held: f32, step: f32) -> f32 {
        // A torque from a snapshot may be any number.
        let held = held.clamp(-greatest, greatest);
        let alone = self.along(axis);
        let bare = self.response(alone);
        let strayed = self.strayed(bare);
        // The joint makes the bodies harder to turn. A reaction straight against the violation never overstates by how
        // much, so that friction never turns the motion round.
        let back = self.response(self.reaction(strayed));
        let share = strayed.length_squared() / strayed.dot(self.strayed(back));
        let share = if share.is_finite() { share } else { 0.0 };
        let changes = [0, 1].map(|body| [0, 1].map(|kind| bare[body][kind] - back[body][kind] * share));
        let least = LEAST_MOBILITY * self.relative(axis, bare);
        let mobility = self.relative(axis, changes).max(least);
        let stopping = -self.relative(axis, self.velocities()) / (mobility * step);
        // The motion arose in the step before, in which friction could have acted with this much more.
        let impulse = ((held + stopping).clamp(-greatest, greatest) - held) * step;
        let held = (held + LEARNING * stopping).clamp(-greatest, greatest);
        if !(impulse.is_finite() && held.is_finite()) {
            return 0.0;
        }
        let reaction = self.reaction(strayed * -share);
        let whole = Wrench { force: alone.force + reaction.force, torque: alone.torque + reaction.torque };
        for (number, sign) in [(0, -1.0), (1, 1.0)] {
            let body = &mut *self.bodies[number];
            body.push(changes[number], impulse);
            body.lean(self.at, whole, sign * held);
        }
        held
    }
}

impl Ragdoll {
    /// Lets the friction of all joints act for a step.
    pub(super) fn rub_joints(&mut self, physics: &mut Physics) {
        if !self.doll.joints.iter().any(|joint| joint.fmax.iter().any(|fmax| *fmax > 0.0)) {
            return;
        }
        self.stop_leaning(physics);
        let step = physics.step_time();
        let seen = |body: &RagBody| physics.world().bodies.get(body.handle).map_or(Mover::fixed(body.to), Mover::new);
        self.movers.clear();
        self.movers.extend(self.bodies.iter().map(seen));
        for (joint, definition) in self.joints.iter_mut().zip(&self.doll.joints) {
            if joint.enabled {
                // As heavy as the cube and as long as the scale, with the same gravity.
                let scale = if definition.kind == JointKind::Slider { self.scale.powi(3) } else { self.scale.powi(4) };
                joint.rub(definition.fmax.map(|fmax| fmax * scale), &mut self.movers, definition.kind, step);
            }
        }
        for (number, mover) in self.movers.iter().enumerate() {
            let Wrench { force, torque } = mover.lean;
            let finite = [mover.linear, mover.angular, force, torque].iter().all(|vector| vector.is_finite());
            if mover.pushed
                && mover.is_movable()
                && finite
                && let Some(built) = physics.world_mut().bodies.get_mut(self.bodies[number].handle)
            {
                built.set_linvel(mover.linear, false);
                built.set_angvel(mover.angular, false);
                built.add_force(force, false);
                built.add_torque(torque, false);
                self.leaning.push(Leaning { body: number, force, torque });
            }
        }
    }

    /// Takes the forces of friction off the bodies again after a step; those of the host stay.
    ///
    /// A host may have changed the forces since: a body without any was reset, and one that is no longer dynamic cannot
    /// be given a force back, so it is reset here.
    pub(super) fn stop_leaning(&mut self, physics: &mut Physics) {
        for Leaning { body, force, torque } in self.leaning.drain(..) {
            let Some(built) = physics.world_mut().bodies.get_mut(self.bodies[body].handle) else { continue };
            if !built.is_dynamic() {
                built.reset_forces(false);
                built.reset_torques(false);
                continue;
            }
            if built.user_force() != Vec3::ZERO {
                built.add_force(-force, false);
            }
            if built.user_torque() != Vec3::ZERO {
                built.add_torque(-torque, false);
            }
        }
    }
}

impl RagJoint {
    /// Lets friction of at most `fmax` on each axis act on the joint's bodies for a step of `step` seconds.
    fn rub(&mut self, fmax: [f32; 2], movers: &mut [Mover], kind: JointKind, step: f32) {
        if !fmax.iter().any(|fmax| *fmax > 0.0) {
            return;
        }
        let mut world = Mover::fixed(Pose::IDENTITY);
        let bodies = match self.body2 {
            Some(body2) => movers.get_disjoint_mut([self.body1, body2]).ok(),
            None => movers.get_mut(self.body1).map(|body1| [body1, &mut world]),
        };
        let Some(bodies) = bodies.filter(|bodies| bodies.iter().any(|body| body.is_movable())) else { return };
        let turn = bodies[0].pose.rotation * self.frame1().rotation;
        let at = bodies[1].pose.transform_point(self.rest.local_frame2.translation);
        let mut pair = Pair { bodies, at, slides: kind == JointKind::Slider };
        for (number, axis) in joint::axes(kind).iter().enumerate() {
            if fmax[number] > 0.0 {
                let axis = turn * if *axis == JointAxis::AngY { Vec3::Y } else { Vec3::X };
                self.held[number] = pair.rub(axis, fmax[number], self.held[number], step);
            }
        }
    }
}
