//! Masks, and layers that are added to a pose.

use std::sync::Arc;

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, FrameState, Skeleton};
use skelobj::object::{Build, ObjectError, Space};
use skelobj::pose::{self, Additive, Aim, BoneMask, PosingError, Reach};
use skelobj::{Model, SkeletalObject, assets};

fn bits(bone: &Mat3x4) -> [u32; 12] {
    bone.0.map(f32::to_bits)
}

fn near(a: &Mat3x4, b: &Mat3x4, most: f32) -> bool {
    a.0.iter().zip(b.0).all(|(a, b)| (a - b).abs() <= most)
}

/// Returns seven bones, so that a group is not full, with rotations, places and scales.
fn poses() -> [Vec<Mat3x4>; 2] {
    [0.0f32, 1.0].map(|pose| {
        let bone = |bone: usize| {
            let bone = bone as f32;
            let turn = Quat::from_euler(glam::EulerRot::ZYX, bone * 0.4 + pose * 0.7, pose * 0.3 - bone * 0.1, 0.2);
            let scale = if bone == 5.0 { 1.0 + pose * 0.5 } else { 1.0 };
            let place = [bone, pose * 2.0 - bone, 3.0 + pose];
            Mat3x4::from_translation_rotation_scale(place, turn.to_array(), [scale; 3])
        };
        (0..7).map(bone).collect()
    })
}

mod glam {
    pub use skelobj::glam::EulerRot;
}

#[test]
fn a_whole_layer_on_its_reference_is_the_pose() {
    let [reference, pose] = poses();
    let layer = Additive::new(&pose, &reference);
    assert_eq!(layer.bone_count(), 7);
    let mut local = reference.clone();
    pose::add(&mut local, &layer, 1.0, None).unwrap();
    for (bone, (found, wanted)) in local.iter().zip(&pose).enumerate() {
        assert!(near(found, wanted, 1e-5), "bone {bone}: {found:?} {wanted:?}");
    }
    // And -1 takes it away again.
    pose::add(&mut local, &layer, -1.0, None).unwrap();
    for (bone, (found, wanted)) in local.iter().zip(&reference).enumerate() {
        assert!(near(found, wanted, 1e-5), "bone {bone}: {found:?} {wanted:?}");
    }
}

#[test]
fn a_scale_without_an_inverse_is_not_taken_away() {
    let [reference, _] = poses();
    // Each scale comes through 0 at one of the weights.
    for (scale, weights) in [([0.0; 3], [-1.0, -0.999]), ([2.0, 0.0, 1.0], [-1.0, -0.5]), ([-1.0; 3], [-0.5, -0.25])] {
        let hide = Mat3x4::from_translation_rotation_scale([0.0; 3], Quat::from_rotation_x(0.4).to_array(), scale);
        let pose: Vec<_> = reference.iter().map(|bone| *bone * hide).collect();
        let layer = Additive::new(&pose, &reference);
        let half = BoneMask::new((0..7).map(|bone| bone as f32 / 6.0).collect::<Vec<_>>()).unwrap();
        for weight in weights {
            for mask in [None, Some(&half)] {
                let mut local = reference.clone();
                pose::add(&mut local, &layer, weight, mask).unwrap();
                assert!(local.iter().all(Mat3x4::is_finite), "{scale:?} {weight}: {local:?}");
                assert!(mask.is_none() || local[0] == reference[0]);
            }
        }
    }
    // What has an inverse is taken away, however small it is.
    let pose: Vec<_> = reference
        .iter()
        .map(|bone| *bone * Mat3x4::from_translation_rotation_scale([0.0; 3], [0.0, 0.0, 0.0, 1.0], [1e-4; 3]))
        .collect();
    let layer = Additive::new(&pose, &reference);
    let mut local = pose;
    pose::add(&mut local, &layer, -1.0, None).unwrap();
    assert!(local.iter().zip(&reference).all(|(found, wanted)| near(found, wanted, 1e-3)), "{local:?}");
}

