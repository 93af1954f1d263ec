//! Doors, lifts and trains.

use skelobj::math::{Quat, Vec3};
use skelobj::physics::rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder};
use skelobj::physics::{
    CollisionGroups, LevelBodyId, LevelError, LevelShape, Physics, PhysicsSettings, SolidMesh, StepPhase, Winding,
};
use skelobj::runtime::Surface;

use super::{add_box, hit, level_place, place, run, slippery_box};

/// Returns the faces of a box around the origin.
fn box_mesh(size: Vec3) -> SolidMesh {
    let half = size / 2.0;
    let sides = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
    let faces: Vec<[Vec3; 4]> = sides
        .map(|out| {
            let a = out.any_orthonormal_vector();
            let b = out.cross(a);
            [a + b, b - a, -a - b, a - b].map(|corner| (out + corner) * half)
        })
        .collect();
    SolidMesh::from_polygons(faces.iter().map(|face| (face.as_slice(), 0)), Winding::CounterClockwise).unwrap()
}

/// Moves a part at constant speed, one call per frame.
fn travel(physics: &mut Physics, part: LevelBodyId, from: Vec3, velocity: Vec3, seconds: f32, rate: f32) -> Vec3 {
    let frames = (seconds * rate).round() as usize;
    let mut at = from;
    for frame in 1..=frames {
        at = from + velocity * (frame as f32 / rate);
        physics.set_level_body_target(part, at, Quat::IDENTITY).unwrap();
        physics.advance(1.0 / rate, |_, _| {}).unwrap();
    }
    at
}

#[test]
fn a_door_pushes_and_cannot_be_passed() {
    for rate in [30.0, 60.0, 72.0, 144.0] {
        for (speed, thickness, limit) in
            [(233.0, 16.0, 1.3), (1000.0, 16.0, 1.3), (1000.0, 2.0, 1.3), (3000.0, 2.0, 1.5)]
        {
            let mut physics = Physics::default();
            physics.add_floor(0.0).unwrap();
            let door = box_mesh(Vec3::new(thickness, 128.0, 128.0));
            let from = Vec3::new(0.0, 0.0, 64.0);
            let door = physics.add_kinematic_body(&[LevelShape::Mesh(&door)], from, Quat::IDENTITY).unwrap();
            let body = slippery_box(&mut physics, Vec3::new(60.0, 0.0, 3.0), 6.0);
            let end = travel(&mut physics, door, from, Vec3::X * speed, 0.5, rate);
            let x = place(&physics, body).x;
            assert!(x > end.x + thickness / 2.0 + 1.0, "{rate} {speed}: body at {x}, door at {}", end.x);
            let pushed = physics.world().bodies[body].linvel().x;
            assert!(pushed > speed * 0.95 && pushed < speed * limit, "{rate} {speed}: {pushed}");
        }
    }
}

#[test]
fn lift_carries_a_sleeping_body_up_and_down() {
    let mut physics = Physics::default();
    physics.add_floor(-500.0).unwrap();
    let lift = box_mesh(Vec3::new(128.0, 128.0, 16.0));
    let lift = physics.add_kinematic_body(&[LevelShape::Mesh(&lift)], Vec3::ZERO, Quat::IDENTITY).unwrap();
    let body = slippery_box(&mut physics, Vec3::new(30.0, 10.0, 13.0), 8.0);
    run(&mut physics, 2.0);
    assert!(physics.world().bodies[body].is_sleeping());
    let top = travel(&mut physics, lift, Vec3::ZERO, Vec3::Z * 150.0, 2.0, 60.0);
    assert!((place(&physics, body).z - (top.z + 12.0)).abs() < 2.0, "{} on {top}", place(&physics, body));
    run(&mut physics, 2.0);
    assert!((place(&physics, body).z - (top.z + 12.0)).abs() < 0.2, "{} on {top}", place(&physics, body));
    assert!(physics.world().bodies[body].is_sleeping());
    let bottom = travel(&mut physics, lift, top, Vec3::Z * -150.0, 2.0, 60.0);
    run(&mut physics, 1.0);
    assert!((place(&physics, body).z - (bottom.z + 12.0)).abs() < 0.2, "{} on {bottom}", place(&physics, body));
}

