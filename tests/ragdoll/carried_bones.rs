//! Bones without bodies, such as toes and collar bones: after a death, and when a character gets up.

use crate::common::stage::{Stage, difference};
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::object::Space;

const FRAME: f32 = 1.0 / 60.0;

/// Text of a doll without arms and feet, so that several bones in a row have no bodies.
const SMALL_DOLL: &str = "dollstring\nbody hips pelvis\nbody chest chest\nbody shin shin_l\nupdatejoint default\ntype \
                          point\njoint a hips chest\njoint b hips shin\n";

/// Returns the bones that no body drives.
fn bodiless(stage: &Stage) -> Vec<usize> {
    let bones = 0..stage.raw().len();
    bones.filter(|bone| stage.ragdoll().bone_body(*bone).is_none()).collect()
}

fn local(stage: &Stage, bones: &[usize]) -> Vec<Mat3x4> {
    let object = stage.runtime.object(stage.object).unwrap();
    bones.iter().map(|bone| object.local_space(*bone).unwrap()).collect()
}

/// Returns the largest turn between two lists of bones, radians.
fn turn(a: &[Mat3x4], b: &[Mat3x4]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.rotation().angle_between(b.rotation())).fold(0.0, f32::max)
}

/// Builds a frame of an animation and turns and scales some of its bones.
fn build_turned(stage: &mut Stage, frame: usize, angle: f32) {
    stage.build(0, frame as f32 * FRAME);
    let object = stage.runtime.object_mut(stage.object).unwrap();
    let turned = Mat3x4::from_rotation_translation(Quat::from_rotation_z(angle), Vec3::ZERO);
    for bone in ["toe_l", "clavicle_l", "forearm_r", "hand_r", "foot_l"] {
        let scale = if bone == "forearm_r" { 1.25 } else { 1.0 };
        let shape = turned * Mat3x4::from_translation_rotation_scale([0.0; 3], [0.0, 0.0, 0.0, 1.0], [scale; 3]);
        object.post_mul_bone(object.find_bone(bone).unwrap(), shape).unwrap();
    }
}

/// Returns a mannequin that lived for half a second, and the poses of its bones without bodies at the last build.
fn living(doll: &str) -> (Stage, Vec<usize>, Vec<Mat3x4>) {
    let mut stage = Stage::mannequin();
    build_turned(&mut stage, 0, 0.8);
    stage.command(doll).unwrap();
    let bones = bodiless(&stage);
    let mut built = Vec::new();
    for frame in 0..30 {
        build_turned(&mut stage, frame, 0.8);
        built = local(&stage, &bones);
        stage.command("").unwrap();
        stage.step(FRAME);
    }
    (stage, bones, built)
}

#[test]
fn bones_without_bodies_keep_the_pose_of_the_last_build() {
    let deaths = [
        ("doll mannequin.doll", "animate 0"),
        ("doll mannequin.doll", "animate 0 0.3"),
        ("doll mannequin.doll", "animatebody foot_l 0"),
        ("doll mannequin.doll", "enablejoint ankle_l 0"),
        (SMALL_DOLL, "animate 0"),
    ];
    for (doll, death) in deaths {
        let (mut stage, bones, built) = living(doll);
        assert!(bones.len() > 4, "{bones:?}");
        for frame in 0..60 {
            stage.command(if frame == 0 { death } else { "" }).unwrap();
            let off = difference(&local(&stage, &bones), &built);
            assert!(off < 1e-3, "{death}, frame {frame}: {off}");
            stage.step(FRAME);
        }
    }
}

#[test]
fn bones_without_bodies_keep_the_pose_of_a_source() {
    let (mut stage, bones, built) = living("doll mannequin.doll");
    let source = stage.runtime.create_object(stage.model, Space::Local).unwrap();
    let own = std::mem::replace(&mut stage.object, source);
    build_turned(&mut stage, 40, -0.5);
    let posed = local(&stage, &bones);
    stage.object = own;
    assert!(turn(&built, &posed) > 1.0);
    stage.command_from("animate 0", Some(source)).unwrap();
    for _frame in 0..5 {
        assert!(difference(&local(&stage, &bones), &posed) < 1e-3);
        stage.step(FRAME);
        stage.command("").unwrap();
    }
    // A corpse that is built shows what is built, at once.
    build_turned(&mut stage, 50, 0.3);
    let posed = local(&stage, &bones);
    stage.command("").unwrap();
    assert!(difference(&local(&stage, &bones), &posed) < 1e-3);
}

