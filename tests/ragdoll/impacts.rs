//! Impacts of ragdolls: what is reported, how often, and when nothing is.

use std::collections::BTreeMap;

use crate::common::stage::Stage;
use skelobj::math::{EntityTransform, Quat, Vec3};
use skelobj::physics::LevelShape;
use skelobj::physics::rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder};
#[cfg(feature = "serde")]
use skelobj::runtime::Snapshot;
use skelobj::runtime::{BodyOwner, Impact};

const FRAME: f32 = 1.0 / 60.0;

/// Returns a limp mannequin, its feet at `origin`, on a floor.
fn dropped(origin: Vec3) -> Stage {
    let mut stage = Stage::mannequin();
    stage.entity = EntityTransform { origin, ..EntityTransform::IDENTITY };
    stage.build(0, 0.0);
    stage.command("animate 0").unwrap();
    stage
}

/// Simulates until the ragdoll sleeps, at most so many seconds. Returns the impacts with their times.
fn until_rest(stage: &mut Stage, seconds: f32) -> Vec<(f32, Impact)> {
    let mut impacts = Vec::new();
    let mut time = 0.0;
    while time < seconds && !stage.ragdoll().is_asleep(stage.runtime.physics()) {
        stage.command("").unwrap();
        stage.step(FRAME);
        impacts.extend(stage.runtime.impacts().map(|impact| (time, impact)));
        time += FRAME;
    }
    impacts
}

#[test]
fn a_fall_reports_each_hit_once_and_rest_reports_nothing() {
    for height in [0.0, 40.0, 200.0] {
        let mut stage = dropped(Vec3::Z * height);
        stage.runtime.set_impact_threshold(Some(100.0)).unwrap();
        let impacts = until_rest(&mut stage, 20.0);
        assert!(stage.ragdoll().is_asleep(stage.runtime.physics()));
        let first = impacts[0].0;
        let (when, _) = impacts.iter().max_by(|a, b| a.1.impulse.total_cmp(&b.1.impulse)).unwrap();
        assert!((3..=60).contains(&impacts.len()), "{}", impacts.len());
        assert!(*when <= first + 0.5, "{when} {first}");
        let mut last = BTreeMap::new();
        for (time, impact) in &impacts {
            assert_eq!(impact.object, stage.object);
            assert!(matches!(impact.other, Some(BodyOwner::Level(_))), "{impact:?}");
            assert!(impact.normal.z > 0.99 && impact.point.z.abs() < 2.0, "{impact:?}");
            assert!(impact.speed >= 40.0 && impact.speed < 1000.0 && impact.impulse >= 100.0, "{impact:?}");
            assert_eq!(stage.ragdoll().body_bone(impact.body), Some(impact.bone));
            if let Some(before) = last.insert(impact.body, *time) {
                assert!(time - before > 0.08, "body {} twice: {before} {time}", impact.body);
            }
        }
        stage.step(1.0);
        assert_eq!(stage.runtime.impacts().count(), 0, "at rest");
    }
}

#[test]
fn impacts_are_recorded_only_on_request() {
    let mut silent = dropped(Vec3::Z * 40.0);
    let mut heard = dropped(Vec3::Z * 40.0);
    heard.runtime.set_impact_threshold(Some(0.0)).unwrap();
    assert_eq!(until_rest(&mut silent, 2.0), []);
    assert!(!until_rest(&mut heard, 2.0).is_empty());
    assert_eq!(silent.bodies(), heard.bodies(), "listening changes nothing");

    let all = until_rest(&mut dropped_with(0.0), 2.0).len();
    let strong = until_rest(&mut dropped_with(2000.0), 2.0).len();
    assert!(strong > 0 && strong < all, "{strong} {all}");
    heard.runtime.set_impact_threshold(None).unwrap();
    assert_eq!(heard.runtime.impacts().count(), 0);
    heard.runtime.set_impact_threshold(Some(0.0)).unwrap();
    heard.runtime.add_ragdoll_velocity(heard.object, Vec3::Z * 300.0, Vec3::ZERO, Vec3::ZERO).unwrap();
    for bad in [f32::NAN, -1.0, 1e30, f32::INFINITY] {
        assert_eq!(heard.runtime.set_impact_threshold(Some(bad)).unwrap_err().name, "threshold");
    }
    assert!(!until_rest(&mut heard, 2.0).is_empty(), "the threshold is unchanged");
}