#[test]
fn train_takes_along_what_stands_on_it_and_turns_it() {
    let mut physics = Physics::default();
    let wagon = [LevelShape::Box(Vec3::new(128.0, 128.0, 16.0))];
    let train = physics.add_kinematic_body(&wagon, Vec3::ZERO, Quat::IDENTITY).unwrap();
    let body = add_box(&mut physics, Vec3::new(0.0, 0.0, 12.0), 8.0, 0.9);
    run(&mut physics, 1.0);
    let from = place(&physics, body);
    let mut at = Vec3::ZERO;
    for frame in 0..120 {
        at.x += (frame as f32 / 30.0).min(1.0) * 2.0;
        physics.set_level_body_target(train, at, Quat::from_rotation_z(frame as f32 * 0.01)).unwrap();
        physics.advance(1.0 / 60.0, |_, _| {}).unwrap();
    }
    let moved = place(&physics, body) - from;
    assert!((moved.x - at.x).abs() < 12.0 && moved.z.abs() < 0.3, "{moved} with {at}");
    let turned = physics.world().bodies[body].rotation().to_scaled_axis().z;
    assert!((turned - 1.19).abs() < 0.25, "{turned}");
}

#[test]
fn a_crushed_body_is_reported_and_survives() {
    let mut physics = Physics::default();
    physics.add_floor(0.0).unwrap();
    physics.add_box(Vec3::new(100.0, 0.0, 64.0), Vec3::new(16.0, 256.0, 128.0), Quat::IDENTITY).unwrap();
    let door = box_mesh(Vec3::new(16.0, 256.0, 128.0));
    let from = Vec3::new(0.0, 0.0, 64.0);
    let door = physics.add_kinematic_body(&[LevelShape::Mesh(&door)], from, Quat::IDENTITY).unwrap();
    let body = slippery_box(&mut physics, Vec3::new(80.0, 0.0, 6.0), 12.0);
    let mut at = travel(&mut physics, door, from, Vec3::X * 100.0, 0.6, 60.0);
    let gentle: f32 = physics.contacts(door).iter().map(|pressed| pressed.depth).fold(0.0, f32::max);
    assert!(gentle < 0.5, "{gentle}");
    let mut deepest = 0.0f32;
    for _ in 0..20 {
        at = travel(&mut physics, door, at, Vec3::X * 60.0, 1.0 / 60.0, 60.0);
        for pressed in physics.contacts(door) {
            assert_eq!(pressed.body, body);
            deepest = deepest.max(pressed.depth);
        }
        assert!(physics.world().bodies[body].linvel().length() < 5000.0);
    }
    assert!(deepest > 1.0, "{deepest}");
    assert!(physics.world().bodies[body].is_enabled() && place(&physics, body).length() < 1000.0);
}

#[test]
fn mover_that_is_put_elsewhere_pushes_nothing_on_its_way() {
    let mut physics = Physics::default();
    physics.add_floor(0.0).unwrap();
    let shapes = [LevelShape::Box(Vec3::splat(32.0))];
    let mover = physics.add_kinematic_body(&shapes, Vec3::new(0.0, 0.0, 16.0), Quat::IDENTITY).unwrap();
    let body = slippery_box(&mut physics, Vec3::new(100.0, 0.0, 4.0), 8.0);
    run(&mut physics, 0.2);
    physics.teleport_level_body(mover, Vec3::new(200.0, 0.0, 16.0), Quat::IDENTITY).unwrap();
    run(&mut physics, 0.2);
    assert!((place(&physics, body).x - 100.0).abs() < 0.1);
    assert_eq!(level_place(&physics, mover), Vec3::new(200.0, 0.0, 16.0));
}

