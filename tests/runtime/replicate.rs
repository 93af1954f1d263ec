//! Bones over the wire: exact layout, error bounds, hostile bytes, and rotations recovered from positions.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::stage::{self, Stage};
use proptest::prelude::*;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, AnimationSource, Bone, FrameState, PoseEvaluator, PoseParameters, Skeleton};
use skelobj::object::{Build, ObjectError, Space};
use skelobj::runtime::{BonePose, BoneReceiver, BonesError, ObjectId, Replication};
use skelobj::{Model, Runtime, assets};

fn mannequin() -> Model {
    Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap()
}

/// Creates an object of a model and poses it in model space.
fn posed(model: Model, bones: &[Mat3x4]) -> (Runtime, ObjectId) {
    let mut runtime = Runtime::default();
    let model = runtime.add_model("model", model).unwrap();
    let object = runtime.create_object(model, Space::Model).unwrap();
    runtime.object_mut(object).unwrap().set_model_space_pose(bones).unwrap();
    (runtime, object)
}

/// Returns bones in a row.
fn row(count: usize) -> Model {
    let bone = |number: usize| Bone {
        name: format!("bone{number}").as_str().into(),
        parent: number.checked_sub(1),
        bind: Mat3x4::from_translation(Vec3::X * 10.0),
    };
    Model { skeleton: Skeleton::new((0..count).map(bone).collect()).unwrap(), ..Model::default() }
}

fn encoded(runtime: &Runtime, object: ObjectId, what: Replication) -> Vec<u8> {
    let mut message = Vec::new();
    runtime.encode_bones(object, what, &mut message).unwrap();
    message
}

fn bones(runtime: &Runtime, id: ObjectId) -> Vec<Mat3x4> {
    let object = runtime.object(id).unwrap();
    let mut bones = vec![Mat3x4::ZERO; object.bone_count()];
    object.write_model_space(&mut bones);
    bones
}

/// Returns the angle between two bones, degrees.
fn turn(a: &Mat3x4, b: &Mat3x4) -> f32 {
    let [a, b] = [a, b].map(|bone| bone.rotation().as_dquat());
    (2.0 * (a.inverse() * b).xyz().length().min(1.0).asin()).to_degrees() as f32
}

#[test]
fn the_bytes_match_the_format_document() {
    let quarter = Quat::from_xyzw(0.0, 0.0, 0.5f32.sqrt(), 0.5f32.sqrt());
    let pose = [
        Mat3x4::from_rotation_translation(Quat::IDENTITY, Vec3::new(1.0, -2.0, 0.5)),
        Mat3x4::from_rotation_translation(quarter, Vec3::new(600.0, -600.0, 511.99)),
    ];
    let (runtime, object) = posed(row(2), &pose);
    let first = [64, 0, 0x80, 0xff, 32, 0];
    let second = [0xff, 0x7f, 0, 0x80, 0xff, 0x7f];
    let one = [0xff, 0x7f];
    let half = 23170i16.to_le_bytes();
    let full = [&[0x11, 2, 0][..], &first, &[0; 6], &one, &second, &[0; 4], &half, &half].concat();
    assert_eq!(encoded(&runtime, object, Replication::Full), full);
    let positions = [&[0x12, 2, 0][..], &first, &second].concat();
    assert_eq!(encoded(&runtime, object, Replication::Positions), positions);
    // A message is appended to existing bytes.
    let mut packet = vec![7];
    runtime.encode_bones(object, Replication::Positions, &mut packet).unwrap();
    assert_eq!(packet[..4], [7, 0x12, 2, 0]);
}

#[test]
fn wrong_requests_are_refused_and_change_nothing() {
    let (mut runtime, object) = posed(row(2), &[Mat3x4::IDENTITY; 2]);
    let good = encoded(&runtime, object, Replication::Full);
    let before = bones(&runtime, object);
    let mut refused = |message: &[u8]| {
        let error = runtime.apply_bones(object, message).unwrap_err();
        assert_eq!(bones(&runtime, object), before);
        error
    };
    for length in 0..good.len() {
        let expected = if length < 3 { 3 } else { good.len() };
        assert_eq!(refused(&good[..length]), BonesError::Length { expected, found: length });
    }
    let longer = [&good[..], &[0]].concat();
    assert_eq!(refused(&longer), BonesError::Length { expected: good.len(), found: good.len() + 1 });
    for first in (0..=255).filter(|first| ![0x11, 0x12, 0x21, 0x22].contains(first)) {
        assert_eq!(refused(&[first, 2, 0]), BonesError::UnknownVersion { found: first });
    }
    let error = refused(&[0x12, 0xff, 0xff]);
    assert_eq!(error, BonesError::BoneCount { expected: 2, found: 65535 });
    assert_eq!(error.to_string(), "the message has 65535 bones, the model has 2");
    runtime.delete_object(object);
    runtime.flush_deleted();
    assert_eq!(runtime.apply_bones(object, &good), Err(BonesError::NoSuchObject));
    let mut out = Vec::new();
    assert_eq!(runtime.encode_bones(object, Replication::Full, &mut out), Err(ObjectError::NoSuchObject));
    assert!(out.is_empty());
    assert_eq!(runtime.decode_bones(object, &good), Err(BonesError::NoSuchObject));
    assert_eq!(runtime.show_bones(object, &BoneReceiver::default(), 0.0), Err(BonesError::NoSuchObject));
}

