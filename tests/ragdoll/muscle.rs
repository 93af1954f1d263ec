//! Muscles: limp joints that hold a pose (difference 201).

use std::sync::Arc;

use crate::common::stage::{Rig, Stage, bind_pose, golden_model, mannequin, weightless, weightless_but};
use skelobj::doll::{Doll, JointKind};
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::physics::PhysicsSettings;
use skelobj::ragdoll::Command;
use skelobj::{Model, assets};

const FREE: &str = "LoStop 1\nHiStop -1\nLoStop2 1\nHiStop2 -1";

/// A body that stands still, and a limp one on a joint at its end.
fn arm(joint: &str, settings: PhysicsSettings) -> Rig {
    let text = format!("body a link0\nsize 4\nbody b link1\nanimate 0\nsize 4\njoint j a b\npivot link0\n{joint}\n");
    Rig::chain(&text, settings)
}

fn at_rate(rate: f32, mut settings: PhysicsSettings) -> PhysicsSettings {
    settings.step = 1.0 / rate;
    settings
}

/// A mannequin with muscles of this stiffness in all joints that never slacken, its friction left as it is.
fn braced(muscle: &str) -> Arc<Doll> {
    let text = String::from_utf8(assets::MANNEQUIN_DOLL.to_vec()).unwrap();
    let own = |line: &&str| !["muscle", "slacken"].iter().any(|word| line.trim_start().starts_with(word));
    let text = text.lines().filter(own).collect::<Vec<_>>().join("\n");
    let text = text.replacen("updatejoint default\n", &format!("updatejoint default\n{muscle}\n"), 1);
    let parsed = Doll::parse_for(text.as_bytes(), &mannequin().skeleton);
    assert!(parsed.problems.is_empty(), "{:?}", parsed.problems);
    Arc::new(parsed.doll)
}

fn limp(doll: &Arc<Doll>, settings: PhysicsSettings) -> Rig {
    let model = Arc::new(mannequin());
    let entity = Mat3x4::from_rotation_translation(Quat::from_rotation_y(0.3), Vec3::Z * 12.0);
    let settings = at_rate(120.0, settings);
    let mut rig = Rig::new(bind_pose(&model), doll, entity, settings);
    rig.physics_mut().add_floor(0.0).unwrap();
    rig.limp();
    rig
}

fn angles(rig: &Rig) -> Vec<f32> {
    rig.joints().into_iter().flat_map(|joint| joint.position).collect()
}

fn bent(rig: &Rig) -> f32 {
    angles(rig).iter().fold(0.0, |most, at| f32::max(most, at.abs()))
}

fn bits(rig: &Rig) -> Vec<[u32; 4]> {
    rig.bodies().iter().map(|body| body.rotation.to_array().map(f32::to_bits)).collect()
}

#[test]
fn an_arm_sags_by_its_torque_divided_by_the_stiffness() {
    for kind in ["hinge", "universal", "point", "cone\ntwist -1 1"] {
        for rate in [30.0, 60.0, 120.0, 240.0] {
            let mut rig =
                arm(&format!("type {kind}\n{FREE}\nmuscle 100000"), at_rate(rate, weightless_but(Vec3::Z * -800.0)));
            let weight = rig.built("b").mass() * 800.0 * 16.0;
            rig.run(20.0, |_| {});
            let b = rig.body("b");
            let sag = b.rotation.angle_between(Quat::IDENTITY);
            let expected = weight * sag.cos() / 100_000.0;
            assert!((sag - expected).abs() < 0.05 * expected, "{kind} at {rate}: {sag} instead of {expected}");
            assert!(b.angular_velocity.length() < 0.03, "{kind} at {rate}: {}", b.angular_velocity);
        }
    }
}

/// Returns the angle of the limb of an arm, radians.
fn sag(rig: &Rig) -> f32 {
    rig.body("b").rotation.angle_between(Quat::IDENTITY)
}

#[test]
fn a_muscle_slackens_evenly_over_its_time() {
    let joint = format!("type hinge\n{FREE}\nmuscle 400000 100000\nslacken 40");
    let mut rig = arm(&joint, weightless_but(Vec3::Z * -800.0));
    let weight = rig.built("b").mass() * 800.0 * 16.0;
    for (seconds, until, left) in [(20.0, 20.0, 0.5), (10.0, 30.0, 0.25)] {
        rig.run(seconds, |_| {});
        let expected = weight * sag(&rig).cos() / (400_000.0 * left);
        assert!((sag(&rig) - expected).abs() < 0.15 * expected, "after {until} s: {} not {expected}", sag(&rig));
    }
    rig.run(11.0, |_| {});
    let spin = rig.body("b").angular_velocity.length();
    assert!(sag(&rig) > 1.0 || spin > 3.0, "slack, it falls: {} at {spin}", sag(&rig));
}