#[test]
fn a_corpse_that_an_entity_box_pushes_reports_nothing() {
    let mut stage = dropped(Vec3::ZERO);
    until_rest(&mut stage, 20.0);
    let start = stage.body("pelvis").position.with_z(24.0) - Vec3::X * 80.0;
    let walker = stage.runtime.physics_mut().add_entity_box(Vec3::splat(-24.0), Vec3::splat(24.0), start).unwrap();
    stage.runtime.set_impact_threshold(Some(0.0)).unwrap();
    let before = stage.body("pelvis").position;
    for frame in 1..=90 {
        let at = start + Vec3::X * 100.0 * FRAME * frame as f32;
        stage.runtime.physics_mut().set_level_body_target(walker, at, Quat::IDENTITY).unwrap();
        stage.step(FRAME);
        assert!(stage.runtime.impacts().all(|hit| hit.other != Some(BodyOwner::Level(walker))));
    }
    let moved = stage.body("pelvis").position.distance(before);
    assert!(moved > 5.0, "it was pushed by {moved}");
}

fn dropped_with(threshold: f32) -> Stage {
    let mut stage = dropped(Vec3::Z * 40.0);
    stage.runtime.set_impact_threshold(Some(threshold)).unwrap();
    stage
}

#[test]
fn of_more_impacts_than_a_frame_holds_the_weakest_are_dropped() {
    let bone = |number: usize| skelobj::model::Bone {
        name: format!("b{number}").as_str().into(),
        parent: number.checked_sub(1),
        bind: skelobj::math::Mat3x4::from_translation(Vec3::X * 20.0),
    };
    let skeleton = skelobj::model::Skeleton::new((0..250).map(bone).collect()).unwrap();
    let mut runtime = skelobj::Runtime::default();
    runtime.physics_mut().add_floor(0.0).unwrap();
    let row = skelobj::Model { skeleton, ..Default::default() };
    let bind = row.skeleton.bind_local().to_vec();
    let model = runtime.add_model("row", row).unwrap();
    // In each row, heavier bodies than in the one before, and all of them fall alike.
    for row in 0..5 {
        let object = runtime.create_object(model, skelobj::object::Space::Local).unwrap();
        runtime.object_mut(object).unwrap().set_local_pose(&bind).unwrap();
        let body = |number: usize| {
            format!(
                "body b{number} b{number}\nshape sphere\nsize 2\nmass {}\n",
                1.0 + (row * 250 + number) as f32 * 1e-3
            )
        };
        let doll = format!("dollstring\n{}", (0..250).map(body).collect::<String>());
        let place = skelobj::math::Mat3x4::from_translation(Vec3::new(0.0, 40.0 * row as f32, 6.0));
        runtime.ragdoll_command(object, &place, doll.as_str(), None).unwrap();
        runtime.ragdoll_command(object, &place, "animate 0", None).unwrap();
    }
    let objects: Vec<_> = runtime.objects().map(|(id, _)| id).collect();
    runtime.step(1.0 / 60.0).unwrap();
    for object in &objects {
        runtime.add_ragdoll_velocity(*object, Vec3::Z * -300.0, Vec3::ZERO, Vec3::ZERO).unwrap();
    }
    runtime.set_impact_threshold(Some(1.0)).unwrap();
    for _ in 0..4 {
        runtime.step(1.0 / 60.0).unwrap();
        if runtime.impacts().next().is_some() {
            break;
        }
    }
    let mut kept: Vec<usize> = runtime
        .impacts()
        .map(|hit| objects.iter().position(|id| *id == hit.object).unwrap() * 250 + hit.body)
        .collect();
    kept.sort_unstable();
    assert_eq!(kept.len(), skelobj::Runtime::MAX_IMPACTS);
    assert!(kept.iter().copied().eq(1250 - kept.len()..1250), "{:?}", &kept[..9]);
}