#[test]
fn non_finite_values_are_sent_as_finite_ones() {
    let mut pose = [Mat3x4::IDENTITY; 4];
    pose[0] = Mat3x4([f32::NAN; 12]);
    pose[1] = Mat3x4([f32::INFINITY; 12]);
    pose[2] = Mat3x4::ZERO;
    pose[3] = Mat3x4([1e30; 12]);
    let (mut runtime, object) = posed(row(4), &[]);
    for what in [Replication::Full, Replication::Positions] {
        runtime.object_mut(object).unwrap().bones_mut().copy_from_slice(&pose);
        let message = encoded(&runtime, object, what);
        runtime.apply_bones(object, &message).unwrap();
        for bone in bones(&runtime, object) {
            assert!(bone.is_finite() && bone.origin().abs().max_element() <= 512.0, "{bone:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bones_arrive_within_the_bounds(
        place in prop::array::uniform3(-511.9f32..511.9),
        axis in prop::array::uniform3(-1f32..1.0),
        angle in -7f32..7.0,
    ) {
        let axis = Vec3::from_array(axis).try_normalize().unwrap_or(Vec3::X);
        let rotation = Quat::from_axis_angle(axis, angle);
        let sent = [Mat3x4::from_rotation_translation(rotation, Vec3::from_array(place))];
        let (mut runtime, object) = posed(row(1), &sent);
        let message = encoded(&runtime, object, Replication::Full);
        let pose = runtime.decode_bones(object, &message).unwrap();
        let off = (pose.positions()[0] - Vec3::from_array(place)).abs().max_element();
        prop_assert!(off <= 1.0 / 128.0 + 1e-4, "{off} units");
        let got = pose.rotations()[0];
        let got = if got.dot(rotation) < 0.0 { -got } else { got };
        let off = (got - rotation).to_array().map(f32::abs).into_iter().fold(0.0, f32::max);
        prop_assert!(off <= 1.0 / 32767.0, "{off}");
        runtime.apply_bones(object, &message).unwrap();
        prop_assert!(turn(&bones(&runtime, object)[0], &sent[0]) < 0.006);
    }

    #[test]
    fn any_bytes_are_refused_or_make_finite_bones(
        full in any::<bool>(),
        mut message in prop::collection::vec(any::<u8>(), 0..400),
        sized in any::<bool>(),
    ) {
        let model = mannequin();
        let count = model.skeleton.len();
        if sized {
            message.resize(3 + count * if full { 14 } else { 6 }, 0x7f);
            message[..3].copy_from_slice(&[if full { 0x11 } else { 0x12 }, count as u8, 0]);
        }
        let (mut runtime, object) = posed(model, &[]);
        prop_assert_eq!(runtime.apply_bones(object, &message).is_ok(), sized);
        prop_assert!(bones(&runtime, object).iter().all(Mat3x4::is_finite));
    }
}

#[test]
fn the_object_is_in_model_space_then_and_built() {
    let mut runtime = Runtime::default();
    let model = runtime.add_model("row", row(3)).unwrap();
    let [server, client] = [(); 2].map(|()| runtime.create_object(model, Space::Local).unwrap());
    runtime.object_mut(server).unwrap().set_local_pose(row(3).skeleton.bind_local()).unwrap();
    let message = encoded(&runtime, server, Replication::Full);
    runtime.apply_bones(client, &message).unwrap();
    let object = runtime.object(client).unwrap();
    assert!(!object.pose().is_local() && object.is_built());
    assert_eq!(object.model_space(2).unwrap().origin(), Vec3::X * 30.0);
}

#[test]
fn rotations_are_recovered_where_children_are_apart() {
    // A bone with a child ahead and one to the left: both determine its rotation.
    let bone = |parent: Option<usize>, at: Vec3| Bone { name: "b".into(), parent, bind: Mat3x4::from_translation(at) };
    let skeleton = Skeleton::new(vec![
        bone(None, Vec3::ZERO),
        bone(Some(0), Vec3::new(20.0, 1.0, 0.0)),
        bone(Some(0), Vec3::new(2.0, 15.0, 3.0)),
        bone(Some(1), Vec3::Z * 10.0),
    ]);
    let model = Model { skeleton: skeleton.unwrap(), ..Model::default() };
    for angle in [0.3f32, 1.5, 3.1] {
        let turned = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), angle);
        let root = Mat3x4::from_rotation_translation(turned, Vec3::new(5.0, 6.0, 7.0));
        // The first child is bent, too; its own child shows that.
        let bent = Mat3x4::from_rotation_translation(Quat::from_rotation_x(0.7), Vec3::ZERO);
        let bind = model.skeleton.bind_local();
        let ahead = root * bind[1] * bent;
        let pose = [root, ahead, root * bind[2], ahead * bind[3]];
        let (mut runtime, object) = posed(model.clone(), &pose);
        let message = encoded(&runtime, object, Replication::Positions);
        runtime.apply_bones(object, &message).unwrap();
        for (number, (got, sent)) in bones(&runtime, object).iter().zip(&pose).enumerate() {
            let limit = if number == 0 || number == 2 { 0.2 } else { 0.3 };
            assert!(turn(got, sent) < limit, "bone {number} at {angle}: {} degrees", turn(got, sent));
        }
    }
}

