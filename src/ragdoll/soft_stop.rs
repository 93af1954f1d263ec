//! Soft stops: springs that push a joint back from its stops, as torques of a damped spring on one side.
//!
//! rapier solves joints with motors one by one, so a soft stop is not a motor. Its torque (for sliders, its force) acts
//! during the step and is computed for the end of the step, in which the joint may only reach the stop. So no stiffness
//! and no step makes it unstable.
//!
//! A limb that leans on the stop does not answer: its weight undoes the motion that the spring causes. The stop learns
//! the weight as a load, so that the joint gives way by the load divided by the stiffness at any step. A load that is
//! learned faster than the limb can answer makes it swing; so the more hangs on its bodies, the slower a stop learns,
//! and a spring for which the step is long is damped more.

use glam::Vec3;
use rapier3d::prelude::{JointAxis, Pose};
use skelobj_model::internal::sinf;

use super::joint_lists::JointLists;
use super::solver_body::SolverBody;
use super::tuning::{MAX_ANGLE_GRADIENT, MAX_STOP_STIFFNESS, ODE_STEP, STOP_LOAD_GAIN, STOP_STEPS_AHEAD};
use super::{Ragdoll, rapier_joint, stops};
use crate::doll::{Joint, JointKind};

/// State of the stops of an axis.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct SoftStop {
    /// Torque with which everything else turns the joint.
    load: f32,
    /// Velocity that the stop expected after the last step without the load, if the joint was near it.
    expected_velocity: Option<f32>,
}

#[cfg(feature = "serde")]
impl SoftStop {
    /// Returns `true` if a snapshot's numbers are finite.
    pub(super) fn is_sound(&self) -> bool {
        self.load.is_finite() && self.expected_velocity.is_none_or(f32::is_finite)
    }
}

/// Spring of an axis: torque per radian beyond a stop and per radian/s (for sliders force per unit and per unit/s).
pub(super) struct Spring {
    limits: [f32; 2],
    slides: bool,
    pub(super) stiffness: f32,
    damping: f32,
}

impl Spring {
    /// Returns the spring of an axis at a scale of the entity; `None` for an axis without soft stops.
    pub(super) fn of(doll_joint: &Joint, axis: usize, scale: f32) -> Option<Self> {
        let (erp, cfm) = (doll_joint.erp[axis].clamp(0.0, 1.0), doll_joint.cfm[axis]);
        let limits = stops::stops(doll_joint, axis, scale).filter(|_| stops::is_soft(doll_joint, axis))?;
        // The values are made for the doll's own masses and lengths.
        let scaled = if doll_joint.kind == JointKind::Slider { scale.powi(2) } else { scale.powi(4) };
        let [stiffness, damping] =
            [erp / (ODE_STEP * cfm), (1.0 - erp) / cfm].map(|own| (own * scaled).min(MAX_STOP_STIFFNESS));
        Some(Self { limits, slides: doll_joint.kind == JointKind::Slider, stiffness, damping })
    }

    /// Returns how far a position is beyond both stops; negative before them.
    fn excess(&self, at: f32) -> [f32; 2] {
        // An angle jumps by a turn opposite the stop; its sine does not, and agrees with it where it matters.
        let beyond = |past: f32| if self.slides || past <= 0.0 { past } else { sinf(past) };
        [beyond(self.limits[0] - at), beyond(at - self.limits[1])]
    }

    /// Returns `true` if a joint is beyond a stop, or may soon be.
    fn is_near(&self, motion: &Motion, step: f32) -> bool {
        let reach = motion.speed.abs() * step * STOP_STEPS_AHEAD;
        self.excess(motion.at).into_iter().any(|past| past > -reach)
    }

    /// Returns the impulse of a stop on a joint that is `past` it (negative before it) and moves away at `speed`, with
    /// a load, in a step.
    fn impulse(&self, past: f32, speed: f32, load: f32, mobility: f32, step: f32) -> f32 {
        let carried = speed + mobility * load * step;
        // The spring acts for the part of the step in which the joint is past the stop.
        let time = if past >= 0.0 { step } else { (step + past / carried.max(f32::MIN_POSITIVE)).max(0.0) };
        let past = past.max(0.0) + time * carried;
        let damping = self.damping.max(step * self.stiffness);
        let answer = mobility * time * (damping + time * self.stiffness);
        (time * (self.stiffness / (1.0 + answer) * past + damping / (1.0 + answer) * carried)).max(0.0)
    }
}

/// Joint on an axis in a step.
struct Motion {
    at: f32,
    /// Axis in world space; its length is the change of the position by a unit of motion.
    axis: Vec3,
    anchor: Vec3,
    speed: f32,
    mobility: f32,
    /// Minimum share of the mobility that the limbs on its bodies leave to the joint.
    mobility_share: f32,
    slides: bool,
}

impl Ragdoll {
    pub(super) fn has_soft_stops(&self) -> bool {
        self.doll.joints.iter().any(|doll_joint| (0..2).any(|axis| stops::is_soft(doll_joint, axis)))
    }

