//! Getting up from QuakeC: `skel_matchpose` and `animate` with a time.

#[allow(dead_code)]
#[path = "../../examples/qc_host.rs"]
mod engine;

use engine::Engine;
use skelobj::Dialect;
use skelobj::math::Vec3;
use skelobj::qc::{Entity, Field};
use skelobj::{Model, Runtime, assets};

const MONSTER: Entity = Entity(1);

/// Returns an engine with a monster that has the first pose of "getup_front"; its models are 1, the animations 2.
fn lying() -> (Runtime, Engine) {
    let (mut runtime, mut engine) = Engine::with_mannequin().unwrap();
    runtime.set_files(|name: &str| (name == "mannequin.doll").then(|| assets::MANNEQUIN_DOLL.to_vec()));
    let moves = Model::load("mannequin_getup.iqm", assets::MANNEQUIN_GETUP_IQM, |_| None).unwrap();
    engine.models.push(runtime.add_model("mannequin_getup.iqm", moves).unwrap());
    let object = engine.call(&mut runtime, "skel_create", &[1.0]);
    for (field, value) in [(Field::skeletonindex, object), (Field::modelindex, 1.0), (Field::frame, 1.0)] {
        skelobj::qc::Host::set_float_field(&mut engine, MONSTER, field, value);
    }
    engine.fields.insert((MONSTER, Field::origin), [100.0, -50.0, 8.0]);
    engine.fields.insert((MONSTER, Field::angles), [0.0, 120.0, 0.0]);
    engine.call(&mut runtime, "skel_build", &[object, 1.0, 2.0, 0.0, 0.0, 0.0]);
    (runtime, engine)
}

fn command(runtime: &mut Runtime, engine: &mut Engine, text: &str) -> f32 {
    let text = engine.text(text);
    engine.call(runtime, "skel_ragupdate", &[1.0, text, 0.0])
}

fn search(runtime: &mut Runtime, engine: &mut Engine, names: &str, rest: &[f32]) -> f32 {
    let names = engine.text(names);
    engine.matched = None;
    engine.call(runtime, "skel_matchpose", &[&[1.0, names], rest].concat())
}

#[test]
fn the_animation_is_found_by_names_and_wildcards() {
    let (mut runtime, mut engine) = lying();
    assert_eq!(search(&mut runtime, &mut engine, "getup_front", &[0.0, 2.0]), 0.0, "no ragdoll yet");
    assert!(engine.console.contains("doll"), "{}", engine.console);
    assert_eq!(command(&mut runtime, &mut engine, "animate 0"), 1.0);
    for names in ["getup_front", "getup_*", "*", "no  *_front", "g*_*t", "getup_back getup_front", "getup_front*"] {
        assert_eq!(search(&mut runtime, &mut engine, names, &[0.0, 2.0]), 2.0, "{names}");
        let found = engine.matched.unwrap();
        assert!(found.origin.distance(Vec3::new(100.0, -50.0, 8.0)) < 0.1, "{found:?}");
        assert!((found.yaw - 120.0).abs() < 0.1 && found.time == 0.0, "{found:?}");
    }
    engine.console.clear();
    for names in ["", "Getup_front", "getup_front*x", "g*front*front", "getup_fron", "*getup_fronts"] {
        assert_eq!(search(&mut runtime, &mut engine, names, &[0.0, 2.0]), 0.0, "{names}");
        assert!(engine.matched.is_none() && engine.console.contains("no animation"), "{names}: {}", engine.console);
    }
    engine.dialect = Dialect::DarkPlaces;
    assert_eq!(search(&mut runtime, &mut engine, "Getup_F*", &[0.0, 2.0]), 2.0);
}

#[test]
fn a_search_that_finds_nothing_returns_zero_silently() {
    let (mut runtime, mut engine) = lying();
    command(&mut runtime, &mut engine, "animate 0");
    engine.console.clear();
    // The model of the entity stands in all animations but the last.
    assert_eq!(search(&mut runtime, &mut engine, "idle walk", &[0.0]), 0.0);
    assert_eq!(search(&mut runtime, &mut engine, "getup_back", &[1.0, 2.0]), 0.0);
    assert_eq!((engine.matched, engine.console.as_str()), (None, ""));
    assert_eq!(search(&mut runtime, &mut engine, "idle walk", &[100.0]), 2.0, "a generous tolerance");
}

#[test]
fn odd_arguments_find_nothing() {
    let (mut runtime, mut engine) = lying();
    command(&mut runtime, &mut engine, "animate 0");
    for model in [-1.0, 9.0, 0.0, f32::NAN] {
        assert_eq!(search(&mut runtime, &mut engine, "*", &[0.0, model]), 0.0, "{model}");
    }
    assert_eq!(search(&mut runtime, &mut engine, "*", &[-1.0, 2.0]), 0.0);
    assert!(engine.console.contains("tolerance"), "{}", engine.console);
    assert_eq!(search(&mut runtime, &mut engine, "*", &[f32::NAN, 2.0]), 2.0, "treated as 0");
    let names = engine.text("*");
    assert_eq!(engine.call(&mut runtime, "skel_matchpose", &[7.0, names, 0.0, 2.0]), 0.0, "no such entity");
}

#[test]
fn a_time_in_the_command_blends() {
    let (mut runtime, mut engine) = lying();
    command(&mut runtime, &mut engine, "animate 0");
    let object = engine.fields[&(MONSTER, Field::skeletonindex)][0];
    let mut heights = Vec::new();
    for frame in 0..90 {
        skelobj::qc::Host::set_float_field(&mut engine, MONSTER, Field::frame, 0.0);
        engine.call(&mut runtime, "skel_build", &[object, 1.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(command(&mut runtime, &mut engine, if frame == 0 { "animate 1 1" } else { "" }), 1.0);
        runtime.step(1.0 / 60.0).unwrap();
        engine.call(&mut runtime, "skel_get_boneabs", &[object, 13.0]);
        heights.push(engine.result[2]);
    }
    assert!(heights[0] < 10.0 && heights[30] > 15.0 && heights[30] < 45.0 && heights[75] > 55.0, "{heights:?}");
}