#[test]
fn poses_of_animations_arrive() {
    let model = mannequin();
    let mut runtime = Runtime::default();
    let id = runtime.add_model("mannequin.iqm", model).unwrap();
    let [server, client] = [(); 2].map(|()| runtime.create_object(id, Space::Local).unwrap());
    for time in [0.0, 0.2, 0.4] {
        runtime.build(server, id, &FrameState::single(2, time), &Build::REPLACE).unwrap();
        let message = encoded(&runtime, server, Replication::Full);
        runtime.apply_bones(client, &message).unwrap();
        for (got, sent) in bones(&runtime, client).iter().zip(bones(&runtime, server)) {
            assert!((got.origin() - sent.origin()).abs().max_element() <= 1.0 / 127.0 && turn(got, &sent) < 0.006);
        }
    }
}

/// Returns a model of two bones. The second is at `place` in the first in the bind pose, and at one of `places` in each
/// frame.
fn reaching(place: Vec3, places: &[Vec3]) -> Model {
    let bones = |place: Vec3| [Mat3x4::from_translation(Vec3::X * 10.0), Mat3x4::from_translation(place)];
    let [root, child] = bones(place);
    let bone = |parent, bind| Bone { name: "bone".into(), parent, bind };
    let frames: Vec<Mat3x4> = places.iter().flat_map(|&place| bones(place)).collect();
    let animation = Animation::frames("reach", 0, places.len().max(1) as u32, 10.0, false);
    let skeleton = Skeleton::new(vec![bone(None, root), bone(Some(0), child)]).unwrap();
    Model { skeleton, animations: vec![animation], frames, ..Model::default() }
}

/// Sends the pose of an object to another of an equal model. Returns the message, and how far positions are off along
/// one axis.
fn sent(model: &Model, pose: &[Mat3x4], what: Replication) -> (Vec<u8>, f32) {
    let (server, there) = posed(model.clone(), pose);
    let (mut client, here) = posed(model.clone(), &[]);
    let message = encoded(&server, there, what);
    client.apply_bones(here, &message).unwrap();
    let off = |(a, b): (&Mat3x4, &Mat3x4)| (a.origin() - b.origin()).abs().max_element();
    let found = bones(&client, here);
    assert!(found.iter().all(Mat3x4::is_finite), "{found:?}");
    (message, found.iter().zip(pose).map(off).fold(0.0, f32::max))
}

/// Returns the bind pose of a model in model space, and every frame.
fn poses(model: &Model) -> Vec<Vec<Mat3x4>> {
    let frames = (0..model.frame_count()).filter_map(|frame| model.frame(frame));
    let placed = |local: &[Mat3x4]| {
        let mut bones = vec![Mat3x4::ZERO; local.len()];
        skelobj::pose::to_model_space(model.skeleton.parents(), local, &mut bones);
        bones
    };
    std::iter::once(model.skeleton.bind_local()).chain(frames).map(placed).collect()
}