    /// Lets the soft stops of all joints act on the solver bodies for a step.
    pub(super) fn apply_soft_stops(&mut self, step: f32) {
        let mut lists = None;
        for number in 0..self.state.joints.len() {
            let kind = self.doll.joints[number].kind;
            for (order, axis) in rapier_joint::axes(kind).iter().enumerate() {
                let Some(spring) = Spring::of(&self.doll.joints[number], order, self.state.scale) else { continue };
                let motion =
                    if self.state.joints[number].attachment.is_enabled() { self.motion(number, *axis) } else { None };
                let near = motion.filter(|motion| spring.is_near(motion, step));
                let motion = near.and_then(|motion| {
                    let lists = lists.get_or_insert_with(|| self.joint_lists(|_, joint| joint.attachment.is_enabled()));
                    self.with_limbs(motion, number, lists)
                });
                let soft_stop = &mut self.state.joints[number].soft_stops[order];
                let Some(motion) = motion else {
                    *soft_stop = SoftStop::default();
                    continue;
                };
                let impulse = soft_stop.impulse(&spring, &motion, step);
                let joint = &self.state.joints[number];
                let mut world = SolverBody::fixed(Pose::IDENTITY);
                if impulse != 0.0
                    && let Some(pair) = joint.pair(kind, &mut self.scratch.solver_bodies, &mut world)
                {
                    let force = pair.axis_wrench(motion.axis);
                    for (body, sign) in pair.bodies.into_iter().zip([-1.0, 1.0]) {
                        body.add_force(motion.anchor, force, sign * impulse / step);
                    }
                }
            }
        }
    }

    /// Returns how a joint moves on an axis, `None` if nothing can move it.
    fn motion(&mut self, number: usize, axis: JointAxis) -> Option<Motion> {
        let (joint, kind) = (&self.state.joints[number], self.doll.joints[number].kind);
        let mut world = SolverBody::fixed(Pose::IDENTITY);
        let pair = joint.pair(kind, &mut self.scratch.solver_bodies, &mut world)?;
        let [one, two] = [pair.bodies[0].pose * joint.frame1(), pair.bodies[1].pose * joint.frames[1]];
        let relative = one.inverse() * two;
        let along = one.rotation * gradient(axis, &relative);
        let motion = Motion {
            at: rapier_joint::position(axis, &relative),
            axis: along,
            anchor: pair.anchor,
            speed: pair.axis_velocity(along, pair.velocities()),
            mobility: pair
                .axis_velocity(along, pair.constrained_response(&pair.effective_mass()?, pair.axis_wrench(along))),
            mobility_share: 0.0,
            slides: pair.slides,
        };
        (motion.mobility > 0.0 && motion.speed.is_finite() && along.is_finite()).then_some(motion)
    }

    /// Adds to the motion of a joint what the limbs on its bodies leave to it; `None` if that is not a number.
    fn with_limbs(&self, mut motion: Motion, number: usize, lists: &JointLists) -> Option<Motion> {
        let joint = &self.state.joints[number];
        let sides = [Some(joint.body1), joint.body2].map(|body| {
            body.map_or(f32::INFINITY, |body| {
                let inertia =
                    |body: usize| self.scratch.solver_bodies[body].inertia(motion.anchor, motion.axis, motion.slides);
                lists.side(body, number).into_iter().map(inertia).sum()
            })
        });
        motion.mobility_share = ((1.0 / sides[0] + 1.0 / sides[1]) / motion.mobility).min(1.0);
        (motion.mobility_share >= 0.0).then_some(motion)
    }
}

impl SoftStop {
    /// Returns the impulse of an axis' stops in a step, and learns the load.
    fn impulse(&mut self, spring: &Spring, motion: &Motion, step: f32) -> f32 {
        let Motion { at, speed, mobility, mobility_share, .. } = *motion;
        if let Some(expected_velocity) = self.expected_velocity {
            self.load +=
                ((speed - expected_velocity) / (mobility * step) - self.load) * STOP_LOAD_GAIN * mobility_share;
        }
        let [lo, hi] = spring.excess(at);
        let impulse = spring.impulse(lo, -speed, -self.load, mobility, step)
            - spring.impulse(hi, speed, self.load, mobility, step);
        if !(impulse.is_finite() && self.load.is_finite()) {
            *self = Self::default();
            return 0.0;
        }
        self.expected_velocity = Some(speed + mobility * impulse);
        impulse
    }
}

/// Returns how the position on an axis changes as body 2 turns or moves in body 1's frame.
fn gradient(axis: JointAxis, relative: &Pose) -> Vec3 {
    let q = relative.rotation;
    let [own, other] = match axis {
        JointAxis::AngX => [q.x, q.y],
        JointAxis::AngY => [q.y, q.x],
        _ => return Vec3::X,
    };
    let size = (own * own + q.w * q.w).max(f32::MIN_POSITIVE);
    let [across, up] = [own * other, own * q.z];
    let turn = match axis {
        JointAxis::AngX => Vec3::new(1.0, (across + q.w * q.z) / size, (up - q.w * q.y) / size),
        _ => Vec3::new((across - q.w * q.z) / size, 1.0, (up + q.w * q.x) / size),
    };
    turn.clamp_length_max(MAX_ANGLE_GRADIENT)
}
