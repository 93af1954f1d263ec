//! Memory in the frames of a game: once the first frames have made room, none is allocated.

use std::sync::Arc;

use skelobj::doll::{Doll, ReferencePose};
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Blend, FrameState};
use skelobj::object::{Blending, Build, Space};
use skelobj::pose::{Additive, Aim, BoneMask, Chain, Feet, Reach, Spring};
use skelobj::ragdoll::{Command, within_stops};
use skelobj::runtime::{HistoryForm, HistorySettings, ModelId, ObjectId};
use skelobj::{Model, Runtime, SkeletalObject, assets};

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
fn frames_that_aim_reach_mask_and_layer_allocate_nothing() {
    let _alone = counting::alone();
    let (mut runtime, model) = game();
    let [id, other] = [0, 1].map(|_| crowd(&mut runtime, model, 1)[0]);
    let shared = runtime.model(model).unwrap().clone();
    let (skeleton, death) = (&shared.skeleton, &shared.animations[3]);
    let arms = Arc::new(BoneMask::parse(skeleton, "clavicle_l, clavicle_r 0.5 2").unwrap());
    let flinch = Additive::new(shared.pose(death, 4), shared.pose(death, 0));
    let mut shown = SkeletalObject::new(shared.clone(), Space::Model);
    check(2, |frame| {
        let time = f64::from(frame) / 72.0;
        for id in [id, other] {
            runtime.build(id, model, &FrameState::single(1, time), &Build::REPLACE).unwrap();
        }
        // A script states its bones in each call.
        let look = Aim::parse(skeleton, "chest 0.2, neck 0.3, head 0.5").unwrap();
        let arm = Reach::parse(skeleton, "upperarm_r, forearm_r, hand_r").unwrap().with_pole(Some(Vec3::NEG_X));
        let legs = "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r";
        let entity = Mat3x4::from_translation(Vec3::X * frame as f32);
        runtime.place_feet(id, &Feet::parse(skeleton, legs).unwrap(), &entity, 1.0 / 72.0).unwrap();
        let object = runtime.object_mut(id).unwrap();
        object.set_mask(Some(arms.clone()));
        object.build(&shared, &FrameState::single(2, time), &Build::REPLACE).unwrap();
        object.add_layer(&flinch, 0.5).unwrap();
        object.set_mask(None);
        object.add_pose(&shared, &FrameState::single(3, time), Some(&FrameState::single(3, 0.0)), 0.3).unwrap();
        object.aim(&look, Vec3::new(90.0, 20.0, 60.0)).unwrap();
        object.turn(&look, 0.1, 0.2).unwrap();
        object.reach(&arm, Vec3::new(14.0, -10.0, 45.0)).unwrap();
        let back = Chain::parse(skeleton, "spine, hand_l").unwrap();
        object.reach_chain(&back, Vec3::new(14.0, 10.0, 40.0)).unwrap();
        let arm = Spring::parse(skeleton, "upperarm_l, hand_l").unwrap();
        object.swing(&arm, &Mat3x4::from_translation(Vec3::X * frame as f32), 1.0 / 72.0).unwrap();
        object.set_bone_axes(12, &Mat3x4::IDENTITY).unwrap();
        runtime.copy_bones_by_name(id, other, &Mat3x4::IDENTITY).unwrap();
        // As on a corpse: a tail that no body carries.
        shown.copy_bones(runtime.object(id).unwrap(), 0..skeleton.len());
        shown.swing(&arm, &Mat3x4::from_translation(Vec3::X * frame as f32), 1.0 / 72.0).unwrap();
    });
}

#[test]
fn blends_that_keep_rotations_allocate_nothing_once_all_frames_were_shown() {
    let _alone = counting::alone();
    let (mut runtime, model) = game();
    let id = crowd(&mut runtime, model, 1)[0];
    runtime.object_mut(id).unwrap().set_blending(Blending::Rotations);
    check(400, |frame| {
        let time = f64::from(frame) / 72.0;
        let walk_and_run = FrameState::blended([Blend::new(1, time, 0.7), Blend::new(2, time, 0.3)]);
        runtime.build(id, model, &walk_and_run, &Build::REPLACE).unwrap();
        runtime.build(id, model, &FrameState::single(1, time), &Build::retaining(0.5)).unwrap();
    });
}

