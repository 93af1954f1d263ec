//! The skin over the bones.

use super::{Morph, Name};

/// One surface: its vertices as they are before skinning, and its triangles.
///
/// Every per-vertex array is either empty or as long as `positions`. Build one by hand with `..Mesh::default()`: later
/// versions may add fields.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Mesh {
    /// The surface's name.
    pub name: Name,
    /// The shader or texture that the file names.
    pub material: Name,
    /// Model space, in the pose that [`Skeleton::inverse_bind`](super::Skeleton::inverse_bind) leads from, Quake units.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals, model space.
    pub normals: Vec<[f32; 3]>,
    /// Tangent and, in the fourth place, the side of the bitangent (1 or -1).
    pub tangents: Vec<[f32; 4]>,
    /// Texture coordinates, V down.
    pub texcoords: Vec<[f32; 2]>,
    /// Red, green, blue, alpha; 0 to 1.
    pub colors: Vec<[f32; 4]>,
    /// The bones that move each vertex.
    pub influences: Vec<Influences>,
    /// Positions of the vertices in each frame, of models that animate vertices.
    pub frames: VertexFrames,
    /// Arrays that the format lets a tool add, with a name.
    pub custom: Vec<CustomArray>,
    /// Shapes that can be mixed in before skinning.
    pub morphs: Vec<Morph>,
    /// Strengths of the morphs in each frame of the model, frame-major: morph `m` of `n` in frame `f` stands at
    /// `f * n + m`; 0 is without it, 1 is all of it. Frames past the end add none; empty for a mesh whose morphs no
    /// animation moves.
    pub morph_weights: Vec<f32>,
    /// Index of each vertex in the file's buffer, for formats in which surfaces share one; else empty.
    pub file_vertices: Vec<u32>,
    /// Indexes into this mesh's vertices, in the file's winding.
    pub triangles: Vec<[u32; 3]>,
    /// A number per triangle for the game to interpret (a DPM's `groupids`); empty, or one per triangle.
    pub triangle_groups: Vec<u32>,
    /// Data for traces that hit the surface, and the distances at which it is drawn.
    pub surface: SurfaceInfo,
}

impl Mesh {
    /// Returns whether animations move vertices themselves, by frames of vertices or by morphs.
    #[must_use]
    pub fn is_morphed(&self) -> bool {
        !self.frames.positions.is_empty() || !self.morph_weights.is_empty()
    }
}

/// Vertex animation, frame-major: frame `f` of a mesh of `n` vertices stands at `f * n`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct VertexFrames {
    /// Model space, Quake units; empty for a mesh that is not animated so.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals, model space; empty, or as many as positions.
    pub normals: Vec<[f32; 3]>,
}

/// The up to four bones that move a vertex, strongest first or as stored, with weights that sum to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Influences {
    /// Bone indexes, 0-based; unused ones are 0 with weight 0.
    pub bones: [u16; 4],
    /// Weights, summing to 1.
    pub weights: [f32; 4],
}

/// A named per-vertex array that is not one of the standard ones.
#[derive(Clone, PartialEq, Debug)]
pub struct CustomArray {
    /// Name of the array in the file.
    pub name: Name,
    /// Numbers per vertex.
    pub components: usize,
    /// `components` numbers per vertex; integer formats normalised by their maximum.
    pub data: Vec<f32>,
}

/// FTE's per-mesh extras (`FTE_MESH`).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SurfaceInfo {
    /// Contents bits for traces.
    pub contents: u32,
    /// Surface flags for traces.
    pub flags: u32,
    /// Body part number for traces.
    pub body: u32,
    /// Geometry set; `u32::MAX` = always shown.
    pub geomset: u32,
    /// Number of the surface among the members of the set.
    pub geomid: u32,
    /// Nearest distance at which it is drawn, Quake units.
    pub min_distance: f32,
    /// Farthest distance at which it is drawn; 0 = no limit.
    pub max_distance: f32,
}

impl Default for SurfaceInfo {
    /// Always shown; `CONTENTS_BODY`.
    fn default() -> Self {
        Self {
            contents: 0x0200_0000,
            flags: 0,
            body: 0,
            geomset: u32::MAX,
            geomid: 0,
            min_distance: 0.0,
            max_distance: 0.0,
        }
    }
}
