//! Dry friction of joints, as impulses before each step and forces during it.
//!
//! rapier solves joints four at a time, except for joints with motors; so friction is not a motor. Each axis with
//! friction acts on its two bodies with equal and opposite torques (for sliders, forces) in two ways:
//!
//! - An impulse before the step stops the motion that is left over from the last step, as far as the friction that was
//!   unused in that step allows.
//! - A torque during the step resists gravity and contacts, which act only then. The axis learns it from the leftover
//!   motion of the steps before; it is at most FMax.
//!
//! Cones have friction on a third axis: the greater FMax of the two swings resists the twist.

use glam::{Quat, Vec3};
use rapier3d::prelude::Pose;

use super::solver_body::{SolverBody, SolverPair, UNITS};
use super::step_force::Wrench;
use super::tuning::{FRICTION_GAIN, FRICTION_RELEASE, MIN_MOBILITY};
use super::{RagJoint, Ragdoll};
use crate::doll::JointKind;

impl SolverPair<'_> {
    /// Slows the motion on one axis with a torque of at most `greatest` in a step of `step` seconds, and returns the
    /// friction torque of the axis now.
    fn apply_axis_friction(&mut self, axis: Vec3, greatest: f32, torque: f32, step: f32) -> f32 {
        // A torque from a snapshot may be any number.
        let torque = torque.clamp(-greatest, greatest);
        let alone = self.axis_wrench(axis);
        let bare = self.axis_response(axis);
        let error = self.constraint_velocity(bare);
        // The joint makes the bodies harder to turn. A reaction straight against the violation never overstates by how
        // much, so that friction never turns the motion round.
        let violation = error.length_squared();
        let share = violation / self.mobility(self.reaction(error));
        let share = if share.is_finite() { share } else { 0.0 };
        let mobility = self.axis_velocity(axis, bare);
        // A reaction moves the axis by as much as the axis moves what the reaction acts against.
        let mobility = (mobility - share * violation).max(MIN_MOBILITY * mobility);
        let stopping = -self.axis_velocity(axis, self.velocities()) / (mobility * step);
        // The motion arose in the step before, in which friction could have acted with this much more.
        let impulse = ((torque + stopping).clamp(-greatest, greatest) - torque) * step;
        let torque = adapted(torque, stopping).clamp(-greatest, greatest);
        if !(impulse.is_finite() && torque.is_finite()) {
            return 0.0;
        }
        let reaction = self.reaction(error * -share);
        let whole = Wrench { force: alone.force + reaction.force, torque: alone.torque + reaction.torque };
        self.apply(whole, impulse, torque);
        torque
    }
}

/// Returns the friction torque of an axis after motion that the torque `stopping` would stop in a step.
fn adapted(torque: f32, stopping: f32) -> f32 {
    if torque * stopping >= 0.0 {
        return torque + FRICTION_GAIN * stopping;
    }
    // Motion past the release reflects only the step in which the torque still acted.
    let released = torque + FRICTION_RELEASE * stopping;
    if released * torque > 0.0 { released } else { 0.0 }
}

impl Ragdoll {
    /// Lets the friction of all joints act on the solver bodies for a step.
    pub(super) fn apply_friction(&mut self, step: f32) {
        for (joint, doll_joint) in self.state.joints.iter_mut().zip(&self.doll.joints) {
            if joint.attachment.is_enabled() {
                // Masses grow with the cube of the scale and lengths with the scale; gravity stays the same.
                let scale = if doll_joint.kind == JointKind::Slider {
                    self.state.scale.powi(3)
                } else {
                    self.state.scale.powi(4)
                };
                joint.apply_friction(
                    doll_joint.fmax.map(|fmax| fmax * scale),
                    &mut self.scratch.solver_bodies,
                    doll_joint.kind,
                    step,
                );
            }
        }
    }
}

impl RagJoint {
    /// Lets friction of at most `fmax` on each axis act on the joint's bodies for a step of `step` seconds.
    fn apply_friction(&mut self, fmax: [f32; 2], solver_bodies: &mut [SolverBody], kind: JointKind, step: f32) {
        if !fmax.iter().any(|fmax| *fmax > 0.0) {
            return;
        }
        let mut world = SolverBody::fixed(Pose::IDENTITY);
        let Some(mut pair) = self.pair(kind, solver_bodies, &mut world) else { return };
        let frame = pair.bodies[0].pose.rotation * self.frame1().rotation;
        let limb = pair.bodies[1].pose.rotation * self.frames[1].rotation * Vec3::Z;
        let mut apply = |number: usize, axis: Vec3, greatest: f32| {
            if greatest > 0.0 {
                self.friction_torque[number] =
                    pair.apply_axis_friction(axis, greatest, self.friction_torque[number], step);
            }
        };
        match kind {
            JointKind::Fixed | JointKind::Point => {}
            JointKind::Hinge | JointKind::Slider => apply(0, frame * Vec3::X, fmax[0]),
            JointKind::Universal | JointKind::Hinge2 => {
                apply(0, frame * Vec3::X, fmax[0]);
                apply(1, frame * Vec3::Y, fmax[1]);
            }
            JointKind::Cone => {
                let [x, y, z] = swung_axes(frame, limb);
                apply(0, x, fmax[0]);
                apply(1, y, fmax[1]);
                apply(2, z, fmax[0].max(fmax[1]));
            }
        }
    }
}

/// Returns the axes of a cone, those of body 1's frame, swung to where the limb points: the third is that of the twist,
/// and the others are those of the swing, wherever the limb points.
fn swung_axes(frame: Quat, limb: Vec3) -> [Vec3; 3] {
    let [x, y, z] = UNITS.map(|unit| frame * unit);
    let swung = x - (z + limb) * (x.dot(limb) / (1.0 + z.dot(limb)));
    if swung.is_finite() { [swung, limb.cross(swung), limb] } else { [x, y, z] }
}
