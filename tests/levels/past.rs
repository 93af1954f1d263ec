//! Poses of a history, exact and packed.

use skelobj::Runtime;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, HitBox, Model, Skeleton};
use skelobj::object::Space;
use skelobj::runtime::{HistoryForm, HistorySettings, PastTarget};

use super::bits;
use super::random::{INPUTS, Random, for_each_seed};

/// Distance of the corners of the hit boxes from their bones, along each axis.
const REACH: f32 = 5.0;

/// Returns a model with a hit box around each bone.
fn boxed(count: usize) -> Model {
    let bone = |_| Bone { name: "bone".into(), parent: None, bind: Mat3x4::IDENTITY };
    let hit_box = |bone| HitBox { bone, group: 0, mins: [-REACH; 3], maxs: [REACH; 3] };
    Model {
        skeleton: Skeleton::new((0..count).map(bone).collect()).unwrap(),
        hit_boxes: (0..count).map(hit_box).collect(),
        ..Model::default()
    }
}

/// Returns a rigid bone, or one with other axes.
fn bone(random: &mut Random, size: f32) -> Mat3x4 {
    let mut number = |most: f32| random.between(-most, most);
    let turn = Quat::from_xyzw(number(1.0), number(1.0), number(1.0), number(1.0) + 0.01).normalize();
    let rigid = Mat3x4::from_rotation_translation(turn, Vec3::new(number(size), number(size), number(size)));
    match random.below(4) {
        0 => Mat3x4(rigid.0.map(|float| float * 1.7)),
        1 => rigid * Mat3x4([(); 12].map(|()| random.between(-2.0, 2.0))).with_origin(Vec3::ZERO),
        _ => rigid,
    }
}

/// Returns how far packing may move what is within the reach of a bone: half a step of its place and of its axes or
/// rotation, and what a bone may move for being stored as a rotation.
fn allowed(bones: &[Mat3x4]) -> f32 {
    let most = |number: fn(&Mat3x4) -> f32| bones.iter().map(number).fold(0.0, f32::max);
    let extent = 2.0 * most(|bone| bone.origin().abs().max_element());
    let longest =
        most(|bone| bone.0.iter().enumerate().filter(|(at, _)| at % 4 < 3).fold(1.0, |a, (_, b)| a.max(b.abs())));
    1.0 / 128.0 + extent / 32767.0 + 3.0 * REACH * longest.max(2.0) / 32767.0 * 2.0
}

#[test]
fn recorded_poses_move_what_they_carry_as_the_poses_did() {
    for_each_seed(INPUTS, |random| {
        let form = random.of(&[HistoryForm::Exact, HistoryForm::Packed, HistoryForm::Packed]);
        let mut settings = HistorySettings::default();
        (settings.form, settings.seconds) = (form, 0.25);
        let mut runtime = Runtime::default();
        runtime.keep_history(Some(settings)).unwrap();
        let counts: Vec<usize> = (0..1 + random.below(3)).map(|_| 1 + random.below(20)).collect();
        let objects: Vec<_> = counts
            .iter()
            .map(|&count| {
                let model = runtime.add_model("model", boxed(count)).unwrap();
                runtime.create_object(model, Space::Model).unwrap()
            })
            .collect();
        let mut recorded = Vec::new();
        // More than the history keeps, so that its memory is used again.
        for tick in 0..1 + random.below(6) {
            let size = random.of(&[1.0, 50.0, 3000.0]);
            let poses: Vec<Vec<Mat3x4>> =
                counts.iter().map(|&count| (0..count).map(|_| bone(random, size)).collect()).collect();
            for (object, pose) in objects.iter().zip(&poses) {
                runtime.object_mut(*object).unwrap().set_model_space_pose(pose).unwrap();
                assert!(runtime.record_pose(*object, tick as f64 * 0.1, &Mat3x4::IDENTITY).unwrap());
            }
            recorded.push(poses);
        }
        let history = runtime.history().unwrap();
        for (tick, poses) in recorded.iter().enumerate().rev().take(2) {
            for (object, pose) in objects.iter().zip(poses) {
                let found = history.pose_at(*object, PastTarget::at(tick as f64 * 0.1)).unwrap().bones;
                assert_eq!(found.len(), pose.len());
                if form == HistoryForm::Exact {
                    assert_eq!(bits(&found), bits(pose));
                    continue;
                }
                let allowed = allowed(pose);
                for (number, (found, bone)) in found.iter().zip(pose).enumerate() {
                    for corner in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_ONE].map(|way| way * REACH) {
                        let off = (found.transform_point(corner) - bone.transform_point(corner)).length();
                        assert!(off <= allowed, "bone {number}: {off} units off, {allowed} allowed");
                    }
                }
            }
        }
    });
}
