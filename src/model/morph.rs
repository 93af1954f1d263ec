//! Morph targets: shapes that are mixed into a mesh before it is skinned.

use super::Name;

/// A shape that some vertices of a mesh can be moved towards.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Morph {
    /// Name of the morph; may be empty.
    pub name: Name,
    /// Vertices that the morph moves, indexes into the mesh's.
    pub vertices: Vec<u32>,
    /// Distances by which full strength moves each of them; model space, Quake units. Empty, or one per vertex.
    pub positions: Vec<[f32; 3]>,
    /// Vectors that full strength adds to their normals. Empty, or one per vertex.
    pub normals: Vec<[f32; 3]>,
}

impl Morph {
    /// Adds `strength` times the morph to a mesh's positions and normals: 0 is without it, 1 is all of it. Normals are
    /// not normalised. Vertices that the slices lack are left out.
    pub fn apply(&self, strength: f32, positions: &mut [[f32; 3]], normals: &mut [[f32; 3]]) {
        add(&self.vertices, &self.positions, strength, positions);
        add(&self.vertices, &self.normals, strength, normals);
    }
}

fn add(vertices: &[u32], deltas: &[[f32; 3]], strength: f32, out: &mut [[f32; 3]]) {
    for (&vertex, delta) in vertices.iter().zip(deltas) {
        let Some(out) = out.get_mut(vertex as usize) else { continue };
        for (out, delta) in out.iter_mut().zip(delta) {
            *out += strength * delta;
        }
    }
}
