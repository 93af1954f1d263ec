//! Size of snapshots: removed objects leave nothing in them.
//!
//! `SKELOBJ_DOLLS` sets the number of dolls that are added and removed, 2,000 by default.
#![cfg(feature = "serde")]

use crate::common::stage;
use skelobj::Runtime;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::physics::LevelShape;
use skelobj::ragdoll::Command;
use skelobj::runtime::{ModelId, ObjectId, Snapshot};

fn dolls() -> usize {
    std::env::var("SKELOBJ_DOLLS").ok().and_then(|count| count.parse().ok()).unwrap_or(2_000)
}

fn game() -> (Runtime, ModelId) {
    let mut runtime = Runtime::default();
    runtime.set_files(stage::files);
    runtime.physics_mut().add_floor(0.0).unwrap();
    let model = runtime.add_model("mannequin.iqm", stage::mannequin()).unwrap();
    (runtime, model)
}

fn limp_doll(runtime: &mut Runtime, model: ModelId) -> ObjectId {
    let object = runtime.create_object(model, Space::Local).unwrap();
    runtime.build(object, model, &FrameState::single(0, 0.3), &Build::REPLACE).unwrap();
    let command = Command::parse("animate 0").unwrap();
    runtime.ragdoll_command(object, &Mat3x4::IDENTITY, command, None).unwrap();
    object
}

fn size(runtime: &Runtime) -> usize {
    runtime.snapshot().to_bytes().unwrap().len()
}

/// Number of bytes that counters may take beyond those of a new world.
const COUNTERS: usize = 600;

#[test]
fn dolls_that_come_and_go_in_one_frame_leave_nothing() {
    let (mut runtime, model) = game();
    let other = limp_doll(&mut runtime, model);
    runtime.step(1.0 / 60.0).unwrap();
    let mut object = limp_doll(&mut runtime, model);
    let first = size(&runtime);
    for number in 0..dolls() {
        runtime.delete_object(object).unwrap();
        runtime.flush_deleted();
        object = limp_doll(&mut runtime, model);
        if number % 500 == 499 {
            runtime.step(1.0 / 60.0).unwrap();
            runtime.delete_object(object).unwrap();
            runtime.flush_deleted();
            object = limp_doll(&mut runtime, model);
        }
    }
    runtime.delete_object(other).unwrap();
    runtime.flush_deleted();
    runtime.delete_object(object).unwrap();
    runtime.flush_deleted();
    limp_doll(&mut runtime, model);
    limp_doll(&mut runtime, model);
    let last = size(&runtime);
    assert!(last < first + COUNTERS, "{first} bytes, then {last}");
}

#[test]
fn cleared_and_replaced_dolls_leave_nothing() {
    let (mut runtime, model) = game();
    let object = limp_doll(&mut runtime, model);
    let first = size(&runtime);
    for number in 0..dolls() / 4 {
        let text = format!("dollstring\nbody a head\nsize 8 8 {}\n", 4 + number % 5);
        runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::parse(&text).unwrap(), None).unwrap();
        runtime.clear_ragdoll(object);
        runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::parse("animate 0").unwrap(), None).unwrap();
    }
    let last = size(&runtime);
    assert!(last < first + COUNTERS, "{first} bytes, then {last}");
}

#[test]
fn level_bodies_that_come_and_go_or_change_leave_nothing() {
    let (mut runtime, model) = game();
    limp_doll(&mut runtime, model);
    let still = (Vec3::ZERO, Quat::IDENTITY);
    let cube = [LevelShape::Box(Vec3::splat(20.0))];
    let body = runtime.physics_mut().add_level_body(&cube, still.0, still.1).unwrap();
    let mut first = 0;
    for _ in 0..4 {
        runtime.step(1.0 / 60.0).unwrap(); // it touches the box
    }
    for number in 0..dolls() {
        let physics = runtime.physics_mut();
        let shape = [LevelShape::Box(Vec3::splat(14.0 + (number % 7) as f32))];
        physics.set_level_body_shapes(body, &shape).unwrap();
        let lift = physics.add_kinematic_body(&shape, still.0, still.1).unwrap();
        physics.remove_level_body(lift).unwrap();
        if number == 7 {
            runtime.step(1.0 / 60.0).unwrap();
            first = size(&runtime);
        }
    }
    // A box of the same size touches the doll in as many places.
    runtime.physics_mut().set_level_body_shapes(body, &[LevelShape::Box(Vec3::splat(14.0))]).unwrap();
    runtime.step(1.0 / 60.0).unwrap();
    let last = size(&runtime);
    assert!(last < first + COUNTERS, "{first} bytes, then {last}");
}

#[test]
fn a_limp_doll_that_was_just_removed_may_be_saved() {
    let (mut runtime, model) = game();
    let [one, two] = [(); 2].map(|()| limp_doll(&mut runtime, model));
    for _ in 0..30 {
        runtime.step(1.0 / 60.0).unwrap();
    }
    runtime.clear_ragdoll(one);
    let bytes = runtime.snapshot().to_bytes().unwrap();
    let mut restored = game().0;
    restored.restore(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
    for _ in 0..30 {
        for runtime in [&mut runtime, &mut restored] {
            runtime.step(1.0 / 60.0).unwrap();
            runtime.ragdoll_command(two, &Mat3x4::IDENTITY, Command::Update, None).unwrap();
        }
        assert!(runtime.snapshot().to_bytes().unwrap() == restored.snapshot().to_bytes().unwrap());
    }
}
