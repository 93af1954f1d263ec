//! Traces against the level.

use skelobj::Runtime;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, HitBox, Model, Skeleton};
use skelobj::object::Space;
use skelobj::physics::rapier3d::prelude::*;
use skelobj::physics::{CollisionGroups, LevelShape, SolidMesh, Winding};
use skelobj::runtime::{Hit, ObjectGeometry, ObjectId, Surface, Trace, TraceError};

fn two_surfaces() -> SolidMesh {
    let square = |x: f32| [(0.0, 0.0), (64.0, 0.0), (64.0, 64.0), (0.0, 64.0)].map(|(dx, y)| Vec3::new(x + dx, y, 0.0));
    let [grass, stone] = [square(0.0), square(64.0)];
    SolidMesh::from_polygons([(grass.as_slice(), 7), (stone.as_slice(), 9)], Winding::CounterClockwise).unwrap()
}

fn hit(runtime: &Runtime, from: Vec3, to: Vec3, groups: CollisionGroups) -> Option<Hit> {
    runtime.trace(&Trace::line(from, to).with_groups(groups)).unwrap()
}

#[test]
fn hit_tells_fraction_place_normal_body_and_surface() {
    let mut runtime = Runtime::default();
    let mesh = two_surfaces();
    let shapes = [LevelShape::Box(Vec3::splat(8.0)), LevelShape::Mesh(&mesh)];
    let origin = Vec3::new(0.0, 0.0, 100.0);
    let level = runtime.physics_mut().add_level_body(&shapes, origin, Quat::IDENTITY).unwrap();
    let down =
        |x: f32, y: f32, end: f32| hit(&runtime, Vec3::new(x, y, 140.0), Vec3::new(x, y, end), CollisionGroups::LEVEL);
    for (x, surface) in [(30.0, 7), (90.0, 9)] {
        let hit = down(x, 30.0, -20.0).unwrap();
        assert!((hit.fraction - 0.25).abs() < 1e-6);
        assert_eq!((hit.point, hit.normal), (Vec3::new(x, 30.0, 100.0), Vec3::Z));
        assert_eq!((hit.object, hit.bone), (None, None));
        let Surface::Level { body, shape: 1, triangle: Some(triangle) } = hit.surface else { panic!("{hit:?}") };
        assert_eq!((body, mesh.surfaces()[triangle as usize]), (level, surface));
    }
    let hit = down(0.0, 0.0, 90.0).unwrap();
    assert_eq!((hit.point.z, hit.surface), (104.0, Surface::Level { body: level, shape: 0, triangle: None }));
    assert!(down(30.0, 30.0, 101.0).is_none());
}

#[test]
fn level_bodies_are_hit_where_they_are_before_any_step() {
    let mut runtime = Runtime::default();
    let body = runtime.physics_mut().add_box(Vec3::ZERO, Vec3::splat(10.0), Quat::IDENTITY).unwrap();
    let height = |runtime: &Runtime, x: f32| {
        let hit = hit(runtime, Vec3::new(x, 0.0, 100.0), Vec3::new(x, 0.0, -100.0), CollisionGroups::LEVEL);
        hit.map(|hit| hit.point.z.round())
    };
    assert_eq!((height(&runtime, 0.0), height(&runtime, 50.0)), (Some(5.0), None));
    runtime.physics_mut().teleport_level_body(body, Vec3::new(50.0, 0.0, 1.0), Quat::IDENTITY).unwrap();
    assert_eq!((height(&runtime, 0.0), height(&runtime, 50.0)), (None, Some(6.0)));
    runtime.physics_mut().set_level_body_shapes(body, &[LevelShape::Box(Vec3::splat(20.0))]).unwrap();
    assert_eq!(height(&runtime, 58.0), Some(11.0));
    runtime.step(0.1).unwrap();
    assert_eq!((height(&runtime, 0.0), height(&runtime, 58.0)), (None, Some(11.0)));
    runtime.physics_mut().remove_level_body(body).unwrap();
    assert_eq!(height(&runtime, 58.0), None);
}

#[test]
fn only_the_groups_asked_for_are_hit() {
    let mut runtime = Runtime::default();
    let physics = runtime.physics_mut();
    physics.add_floor(0.0).unwrap();
    physics.add_entity_box(Vec3::splat(-10.0), Vec3::splat(10.0), Vec3::Z * 50.0).unwrap();
    let doll = ColliderBuilder::ball(5.0).collision_groups(CollisionGroups::RAGDOLLS.for_collider());
    let body = RigidBodyBuilder::dynamic().translation(Vec3::Z * 100.0);
    let (_, doll) = physics.world_mut().insert(body, doll);
    runtime.step(1e-2).unwrap();
    let height = |groups| hit(&runtime, Vec3::Z * 200.0, Vec3::Z * -10.0, groups).map(|hit| hit.point.z.round());
    assert_eq!(height(CollisionGroups::LEVEL), Some(0.0));
    assert_eq!(height(CollisionGroups::BOXES | CollisionGroups::LEVEL), Some(60.0));
    assert_eq!(height(CollisionGroups::ALL), Some(105.0));
    assert_eq!(height(CollisionGroups::NONE), None);
    let hit = hit(&runtime, Vec3::Z * 200.0, Vec3::ZERO, CollisionGroups::RAGDOLLS).unwrap();
    assert_eq!((hit.object, hit.surface), (None, Surface::Collider(doll)));
}

