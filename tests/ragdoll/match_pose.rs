//! Search for the pose from which a ragdoll gets up.

use crate::common::stage;
use crate::common::stage::Stage;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Animation, FrameState};
use skelobj::object::Build;
use skelobj::ragdoll::{Flinch, MatchError};
use skelobj::runtime::ModelId;
use skelobj::{Model, Ragdoll, assets};

fn get_ups() -> Model {
    Model::load("mannequin_getup.iqm", assets::MANNEQUIN_GETUP_IQM, |_| None).unwrap()
}

/// Returns a stage with a floor on which the mannequin has a pose of a model, and that model.
fn posed(model: Model, animation: usize, time: f64, origin: Vec3, angles: Vec3) -> (Stage, ModelId) {
    let mut stage = Stage::mannequin();
    (stage.entity.origin, stage.entity.angles) = (origin, angles);
    let model = stage.runtime.add_model("poses.iqm", model).unwrap();
    stage.runtime.build(stage.object, model, &FrameState::single(animation, time), &Build::REPLACE).unwrap();
    stage.command("doll mannequin.doll").unwrap();
    (stage, model)
}

#[test]
fn every_pose_is_found_where_it_stands() {
    let model = get_ups();
    for (animation, pose) in [(0, 0), (0, 17), (0, 60), (1, 0), (1, 30), (1, 66)] {
        let (origin, yaw) = (Vec3::new(-300.0, 200.0 + pose as f32, 40.0), 37.0 * pose as f32 % 360.0 - 180.0);
        let time = f64::from(pose) / 30.0;
        let (stage, id) = posed(model.clone(), animation, time, origin, Vec3::Y * yaw);
        let found = stage.runtime.match_pose(stage.object, id, &[1, 0], 0.1).unwrap();
        let off = (found.entity().angles.y - yaw + 540.0).rem_euclid(360.0) - 180.0;
        assert!(off.abs() < 0.1 && found.origin.distance(origin) < 0.1, "{found:?}, expected {origin} {yaw}");
        // Both animations end in the same pose.
        assert!(((found.animation, found.time) == (animation, time)) || pose >= 60, "{found:?}");
    }
}

#[test]
fn a_corpse_on_its_back_does_not_get_up_from_its_face() {
    let (mut far, mut near) = (f32::MAX, 0.0f32);
    for (throw, lies) in [(Vec3::X * -200.0, 0), (Vec3::X * 250.0, 1)] {
        for sideways in [-40.0, 0.0, 40.0] {
            let mut stage = Stage::mannequin();
            stage.build(0, 0.0);
            stage.command("animate 0").unwrap();
            let hit = throw + Vec3::Y * sideways;
            stage.runtime.add_ragdoll_velocity(stage.object, hit, Vec3::ZERO, Vec3::ZERO).unwrap();
            let chest = stage.body("chest");
            stage
                .runtime
                .ragdoll_impulse(stage.object, Some(chest.bone), chest.position, hit * 15.0, Flinch::default())
                .unwrap();
            for _ in 0..240 {
                stage.command("").unwrap();
                stage.step(1.0 / 60.0);
            }
            let id = stage.runtime.add_model("getup.iqm", get_ups()).unwrap();
            let first = |animation: usize| {
                let mut model = get_ups();
                model.animations[animation] = Animation::frames("lies", [0, 61][animation], 1, 30.0, false);
                stage.ragdoll().match_pose(&model, &[animation], 1e6, stage.runtime.physics()).unwrap().distance
            };
            let found = stage.runtime.match_pose(stage.object, id, &[0, 1], Ragdoll::NEAR_POSE).unwrap();
            assert_eq!(found.animation, lies, "{hit}");
            (near, far) = (near.max(found.distance), far.min(first(1 - lies)));
        }
    }
    assert!(near < far, "{near} {far}");
}