#[test]
fn a_scaled_bone_is_rotated_and_scaled_by_the_layer() {
    let (turn, scale) = (Quat::from_rotation_z(0.5), 3.0);
    let big = Mat3x4::from_translation_rotation_scale([1.0; 3], Quat::from_rotation_x(0.3).to_array(), [scale; 3]);
    let pose = big * Mat3x4::from_translation_rotation_scale([0.0; 3], turn.to_array(), [2.0; 3]);
    let mut local = [big];
    pose::add(&mut local, &Additive::new(&[pose], &[big]), 1.0, None).unwrap();
    assert!(near(&local[0], &pose, 1e-4));
    // Half of the scale on top of another pose.
    let mut local = [Mat3x4::IDENTITY];
    pose::add(&mut local, &Additive::new(&[pose], &[big]), 0.5, None).unwrap();
    assert!((local[0].forward().length() - 1.5).abs() < 1e-5);
}

#[test]
fn a_part_of_a_layer_rotates_by_a_part_and_keeps_lengths() {
    let turn = Mat3x4::from_rotation_translation(Quat::from_rotation_z(2.4), Vec3::X * 8.0);
    let layer = Additive::new(&[turn], &[Mat3x4::IDENTITY]);
    let mut local = [Mat3x4::IDENTITY];
    pose::add(&mut local, &layer, 0.5, None).unwrap();
    let forward = local[0].forward();
    assert!((forward.y.atan2(forward.x) - 1.2).abs() < 1e-5 && (forward.length() - 1.0).abs() < 1e-5);
    assert!((local[0].origin() - Vec3::X * 4.0).length() < 1e-5);
    // The layer turns a bone in its own space.
    let base = Mat3x4::from_rotation_translation(Quat::from_rotation_y(0.9), Vec3::Z);
    let mut local = [base];
    pose::add(&mut local, &layer, 1.0, None).unwrap();
    let wanted = (base * turn.with_origin(Vec3::ZERO)).with_origin(Vec3::new(8.0, 0.0, 1.0));
    assert!(near(&local[0], &wanted, 1e-5));
}

#[test]
fn weight_0_and_bones_outside_the_mask_keep_their_bits() {
    let [reference, pose] = poses();
    let layer = Additive::new(&pose, &reference);
    // Negative zeros would show a product with 0.
    let base = vec![Mat3x4([-0.0; 12]); 7];
    let mut local = base.clone();
    pose::add(&mut local, &layer, 0.0, None).unwrap();
    assert!(local.iter().zip(&base).all(|(now, then)| bits(now) == bits(then)));
    let mask = BoneMask::new(vec![0.0, 1.0, 0.0, 0.5, 0.0, 1.0]).unwrap(); // bone 6 has no weight
    let mut local = reference.clone();
    let mut negative = base.clone();
    pose::add(&mut local, &layer, 1.0, Some(&mask)).unwrap();
    pose::add(&mut negative, &layer, 1.0, Some(&mask)).unwrap();
    for bone in [0, 2, 4, 6] {
        assert_eq!(bits(&local[bone]), bits(&reference[bone]));
        assert_eq!(bits(&negative[bone]), bits(&base[bone]));
    }
    for bone in [1, 5] {
        assert!(near(&local[bone], &pose[bone], 1e-5));
    }
    let mut half = reference.clone();
    pose::add(&mut half, &layer, 0.5, None).unwrap();
    assert_eq!(bits(&local[3]), bits(&half[3]));
}

#[test]
fn layers_change_only_bones_that_both_have_and_refuse_wrong_weights() {
    let [reference, pose] = poses();
    let layer = Additive::new(&pose[..6], &reference);
    assert_eq!(layer.bone_count(), 6);
    let mut local = reference.clone();
    pose::add(&mut local, &layer, 1.0, None).unwrap();
    assert_eq!(bits(&local[6]), bits(&reference[6]));
    let mut short = reference[..2].to_vec();
    pose::add(&mut short, &layer, 1.0, None).unwrap();
    assert!(near(&short[1], &pose[1], 1e-5));
    for weight in [1.5, -1.5, f32::NAN] {
        let before = local.clone();
        assert!(matches!(pose::add(&mut local, &layer, weight, None), Err(PosingError::OutOfRange(_))));
        assert_eq!(local, before);
    }
    // A bone whose reference is flat is only moved.
    let flat = Mat3x4::ZERO.with_origin(Vec3::X);
    let layer = Additive::new(&[Mat3x4::from_translation(Vec3::X * 3.0)], &[flat]);
    let mut local = [Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.3), Vec3::ZERO)];
    let axes = local[0].axes();
    pose::add(&mut local, &layer, 1.0, None).unwrap();
    assert!((local[0].origin() - Vec3::X * 2.0).length() < 1e-6 && (local[0].forward() - axes.forward).length() < 1e-6);
}

