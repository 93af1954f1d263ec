//! Traces against the level.
#![cfg(feature = "ragdoll")]

use skelobj::math::{Quat, Vec3};
use skelobj::physics::rapier3d::prelude::*;
use skelobj::physics::{Layers, LevelShape, Physics, SolidMesh};

fn two_surfaces() -> SolidMesh {
    let square = |x: f32| [(0.0, 0.0), (64.0, 0.0), (64.0, 64.0), (0.0, 64.0)].map(|(dx, y)| Vec3::new(x + dx, y, 0.0));
    let [grass, stone] = [square(0.0), square(64.0)];
    SolidMesh::from_polygons([(grass.as_slice(), 7), (stone.as_slice(), 9)]).unwrap()
}

#[test]
fn hit_tells_fraction_place_normal_part_and_surface() {
    let mut physics = Physics::default();
    let mesh = two_surfaces();
    let shapes = [LevelShape::Box(Vec3::splat(8.0)), LevelShape::Mesh(&mesh)];
    let part = physics.add_part(&shapes, Vec3::new(0.0, 0.0, 100.0), Quat::IDENTITY).unwrap();
    for (x, surface) in [(30.0, 7), (90.0, 9)] {
        let hit = physics.trace(Vec3::new(x, 30.0, 140.0), Vec3::new(x, 30.0, -20.0), Layers::LEVEL).unwrap();
        assert!((hit.fraction - 0.25).abs() < 1e-6);
        assert_eq!((hit.point, hit.normal), (Vec3::new(x, 30.0, 100.0), Vec3::Z));
        assert_eq!((hit.part, hit.body, hit.shape), (Some(part), Some(part.body()), 1));
        assert_eq!(mesh.surfaces()[hit.triangle.unwrap() as usize], surface);
    }
    let hit = physics.trace(Vec3::new(0.0, 0.0, 140.0), Vec3::new(0.0, 0.0, 90.0), Layers::LEVEL).unwrap();
    assert_eq!((hit.point.z, hit.shape, hit.triangle), (104.0, 0, None));
    assert!(physics.trace(Vec3::new(30.0, 30.0, 140.0), Vec3::new(30.0, 30.0, 101.0), Layers::LEVEL).is_none());
}

#[test]
fn parts_are_hit_where_they_are_before_any_step() {
    let mut physics = Physics::default();
    let part = physics.add_box(Vec3::ZERO, Vec3::splat(10.0), Quat::IDENTITY).unwrap();
    let height = |physics: &Physics, x: f32| {
        let hit = physics.trace(Vec3::new(x, 0.0, 100.0), Vec3::new(x, 0.0, -100.0), Layers::LEVEL);
        hit.map(|hit| hit.point.z.round())
    };
    assert_eq!((height(&physics, 0.0), height(&physics, 50.0)), (Some(5.0), None));
    physics.place_part(part, Vec3::new(50.0, 0.0, 1.0), Quat::IDENTITY).unwrap();
    assert_eq!((height(&physics, 0.0), height(&physics, 50.0)), (None, Some(6.0)));
    physics.change_part(part, &[LevelShape::Box(Vec3::splat(20.0))]).unwrap();
    assert_eq!(height(&physics, 58.0), Some(11.0));
    physics.advance(0.1, |_, _| {});
    assert_eq!((height(&physics, 0.0), height(&physics, 58.0)), (None, Some(11.0)));
    assert!(physics.remove_part(part));
    assert_eq!(height(&physics, 58.0), None);
}

#[test]
fn only_the_kinds_asked_for_are_hit() {
    let mut physics = Physics::default();
    physics.add_floor(0.0);
    physics.add_entity_box(Vec3::splat(-10.0), Vec3::splat(10.0), Vec3::Z * 50.0).unwrap();
    let doll = ColliderBuilder::ball(5.0).collision_groups(Layers::DOLLS.collider_groups());
    let body = RigidBodyBuilder::dynamic().translation(Vec3::Z * 100.0);
    let (body, _) = physics.world_mut().insert(body, doll);
    physics.advance(1e-2, |_, _| {});
    let height = |kinds: Layers| physics.trace(Vec3::Z * 200.0, Vec3::Z * -10.0, kinds).map(|hit| hit.point.z.round());
    assert_eq!(height(Layers::LEVEL), Some(0.0));
    assert_eq!(height(Layers::BOXES | Layers::LEVEL), Some(60.0));
    assert_eq!(height(Layers::ALL), Some(105.0));
    assert_eq!(height(Layers::NONE), None);
    let hit = physics.trace(Vec3::Z * 200.0, Vec3::ZERO, Layers::DOLLS).unwrap();
    assert_eq!((hit.body, hit.part), (Some(body), None));
    let through =
        physics.trace_where(Vec3::Z * 200.0, Vec3::ZERO, Layers::ALL, &|_, other| other.parent() != Some(body));
    assert_eq!(through.unwrap().point.z.round(), 60.0);
}

#[test]
fn odd_traces_are_harmless() {
    let mut physics = Physics::default();
    physics.add_box(Vec3::ZERO, Vec3::splat(10.0), Quat::IDENTITY).unwrap();
    let mesh = two_surfaces();
    physics.add_part(&[LevelShape::Mesh(&mesh)], Vec3::Z * 50.0, Quat::IDENTITY).unwrap();
    let bad = [Vec3::NAN, Vec3::splat(f32::INFINITY), Vec3::splat(f32::MAX)];
    for bad in bad {
        for [start, end] in [[bad, Vec3::ZERO], [Vec3::ZERO, bad]] {
            assert!(physics.trace(start, end, Layers::ALL).is_none_or(|hit| hit.fraction.is_finite()));
        }
    }
    assert!(physics.trace(Vec3::NAN, Vec3::ZERO, Layers::ALL).is_none());
    let inside = physics.trace(Vec3::ONE, Vec3::X * 50.0, Layers::ALL).unwrap();
    assert_eq!((inside.fraction, inside.normal), (0.0, Vec3::ZERO));
    assert!(physics.trace(Vec3::splat(90.0), Vec3::splat(90.0), Layers::ALL).is_none());
    // From behind, a mesh is hit, too; its normal is on the trace's side.
    let below = physics.trace(Vec3::new(30.0, 30.0, 20.0), Vec3::new(30.0, 30.0, 80.0), Layers::ALL).unwrap();
    assert_eq!((below.fraction, below.normal), (0.5, -Vec3::Z));
}
