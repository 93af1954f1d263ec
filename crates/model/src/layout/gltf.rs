//! Conversion between glTF space (X left, Y up, Z forward, metres) and Quake space, and the range of animation rates.

use glam::{DAffine3, DMat3, DVec3};

use crate::math::{Mat3x4, Vec3};
use crate::trig::powf;

/// Quake units per metre, the default of FTE's `mod_gltf_scale`.
const UNITS: f64 = 30.0;

/// Range of the rate that the `extras` of an animation can state, poses per second. At every rate in the range the
/// times of neighbouring keys are finite and distinct.
pub const STATED_RATES: std::ops::RangeInclusive<f32> = 1e-9..=1e9;

/// Converts a point from glTF space to Quake space.
pub fn point_to_quake(point: DVec3) -> Vec3 {
    (direction_to_quake(point) * UNITS).as_vec3()
}

/// Converts a stored point from glTF space to Quake space with the bits of [`point_to_quake`].
#[inline]
pub fn stored_point_to_quake([x, y, z]: [f32; 3]) -> [f32; 3] {
    [z, x, y].map(|axis| axis * UNITS as f32)
}

/// Converts a direction from glTF space to Quake space.
pub fn direction_to_quake(direction: DVec3) -> DVec3 {
    DVec3::new(direction.z, direction.x, direction.y)
}

/// Converts a transform in glTF space to the transform in Quake space.
pub fn matrix_to_quake(matrix: &DAffine3) -> Mat3x4 {
    let axis = |axis| direction_to_quake(axis).as_vec3();
    let axes = matrix.matrix3;
    let origin = point_to_quake(matrix.translation);
    Mat3x4::from_columns(axis(axes.z_axis), axis(axes.x_axis), axis(axes.y_axis), origin)
}

/// Converts a point from Quake space to glTF space.
pub fn point_to_gltf(point: Vec3) -> Vec3 {
    (direction_to_gltf(point).as_dvec3() / UNITS).as_vec3()
}

/// Converts a direction from Quake space to glTF space.
pub fn direction_to_gltf(direction: Vec3) -> Vec3 {
    Vec3::new(direction.y, direction.z, direction.x)
}

/// Converts a transform in Quake space to the transform in glTF space.
pub fn matrix_to_gltf(matrix: &Mat3x4) -> DAffine3 {
    let axis = |axis| direction_to_gltf(axis).as_dvec3();
    DAffine3 {
        matrix3: DMat3::from_cols(axis(matrix.left()), axis(matrix.up()), axis(matrix.forward())),
        translation: axis(matrix.origin()) / UNITS,
    }
}

/// Converts a stored colour in linear light to sRGB. Alpha stays.
pub fn color_to_srgb([r, g, b, alpha]: [f32; 4]) -> [f32; 4] {
    // In f64, so that 1 stays 1.
    let part = |part: f32| {
        let power = || f64::from(powf(part, 1.0 / 2.4));
        if part <= 0.003_130_8 { part * 12.92 } else { (1.055 * power() - 0.055) as f32 }
    };
    [part(r), part(g), part(b), alpha]
}

/// Converts a colour in sRGB to linear light. Alpha stays.
pub fn color_to_linear([r, g, b, alpha]: [f32; 4]) -> [f32; 4] {
    let part = |part: f32| if part <= 0.040_45 { part / 12.92 } else { powf((part + 0.055) / 1.055, 2.4) };
    [part(r), part(g), part(b), alpha]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forward_left_and_up_are_the_same_directions_in_both() {
        assert_eq!(point_to_quake(DVec3::Z), Vec3::X * 30.0);
        assert_eq!(point_to_quake(DVec3::X), Vec3::Y * 30.0);
        assert_eq!(point_to_quake(DVec3::Y), Vec3::Z * 30.0);
    }

    #[test]
    fn transforms_move_points_alike_in_both() {
        let turn = DMat3::from_rotation_y(0.7) * DMat3::from_rotation_x(-1.1);
        let matrix = DAffine3::from_mat3_translation(turn, DVec3::new(1.0, -2.0, 0.5));
        let point = DVec3::new(0.3, 0.9, -4.0);
        let there = point_to_quake(matrix.transform_point3(point));
        let here = matrix_to_quake(&matrix).transform_point(point_to_quake(point));
        assert!((there - here).length() < 1e-4, "{there} {here}");
        let back = matrix_to_gltf(&matrix_to_quake(&matrix));
        assert!(back.abs_diff_eq(matrix, 1e-6), "{back:?}");
        assert!((point_to_gltf(there).as_dvec3() - matrix.transform_point3(point)).length() < 1e-6);
    }
}
