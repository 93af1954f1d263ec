//! Rules that hold for every call: bad numbers are errors, and so are setters for ids that are gone.

use std::sync::Arc;

use skelobj::math::{Mat3x4, Vec3};
use skelobj::object::{ObjectError, Space};
use skelobj::physics::{LevelError, PhysicsSettings};
use skelobj::ragdoll::{Command, Flinch};
use skelobj::runtime::RagdollCommandError;
use skelobj::{Doll, Model, OutOfRange, Physics, Runtime, assets};

const BAD: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

/// Checks that a result is the error of this number.
fn assert_names<T: std::fmt::Debug>(result: Result<T, OutOfRange>, name: &str, value: f32) {
    let error = result.unwrap_err();
    assert_eq!((error.name, error.value.to_bits()), (name, f64::from(value).to_bits()), "{error}");
}

/// Returns the number that a call for a ragdoll refused.
fn number(error: RagdollCommandError) -> OutOfRange {
    let RagdollCommandError::OutOfRange(number) = error else { panic!("{error}") };
    number
}

fn mannequin() -> Arc<Model> {
    Arc::new(Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap())
}

#[test]
fn bad_numbers_are_errors_that_name_them_and_change_nothing() {
    let (mut runtime, object) = assets::mannequin_runtime();
    runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(0.5, None), None).unwrap();
    let state = |runtime: &Runtime| {
        let ragdoll = runtime.ragdoll(object).unwrap();
        let strengths: Vec<f32> = ragdoll.bodies(runtime.physics()).map(|body| body.strength).collect();
        (strengths, ragdoll.drive_strength())
    };
    let before = state(&runtime);
    assert_eq!(before.1, 0.5);
    for bad in BAD {
        for (command, name) in [
            (Command::Animate(bad, None), "strength"),
            (Command::Animate(1.0, Some(bad)), "seconds"),
            (Command::AnimateBody("head", bad, None), "strength"),
            (Command::AnimateBody("head", 1.0, Some(bad)), "seconds"),
            (Command::AnimateLimb("head", bad, None), "strength"),
            (Command::AnimateLimb("head", 1.0, Some(bad)), "seconds"),
            (Command::Muscle(bad), "strength"),
            (Command::MuscleJoint("neck", bad), "strength"),
        ] {
            let result = runtime.ragdoll_command(object, &Mat3x4::IDENTITY, command, None);
            assert_names(result.map_err(number), name, bad);
        }
        let impulse = Vec3::new(bad, 0.0, 0.0);
        let result = runtime.ragdoll_impulse(object, None, Vec3::ZERO, impulse, Flinch::default());
        assert_names(result.map_err(number), "impulse", bad);
        assert_names(runtime.physics_mut().advance(bad, |_, _| panic!("no step")), "frame_time", bad);
    }
    assert_names(runtime.physics_mut().advance(-0.1, |_, _| panic!("no step")), "frame_time", -0.1);
    assert_eq!(state(&runtime), before);
}

#[test]
fn gravity_is_a_number_up_to_a_million() {
    for place in 0..3 {
        let check = |number: f32| {
            let mut settings = PhysicsSettings::default();
            settings.gravity = Vec3::from_array(std::array::from_fn(|axis| if axis == place { number } else { 1.0 }));
            Physics::new(settings).map(drop)
        };
        for good in [0.0, 1e6, -1e6] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in BAD.into_iter().chain([1_000_001.0, -1e9]) {
            assert_names(check(bad), "gravity", bad);
        }
    }
}

#[test]
fn the_source_of_a_refused_command_is_the_number() {
    use std::error::Error;

    let (mut runtime, object) = assets::mannequin_runtime();
    let command = Command::Animate(1.0, Some(f32::INFINITY));
    let error = runtime.ragdoll_command(object, &Mat3x4::IDENTITY, command, None).unwrap_err();
    let source = error.source().and_then(|source| source.downcast_ref::<OutOfRange>()).expect("a number");
    assert_eq!((source.name, source.value), ("seconds", f64::INFINITY));
}