#[test]
fn bones_without_bodies_return_to_the_animation_with_the_body_that_carries_them() {
    let ways = [("animate 1 0.5", 0.5), ("animate 1", 0.3), ("animate 0.4", 0.3), ("animate 0.4 0.6", 0.6)];
    for doll in ["doll mannequin.doll", SMALL_DOLL] {
        for (revival, seconds) in ways {
            let (mut stage, bones, _) = living(doll);
            for frame in 0..90 {
                stage.command(if frame == 0 { "animate 0" } else { "" }).unwrap();
                stage.step(FRAME);
            }
            let lying = local(&stage, &bones);
            let frames = (seconds / FRAME).round() as usize;
            let mut before = lying.clone();
            for frame in 0..=frames + 1 {
                build_turned(&mut stage, 0, -0.8);
                let animated = local(&stage, &bones);
                assert!(turn(&lying, &animated) > 1.5);
                stage.command(if frame == 0 { revival } else { "" }).unwrap();
                let now = local(&stage, &bones);
                let step = turn(&before, &now);
                assert!(step < 1.5 * 1.6 / frames as f32, "{revival}, frame {frame}: {step} radians at once");
                if frame > frames {
                    assert!(difference(&now, &animated) < 2e-3, "{revival}: {}", difference(&now, &animated));
                }
                before = now;
                stage.step(FRAME);
            }
        }
    }
}

#[test]
fn bones_without_bodies_do_not_jump_when_a_way_up_is_cut_short() {
    let (mut stage, bones, _) = living("doll mannequin.doll");
    stage.command("animate 0").unwrap();
    for _frame in 0..30 {
        stage.command("").unwrap();
        stage.step(FRAME);
    }
    for frame in 0..15 {
        build_turned(&mut stage, 0, -0.8);
        stage.command(if frame == 0 { "animate 1 0.5" } else { "" }).unwrap();
        stage.step(FRAME);
    }
    let half_way = local(&stage, &bones);
    for frame in 0..10 {
        stage.command(if frame == 0 { "animate 0" } else { "" }).unwrap();
        assert!(turn(&local(&stage, &bones), &half_way) < 0.06, "frame {frame}");
        stage.step(FRAME);
    }
    // A time of 0 means at once.
    build_turned(&mut stage, 0, -0.8);
    let animated = local(&stage, &bones);
    stage.command("animate 1 0").unwrap();
    assert!(difference(&local(&stage, &bones), &animated) < 1e-3);
}

#[cfg(feature = "serde")]
#[test]
fn a_snapshot_holds_the_poses_of_bones_without_bodies() {
    let (mut stage, ..) = living("doll mannequin.doll");
    let mut settings = stage.runtime.settings();
    assert!(settings.keep_bones);
    let play = |stage: &mut Stage| {
        let mut shown = Vec::new();
        for frame in 0..60 {
            if frame >= 30 {
                build_turned(stage, 0, -0.8);
            }
            stage.command(if frame == 30 { "animate 1 0.5" } else { "" }).unwrap();
            shown.push(crate::common::stage::bits(&stage.raw()));
            stage.step(FRAME);
        }
        shown
    };
    stage.command("animate 0").unwrap();
    let mut middle = None;
    for seed in 0..2 {
        let snapshot = stage.runtime.snapshot();
        // What the runtime held meanwhile is gone.
        settings.keep_bones = false;
        stage.runtime.set_settings(settings).unwrap();
        build_turned(&mut stage, 5, 0.1);
        stage.command("").unwrap();
        stage.runtime.restore(&snapshot).unwrap();
        assert!(stage.runtime.settings().keep_bones);
        let shown = play(&mut stage);
        assert_eq!(middle.get_or_insert_with(|| shown.clone()), &shown, "restore {seed}");
        stage.runtime.restore(&snapshot).unwrap();
    }
}