/// Returns the angle between the bodies of an arm, radians.
fn apart(rig: &Rig) -> f32 {
    rig.body("a").rotation.angle_between(rig.body("b").rotation)
}

#[test]
fn a_muscle_slackens_sooner_while_a_corpse_turns() {
    let joint = format!("type hinge\naxis 0 0 1\n{FREE}\nmuscle 1e6\nslacken 2\nFMax 0");
    // Returns the angle by which a push bends the joint.
    let pushed = |mut rig: Rig| {
        let b = rig.built("b");
        b.set_angvel(b.angvel() + Vec3::Z * 4.0, true);
        rig.run(0.5, |_| {});
        apart(&rig)
    };
    let turned = |seconds: f32, spin: f32| {
        let mut rig = arm(&joint, weightless());
        rig.limp();
        let turn = |rig: &mut Rig, spin: f32| {
            rig.runtime.add_ragdoll_velocity(rig.id, Vec3::ZERO, Vec3::Z * spin, Vec3::ZERO).unwrap();
        };
        turn(&mut rig, spin);
        rig.run(seconds, |_| {});
        turn(&mut rig, -spin);
        pushed(rig)
    };
    let held = turned(1.4, 0.0);
    assert!(held < 0.3, "a body that does not turn: {held}");
    // At 0.7 radians/s a second counts twice, at 1.4 five times.
    for (spin, left, gone) in [(0.7, 0.7, 1.1), (1.4, 0.3, 0.45)] {
        let [held, slack] = [left, gone].map(|seconds| turned(seconds, spin));
        assert!(held < 0.3 && slack > 0.5, "turning at {spin}: {held} and {slack}");
    }

    // A light body that spins by itself counts little.
    let mut rig = arm(&format!("{joint}\nbody light link4\nanimate 0\nsize 4\nmass 0.05"), weightless());
    rig.limp();
    rig.built("light").set_angvel(Vec3::Z * 4.0, true);
    rig.run(1.0, |_| {});
    assert!(rig.body("light").angular_velocity.length() > 2.0);
    let held = pushed(rig);
    assert!(held < 0.3, "beside a light body that spins: {held}");

    let mut rig = arm(&joint, weightless());
    let (model, mut yaw) = (Arc::new(golden_model("chain.iqm")), 0.0);
    rig.run(0.8, |rig| {
        yaw += 1.4 / 60.0;
        rig.entity = Mat3x4::from_rotation_translation(Quat::from_rotation_z(yaw), Vec3::ZERO);
        rig.pose(model.skeleton.bind_local());
    });
    assert!(sag(&rig) > 1.0 && apart(&rig) < 0.1, "it turns along: {} and {}", sag(&rig), apart(&rig));
    let held = pushed(rig);
    assert!(held < 0.3, "a limb of a living body that turns: {held}");
}

#[test]
fn a_muscle_slackens_no_sooner_while_bodies_turn_against_each_other() {
    let text = format!(
        "body a link0\nanimate 0\nsize 4\nbody b link1\nanimate 0\nsize 4\njoint j a b\npivot link0\ntype hinge\n\
         axis 0 0 1\n{FREE}\nmuscle 200 0\nslacken 20\nFMax 0\n"
    );
    let mut rig = Rig::chain(&text, weightless());
    for (name, spin) in [("a", -2.0), ("b", 2.0)] {
        rig.built(name).set_angvel(Vec3::Z * spin, true);
    }
    let mut most = 0.0f32;
    rig.run(10.0, |rig| most = most.max(apart(rig)));
    assert!(most > 0.05 && most < 1.0, "it swings: {most}");
}