#[test]
fn entity_boxes_push_dolls_and_not_each_other() {
    let mut physics = Physics::default();
    physics.add_floor(0.0).unwrap();
    let (mins, maxs) = (Vec3::new(-16.0, -16.0, -24.0), Vec3::new(16.0, 16.0, 32.0));
    let player = physics.add_entity_box(mins, maxs, Vec3::new(0.0, 0.0, 24.0)).unwrap();
    physics.add_entity_box(mins, maxs, Vec3::new(40.0, 0.0, 24.0)).unwrap();
    assert_eq!(physics.add_entity_box(maxs, mins, Vec3::ZERO), Err(LevelError::Flat));
    let body = slippery_box(&mut physics, Vec3::new(0.0, 30.0, 4.0), 8.0);
    let at = travel(&mut physics, player, Vec3::new(0.0, 0.0, 24.0), Vec3::Y * 100.0, 0.5, 60.0);
    assert!(place(&physics, body).y > at.y + 19.0, "{}", place(&physics, body));
    let [from, to] = [Vec3::new(40.0, 0.0, 500.0), Vec3::new(40.0, 0.0, 10.0)];
    assert!(hit(&mut physics, from, to, CollisionGroups::LEVEL | CollisionGroups::RAGDOLLS).is_none());
    let hit = hit(&mut physics, from, to, CollisionGroups::BOXES).unwrap();
    assert!(
        (hit.point.z - 56.0).abs() < 1e-3 && matches!(hit.surface, Surface::Level { body, .. } if body != player),
        "{hit:?}"
    );
}

#[test]
fn non_finite_places_do_not_move_a_mover() {
    let mut physics = Physics::default();
    let mover = physics.add_kinematic_body(&[LevelShape::Box(Vec3::ONE)], Vec3::X, Quat::IDENTITY).unwrap();
    assert_eq!(physics.set_level_body_target(mover, Vec3::NAN, Quat::IDENTITY), Err(LevelError::NotFinite));
    assert_eq!(
        physics.set_level_body_target(mover, Vec3::splat(f32::INFINITY), Quat::IDENTITY),
        Err(LevelError::NotFinite)
    );
    run(&mut physics, 0.1);
    assert_eq!(level_place(&physics, mover), Vec3::X);
}

#[test]
fn a_jump_of_a_mover_pushes_nothing_and_how_far_a_jump_is_follows_the_length_unit() {
    for (unit, way, pushes) in [(40.0, 200.0, true), (40.0, 2000.0, false), (4.0, 200.0, false)] {
        let mut settings = PhysicsSettings::default();
        (settings.length_unit, settings.gravity) = (unit, Vec3::ZERO);
        let mut physics = Physics::new(settings).unwrap();
        let shape = [LevelShape::Box(Vec3::new(16.0, 128.0, 128.0))];
        let door = physics.add_kinematic_body(&shape, Vec3::ZERO, Quat::IDENTITY).unwrap();
        let body = slippery_box(&mut physics, Vec3::new(100.0, 0.0, 0.0), 8.0);
        run(&mut physics, 0.05);
        travel(&mut physics, door, Vec3::ZERO, Vec3::X * way * 60.0, 1.0 / 60.0, 60.0);
        run(&mut physics, 0.1);
        assert!((level_place(&physics, door).x - way).abs() < 1e-3);
        let moved = place(&physics, body).x - 100.0;
        assert_eq!(moved.abs() > 1.0, pushes, "{unit} {way}: {moved}");
    }
}

#[test]
fn a_crate_of_the_host_rests_on_an_entity_box() {
    let mut physics = Physics::default();
    let walker = physics.add_entity_box(Vec3::splat(-24.0), Vec3::splat(24.0), Vec3::Z * 24.0).unwrap();
    let fall = RigidBodyBuilder::dynamic().translation(Vec3::Z * 70.0);
    let (crate_, _) = physics.world_mut().insert(fall, ColliderBuilder::cuboid(8.0, 8.0, 8.0).mass(10.0));
    run(&mut physics, 1.5);
    assert!((place(&physics, crate_).z - 56.0).abs() < 0.1, "{}", place(&physics, crate_));
    // It is reported once, with four points that touch and none that reaches into the box.
    let [contact] = physics.contacts(walker)[..] else { panic!("{:?}", physics.contacts(walker)) };
    assert!(contact.body == crate_ && (0.0..0.1).contains(&contact.depth), "{contact:?}");
    physics.remove_level_body(walker).unwrap();
    assert!(physics.contacts(walker).is_empty());
}

