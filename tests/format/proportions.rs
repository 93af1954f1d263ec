//! Animations on bones of other lengths.

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{
    AddAnimationsError, Animation, AnimationSource, Bone, BoneTransfer, FrameState, Proportions, Skeleton,
};
use skelobj::{Model, assets};

fn skeleton(model: &Model, change: impl Fn(&str, Mat3x4) -> Mat3x4) -> Skeleton {
    let bones = (0..model.skeleton.len()).map(|bone| Bone {
        name: model.skeleton.names()[bone].clone(),
        parent: model.skeleton.parent(bone),
        bind: change(&model.skeleton.names()[bone].to_string(), model.skeleton.bind_local()[bone]),
    });
    Skeleton::new(bones.collect()).unwrap()
}

fn lowest(skeleton: &Skeleton) -> f32 {
    skeleton.bind_model().iter().map(|place| place.origin().z).fold(f32::INFINITY, f32::min)
}

/// Returns the skeleton of the mannequin on legs that are longer by a factor, with its feet on the floor.
fn long_legs(model: &Model, factor: f32) -> Skeleton {
    let longer = |raised: f32| {
        skeleton(model, |name, bind| match name {
            "shin_l" | "shin_r" | "foot_l" | "foot_r" | "toe_l" | "toe_r" => bind.with_origin(bind.origin() * factor),
            "pelvis" => bind.with_origin(bind.origin() + Vec3::Z * raised),
            _ => bind,
        })
    };
    longer(lowest(&model.skeleton) - lowest(&longer(0.0)))
}

fn fitted(model: &Model, skeleton: &Skeleton) -> Model {
    model.in_proportions_of(skeleton, &Proportions::new(&model.skeleton)).unwrap()
}

#[test]
fn the_same_proportions_give_the_same_bits() {
    let mannequin = assets::mannequin();
    let same = fitted(&mannequin, &mannequin.skeleton);
    assert_eq!(same.frames, mannequin.frames);
    assert_eq!(same.animations, mannequin.animations);
    assert_eq!(same.skeleton.bind_local(), mannequin.skeleton.bind_local());
    assert!(same.meshes.is_empty() && same.hit_boxes.is_empty());
}

#[test]
fn planted_feet_of_longer_legs_stay_planted() {
    let mannequin = assets::mannequin();
    let legs = long_legs(&mannequin, 1.5);
    let moves = fitted(&mannequin, &legs);
    let mut giant = Model { skeleton: legs, ..Model::default() };
    assert!(giant.add_animations(&moves).unwrap().is_complete());
    let toe = giant.skeleton.find("toe_l").unwrap();
    let place = |model: &Model, pose: usize| {
        let time = f64::from(pose as f32 / 30.0);
        model.tag_matrix(toe, &FrameState::single(1, time)).unwrap().origin()
    };
    let hips = |model: &Model| model.skeleton.bind_model()[0].origin().z - lowest(&model.skeleton);
    let factor = hips(&giant) / hips(&mannequin);
    assert!((1.3..1.5).contains(&factor), "{factor}");
    // The left foot stands from pose 3 to 16 of the walk, which is a treadmill.
    let step = (place(&mannequin, 3) - place(&mannequin, 16)).length() * factor;
    for pose in 3..=16 {
        let moved = [&mannequin, &giant].map(|model| place(model, 3) - place(model, pose));
        let off = (moved[0] * factor - moved[1]).length();
        assert!(off < 0.01 * step, "pose {pose}: {off} of {step}");
    }
}

