//! Shots at ragdolls, posed objects and the level.

use crate::common::stage::Stage;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::object::Space;
use skelobj::physics::CollisionGroups;
use skelobj::physics::rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder};
use skelobj::runtime::{Hit, ObjectGeometry, Surface, Trace, TraceError};

/// Returns a mannequin on a floor with its doll, before the first step.
fn standing() -> Stage {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    stage
}

/// Returns a line along X through a body's middle.
fn through(stage: &Stage, name: &str) -> [Vec3; 2] {
    let middle = stage.body(name).position;
    [middle + Vec3::X * 200.0, middle - Vec3::X * 200.0]
}

/// Traces a line through the stage's object alone.
fn object_hit(stage: &Stage, [start, end]: [Vec3; 2], geometry: ObjectGeometry) -> Result<Option<Hit>, TraceError> {
    let entity = stage.runtime.settings().entity_matrix(&stage.entity);
    stage.runtime.trace(&Trace::line(start, end).with_object(stage.object, entity, geometry))
}

#[test]
fn a_trace_returns_object_and_bone_even_of_a_new_doll() {
    let stage = standing();
    for name in ["head", "chest", "thigh_l", "shin_r", "hand_l"] {
        let [start, end] = through(&stage, name);
        let hit = stage.runtime.trace(&Trace::line(start, end)).unwrap().expect("hit");
        let number = stage.bodies().iter().position(|body| body.name == *name).unwrap();
        assert_eq!((hit.object, hit.bone), (Some(stage.object), Some(stage.bone(name))), "{name}");
        assert_eq!(hit.surface, Surface::Body(number));
        assert!((0.3..0.5).contains(&hit.fraction) && hit.normal.x > 0.0, "{hit:?}");
        assert!(hit.point.distance(start + (end - start) * hit.fraction) < 1e-4);
        let own = object_hit(&stage, [start, end], ObjectGeometry::Best).unwrap().unwrap();
        assert!((own.fraction - hit.fraction).abs() < 1e-5 && own.surface == hit.surface, "{own:?} {hit:?}");
    }
}

#[test]
fn nothing_is_hit_where_a_doll_was() {
    let mut stage = standing();
    let [start, end] = through(&stage, "head");
    stage.command("cleardoll").unwrap();
    assert_eq!(stage.runtime.trace(&Trace::line(start, end)).unwrap(), None);
    stage.command("doll mannequin.doll").unwrap();
    assert!(stage.runtime.trace(&Trace::line(start, end)).unwrap().is_some());
    stage.command("animate 0").unwrap();
    for _ in 0..120 {
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
    }
    assert_eq!(stage.runtime.trace(&Trace::line(start, end)).unwrap(), None, "it lies");
    let [start, end] = [Vec3::Z * 100.0, Vec3::Z * -10.0].map(|up| stage.body("chest").position.with_z(0.0) + up);
    let hit = stage.runtime.trace(&Trace::line(start, end)).unwrap().unwrap();
    assert!(hit.bone.is_some() && hit.normal.z > 0.0, "{hit:?}");
}

#[test]
fn the_first_of_level_dolls_and_the_hosts_own_counts() {
    let mut stage = standing();
    let [start, end] = through(&stage, "chest");
    let line = Trace::line(start, end);
    let wall = stage.runtime.physics_mut().add_box(Vec3::new(100.0, 0.0, 50.0), Vec3::splat(100.0), Default::default());
    let wall = wall.unwrap();
    let hit = stage.runtime.trace(&line).unwrap().unwrap();
    assert_eq!(hit.surface, Surface::Level { body: wall, shape: 0, triangle: None });
    assert_eq!((hit.object, hit.bone, hit.normal), (None, None, Vec3::X));
    assert_eq!(
        stage.runtime.trace(&line.with_groups(CollisionGroups::RAGDOLLS)).unwrap().unwrap().object,
        Some(stage.object)
    );
    stage.runtime.physics_mut().remove_level_body(wall).unwrap();
    assert_eq!(stage.runtime.trace(&line).unwrap().unwrap().object, Some(stage.object));
    assert_eq!(stage.runtime.trace(&line.without(stage.object)).unwrap(), None, "nobody shoots himself");
    let world = stage.runtime.physics_mut().world_mut();
    let body = RigidBodyBuilder::fixed().translation(Vec3::new(80.0, 0.0, 40.0)).user_data(7);
    let (_, crate_) = world.insert(body, ColliderBuilder::ball(30.0).user_data(u128::from(u64::MAX)));
    stage.step(1.0 / 60.0);
    assert_eq!(stage.runtime.trace(&line).unwrap().unwrap().surface, Surface::Collider(crate_));
}

