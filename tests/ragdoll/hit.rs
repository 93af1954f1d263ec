//! Bullets and rockets: impulses on dolls that are limp, asleep or animated.

use crate::common::stage::{Rig, Stage, difference};
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::FrameState;
use skelobj::object::Build;
use skelobj::physics::PhysicsSettings;
use skelobj::ragdoll::stability::BodyMode;
use skelobj::ragdoll::{Command, Flinch};
use skelobj::runtime::RagdollCommandError;

fn standing() -> Rig {
    let mut rig = Rig::mannequin(PhysicsSettings::default());
    rig.physics_mut().add_floor(0.0).unwrap();
    rig
}

fn pose(rig: &mut Rig, time: f32) {
    let model = rig.object().model().clone();
    let idle = model.find_animation(b"idle").unwrap();
    rig.object_mut().build(&model, &FrameState::single(idle, time.into()), &Build::REPLACE).unwrap();
}

fn lying(seconds: f32) -> Rig {
    let mut rig = standing();
    rig.limp();
    rig.run(seconds, |_| {});
    rig
}

fn hit(rig: &mut Rig, bone: Option<&str>, point: Vec3, impulse: Vec3) -> bool {
    let bone = bone.map(|name| rig.object().find_bone(name.as_bytes()).unwrap());
    rig.hit(bone, point, impulse, Flinch::default()).unwrap_or(false)
}

#[test]
fn an_impulse_changes_the_momentum_of_a_limp_doll_by_its_own_amount() {
    let mut rig = lying(0.1);
    let momentum = |rig: &Rig| -> Vec3 {
        let masses = rig.ragdoll().doll().bodies.iter().map(|body| body.mass);
        rig.bodies().iter().zip(masses).map(|(body, mass)| body.velocity * mass).sum()
    };
    let before = momentum(&rig);
    let (impulse, at) = (Vec3::new(3000.0, 500.0, 0.0), rig.body("chest").position);
    assert!(hit(&mut rig, Some("chest"), at, impulse));
    let change = momentum(&rig) - before;
    assert!(change.distance(impulse) < 1.0, "{change}");
    assert!(rig.body("chest").velocity.x > 200.0 && rig.body("head").velocity.x < 50.0, "the one that was hit");
    rig.run(0.5, |_| {});
    let pelvis = rig.body("pelvis");
    assert!(pelvis.position.x > 5.0, "it carries the rest along: {}", pelvis.position);
}

#[test]
fn a_hit_off_the_middle_turns_the_body() {
    let mut rig = lying(0.1);
    let at = rig.body("head").position + Vec3::Y * 3.0;
    let before = rig.body("head").angular_velocity;
    hit(&mut rig, Some("head"), at, Vec3::X * 500.0);
    let spin = rig.body("head").angular_velocity - before;
    assert!(spin.z < -1.0, "{spin}");
}

#[test]
fn a_hit_wakes_a_sleeping_ragdoll() {
    let mut rig = lying(8.0);
    assert!(rig.is_asleep());
    rig.update();
    let before = rig.object().pose().bones().to_vec();
    let at = rig.body("forearm_l").position;
    assert!(hit(&mut rig, None, at, Vec3::new(0.0, 600.0, 600.0)));
    assert!(!rig.is_asleep());
    rig.run(0.2, |_| {});
    rig.update();
    let moved = difference(&before, rig.object().pose().bones());
    assert!(moved > 5.0, "the bones show it: {moved}");
    let moved = rig.body("forearm_l").position.distance(at);
    assert!(moved > 5.0, "{moved}");
    let mut seconds = 0;
    while !rig.is_asleep() && seconds < 8 {
        rig.run(1.0, |_| {});
        seconds += 1;
    }
    assert!(rig.is_asleep(), "and it sleeps again");
}

