//! Invalid input: no non-finite number reaches a bone, and the runtime continues.

use crate::common::stage;
use std::sync::Arc;

use crate::common::stage::{Rig, Stage, fastest, golden, golden_model, physics_with};
use skelobj::doll::{Body, Doll, Joint, JointKind, Offset, ReferencePose, Shape, Stops};
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::physics::rapier3d::prelude::RigidBody;
use skelobj::physics::{Physics, PhysicsSettings, UserData};
use skelobj::ragdoll::{Flinch, RagdollError};
use skelobj::runtime::{BodyOwner, RagdollCommandError, Warning};
use skelobj::{Ragdoll, Runtime, assets};

fn standing(animate: &str) -> Stage {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    stage.command(animate).unwrap();
    stage
}

fn frames(stage: &mut Stage, count: usize, when: &str) -> f32 {
    let mut fast = 0.0f32;
    for _ in 0..count {
        stage.command("").unwrap();
        stage.assert_finite(when);
        stage.step(1.0 / 72.0);
        stage.assert_finite(when);
        fast = fast.max(fastest(&stage.bodies()));
    }
    stage.command("").unwrap();
    stage.assert_finite(when);
    fast
}

#[test]
fn a_teleport_moves_the_doll_without_a_kick() {
    let far = Vec3::new(10_000.0, -3000.0, 0.0);
    // Animated, pulled, limp in the air.
    for command in ["animate 1", "animate 0.5", "animate 0"] {
        let mut stage = standing(command);
        frames(&mut stage, 6, command);
        let before: Vec<Vec3> = stage.bodies().iter().map(|body| body.position).collect();
        let speed = fastest(&stage.bodies());
        stage.entity.origin += far;
        stage.entity.angles.y = 90.0;
        if command != "animate 0" {
            stage.build(0, 0.1);
        }
        stage.command("").unwrap();
        let shown = stage.raw();
        let jumped: Vec<Vec3> = stage.bodies().iter().map(|body| body.position).collect();
        let apart = jumped
            .iter()
            .zip(&before)
            .map(|(now, then)| now.distance(far + Quat::from_rotation_z(std::f32::consts::FRAC_PI_2) * *then));
        let apart = apart.fold(0.0, f32::max);
        let fast = frames(&mut stage, 6, "after a jump");
        assert!(apart < 0.1, "{command}: {apart}");
        assert!(fast < speed + 120.0, "{command}: {speed} {fast}");
        let head = shown[stage.bone("head")].origin();
        assert!(
            (head.z - 55.0).abs() < 10.0 && head.truncate().length() < 15.0,
            "{command}: in model space nothing moved: {head}"
        );
    }
}

#[test]
fn a_teleport_moves_a_sleeping_corpse_and_drops_it() {
    let mut stage = standing("animate 0");
    frames(&mut stage, 6 * 72, "falling");
    assert!(stage.ragdoll().is_asleep(stage.runtime.physics()));
    let pelvis = stage.body("pelvis").position;
    stage.entity.origin += Vec3::new(10_000.0, 0.0, 30.0);
    stage.command("").unwrap();
    let moved = stage.body("pelvis").position;
    assert!(moved.distance(pelvis + Vec3::new(10_000.0, 0.0, 30.0)) < 0.1, "{moved}");
    let fast = frames(&mut stage, 4 * 72, "dropped");
    assert!(fast < 320.0, "{fast}");
    let lies = stage.body("pelvis").position;
    assert!(lies.z < 12.0 && (lies.x - moved.x).abs() < 60.0, "{lies}");
}

#[test]
fn an_entity_that_follows_its_corpse_moves_nothing() {
    // Games move the entity to the position of the body, sometimes in one jump.
    let mut stage = standing("animate 0");
    stage.built("pelvis").set_linvel(Vec3::X * 3000.0, true);
    frames(&mut stage, 3 * 72, "flung");
    let pelvis = stage.body("pelvis").position;
    assert!(pelvis.x > 150.0, "{pelvis}");
    stage.entity.origin = pelvis;
    stage.command("").unwrap();
    assert!(stage.body("pelvis").position.distance(pelvis) < 0.01);
    let bone = stage.raw()[stage.bone("pelvis")].origin();
    assert!(bone.length() < 1.0, "the bone is near the entity now: {bone}");
}

#[test]
fn a_fast_train_is_not_a_teleport() {
    let mut stage = standing("animate 1");
    let mut speed = 0.0;
    for frame in 0..72 {
        stage.entity.origin.x = 1500.0 * frame as f32 / 72.0;
        stage.build(0, 0.0);
        stage.command("").unwrap();
        stage.step(1.0 / 72.0);
        speed = stage.body("head").velocity.x;
    }
    assert!((speed - 1500.0).abs() < 30.0, "{speed}");
    stage.command("animate 0").unwrap();
    stage.step(1.0 / 120.0);
    let (centre, _) = stage.motion();
    assert!((centre.x - 1500.0).abs() < 50.0, "{centre}");
}