#[test]
fn only_the_ragdoll_of_an_object_can_be_left_out_and_one_object_is_hit_whatever_is() {
    let mut stage = standing();
    let [start, end] = through(&stage, "chest");
    let line = Trace::line(start, end).without(stage.object);
    let (size, chest) = (Vec3::splat(16.0), stage.body("chest").position);
    let own = stage.runtime.physics_mut().add_entity_box(-size, size, chest).unwrap();
    let hit = stage.runtime.trace(&line).unwrap().unwrap();
    assert!(matches!(hit.surface, Surface::Level { body, .. } if body == own), "{hit:?}");
    let eye = Trace::line(chest, end).without(stage.object);
    let out = stage.runtime.trace(&eye).unwrap().unwrap();
    assert!(out.start_solid && out.fraction == 1.0, "inside of its own box: {out:?}");
    let bones = CollisionGroups::LEVEL | CollisionGroups::RAGDOLLS;
    assert_eq!(stage.runtime.trace(&line.with_groups(bones)), Ok(None));
    assert_eq!(
        stage.runtime.trace(&Trace::line(start, end).with_groups(bones)).unwrap().unwrap().object,
        Some(stage.object)
    );
    // A trace through one object knows neither groups nor who is left out, and a ragdoll is where its bodies are.
    let entity = stage.runtime.settings().entity_matrix(&stage.entity);
    for geometry in [ObjectGeometry::Best, ObjectGeometry::Ragdoll, ObjectGeometry::Skin] {
        let wanted = object_hit(&stage, [start, end], geometry).unwrap();
        assert!(wanted.is_some());
        let restricted = line.with_groups(CollisionGroups::NONE).with_object(stage.object, entity, geometry);
        assert_eq!(stage.runtime.trace(&restricted), Ok(wanted));
    }
    let ragdoll = object_hit(&stage, [start, end], ObjectGeometry::Ragdoll);
    stage.entity.origin = Vec3::X * 1000.0;
    assert_eq!(object_hit(&stage, [start, end], ObjectGeometry::Ragdoll), ragdoll);
    assert_eq!(object_hit(&stage, [start, end], ObjectGeometry::Skin), Ok(None));
}

#[test]
fn a_box_is_stopped_where_a_line_passes() {
    let stage = standing();
    let head = stage.body("head").position;
    let [start, end] = [head + Vec3::new(200.0, 0.0, 12.0), head + Vec3::new(-200.0, 0.0, 12.0)];
    assert_eq!(stage.runtime.trace(&Trace::line(start, end)).unwrap(), None);
    let walker = Trace::line(start, end).with_box(Vec3::new(-16.0, -16.0, -24.0), Vec3::new(16.0, 16.0, 32.0));
    let hit = stage.runtime.trace(&walker).unwrap().unwrap();
    assert_eq!(hit.object, Some(stage.object));
    assert!(hit.point.x > head.x + 16.0 && hit.point.x < head.x + 40.0, "{hit:?} {head}");
    let down = Trace::line(Vec3::new(90.0, 0.0, 300.0), Vec3::new(90.0, 0.0, -300.0));
    let hit = stage.runtime.trace(&down.with_box(walker.mins, walker.maxs)).unwrap().unwrap();
    assert!((hit.point.z - 24.0).abs() < 0.01 && (hit.normal - Vec3::Z).length() < 1e-3, "it stands: {hit:?}");
    let inside = Trace::line(head, head + Vec3::X * 100.0).with_box(walker.mins, walker.maxs);
    let hit = stage.runtime.trace(&inside).unwrap().unwrap();
    assert_eq!((hit.fraction, hit.normal, hit.object), (1.0, Vec3::ZERO, Some(stage.object)));
    assert!(hit.start_solid && !hit.all_solid);
    // A shot from inside a body hits it.
    let chest = stage.body("chest").position;
    let shot = stage.runtime.trace(&Trace::line(chest, chest + Vec3::X * 100.0)).unwrap().unwrap();
    assert_eq!((shot.fraction, shot.normal, shot.object), (0.0, Vec3::ZERO, Some(stage.object)));
}

