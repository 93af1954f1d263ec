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

/// Number of vertices that are examined; of larger models, every n-th.
const MOST: usize = 1 << 16;

/// Returns the vertices of the surfaces, at most [`MOST`].
pub(super) fn vertices(model: &Model, reference: &[Mat3x4]) -> Vec<Vertex> {
    let skinned = || model.meshes.iter().filter(|mesh| !mesh.influences.is_empty());
    let count: usize = skinned().map(|mesh| mesh.positions.len().min(mesh.influences.len())).sum();
    let step = count.div_ceil(MOST).max(1);
    let palette: Vec<Mat3x4> =
        reference.iter().zip(model.skeleton.inverse_bind()).map(|(bone, inverse)| *bone * *inverse).collect();
    let mut vertices = Vec::new();
    for mesh in skinned() {
        let drawn = drawn(mesh);
        let all = mesh.positions.iter().zip(&mesh.influences).zip(drawn).step_by(step);
        for ((position, influences), _) in all.filter(|(_, drawn)| *drawn) {
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
                vertices.push(vertex);
            }
        }
    }
    vertices
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