fn branching() -> Skeleton {
    let bone = |name: &str, parent| Bone { name: name.into(), parent, bind: Mat3x4::IDENTITY };
    let names = [("root", None), ("a", Some(0)), ("b", Some(1)), ("c", Some(2)), ("other", Some(0)), ("d", Some(3))];
    Skeleton::new(names.map(|(name, parent)| bone(name, parent)).into()).unwrap()
}

#[test]
fn masks_have_descendants_falloff_and_later_entries_win() {
    let skeleton = branching();
    let weights = |text: &str| BoneMask::parse(&skeleton, text).map(|mask| mask.weights().to_vec());
    assert_eq!(weights("a"), Ok(vec![0.0, 1.0, 1.0, 1.0, 0.0, 1.0]));
    assert_eq!(weights("a 0.5, c 1"), Ok(vec![0.0, 0.5, 0.5, 1.0, 0.0, 1.0]));
    assert_eq!(weights("c 1, a 0.5"), Ok(vec![0.0, 0.5, 0.5, 0.5, 0.0, 0.5]));
    assert_eq!(weights("a 1 3"), Ok(vec![0.0, 0.25, 0.5, 0.75, 0.0, 1.0]));
    assert_eq!(weights("root 0.5 1"), Ok(vec![0.25, 0.5, 0.5, 0.5, 0.5, 0.5]));
    assert_eq!(weights(""), Err(PosingError::NoBones));
    assert_eq!(weights("a, e"), Err(PosingError::NoBoneNamed { name: "e".into(), suggestion: None }));
    for text in ["a 1 -2", "a 1 0.5", "a one", "a 1 2 3", "a c"] {
        assert!(matches!(weights(text), Err(PosingError::BadEntry { .. })), "{text}");
    }
    assert!(matches!(weights("a 2"), Err(PosingError::OutOfRange(_))));
    assert!(matches!(weights("a NaN"), Err(PosingError::OutOfRange(_))));
    assert!(BoneMask::new(vec![f32::NAN]).is_err() && BoneMask::new(vec![-0.1]).is_err());
}

fn masked(text: &str) -> SkeletalObject {
    let mut object = assets::mannequin_object();
    let model = object.model().clone();
    object.build(&model, &FrameState::single(1, 0.2), &Build::REPLACE).unwrap();
    object.set_mask(Some(Arc::new(BoneMask::parse(&model.skeleton, text).unwrap())));
    object
}

#[test]
fn a_mask_limits_builds_and_mixes_them() {
    let mut object = masked("spine, upperarm_l 0.25, upperarm_r 0");
    let model = object.model().clone();
    let walk = object.pose().bones().to_vec();
    let run = FrameState::single(2, 0.2);
    let mut whole = assets::mannequin_object();
    whole.build(&model, &run, &Build::REPLACE).unwrap();
    for normalized in [false, true] {
        object.set_local_pose(&walk).unwrap();
        if normalized {
            object.build_normalized(&model, &run, &Build::REPLACE).unwrap();
            whole.build_normalized(&model, &run, &Build::REPLACE).unwrap();
        } else {
            object.build(&model, &run, &Build::REPLACE).unwrap();
        }
        let (now, run) = (object.pose().bones(), whole.pose().bones());
        for bone in [0, 1, 18, 19] {
            assert_eq!(bits(&now[bone]), bits(&walk[bone]), "bone {bone}");
        }
        for bone in [9, 10, 12] {
            assert_eq!(bits(&now[bone]), bits(&run[bone]), "bone {bone}");
        }
        let mixed = Mat3x4(std::array::from_fn(|n| walk[14].0[n] * 0.75 + run[14].0[n] * 0.25));
        assert!(near(&now[14], &mixed, 1e-6));
    }
    // The same build again mixes again: it is not left out as a repetition.
    let before = object.pose().bones()[14];
    object.build(&model, &run, &Build::REPLACE).unwrap();
    assert_ne!(object.pose().bones()[14], before);
    // A range and a mask limit together; what is retained counts as part of the change.
    object.set_local_pose(&walk).unwrap();
    object.build(&model, &run, &Build::retaining(0.5).with_bones(10..13)).unwrap();
    assert_eq!(bits(&object.pose().bones()[9]), bits(&walk[9]));
    let mixed = Mat3x4(std::array::from_fn(|n| walk[10].0[n] * 0.5 + whole.pose().bones()[10].0[n] * 0.5));
    assert!(near(&object.pose().bones()[10], &mixed, 1e-5));
    // Without the mask, all bones are built.
    object.set_mask(None);
    object.build_normalized(&model, &run, &Build::REPLACE).unwrap();
    assert_eq!(object.pose(), whole.pose());
}

