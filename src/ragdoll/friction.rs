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

use super::solver_body::{Mover, Pair, UNITS, Wrench};
use super::{RagJoint, Ragdoll};
use crate::doll::JointKind;

/// Share of the torque that would stop the leftover motion in one step, which is added to the held torque. At a
/// quarter, a pair of bodies comes to rest without overshooting, and bodies that carry others overshoot little.
const LEARNING: f32 = 0.25;

/// Share of that torque that is taken off a held torque which drives the bodies. Friction drives nothing, but taken off
/// no faster than it is learned, a torque went on to lift limbs that had come to rest: of 1,000 falls of the mannequin,
/// 6 gained more than 0.5 % of energy within 0.1 s; at twice the share, one in a thousand does, for other reasons. At
/// four times the share, a hand that leans on the floor may rock for many seconds.
const RELEASE: f32 = 0.5;

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
        let violation = strayed.length_squared();
        let share = violation / self.mobility(self.reaction(strayed));
        let share = if share.is_finite() { share } else { 0.0 };
        let mobility = self.relative(axis, bare);
        // A reaction moves the axis by as much as the axis moves what the reaction acts against.
        let mobility = (mobility - share * violation).max(LEAST_MOBILITY * mobility);
        let stopping = -self.relative(axis, self.velocities()) / (mobility * step);
        // The motion arose in the step before, in which friction could have acted with this much more.
        let impulse = ((held + stopping).clamp(-greatest, greatest) - held) * step;
        let held = learnt(held, stopping).clamp(-greatest, greatest);
        if !(impulse.is_finite() && held.is_finite()) {
            return 0.0;
        }
        let reaction = self.reaction(strayed * -share);
        let whole = Wrench { force: alone.force + reaction.force, torque: alone.torque + reaction.torque };
        self.act(whole, impulse, held);
        held
    }
}

/// Returns the torque that an axis holds after motion that the torque `stopping` would stop in a step.
fn learnt(held: f32, stopping: f32) -> f32 {
    if held * stopping >= 0.0 {
        return held + LEARNING * stopping;
    }
    // Motion past the release tells only of the step in which the torque still acted.
    let released = held + RELEASE * stopping;
    if released * held > 0.0 { released } else { 0.0 }
}

impl Ragdoll {
    /// Lets the friction of all joints act on the movers for a step.
    pub(super) fn rub_joints(&mut self, step: f32) {
        for (joint, definition) in self.joints.iter_mut().zip(&self.doll.joints) {
            if joint.hold.is_enabled() {
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
        let frame = pair.bodies[0].pose.rotation * self.frame1().rotation;
        let limb = pair.bodies[1].pose.rotation * self.rest.local_frame2.rotation * Vec3::Z;
        let mut rub = |number: usize, axis: Vec3, greatest: f32| {
            if greatest > 0.0 {
                self.held[number] = pair.rub(axis, greatest, self.held[number], step);
            }
        };
        match kind {
            JointKind::Fixed | JointKind::Point => {}
            JointKind::Hinge | JointKind::Slider => rub(0, frame * Vec3::X, fmax[0]),
            JointKind::Universal | JointKind::Hinge2 => {
                rub(0, frame * Vec3::X, fmax[0]);
                rub(1, frame * Vec3::Y, fmax[1]);
            }
            JointKind::Cone => {
                let [x, y, z] = swung(frame, limb);
                rub(0, x, fmax[0]);
                rub(1, y, fmax[1]);
                rub(2, z, fmax[0].max(fmax[1]));
            }
        }
    }
}

/// Returns the axes of a cone, those of body 1's frame, swung to where the limb points: the third is that of the twist,
/// and the others are those of the swing, wherever the limb points.
fn swung(frame: Quat, limb: Vec3) -> [Vec3; 3] {
    let [x, y, z] = UNITS.map(|unit| frame * unit);
    let swung = x - (z + limb) * (x.dot(limb) / (1.0 + z.dot(limb)));
    if swung.is_finite() { [swung, limb.cross(swung), limb] } else { [x, y, z] }
}
