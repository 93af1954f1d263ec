//! Vertex normals for formats that store none.

use super::cursor::File;
use crate::math::Vec3;
use crate::model::ModelError;

/// Computes unit normals of vertices as the sum over the adjacent triangles, weighted by area. Front faces are
/// clockwise, as everywhere in Quake. The normal of a vertex without triangles is +Z.
pub(super) fn normals<const BIG: bool>(
    file: &mut File<BIG>,
    section: &'static str,
    at: usize,
    positions: &[[f32; 3]],
    triangles: impl IntoIterator<Item = [u32; 3]>,
) -> Result<Vec<[f32; 3]>, ModelError> {
    let mut normals: Vec<[f32; 3]> = file.reserve(section, at, positions.len() as u64)?;
    normals.resize(positions.len(), [0.0; 3]);
    let corner = |index: u32| positions.get(index as usize).copied().map_or(Vec3::ZERO, Vec3::from);
    for triangle in triangles {
        let [a, b, c] = triangle.map(corner);
        let normal = (c - a).cross(b - a);
        for index in triangle {
            if let Some(sum) = normals.get_mut(index as usize) {
                *sum = (Vec3::from(*sum) + normal).to_array();
            }
        }
    }
    for normal in &mut normals {
        *normal = Vec3::from(*normal).normalize_or(Vec3::Z).to_array();
    }
    Ok(normals)
}