#[test]
fn a_ragdoll_sleeps_no_sooner_than_its_muscles_are_slack() {
    let hanging = |slacken: f32, severed: bool| {
        let joint = format!("type hinge\n{FREE}\nmuscle 4e6\nslacken {slacken}\nFMax 2e3");
        let mut rig = arm(&joint, PhysicsSettings::default());
        if severed {
            rig.command(Command::EnableJoint("j", false)).unwrap();
            rig.physics_mut().add_floor(-20.0).unwrap();
        }
        for frame in 0..900u16 {
            rig.run(1.0 / 60.0, |_| {});
            if rig.built("b").is_sleeping() {
                return (f32::from(frame) / 60.0, sag(&rig));
            }
        }
        panic!("never asleep")
    };
    let (held, angle) = hanging(0.0, false);
    assert!(held < 3.0 && angle < 0.1, "{held} s, {angle} radians");
    let (slack, angle) = hanging(5.0, false);
    assert!(slack > 5.0 && angle > 0.9, "asleep after {slack} s, with {angle} radians");
    let (severed, _) = hanging(8.0, true);
    assert!(severed < 5.0, "its muscle holds nothing: {severed} s");
}

#[test]
fn a_muscle_has_all_its_strength_again_once_it_was_driven_or_gets_another_one() {
    let joint = format!("type hinge\n{FREE}\nmuscle 1e6\nslacken 0.5");
    let held = |restart: &dyn Fn(&mut Rig)| {
        let mut rig = arm(&joint, weightless_but(Vec3::Z * -800.0));
        rig.run(0.45, |_| {});
        restart(&mut rig);
        rig.run(0.3, |_| {});
        sag(&rig)
    };
    let strengthen = |strength: f32| {
        move |rig: &mut Rig| {
            rig.command(Command::Muscle(strength)).unwrap();
        }
    };
    let drive = |rig: &mut Rig| {
        rig.command(Command::AnimateBody("b", 1.0, None)).unwrap();
        rig.run(0.4, |_| {});
        rig.command(Command::AnimateBody("b", 0.0, None)).unwrap();
    };
    let slack = held(&|_| {});
    assert!(slack > 0.5, "nothing restarts it: {slack}");
    assert_eq!(held(&strengthen(1.0)), slack, "the strength that it has is no new one");
    for (what, sag) in [("a new strength", held(&strengthen(2.0))), ("the animation", held(&drive))] {
        assert!(sag < 0.5 * slack, "{what}: {sag}, without it {slack}");
    }
}

#[test]
fn a_muscle_learns_its_load_as_fast_at_any_step() {
    let left = |rate: f32| {
        let mut rig = arm(&format!("type hinge\n{FREE}\nmuscle 1e6"), at_rate(rate, weightless_but(Vec3::Z * -800.0)));
        let expected = rig.built("b").mass() * 800.0 * 16.0 / 1e6;
        let [early, late] = [2.0, 2.0].map(|seconds| {
            rig.run(seconds, |_| {});
            rig.body("b").rotation.angle_between(Quat::IDENTITY) - expected
        });
        late / early
    };
    let all = [30.0, 60.0, 120.0, 240.0].map(left);
    assert!(all.iter().all(|left| (0.1..0.5).contains(left)), "{all:?}");
}

#[test]
fn any_stiffness_and_damping_are_stable_at_any_step() {
    for stiffness in ["1", "1000", "1e6", "1e12", "1e30", "3e38"] {
        for damping in ["", "0", "1e4", "1e30"] {
            for rate in [30.0, 72.0, 240.0] {
                let what = format!("muscle {stiffness} {damping} at {rate}");
                let text = format!(
                    "updatebody default\nanimate 0\nsize 4\nupdatejoint default\ntype point\nmuscle {stiffness} {damping}\n\
                     body a link0\nbody b link1\nbody c link2\nmass 0.1\nbody d link3\njoint j a b\njoint k b c\njoint l c d\n"
                );
                let mut rig = Rig::chain(&text, at_rate(rate, weightless()));
                rig.update();
                rig.built("b").set_angvel(Vec3::new(3.0, 5.0, 0.0), true);
                rig.built("d").set_angvel(Vec3::new(0.0, -9.0, 4.0), true);
                let before = rig.energy();
                rig.run(3.0, |rig| {
                    let energy = rig.energy();
                    assert!(energy < before * 1.1, "{what}: from {before} to {energy}");
                });
                assert!(rig.joints().into_iter().all(|joint| joint.gap < 0.3), "{what}");
            }
        }
    }
}

