//! Root motion: across loops, in blends, and taken out of poses.

use std::f32::consts::PI;
use std::sync::Arc;

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, Blend, Bone, FrameState, Skeleton};
use skelobj::object::{Build, ObjectError, Space};
use skelobj::pose::{Motion, PosingError, RootMotion};
use skelobj::{Model, SkeletalObject};

use crate::common::random::Random;

const RATE: f32 = 10.0;

/// Returns the place of the root after a number of steps on a circle, a sixteenth of a quarter turn and 4 units each.
fn on_circle(step: f32) -> Mat3x4 {
    let angle = step * PI / 32.0;
    let radius = 4.0 / (PI / 32.0);
    let place = Vec3::new(3.0 + radius * angle.sin(), 2.0 + radius * (1.0 - angle.cos()), 30.0 + angle.cos());
    Mat3x4::from_rotation_translation(Quat::from_rotation_z(angle) * Quat::from_rotation_y(0.3), place)
}

/// Returns the place of the root after a number of steps of 5 units straight ahead.
fn ahead(step: f32) -> Mat3x4 {
    Mat3x4::from_translation(Vec3::new(5.0 * step, 0.0, 30.0))
}

/// Matrix of the root after a number of steps.
type Path = fn(f32) -> Mat3x4;

/// Creates a model of a root and a bone on it, with animations of `count` poses.
fn model(count: usize, animations: &[(Path, bool)]) -> Arc<Model> {
    let bone = |name: &str, parent, bind| Bone { name: name.into(), parent, bind };
    let top = Mat3x4::from_translation(Vec3::Z * 10.0);
    let bones = vec![bone("root", None, Mat3x4::from_translation(Vec3::Z * 30.0)), bone("top", Some(0), top)];
    let mut model = Model { skeleton: Skeleton::new(bones).unwrap(), ..Model::default() };
    for (number, (place, looping)) in animations.iter().enumerate() {
        let first = (number * count) as u32;
        model.frames.extend((0..count).flat_map(|pose| [place(pose as f32), top]));
        model.animations.push(Animation::frames(format!("a{number}").as_str(), first, count as u32, RATE, *looping));
    }
    model.into()
}

fn root(model: &Model) -> RootMotion {
    RootMotion::parse(&model.skeleton, "root").unwrap()
}

fn assert_near(found: Motion, wanted: Motion, what: &str) {
    let turned = (found.yaw - wanted.yaw).rem_euclid(2.0 * PI);
    let turned = turned.min(2.0 * PI - turned);
    assert!(found.translation.distance(wanted.translation) < 2e-3 && turned < 1e-5, "{what}: {found:?} {wanted:?}");
}

#[test]
fn motions_add_up_over_rounds_and_backwards() {
    let circle = model(16, &[(on_circle, true)]);
    let root = root(&circle);
    let between = |from, to| root.between(&circle, 0, from, to).unwrap();
    let mut number = 7u64;
    let mut random = || {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 40) as f64 / f64::from(1 << 24) * 8.0 // five rounds of 1.6 seconds
    };
    for _ in 0..500 {
        let mut times = [random(), random(), random()];
        times.sort_by(f64::total_cmp);
        let [a, b, c] = times;
        for (a, b, c) in [(a, b, c), (c, b, a), (b, a, c), (-a, b, -c)] {
            assert_near(between(a, b).then(between(b, c)), between(a, c), &format!("{a} {b} {c}"));
        }
        assert_near(between(a, a), Motion::default(), "no time");
    }
}

#[test]
fn a_round_goes_on_as_from_the_last_pose_but_one_to_the_last() {
    let circle = model(16, &[(on_circle, true)]);
    let root = root(&circle);
    // 16 steps of a sixteenth of a quarter turn, of which the animation shows 15.
    let quarter = root.between(&circle, 0, 0.0, 1.6).unwrap();
    assert!((quarter.yaw.to_degrees() - 90.0).abs() < 1e-3, "{}", quarter.yaw.to_degrees());
    let whole = [1.6, 3.2, 4.8].map(|from| root.between(&circle, 0, from, from + 1.6).unwrap());
    let around = whole.into_iter().fold(quarter, Motion::then);
    assert_near(around, Motion::default(), "four quarters");
    let long = root.between(&circle, 0, 0.0, f64::from(1.6f32) * 4e3).unwrap();
    assert!(long.translation.length() < 0.5, "{long:?}");
    // Half of the last step.
    let half = root.between(&circle, 0, 1.5, 1.55).unwrap();
    assert!((half.translation.length() - 2.0).abs() < 0.2 && (half.yaw - PI / 64.0).abs() < 1e-4, "{half:?}");
}