#[test]
fn a_mask_limits_edits_of_ranges_and_copies_but_not_single_bones() {
    let mut object = masked("spine 0.5, head");
    let before = object.pose().bones().to_vec();
    let turn = Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.4), Vec3::ZERO);
    object.mul_bones(0..21, turn);
    let now = object.pose().bones();
    assert_eq!(bits(&now[1]), bits(&before[1]));
    assert_eq!(bits(&now[12]), bits(&(turn * before[12])));
    let half = Mat3x4(std::array::from_fn(|n| before[9].0[n] * 0.5 + (turn * before[9]).0[n] * 0.5));
    assert!(near(&now[9], &half, 1e-6));

    let source = assets::mannequin_object();
    object.set_local_pose(&before).unwrap();
    object.copy_bones(&source, 0..21);
    let now = object.pose().bones();
    assert_eq!(bits(&now[1]), bits(&before[1]));
    assert_eq!(now[12], source.pose().bones()[12]);
    assert!(near(
        &now[10],
        &Mat3x4(std::array::from_fn(|n| (before[10].0[n] + source.pose().bones()[10].0[n]) / 2.0)),
        1e-6
    ));

    object.mul_bone(1, turn).unwrap();
    assert_eq!(bits(&object.pose().bones()[1]), bits(&(turn * before[1])));
    assert!(object.clone().mask().is_some());

    // Aims and reaches of bones outside of the mask, and whole poses, ignore it.
    let skeleton = &object.model().skeleton.clone();
    let leg = Reach::parse(skeleton, "thigh_l, shin_l, foot_l").unwrap();
    assert!(object.reach(&leg, Vec3::new(10.0, 5.0, 12.0)).unwrap() < 1e-3);
    let pelvis = Aim::parse(skeleton, "pelvis").unwrap();
    assert!(object.aim(&pelvis, Vec3::new(50.0, 50.0, 40.0)).unwrap() < 1e-3);
    object.set_local_pose(source.pose().bones()).unwrap();
    assert_eq!(object.pose(), source.pose());
    object.set_model_space_pose(skeleton.bind_model()).unwrap();
    assert_eq!(object.pose().bones(), skeleton.bind_model());
}

#[test]
fn a_mask_that_a_text_states_replaces_the_last_one_or_changes_nothing() {
    let mut object = masked("spine 0.5");
    let shared = object.mask().unwrap().clone();
    let weights = |object: &SkeletalObject| object.mask().map(|mask| mask.weights().to_vec());
    let before = weights(&object);
    let wrong = ["head 1, nose", "head 2", ",", "nose"];
    for text in wrong {
        assert!(object.set_mask_named(text).is_err(), "{text}");
        assert_eq!(weights(&object), before, "{text}");
    }
    for text in ["head", "spine 1 2, head 0", "hand_l 0.25"] {
        object.set_mask_named(text).unwrap();
        let parsed = BoneMask::parse(&object.model().skeleton, text).unwrap();
        assert_eq!(weights(&object).as_deref(), Some(parsed.weights()), "{text}");
        // Memory is used again, but not that of a mask that somebody else holds.
        assert_eq!(Some(shared.weights()), before.as_deref());
        for wrong in wrong {
            assert!(object.set_mask_named(wrong).is_err(), "{wrong}");
            assert_eq!(weights(&object).as_deref(), Some(parsed.weights()), "{wrong}");
        }
    }
    let held = object.mask().unwrap().clone();
    object.set_mask_named("").unwrap();
    assert_eq!(weights(&object), None);
    object.set_mask_named("head").unwrap();
    assert_eq!(held.weights()[16], 0.25);
    assert_eq!(object.mask().unwrap().weights()[16], 0.0);
}

