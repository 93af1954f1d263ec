//! Selection of the nodes that are bones, and the bone above each other node.

use glam::DAffine3;

use super::super::finite_skeleton;
use super::Gltf;
use super::nodes::Nodes;
use crate::model::ModelError;

/// Bones, and the bone above each other node.
pub(super) struct Hierarchy {
    /// Node of each bone.
    pub nodes: Vec<usize>,
    /// Bone of each node that is one.
    pub bones: Vec<Option<u16>>,
    /// Bone above each node.
    pub hooks: Vec<Hook>,
}

/// Bone above a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Hook {
    pub bone: Option<u16>,
    /// Transform from the parent of the node to that bone, or to the scene, through nodes that are not bones.
    pub between: DAffine3,
}

impl Hierarchy {
    pub fn new(gltf: &Gltf, nodes: &Nodes) -> Result<Self, ModelError> {
        let is_bone = choose(gltf, nodes);
        let count = is_bone.iter().filter(|&&bone| bone).count();
        finite_skeleton::check_count("nodes", 0, count as u32)
            .map_err(|error| gltf.error("nodes", 0, error.problem))?;
        let mut bones = vec![None; is_bone.len()];
        let mut hooks = vec![Hook::default(); is_bone.len()];
        let mut bone_nodes = Vec::with_capacity(count);
        for &node in &nodes.order {
            if let Some(parent) = nodes.parents[node] {
                let Hook { bone, between } = hooks[parent];
                hooks[node] = match bones[parent] {
                    Some(bone) => Hook { bone: Some(bone), between: DAffine3::IDENTITY },
                    None => Hook { bone, between: between * nodes.locals[parent] },
                };
            }
            if is_bone[node] {
                bones[node] = Some(bone_nodes.len() as u16);
                bone_nodes.push(node);
            }
        }
        debug_assert_eq!(bone_nodes.len(), count, "every bone has a node");
        Ok(Self { nodes: bone_nodes, bones, hooks })
    }

    /// Returns the parent-relative transform of a bone whose node has the local transform `local`.
    pub fn relative(&self, bone: usize, local: DAffine3) -> DAffine3 {
        debug_assert!(bone < self.nodes.len(), "the bone exists");
        let between = self.nodes.get(bone).and_then(|&node| self.hooks.get(node)).map(|hook| hook.between);
        between.filter(|between| *between != DAffine3::IDENTITY).map_or(local, |between| between * local)
    }
}

/// Chooses the bones: all nodes that move, except leaves that only carry something; and empty leaves, which mark a
/// place. Nodes that only have cameras below them are not bones.
fn choose(gltf: &Gltf, nodes: &Nodes) -> Vec<bool> {
    let is_leaf = |index: usize| gltf.root.nodes[index].children.is_empty();
    let mut counts = vec![false; nodes.order.len()];
    for &index in nodes.order.iter().rev() {
        let node = &gltf.root.nodes[index];
        let marks_place = is_leaf(index) && node.camera.is_none();
        counts[index] |= nodes.is_joint[index] || node.mesh.is_some() || marks_place;
        if let Some(parent) = nodes.parents[index] {
            counts[parent] |= counts[index];
        }
    }
    let mut moving = vec![false; nodes.order.len()];
    let mut is_bone = moving.clone();
    for &index in &nodes.order {
        let node = &gltf.root.nodes[index];
        let moves = nodes.is_joint[index] || nodes.animated[index];
        moving[index] = moves || nodes.parents[index].is_some_and(|parent| moving[parent]);
        let chosen = moves || if is_leaf(index) { node.mesh.is_none() } else { moving[index] };
        is_bone[index] = chosen && counts[index] && nodes.included[index];
    }
    is_bone
}