#[test]
fn a_runtime_refuses_bad_times_and_frees_nothing() {
    let mut runtime = Runtime::default();
    let model = runtime.add_model("mannequin.iqm", mannequin()).unwrap();
    let object = runtime.create_object(model, Space::Local).unwrap();
    runtime.delete_object(object).unwrap();
    for bad in BAD.into_iter().chain([-1.0]) {
        assert_names(runtime.step(bad), "frame_time", bad);
        assert_names(runtime.pre_step(0.0, bad), "frame_time", bad);
        assert_names(runtime.pre_step(bad.into(), 0.1), "end", bad);
        let animate = Command::Animate(1.0, Some(bad));
        let result = runtime.ragdoll_command(object, &Mat3x4::IDENTITY, animate, None);
        let refused = matches!(result, Err(RagdollCommandError::OutOfRange(error)) if error.name == "seconds");
        assert_eq!(refused, !bad.is_finite(), "{bad}");
    }
    BAD.iter().for_each(|bad| assert_names(runtime.end_steps(f64::from(*bad)), "ahead", *bad));
    assert!(runtime.object(object).is_some());
    assert_eq!(runtime.step(0.0).map(|stepped| stepped.steps), Ok(0));
    assert!(runtime.object(object).is_none());
}

#[test]
fn calls_for_ids_that_are_gone_are_errors_and_removals_give_what_they_removed() {
    let mut runtime = Runtime::default();
    let model = runtime.add_model("mannequin.iqm", mannequin()).unwrap();
    let object = runtime.create_object(model, Space::Local).unwrap();
    assert_eq!(runtime.set_user_data(object, 7), Ok(()));
    assert!(runtime.clear_ragdoll(object).is_none(), "an object without a ragdoll");
    runtime.delete_object(object).unwrap();
    runtime.flush_deleted();
    assert_eq!(runtime.set_user_data(object, 7), Err(ObjectError::NoSuchObject));
    assert_eq!(runtime.delete_object(object), Err(ObjectError::NoSuchObject));
    assert!(runtime.clear_ragdoll(object).is_none());
    let floor = runtime.physics_mut().add_floor(0.0).unwrap();
    runtime.physics_mut().remove_level_body(floor).unwrap();
    assert!(runtime.physics_mut().set_level_body_solid(floor, false).is_err());
    assert_eq!(runtime.physics_mut().remove_level_body(floor), Err(LevelError::NoSuchBody));
    assert!(runtime.remove_model(model).is_some() && runtime.remove_model(model).is_none());
}

#[test]
fn calls_for_ragdolls_that_cannot_be_keep_what_is_there() {
    let (mut runtime, object) = assets::mannequin_runtime();
    let (entity, place) = (Mat3x4::IDENTITY, Vec3::X * 2e6);
    let model = runtime.model_of(object).unwrap();
    let gone = runtime.create_object(model, Space::Local).unwrap();
    runtime.delete_object(gone).unwrap();
    runtime.flush_deleted();
    let one = Arc::new(Doll::parse(b"body skull head\n").doll);
    assert_eq!(runtime.set_ragdoll(gone, &entity, &one), Err(RagdollCommandError::NoSuchObject));
    assert_eq!(runtime.update_default_ragdoll(gone, &entity, 0.0), Err(RagdollCommandError::NoSuchObject));
    runtime.set_ragdoll(object, &entity, &one).unwrap();
    let bodies = |runtime: &Runtime| runtime.ragdoll(object).unwrap().doll().bodies.len();
    assert_eq!(bodies(&runtime), 1);
    // A doll without a body on the model, and an entity that is too far away.
    let none = Arc::new(Doll::parse(b"body tail tail\n").doll);
    let far = Mat3x4::from_translation(place);
    let three = Arc::new(Doll::parse(b"body a head\nbody b chest\nbody c spine\n").doll);
    for (entity, doll) in [(&entity, &none), (&far, &three)] {
        let refused = runtime.set_ragdoll(object, entity, doll);
        assert!(matches!(refused, Err(RagdollCommandError::Unusable(_))), "{refused:?}");
        assert_eq!(bodies(&runtime), 1);
    }
    runtime.set_ragdoll(object, &entity, &three).unwrap();
    assert_eq!(bodies(&runtime), 3);
    let unknown = runtime.ragdoll_command(object, &entity, "explode now", None);
    assert!(matches!(unknown, Err(RagdollCommandError::UnknownCommand(error)) if error.word == b"explode"));
    // Without a default doll, an object gets none.
    let model = runtime.add_model("bare.iqm", mannequin()).unwrap();
    let bare = runtime.create_object(model, Space::Local).unwrap();
    runtime.object_mut(bare).unwrap().set_local_pose(mannequin().skeleton.bind_local()).unwrap();
    let refused = runtime.update_default_ragdoll(bare, &entity, 0.0);
    assert!(matches!(refused, Err(RagdollCommandError::NoDoll { asked_for: Some(_) })), "{refused:?}");
    assert!(runtime.ragdoll(bare).is_none());
}