#[test]
fn a_posed_object_without_a_doll_is_hit_at_its_skin() {
    let mut stage = standing();
    let [start, end] = through(&stage, "chest");
    let by = |geometry| object_hit(&stage, [start, end], geometry).unwrap();
    let skin = by(ObjectGeometry::Skin).expect("hit");
    assert!(matches!(skin.surface, Surface::Skin { .. }) && skin.normal.x > 0.0, "{skin:?}");
    assert!((by(ObjectGeometry::Ragdoll).unwrap().fraction - skin.fraction).abs() < 0.03);
    assert_eq!(by(ObjectGeometry::HitBoxes), None, "the mannequin has none");
    stage.command("cleardoll").unwrap();
    let best = object_hit(&stage, [start, end], ObjectGeometry::Best).unwrap();
    assert_eq!(best.map(|hit| hit.surface), Some(skin.surface));
    // The same box rotated, moved and scaled by two.
    stage.entity.origin = Vec3::new(500.0, -300.0, 20.0);
    stage.entity.angles.y = 90.0;
    stage.entity.scale = 2.0;
    let world = stage.entity.to_world(-1.0, 1.0);
    let line = [start, end].map(|place| world.transform_point(place));
    let hit = object_hit(&stage, line, ObjectGeometry::Best).unwrap().unwrap();
    assert!((hit.fraction - skin.fraction).abs() < 1e-4 && hit.surface == skin.surface, "{hit:?} {skin:?}");
    assert!(hit.normal.y > 0.0 && (hit.normal.length() - 1.0).abs() < 1e-4, "{hit:?}");
}

#[test]
fn odd_traces_return_what_is_wrong_with_them() {
    let mut stage = standing();
    for bad in [Vec3::NAN, Vec3::splat(f32::INFINITY), Vec3::splat(f32::MAX)] {
        for line in [Trace::line(bad, Vec3::ZERO), Trace::line(Vec3::Z, bad)] {
            for line in [line, line.with_box(-Vec3::ONE, Vec3::ONE)] {
                // A line across the whole range of numbers may still be valid.
                let allowed = if bad.is_finite() { stage.runtime.trace(&line).unwrap() } else { None };
                assert!(allowed.is_none_or(|hit| hit.point.is_finite()));
                assert!(bad.is_finite() || stage.runtime.trace(&line) == Err(TraceError::NotFinite));
            }
        }
        let boxed = Trace::line(Vec3::ZERO, Vec3::Z).with_box(bad, Vec3::ONE);
        assert_eq!(stage.runtime.trace(&boxed), Err(TraceError::BadBox));
    }
    for size in [1e6f32, 1e10, 1e19, 1e20, 1e30, f32::MAX] {
        for corner in [Vec3::ONE, Vec3::Z] {
            let huge = Trace::line(Vec3::Z * 1e20, Vec3::Z * -1e19).with_box(corner * -size, corner * size);
            let hit = stage.runtime.trace(&huge);
            assert!(
                if size == 1e6 { hit.unwrap().is_some() } else { hit == Err(TraceError::BadBox) },
                "{size} {corner}"
            );
        }
    }
    let turned = Trace::line(Vec3::Z * 10.0, Vec3::Z * -10.0).with_box(Vec3::ONE, -Vec3::ONE);
    assert_eq!(stage.runtime.trace(&turned), Err(TraceError::BadBox));
    let longer_than_numbers = [Vec3::Z * f32::MAX, Vec3::Z * -f32::MAX];
    assert_eq!(object_hit(&stage, longer_than_numbers, ObjectGeometry::Skin), Err(TraceError::NotFinite));
    stage.entity.scale = 1e20;
    for geometry in [ObjectGeometry::Best, ObjectGeometry::Skin] {
        let hit = object_hit(&stage, [Vec3::Z * 1e38, Vec3::Z * -1e38], geometry).unwrap();
        assert!(hit.is_none_or(|hit| hit.point.is_finite()), "{geometry:?}");
    }
    let line = [Vec3::Z, Vec3::X];
    let flat = Trace::line(Vec3::Z, Vec3::X).with_object(stage.object, Mat3x4::ZERO, ObjectGeometry::Best);
    assert_eq!(stage.runtime.trace(&flat), Err(TraceError::SingularEntity));
    let boxed = flat.with_box(-Vec3::ONE, Vec3::ONE);
    assert_eq!(stage.runtime.trace(&boxed), Err(TraceError::BoxThroughObject));
    let gone = stage.runtime.create_object(stage.model, Space::Local).unwrap();
    stage.runtime.delete_object(gone).unwrap();
    stage.runtime.flush_deleted();
    stage.entity.scale = 1.0;
    stage.object = gone;
    assert_eq!(object_hit(&stage, line, ObjectGeometry::Best), Err(TraceError::NoSuchObject));
}

