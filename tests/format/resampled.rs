//! Models with more poses per second.

use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{
    Animation, AnimationSource, Bone, Bounds, Event, Mesh, Morph, PoseEvaluator, PoseParameters, ResampleError,
    Skeleton, Tag,
};
use skelobj::{Model, assets};

/// Returns a model of one bone with these frames and an animation over all of them.
fn of_frames(frames: Vec<Mat3x4>, looping: bool) -> Model {
    let bone = Bone { name: "bone".into(), parent: None, bind: Mat3x4::IDENTITY };
    let animation = Animation::frames("all", 0, frames.len() as u32, 10.0, looping);
    let skeleton = Skeleton::new(vec![bone]).unwrap();
    Model { skeleton, frames, animations: vec![animation], ..Model::default() }
}

fn turned(angle: f32, x: f32) -> Mat3x4 {
    Mat3x4::from_rotation_translation(Quat::from_rotation_z(angle), Vec3::X * x)
}

#[test]
fn a_bone_keeps_its_size_on_the_way_between_far_turns() {
    let model = of_frames(vec![turned(0.0, 0.0), turned(FRAC_PI_2, 8.0)], false);
    let half_way = |model: &Model| model.tag_matrix(0, &skelobj::model::FrameState::single(0, 0.05)).unwrap();
    assert!((half_way(&model).left().length() - 0.5f32.sqrt()).abs() < 1e-5);
    let smooth = half_way(&model.resampled(20.0).unwrap());
    assert!((smooth.left().length() - 1.0).abs() < 1e-5);
    assert!(smooth.rotation().angle_between(Quat::from_rotation_z(FRAC_PI_2 / 2.0)) < 1e-3);
    assert!((smooth.origin().x - 4.0).abs() < 1e-5);
}

#[test]
fn added_poses_turn_along_the_shorter_arc_and_scales_change_evenly() {
    let large =
        Mat3x4::from_translation_rotation_scale([0.0; 3], Quat::from_rotation_z(3.0).to_array(), [1.0, 3.0, 5.0]);
    let model = of_frames(vec![turned(-3.0, 0.0), large], false).resampled(20.0).unwrap();
    let half_way = model.frames[1];
    let angle = half_way.rotation().angle_between(Quat::from_rotation_z(std::f32::consts::PI));
    assert!(angle < 1e-3, "{angle}"); // not through 0
    let lengths = [half_way.forward(), half_way.left(), half_way.up()].map(Vec3::length);
    for (length, expected) in lengths.into_iter().zip([1.0, 2.0, 3.0]) {
        assert!((length - expected).abs() < 1e-4, "{lengths:?}");
    }
}

#[test]
fn own_poses_keep_their_bits_and_times_and_the_animation_its_duration_and_events() {
    let mannequin = assets::mannequin();
    let smooth = mannequin.resampled(61.0).unwrap();
    for (before, after) in mannequin.animations.iter().zip(&smooth.animations) {
        let multiple = (after.rate / before.rate) as usize;
        assert!(after.rate >= 61.0 && (after.rate - before.rate) < 61.0 && after.rate == before.rate * multiple as f32);
        assert_eq!((after.duration(), &after.events), (before.duration(), &before.events));
        assert_eq!((&after.name, after.looping), (&before.name, before.looping));
        for pose in 0..before.pose_count() {
            assert_eq!(smooth.pose(after, pose * multiple), mannequin.pose(before, pose));
        }
    }
    assert_eq!(smooth.bounds.len(), smooth.frame_count());
}

#[test]
fn an_animation_begins_again_if_it_loops_and_else_holds_its_end() {
    let frames = vec![turned(0.0, 0.0), turned(0.0, 4.0)];
    let places = |looping| -> Vec<f32> {
        let model = of_frames(frames.clone(), looping).resampled(40.0).unwrap();
        model.frames.iter().map(|frame| frame.origin().x).collect()
    };
    assert_eq!(places(true), [0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0]);
    assert_eq!(places(false), [0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 4.0, 4.0]);
}

#[derive(Debug)]
struct Still;

impl PoseEvaluator for Still {
    fn evaluate(&self, _: f64, _: &PoseParameters, bones: std::ops::Range<usize>, out: &mut [Mat3x4]) {
        out[..bones.len()].fill(Mat3x4::IDENTITY);
    }
}

