//! Surfaces of a model: vertices, influences and triangles.

use super::{Morph, Name};

/// Surface of a model: vertices before skinning, and triangles.
///
/// Every per-vertex array is either empty or as long as `positions`. A mesh built by hand ends with
/// `..Mesh::default()`, because later versions may add fields.
///
/// ```
/// let mannequin = skelobj::assets::mannequin();
/// let body = &mannequin.meshes[0];
/// assert_eq!((body.positions.len(), body.triangles.len()), (1164, 1692));
/// assert_eq!(body.influences.len(), body.positions.len());
/// let last = body.triangles.iter().flatten().max();
/// assert_eq!(last, Some(&1163));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Mesh {
    /// Name of the surface.
    pub name: Name,
    /// Shader or texture that the file names.
    pub material: Name,
    /// Positions in model space, Quake units, in the pose that
    /// [`Skeleton::inverse_bind`](super::Skeleton::inverse_bind) is the inverse of.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals in model space.
    pub normals: Vec<[f32; 3]>,
    /// Tangents; the fourth component is the side of the bitangent (1 or -1).
    pub tangents: Vec<[f32; 4]>,
    /// Texture coordinates, V down.
    pub texcoords: Vec<[f32; 2]>,
    /// Red, green and blue in sRGB, and alpha, 0 to 1: the bytes of an IQM divided by 255.
    pub colors: Vec<[f32; 4]>,
    /// Bones that move each vertex.
    pub influences: Vec<Influences>,
    /// Positions of the vertices in each frame, in vertex-animated models.
    pub frames: VertexFrames,
    /// Named arrays that a tool added, in formats that allow it.
    pub custom: Vec<CustomArray>,
    /// Shapes that can be added before skinning.
    pub morphs: Vec<Morph>,
    /// Strengths of the morphs in each frame of the model, frame-major: morph `m` of `n` in frame `f` is at `f * n +
    /// m`.
    ///
    /// 0 is without the morph, 1 is its full strength. Frames past the end have strength 0. Empty for a mesh whose
    /// morphs are not animated.
    pub morph_weights: Vec<f32>,
    /// Index of each vertex in the file's buffer, in formats whose surfaces share one; otherwise empty.
    pub file_vertices: Vec<u32>,
    /// Indexes into the mesh's vertices, with the winding of the file.
    pub triangles: Vec<[u32; 3]>,
    /// Number per triangle that the game interprets (`groupids` of a DPM); empty, or one per triangle.
    pub triangle_groups: Vec<u32>,
    /// Data for traces that hit the surface, and the distances at which it is drawn.
    pub surface: SurfaceInfo,
}

impl Mesh {
    /// Returns `true` if animations move the vertices themselves, by vertex frames or by morphs.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert!(mannequin.meshes.iter().all(|mesh| !mesh.is_morphed())); // bones move them
    /// ```
    #[must_use]
    pub fn is_morphed(&self) -> bool {
        !self.frames.positions.is_empty() || !self.morph_weights.is_empty()
    }
}

/// Vertex animation, frame-major: frame `f` of a mesh with `n` vertices starts at `f * n`.
///
/// ```
/// use skelobj::model::{Mesh, Model, VertexFrames};
/// let positions = vec![[0.0; 3], [8.0, 0.0, 0.0], [0.0, 0.0, 8.0]];
/// let raised = positions.iter().map(|&[x, y, z]| [x, y, z + 1.0]);
/// let frames = VertexFrames { positions: positions.iter().copied().chain(raised).collect(), normals: vec![] };
/// let mesh = Mesh { positions, triangles: vec![[0, 1, 2]], frames, ..Mesh::default() };
/// assert!(mesh.is_morphed());
/// assert_eq!(Model { meshes: vec![mesh], ..Model::default() }.frame_count(), 2);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct VertexFrames {
    /// Positions in model space, Quake units; empty for a mesh without vertex animation.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals in model space; empty, or as many as positions.
    pub normals: Vec<[f32; 3]>,
}

/// Bones that move a vertex, at most four, with weights that sum to 1; strongest first or in the order of the file.
///
/// ```
/// let mannequin = skelobj::assets::mannequin();
/// let face = &mannequin.meshes[2];
/// let head = mannequin.skeleton.find("head").ok_or("no head")?;
/// let on_head = face.influences.iter().filter(|influences| usize::from(influences.bones[0]) == head);
/// assert_eq!(on_head.count(), 20); // the other 12 vertices follow the chest
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Influences {
    /// Bone indexes, 0-based; an unused one is 0 with weight 0.
    pub bones: [u16; 4],
    /// Weights of the bones, with a sum of 1.
    pub weights: [f32; 4],
}

/// Named per-vertex array of a file other than the standard ones.
///
/// ```
/// use skelobj::model::CustomArray;
///
/// let mut mannequin = skelobj::assets::mannequin();
/// let face = &mut mannequin.meshes[2];
/// let data = face.positions.iter().map(|position| position[2] / 64.0).collect();
/// face.custom.push(CustomArray { name: "wetness".into(), components: 1, data });
/// assert_eq!(face.custom[0].data.len(), face.positions.len());
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct CustomArray {
    /// Name of the array in the file.
    pub name: Name,
    /// Numbers per vertex.
    pub components: usize,
    /// Values, `components` per vertex; integers are normalised by the maximum of their format.
    pub data: Vec<f32>,
}

/// Data of a surface for traces and drawing, FTE's extension `FTE_MESH`.
///
/// ```
/// let mut mannequin = skelobj::assets::mannequin();
/// mannequin.meshes[2].surface.geomset = 0; // two heads to choose from: this is number 1
/// mannequin.meshes[2].surface.geomid = 1;
/// let shown = |chosen: u32| {
///     let surfaces = mannequin.meshes.iter().map(|mesh| mesh.surface);
///     surfaces.filter(|surface| surface.geomset == u32::MAX || surface.geomid == chosen).count()
/// };
/// assert_eq!((shown(0), shown(1)), (2, 3));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SurfaceInfo {
    /// Contents bits for traces.
    pub contents: u32,
    /// Surface flags for traces.
    pub flags: u32,
    /// Body part for traces.
    pub body: u32,
    /// Geometry set; `u32::MAX` for a surface that is always shown.
    pub geomset: u32,
    /// Number of the surface in the geometry set.
    pub geomid: u32,
    /// Nearest distance at which the surface is drawn, Quake units.
    pub min_distance: f32,
    /// Farthest distance at which the surface is drawn, Quake units; 0 for no limit.
    pub max_distance: f32,
}

impl Default for SurfaceInfo {
    /// Returns the data of a surface that is always shown, with the contents `CONTENTS_BODY`.
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