#[test]
fn bones_of_large_models_arrive() {
    let far = |distance: f32| reaching(Vec3::Z * distance, &[]);
    let in_one_frame = |distance: f32| {
        let mut places = vec![Vec3::Z * 20.0; 50];
        places[37] = Vec3::Y * -distance;
        reaching(Vec3::Z * 20.0, &places)
    };
    let mut under_scaled = reaching(Vec3::Z * 100.0, &[]);
    let scaled = Mat3x4::from_translation_rotation_scale([10.0; 3], [0.0, 0.0, 0.0, 1.0], [30.0; 3]);
    let bone = |parent, bind| Bone { name: "bone".into(), parent, bind };
    let child = under_scaled.skeleton.bind_local()[1];
    under_scaled.skeleton = Skeleton::new(vec![bone(None, scaled), bone(Some(0), child)]).unwrap();
    let times_1000 = reaching(Vec3::Z * 20.0, &[Vec3::X * 30.0]).scaled(1000.0).unwrap();
    for (model, doublings) in [
        (far(502.0), 0),
        (far(512.0), 0),
        (far(513.0), 1),
        (far(600.0), 1),
        (far(1024.0), 2),
        (far(5000.0), 4),
        (far(-5000.0), 4),
        (far(1e6), 11),
        (far(1e30), 91),
        (in_one_frame(500.0), 0),
        (in_one_frame(600.0), 1),
        (in_one_frame(1e9), 21),
        (under_scaled, 3),
        (times_1000, 7),
    ] {
        let step = 2f32.powi(doublings) / 64.0;
        for pose in poses(&model) {
            for (what, stride) in [(Replication::Full, 14), (Replication::Positions, 6)] {
                let (message, off) = sent(&model, &pose, what);
                let header = if doublings == 0 { 3 } else { 4 };
                assert_eq!(message.len(), header + 2 * stride, "{doublings} doublings");
                assert!(
                    doublings == 0 || message[..4] == [if stride == 14 { 0x21 } else { 0x22 }, 2, 0, doublings as u8]
                );
                // 512 is just beyond the largest number of a message without doublings, whose bytes stay.
                let allowed = if doublings == 0 { step } else { step * 0.501 };
                assert!(off <= allowed, "{doublings} doublings: {off} units off in {pose:?}");
            }
        }
    }
}

#[test]
fn rotations_of_large_models_are_recovered() {
    for factor in [1.0, 1e3, 1e9, 1e27] {
        let bone = |parent: Option<usize>, at: Vec3| Bone {
            name: "b".into(),
            parent,
            bind: Mat3x4::from_translation(at * factor),
        };
        let places =
            [(None, Vec3::ZERO), (Some(0), Vec3::X * 200.0), (Some(0), Vec3::Y * 150.0), (Some(1), Vec3::Z * 90.0)];
        let skeleton = Skeleton::new(places.map(|(parent, at)| bone(parent, at)).into()).unwrap();
        let bind = skeleton.bind_local().to_vec();
        let model = Model { skeleton, ..Model::default() };
        let root = Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.7), Vec3::ZERO);
        let (ahead, aside) = (root * bind[1], root * bind[2]);
        let pose = [root, ahead, aside, ahead * bind[3]];
        let (mut runtime, object) = posed(model, &pose);
        let message = encoded(&runtime, object, Replication::Positions);
        runtime.apply_bones(object, &message).unwrap();
        for (number, (got, sent)) in bones(&runtime, object).iter().zip(&pose).enumerate() {
            assert!(turn(got, sent) < 0.1, "bone {number} times {factor}: {} degrees", turn(got, sent));
        }
    }
}

#[test]
fn messages_of_models_with_another_range_are_refused() {
    let ranges = [(20.0, 0), (600.0, 1), (5000.0, 4)].map(|(distance, doublings)| {
        let model = reaching(Vec3::Z * distance, &[]);
        let bind = model.skeleton.bind_model().to_vec();
        let (runtime, object) = posed(model, &bind);
        (runtime, object, doublings)
    });
    for what in [Replication::Full, Replication::Positions] {
        let messages = ranges.each_ref().map(|(runtime, object, _)| encoded(runtime, *object, what));
        for (runtime, object, expected) in &ranges {
            for (message, (_, _, found)) in messages.iter().zip(&ranges) {
                let decoded = runtime.decode_bones(*object, message).map(|pose| pose.positions().len());
                let refused = BonesError::Range { expected: *expected, found: *found };
                assert_eq!(decoded, if expected == found { Ok(2) } else { Err(refused) });
            }
        }
        let (runtime, object, expected) = &ranges[2];
        let message = &messages[2];
        for length in 0..message.len() {
            let expected = if length < 3 {
                3
            } else if length == 3 {
                4
            } else {
                message.len()
            };
            let error = runtime.decode_bones(*object, &message[..length]);
            assert_eq!(error, Err(BonesError::Length { expected, found: length }));
        }
        for found in (0..=255).filter(|found| found != expected) {
            let mut message = message.clone();
            message[3] = found;
            let error = runtime.decode_bones(*object, &message).unwrap_err();
            assert_eq!(error, BonesError::Range { expected: *expected, found });
        }
    }
    let error = BonesError::Range { expected: 0, found: 4 };
    assert_eq!(error.to_string(), "the message has a range of 512 units doubled 4 times, the model 0 times");
}