#[test]
fn bones_take_what_is_chosen_for_them() {
    let rig = |length: f32| {
        let bones = [("root", None), ("hips", Some(0)), ("leg", Some(1)), ("spine", Some(1)), ("jaw", Some(3))];
        let bone = |(name, parent): (&str, Option<usize>)| {
            let place = match name {
                "root" => Vec3::ZERO,
                "leg" => Vec3::Z * -length,
                _ => Vec3::X * length,
            };
            Bone { name: name.into(), parent, bind: Mat3x4::from_translation(place) }
        };
        Skeleton::new(bones.map(bone).to_vec()).unwrap()
    };
    let (small, large) = (rig(10.0), rig(30.0));
    let mut frame = small.bind_local().to_vec();
    frame.iter_mut().for_each(|matrix| *matrix = matrix.with_origin(matrix.origin() + Vec3::Y * 2.0));
    let animations = vec![Animation::frames("move", 0, 1, 10.0, false)];
    let model = Model { skeleton: small.clone(), frames: frame, animations, ..Model::default() };
    let default = Proportions::new(&small);
    let transfers: Vec<_> = (0..5).filter_map(|bone| default.bone(bone)).collect();
    let (carried, rotation) = (BoneTransfer::Carried, BoneTransfer::Rotation);
    assert_eq!(transfers, [carried, carried, rotation, rotation, rotation]);
    let moved = |proportions: &Proportions| {
        let fitted = model.in_proportions_of(&large, proportions).unwrap();
        assert_eq!(fitted.skeleton.bind_local(), large.bind_local());
        [0, 1, 3, 4].map(|bone| fitted.frames[bone].origin() - large.bind_local()[bone].origin())
    };
    let y = |y: f32| Vec3::Y * y;
    assert_eq!(moved(&default), [y(6.0), y(6.0), y(0.0), y(0.0)], "the legs are three times as long");
    let halved = default.clone().with_root_scale(0.5).unwrap();
    assert_eq!(moved(&halved), [y(1.0), y(1.0), y(0.0), y(0.0)]);
    let jaw = default.with_bone(&small, "jaw", BoneTransfer::Scaled).unwrap();
    assert_eq!(moved(&jaw)[3], y(6.0), "three times as long");
    for factor in [0.0, -1.0, f32::NAN, 1e4] {
        assert!(jaw.clone().with_root_scale(factor).is_err(), "{factor}");
    }
}

#[test]
fn a_row_of_bones_without_a_branch_carries_its_root_alone() {
    let bone = |number: usize| Bone {
        name: format!("tail{number}").as_str().into(),
        parent: number.checked_sub(1),
        bind: Mat3x4::from_translation(Vec3::X),
    };
    let tail = Skeleton::new((0..4).map(bone).collect()).unwrap();
    let proportions = Proportions::new(&tail);
    let carried = (0..4).map(|bone| proportions.bone(bone) == Some(BoneTransfer::Carried));
    assert!(carried.eq([true, false, false, false]));
}

#[test]
fn bones_turn_from_their_new_bind_pose_as_from_the_old_one() {
    let mannequin = assets::mannequin();
    let quarter = Mat3x4::from_rotation_translation(Quat::from_rotation_x(1.0), Vec3::ZERO);
    let turned = skeleton(&mannequin, |name, bind| if name == "head" { bind * quarter } else { bind });
    let moves = fitted(&mannequin, &turned);
    let head = mannequin.skeleton.find("head").unwrap();
    let bones = mannequin.skeleton.len();
    for frame in [0, 40, 100] {
        let (old, new) = (mannequin.frames[frame * bones + head], moves.frames[frame * bones + head]);
        let [before, after] = [&mannequin.skeleton, &turned].map(|skeleton| skeleton.bind_local()[head].rotation());
        let wanted = after * before.inverse() * old.rotation();
        assert!(wanted.angle_between(new.rotation()) < 1e-3, "frame {frame}");
    }
}

#[test]
fn evaluated_animations_are_baked_and_what_cannot_be_fitted_is_an_error() {
    let mannequin = assets::mannequin();
    let lone =
        |name: &str| Skeleton::new(vec![Bone { name: name.into(), parent: None, bind: Mat3x4::IDENTITY }]).unwrap();
    let proportions = Proportions::new(&mannequin.skeleton);
    let error = |model: &Model, skeleton: &Skeleton| model.in_proportions_of(skeleton, &proportions).unwrap_err();
    assert_eq!(error(&mannequin, &lone("tail")), AddAnimationsError::NoCommonBones);
    assert_eq!(error(&Model::default(), &mannequin.skeleton), AddAnimationsError::NoAnimations);
    let mut far = mannequin.clone();
    far.frames[0] = Mat3x4::from_translation(Vec3::X * 3e38);
    let outcome = far.in_proportions_of(&long_legs(&mannequin, 3.0), &proportions);
    assert!(matches!(outcome, Err(AddAnimationsError::OutOfReach { .. })), "{outcome:?}");

    let file = std::fs::read("tests/data/examples/turret.mdl").unwrap();
    let turret = Model::load("turret.mdl", &file, |_| None).unwrap();
    let moves = fitted(&turret, &turret.skeleton);
    assert!(moves.animations.iter().all(|animation| !matches!(animation.source, AnimationSource::Evaluated { .. })));
    assert_eq!(moves.frames, turret.baked().frames);
}