#[test]
fn an_animation_without_a_loop_moves_between_its_ends() {
    let straight = model(16, &[(ahead, false)]);
    let root = root(&straight);
    let moved = |from, to| root.between(&straight, 0, from, to).unwrap().translation.x;
    assert_eq!([moved(0.0, 1.5), moved(-5.0, 99.0), moved(99.0, 0.0)], [75.0, 75.0, -75.0]);
    assert_eq!(moved(2.0, 9.0), 0.0);
    assert_eq!(root.between(&straight, 5, 0.0, 1.0), Ok(Motion::default()), "no such animation");
    let mut still = Model::clone(&straight);
    still.animations[0].rate = 0.0;
    still.animations[0].looping = true;
    assert_eq!(root.between(&still, 0, 0.0, 9.0), Ok(Motion::default()), "no rate");
}

#[test]
fn parts_of_the_motion_are_chosen() {
    let circle = model(16, &[(on_circle, false)]);
    let all = root(&circle);
    assert_eq!((all.distance, all.height, all.yaw), (true, false, true));
    let motion = |root: RootMotion| root.between(&circle, 0, 0.0, 1.5).unwrap();
    let Motion { translation, yaw } = motion(all);
    assert!(translation.truncate().length() > 50.0 && translation.z == 0.0 && (yaw - 15.0 * PI / 32.0).abs() < 1e-4);
    let turned = motion(all.with_distance(false));
    assert_eq!((turned.translation, turned.yaw), (Vec3::ZERO, yaw));
    assert!((motion(all.with_height(true)).translation.z - ((15.0 * PI / 32.0).cos() - 1.0)).abs() < 1e-4);
    let straight = motion(all.with_yaw(false));
    let moved = on_circle(15.0).origin() - on_circle(0.0).origin();
    assert!(straight.yaw == 0.0 && straight.translation.distance(moved.with_z(0.0)) < 1e-4);
}

#[test]
fn blends_average_lengths_and_directions_apart() {
    fn aside(step: f32) -> Mat3x4 {
        Mat3x4::from_translation(Vec3::new(0.0, 5.0 * step, 30.0))
    }
    fn back(step: f32) -> Mat3x4 {
        ahead(-step)
    }
    let walks = model(16, &[(ahead, true), (aside, true), (back, true), (on_circle, true)]);
    let root = root(&walks);
    let moved = |blends: [Blend; 2], seconds: f64| root.during(&walks, &FrameState::blended(blends), seconds).unwrap();
    let diagonal = moved([Blend::new(0, 1.0, 0.5), Blend::new(1, 1.0, 0.5)], 0.2).translation;
    assert!((diagonal.length() - 10.0).abs() < 1e-3 && (diagonal.x - diagonal.y).abs() < 1e-3, "{diagonal}");
    let opposed = moved([Blend::new(0, 1.0, 0.5), Blend::new(2, 1.0, 0.5)], 0.2).translation;
    assert_eq!(opposed, Vec3::ZERO);
    let slow = moved([Blend::new(0, 1.0, 0.25), Blend::new(9, 1.0, 0.75)], 0.2).translation;
    assert!((slow.x - 2.5).abs() < 1e-3, "an animation that does not exist stands: {slow}");
    let doubled = moved([Blend::new(0, 1.0, 2.0), Blend::new(1, 1.0, -3.0)], 0.2).translation;
    assert!(doubled.distance(Vec3::X * 10.0) < 1e-3, "weights count relative to their sum: {doubled}");
    let turning = moved([Blend::new(0, 1.0, 0.5), Blend::new(3, 1.0, 0.5)], 0.2).yaw;
    assert!((turning - PI / 32.0).abs() < 1e-4, "{turning}");
    assert_eq!(moved([Blend::new(0, 1.0, 0.0), Blend::new(1, 1.0, 0.0)], 0.2), Motion::default());
}

