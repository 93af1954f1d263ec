//! Rules about the animations of the model.

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use rapier3d::prelude::Pose;
use skelobj_model::internal::{Moment, survey};

use super::super::tuning::{FOLLOW_COST, MAX_LOCKED_MOTION, VISIBLE_SLIDER_EXCESS, VISIBLE_STOP_EXCESS};
use super::super::{cone::Cone, rapier_joint};
use super::check_scene::Scene;
use crate::doll::draft::Draft;
use crate::doll::{DollProblemKind, Joint, JointKind, OnModelProblem};
use crate::model::{Model, Name};

/// Reports animations beyond the stops of joints: the limb snaps back when the ragdoll takes over.
pub(super) fn beyond_stops(draft: &mut Draft, scene: &Scene) {
    let animated = |body: usize| draft.doll.bodies[body].animate > 0.0;
    let mut joints: Vec<Followed> = Vec::new();
    for (number, doll_joint) in draft.doll.joints.iter().enumerate() {
        // Limp bodies do not follow animations, and the stops of an exchanged joint mean the opposite.
        let is_meant = doll_joint.enabled && !draft.is_exchanged(doll_joint);
        if is_meant && animated(doll_joint.body1) && doll_joint.body2.is_some_and(animated) {
            joints.push(Followed::new(number, doll_joint));
        }
    }
    let model = scene.model;
    survey(model, FOLLOW_COST * joints.len(), |moment, bones| {
        for followed in &mut joints {
            let relative = scene.joints[followed.number].relative(&scene.bodies, bones);
            if relative.rotation.is_finite() && relative.translation.is_finite() {
                followed.follow(&draft.doll.joints[followed.number], &relative, moment, scene.size);
            }
        }
    });
    for followed in joints {
        followed.report(draft, model);
    }
}

/// Joint with its worst moments.
struct Followed {
    number: usize,
    cone: Option<Cone>,
    /// Joint without stops.
    free: Joint,
    beyond: Option<Beyond>,
    astray: Option<(f32, Moment)>,
}

#[derive(Clone, Copy)]
struct Beyond {
    /// Number of the axis, 2 for the twist.
    axis: usize,
    /// 0 for the low stop, 1 for the high one.
    end: usize,
    position: f32,
    excess: f32,
    /// `true` if the ellipse of a cone is left within both ranges.
    oblique: bool,
    moment: Moment,
}

impl Followed {
    fn new(number: usize, doll_joint: &Joint) -> Self {
        let mut free = doll_joint.clone();
        for stops in free.stops.iter_mut().chain([&mut free.twist_stops]) {
            (stops.lo, stops.hi) = (f32::NEG_INFINITY, f32::INFINITY);
        }
        Self { number, cone: Cone::of(doll_joint), free, beyond: None, astray: None }
    }

    fn follow(&mut self, doll_joint: &Joint, relative: &Pose, moment: Moment, size: f32) {
        let slides = doll_joint.kind == JointKind::Slider;
        let least = if slides { VISIBLE_SLIDER_EXCESS * size } else { VISIBLE_STOP_EXCESS };
        if let Some(beyond) = self.beyond(doll_joint, relative, moment)
            && beyond.excess > self.beyond.map_or(least, |worst| worst.excess)
        {
            self.beyond = Some(beyond);
        }
        if doll_joint.kind == JointKind::Point || self.cone.is_some() {
            return;
        }
        let astray =
            turn(rapier_joint::nearest_allowed(&self.free, 1.0, relative).rotation.inverse() * relative.rotation);
        if astray > self.astray.map_or(MAX_LOCKED_MOTION, |(worst, _)| worst) {
            self.astray = Some((astray, moment));
        }
    }

    fn beyond(&self, doll_joint: &Joint, relative: &Pose, moment: Moment) -> Option<Beyond> {
        let mut found: Vec<Beyond> = Vec::new();
        let slides = doll_joint.kind == JointKind::Slider;
        let mut consider = |axis: usize, position: f32, range: Option<(f32, f32)>, least: f32| {
            let Some((lo, hi)) = range else { return };
            let position = if slides { position } else { rapier_joint::same_angle_near(position, lo, hi) };
            let outside = (lo - position).max(position - hi).max(0.0);
            let end = usize::from(position > lo / 2.0 + hi / 2.0);
            let oblique = least > outside + VISIBLE_STOP_EXCESS;
            found.push(Beyond { axis, end, position, excess: outside.max(least), oblique, moment });
        };
        match &self.cone {
            Some(cone) => {
                let at = cone.state(relative.rotation);
                for axis in 0..2 {
                    consider(axis, at.swing[axis], doll_joint.range(axis), at.excess[axis]);
                }
                consider(2, at.twist, doll_joint.twist_range(), at.twist_excess);
            }
            None => {
                for (axis, name) in rapier_joint::axes(doll_joint.kind).iter().enumerate() {
                    consider(axis, -rapier_joint::position(*name, relative), doll_joint.range(axis), 0.0);
                }
            }
        }
        found.into_iter().max_by(|a, b| a.excess.total_cmp(&b.excess))
    }

    fn report(self, draft: &mut Draft, model: &Model) {
        let doll_joint = &draft.doll.joints[self.number];
        let places = &draft.joints[self.number];
        let name = |moment: Moment| model.animations.get(moment.animation).map_or(Name::default(), |a| a.name.clone());
        if let Some(worst) = self.beyond {
            let slides = doll_joint.kind == JointKind::Slider;
            let Moment { time, .. } = worst.moment;
            // Rounded outward, so that the stop holds it.
            let hundredths = worst.position * 100.0;
            let stop = if worst.end == 1 { hundredths.ceil() } else { hundredths.floor() } / 100.0;
            let written = &places.stops[worst.axis][worst.end];
            let problem = OnModelProblem::AnimationBeyondStop {
                joint: doll_joint.name.clone(),
                animation: name(worst.moment),
                time,
                position: worst.position,
                excess: worst.excess,
                // Stops end at half a turn.
                suggestion: (!worst.oblique && (slides || stop.abs() <= PI)).then_some(stop),
                is_written: !written.is_empty(),
            };
            let place = places.or_name(written);
            draft.problems.add(place, || DollProblemKind::OnModel(problem));
        }
        if let Some((angle, moment)) = self.astray {
            let problem = OnModelProblem::AnimationOffAxis {
                joint: doll_joint.name.clone(),
                kind: doll_joint.kind,
                animation: name(moment),
                time: moment.time,
                angle,
            };
            draft.problems.add(&places.name, || DollProblemKind::OnModel(problem));
        }
    }
}

/// Returns the angle of a rotation, radians.
fn turn(rotation: Quat) -> f32 {
    let sine = Vec3::new(rotation.x, rotation.y, rotation.z).length();
    2.0 * skelobj_model::internal::atan2f(sine, rotation.w.abs())
}
