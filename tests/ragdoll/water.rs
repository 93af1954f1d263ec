//! Water: bodies float by their density, sink, drift and come to rest, and wake when the water changes.

use crate::common::stage;
use std::sync::Arc;

#[cfg(feature = "serde")]
use crate::common::stage::Stage;
use crate::common::stage::{Rig, bind_pose, mannequin, physics_with};
use skelobj::doll::Doll;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::physics::{Liquid, LiquidVolume, Physics, PhysicsSettings, WaterError, WaterId};
use skelobj::{Runtime, assets};

/// Depth of the pool, Quake units.
const DEPTH: f32 = 96.0;

fn pool() -> LiquidVolume {
    LiquidVolume::new_box(Vec3::new(-512.0, -512.0, 0.0), Vec3::new(512.0, 512.0, DEPTH)).unwrap()
}

/// Returns the sea, everything below this height.
fn sea(height: f32) -> LiquidVolume {
    LiquidVolume::behind(&[(Vec3::Z, height)]).unwrap()
}

/// Returns a limp mannequin of some density, `height` units above the ground of a pool.
fn swimmer(density: f32, height: f32) -> (Rig, WaterId) {
    let model = Arc::new(mannequin());
    let mut doll = Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll;
    doll.bodies.iter_mut().for_each(|body| body.density = density);
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_floor(0.0).unwrap();
    let water = runtime.physics_mut().add_water(pool(), Liquid::WATER).unwrap();
    let entity = Mat3x4::from_translation(Vec3::Z * height);
    let mut rig = Rig::new_in(runtime, bind_pose(&model), &Arc::new(doll), entity);
    rig.limp();
    (rig, water)
}

/// Returns a body in the sea, whose surface is 20 units below it.
fn buoy(body: &str, liquid: Liquid, settings: PhysicsSettings) -> (Rig, WaterId) {
    let mut rig = Rig::chain(&format!("body a link0\nanimate 0\n{body}\n"), settings);
    let water = rig.physics_mut().add_water(sea(80.0), liquid).unwrap();
    (rig, water)
}

fn mean(rig: &Rig, value: impl Fn(&skelobj::ragdoll::BodyState) -> Vec3) -> Vec3 {
    let bodies = rig.bodies();
    bodies.iter().map(value).sum::<Vec3>() / bodies.len() as f32
}

fn height(rig: &Rig) -> f32 {
    mean(rig, |body| body.position).z
}

/// Simulates until the ragdoll sleeps, at most some seconds. Returns the time.
fn asleep_after(rig: &mut Rig, seconds: f32) -> Option<f32> {
    for frame in 0..(seconds * 60.0) as usize {
        if rig.is_asleep() {
            return Some(frame as f32 / 60.0);
        }
        rig.update();
        rig.step(1.0 / 60.0);
    }
    None
}

#[track_caller]
fn sleep(rig: &mut Rig) {
    assert!(asleep_after(rig, 20.0).is_some(), "awake, {:?}", mean(rig, |body| body.velocity));
}

#[test]
fn corpses_float_low_and_sleep_at_the_surface() {
    // Difference 230.
    let (mut rig, _) = swimmer(0.95, 200.0);
    let after = asleep_after(&mut rig, 20.0);
    assert!(after.is_some());
    for body in rig.bodies() {
        assert!(body.position.z > DEPTH - 36.0 && body.position.z < DEPTH + 4.0, "{body:?}");
    }
    let gap = rig.widest_gap();
    assert!(gap < 0.1, "{gap}");
    let asleep = height(&rig);
    assert!(rig.runtime.add_ragdoll_velocity(rig.id, Vec3::Z * 20.0, Vec3::ZERO, Vec3::ZERO).is_ok());
    sleep(&mut rig);
    assert!((height(&rig) - asleep).abs() < 4.0, "{} and {asleep}", height(&rig));
}

#[test]
fn lighter_dolls_float_higher() {
    let mut heights = Vec::new();
    for density in [0.05, 0.3, 0.5, 0.8, 0.95] {
        let (mut rig, _) = swimmer(density, 200.0);
        sleep(&mut rig);
        heights.push(height(&rig));
    }
    assert!(heights.is_sorted_by(|a, b| a > b), "{heights:?}");
}

