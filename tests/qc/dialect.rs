//! Builtins beyond the recordings: animations by name and action, skins, structures in memory.

use crate::common::calls;
use crate::common::calls::{World, e, f, s};
use skelobj::Dialect;
use skelobj::Model;
use skelobj::model::{Action, Animation, Event, Mesh, Skin, SkinMaterial};
use skelobj::qc::{Field, Rules};

#[test]
fn names_ignore_case_under_darkplaces_alone() {
    for (dialect, found) in [(Dialect::Fte, 0.0), (Dialect::DarkPlaces, 3.0)] {
        let mut world = World::with(dialect, Rules::Client);
        let model = world.model("testbones.iqm");
        let object = world.create("testbones.iqm");
        world.set(1, Field::modelindex, model.clone());
        assert_eq!(world.number("skel_find_bone", &[f(object), s("hEAD")]), found);
        assert_eq!(world.number("gettagindex", &[e(1), s("HEAD")]), found);
        let name = world.text("frametoname", &[model.clone(), f(0.0)]).to_uppercase();
        let frame = if dialect == Dialect::Fte { -1.0 } else { 0.0 };
        assert_eq!(world.number("frameforname", &[model, s(&name)]), frame);
    }
}

#[test]
fn attachments_by_name_follow_the_tag() {
    let mut world = World::new();
    world.built("testbones.iqm");
    let model = world.model("testbones.iqm");
    world.set(2, Field::modelindex, model);
    world.call("setattachment", &[e(2), e(1), s("Head")]);
    let head = world.vector("gettaginfo", &[e(1), f(3.0)]);
    assert_eq!(world.vector("gettaginfo", &[e(2), f(0.0)]), head);
}

fn animation(action: i32, weight: f32) -> Animation {
    Animation { action: Action { id: action, weight }, ..Animation::frames("", 0, 1, 10.0, true) }
}

#[test]
fn an_action_chooses_among_its_animations_by_weight() {
    let animations =
        vec![animation(5, 1.0), animation(6, 9.0), animation(5, 3.0), animation(5, 0.0), animation(7, 0.0)];
    let model = Model { animations, ..Model::default() };
    assert_eq!(model.animation_for_action(5, 0.0), Some(0));
    assert_eq!(model.animation_for_action(5, 0.24), Some(0));
    assert_eq!(model.animation_for_action(5, 0.26), Some(2));
    assert_eq!(model.animation_for_action(5, 1.0), Some(2));
    assert_eq!(model.animation_for_action(7, 0.5), Some(4));
    assert_eq!(model.animation_for_action(-1, 0.5), None);
    assert_eq!(model.animation_for_action(8, 0.5), None);
}

#[test]
fn skins_are_found_by_their_first_material() {
    let mesh = Mesh { material: "own".into(), ..Mesh::default() };
    let plain = Model { meshes: vec![mesh.clone(), mesh.clone()], ..Model::default() };
    assert_eq!((plain.find_skin(b"own"), plain.find_skin(b"other")), (Some(0), None));
    let material = |name: &str| SkinMaterial { material: name.into(), shader: Default::default() };
    let skin = |mesh, name: &str| Skin { mesh, interval: 0.1, materials: vec![material(name), material("second")] };
    let model = Model { skins: vec![skin(1, "other"), skin(0, "red"), skin(0, "blue")], ..plain };
    assert_eq!((model.find_skin(b"blue"), model.find_skin(b"other"), model.find_skin(b"own")), (Some(1), None, None));
    assert_eq!(model.skin_name(0).unwrap().as_bytes(), b"red");
    assert_eq!(model.skin_name(2), None);
}

#[test]
fn processmodelevents_includes_its_start_and_excludes_its_end() {
    let event = |time, code| Event { time, code, data: Default::default() };
    let events = vec![event(0.0, 1), event(0.5, 2)];
    let mut animation = Animation { events, ..Animation::frames("", 0, 10, 10.0, true) };
    let codes = |animation: &Animation, times: std::ops::Range<f32>| -> Vec<(f32, u32)> {
        animation.events_in(times).map(|(time, event)| (time, event.code)).collect()
    };
    assert_eq!(codes(&animation, 0.0..1.0), [(0.0, 1), (0.5, 2)]);
    assert_eq!(codes(&animation, 0.5..1.5), [(0.5, 2), (1.0, 1)]);
    assert_eq!(codes(&animation, 1.0..1.0), []);
    // A frame begins where the last one ended, so every event comes once.
    let frames = |end: u16| (0..end).map(|frame| f32::from(frame) * 0.05..f32::from(frame + 1) * 0.05);
    assert_eq!(frames(200).flat_map(|times| codes(&animation, times)).count(), 20);
    for times in [f32::NAN..1.0, 0.0..f32::NAN, 1.0..-1.0, f32::INFINITY..f32::INFINITY] {
        assert_eq!(codes(&animation, times), []);
    }
    animation.looping = false;
    assert_eq!(codes(&animation, 0.0..9.0), [(0.0, 1), (0.5, 2)]);
}

