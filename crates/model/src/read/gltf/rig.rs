//! Bones, their rest and bind transforms, and the skeleton built from them.

use glam::DAffine3;

use super::super::finite_skeleton;
use super::Gltf;
use super::bind::{self, BindPose, Binding};
use super::hierarchy::Hierarchy;
use super::nodes::Nodes;
use crate::layout::gltf::matrix_to_quake;
use crate::math::Mat3x4;
use crate::model::{Bone, ModelError, Name, Skeleton};

/// Bones of a document and the nodes below them.
pub(super) struct Rig {
    pub skeleton: Skeleton,
    pub hierarchy: Hierarchy,
    /// Transform of each bone in the scene in the pose of the stored vertices.
    pub bind: Vec<DAffine3>,
    /// Bindings of each skin.
    pub skins: Vec<Vec<Binding>>,
}

impl Rig {
    pub fn new(gltf: &mut Gltf, nodes: &Nodes) -> Result<Self, ModelError> {
        let hierarchy = Hierarchy::new(gltf, nodes)?;
        let BindPose { bones: bind, skins } = bind::bind(gltf, nodes, &hierarchy)?;
        let mut rig = Self { skeleton: Skeleton::default(), hierarchy, bind, skins };
        if rig.bind.is_empty() {
            return Ok(rig);
        }
        let mut described: Vec<Bone> = gltf.reserve("nodes", 0, rig.bind.len() as u64)?;
        for (bone, &node) in rig.hierarchy.nodes.iter().enumerate() {
            let name = gltf.root.nodes[node].name();
            gltf.file.charge("nodes", 0, name.len() as u64)?;
            let parent = rig.hierarchy.hooks[node].bone.map(usize::from);
            let relative = rig.hierarchy.relative(bone, nodes.locals[node]);
            described.push(Bone { name: Name::from(name), parent, bind: matrix_to_quake(&relative) });
        }
        let offset = || gltf.document.offset("nodes", 0);
        let skeleton = finite_skeleton::skeleton(&mut gltf.file, "nodes", offset, described)?;
        let inverse_bind: Vec<_> = rig.bind.iter().zip(skeleton.bind_model()).map(inverse).collect();
        rig.skeleton = skeleton.with_inverse_bind(inverse_bind);
        Ok(rig)
    }
}

/// Returns the inverse bind matrix of a bone: the inverse of its bound transform, or of its rest transform if the bound
/// one is singular.
fn inverse((bound, resting): (&DAffine3, &Mat3x4)) -> Mat3x4 {
    let inverse = Some(bound).filter(|bound| bind::invertible(bound)).map(|bound| matrix_to_quake(&bound.inverse()));
    inverse.filter(Mat3x4::is_finite).unwrap_or_else(|| resting.inverse_uniform())
}