#[test]
fn a_step_is_made_in_up_to_four_parts_while_a_door_moves_fast() {
    for (speed, parts) in [(0.0, 1), (80.0, 1), (150.0, 2), (300.0, 4), (3000.0, 4)] {
        let mut physics = Physics::default();
        physics.add_floor(-500.0).unwrap();
        let shape = [LevelShape::Box(Vec3::new(16.0, 128.0, 128.0))];
        let door = physics.add_kinematic_body(&shape, Vec3::X * 900.0, Quat::IDENTITY).unwrap();
        slippery_box(&mut physics, Vec3::ZERO, 8.0);
        run(&mut physics, 0.05);
        let target = Vec3::X * (900.0 + speed / 60.0);
        physics.set_level_body_target(door, target, Quat::IDENTITY).unwrap();
        let mut lengths = Vec::new();
        let stepped = physics.advance(1.0 / 60.0, |physics, phase| {
            lengths.extend(matches!(phase, StepPhase::Before { .. }).then(|| physics.step_time()));
        });
        assert_eq!((stepped.unwrap().steps, lengths.len()), (1, parts), "{speed}");
        assert!(lengths.iter().all(|length| (length * parts as f32 - 1.0 / 60.0).abs() < 1e-6), "{lengths:?}");
        assert_eq!(physics.step_time(), 1.0 / 60.0);
    }
}

#[test]
fn the_sign_of_a_quaternion_turns_no_door() {
    let mut physics = Physics::default();
    let shapes = [LevelShape::Box(Vec3::new(64.0, 8.0, 96.0))];
    let door = physics.add_kinematic_body(&shapes, Vec3::ZERO, Quat::IDENTITY).unwrap();
    let body = physics.rigid_body(door).unwrap();
    for frame in 1..=720u16 {
        // Twice round at 60 degrees a second; the host's quaternion has either sign.
        let turn = Quat::from_rotation_z(f32::from(frame).to_radians());
        let signed = if frame % 3 == 0 { -turn } else { turn };
        physics.set_level_body_target(door, Vec3::ZERO, signed).unwrap();
        let mut spin = 0.0f32;
        let watch = |physics: &mut Physics, _| spin = spin.max(physics.world().bodies[body].angvel().length());
        physics.advance(1.0 / 60.0, watch).unwrap();
        assert!(spin < 1.1, "frame {frame}: {spin} radians/s");
        assert!(physics.world().bodies[body].rotation().angle_between(turn) < 0.01, "frame {frame}");
    }
}

#[test]
fn a_turned_door_at_rest_moves_when_its_target_is_set_in_a_frame_without_a_step() {
    let mut physics = Physics::default();
    let turned = Quat::from_rotation_z(0.5);
    let shapes = [LevelShape::Box(Vec3::new(64.0, 8.0, 96.0))];
    let door = physics.add_kinematic_body(&shapes, Vec3::new(100.0, 30.0, 5.0), turned).unwrap();
    let body = physics.rigid_body(door).unwrap();
    for _ in 0..5 {
        physics.advance(1.0 / 60.0, |_, _| ()).unwrap();
    }
    let open = Vec3::new(120.0, 30.0, 5.0);
    physics.set_level_body_target(door, open, turned).unwrap();
    physics.advance(1e-4, |_, _| ()).unwrap();
    for _ in 0..3 {
        physics.advance(1.0 / 60.0, |_, _| ()).unwrap();
    }
    let place = physics.world().bodies[body].position().translation;
    assert!(place.distance(open) < 0.01, "{place}");
}
