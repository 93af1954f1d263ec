//! Shots: what of a ragdoll, a posed object or the level they hit.
#![cfg(feature = "ragdoll")]

mod ragdoll_common;

use ragdoll_common::Stage;
use skelobj::math::Vec3;
use skelobj::physics::Layers;
use skelobj::physics::rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder};
use skelobj::runtime::{Against, Surface, Trace};
use skelobj::skeleton::{SkelError, Space};

/// A mannequin on a floor with its doll, not stepped yet.
fn standing() -> Stage {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    stage
}

/// A line along X through a body's middle.
fn through(stage: &Stage, name: &str) -> [Vec3; 2] {
    let middle = stage.body(name).position;
    [middle + Vec3::X * 200.0, middle - Vec3::X * 200.0]
}

#[test]
fn a_shot_tells_object_and_bone_also_of_a_doll_just_made() {
    let stage = standing();
    for name in ["head", "chest", "thigh_l", "shin_r", "hand_l"] {
        let [start, end] = through(&stage, name);
        let hit = stage.runtime.trace(&Trace::line(start, end)).expect("hit");
        let number = stage.bodies().iter().position(|body| body.name == *name).unwrap();
        assert_eq!((hit.skel, hit.bone), (Some(stage.skel), Some(stage.bone(name))), "{name}");
        assert_eq!(hit.surface, Surface::Body(number));
        assert!((0.3..0.5).contains(&hit.fraction) && hit.normal.x > 0.0, "{hit:?}");
        assert!(hit.point.distance(start + (end - start) * hit.fraction) < 1e-4);
        let own = stage.runtime.trace_object(stage.skel, &stage.entity, [start, end], Against::Best).unwrap().unwrap();
        assert!((own.fraction - hit.fraction).abs() < 1e-5 && own.surface == hit.surface, "{own:?} {hit:?}");
    }
}

#[test]
fn nothing_is_hit_where_a_doll_was() {
    let mut stage = standing();
    let [start, end] = through(&stage, "head");
    stage.command("cleardoll").unwrap();
    assert_eq!(stage.runtime.trace(&Trace::line(start, end)), None);
    stage.command("doll mannequin.doll").unwrap();
    assert!(stage.runtime.trace(&Trace::line(start, end)).is_some());
    stage.command("animate 0").unwrap();
    for _ in 0..120 {
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
    }
    assert_eq!(stage.runtime.trace(&Trace::line(start, end)), None, "it lies");
    let [start, end] = [Vec3::Z * 100.0, Vec3::Z * -10.0].map(|up| stage.body("chest").position.with_z(0.0) + up);
    let hit = stage.runtime.trace(&Trace::line(start, end)).unwrap();
    assert!(hit.bone.is_some() && hit.normal.z > 0.0, "{hit:?}");
}

#[test]
fn the_first_of_level_dolls_and_the_hosts_own_counts() {
    let mut stage = standing();
    let [start, end] = through(&stage, "chest");
    let line = Trace::line(start, end);
    let wall = stage.runtime.physics_mut().add_box(Vec3::new(100.0, 0.0, 50.0), Vec3::splat(100.0), Default::default());
    let wall = wall.unwrap();
    let hit = stage.runtime.trace(&line).unwrap();
    assert_eq!(hit.surface, Surface::Part { part: wall, shape: 0, triangle: None });
    assert_eq!((hit.skel, hit.bone, hit.normal), (None, None, Vec3::X));
    assert_eq!(stage.runtime.trace(&line.of(Layers::DOLLS)).unwrap().skel, Some(stage.skel));
    assert!(stage.runtime.physics_mut().remove_part(wall));
    assert_eq!(stage.runtime.trace(&line).unwrap().skel, Some(stage.skel));
    assert_eq!(stage.runtime.trace(&line.ignoring(stage.skel)), None, "nobody shoots himself");
    let world = stage.runtime.physics_mut().world_mut();
    let body = RigidBodyBuilder::fixed().translation(Vec3::new(80.0, 0.0, 40.0)).user_data(7);
    let (_, crate_) = world.insert(body, ColliderBuilder::ball(30.0).user_data(u128::from(u64::MAX)));
    stage.step(1.0 / 60.0);
    assert_eq!(stage.runtime.trace(&line).unwrap().surface, Surface::Collider(crate_));
}

