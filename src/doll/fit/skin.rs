//! Vertices of a model's skin in the reference pose, with the bones that move them.

use crate::math::{Mat3x4, Vec3};
use crate::model::{Mesh, Model};

/// Vertex of the skin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    /// Position in the reference pose, model space.
    pub(super) at: Vec3,
    /// Bones with their weights; a weight of 0 ends the list.
    pub(super) bones: [(u16, f32); 4],
}

impl Vertex {
    /// Returns the bone that moves the vertex most.
    pub(super) fn strongest_bone(&self) -> usize {
        let most = self.bones.iter().fold((0, 0.0), |most, bone| if bone.1 > most.1 { *bone } else { most });
        usize::from(most.0)
    }
}

/// Skin of a model.
#[derive(Debug, Default)]
pub(super) struct Skin {
    pub(super) vertices: Vec<Vertex>,
    /// Edges of triangles between vertices that different bones move most, as indexes of the vertices. There are none
    /// if vertices are left out: the skin is then fine enough without.
    pub(super) edges: Vec<[u32; 2]>,
}

/// Number of vertices that are examined; of larger models, every n-th.
const MOST: usize = 1 << 16;

/// Returns the skin of the surfaces, at most [`MOST`] vertices.
pub(super) fn skin(model: &Model, reference: &[Mat3x4]) -> Skin {
    let skinned = || model.meshes.iter().filter(|mesh| !mesh.influences.is_empty());
    let count: usize = skinned().map(|mesh| mesh.positions.len().min(mesh.influences.len())).sum();
    let step = count.div_ceil(MOST).max(1);
    let palette: Vec<Mat3x4> =
        reference.iter().zip(model.skeleton.inverse_bind()).map(|(bone, inverse)| *bone * *inverse).collect();
    let mut skin = Skin::default();
    for mesh in skinned() {
        let mut number = vec![None; mesh.positions.len()];
        let drawn = drawn(mesh);
        let all = mesh.positions.iter().zip(&mesh.influences).zip(drawn).enumerate().step_by(step);
        for (index, ((position, influences), _)) in all.filter(|(_, (_, drawn))| *drawn) {
            let mut vertex = Vertex { at: Vec3::ZERO, bones: [(0, 0.0); 4] };
            let mut used = 0;
            for (bone, weight) in influences.bones.into_iter().zip(influences.weights) {
                if let Some(matrix) = palette.get(usize::from(bone))
                    && weight > 0.0
                    && weight.is_finite()
                {
                    vertex.bones[used] = (bone, weight);
                    vertex.at += matrix.transform_point(Vec3::from(*position)) * weight;
                    used += 1;
                }
            }
            let sum: f32 = vertex.bones.iter().map(|(_, weight)| weight).sum();
            vertex.at /= sum;
            if vertex.at.abs().max_element() <= FARTHEST && vertex.at.is_finite() {
                number[index] = Some(skin.vertices.len() as u32);
                skin.vertices.push(vertex);
            }
        }
        if step == 1 {
            let known = |corner: u32| number.get(corner as usize).copied().flatten();
            let edges = mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
            let edges = edges.filter_map(|[a, b]| Some([known(a)?, known(b)?]));
            let vertices = &skin.vertices;
            let [a, b] = [0, 1].map(|end| move |edge: &[u32; 2]| vertices[edge[end] as usize].strongest_bone());
            skin.edges.extend(edges.filter(|edge| a(edge) != b(edge)));
        }
    }
    skin
}

/// Distance from the origin beyond which a vertex is ignored, Quake units.
const FARTHEST: f32 = 1e5;

/// Returns for every vertex whether a triangle has it: surfaces of one file may share their vertices.
fn drawn(mesh: &Mesh) -> Vec<bool> {
    let mut drawn = vec![mesh.triangles.is_empty(); mesh.positions.len()];
    for &corner in mesh.triangles.iter().flatten() {
        if let Some(drawn) = drawn.get_mut(corner as usize) {
            *drawn = true;
        }
    }
    drawn
}
