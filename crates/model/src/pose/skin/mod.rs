//! Skinning on the CPU.

mod by_vertex;
mod kernel;
mod layout;
mod matrix_table;

use fearless_simd::Simd;

use crate::math::{Mat3x4, Vec3};
use crate::model::Mesh;
use crate::simd::{self, Token};
pub use by_vertex::{skin, skin_morphed, skin_positions};
use kernel::{ANYTHING, EXACT_NORMALS, Output, POSITIONS, Place};
use layout::{Each, Layout, Part, Row};
use matrix_table::Table;

/// Vertices of a mesh, laid out once to be skinned often.
///
/// Vertices with equal influences share one matrix, four vertices are moved at a time, and positions, normals and
/// tangents go through in one pass. The skinner copies what it needs from the mesh: later changes of the mesh do not
/// reach it. Results are in the order of the mesh's vertices. For one vertex, or one frame, use [`skin()`] and
/// [`skin_positions`]; morphed vertices are skinned by [`skin_morphed`].
///
/// Without [`SkinOptions::fused`], all levels of [`SimdLevel`](super::raw::SimdLevel) give the bits of [`skin()`],
/// except for the sign of zeros whose products all underflow.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::pose::{SkinOptions, SkinnedVertices, Skinner};
///
/// let mannequin = skelobj::assets::mannequin();
/// let face = &mannequin.meshes[2];
/// let skinner = Skinner::new(face); // once
/// let lifted = vec![Mat3x4::from_translation(Vec3::Z * 100.0); mannequin.skeleton.len()];
/// let (mut positions, mut normals) = (vec![Vec3::ZERO; face.positions.len()], vec![Vec3::ZERO; face.positions.len()]);
/// let vertices = SkinnedVertices { positions: &mut positions, normals: &mut normals, tangents: &mut [] };
/// skinner.skin(&lifted, vertices, SkinOptions::default()); // every frame
/// assert!((positions[0].z - face.positions[0][2] - 100.0).abs() < 1e-3);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Skinner {
    rows: Groups<Row>,
    each: Groups<Each>,
    parts: Vec<Part>,
    has_normals: bool,
}

/// Groups of four vertices before skinning.
#[derive(Clone, PartialEq, Debug)]
struct Groups<P> {
    groups: Vec<Group<P>>,
    /// Tangents of each group, axis by axis; empty for a mesh without tangents.
    tangents: Vec<[[f32; 4]; 4]>,
}

/// Four vertices: the numbers of each axis side by side.
#[derive(Clone, PartialEq, Debug)]
struct Group<P> {
    position: [[f32; 4]; 3],
    /// Zeros for a mesh without normals.
    normal: [[f32; 4]; 3],
    place: P,
}

/// Length of the normals and tangents that a [`Skinner`] writes.
///
/// The matrices of the palette turn normals and tangents, not their transposed inverses: on a bone that is scaled
/// unevenly, a normal is not perpendicular to the surface. Under a mirrored bone, the renderer changes the sign of the
/// fourth component of a tangent itself.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::model::{Influences, Mesh};
/// use skelobj::pose::{NormalLength, SkinOptions, SkinnedVertices, Skinner};
/// let influences = Influences { bones: [0; 4], weights: [1.0, 0.0, 0.0, 0.0] };
/// let mesh = Mesh {
///     positions: vec![[0.0; 3]],
///     normals: vec![[0.0, 0.0, 1.0]],
///     influences: vec![influences],
///     ..Mesh::default()
/// };
/// let skinner = Skinner::new(&mesh);
/// let twice = [Mat3x4::from_columns(Vec3::X * 2.0, Vec3::Y * 2.0, Vec3::Z * 2.0, Vec3::ZERO)];
/// let length = |normals| {
///     let mut turned = [Vec3::ZERO];
///     let vertices = SkinnedVertices { normals: &mut turned, ..SkinnedVertices::default() };
///     skinner.skin(&twice, vertices, SkinOptions { normals, ..SkinOptions::default() });
///     turned[0].length()
/// };
/// assert_eq!((length(NormalLength::Exact), length(NormalLength::Unscaled)), (1.0, 2.0));
/// assert!((length(NormalLength::Newton) - 1.0).abs() < 0.00066);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum NormalLength {
    /// Unit length, by square root and division. A vector without a direction is replaced by that of the mesh.
    #[default]
    Exact,
    /// Unit length within 0.066 %, by one Newton step from an estimate that is the same on every processor. A vector
    /// without a direction is replaced by that of the mesh.
    Newton,
    /// Length that the matrices give, for shaders that normalise. A vertex takes 37.8 instructions with SSE2, where
    /// `Exact` takes 35.9.
    Unscaled,
}