#[test]
fn steady_motion_is_not_a_teleport_however_fast() {
    for speed in [3000.0, 6000.0, 10_000.0] {
        for rate in [60.0, 72.0, 100.0] {
            let mut stage = standing("animate 1");
            let mut velocity = 0.0;
            for frame in 0..36 {
                stage.entity.origin.x = speed * frame as f32 / rate;
                stage.build(0, 0.0);
                stage.command("").unwrap();
                stage.step(1.0 / rate);
                velocity = stage.body("head").velocity.x;
            }
            assert!((velocity / speed - 1.0).abs() < 0.02, "{speed} at {rate} Hz: {velocity}");
            stage.command("animate 0").unwrap();
            stage.step(1.0 / 120.0);
            let (centre, _) = stage.motion();
            assert!((centre.x / speed - 1.0).abs() < 0.02, "{speed} at {rate} Hz: {centre}");
        }
    }
}

#[test]
fn jumps_within_a_fast_motion_are_teleports() {
    let mut stage = standing("animate 1");
    for frame in 0..72 {
        let jump = if frame < 36 { Vec3::ZERO } else { Vec3::new(-4000.0, 500.0, 0.0) };
        stage.entity.origin = Vec3::X * (1500.0 * frame as f32 / 72.0) + jump;
        stage.build(0, 0.0);
        stage.command("").unwrap();
        stage.step(1.0 / 72.0);
        let fast = fastest(&stage.bodies());
        assert!(fast < 1800.0, "frame {frame}: {fast}");
    }
}

#[test]
fn an_entity_without_a_size_is_an_error_and_changes_nothing() {
    use skelobj::ragdoll::RagdollError;
    let mut stage = standing("animate 1");
    frames(&mut stage, 5, "before");
    let before = stage.raw();
    for scale in [1e-39, f32::NAN, f32::INFINITY] {
        stage.entity.scale = scale;
        for command in ["", "animate 0", "enablejoint waist 0"] {
            let refused = stage.command(command);
            assert_eq!(refused, Err(RagdollCommandError::Unusable(RagdollError::UnusableEntity)), "{scale} {command}");
        }
        assert_eq!(stage.raw(), before);
    }
    assert_eq!(stage.ragdoll().drive_strength(), 1.0);
    stage.entity.scale = 1.0;
    frames(&mut stage, 5, "after");
    assert!(stage.command("cleardoll").is_ok());
}

#[test]
fn odd_frame_times_are_harmless() {
    for command in ["animate 1", "animate 0.4", "animate 0"] {
        let mut stage = standing(command);
        frames(&mut stage, 20, "before");
        let times =
            [0.0, 1e-6, 1.0, f32::NAN, -1.0, 1e-30, 1e30, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE, 100.0];
        let mut fast = 0.0f32;
        for (number, time) in times.into_iter().cycle().take(times.len() * 3).enumerate() {
            if command != "animate 0" {
                stage.build(0, number as f32 / 72.0);
            }
            stage.command("").unwrap();
            let stepped = stage.runtime.step(time);
            assert_eq!(stepped.is_ok(), time.is_finite() && time >= 0.0, "{time}");
            let steps = stepped.map_or(0, |stepped| stepped.steps);
            assert!(steps <= 13, "{time}: {steps}");
            assert!(steps == 0 || time >= 1e-6, "{time}: {steps}");
            stage.assert_finite("odd times");
            fast = fast.max(fastest(&stage.bodies()));
        }
        assert!(fast < 700.0, "{command}: {fast}");
    }
}

#[test]
fn many_tiny_frames_are_as_long_as_one_of_their_length() {
    let fallen = |times: usize| {
        let mut stage = Stage::chain();
        stage.command("doll chain_point.doll").unwrap();
        for _ in 0..times {
            stage.command("").unwrap();
            stage.step(0.25 / times as f32);
        }
        // Shown beyond the simulated time.
        stage.command("").unwrap();
        stage.raw()[0].origin().z
    };
    let [coarse, fine] = [15, 2500].map(fallen);
    assert!((coarse - fine).abs() < 0.2, "{coarse} {fine}");
}

