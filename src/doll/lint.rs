//! Advice about a doll that works: a list of rules.

use std::collections::{HashMap, HashSet};

use super::draft::Draft;
use super::encoding::Source;
use super::{Doll, DollProblem, DollProblemKind, JointKind, Orient, ReferencePose, Shape, parse};
use crate::model::Model;

/// Returns everything that parsing reports, and probable mistakes in a doll that works.
///
/// Probable mistakes are two bodies on one bone, bodies without a joint and groups of bodies that no joint holds to the
/// rest, two joints between the same bodies, joints that cannot move, masses that differ too much, densities in kg/m^3,
/// numbers that the simulation cannot use, strengths above 1, and an `orient` or a `slacken` without effect. With a
/// model, the bones and animations that it lacks are reported, too, and joints that name the child first.
/// [`DollCheck`](crate::ragdoll::DollCheck) also holds the doll against the shape of the model and drops it.
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
    draft(&Source::of(text), model).finish().problems
}

/// Parses a text and applies all rules.
pub(crate) fn draft<'a>(source: &'a Source<'a>, model: Option<&'a Model>) -> Draft<'a> {
    let mut draft = parse::parse(source, model.map(|m| &m.skeleton));
    if let Some(model) = model {
        missing_animation(&mut draft, model);
    }
    RULES.iter().for_each(|rule| rule(&mut draft));
    unusable_numbers(&mut draft, model.is_some());
    draft
}

const RULES: [fn(&mut Draft); 13] = [
    shared_bones,
    exchanged_joints,
    unjointed_bodies,
    islands,
    jointed_twice,
    locked_joints,
    mass_ratios,
    densities,
    averaged_sizes,
    great_erps,
    idle_slackens,
    great_strengths,
    orients,
];

/// Falls back to the bind pose, in which the stops mean other angles.
fn missing_animation(draft: &mut Draft, model: &Model) {
    let count = model.animations.len();
    if let ReferencePose::Animation { index, .. } = draft.doll.reference
        && index as usize >= count
    {
        draft.problems.add(&draft.reference_span, || DollProblemKind::NoSuchAnimation { index, count });
    }
}

/// Leaves the earlier body lying about: it collides, but shows nothing.
fn shared_bones(draft: &mut Draft) {
    let mut first_lines = HashMap::new();
    for (body, places) in draft.doll.bodies.iter().zip(&draft.bodies) {
        let first = *first_lines.entry(&body.bone).or_insert(body.line);
        if first != body.line {
            draft.problems.add(&places.name, || DollProblemKind::SharedBone { bone: body.bone.clone(), first });
        }
    }
}

/// Lets a limb fall off: nothing holds its body.
fn unjointed_bodies(draft: &mut Draft) {
    // The error may be in the joint that would hold the body.
    if draft.problems.has_errors() || draft.doll.bodies.len() < 2 {
        return;
    }
    if let ([first, ..], []) = (draft.bodies.as_slice(), draft.doll.joints.as_slice()) {
        let bodies = draft.doll.bodies.len();
        draft.problems.add(&first.name, || DollProblemKind::NoJoints { bodies });
        return;
    }
    // A second body of a name, or on a bone, is without a joint because of that.
    let (jointed, reported) = (jointed(&draft.doll), draft.problems.places());
    for ((body, places), jointed) in draft.doll.bodies.iter().zip(&draft.bodies).zip(&jointed) {
        if !jointed && !reported.contains(&places.name) {
            draft.problems.add(&places.name, || DollProblemKind::NeverJointed { body: body.name.clone() });
        }
    }
}

/// Returns for each body whether it has a joint.
fn jointed(doll: &Doll) -> Vec<bool> {
    let mut jointed = vec![false; doll.bodies.len()];
    for body in doll.joints.iter().flat_map(|j| [Some(j.body1), j.body2]).flatten() {
        if let Some(jointed) = jointed.get_mut(body) {
            *jointed = true;
        }
    }
    jointed
}