#[test]
fn the_nearest_body_is_hit_where_no_bone_is_named() {
    for name in ["head", "chest", "shin_l", "hand_r", "foot_l"] {
        let mut rig = lying(0.0);
        let at = rig.body(name).position;
        assert!(hit(&mut rig, None, at, Vec3::X * 100.0));
        let moving: Vec<String> =
            rig.bodies().iter().filter(|body| body.velocity.x > 1.0).map(|body| body.name.to_string()).collect();
        assert_eq!(moving, [name]);
    }
    let mut rig = lying(0.0);
    assert!(hit(&mut rig, None, Vec3::new(0.0, 0.0, 1000.0), Vec3::X * 100.0));
    assert!(rig.body("head").velocity.x > 1.0);
    // Of several bodies that contain the point, the one whose centre is closest.
    for (point, name) in [(Vec3::new(7.0, 0.0, 100.0), "a"), (Vec3::new(9.0, 0.0, 100.0), "b")] {
        let text = "animate 0\nbody a link0\nsize 30\nbody b link1\nsize 30\n";
        let mut rig = Rig::chain(text, PhysicsSettings::default());
        rig.limp();
        assert!(hit(&mut rig, None, point, Vec3::Y * 100.0));
        let moving: Vec<_> =
            rig.bodies().into_iter().filter(|body| body.velocity.y > 0.0).map(|body| body.name).collect();
        assert_eq!(moving, [name]);
    }
}

#[test]
fn a_bone_that_no_body_drives_cannot_be_hit() {
    let mut rig = lying(0.0);
    assert_eq!(rig.hit(Some(999), Vec3::ZERO, Vec3::X, Flinch::default()), Ok(false));
    assert_eq!(rig.fastest(), 0.0);
}

#[test]
fn an_impulse_is_up_to_1e9_at_a_point_up_to_a_million() {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    stage.command("animate 0").unwrap();
    let push = |stage: &mut Stage, bone: Option<usize>, point: Vec3, impulse: Vec3| {
        stage.runtime.ragdoll_impulse(stage.object, bone, point, impulse, Flinch::default())
    };
    assert_eq!(push(&mut stage, Some(999), Vec3::Z, Vec3::X), Ok(false), "no such bone");
    let before = stage.bodies();
    for (point, impulse, name) in [
        (Vec3::Y * -1_000_001.0, Vec3::X, "point"),
        (Vec3::Y * f32::NAN, Vec3::X, "point"),
        (Vec3::Y, Vec3::Z * 1.1e9, "impulse"),
        (Vec3::Y, Vec3::Z * f32::NEG_INFINITY, "impulse"),
    ] {
        let refused = push(&mut stage, None, point, impulse);
        let Err(RagdollCommandError::OutOfRange(error)) = refused else { panic!("{refused:?}") };
        assert_eq!(error.name, name, "{error}");
    }
    assert_eq!(stage.bodies(), before, "a call that fails changes nothing");
    assert_eq!(push(&mut stage, None, Vec3::Y * 1e6, Vec3::X * 1e9), Ok(true));
}

#[test]
fn traces_with_non_finite_numbers_hit_nothing() {
    let mut rig = lying(0.1);
    let before = rig.bodies();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert!(!hit(&mut rig, None, Vec3::ZERO, Vec3::X * bad));
        assert!(!hit(&mut rig, Some("head"), Vec3::Y * bad, Vec3::X));
    }
    assert_eq!(rig.bodies(), before);
}

#[test]
fn an_enormous_impulse_leaves_everything_finite() {
    for size in [1e6, 1e12, 1e30, f32::MAX] {
        let mut rig = lying(0.1);
        let at = rig.body("chest").position + Vec3::Z;
        hit(&mut rig, None, at, Vec3::new(size, -size, size));
        rig.run(0.5, |rig| {
            assert!(rig.bodies().iter().all(|body| body.position.is_finite() && body.velocity.is_finite()), "{size}");
            assert!(rig.object().pose().bones().iter().all(|bone| bone.0.iter().all(|v| v.is_finite())), "{size}");
        });
    }
}