#[test]
fn layers_of_an_object_follow_its_mask() {
    let mut object = masked("spine");
    let model = object.model().clone();
    let before = object.pose().bones().to_vec();
    let layer = Additive::new(model.pose(&model.animations[3], 4), model.pose(&model.animations[3], 0));
    object.add_layer(&layer, 1.0).unwrap();
    let mut wanted = before.clone();
    pose::add(&mut wanted, &layer, 1.0, object.mask().map(|mask| &**mask)).unwrap();
    assert_eq!(object.pose().bones(), wanted);
    assert_eq!(bits(&wanted[1]), bits(&before[1]));
    assert_ne!(wanted[9], before[9]);
}

#[test]
fn a_pose_is_added_as_its_difference_to_a_frame_or_the_bind_pose() {
    let mut object = assets::mannequin_object();
    let model = object.model().clone();
    let [frame, first] = [0.31, 0.0].map(|time| FrameState::single(3, time));
    let sampled = |frame: &FrameState| {
        let mut object = assets::mannequin_object();
        object.build(&model, frame, &Build::REPLACE).unwrap();
        object.pose().bones().to_vec()
    };
    for reference in [Some(&first), None] {
        object.build(&model, &FrameState::single(1, 0.2), &Build::REPLACE).unwrap();
        let mut wanted = object.pose().bones().to_vec();
        let of = reference.map_or_else(|| model.skeleton.bind_local().to_vec(), &sampled);
        pose::add(&mut wanted, &Additive::new(&sampled(&frame), &of), 0.7, None).unwrap();
        object.add_pose(&model, &frame, reference, 0.7).unwrap();
        assert_eq!(object.pose().bones(), wanted);
    }
    // A source of fewer bones, and one that is not animated.
    let bone = |bone: usize| Bone {
        name: model.skeleton.name(bone).unwrap().clone(),
        parent: model.skeleton.parent(bone),
        bind: model.skeleton.bind_model()[bone],
    };
    let small = Model {
        skeleton: Skeleton::new((0..3).map(bone).collect()).unwrap(),
        animations: vec![skelobj::model::Animation::frames("lift", 0, 1, 10.0, true)],
        frames: vec![Mat3x4::from_translation(Vec3::Z * 3.0); 3],
        ..Model::default()
    };
    let before = object.pose().bones().to_vec();
    object.add_pose(&small, &FrameState::single(0, 0.0), None, 1.0).unwrap();
    let now = object.pose().bones();
    assert!((0..3).all(|bone| now[bone] != before[bone]) && now[3..] == before[3..]);
}

#[test]
fn poses_of_many_bones_are_added_in_pieces() {
    // 70 bones: more than one piece of 32, and a last group that is not full.
    let bind = |bone: usize| Mat3x4::from_translation(Vec3::X * bone as f32);
    let bone = |bone: usize| Bone {
        name: format!("bone{bone}").as_str().into(),
        parent: bone.checked_sub(1),
        bind: bind(bone),
    };
    let frame = |bone: usize| Mat3x4::from_rotation_translation(Quat::from_rotation_z(bone as f32 * 0.01), Vec3::ONE);
    let model = Arc::new(Model {
        skeleton: Skeleton::new((0..70).map(bone).collect()).unwrap(),
        frames: (0..70).map(frame).collect(),
        animations: vec![skelobj::model::Animation::frames("all", 0, 1, 10.0, true)],
        ..Model::default()
    });
    let mut object = SkeletalObject::new(model.clone(), Space::Local);
    object.set_local_pose(model.skeleton.bind_local()).unwrap();
    let weights: Vec<f32> = (0..69).map(|bone| if bone % 3 == 0 { 0.0 } else { 1.0 }).collect();
    object.set_mask(Some(Arc::new(BoneMask::new(weights.clone()).unwrap())));
    object.add_pose(&model, &FrameState::single(0, 0.0), None, 1.0).unwrap();
    for (number, now) in object.pose().bones().iter().enumerate() {
        if weights.get(number).is_none_or(|weight| *weight == 0.0) {
            assert_eq!(bits(now), bits(&model.skeleton.bind_local()[number]), "bone {number}");
        } else {
            assert!(near(now, &frame(number), 1e-5), "bone {number}");
        }
    }
}

