//! Memory in the frames of a game: once the first frames have made room, none is allocated.

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Blend, FrameState};
use skelobj::object::{Build, Space};
use skelobj::runtime::{ModelId, ObjectId};
use skelobj::{Model, Runtime, assets};

use crate::counting;

const BONES: usize = 21;

/// Runs frames of a game, numbered from 0, and requires that after `warm` of them none allocates memory.
fn check(warm: u32, mut frame: impl FnMut(u32)) {
    let ((), first) = counting::allocations(|| (0..warm).for_each(&mut frame));
    assert!(first > 0, "the first frames make room, and are counted");
    for number in warm..warm + 100 {
        assert_eq!(counting::allocations(|| frame(number)).1, 0, "frame {number}");
    }
}

fn game() -> (Runtime, ModelId) {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| match name {
        "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
        _ => None,
    });
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
    let model = runtime.add_model("mannequin.iqm", model).unwrap();
    (runtime, model)
}

fn crowd(runtime: &mut Runtime, model: ModelId, size: usize) -> Vec<ObjectId> {
    (0..size).map(|_| runtime.create_object(model, Space::Local).unwrap()).collect()
}

#[test]
fn frames_that_build_and_edit_poses_allocate_nothing() {
    let _alone = counting::alone();
    let (mut runtime, model) = game();
    let id = crowd(&mut runtime, model, 1)[0];
    let other = crowd(&mut runtime, model, 1)[0];
    let turn = Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.1), Vec3::ZERO);
    let entity = Mat3x4::from_translation(Vec3::Z * 24.0);
    check(2, |frame| {
        let time = f64::from(frame) / 72.0;
        let walk_and_run = FrameState::blended([Blend::new(1, time, 0.7), Blend::new(2, time, 0.3)]);
        let idle = FrameState::single(0, time);
        runtime.build(id, model, &walk_and_run, &Build::REPLACE).unwrap();
        runtime.build(id, model, &idle, &Build::retaining(0.5).with_bones(9..BONES)).unwrap();
        runtime.build_normalized(other, model, &idle, &Build::REPLACE).unwrap();
        let copied = runtime.object(other).unwrap().local_space(12).unwrap();
        let object = runtime.object_mut(id).unwrap();
        object.set_bone(12, copied).unwrap();
        object.mul_bone(12, turn).unwrap();
        object.post_mul_bone(11, turn).unwrap();
        object.mul_bones(9..13, turn);
        object.set_bone_world(16, &entity, &turn).unwrap();
        let tags: f32 = (0..BONES).map(|bone| object.model_space(bone).unwrap().origin().z).sum();
        assert!(tags.is_finite());
    });
}

#[test]
fn frames_that_write_palettes_allocate_nothing() {
    let _alone = counting::alone();
    let (mut runtime, model) = game();
    let ids = crowd(&mut runtime, model, 100);
    let mut palettes = vec![Mat3x4::ZERO; ids.len() * BONES];
    check(2, |frame| {
        for (number, id) in ids.iter().enumerate() {
            let pose = FrameState::single(1, f64::from(frame) / 72.0 + number as f64);
            runtime.build(*id, model, &pose, &Build::REPLACE).unwrap();
        }
        runtime.write_palettes(&ids, BONES, &mut palettes).unwrap();
        runtime.write_palette(ids[0], &mut palettes).unwrap();
    });
}

#[cfg(feature = "ragdoll")]
#[test]
fn commands_to_ragdolls_allocate_nothing() {
    let _alone = counting::alone();
    use skelobj::ragdoll::Command;

    let (mut runtime, model) = game();
    runtime.physics_mut().add_floor(0.0).unwrap();
    let ids = crowd(&mut runtime, model, 3);
    for id in &ids {
        runtime.build(*id, model, &FrameState::single(1, 0.1), &Build::REPLACE).unwrap();
    }
    let entity = Mat3x4::IDENTITY;
    for frame in 0..240 {
        let ((), count) = counting::allocations(|| {
            let pose = FrameState::single(1, f64::from(frame) / 60.0);
            // One is animated, one falls, one is driven by its muscles.
            runtime.build(ids[0], model, &pose, &Build::REPLACE).unwrap();
            runtime.ragdoll_command(ids[0], &entity, Command::Animate(1.0, None), None).unwrap();
            runtime.ragdoll_command(ids[1], &entity, Command::Update, None).unwrap();
            runtime.build(ids[2], model, &pose, &Build::REPLACE).unwrap();
            runtime.ragdoll_command(ids[2], &entity, Command::Animate(0.3, None), None).unwrap();
        });
        assert!(frame < 120 || count == 0, "frame {frame} allocates {count} times");
        runtime.step(1.0 / 60.0).unwrap();
    }
}