#[test]
fn frame_states_are_compared_by_their_animations() {
    let walks = model(16, &[(ahead, true), (on_circle, true)]);
    let root = root(&walks);
    let state = |first: (usize, f64), second: (usize, f64)| {
        FrameState::blended([Blend::new(first.0, first.1, 0.5), Blend::new(second.0, second.1, 0.5)])
    };
    let half = |from: &FrameState, to: &FrameState| root.motion(&walks, from, to).unwrap();
    let kept = half(&state((0, 0.3), (1, 0.7)), &state((0, 0.4), (1, 0.9)));
    let moved = half(&state((1, 0.7), (0, 0.3)), &state((0, 0.4), (1, 0.9)));
    assert_eq!(kept, moved, "an animation may change its place");
    assert!((kept.translation.length() - (5.0 + 8.0) / 2.0).abs() < 0.3, "{kept:?}");
    let new = root.motion(&walks, &FrameState::single(1, 0.7), &FrameState::single(0, 0.4)).unwrap();
    assert_eq!(new, Motion::default(), "nothing tells for how long a lone animation has run");
    // The base group poses the root.
    let base = [Blend::new(0, 0.5, 1.0), Blend::new(0, 0.0, 0.0)];
    let layered = FrameState::single(1, 0.5).with_base(base, 1);
    assert!((root.during(&walks, &layered, 0.2).unwrap().translation.x - 10.0).abs() < 1e-3);
    let top = RootMotion::parse(&walks.skeleton, "top").unwrap();
    assert!((top.during(&walks, &layered, 0.2).unwrap().yaw - PI / 16.0).abs() < 1e-4);
}

#[test]
fn an_animation_that_enters_moves_for_as_long_as_the_others_did() {
    fn fast(step: f32) -> Mat3x4 {
        ahead(3.0 * step)
    }
    let walks = model(16, &[(ahead, true), (fast, true), (fast, false)]);
    let root = root(&walks);
    let seed = 0x5eed_0001;
    let mut random = Random(seed);
    let speed = f64::from(5.0 * RATE);
    for round in 0..500 {
        let time = |random: &mut Random| f64::from(random.between(0.0, 1.4));
        let (step, walked, weight) = (time(&mut random) * 0.05, time(&mut random) + 3.2, random.between(0.05, 0.95));
        let (entered, other) = (time(&mut random), 1 + random.below(2));
        let before = FrameState::single(0, walked - step);
        let now = [Blend::new(other, entered, weight), Blend::new(0, walked, 1.0 - weight)];
        let now = [now, [now[1], now[0]]][random.below(2)];
        let moved = root.motion(&walks, &before, &FrameState::blended(now)).unwrap().translation.x;
        let wanted = speed * (f64::from(1.0 - weight) * step + f64::from(weight) * 3.0 * step.min(entered));
        assert!((f64::from(moved) - wanted).abs() < 0.01, "seed {seed:#x}, round {round}: {moved} for {wanted}");
    }
    let at_its_start = FrameState::blended([Blend::new(0, 1.0, 0.5), Blend::new(1, 0.0, 0.5)]);
    let moved = root.motion(&walks, &FrameState::single(0, 0.9), &at_its_start).unwrap().translation.x;
    assert!((moved - 2.5).abs() < 1e-3, "half of a step of the walk: {moved}");
    let back = root.motion(&walks, &FrameState::single(0, 1.1), &at_its_start).unwrap().translation.x;
    assert!((back + 2.5 + 7.5).abs() < 1e-3, "backwards, through the start of the other: {back}");
}

/// Turn at a time, degrees.
type Turn = Box<dyn Fn(f64) -> f64>;

/// Returns a model of a root that turns at random in each of its animations, and its turns.
fn turns(random: &mut Random, count: usize) -> (Arc<Model>, Vec<Turn>) {
    let bone = Bone { name: "root".into(), parent: None, bind: Mat3x4::from_translation(Vec3::Z * 30.0) };
    let mut model = Model { skeleton: Skeleton::new(vec![bone]).unwrap(), ..Model::default() };
    let mut told: Vec<Turn> = Vec::new();
    for number in 0..count {
        // Up to three turns in a round, each pose at most a quarter turn after the last.
        let (poses, looping) = (12 + random.below(30), random.below(2) == 0);
        let (step, rate) = (random.between(-1080.0, 1080.0) / poses as f32, random.between(8.0, 40.0));
        let first = model.frames.len() as u32;
        let place = Vec3::new(random.between(-9.0, 9.0), 0.0, 30.0);
        model.frames.extend((0..poses).map(|pose| {
            Mat3x4::from_rotation_translation(Quat::from_rotation_z((step * pose as f32).to_radians()), place)
        }));
        let animation = Animation::frames(format!("a{number}").as_str(), first, poses as u32, rate, looping);
        model.animations.push(animation);
        let last = (poses - 1) as f64;
        // Between two poses, blended matrices turn unevenly.
        told.push(Box::new(move |time| {
            let at = (time * f64::from(rate)).clamp(0.0, if looping { f64::INFINITY } else { last });
            let (whole, part) = (at.floor(), at - at.floor());
            let step = f64::from(step);
            let (sine, cosine) = step.to_radians().sin_cos();
            let blended = (part * sine).atan2(1.0 - part + part * cosine).to_degrees();
            let is_closing = looping && (whole as usize + 1).is_multiple_of(poses);
            step * whole + if is_closing { step * part } else { blended }
        }));
    }
    (model.into(), told)
}