#[test]
fn objects_of_a_removed_model_keep_its_range() {
    for is_known in [true, false] {
        let model = reaching(Vec3::Z * 600.0, &[]);
        let bind = model.skeleton.bind_model().to_vec();
        let (mut runtime, object) = posed(model, &bind);
        if is_known {
            encoded(&runtime, object, Replication::Full);
        }
        let id = runtime.model_of(object).unwrap();
        runtime.remove_model(id);
        let message = encoded(&runtime, object, Replication::Full);
        assert_eq!(message[..4], [0x21, 2, 0, 1]);
        assert!(runtime.apply_bones(object, &message).is_ok());
    }
}

/// Evaluator that lifts bones by the time and by the blends, and counts the bones.
#[derive(Debug, Default)]
struct Lift(AtomicU64);

impl PoseEvaluator for Lift {
    fn evaluate(&self, time: f64, parameters: &PoseParameters, bones: Range<usize>, out: &mut [Mat3x4]) {
        self.0.fetch_add(bones.len() as u64, Ordering::Relaxed);
        let [x, y] = parameters.blends.map(|blend| blend * 3000.0);
        out[..bones.len()].fill(Mat3x4::from_translation(Vec3::new(x, y, time as f32)));
    }
}

#[test]
fn evaluated_animations_count_and_cost_little() {
    let lifted = |counts: &[u32], rate: f32| {
        let (mut model, lift) = (reaching(Vec3::Z * 20.0, &[]), Arc::new(Lift::default()));
        for &count in counts {
            let source = AnimationSource::Evaluated { poses: lift.clone(), count };
            model.animations.push(Animation { source, ..Animation::frames("lift", 0, 1, rate, false) });
        }
        let (runtime, object) = posed(model, &[Mat3x4::IDENTITY; 2]);
        let message = encoded(&runtime, object, Replication::Positions);
        let first = lift.0.load(Ordering::Relaxed);
        assert_eq!(encoded(&runtime, object, Replication::Positions), message);
        assert_eq!(lift.0.load(Ordering::Relaxed), first, "the range is known then");
        (message[3], first)
    };
    // The second bone is lifted twice, by each blend up to 3000 units.
    assert_eq!(lifted(&[1], 10.0).0, 4);
    assert_eq!(lifted(&[1, 99_999], 10.0).0, 6, "20,000 units at the end");
    assert_eq!(lifted(&[7], 0.0).0, 4, "an animation that stands still");
    for counts in [&[u32::MAX; 3][..], &[1; 100_000]] {
        let (_, bones) = lifted(counts, 10.0);
        assert!(bones <= 1 << 19, "{bones} bones of {} animations were examined", counts.len());
    }
}

#[test]
fn models_with_invalid_numbers_are_sent() {
    for number in [f32::NAN, f32::INFINITY, -1e38, 1e38] {
        let model = reaching(Vec3::Z * 20.0, &[Vec3::splat(number), Vec3::Z]);
        let (message, _) = sent(&model, &[Mat3x4::from_translation(Vec3::splat(1e30)); 2], Replication::Positions);
        // In model space, infinity is multiplied by 0, and NaN counts as 0.
        assert_eq!(message[0], if number.is_finite() { 0x22 } else { 0x12 }, "{number}");
    }
    // The largest numbers of the largest range.
    for (kind, stride) in [(0x21, 14), (0x22, 6)] {
        let mut message = vec![kind, 2, 0, 91];
        message.extend([0xff, 0x7f, 0x00, 0x80].into_iter().cycle().take(2 * stride));
        let (mut runtime, object) = posed(reaching(Vec3::Z * 1e30, &[]), &[]);
        runtime.apply_bones(object, &message).unwrap();
        let pose = bones(&runtime, object);
        assert!(pose.iter().all(|bone| bone.is_finite() && bone.origin().abs().max_element() <= 1e30), "{pose:?}");
    }
    let mut short = reaching(Vec3::Z * 600.0, &[Vec3::Z; 3]);
    short.frames.pop();
    let bind = short.skeleton.bind_model().to_vec();
    assert_eq!(sent(&short, &bind, Replication::Full).0[..4], [0x21, 2, 0, 1]);
}

