//! Rule about soft stops: whether they carry what hangs on their joints.

use glam::Vec3;

use super::super::drop_test::DropTest;
use super::super::joint_lists::JointLists;
use super::super::rapier_joint;
use super::super::soft_stop::Spring;
use super::super::tuning::SOFT_STOP_REACH;
use super::check_scene::Scene;
use crate::doll::draft::Draft;
use crate::doll::{Doll, DollProblemKind, JointKind, OnModelProblem};

/// Reports soft stops that cannot carry their limb where it hangs out sideways: the hard end behind them does.
pub(super) fn weak_soft_stops(draft: &mut Draft, scene: &Scene) {
    let gravity = DropTest::physics_of(scene.size).gravity.length();
    let holding = draft.doll.joints.iter().enumerate().filter(|(_, joint)| joint.enabled);
    let holding = holding.filter_map(|(number, joint)| Some((number, [joint.body1, joint.body2?])));
    let lists = JointLists::new(draft.doll.bodies.len(), holding);
    for (number, joint) in draft.doll.joints.iter().enumerate() {
        if joint.kind == JointKind::Slider {
            continue;
        }
        let mut limbs: Option<[Vec<usize>; 2]> = None;
        for (order, axis) in rapier_joint::axes(joint.kind).iter().enumerate() {
            let Some(spring) = Spring::of(joint, order, 1.0) else { continue };
            let limbs = limbs.get_or_insert_with(|| {
                let side = |body: Option<usize>| body.map(|body| lists.side(body, number)).unwrap_or_default();
                [side(Some(joint.body1)), side(joint.body2)]
            });
            // Bodies that other joints hold together do not hang on this one.
            if limbs[0].iter().any(|body| limbs[1].contains(body)) {
                continue;
            }
            let along = scene.joints[number].axis(*axis, &scene.bodies, &scene.reference);
            let moment = |limb: &[usize]| scene.moment(limb, &draft.doll, scene.joints[number].anchor, along);
            let moment = limbs.iter().filter(|limb| !limb.is_empty()).map(|limb| moment(limb)).fold(f32::MAX, f32::min);
            let angle = moment * gravity / spring.stiffness;
            if angle > SOFT_STOP_REACH {
                let cfm = joint.cfm[order];
                let problem = OnModelProblem::WeakSoftStop { order, cfm, angle, limit: SOFT_STOP_REACH };
                draft.problems.add(&draft.joints[number].name, || DollProblemKind::OnModel(problem));
            }
        }
    }
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
