//! Snapshots: a restored runtime continues like the saved one, bit for bit.
#![cfg(feature = "serde")]

use crate::common::scene::{STEPS_600, Scene, chain, mannequin};
use crate::common::stage;
use crate::common::stage::{Stage, assert_same};
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, FrameState, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::physics::rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder, SphericalJointBuilder};
use skelobj::physics::{LevelError, Liquid, LiquidVolume};
use skelobj::ragdoll::Command;
use skelobj::runtime::{Snapshot, SnapshotError, Trace};
use skelobj::{Model, Runtime};

fn to_bytes(snapshot: &Snapshot) -> Vec<u8> {
    snapshot.to_bytes().unwrap()
}

fn from_bytes(bytes: &[u8]) -> Snapshot {
    Snapshot::from_bytes(bytes).unwrap()
}

#[test]
fn taking_a_snapshot_changes_nothing() {
    let (mut with, mut without) = (Scene::new(), Scene::new());
    for _ in 0..4 {
        let snapshot = with.runtime.snapshot();
        to_bytes(&snapshot);
        assert_same(&without.watch(30), &with.watch(30));
    }
}

/// Saves after `frames`, and compares the following frames in the same runtime and in new ones.
fn goes_on_alike(frames: usize) -> Scene {
    let mut scene = Scene::new();
    scene.run(frames);
    let snapshot = scene.runtime.snapshot();
    let bytes = to_bytes(&snapshot);
    let then = scene.restored(&snapshot);
    let mut through_bytes = scene.restored(&from_bytes(&bytes));
    assert_eq!(to_bytes(&through_bytes.runtime.snapshot()), bytes);
    assert_eq!(through_bytes.bits(), scene.bits());
    let expected = scene.watch(STEPS_600);
    let end = to_bytes(&scene.runtime.snapshot());
    assert_same(&expected, &through_bytes.watch(STEPS_600));
    assert!(to_bytes(&through_bytes.runtime.snapshot()) == end, "the same bytes after 600 steps");
    // And back in time.
    scene.restore(&snapshot, &then);
    assert_same(&expected, &scene.watch(STEPS_600));
    assert!(to_bytes(&scene.runtime.snapshot()) == end, "the same bytes after 600 steps again");
    assert!(expected.windows(2).all(|pair| pair[0] != pair[1]), "something moves in every frame");
    scene
}

#[test]
fn a_restored_game_continues_identically_in_mid_fall() {
    goes_on_alike(60);
}

#[test]
fn a_restored_game_continues_identically_with_sleeping_ragdolls() {
    let mut scene = Scene::new();
    scene.run(420);
    assert!((1..5).contains(&scene.asleep()), "{} asleep", scene.asleep());
    goes_on_alike(420);
}

#[test]
fn a_snapshot_between_commands_and_the_step_goes_on_alike() {
    // In frame 0 dolls are created; later joints are released and caught.
    for frames in [0, 36, 190] {
        let mut scene = Scene::new();
        scene.run(frames);
        scene.command();
        let snapshot = scene.runtime.snapshot();
        let mut restored = [scene.restored(&snapshot), scene.restored(&from_bytes(&to_bytes(&snapshot)))];
        scene.finish_frame();
        let expected = scene.watch(60);
        for restored in &mut restored {
            restored.finish_frame();
            assert_same(&expected, &restored.watch(60));
        }
    }
}

#[test]
fn joints_changed_just_before_the_snapshot_are_known() {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.3);
    stage.command("doll mannequin.doll").unwrap();
    stage.command("animate 0").unwrap();
    stage.command("enablejoint elbow_l 0").unwrap();
    stage.command("enablejoint hip_r 0").unwrap();
    stage.step(0.1);
    stage.command("enablejoint elbow_l 1").unwrap();
    stage.command("enablejoint waist 0").unwrap();
    let bytes = to_bytes(&stage.runtime.snapshot());
    let fall = |stage: &mut Stage| {
        let mut bits = Vec::new();
        for _ in 0..300 {
            stage.step(1.0 / 60.0);
            stage.command("").unwrap();
            bits.push(stage::bits(&stage.raw()));
        }
        assert!(stage.ragdoll().is_asleep(stage.runtime.physics()));
        bits
    };
    let expected = fall(&mut stage);
    stage.runtime.restore(&from_bytes(&bytes)).unwrap();
    assert_same(&expected, &fall(&mut stage));
}

