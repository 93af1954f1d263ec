//! Loop of a game, run for a long time: deleted objects are freed, and memory does not grow.

use std::collections::HashMap;

use skelobj::math::Mat3x4;
use skelobj::model::FrameState;
use skelobj::object::{Build, ObjectError, Space};
use skelobj::ragdoll::Command;
use skelobj::runtime::{ModelId, ObjectId};
use skelobj::{Runtime, assets};

use crate::counting;

fn game() -> (Runtime, ModelId) {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| match name {
        "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
        "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
        _ => None,
    });
    runtime.physics_mut().add_floor(0.0).unwrap();
    let model = runtime.load_model("mannequin.iqm").unwrap();
    (runtime, model)
}

fn built(runtime: &mut Runtime, model: ModelId) -> ObjectId {
    let object = runtime.create_object(model, Space::Local).unwrap();
    runtime.build(object, model, &FrameState::single(2, 0.3), &Build::REPLACE).unwrap();
    object
}

#[test]
fn a_hundred_thousand_objects_come_and_go() {
    let _alone = counting::alone();
    let (mut runtime, model) = game();
    let mut palette = vec![Mat3x4::IDENTITY; 21];
    let mut last_seen: HashMap<ObjectId, usize> = HashMap::new();
    let (mut warm, mut earliest) = (0, usize::MAX);
    last_seen.reserve(200_000);
    for frame in 0..100_000 {
        let object = built(&mut runtime, model);
        if let Some(before) = last_seen.insert(object, frame) {
            earliest = earliest.min(frame - before);
        }
        if frame % 1000 == 0 {
            runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(0.0, None), None).unwrap();
        }
        runtime.write_palette(object, &mut palette).unwrap();
        runtime.delete_object(object).unwrap();
        runtime.step(if frame % 1000 == 0 { 1.0 / 60.0 } else { 0.0 }).unwrap();
        assert!(runtime.object(object).is_none());
        // By then all slots were used, and the tables have their final size.
        if frame == 20_000 {
            warm = counting::held();
        }
    }
    let grown = counting::held() as f64 - warm as f64;
    assert!(grown < 64.0 * 1024.0, "{grown} bytes");
    assert_eq!(earliest, usize::MAX, "no id was used twice");
}

#[test]
fn hosts_that_never_step_flush_what_they_deleted() {
    let _alone = counting::alone();
    let (mut runtime, model) = game();
    let object = built(&mut runtime, model);
    runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None).unwrap();
    runtime.delete_object(object).unwrap();
    assert!(runtime.object(object).is_some() && runtime.ragdoll(object).is_some(), "until the end of the frame");
    runtime.flush_deleted();
    assert!(runtime.object(object).is_none() && runtime.ragdoll(object).is_none());
    assert_eq!(runtime.physics().world().bodies.len(), 1, "the floor");
    assert_eq!(runtime.delete_object(object), Err(ObjectError::NoSuchObject));
}

#[test]
fn a_strength_that_a_doll_has_already_costs_no_memory() {
    let _alone = counting::alone();
    let (mut runtime, model) = game();
    let object = built(&mut runtime, model);
    let entity = Mat3x4::IDENTITY;
    runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None).unwrap();
    for _ in 0..8 * 60 {
        runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None).unwrap();
        runtime.step(1.0 / 60.0).unwrap();
    }
    // Asleep and shown: the command has nothing to do.
    let repeat =
        || (0..10).for_each(|_| drop(runtime.ragdoll_command(object, &entity, Command::Animate(0.0, None), None)));
    assert_eq!(counting::allocations(repeat).1, 0);
}
