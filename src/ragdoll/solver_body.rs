//! Bodies of joints as the solver of friction, soft stops and muscles sees them, and their responses to impulses.

use glam::{Mat3, Vec3};
use rapier3d::parry::math::AngularInertia;
use rapier3d::prelude::{Pose, RigidBody};

use super::step_force::{StepForce, Wrench};
use super::{RagBody, RagJoint, Ragdoll};
use crate::doll::JointKind;
use crate::physics::Physics;

/// Body while the forces of joints act: its velocity follows every impulse.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolverBody {
    centre: Vec3,
    pub(super) pose: Pose,
    inverse_mass: Vec3,
    inverse_inertia: AngularInertia,
    linear: Vec3,
    pub(super) angular: Vec3,
    /// Force and torque at the centre of mass that act in the step.
    wrench: Wrench,
    is_changed: bool,
    /// Change of the angular velocity by muscles.
    pub(super) muscle_spin: Vec3,
}

impl SolverBody {
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
            wrench: Wrench::ZERO,
            is_changed: false,
            muscle_spin: zero,
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

    /// Returns the mobility, the inverse of the effective mass: the change of velocity along an impulse at a point, by
    /// the impulse.
    #[inline]
    fn mobility(&self, at: Vec3, impulse: Wrench) -> f32 {
        let Wrench { force, torque } = self.about_centre(at, impulse);
        force.dot(self.inverse_mass * force) + torque.dot(self.inverse_inertia.mul_vec(torque))
    }

    /// Returns the mass of a body that moves.
    pub(super) fn mass(&self) -> f32 {
        1.0 / self.inverse_mass.max_element()
    }

    /// Returns the inertia against a motion along a line or about it, as if nothing else held the body.
    pub(super) fn inertia(&self, at: Vec3, axis: Vec3, slides: bool) -> f32 {
        let mass = self.mass();
        if slides {
            return mass;
        }
        mass * (self.centre - at).reject_from(axis).length_squared()
            + 1.0 / axis.dot(self.inverse_inertia.mul_vec(axis))
    }

    /// Adds a multiple of a change of velocity at once.
    pub(super) fn add_velocity(&mut self, [linear, angular]: [Vec3; 2], times: f32) {
        self.linear += linear * times;
        self.angular += angular * times;
        self.is_changed = true;
    }

    /// Adds a multiple of a force at a point, which acts throughout the step.
    pub(super) fn add_force(&mut self, at: Vec3, force: Wrench, times: f32) {
        self.add_force_about_centre(self.about_centre(at, force), times);
    }

    #[inline]
    fn add_force_about_centre(&mut self, force: Wrench, times: f32) {
        self.wrench.force += force.force * times;
        self.wrench.torque += force.torque * times;
        self.is_changed = true;
    }

    /// Returns the change of the velocity at a point by a change of velocity.
    fn at_point(&self, at: Vec3, [linear, angular]: [Vec3; 2]) -> Vec3 {
        linear + angular.cross(at - self.centre)
    }
}

pub(super) const UNITS: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

/// Bodies of a joint and its anchor, the point where it holds them.
pub(super) struct SolverPair<'a> {
    pub(super) bodies: [&'a mut SolverBody; 2],
    pub(super) anchor: Vec3,
    /// `true` for a slider, which moves along its axes and holds all directions; other joints turn about axes and hold
    /// a point.
    pub(super) slides: bool,
}

