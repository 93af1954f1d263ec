//! Models with more frames where bones turn far.

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, AnimationSource, Event, FrameState, ResampleError, Tag};
use skelobj::{Limit, Limits, Model, assets};

/// Returns a model with one bone that turns by these angles, in degrees, at ten frames per second.
fn turning(degrees: &[f32], looping: bool) -> Model {
    let mut model = assets::mannequin();
    let bones = model.skeleton.len();
    model.frames = model.skeleton.bind_local().repeat(degrees.len());
    for (frame, degrees) in degrees.iter().enumerate() {
        let turn = Quat::from_rotation_z(degrees.to_radians());
        let origin = Vec3::new(frame as f32, 0.0, 40.0);
        model.frames[frame * bones] = Mat3x4::from_rotation_translation(turn, origin);
    }
    model.animations = vec![Animation::frames("turn", 0, degrees.len() as u32, 10.0, looping)];
    model
}

fn size_at(model: &Model, time: f32) -> f32 {
    model.tag_matrix(0, &FrameState::single(0, time.into())).unwrap().forward().length()
}

fn angle_at(model: &Model, time: f32) -> f32 {
    let forward = model.tag_matrix(0, &FrameState::single(0, time.into())).unwrap().forward();
    forward.y.atan2(forward.x).to_degrees()
}

fn resampled(model: &Model, rate: f32) -> Model {
    model.resampled(rate, &Limits::default()).unwrap()
}

#[test]
fn a_bone_that_turns_far_keeps_its_size_and_takes_the_shortest_way() {
    let model = turning(&[0.0, 90.0, -90.0 - 45.0], false);
    assert!((size_at(&model, 0.05) - 0.5f32.sqrt()).abs() < 1e-4);
    let smooth = resampled(&model, 75.0);
    let turn = &smooth.animations[0];
    assert_eq!((turn.rate, turn.pose_count(), turn.duration()), (80.0, 24, model.animations[0].duration()));
    for step in 0..40 {
        assert!(size_at(&smooth, step as f32 / 200.0) > 0.985, "{step}");
    }
    assert!((angle_at(&smooth, 0.05) - 45.0).abs() < 0.01);
    // From 90 to -135 degrees, over 180: 135 degrees instead of 225.
    assert!((angle_at(&smooth, 0.15) - 157.5).abs() < 0.01);
    // Its frames stay, at the same times, and the end lasts.
    for frame in 0..3 {
        assert_eq!(smooth.pose(turn, frame * 8), model.frame(frame).unwrap());
    }
    assert_eq!(smooth.pose(turn, 23), model.frame(2).unwrap());
    let place = smooth.pose(turn, 4)[0].origin();
    assert!((place - Vec3::new(0.5, 0.0, 40.0)).length() < 1e-5);
}

#[test]
fn a_scale_and_a_mirror_change_linearly() {
    let mut model = turning(&[0.0, 90.0], false);
    let bones = model.skeleton.len();
    let mirrored = |m: Mat3x4, by: f32| Mat3x4::from_columns(m.forward() * -by, m.left() * by, m.up() * by, m.origin());
    model.frames[0] = mirrored(model.frames[0], 1.0);
    model.frames[bones] = mirrored(model.frames[bones], 3.0);
    let smooth = resampled(&model, 20.0);
    let half_way = smooth.pose(&smooth.animations[0], 1)[0];
    for (axis, sign) in [(half_way.forward(), -1.0), (half_way.left(), 1.0)] {
        assert!((axis.length() - 2.0).abs() < 1e-5);
        assert!((axis.x.abs() - 2f32.sqrt()).abs() < 1e-5, "{sign} {axis}");
    }
    assert!(half_way.forward().x < 0.0 && half_way.left().y > 0.0);
}

#[test]
fn the_step_from_the_last_frame_to_the_first_counts_in_a_loop() {
    let degrees = [0.0, 45.0, 90.0];
    assert_eq!(resampled(&turning(&degrees, false), 40.0), turning(&degrees, false));
    let smooth = resampled(&turning(&degrees, true), 40.0);
    assert_eq!(smooth.animations[0].pose_count(), 12);
    assert!((angle_at(&smooth, 0.25) - 45.0).abs() < 0.01);
}