/// Breaks the doll into pieces that fall apart.
fn islands(draft: &mut Draft) {
    if draft.problems.has_errors() {
        return;
    }
    let (doll, jointed) = (&draft.doll, jointed(&draft.doll));
    let mut groups: Vec<usize> = (0..doll.bodies.len()).collect();
    let root = |groups: &mut Vec<usize>, mut body: usize| {
        while groups[body] != body {
            groups[body] = groups[groups[body]];
            body = groups[body];
        }
        body
    };
    // Bodies on one joint to the world stay where they are, but not together.
    for joint in &doll.joints {
        if let Some(body2) = joint.body2 {
            let (a, b) = (root(&mut groups, joint.body1), root(&mut groups, body2));
            groups[a.max(b)] = a.min(b);
        }
    }
    let mut sizes = vec![0; doll.bodies.len()];
    for body in 0..doll.bodies.len() {
        sizes[root(&mut groups, body)] += 1;
    }
    let largest = sizes.iter().max().and_then(|size| sizes.iter().position(|s| s == size));
    for (body, &bodies) in sizes.iter().enumerate() {
        // A body without any joint has a warning of its own.
        if bodies > 0 && Some(body) != largest && jointed[body] {
            let name = doll.bodies[body].name.clone();
            draft.problems.add(&draft.bodies[body].name, || DollProblemKind::Island { body: name, bodies });
        }
    }
}

/// Makes the solver satisfy two sets of stops, which rarely agree.
fn jointed_twice(draft: &mut Draft) {
    let mut first_joints = HashMap::new();
    for (joint, places) in draft.doll.joints.iter().zip(&draft.joints).filter(|(joint, _)| joint.enabled) {
        let Some(body2) = joint.body2 else { continue };
        let pair = (joint.body1.min(body2), joint.body1.max(body2));
        let first = *first_joints.entry(pair).or_insert(joint);
        if !std::ptr::eq(first, joint) {
            let (name, line) = (first.name.clone(), first.line);
            draft.problems.add(&places.name, || DollProblemKind::JointedTwice { joint: name, first: line });
        }
    }
}

/// Puts the joint at the parent's bone, and turns its stops round.
fn exchanged_joints(draft: &mut Draft) {
    let names = draft.doll.joints.iter().zip(&draft.joints).filter_map(|(joint, places)| {
        let body = |body: usize| draft.doll.bodies.get(body).map(|body| body.name.clone());
        let bodies = [body(joint.body1)?, joint.body2.and_then(body)?];
        draft.is_exchanged(joint).then(|| (places.name.clone(), bodies))
    });
    for (place, bodies) in names.collect::<Vec<_>>() {
        draft.problems.add(&place, || DollProblemKind::JointExchanged { bodies });
    }
}

/// Locks the joint, which is what the default stops 0 and 0 do. An error in its lines may be a misspelt stop.
fn locked_joints(draft: &mut Draft) {
    for (joint, places) in draft.doll.joints.iter().zip(&draft.joints).filter(|(_, places)| !places.has_error) {
        let [first, second] = joint.stops.map(|stops| stops.is_locked());
        let locked = match joint.kind {
            JointKind::Hinge | JointKind::Slider => first,
            JointKind::Universal => first && second,
            JointKind::Cone => first && second && joint.twist_stops.is_locked(),
            JointKind::Fixed | JointKind::Point | JointKind::Hinge2 => false,
        };
        if locked {
            draft.problems.add(&places.name, || DollProblemKind::JointLocked { kind: joint.kind });
        }
    }
}

/// Ratio of masses above which joints stretch.
const MASS_RATIO: f32 = 10.0;

/// Stretches the joint: the solver moves the light body, and the heavy one pulls on.
fn mass_ratios(draft: &mut Draft) {
    let mass = |body: usize| draft.doll.bodies.get(body).map(|b| b.mass);
    for (joint, places) in draft.doll.joints.iter().zip(&draft.joints) {
        let (Some(a), Some(b)) = (mass(joint.body1), joint.body2.and_then(mass)) else { continue };
        let ratio = a.max(b) / a.min(b);
        if ratio > MASS_RATIO {
            draft.problems.add(&places.name, || DollProblemKind::MassRatio { ratio });
        }
    }
}

/// Density above that of every substance, relative to water.
const DENSEST: f32 = 30.0;

/// Sinks what should float: the number is in kg/m^3.
fn densities(draft: &mut Draft) {
    let mut reported = HashSet::new();
    for (body, places) in draft.doll.bodies.iter().zip(&draft.bodies) {
        let place = places.or_name(&places.density);
        // Many bodies may have the density of the default; so with the rules below.
        if body.density > DENSEST && reported.insert(place) {
            draft.problems.add(place, || DollProblemKind::DenseBody { density: body.density });
        }
    }
}