/// Arithmetic of a [`Skinner`].
///
/// ```
/// use skelobj::pose::{NormalLength, SkinOptions};
/// let for_a_shader = SkinOptions { normals: NormalLength::Unscaled, fused: true };
/// assert_ne!(for_a_shader, SkinOptions::default());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SkinOptions {
    /// Length of normals and tangents.
    pub normals: NormalLength,
    /// Lets processors that can (AVX2, NEON) round once where they multiply and add: faster, and slightly different
    /// from machine to machine. No effect on others.
    pub fused: bool,
}

/// Slices that a [`Skinner`] fills; an empty one is not wanted.
///
/// ```
/// use skelobj::{math::{Mat3x4, Vec3}, pose::{SkinOptions, SkinnedVertices, Skinner}};
///
/// let mannequin = skelobj::assets::mannequin();
/// let face = &mannequin.meshes[2];
/// let mut positions = vec![Vec3::ZERO; face.positions.len()];
/// let palette = vec![Mat3x4::IDENTITY; mannequin.skeleton.len()];
/// let vertices = SkinnedVertices { positions: &mut positions, ..SkinnedVertices::default() };
/// Skinner::new(face).skin(&palette, vertices, SkinOptions::default());
/// assert!(positions[0].distance(face.positions[0].into()) < 1e-4);
/// ```
#[derive(Default, Debug)]
pub struct SkinnedVertices<'a> {
    /// Positions in model space, Quake units.
    pub positions: &'a mut [Vec3],
    /// Normals in model space.
    pub normals: &'a mut [Vec3],
    /// Tangents in model space; the fourth component is the side of the bitangent, unchanged.
    pub tangents: &'a mut [[f32; 4]],
}

impl Skinner {
    /// Lays out the vertices of a mesh.
    ///
    /// Of a mesh with influences for a part of its vertices, the others are copied. Normals and tangents are skinned
    /// if there is one for each vertex. The skinner is as large as the vectors and influences of the mesh.
    ///
    /// ```
    /// use skelobj::{math::Mat3x4, pose::{SkinOptions, SkinnedVertices, Skinner}};
    ///
    /// let mannequin = skelobj::assets::mannequin();
    /// let skinners: Vec<Skinner> = mannequin.meshes.iter().map(Skinner::new).collect();
    /// assert_eq!(skinners.len(), 3);
    /// ```
    #[must_use]
    pub fn new(mesh: &Mesh) -> Self {
        let Layout { rows, each, parts } = Layout::new(mesh);
        let (rows, each) = (Groups::new(mesh, rows), Groups::new(mesh, each));
        Self { rows, each, parts, has_normals: mesh.normals.len() == mesh.positions.len() }
    }

