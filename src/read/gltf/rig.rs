//! Which nodes are bones, and the skeleton they make.

use glam::DAffine3;

use super::super::bones;
use super::Gltf;
use super::bind::{self, Binding};
use super::nodes::Nodes;
use crate::layout::gltf::matrix_to_quake;
use crate::model::{Bone, ModelError, Name, Skeleton};

/// The bones of a document and what hangs on them.
pub(super) struct Rig {
    pub skeleton: Skeleton,
    /// The node of each bone.
    pub nodes: Vec<usize>,
    /// The bone of each node that is one.
    pub bones: Vec<Option<u16>>,
    /// What each node hangs on.
    pub hooks: Vec<Hook>,
    /// Bind pose of the bones, in the scene.
    pub bind: Vec<DAffine3>,
    /// How each skin is bound.
    pub skins: Vec<Vec<Binding>>,
}

/// The bone above a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Hook {
    pub bone: Option<u16>,
    /// The nodes between that bone, or the scene, and the node's parent inclusive, which are no bones.
    pub between: DAffine3,
}

impl Rig {
    pub fn new(gltf: &mut Gltf, nodes: &Nodes) -> Result<Self, ModelError> {
        let is_bone = choose(gltf, nodes);
        let count = is_bone.iter().filter(|&&bone| bone).count();
        bones::check_count("nodes", gltf.document.offset("nodes", 0), count as u32)?;
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
        let mut rig = Self {
            skeleton: Skeleton::default(),
            nodes: bone_nodes,
            bones,
            hooks,
            bind: Vec::new(),
            skins: Vec::new(),
        };
        let relative = bind::bind(gltf, nodes, &mut rig)?;
        if count == 0 {
            return Ok(rig);
        }
        let mut described: Vec<Bone> = gltf.reserve("nodes", 0, count as u64)?;
        for (&node, relative) in rig.nodes.iter().zip(&relative) {
            let name = gltf.root.nodes[node].name.as_deref().unwrap_or_default();
            gltf.file.charge("nodes", 0, name.len() as u64)?;
            let parent = rig.hooks[node].bone.map(usize::from);
            described.push(Bone { name: Name::from(name), parent, bind: matrix_to_quake(relative) });
        }
        let offset = gltf.document.offset("nodes", 0);
        let skeleton = bones::skeleton(&mut gltf.file, "nodes", offset, described)?;
        let inverse = |m: &crate::math::Mat3x4| m.inverse().unwrap_or_else(|| m.inverse_uniform());
        let inverse_bind: Vec<_> = skeleton.bind_model().iter().map(inverse).collect();
        rig.skeleton = skeleton.with_inverse_bind(inverse_bind);
        Ok(rig)
    }

    /// Where a bone stands on the one above it when its node stands at `local`.
    pub fn relative(&self, bone: usize, local: DAffine3) -> DAffine3 {
        let between = self.nodes.get(bone).and_then(|&node| self.hooks.get(node)).map(|hook| hook.between);
        between.unwrap_or_default() * local
    }
}

/// Bones are what moves, except leaves that only carry something, and empty leaves, which mark a place.
fn choose(gltf: &Gltf, nodes: &Nodes) -> Vec<bool> {
    let mut moving = vec![false; nodes.order.len()];
    let mut is_bone = moving.clone();
    for &index in &nodes.order {
        let node = &gltf.root.nodes[index];
        let moves = nodes.is_joint[index] || nodes.animated[index];
        moving[index] = moves || nodes.parents[index].is_some_and(|parent| moving[parent]);
        let leaf = node.children.as_ref().is_none_or(Vec::is_empty);
        let carries = node.mesh.is_some() || node.camera.is_some();
        let chosen = moves || if leaf { !carries } else { moving[index] };
        is_bone[index] = chosen && nodes.included[index];
    }
    is_bone
}