#[test]
fn layers_need_a_built_object_in_local_space() {
    let model = Arc::new(assets::mannequin());
    let layer = Additive::new(model.skeleton.bind_local(), model.skeleton.bind_local());
    let frame = FrameState::single(0, 0.0);
    let mut object = SkeletalObject::new(model.clone(), Space::Local);
    assert_eq!(object.add_layer(&layer, 1.0), Err(ObjectError::NotBuilt));
    assert_eq!(object.add_pose(&model, &frame, None, 1.0), Err(ObjectError::NotBuilt));
    object.set_model_space_pose(model.skeleton.bind_model()).unwrap();
    assert_eq!(object.add_layer(&layer, 1.0), Err(ObjectError::InModelSpace));
    assert_eq!(object.add_pose(&model, &frame, None, 1.0), Err(ObjectError::InModelSpace));
    object.set_local_pose(model.skeleton.bind_local()).unwrap();
    let bad = FrameState::single(0, f64::NAN);
    assert!(matches!(object.add_pose(&model, &bad, None, 1.0), Err(ObjectError::OutOfRange(_))));
    assert!(matches!(object.add_pose(&model, &frame, Some(&bad), 1.0), Err(ObjectError::OutOfRange(_))));
    assert!(matches!(object.add_layer(&layer, 2.0), Err(ObjectError::Posing(PosingError::OutOfRange(_)))));
    assert_eq!(object.pose().bones(), model.skeleton.bind_local());
}

#[test]
fn a_bone_takes_axes_in_model_space_and_keeps_its_place() {
    for model_space in [false, true] {
        let mut object = assets::mannequin_object();
        let bind = object.model().skeleton.bind_model().to_vec();
        if model_space {
            object.set_model_space_pose(&bind).unwrap();
        }
        let axes = Mat3x4::from_rotation_translation(Quat::from_rotation_y(0.7), Vec3::splat(500.0));
        let (spine, head) = (9, 12);
        object.set_bone_axes(spine, &axes).unwrap();
        let now = object.model_space(spine).unwrap();
        assert!(near(&now, &axes.with_origin(bind[spine].origin()), 1e-5));
        // Children follow in local space.
        let moved = object.model_space(head).unwrap().origin().distance(bind[head].origin()) > 5.0;
        assert_eq!(moved, !model_space);
        assert_eq!(object.set_bone_axes(99, &axes), Err(ObjectError::NoSuchBone));
        assert_eq!(object.set_bone_axes(0, &Mat3x4([f32::NAN; 12])), Err(ObjectError::TooLarge));
    }
    let mut object = assets::mannequin_object();
    object.set_bone(0, Mat3x4::ZERO).unwrap();
    assert_eq!(object.set_bone_axes(1, &Mat3x4::IDENTITY), Err(ObjectError::Singular));
}

