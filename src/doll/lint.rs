//! Advice about a doll that works.

use std::collections::HashMap;

use super::draft::Draft;
use super::{DollProblem, DollProblemKind, Orient, ReferencePose, parse};
use crate::model::Model;

/// Ratio of masses above which joints stretch.
const MASS_RATIO: f32 = 10.0;

/// Density above that of every substance, relative to water.
const DENSEST: f32 = 30.0;

/// Returns everything that parsing reports, and probable mistakes in a doll that works.
///
/// Probable mistakes are two bodies on one bone, bodies without a joint, masses that differ too much, densities
/// in kg/m^3, and an `orient` without effect. With a model, the bones and animations that it lacks are reported, too.
///
/// ```
/// use skelobj::doll::lint;
///
/// let problems = lint(b"body a link0\nbody b link0\njoint j a b\ntype point\n", None);
/// assert_eq!(
///     problems[0].to_string(),
///     "2:6: warning: bone `link0` already has a body (line 1); the later body drives it"
/// );
/// ```
#[must_use]
pub fn lint(text: &[u8], model: Option<&Model>) -> Vec<DollProblem> {
    let mut draft = parse::parse(text, model.map(|m| &m.skeleton));
    shared_bones(&mut draft);
    unjointed_bodies(&mut draft);
    mass_ratios(&mut draft);
    densities(&mut draft);
    orients(&mut draft);
    if let (Some(model), ReferencePose::Animation { index, .. }) = (model, draft.doll.reference)
        && index as usize >= model.animations.len()
    {
        let count = model.animations.len();
        draft.problems.add(&draft.reference_span, || DollProblemKind::NoSuchAnimation { index, count });
    }
    draft.finish().problems
}

fn shared_bones(draft: &mut Draft) {
    let mut first_lines = HashMap::new();
    for (body, span) in draft.doll.bodies.iter().zip(&draft.body_spans) {
        let first = *first_lines.entry(&body.bone).or_insert(body.line);
        if first != body.line {
            draft.problems.add(span, || DollProblemKind::SharedBone { bone: body.bone.clone(), first });
        }
    }
}

fn unjointed_bodies(draft: &mut Draft) {
    // The error may be in the joint that would hold the body.
    if draft.problems.has_errors() {
        return;
    }
    let mut jointed = vec![false; draft.doll.bodies.len()];
    for body in draft.doll.joints.iter().flat_map(|j| [Some(j.body1), j.body2]).flatten() {
        if let Some(jointed) = jointed.get_mut(body) {
            *jointed = true;
        }
    }
    if jointed.len() < 2 {
        return;
    }
    for ((body, span), _) in
        draft.doll.bodies.iter().zip(&draft.body_spans).zip(&jointed).filter(|(_, jointed)| !**jointed)
    {
        draft.problems.add(span, || DollProblemKind::NeverJointed { body: body.name.clone() });
    }
}

fn mass_ratios(draft: &mut Draft) {
    let mass = |body: usize| draft.doll.bodies.get(body).map(|b| b.mass);
    for (joint, span) in draft.doll.joints.iter().zip(&draft.joint_spans) {
        let (Some(a), Some(b)) = (mass(joint.body1), joint.body2.and_then(mass)) else { continue };
        let ratio = a.max(b) / a.min(b);
        if ratio > MASS_RATIO {
            draft.problems.add(span, || DollProblemKind::MassRatio { ratio });
        }
    }
}

fn densities(draft: &mut Draft) {
    for (body, span) in draft.doll.bodies.iter().zip(&draft.body_spans) {
        if body.density > DENSEST {
            draft.problems.add(span, || DollProblemKind::DenseBody { density: body.density });
        }
    }
}

fn orients(draft: &mut Draft) {
    for (body, span) in draft.doll.bodies.iter().zip(&draft.body_spans) {
        let nowhere = match (&body.orient, &draft.bones) {
            (Some(Orient::Toward(bone)), _) => *bone == body.bone,
            (Some(Orient::Parent), Some(bones)) => bones.is_root(&body.bone),
            _ => false,
        };
        if nowhere {
            draft.problems.add(span, || DollProblemKind::OrientNowhere { bone: body.bone.clone() });
        }
    }
}