#[test]
fn odd_traces_are_harmless() {
    let mut runtime = Runtime::default();
    let physics = runtime.physics_mut();
    physics.add_box(Vec3::ZERO, Vec3::splat(10.0), Quat::IDENTITY).unwrap();
    let mesh = two_surfaces();
    physics.add_level_body(&[LevelShape::Mesh(&mesh)], Vec3::Z * 50.0, Quat::IDENTITY).unwrap();
    for bad in [Vec3::NAN, Vec3::splat(f32::INFINITY)] {
        for [start, end] in [[bad, Vec3::ZERO], [Vec3::ZERO, bad]] {
            assert_eq!(runtime.trace(&Trace::line(start, end)), Err(TraceError::NotFinite));
        }
    }
    for [start, end] in [[Vec3::MAX, Vec3::ZERO], [Vec3::ZERO, Vec3::MAX]] {
        assert!(hit(&runtime, start, end, CollisionGroups::ALL).is_none_or(|hit| hit.fraction.is_finite()));
    }
    let inside = hit(&runtime, Vec3::ONE, Vec3::X * 50.0, CollisionGroups::ALL).unwrap();
    assert_eq!((inside.fraction, inside.normal), (1.0, Vec3::ZERO), "it leaves the box");
    assert!(inside.start_solid && !inside.all_solid && matches!(inside.surface, Surface::Level { .. }));
    assert!(hit(&runtime, Vec3::splat(90.0), Vec3::splat(90.0), CollisionGroups::ALL).is_none());
    // A mesh is also hit from behind; its normal then faces the start of the trace.
    let [from, to] = [Vec3::new(30.0, 30.0, 20.0), Vec3::new(30.0, 30.0, 80.0)];
    let below = hit(&runtime, from, to, CollisionGroups::ALL).unwrap();
    assert_eq!((below.fraction, below.normal), (0.5, -Vec3::Z));
}

/// Returns an object whose bones have these matrices, and boxes of 8 by 4 by 2 units on `boxed` bones.
fn with_hit_boxes(bones: &[Mat3x4], boxed: &[usize]) -> (Runtime, ObjectId) {
    let bone = |_: &Mat3x4| Bone { name: "bone".into(), parent: None, bind: Mat3x4::IDENTITY };
    let hit_box = |&bone: &usize| HitBox { bone, group: 0, mins: [-4.0, -2.0, -1.0], maxs: [4.0, 2.0, 1.0] };
    let model = Model {
        skeleton: Skeleton::new(bones.iter().map(bone).collect()).unwrap(),
        hit_boxes: boxed.iter().map(hit_box).collect(),
        ..Model::default()
    };
    let mut runtime = Runtime::default();
    let model = runtime.add_model("boxes", model).unwrap();
    let object = runtime.create_object(model, Space::Model).unwrap();
    runtime.object_mut(object).unwrap().set_model_space_pose(bones).unwrap();
    (runtime, object)
}

#[test]
fn the_first_hit_box_is_hit_where_its_bone_is() {
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let turned = Mat3x4::from_rotation_translation(quarter, Vec3::X * 50.0);
    // Boxes on a bone that is missing and on one without an inverse are not hit.
    let (runtime, object) = with_hit_boxes(&[Mat3x4::IDENTITY, turned, Mat3x4::ZERO], &[7, 2, 1, 0]);
    for geometry in [ObjectGeometry::HitBoxes, ObjectGeometry::Best] {
        let hit = |start: Vec3, end: Vec3| {
            runtime.trace(&Trace::line(start, end).with_object(object, Mat3x4::IDENTITY, geometry)).unwrap()
        };
        let side = hit(Vec3::X * 100.0, Vec3::X * -100.0).unwrap();
        assert!((side.fraction - 0.24).abs() < 1e-6 && side.point.distance(Vec3::X * 52.0) < 1e-4, "{side:?}");
        assert!(side.normal.distance(Vec3::X) < 1e-6);
        assert_eq!((side.object, side.bone, side.surface), (Some(object), Some(1), Surface::HitBox(2)));
        let back = hit(Vec3::X * -100.0, Vec3::X * 100.0).unwrap();
        assert_eq!((back.fraction, back.bone, back.surface), (0.48, Some(0), Surface::HitBox(3)));
        assert_eq!(back.normal, -Vec3::X);
        let inside = hit(Vec3::ZERO, Vec3::Z * 50.0).unwrap();
        assert_eq!((inside.fraction, inside.point, inside.normal), (0.0, Vec3::ZERO, Vec3::ZERO));
        assert_eq!(hit(Vec3::new(3.0, 3.0, 10.0), Vec3::new(3.0, 3.0, -10.0)), None);
    }
}

#[test]
fn normals_of_hit_boxes_are_perpendicular_to_sheared_sides() {
    let sheared = Mat3x4::from_columns(Vec3::new(1.0, 0.0, 0.5), Vec3::Y, Vec3::Z * 0.1, Vec3::Y * 90.0);
    for [bone, entity] in [[sheared, Mat3x4::IDENTITY], [Mat3x4::IDENTITY, sheared]] {
        let (runtime, object) = with_hit_boxes(&[bone], &[0]);
        let down = Trace::line(Vec3::new(0.0, 90.0, 10.0), Vec3::new(0.0, 90.0, 0.0));
        let hit = runtime.trace(&down.with_object(object, entity, ObjectGeometry::HitBoxes)).unwrap().unwrap();
        assert!((hit.fraction - 0.99).abs() < 1e-5 && hit.point.distance(Vec3::new(0.0, 90.0, 0.1)) < 1e-4, "{hit:?}");
        let normal = Vec3::new(-0.5, 0.0, 1.0).normalize();
        assert!(hit.normal.distance(normal) < 1e-5, "{hit:?}");
    }
}
