//! Hosts that own the rapier world and step it.

use crate::common::stage::{Stage, bits, mannequin, physics_with};
use skelobj::math::{Mat3x4, Vec3};
use skelobj::physics::rapier3d::prelude::*;
use skelobj::physics::{CollisionGroups, PhysicsSettings, UserData};
use skelobj::ragdoll::{Command, Flinch};
use skelobj::runtime::BodyOwner;

/// Returns a host's world in Quake units with a floor.
fn host_world(dt: f32) -> PhysicsWorld {
    let settings = physics_with(|settings| settings.step = dt);
    let mut world = PhysicsWorld {
        gravity: settings.gravity,
        integration_parameters: settings.parameters().unwrap(),
        ..PhysicsWorld::default()
    };
    world.insert_collider(ColliderBuilder::new(SharedShape::halfspace(Vec3::Z)).user_data(99), None);
    world
}

/// Adds a limp mannequin to that world.
fn corpse(world: &mut PhysicsWorld) -> Stage {
    let mut stage = Stage::new("mannequin.iqm", mannequin(), PhysicsSettings::default());
    stage.build(0, 0.0);
    let Stage { runtime, object, entity, .. } = &mut stage;
    let entity = runtime.settings().entity_matrix(entity);
    runtime.with_external_world(world, |runtime| {
        for command in ["doll mannequin.doll", "animate 0"] {
            runtime.ragdoll_command(*object, &entity, Command::parse(command).unwrap(), None).unwrap();
        }
    });
    stage
}

/// Makes a frame of the host: bones, then its steps.
fn frame(stage: &mut Stage, world: &mut PhysicsWorld, steps: u32) {
    let Stage { runtime, object, entity, .. } = stage;
    let entity = runtime.settings().entity_matrix(entity);
    let dt = f64::from(world.integration_parameters.dt);
    let frame_time = (dt * f64::from(steps)) as f32;
    runtime.with_external_world(world, |runtime| {
        runtime.ragdoll_command(*object, &entity, Command::Update, None).unwrap();
    });
    for number in 1..=steps {
        runtime.with_external_world(world, |runtime| runtime.pre_step(f64::from(number) * dt, frame_time)).unwrap();
        world.step();
        runtime.with_external_world(world, skelobj::Runtime::post_step);
    }
    runtime.with_external_world(world, |runtime| runtime.end_steps(0.0)).unwrap();
}

/// Returns the number of bodies with a force or torque of the user's.
fn pushed(stage: &Stage) -> usize {
    let bodies = stage.runtime.physics().world().bodies.iter();
    bodies.filter(|(_, body)| body.user_force() != Vec3::ZERO || body.user_torque() != Vec3::ZERO).count()
}

/// Friction acts as a force between the two halves of a step: nothing of it stays, whatever a host does in between.
#[test]
fn friction_leaves_no_force_behind() {
    for change in ["", "animate 1", "animatebody head 1", "reset"] {
        let mut stage = Stage::mannequin();
        stage.build(0, 0.0);
        for command in ["doll mannequin.doll", "animate 0"] {
            stage.command(command).unwrap();
        }
        for step in 1..=20 {
            stage.runtime.pre_step(f64::from(step) / 120.0, 20.0 / 120.0).unwrap();
            if step == 20 {
                assert!(pushed(&stage) > 0, "no friction acts");
                match change {
                    "reset" => {
                        for (_, body) in stage.runtime.physics_mut().world_mut().bodies.iter_mut() {
                            body.reset_forces(false);
                            body.reset_torques(false);
                        }
                    }
                    command => drop(stage.command(command).unwrap()),
                }
            }
            stage.runtime.physics_mut().world_mut().step();
            stage.runtime.post_step();
        }
        assert_eq!(pushed(&stage), 0, "after {change:?}");
    }
}