#[test]
fn a_stiff_muscle_reaches_a_far_pose_without_throwing_anything() {
    for stiffness in ["1e5", "1e30"] {
        for rate in [30.0, 120.0] {
            let text = format!("{FREE}\ntype point\nmuscle {stiffness}");
            let mut rig = arm(&text, at_rate(rate, weightless()));
            let turn = Quat::from_rotation_y(2.5);
            let b = rig.built("b");
            b.set_rotation(turn, true);
            b.set_translation(Vec3::Z * 100.0 + turn * Vec3::X * 16.0, true);
            rig.run(2.0, |rig| {
                let spin = rig.body("b").angular_velocity.length();
                assert!(spin < 22.0, "{stiffness} at {rate}: {spin}");
            });
            let left = rig.body("b").rotation.angle_between(Quat::IDENTITY);
            assert!(left < 0.01, "{stiffness} at {rate}: {left}");
        }
    }
}

#[test]
fn critical_damping_does_not_swing_past_the_pose() {
    let mut rig = arm(&format!("{FREE}\ntype hinge\nmuscle 20000"), weightless());
    let turn = Quat::from_rotation_y(0.8);
    let b = rig.built("b");
    b.set_rotation(turn, true);
    b.set_translation(Vec3::Z * 100.0 + turn * Vec3::X * 16.0, true);
    let mut last = 0.8f32;
    rig.run(3.0, |rig| {
        let angle = -rig.joint("j").position[0];
        assert!(angle > -0.01 && angle < last + 0.005, "{angle} after {last}");
        last = angle;
    });
    assert!(last < 0.01, "{last}");
}

#[test]
fn numbers_that_do_not_make_a_muscle_are_harmless() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 1e-40, f32::MAX] {
        for field in 0..3 {
            let model = Arc::new(golden_model("chain.iqm"));
            let text = format!("body a link0\nbody b link1\nanimate 0\njoint j a b\ntype point\n{FREE}\nmuscle 100");
            let mut doll = Doll::parse_for(text.as_bytes(), &model.skeleton).doll;
            match field {
                0 => doll.joints[0].muscle = bad,
                1 => doll.joints[0].muscle_damping = Some(bad),
                _ => {}
            }
            let settings = PhysicsSettings::default();
            let mut rig = Rig::new(bind_pose(&model), &Arc::new(doll), Mat3x4::IDENTITY, settings);
            if field == 2 {
                let refused = rig.command(Command::Muscle(bad));
                assert_eq!(refused.is_err(), !bad.is_finite(), "{bad}");
            }
            rig.run(1.0, |rig| assert!(rig.fastest() < 2000.0, "{field} {bad}: {}", rig.fastest()));
            assert!(rig.body("b").position.is_finite() && rig.joint("j").gap < 0.5, "{field} {bad}");
        }
    }
}

#[test]
fn muscles_without_strength_change_no_bit() {
    let mut plain = limp(&braced(""), PhysicsSettings::default());
    let mut slack = limp(&braced("muscle 0 100"), PhysicsSettings::default());
    let mut off = limp(&braced("muscle 1e5"), PhysicsSettings::default());
    off.command(Command::Muscle(0.0)).unwrap();
    for _ in 0..90 {
        for rig in [&mut plain, &mut slack, &mut off] {
            rig.run(1.0 / 60.0, |_| {});
        }
        assert_eq!(bits(&plain), bits(&slack));
        assert_eq!(bits(&plain), bits(&off));
    }
}

#[test]
fn muscles_move_nothing_as_a_whole() {
    let text = format!(
        "updatebody default\nanimate 0\nsize 4\nbody a link0\nbody b link1\njoint j a b\ntype point\n{FREE}\nmuscle 1e5\n"
    );
    let mut rig = Rig::chain(&text, weightless());
    rig.update();
    rig.built("b").set_angvel(Vec3::new(1.0, 5.0, 3.0), true);
    let momentum = |rig: &Rig| rig.bodies().iter().map(|body| body.velocity).sum::<Vec3>();
    let before = momentum(&rig);
    rig.run(2.0, |rig| {
        let now = momentum(rig);
        assert!(now.distance(before) < 0.02, "{before} to {now}");
    });
}

