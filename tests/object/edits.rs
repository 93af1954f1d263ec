//! Skeletal objects: bones that a pose lacks, and numbers that a bone cannot hold.

use std::sync::Arc;

use skelobj::SkeletalObject;
use skelobj::math::{Axes, Mat3x4, Vec3};
use skelobj::model::{Animation, Blend, Bone, FrameFields, FrameState, Model, PoseParameters, Skeleton};
use skelobj::object::{Build, ObjectError, Pose, Space};

/// Returns a chain of bones, each rotated, offset and slightly scaled relative to its parent, with one pose.
fn chain(bones: usize) -> Arc<Model> {
    let local = |number: usize| {
        let axes = Axes::from_angles(Vec3::new(20.0, 30.0 + number as f32, 10.0)).scaled(1.0 + number as f32 / 16.0);
        Mat3x4::from_axes(axes, Vec3::new(number as f32, 5.0, 3.0))
    };
    let bone = |number: usize| Bone {
        name: format!("bone{number}").as_str().into(),
        parent: number.checked_sub(1),
        bind: Mat3x4::IDENTITY,
    };
    Arc::new(Model {
        skeleton: Skeleton::new((0..bones).map(bone).collect()).unwrap(),
        animations: vec![Animation::frames("stand", 0, 1, 10.0, true)],
        frames: (0..bones).map(local).collect(),
        ..Model::default()
    })
}

fn built(model: &Arc<Model>) -> SkeletalObject {
    let mut object = SkeletalObject::new(model.clone(), Space::Local);
    object.build(model, &FrameState::default(), &Build::REPLACE).unwrap();
    object
}

fn model_space(object: &SkeletalObject) -> Vec<Mat3x4> {
    let mut bones = vec![Mat3x4::ZERO; object.bone_count()];
    object.write_model_space(&mut bones);
    bones
}

fn in_model_space(model: &Arc<Model>) -> SkeletalObject {
    let mut object = SkeletalObject::new(model.clone(), Space::Model);
    object.set_model_space_pose(&model_space(&built(model))).unwrap();
    object
}

fn assert_close(ours: &[Mat3x4], wanted: &[Mat3x4]) {
    assert_eq!(ours.len(), wanted.len());
    for (bone, (ours, wanted)) in ours.iter().zip(wanted).enumerate() {
        for (a, b) in ours.0.iter().zip(wanted.0) {
            assert!((a - b).abs() <= 1e-4 * b.abs().max(1.0), "bone {bone}: {ours:?} {wanted:?}");
        }
    }
}

#[test]
fn building_from_fewer_bones_converts_the_others_to_local_space() {
    let (model, small) = (chain(6), chain(2));
    let mut object = in_model_space(&model);
    let (before, local) = (object.clone(), built(&model));
    object.build(&small, &FrameState::default(), &Build::REPLACE).unwrap();
    assert!(object.pose().is_local());
    assert_eq!(object.pose().bones()[..2], small.frames[..]);
    assert_close(object.pose().bones(), local.pose().bones());
    // Local space is computed as the accessor computes it.
    for bone in 2..6 {
        assert_eq!(object.pose().bones()[bone], before.local_space(bone).unwrap());
    }
}

#[test]
fn short_poses_convert_the_bones_that_they_lack() {
    let model = chain(6);
    let (local, whole) = (built(&model), model_space(&built(&model)));
    let moved = Mat3x4::from_translation(Vec3::new(0.0, 0.0, 50.0));

    // Bones below one in local space move along.
    let mut object = in_model_space(&model);
    object.set_local_pose(&[moved]).unwrap();
    assert!(object.pose().is_local());
    assert_eq!(object.pose().bones()[0], moved);
    assert_close(&object.pose().bones()[1..], &local.pose().bones()[1..]);

    // Bones below one in model space stay.
    let mut object = built(&model);
    object.set_model_space_pose(&[moved, moved]).unwrap();
    assert!(!object.pose().is_local());
    assert_eq!(object.pose().bones()[..2], [moved; 2]);
    assert_close(&object.pose().bones()[2..], &whole[2..]);

    // Without a change of space, and with all bones, there is nothing to convert.
    let mut object = built(&model);
    object.set_local_pose(&[moved]).unwrap();
    assert_eq!(object.pose().bones()[1..], local.pose().bones()[1..]);
    object.set_model_space_pose(&[moved; 6]).unwrap();
    assert_eq!(object.pose(), &Pose::ModelSpace(vec![moved; 6].into()));
}

