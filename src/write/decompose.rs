//! Matrices as translation, rotation and scale.

use glam::{DMat3, DQuat, DVec3};

use crate::math::Mat3x4;

/// Shorter than this, a difference of unit vectors is rounding.
const ROUNDING: f64 = 1e-9;

/// The translation, rotation and scale of a matrix: column 3, a unit quaternion, the lengths of columns 0 to 2 (the
/// first negative when the matrix is mirrored), the largest `f32` where they are longer than that. Shear is lost.
pub(super) fn decompose(matrix: &Mat3x4) -> ([f32; 3], DQuat, [f32; 3]) {
    let columns = [matrix.forward(), matrix.left(), matrix.up()].map(|column| column.as_dvec3());
    let mut scale = columns.map(DVec3::length);
    let [mut f, l, u] = columns.map(DVec3::normalize_or_zero);
    if f.dot(l.cross(u)) < 0.0 {
        scale[0] = -scale[0];
        f = -f;
    }
    // Of flat matrices, any axes that fit the ones there are: the scale of the others is zero.
    let f = first_axis([f, l.cross(u), across(l), across(u)]).unwrap_or(DVec3::X);
    let l = first_axis([l - f * f.dot(l), u.cross(f)]).unwrap_or(f.any_orthonormal_vector());
    let rotation = DQuat::from_mat3(&DMat3::from_cols(f, l, f.cross(l))).normalize();
    (matrix.origin().to_array(), rotation, scale.map(|s| s.clamp(f32::MIN.into(), f32::MAX.into()) as f32))
}

fn first_axis<const N: usize>(candidates: [DVec3; N]) -> Option<DVec3> {
    candidates.into_iter().find(|axis| axis.length() > ROUNDING).map(DVec3::normalize)
}

/// Some vector at a right angle to a unit vector; zero for zero.
fn across(axis: DVec3) -> DVec3 {
    if axis == DVec3::ZERO { axis } else { axis.any_orthonormal_vector() }
}