#[test]
fn a_braced_mannequin_falls_stiffly_sleeps_and_slackens_when_told() {
    let mut stiff = limp(&braced("muscle 1e6"), PhysicsSettings::default());
    let mut slack = limp(&braced(""), PhysicsSettings::default());
    let (mut most, mut least) = (0.0f32, 0.0f32);
    stiff.run(1.0, |rig| most = most.max(bent(rig)));
    slack.run(1.0, |rig| least = least.max(bent(rig)));
    assert!(most < 0.3 * least, "{most} against {least}");
    stiff.run(9.0, |_| {});
    assert!(stiff.is_asleep());
    let (place, straight) = (bits(&stiff), angles(&stiff));
    stiff.run(0.5, |_| {});
    assert_eq!(bits(&stiff), place);
    stiff.command(Command::Muscle(1.0)).unwrap();
    assert!(stiff.is_asleep(), "the same strength wakes nobody");
    stiff.command(Command::Muscle(0.0)).unwrap();
    stiff.run(0.1, |_| {});
    assert!(!stiff.is_asleep());
    stiff.run(10.0, |_| {});
    assert!(stiff.is_asleep());
    let moved = angles(&stiff).iter().zip(&straight).map(|(now, then)| (now - then).abs()).fold(0.0, f32::max);
    assert!(moved > 0.05, "{moved}");
}

#[test]
fn braced_mannequins_of_any_strength_come_to_rest() {
    for muscle in ["muscle 3000", "muscle 30000", "muscle 300000", "muscle 1e9", "muscle 30000 0"] {
        let mut rig = limp(&braced(muscle), PhysicsSettings::default());
        let mut seconds = 0.0;
        while !rig.is_asleep() && seconds < 10.0 {
            rig.run(0.25, |rig| assert!(rig.fastest() < 1500.0, "{muscle}: {}", rig.fastest()));
            seconds += 0.25;
        }
        assert!(seconds < 10.0, "{muscle}");
    }
}

#[test]
fn a_limp_arm_is_held_where_a_running_body_holds_it() {
    let settings = at_rate(120.0, PhysicsSettings::default());
    let mut stage = Stage::new("mannequin.iqm", mannequin(), settings);
    stage.runtime.precache_doll(stage.model);
    let mut text = String::from_utf8(assets::MANNEQUIN_DOLL.to_vec()).unwrap();
    for joint in ["shoulder_l", "elbow_l", "wrist_l"] {
        text.push_str(&format!("updatejoint {joint}\nmuscle 1e7\n"));
    }
    let run = stage.animation("run");
    let mut far = [0.0f32; 2];
    for (number, doll) in [text.as_str(), std::str::from_utf8(assets::MANNEQUIN_DOLL).unwrap()].iter().enumerate() {
        stage.build(run, 0.0);
        stage.command(&format!("dollstring {doll}")).unwrap();
        for frame in 0..60 {
            stage.build(run, frame as f32 / 60.0);
            let animated = stage.bones();
            let hand = stage.bone("hand_l");
            let command = match frame {
                5 => "animatebody upperarm_l 0",
                6 => "animatebody forearm_l 0",
                7 => "animatebody hand_l 0",
                _ => "",
            };
            stage.command(command).unwrap();
            if frame > 20 {
                far[number] = far[number].max(stage.bones()[hand].origin().distance(animated[hand].origin()));
            }
            stage.step(1.0 / 60.0);
        }
    }
    assert!(far[0] < 10.0 && far[0] < 0.5 * far[1], "{far:?}");
}

#[test]
fn a_corpse_curls_up_into_a_pose_that_is_built_for_it() {
    let mut rig = limp(&braced("muscle 3e5"), PhysicsSettings::default());
    rig.run(4.0, |_| {});
    assert!(rig.is_asleep());
    let model: Arc<Model> = rig.object().model().clone();
    let mut curled = bind_pose(&model);
    for (bone, turn) in [("thigh_l", 1.2), ("thigh_r", 1.2), ("shin_l", -1.6), ("shin_r", -1.6)] {
        let bone = model.skeleton.find(bone).unwrap();
        let bent = curled.local_space(bone).unwrap()
            * Mat3x4::from_rotation_translation(Quat::from_rotation_y(turn), Vec3::ZERO);
        curled.bones_mut()[bone] = bent;
    }
    for _ in 0..240 {
        rig.pose(curled.pose().bones());
        rig.update();
        rig.step(1.0 / 60.0);
    }
    for knee in ["knee_l", "knee_r"] {
        let angle = rig.joint(knee).position[0];
        assert!((angle - 1.6).abs() < 0.4, "{knee}: {angle}");
    }
    rig.run(8.0, |_| {});
    assert!(rig.is_asleep(), "it rests in its pose");
}