/// Every pose of every real model arrives, in the model's own size and in one that is too large for 512 units.
#[test]
fn poses_of_real_models_arrive() {
    let (mut count, mut doubled) = (0, 0);
    for (name, model) in crate::common::corpus::models("poses_of_real_models_arrive") {
        for factor in [1.0, 50.0] {
            let Ok(model) = model.scaled(factor) else { continue };
            let poses = poses(&model);
            let mut runtime = Runtime::default();
            let id = runtime.add_model("model", model).unwrap();
            let Ok(object) = runtime.create_object(id, Space::Model) else { continue };
            let mut worst = 0.0f32;
            for pose in poses.iter().step_by((poses.len() / 10).max(1)) {
                runtime.object_mut(object).unwrap().bones_mut().copy_from_slice(pose);
                let message = encoded(&runtime, object, Replication::Positions);
                let doublings = if message[0] == 0x12 { 0 } else { message[3] };
                doubled += usize::from(doublings > 0);
                let found = runtime.decode_bones(object, &message).unwrap();
                for (found, bone) in found.positions().iter().zip(pose) {
                    let off = (*found - bone.origin()).abs().max_element();
                    worst = worst.max(off * 64.0 / 2f32.powi(doublings.into()));
                }
            }
            assert!(worst < 0.51, "{name}, {factor} times: {worst} steps");
            count += 1;
        }
    }
    if count > 0 {
        println!("shared cases: poses_of_real_models_arrive: {count}");
        assert!(doubled > 200, "{doubled} messages of large models");
    }
}

/// Returns a pose of one bone.
fn pose(place: f32, angle: f32) -> BonePose {
    let bone = Mat3x4::from_rotation_translation(Quat::from_rotation_z(angle), Vec3::X * place);
    let (runtime, object) = posed(row(1), &[bone]);
    let message = encoded(&runtime, object, Replication::Full);
    runtime.decode_bones(object, &message).unwrap()
}

#[test]
fn a_pose_goes_toward_another_with_the_bones_that_both_have() {
    let places = |count: usize, offset: f32| {
        let bone = |number: usize| {
            Mat3x4::from_rotation_translation(Quat::from_rotation_z(offset), Vec3::new(number as f32, offset, 0.0))
        };
        let (runtime, object) = posed(row(count), &(0..count).map(bone).collect::<Vec<_>>());
        runtime.decode_bones(object, &encoded(&runtime, object, Replication::Full)).unwrap()
    };
    let (long, short) = (places(5, 0.0), places(2, 2.0));
    for (from, to, progress) in [(&long, &short, 0.25), (&short, &long, 0.75)] {
        let between = from.toward(to, progress);
        assert_eq!((between.positions().len(), between.rotations().len(), between.matrices().len()), (2, 2, 2));
        assert!((between.positions()[1] - Vec3::new(1.0, 0.5, 0.0)).length() < 1e-3);
        assert!(between.matrices()[1].forward().y > 0.4);
    }
    assert_eq!(long.toward(&long, 0.5).positions(), long.positions());
}

#[test]
fn a_receiver_shows_what_lies_between() {
    let mut receiver = BoneReceiver::default();
    assert_eq!((receiver.pose_at(1.0), receiver.newest()), (None, None));
    assert!(receiver.receive(1.0, pose(0.0, 3.0)));
    assert_eq!(receiver.pose_at(0.0), Some(pose(0.0, 3.0)));
    assert!(receiver.receive(1.05, pose(10.0, -3.0)));
    // The shorter way: past half a turn, not back through 0.
    let between = receiver.pose_at(1.025).unwrap();
    assert!((between.positions()[0].x - 5.0).abs() < 1e-3);
    assert!((between.rotations()[0].to_axis_angle().1 - std::f32::consts::PI).abs() < 1e-3);
    for (time, expected) in [(0.5, pose(0.0, 3.0)), (1.05, pose(10.0, -3.0)), (9.0, pose(10.0, -3.0))] {
        let shown = receiver.pose_at(time).unwrap();
        assert!((shown.positions()[0] - expected.positions()[0]).length() < 1e-4);
        assert!(shown.rotations()[0].dot(expected.rotations()[0]).abs() > 0.999_999);
    }
    // Late, repeated, with invalid times, of another model: ignored.
    let before = receiver.clone();
    for time in [0.9, 1.05, f64::NAN, f64::INFINITY] {
        assert!(!receiver.receive(time, pose(99.0, 0.0)));
    }
    assert!(!receiver.receive(2.0, BonePose::default()));
    assert_eq!(receiver, before);
    receiver.clear();
    assert!(receiver.receive(0.5, BonePose::default()));
}

#[test]
fn a_receiver_shows_each_pose_at_its_own_time_as_it_was_received() {
    let mut receiver = BoneReceiver::default();
    let sent = [(1.0, pose(0.0, -1.85)), (1.05, pose(10.0, 1.05)), (1.1, pose(20.0, -1.85))];
    for (time, pose) in &sent {
        assert!(receiver.receive(*time, pose.clone()));
    }
    for (time, pose) in &sent {
        let shown = receiver.pose_at(*time).unwrap();
        assert_eq!(shown.positions(), pose.positions(), "at {time}");
        // Not the opposite quaternion, either, which is the same rotation.
        assert!((shown.rotations()[0] - pose.rotations()[0]).length() < 1e-6, "at {time}: {shown:?}");
    }
}