/// Gives a body another shape than its sizes say.
fn averaged_sizes(draft: &mut Draft) {
    let mut reported = HashSet::new();
    for (body, places) in draft.doll.bodies.iter().zip(&draft.bodies) {
        let [x, y, z] = body.size;
        let differ = match body.shape {
            Shape::Box => false,
            Shape::Sphere => x != y || y != z,
            Shape::Cylinder | Shape::Capsule => x != y,
        };
        let place = places.or_name(&places.size);
        if differ && reported.insert(place) {
            let radius = body.radius().unwrap_or_default();
            let sizes = match body.shape {
                Shape::Sphere => radius.to_string(),
                _ => format!("{radius} {radius} {z}"),
            };
            // The sizes of the default may be those of bodies of other shapes.
            let suggestion = (place.start > places.name.start).then_some(sizes);
            draft.problems.add(place, || DollProblemKind::SizesAveraged { shape: body.shape, radius, suggestion });
        }
    }
}

/// Range of sizes, offsets, and masses of a doll of the mannequin's size that rapier's arithmetic can use.
const USABLE: [f32; 2] = [1e-3, 1e5];
/// Factor of the masses of the largest doll, and divisor of those of the smallest.
const LARGEST_VOLUME: f32 = 262_144.0;

/// Gives a body another size, mass or place than its numbers say. Which masses a doll on a model can have depends on
/// its size, which only a check knows; others no doll can have.
fn unusable_numbers(draft: &mut Draft, has_model: bool) {
    let volume = if has_model { LARGEST_VOLUME } else { 1.0 };
    let masses = [USABLE[0] / volume, USABLE[1] * volume];
    let mut reported = HashSet::new();
    for (body, places) in draft.doll.bodies.iter().zip(&draft.bodies) {
        let is_unusable = |[least, most]: [f32; 2], number: &f32| !(least..=most).contains(number);
        let size = body.size.into_iter().find(|size| is_unusable(USABLE, size));
        let size = size.map(|size| ("size", size, USABLE, &places.size));
        let mass = Some(body.mass).filter(|mass| is_unusable(masses, mass));
        let mass = mass.map(|mass| ("mass", mass, masses, &places.mass));
        let far = body.offset.map(|offset| offset.position.abs().max_element()).filter(|far| *far > USABLE[1]);
        let far = far.map(|far| ("offset", far, USABLE, &places.offset));
        for (attribute, value, [least, most], place) in [size, mass, far].into_iter().flatten() {
            let place = places.or_name(place);
            if reported.insert(place) {
                // An offset that far counts as none.
                let used = if attribute == "offset" { 0.0 } else { value.clamp(least, most) };
                draft.problems.add(place, || DollProblemKind::BeyondSimulation { attribute, value, used });
            }
        }
    }
}

/// Corrects no more than the whole violation in a step, whatever the number.
fn great_erps(draft: &mut Draft) {
    let mut reported = HashSet::new();
    for (joint, places) in draft.doll.joints.iter().zip(&draft.joints) {
        for (&erp, place) in joint.erp.iter().zip(&places.erp) {
            let place = places.or_name(place);
            if erp > 1.0 && reported.insert(place) {
                draft.problems.add(place, || DollProblemKind::ErpAboveOne { erp });
            }
        }
    }
}

/// Changes nothing: the joint has no muscle that could slacken.
fn idle_slackens(draft: &mut Draft) {
    // The line of a default may be meant for those of its joints that have muscles.
    let joints = || draft.doll.joints.iter().zip(&draft.joints).filter(|(joint, _)| joint.slacken > 0.0);
    let with_muscle: HashSet<_> =
        joints().filter(|(joint, _)| joint.muscle > 0.0).map(|(_, places)| &places.slacken).collect();
    let mut reported = HashSet::new();
    for place in joints().map(|(_, places)| &places.slacken) {
        if !with_muscle.contains(place) && reported.insert(place) {
            draft.problems.add(place, || DollProblemKind::SlackenWithoutMuscle);
        }
    }
}

/// Keeps the body exact while a fade or a hit weakens the others.
fn great_strengths(draft: &mut Draft) {
    let mut reported = HashSet::new();
    for (body, places) in draft.doll.bodies.iter().zip(&draft.bodies) {
        let place = places.or_name(&places.animate);
        if body.animate > 1.0 && reported.insert(place) {
            draft.problems.add(place, || DollProblemKind::AnimateAboveOne { strength: body.animate });
        }
    }
}

/// Leaves the body with the rotation of its bone.
fn orients(draft: &mut Draft) {
    for (body, places) in draft.doll.bodies.iter().zip(&draft.bodies) {
        let nowhere = match (&body.orient, &draft.bones) {
            (Some(Orient::Toward(bone)), _) => *bone == body.bone,
            (Some(Orient::Parent), Some(bones)) => bones.is_root(&body.bone),
            _ => false,
        };
        if nowhere {
            draft.problems.add(&places.name, || DollProblemKind::OrientNowhere { bone: body.bone.clone() });
        }
    }
}
