//! Bodies of joints between steps: impulses move them, and the world gets their new velocities.

use glam::{Mat3, Vec3};
use rapier3d::parry::math::AngularInertia;
use rapier3d::prelude::{Pose, RigidBody};

use super::{RagBody, RagJoint, Ragdoll, step_force::Load};
use crate::doll::JointKind;
use crate::physics::Physics;

/// Body as the forces of joints see it: momentum goes in and out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    centre: Vec3,
    pub(super) pose: Pose,
    inverse_mass: Vec3,
    inverse_inertia: AngularInertia,
    linear: Vec3,
    pub(super) angular: Vec3,
    /// Force and torque that act in the step.
    lean: Wrench,
    pushed: bool,
    /// Change of the angular velocity by muscles.
    pub(super) driven: Vec3,
}

impl Mover {
    /// Returns the world or a body that nothing moves, at a pose.
    pub(super) fn fixed(pose: Pose) -> Self {
        let (inverse_inertia, zero) = (AngularInertia::zero(), Vec3::ZERO);
        let [centre, inverse_mass, linear, angular] = [pose.translation, zero, zero, zero];
        Self {
            centre,
            pose,
            inverse_mass,
            inverse_inertia,
            linear,
            angular,
            lean: Wrench::ZERO,
            pushed: false,
            driven: zero,
        }
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

    pub(super) fn is_movable(&self) -> bool {
        self.inverse_mass != Vec3::ZERO || !self.inverse_inertia.is_zero()
    }

    /// Returns an impulse at a point as one at the centre of mass.
    fn about_centre(&self, at: Vec3, impulse: Wrench) -> Wrench {
        Wrench { force: impulse.force, torque: impulse.torque + (at - self.centre).cross(impulse.force) }
    }

    /// Returns the change of velocity, linear and angular, by an impulse at a point.
    #[inline]
    fn response(&self, at: Vec3, impulse: Wrench) -> [Vec3; 2] {
        self.response_about_centre(self.about_centre(at, impulse))
    }

    #[inline]
    fn response_about_centre(&self, impulse: Wrench) -> [Vec3; 2] {
        [self.inverse_mass * impulse.force, self.inverse_inertia.mul_vec(impulse.torque)]
    }

    /// Returns the change of velocity along an impulse at a point, by the impulse.
    #[inline]
    fn mobility(&self, at: Vec3, impulse: Wrench) -> f32 {
        let Wrench { force, torque } = self.about_centre(at, impulse);
        force.dot(self.inverse_mass * force) + torque.dot(self.inverse_inertia.mul_vec(torque))
    }

    /// Returns the inertia against a motion along a line or about it, as if nothing else held the body.
    pub(super) fn inertia(&self, at: Vec3, axis: Vec3, slides: bool) -> f32 {
        let mass = 1.0 / self.inverse_mass.max_element();
        if slides {
            return mass;
        }
        mass * (self.centre - at).reject_from(axis).length_squared()
            + 1.0 / axis.dot(self.inverse_inertia.mul_vec(axis))
    }

    /// Applies a multiple of a change of velocity at once.
    pub(super) fn push(&mut self, [linear, angular]: [Vec3; 2], times: f32) {
        self.linear += linear * times;
        self.angular += angular * times;
        self.pushed = true;
    }

    /// Has a multiple of a force at a point act throughout the step.
    pub(super) fn lean(&mut self, at: Vec3, force: Wrench, times: f32) {
        self.lean_about_centre(self.about_centre(at, force), times);
    }

    #[inline]
    fn lean_about_centre(&mut self, force: Wrench, times: f32) {
        self.lean.force += force.force * times;
        self.lean.torque += force.torque * times;
        self.pushed = true;
    }

    /// Returns the change of the velocity at a point by a change of velocity.
    fn at_point(&self, at: Vec3, [linear, angular]: [Vec3; 2]) -> Vec3 {
        linear + angular.cross(at - self.centre)
    }
}

/// A force and a torque, or an impulse of both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrench {
    pub(super) force: Vec3,
    pub(super) torque: Vec3,
}

impl Wrench {
    pub(super) const ZERO: Self = Self { force: Vec3::ZERO, torque: Vec3::ZERO };
}

pub(super) const UNITS: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

/// Bodies of a joint and the point where it holds them.
pub(super) struct Pair<'a> {
    pub(super) bodies: [&'a mut Mover; 2],
    pub(super) at: Vec3,
    /// True for a slider: it moves along its axes and holds all directions, others turn about axes and hold a point.
    pub(super) slides: bool,
}