#[cfg(feature = "qc")]
#[test]
fn masks_of_scripts_allocate_nothing() {
    use crate::calls::{World, f, s};
    use skelobj::qc::Builtin;

    let _alone = counting::alone();
    let mut world = World::new();
    let object = world.built("chain.iqm");
    let name = |bone: usize| world.runtime.object(world.id(object)).unwrap().bone_name(bone).unwrap().to_string();
    let masks = [format!("{} 0.5 2", name(1)), format!("{}, {} 0", name(2), name(4)), String::new()];
    let mask = Builtin::by_name(b"skel_mask").unwrap();
    for frame in 0..4 {
        for text in &masks {
            world.host.arguments = vec![f(object), s(text)];
            let ((), count) = counting::allocations(|| mask.call(&mut world.runtime, &mut world.host));
            assert!(frame < 2 || count == 0, "frame {frame}: {count} allocations for `{text}`");
        }
    }
}

#[test]
fn frames_that_record_poses_allocate_nothing() {
    let _alone = counting::alone();
    // Packed poses are of different lengths: every frame has to meet a long one first.
    for (form, warm) in [(HistoryForm::Exact, 60), (HistoryForm::Packed, 600)] {
        let (mut runtime, model) = game();
        let mut settings = HistorySettings::default();
        (settings.seconds, settings.form) = (0.25, form);
        runtime.keep_history(Some(settings)).unwrap();
        let objects = crowd(&mut runtime, model, 5);
        check(warm, |frame| {
            let time = f64::from(frame) / 72.0;
            for &object in &objects {
                runtime.build(object, model, &FrameState::single(2, time), &Build::REPLACE).unwrap();
                if object == objects[0] {
                    runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None).unwrap();
                }
                assert!(runtime.record_pose(object, time, &Mat3x4::IDENTITY).unwrap());
            }
        });
    }
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

#[test]
fn limbs_that_reach_within_the_stops_of_a_doll_allocate_nothing() {
    let _alone = counting::alone();
    let model = assets::mannequin();
    let mut doll = Doll::parse(assets::MANNEQUIN_DOLL).doll;
    for reference in [ReferencePose::BindPose, ReferencePose::Animation { index: 1, time: 0.2 }] {
        doll.reference = reference;
        let ((), count) = counting::allocations(|| {
            let leg = Reach::parse(&model.skeleton, "thigh_l, shin_l, foot_l").unwrap();
            assert!(within_stops(&doll, &model, leg).is_some());
        });
        assert_eq!(count, 0, "{reference:?}");
    }
}

#[cfg(feature = "qc")]
#[test]
fn limbs_of_scripts_reach_without_an_allocation_while_a_ragdoll_follows() {
    use crate::calls::{World, e, f, s, v};
    use crate::replayer::host::Returned;
    use skelobj::qc::Builtin;

    let _alone = counting::alone();
    let mut world = World::new();
    let object = world.built("chain.iqm");
    assert_eq!(world.ragdoll("doll chain_hinge.doll", 0.0), 1.0);
    let posed = world.runtime.object(world.id(object)).unwrap();
    let bones = [1, 2, 3].map(|bone| posed.bone_name(bone).unwrap().to_string()).join(", ");
    let reach = Builtin::by_name(b"skel_reach").unwrap();
    let shown = world.model("chain.iqm");
    let build = [f(object), e(1), shown, f(0.0), f(0.0), f(0.0), f(1.0)];
    for frame in 0..4 {
        // The ragdoll left the bones in model space.
        world.number("skel_build", &build);
        world.host.arguments = vec![e(1), s(&bones), v(8.0, 4.0, 20.0), v(0.0, 0.0, 1.0)];
        let ((), count) = counting::allocations(|| reach.call(&mut world.runtime, &mut world.host));
        assert!(matches!(world.host.returned, Some(Returned::Float(0.0..))), "{}", world.host.printed);
        assert!(frame < 2 || count == 0, "frame {frame}: {count} allocations");
    }
}

#[test]
fn commands_to_ragdolls_allocate_nothing() {
    let _alone = counting::alone();

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