#[test]
fn a_pose_of_more_matrices_than_bones_is_an_error_and_changes_nothing() {
    let mut object = built(&chain(6));
    let before = object.pose().clone();
    let too_long = Err(ObjectError::TooLong { bones: 6, found: 7 });
    assert_eq!(object.set_local_pose(&[Mat3x4::IDENTITY; 7]), too_long);
    assert_eq!(object.set_model_space_pose(&[Mat3x4::IDENTITY; 7]), too_long);
    assert_eq!(object.pose(), &before);
}

#[test]
fn converted_bones_are_finite_whatever_their_parents_are() {
    let model = chain(4);
    let mut object = SkeletalObject::new(model.clone(), Space::Model);
    object.set_local_pose(&[]).unwrap();
    assert_eq!(object.pose(), &Pose::Local(vec![Mat3x4::ZERO; 4].into()));
    let scaled = |scale: f32| Mat3x4(Mat3x4::IDENTITY.0.map(|number| number * scale));
    // The second bone overflows in local space, the third has a parent without an inverse.
    object.set_model_space_pose(&[scaled(1e-25), scaled(1e25), Mat3x4::ZERO, scaled(3.0)]).unwrap();
    object.set_local_pose(&[]).unwrap();
    assert_eq!(object.pose(), &Pose::Local([1e-25, 1e30, 0.0, 3.0].map(scaled).into()));
    let mut object = SkeletalObject::new(model, Space::Local);
    object.set_local_pose(&[scaled(1e29); 4]).unwrap();
    object.set_model_space_pose(&[Mat3x4::IDENTITY]).unwrap();
    assert!(object.pose().bones().iter().all(Mat3x4::is_finite), "{object:?}");
}

#[test]
fn numbers_that_grow_a_little_in_every_build_stay_finite() {
    let model = chain(3);
    for (retain, add) in [(1.0009, 0.0), (-1.0009, 0.0), (1.0000001, 0.5), (1.0, 1e-3), (0.999, 0.002)] {
        let mut object = built(&model);
        for _ in 0..120_000 {
            object.build(&model, &FrameState::default(), &Build { retain, add, bones: 0..3 }).unwrap();
        }
        assert!(object.pose().bones().iter().all(Mat3x4::is_finite), "{retain} {add}: {object:?}");
    }
}

#[test]
fn poses_that_bones_cannot_hold_change_nothing() {
    let model = chain(3);
    for bad in [f32::NAN, f32::INFINITY, -1e31] {
        let pose = [Mat3x4::IDENTITY, Mat3x4([bad; 12])];
        for object in [built(&model), in_model_space(&model)] {
            let mut changed = object.clone();
            assert_eq!(changed.set_local_pose(&pose), Err(ObjectError::TooLarge), "{bad}");
            assert_eq!(changed.set_model_space_pose(&pose), Err(ObjectError::TooLarge), "{bad}");
            assert_eq!(changed.pose(), object.pose(), "{bad}");
        }
    }
}

#[test]
fn tags_of_frames_that_are_not_finite_are_nowhere() {
    let model = chain(3);
    assert!(model.tag_matrix(1, &FrameState::single(0, 0.5)).is_some());
    for bad in [f32::NAN, f32::INFINITY] {
        let blend = Blend { animation: 0, time: 0.0, weight: bad };
        assert_eq!(model.tag_matrix(1, &FrameState::single(0, bad.into())), None);
        assert_eq!(model.tag_matrix(1, &FrameState::blended([blend; 4])), None);
    }
}

