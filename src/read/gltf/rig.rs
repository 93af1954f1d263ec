//! Bones with their bind pose, and the skeleton they make.

use glam::DAffine3;

use super::super::bones;
use super::Gltf;
use super::bind::{self, BindPose, Binding};
use super::hierarchy::Hierarchy;
use super::nodes::Nodes;
use crate::layout::gltf::matrix_to_quake;
use crate::model::{Bone, ModelError, Name, Skeleton};

/// The bones of a document and what hangs on them.
pub(super) struct Rig {
    pub skeleton: Skeleton,
    pub hierarchy: Hierarchy,
    /// Bind pose of the bones, in the scene.
    pub bind: Vec<DAffine3>,
    /// How each skin is bound.
    pub skins: Vec<Vec<Binding>>,
}

impl Rig {
    pub fn new(gltf: &mut Gltf, nodes: &Nodes) -> Result<Self, ModelError> {
        let hierarchy = Hierarchy::new(gltf, nodes)?;
        let BindPose { relative, bind, skins } = bind::bind(gltf, nodes, &hierarchy)?;
        let mut rig = Self { skeleton: Skeleton::default(), hierarchy, bind, skins };
        if relative.is_empty() {
            return Ok(rig);
        }
        let mut described: Vec<Bone> = gltf.reserve("nodes", 0, relative.len() as u64)?;
        for (&node, relative) in rig.hierarchy.nodes.iter().zip(&relative) {
            let name = gltf.root.nodes[node].name.as_deref().unwrap_or_default();
            gltf.file.charge("nodes", 0, name.len() as u64)?;
            let parent = rig.hierarchy.hooks[node].bone.map(usize::from);
            described.push(Bone { name: Name::from(name), parent, bind: matrix_to_quake(relative) });
        }
        let offset = gltf.document.offset("nodes", 0);
        let skeleton = bones::skeleton(&mut gltf.file, "nodes", offset, described)?;
        let inverse = |m: &crate::math::Mat3x4| m.inverse().unwrap_or_else(|| m.inverse_uniform());
        let inverse_bind: Vec<_> = skeleton.bind_model().iter().map(inverse).collect();
        rig.skeleton = skeleton.with_inverse_bind(inverse_bind);
        Ok(rig)
    }
}