#[test]
fn bones_are_copied_by_name_between_models() {
    let player = assets::mannequin_object();
    let bone = |name: &str, parent| Bone { name: name.into(), parent, bind: Mat3x4::from_translation(Vec3::X) };
    // The hand is the root here, and the forearm below another bone.
    let bones = vec![bone("hand_r", None), bone("gun", Some(0)), bone("forearm_r", Some(1)), bone("bolt", Some(2))];
    let skeleton = Skeleton::new(bones).unwrap();
    let mut weapon = SkeletalObject::new(Arc::new(Model { skeleton, ..Model::default() }), Space::Local);
    weapon.set_local_pose(&[Mat3x4::from_translation(Vec3::X); 4]).unwrap();
    let to_own = Mat3x4::from_translation(Vec3::Z * 10.0);
    assert_eq!(weapon.copy_bones_by_name(&player, &to_own), Ok(2));
    let of = |name: &str| to_own * player.model_space(player.find_bone(name).unwrap()).unwrap();
    assert!(near(&weapon.model_space(0).unwrap(), &of("hand_r"), 1e-4));
    assert!(near(&weapon.model_space(2).unwrap(), &of("forearm_r"), 1e-4));
    let ahead = Mat3x4::from_translation(Vec3::X);
    assert!(near(&weapon.model_space(1).unwrap(), &(of("hand_r") * ahead), 1e-4));
    assert!(near(&weapon.model_space(3).unwrap(), &(of("forearm_r") * ahead), 1e-4));
    // Under a parent that has no inverse nothing is copied.
    weapon.set_bone(1, Mat3x4::ZERO).unwrap();
    assert_eq!(weapon.copy_bones_by_name(&player, &to_own), Ok(1));
}

#[test]
fn a_masked_build_of_an_object_in_model_space_converts_what_it_keeps() {
    let mut object = masked("spine");
    let model = object.model().clone();
    let run = FrameState::single(2, 0.2);
    let before: Vec<Mat3x4> = (0..21).map(|bone| object.model_space(bone).unwrap()).collect();
    object.set_model_space_pose(&before).unwrap();
    object.build(&model, &run, &Build::REPLACE).unwrap();
    for (bone, before) in before.iter().enumerate().take(9) {
        assert!(near(&object.model_space(bone).unwrap(), before, 1e-4), "bone {bone}");
    }
    let mut whole = assets::mannequin_object();
    whole.build(&model, &run, &Build::REPLACE).unwrap();
    assert_eq!(object.local_space(12), whole.local_space(12));
}

#[test]
fn copies_by_name_need_built_objects_and_follow_the_mask() {
    let player = assets::mannequin_object();
    let mut copy = SkeletalObject::new(player.model().clone(), Space::Local);
    assert_eq!(copy.copy_bones_by_name(&player, &Mat3x4::IDENTITY), Err(ObjectError::NotBuilt));
    assert!(!copy.is_built());
    let unbuilt = SkeletalObject::new(player.model().clone(), Space::Local);
    copy.set_local_pose(player.model().skeleton.bind_local()).unwrap();
    assert_eq!(copy.copy_bones_by_name(&unbuilt, &Mat3x4::IDENTITY), Err(ObjectError::NotBuilt));
    let head = BoneMask::parse(&player.model().skeleton, "head").unwrap();
    copy.set_mask(Some(Arc::new(head)));
    let lift = Mat3x4::from_translation(Vec3::Z * 10.0);
    assert_eq!(copy.copy_bones_by_name(&player, &lift), Ok(1));
    assert!(near(&copy.model_space(12).unwrap(), &(lift * player.model_space(12).unwrap()), 1e-4));
    assert_eq!(copy.local_space(11), player.local_space(11));
    // Numbers beyond 1e30 are not copied.
    copy.set_mask(None);
    assert_eq!(copy.copy_bones_by_name(&player, &Mat3x4::from_translation(Vec3::X * 1e36)), Ok(0));
}

#[cfg(feature = "serde")]
#[test]
fn snapshots_keep_the_mask() {
    use skelobj::Runtime;
    use skelobj::runtime::Snapshot;
    let (mut runtime, id) = assets::mannequin_runtime();
    let object = runtime.object_mut(id).unwrap();
    let mask = Arc::new(BoneMask::parse(&object.model().skeleton, "spine 0.5, head").unwrap());
    object.set_mask(Some(mask.clone()));
    let bytes = runtime.snapshot().to_bytes().unwrap();
    let snapshot = Snapshot::from_bytes(&bytes).unwrap();
    // Into the same runtime, and into a new one.
    runtime.object_mut(id).unwrap().set_mask(None);
    runtime.restore(&snapshot).unwrap();
    assert_eq!(runtime.object(id).unwrap().mask(), Some(&mask));
    let mut other = Runtime::default();
    other.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    other.load_model("mannequin.iqm").unwrap();
    other.restore(&snapshot).unwrap();
    assert_eq!(other.object(id).unwrap().mask(), Some(&mask));
}
