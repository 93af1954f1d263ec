//! Contact points: where they are, what they carry, and which are left out.

use crate::common::stage::{Rig, Stage, bind_pose, mannequin, physics_with};
use skelobj::math::{EntityTransform, Mat3x4, Quat, Vec3};
use skelobj::physics::rapier3d::prelude::{
    ColliderBuilder, Group, InteractionGroups, InteractionTestMode, RigidBodyBuilder,
};
use skelobj::physics::{LevelShape, PhysicsSettings};
use skelobj::ragdoll::{ContactPoint, Ragdoll};
use skelobj::runtime::BodyOwner;
use std::sync::Arc;

const FRAME: f32 = 1.0 / 60.0;
const GRAVITY: f32 = 800.0;

/// Returns a sphere with a radius of 8 units and this mass, 100 units up.
fn sphere(mass: f32, settings: PhysicsSettings) -> Rig {
    body("sphere", mass, settings)
}

/// Returns a body of this shape with this mass, 100 units up.
fn body(shape: &str, mass: f32, settings: PhysicsSettings) -> Rig {
    Rig::chain(&format!("body a link0\nshape {shape}\nsize 8 8 8\nmass {mass}\nanimate 0\n"), settings)
}

/// Returns a limp mannequin in its bind pose, its feet at `z`.
fn limp(z: f32) -> Stage {
    let mut stage = Stage::mannequin();
    stage.entity = EntityTransform { origin: Vec3::Z * z, ..EntityTransform::IDENTITY };
    stage.build(0, 0.0);
    stage.command("animate 0").unwrap();
    stage
}

/// Simulates until the ragdoll sleeps.
fn until_rest(stage: &mut Stage) {
    for _ in 0..1200 {
        stage.command("").unwrap();
        stage.step(FRAME);
        if stage.ragdoll().is_asleep(stage.runtime.physics()) {
            return;
        }
    }
    panic!("never at rest");
}

fn contacts(stage: &Stage) -> Vec<ContactPoint> {
    stage.ragdoll().contact_points(stage.runtime.physics())
}

fn points(rig: &Rig) -> Vec<ContactPoint> {
    rig.ragdoll().contact_points(rig.physics())
}

/// Returns the sum of the forces relative to a weight.
fn carried(contacts: &[ContactPoint], mass: f32) -> Vec3 {
    contacts.iter().map(|contact| contact.normal * contact.force).sum::<Vec3>() / (mass * GRAVITY)
}

#[track_caller]
fn assert_carries(contacts: &[ContactPoint], mass: f32, tolerance: f32) {
    let carried = carried(contacts, mass);
    assert!((carried - Vec3::Z).length() < tolerance, "{carried} of the weight: {contacts:#?}");
}

fn mass_of(ragdoll: &Ragdoll) -> f32 {
    ragdoll.doll().bodies.iter().map(|body| body.mass).sum()
}

#[test]
fn a_floor_carries_a_sphere_below_its_centre() {
    for mass in [0.5, 7.0, 300.0] {
        let mut rig = sphere(mass, PhysicsSettings::default());
        rig.physics_mut().add_floor(0.0).unwrap();
        rig.run(0.2, |rig| assert_eq!(points(rig), [], "in the air"));
        rig.run(3.0, |_| {});
        let [contact] = points(&rig)[..] else { panic!("{:?}", points(&rig)) };
        let centre = rig.body("a").position;
        assert_carries(&[contact], mass, 0.02);
        assert!(contact.body == 0 && contact.normal.distance(Vec3::Z) < 1e-3, "{contact:?}");
        assert!(contact.point.distance(centre - Vec3::Z * 8.0) < 0.3, "{contact:?} {centre}");
        assert!((contact.depth - (8.0 - centre.z)).abs() < 0.01, "{contact:?} {centre}");
    }
}

#[test]
fn forces_have_no_part_of_friction() {
    let angle = 0.3f32;
    let mut rig = body("box", 7.0, physics_with(|settings| settings.friction = 3.0));
    let turn = Quat::from_rotation_y(angle);
    rig.physics_mut().add_box(turn * (Vec3::Z * -64.0), Vec3::new(2000.0, 2000.0, 128.0), turn).unwrap();
    rig.run(3.0, |_| {});
    let found = points(&rig);
    assert!(found.iter().all(|contact| contact.normal.distance(turn * Vec3::Z) < 0.01), "{found:?}");
    assert!(rig.fastest() < 8.0, "friction holds it");
    let share = carried(&found, 7.0).length();
    assert!((share - angle.cos()).abs() < 0.02, "{share} {}", angle.cos());
}