impl SolverPair<'_> {
    /// Returns the torque (for sliders the force) that moves the joint on an axis.
    pub(super) fn axis_wrench(&self, axis: Vec3) -> Wrench {
        if self.slides { Wrench { force: axis, ..Wrench::ZERO } } else { Wrench { torque: axis, ..Wrench::ZERO } }
    }

    /// Returns the force (for sliders the torque) with which the joint holds its bodies together, in a direction.
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

    /// Returns the changes of both bodies' velocities by the torque or force that moves the joint on an axis.
    pub(super) fn axis_response(&self, axis: Vec3) -> [[Vec3; 2]; 2] {
        if self.slides {
            return self.response(self.axis_wrench(axis));
        }
        // A torque alone turns a body in the same way wherever it acts.
        let turned = |body: &SolverBody, torque: Vec3| [Vec3::ZERO, body.inverse_inertia.mul_vec(torque)];
        [turned(self.bodies[0], -axis), turned(self.bodies[1], axis)]
    }

    /// Returns the changes of both bodies' velocities by an impulse on body 2 and its opposite on body 1.
    #[inline]
    pub(super) fn response(&self, impulse: Wrench) -> [[Vec3; 2]; 2] {
        let opposite = Wrench { force: -impulse.force, torque: -impulse.torque };
        [self.bodies[0].response(self.anchor, opposite), self.bodies[1].response(self.anchor, impulse)]
    }

    /// Returns the change of both bodies' velocities along an impulse on body 2 and its opposite on body 1.
    #[inline]
    pub(super) fn mobility(&self, impulse: Wrench) -> f32 {
        self.bodies[0].mobility(self.anchor, impulse) + self.bodies[1].mobility(self.anchor, impulse)
    }

    /// Applies a multiple of an impulse on body 2 and its opposite on body 1, and makes another multiple act as a force
    /// throughout the step.
    #[inline]
    pub(super) fn apply(&mut self, wrench: Wrench, impulse: f32, force: f32) {
        for (body, sign) in self.bodies.iter_mut().zip([-1.0, 1.0]) {
            let wrench = body.about_centre(self.anchor, wrench);
            body.add_velocity(body.response_about_centre(wrench), sign * impulse);
            body.add_force_about_centre(wrench, sign * force);
        }
    }

    /// Returns the velocity of the anchor on body 2 relative to that on body 1, for velocities or changes of them.
    pub(super) fn relative_point_velocity(&self, [one, two]: [[Vec3; 2]; 2]) -> Vec3 {
        self.bodies[1].at_point(self.anchor, two) - self.bodies[0].at_point(self.anchor, one)
    }

    /// Returns the velocity of body 2 relative to body 1 on an axis, for velocities or changes of them.
    pub(super) fn axis_velocity(&self, axis: Vec3, velocities: [[Vec3; 2]; 2]) -> f32 {
        axis.dot(if self.slides {
            self.relative_point_velocity(velocities)
        } else {
            velocities[1][1] - velocities[0][1]
        })
    }

    /// Returns the velocity with which the constraint of the joint is violated, for velocities or changes of them.
    pub(super) fn constraint_velocity(&self, velocities: [[Vec3; 2]; 2]) -> Vec3 {
        if self.slides { velocities[1][1] - velocities[0][1] } else { self.relative_point_velocity(velocities) }
    }

    /// Returns the effective mass of the constraint: the reaction by the violating velocity. `None` if nothing can
    /// move.
    pub(super) fn effective_mass(&self) -> Option<Mat3> {
        let inverse = UNITS.map(|unit| self.constraint_velocity(self.response(self.reaction(unit))).to_array());
        Some(Mat3::from_cols_array_2d(&inverse).inverse()).filter(Mat3::is_finite)
    }

    /// Returns the changes of both bodies' velocities by an impulse on body 2 and its opposite on body 1, while the
    /// joint keeps its constraint.
    pub(super) fn constrained_response(&self, effective_mass: &Mat3, impulse: Wrench) -> [[Vec3; 2]; 2] {
        let reaction = self.reaction(-(*effective_mass * self.constraint_velocity(self.response(impulse))));
        self.response(Wrench { force: impulse.force + reaction.force, torque: impulse.torque + reaction.torque })
    }
}

impl Ragdoll {
    /// Lets the friction, the soft stops and the muscles of all joints act for a step.
    pub(super) fn apply_joint_forces(&mut self, physics: &mut Physics) {
        let has_friction = self.doll.joints.iter().any(|joint| joint.fmax.iter().any(|fmax| *fmax > 0.0));
        let (has_muscles, has_soft_stops) = (self.has_muscles(), self.has_soft_stops());
        if !(has_friction || has_muscles || has_soft_stops) {
            return;
        }
        let step = physics.step_time();
        let read = |body: &RagBody| {
            physics.world().bodies.get(body.handle).map_or(SolverBody::fixed(body.target), SolverBody::new)
        };
        self.scratch.solver_bodies.clear();
        self.scratch.solver_bodies.extend(self.state.bodies.iter().map(read));
        if has_friction {
            self.apply_friction(step);
            self.write_velocities(physics);
        }
        // Springs and muscles answer the velocities that friction has left, and only put loads on the bodies.
        if has_soft_stops {
            self.apply_soft_stops(step);
        }
        if has_muscles {
            self.apply_muscles(step);
        }
        for (number, solver_body) in changed(&self.scratch.solver_bodies) {
            if let Some(built) = physics.world_mut().bodies.get_mut(self.state.bodies[number].handle) {
                self.state.step_forces.extend(StepForce::apply(built, number, solver_body.wrench));
            }
        }
    }

    fn write_velocities(&self, physics: &mut Physics) {
        let sound = |solver_body: &SolverBody| solver_body.linear.is_finite() && solver_body.angular.is_finite();
        for (number, solver_body) in changed(&self.scratch.solver_bodies).filter(|(_, solver_body)| sound(solver_body))
        {
            if let Some(built) = physics.world_mut().bodies.get_mut(self.state.bodies[number].handle) {
                built.set_linvel(solver_body.linear, false);
                built.set_angvel(solver_body.angular, false);
            }
        }
    }
}

/// Returns the bodies whose velocity or force joints have changed, with their numbers.
fn changed(solver_bodies: &[SolverBody]) -> impl Iterator<Item = (usize, &SolverBody)> {
    solver_bodies.iter().enumerate().filter(|(_, solver_body)| solver_body.is_changed && solver_body.is_movable())
}

impl RagJoint {
    /// Returns both bodies of the joint, if anything can move one.
    pub(super) fn pair<'a>(
        &self,
        kind: JointKind,
        solver_bodies: &'a mut [SolverBody],
        world: &'a mut SolverBody,
    ) -> Option<SolverPair<'a>> {
        debug_assert!(self.body1.max(self.body2.unwrap_or(0)) < solver_bodies.len(), "the solver has all bodies");
        let bodies = match self.body2 {
            Some(body2) => solver_bodies.get_disjoint_mut([self.body1, body2]).ok(),
            None => solver_bodies.get_mut(self.body1).map(|body1| [body1, world]),
        };
        let bodies = bodies.filter(|bodies| bodies.iter().any(|body| body.is_movable()))?;
        let anchor = bodies[1].pose.transform_point(self.frames[1].translation);
        Some(SolverPair { bodies, anchor, slides: kind == JointKind::Slider })
    }
}
