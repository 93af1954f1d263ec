//! Movement code of a game, in QuakeC: a player's box that walks by tracebox, on levels of many shapes.
#![cfg(feature = "qcvm")]

use std::sync::{Arc, Mutex};

use skelobj::Runtime;
use skelobj::math::{Quat, Vec3};
use skelobj::physics::{Level, LevelOptions, LevelShape};
use skelobj::qc::vm::{Machine, Progs};
use skelobj::qc::{Environment, VmHost};

use crate::common;
use crate::common::compiled::assert_compiled;
use crate::common::small_bsp::Bsp29;

const PROGS: &[u8] = include_bytes!("walker.dat");

#[test]
fn the_committed_progs_is_what_fteqcc_makes_of_its_source() {
    assert_compiled("walker", &[], &[("walker.qc", include_str!("walker.qc"))], PROGS);
}

/// Walks for a minute from a place. Returns how often the player was in something solid, how often it had to turn, and
/// how far it came; or the line that says where it froze.
fn walk(runtime: &mut Runtime, start: Vec3) -> Result<[f32; 3], String> {
    let progs = Arc::new(Progs::load(PROGS).unwrap());
    let printed = Arc::new(Mutex::new(String::new()));
    let output = printed.clone();
    let mut environment = Environment::new(&progs, move |text| output.lock().unwrap().push_str(text));
    let mut machine = Machine::new(progs.clone());
    machine.set_global_vector(progs.global(b"start").unwrap(), start.to_array());
    let main = machine.find_function(b"main").unwrap();
    machine.call(main, &mut VmHost { runtime, environment: &mut environment }).unwrap();
    let text = printed.lock().unwrap().clone();
    let words: Vec<&str> = text.split([' ', ',', '\n']).collect();
    let number = |name: &str| words.iter().position(|word| *word == name).and_then(|at| words[at + 1].parse().ok());
    match [number("solid"), number("turns"), number("way")] {
        [Some(solid), Some(turns), Some(way)] => Ok([solid, turns, way]),
        _ => Err(text),
    }
}

/// Makes a hall with stairs, ramps, pillars, a turned door and a low slab.
fn hall() -> Runtime {
    let mut runtime = Runtime::default();
    let level = Level::from_bsp(&Bsp29::hall(512.0).bytes()).unwrap();
    let bodies = runtime.physics_mut().add_level(&level, LevelOptions::default()).unwrap();
    let physics = runtime.physics_mut();
    let door = bodies.entities[0].1;
    physics.teleport_level_body(door, Vec3::new(100.0, 100.0, -500.0), Quat::from_rotation_z(0.7)).unwrap();
    for step in 0..6 {
        let height = 16.0 * (step + 1) as f32;
        let centre = Vec3::new(-300.0 + 32.0 * step as f32, -300.0, -512.0 + height * 0.5);
        physics.add_box(centre, Vec3::new(32.0, 160.0, height), Quat::IDENTITY).unwrap();
    }
    for (number, yaw) in [0.0f32, 30.0, 45.0, 77.0].into_iter().enumerate() {
        let place = Vec3::new(200.0 - 130.0 * number as f32, 220.0, -512.0 + 60.0);
        physics.add_box(place, Vec3::new(40.0, 60.0, 120.0), Quat::from_rotation_z(yaw.to_radians())).unwrap();
    }
    for (place, pitch) in [(Vec3::new(300.0, -200.0, -512.0), 25.0f32), (Vec3::new(300.0, -50.0, -520.0), -35.0)] {
        physics.add_box(place, Vec3::new(200.0, 100.0, 24.0), Quat::from_rotation_y(pitch.to_radians())).unwrap();
    }
    let ramp = [[0.0, 0.0], [128.0, 0.0], [128.0, 64.0]];
    let ramp: Vec<Vec3> = [-50.0, 50.0].into_iter().flat_map(|y| ramp.map(|[x, z]| Vec3::new(x, y, z))).collect();
    physics.add_level_body(&[LevelShape::Hull(&ramp)], Vec3::new(-100.0, -100.0, -512.0), Quat::IDENTITY).unwrap();
    runtime
}

#[test]
fn a_player_walks_a_minute_through_a_hall_and_never_sticks() {
    let mut runtime = hall();
    for start in [Vec3::new(0.0, 0.0, -480.0), Vec3::new(-400.0, 300.0, -400.0), Vec3::new(400.0, -400.0, -300.0)] {
        let [solid, turns, way] = walk(&mut runtime, start).unwrap_or_else(|text| panic!("from {start}: {text}"));
        assert!(solid == 0.0 && way > 4000.0, "from {start}: solid {solid}, turned {turns} times, came {way} far");
    }
}

#[test]
fn a_player_walks_a_minute_through_real_maps_and_never_sticks() {
    let test = "a_player_walks_a_minute_through_real_maps_and_never_sticks";
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let mut walks = 0;
    for map in ["bsp29/lq_start", "bsp29/lqdm2", "bsp30/test_weapons", "ibsp38/mp_lobby", "ibsp46/oa_ctf2"] {
        let bytes = std::fs::read(shared.join(format!("corpus/bsp/{map}.bsp"))).unwrap();
        let level = Level::from_bsp(&bytes).unwrap();
        let mut runtime = Runtime::default();
        runtime.physics_mut().add_level(&level, LevelOptions::default()).unwrap();
        let is_start = |class: &[u8]| class.starts_with(b"info_player") && !class.ends_with(b"intermission");
        let starts =
            level.entities.iter().filter(|e| e.get("classname").is_some_and(|class| is_start(class.as_bytes())));
        for start in starts.map(|entity| entity.vector("origin") + Vec3::Z * 12.0).take(1) {
            let [solid, turns, way] = walk(&mut runtime, start).unwrap_or_else(|text| panic!("{map}, {start}: {text}"));
            assert!(
                solid == 0.0 && way > 4000.0,
                "{map}, {start}: solid {solid}, turned {turns} times, came {way} far"
            );
            walks += 1;
        }
    }
    println!("shared cases: {test}: {walks}");
}
