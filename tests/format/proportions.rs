//! Animations on bones of other lengths.

use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{
    AddAnimationsError, Animation, AnimationSource, Bone, BoneTransfer, FrameState, Proportions, Skeleton,
};
use skelobj::{Model, assets};

use crate::common::random::Random;

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

/// Returns a skeleton with the same joints, whose bones have other axes: rolled, and scaled or mirrored by a factor.
fn rolled(skeleton: &Skeleton, random: &mut Random, factors: &[f32]) -> Skeleton {
    let mut places: Vec<Mat3x4> = Vec::new();
    let bones = (0..skeleton.len()).map(|bone| {
        let factor = random.of(factors);
        let turn = random.turn(3.0).to_array();
        let axes = Mat3x4::from_translation_rotation_scale([0.0; 3], turn, [factor, factor.abs(), factor.abs()]);
        let place = skeleton.bind_model()[bone] * axes;
        places.push(place);
        let parent = skeleton.parent(bone);
        let bind = parent.map_or(place, |parent| places[parent].inverse().unwrap() * place);
        Bone { name: skeleton.names()[bone].clone(), parent, bind }
    });
    Skeleton::new(bones.collect()).unwrap()
}

/// Returns a skeleton without some bones, whose children hang on what was above them.
fn without(skeleton: &Skeleton, left_out: &[&str]) -> Skeleton {
    let is_left_out = |bone: &usize| left_out.contains(&skeleton.names()[*bone].to_string().as_str());
    let kept: Vec<usize> = (0..skeleton.len()).filter(|bone| !is_left_out(bone)).collect();
    let bones = kept.iter().map(|bone| {
        let above = std::iter::successors(skeleton.parent(*bone), |above| skeleton.parent(*above));
        let parent = above.into_iter().find(|above| !is_left_out(above));
        let place = skeleton.bind_model()[*bone];
        let bind = parent.map_or(place, |parent| skeleton.bind_model()[parent].inverse().unwrap() * place);
        let parent = parent.and_then(|parent| kept.iter().position(|bone| *bone == parent));
        Bone { name: skeleton.names()[*bone].clone(), parent, bind }
    });
    Skeleton::new(bones.collect()).unwrap()
}

/// Returns a choice for each bone.
fn in_proportion(skeleton: &Skeleton, choice: impl Fn(usize) -> BoneTransfer) -> Proportions {
    (0..skeleton.len()).fold(Proportions::new(skeleton), |all, bone| {
        all.with_bone(skeleton, &skeleton.names()[bone], choice(bone)).unwrap()
    })
}

/// Returns how far the joints of the second model are from those of the first that have their names, in all poses.
fn joints_apart(a: &Model, b: &Model) -> f32 {
    let (mut worst, mut poses) = (0f32, 0);
    for animation in 0..a.animations.len() {
        for pose in 0..a.animations[animation].pose_count() {
            poses += 1;
            let places = [a, b].map(|model| {
                let mut places = vec![Mat3x4::IDENTITY; model.skeleton.len()];
                let local = model.pose(&model.animations[animation], pose);
                skelobj::pose::to_model_space(model.skeleton.parents(), local, &mut places);
                places
            });
            for (bone, name) in b.skeleton.names().iter().enumerate() {
                let same = a.skeleton.find(name).unwrap();
                worst = worst.max(places[0][same].origin().distance(places[1][bone].origin()));
            }
        }
    }
    assert!(poses > 50);
    worst
}

#[test]
fn joints_move_alike_whatever_axes_the_bones_have() {
    let mannequin = assets::mannequin();
    let legs = long_legs(&mannequin, 1.5);
    let seed = 0x5eed_0004;
    let mut random = Random(seed);
    for round in 0..8 {
        for factors in [&[1.0][..], &[1.0, -1.0], &[0.5, 1.0, -2.0]] {
            let what = format!("seed {seed:#x}, round {round}, {factors:?}");
            // To and from bones with other axes.
            let other = rolled(&mannequin.skeleton, &mut random, factors);
            let there = fitted(&mannequin, &other);
            assert!(there.skeleton.bind_local() == other.bind_local(), "{what}");
            let off = joints_apart(&mannequin, &there);
            assert!(off < 0.01, "{what}: {off}");
            let back = fitted(&there, &mannequin.skeleton);
            let off = joints_apart(&mannequin, &back);
            assert!(off < 0.01, "{what}, and back: {off}");
            // On longer legs as without the other axes.
            let off =
                joints_apart(&fitted(&mannequin, &legs), &fitted(&mannequin, &rolled(&legs, &mut random, factors)));
            assert!(off < 0.01, "{what}, long legs: {off}");
            let all = in_proportion(&mannequin.skeleton, |bone| match bone % 3 {
                0 => BoneTransfer::Carried,
                _ => BoneTransfer::Scaled,
            });
            let moved = [legs.clone(), rolled(&legs, &mut random, factors)]
                .map(|skeleton| mannequin.in_proportions_of(&skeleton, &all).unwrap());
            let off = joints_apart(&moved[0], &moved[1]);
            assert!(off < 0.02, "{what}, in proportion: {off}");
        }
    }
}

#[test]
fn bones_in_between_may_be_missing_on_either_side() {
    let mannequin = assets::mannequin();
    let mut moves = mannequin.clone();
    // All of them turn, so that a bone that is left out matters.
    let seed = 0x5eed_0005;
    let mut random = Random(seed);
    for matrix in &mut moves.frames {
        *matrix = *matrix * Mat3x4::from_rotation_translation(random.turn(0.3), Vec3::ZERO);
    }
    let carried = |model: &Model, skeleton: &Skeleton| {
        // Below a bone that is left out, joints move.
        let proportions = in_proportion(&model.skeleton, |_| BoneTransfer::Scaled);
        let mut carried = Model { skeleton: skeleton.clone(), ..Model::default() };
        carried.add_animations(&model.in_proportions_of(skeleton, &proportions).unwrap()).unwrap();
        carried
    };
    for left_out in [&["chest"][..], &["spine", "neck"], &["pelvis"], &["clavicle_l", "shin_r"]] {
        let fewer = without(&mannequin.skeleton, left_out);
        for target in [fewer.clone(), rolled(&fewer, &mut random, &[1.0]), rolled(&fewer, &mut random, &[2.0, -1.0])] {
            // Without a bone, its children still follow it.
            let less = carried(&moves, &target);
            let off = joints_apart(&moves, &less);
            assert!(off < 0.02, "seed {seed:#x}, without {left_out:?}: {off}");
            // With one more, it keeps its bind pose below the bone above it.
            let more = carried(&less, &mannequin.skeleton);
            let off = joints_apart(&more, &less);
            assert!(off < 0.02, "seed {seed:#x}, with {left_out:?} again: {off}");
        }
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