#[test]
fn a_pose_that_changes_slowly_wakes_a_corpse_at_any_frame_rate() {
    let mut woken = [f32::INFINITY; 2];
    for (woken, rate) in woken.iter_mut().zip([30.0, 1000.0]) {
        let mut rig = limp(&braced("muscle 3e5"), PhysicsSettings::default());
        rig.run(4.0, |_| {});
        assert!(rig.is_asleep());
        let model: Arc<Model> = rig.object().model().clone();
        let bone = model.skeleton.find("shin_l").unwrap();
        let mut pose = bind_pose(&model);
        let straight = pose.local_space(bone).unwrap();
        for frame in 0..(0.5 * rate) as usize {
            let turn = -0.3 * frame as f32 / rate;
            pose.bones_mut()[bone] =
                straight * Mat3x4::from_rotation_translation(Quat::from_rotation_y(turn), Vec3::ZERO);
            rig.pose(pose.pose().bones());
            rig.update();
            if !rig.is_asleep() {
                *woken = turn.abs();
                break;
            }
            rig.step(1.0 / rate);
        }
    }
    assert!(woken.iter().all(|turn| (0.015..0.04).contains(turn)), "{woken:?}");
}

#[test]
fn commands_set_the_strength_of_muscles() {
    assert_eq!(Command::parse("Muscle 0.5"), Ok(Command::Muscle(0.5)));
    assert_eq!(Command::parse("musclejoint neck 2"), Ok(Command::MuscleJoint("neck", 2.0)));
    assert_eq!(Command::parse("muscle nan"), Ok(Command::Muscle(0.0)));
    let mut stage = Stage::chain();
    let doll = format!(
        "dollstring body a link0\nsize 4\nbody b link1\nanimate 0\nsize 4\njoint j a b\ntype hinge\n{FREE}\npivot link0\nmuscle 1e6"
    );
    assert_eq!(stage.command(&doll), Ok(1));
    for _ in 0..60 {
        stage.step(1.0 / 60.0);
    }
    assert!(stage.joints()[0].position[0].abs() < 0.1);
    assert_eq!(stage.command("musclejoint j 0.1"), Ok(1));
    assert!(stage.command("musclejoint k 1").is_err());
    for _ in 0..60 {
        stage.step(1.0 / 60.0);
    }
    let weaker = stage.joints()[0].position[0].abs();
    assert_eq!(stage.command("muscle 0"), Ok(1));
    for _ in 0..20 {
        stage.step(1.0 / 60.0);
    }
    let slack = stage.joints()[0].position[0].abs();
    assert!(weaker > 0.005 && slack > weaker + 0.5, "{weaker}, then {slack}");
    let entity = Mat3x4::IDENTITY;
    assert!(stage.runtime.ragdoll_command(stage.object, &entity, Command::Muscle(f32::NAN), None).is_err());
}

#[test]
fn joints_that_do_not_turn_have_no_muscle() {
    for kind in [JointKind::Fixed, JointKind::Slider] {
        let mut with =
            arm(&format!("type {}\nLoStop -5\nHiStop 5\nmuscle 1e6", kind.word()), PhysicsSettings::default());
        let mut without = arm(&format!("type {}\nLoStop -5\nHiStop 5", kind.word()), PhysicsSettings::default());
        for _ in 0..30 {
            with.run(1.0 / 60.0, |_| {});
            without.run(1.0 / 60.0, |_| {});
            assert_eq!(bits(&with), bits(&without), "{kind:?}");
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn snapshots_keep_strengths_and_poses() {
    let mut stage = Stage::mannequin();
    let text = String::from_utf8(assets::MANNEQUIN_DOLL.to_vec()).unwrap();
    let text = text.replacen("updatejoint default\n", "updatejoint default\nmuscle 2e5\n", 1)
        + "updatejoint neck\ntwist -1 1\n";
    stage.build(2, 0.3);
    stage.command(&format!("dollstring {text}")).unwrap();
    stage.command("musclejoint neck 0.2").unwrap();
    stage.command("animate 0").unwrap();
    for _ in 0..30 {
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
    }
    let snapshot = stage.runtime.snapshot();
    let watch = |stage: &mut Stage| {
        let mut seen = Vec::new();
        for _ in 0..60 {
            stage.command("").unwrap();
            stage.step(1.0 / 60.0);
            seen.extend(stage.bones().iter().flat_map(|bone| bone.0.map(f32::to_bits)));
        }
        seen
    };
    let expected = watch(&mut stage);
    stage.runtime.restore(&snapshot).unwrap();
    assert!(watch(&mut stage) == expected, "the same bits after the snapshot");
}
