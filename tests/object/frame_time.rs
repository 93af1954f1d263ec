//! Times of animations: smooth after days in f64, with FTE's bits in f32.

use std::sync::Arc;

use proptest::prelude::*;
use skelobj::SkeletalObject;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Animation, Bone, FrameFields, FrameState, Model, Skeleton};
use skelobj::object::{Build, Space};

const TEN_DAYS: f64 = 864_000.0;

/// Returns a model of one bone that is at another position in each frame.
fn model(frames: u32, rate: f32, looping: bool) -> Arc<Model> {
    let place = |frame: u32| Vec3::new(frame as f32, (frame * frame) as f32 / 7.0, 1.0 / (frame + 1) as f32);
    let root = Bone { name: "root".into(), parent: None, bind: Mat3x4::IDENTITY };
    Arc::new(Model {
        skeleton: Skeleton::new(vec![root]).unwrap(),
        animations: vec![Animation::frames("run", 0, frames, rate, looping)],
        frames: (0..frames).map(|frame| Mat3x4::from_translation(place(frame))).collect(),
        ..Model::default()
    })
}

fn posed(model: &Arc<Model>, frame: &FrameState) -> Mat3x4 {
    let mut object = SkeletalObject::new(model.clone(), Space::Local);
    object.build(model, frame, &Build::REPLACE).unwrap();
    object.pose().bones()[0]
}

#[test]
fn after_ten_days_an_animation_is_as_smooth_as_at_its_beginning() {
    let model = model(29, 30.0, true);
    let mut before = None;
    for step in 0..60 {
        let pose = posed(&model, &FrameState::single(0, TEN_DAYS + f64::from(step) / 60.0)).origin();
        assert_ne!(before, Some(pose), "step {step}");
        before = Some(pose);
        let wrapped = (TEN_DAYS * 30.0 + f64::from(step) / 2.0) % 29.0 / 30.0;
        let early = posed(&model, &FrameState::single(0, wrapped)).origin();
        assert!((pose - early).length() <= 1e-3 * early.length(), "step {step}: {pose} {early}");
    }
}

#[test]
fn after_ten_days_f32_times_stand_still_as_those_of_fte() {
    let model = model(29, 30.0, true);
    let at = |step: u32| (TEN_DAYS + f64::from(step) / 60.0) as f32;
    let pose = |step| posed(&model, &FrameState::client(&FrameFields { frame1time: at(step), ..Default::default() }));
    assert!((0..60).filter(|&step| pose(step) == pose(step + 1)).count() > 30);
    // Unrounded, the time is exact.
    let (exact, time) = (FrameState::single(0, at(7).into()), f64::from(at(7)) * 30.0 % 29.0);
    assert!((posed(&model, &exact).origin().x - time as f32).abs() < 1e-3);
}

#[test]
fn times_beyond_any_game_show_some_pose() {
    for (looping, time) in [true, false].into_iter().flat_map(|looping| {
        [1e9, 1e18, 1e300, f64::MAX, f64::MIN, -1e18, f64::MIN_POSITIVE].map(|time| (looping, time))
    }) {
        let model = model(29, 30.0, looping);
        let (a, b, fraction) = model.animations[0].poses_at(time);
        assert!(a < 29 && b < 29 && (0.0..=1.0).contains(&fraction), "{time}: {a} {b} {fraction}");
        assert!(posed(&model, &FrameState::single(0, time)).is_finite(), "{time}");
    }
    for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(model(29, 30.0, true).animations[0].poses_at(time), (0, 1, 0.0));
    }
}

/// Returns the position of the bone by FTE's formula, in f32 throughout.
fn ftes(model: &Model, time: f32) -> Mat3x4 {
    let animation = &model.animations[0];
    let count = model.frames.len() as i64;
    let position = time * animation.rate;
    let position = if position.is_finite() { position } else { 0.0 };
    let fraction = position - position.floor();
    // Every f32 with a fraction is well within an i64, and so is the remainder of the others.
    let first = f64::from(position.floor());
    let frame = |pose: f64| match animation.looping {
        true => pose.rem_euclid(count as f64) as usize,
        false => pose.clamp(0.0, (count - 1) as f64) as usize,
    };
    let (a, b) = (model.frames[frame(first)], model.frames[frame(first + 1.0)]);
    if fraction == 0.0 || frame(first) == frame(first + 1.0) {
        return a;
    }
    Mat3x4(std::array::from_fn(|i| match 1.0 - fraction {
        // The complement of a fraction next to 1 is zero, and a single pose is copied.
        0.0 => b.0[i],
        rest => a.0[i] * rest + b.0[i] * fraction,
    }))
}

fn bits(matrix: Mat3x4) -> [u32; 12] {
    matrix.0.map(f32::to_bits)
}

fn times() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |time| time.is_finite()),
        -40.0f32..40.0,
        -1e6f32..1e6,
        (0u32..0x0080_0000, any::<bool>()).prop_map(|(bits, minus)| f32::from_bits(bits | u32::from(minus) << 31)),
        Just(-0.0),
        Just(f32::MAX),
        Just(f32::MIN),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn f32_times_have_the_bits_of_fte(
        time in times(), rate in prop_oneof![0.01f32..100.0, Just(30.0), Just(10.0)], frames in 1u32..40, looping: bool
    ) {
        let model = model(frames, rate, looping);
        let wanted = bits(ftes(&model, time));
        let fields = FrameFields { frame1time: time, ..FrameFields::default() };
        prop_assert_eq!(bits(posed(&model, &FrameState::client(&fields))), wanted);
        prop_assert_eq!(bits(posed(&model, &FrameState::server(&fields))), wanted);
        if (f64::from(time) * f64::from(rate)).abs() < 8192.0 {
            prop_assert_eq!(bits(posed(&model, &FrameState::single(0, time.into()))), wanted);
        }
    }
}