impl Pair<'_> {
    /// Returns what moves the joint on an axis.
    pub(super) fn along(&self, axis: Vec3) -> Wrench {
        if self.slides { Wrench { force: axis, ..Wrench::ZERO } } else { Wrench { torque: axis, ..Wrench::ZERO } }
    }

    /// Returns what the joint holds its bodies together with, in a direction.
    pub(super) fn reaction(&self, direction: Vec3) -> Wrench {
        if self.slides {
            Wrench { torque: direction, ..Wrench::ZERO }
        } else {
            Wrench { force: direction, ..Wrench::ZERO }
        }
    }

    /// Returns the velocities of the bodies, linear and angular.
    pub(super) fn velocities(&self) -> [[Vec3; 2]; 2] {
        let [one, two] = &self.bodies;
        [[one.linear, one.angular], [two.linear, two.angular]]
    }

    /// Returns the changes of both bodies' velocities by what moves the joint on an axis.
    pub(super) fn response_along(&self, axis: Vec3) -> [[Vec3; 2]; 2] {
        if self.slides {
            return self.response(self.along(axis));
        }
        // A torque alone turns a body in the same way wherever it acts.
        let turned = |body: &Mover, torque: Vec3| [Vec3::ZERO, body.inverse_inertia.mul_vec(torque)];
        [turned(self.bodies[0], -axis), turned(self.bodies[1], axis)]
    }

    /// Returns the changes of both bodies' velocities by an impulse on body 2 and its opposite on body 1.
    #[inline]
    pub(super) fn response(&self, impulse: Wrench) -> [[Vec3; 2]; 2] {
        let opposite = Wrench { force: -impulse.force, torque: -impulse.torque };
        [self.bodies[0].response(self.at, opposite), self.bodies[1].response(self.at, impulse)]
    }

    /// Returns the change of both bodies' velocities along an impulse on body 2 and its opposite on body 1.
    #[inline]
    pub(super) fn mobility(&self, impulse: Wrench) -> f32 {
        self.bodies[0].mobility(self.at, impulse) + self.bodies[1].mobility(self.at, impulse)
    }

    /// Applies a multiple of an impulse on body 2 and its opposite on body 1, and has another multiple act as a force
    /// throughout the step.
    #[inline]
    pub(super) fn act(&mut self, wrench: Wrench, impulse: f32, force: f32) {
        for (body, sign) in self.bodies.iter_mut().zip([-1.0, 1.0]) {
            let wrench = body.about_centre(self.at, wrench);
            body.push(body.response_about_centre(wrench), sign * impulse);
            body.lean_about_centre(wrench, sign * force);
        }
    }

    /// Returns how velocities, or changes of them, move the point of body 2 against that of body 1.
    pub(super) fn parting(&self, [one, two]: [[Vec3; 2]; 2]) -> Vec3 {
        self.bodies[1].at_point(self.at, two) - self.bodies[0].at_point(self.at, one)
    }

    /// Returns how velocities, or changes of them, move body 2 against body 1 on an axis.
    pub(super) fn relative(&self, axis: Vec3, velocities: [[Vec3; 2]; 2]) -> f32 {
        axis.dot(if self.slides { self.parting(velocities) } else { velocities[1][1] - velocities[0][1] })
    }

    /// Returns how velocities, or changes of them, violate what the joint holds.
    pub(super) fn strayed(&self, velocities: [[Vec3; 2]; 2]) -> Vec3 {
        if self.slides { velocities[1][1] - velocities[0][1] } else { self.parting(velocities) }
    }

    /// Returns the reaction of the joint to what strays, `None` if nothing can move.
    pub(super) fn hold(&self) -> Option<Mat3> {
        let yielding = UNITS.map(|unit| self.strayed(self.response(self.reaction(unit))).to_array());
        Some(Mat3::from_cols_array_2d(&yielding).inverse()).filter(Mat3::is_finite)
    }

    /// Returns the changes of both bodies' velocities by an impulse on body 2 and its opposite on body 1, while the
    /// joint holds what it holds.
    pub(super) fn held_response(&self, hold: &Mat3, impulse: Wrench) -> [[Vec3; 2]; 2] {
        let back = self.reaction(-(*hold * self.strayed(self.response(impulse))));
        self.response(Wrench { force: impulse.force + back.force, torque: impulse.torque + back.torque })
    }
}

impl Ragdoll {
    /// Lets the friction, the soft stops and the muscles of all joints act for a step.
    pub(super) fn move_joints(&mut self, physics: &mut Physics) {
        let rubs = self.doll.joints.iter().any(|joint| joint.fmax.iter().any(|fmax| *fmax > 0.0));
        let (flexes, springs) = (self.has_muscles(), self.has_soft_stops());
        if !(rubs || flexes || springs) {
            return;
        }
        let step = physics.step_time();
        let seen = |body: &RagBody| physics.world().bodies.get(body.handle).map_or(Mover::fixed(body.to), Mover::new);
        self.movers.clear();
        self.movers.extend(self.bodies.iter().map(seen));
        if rubs {
            self.rub_joints(step);
            self.return_velocities(physics);
        }
        // Springs and muscles answer the velocities that friction has left, and only put loads on the bodies.
        if springs {
            self.spring_joints(step);
        }
        if flexes {
            self.flex_joints(step);
        }
        for (number, mover) in pushed(&self.movers) {
            if let Some(built) = physics.world_mut().bodies.get_mut(self.bodies[number].handle) {
                self.loads.extend(Load::put(built, number, mover.lean));
            }
        }
    }

    fn return_velocities(&self, physics: &mut Physics) {
        let sound = |mover: &Mover| mover.linear.is_finite() && mover.angular.is_finite();
        for (number, mover) in pushed(&self.movers).filter(|(_, mover)| sound(mover)) {
            if let Some(built) = physics.world_mut().bodies.get_mut(self.bodies[number].handle) {
                built.set_linvel(mover.linear, false);
                built.set_angvel(mover.angular, false);
            }
        }
    }
}

/// Returns the bodies that joints have moved or leaned on, with their numbers.
fn pushed(movers: &[Mover]) -> impl Iterator<Item = (usize, &Mover)> {
    movers.iter().enumerate().filter(|(_, mover)| mover.pushed && mover.is_movable())
}

impl RagJoint {
    /// Returns both bodies of the joint, if anything can move one.
    pub(super) fn pair<'a>(&self, kind: JointKind, movers: &'a mut [Mover], world: &'a mut Mover) -> Option<Pair<'a>> {
        let bodies = match self.body2 {
            Some(body2) => movers.get_disjoint_mut([self.body1, body2]).ok(),
            None => movers.get_mut(self.body1).map(|body1| [body1, world]),
        };
        let bodies = bodies.filter(|bodies| bodies.iter().any(|body| body.is_movable()))?;
        let at = bodies[1].pose.transform_point(self.rest.local_frame2.translation);
        Some(Pair { bodies, at, slides: kind == JointKind::Slider })
    }
}
