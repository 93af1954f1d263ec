//! Pose in which the skins are bound.

use glam::{DAffine3, DVec3};

use super::Gltf;
use super::accessor::Elements;
use super::hierarchy::Hierarchy;
use super::nodes::{Nodes, columns};
use crate::model::{Fixup, ModelError, ModelProblem};

/// Relative difference up to which transforms are equal.
const ROUNDING: f64 = 1e-5;

/// Joint of a skin.
#[derive(Clone, Copy)]
pub(super) struct Binding {
    pub bone: u16,
    /// Transform from the stored mesh to model space in the bind pose.
    pub to_bind: DAffine3,
}

/// Pose of all bones in which the stored vertices are placed, and the bindings of the skins.
pub(super) struct BindPose {
    /// Transform of each bone in the scene.
    pub bones: Vec<DAffine3>,
    /// Joints of each skin.
    pub skins: Vec<Vec<Binding>>,
}

/// Finds the pose in which the skins are bound, and the bindings of the skins.
///
/// The inverse bind matrices of a skin give the relative placement of its joints. The topmost joint is assumed to be at
/// the rest transform of its node. The result is exact for files whose rest pose is the bind pose, in whatever space
/// their meshes are stored. Joints without an inverse bind matrix, and bones that are not joints, are at the rest
/// transforms of their nodes.
pub(super) fn bind(gltf: &mut Gltf, nodes: &Nodes, hierarchy: &Hierarchy) -> Result<BindPose, ModelError> {
    let rest = &nodes.wholes;
    let mut position = vec![0; nodes.order.len()];
    for (place, &node) in nodes.order.iter().enumerate() {
        position[node] = place;
    }
    let mut bound: Vec<Option<DAffine3>> = vec![None; hierarchy.nodes.len()];
    let mut inverses = Vec::new();
    let mut bad = 0;
    for (index, skin) in gltf.root.skins.iter().enumerate() {
        let own = inverse_bind(gltf, index, &mut bad)?;
        let joints = || skin.joints.iter().copied();
        let first = (0..).zip(joints()).min_by_key(|&(_, node)| position[node]);
        let stored = first.and_then(|(joint, node): (usize, _)| Some(rest[node] * (*own.get(joint)?)?));
        let stored = stored.filter(invertible).map_or(DAffine3::IDENTITY, snapped);
        for (joint, node) in joints().enumerate() {
            let Some(bone) = hierarchy.bones[node].map(usize::from) else { continue };
            let inverse = own.get(joint).copied().flatten().filter(invertible);
            let here = inverse.map(|inverse| stored * inverse.inverse()).filter(|here| !near(here, &rest[node]));
            bound[bone] = bound[bone].or(here);
        }
        inverses.push(own);
    }
    if bad > 0 {
        gltf.warn("skins", 0, Fixup::NotFinite(bad));
    }

    let mut bones: Vec<DAffine3> = gltf.reserve("nodes", 0, hierarchy.nodes.len() as u64)?;
    for (bone, &node) in hierarchy.nodes.iter().enumerate() {
        let above = hierarchy.hooks[node].bone.and_then(|above| bones.get(usize::from(above))).copied();
        debug_assert!(
            hierarchy.hooks[node].bone.is_none_or(|above| usize::from(above) < bone),
            "parents stand before children"
        );
        let resting = hierarchy.relative(bone, nodes.locals[node]);
        bones.push(bound[bone].unwrap_or(above.map_or(resting, |above| above * resting)));
    }

    let mut skins = Vec::with_capacity(inverses.len());
    for (index, own) in inverses.into_iter().enumerate() {
        let joints = &gltf.root.skins[index].joints;
        let mut bindings = gltf.reserve("skins", index, joints.len() as u64)?;
        for (joint, &node) in joints.iter().enumerate() {
            // Every joint is a bone.
            debug_assert!(hierarchy.bones[node].is_some(), "every joint is a bone");
            let bone = hierarchy.bones[node].unwrap_or(0);
            let whole = bones.get(usize::from(bone)).copied().unwrap_or_default();
            let inverse = own.get(joint).copied().flatten().unwrap_or_default();
            bindings.push(Binding { bone, to_bind: snapped(whole * inverse) });
        }
        skins.push(bindings);
    }
    Ok(BindPose { bones, skins })
}

/// Returns the inverse bind matrices of a skin; `None` for each matrix that is missing or non-finite.
fn inverse_bind(gltf: &mut Gltf, skin: usize, bad: &mut usize) -> Result<Vec<Option<DAffine3>>, ModelError> {
    let json = &gltf.root.skins[skin];
    let Some(accessor) = json.inverse_bind_matrices else { return Ok(Vec::new()) };
    let accessor = gltf.accessor(accessor, &[16])?;
    let count = json.joints.len();
    if accessor.count < count {
        let (found, expected) = (accessor.count as i64, count as i64);
        let problem = ModelProblem::Mismatch { field: "number of inverse bind matrices", found, expected };
        return Err(gltf.error("skins", skin, problem));
    }
    let mut stored: Vec<[f32; 16]> = gltf.reserve("skins", skin, count as u64)?;
    accessor.floats(Elements::First(count), &mut stored);
    let mut matrices = gltf.reserve("skins", skin, count as u64)?;
    for stored in &stored {
        let [x, y, z, origin] = columns(stored);
        let matrix = Some(DAffine3::from_cols(x, y, z, origin)).filter(DAffine3::is_finite);
        *bad += usize::from(matrix.is_none());
        matrices.push(matrix);
    }
    Ok(matrices)
}

/// Returns `true` if a matrix has a finite inverse.
pub(super) fn invertible(matrix: &DAffine3) -> bool {
    matrix.is_finite() && matrix.matrix3.determinant() != 0.0 && matrix.inverse().is_finite()
}

/// Returns the identity in place of a matrix that equals it up to rounding.
fn snapped(matrix: DAffine3) -> DAffine3 {
    if near(&matrix, &DAffine3::IDENTITY) { DAffine3::IDENTITY } else { matrix }
}

fn near(a: &DAffine3, b: &DAffine3) -> bool {
    let axes = [
        (a.matrix3.x_axis, b.matrix3.x_axis),
        (a.matrix3.y_axis, b.matrix3.y_axis),
        (a.matrix3.z_axis, b.matrix3.z_axis),
    ];
    let size = axes.iter().map(|(_, b)| b.length()).fold(0.0, f64::max);
    let far = |(a, b): &(DVec3, DVec3), size: f64| (*a - *b).length() > ROUNDING * size;
    let origins = (a.translation, b.translation);
    !axes.iter().any(|axes| far(axes, size)) && !far(&origins, size.max(b.translation.length()))
}