#[test]
fn blended_turns_of_any_size_add_up_and_the_pose_faces_where_the_entity_does() {
    let seed = 0x5eed_0002;
    let mut random = Random(seed);
    for round in 0..120 {
        let count = 2 + random.below(3);
        let (model, told) = turns(&mut random, count);
        let root = root(&model);
        let (fps, changes) = (random.of(&[2.0, 5.0, 15.0, 60.0]), random.below(2) == 0);
        let is_based = count == 2 && random.below(2) == 0;
        let weights: Vec<[f32; 2]> = (0..count).map(|_| [random.between(0.1, 1.0), random.between(0.1, 1.0)]).collect();
        let starts: Vec<f64> = (0..count).map(|_| f64::from(random.between(0.0, 2.0))).collect();
        // Weights of a sum of 1, as game code has them.
        let weights_at = |seconds: f64| {
            let part = if changes { (seconds / 3.0) as f32 } else { 0.0 };
            let weights: Vec<f32> = weights.iter().map(|[from, to]| from + (to - from) * part).collect();
            let sum: f32 = weights.iter().sum();
            weights.into_iter().map(|weight| weight / sum).collect::<Vec<_>>()
        };
        let state = |seconds: f64| {
            let mut blends = [Blend::default(); 4];
            for (number, weight) in weights_at(seconds).into_iter().enumerate() {
                blends[number] = Blend::new(number, starts[number] + seconds, weight);
            }
            match is_based {
                true => FrameState::single(0, 0.7).with_base([blends[0], blends[1]], 1),
                false => FrameState::blended(blends),
            }
        };
        let mut object = SkeletalObject::new(model.clone(), Space::Local);
        let (mut entity, mut wanted, mut before) = (Mat3x4::IDENTITY, 0.0, state(0.0));
        let mut place = |state: &FrameState| {
            object.build(&model, state, &Build::REPLACE).unwrap();
            object.take_motion(&root, &model, state).unwrap();
            object.model_space(0).unwrap()
        };
        for frame in 1..=(3.0 * fps) as u32 {
            let [last, seconds] = [frame - 1, frame].map(|frame| f64::from(frame) / fps);
            let now = state(seconds);
            let motion = root.motion(&model, &before, &now).unwrap();
            let during = root.during(&model, &now, seconds - last).unwrap();
            assert_near(during, motion, &format!("seed {seed:#x}, round {round}, frame {frame}"));
            for (number, weight) in weights_at(seconds).into_iter().enumerate() {
                let at = |seconds: f64| told[number](starts[number] + seconds);
                wanted += f64::from(weight) * (at(seconds) - at(last));
            }
            entity = motion.moved(&entity);
            let shown = entity * place(&now);
            let off = shown.forward().y.atan2(shown.forward().x) - wanted.to_radians() as f32;
            let off = off.sin().abs().max(1.0 - off.cos());
            // Where opposite directions are blended in equal parts, the matrix has none.
            let is_flat = shown.forward().length() < 1e-3;
            assert!(off < 0.02 || is_flat, "seed {seed:#x}, round {round}, frame {frame}: off by {off}");
            before = now;
        }
    }
}

