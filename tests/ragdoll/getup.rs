//! Changes of strength over time, and getting up: from limp to an animation that is followed exactly.

#[cfg(feature = "serde")]
use crate::common::stage::bits;
use crate::common::stage::{self, Stage, difference, fastest};
use skelobj::math::{Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::object::Build;
use skelobj::physics::{LevelShape, PhysicsSettings, SolidMesh, Winding};
use skelobj::ragdoll::{Command, Flinch};
use skelobj::{Model, Ragdoll, assets};

const FRAME: f32 = 1.0 / 60.0;

/// Returns a mannequin that was thrown and lies on the floor.
fn corpse(throw: Vec3) -> Stage {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    stage.command("animate 0").unwrap();
    stage.runtime.add_ragdoll_velocity(stage.object, throw, Vec3::ZERO, Vec3::ZERO).unwrap();
    for _ in 0..240 {
        stage.command("").unwrap();
        stage.step(FRAME);
    }
    assert!(stage.body("head").position.z < 20.0);
    let pelvis = stage.body("pelvis").position;
    stage.entity.origin = Vec3::new(pelvis.x, pelvis.y, 0.0);
    stage
}

/// Returns the distances of bones with bodies from the bones with bodies that carry them, as they are shown.
fn limbs(stage: &Stage) -> Vec<f32> {
    let bones = stage.bones();
    let doll = stage.ragdoll().doll().clone();
    let bone = |body: usize| stage.ragdoll().body_bone(body).unwrap();
    let limb = |one: usize, other: usize| bones[one].origin().distance(bones[other].origin());
    doll.joints.iter().map(|joint| limb(bone(joint.body1), bone(joint.body2.unwrap()))).collect()
}

/// Lengths that limbs had so far, as the corpse lay and in the animation.
struct Lengths(Vec<(f32, f32)>);

impl Lengths {
    fn of(stage: &Stage) -> Self {
        Self(limbs(stage).into_iter().map(|limb| (limb, limb)).collect())
    }

    fn include(&mut self, stage: &Stage) {
        for ((shortest, longest), limb) in self.0.iter_mut().zip(limbs(stage)) {
            (*shortest, *longest) = (shortest.min(limb), longest.max(limb));
        }
    }

    /// Returns the largest distance of a shown limb's length from the range of its lengths.
    fn excess(&self, stage: &Stage) -> f32 {
        let excess = |((shortest, longest), limb): (&(f32, f32), f32)| (limb - longest).max(shortest - limb);
        self.0.iter().zip(limbs(stage)).map(excess).fold(0.0, f32::max)
    }
}

/// Returns the widest gap of a joint in an animation that is followed exactly: between two poses its limbs shrink.
fn own_gap(animation: &str) -> f32 {
    let mut stage = Stage::mannequin();
    let animation = stage.animation(animation);
    let mut gap = 0.0f32;
    for frame in 0..240 {
        stage.build(animation, frame as f32 / 120.0);
        stage.command("").unwrap();
        stage.step(FRAME);
        gap = gap.max(stage.widest_gap());
    }
    gap
}

#[test]
fn no_limb_stretches_and_no_joint_opens_on_the_way_up() {
    let throws = [Vec3::ZERO, Vec3::new(250.0, 0.0, 100.0), Vec3::new(-200.0, 120.0, 50.0)];
    for (command, animation) in
        [("animate 1", "idle"), ("animate 1 1", "idle"), ("animate 1", "run"), ("animate 1 1", "run")]
    {
        let own_gap = own_gap(animation);
        let (mut gap, mut stretch, mut fast) = (0.0f32, 0.0f32, 0.0f32);
        for (throw, rate) in throws.iter().flat_map(|throw| [60.0, 72.0, 144.0].map(|rate| (*throw, rate))) {
            let mut stage = corpse(throw);
            stage.command("").unwrap();
            let mut lengths = Lengths::of(&stage);
            let mut last = stage.bones();
            let animation = stage.animation(animation);
            for frame in 0..(1.2 * rate) as usize {
                stage.build(animation, frame as f32 / rate);
                lengths.include(&stage);
                stage.command(if frame == 0 { command } else { "" }).unwrap();
                let shown = stage.bones();
                let moved = shown.iter().zip(&last).map(|(a, b)| a.origin().distance(b.origin())).fold(0.0, f32::max);
                fast = fast.max(moved * rate);
                last = shown;
                stretch = stretch.max(lengths.excess(&stage));
                // Gaps of the solver close in the first step.
                gap = gap.max(if stage.step(1.0 / rate) > 0 && frame > 3 { stage.widest_gap() } else { 0.0 });
            }
        }
        assert!(gap < own_gap + 0.5, "{gap}");
        assert!(stretch < 0.05, "{stretch}");
        assert!(fast < if command == "animate 1" { 1400.0 } else { 500.0 }, "{fast}");
    }
}

/// Difference 210.
#[test]
fn standing_up_takes_the_time_that_it_is_given() {
    for (command, from, to) in [("animate 1", 0.15, 0.3), ("animate 1 0.1", 0.1, 0.1), ("animate 1 2", 2.0, 2.0)] {
        let mut stage = corpse(Vec3::ZERO);
        let mut arrived = 0.0;
        for frame in 0..150 {
            stage.build(0, 0.0);
            let animated = stage.bones();
            stage.command(if frame == 0 { command } else { "" }).unwrap();
            if difference(&animated, &stage.bones()) > 0.01 {
                arrived = (frame + 1) as f32 * FRAME;
            }
            stage.step(FRAME);
        }
        assert!((from - 0.07..to + 0.03).contains(&arrived), "{command}: {arrived}");
    }
}

#[test]
fn without_a_time_the_doll_stands_at_once() {
    for command in ["animate 1 0", "animate 1 -3", "animate 1 nan", "animate 1 soon"] {
        let mut stage = corpse(Vec3::ZERO);
        stage.build(0, 0.0);
        let animated = stage.bones();
        stage.command(command).unwrap();
        assert!(difference(&animated, &stage.bones()) < 0.01, "{command}");
        stage.step(FRAME);
        assert!(stage.body("head").position.z > 50.0, "{command}");
        assert!(fastest(&stage.bodies()) < 1e5 && stage.widest_gap() < 0.1, "{command}");
    }
}

/// Returns the strength of the chest after each of these numbers of frames.
fn strengths(stage: &mut Stage, command: &str, frames: &[usize]) -> Vec<f32> {
    let mut found = Vec::new();
    for frame in 0..=frames.iter().copied().max().unwrap() {
        if frames.contains(&frame) {
            found.push(stage.body("chest").strength);
        }
        stage.build(0, 0.0);
        stage.command(if frame == 0 { command } else { "" }).unwrap();
        stage.step(FRAME);
    }
    found
}

#[track_caller]
fn assert_near(found: &[f32], expected: &[f32]) {
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.02), "{found:?}, expected {expected:?}");
}