#[test]
fn steps_of_the_host_are_the_same_as_the_runtimes_own() {
    let run = |own: bool| {
        let mut stage = Stage::mannequin();
        stage.build(0, 0.0);
        stage.command("doll mannequin.doll").unwrap();
        for number in 0..60 {
            stage.command(if number == 10 { "animate 0" } else { "" }).unwrap();
            if own {
                for step in 1..=2 {
                    stage.runtime.pre_step(f64::from(step) / 60.0, 1.0 / 30.0).unwrap();
                    stage.runtime.physics_mut().world_mut().step();
                    stage.runtime.post_step();
                }
                stage.runtime.end_steps(0.0).unwrap();
            } else {
                assert_eq!(stage.step(1.0 / 30.0), 2);
            }
        }
        stage.command("").unwrap();
        bits(&stage.raw())
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn a_doll_falls_in_a_hosts_world_at_its_own_pace() {
    for (dt, steps) in [(1.0 / 120.0, 2), (1.0 / 60.0, 1), (1.0 / 90.0, 3), (1.0 / 200.0, 4)] {
        let mut world = host_world(dt);
        let mut stage = corpse(&mut world);
        let seconds = 5.0;
        for _ in 0..(seconds / (dt * steps as f32)) as usize {
            frame(&mut stage, &mut world, steps);
        }
        let ours = world.bodies.iter().filter(|(_, body)| UserData::from_bits(body.user_data).is_some());
        let places: Vec<Vec3> = ours.map(|(_, body)| body.translation()).collect();
        assert_eq!(places.len(), 16);
        let [low, high] = [f32::MAX, f32::MIN]
            .map(|from| places.iter().fold(from, |z, place| if from > 0.0 { z.min(place.z) } else { z.max(place.z) }));
        assert!(places.iter().all(|place| place.is_finite()) && low > -1.0 && high < 25.0, "{dt}: {low} {high}");
    }
}

#[test]
fn a_hosts_moving_box_pushes_a_doll_and_its_bodies_come_and_go() {
    let mut world = host_world(1.0 / 120.0);
    let mut stage = corpse(&mut world);
    let pusher = RigidBodyBuilder::kinematic_velocity_based().translation(Vec3::new(-150.0, 0.0, 20.0));
    let (pusher, _) = world.insert(pusher.user_data(1), ColliderBuilder::cuboid(10.0, 60.0, 20.0));
    world.bodies[pusher].set_linvel(Vec3::X * 150.0, true);
    let mut crates = Vec::new();
    for number in 0..240 {
        // Crates that fall on it, hang on each other, and vanish.
        if number % 10 == 0 {
            let place = Vec3::new(number as f32 - 100.0, 0.0, 120.0);
            let groups = CollisionGroups::BOXES.for_collider();
            let collider = ColliderBuilder::cuboid(6.0, 6.0, 6.0).mass(5.0).collision_groups(groups).user_data(5);
            let (body, _) = world.insert(RigidBodyBuilder::dynamic().translation(place), collider);
            if let Some(last) = crates.last() {
                world.insert_impulse_joint(*last, body, SphericalJointBuilder::new());
            }
            crates.push(body);
        }
        if number % 7 == 3 && !crates.is_empty() {
            world.remove_body(crates.remove(crates.len() / 2));
        }
        frame(&mut stage, &mut world, 2);
    }
    assert_eq!(world.bodies[pusher].user_data, 1, "what is the host's stays so");
    let lies = world.bodies.iter().filter(|(_, body)| UserData::from_bits(body.user_data).is_some());
    let places: Vec<Vec3> = lies.map(|(_, body)| body.translation()).collect();
    assert_eq!(places.len(), 16);
    let middle = places.iter().sum::<Vec3>() / 16.0;
    assert!(middle.x > 300.0 && places.iter().all(|place| place.is_finite()), "{middle}");
    let bones = stage.raw();
    assert!(bones.iter().all(|bone| bone.0.iter().all(|v| v.is_finite())));
}

#[test]
fn a_doll_whose_bodies_the_host_took_does_no_harm() {
    let mut world = host_world(1.0 / 120.0);
    let mut stage = corpse(&mut world);
    frame(&mut stage, &mut world, 2);
    let ours: Vec<RigidBodyHandle> = world.bodies.iter().map(|(handle, _)| handle).collect();
    for (number, body) in ours.into_iter().enumerate() {
        world.remove_body(body);
        if number % 4 == 0 {
            frame(&mut stage, &mut world, 2);
        }
    }
    frame(&mut stage, &mut world, 2);
    stage.assert_finite("without bodies");
    let hit = |runtime: &mut skelobj::Runtime| {
        runtime.ragdoll_impulse(stage.object, None, Vec3::ZERO, Vec3::X, Flinch::default())
    };
    assert_eq!(stage.runtime.with_external_world(&mut world, hit), Ok(false), "nothing is left to be hit");
    let removed = stage.runtime.with_external_world(&mut world, |runtime| runtime.clear_ragdoll(stage.object));
    assert!(removed.is_some());
}

#[test]
fn a_panic_on_a_hosts_world_gives_both_worlds_back() {
    let mut world = host_world(1.0 / 120.0);
    let mut stage = corpse(&mut world);
    let bodies = world.bodies.len();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        stage.runtime.with_external_world(&mut world, |_| panic!("the host's own code"));
    }));
    assert!(panicked.is_err());
    assert_eq!((world.bodies.len(), stage.runtime.physics().world().bodies.len()), (bodies, 0));
    frame(&mut stage, &mut world, 2);
}