#[test]
fn a_floor_carries_a_corpse_that_lies_and_sleeps() {
    let mut stage = limp(0.0);
    until_rest(&mut stage);
    let lying = contacts(&stage);
    assert_carries(&lying, mass_of(stage.ragdoll()), 0.1);
    assert!(lying.len() > 10 && lying.iter().map(|contact| contact.body).is_sorted(), "{lying:#?}");
    for contact in &lying {
        assert!(contact.normal.z > 0.999 && contact.point.z.abs() < 1.0 && contact.depth.abs() < 1.0, "{contact:?}");
        assert!(matches!(stage.runtime.collider_owner(contact.other_collider), Some(BodyOwner::Level(_))));
    }
    stage.step(1.0);
    assert_eq!(contacts(&stage), lying, "as it fell asleep");
}

#[test]
fn a_corpse_in_the_air_touches_nothing() {
    let mut stage = limp(200.0);
    for _ in 0..30 {
        stage.command("").unwrap();
        stage.step(FRAME);
        assert_eq!(contacts(&stage), []);
    }
}

#[test]
fn forces_are_those_of_a_step_however_long_it_is() {
    for step in [1.0 / 240.0, 1.0 / 30.0] {
        let mut rig = sphere(7.0, physics_with(|settings| settings.step = step));
        rig.physics_mut().add_floor(0.0).unwrap();
        rig.run(3.0, |_| {});
        assert_carries(&points(&rig), 7.0, 0.02);
    }
    // A fast door elsewhere makes the world's steps in parts; `physics::level::movers` counts them.
    for sleep_speed in [0.0, 8.0] {
        let mut rig = sphere(7.0, physics_with(|settings| settings.sleep_speed = sleep_speed));
        rig.physics_mut().add_floor(0.0).unwrap();
        let start = Vec3::Y * 500.0;
        let door = rig.physics_mut().add_kinematic_body(&[LevelShape::Box(Vec3::splat(64.0))], start, Quat::IDENTITY);
        let door = door.unwrap();
        rig.run(3.0, |_| {});
        for frame in 1..=30 {
            let at = start + Vec3::Y * 10.0 * frame as f32;
            rig.physics_mut().set_level_body_target(door, at, Quat::IDENTITY).unwrap();
            rig.step(FRAME);
            if frame > 10 {
                assert_carries(&points(&rig), 7.0, 0.05);
            }
        }
        assert_eq!(rig.is_asleep(), sleep_speed > 0.0);
    }
}

