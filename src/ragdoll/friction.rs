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
use rapier3d::prelude::{JointAxis, Pose};

use super::mover::{Mover, Pair, Wrench};
use super::{RagJoint, Ragdoll, joint};
use crate::doll::JointKind;

/// Share of the torque that would stop the leftover motion in one step, which is added to the held torque. At a
/// quarter, a pair of bodies comes to rest without overshooting, and bodies that carry others overshoot little.
const LEARNING: f32 = 0.25;

/// Least mobility of an axis with the reaction of its joint, as a share of the mobility without it.
const LEAST_MOBILITY: f32 = 1e-5;

impl Pair<'_> {
    /// Slows the motion on one axis with a torque of at most `greatest` in a step of `step` seconds, and returns the
    /// torque that the axis holds now.
    fn rub(&mut self, axis: Vec3, greatest: f32, held: f32, step: f32) -> f32 {
        // A torque from a snapshot may be any number.
        let held = held.clamp(-greatest, greatest);
        let alone = self.along(axis);
        let bare = self.response_along(axis);
        let strayed = self.strayed(bare);
        // The joint makes the bodies harder to turn. A reaction straight against the violation never overstates by how
        // much, so that friction never turns the motion round.
        let back = self.response(self.reaction(strayed));
        let share = strayed.length_squared() / strayed.dot(self.strayed(back));
        let share = if share.is_finite() { share } else { 0.0 };
        let less = |bare: [Vec3; 2], back: [Vec3; 2]| [bare[0] - back[0] * share, bare[1] - back[1] * share];
        let changes = [less(bare[0], back[0]), less(bare[1], back[1])];
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
    /// Lets the friction of all joints act on the movers for a step.
    pub(super) fn rub_joints(&mut self, step: f32) {
        for (joint, definition) in self.joints.iter_mut().zip(&self.doll.joints) {
            if joint.enabled {
                // As heavy as the cube and as long as the scale, with the same gravity.
                let scale = if definition.kind == JointKind::Slider { self.scale.powi(3) } else { self.scale.powi(4) };
                joint.rub(definition.fmax.map(|fmax| fmax * scale), &mut self.movers, definition.kind, step);
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
        let Some(mut pair) = self.pair(kind, movers, &mut world) else { return };
        let turn = pair.bodies[0].pose.rotation * self.frame1().rotation;
        for (number, axis) in joint::axes(kind).iter().enumerate() {
            if fmax[number] > 0.0 {
                let axis = turn * if *axis == JointAxis::AngY { Vec3::Y } else { Vec3::X };
                self.held[number] = pair.rub(axis, fmax[number], self.held[number], step);
            }
        }
    }
}