#[test]
fn what_needs_no_frames_stays() {
    let mannequin = assets::mannequin();
    assert_eq!(resampled(&mannequin, 1000.0), mannequin);
    let mut model = turning(&[0.0, 90.0], false);
    assert_eq!(resampled(&model, 10.0), model); // as many as it has
    model.animations[0].rate = 0.0;
    assert_eq!(resampled(&model, 60.0), model); // it stands still
    model.animations[0].rate = -10.0;
    assert_eq!(resampled(&model, 20.0).animations[0].rate, -20.0);
    let evaluated = std::fs::read("tests/data/examples/turret.mdl").unwrap();
    let evaluated = Model::load("turret.mdl", &evaluated, |_| None).unwrap();
    assert_eq!(resampled(&evaluated, 1000.0), evaluated);
}

#[test]
fn frames_that_others_show_stay_and_the_rest_goes_along() {
    let mut model = turning(&[0.0, 10.0, 20.0, 110.0, 0.0], false);
    let first = Animation::frames("still", 1, 2, 10.0, false);
    let list = Animation { source: AnimationSource::List(vec![2, 3]), ..Animation::frames("far", 0, 1, 10.0, false) };
    model.animations = vec![first, list];
    model.animations[1].events = vec![Event { time: 0.05, code: 1, data: "step".into() }];
    model.tags = vec![Tag {
        name: "tag".into(),
        frames: (0..5).map(|x| Vec3::X * x as f32).map(Mat3x4::from_translation).collect(),
    }];
    let mesh = &mut model.meshes[0];
    mesh.morphs = vec![Default::default()];
    mesh.morph_weights = vec![0.0, 0.1, 0.2, 0.4, 0.5];
    mesh.frames.positions = (0..5 * mesh.positions.len()).map(|at| [(at / mesh.positions.len()) as f32; 3]).collect();
    let smooth = resampled(&model, 20.0);
    // Only "far" shows frame 3: it goes, and four frames come.
    assert_eq!(smooth.frame_count(), 8);
    assert_eq!(smooth.animations[0], model.animations[0]);
    let AnimationSource::Frames { first: 4, count: 4 } = smooth.animations[1].source else { panic!("a list") };
    assert_eq!(smooth.animations[1].events, model.animations[1].events);
    assert_eq!(smooth.frame(3), model.frame(4));
    let tags: Vec<f32> = smooth.tags[0].frames.iter().map(|frame| frame.origin().x).collect();
    assert_eq!(tags, [0.0, 1.0, 2.0, 4.0, 2.0, 2.5, 3.0, 3.0]);
    let weights: Vec<f32> = smooth.meshes[0].morph_weights.clone();
    assert!((weights[5] - 0.3).abs() < 1e-6 && weights.len() == 8, "{weights:?}");
    let positions = &smooth.meshes[0].frames.positions;
    let vertices = smooth.meshes[0].positions.len();
    assert_eq!((positions.len(), positions[5 * vertices]), (8 * vertices, [2.5; 3]));
    assert!(smooth.bounds.is_empty());
}

#[test]
fn rates_and_limits_are_checked() {
    let model = turning(&[0.0, 90.0], false);
    for rate in [0.0, -1.0, 1001.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(model.resampled(rate, &Limits::default()), Err(ResampleError::OutOfRange(_))), "{rate}");
    }
    let exceeded = |model: &Model, limits: &Limits| {
        let Err(ResampleError::LimitExceeded(exceeded)) = model.resampled(1000.0, limits) else { panic!("allowed") };
        (exceeded.limit, exceeded.needed)
    };
    let mut limits = Limits::default();
    limits.frames = 199;
    assert_eq!(exceeded(&model, &limits), (Limit::Frames, 200));
    limits.frames = 200;
    assert!(model.resampled(1000.0, &limits).is_ok());
    limits.memory = 200 * 21 * 48 - 1;
    assert_eq!(exceeded(&model, &limits), (Limit::Memory, 200 * 21 * 48));
    // Animations that share frames are not examined without bound.
    let mut many = model.clone();
    many.animations = vec![many.animations[0].clone(); 101];
    assert_eq!(exceeded(&many, &limits), (Limit::Frames, 202));
}
