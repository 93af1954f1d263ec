//! Corpses thrown down at a floor faster than contacts look ahead.

use crate::common::stage;
use crate::common::stage::Stage;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::object::Build;
use skelobj::physics::PhysicsSettings;
use skelobj::ragdoll::Command;
use skelobj::runtime::ObjectId;
use skelobj::{Model, Runtime};

fn kill(runtime: &mut Runtime, object: ObjectId, entity: &Mat3x4) {
    for command in ["doll mannequin.doll", "animate 0"] {
        runtime.ragdoll_command(object, entity, Command::parse(command).unwrap(), None).unwrap();
    }
}

/// Throws a mannequin in a world of this scale, and returns how deep it is in the floor at most, in Quake units, and
/// the runtime.
fn thrown(factor: f32, turn: Quat, velocity: Vec3, spin: Vec3) -> (f32, Stage) {
    let model: Model = stage::mannequin().scaled(factor).unwrap();
    let mut stage = Stage::new("mannequin.iqm", model, PhysicsSettings::default().scaled(factor));
    stage.runtime.physics_mut().add_floor(0.0).unwrap();
    let entity = Mat3x4::from_rotation_translation(turn, Vec3::Z * 300.0 * factor);
    let Stage { runtime, model, object, .. } = &mut stage;
    runtime.build(*object, *model, &FrameState::single(3, 0.2), &Build::REPLACE).unwrap();
    kill(runtime, *object, &entity);
    runtime.add_ragdoll_velocity(*object, velocity * factor, spin, entity.origin()).unwrap();
    let mut lowest = 0.0_f32;
    for _ in 0..90 {
        runtime.ragdoll_command(*object, &entity, Command::Update, None).unwrap();
        runtime.step(1.0 / 60.0).unwrap();
        lowest = lowest.min(runtime.ragdoll(*object).unwrap().lowest_point(runtime.physics()));
    }
    (-lowest / factor, stage)
}

#[test]
fn a_floor_holds_corpses_at_any_speed() {
    for number in 0..6 {
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 0.6, 0.2).normalize(), number as f32 * 1.04);
        for speed in [700.0, 2000.0, 4000.0] {
            let away = Quat::from_rotation_z(number as f32) * Vec3::X;
            for (velocity, spin) in [
                (Vec3::NEG_Z * speed, Vec3::ZERO),
                (Vec3::NEG_Z * speed + away * 800.0, Vec3::ZERO),
                (Vec3::NEG_Z * speed, away * 15.0),
            ] {
                let (depth, _) = thrown(1.0, turn, velocity, spin);
                // A box lets them sink by as much.
                let most = if spin == Vec3::ZERO { 3.0 } else { 3.5 };
                assert!(depth < most, "{depth} at {velocity}, turning {spin}, turned {turn}");
            }
        }
    }
}

#[test]
fn a_floor_holds_corpses_in_worlds_of_other_units() {
    for factor in [0.025, 0.25, 4.0] {
        let (depth, _) = thrown(factor, Quat::from_rotation_y(1.0), Vec3::NEG_Z * 2000.0, Vec3::ZERO);
        assert!(depth < 3.0, "{depth} at {factor}");
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_restored_floor_holds_corpses_as_well() {
    let (_, stage) = thrown(1.0, Quat::IDENTITY, Vec3::NEG_Z * 100.0, Vec3::ZERO);
    let mut runtime = Runtime::default();
    runtime.set_files(stage::files);
    runtime.add_model("mannequin.iqm", stage::mannequin()).unwrap();
    runtime.restore(&stage.runtime.snapshot()).unwrap();
    let model = stage.model;
    let object = runtime.create_object(model, skelobj::object::Space::Local).unwrap();
    runtime.build(object, model, &FrameState::single(3, 0.2), &Build::REPLACE).unwrap();
    let entity = Mat3x4::from_translation(Vec3::new(400.0, 0.0, 300.0));
    kill(&mut runtime, object, &entity);
    runtime.add_ragdoll_velocity(object, Vec3::NEG_Z * 2000.0, Vec3::ZERO, entity.origin()).unwrap();
    for _ in 0..60 {
        runtime.ragdoll_command(object, &entity, Command::Update, None).unwrap();
        runtime.step(1.0 / 60.0).unwrap();
        let depth = -runtime.ragdoll(object).unwrap().lowest_point(runtime.physics());
        assert!(depth < 3.0, "{depth}");
    }
}