    /// Moves the vertices by a palette.
    ///
    /// Influences of bones that the palette lacks are ignored. Each slice receives as many vertices as it has room for.
    /// Nothing is allocated.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// use skelobj::pose::{SkinOptions, SkinnedVertices, Skinner};
    ///
    /// let mannequin = skelobj::assets::mannequin();
    /// let face = &mannequin.meshes[2];
    /// let turn = Quat::from_rotation_z(90f32.to_radians());
    /// let palette = vec![Mat3x4::from_rotation_translation(turn, Vec3::ZERO); mannequin.skeleton.len()];
    /// let mut normals = vec![Vec3::ZERO; face.normals.len()];
    /// let vertices = SkinnedVertices { normals: &mut normals, ..SkinnedVertices::default() };
    /// Skinner::new(face).skin(&palette, vertices, SkinOptions::default());
    /// assert!(normals[0].distance(turn * Vec3::from(face.normals[0])) < 1e-4);
    /// ```
    pub fn skin(&self, palette: &[Mat3x4], vertices: SkinnedVertices<'_>, options: SkinOptions) {
        let SkinnedVertices { positions, normals, tangents } = vertices;
        let normals = if self.has_normals { normals } else { &mut [] };
        let (positions, normals) = (bytemuck::cast_slice_mut(positions), bytemuck::cast_slice_mut(normals));
        let out = Output { positions, normals, tangents, length: options.normals };
        Table::with(|table| match simd::token() {
            Token::Scalar(simd) => kernel::skin_plainly(simd, self, palette, table, out),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Token::Sse2(simd) => self.write::<_, false>(simd, palette, table, out),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Token::Avx2(simd) if options.fused => self.write::<_, true>(simd, palette, table, out),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Token::Avx2(simd) => self.write::<_, false>(simd, palette, table, out),
            #[cfg(target_arch = "aarch64")]
            Token::Neon(simd) if options.fused => self.write::<_, true>(simd, palette, table, out),
            #[cfg(target_arch = "aarch64")]
            Token::Neon(simd) => self.write::<_, false>(simd, palette, table, out),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Token::Simd128(simd) => self.write::<_, false>(simd, palette, table, out),
        });
    }

    #[allow(dead_code, reason = "some targets have no vectors")]
    fn write<S: Simd, const FUSED: bool>(&self, simd: S, palette: &[Mat3x4], table: &mut Table, out: Output<'_>) {
        let wanted = [!out.positions.is_empty(), !out.normals.is_empty(), !out.tangents.is_empty()];
        let is_same_room = out.positions.len() == out.normals.len();
        match (wanted, out.length) {
            ([true, false, false], _) => simd.vectorize(
                #[inline(always)]
                || kernel::skin::<_, FUSED, POSITIONS>(simd, self, palette, table, out),
            ),
            ([true, true, false], NormalLength::Exact) if is_same_room => simd.vectorize(
                #[inline(always)]
                || kernel::skin::<_, FUSED, EXACT_NORMALS>(simd, self, palette, table, out),
            ),
            _ => simd.vectorize(
                #[inline(always)]
                || kernel::skin::<_, FUSED, ANYTHING>(simd, self, palette, table, out),
            ),
        }
    }
}

impl<P: Place> Groups<P> {
    fn new(mesh: &Mesh, places: Vec<P>) -> Self {
        let lanes: Vec<[usize; 4]> = places.iter().map(|place| place.starts().map(|start| start / 3)).collect();
        let mut normals = gathered(mesh, &lanes, &mesh.normals);
        debug_assert!(normals.is_empty() || normals.len() == lanes.len(), "all groups have normals, or none");
        normals.resize(lanes.len(), [[0.0; 4]; 3]);
        let vectors = gathered(mesh, &lanes, &mesh.positions).into_iter().zip(normals);
        let groups = places.into_iter().zip(vectors);
        let groups = groups.map(|(place, (position, normal))| Group { position, normal, place }).collect();
        Self { groups, tangents: gathered(mesh, &lanes, &mesh.tangents) }
    }
}

/// Returns the vectors of each group, axis by axis; none if a vertex has none.
fn gathered<const N: usize>(mesh: &Mesh, lanes: &[[usize; 4]], vectors: &[[f32; N]]) -> Vec<[[f32; 4]; N]> {
    if vectors.len() != mesh.positions.len() {
        return Vec::new();
    }
    let group = |lanes: &[usize; 4]| {
        let four = lanes.map(|vertex| vectors[vertex]);
        std::array::from_fn(|axis| four.map(|vector| vector[axis]))
    };
    lanes.iter().map(group).collect()
}