#[test]
fn an_impact_names_what_was_hit() {
    let mut stage = dropped(Vec3::ZERO);
    let physics = stage.runtime.physics_mut();
    let wall = physics.add_box(Vec3::new(60.0, 0.0, 64.0), Vec3::new(8.0, 256.0, 128.0), Quat::IDENTITY).unwrap();
    let pillar = RigidBodyBuilder::fixed().translation(Vec3::new(-60.0, 0.0, 64.0));
    let (_, pillar) = physics.world_mut().insert(pillar, ColliderBuilder::cuboid(4.0, 128.0, 64.0));
    stage.runtime.set_impact_threshold(Some(500.0)).unwrap();
    let mut thrown = |velocity: Vec3| {
        stage.runtime.add_ragdoll_velocity(stage.object, velocity, Vec3::ZERO, Vec3::ZERO).unwrap();
        until_rest(&mut stage, 0.5)
    };
    let at_wall = thrown(Vec3::X * 600.0);
    let (_, hit) = at_wall.iter().find(|(_, hit)| hit.other == Some(BodyOwner::Level(wall))).expect("the wall");
    assert!(hit.normal.x < -0.99 && (hit.point.x - 56.0).abs() < 2.0 && hit.speed > 300.0, "{hit:?}");
    let at_pillar = thrown(Vec3::X * -1500.0);
    let (_, hit) = at_pillar.iter().find(|(_, hit)| hit.other.is_none()).expect("the pillar");
    assert!(hit.other_collider == pillar && hit.normal.x > 0.99, "{hit:?}");
}

#[test]
fn a_door_that_hits_a_corpse_is_reported() {
    for speed in [100.0, 400.0] {
        let mut stage = dropped(Vec3::ZERO);
        let size = Vec3::new(16.0, 256.0, 128.0);
        let start = Vec3::new(-60.0, 0.0, 64.0);
        let physics = stage.runtime.physics_mut();
        let door = physics.add_kinematic_body(&[LevelShape::Box(size)], start, Quat::IDENTITY).unwrap();
        stage.runtime.set_impact_threshold(Some(50.0)).unwrap();
        let mut hits = Vec::new();
        for frame in 1..=30 {
            let at = start + Vec3::X * speed * FRAME * frame as f32;
            stage.runtime.physics_mut().set_level_body_target(door, at, Quat::IDENTITY).unwrap();
            stage.step(FRAME);
            let by_door = stage.runtime.impacts().filter(|hit| hit.other == Some(BodyOwner::Level(door)));
            hits.extend(by_door.map(|hit| (hit, at.x + 8.0)));
        }
        assert!((1..40).contains(&hits.len()), "{}", hits.len());
        for (hit, front) in hits {
            assert!(hit.normal.x > 0.9 && (hit.point.x - front).abs() < speed * FRAME + 2.0, "{hit:?} {front}");
            assert!(hit.speed >= 40.0 && hit.speed < speed * 1.5 + 100.0, "{hit:?}");
        }
    }
}

#[test]
fn a_crate_that_flies_into_a_corpse_is_reported() {
    let mut stage = dropped(Vec3::ZERO);
    until_rest(&mut stage, 20.0);
    // From the side: a hit from above presses the corpse on the floor, and the stronger of two impacts is reported.
    let beside = (stage.body("pelvis").position + Vec3::Y * 45.0).with_z(9.0);
    let flying = RigidBodyBuilder::dynamic().translation(beside).linvel(Vec3::Y * -600.0);
    let light = ColliderBuilder::cuboid(8.0, 8.0, 8.0).density(0.01);
    let (_, light) = stage.runtime.physics_mut().world_mut().insert(flying, light);
    stage.runtime.set_impact_threshold(Some(50.0)).unwrap();
    let mut hits = Vec::new();
    for _ in 0..10 {
        stage.step(FRAME);
        hits.extend(stage.runtime.impacts().filter(|hit| hit.other_collider == light));
    }
    let fastest = hits.iter().map(|hit| hit.speed).fold(0.0, f32::max);
    assert!((200.0..800.0).contains(&fastest), "{hits:?}");
}

#[test]
fn of_two_ragdolls_the_one_that_flies_is_reported() {
    let mut stage = dropped(Vec3::ZERO);
    let other = stage.runtime.create_object(stage.model, skelobj::object::Space::Local).unwrap();
    let first = std::mem::replace(&mut stage.object, other);
    stage.entity.origin = Vec3::new(-60.0, 0.0, 0.0);
    stage.build(0, 0.0);
    stage.command("animate 0").unwrap();
    stage.runtime.set_impact_threshold(Some(300.0)).unwrap();
    stage.runtime.add_ragdoll_velocity(other, Vec3::X * 800.0, Vec3::ZERO, Vec3::ZERO).unwrap();
    let impacts = until_rest(&mut stage, 0.3);
    let between: Vec<&Impact> = impacts
        .iter()
        .map(|(_, impact)| impact)
        .filter(|impact| matches!(impact.other, Some(BodyOwner::Ragdoll { .. })))
        .collect();
    assert!(!between.is_empty() && between.len() < 40, "{}", between.len());
    for impact in between {
        let Some(BodyOwner::Ragdoll { object, bone, .. }) = impact.other else { unreachable!() };
        assert_ne!(object, impact.object, "bodies of one ragdoll report nothing");
        assert!([first, other].contains(&object) && bone < 21, "{impact:?}");
    }
    let flew = impacts.iter().find(|(_, hit)| matches!(hit.other, Some(BodyOwner::Ragdoll { .. }))).unwrap().1;
    assert_eq!(flew.object, other, "{flew:?}");
}

