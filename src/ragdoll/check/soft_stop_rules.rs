//! Rule about soft stops: whether they carry what hangs on their joints.

use glam::Vec3;

use super::super::drop_test::DropTest;
use super::super::rapier_joint;
use super::super::tuning::{ODE_STEP, SOFT_STOP_REACH};
use super::check_scene::Scene;
use crate::doll::draft::Draft;
use crate::doll::{Doll, DollProblemKind, JointKind, OnModelProblem};

/// Reports soft stops that cannot carry their limb where it hangs out sideways: the hard end behind them does.
pub(super) fn weak_soft_stops(draft: &mut Draft, scene: &Scene) {
    let gravity = DropTest::usual_physics(&draft.doll, scene.model).gravity.length();
    let neighbours = neighbours(&draft.doll);
    for (number, joint) in draft.doll.joints.iter().enumerate() {
        if joint.kind == JointKind::Slider {
            continue;
        }
        let mut limbs: Option<[Vec<usize>; 2]> = None;
        for (order, axis) in rapier_joint::axes(joint.kind).iter().enumerate() {
            if !rapier_joint::is_soft(joint, order) || joint.range(order).is_none() {
                continue;
            }
            let limbs = limbs.get_or_insert_with(|| {
                let side = |body: Option<usize>| body.map(|body| side(body, number, &neighbours)).unwrap_or_default();
                [side(Some(joint.body1)), side(joint.body2)]
            });
            // Bodies that other joints hold together do not hang on this one.
            if limbs[0].iter().any(|body| limbs[1].contains(body)) {
                continue;
            }
            let along = scene.joints[number].axis(*axis, &scene.bodies, &scene.reference);
            let moment = |limb: &[usize]| scene.moment(limb, &draft.doll, scene.joints[number].anchor, along);
            let moment = limbs.iter().filter(|limb| !limb.is_empty()).map(|limb| moment(limb)).fold(f32::MAX, f32::min);
            let (erp, cfm) = (joint.erp[order].clamp(0.0, 1.0), joint.cfm[order]);
            let angle = moment * gravity * ODE_STEP * cfm / erp;
            if angle > SOFT_STOP_REACH {
                let problem = OnModelProblem::WeakSoftStop { order, cfm, angle, limit: SOFT_STOP_REACH };
                draft.problems.add(&draft.joints[number].name, || DollProblemKind::OnModel(problem));
            }
        }
    }
}

/// Returns the joints of each body that hold, with the bodies on their other ends.
fn neighbours(doll: &Doll) -> Vec<Vec<(usize, usize)>> {
    let mut neighbours = vec![Vec::new(); doll.bodies.len()];
    for (number, joint) in doll.joints.iter().enumerate().filter(|(_, joint)| joint.enabled) {
        if let Some(body2) = joint.body2 {
            neighbours[joint.body1].push((number, body2));
            neighbours[body2].push((number, joint.body1));
        }
    }
    neighbours
}

/// Returns the bodies that hang on a body, and itself, without those beyond a joint.
fn side(body: usize, without: usize, neighbours: &[Vec<(usize, usize)>]) -> Vec<usize> {
    let (mut side, mut seen) = (vec![body], vec![false; neighbours.len()]);
    seen[body] = true;
    let mut next = 0;
    while let Some(&body) = side.get(next) {
        next += 1;
        for &(joint, other) in &neighbours[body] {
            if joint != without && !std::mem::replace(&mut seen[other], true) {
                side.push(other);
            }
        }
    }
    side
}

impl Scene<'_> {
    /// Returns the mass of a limb times the distance of its centre from an axis, in the reference pose.
    fn moment(&self, limb: &[usize], doll: &Doll, anchor: Vec3, axis: Vec3) -> f32 {
        let arms = limb
            .iter()
            .map(|body| (self.bodies[*body].at(&self.reference).translation - anchor) * doll.bodies[*body].mass);
        arms.sum::<Vec3>().cross(axis).length()
    }
}