#[test]
fn an_animated_body_flinches_and_is_back_soon() {
    for (name, impulse) in
        [("chest", 600.0), ("chest", 6000.0), ("head", 1000.0), ("hand_l", 200.0), ("shin_r", 1500.0)]
    {
        let mut rig = standing();
        rig.command(Command::Animate(1.0, None)).unwrap();
        let frame = |rig: &mut Rig, time: f32| {
            pose(rig, time);
            let mut target = vec![Mat3x4::ZERO; rig.object().bone_count()];
            rig.object().write_model_space(&mut target);
            rig.update();
            rig.step(1.0 / 60.0);
            rig.update();
            let shown = rig.object().pose().bones();
            let bones: Vec<usize> = rig.bodies().iter().map(|body| body.bone).collect();
            let tip = |bone: &Mat3x4| bone.transform_point(Vec3::new(0.0, 0.0, 8.0));
            bones.iter().map(|bone| tip(&shown[*bone]).distance(tip(&target[*bone]))).fold(0.0, f32::max)
        };
        for number in 0..30 {
            let error = frame(&mut rig, number as f32 / 60.0);
            assert!(error < 0.01, "{error}");
        }
        let at = rig.body(name).position;
        assert!(hit(&mut rig, Some(name), at, Vec3::X * -impulse));
        assert!(rig.body(name).velocity.x < -20.0, "it takes the hit: {}", rig.body(name).velocity);
        let mut errors = Vec::new();
        for number in 30..90 {
            errors.push(frame(&mut rig, number as f32 / 60.0));
        }
        let most = errors.iter().copied().fold(0.0, f32::max);
        let back = errors.iter().rposition(|error| *error > 0.05).map_or(0.0, |frame| (frame + 1) as f32 / 60.0);
        assert!(most > 0.3, "{name} {impulse}: {most}");
        assert!(back <= 0.6, "{impulse}: {back}");
        assert!(rig.bodies().iter().all(|body| body.strength == 1.0));
    }
}

#[test]
fn a_velocity_goes_to_every_limp_body_of_an_object() {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    let run = Vec3::new(300.0, -40.0, 5.0);
    // The model has a doll, which no command has asked for.
    let early = stage.runtime.add_ragdoll_velocity(stage.object, run, Vec3::ZERO, Vec3::ZERO);
    assert_eq!(early, Err(RagdollCommandError::NoRagdoll));
    let early = stage.runtime.ragdoll_impulse(stage.object, None, Vec3::ZERO, run, Flinch::default());
    assert_eq!(early, Err(RagdollCommandError::NoRagdoll));
    let early = stage.runtime.match_pose(stage.object, stage.model, &[0], 16.0);
    assert_eq!(early, Err(RagdollCommandError::NoRagdoll));
    stage.command("animate 0").unwrap();
    stage.command("animatebody head 1").unwrap();
    let before = stage.bodies();
    for (velocity, spin, centre) in [
        (Vec3::X * f32::NAN, Vec3::ZERO, Vec3::ZERO),
        (Vec3::ZERO, Vec3::Y * f32::INFINITY, Vec3::ZERO),
        (Vec3::ZERO, Vec3::ZERO, Vec3::Z * 2e6),
    ] {
        let refused = stage.runtime.add_ragdoll_velocity(stage.object, velocity, spin, centre);
        assert!(matches!(refused, Err(RagdollCommandError::OutOfRange(_))), "{refused:?}");
    }
    assert_eq!(stage.bodies(), before, "a call that fails changes nothing");

    let (spin, centre) = (Vec3::Z * 2.0, stage.ragdoll().centre_of_mass(stage.runtime.physics()));
    stage.runtime.add_ragdoll_velocity(stage.object, run, spin, centre).unwrap();
    for (before, after) in before.iter().zip(stage.bodies()) {
        let expected = if after.name == *"head" { Vec3::ZERO } else { run + spin.cross(after.position - centre) };
        let change = after.velocity - before.velocity;
        assert!(change.distance(expected) < 0.5, "{}: {change}, expected {expected}", after.name);
    }
    stage.runtime.delete_object(stage.object).unwrap();
    stage.runtime.flush_deleted();
    let stale = stage.runtime.add_ragdoll_velocity(stage.object, run, Vec3::ZERO, Vec3::ZERO);
    assert_eq!(stale, Err(RagdollCommandError::NoSuchObject));
}

#[test]
fn a_ragdoll_inherits_the_speed_of_two_frames_that_it_followed() {
    for (frames, inherits) in [(0, false), (1, false), (2, true), (3, true)] {
        let mut stage = Stage::mannequin();
        let mut frame = |command: &str| {
            stage.entity.origin.x += 5.0; // 300 units per second
            stage.build(0, 0.0);
            stage.command(command).unwrap();
            let velocity = stage.body("pelvis").velocity.x;
            stage.step(1.0 / 60.0);
            velocity
        };
        for _ in 0..frames {
            frame("");
        }
        let velocity = frame("animate 0");
        let expected = if inherits { 300.0 } else { 0.0 };
        assert!((velocity - expected).abs() < 15.0, "after {frames} frames: {velocity}");
    }
}