#[test]
fn a_host_joint_created_just_before_the_snapshot_is_saved() {
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_floor(0.0).unwrap();
    let world = runtime.physics_mut().world_mut();
    let ball = |x: f32| RigidBodyBuilder::dynamic().translation(Vec3::new(x, 0.0, 4.0)).angular_damping(9.0);
    let run = |runtime: &mut Runtime, frames: usize| {
        for _ in 0..frames {
            runtime.step(1.0 / 60.0).unwrap();
        }
    };
    let [one, two] = [0.0, 12.0].map(|x| world.insert(ball(x), ColliderBuilder::ball(4.0)).0);
    run(&mut runtime, 60);
    let joint = SphericalJointBuilder::new().local_anchor1(Vec3::X * 6.0).local_anchor2(Vec3::X * -6.0);
    runtime.physics_mut().world_mut().insert_impulse_joint(one, two, joint);
    let bytes = to_bytes(&runtime.snapshot());
    let woken_together = |runtime: &mut Runtime| {
        run(runtime, 240);
        let asleep = |runtime: &Runtime| [one, two].map(|body| runtime.physics().world().bodies[body].is_sleeping());
        assert_eq!(asleep(runtime), [true; 2]);
        runtime.physics_mut().world_mut().wake_up(two, true);
        runtime.step(1.0 / 60.0).unwrap();
        asleep(runtime) == [false; 2]
    };
    assert!(woken_together(&mut runtime));
    runtime.restore(&from_bytes(&bytes)).unwrap();
    assert!(woken_together(&mut runtime));
}

#[test]
fn a_ragdoll_that_was_just_deleted_stays_away() {
    let mut scene = Scene::new();
    scene.run(60);
    scene.delete(1);
    let snapshot = scene.runtime.snapshot();
    let mut restored = scene.restored(&snapshot);
    let mut through_bytes = scene.restored(&from_bytes(&to_bytes(&snapshot)));
    let expected = scene.watch(120);
    assert_same(&expected, &restored.watch(120));
    assert_same(&expected, &through_bytes.watch(120));
}

#[test]
fn a_deleted_object_is_freed_at_the_end_of_its_frame() {
    let mut runtime = Runtime::default();
    let model = runtime.add_model("chain", chain()).unwrap();
    let object = runtime.create_object(model, Space::Local).unwrap();
    runtime.delete_object(object).unwrap();
    let snapshot = from_bytes(&to_bytes(&runtime.snapshot()));
    runtime.flush_deleted();
    assert!(runtime.object(object).is_none());
    runtime.restore(&snapshot).unwrap();
    assert_eq!(runtime.objects().next().map(|(id, _)| id), Some(object));
    runtime.flush_deleted();
    assert_eq!((runtime.object(object).is_none(), runtime.objects().count()), (true, 0));
    // The next ids are those that would have come next.
    let next = runtime.create_object(model, Space::Local).unwrap();
    assert_eq!(next.get(), 2);
    assert_ne!(next, object);
}

#[test]
fn objects_of_a_removed_model_come_back_where_one_is_left() {
    let mut runtime = Runtime::default();
    let [row, hero] =
        [("chain", chain()), ("hero", mannequin())].map(|(name, model)| runtime.add_model(name, model).unwrap());
    let objects = [row, hero, row].map(|model| runtime.create_object(model, Space::Local).unwrap());
    runtime.remove_model(row);
    let snapshot = from_bytes(&to_bytes(&runtime.snapshot()));
    assert!(snapshot.models().eq(["hero"]));
    runtime.delete_object(objects[2]).unwrap();
    runtime.flush_deleted();
    runtime.restore(&snapshot).unwrap();
    assert_eq!(objects.map(|id| runtime.object(id).map(|object| object.bone_count())), [Some(6), Some(21), Some(6)]);
    let mut other = Runtime::default();
    other.add_model("hero", mannequin()).unwrap();
    assert_eq!(other.restore(&snapshot), Err(SnapshotError::RemovedModel { bones: 6 }));
    assert_eq!(other.objects().count(), 0);
}

#[test]
fn bones_stay_where_they_are_in_memory() {
    let mut runtime = Runtime::default();
    let model = runtime.add_model("chain", chain()).unwrap();
    let object = runtime.create_object(model, Space::Local).unwrap();
    let snapshot = runtime.snapshot();
    let bones = |runtime: &Runtime| runtime.object(object).unwrap().pose().bones().as_ptr();
    let before = bones(&runtime);
    runtime.object_mut(object).unwrap().bones_mut()[0] = Mat3x4::IDENTITY;
    runtime.restore(&snapshot).unwrap();
    assert_eq!(bones(&runtime), before);
    assert!(!runtime.object(object).unwrap().is_built());
}

