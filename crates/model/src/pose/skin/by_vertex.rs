//! Skinning of a mesh as it is, vertex by vertex.

use glam::{Mat4, Vec4};

use crate::math::{Mat3x4, Vec3};
use crate::model::{Influences, Mesh};

/// Moves the positions of a mesh's vertices by a palette; model space, Quake units.
///
/// Vertices without influences are copied; influences of bones that the palette lacks are ignored. The function writes
/// as many vertices as `out` has room for. A mesh that is skinned every frame is skinned faster by a
/// [`Skinner`](super::Skinner).
///
/// ```
/// use skelobj::{math::{Mat3x4, Vec3}, pose};
///
/// let mannequin = skelobj::assets::mannequin();
/// let face = &mannequin.meshes[2];
/// let lifted = vec![Mat3x4::from_translation(Vec3::Z * 100.0); mannequin.skeleton.len()];
/// let mut vertices = vec![Vec3::ZERO; face.positions.len()];
/// pose::skin_positions(face, &lifted, &mut vertices);
/// assert!((vertices[0].z - face.positions[0][2] - 100.0).abs() < 1e-3);
/// ```
pub fn skin_positions(mesh: &Mesh, palette: &[Mat3x4], out: &mut [Vec3]) {
    let mut blend = Blend::new(palette);
    for (i, (out, position)) in out.iter_mut().zip(&mesh.positions).enumerate() {
        let position = Vec3::from(*position);
        *out = match mesh.influences.get(i) {
            Some(influences) => blend.matrix(influences).transform_point3(position),
            None => position,
        };
    }
}

/// Moves the positions and rotates the normals of a mesh's vertices by a palette; normals are normalised.
///
/// Vertices without influences are copied; influences of bones that the palette lacks are ignored. The function writes
/// as many vertices as both slices have room for. Of a mesh without normals it writes the positions only. A mesh that
/// is skinned every frame is skinned faster by a [`Skinner`](super::Skinner).
///
/// ```
/// use skelobj::{math::{Mat3x4, Quat, Vec3}, pose};
///
/// let mannequin = skelobj::assets::mannequin();
/// let face = &mannequin.meshes[2];
/// let turn = Quat::from_rotation_z(90f32.to_radians());
/// let palette = vec![Mat3x4::from_rotation_translation(turn, Vec3::ZERO); mannequin.skeleton.len()];
/// let mut positions = vec![Vec3::ZERO; face.positions.len()];
/// let mut normals = positions.clone();
/// pose::skin(face, &palette, &mut positions, &mut normals);
/// assert!(normals[0].distance(turn * Vec3::from(face.normals[0])) < 1e-4);
/// ```
pub fn skin(mesh: &Mesh, palette: &[Mat3x4], positions: &mut [Vec3], normals: &mut [Vec3]) {
    if mesh.normals.is_empty() {
        return skin_positions(mesh, palette, positions);
    }
    let mut blend = Blend::new(palette);
    let room = positions.len().min(normals.len());
    let to = positions[..room].chunks_mut(4).zip(normals[..room].chunks_mut(4));
    let from = mesh.positions.chunks(4).zip(mesh.normals.chunks(4));
    for (first, ((to, to_normals), (from, from_normals))) in (0..).step_by(4).zip(to.zip(from)) {
        let mut turned = [Vec4::ZERO; 4];
        let vertices = to.iter_mut().zip(&mut turned).zip(from.iter().zip(from_normals));
        for (i, ((to, turned), (position, normal))) in vertices.enumerate() {
            let (position, normal) = (Vec3::from(*position), Vec3::from(*normal));
            match mesh.influences.get(first + i) {
                Some(influences) => {
                    let matrix = blend.matrix(influences);
                    *to = matrix.transform_point3(position);
                    *turned = matrix.x_axis * normal.x + matrix.y_axis * normal.y + matrix.z_axis * normal.z;
                }
                None => (*to, *turned) = (position, normal.extend(0.0)),
            }
        }
        normalize(turned, from_normals, to_normals);
    }
}

/// Moves positions and rotates normals in place, after [`morph`](crate::pose::morph) wrote them; normals are
/// normalised.
///
/// Vertices without influences are left unchanged; influences of bones that the palette lacks are ignored.
///
/// ```
/// use skelobj::{math::{Mat3x4, Vec3}, model::FrameState, pose::{self, PoseSource}};
///
/// let mannequin = skelobj::assets::mannequin();
/// let face = &mannequin.meshes[2];
/// let palette = vec![Mat3x4::from_translation(Vec3::Z); mannequin.skeleton.len()];
/// let mut positions = vec![Vec3::ZERO; face.positions.len()];
/// let mut normals = positions.clone();
/// let source = PoseSource { model: &mannequin, frame: &FrameState::default() };
/// pose::morph(face, source, &mut positions, &mut normals);
/// pose::skin_morphed(face, &palette, &mut positions, &mut normals);
/// assert!((positions[0].z - face.positions[0][2] - 1.0).abs() < 1e-4);
/// ```
pub fn skin_morphed(mesh: &Mesh, palette: &[Mat3x4], positions: &mut [Vec3], normals: &mut [Vec3]) {
    let mut blend = Blend::new(palette);
    for (i, influences) in mesh.influences.iter().enumerate() {
        let matrix = blend.matrix(influences);
        if let Some(position) = positions.get_mut(i) {
            *position = matrix.transform_point3(*position);
        }
        if let Some(normal) = normals.get_mut(i) {
            *normal = matrix.transform_vector3(*normal).normalize_or(*normal);
        }
    }
}

/// Normalises four vectors at once, because the square roots dominate the cost; a vector without a direction is
/// replaced by the one in `from`.
fn normalize(turned: [Vec4; 4], from: &[[f32; 3]], to: &mut [Vec3]) {
    let [a, b, c, d] = turned;
    let lanes = Mat4::from_cols(a, b, c, d).transpose();
    let (x, y, z) = (lanes.x_axis, lanes.y_axis, lanes.z_axis);
    let scales = (x * x + y * y + z * z).sqrt().recip().to_array();
    for ((to, from), (turned, scale)) in to.iter_mut().zip(from).zip(turned.into_iter().zip(scales)) {
        *to = if scale.is_finite() && scale > 0.0 { (turned * scale).truncate() } else { Vec3::from(*from) };
    }
}

/// Blender of one vertex's matrix after the other; neighbours often have equal influences, so it keeps the last result.
struct Blend<'a> {
    palette: &'a [Mat3x4],
    last: Influences,
    matrix: Mat4,
}

impl<'a> Blend<'a> {
    fn new(palette: &'a [Mat3x4]) -> Self {
        // NaN is not equal to itself, so the first vertex never matches.
        Self { palette, last: Influences { bones: [0; 4], weights: [f32::NAN; 4] }, matrix: Mat4::ZERO }
    }

    #[inline]
    fn matrix(&mut self, influences: &Influences) -> &Mat4 {
        if *influences != self.last {
            self.last = *influences;
            self.matrix = blended(influences, self.palette);
        }
        &self.matrix
    }
}

fn blended(influences: &Influences, palette: &[Mat3x4]) -> Mat4 {
    let mut rows = [Vec4::ZERO; 3];
    for (&bone, &weight) in influences.bones.iter().zip(&influences.weights) {
        if weight > 0.0
            && let Some(bone) = palette.get(usize::from(bone))
        {
            for (sum, row) in rows.iter_mut().zip(bone.rows()) {
                *sum += row * weight;
            }
        }
    }
    let [x, y, z] = rows;
    Mat4::from_cols(x, y, z, Vec4::W).transpose()
}