#[test]
fn a_sleeping_corpse_is_hit_with_the_speed_of_what_flies_into_it() {
    let mut stage = dropped(Vec3::ZERO);
    until_rest(&mut stage, 20.0);
    stage.runtime.set_impact_threshold(Some(0.0)).unwrap();
    let lying = stage.object;
    let chest = stage.body("chest").position;
    stage.object = stage.runtime.create_object(stage.model, skelobj::object::Space::Local).unwrap();
    stage.entity.origin = Vec3::new(chest.x, chest.y, 60.0);
    stage.build(0, 0.0);
    stage.command("animate 0").unwrap();
    stage.runtime.add_ragdoll_velocity(stage.object, Vec3::Z * -600.0, Vec3::ZERO, Vec3::ZERO).unwrap();
    let impacts = until_rest(&mut stage, 0.3);
    let first = impacts.iter().find(|(_, hit)| matches!(hit.other, Some(BodyOwner::Ragdoll { .. }))).unwrap().1;
    assert!(matches!(first.other, Some(BodyOwner::Ragdoll { object, .. }) if object == lying), "{first:?}");
    assert!(first.speed > 550.0, "{first:?}");
}

#[test]
fn impacts_are_those_of_the_last_frame() {
    let mut stage = dropped_with(0.0);
    while stage.runtime.impacts().next().is_none() {
        stage.step(FRAME);
    }
    assert!(stage.runtime.impacts().count() <= skelobj::Runtime::MAX_IMPACTS);
    stage.step(0.0);
    assert_eq!(stage.runtime.impacts().count(), 0, "a frame without a step");

    while stage.runtime.impacts().next().is_none() {
        stage.step(FRAME);
    }
    stage.runtime.delete_object(stage.object).unwrap();
    stage.runtime.flush_deleted();
    assert_eq!(stage.runtime.impacts().count(), 0, "the object is gone");
}

#[test]
#[cfg(feature = "serde")]
fn a_restored_runtime_reports_the_same_impacts() {
    let mut stage = dropped_with(50.0);
    for _ in 0..26 {
        stage.step(FRAME);
    }
    let snapshot = stage.runtime.snapshot();
    let go_on = |stage: &mut Stage| until_rest(stage, 2.0);
    let first = go_on(&mut stage);
    assert!(!first.is_empty());
    stage.runtime.restore(&snapshot).unwrap();
    assert_eq!(go_on(&mut stage), first);
}

#[test]
#[cfg(feature = "serde")]
fn a_saved_game_goes_on_in_a_new_runtime_with_its_impacts() {
    for (threshold, frames) in [(Some(50.0), 26), (Some(0.0), 0), (None, 26)] {
        let mut stage = dropped_with(50.0);
        stage.runtime.set_impact_threshold(threshold).unwrap();
        for _ in 0..frames {
            stage.step(FRAME);
        }
        let mut loaded = Stage::mannequin();
        // What the new runtime asks for itself is replaced.
        loaded.runtime.set_impact_threshold(threshold.map_or(Some(7.0), |_| None)).unwrap();
        loaded.entity = stage.entity;
        let bytes = stage.runtime.snapshot().to_bytes().unwrap();
        loaded.runtime.restore(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
        let mut count = 0;
        for frame in 0..150 {
            let both = [&mut stage, &mut loaded].map(|stage| {
                stage.command("").unwrap();
                stage.step(FRAME);
                let impacts: Vec<Impact> = stage.runtime.impacts().collect();
                let bones = stage.runtime.object(stage.object).unwrap().pose().bones().to_vec();
                (impacts, bones, stage.runtime.snapshot().to_bytes().unwrap())
            });
            count += both[0].0.len();
            assert!(both[0] == both[1], "frame {frame} with {threshold:?}: {:?} {:?}", both[0].0, both[1].0);
        }
        assert_eq!(count > 0, threshold.is_some(), "{count} impacts");
    }
}