#[test]
fn bodies_and_colliders_lead_to_owners_that_exist() {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    let physics = stage.runtime.physics_mut();
    let wall = physics.add_box(Vec3::X * 99.0, Vec3::ONE, Default::default()).unwrap();
    let (own, own_shape) = physics.world_mut().insert(RigidBodyBuilder::fixed(), ColliderBuilder::ball(1.0));
    assert_eq!((stage.runtime.body_owner(own), stage.runtime.collider_owner(own_shape)), (None, None));
    let world = stage.runtime.physics().world();
    let handles: Vec<_> = world.bodies.iter().map(|(body, built)| (body, built.colliders()[0])).collect();
    let owners = |runtime: &skelobj::Runtime| -> Vec<_> {
        handles.iter().map(|(body, shape)| (runtime.body_owner(*body), runtime.collider_owner(*shape))).collect()
    };
    let (mut limbs, mut walls) = (Vec::new(), 0);
    for (body, shape) in owners(&stage.runtime) {
        assert_eq!(body, shape);
        match body {
            Some(BodyOwner::Ragdoll { object, body, bone }) => {
                assert_eq!((object, Some(bone)), (stage.object, stage.ragdoll().body_bone(body)));
                limbs.push(body);
            }
            Some(BodyOwner::Level(level)) => walls += usize::from(level == wall),
            _ => assert_eq!(body, None, "the host's own"),
        }
    }
    assert!(limbs.iter().copied().eq(0..16) && walls == 1, "{limbs:?}");
    stage.command("cleardoll").unwrap();
    stage.runtime.physics_mut().remove_level_body(wall).unwrap();
    assert!(owners(&stage.runtime).iter().all(|(body, shape)| {
        [body, shape]
            .into_iter()
            .all(|owner| owner.is_none_or(|owner| matches!(owner, BodyOwner::Level(id) if id != wall)))
    }));
}

#[test]
fn bones_are_shown_as_much_earlier_as_the_steps_are_ahead() {
    let shown = |ahead: f64| {
        let mut world = host_world(1.0 / 60.0);
        let mut stage = corpse(&mut world);
        for _ in 0..12 {
            frame(&mut stage, &mut world, 1);
        }
        stage.runtime.with_external_world(&mut world, |runtime| runtime.end_steps(ahead)).unwrap();
        let Stage { runtime, object, .. } = &mut stage;
        runtime.with_external_world(&mut world, |runtime| {
            runtime.ragdoll_command(*object, &Mat3x4::IDENTITY, Command::Update, None).unwrap();
        });
        stage.bones()[stage.bone("head")].origin().z
    };
    let [now, half, whole] = [0.0, 1.0 / 120.0, 1.0 / 60.0].map(shown);
    assert!(half > now + 0.2 && whole > half + 0.2, "{now} {half} {whole}");
    assert!((half - (now + whole) / 2.0).abs() < 0.1, "{now} {half} {whole}");
}

#[test]
fn a_world_that_the_host_lends_keeps_its_parameters() {
    let mut world = host_world(1.0 / 90.0);
    let mut stage = corpse(&mut world);
    let before = (world.gravity, world.integration_parameters.dt);
    stage.runtime.with_external_world(&mut world, |runtime| {
        let mut settings = runtime.settings();
        settings.physics.gravity = Vec3::X;
        settings.physics.step = 1.0 / 200.0;
        runtime.set_settings(settings).unwrap();
    });
    assert_eq!((world.gravity, world.integration_parameters.dt), before);
    // The runtime's own world has them once it is back.
    let own = stage.runtime.physics().world();
    assert_eq!((own.gravity, own.integration_parameters.dt), (Vec3::X, 1.0 / 200.0));
}