#[test]
fn dead_weight_sinks_and_sleeps_on_the_ground() {
    for density in [1.2, 2.0, 100.0] {
        let (mut rig, _) = swimmer(density, 120.0);
        sleep(&mut rig);
        let lowest = rig.bodies().iter().map(|body| body.position.z).fold(f32::MAX, f32::min);
        assert!(height(&rig) < 20.0 && lowest > 0.0, "{density}: {} {lowest}", height(&rig));
    }
}

/// A body that rises or sinks more slowly than the sleep threshold does not fall asleep on the way.
#[test]
fn slow_dolls_do_not_fall_asleep_on_the_way() {
    let (mut rig, _) = swimmer(0.99, 12.0);
    sleep(&mut rig);
    let highest = rig.bodies().iter().map(|body| body.position.z).fold(f32::MIN, f32::max);
    assert!(highest > DEPTH - 8.0, "{highest}");
    let (mut rig, _) = swimmer(1.03, 30.0);
    sleep(&mut rig);
    let lowest = rig.bodies().iter().map(|body| body.position.z).fold(f32::MAX, f32::min);
    assert!(lowest < 8.0, "{lowest}");
}

#[test]
fn half_as_dense_bodies_float_half_submerged() {
    for body in [
        "shape sphere\nsize 6",
        "shape box\nsize 20 20 12",
        "shape cylinder\nsize 8 8 12",
        "shape capsule\nsize 5 5 30",
    ] {
        let (mut rig, _) = buoy(&format!("{body}\ndensity 0.5"), Liquid::WATER, PhysicsSettings::default());
        sleep(&mut rig);
        let above = rig.body("a").position.z - 80.0;
        assert!(above.abs() < 0.25, "{body}: {above}");
    }
}

#[test]
fn shapes_right_themselves() {
    let (mut rig, _) =
        buoy("shape capsule\nsize 4 4 40\ndensity 0.5\noffset 0 0 0 80 0 0", Liquid::WATER, PhysicsSettings::default());
    let upright = |rig: &Rig| (rig.body("a").rotation * Vec3::Z).z.abs();
    rig.built("a").set_rotation(skelobj::math::Quat::from_rotation_x(0.1), true);
    assert!(upright(&rig) > 0.9);
    sleep(&mut rig);
    assert!(upright(&rig) < 0.05, "{}", upright(&rig));
}