#[test]
fn non_finite_numbers_are_named_and_change_nothing() {
    let model = chain(3);
    let blend = Blend { animation: 0, time: 0.0, weight: 1.0 };
    let with = |blend: Blend| FrameState::blended([Blend { weight: 0.5, ..blend }, blend, blend, blend]);
    let factors = |retain, add| Build { retain, add, bones: 0..3 };
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let weight = Blend { weight: bad, ..blend };
        let time = Blend { time: bad.into(), ..blend };
        let controllers = PoseParameters { controllers: [0.0, bad, 0.0, 0.0, 0.0], blends: [0.0; 2] };
        let cases = [
            (FrameState::default(), factors(bad, 1.0), "retain"),
            (FrameState::default(), factors(0.0, bad), "add"),
            (FrameState::default(), Build::retaining(bad), "retain"),
            (with(weight), Build::REPLACE, "weight"),
            (with(weight), factors(0.5, 0.0), "weight"),
            (FrameState::default().with_base([weight, blend], 1), Build::REPLACE, "weight"),
            (with(time), Build::REPLACE, "time"),
            (FrameState::default().with_base([blend, time], 1), Build::REPLACE, "time"),
            (FrameState::default().with_parameters(controllers), Build::REPLACE, "parameter"),
            (FrameState::client(&FrameFields { lerpfrac: bad, ..Default::default() }), Build::REPLACE, "weight"),
        ];
        for object in [built(&model), in_model_space(&model)] {
            for (frame, build, number) in &cases {
                let mut changed = object.clone();
                let results = [changed.build(&model, frame, build), changed.build_normalized(&model, frame, build)];
                for result in results {
                    let Err(ObjectError::OutOfRange(error)) = result else { panic!("{bad} {number}: {result:?}") };
                    assert_eq!(error.name, *number, "{bad}");
                    assert!(!error.value.is_finite(), "{error}");
                }
                assert_eq!(changed.pose(), object.pose(), "{bad} {number:?}");
            }
        }
        // A base group without bones is not computed.
        assert_eq!(
            built(&model).build(&model, &FrameState::default().with_base([weight, time], 0), &Build::REPLACE),
            Ok(())
        );
    }
}

#[test]
fn finite_numbers_of_any_size_are_built_with() {
    let model = chain(3);
    let blend = |weight| Blend { animation: 0, time: f64::MAX, weight };
    let huge = FrameState::blended([blend(f32::MAX), blend(f32::MAX), blend(-f32::MAX), blend(f32::MAX)]);
    for (retain, add) in [(0.0, 1.0), (0.5, 0.0), (f32::MAX, f32::MAX), (0.0, -f32::MAX)] {
        let mut object = built(&model);
        object.build(&model, &huge, &Build { retain, add, bones: 0..3 }).unwrap();
        assert!(object.pose().bones().iter().all(Mat3x4::is_finite), "{retain} {add}: {object:?}");
    }
}

/// Returns a bone in model space from the matrices of the pose, in FTE's order: products begin at the bone.
fn product(object: &SkeletalObject, bone: usize) -> Mat3x4 {
    let bones = object.pose().bones();
    let mut matrix = bones[bone];
    let mut at = bone;
    while let Some(parent) = object.bone_parent(at).filter(|_| object.pose().is_local()) {
        matrix = bones[parent] * matrix;
        at = parent;
    }
    matrix
}

/// Write to an object, with a matrix and another object.
type Write = fn(&mut SkeletalObject, &Mat3x4, &SkeletalObject);

#[test]
fn bones_asked_for_again_are_those_of_the_last_write() {
    let model = chain(9);
    let turn = Mat3x4::from_axes(Axes::from_angles(Vec3::new(3.0, 50.0, 7.0)), Vec3::new(1.0, 2.0, 0.5));
    let other = built(&chain(5));
    let writes: [(&str, Write); 13] = [
        ("set_bone", |object, turn, _| object.set_bone(2, *turn).unwrap()),
        ("mul_bone", |object, turn, _| object.mul_bone(0, *turn).unwrap()),
        ("post_mul_bone", |object, turn, _| object.post_mul_bone(3, *turn).unwrap()),
        ("mul_bones", |object, turn, _| object.mul_bones(2..5, *turn)),
        ("set_bone_model_space", |object, turn, _| object.set_bone_model_space(4, *turn).unwrap()),
        ("set_bone_world", |object, turn, _| object.set_bone_world(4, turn, turn).unwrap()),
        ("bones_mut", |object, turn, _| object.bones_mut()[1] = *turn),
        ("build", |object, _, _| {
            let build = Build::retaining(0.5).with_bones(1..4);
            object.build(&object.model().clone(), &FrameState::default(), &build).unwrap();
        }),
        ("build_normalized", |object, _, _| {
            let model = object.model().clone();
            object.build_normalized(&model, &FrameState::default(), &Build::REPLACE).unwrap();
        }),
        ("copy_bones", |object, _, other| object.copy_bones(other, 2..4)),
        ("set_local_pose", |object, turn, _| object.set_local_pose(&[*turn; 6]).unwrap()),
        ("set_model_space_pose", |object, turn, _| object.set_model_space_pose(&[*turn; 6]).unwrap()),
        ("build", |object, _, _| {
            object.build(&object.model().clone(), &FrameState::default(), &Build::REPLACE).unwrap();
        }),
    ];
    let mut object = built(&model);
    for (name, write) in writes {
        let before: Vec<_> = (0..9).map(|bone| object.model_space(bone).unwrap()).collect();
        write(&mut object, &turn, &other);
        let after: Vec<_> = (0..9).map(|bone| object.model_space(bone).unwrap()).collect();
        assert_ne!(before, after, "{name} moves bones");
        for _ in 0..2 {
            for bone in [8, 3, 0, 5, 1, 7, 2, 6, 4] {
                assert_eq!(object.model_space(bone).unwrap(), product(&object, bone), "bone {bone} after {name}");
            }
        }
        let copy = object.clone();
        assert!((0..9).all(|bone| copy.model_space(bone) == object.model_space(bone)), "a clone after {name}");
    }
    assert_eq!(object.model_space(9), None);
}