#[test]
fn an_inexact_strength_changes_at_a_constant_rate() {
    let frames = [0, 30, 60, 90];
    assert_near(&strengths(&mut corpse(Vec3::ZERO), "animate 0.6 1", &frames), &[0.0, 0.3, 0.6, 0.6]);
    let mut alive = Stage::mannequin();
    alive.build(0, 0.0);
    alive.command("animate 1").unwrap();
    assert_near(&strengths(&mut alive, "animate 0 1", &frames), &[1.0, 0.5, 0.0, 0.0]);
    assert_eq!(alive.ragdoll().animated_bodies(), 0);
    assert_near(&strengths(&mut alive, "animatebody chest 0.5 0.5", &frames), &[0.0, 0.5, 0.5, 0.5]);
    assert_eq!(alive.ragdoll().animated_bodies(), 1);
    assert_near(&strengths(&mut alive, "animatebody chest 1 1", &frames), &[0.5, 0.75, 1.0, 1.0]);
}

#[test]
fn a_change_takes_an_hour_at_most() {
    let after = |seconds: f32| {
        let mut stage = corpse(Vec3::ZERO);
        strengths(&mut stage, &format!("animate 0.9 {seconds}"), &[60])[0]
    };
    let [half, hour, longer] = [1800.0, 3600.0, 1e9].map(after);
    assert!((hour * 3600.0 - 0.9).abs() < 0.03 && half > hour * 1.9, "{hour} {half}");
    assert_eq!(longer.to_bits(), hour.to_bits());
}

#[test]
fn a_sleeping_corpse_wakes_up_to_a_strength_that_grows() {
    let mut stage = corpse(Vec3::ZERO);
    for _ in 0..600 {
        stage.command("").unwrap();
        stage.step(FRAME);
    }
    assert!(stage.ragdoll().is_asleep(stage.runtime.physics()));
    let strengths = strengths(&mut stage, "animate 0.8 0.5", &[0, 120]);
    assert_near(&strengths, &[0.0, 0.8]);
    assert!(stage.body("head").position.z > 50.0);
}