#[test]
fn animations_that_need_no_poses_stay_and_show_what_they_showed() {
    let mut model = of_frames((0..8).map(|frame| turned(0.0, frame as f32)).collect(), false);
    let source = |source| Animation { source, ..Animation::frames("other", 0, 1, 10.0, false) };
    model.animations = vec![
        Animation::frames("fast", 4, 2, 60.0, false),
        Animation::frames("still", 5, 1, 10.0, false),
        Animation { rate: 0.0, ..Animation::frames("stopped", 6, 2, 10.0, false) },
        Animation { rate: 60.0, ..source(AnimationSource::List(vec![7, 4])) },
        source(AnimationSource::BindPose),
        source(AnimationSource::Evaluated { poses: Arc::new(Still), count: 3 }),
        Animation::frames("missing", 7, 2, 10.0, false),
        source(AnimationSource::List(vec![1, 2])),
    ];
    let smooth = model.resampled(20.0).unwrap();
    for (before, after) in model.animations.iter().zip(&smooth.animations).take(7) {
        assert_eq!((after.rate, after.pose_count()), (before.rate, before.pose_count()));
        for pose in 0..before.pose_count() {
            assert_eq!(smooth.pose(after, pose), model.pose(before, pose), "{} {pose}", before.name);
        }
    }
    let list = &smooth.animations[7];
    let x = |pose| smooth.pose(list, pose)[0].origin().x;
    assert_eq!([x(0), x(1), x(2), x(3)], [1.0, 1.5, 2.0, 2.0]);
    // Frames 0 and 3 are shown by none.
    assert_eq!(smooth.frame_count(), 4 + 4);
}

#[test]
fn everything_with_frames_has_the_new_ones() {
    let mut model = of_frames(vec![turned(0.0, 0.0), turned(0.0, 4.0)], false);
    model.tags = vec![Tag { name: "tag".into(), frames: vec![turned(0.0, 0.0), turned(FRAC_PI_2, 2.0)] }];
    let mut mesh = Mesh { positions: vec![[0.0; 3]], ..Mesh::default() };
    mesh.frames.positions = vec![[0.0; 3], [6.0, 0.0, 0.0]];
    mesh.frames.normals = vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    mesh.morphs = vec![Morph { positions: vec![[1.0; 3]], ..Morph::default() }];
    mesh.morph_weights = vec![0.0, 1.0];
    model.meshes = vec![mesh];
    let bounds = |size: f32| Bounds { mins: [-size; 3], maxs: [1.0 / size; 3], xy_radius: size, radius: 2.0 * size };
    model.bounds = vec![bounds(1.0), bounds(2.0)];
    let smooth = model.resampled(20.0).unwrap();
    assert_eq!(smooth.tags[0].frames[1].origin().x, 1.0);
    assert!((smooth.tags[0].frames[1].left().length() - 1.0).abs() < 1e-5);
    let mesh = &smooth.meshes[0];
    assert_eq!((mesh.frames.positions[1], mesh.morph_weights[1]), ([3.0, 0.0, 0.0], 0.5));
    assert!((Vec3::from(mesh.frames.normals[1]).length() - 1.0).abs() < 1e-5);
    let Bounds { mins, maxs, xy_radius, radius } = smooth.bounds[1];
    assert_eq!((mins, maxs, xy_radius, radius), ([-2.0; 3], [1.0; 3], 2.0, 4.0));
    let lengths = [smooth.tags[0].frames.len(), mesh.frames.positions.len(), mesh.morph_weights.len()];
    assert_eq!(lengths, [smooth.frame_count(); 3]);
}

#[test]
fn events_stay_at_their_times() {
    let mut model = of_frames(vec![turned(0.0, 0.0), turned(0.0, 4.0)], true);
    model.animations[0].events = vec![Event { time: 0.15, code: 1, data: "step".into() }];
    assert_eq!(model.resampled(30.0).unwrap().animations[0].events, model.animations[0].events);
}

#[test]
fn impossible_rates_and_sizes_are_refused() {
    let model = of_frames(vec![turned(0.0, 0.0); 2], false);
    for rate in [0.0, 0.5, -10.0, 1000.5, f32::NAN, f32::INFINITY] {
        let Err(ResampleError::Rate(error)) = model.resampled(rate) else { panic!("{rate} is accepted") };
        assert_eq!((error.name, error.expected), ("rate", "1 to 1000 poses per second"));
    }
    assert!(model.resampled(1.0).is_ok() && model.resampled(1000.0).is_ok());
    let mut slow = model.clone();
    slow.animations[0].rate = 1e-30;
    let error = slow.resampled(60.0).unwrap_err();
    assert!(matches!(error, ResampleError::TooLarge { allowed: 268_435_456.., .. }), "{error}");
}

#[test]
fn lists_without_a_whole_frame_become_empty() {
    let mut model = assets::mannequin();
    let mesh = &mut model.meshes[0];
    (mesh.frames.positions, mesh.frames.normals) = (vec![[1.0; 3]; 2], vec![[0.0, 0.0, 1.0]]);
    let smooth = model.resampled(60.0).unwrap();
    assert!(smooth.meshes[0].frames.positions.is_empty() && smooth.meshes[0].frames.normals.is_empty());
    assert_eq!(smooth.meshes[0].positions, model.meshes[0].positions);
}