#[test]
fn an_entity_at_a_non_finite_place_leaves_the_doll_alone() {
    for command in ["animate 1", "animate 0.5", "animate 0"] {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, 3e38] {
            for field in 0..2 {
                let mut stage = standing(command);
                frames(&mut stage, 6, "before");
                let good = stage.entity;
                let v = Vec3::new(1.0, bad, 2.0);
                match field {
                    0 => stage.entity.origin = v,
                    _ => stage.entity.angles = v,
                }
                for _ in 0..3 {
                    stage.build(0, 0.1);
                    let _ = stage.command("");
                    stage.assert_finite("nowhere");
                    stage.step(1.0 / 72.0);
                    stage.assert_finite("nowhere");
                }
                stage.entity = good;
                stage.build(0, 0.1);
                frames(&mut stage, 30, "back");
                let chest = stage.body("chest").position;
                if !bad.is_finite() {
                    assert!(chest.length() < 200.0, "{command} {bad} {field}: {chest}");
                }
                assert!(!stage.ragdoll().is_asleep(stage.runtime.physics()) || command == "animate 1");
            }
        }
    }
}

#[test]
fn no_doll_is_made_nowhere() {
    for bad in [f32::NAN, f32::INFINITY, 3e38] {
        let mut stage = Stage::chain();
        stage.entity.origin.x = bad;
        let result = stage.command("doll chain_point.doll");
        if !bad.is_finite() {
            assert!(matches!(result, Err(RagdollCommandError::Unusable(_))), "{bad}: {result:?}");
            assert_eq!(stage.runtime.physics().world().bodies.len(), 0);
        }
        stage.step(0.1);
        stage.assert_finite("nowhere");
        stage.entity.origin.x = 0.0;
        stage.build(0, 0.0);
        assert_eq!(stage.command("doll chain_point.doll"), Ok(1));
        frames(&mut stage, 10, "somewhere");
    }
}

#[test]
fn non_finite_bones_never_become_bodies() {
    for bad in [f32::NAN, f32::INFINITY, 1e30] {
        for at in [3, 0] {
            // Written before the doll is created.
            let mut stage = Stage::mannequin();
            stage.build(0, 0.0);
            let shin = stage.bone("shin_l");
            stage.runtime.object_mut(stage.object).unwrap().bones_mut()[shin].0[at] = bad;
            let made = stage.command("doll mannequin.doll");
            if bad.is_nan() || bad.is_infinite() {
                assert!(matches!(made, Err(RagdollCommandError::Unusable(_))), "{bad}: {made:?}");
            }
            // Written while the doll is animated or pulled.
            for strength in ["animate 1", "animate 0.5"] {
                let mut stage = standing(strength);
                frames(&mut stage, 5, "before");
                for _ in 0..5 {
                    stage.build(0, 0.0);
                    stage.runtime.object_mut(stage.object).unwrap().bones_mut()[shin].0[at] = bad;
                    stage.command("").unwrap();
                    for body in stage.bodies() {
                        assert!(body.position.is_finite() && body.velocity.is_finite());
                    }
                    stage.step(1.0 / 72.0);
                    for body in stage.bodies() {
                        assert!(body.position.is_finite() && body.velocity.is_finite());
                    }
                }
                stage.build(0, 0.0);
                frames(&mut stage, 60, "healed");
                if !bad.is_finite() {
                    assert!(stage.body("chest").position.length() < 200.0, "{bad} {at} {strength}");
                }
            }
        }
    }
}

fn poison(body: &mut RigidBody, how: usize) {
    let nan = Vec3::splat(f32::NAN);
    match how {
        0 => body.apply_impulse(nan, true),
        1 => body.apply_torque_impulse(nan, true),
        2 => body.set_linvel(nan, true),
        3 => body.set_angvel(Vec3::X * f32::INFINITY, true),
        4 => body.set_translation(nan, true),
        5 => body.set_translation(Vec3::X * f32::INFINITY, true),
        6 => body.add_force(nan, true),
        7 => body.set_next_kinematic_translation(nan),
        8 => body.set_linvel(Vec3::X * 1e20, true),
        9 => body.set_angvel(Vec3::X * 1e20, true),
        _ => body.add_torque(Vec3::X * f32::INFINITY, true),
    }
}

#[test]
fn a_body_with_a_non_finite_state_is_restored_and_counted() {
    for command in ["animate 0", "animate 0.5", "animate 1"] {
        for how in 0..=10 {
            let mut stage = standing(command);
            // A corpse that has moved away from where it was created.
            frames(&mut stage, if command == "animate 0" { 60 } else { 5 }, "before");
            let before = stage.body("hand_l").position;
            poison(stage.built("hand_l"), how);
            for _ in 0..4 {
                let _ = stage.command("");
                for bone in stage.raw() {
                    assert!(bone.0.iter().all(|v| v.is_finite()), "{command} {how}");
                }
                stage.step(1.0 / 60.0); // every frame has a step, which finds the poison
                stage.assert_finite(&format!("{command}, poison {how}"));
            }
            let recovered = stage.ragdoll().resets();
            let put = stage.body("hand_l").position;
            frames(&mut stage, 72, "after");
            // Not again in every step.
            assert!(recovered <= 16 * 2, "{command} {how}: {recovered}");
            if how < 7 && command != "animate 1" {
                assert!(recovered > 0, "{command} {how}");
                assert!(put.distance(before) < 40.0, "{command} {how}: {before} {put}");
            }
            assert!(stage.widest_gap() < 3.0, "{command} {how}: {}", stage.widest_gap());
            assert!(stage.body("chest").position.length() < 400.0 || how >= 8, "{command} {how}");
            assert!(
                stage.runtime.physics().world().bodies.iter().all(|(_, body)| body.is_enabled()),
                "{command} {how}"
            );
        }
    }
}