/// Host of a script without code, in DarkPlaces' dialect, with the models of the recordings.
#[cfg(feature = "qcvm")]
#[test]
fn the_vm_loads_models_and_shows_poses_as_darkplaces_does() {
    use skelobj::qc::Environment;
    use skelobj::qc::vm::Progs;

    let progs = Progs::load(include_bytes!("../qc/everyday.dat")).unwrap();
    let mut rates = Vec::new();
    for dialect in [Dialect::Fte, Dialect::DarkPlaces] {
        let mut runtime = skelobj::Runtime::default();
        runtime.set_files(|name: &str| match name {
            "testbones.iqm.framegroups" => Some(b"0 2\n".to_vec()),
            _ => std::fs::read(calls::golden("models").join(name)).ok(),
        });
        let mut environment = Environment::new(&progs, |_| ());
        environment.dialect = dialect;
        environment.precache_model(&mut runtime, "testbones.iqm");
        let model = runtime.model_by_name("testbones.iqm").unwrap();
        rates.push(runtime.model(model).unwrap().animations[0].rate);
    }
    assert_eq!(rates[1], 20.0);
    assert_ne!(rates[0], 20.0);
}

#[test]
fn events_come_round_in_loops_and_end_otherwise() {
    let event = |time, code| Event { time, code, data: Default::default() };
    let events = vec![event(0.0, 1), event(0.5, 2)];
    let mut animation = Animation { events, ..Animation::frames("", 0, 10, 10.0, true) };
    let next = |animation: &Animation, after, until| animation.next_event(after, until).map(|(time, e)| (time, e.code));
    assert_eq!(next(&animation, 0.0, 10.0), Some((0.5, 2)));
    assert_eq!(next(&animation, 0.5, 10.0), Some((1.0, 1)));
    assert_eq!(next(&animation, 0.5, 0.9), None);
    assert_eq!(next(&animation, -0.1, 10.0), Some((0.0, 1)));
    assert_eq!(next(&animation, 1e30, 2e30), None);
    assert_eq!(next(&animation, f32::NAN, 1.0), None);
    animation.looping = false;
    assert_eq!(next(&animation, 0.5, 10.0), None);
    assert_eq!(next(&animation, 0.4, 10.0), Some((0.5, 2)));
}

#[test]
fn events_outside_of_a_looping_animation_come_once_a_round() {
    let event = |time, code| Event { time, code, data: Default::default() };
    let events = vec![event(-5.75, 1), event(0.5, 2), event(2.5, 3), event(1e30, 4), event(f32::MAX, 5)];
    let mut animation = Animation { events, ..Animation::frames("", 0, 10, 10.0, true) };
    let moments: Vec<_> = animation.events_between(7.0, 9.0).map(|(time, event)| (time, event.code)).collect();
    assert_eq!(moments, [(7.25, 1), (7.5, 2), (7.5, 3), (8.25, 1), (8.5, 2), (8.5, 3)]);
    assert_eq!(animation.events_between(0.0, f32::INFINITY).take(100_000).count(), 100_000);
    assert_eq!(animation.events_between(1e30, f32::INFINITY).map(|(_, event)| event.code).next(), None);
    for (after, until) in [(f32::MIN, f32::MAX), (-1e30, 0.0), (0.0, f32::INFINITY), (f32::MAX, f32::MAX)] {
        let next = animation.next_event(after, until);
        assert!(next.is_none_or(|(time, _)| time.is_finite() && time > after && time <= until), "{after} {next:?}");
    }
    animation.looping = false;
    assert_eq!(animation.next_event(-10.0, 10.0).map(|(time, event)| (time, event.code)), Some((-5.75, 1)));
    assert_eq!(animation.next_event(0.5, 10.0).map(|(time, event)| (time, event.code)), Some((2.5, 3)));
}