/// Returns unit directions from all around.
fn directions() -> impl Iterator<Item = Vec3> {
    (0..24).map(|number| {
        let (sin, cos) = (number as f32 * 2.4).sin_cos();
        let z = (number as f32 + 0.5) / 12.0 - 1.0;
        let across = (1.0 - z * z).sqrt();
        Vec3::new(across * cos, across * sin, z)
    })
}

#[test]
fn shots_at_the_origin_of_any_bone_hit_from_all_sides() {
    let mut stage = standing();
    let mut between = 0;
    for moment in ["standing", "falling", "lying"] {
        let frames = match moment {
            "standing" => 1,
            "falling" => 20,
            _ => 300,
        };
        if moment == "falling" {
            stage.command("animate 0").unwrap();
        }
        for _ in 0..frames {
            stage.command("").unwrap();
            stage.step(1.0 / 60.0);
        }
        stage.command("").unwrap();
        let entity = stage.runtime.settings().entity_matrix(&stage.entity);
        let object = stage.runtime.object(stage.object).unwrap();
        for bone in 0..object.bone_count() {
            let origin = entity.transform_point(object.model_space(bone).unwrap().origin());
            let name = object.bone_name(bone).unwrap();
            for toward in directions() {
                let line = [origin + toward * 120.0, origin - toward * 120.0];
                let hit = object_hit(&stage, line, ObjectGeometry::Best).unwrap();
                let skin = object_hit(&stage, line, ObjectGeometry::Skin).unwrap();
                let body = object_hit(&stage, line, ObjectGeometry::Ragdoll).unwrap();
                // The root lies on the floor between the feet.
                if skin.is_none() && body.is_none() {
                    assert_eq!(hit, None, "{moment}, {name}: no flesh is there");
                    continue;
                }
                let hit = hit.unwrap_or_else(|| panic!("{moment}, {name} is missed along {toward}"));
                between += usize::from(body.is_none());
                match hit.surface {
                    Surface::Body(_) => assert_eq!(Some(hit), body),
                    _ => {
                        assert!(hit.bone.is_some() && hit.normal.dot(toward) >= 0.0, "{hit:?}");
                        assert!(body.is_none_or(|body| body.fraction > hit.fraction));
                    }
                }
            }
        }
    }
    assert!(between > 0, "no line passed between two bodies");
}

#[test]
fn skin_that_spans_a_cut_is_not_traced() {
    let mut stage = standing();
    stage.command("animate 0").unwrap();
    stage.command("enablejoint elbow_l 0").unwrap();
    for name in ["forearm_l", "hand_l"] {
        stage.built(name).set_linvel(Vec3::new(0.0, 200.0, 120.0), true);
    }
    for _ in 0..30 {
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
    }
    stage.command("").unwrap();
    let joint = stage.joints().into_iter().find(|joint| joint.name == *"elbow_l").unwrap();
    let [body, arm] = joint.anchors;
    assert!(body.distance(arm) > 30.0, "the arm has flown away");
    let middle = (body + arm) * 0.5;
    let (mut stretched, mut lines) = (0, 0);
    for toward in directions() {
        let line = [middle + toward * 120.0, middle - toward * 120.0];
        if object_hit(&stage, line, ObjectGeometry::Ragdoll).unwrap().is_none() {
            lines += 1;
            stretched += usize::from(object_hit(&stage, line, ObjectGeometry::Skin).unwrap().is_some());
            assert_eq!(object_hit(&stage, line, ObjectGeometry::Best).unwrap(), None, "along {toward}");
        }
    }
    assert!(lines > 6 && stretched > 3, "{stretched} of {lines} lines cross the skin between body and arm");
}

#[test]
#[cfg(feature = "serde")]
fn a_restored_corpse_keeps_its_skin_trace() {
    let mut stage = standing();
    stage.command("animate 0").unwrap();
    for _ in 0..300 {
        stage.command("").unwrap();
        stage.step(1.0 / 60.0);
    }
    let lines: Vec<[Vec3; 2]> = stage
        .bones()
        .iter()
        .flat_map(|bone| directions().map(|toward| [bone.origin() + toward * 120.0, bone.origin() - toward * 120.0]))
        .collect();
    let shoot = |stage: &Stage| -> Vec<Option<Hit>> {
        lines.iter().map(|line| object_hit(stage, *line, ObjectGeometry::Best).unwrap()).collect()
    };
    let before = shoot(&stage);
    assert!(before.iter().flatten().any(|hit| matches!(hit.surface, Surface::Skin { .. })));
    let snapshot = stage.runtime.snapshot();
    stage.runtime.restore(&snapshot).unwrap();
    assert_eq!(shoot(&stage), before);
}