/// Hits the chest of an animated mannequin. Returns the farthest way of the chest and of the foot from the animation,
/// units, and the seconds until every body follows exactly.
fn flinch(hit: Flinch) -> ([f32; 2], f32) {
    flinch_with(None, hit, None)
}

/// Hits the chest, with hits without an impulse before and after.
fn flinch_with(before: Option<Flinch>, hit: Flinch, after: Option<Flinch>) -> ([f32; 2], f32) {
    let also = (before, after);
    let mut rig = standing();
    rig.command(Command::Animate(1.0, None)).unwrap();
    rig.run(0.2, |_| {});
    let before = ["chest", "foot_l"].map(|name| rig.body(name).position);
    let chest = rig.object().find_bone(b"chest");
    let hits = [(also.0, Vec3::ZERO), (Some(hit), Vec3::X * -2500.0), (also.1, Vec3::ZERO)];
    for (hit, impulse) in hits.into_iter().filter_map(|(hit, impulse)| Some((hit?, impulse))) {
        assert!(rig.hit(chest, before[0], impulse, hit).unwrap());
    }
    let (mut farthest, mut back) = ([0.0f32; 2], 0.0);
    for frame in 1..=240 {
        rig.update();
        rig.step(1.0 / 60.0);
        for ((name, before), farthest) in ["chest", "foot_l"].iter().zip(before).zip(&mut farthest) {
            *farthest = farthest.max(rig.body(name).position.distance(before));
        }
        if rig.bodies().iter().any(|body| body.velocity.length() > 0.1) {
            back = frame as f32 / 60.0;
        }
    }
    (farthest, back)
}

#[test]
fn a_hit_acts_with_the_given_duration_strength_and_reach() {
    let plain = Flinch::default();
    let ([chest, foot], back) = flinch(plain);
    assert!(chest > 0.5 && foot == 0.0 && back < 0.6, "{chest} {foot} {back}");

    let ([longer, _], late) = flinch(plain.with_seconds(2.0));
    assert!(longer > chest && late > 1.0 && late < 2.1, "{longer} {late}");

    let ([weaker, _], _) = flinch(plain.with_strength(0.3));
    let ([limp, _], limp_back) = flinch(plain.with_strength(1.0));
    assert!(weaker < chest * 0.7 && limp > chest && limp_back < 0.9, "{weaker} {chest} {limp} {limp_back}");

    let ([_, far_foot], _) = flinch(plain.with_spread(8).with_seconds(2.0));
    let ([alone, _], _) = flinch(plain.with_spread(0));
    assert!(far_foot > 0.02 && alone < chest, "{far_foot} {alone}");

    // Of two hits, a body feels the one that leaves it less strength.
    let strong = plain.with_strength(1.0);
    assert_eq!(flinch_with(None, strong, Some(plain.with_strength(0.1))), flinch(strong));
    assert_eq!(flinch_with(Some(strong), plain.with_strength(0.1), None), flinch(strong));

    assert_eq!(flinch(plain.with_seconds(0.0)), ([0.0, 0.0], 0.0), "no time");
    assert_eq!(flinch(plain.with_strength(0.0)), ([0.0, 0.0], 0.0), "no strength");
}

#[test]
fn limp_bodies_take_the_impulse_and_no_flinch() {
    let fallen = |hit: Option<Flinch>| {
        let mut rig = lying(0.2);
        let at = rig.body("chest").position;
        let chest = rig.object().find_bone(b"chest");
        if let Some(hit) = hit {
            assert!(rig.hit(chest, at, Vec3::X * 900.0, hit).unwrap());
        }
        rig.run(0.5, |_| {});
        rig.bodies()
    };
    let plain = Flinch::default().with_strength(0.0);
    assert_eq!(
        fallen(Some(plain)),
        fallen(Some(Flinch::default().with_seconds(9.0).with_strength(1.0).with_spread(9)))
    );
    assert_ne!(fallen(Some(plain)), fallen(None));
}