#[test]
fn each_of_two_ragdolls_has_the_points_between_them() {
    let mut sphere = sphere(7.0, PhysicsSettings::default());
    sphere.physics_mut().add_floor(0.0).unwrap();
    let (model, ball) = (Arc::new(mannequin()), sphere.id);
    let doll = skelobj::Doll::parse_for(skelobj::assets::MANNEQUIN_DOLL, &model.skeleton).doll;
    let mut rig = Rig::new_in(sphere.runtime, bind_pose(&model), &Arc::new(doll), Mat3x4::IDENTITY);
    rig.limp();
    let mut seen = 0;
    for _ in 0..240 {
        rig.step(FRAME);
        let (world, ball) = (rig.physics().world(), rig.runtime.ragdoll(ball).unwrap());
        let collider = |ragdoll: &Ragdoll, body: usize| {
            let state = ragdoll.bodies(rig.physics()).nth(body).unwrap();
            world.bodies.iter().find(|(_, body)| body.translation() == state.position).unwrap().1.colliders()[0]
        };
        let (own, found) = (collider(ball, 0), ball.contact_points(rig.physics()));
        for contact in points(&rig).iter().filter(|contact| contact.other_collider == own) {
            let limb = collider(rig.ragdoll(), contact.body);
            let same = |found: &&ContactPoint| found.other_collider == limb && found.normal == -contact.normal;
            let found = found.iter().find(same).expect("the other side");
            assert!(found.force == contact.force && found.depth == contact.depth && found.point == contact.point);
            seen += 1;
        }
        let limbs: Vec<_> = rig.bodies().iter().map(|body| body.position).collect();
        for contact in points(&rig) {
            let touched = world.colliders[contact.other_collider].parent().map(|body| world.bodies[body].translation());
            assert!(touched.is_none_or(|touched| !limbs.contains(&touched)), "a limb of its own");
        }
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn a_collider_of_the_host_presses_a_corpse() {
    let mut stage = limp(0.0);
    until_rest(&mut stage);
    let chest = stage.body("chest").position;
    let above = RigidBodyBuilder::dynamic().translation(chest + Vec3::Z * 30.0);
    let block = ColliderBuilder::cuboid(8.0, 8.0, 8.0).density(0.001);
    let (_, block) = stage.runtime.physics_mut().world_mut().insert(above, block);
    let mut pressed = Vec::new();
    while pressed.is_empty() {
        stage.command("").unwrap();
        stage.step(FRAME);
        pressed = contacts(&stage);
        pressed.retain(|contact| contact.other_collider == block);
    }
    assert_eq!(stage.runtime.collider_owner(block), None);
    assert!(pressed.iter().all(|contact| contact.normal.z < -0.3 && contact.force > 0.0), "{pressed:?}");
}

#[test]
fn boxes_of_entities_have_points_without_forces() {
    let mut stage = limp(0.0);
    until_rest(&mut stage);
    let pelvis = stage.body("pelvis").position;
    let size = Vec3::splat(16.0);
    let walker = stage.runtime.physics_mut().add_entity_box(-size, size, pelvis).unwrap();
    stage.command("").unwrap();
    stage.step(FRAME);
    let mut found = contacts(&stage);
    found.retain(|contact| stage.runtime.collider_owner(contact.other_collider) == Some(BodyOwner::Level(walker)));
    assert!(!found.is_empty());
    assert!(found.iter().all(|contact| contact.force == 0.0 && contact.depth >= 0.0), "{found:?}");
}

#[test]
fn a_body_that_follows_the_animation_exactly_touches_only_what_it_can_push() {
    let mut stage = limp(-1.0);
    stage.command("animate 1").unwrap();
    stage.step(FRAME);
    assert_eq!(contacts(&stage), [], "feet in the floor");
    let foot = stage.body("foot_l").position;
    let ball = RigidBodyBuilder::dynamic().translation(foot + Vec3::X * 6.0);
    let (_, ball) = stage.runtime.physics_mut().world_mut().insert(ball, ColliderBuilder::ball(4.0));
    stage.command("").unwrap();
    stage.step(FRAME);
    let found = contacts(&stage);
    assert!(!found.is_empty() && found.iter().all(|contact| contact.other_collider == ball), "{found:?}");
}

#[test]
fn removed_and_lost_bodies_have_no_points() {
    let mut rig = sphere(7.0, PhysicsSettings::default());
    rig.physics_mut().add_floor(0.0).unwrap();
    rig.run(3.0, |_| {});
    assert_eq!(points(&rig).len(), 1);
    rig.built("a").set_translation(Vec3::NAN, false);
    assert_eq!(points(&rig), [], "not finite");
    rig.run(1.0, |_| {});
    let handles: Vec<_> = rig.physics().world().bodies.iter().map(|(handle, _)| handle).collect();
    for handle in handles {
        rig.physics_mut().world_mut().remove_body(handle);
    }
    assert_eq!(points(&rig), []);
    rig.run(0.1, |rig| assert_eq!(points(rig), []));
}

#[test]
#[cfg(feature = "serde")]
fn a_restored_ragdoll_has_the_same_points() {
    let mut stage = limp(0.0);
    for _ in 0..45 {
        stage.command("").unwrap();
        stage.step(FRAME);
    }
    let expected = contacts(&stage);
    assert!(expected.iter().any(|contact| contact.force > 0.0));
    let bytes = stage.runtime.snapshot().to_bytes().unwrap();
    stage.step(0.5);
    assert_ne!(contacts(&stage), expected);
    stage.runtime.restore(&skelobj::runtime::Snapshot::from_bytes(&bytes).unwrap()).unwrap();
    assert_eq!(contacts(&stage), expected);
}

#[test]
fn contacts_that_are_not_solved_bear_no_force() {
    let mut rig = sphere(7.0, physics_with(|settings| settings.sleep_speed = 0.0));
    rig.physics_mut().add_floor(0.0).unwrap();
    rig.run(2.0, |_| {});
    assert_carries(&points(&rig), 7.0, 0.02);
    let nothing = InteractionGroups::new(Group::NONE, Group::NONE, InteractionTestMode::And);
    for (_, collider) in rig.physics_mut().world_mut().colliders.iter_mut() {
        collider.set_solver_groups(nothing);
    }
    rig.run(FRAME, |_| {});
    let [contact] = points(&rig)[..] else { panic!("{:?}", points(&rig)) };
    assert!(contact.force == 0.0 && contact.depth > 0.0, "{contact:?}");
}