#[test]
fn every_doll_that_kills_ftes_server_gives_a_problem_and_the_runtime_goes_on() {
    let file = std::fs::read(golden("rag_fatal.json")).unwrap();
    let golden: serde_json::Value = serde_json::from_slice(&file).unwrap();
    let mut cases = 0;
    for case in golden["cases"].as_array().unwrap() {
        let name = case["case"].as_str().unwrap();
        let model = case["model"].as_str().unwrap();
        let mut stage = Stage::new(model, golden_model(model), PhysicsSettings::default());
        let mut refused = false;
        for line in case["script"].as_array().unwrap() {
            let words: Vec<&str> = line.as_str().unwrap().split('\t').collect();
            match words[..] {
                ["call", "skel_build", .., add] => {
                    let add: f32 = add.strip_prefix("f:").unwrap().parse().unwrap();
                    let frame = skelobj::model::FrameState::single(0, 0.0);
                    let build = skelobj::object::Build { add, ..skelobj::object::Build::REPLACE };
                    stage.runtime.build(stage.object, stage.model, &frame, &build).unwrap();
                }
                ["call", "skel_ragupdate", _, command, _] => {
                    let command = command.strip_prefix("s:").unwrap().replace("\\n", "\n");
                    refused |= stage.command(&command).is_err();
                }
                ["phys", ..] => {
                    stage.step(0.01);
                }
                _ => {}
            }
        }
        let reports = stage.runtime.take_warnings();
        let lines: Vec<usize> = reports
            .iter()
            .filter_map(|report| match report {
                Warning::Doll { problem, .. } => Some(problem.line),
                _ => None,
            })
            .collect();
        if case["script"].to_string().contains("dollstring") {
            assert!(!lines.is_empty() && lines.iter().all(|line| *line > 0), "{name}: {reports:?}");
        } else if name.starts_with("unbuilt") {
            assert!(refused, "{name}");
        }
        // The runtime continues.
        if stage.runtime.ragdoll(stage.object).is_some() {
            frames(&mut stage, 30, name);
        }
        stage.build(0, 0.0);
        assert_eq!(stage.command("doll chain_hinge.doll"), Ok(1), "{name}");
        frames(&mut stage, 30, name);
        cases += 1;
    }
    assert_eq!(cases, 9);
}

/// Returns a doll on the chain that falls onto a floor for a second and a half.
fn survives(what: &str, doll: Doll) -> f32 {
    let mut stage = Stage::chain();
    stage.runtime.physics_mut().add_floor(60.0).unwrap();
    let doll = Arc::new(doll);
    stage.build(0, 0.0);
    if stage.runtime.set_ragdoll(stage.object, &Mat3x4::IDENTITY, &doll).is_err() {
        return 0.0;
    }
    let mut fast = 0.0f32;
    for frame in 0..108 {
        stage.command(if frame == 0 { "animate 0" } else { "" }).unwrap();
        stage.assert_finite(what);
        stage.step(1.0 / 72.0);
        stage.assert_finite(what);
        fast = fast.max(fastest(&stage.bodies()));
    }
    for joint in stage.joints() {
        let _ = (joint.gap, joint.excess);
    }
    let recovered = stage.ragdoll().resets();
    assert!(recovered < 40, "{what}: {recovered} put back");
    fast
}

fn chain(kind: JointKind, edit: impl Fn(usize, &mut Body, Option<&mut Joint>)) -> Doll {
    let mut doll = Doll::default();
    for number in 0..6usize {
        let mut body = Body::new(format!("b{number}").as_str().into(), format!("link{number}").as_str().into());
        let mut joint = (number > 0).then(|| Joint::new("j".into(), kind, number - 1, Some(number)));
        if let Some(joint) = &mut joint {
            joint.stops = [Stops { lo: -0.5, hi: 0.5 }; 2];
        }
        edit(number, &mut body, joint.as_mut());
        doll.bodies.push(body);
        doll.joints.extend(joint);
    }
    doll
}

const BAD: [f32; 9] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, 1e-30, 1e30, 1e-6, f32::MAX];

