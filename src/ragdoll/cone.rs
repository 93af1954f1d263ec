//! Cones: an elliptical limit of a joint's swing, and a limit of its twist.
//!
//! Swing and twist are those of body 2 from the centre of the cone, the pose in the middle of all its ranges: the twist
//! turns body 2 about the third axis of the joint, and the swing then moves that axis. The swing is a rotation vector
//! without a third component; the ellipse limits its two components. Measured from the centre, the opposite pose is
//! half a turn away in every direction, so that an angle is never confused with its complement.
//!
//! rapier has no such limit without leaving its SIMD path. But for a step, the border of an ellipse is a line: a limit
//! of one angle. So the joint gets both of its frames turned, such that their first axis is the one about which the
//! swing leaves the ellipse, and their third axis that about which the twist grows. Only joints near their limits have
//! such limits, and they are turned again only after the line has become inexact. A limb that turns by a third of a
//! radian within a step may get past a narrow ellipse.

use glam::{Mat3, Quat, Vec2, Vec3};
use rapier3d::parry::math::AngularInertia;
use rapier3d::prelude::{GenericJoint, ImpulseJoint, JointAxesMask, JointAxis, JointLimits, Pose, RigidBody};
use skelobj_model::internal::{cosf, portable_range, sinf};

use super::solver_body::UNITS;
use super::step_limits::{Limits, TurnedFrames, rough_angle};
use super::tuning::{
    CONE_AXIS_ERROR, CONE_FAR_SIDE, CONE_LIMIT_ERROR, CONE_LIMIT_SLACK, CONE_NEAR, CONE_OPPOSITE, CONE_SAME_AXIS,
    CONE_STEPS_AHEAD, MAX_CONE_CORRECTION, MAX_CONE_HALF_RANGE, MAX_CONE_MOTION, THIN_CONE,
};
use super::{RagJoint, stops};
use crate::doll::{Joint, JointKind};

/// Ranges of a cone with rapier's sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    /// Centre of the swing: angles, and the rotation from the reference pose.
    centre: Vec2,
    turn: Quat,
    /// Inverse squares of the ellipse's half axes, 0 where the swing is not limited.
    curve: Vec2,
    half: Vec2,
    twist: Option<[f32; 2]>,
}

/// Rotation of body 2 against body 1, taken apart.
#[derive(Clone, Copy, Debug)]
struct SwingTwist {
    /// Swing from the centre, a rotation vector.
    swing: Vec2,
    twist: f32,
}

/// Position of a cone with the doll's sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConeState {
    pub(super) swing: [f32; 2],
    pub(super) twist: f32,
    pub(super) excess: [f32; 2],
    pub(super) twist_excess: f32,
}

impl Cone {
    /// Returns the cone of a joint, if it is one.
    pub(super) fn of(doll_joint: &Joint) -> Option<Self> {
        if doll_joint.kind != JointKind::Cone {
            return None;
        }
        let swing = [0, 1].map(|number| stops::stops(doll_joint, number, 1.0));
        let middle = |range: Option<[f32; 2]>| range.map_or(0.0, |[lo, hi]| lo / 2.0 + hi / 2.0);
        let half = |range: Option<[f32; 2]>| {
            range.map_or(MAX_CONE_HALF_RANGE, |[lo, hi]| (hi / 2.0 - lo / 2.0).min(MAX_CONE_HALF_RANGE))
        };
        let [half_x, half_y] = swing.map(half);
        // A locked direction is a very narrow one.
        let half = Vec2::new(half_x, half_y).max(Vec2::splat(CONE_LIMIT_ERROR));
        let curve =
            Vec2::from(half.to_array().map(|half| if half < MAX_CONE_HALF_RANGE { 1.0 / (half * half) } else { 0.0 }));
        let centre = Vec2::from(swing.map(middle));
        Some(Self { centre, turn: exp(centre), curve, half, twist: stops::twist_stops(doll_joint) })
    }

    /// Takes the rotation of body 2's frame in body 1's apart.
    fn decompose(&self, relative: Quat) -> SwingTwist {
        let q = self.turn.inverse() * relative;
        let q = if q.w < 0.0 { -q } else { q };
        let cosine = (q.z * q.z + q.w * q.w).sqrt();
        let (z, w) = if cosine > 1e-6 { (q.z / cosine, q.w / cosine) } else { (0.0, 1.0) };
        let sine = Vec2::new(q.x * w - q.y * z, q.x * z + q.y * w);
        let length = sine.length();
        let angle = rough_angle(length, cosine);
        let swing = if length > 1e-6 { sine * (angle / length) } else { sine * 2.0 };
        let twist = rough_angle(z, w);
        let middle = self.twist.map_or(0.0, |[lo, hi]| lo / 2.0 + hi / 2.0);
        let turns = ((twist - middle) / std::f32::consts::TAU).round();
        SwingTwist { swing, twist: twist - std::f32::consts::TAU * turns }
    }