/// A client that shows the past of one and a half intervals moves evenly though messages arrive up to half an interval
/// late.
#[test]
fn a_receiver_absorbs_jitter() {
    let (interval, frame) = (0.1, 1.0 / 60.0);
    let mut receiver = BoneReceiver::default();
    let mut shown = Vec::new();
    let mut sent = 0;
    for number in 0..120 {
        let clock = f64::from(number) * frame;
        let late = if sent % 2 == 0 { 0.0 } else { 0.5 * interval };
        if f64::from(sent) * interval + late <= clock {
            receiver.receive(f64::from(sent) * interval, pose(sent as f32, 0.0));
            sent += 1;
        }
        shown.extend(receiver.pose_at(clock - 1.5 * interval).map(|pose| pose.positions()[0].x));
    }
    let expected = (frame / interval) as f32;
    let uneven = shown.windows(2).skip(12).map(|pair| (pair[1] - pair[0] - expected).abs()).fold(0.0, f32::max);
    assert!(uneven < 0.05, "off by {uneven} of an interval in a frame");
    // The past goes back three intervals, not further.
    let newest = receiver.newest().unwrap();
    let [oldest, before] = [3.0, 9.0].map(|intervals| receiver.pose_at(newest - intervals * interval).unwrap());
    assert_eq!(oldest, before);
    assert_ne!(oldest, receiver.pose_at(newest - 2.9 * interval).unwrap());
}

#[test]
fn an_object_shows_a_receiver() {
    let (mut runtime, object) = posed(row(1), &[Mat3x4::IDENTITY]);
    let mut receiver = BoneReceiver::default();
    assert_eq!(runtime.show_bones(object, &receiver, 0.0), Ok(false));
    receiver.receive(0.0, pose(8.0, 0.0));
    receiver.receive(1.0, pose(16.0, 0.0));
    assert_eq!(runtime.show_bones(object, &receiver, 0.5), Ok(true));
    assert!(runtime.object(object).unwrap().is_built_since_ragdoll());
    assert!((bones(&runtime, object)[0].origin().x - 12.0).abs() < 1e-3);
    let (mut other, object) = posed(row(2), &[]);
    let error = other.show_bones(object, &receiver, 0.5);
    assert_eq!(error, Err(BonesError::BoneCount { expected: 2, found: 1 }));
    assert!(other.object(object).unwrap().pose().bones().iter().all(|bone| *bone == Mat3x4::ZERO));
}

/// Drops the mannequin four times and measures, 20 times per second, the error of transmitted bones: positions in
/// units, rotations of bones with and without children in degrees; the mean and the maximum of each.
fn falls(what: Replication, with_doll: bool) -> [(f32, f32); 3] {
    let mut measured: [Vec<f32>; 3] = Default::default();
    for death in [15, 22, 30, 37] {
        fall(what, with_doll, death, &mut measured);
    }
    measured.map(|values| {
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        (mean, values.into_iter().fold(0.0, f32::max))
    })
}

/// Measures a fall that begins in frame `death` of a run.
fn fall(what: Replication, with_doll: bool, death: usize, measured: &mut [Vec<f32>; 3]) {
    let mut stage = Stage::mannequin();
    let mut client = Runtime::default();
    let model = client.add_model("mannequin.iqm", mannequin()).unwrap();
    if with_doll {
        client.set_files(stage::files);
        assert!(client.precache_doll(model).is_some());
    }
    let object = client.create_object(model, Space::Model).unwrap();
    let run = stage.animation("run");
    let skeleton = mannequin().skeleton;
    let has_child = |bone: usize| skeleton.parents().contains(&(bone as i32));
    for frame in 0..death + 210 {
        if frame < death {
            stage.build(run, frame as f32 / 60.0);
        }
        stage.command(if frame == death { "animate 0" } else { "" }).unwrap();
        stage.step(1.0 / 60.0);
        if frame < death || frame % 3 > 0 {
            continue;
        }
        let message = encoded(&stage.runtime, stage.object, what);
        client.apply_bones(object, &message).unwrap();
        for (bone, (got, sent)) in bones(&client, object).iter().zip(stage.bones()).enumerate() {
            measured[0].push((got.origin() - sent.origin()).length());
            measured[if has_child(bone) { 1 } else { 2 }].push(turn(got, &sent));
        }
    }
}

#[test]
fn a_falling_mannequin_arrives() {
    let [place, inner, ends] = falls(Replication::Full, false);
    assert!(place.1 < 0.0137 && inner.1 < 0.01 && ends.1 < 0.01);
    let mut inner_means = Vec::new();
    for with_doll in [false, true] {
        let [place, inner, _] = falls(Replication::Positions, with_doll);
        assert!(place.1 < 0.0137);
        inner_means.push(inner.0);
    }
    // A straight arm does not show its twist, so single bones may be off by any angle.
    assert!(inner_means[1] < 6.0 && inner_means[0] < 32.0, "{inner_means:?}");
}