#[test]
fn bodies_of_code_with_any_size_and_mass_stay_finite() {
    for shape in Shape::ALL {
        for bad in BAD {
            let fast = survives(
                &format!("{shape:?} of size {bad}"),
                chain(JointKind::Point, |number, body, _| {
                    body.shape = shape;
                    if number == 2 {
                        body.size = [bad; 3];
                    }
                }),
            );
            assert!(fast < 2000.0, "{shape:?} {bad}: {fast}");
        }
    }
    for bad in BAD {
        let fast = survives(
            &format!("mass {bad}"),
            chain(JointKind::Hinge, |number, body, _| {
                body.size = [14.0, 4.0, 4.0];
                if number == 2 {
                    body.mass = bad;
                }
            }),
        );
        assert!(fast < 2000.0, "mass {bad}: {fast}");
    }
    for shape in [[0.0, 4.0, 4.0], [1e-6; 3], [100.0, 1e-4, 100.0], [4.0, 4.0, f32::NAN]] {
        survives(&format!("box {shape:?}"), chain(JointKind::Hinge, |_, body, _| body.size = shape));
    }
}

#[test]
fn masses_a_million_apart_do_not_shake_a_chain() {
    for ratio in [1e3, 1e6] {
        let fast = survives(
            &format!("masses alternating by {ratio}"),
            chain(JointKind::Universal, |number, body, _| {
                body.size = [14.0, 4.0, 4.0];
                body.mass = if number % 2 == 0 { 1.0 } else { ratio };
            }),
        );
        assert!(fast < 600.0, "{ratio}: {fast}");
    }
}

#[test]
fn joints_of_code_with_any_numbers_stay_finite() {
    for kind in JointKind::ALL {
        for bad in BAD {
            for field in 0..11 {
                survives(
                    &format!("{kind:?} field {field} {bad}"),
                    chain(kind, |number, body, joint| {
                        body.size = [14.0, 4.0, 4.0];
                        let Some(joint) = joint.filter(|_| number == 3) else { return };
                        match field {
                            0 => joint.axis = Vec3::splat(bad),
                            1 => joint.axis2 = Vec3::new(bad, 0.0, 0.0),
                            2 => joint.stops[0].lo = bad,
                            3 => joint.stops[1].hi = bad,
                            4 => (joint.erp, joint.cfm) = ([bad; 2], [1e-2; 2]),
                            5 => joint.cfm = [bad; 2],
                            6 => joint.fmax = [bad; 2],
                            7 => joint.offset = Vec3::splat(bad),
                            8 => joint.axis2 = joint.axis,
                            9 => joint.twist_stops.lo = bad,
                            _ => body.offset = Some(Offset { position: Vec3::X * bad, angles: Vec3::Y * bad }),
                        }
                    }),
                );
            }
        }
    }
}

#[test]
fn dolls_of_code_that_name_what_is_not_there_are_harmless() {
    let mut doll = chain(JointKind::Point, |_, _, _| {});
    doll.joints.push(Joint::new("far".into(), JointKind::Hinge, 99, Some(1)));
    doll.joints.push(Joint::new("far2".into(), JointKind::Hinge, 1, Some(usize::MAX)));
    doll.joints.push(Joint::new("self".into(), JointKind::Hinge, 1, Some(1)));
    doll.joints.push(Joint::new("twice".into(), JointKind::Fixed, 0, Some(1)));
    survives("joints to nothing and to themselves", doll);
    let mut doll = chain(JointKind::Point, |_, _, _| {});
    doll.bodies[1].bone = "link0".into();
    doll.bodies[4].animate = f32::NAN;
    doll.bodies[5].animate = f32::INFINITY;
    for (index, time) in [(0, f32::NAN), (u32::MAX, 1.0), (0, f32::INFINITY), (0, -1.0), (0, 1e30)] {
        doll.reference = ReferencePose::Animation { index, time };
        survives(&format!("reference {index} {time}"), doll.clone());
    }
}

#[test]
fn texts_with_any_numbers_stay_finite() {
    let numbers = ["nan", "inf", "-inf", "-1", "0", "1e-30", "1e30", "1e-6", "3e38", "-0", "junk", "1e999"];
    for line in ["size N", "size 4 N", "mass N", "offset N 0 0", "offset 0 0 0 N N N", "animate N"] {
        for number in numbers {
            let line = line.replace('N', number);
            text_survives(&format!("body a link0\nbody b link1\n{line}\njoint j a b\ntype hinge\nHiStop 1\n"));
        }
    }
    for kind in ["hinge", "slider", "universal", "hinge2"] {
        for line in [
            "axis N N N",
            "axis2 N 0 0",
            "LoStop N",
            "HiStop N",
            "LoStop2 N\nHiStop2 N",
            "ERP N\nCFM 0.01",
            "CFM N",
            "FMax N",
            "FMax2 N",
            "offset N N N",
            "pivot link2 N 0 0",
        ] {
            for number in numbers {
                let line = line.replace('N', number);
                text_survives(&format!("body a link0\nbody b link1\njoint j a b\ntype {kind}\n{line}\n"));
            }
        }
    }
}

