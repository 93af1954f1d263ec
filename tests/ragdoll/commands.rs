//! Commands of skel_ragupdate: results and effects; a failing command changes nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::common::stage::{Stage, bits, difference, golden_model};
use skelobj::math::{EntityTransform, Mat3x4, Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::physics::{CollisionGroups, PhysicsSettings};
use skelobj::ragdoll::{Command, RagdollError};
use skelobj::runtime::{ObjectId, RagdollCommandError, Warning};

/// State that a command can change.
#[derive(PartialEq, Debug)]
struct Dump {
    relative: bool,
    bones: Vec<u32>,
    doll: Option<(Vec<String>, usize, Vec<bool>)>,
    bodies: usize,
    joints: usize,
}

fn dump(stage: &Stage) -> Dump {
    let object = stage.runtime.object(stage.object).unwrap();
    let physics = stage.runtime.physics();
    Dump {
        relative: object.pose().is_local(),
        bones: bits(object.pose().bones()),
        doll: stage.runtime.ragdoll(stage.object).map(|ragdoll| {
            let names = ragdoll.doll().bodies.iter().map(|body| body.name.to_string()).collect();
            (names, ragdoll.animated_bodies(), ragdoll.joints(physics).map(|joint| joint.is_enabled).collect())
        }),
        bodies: physics.world().bodies.len(),
        joints: physics.world().impulse_joints.len(),
    }
}

/// Adds a second object of the stage's model in an animation.
fn second(stage: &mut Stage, space: Space) -> ObjectId {
    let id = stage.runtime.create_object(stage.model, space).unwrap();
    stage.runtime.build(id, stage.model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
    id
}

#[track_caller]
fn assert_fails(stage: &mut Stage, command: &str, source: Option<ObjectId>) -> RagdollCommandError {
    let before = dump(stage);
    let error = stage.command_from(command, source).expect_err(command);
    assert_eq!(dump(stage), before, "`{command}` failed and yet changed something");
    assert!(!error.to_string().is_empty());
    error
}

#[test]
fn commands_before_any_doll_fail_and_change_nothing() {
    let mut stage = Stage::chain();
    for command in ["", "animate 1", "animate 0", "animatebody b0 1", "enablejoint j0 0"] {
        let error = assert_fails(&mut stage, command, None);
        assert_eq!(
            error.to_string(),
            "the object has no doll, and neither models/chain.iqm.doll nor models/chain.doll exists",
            "{command}"
        );
    }
    assert_eq!(stage.command("cleardoll"), Ok(0));
    assert!(stage.runtime.object(stage.object).unwrap().pose().is_local());
}

#[test]
fn unknown_commands_are_refused_with_a_list_of_all() {
    for text in ["explode", "dol chain_point.doll", "animate1", "\"\""] {
        let error = Command::parse(text).unwrap_err();
        assert!(Command::USAGE.iter().all(|usage| error.to_string().contains(usage)), "{text}: {error}");
    }
}

#[test]
fn doll_puts_a_doll_on_the_bones_and_turns_them_to_model_space() {
    let mut stage = Stage::chain();
    stage.entity = EntityTransform::new(Vec3::new(100.0, 50.0, 20.0), Vec3::new(10.0, 20.0, 30.0));
    let before = stage.bones();
    assert_eq!(stage.command("doll chain_point.doll"), Ok(1));
    assert!(!stage.runtime.object(stage.object).unwrap().pose().is_local());
    assert!(difference(&stage.raw(), &before) < 1e-4);
    assert_eq!(stage.bodies().len(), 6);
    assert_eq!(stage.command(""), Ok(1));
    assert!(difference(&stage.raw(), &before) < 1e-4);
    // Positions of FTE's bodies in the same call.
    let anchor = stage.joints()[0].anchors[0];
    assert!(anchor.distance(Vec3::new(117.776_22, 3.261_125_6, 108.065)) < 0.01, "{anchor}");
}

#[test]
fn missing_and_empty_dolls_fail_and_leave_the_doll_that_is_there() {
    let mut stage = Stage::chain();
    for doll in [false, true] {
        if doll {
            assert_eq!(stage.command("doll chain_point.doll"), Ok(1));
            stage.step(0.1);
        }
        let error = assert_fails(&mut stage, "doll nosuch.doll", None);
        assert_eq!(error, RagdollCommandError::NoSuchFile("nosuch.doll".into()));
        for command in
            ["doll empty.doll", "doll onlyjoints.doll", "dollstring", "dollstring\n", "dollstring body x nobone"]
        {
            let error = assert_fails(&mut stage, command, None);
            assert_eq!(error, RagdollCommandError::Unusable(RagdollError::NoBodies), "{command}");
        }
        assert_eq!(assert_fails(&mut stage, "doll", None), RagdollCommandError::NotPlainPath(String::new()));
    }
    assert!(stage.runtime.take_warnings().iter().any(|report| matches!(report, Warning::Doll { .. })));
}

#[test]
fn a_doll_replaces_a_doll_and_the_same_again_changes_nothing() {
    let mut stage = Stage::chain();
    assert_eq!(stage.command("doll chain_point.doll"), Ok(1));
    stage.step(0.2);
    let moving = stage.body("b5").velocity;
    assert!(moving.length() > 50.0);
    assert_eq!(stage.command("doll chain_point.doll"), Ok(1));
    assert_eq!(stage.body("b5").velocity, moving);
    let bodies = stage.runtime.physics().world().bodies.len();
    assert_eq!(stage.command("doll chain_hinge.doll"), Ok(1));
    assert_eq!(stage.runtime.physics().world().bodies.len(), bodies);
    assert_eq!(stage.body("b5").velocity, Vec3::ZERO);
    // A text always makes a new doll.
    stage.step(0.2);
    for _ in 0..2 {
        assert_eq!(stage.command("dollstring\nbody only link2"), Ok(1));
        assert_eq!((stage.bodies().len(), stage.runtime.physics().world().bodies.len()), (1, 1));
    }
}

#[test]
fn dollstring_may_begin_on_its_own_line_or_the_next() {
    for text in [
        "dollstring\nbody x link0\nbody y link1\n",
        "dollstring body x link0\nbody y link1\n",
        "DollString\r\nbody x link0\r\nbody y link1\r\n",
        "dollstring\n\n// two bodies\nbody x link0\nbody y link1",
    ] {
        let mut stage = Stage::chain();
        assert_eq!(stage.command(text), Ok(1), "{text:?}");
        assert_eq!(stage.bodies().len(), 2, "{text:?}");
    }
}

#[test]
fn bad_lines_of_a_dollstring_are_reported_and_good_ones_count() {
    let mut stage = Stage::chain();
    assert_eq!(stage.command("dollstring\nbody b0 nobone\nbody b1 link1\nfoo bar\n"), Ok(1));
    assert_eq!(stage.bodies()[0].name, *"b1");
    let lines: Vec<usize> = stage
        .runtime
        .take_warnings()
        .into_iter()
        .map(|report| match report {
            Warning::Doll { problem, .. } => problem.line,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(lines, [1, 3]);
}

#[test]
fn words_of_commands_ignore_case_and_names_do_not() {
    let mut stage = Stage::chain();
    assert_eq!(stage.command("DOLL chain_point.doll"), Ok(1));
    assert_eq!(stage.command("AnimateBody b1 1"), Ok(1));
    assert!(matches!(assert_fails(&mut stage, "animateBODY B2 1", None), RagdollCommandError::NoSuchBody { .. }));
    assert_eq!(stage.command("ANIMATE 0"), Ok(1));
    assert_eq!(stage.command("EnableJoint j0 0"), Ok(1));
    assert!(matches!(assert_fails(&mut stage, "enablejoint J0 0", None), RagdollCommandError::NoSuchJoint { .. }));
    assert_eq!(stage.command("ClearDoll"), Ok(1));
}

#[test]
fn names_that_are_not_utf_8_stay_bytes() {
    let mut stage = Stage::chain();
    let doll = b"dollstring\nbody b\xfcste link0\nanimate 0\nbody b link1\n";
    let run = |stage: &mut Stage, text: &[u8]| {
        let command = Command::parse(text).unwrap();
        assert_eq!(matches!(command, Command::Text(_)), std::str::from_utf8(text).is_err());
        stage.runtime.ragdoll_command(stage.object, &Mat3x4::IDENTITY, command, None)
    };
    assert_eq!(run(&mut stage, doll), Ok(1));
    assert_eq!(run(&mut stage, b"animatebody b\xfcste 1"), Ok(2));
    assert!(matches!(run(&mut stage, b"animatebody b\xfcst 1"), Err(RagdollCommandError::NoSuchBody { .. })));
    assert_eq!(run(&mut stage, b"animatebody b 0"), Ok(1));
    assert_eq!(Command::parse(b"\xfc").unwrap_err().word, b"\xfc");
}

#[test]
fn animatebody_counts_the_animated_bodies() {
    let mut stage = Stage::chain();
    assert_eq!(stage.command("doll chain_point.doll"), Ok(1));
    for (command, count) in [
        ("animatebody b1 1", 1),
        ("animatebody b2 0.5", 2),
        ("animatebody b1 1", 2),
        ("animatebody b1 0", 1),
        ("animatebody b1", 1),
        ("animatebody b2 junk", 0),
        ("animatebody b2 -1", 0),
        ("animatebody b2 nan", 0),
    ] {
        assert_eq!(stage.command(command), Ok(count), "{command}");
        assert_eq!(stage.ragdoll().animated_bodies(), count as usize, "{command}");
    }
    for command in ["animatebody nosuch 1", "animatebody"] {
        let error = assert_fails(&mut stage, command, None);
        assert!(matches!(error, RagdollCommandError::NoSuchBody { .. }), "{command}: {error}");
    }
}

#[test]
fn animate_scales_what_the_doll_says() {
    let mut stage = Stage::chain();
    let doll = "dollstring\nbody x link0\nanimate 0.5\nbody y link1\nanimate 0\nbody z link2\n";
    assert_eq!(stage.command(doll), Ok(1));
    for (command, strengths) in [
        ("animate 1", [0.5, 0.0, 1.0]),
        ("animate 0.5", [0.25, 0.0, 0.5]),
        ("animate", [0.0; 3]),
        ("animate 2", [1.0, 0.0, 2.0]),
        ("animate abc", [0.0; 3]),
        ("animate 1", [0.5, 0.0, 1.0]),
        ("animate -1", [0.0; 3]),
    ] {
        assert_eq!(stage.command(command), Ok(1), "{command}");
        let now: Vec<f32> = stage.bodies().iter().map(|body| body.strength).collect();
        assert_eq!(now, strengths, "{command}");
    }
}

#[test]
fn enablejoint_needs_a_joint_and_disables_it_without_a_value() {
    let mut stage = Stage::chain();
    assert_eq!(stage.command("doll chain_point.doll"), Ok(1));
    assert!(matches!(assert_fails(&mut stage, "enablejoint nosuch 1", None), RagdollCommandError::NoSuchJoint { .. }));
    for (command, enabled) in [("enablejoint j0 0", false), ("enablejoint j0 1", true), ("enablejoint j0", false)] {
        assert_eq!(stage.command(command), Ok(1), "{command}");
        assert_eq!(stage.joints()[0].is_enabled, enabled, "{command}");
    }
}

#[test]
fn cleardoll_takes_the_doll_and_leaves_the_bones() {
    let mut stage = Stage::chain();
    assert_eq!(stage.command("doll chain_point.doll"), Ok(1));
    stage.step(0.2);
    stage.command("").unwrap();
    let bones = stage.raw();
    assert_eq!(stage.command("cleardoll"), Ok(1));
    assert_eq!(stage.command("cleardoll"), Ok(0));
    assert_eq!(bits(&stage.raw()), bits(&bones));
    let object = stage.runtime.object(stage.object).unwrap();
    assert!(!object.pose().is_local());
    assert_eq!(stage.runtime.physics().world().bodies.len(), 0);
    // Building returns the object to local space.
    stage.build(0, 0.0);
    assert!(stage.runtime.object(stage.object).unwrap().pose().is_local());
}

#[test]
fn the_animation_source_must_be_another_relative_object() {
    let mut stage = Stage::chain();
    let own = stage.object;
    for doll in [false, true] {
        if doll {
            assert_eq!(stage.command("doll chain_point.doll"), Ok(1));
        }
        for command in ["", "doll chain_hinge.doll", "dollstring body x link0"] {
            assert_eq!(assert_fails(&mut stage, command, Some(own)), RagdollCommandError::SourceIsSelf, "{command}");
        }
        let absolute = stage.runtime.create_object(stage.model, Space::Model).unwrap();
        assert_eq!(assert_fails(&mut stage, "", Some(absolute)), RagdollCommandError::SourceNotLocal);
    }
    // Commands that only change the doll need no source.
    for command in ["animate 1", "animate 1 2", "animatebody b0 0", "enablejoint j0 0", "muscle 0", "cleardoll"] {
        assert!(stage.command_from(command, Some(own)).is_ok(), "{command}");
    }
    assert!(stage.runtime.ragdoll(own).is_none());
    assert_eq!(stage.command("doll chain_point.doll"), Ok(1));
    // A removed ragdoll counts as none.
    let gone = second(&mut stage, Space::Local);
    stage.runtime.delete_object(gone).unwrap();
    stage.runtime.flush_deleted();
    assert_eq!(stage.command_from("", Some(gone)), Ok(1));
}

#[test]
fn an_object_that_was_never_built_starts_in_the_pose_of_its_source() {
    let mut stage = Stage::new("chain.iqm", golden_model("chain.iqm"), PhysicsSettings::default());
    let source = stage.runtime.create_object(stage.model, Space::Local).unwrap();
    for command in ["doll chain_point.doll", "dollstring body x link0"] {
        for source in [None, Some(source)] {
            let error = assert_fails(&mut stage, command, source);
            assert_eq!(error, RagdollCommandError::Unusable(RagdollError::NotBuilt));
        }
    }
    let frame = FrameState::single(0, 0.5);
    stage.runtime.build(source, stage.model, &frame, &Build::REPLACE).unwrap();
    assert_fails(&mut stage, "doll chain.doll", Some(source)); // no such file
    assert!(!stage.runtime.object(stage.object).unwrap().is_built());
    assert_eq!(stage.command_from("doll chain_point.doll", Some(source)), Ok(1));
    let bones = |id| {
        let object = stage.runtime.object(id).unwrap();
        (0..object.bone_count()).map(|bone| object.model_space(bone).unwrap()).collect::<Vec<_>>()
    };
    for (own, source) in bones(stage.object).into_iter().zip(bones(source)) {
        assert!(own.origin().distance(source.origin()) < 1e-3, "{own:?} {source:?}");
    }
}

#[test]
fn a_model_has_the_default_doll_of_its_full_name_then_of_its_stem() {
    for (there, expected) in [
        (vec!["models/foo.iqm.doll", "models/foo.doll"], Some("models/foo.iqm.doll")),
        (vec!["models/foo.doll"], Some("models/foo.doll")),
        (vec!["foo.doll", "models/foo.iqm", "models.doll"], None),
    ] {
        for command in ["", "animate 1", "animatebody b 1", "enablejoint j 0", "muscle 1", "musclejoint j 1"] {
            let mut stage = Stage::new("models/foo.iqm", golden_model("chain.iqm"), PhysicsSettings::default());
            stage.build(0, 0.0);
            let read = Arc::new(Mutex::new(None));
            let (seen, files) = (read.clone(), there.clone());
            stage.runtime.set_files(move |name: &str| {
                let found = files.iter().find(|file| **file == name)?;
                *seen.lock().unwrap() = Some(found.to_string());
                Some(b"body b link0\nbody c link1\njoint j b c\ntype point\n".to_vec())
            });
            let result = stage.command(command);
            assert_eq!(result.is_ok(), expected.is_some(), "{command} with {there:?}: {result:?}");
            assert_eq!(read.lock().unwrap().as_deref(), expected, "{command}");
            assert_eq!(stage.runtime.ragdoll(stage.object).is_some(), expected.is_some());
        }
    }
}

#[test]
fn a_missing_or_empty_default_doll_is_requested_once_until_dolls_are_reloaded() {
    for (contents, asked) in [(None, 2), (Some("# nothing"), 1), (Some("joint j a b"), 1)] {
        let mut stage = Stage::new("models/foo.iqm", golden_model("chain.iqm"), PhysicsSettings::default());
        stage.build(0, 0.0);
        let game = Arc::new(Mutex::new((0, contents)));
        let files = game.clone();
        stage.runtime.set_files(move |_: &str| {
            let (reads, there) = &mut *files.lock().unwrap();
            *reads += 1;
            there.map(|text| text.as_bytes().to_vec())
        });
        for round in 1..=3 {
            for command in ["", "", "animate 1", ""] {
                let result = stage.command(command);
                assert!(result.is_err(), "{contents:?}: {result:?}");
            }
            assert_eq!(game.lock().unwrap().0, round * asked, "{contents:?}");
            let reported = stage.runtime.take_warnings().len();
            assert_eq!(reported > 0, contents.is_some(), "{contents:?}");
            stage.runtime.reload_dolls();
        }
        // A later file is found by asking again.
        game.lock().unwrap().1 = Some("body b link0");
        assert!(stage.runtime.precache_doll(stage.model).is_some());
        stage.command("").unwrap();
    }
}

#[test]
fn a_default_doll_that_came_late_is_found_once_the_host_says_that_files_have_changed() {
    let mut stage = Stage::new("models/foo.iqm", golden_model("chain.iqm"), PhysicsSettings::default());
    stage.build(0, 0.0);
    let there = Arc::new(AtomicBool::new(false));
    let files = there.clone();
    stage.runtime.set_files(move |name: &str| {
        (name == "models/foo.doll" && files.load(Ordering::Relaxed)).then(|| b"body b link0\n".to_vec())
    });
    let error = stage.command("").unwrap_err();
    let RagdollCommandError::NoDoll { asked_for: Some(files) } = &error else { panic!("{error:?}") };
    assert_eq!(**files, ["models/foo.iqm.doll", "models/foo.doll"]);
    there.store(true, Ordering::Relaxed);
    assert_eq!(stage.command(""), Err(error), "nobody has said so yet");
    stage.runtime.reload_dolls();
    assert_eq!(stage.command(""), Ok(1));
}

#[test]
fn a_missing_default_doll_is_requested_again_when_the_file_source_changes() {
    let mut stage = Stage::new("models/foo.iqm", golden_model("chain.iqm"), PhysicsSettings::default());
    stage.build(0, 0.0);
    assert!(stage.command("").is_err());
    stage.runtime.set_files(|name: &str| (name == "models/foo.doll").then(|| b"body b link0\n".to_vec()));
    assert_eq!(stage.command(""), Ok(1));
}

#[test]
fn a_failed_command_does_not_leave_a_default_doll_behind() {
    for command in ["enablejoint nosuch 0", "animatebody nosuch 1"] {
        let mut stage = Stage::new("models/foo.iqm", golden_model("chain.iqm"), PhysicsSettings::default());
        stage.build(0, 0.0);
        let before = dump(&stage);
        stage.runtime.set_files(|name: &str| (name == "models/foo.doll").then(|| b"body b link0\n".to_vec()));
        let result = stage.command(command);
        let unknown =
            matches!(result, Err(RagdollCommandError::NoSuchJoint { .. } | RagdollCommandError::NoSuchBody { .. }));
        assert!(unknown, "{result:?}");
        assert_eq!(dump(&stage), before);
    }
}

#[test]
fn dead_objects_have_no_ragdoll() {
    let mut stage = Stage::chain();
    assert_eq!(stage.command("doll chain_point.doll"), Ok(1));
    stage.runtime.delete_object(stage.object).unwrap();
    assert_eq!(stage.command(""), Ok(1), "it is there until the frame ends");
    stage.runtime.flush_deleted();
    assert_eq!(stage.command(""), Err(RagdollCommandError::NoSuchObject));
    assert_eq!(stage.runtime.physics().world().bodies.len(), 0);
}

/// Sets a doll with bodies at the hips and chest of the mannequin and none at the head.
fn half_a_doll(stage: &mut Stage) {
    let doll = "dollstring\nbody hips pelvis\nanimate 0\nbody chest chest\nanimate 0\njoint j hips chest\ntype fixed\n";
    assert_eq!(stage.command(doll), Ok(1));
}

fn relative_head(stage: &Stage) -> Mat3x4 {
    let object = stage.runtime.object(stage.object).unwrap();
    object.local_space(object.find_bone(b"head").unwrap()).unwrap()
}

#[test]
fn bones_without_bodies_take_the_source_then_what_was_built_then_the_pose_of_the_setting() {
    for keep_bones in [true, false] {
        check_bones_without_bodies(keep_bones);
    }
}

fn check_bones_without_bodies(keep_bones: bool) {
    let mut stage = Stage::mannequin();
    let mut settings = stage.runtime.settings();
    settings.keep_bones = keep_bones;
    stage.runtime.set_settings(settings).unwrap();
    let (death, run) = (stage.animation("death"), stage.animation("run"));
    stage.build(0, 0.0);
    half_a_doll(&mut stage);
    let head = stage.bone("head");
    let built = relative_head(&stage);
    let source = stage.runtime.create_object(stage.model, Space::Local).unwrap();
    // A pose of each type, easy to distinguish.
    let turned =
        |angle: f32| Mat3x4::from_rotation_translation(Quat::from_rotation_x(angle), Vec3::new(0.0, 0.0, angle));
    let bind = stage.runtime.object(stage.object).unwrap().model().skeleton.bind_local()[head];
    stage.runtime.build(source, stage.model, &FrameState::single(death, 0.9), &Build::REPLACE).unwrap();
    stage.runtime.object_mut(source).unwrap().set_bone(head, turned(0.5)).unwrap();
    let near = |a: Mat3x4, b: Mat3x4| difference(&[a], &[b]) < 1e-3;

    stage.step(0.05);
    assert_eq!(stage.command(""), Ok(1));
    let kept = |last| if keep_bones { last } else { bind };
    assert!(near(relative_head(&stage), kept(built)), "nothing was built");
    assert_eq!(stage.command_from("", Some(source)), Ok(1));
    assert!(near(relative_head(&stage), turned(0.5)), "the source");
    assert_eq!(stage.command(""), Ok(1));
    assert!(near(relative_head(&stage), kept(turned(0.5))), "the source counts only while it is given");
    stage.build(run, 0.2);
    stage.runtime.object_mut(stage.object).unwrap().set_bone(head, turned(1.0)).unwrap();
    assert_eq!(stage.command(""), Ok(1));
    assert!(near(relative_head(&stage), turned(1.0)), "what was built since");
    stage.build(run, 0.2);
    assert_eq!(stage.command_from("", Some(source)), Ok(1));
    assert!(near(relative_head(&stage), turned(0.5)), "the source before what was built");
    assert_eq!(stage.command(""), Ok(1));
    assert!(near(relative_head(&stage), kept(turned(0.5))), "what was built before the last update is spent");
}

#[test]
fn a_source_with_fewer_bones_gives_what_it_has() {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    half_a_doll(&mut stage);
    let small = stage.runtime.add_model("three.iqm", golden_model("three.iqm")).unwrap();
    let source = stage.runtime.create_object(small, Space::Local).unwrap();
    stage.runtime.build(source, small, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
    let bones = stage.runtime.object(source).unwrap().bone_count();
    assert!(bones < stage.bone("head"));
    let before = relative_head(&stage);
    assert_eq!(stage.command_from("", Some(source)), Ok(1));
    assert!(difference(&[relative_head(&stage)], &[before]) < 1e-3);
    stage.assert_finite("with a small source");
}

#[test]
fn an_animated_body_without_an_update_holds_its_pose() {
    let mut stage = Stage::chain();
    assert_eq!(stage.command("doll chain_point.doll"), Ok(1));
    assert_eq!(stage.command("animatebody b0 1"), Ok(1));
    let before = stage.body("b0");
    let mut lowest = f32::MAX;
    for _ in 0..60 {
        stage.step(1.0 / 60.0);
        lowest = lowest.min(stage.body("b5").position.z);
    }
    let after = stage.body("b0");
    assert!(after.position.distance(before.position) < 1e-3, "{} {}", before.position, after.position);
    let end = stage.body("b5").position;
    assert!(lowest < before.position.z - 60.0, "the others hang on it: {lowest}");
    assert!(end.distance(before.position) < 85.0, "{end}");
}

/// Returns the chain on an edited doll that two of its files have in turn, 100 units up.
fn edited(first: &str, second: &str) -> (Stage, Arc<AtomicBool>) {
    let mut stage = Stage::new("models/foo.iqm", golden_model("chain.iqm"), PhysicsSettings::default());
    stage.build(0, 0.0);
    let is_edited = Arc::new(AtomicBool::new(false));
    let (files, texts) = (is_edited.clone(), [first.as_bytes().to_vec(), second.as_bytes().to_vec()]);
    stage.runtime.set_files(move |name: &str| {
        (name == "models/foo.doll").then(|| texts[usize::from(files.load(Ordering::Relaxed))].clone())
    });
    (stage, is_edited)
}

#[test]
fn an_edited_doll_keeps_velocities_muscles_groups_and_what_a_frame_suspends() {
    let text = "body a link0\nsize 4\nbody b link1\nanimate 0\nsize 4\njoint j a b\npivot link0\ntype hinge\nLoStop 1\nHiStop -1\nmuscle 1000000\n";
    let limp = 32768.0;
    for drops_muscle in [false, true] {
        let (mut stage, is_edited) = edited(text, &format!("{text}updatebody b\nmass 2\n"));
        let object = stage.object;
        let entity = stage.runtime.settings().entity_matrix(&stage.entity);
        stage.command("").unwrap();
        if drops_muscle {
            stage.command("muscle 0").unwrap();
        }
        stage.runtime.set_ragdoll_groups(object, CollisionGroups::CORPSES).unwrap();
        stage.built("b").set_linvel(Vec3::new(3.0, 5.0, -7.0), true);
        stage.built("b").set_angvel(Vec3::new(0.1, 0.2, 0.3), true);
        is_edited.store(true, Ordering::Relaxed);
        assert_eq!(stage.runtime.reload_dolls(), 1);
        let b = stage.body("b");
        assert_eq!((b.velocity, b.angular_velocity), (Vec3::new(3.0, 5.0, -7.0), Vec3::new(0.1, 0.2, 0.3)));
        assert_eq!(stage.runtime.ragdoll_groups(object), Some(CollisionGroups::CORPSES));
        assert_eq!(stage.body("a").strength, 1.0);
        // The muscle holds the arm up, or has been slack since before the edit.
        for _ in 0..60 {
            stage.command("").unwrap();
            stage.step(1.0 / 60.0);
        }
        let sag = stage.body("b").rotation.angle_between(Quat::IDENTITY);
        assert!((sag > 0.5) == drops_muscle, "{sag}");

        stage.runtime.update_default_ragdoll(object, &entity, limp).unwrap();
        assert_eq!(stage.body("a").strength, 0.0);
        is_edited.store(false, Ordering::Relaxed);
        assert_eq!(stage.runtime.reload_dolls(), 1);
        assert_eq!(stage.body("a").strength, 0.0, "still suspended");
        stage.runtime.update_default_ragdoll(object, &entity, 0.0).unwrap();
        assert_eq!(stage.body("a").strength, 1.0, "the strength from before");
    }
}

#[test]
fn bodies_and_joints_that_were_meant_are_named() {
    let mut stage = Stage::chain();
    assert_eq!(stage.command("dollstring\nbody kn\u{e9}e link0\nbody b link1\njoint elbow_l b\ntype hinge\n"), Ok(1));
    for (command, told) in [
        ("animatebody knee 1", "the doll has no body `knee`"),
        ("animatelimb Kn\u{e9}e 0", "the doll has no body `Kn\u{e9}e`, did you mean `kn\u{e9}e`?"),
        ("animatebody tail 1", "the doll has no body `tail`"),
        ("animatebody", "the doll has no body ``"),
        ("enablejoint elbow 0", "the doll has no joint `elbow`"),
        ("enablejoint elbowl 0", "the doll has no joint `elbowl`, did you mean `elbow_l`?"),
        ("musclejoint ELBOW_L 0.5", "the doll has no joint `ELBOW_L`, did you mean `elbow_l`?"),
        ("musclejoint b 0.5", "the doll has no joint `b`"),
    ] {
        assert_eq!(assert_fails(&mut stage, command, None).to_string(), told, "{command}");
    }
}