/// Returns the error of a row of three bones of which the second is rotated, with and without a doll that has this
/// joint.
fn bent(joint: &str, turned: Quat) -> [f32; 2] {
    let doll =
        format!("body a bone0\nbody b bone1\njoint j a b\n{joint}\nlostop -3\nhistop 3\nlostop2 -3\nhistop2 3\n");
    [false, true].map(|with_doll| {
        let model = row(3);
        let bind = model.skeleton.bind_local().to_vec();
        let second = bind[0] * bind[1] * Mat3x4::from_rotation_translation(turned, Vec3::ZERO);
        let sent = [bind[0], second, second * bind[2]];
        let (mut runtime, object) = posed(model, &sent);
        let (id, _) = runtime.models().next().unwrap();
        let doll = doll.clone();
        runtime.set_files(move |name: &str| (name == "model.doll").then(|| doll.clone().into_bytes()));
        assert!(!with_doll || runtime.precache_doll(id).is_some());
        let message = encoded(&runtime, object, Replication::Positions);
        runtime.apply_bones(object, &message).unwrap();
        let bones = bones(&runtime, object);
        assert!(turn(&bones[0], &sent[0]) < 0.1 && bones[1].is_finite());
        turn(&bones[1], &second)
    })
}

#[test]
fn joints_tell_how_a_bone_is_twisted() {
    let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z];
    for angle in [-2.0f32, -0.4, 0.4, 1.2, 3.0] {
        let slanted = Quat::from_axis_angle((x + z).normalize(), angle);
        let [without, with] = bent("type hinge\naxis 1 0 1", slanted);
        assert!(without > 10.0 && with < 0.3, "hinge, {angle}: {without} and {with} degrees");
    }
    for (first, second) in [(0.3, 0.4), (0.5, -0.3), (-0.2, 0.9)] {
        let turned = Quat::from_xyzw(first, second, 0.0, 1.0).normalize();
        let [without, with] = bent("type universal\naxis 1 0 0\naxis2 0 1 0", turned);
        assert!(without > 10.0 && with < 0.3, "universal: {without} and {with} degrees");
    }
    // A fixed joint moves the bone along; if the child is elsewhere, the bone follows the child.
    let [without, with] = bent("type fixed", Quat::from_axis_angle(y, 0.2));
    assert!(without < 0.1 && with < 0.1, "fixed: {without} and {with} degrees");
}

/// Returns `true` if the twist of a bone about its length arrives that hangs on a cone with twists of -0.1 to 1 and
/// these axes, and that shows its twist by the bend of its child.
fn twist_arrives(axes: &str, swing: f32, twist: f32) -> bool {
    let doll = format!(
        "body a bone0\nbody b bone1\nbody c bone2\njoint j a b\ntype cone\n{axes}\nswing -1 1\nswing2 -1 1\n\
         twist -0.1 1\njoint k b c\ntype hinge\naxis 0 1 0\nlostop -3\nhistop 3\n"
    );
    let model = row(4);
    let bind = model.skeleton.bind_local().to_vec();
    let turned = |rotation: Quat| Mat3x4::from_rotation_translation(rotation, Vec3::ZERO);
    let second = bind[0] * bind[1] * turned(Quat::from_rotation_z(swing) * Quat::from_rotation_x(twist));
    let third = second * bind[2] * turned(Quat::from_rotation_y(1.0));
    let sent = [bind[0], second, third, third * bind[3]];
    let (mut runtime, object) = posed(model, &sent);
    let (id, _) = runtime.models().next().unwrap();
    runtime.set_files(move |name: &str| (name == "model.doll").then(|| doll.clone().into_bytes()));
    assert!(runtime.precache_doll(id).is_some());
    assert_eq!(runtime.take_warnings(), []);
    let message = encoded(&runtime, object, Replication::Positions);
    runtime.apply_bones(object, &message).unwrap();
    turn(&bones(&runtime, object)[1], &second) < 1.0
}

/// The axis of the twist may lead along the bone or back.
#[test]
fn twists_are_mirrored_where_their_axis_leads_back_along_the_bone() {
    let (along, back) = ("axis 0 1 0\naxis2 0 0 1", "axis 0 0 1\naxis2 0 1 0");
    for (swing, twist) in [(0.0, 0.4), (0.2, 0.4), (-0.3, 0.8)] {
        let found = [(along, twist), (along, -twist), (back, twist), (back, -twist)];
        let found = found.map(|(axes, twist)| twist_arrives(axes, swing, twist));
        assert_eq!(found, [false, true, true, false], "{swing} {twist}");
    }
}
