//! Bodies whose bones share no parent with a body: they are joined to the nearest ones.

use std::collections::BTreeMap;

use super::FitNote;
use super::anatomy::{Meaning, Part};
use super::bones::Tree;
use super::overlap::project;
use super::shapes::Solid;
use crate::math::{Mat3x4, Vec3};
use crate::model::Skeleton;

/// Joins the trees of bodies to one. `held_by` has the bones of bodies that certain others hold, by the bones of those.
pub(super) fn join(
    tree: &mut Tree,
    solids: &[Solid],
    reference: &[Mat3x4],
    meanings: &[Meaning],
    skeleton: &Skeleton,
    held_by: &BTreeMap<usize, usize>,
) {
    debug_assert_eq!(solids.len(), tree.limbs.len(), "every limb has a solid");
    let root_of = |mut body: usize, tree: &Tree| {
        while let Some(parent) = tree.limbs[body].parent {
            body = parent;
        }
        body
    };
    let mut roots: Vec<usize> = (0..tree.limbs.len()).filter(|&body| tree.limbs[body].parent.is_none()).collect();
    // The pelvis carries the others, or the tree of the greatest volume.
    let has_pelvis = |body: &usize| meanings[tree.limbs[*body].bone].part == Part::Pelvis;
    let mut volumes = vec![0.0; tree.limbs.len()];
    for (body, solid) in solids.iter().enumerate() {
        volumes[root_of(body, tree)] += solid.volume();
    }
    let heaviest = roots.iter().copied().reduce(|a, b| if volumes[b] > volumes[a] { b } else { a });
    let Some(main) = roots.iter().copied().find(has_pelvis).or(heaviest) else { return };
    roots.retain(|&root| root != main);
    let mut joined: Vec<bool> = (0..tree.limbs.len()).map(|body| root_of(body, tree) == main).collect();
    while !roots.is_empty() {
        let mut best = (f32::INFINITY, 0, main);
        for (place, &root) in roots.iter().enumerate() {
            let from = place_of(root, tree, solids, reference);
            for body in (0..tree.limbs.len()).filter(|&body| joined[body]) {
                // The place of the bone counts most: there the joint will be.
                let bone = place_of(body, tree, solids, reference).distance(from);
                let surface = |solid: &Solid, point: Vec3| project(solid, point).distance(point);
                let centre = surface(&solids[root], solids[body].centre);
                let mut far = surface(&solids[body], from) + centre * 0.5 + bone * 0.1;
                let [upper, lower] = [body, root].map(|body| &meanings[tree.limbs[body].bone]);
                // Limbs hang on the trunk, not on each other; targets of inverse kinematics that move a skin are feet.
                if upper.part.is_limb() && !lower.continues(upper) && lower.part != Part::Helper {
                    far += tree.size;
                }
                if upper.side.is_some() && lower.side.is_some() && upper.side != lower.side {
                    far += tree.size;
                }
                if held_by.get(&tree.limbs[root].bone) == Some(&tree.limbs[body].bone) {
                    far = 0.0;
                }
                if far < best.0 {
                    best = (far, place, body);
                }
            }
        }
        let (_, place, body) = best;
        let root = roots.remove(place);
        for (other, joined) in joined.iter_mut().enumerate() {
            *joined |= root_of(other, tree) == root;
        }
        (tree.limbs[root].parent, tree.limbs[root].is_joined) = (Some(body), true);
        let name = |body: usize| skeleton.names()[tree.limbs[body].bone].clone();
        tree.notes.push(FitNote::Joined { bone: name(root), to: name(body) });
    }
}

/// Returns the place of a body: that of its bone, or its centre if the bone is nowhere near, as in models without a
/// bind pose.
fn place_of(body: usize, tree: &Tree, solids: &[Solid], reference: &[Mat3x4]) -> Vec3 {
    let (bone, solid) = (reference[tree.limbs[body].bone].origin(), &solids[body]);
    let away = project(solid, bone).distance(bone);
    if away > solid.half.length() { solid.centre } else { bone }
}