#[test]
fn an_entity_that_is_moved_shows_what_was_animated() {
    for (place, looping) in [(ahead as Path, true), (on_circle, true), (ahead, false)] {
        let walk = model(16, &[(place, looping)]);
        let root = root(&walk);
        let mut object = SkeletalObject::new(walk.clone(), Space::Local);
        let mut entity = Mat3x4::IDENTITY;
        let mut before = FrameState::single(0, 0.0);
        for step in 1..90 {
            let time = f64::from(step) * 0.1;
            let frame = FrameState::single(0, time);
            entity = root.motion(&walk, &before, &frame).unwrap().moved(&entity);
            object.build(&walk, &frame, &Build::REPLACE).unwrap();
            object.take_motion(&root, &walk, &frame).unwrap();
            let wanted = place(if looping { step as f32 } else { step.min(15) as f32 });
            let shown = entity * object.model_space(0).unwrap();
            let off = shown.origin().truncate().distance(wanted.origin().truncate());
            assert!(
                off < 0.05 && shown.rotation().angle_between(wanted.rotation()) < 1e-2,
                "{step}: {shown:?} {wanted:?}"
            );
            // The root stays where the animation begins, and carries what is on it.
            let own = object.model_space(0).unwrap();
            assert!(own.origin().truncate().distance(place(0.0).origin().truncate()) < 0.05, "{step}: {own:?}");
            let top = object.model_space(1).unwrap();
            assert!(top.origin().distance(own.transform_point(Vec3::Z * 10.0)) < 1e-3);
            before = frame;
        }
    }
}

#[test]
fn what_cannot_be_done_changes_nothing() {
    let walk = model(16, &[(ahead, true)]);
    let root = root(&walk);
    for time in [f64::NAN, f64::INFINITY, 1e10] {
        assert!(matches!(root.between(&walk, 0, 0.0, time), Err(PosingError::OutOfRange(_))), "{time}");
        assert!(matches!(root.between(&walk, 0, time, 0.0), Err(PosingError::OutOfRange(_))), "{time}");
    }
    let frame = FrameState::blended([Blend::new(0, 0.0, f32::NAN)]);
    assert!(matches!(root.during(&walk, &frame, 0.1), Err(PosingError::OutOfRange(_))));
    assert!(matches!(root.motion(&walk, &frame, &FrameState::single(0, 0.1)), Err(PosingError::OutOfRange(_))));
    let huge = FrameState::blended([f32::MAX, f32::MAX].map(|weight| Blend::new(0, 0.5, weight)));
    let moved = root.during(&walk, &huge, 0.1).unwrap();
    assert!((moved.translation.x - 5.0).abs() < 1e-3 && moved.yaw == 0.0, "{moved:?}");
    assert_eq!(RootMotion::new(&walk.skeleton, 2), Err(PosingError::NoSuchBone { bone: 2 }));
    let unknown = PosingError::NoBoneNamed { name: "hips".into(), suggestion: None };
    assert_eq!(RootMotion::parse(&walk.skeleton, "hips"), Err(unknown));
    let boneless = Model::default();
    assert_eq!(root.between(&boneless, 0, 0.0, 1.0), Err(PosingError::NoSuchBone { bone: 0 }));

    let now = FrameState::single(0, 0.5);
    let mut object = SkeletalObject::new(walk.clone(), Space::Local);
    assert_eq!(object.take_motion(&root, &walk, &now), Err(ObjectError::NotBuilt));
    object.build(&walk, &now, &Build::REPLACE).unwrap();
    let pose = object.pose().clone();
    assert!(matches!(object.take_motion(&root, &walk, &frame), Err(ObjectError::OutOfRange(_))));
    let missing = ObjectError::Posing(PosingError::NoSuchBone { bone: 0 });
    assert_eq!(object.take_motion(&root, &boneless, &now), Err(missing));
    assert_eq!(object.pose(), &pose);
    object.set_model_space_pose(walk.skeleton.bind_model()).unwrap();
    assert_eq!(object.take_motion(&root, &walk, &now), Err(ObjectError::InModelSpace));
    let mut other = SkeletalObject::new(Arc::new(boneless), Space::Local);
    other.build(&walk, &now, &Build::REPLACE).unwrap();
    assert_eq!(other.take_motion(&root, &walk, &now), Err(ObjectError::NoSuchBone));
}

#[test]
fn animations_of_strange_numbers_move_nothing_that_is_not_finite() {
    let mut strange = Model::clone(&model(4, &[(ahead, true)]));
    strange.frames[4] = Mat3x4::from_translation(Vec3::new(f32::NAN, 1e30, f32::INFINITY));
    strange.frames[6] = Mat3x4::ZERO;
    let root = root(&strange);
    for step in 0..20 {
        let motion = root.between(&strange, 0, 0.0, f64::from(step) * 0.07).unwrap();
        assert!(motion.translation.is_finite() && motion.yaw.is_finite(), "{step}: {motion:?}");
    }
}
