//! Conversions between bones and glam's matrices, and decomposition into translation, rotation and scale.

use glam::{Affine3A, DMat3, DQuat, DVec3, Mat3A, Mat4, Vec3A, Vec4};

use super::Mat3x4;

/// Length up to which a difference of unit vectors counts as rounding.
const ROUNDING: f64 = 1e-9;

/// Converts an affine transform without changing a bit.
impl From<Affine3A> for Mat3x4 {
    #[inline]
    fn from(affine: Affine3A) -> Self {
        let axes = affine.matrix3;
        let columns = [axes.x_axis, axes.y_axis, axes.z_axis, affine.translation].map(|column| column.extend(0.0));
        let [x, y, z, origin] = columns;
        let rows = Mat4::from_cols(x, y, z, origin).transpose();
        Self(bytemuck::cast([rows.x_axis, rows.y_axis, rows.z_axis].map(|row| row.to_array())))
    }
}

/// Takes the upper three rows of a matrix and discards the fourth, which is `0 0 0 1` in an affine transform.
impl From<Mat4> for Mat3x4 {
    #[inline]
    fn from(matrix: Mat4) -> Self {
        let column = |column: Vec4| column.truncate();
        let Mat4 { x_axis, y_axis, z_axis, w_axis } = matrix;
        Self::from_columns(column(x_axis), column(y_axis), column(z_axis), column(w_axis))
    }
}

/// Converts a transform to glam's affine transform without changing a bit.
impl From<Mat3x4> for Affine3A {
    #[inline]
    fn from(bone: Mat3x4) -> Self {
        let columns = Mat4::from(bone);
        let [x, y, z, origin] = [columns.x_axis, columns.y_axis, columns.z_axis, columns.w_axis].map(Vec3A::from_vec4);
        Self { matrix3: Mat3A::from_cols(x, y, z), translation: origin }
    }
}

/// Converts a transform to a 4x4 matrix with the fourth row `0 0 0 1`.
impl From<Mat3x4> for Mat4 {
    #[inline]
    fn from(bone: Mat3x4) -> Self {
        let [x, y, z] = bone.rows();
        Self::from_cols(x, y, z, Vec4::W).transpose()
    }
}

/// Returns the translation, rotation and scale of a matrix: column 3, a unit quaternion, and the lengths of columns 0
/// to 2, at most the largest `f32`. The first length is negative if the matrix is mirrored. Shear is lost.
pub(crate) fn decompose(matrix: &Mat3x4) -> ([f32; 3], DQuat, [f32; 3]) {
    let columns = [matrix.forward(), matrix.left(), matrix.up()].map(|column| column.as_dvec3());
    let mut scale = columns.map(DVec3::length);
    let [mut f, l, u] = columns.map(DVec3::normalize_or_zero);
    if f.dot(l.cross(u)) < 0.0 {
        scale[0] = -scale[0];
        f = -f;
    }
    // A singular matrix gets any axes that fit its non-zero columns; the scale of the others is zero.
    let f = first_axis([f, l.cross(u), across(l), across(u)]).unwrap_or(DVec3::X);
    let l = first_axis([l - f * f.dot(l), u.cross(f)]).unwrap_or(f.any_orthonormal_vector());
    let rotation = DQuat::from_mat3(&DMat3::from_cols(f, l, f.cross(l))).normalize();
    (matrix.origin().to_array(), rotation, scale.map(|s| s.clamp(f32::MIN.into(), f32::MAX.into()) as f32))
}

fn first_axis<const N: usize>(candidates: [DVec3; N]) -> Option<DVec3> {
    candidates.into_iter().find(|axis| axis.length() > ROUNDING).map(DVec3::normalize)
}

/// Returns a vector perpendicular to a unit vector; zero for zero.
fn across(axis: DVec3) -> DVec3 {
    if axis == DVec3::ZERO { axis } else { axis.any_orthonormal_vector() }
}