#[test]
fn a_world_whose_steps_the_host_changed_is_read_again() {
    for dt in [1.0 / 30.0, 1.0 / 200.0] {
        let mut stage = Stage::mannequin();
        stage.build(0, 0.3);
        stage.command("doll mannequin.doll").unwrap();
        stage.runtime.physics_mut().world_mut().integration_parameters.dt = dt;
        for _ in 0..8 {
            stage.step(1.0 / 72.0);
            from_bytes(&to_bytes(&stage.runtime.snapshot()));
        }
        // An invalid clock stops nothing.
        for ahead in [f64::INFINITY, f64::NAN, 1e300, -1.0] {
            assert_eq!(stage.runtime.end_steps(ahead).is_ok(), ahead.is_finite());
            from_bytes(&to_bytes(&stage.runtime.snapshot()));
            assert!((0..20).map(|_| stage.step(0.1)).sum::<usize>() > 0, "{ahead}");
        }
    }
}

#[test]
fn models_that_could_not_be_read_again_are_not_written() {
    let mut runtime = Runtime::default();
    runtime.physics_mut().world_mut().gravity.x = f32::NAN;
    let snapshot = runtime.snapshot();
    let error = snapshot.to_bytes().unwrap_err().to_string();
    assert_eq!(error, "a snapshot whose bodies do not fit together");
    // In memory it can be kept.
    assert!(Runtime::default().restore(&snapshot).is_ok());
}

#[test]
fn models_are_found_by_name_and_compared_by_their_bones() {
    let mut runtime = Runtime::default();
    let model = runtime.add_model("hero", mannequin()).unwrap();
    runtime.create_object(model, Space::Local).unwrap();
    let snapshot = runtime.snapshot();
    assert!(snapshot.models().eq(["hero"]));
    let restored = |models: &[(&str, Model)]| {
        let mut runtime = Runtime::default();
        for (name, model) in models {
            runtime.add_model(*name, model.clone()).unwrap();
        }
        let first = runtime.models().next().unwrap().0;
        let one = runtime.create_object(first, Space::Model).unwrap();
        let result = runtime.restore(&snapshot);
        // A refused snapshot changed nothing.
        let untouched = runtime.object(one).is_some_and(|object| !object.pose().is_local());
        assert_eq!(untouched, result.is_err());
        result.map_err(|error| (error.to_string(), error))
    };
    assert_eq!(restored(&[("hero", chain()), ("hero", mannequin())]), Ok(()));
    let (text, error) = restored(&[("villain", mannequin())]).unwrap_err();
    assert_eq!(error, SnapshotError::MissingModel { name: "hero".to_owned() });
    assert_eq!(text, "the snapshot needs the model hero, which was not added");
    let (text, error) = restored(&[("hero", chain())]).unwrap_err();
    let bones = mannequin().skeleton.len();
    assert_eq!(error, SnapshotError::OtherModel { name: "hero".to_owned(), expected: bones, found: 6 });
    assert_eq!(text, format!("the model hero has 6 bones, the snapshot's had {bones}"));
    // A different name, parent or number of the bind pose makes a different model.
    let changed = |change: fn(&mut Bone)| {
        let model = mannequin();
        let skeleton = &model.skeleton;
        let bone = |number: usize| Bone {
            name: skeleton.name(number).unwrap().clone(),
            parent: skeleton.parent(number),
            bind: skeleton.bind_local()[number],
        };
        let mut bones: Vec<Bone> = (0..skeleton.len()).map(bone).collect();
        change(&mut bones[5]);
        Model { skeleton: Skeleton::new(bones).unwrap(), ..model }
    };
    assert_eq!(restored(&[("hero", changed(|_| {}))]), Ok(()));
    let changes: [fn(&mut Bone); 3] =
        [|bone| bone.name = "x".into(), |bone| bone.parent = None, |bone| bone.bind.0[3] += 0.5];
    for change in changes {
        let (text, error) = restored(&[("hero", changed(change))]).unwrap_err();
        assert_eq!(error, SnapshotError::OtherModel { name: "hero".to_owned(), expected: bones, found: bones });
        assert!(text.contains("names, parents or bind pose"), "{text}");
    }
}