#[test]
fn unsuitable_searches_are_errors_with_a_reason() {
    let (stage, id) = posed(get_ups(), 0, 0.0, Vec3::ZERO, Vec3::ZERO);
    let search = |animations: &[usize], tolerance: f32| {
        let found = stage.runtime.match_pose(stage.object, id, animations, tolerance);
        found.map_err(|error| error.to_string())
    };
    let expect = |found: Result<_, String>, text: &str| {
        assert_eq!(found.map(|_: skelobj::ragdoll::PoseMatch| ()), Err(text.to_owned()))
    };
    expect(search(&[], 16.0), "no animation to compare the ragdoll with");
    expect(search(&[0, 2], 16.0), "animation 2 does not exist: the model has 2");
    for tolerance in [f32::NAN, f32::INFINITY, -1.0] {
        let error = search(&[0], tolerance).unwrap_err();
        assert!(error.starts_with("tolerance"), "{error}");
    }
    let mut other = skelobj::Runtime::default();
    let stranger = (0..4).map(|_| other.add_model("other.iqm", get_ups()).unwrap()).last().unwrap();
    assert_eq!(
        stage.runtime.match_pose(stage.object, stranger, &[0], 16.0).unwrap_err(),
        skelobj::runtime::RagdollCommandError::NoSuchModel
    );
    let idle = stage.runtime.match_pose(stage.object, stage.model, &[0], 16.0).unwrap_err();
    assert!(idle.to_string().starts_with("no animation comes near the ragdoll: animation 0 is "), "{idle}");
    let chain = stage::golden_model("chain.iqm");
    let error = stage.ragdoll().match_pose(&chain, &[0], 16.0, stage.runtime.physics()).unwrap_err();
    assert_eq!(error, MatchError::NoSuchBone("pelvis".into()));
}

#[test]
fn non_finite_poses_are_skipped() {
    let (stage, _) = posed(get_ups(), 0, 0.0, Vec3::ZERO, Vec3::ZERO);
    let mut model = get_ups();
    let bones = model.skeleton.len();
    for frame in [0, 1] {
        model.frames[frame * bones] = Mat3x4([f32::NAN; 12]);
    }
    let search = |model: &Model| stage.ragdoll().match_pose(model, &[0], 16.0, stage.runtime.physics());
    let found = search(&model).unwrap();
    assert!(found.time > 0.05 && found.distance < 1.0, "{found:?}");
    model.frames.fill(Mat3x4([f32::INFINITY; 12]));
    assert_eq!(search(&model), Err(MatchError::NotFinite));
    for rate in [0.0, -3.0, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE] {
        let mut model = get_ups();
        model.animations[0].rate = rate;
        let found = search(&model).unwrap();
        assert!(found.time == 0.0 && found.distance < 0.1, "{rate}: {found:?}");
    }
}

#[test]
fn poses_up_to_4096_of_an_animation_are_compared() {
    let mut model = stage::golden_model("chain.iqm");
    let bones = model.skeleton.len();
    let rest = model.skeleton.bind_local().to_vec();
    let mut away = rest.clone();
    away[1] = away[1] * Mat3x4::from_translation(Vec3::Z * 30.0);
    let mut stage = Stage::chain();
    stage.command("dollstring\nbody a link0\nbody b link1\nbody c link2\n").unwrap();
    model.bounds.clear();
    for (count, near, is_found) in [(4096, 4095, true), (3000, 1, true), (3000, 2999, true), (6000, 5999, false)] {
        model.frames = away.repeat(count);
        model.frames[near * bones..(near + 1) * bones].copy_from_slice(&rest);
        model.animations = vec![Animation::frames("long", 0, count as u32, 30.0, false)];
        let found = stage.ragdoll().match_pose(&model, &[0], 0.1, stage.runtime.physics());
        match found {
            Ok(found) => {
                assert!(is_found && (found.time * 30.0 - near as f64).abs() < 0.01, "{count} {near}: {found:?}")
            }
            Err(error) => assert!(!is_found && matches!(error, MatchError::TooFar { .. }), "{count} {near}: {error}"),
        }
    }
}

#[test]
fn the_pose_of_a_giant_is_found() {
    let mut stage = Stage::mannequin();
    stage.entity.scale = 3.0;
    stage.entity.angles.y = 90.0;
    let id = stage.runtime.add_model("getup.iqm", get_ups()).unwrap();
    stage.runtime.build(stage.object, id, &FrameState::single(1, 0.2), &Build::REPLACE).unwrap();
    stage.command("doll mannequin.doll").unwrap();
    let found = stage.runtime.match_pose(stage.object, id, &[0, 1], 1.0).unwrap();
    assert!((found.animation, found.time) == (1, 0.2) && found.origin.length() < 0.5, "{found:?}");
}