#[test]
fn threads_that_ask_for_bones_at_once_agree() {
    let model = chain(32);
    let mut object = built(&model);
    for round in 0..50 {
        object.bones_mut()[0].0[3] = round as f32;
        let expected: Vec<_> = (0..32).map(|bone| product(&object, bone)).collect();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for (bone, expected) in expected.iter().enumerate() {
                        assert_eq!(object.model_space(bone).unwrap(), *expected);
                    }
                });
            }
        });
    }
}

#[test]
fn a_bone_below_a_flat_parent_cannot_be_placed_in_the_world() {
    let flat = Mat3x4::from_columns(Vec3::X, Vec3::Y, Vec3::ZERO, Vec3::Z * 20.0);
    let mut object = skelobj::assets::mannequin_object();
    let head = object.find_bone("head").unwrap();
    let neck = object.bone_parent(head).unwrap();
    object.set_bone(neck, flat).unwrap();
    let before = object.pose().clone();
    let place = Mat3x4::from_translation(Vec3::Z * 60.0);
    assert_eq!(object.set_bone_world(head, &Mat3x4::IDENTITY, &place), Err(ObjectError::Singular));
    assert_eq!(object.set_bone_model_space(head, place), Err(ObjectError::Singular));
    // A bone without a parent needs the entity only.
    assert_eq!(object.set_bone_world(0, &Mat3x4::ZERO, &place), Err(ObjectError::Singular));
    assert_eq!(*object.pose(), before);
    object.set_bone_world(neck, &Mat3x4::IDENTITY, &place).unwrap(); // the flat bone itself can
    object.set_bone_world(head, &Mat3x4::IDENTITY, &place).unwrap();
    assert!(object.model_space(head).unwrap().origin().distance(Vec3::Z * 60.0) < 1e-4);
}

#[test]
fn a_build_that_retains_nothing_forgets_numbers_that_are_not_finite() {
    let model = chain(3);
    let mut object = built(&model);
    let before = object.pose().clone();
    for bad in [f32::NAN, f32::INFINITY] {
        object.bones_mut().fill(Mat3x4([bad; 12]));
        object.build(&model, &FrameState::default(), &Build::REPLACE).unwrap();
        assert_eq!(object.pose(), &before);
    }
}

#[test]
fn numbers_of_a_build_stop_at_1e30() {
    let model = chain(2);
    let mut object = built(&model);
    object.build(&model, &FrameState::default(), &Build { retain: 0.0, add: 1e35, bones: 0..2 }).unwrap();
    assert_eq!(object.pose().bones()[1].origin(), Vec3::splat(1e30));
    object.build(&model, &FrameState::default(), &Build { retain: 0.0, add: -1e35, bones: 0..2 }).unwrap();
    assert_eq!(object.pose().bones()[1].origin(), Vec3::splat(-1e30));
}

#[test]
fn written_zeros_count_as_built_and_two_objects_never_share_a_revision() {
    let model = chain(2);
    let new = || SkeletalObject::new(model.clone(), Space::Local);
    let writes: [fn(&mut SkeletalObject); 4] = [
        |object| object.set_bone(1, Mat3x4::ZERO).unwrap(),
        |object| object.set_local_pose(&[Mat3x4::ZERO; 2]).unwrap(),
        |object| object.set_model_space_pose(&[]).unwrap(),
        |object| assert_eq!(object.bones_mut().len(), 2),
    ];
    let mut revisions = vec![new().revision()];
    for write in writes {
        let mut object = new();
        assert!(!object.is_built() && !object.is_built_since_ragdoll());
        write(&mut object);
        assert!(object.is_built() && object.is_built_since_ragdoll());
        let copy = object.clone();
        assert!(copy.is_built() && copy.is_built_since_ragdoll());
        revisions.extend([object.revision(), copy.revision()]);
    }
    let count = revisions.len();
    revisions.sort_unstable();
    revisions.dedup();
    assert_eq!(revisions.len(), count);
}