#[test]
fn bodies_objects_models_and_names_lead_to_each_other_after_a_restore() {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.3);
    stage.command("doll mannequin.doll").unwrap();
    stage.runtime.set_user_data(stage.object, 7).unwrap();
    let sea = LiquidVolume::behind(&[(Vec3::Z, -500.0)]).unwrap();
    let sea = stage.runtime.physics_mut().add_water(sea, Liquid::WATER).unwrap();
    stage.runtime.physics_mut().set_water_user_data(sea, 8).unwrap();
    let floor = stage.runtime.physics().level_bodies().next().unwrap();
    stage.runtime.physics_mut().set_level_body_user_data(floor, u64::MAX).unwrap();
    let bytes = to_bytes(&stage.runtime.snapshot());
    let mut restored = Runtime::default();
    // Here the model has another id.
    restored.add_model("chain", chain()).unwrap();
    let model = restored.add_model("mannequin.iqm", mannequin()).unwrap();
    restored.restore(&from_bytes(&bytes)).unwrap();
    assert_ne!(model, stage.model);
    assert_eq!((restored.model_of(stage.object), restored.user_data(stage.object)), (Some(model), Some(7)));
    assert_eq!(restored.model_by_name("mannequin.iqm"), Some(model));
    let physics = restored.physics();
    let floors = physics.level_bodies().map(|body| (body, physics.level_body_user_data(body)));
    assert_eq!(floors.collect::<Vec<_>>(), [(floor, Some(u64::MAX))]);
    let waters = physics.waters().map(|(water, found)| (water, found.user_data()));
    assert_eq!(waters.collect::<Vec<_>>(), [(sea, 8)]);
    let owners = |runtime: &Runtime| {
        let world = runtime.physics().world();
        let bodies = world.bodies.iter().map(|(body, _)| runtime.body_owner(body));
        let colliders = world.colliders.iter().map(|(collider, _)| runtime.collider_owner(collider));
        (bodies.collect::<Vec<_>>(), colliders.collect::<Vec<_>>())
    };
    let (bodies, colliders) = owners(&restored);
    assert!(bodies.iter().chain(&colliders).all(Option::is_some));
    assert_eq!((bodies, colliders), owners(&stage.runtime));
    let bodies = stage.bodies();
    for (number, body) in bodies.iter().enumerate() {
        let line = Trace::line(body.position + Vec3::X * 200.0, body.position - Vec3::X * 200.0);
        let hit = restored.trace(&line).unwrap().unwrap();
        assert_eq!(hit.object, Some(stage.object), "{number}");
    }
    restored.physics_mut().remove_level_body(floor).unwrap();
    assert_eq!(restored.physics().level_body_user_data(floor), None);
    assert_eq!(restored.physics_mut().set_level_body_user_data(floor, 1), Err(LevelError::NoSuchBody));
}

#[test]
fn springs_go_on_as_they_were() {
    let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    let model = runtime.model_by_name("mannequin.iqm").unwrap();
    let skeleton = &runtime.model(model).unwrap().skeleton;
    let arm = skelobj::pose::Spring::parse(skeleton, "upperarm_l, hand_l").unwrap();
    let swing = |runtime: &mut Runtime, frame: usize| {
        let entity = Mat3x4::from_translation(Vec3::X * (0.3 * (frame * frame) as f32)); // ever faster
        runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
        runtime.object_mut(object).unwrap().swing(&arm, &entity, 0.02).unwrap();
        runtime.object(object).unwrap().pose().bones().to_vec()
    };
    (0..10).for_each(|frame| drop(swing(&mut runtime, frame)));
    let snapshot = from_bytes(&to_bytes(&runtime.snapshot()));
    let wanted: Vec<_> = (10..20).map(|frame| swing(&mut runtime, frame)).collect();
    runtime.restore(&snapshot).unwrap();
    let again: Vec<_> = (10..20).map(|frame| swing(&mut runtime, frame)).collect();
    assert_eq!(again, wanted);
    runtime.object_mut(object).unwrap().reset_springs();
    assert_ne!(swing(&mut runtime, 10), wanted[0], "a spring that begins anew differs");
}