#[test]
fn a_hit_out_of_range_is_refused() {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    stage.command("").unwrap();
    stage.step(1.0 / 60.0);
    let before = stage.bodies();
    let plain = Flinch::default();
    for (hit, name) in [
        (plain.with_seconds(f32::NAN), "seconds"),
        (plain.with_seconds(-1.0), "seconds"),
        (plain.with_seconds(1e9), "seconds"),
        (plain.with_strength(f32::INFINITY), "strength"),
        (plain.with_strength(1.1), "strength"),
        (plain.with_spread(usize::MAX), "spread"),
    ] {
        let refused = stage.runtime.ragdoll_impulse(stage.object, None, Vec3::ZERO, Vec3::X * 1000.0, hit);
        let Err(RagdollCommandError::OutOfRange(error)) = refused else { panic!("{refused:?}") };
        assert_eq!(error.name, name);
    }
    assert_eq!(stage.bodies(), before, "a call that fails changes nothing");
}

#[test]
fn a_flinch_loses_a_quarter_at_each_joint_and_ends_at_a_severed_one() {
    let hold = Flinch::default().with_seconds(2.0).with_spread(3);
    let back = |sever: Option<&str>| {
        let mut rig = standing();
        rig.command(Command::Animate(1.0, None)).unwrap();
        rig.run(0.2, |_| {});
        if let Some(joint) = sever {
            rig.command(Command::EnableJoint(joint, false)).unwrap();
        }
        let (hand, at) = (rig.object().find_bone(b"hand_l"), rig.body("hand_l").position);
        assert!(rig.hit(hand, at, Vec3::ZERO, hold).unwrap());
        let mut until = [0.0f32; 5];
        let mut time = 0.0;
        rig.run(2.5, |rig| {
            time += 1.0 / 60.0;
            for (name, until) in ["hand_l", "forearm_l", "upperarm_l", "chest", "head"].iter().zip(&mut until) {
                // It approaches the animation once the strength is back.
                if matches!(rig.body(name).mode, BodyMode::Limp | BodyMode::Pulled) {
                    *until = time;
                }
            }
        });
        until
    };
    let whole = back(None);
    for (found, expected) in whole.into_iter().zip([2.0, 1.5, 1.125, 0.84375, 0.0]) {
        assert!((found - expected).abs() < 0.05, "{whole:?}");
    }
    // What was cut off is limp, and does not flinch.
    let severed = back(Some("elbow_l"));
    assert!(severed[..2].iter().all(|until| *until > 2.4) && severed[2..] == [0.0; 3], "{severed:?}");
}

/// A character that runs leaves behind what returns to the animation before its carrier, or from a place in the world.
#[test]
fn a_hit_on_any_body_of_a_living_character_opens_no_joint() {
    const BETWEEN: usize = 36;
    let mut worst = 0.0f32;
    for (animation, speed, spin) in
        [("idle", 0.0, 0.0), ("walk", 47.0, 0.0), ("run", 320.0, 0.0), ("run", 320.0, 180.0)]
    {
        for start in 0..8u8 {
            let mut stage = Stage::mannequin();
            let animation = stage.animation(animation);
            stage.entity.angles.y = 45.0 * f32::from(start);
            for frame in 0..BETWEEN * 17 {
                let (sin, cos) = stage.entity.angles.y.to_radians().sin_cos();
                stage.entity.origin += Vec3::new(cos, sin, 0.0) * speed / 60.0;
                stage.entity.angles.y += spin / 60.0;
                stage.build(animation, frame as f32 / 60.0);
                stage.command("").unwrap();
                if frame % BETWEEN == 0 && frame > 0 {
                    let hit = stage.bodies()[frame / BETWEEN - 1].clone();
                    let impulse = Vec3::new(cos, sin, 0.0) * -300.0;
                    let flinch = Flinch::default();
                    stage.runtime.ragdoll_impulse(stage.object, Some(hit.bone), hit.position, impulse, flinch).unwrap();
                }
                stage.step(1.0 / 60.0);
                worst = worst.max(stage.widest_gap());
            }
        }
    }
    assert!(worst < 1.0, "{worst}");
}