    fn is_thin(&self) -> bool {
        self.half.min_element() < THIN_CONE
    }

    /// Returns the square of a swing's distance from the centre, where 1 is the border.
    fn level(&self, swing: Vec2) -> f32 {
        (swing * swing).dot(self.curve)
    }

    /// Returns the swing nearest to this one that the cone allows.
    fn nearest(&self, swing: Vec2) -> Vec2 {
        if self.is_thin() {
            return swing.clamp(-self.half, self.half);
        }
        // The nearest point of an ellipse is x / (1 + t / half^2) for both axes. The level of that point falls with t,
        // ever more slowly: Newton's method approaches from below.
        let mut t = 0.0;
        for _step in 0..12 {
            let slope = Vec2::ONE + self.curve * t;
            let excess = self.level(swing / slope) - 1.0;
            if excess <= 1e-6 {
                break;
            }
            t += excess / (2.0 * (swing * swing * self.curve * self.curve / (slope * slope * slope)).element_sum());
        }
        swing / (Vec2::ONE + self.curve * t)
    }

    /// Returns the rotation nearest to this one that the cone allows.
    pub(super) fn nearest_allowed(&self, relative: Quat) -> Quat {
        let at = self.decompose(relative);
        let twist = self.twist.map_or(at.twist, |[lo, hi]| at.twist.clamp(lo, hi.max(lo)));
        (self.turn * exp(self.nearest(at.swing)) * Quat::from_xyzw(0.0, 0.0, sinf(twist / 2.0), cosf(twist / 2.0)))
            .normalize()
    }

    /// Returns the position, and how far it is beyond the limits.
    pub(super) fn state(&self, relative: Quat) -> ConeState {
        let at = self.decompose(relative);
        let beyond = (at.swing - self.nearest(at.swing)).abs();
        ConeState {
            swing: (-self.centre - at.swing).to_array(),
            twist: -at.twist,
            excess: beyond.to_array(),
            twist_excess: self.twist.map_or(0.0, |[lo, hi]| (at.twist - hi).max(lo - at.twist).max(0.0)),
        }
    }

    /// Returns the angles about the axes of body 1's frame that are near their limits, for bodies that turn against
    /// each other at `speed` and may suddenly turn by `contact_spin` (radians per step). Those that are limited already
    /// stay so at twice the distance.
    fn rows(&self, relative: Quat, speed: Vec3, contact_spin: f32, limited: [bool; 3]) -> Rows {
        let at = self.decompose(relative);
        // A body slides along the border without leaving it if the border is taken where the body arrives.
        let arrived = at.swing + at.moved(self.turn.inverse() * speed);
        let (along, ahead) = self.outward(arrived);
        let ahead = ahead + along.dot(arrived - at.swing);
        let swung = exp(at.swing);
        let place = |vector: Vec3| self.turn * vector;
        let mut rows = Rows { frame: Quat::IDENTITY, ranges: [None; 3] };
        let near = |number: usize, axis: Vec3, [back, ahead]: [f32; 2]| {
            let speed = speed.dot(axis) * CONE_STEPS_AHEAD;
            let near = contact_spin + if limited[number] { 2.0 * CONE_NEAR } else { CONE_NEAR };
            let [back, ahead] =
                [back, ahead].map(|left| left.clamp(-MAX_CONE_CORRECTION, CONE_FAR_SIDE + MAX_CONE_CORRECTION));
            (ahead < near + speed.max(0.0) || back < near + (-speed).max(0.0)).then_some([-back, ahead])
        };
        let gradient = |along: Vec2| {
            let (angle, way) = (at.swing.length(), at.swing.normalize_or(Vec2::X));
            swung * (along + across(way) * (across(way).dot(along) * (stretch(angle) - 1.0))).extend(0.0)
        };
        // Angles from the limits, and the axes about which they change.
        let (first, first_range) = if self.is_thin() {
            (Vec2::X, [self.half.x + at.swing.x, self.half.x - at.swing.x])
        } else {
            (along, [CONE_FAR_SIDE - ahead.min(0.0), ahead])
        };
        let turned = |gradient: Vec3, range: [f32; 2]| {
            let length = gradient.length().max(1e-6);
            (gradient / length, range.map(|angle| angle / length))
        };
        let (x, first_range) = turned(gradient(first), first_range);
        let x = place(x).normalize_or(Vec3::X);
        rows.ranges[0] = near(0, x, first_range);
        let mut y = None;
        if self.is_thin() {
            let second = place(gradient(Vec2::Y));
            let (axis, range) =
                turned(second - x * x.dot(second), [self.half.y + at.swing.y, self.half.y - at.swing.y]);
            rows.ranges[1] = near(1, axis, range);
            y = Some(axis);
        }
        // The twist grows about the direction half way between those of both bodies.
        let twist = place(Vec3::new(swung.y, -swung.x, swung.w) / swung.w.max(CONE_OPPOSITE));
        let along = |twist: Vec3, axis: Vec3| twist - axis * axis.dot(twist);
        let twist = y.map_or(along(twist, x), |y| along(along(twist, x), y));
        let (z, range) =
            turned(twist, self.twist.map_or([CONE_FAR_SIDE; 2], |[lo, hi]| [at.twist - lo, hi - at.twist]));
        if self.twist.is_some() && swung.w > CONE_OPPOSITE {
            rows.ranges[2] = near(2, z, range);
        }
        rows.frame = Quat::from_mat3(&Mat3::from_cols(x, z.cross(x), z)).normalize();
        rows
    }

