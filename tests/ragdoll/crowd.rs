//! Many dolls in one level. `SKELOBJ_CROWD=100,60` simulates a hundred for a minute, the source of the figures in the
//! documentation; by default they are fewer and the time is shorter.

use crate::common;
use crate::common::small_bsp;
use crate::common::stage;
use crate::common::stage::Stage;
use skelobj::Runtime;
use skelobj::math::{EntityTransform, Mat3x4, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::physics::{CollisionGroups, Level, LevelOptions};
use skelobj::ragdoll::Command;
use skelobj::runtime::{ObjectId, Trace};

/// Returns the number of dolls and the number of seconds.
fn size() -> (usize, f32) {
    let text = std::env::var("SKELOBJ_CROWD").unwrap_or_default();
    let mut numbers = text.split(',').filter_map(|number| number.parse::<f32>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(dolls), Some(seconds)) => (dolls as usize, seconds),
        _ => (12, 12.0),
    }
}

/// Releases a doll at each position, simulates, and checks the limits.
fn drop_at(what: &str, level: &Level, mut runtime: Runtime, places: &[Vec3], seconds: f32) {
    let model = runtime.add_model("mannequin.iqm", stage::mannequin()).unwrap();
    runtime.set_files(stage::files);
    let dolls: Vec<(ObjectId, Mat3x4)> = (0..)
        .zip(places)
        .map(|(number, place)| {
            let object = runtime.create_object(model, Space::Local).unwrap();
            let angles =
                Vec3::new(number as f32 * 37.0 % 60.0 - 30.0, number as f32 * 137.5, number as f32 * 73.0 % 40.0);
            let entity = EntityTransform::new(*place, angles).to_world(-1.0, 1.0);
            runtime.build(object, model, &FrameState::single(number % 3, 0.1), &Build::REPLACE).unwrap();
            runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None).unwrap();
            (object, entity)
        })
        .collect();
    let mut not_finite = 0;
    for _ in 0..(seconds * 60.0) as usize {
        for (object, entity) in &dolls {
            runtime.ragdoll_command(*object, entity, Command::Update, None).unwrap();
            let bones = runtime.object(*object).unwrap().pose().bones();
            not_finite += bones.iter().filter(|bone| !bone.is_finite()).count();
        }
        runtime.step(1.0 / 60.0).unwrap();
    }
    let vertices = level.models[0].mesh.vertices();
    let floor = vertices.iter().map(|vertex| vertex.z).fold(f32::MAX, f32::min);
    let ragdolls: Vec<_> = dolls.iter().map(|(object, _)| runtime.ragdoll(*object).unwrap()).collect();
    let physics = runtime.physics();
    let asleep = ragdolls.iter().filter(|ragdoll| ragdoll.is_asleep(physics)).count();
    let lowest: Vec<f32> = ragdolls.iter().map(|ragdoll| ragdoll.lowest_point(physics)).collect();
    let below = lowest.iter().filter(|lowest| **lowest < floor - 4.0).count();
    let bodies = ragdolls.iter().flat_map(|ragdoll| ragdoll.bodies(physics));
    not_finite += bodies.filter(|body| !(body.position.is_finite() && body.velocity.is_finite())).count();
    let recovered: usize = ragdolls.iter().map(|ragdoll| ragdoll.resets()).sum();
    assert_eq!((below, not_finite, recovered), (0, 0, 0), "{what}");
    let wanted = if seconds >= 60.0 { 95 } else { 75 };
    assert!(asleep * 100 >= dolls.len() * wanted, "{what}: {asleep} of {} asleep", dolls.len());
}

fn in_level(level: &Level) -> Runtime {
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_level(level, LevelOptions::default()).unwrap();
    runtime
}