#[test]
fn one_arm_comes_back_to_a_runner_without_leaving_the_shoulder() {
    let mut stage = Stage::mannequin();
    let run = stage.animation("run");
    let (mut gap, mut stretch) = (0.0f32, 0.0f32);
    stage.build(run, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    let mut lengths = Lengths::of(&stage);
    for frame in 0..180 {
        stage.entity.origin.x = frame as f32 * 5.0;
        stage.build(run, frame as f32 * FRAME);
        lengths.include(&stage);
        for part in ["upperarm_l", "forearm_l", "hand_l"] {
            match frame {
                5 => stage.command(&format!("animatebody {part} 0")).map(drop).unwrap(),
                90 => stage.command(&format!("animatebody {part} 1 0.7")).map(drop).unwrap(),
                _ => {}
            }
        }
        stage.command("").unwrap();
        if frame >= 90 {
            stretch = stretch.max(lengths.excess(&stage));
        } else {
            lengths.include(&stage);
        }
        stage.step(FRAME);
        if frame > 91 {
            gap = gap.max(stage.widest_gap());
        }
    }
    assert!(gap < own_gap("run") + 0.5 && stretch < 0.05, "{gap} {stretch}");
    assert_eq!(stage.ragdoll().animated_bodies(), 16);
}

#[test]
fn a_hit_interrupts_the_way_up() {
    let mut stage = corpse(Vec3::ZERO);
    let (mut stretch, mut lengths) = (0.0f32, Lengths::of(&stage));
    for frame in 0..180 {
        stage.build(0, 0.0);
        lengths.include(&stage);
        stage.command(if frame == 0 { "animate 1 1" } else { "" }).unwrap();
        if frame == 25 {
            let chest = stage.body("chest");
            let push = Vec3::new(-9000.0, 3000.0, 0.0);
            assert!(
                stage
                    .runtime
                    .ragdoll_impulse(stage.object, Some(chest.bone), chest.position, push, Flinch::default())
                    .unwrap()
            );
        }
        stretch = stretch.max(lengths.excess(&stage));
        stage.step(FRAME);
        stage.assert_finite("after a hit");
    }
    stage.build(0, 0.0);
    let animated = stage.bones();
    stage.command("").unwrap();
    assert!(difference(&animated, &stage.bones()) < 0.01, "it stands");
    // Bodies that were hit hang between moving ones: the solver leaves gaps.
    assert!(stretch < 2.0, "{stretch}");
}

#[test]
fn a_teleport_moves_a_ragdoll_that_is_getting_up() {
    let heights = |jump: f32| {
        let mut stage = corpse(Vec3::ZERO);
        let mut heights = Vec::new();
        for frame in 0..70 {
            if frame == 20 {
                stage.entity.origin.x += jump;
            }
            stage.build(0, 0.0);
            stage.command(if frame == 0 { "animate 1 1" } else { "" }).unwrap();
            stage.step(FRAME);
            let head = stage.body("head").position;
            heights.push(Vec3::new(head.x - stage.entity.origin.x, head.y, head.z));
        }
        heights
    };
    let (here, there) = (heights(0.0), heights(4096.0));
    let apart = here.iter().zip(&there).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(apart < 0.1, "{apart}");
}

#[cfg(feature = "serde")]
#[test]
fn a_restored_game_goes_on_with_the_way_up() {
    use skelobj::runtime::Snapshot;
    for command in ["animate 1", "animate 1 1", "animate 0.7 1", "animatebody chest 1 1"] {
        let mut stage = corpse(Vec3::new(100.0, 50.0, 0.0));
        let run = stage.animation("run");
        let frame = |stage: &mut Stage, frame: usize| {
            stage.build(run, frame as f32 / 72.0);
            stage.command(if frame == 0 { command } else { "" }).unwrap();
            stage.step(1.0 / 72.0);
            bits(&stage.raw())
        };
        for number in 0..15 {
            frame(&mut stage, number);
        }
        let entity = stage.entity;
        let saved = stage.runtime.snapshot().to_bytes().unwrap();
        let expected: Vec<_> = (15..90).map(|number| frame(&mut stage, number)).collect();
        let mut restored = Stage::mannequin();
        restored.runtime.restore(&Snapshot::from_bytes(&saved).unwrap()).unwrap();
        (restored.object, restored.model, restored.entity) = (stage.object, stage.model, entity);
        let found: Vec<_> = (15..90).map(|number| frame(&mut restored, number)).collect();
        stage::assert_same(&expected, &found);
    }
}

#[test]
fn a_hand_that_takes_less_time_than_its_arm_arrives_with_it() {
    let mut stage = corpse(Vec3::ZERO);
    let hand = stage.bone("hand_l");
    let (mut last, mut fastest) = (None::<Vec3>, 0.0f32);
    for frame in 0..90 {
        stage.build(0, 0.0);
        stage.command(if frame == 0 { "animate 1 1" } else { "" }).unwrap();
        if frame == 0 {
            stage.command("animatebody hand_l 1 0.2").unwrap();
        }
        let now = stage.bones()[hand].origin();
        fastest = fastest.max(last.map_or(0.0, |last| last.distance(now) * 60.0));
        last = Some(now);
        stage.step(FRAME);
    }
    assert!(fastest > 20.0 && fastest < 200.0, "{fastest} units/s");
    assert!(stage.body("hand_l").position.z > 20.0);
}

/// Mannequin on ground of some kind, at a height.
fn on_ground(kind: usize, height: f32) -> Stage {
    let model = stage::mannequin();
    let mut stage = Stage::new("mannequin.iqm", model, PhysicsSettings::default());
    let physics = stage.runtime.physics_mut();
    let [a, b] = [-2000.0, 2000.0];
    let corners = [[a, a], [b, a], [b, b], [a, b]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let place = Vec3::Z * height;
    let ground = match kind {
        0 => physics.add_floor(height),
        1 => physics.add_box(place - Vec3::Z * 32.0, Vec3::new(4000.0, 4000.0, 64.0), Quat::IDENTITY),
        _ => {
            let mesh = SolidMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]], Winding::CounterClockwise).unwrap();
            physics.add_level_body(&[LevelShape::Mesh(&mesh)], place, Quat::IDENTITY)
        }
    };
    ground.unwrap();
    stage.entity.origin.z = height + 50.0;
    stage
}