    /// Returns the direction in which a swing leaves the ellipse, and how far away the border is, radians.
    fn outward(&self, swing: Vec2) -> (Vec2, f32) {
        let level = self.level(swing);
        if level > 1.0 {
            let nearest = self.nearest(swing);
            let along = (nearest * self.curve).normalize_or(Vec2::X);
            return (along, -swing.distance(nearest));
        }
        let slope = swing * self.curve;
        let scale = level.sqrt();
        // The distance along the way from the centre, projected on the normal: exact at the border.
        let ahead = if level > 1e-6 { (1.0 - scale) * scale / slope.length() } else { self.half.min_element() };
        (slope.normalize_or(Vec2::X), ahead)
    }
}

impl SwingTwist {
    /// Returns how a small turn of body 2 changes the swing.
    fn moved(&self, turn: Vec3) -> Vec2 {
        let (angle, way) = (self.swing.length(), self.swing.normalize_or(Vec2::X));
        let aside = angle * turn.z + cosf(angle) * stretch(angle) * across(way).dot(turn.truncate());
        (way * way.dot(turn.truncate()) + across(way) * aside).clamp_length_max(MAX_CONE_MOTION)
    }
}

/// Returns how much faster a swing of this angle goes round the centre than the body turns for it.
fn stretch(angle: f32) -> f32 {
    if angle > 1e-3 { angle / sinf(angle).max(1e-3) } else { 1.0 }
}

fn across(way: Vec2) -> Vec2 {
    Vec2::new(-way.y, way.x)
}

/// Frame of a joint in body 1's own, and the ranges of the angles about its axes that are limited.
#[derive(Clone, Copy, Debug)]
struct Rows {
    frame: Quat,
    ranges: [Option<[f32; 2]>; 3],
}

impl RagJoint {
    /// Returns the limits of a cone for a step of `step` seconds, in which contacts may turn the joint at
    /// `contact_spin` radians/s; `None` if those that it has still fit.
    pub(super) fn limits_of_cone(
        &self,
        cone: &Cone,
        built: &ImpulseJoint,
        [one, two]: [&RigidBody; 2],
        [step, contact_spin]: [f32; 2],
    ) -> Option<Limits> {
        let [turn1, turn2] = [*one.rotation(), *two.rotation()];
        let base = turn1 * self.frame1().rotation;
        let relative = base.inverse() * turn2 * self.frames[1].rotation;
        let moving = |body: &RigidBody| if body.is_sleeping() { Vec3::ZERO } else { body.angvel() };
        let speed = base.inverse() * (moving(two) - moving(one)) * step;
        let limited = AXES.map(|axis| built.data.limit_axes.contains(JointAxesMask::from(axis)));
        let rows = cone.rows(relative, speed, step * contact_spin, limited);
        if limited == [false; 3] && rows.ranges.iter().all(Option::is_none) {
            return None;
        }
        let frame = base * rows.frame;
        let old = turn1 * built.data.local_frame1.rotation;
        let so_far = turn2 * built.data.local_frame2.rotation;
        if !frame.is_finite() || fits(&rows, &built.data, frame, [old, so_far]) {
            return None;
        }
        let anchor_pair = AnchorPair {
            bodies: [(one, self.frames[0]), (two, self.frames[1])].map(|(body, frame)| AnchorBody::new(body, &frame)),
        };
        // The solver starts with the impulses of the step before, which belong to the axes of the old frame.
        let [x, y, z, ..] = built.impulses;
        let anchor = anchor_pair.turned(Vec3::new(x, y, z), old, frame);
        let mut limits = Limits {
            turned_frames: Some(TurnedFrames {
                frames: [turn1, turn2].map(|turn| (turn.inverse() * frame).normalize()),
                impulses: anchor.to_array(),
            }),
            axes: JointAxesMask::empty(),
            limits: built.data.limits,
        };
        for (number, axis) in AXES.into_iter().enumerate() {
            let was = limited[number] && (frame * UNITS[number]).dot(old * UNITS[number]) > CONE_SAME_AXIS;
            let limit = &mut limits.limits[axis as usize];
            if let Some([min, max]) = rows.ranges[number].map(portable_range) {
                limits.axes.insert(axis.into());
                *limit = JointLimits { min, max, impulse: if was { limit.impulse } else { 0.0 } };
            }
        }
        Some(limits)
    }
}