#[test]
fn a_crowd_comes_to_rest_on_the_floor_of_a_hall() {
    let (dolls, seconds) = size();
    let level = Level::from_bsp(&small_bsp::Bsp29::hall(1024.0).bytes()).unwrap();
    let places: Vec<Vec3> = (0..dolls)
        .map(|number| Vec3::new((number % 10) as f32 * 150.0 - 700.0, (number / 10) as f32 * 150.0 - 700.0, -960.0))
        .collect();
    drop_at("a hall", &level, in_level(&level), &places, seconds);
}

#[test]
fn a_crowd_comes_to_rest_in_a_real_level() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED a_crowd_comes_to_rest_in_a_real_level: no shared folder");
        return;
    };
    let (dolls, seconds) = size();
    let bytes = std::fs::read(shared.join("corpus/bsp/bsp29/lqdm11.bsp")).unwrap();
    let level = Level::from_bsp(&bytes).unwrap();
    let runtime = in_level(&level);
    let places = free_places(&level, &runtime, dolls);
    assert_eq!(places.len(), dolls);
    drop_at("lqdm11", &level, runtime, &places, seconds);
    println!("shared cases: a_crowd_comes_to_rest_in_a_real_level: {dolls}");
}

/// Returns separate positions with room for a player, reached from the starts of players.
fn free_places(level: &Level, runtime: &Runtime, wanted: usize) -> Vec<Vec3> {
    let starts = level
        .entities
        .iter()
        .filter(|entity| entity.get("classname").is_some_and(|class| class.to_string().starts_with("info_player")));
    let mut open: Vec<Vec3> = starts.map(|entity| entity.vector("origin") + Vec3::Z * 16.0).collect();
    let (mins, maxs) = (Vec3::new(-24.0, -24.0, -24.0), Vec3::new(24.0, 24.0, 48.0));
    let free = |from: Vec3, to: Vec3| {
        let trace = Trace::line(from, to).with_groups(CollisionGroups::LEVEL).with_box(mins, maxs);
        runtime.trace(&trace).unwrap().is_none()
    };
    let mut places: Vec<Vec3> = Vec::new();
    let mut next = 0;
    while let Some(&from) = open.get(next).filter(|_| places.len() < wanted && next < 5000) {
        next += 1;
        for turn in 0..8 {
            let to = from + 80.0 * Vec3::new((turn as f32 * 0.785).cos(), (turn as f32 * 0.785).sin(), 0.0);
            let apart = places.iter().all(|place| place.truncate().distance(to.truncate()) > 70.0);
            if places.len() >= wanted || !apart || !free(from, to) {
                continue;
            }
            let down = Trace::line(to, to - Vec3::Z * 300.0).with_groups(CollisionGroups::LEVEL);
            let Some(floor) = runtime.trace(&down).unwrap() else { continue };
            let place = floor.point + Vec3::Z * 28.0;
            if floor.normal.z > 0.7 && free(place, place + Vec3::Z) {
                places.push(place);
                open.push(place);
            }
        }
    }
    places
}

#[test]
fn a_ragdoll_in_the_slot_of_a_deleted_one_is_driven() {
    let mut stage = Stage::mannequin();
    stage.build(0, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    let old = stage.object;
    stage.runtime.delete_object(old).unwrap();
    stage.runtime.flush_deleted();
    // A slot is used again after all others.
    let slot = |object: ObjectId| object.get() & 0xffff;
    loop {
        stage.object = stage.runtime.create_object(stage.model, Space::Local).unwrap();
        if slot(stage.object) == slot(old) {
            break;
        }
        stage.runtime.delete_object(stage.object).unwrap();
        stage.runtime.flush_deleted();
    }
    assert_ne!(stage.object, old);
    let run = stage.animation("run");
    stage.build(run, 0.0);
    stage.command("doll mannequin.doll").unwrap();
    let before = stage.body("head").position;
    stage.entity.origin.x = 2.0;
    stage.build(run, 0.0);
    stage.command("").unwrap();
    stage.step(1.0 / 60.0);
    let after = stage.body("head").position;
    assert!(after.distance(before + Vec3::X * 2.0) < 0.01, "{before} {after}");
}