#[test]
fn the_mass_of_a_body_does_not_matter() {
    let fall = |mass: f32| {
        let (mut rig, _) =
            buoy(&format!("mass {mass}\ndensity 0.8\nsize 6 7 8"), Liquid::WATER, PhysicsSettings::default());
        let mut heights = Vec::new();
        rig.run(3.0, |rig| heights.push(rig.body("a").position.z));
        heights
    };
    let apart = fall(1.0).iter().zip(fall(40.0)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(apart < 0.01, "{apart}");
}

#[test]
fn drag_limits_the_speed_of_sinking() {
    let settings = physics_with(|settings| settings.linear_damping = 0.0);
    for (drag, expected) in [(4.0, 100.0), (40.0, 10.0), (1e6, 4e-4)] {
        let (mut rig, _) = buoy("size 6\ndensity 2", Liquid::WATER.with_drag(drag), settings);
        rig.run(4.0, |_| ());
        let speed = -rig.body("a").velocity.z;
        assert!((speed - expected).abs() < 0.02 * expected + 1e-3, "drag {drag}: {speed}");
    }
}

#[test]
fn currents_carry_bodies_along_until_they_cease() {
    let current = Vec3::new(30.0, -40.0, 0.0);
    let (mut rig, water) = buoy("size 8\ndensity 0.8", Liquid::WATER.with_current(current), PhysicsSettings::default());
    rig.run(6.0, |_| ());
    let velocity = rig.body("a").velocity;
    assert!(velocity.truncate().distance(current.truncate()) < 4.0, "{velocity}");
    assert!(!rig.is_asleep());
    rig.physics_mut().set_water_liquid(water, Liquid::WATER).unwrap();
    sleep(&mut rig);
    rig.step(1.0 / 60.0);
    let slow = Liquid::WATER.with_current(Vec3::X * 3.0);
    rig.physics_mut().set_water_liquid(water, slow).unwrap();
    let before = rig.body("a").position.x;
    rig.run(10.0, |_| ());
    assert!(rig.body("a").position.x > before + 20.0, "slower than bodies that fall asleep");
}

#[test]
fn a_slow_current_keeps_bodies_of_any_mass_awake() {
    for mass in [0.01, 1.0, 100.0] {
        let liquid = Liquid::WATER.with_current(Vec3::X * 0.8);
        let (mut rig, _) = buoy(&format!("size 8\ndensity 0.8\nmass {mass}"), liquid, PhysicsSettings::default());
        rig.run(30.0, |_| ());
        let velocity = rig.body("a").velocity;
        assert!(!rig.is_asleep(), "{mass}");
        assert!((0.6..=0.9).contains(&velocity.x), "{mass}: {velocity}");
    }
}

#[test]
fn changes_wake_only_the_dolls_that_they_affect() {
    let (mut rig, water) = swimmer(0.9, 60.0);
    sleep(&mut rig);
    let far = LiquidVolume::new_box(Vec3::splat(900.0), Vec3::splat(1000.0)).unwrap();
    let far = rig.physics_mut().add_water(far, Liquid::LAVA).unwrap();
    rig.physics_mut().set_water_liquid(far, Liquid::SLIME).unwrap();
    rig.physics_mut().set_water_liquid(water, Liquid::WATER).unwrap();
    rig.physics_mut().move_water(water, Vec3::ZERO).unwrap();
    assert!(rig.physics_mut().remove_water(far).is_some());
    rig.step(1.0 / 60.0);
    assert!(rig.is_asleep(), "nothing has changed here");

    let before = height(&rig);
    rig.physics_mut().move_water(water, Vec3::Z * 40.0).unwrap();
    assert!(!rig.is_asleep());
    sleep(&mut rig);
    assert!((height(&rig) - before - 40.0).abs() < 8.0, "{before} {}", height(&rig));

    rig.physics_mut().set_water_liquid(water, Liquid::WATER.with_current(Vec3::X)).unwrap();
    assert!(!rig.is_asleep());
    rig.physics_mut().set_water_liquid(water, Liquid::WATER).unwrap();
    sleep(&mut rig);
    assert!(rig.physics_mut().remove_water(water).is_some());
    assert!(!rig.is_asleep());
    sleep(&mut rig);
    assert!(height(&rig) < 20.0);
    rig.physics_mut().add_water(pool(), Liquid::WATER).unwrap();
    assert!(!rig.is_asleep());
}

#[test]
fn dry_dolls_fall_bit_for_bit_as_without_water() {
    let fall = |wet: bool| {
        let (mut rig, water) = swimmer(0.95, 40.0);
        rig.physics_mut().remove_water(water);
        if wet {
            rig.physics_mut().add_water(sea(-50.0), Liquid::WATER).unwrap();
        }
        rig.run(3.0, |_| ());
        rig.bodies()
    };
    assert_eq!(fall(true), fall(false));
}

#[test]
fn forces_end_with_the_step_and_those_of_the_host_stay() {
    let (mut rig, _) = swimmer(0.95, 20.0);
    let own = Vec3::new(3.3, -0.7, 11.1);
    rig.built("head").add_force(own, true);
    rig.run(2.0, |rig| {
        for (_, body) in rig.physics().world().bodies.iter().filter(|(_, body)| body.is_dynamic()) {
            assert!(body.user_torque().length() < 1e-2, "{}", body.user_torque());
            assert!(
                body.user_force().length() < 1e-2 || body.user_force().distance(own) < 1e-2,
                "{}",
                body.user_force()
            );
        }
    });
    assert!(rig.built("head").user_force().distance(own) < 1e-2);
}

#[test]
fn no_number_makes_water_explode() {
    let liquids = [(0.0, 0.0), (1.0, 1e6), (1e6, 0.0), (1e6, 1e6), (1e-6, 1.0), (50.0, 4.0)];
    for (density, drag) in liquids {
        for own in [f32::MIN_POSITIVE, 1e-6, 0.01, 0.95, 1e30, f32::NAN] {
            for (step, gravity) in [(1.0 / 120.0, 800.0), (1.0, 800.0), (1e-4, 1e6), (1.0 / 30.0, 0.0)] {
                let settings = physics_with(|settings| {
                    (settings.step, settings.gravity.z, settings.max_step_debt) = (step, -gravity, 2.0);
                });
                let liquid = Liquid::WATER.with_density(density).with_drag(drag).with_current(Vec3::X * 100.0);
                let model = Arc::new(stage::golden_model("chain.iqm"));
                let mut doll = Doll::parse_for(
                    b"body a link0\nsize 0.001\nbody b link1\nsize 9 2 30\nshape capsule\njoint j a b\ntype point\n",
                    &model.skeleton,
                )
                .doll;
                for body in &mut doll.bodies {
                    (body.density, body.animate) = (own, 0.0);
                }
                let mut rig = Rig::new(bind_pose(&model), &Arc::new(doll), Mat3x4::IDENTITY, settings);
                rig.physics_mut().add_water(sea(101.0), liquid).unwrap();
                for _ in 0..20 {
                    rig.update();
                    rig.step(step);
                }
                for body in rig.bodies() {
                    let speed = body.velocity.length();
                    assert!(body.position.is_finite() && speed <= 16_001.0, "{density} {drag} {own} {step}: {body:?}");
                }
                assert_eq!(rig.ragdoll().resets(), 0, "{density} {drag} {own} {step} {gravity}");
            }
        }
    }
}

/// Small, light bodies reach their place within a step or two; they stop there instead of bouncing.
#[test]
fn stiff_water_holds_light_bodies_at_its_surface() {
    for (body, step) in [("size 8\ndensity 0.01", 1.0 / 60.0), ("size 2\ndensity 0.1", 1.0 / 30.0)] {
        let settings = physics_with(|settings| (settings.step, settings.max_step_debt) = (step, 1.0));
        let (mut rig, _) = buoy(body, Liquid::WATER, settings);
        rig.run(8.0, |_| ());
        let (above, speed) = (rig.body("a").position.z - 80.0, rig.body("a").velocity.z);
        assert!((0.0..4.0).contains(&above) && speed.abs() < 0.5, "{body}: {above} {speed}");
    }
}

#[test]
fn unusable_numbers_are_named_and_change_nothing() {
    let mut physics = Physics::default();
    let (zero, one) = (Vec3::ZERO, Vec3::ONE);
    for (mins, maxs, name) in
        [(zero.with_x(f32::NAN), one, "mins"), (zero, one * 2e6, "maxs"), (-one * f32::INFINITY, one, "mins")]
    {
        let error = LiquidVolume::new_box(mins, maxs).unwrap_err();
        assert!(matches!(error, WaterError::OutOfRange(error) if error.name == name), "{error}");
    }
    for (mins, maxs) in [(zero, zero), (one, zero), (zero, one.with_y(0.0))] {
        assert_eq!(LiquidVolume::new_box(mins, maxs), Err(WaterError::Flat));
    }
    assert_eq!(LiquidVolume::behind(&[]), Err(WaterError::Flat));
    assert_eq!(LiquidVolume::behind(&[(zero, 1.0)]), Err(WaterError::Flat));
    assert_eq!(LiquidVolume::behind(&[(one, 1.0); 257]), Err(WaterError::TooManyPlanes));
    assert!(
        matches!(LiquidVolume::behind(&[(one, f32::NAN)]), Err(WaterError::OutOfRange(error)) if error.name == "distance")
    );
    for (liquid, name) in [
        (Liquid::WATER.with_density(-1.0), "density"),
        (Liquid::WATER.with_density(f32::NAN), "density"),
        (Liquid::WATER.with_drag(f32::INFINITY), "drag"),
        (Liquid::WATER.with_drag(-0.1), "drag"),
        (Liquid::WATER.with_current(Vec3::X * f32::NAN), "current"),
    ] {
        let error = physics.add_water(pool(), liquid).unwrap_err();
        assert!(matches!(error, WaterError::OutOfRange(error) if error.name == name), "{error}");
        assert_eq!(physics.waters().count(), 0);
        let water = physics.add_water(pool(), Liquid::SLIME).unwrap();
        assert_eq!(physics.set_water_liquid(water, liquid).unwrap_err().to_string(), error.to_string());
        assert!(physics.move_water(water, Vec3::splat(f32::NAN)).is_err());
        assert_eq!(physics.water(water).map(|water| (water.liquid(), water.origin())), Some((Liquid::SLIME, zero)));
        assert!(physics.remove_water(water).is_some());
        assert_eq!(physics.move_water(water, one), Err(WaterError::NoSuchWater));
    }
}

#[test]
fn waters_in_one_place_add_up_and_reach_ragdolls_only() {
    // A third as dense as water: two of these volumes carry what one cannot.
    let thin = Liquid::WATER.with_density(0.6);
    let sinks = |waters: usize| {
        let (mut rig, _) = buoy("size 8\ndensity 0.9", thin, PhysicsSettings::default());
        for _ in 1..waters {
            rig.physics_mut().add_water(sea(80.0), thin).unwrap();
        }
        rig.run(6.0, |_| ());
        rig.body("a").position.z < 60.0
    };
    assert_eq!([1, 2].map(sinks), [true, false]);

    let mut runtime = Runtime::default();
    let physics = runtime.physics_mut();
    physics.add_water(sea(1e5), Liquid::LAVA.with_current(Vec3::X * 500.0)).unwrap();
    let lift = physics.add_box(Vec3::ZERO, Vec3::ONE, Default::default()).unwrap();
    let (own, _) = physics.world_mut().insert(
        skelobj::physics::rapier3d::prelude::RigidBodyBuilder::dynamic().translation(Vec3::Z * 500.0),
        skelobj::physics::rapier3d::prelude::ColliderBuilder::ball(4.0),
    );
    assert_eq!((0..30).map(|_| runtime.step(1.0 / 60.0).unwrap().steps).sum::<usize>(), 30);
    let world = runtime.physics().world();
    let (velocity, fall) = (world.bodies[own].linvel(), 800.0 * 0.5);
    assert!(velocity.x == 0.0 && (velocity.z + fall).abs() < 1.0, "{velocity}");
    assert_eq!(world.bodies[runtime.physics().rigid_body(lift).unwrap()].translation(), Vec3::ZERO);
    let down = skelobj::runtime::Trace::line(Vec3::new(50.0, 0.0, 90.0), Vec3::new(50.0, 0.0, -90.0));
    assert_eq!(runtime.trace(&down), Ok(None));
}

#[test]
fn distances_of_planes_are_along_normals_of_any_length() {
    let wedge = LiquidVolume::behind(&[(Vec3::Z * 1e3, 10.0), (Vec3::new(-0.02, 0.0, 0.0), 5.0)]).unwrap();
    for (point, wet) in [
        (Vec3::ZERO, true),
        (Vec3::Z * 9.9, true),
        (Vec3::Z * 10.1, false),
        (Vec3::X * -4.9, true),
        (Vec3::X * -5.1, false),
        (Vec3::new(1e5, 1e5, -1e5), true),
        (Vec3::splat(f32::NAN), false),
    ] {
        assert_eq!(wedge.contains(point), wet, "{point}");
    }
    assert!(!wedge.is_empty() && LiquidVolume::behind(&[(Vec3::Z, 0.0); LiquidVolume::MAX_PLANES]).is_ok());
}

#[test]
fn water_of_a_level_with_unusable_numbers_is_refused_as_a_whole() {
    use skelobj::physics::{BrushEntity, BrushModel, Level, LevelLiquid, LiquidKind};

    let water = |current: Vec3| LevelLiquid { kind: LiquidKind::Slime, current, volume: pool() };
    let mut level = Level::default();
    let mut model = BrushModel::default();
    model.liquids = vec![water(Vec3::ZERO), water(Vec3::Y)];
    level.models = vec![model; 2];
    let mut entity = skelobj::physics::Entity::default();
    entity.pairs = vec![("classname".into(), "func_water".into())];
    level.entities.push(entity);
    let (model, angles) = (1, Vec3::ZERO);
    level.brush_entities.push(BrushEntity { entity: 0, model, origin: Vec3::X, angles, solid: false });
    let mut physics = Physics::default();
    let added = physics.add_level_water(&level).unwrap();
    assert_eq!(added.iter().map(|water| water.entity).collect::<Vec<_>>(), [None, None, Some(0), Some(0)]);
    let of = |number: usize| physics.water(added[number].id).map(|water| (water.liquid(), water.origin())).unwrap();
    assert_eq!(of(0), (Liquid::SLIME, Vec3::ZERO));
    assert_eq!(of(3), (Liquid::SLIME.with_current(Vec3::Y * LevelLiquid::CURRENT_SPEED), Vec3::X));
    let changes: [fn(&mut Level); 3] = [
        |level| level.models[1].liquids[1].current.x = f32::NAN,
        |level| level.models[1].liquids[1].current.x = 1e6,
        |level| level.brush_entities[0].origin.z = f32::INFINITY,
    ];
    for change in changes {
        let mut bad = level.clone();
        change(&mut bad);
        assert!(matches!(physics.add_level_water(&bad), Err(WaterError::OutOfRange(_))));
        assert_eq!(physics.waters().count(), 4);
    }
}

#[cfg(feature = "serde")]
#[test]
fn snapshots_keep_the_water() {
    use skelobj::runtime::Snapshot;

    let mut stage = Stage::mannequin();
    let physics = stage.runtime.physics_mut();
    let gone = physics.add_water(pool(), Liquid::LAVA).unwrap();
    let water = physics.add_water(pool(), Liquid::WATER.with_current(Vec3::Y * 20.0)).unwrap();
    physics.move_water(water, Vec3::Z * -10.0).unwrap();
    physics.remove_water(gone);
    stage.build(0, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    stage.command("animate 0").unwrap();
    for _ in 0..40 {
        stage.step(1.0 / 72.0);
    }
    let bytes = stage.runtime.snapshot().to_bytes().unwrap();
    let mut restored = Stage::mannequin();
    restored.runtime.restore(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
    let run = |stage: &mut Stage| {
        for _ in 0..200 {
            stage.step(1.0 / 72.0);
        }
        let next = stage.runtime.physics_mut().add_water(sea(0.0), Liquid::SLIME).unwrap();
        (next, stage.runtime.snapshot().to_bytes().unwrap())
    };
    assert!(restored.runtime.physics().water(water).is_some());
    assert_eq!(run(&mut restored), run(&mut stage));
}

#[test]
fn every_body_of_a_doll_has_its_own_density() {
    let doll = b"updatebody default\ndensity 0.4\nbody a link0\nbody b link1\ndensity 3\n";
    let doll = Doll::parse_strict(doll).unwrap();
    assert_eq!([doll.bodies[0].density, doll.bodies[1].density], [0.4, 3.0]);
    assert_eq!(Doll::parse_strict(&doll.to_text()).unwrap().to_text(), doll.to_text());
    let problems = Doll::parse(b"body a link0\ndensity 0\n").problems;
    assert!(problems[0].to_string().contains("density"), "{}", problems[0]);
    let mut rig = Rig::chain(
        "body a link0\nanimate 0\ndensity 0.4\nbody b link3\nanimate 0\ndensity 3\n",
        PhysicsSettings::default(),
    );
    rig.physics_mut().add_water(sea(90.0), Liquid::WATER).unwrap();
    rig.run(4.0, |_| ());
    assert!(rig.body("a").position.z > 85.0 && rig.body("b").position.z < 0.0);
}
