//! Skinning on the CPU.

use glam::{Mat4, Vec4};

use crate::math::{Mat3x4, Vec3};
use crate::model::{Influences, Mesh};

/// Moves a mesh's positions with a palette, into model space.
///
/// A mesh without influences is copied; influences of bones that the palette lacks do not count. Writes as many
/// vertices as `out` has room for.
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

/// Turns a mesh's normals with a palette, into model space; they are normalised.
///
/// As [`skin_positions`] otherwise.
pub fn skin_normals(mesh: &Mesh, palette: &[Mat3x4], out: &mut [Vec3]) {
    let mut blend = Blend::new(palette);
    for (i, (out, normal)) in out.iter_mut().zip(&mesh.normals).enumerate() {
        let normal = Vec3::from(*normal);
        *out = match mesh.influences.get(i) {
            Some(influences) => blend.matrix(influences).transform_vector3(normal).normalize_or(normal),
            None => normal,
        };
    }
}

/// Blends the matrix of one vertex after the other: neighbours often hang on the same bones in the same way.
struct Blend<'a> {
    palette: &'a [Mat3x4],
    last: Influences,
    matrix: Mat4,
}

impl<'a> Blend<'a> {
    fn new(palette: &'a [Mat3x4]) -> Self {
        // No influences are equal to these.
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