#[test]
fn a_box_is_stopped_where_a_line_passes() {
    let stage = standing();
    let head = stage.body("head").position;
    let [start, end] = [head + Vec3::new(200.0, 0.0, 12.0), head + Vec3::new(-200.0, 0.0, 12.0)];
    assert_eq!(stage.runtime.trace(&Trace::line(start, end)), None);
    let walker = Trace::line(start, end).with_box(Vec3::new(-16.0, -16.0, -24.0), Vec3::new(16.0, 16.0, 32.0));
    let hit = stage.runtime.trace(&walker).unwrap();
    assert_eq!(hit.skel, Some(stage.skel));
    assert!(hit.point.x > head.x + 16.0 && hit.point.x < head.x + 40.0, "{hit:?} {head}");
    let down = Trace::line(Vec3::new(90.0, 0.0, 300.0), Vec3::new(90.0, 0.0, -300.0));
    let hit = stage.runtime.trace(&down.with_box(walker.mins, walker.maxs)).unwrap();
    assert!((hit.point.z - 24.0).abs() < 0.01 && (hit.normal - Vec3::Z).length() < 1e-3, "it stands: {hit:?}");
    let inside = Trace::line(head, head + Vec3::X * 100.0).with_box(walker.mins, walker.maxs);
    let hit = stage.runtime.trace(&inside).unwrap();
    assert_eq!((hit.fraction, hit.normal), (0.0, Vec3::ZERO));
}

#[test]
fn a_posed_object_without_a_doll_is_hit_at_its_skin() {
    let mut stage = standing();
    let [start, end] = through(&stage, "chest");
    let by = |against| stage.runtime.trace_object(stage.skel, &stage.entity, [start, end], against).unwrap();
    let skin = by(Against::Skin).expect("hit");
    assert!(matches!(skin.surface, Surface::Skin { .. }) && skin.normal.x > 0.0, "{skin:?}");
    assert!((by(Against::Ragdoll).unwrap().fraction - skin.fraction).abs() < 0.03);
    assert_eq!(by(Against::HitBoxes), None, "the mannequin has none");
    stage.command("cleardoll").unwrap();
    let best = stage.runtime.trace_object(stage.skel, &stage.entity, [start, end], Against::Best).unwrap();
    assert_eq!(best.map(|hit| hit.surface), Some(skin.surface));
    // The same turned, moved and twice as large.
    stage.entity.origin = Vec3::new(500.0, -300.0, 20.0);
    stage.entity.angles.y = 90.0;
    stage.entity.scale = 2.0;
    let world = stage.entity.to_world(-1.0, 1.0);
    let line = [start, end].map(|place| world.transform_point(place));
    let hit = stage.runtime.trace_object(stage.skel, &stage.entity, line, Against::Best).unwrap().unwrap();
    assert!((hit.fraction - skin.fraction).abs() < 1e-4 && hit.surface == skin.surface, "{hit:?} {skin:?}");
    assert!(hit.normal.y > 0.0 && (hit.normal.length() - 1.0).abs() < 1e-4, "{hit:?}");
}

#[test]
fn odd_traces_hit_nothing_or_say_why() {
    let mut stage = standing();
    for bad in [Vec3::NAN, Vec3::splat(f32::INFINITY), Vec3::splat(f32::MAX)] {
        for line in [Trace::line(bad, Vec3::ZERO), Trace::line(Vec3::Z, bad)] {
            let hits = [line, line.with_box(-Vec3::ONE, Vec3::ONE), line.with_box(bad, Vec3::ONE)];
            assert!(hits.iter().filter_map(|line| stage.runtime.trace(line)).all(|hit| hit.point.is_finite()));
        }
    }
    for size in [1e6f32, 1e10, 1e19, 1e20, 1e30, f32::MAX] {
        for corner in [Vec3::ONE, Vec3::Z] {
            let huge = Trace::line(Vec3::Z * 1e20, Vec3::Z * -1e19).with_box(corner * -size, corner * size);
            assert_eq!(stage.runtime.trace(&huge).is_some(), size == 1e6, "{size} {corner}");
        }
    }
    let turned = Trace::line(Vec3::Z * 10.0, Vec3::Z * -10.0).with_box(Vec3::ONE, -Vec3::ONE);
    assert_eq!(stage.runtime.trace(&turned), None);
    stage.entity.scale = 1e20;
    for against in [Against::Best, Against::Skin] {
        let longer_than_numbers = [Vec3::Z * f32::MAX, Vec3::Z * -f32::MAX];
        let hit = stage.runtime.trace_object(stage.skel, &stage.entity, longer_than_numbers, against);
        assert_eq!(hit, Ok(None), "{against:?}");
    }
    let line = [Vec3::Z, Vec3::X];
    stage.entity.scale = 1e-39;
    let flat = stage.runtime.trace_object(stage.skel, &stage.entity, line, Against::Best);
    assert_eq!(flat, Err(SkelError::Singular));
    let gone = stage.runtime.create_skeleton(stage.model, Space::Local).unwrap();
    stage.runtime.delete(gone);
    stage.runtime.end_frame();
    stage.entity.scale = 1.0;
    let missing = stage.runtime.trace_object(gone, &stage.entity, line, Against::Best);
    assert_eq!(missing, Err(SkelError::NoSuchObject));
}