#[test]
fn feet_go_on_as_they_were() {
    let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    runtime.physics_mut().add_box(Vec3::X * 150.0, Vec3::new(200.0, 99.0, 32.0), Quat::IDENTITY).unwrap();
    let model = runtime.model_by_name("mannequin.iqm").unwrap();
    let skeleton = &runtime.model(model).unwrap().skeleton;
    let legs = "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r";
    let feet = skelobj::pose::Feet::parse(skeleton, legs).unwrap();
    let step = |runtime: &mut Runtime, frame: usize| {
        let x = 40.0 + frame as f32; // past the edge at 50
        let entity = Mat3x4::from_translation(Vec3::new(x, 0.0, if x > 50.0 { 16.0 } else { 0.0 }));
        let walk = FrameState::single(1, frame as f64 * 0.02);
        runtime.build(object, model, &walk, &Build::REPLACE).unwrap();
        runtime.place_feet(object, &feet, &entity, 0.02).unwrap();
        runtime.object(object).unwrap().pose().bones().to_vec()
    };
    (0..15).for_each(|frame| drop(step(&mut runtime, frame)));
    let snapshot = from_bytes(&to_bytes(&runtime.snapshot()));
    let wanted: Vec<_> = (15..25).map(|frame| step(&mut runtime, frame)).collect();
    runtime.restore(&snapshot).unwrap();
    let again: Vec<_> = (15..25).map(|frame| step(&mut runtime, frame)).collect();
    assert_eq!(again, wanted);
    runtime.restore(&snapshot).unwrap();
    runtime.object_mut(object).unwrap().reset_feet();
    assert_ne!(step(&mut runtime, 15), wanted[0], "feet that begin anew differ");
}

/// Bones may hold numbers up to 1e30, and their ragdoll is saved as everything else is.
#[test]
fn absurd_poses_are_saved_and_restored() {
    for far in [1e6, 1e12, 9e29f32] {
        for scale in [1e-3, 1.0, 1e3] {
            let (mut runtime, object) = skelobj::assets::mannequin_runtime();
            let entity = Mat3x4::from_translation_rotation_scale([0.0; 3], [0.0, 0.0, 0.0, 1.0], [scale; 3]);
            for frame in 0..6 {
                let posed = runtime.object_mut(object).unwrap();
                let bone = 3 + 4 * frame % 17;
                posed.set_bone(bone, Mat3x4::from_translation(Vec3::splat(far))).unwrap();
                let command = if frame == 4 { Command::Animate(0.0, None) } else { Command::Update };
                let _ = runtime.ragdoll_command(object, &entity, command, None);
                runtime.step(1.0 / 60.0).unwrap();
                let bytes = runtime.snapshot().to_bytes().unwrap();
                let snapshot = Snapshot::from_bytes(&bytes);
                assert!(snapshot.is_ok(), "{far} at scale {scale}, frame {frame}: {snapshot:?}");
                runtime.restore(&snapshot.unwrap()).unwrap();
            }
        }
    }
}

#[test]
fn a_restore_takes_the_settings_and_keeps_limits_files_and_warnings() {
    use skelobj::runtime::Settings;

    let saved = |change: fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        settings
    };
    let old = saved(|settings| {
        settings.mesh_roll = -1.0;
        settings.physics.gravity = Vec3::Y * 5.0;
        settings.physics.step = 1.0 / 90.0;
        settings.load.limits.bones = 7;
        settings.max_bones = 500;
    });
    let new = saved(|settings| {
        settings.load.limits.bones = 30;
        settings.max_bones = 40;
    });
    let snapshot = from_bytes(&to_bytes(&Runtime::new(old).unwrap().snapshot()));
    let mut runtime = Runtime::new(new).unwrap();
    runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| skelobj::assets::MANNEQUIN_IQM.to_vec()));
    let model = runtime.load_model("mannequin.iqm").unwrap();
    let object = runtime.create_object(model, Space::Local).unwrap();
    runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
    let doll = "dollstring\nbody head head\nnonsense\n";
    let error = runtime.ragdoll_command(object, &Mat3x4::IDENTITY, doll, None).unwrap_err();
    assert!(error.to_string().ends_with("the limit is 40"), "{error}");
    runtime.restore(&snapshot).unwrap();
    let mut expected = old;
    (expected.load, expected.max_bones) = (new.load, new.max_bones);
    assert_eq!(runtime.settings(), expected);
    assert_eq!(runtime.physics().world().gravity, Vec3::Y * 5.0);
    assert_eq!(runtime.take_warnings().len(), 1);
    // Ids that came after the snapshot mean nothing until they are given out again.
    assert!(runtime.object(object).is_none() && runtime.model(model).is_some());
    runtime.load_model("mannequin.iqm").unwrap();
    assert_eq!(runtime.create_object(model, Space::Local), Ok(object));
    assert!(runtime.create_object(model, Space::Local).is_err(), "the limit of this runtime");
}
