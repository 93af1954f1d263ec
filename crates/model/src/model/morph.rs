//! Morph targets: shapes that are added to a mesh before skinning.

use super::Name;

/// Morph target: displacements of some vertices of a mesh.
///
/// ```
/// use skelobj::model::Morph;
///
/// let mut mannequin = skelobj::assets::mannequin();
/// let face = &mut mannequin.meshes[2];
/// let (vertices, positions) = (vec![3], vec![[0.0, 0.0, 0.5]]);
/// face.morphs.push(Morph { name: "smile".into(), vertices, positions, normals: vec![] });
/// let mut positions = face.positions.clone();
/// face.morphs[0].apply(1.0, &mut positions, &mut []);
/// assert_eq!(positions[3][2], face.positions[3][2] + 0.5);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Morph {
    /// Name of the morph; may be empty.
    pub name: Name,
    /// Vertices that the morph moves, as indexes into the mesh's vertices.
    pub vertices: Vec<u32>,
    /// Displacements of these vertices at full strength; model space, Quake units. Empty, or one per vertex.
    pub positions: Vec<[f32; 3]>,
    /// Vectors added to these vertices' normals at full strength. Empty, or one per vertex.
    pub normals: Vec<[f32; 3]>,
}

impl Morph {
    /// Adds the morph, multiplied by `strength`, to a mesh's positions and normals.
    ///
    /// Strength 0 is without the morph, 1 is its full strength. Normals are not normalised. Vertices that a slice lacks
    /// are skipped.
    ///
    /// ```
    /// use skelobj::model::Morph;
    /// let blink = Morph { vertices: vec![1], positions: vec![[0.0, 0.0, -2.0]], ..Morph::default() };
    /// let mut positions = [[0.0; 3]; 2];
    /// blink.apply(0.5, &mut positions, &mut []);
    /// assert_eq!(positions, [[0.0; 3], [0.0, 0.0, -1.0]]);
    /// ```
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