fn text_survives(text: &str) {
    let mut rig = Rig::chain(text, PhysicsSettings::default());
    rig.physics_mut().add_floor(90.0).unwrap();
    rig.limp();
    for _ in 0..20 {
        rig.update();
        rig.step(1.0 / 30.0);
        let finite = rig.bodies().iter().all(|body| body.position.is_finite() && body.velocity.is_finite());
        assert!(
            finite && rig.object().pose().bones().iter().all(|bone| bone.0.iter().all(|v| v.is_finite())),
            "{text}"
        );
    }
}

#[test]
fn a_scaled_entity_stays_finite_and_keeps_its_scale() {
    let model = Arc::new(golden_model("chain.iqm"));
    let text = "body a link0\nsize 4\nbody b link1\nsize 4\njoint j a b\ntype point\n";
    let doll = Arc::new(Doll::parse_for(text.as_bytes(), &model.skeleton).doll);
    for scale in [0.1, 2.0, 10.0] {
        let scaled = Mat3x4::from_columns(Vec3::X * scale, Vec3::Y * scale, Vec3::Z * scale, Vec3::new(5.0, 6.0, 7.0));
        let object = stage::bind_pose(&model);
        let before = {
            let mut bones = vec![Mat3x4::ZERO; 6];
            object.write_model_space(&mut bones);
            bones
        };
        let mut rig = Rig::new(object, &doll, scaled, stage::weightless());
        rig.limp();
        rig.update();
        assert!(stage::difference(&before, rig.object().pose().bones()) < 1e-3 * scale.max(1.0), "{scale}");
        assert!((rig.body("b").position.x - (16.0 * scale + 5.0)).abs() < 1e-2, "{scale}");
    }
}

#[test]
fn physics_settings_without_sense_are_refused_by_name_and_change_nothing() {
    let mut odd: Vec<(&str, PhysicsSettings)> = Vec::new();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 1e30] {
        odd.push(("step", physics_with(|settings| settings.step = bad)));
        odd.push(("max_step_debt", physics_with(|settings| settings.max_step_debt = bad)));
        odd.push(("linear_damping", physics_with(|settings| settings.linear_damping = bad)));
        odd.push(("angular_damping", physics_with(|settings| settings.angular_damping = bad)));
        odd.push(("friction", physics_with(|settings| settings.friction = bad)));
        odd.push(("sleep_speed", physics_with(|settings| settings.sleep_speed = bad)));
    }
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30] {
        odd.push(("gravity", physics_with(|settings| settings.gravity.z = bad)));
    }
    odd.push(("step", physics_with(|settings| settings.step = 0.0)));
    odd.push(("step", physics_with(|settings| settings.step = 1e-20)));
    odd.push(("iterations", physics_with(|settings| settings.iterations = 0)));
    odd.push(("internal_iterations", physics_with(|settings| settings.internal_iterations = 65)));
    let mut runtime = Runtime::default();
    let before = runtime.settings();
    for (name, physics) in odd {
        let mut settings = before;
        settings.physics = physics;
        let error = runtime.set_settings(settings).unwrap_err();
        assert_eq!(error.name, name, "{error}");
        assert!(error.to_string().starts_with(&format!("{name} is ")), "{error}");
        assert_eq!(runtime.settings(), before);
        assert!(Runtime::new(settings).is_err() && Physics::new(physics).is_err());
    }
    for (name, change) in [("mesh_pitch", [f32::NAN, 1.0]), ("mesh_roll", [-1.0, f32::INFINITY])] {
        let mut settings = before;
        [settings.mesh_pitch, settings.mesh_roll] = change;
        assert_eq!(runtime.set_settings(settings).unwrap_err().name, name);
    }
}

#[test]
fn dolls_have_at_most_256_bodies_and_1024_joints() {
    let (mut runtime, object) = assets::mannequin_runtime();
    let mut attach = |bodies: usize, joints: usize| {
        let bodies = (0..bodies).map(|number| format!("body b{number} pelvis\n"));
        let joints = (0..joints).map(|number| format!("joint j{number} b0 b1\ntype point\nenabled 0\n"));
        let doll = Doll::parse(bodies.chain(joints).collect::<String>().as_bytes()).doll;
        let made = runtime.set_ragdoll(object, &Mat3x4::IDENTITY, &Arc::new(doll));
        if let Some(ragdoll) = runtime.ragdoll(object) {
            assert_eq!((ragdoll.body_bone(0), ragdoll.body_bone(300), ragdoll.bone_body(1)), (Some(0), None, None));
            runtime.clear_ragdoll(object).unwrap();
        }
        let world = runtime.physics().world();
        assert_eq!((world.bodies.len(), world.impulse_joints.len()), (1, 0), "the floor");
        made
    };
    let is_too_large = |made| matches!(made, Err(RagdollCommandError::Unusable(RagdollError::TooLarge { .. })));
    assert_eq!(attach(Ragdoll::MAX_BODIES, 2), Ok(()));
    assert!(is_too_large(attach(Ragdoll::MAX_BODIES + 1, 2)));
    assert_eq!(attach(2, Ragdoll::MAX_JOINTS), Ok(()));
    assert!(is_too_large(attach(2, Ragdoll::MAX_JOINTS + 1)));
    assert_eq!((Ragdoll::MAX_BODIES, Ragdoll::MAX_JOINTS), (256, 1024));
}