/// Gets up from where the ragdoll lies, as `examples/getting_up.rs` does. Returns the lowest point of the bodies above
/// the ground, and the longest way of a body in a frame; `None` if no animation is near.
fn get_up(stage: &mut Stage, height: f32, seconds: f32) -> Option<[f32; 2]> {
    let get_ups = Model::load("mannequin_getup.iqm", assets::MANNEQUIN_GETUP_IQM, |_| None).unwrap();
    let model = stage.runtime.add_model("mannequin_getup.iqm", get_ups).unwrap();
    let tolerance = Ragdoll::NEAR_POSE * stage.entity.scale;
    let found = stage.runtime.match_pose(stage.object, model, &[0, 1], tolerance).ok()?;
    stage.entity = skelobj::math::EntityTransform { scale: stage.entity.scale, ..found.entity() };
    stage.entity.origin.z = height;
    let mut last = stage.bodies();
    let [mut lowest, mut longest] = [0.0f32; 2];
    for frame in 0..150u8 {
        let pose = FrameState::single(found.animation, found.time + f64::from(frame) / 60.0);
        stage.runtime.build(stage.object, model, &pose, &Build::REPLACE).unwrap();
        let entity = stage.runtime.settings().entity_matrix(&stage.entity);
        let command = if frame == 0 { Command::Animate(1.0, Some(seconds)) } else { Command::Update };
        stage.runtime.ragdoll_command(stage.object, &entity, command, None).unwrap();
        stage.step(FRAME);
        let now = stage.bodies();
        longest = now.iter().zip(&last).map(|(a, b)| a.position.distance(b.position)).fold(longest, f32::max);
        last = now;
        lowest = lowest.min(stage.ragdoll().lowest_point(stage.runtime.physics()) - height);
    }
    Some([lowest, longest])
}

#[test]
fn a_corpse_stays_above_the_ground_on_its_way_up() {
    let mut seed = 5u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    };
    let mut rose = 0;
    for fall in 0..12 {
        let (height, scale) = ([0.0, -300.0, 75.5][fall % 3], [1.0, 1.0, 2.0, 0.5][fall % 4]);
        let mut stage = on_ground(fall % 3, height);
        stage.entity.scale = scale;
        stage.entity.angles = Vec3::new(random(), random(), random()) * 180.0;
        stage.build(3, 0.4);
        stage.command("doll mannequin.doll").unwrap();
        stage.command("animate 0").unwrap();
        let spin = Vec3::new(random(), random(), random()) * 4.0;
        stage.runtime.add_ragdoll_velocity(stage.object, Vec3::ZERO, spin, stage.entity.origin).unwrap();
        for _ in 0..300 {
            stage.command("").unwrap();
            stage.step(FRAME);
        }
        let Some([lowest, longest]) = get_up(&mut stage, height, 0.6) else { continue };
        // Without the lift, -12; the animation alone reaches -1.6.
        assert!(lowest > -2.0 * scale && longest < 3.0 * scale, "fall {fall}: {lowest} {longest}");
        rose += 1;
    }
    assert!(rose >= 8, "{rose}");
}

/// Difference 156: an entity that moves to its corpse takes nothing along.
#[test]
fn a_corpse_gets_up_far_from_where_its_entity_died() {
    for (push, seconds) in [(100.0, 0.6), (700.0, 0.6), (700.0, 0.3)] {
        let mut stage = corpse(Vec3::new(0.0, push, push / 2.0));
        stage.entity.origin = Vec3::ZERO;
        stage.command("").unwrap();
        let [lowest, longest] = get_up(&mut stage, 0.0, seconds).unwrap();
        assert!(lowest > -2.0 && longest < 8.0, "{push}: {lowest} {longest}");
    }
}
