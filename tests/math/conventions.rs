//! Matrices and the transforms of entities.

use skelobj::glam::{Affine3A, EulerRot, Mat4, Quat};
use skelobj::math::{EntityTransform, Mat3x4, Vec3};
use skelobj::pose;

#[test]
fn an_entity_whose_scale_is_0_is_as_large_as_its_model() {
    let entity = EntityTransform::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(10.0, 20.0, 30.0));
    for scale in [0.0, -0.0] {
        let unset = EntityTransform { scale, ..entity };
        assert_eq!(unset.to_world(-1.0, 1.0), entity.to_world(-1.0, 1.0));
    }
    let twice = EntityTransform { scale: 2.0, ..entity }.to_world(-1.0, 1.0);
    assert_eq!(twice.origin(), entity.origin);
    assert!((twice.forward().length() - 2.0).abs() < 1e-6);
    assert_eq!(EntityTransform::IDENTITY.to_world(-1.0, 1.0), Mat3x4::IDENTITY);
}

#[test]
fn matrices_of_glam_become_bones_and_come_back_with_the_same_bits() {
    let turn = Quat::from_euler(EulerRot::ZYX, 0.3, -1.1, 2.0);
    let affine = Affine3A::from_scale_rotation_translation(Vec3::new(1.5, -2.0, 0.3), turn, Vec3::new(7.0, 8.0, -9.0));
    let bone = Mat3x4::from(affine);
    assert_eq!(
        (bone.forward(), bone.left(), bone.up()),
        (affine.matrix3.x_axis.into(), affine.matrix3.y_axis.into(), affine.matrix3.z_axis.into(),)
    );
    assert_eq!(bone.origin(), affine.translation.into());
    assert_eq!(Affine3A::from(bone), affine);
    let matrix = Mat4::from(bone);
    assert_eq!(matrix, Mat4::from(affine));
    assert_eq!(Mat3x4::from(matrix), bone);
    assert_eq!(matrix.row(3).to_array(), [0.0, 0.0, 0.0, 1.0]);

    let point = Vec3::new(1.0, -2.0, 3.0);
    assert!((bone.transform_point(point) - affine.transform_point3(point)).length() < 1e-5);
    let rigid = Mat3x4::from_rotation_translation(turn, Vec3::X);
    let theirs = Affine3A::from_rotation_translation(turn, Vec3::X);
    assert!(Affine3A::from(rigid).abs_diff_eq(theirs, 1e-6));
}

#[test]
fn a_bone_of_a_singular_parent_has_the_identity_in_local_space() {
    let bone = Mat3x4::from_translation(Vec3::X * 5.0);
    let mut local = [Mat3x4::ZERO; 4];
    pose::raw::to_local_space(&[-1, 0, 1, 2], &[bone, Mat3x4::ZERO, bone, bone * bone], &mut local);
    assert_eq!(local, [bone, bone.inverse().unwrap() * Mat3x4::ZERO, Mat3x4::IDENTITY, bone]);
}