#[test]
fn bodies_and_colliders_know_their_owner_and_a_ragdoll_without_bodies_is_at_zero() {
    let mut rig = Rig::mannequin(PhysicsSettings::default());
    let world = rig.physics().world();
    let data = world.bodies.iter().map(|(_, body)| body.user_data);
    let mut owned: Vec<_> = data.chain(world.colliders.iter().map(|(_, own)| own.user_data)).collect();
    owned.sort_unstable();
    let owner = u64::from(rig.id.get());
    let expected = |body: u32| [UserData::Ragdoll { owner, body }.to_bits(); 2];
    assert_eq!(owned, (0..16).flat_map(expected).collect::<Vec<_>>());
    assert!(rig.ragdoll().centre_of_mass(rig.physics()).z > 20.0);
    let bodies: Vec<_> = rig.physics().world().bodies.iter().map(|(body, _)| body).collect();
    for body in bodies {
        rig.physics_mut().world_mut().remove_body(body);
    }
    assert_eq!((rig.ragdoll().centre_of_mass(rig.physics()), rig.energy()), (Vec3::ZERO, 0.0));
    assert_eq!(rig.bodies().len(), 0);
}

#[test]
fn bodies_that_were_reset_are_counted_in_a_warning() {
    let mut stage = standing("animate 0");
    frames(&mut stage, 5, "before");
    stage.runtime.take_warnings();
    for name in ["head", "hand_l"] {
        stage.built(name).set_linvel(Vec3::X * f32::NAN, true);
    }
    let mut told = 0;
    for _ in 0..6 {
        stage.step(1.0 / 60.0);
        for warning in stage.runtime.take_warnings() {
            let Warning::BodiesReset { object, bodies } = warning else { panic!("{warning}") };
            assert_eq!(object, stage.object);
            told += bodies;
        }
        assert_eq!(stage.runtime.object_infos()[0].ragdoll.as_ref().unwrap().resets, told);
    }
    assert!((2..=16).contains(&told), "{told}");
}

#[test]
fn settings_of_a_world_in_use_can_be_changed() {
    let mut stage = Stage::chain();
    stage.command("doll chain_point.doll").unwrap();
    stage.command("animate 0").unwrap();
    let mut settings = stage.runtime.settings();
    settings.physics.gravity = Vec3::Y * 400.0;
    settings.physics.step = 1.0 / 240.0;
    stage.runtime.set_settings(settings).unwrap();
    assert_eq!(stage.step(1.0 / 60.0), 4);
    // Settings of the host are kept.
    stage.runtime.physics_mut().world_mut().integration_parameters.max_ccd_substeps = 3;
    settings.mesh_roll = -1.0;
    stage.runtime.set_settings(settings).unwrap();
    assert_eq!(stage.runtime.physics().world().integration_parameters.max_ccd_substeps, 3);
    for _ in 0..30 {
        stage.step(1.0 / 60.0);
    }
    assert!(stage.bodies().iter().all(|body| body.velocity.y > 100.0 && body.velocity.z.abs() < 20.0));
}

#[test]
fn ragdolls_keep_their_friction_and_take_the_damping_and_sleep_speed_at_rest() {
    let mut stage = standing("animate 0");
    let mut settings = stage.runtime.settings();
    (settings.physics.friction, settings.physics.sleep_speed) = (0.125, 0.0);
    (settings.physics.linear_damping, settings.physics.angular_damping) = (3.0, 4.0);
    stage.runtime.set_settings(settings).unwrap();
    let old = stage.object;
    stage.object = stage.runtime.create_object(stage.model, Default::default()).unwrap();
    stage.entity.origin.x = 300.0;
    stage.build(0, 0.0);
    stage.command("animate 0").unwrap();
    let of = |stage: &mut Stage, object| {
        stage.object = object;
        let head = stage.built("head");
        let (damping, threshold) = (head.linear_damping(), head.activation().normalized_linear_threshold);
        let collider = head.colliders()[0];
        (damping, threshold > 0.0, stage.runtime.physics().world().colliders[collider].friction())
    };
    let new = stage.object;
    assert_eq!(of(&mut stage, old), (0.2, true, 0.65));
    assert_eq!(of(&mut stage, new), (3.0, false, 0.125));
    // At a speed of 0 no body sleeps.
    for _ in 0..400 {
        stage.step(1.0 / 60.0);
    }
    let asleep = [old, new].map(|id| stage.runtime.ragdoll(id).unwrap().is_asleep(stage.runtime.physics()));
    assert_eq!(asleep, [true, false]);
    // Where bodies sleep, a ragdoll takes all but the friction when it next comes to rest.
    settings.physics.sleep_speed = 8.0;
    stage.runtime.set_settings(settings).unwrap();
    stage.runtime.add_ragdoll_velocity(old, Vec3::X * 50.0, Vec3::ZERO, Vec3::ZERO).unwrap();
    stage.step(1.0 / 60.0);
    assert_eq!(of(&mut stage, old), (0.2, true, 0.65));
    for _ in 0..400 {
        stage.step(1.0 / 60.0);
    }
    assert_eq!(of(&mut stage, old), (3.0, true, 0.65));
}