#[test]
fn of_equally_near_poses_the_first_animation_of_the_list_and_the_earliest_time_are_chosen() {
    let mut model = assets::mannequin();
    let bones = model.skeleton.len();
    let pose = |model: &Model, animation: usize, pose: usize| {
        let frame = model.animations[animation].frame_of(pose).unwrap();
        model.frames[frame * bones..(frame + 1) * bones].to_vec()
    };
    // Another pose first, then the same one three times; the second animation is the first one again.
    let [other, same] = [pose(&model, 3, 20), pose(&model, 0, 0)];
    model.frames = [other, same.clone(), same.clone(), same].concat();
    model.bounds.clear();
    let animation = |name| Animation::frames(name, 0, 4, 10.0, false);
    model.animations = vec![animation("first"), animation("second")];
    let (stage, id) = posed(model, 0, 0.2, Vec3::ZERO, Vec3::ZERO);
    for list in [[0, 1], [1, 0]] {
        let found = stage.runtime.match_pose(stage.object, id, &list, 0.1).unwrap();
        assert_eq!(found.animation, list[0]);
        assert!((found.time - 0.1).abs() < 1e-6, "{found:?}");
    }
}

#[test]
fn a_corpse_gets_up_without_the_arm_that_was_severed() {
    for (joint, first, names) in [
        ("shoulder_r", "upperarm_r", &["upperarm_r", "forearm_r", "hand_r"][..]),
        ("hip_l", "thigh_l", &["thigh_l", "shin_l", "foot_l"]),
        ("elbow_l", "forearm_l", &["forearm_l", "hand_l"]),
    ] {
        let mut stage = Stage::mannequin();
        stage.build(0, 0.0);
        stage.command("animate 0").unwrap();
        stage.command(&format!("enablejoint {joint} 0")).unwrap();
        let throw = Vec3::X * -90.0;
        stage.runtime.add_ragdoll_velocity(stage.object, throw, Vec3::ZERO, Vec3::ZERO).unwrap();
        let push = Vec3::new(200.0, -900.0, 100.0);
        names.iter().for_each(|name| stage.built(name).set_linvel(push, true));
        for _ in 0..240 {
            stage.command("").unwrap();
            stage.step(1.0 / 60.0);
        }
        let cut = stage.joints().into_iter().find(|found| found.name == *joint).unwrap();
        let apart = cut.anchors[0].distance(cut.anchors[1]);
        assert!(apart > 50.0 && (cut.gap, cut.excess, cut.twist_excess) == (0.0, [0.0; 2], 0.0), "{apart}: {cut:?}");
        assert!(stage.joints().iter().all(|joint| joint.gap < 1.0));

        let model = stage.runtime.add_model("getup.iqm", get_ups()).unwrap();
        let found = stage.runtime.match_pose(stage.object, model, &[0, 1], Ragdoll::NEAR_POSE).unwrap();
        stage.entity = found.entity();
        stage.entity.origin.z = 0.0;
        let lies = stage.body(first).position;
        for frame in 0..150u8 {
            let pose = FrameState::single(found.animation, found.time + f64::from(frame) / 60.0);
            stage.runtime.build(stage.object, model, &pose, &Build::REPLACE).unwrap();
            stage.command(if frame == 0 { "animate 1 0.6" } else { "" }).unwrap();
            stage.step(1.0 / 60.0);
        }
        let moved = stage.body(first).position.distance(lies);
        assert!(moved < 5.0, "{joint}: the severed limb moved by {moved}");
        let standing = stage.bodies().iter().filter(|body| body.strength == 1.0).count();
        assert_eq!(standing, stage.bodies().len() - names.len(), "{joint}");
        // A command for one body reaches it even so.
        stage.command(&format!("animatebody {first} 1")).unwrap();
        assert_eq!(stage.body(first).strength, 1.0);
    }
}
