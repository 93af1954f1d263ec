//! Conversions between bones and glam's matrices.

use glam::{Affine3A, Mat4, Vec4};

use super::Mat3x4;

/// Converts an affine transform without changing a bit.
impl From<Affine3A> for Mat3x4 {
    #[inline]
    fn from(affine: Affine3A) -> Self {
        let axes = affine.matrix3;
        Self::from_columns(axes.x_axis.into(), axes.y_axis.into(), axes.z_axis.into(), affine.translation.into())
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
        Self {
            matrix3: glam::Mat3A::from_cols(bone.forward().into(), bone.left().into(), bone.up().into()),
            translation: bone.origin().into(),
        }
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