#[test]
fn dolls_in_one_place_come_apart() {
    let mut stage = Stage::mannequin();
    let mut fast = 0.0f32;
    let mut ids = vec![stage.object];
    for _ in 0..3 {
        ids.push(stage.runtime.create_object(stage.model, Default::default()).unwrap());
    }
    for id in &ids {
        stage.object = *id;
        stage.build(0, 0.0);
        stage.command("doll mannequin.doll").unwrap();
        stage.command("animate 0").unwrap();
    }
    for _ in 0..200 {
        for id in &ids {
            stage.object = *id;
            stage.command("").unwrap();
            stage.assert_finite("in one place");
            fast = fast.max(fastest(&stage.bodies()));
        }
        stage.step(1.0 / 72.0);
    }
    assert!(fast < 2500.0, "{fast}");
}

#[test]
fn one_bad_body_leaves_other_ragdolls_and_what_the_host_disabled_alone() {
    let mut stage = standing("animate 0");
    let bad = stage.object;
    stage.object = stage.runtime.create_object(stage.model, Default::default()).unwrap();
    stage.entity.origin.x = 300.0;
    stage.build(0, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    stage.command("animate 0").unwrap();
    for _ in 0..40 {
        stage.step(1.0 / 120.0);
    }
    let other = stage.object;
    let impulses = |stage: &Stage| {
        let world = stage.runtime.physics().world();
        let of_other =
            |body| matches!(stage.runtime.body_owner(body), Some(BodyOwner::Ragdoll { object, .. }) if object == other);
        let joints = world.impulse_joints.iter().filter(|(_, joint)| of_other(joint.body1()));
        joints.filter(|(_, joint)| joint.impulses.iter().any(|impulse| *impulse != 0.0)).count()
    };
    let before = impulses(&stage);
    assert!(before > 5, "{before}");
    stage.built("hand_l").set_enabled(false);
    stage.object = bad;
    stage.built("head").set_linvel(Vec3::splat(f32::NAN), true);
    stage.step(1.0 / 120.0);
    assert!(impulses(&stage) + 3 > before, "{} of {before}", impulses(&stage));
    for _ in 0..3 {
        stage.step(1.0 / 120.0);
    }
    assert!(stage.ragdoll().resets() > 0);
    stage.object = other;
    assert_eq!(stage.ragdoll().resets(), 0);
    assert!(!stage.built("hand_l").is_enabled(), "the host disabled it");
}

#[test]
fn an_impulse_reaches_the_body_that_drives_the_bone_or_the_nearest_of_its_parents() {
    let mut stage = Stage::chain();
    // Two bodies on one bone: the last drives it.
    stage.command("dollstring\nbody first link2\nbody last link2\nanimate 0\nbody far link5\nanimate 0\n").unwrap();
    stage.command("animate 0").unwrap();
    let kicked = |stage: &mut Stage, bone: &str| {
        let bone = stage.bone(bone);
        let before: Vec<f32> = stage.bodies().iter().map(|body| body.velocity.y).collect();
        let hit = stage
            .runtime
            .ragdoll_impulse(stage.object, Some(bone), Vec3::ZERO, Vec3::Y * 1000.0, Flinch::default())
            .unwrap();
        let after = stage.bodies();
        let moved = after.iter().zip(before).filter(|(body, before)| body.velocity.y > before + 1.0);
        (hit, moved.map(|(body, _)| body.name.to_string()).collect::<Vec<_>>())
    };
    assert_eq!(kicked(&mut stage, "link2"), (true, vec!["last".to_owned()]));
    // Links 3 and 4 have no body: the impulse hits the body of a parent.
    assert_eq!(kicked(&mut stage, "link4"), (true, vec!["last".to_owned()]));
    assert_eq!(kicked(&mut stage, "link0"), (false, vec![]));
}