#[test]
fn bones_whose_products_are_too_large_stay_as_they_are() {
    let model = chain(4);
    let mut object = built(&model);
    let before = object.pose().bones().to_vec();
    object.bones_mut()[2].0[3] = 1e25;
    let huge = Mat3x4::from_axes(Axes::from_angles(Vec3::ZERO).scaled(1e6), Vec3::ZERO);
    object.mul_bones(1..99, huge);
    let now = object.pose().bones();
    assert_eq!((now[0], now[1], now[3]), (before[0], huge * before[1], huge * before[3]));
    assert_eq!(now[2].0[3], 1e25);
    object.mul_bones(4..usize::MAX, huge);
    assert_eq!(object.mul_bone(2, huge), Err(ObjectError::TooLarge));
    assert_eq!(object.post_mul_bone(2, huge * huge * huge * huge * huge), Err(ObjectError::TooLarge));
    assert_eq!(object.post_mul_bone(4, huge), Err(ObjectError::NoSuchBone));
    assert_eq!(object.mul_bone(4, huge), Err(ObjectError::NoSuchBone));
    assert_eq!(object.pose().bones()[2].0[3], 1e25);
}

#[test]
fn a_bone_is_placed_in_model_space_whatever_the_space_of_the_object() {
    let model = chain(4);
    let place = Mat3x4::from_axes(Axes::from_angles(Vec3::new(5.0, 70.0, 20.0)), Vec3::new(8.0, -3.0, 30.0));
    for object in [built(&model), in_model_space(&model)] {
        let mut changed = object.clone();
        changed.set_bone_model_space(2, place).unwrap();
        assert_eq!(changed.pose().is_local(), object.pose().is_local());
        assert_close(&model_space(&changed)[2..3], &[place]);
        assert_close(&model_space(&changed)[..2], &model_space(&object)[..2]);
        // Only in local space do children move along.
        let child = if object.pose().is_local() { place * model.frames[3] } else { model_space(&object)[3] };
        assert_close(&model_space(&changed)[3..], &[child]);
        assert_eq!(changed.set_bone_model_space(4, place), Err(ObjectError::NoSuchBone));
        assert_eq!(changed.set_bone_model_space(1, Mat3x4([1e31; 12])), Err(ObjectError::TooLarge));
    }
}

#[test]
fn copies_between_spaces_use_the_parents_that_are_there() {
    let model = chain(4);
    let (local, whole) = (built(&model), in_model_space(&model));
    // Into model space, the parent is the one of the target.
    let moved = Mat3x4::from_translation(Vec3::new(0.0, 0.0, 50.0));
    let mut shown = SkeletalObject::new(model.clone(), Space::Model);
    shown.set_model_space_pose(&[moved; 4]).unwrap();
    shown.copy_bones(&local, 2..3);
    assert_eq!(shown.pose().bones(), [moved, moved, moved * model.frames[2], moved]);
    // Into local space, the parent is the one of the source; below a flat one, the bone stays as it is.
    let mut flat = whole.clone();
    flat.set_bone(1, Mat3x4::ZERO).unwrap();
    let mut copy = built(&model);
    copy.set_bone(0, moved).unwrap();
    copy.copy_bones(&flat, 2..99);
    assert_eq!(copy.pose().bones()[..3], [moved, model.frames[1], whole.pose().bones()[2]]);
    assert_close(&copy.pose().bones()[3..], &model.frames[3..]);
    // A source of zeros makes nothing built.
    let mut unbuilt = SkeletalObject::new(model.clone(), Space::Local);
    unbuilt.copy_bones(&SkeletalObject::new(model.clone(), Space::Local), 0..4);
    assert!(!unbuilt.is_built());
    unbuilt.copy_bones(&local, 4..9);
    assert!(!unbuilt.is_built(), "no bone was copied");
    unbuilt.copy_bones(&local, 0..1);
    assert!(unbuilt.is_built() && unbuilt.is_built_since_ragdoll());
}

#[test]
fn a_short_output_gets_the_first_bones_and_a_long_one_keeps_its_rest() {
    let model = chain(4);
    let whole = model_space(&built(&model));
    for object in [built(&model), in_model_space(&model)] {
        let mut short = [Mat3x4::ZERO; 2];
        object.write_model_space(&mut short);
        assert_eq!(short[..], whole[..2]);
        let mut long = [Mat3x4::ZERO; 6];
        object.write_model_space(&mut long);
        assert_eq!((&long[..4], &long[4..]), (&whole[..], &[Mat3x4::ZERO; 2][..]));
    }
}
