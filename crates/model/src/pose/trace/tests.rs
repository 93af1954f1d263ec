//! Traces against a posed model: its skin and its hit boxes.

use super::{trace_hit_boxes, trace_skin};
use crate::Model;
use crate::math::{Mat3x4, Quat, Vec3};
use crate::model::{HitBox, Mesh};
use crate::pose::{palette, skin_positions, to_model_space};

fn mannequin() -> Model {
    Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None).unwrap()
}

/// Returns the model-space bones of one pose of an animation, or of the bind pose.
fn bones(model: &Model, pose: Option<(&str, usize)>) -> Vec<Mat3x4> {
    let relative = match pose {
        Some((name, pose)) => {
            model.pose(&model.animations[model.find_animation(name.as_bytes()).unwrap()], pose).to_vec()
        }
        None => return model.skeleton.bind_model().to_vec(),
    };
    let mut bones = relative.clone();
    to_model_space(model.skeleton.parents(), &relative, &mut bones);
    bones
}

fn palette_of(model: &Model, bones: &[Mat3x4]) -> Vec<Mat3x4> {
    let mut out = bones.to_vec();
    palette(bones, model.skeleton.inverse_bind(), &mut out);
    out
}

#[test]
fn shots_at_a_bone_hit_its_skin_in_every_pose() {
    let model = mannequin();
    for pose in [None, Some(("run", 3)), Some(("death", 10))] {
        let bones = bones(&model, pose);
        let palette = palette_of(&model, &bones);
        for name in ["head", "chest", "thigh_l", "forearm_r", "shin_r"] {
            let bone = model.skeleton.find(name.as_bytes()).unwrap();
            // A little way into the limb, from all around it.
            let middle = bones[bone].transform_point(Vec3::Z * 3.0);
            let mut own = 0;
            for turn in 0..16 {
                let out = bones[bone].rotation() * Quat::from_rotation_z(turn as f32 * 0.39) * Vec3::X * 100.0;
                let hit = trace_skin(&model.meshes, &palette, middle + out, middle).expect("hit");
                assert!((hit.normal.length() - 1.0).abs() < 1e-5 && hit.normal.dot(out) >= 0.0);
                let place = middle + out * (1.0 - hit.fraction);
                let mesh = &model.meshes[hit.mesh];
                let mut places = vec![Vec3::ZERO; mesh.positions.len()];
                skin_positions(mesh, &palette, &mut places);
                let corner = places[mesh.triangles[hit.triangle][0] as usize];
                assert!((place - corner).dot(hit.normal).abs() < 1e-2, "{name}: {place} is not on its triangle");
                own += u32::from(hit.bone == Some(bone));
            }
            assert!(own >= 6, "{name} {pose:?}: {own} of 16");
        }
    }
}

#[test]
fn nearest_of_two_crossings_counts() {
    let square = |x: f32| [[x, -1.0, -1.0], [x, 1.0, -1.0], [x, 0.0, 1.0]];
    let mesh = |x| Mesh { positions: square(x).to_vec(), triangles: vec![[0, 1, 2]], ..Mesh::default() };
    let meshes = [mesh(30.0), mesh(10.0), mesh(20.0)];
    let hit = trace_skin(&meshes, &[], Vec3::ZERO, Vec3::X * 40.0).unwrap();
    assert_eq!((hit.fraction, hit.normal, hit.mesh, hit.bone), (0.25, -Vec3::X, 1, None));
    let back = trace_skin(&meshes, &[], Vec3::X * 40.0, Vec3::ZERO).unwrap();
    assert_eq!((back.fraction, back.normal, back.mesh), (0.25, Vec3::X, 0));
    assert!(trace_skin(&meshes, &[], Vec3::ZERO, Vec3::X * 9.0).is_none());
    assert!(trace_skin(&meshes, &[], Vec3::Y * 2.0, Vec3::new(40.0, 2.0, 0.0)).is_none());
}

#[test]
fn hit_boxes_are_hit_where_their_bones_are() {
    let turned = Mat3x4::from_rotation_translation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2), Vec3::X * 50.0);
    let bones = [Mat3x4::IDENTITY, turned];
    let hit_box = |bone, group| HitBox { bone, group, mins: [-4.0, -2.0, -1.0], maxs: [4.0, 2.0, 1.0] };
    let boxes = [hit_box(1, 1), hit_box(0, 2), hit_box(7, 3)];
    let hit = trace_hit_boxes(&boxes, &bones, Vec3::X * 100.0, Vec3::ZERO).unwrap();
    assert!((hit.fraction - 0.48).abs() < 1e-5 && hit.normal.distance(Vec3::X) < 1e-5, "{hit:?}");
    assert_eq!(boxes[hit.hit_box].group, 1);
    let hit = trace_hit_boxes(&boxes, &bones, Vec3::new(3.0, 0.0, 11.0), Vec3::new(3.0, 0.0, -9.0)).unwrap();
    assert!((hit.fraction - 0.5).abs() < 1e-6 && hit.normal == Vec3::Z && boxes[hit.hit_box].bone == 0, "{hit:?}");
    let inside = trace_hit_boxes(&boxes, &bones, Vec3::ZERO, Vec3::Z * 50.0).unwrap();
    assert_eq!((inside.fraction, inside.normal), (0.0, Vec3::ZERO));
    assert!(trace_hit_boxes(&boxes, &bones, Vec3::new(3.0, 3.0, 10.0), Vec3::new(3.0, 3.0, -10.0)).is_none());
}

#[test]
fn normals_of_boxes_on_flattened_bones_stay_upright() {
    let flat = Mat3x4::from_columns(Vec3::new(1.0, 0.0, 0.5), Vec3::Y, Vec3::Z * 0.1, Vec3::ZERO);
    let boxes = [HitBox { bone: 0, group: 0, mins: [-10.0; 3], maxs: [10.0; 3] }];
    let hit = trace_hit_boxes(&boxes, &[flat], Vec3::Z * 50.0, Vec3::ZERO).unwrap();
    // The top side runs along the sheared forward axis.
    assert!(hit.normal.dot(flat.forward()).abs() < 1e-6 && hit.normal.z > 0.8, "{hit:?}");
}

#[test]
fn odd_traces_and_bones_hit_nothing() {
    let model = mannequin();
    let boxes = [HitBox { bone: 0, group: 0, mins: [-1.0; 3], maxs: [1.0; 3] }];
    for bad in [Vec3::NAN, Vec3::splat(f32::INFINITY)] {
        for [start, end] in [[bad, Vec3::ZERO], [Vec3::ZERO, bad]] {
            assert!(trace_skin(&model.meshes, model.skeleton.bind_model(), start, end).is_none());
            assert!(trace_hit_boxes(&boxes, model.skeleton.bind_model(), start, end).is_none());
        }
    }
    let (start, end) = (Vec3::X * 100.0, Vec3::X * -100.0);
    for bone in [Mat3x4::ZERO, Mat3x4([f32::NAN; 12]), Mat3x4([f32::MAX; 12])] {
        let palette = vec![bone; model.skeleton.len()];
        assert!(trace_skin(&model.meshes, &palette, start, end).is_none_or(|hit| hit.normal.is_finite()));
        assert!(trace_hit_boxes(&boxes, &palette, start, end).is_none_or(|hit| hit.normal.is_finite()));
    }
    assert!(trace_hit_boxes(&boxes, &[], start, end).is_none());
}