const AXES: [JointAxis; 3] = [JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ];

/// Returns `true` if a joint, with its frames turned like this, still has these limits.
fn fits(rows: &Rows, built: &GenericJoint, frame: Quat, [one, two]: [Quat; 2]) -> bool {
    let turned = (one.inverse() * two).to_array();
    let mut fits = true;
    for (number, axis) in AXES.into_iter().enumerate() {
        let limited = built.limit_axes.contains(axis.into());
        let (limits, angle) = (built.limits[axis as usize], rough_angle(turned[number], turned[3]));
        let Some([min, max]) = rows.ranges[number].filter(|_| limited) else {
            fits &= limited == rows.ranges[number].is_some();
            continue;
        };
        let (now, then) = (frame * UNITS[number], one * UNITS[number]);
        // Thrown past the pose opposite the centre, a body returns the way it came.
        if number == 0 && now.dot(then) < 0.0 && angle > limits.max {
            return true;
        }
        let same = now.dot(then) > 0.0 && now.cross(then).length_squared() < CONE_AXIS_ERROR * CONE_AXIS_ERROR;
        let near = |now: f32, then: f32| (now - then).abs() <= CONE_LIMIT_ERROR + CONE_LIMIT_SLACK * now.max(0.0);
        fits &= same && near(-min, angle - limits.min) && near(max, limits.max - angle);
    }
    fits
}

/// Body that an impulse at the joint moves.
#[derive(Clone, Copy, Debug)]
struct AnchorBody {
    lever: Vec3,
    inverse_mass: Vec3,
    inverse_inertia: AngularInertia,
}

impl AnchorBody {
    fn new(body: &RigidBody, frame: &Pose) -> Self {
        let mass = body.mass_properties();
        let lever = body.position().transform_point(frame.translation) - mass.world_com;
        Self { lever, inverse_mass: mass.effective_inv_mass, inverse_inertia: mass.effective_world_inv_inertia }
    }

    /// Returns the velocity that an impulse gives the point of the joint.
    fn response(&self, impulse: Vec3) -> Vec3 {
        let turn = self.inverse_inertia.mul_vec(self.lever.cross(impulse));
        self.inverse_mass * impulse + turn.cross(self.lever)
    }
}

/// Bodies of a joint.
#[derive(Clone, Copy, Debug)]
struct AnchorPair {
    bodies: [AnchorBody; 2],
}

impl AnchorPair {
    fn response(&self, impulse: Vec3) -> Vec3 {
        self.bodies[0].response(impulse) + self.bodies[1].response(impulse)
    }

    /// Returns the directions of rapier's rows for the anchor: the axes of the frame, each without what those before
    /// it would answer; and the responses to them.
    fn rows(&self, frame: Quat) -> [[Vec3; 2]; 3] {
        let mut rows = UNITS.map(|unit| [frame * unit, Vec3::ZERO]);
        for number in 0..3 {
            let mut row = rows[number][0];
            for [other, response] in &rows[..number] {
                row -= *other * (row.dot(*response) / other.dot(*response));
            }
            rows[number] = [row, self.response(row)];
        }
        rows
    }

    /// Returns the impulses of the anchor's rows in one frame for those in another.
    fn turned(&self, impulses: Vec3, from: Quat, to: Quat) -> Vec3 {
        let whole: Vec3 = self.rows(from).iter().zip(impulses.to_array()).map(|([row, _], part)| *row * part).sum();
        let turned = Vec3::from(self.rows(to).map(|[row, response]| whole.dot(response) / row.dot(response)));
        if turned.is_finite() { turned } else { Vec3::ZERO }
    }
}

/// Returns the rotation of a rotation vector without a third component.
fn exp(swing: Vec2) -> Quat {
    let angle = swing.length();
    let scaled = if angle > 1e-6 { swing * (sinf(angle / 2.0) / angle) } else { swing / 2.0 };
    Quat::from_xyzw(scaled.x, scaled.y, 0.0, cosf(angle / 2.0))
}
