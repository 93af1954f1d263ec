//! Aiming: chains of bones that turn towards a target.

use std::f32::consts::PI;
use std::sync::Arc;

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, FrameState, Skeleton};
use skelobj::object::{Build, ObjectError, Space};
use skelobj::pose::{self, Aim, PosingError};
use skelobj::{SkeletalObject, assets};

use crate::common::random::Random;

/// Height of the bone that the tests of a single bone turn.
const HEIGHT: f32 = 64.0;

fn skeleton(bones: &[(Option<usize>, Mat3x4)]) -> Skeleton {
    let bone = |(number, (parent, bind)): (usize, &(Option<usize>, Mat3x4))| Bone {
        name: format!("bone{number}").as_str().into(),
        parent: *parent,
        bind: *bind,
    };
    Skeleton::new(bones.iter().enumerate().map(bone).collect()).unwrap()
}

fn head() -> (Aim, Mat3x4) {
    let bind = Mat3x4::from_translation(Vec3::Z * HEIGHT);
    (Aim::new(&skeleton(&[(None, bind)]), &[(0, 1.0)]).unwrap(), bind)
}

/// Returns the angle between two rotations, radians.
fn between(a: Quat, b: Quat) -> f32 {
    2.0 * (a.conjugate() * b).xyz().length().min(1.0).asin()
}

fn assert_near(found: Quat, [x, y, z, w]: [f32; 4]) {
    let wanted = Quat::from_xyzw(x, y, z, w);
    assert!((found - wanted).length() < 1e-4, "{found} is not {wanted}");
}

#[test]
fn rotations_equal_those_of_an_independent_runtime() {
    let (aim, bind) = head();
    assert_near(aim.rotation(&bind, Vec3::new(100.0, 60.0, 90.0)).unwrap(), [0.029220, -0.105488, 0.265330, 0.957924]);
    let turned = Quat::from_xyzw(0.0, 0.0, 0.258819, 0.965926);
    let bone = Mat3x4::from_rotation_translation(turned, Vec3::new(4.0, -2.0, 60.0));
    let aim = aim.with_offset(Vec3::new(5.0, 1.0, 3.0));
    let rotation = aim.rotation(&bone, Vec3::new(-50.0, 80.0, 20.0)).unwrap();
    assert_near(rotation, [-0.150616, 0.140680, 0.708776, 0.674655]);
}

#[test]
fn one_bone_points_at_targets_all_around() {
    let (aim, bind) = head();
    for yaw in -17..=17 {
        for pitch in -8..=8 {
            let turn = Quat::from_rotation_z(yaw as f32 * 0.175) * Quat::from_rotation_y(pitch as f32 * 0.17);
            let direction = turn * Vec3::X;
            if direction.angle_between(Vec3::X) > 175f32.to_radians() {
                continue;
            }
            let rotation = aim.rotation(&bind, bind.origin() + direction * 80.0).unwrap();
            assert!((rotation * Vec3::X).cross(direction).length() < 1e-4, "yaw {yaw}, pitch {pitch}");
            assert!((rotation * Vec3::X).dot(direction) > 0.0);
            if direction.z.abs() < 0.98 {
                // Upright: no part of the left axis points up.
                assert!((rotation * Vec3::Y).z.abs() < 1e-3, "yaw {yaw}, pitch {pitch}");
                assert!((rotation * Vec3::Z).z > 0.0);
            }
        }
    }
}

#[test]
fn a_chain_points_exactly_although_its_bones_move_the_last_one() {
    let mut object = assets::mannequin_object();
    let skeleton = object.model().skeleton.clone();
    let bones = |shares: &str| Aim::parse(&skeleton, shares).unwrap();
    for aim in [bones("spine 0.1, chest 0.2, neck 0.3, head 0.4"), bones("chest, head"), bones("spine 0, head")] {
        for target in [[60.0, 40.0, 80.0], [10.0, -60.0, 20.0], [-40.0, 50.0, 60.0], [30.0, 1.0, 140.0]] {
            let target = Vec3::from(target);
            object.set_local_pose(skeleton.bind_local()).unwrap();
            let missed = object.aim(&aim, target).unwrap();
            let head = object.model_space(12).unwrap();
            let angle = head.forward().angle_between(target - head.origin());
            assert!(missed < 1e-3 && angle < 1e-3, "{target}: {missed} {angle}");
            assert!(head.left().normalize().z.abs() < 1e-3, "{target} {}", head.left());
        }
    }
}

#[test]
fn bones_take_their_shares_of_the_turn() {
    let mut object = assets::mannequin_object();
    let skeleton = object.model().skeleton.clone();
    let aim = Aim::parse(&skeleton, "chest 0.25, head 0.75").unwrap();
    let yaw_of = |object: &SkeletalObject, bone: usize| {
        let turn = object.model_space(bone).unwrap().rotation() * skeleton.bind_model()[bone].rotation().conjugate();
        let forward = turn * Vec3::X;
        forward.y.atan2(forward.x)
    };
    object.turn(&aim, 0.0, 0.8).unwrap();
    assert!((yaw_of(&object, 10) - 0.2).abs() < 0.01, "{}", yaw_of(&object, 10));
    assert!((yaw_of(&object, 11) - 0.2).abs() < 0.01); // the neck, between them, turns along
    assert!((yaw_of(&object, 12) - 0.8).abs() < 1e-3);
    assert_eq!(yaw_of(&object, 0), 0.0);

    // Three bones: each takes its share of the whole.
    object.set_local_pose(skeleton.bind_local()).unwrap();
    object.turn(&Aim::parse(&skeleton, "chest 0.2, neck 0.3, head 0.5").unwrap(), 0.0, 0.4).unwrap();
    for (bone, yaw) in [(10, 0.08), (11, 0.2), (12, 0.4)] {
        assert!((yaw_of(&object, bone) - yaw).abs() < 2e-3, "bone {bone}: {}", yaw_of(&object, bone));
    }

    // No share: the bone stays as it is.
    object.set_local_pose(skeleton.bind_local()).unwrap();
    object.turn(&Aim::parse(&skeleton, "chest 0, head").unwrap(), 0.0, 0.8).unwrap();
    assert!(yaw_of(&object, 10).abs() < 1e-6);
    assert!((yaw_of(&object, 12) - 0.8).abs() < 1e-3);
}

#[test]
fn pitch_turns_down_and_yaw_to_the_left() {
    let (aim, bind) = head();
    let parents = [-1];
    for (pitch, yaw, direction) in [(0.5, 0.0, Vec3::NEG_Z), (0.0, 0.5, Vec3::Y), (-0.5, 0.0, Vec3::Z)] {
        let mut local = [bind];
        assert!(pose::turn(&parents, &mut local, &aim, pitch, yaw).unwrap() < 1e-6);
        assert!((local[0].forward().dot(direction) - 0.5f32.sin()).abs() < 1e-5);
    }
    // Three quarters of a turn to the left are a quarter to the right.
    let mut local = [bind];
    pose::turn(&parents, &mut local, &aim, 0.0, 1.5 * PI).unwrap();
    assert!((local[0].forward() - Vec3::NEG_Y).length() < 1e-5);
    // The axes are those of model space, whatever the bone's own are, even if it is mirrored.
    for mirror in [1.0, -1.0] {
        let lying = Mat3x4::from_rotation_translation(Quat::from_rotation_x(1.1), Vec3::ZERO)
            * Mat3x4::from_columns(Vec3::X, Vec3::Y * mirror, Vec3::Z, Vec3::ZERO);
        let mut local = [lying];
        pose::turn(&parents, &mut local, &aim, 0.0, 0.5).unwrap();
        assert!((local[0].forward() - Quat::from_rotation_z(0.5) * Vec3::X).length() < 1e-5);
        assert!((local[0].up() - Quat::from_rotation_z(0.5) * lying.up()).length() < 1e-5);
    }
}

#[test]
fn a_limit_stops_the_turn_and_the_rest_is_returned() {
    let (aim, bind) = head();
    let aim = aim.with_limit(0.6);
    let target = |yaw: f32| bind.origin() + Quat::from_rotation_z(yaw) * Vec3::X * 50.0;
    for (yaw, turned) in [(0.5, 0.5), (1.5, 0.6), (-2.0, -0.6)] {
        let mut local = [bind];
        let missed = pose::aim(&[-1], &mut local, &aim, target(yaw)).unwrap();
        let forward = local[0].forward();
        assert!((forward.y.atan2(forward.x) - turned).abs() < 1e-4);
        assert!((missed - (yaw - turned).abs()).abs() < 1e-4);
        let mut local = [bind];
        let left = pose::turn(&[-1], &mut local, &aim, 0.0, yaw).unwrap();
        let forward = local[0].forward();
        assert!((forward.y.atan2(forward.x) - turned).abs() < 1e-4);
        assert!((left - (yaw - turned).abs()).abs() < 1e-4);
    }
    // The limit of a chain is that of its last bone.
    let mut object = assets::mannequin_object();
    let chain = Aim::parse(&object.model().skeleton, "chest, head").unwrap().with_limit(0.6);
    object.aim(&chain, Vec3::new(0.0, 500.0, 56.0)).unwrap();
    let head = object.model_space(12).unwrap();
    assert!((head.forward().y.atan2(head.forward().x) - 0.6).abs() < 2e-3);
}

#[test]
fn a_weight_makes_a_part_of_the_turn_and_0_none() {
    let (aim, bind) = head();
    let target = bind.origin() + Vec3::Y * 50.0;
    let half = aim.clone().with_weight(0.5).rotation(&bind, target).unwrap();
    assert!(between(half, Quat::from_rotation_z(PI / 4.0)) < 1e-4);
    assert_eq!(aim.clone().with_weight(0.0).rotation(&bind, target).unwrap(), Quat::IDENTITY);
    let mut object = assets::mannequin_object();
    let before = object.pose().clone();
    let chain = Aim::parse(&object.model().skeleton, "chest, head").unwrap().with_weight(0.0);
    object.aim(&chain, target).unwrap();
    object.turn(&chain, 0.3, 0.4).unwrap();
    object.aim(&Aim::parse(&object.model().skeleton, "head").unwrap().with_weight(0.0), target).unwrap();
    for (now, then) in object.pose().bones().iter().zip(before.bones()) {
        assert_eq!(now.0.map(f32::to_bits), then.0.map(f32::to_bits));
    }
}

#[test]
fn straight_behind_the_weight_is_0() {
    let (aim, bind) = head();
    let behind = |degrees: f32| Quat::from_rotation_z(degrees.to_radians()) * Vec3::X * 50.0 + bind.origin();
    assert!(between(aim.rotation(&bind, behind(180.0)).unwrap(), Quat::IDENTITY) < 1e-2);
    assert!(between(aim.rotation(&bind, behind(174.9)).unwrap(), Quat::from_rotation_z(174.9f32.to_radians())) < 1e-3);
    let mut local = [bind];
    pose::turn(&[-1], &mut local, &aim, 0.0, PI).unwrap();
    assert!((local[0].forward() - Vec3::X).length() < 1e-3);
}

#[test]
fn aims_follow_a_target_without_a_jump() {
    let (aim, bind) = head();
    // The greatest step, radians, while a target goes around twice; straight behind is left out.
    let worst = |aim: &Aim, step: f32, at: &dyn Fn(f32) -> Vec3| {
        let mut worst = 0f32;
        let mut last: Option<Quat> = None;
        for number in 0..(4.0 * PI / step) as u32 {
            let direction = at(number as f32 * step);
            if direction.x < -0.996 {
                last = None;
                continue;
            }
            let rotation = aim.rotation(&bind, bind.origin() + direction * 80.0).unwrap();
            worst = worst.max(last.map_or(0.0, |last| between(last, rotation)));
            last = Some(rotation);
        }
        worst
    };
    // At the full weight, a target that comes near the pole is an exception.
    for (weight, limits) in [(0.1, [1.2, PI]), (0.5, [1.2, PI]), (0.8, [1.2, PI]), (1.0, [1.2, 0.5])] {
        for limit in limits {
            let aim = aim.clone().with_weight(weight).with_limit(limit);
            for number in 0..4 {
                let elevation = 0.02 + 0.4 * number as f32;
                let around = move |yaw: f32| Quat::from_rotation_z(yaw) * Quat::from_rotation_y(-elevation) * Vec3::X;
                let yaw = 0.9 * number as f32;
                let over = move |pitch: f32| Quat::from_rotation_z(yaw) * Quat::from_rotation_y(-pitch) * Vec3::X;
                for sweep in [&around as &dyn Fn(f32) -> Vec3, &over] {
                    // A jump would not shrink with the step.
                    let (coarse, fine) = (worst(&aim, 2e-3, sweep), worst(&aim, 2e-4, sweep));
                    assert!(fine < 0.02 && fine < coarse.max(1e-3) * 0.3, "{weight} {limit} {number}: {coarse} {fine}");
                }
            }
        }
    }
}

#[test]
fn the_bind_pose_tells_the_axes() {
    // The bone's own X axis points left, its Y axis down.
    let bind = Mat3x4::from_columns(Vec3::Y, Vec3::NEG_Z, Vec3::NEG_X, Vec3::Z * HEIGHT);
    let aim = Aim::new(&skeleton(&[(None, bind)]), &[(0, 1.0)]).unwrap();
    assert!(aim.axis.distance(Vec3::NEG_Z) < 1e-6 && aim.up.distance(Vec3::NEG_Y) < 1e-6);
    let target = bind.origin() + Vec3::new(30.0, 30.0, 10.0);
    let rotation = aim.rotation(&bind, target).unwrap();
    let turned = bind * Mat3x4::from_rotation_translation(rotation, Vec3::ZERO);
    assert!((-turned.up()).angle_between(target - bind.origin()) < 1e-3);
    assert!((-turned.left()).z > 0.9);
}

#[test]
fn scaled_and_mirrored_bones_point_at_their_target() {
    let (aim, _) = head();
    let target = Vec3::new(30.0, 50.0, 90.0);
    for [x, y, z] in [[2.5, 2.5, 2.5], [0.3, 1.0, 2.0], [1.0, -1.0, 1.0]] {
        let bone = Mat3x4::from_columns(Vec3::X * x, Vec3::Y * y, Vec3::Z * z, Vec3::Z * HEIGHT);
        let mut local = [bone];
        let missed = pose::aim(&[-1], &mut local, &aim, target).unwrap();
        assert!(missed < 1e-3);
        assert!(local[0].forward().angle_between(target - bone.origin()) < 1e-3);
        assert_eq!(local[0].origin(), bone.origin());
    }
}

#[test]
fn without_a_pole_no_roll_is_added() {
    let (aim, bind) = head();
    let aim = aim.with_pole(None);
    let target = bind.origin() + Vec3::new(10.0, 20.0, 30.0);
    let rotation = aim.rotation(&bind, target).unwrap();
    assert!(rotation.xyz().dot(Vec3::X).abs() < 1e-6); // the axis of the shortest arc is across the forward axis
    // Towards the pole, an aim with one rolls no more than this.
    let up = bind.origin() + Vec3::new(1e-4, 1e-5, 50.0);
    assert!(between(aim.rotation(&bind, up).unwrap(), head().0.rotation(&bind, up).unwrap()) < 1e-3);
}

#[test]
fn an_up_direction_along_the_axis_adds_no_roll() {
    let (aim, bind) = head();
    let target = bind.origin() + Vec3::new(10.0, 20.0, 30.0);
    let along = aim.clone().with_axis(Vec3::X, Vec3::X * 2.0).rotation(&bind, target).unwrap();
    assert!(between(along, aim.with_pole(None).rotation(&bind, target).unwrap()) < 1e-4);
}

#[test]
fn places_of_bones_keep_their_bits() {
    let mut object = assets::mannequin_object();
    let skeleton = object.model().skeleton.clone();
    let aim = Aim::parse(&skeleton, "spine, chest, neck, head").unwrap();
    object.aim(&aim, Vec3::new(-3.0, 44.0, 71.0)).unwrap();
    for (bone, before) in object.pose().bones().iter().zip(skeleton.bind_local()) {
        assert_eq!(bone.origin().to_array().map(f32::to_bits), before.origin().to_array().map(f32::to_bits));
    }
}

#[test]
fn what_cannot_be_aimed_is_refused_and_nothing_changes() {
    let (aim, bind) = head();
    let refused = |aim: &Aim, local: Mat3x4, target: Vec3| {
        let mut bones = [local];
        let error = pose::aim(&[-1], &mut bones, aim, target).unwrap_err();
        assert_eq!(bones[0].0.map(f32::to_bits), local.0.map(f32::to_bits));
        error
    };
    assert_eq!(refused(&aim, bind, bind.origin()), PosingError::TooNear { bone: 0 });
    let offset = aim.clone().with_offset(Vec3::Y * 5.0);
    assert_eq!(refused(&offset, bind, bind.origin() + Vec3::Y * 4.0), PosingError::TooNear { bone: 0 });
    assert_eq!(refused(&aim, Mat3x4::ZERO, Vec3::ONE), PosingError::Singular { bone: 0 });
    assert_eq!(refused(&aim, Mat3x4([f32::NAN; 12]), Vec3::ONE), PosingError::Singular { bone: 0 });
    let flat = Mat3x4::from_columns(Vec3::X, Vec3::Y, Vec3::X, Vec3::ZERO);
    assert_eq!(refused(&aim, flat, Vec3::ONE), PosingError::Singular { bone: 0 });
    for (name, aim, target) in [
        ("target", aim.clone(), Vec3::NAN),
        ("weight", aim.clone().with_weight(f32::NAN), Vec3::ONE),
        ("weight", aim.clone().with_weight(1.5), Vec3::ONE),
        ("limit", aim.clone().with_limit(-1.0), Vec3::ONE),
        ("limit", aim.clone().with_limit(f32::NAN), Vec3::ONE),
        ("axis", aim.clone().with_axis(Vec3::NAN, Vec3::Z), Vec3::ONE),
        ("axis", aim.clone().with_axis(Vec3::ZERO, Vec3::Z), Vec3::ONE),
        ("up", aim.clone().with_axis(Vec3::X, Vec3::INFINITY), Vec3::ONE),
        ("offset", aim.clone().with_offset(Vec3::NAN), Vec3::ONE),
        ("pole", aim.clone().with_pole(Some(Vec3::NAN)), Vec3::ONE),
    ] {
        let PosingError::OutOfRange(error) = refused(&aim, bind, target) else { panic!("{name}") };
        assert_eq!(error.name, name);
    }
    let far = refused(&aim, bind, Vec3::splat(1e20));
    assert!(matches!(far, PosingError::OutOfRange(error) if error.name == "target"));
    let huge = refused(&aim.clone().with_axis(Vec3::X * 1e20, Vec3::Z), bind, Vec3::ONE);
    assert!(matches!(huge, PosingError::OutOfRange(error) if error.name == "axis"));
    let lost = bind.with_origin(Vec3::NAN);
    assert_eq!(refused(&aim, lost, Vec3::ONE), PosingError::Singular { bone: 0 });
    let mut bones = [bind];
    let error = pose::turn(&[-1], &mut bones, &aim, f32::NAN, 0.0).unwrap_err();
    assert_eq!(error.to_string(), "pitch is NaN, expected a finite number");
    assert_eq!(pose::aim(&[], &mut [], &aim, Vec3::ONE), Err(PosingError::NoSuchBone { bone: 0 }));
}

#[test]
fn chains_are_checked_when_they_are_made_and_against_the_pose() {
    let model = assets::mannequin();
    let skeleton = &model.skeleton;
    assert_eq!(Aim::new(skeleton, &[]), Err(PosingError::NoBones));
    assert_eq!(Aim::parse(skeleton, " , "), Err(PosingError::NoBones));
    assert_eq!(Aim::new(skeleton, &[(21, 1.0)]), Err(PosingError::NoSuchBone { bone: 21 }));
    assert_eq!(Aim::new(skeleton, &[(12, 1.0), (12, 1.0)]), Err(PosingError::NotBelow { bone: 12, above: 12 }));
    assert_eq!(Aim::new(skeleton, &[(1, 1.0), (12, 1.0)]), Err(PosingError::NotBelow { bone: 12, above: 1 }));
    assert_eq!(Aim::new(skeleton, &[(0, 1.0); 17]), Err(PosingError::TooManyBones { most: 16 }));
    assert_eq!(Aim::parse(skeleton, "head,".repeat(17)), Err(PosingError::TooManyBones { most: 16 }));
    let unknown = PosingError::NoBoneNamed { name: "nose".into(), suggestion: None };
    assert_eq!(Aim::parse(skeleton, "chest, nose 0.5"), Err(unknown));
    for text in ["head much", "head 0.5 2", "chest 0.2 neck 0.3"] {
        assert!(matches!(Aim::parse(skeleton, text), Err(PosingError::BadEntry { .. })), "{text}");
    }
    for shares in [[1.0, -1.0], [f32::NAN, 1.0], [0.0, 0.0], [f32::INFINITY, 1.0]] {
        assert!(matches!(Aim::new(skeleton, &[(10, shares[0]), (12, shares[1])]), Err(PosingError::OutOfRange(_))));
    }
    assert!(matches!(Aim::parse(skeleton, "head 1.5"), Err(PosingError::OutOfRange(_))));
    // The pose of another skeleton.
    let aim = Aim::parse(skeleton, "chest, head").unwrap();
    let mut local = [Mat3x4::IDENTITY; 13];
    let error = pose::aim(&[-1; 13], &mut local, &aim, Vec3::ONE).unwrap_err();
    assert_eq!(error, PosingError::NotBelow { bone: 12, above: 10 });
    assert_eq!(local, [Mat3x4::IDENTITY; 13]);
}

#[test]
fn names_may_have_spaces_and_numbers() {
    let bones = [("bip head", None), ("bip head 2", Some(0))];
    let bones = bones.map(|(name, parent)| Bone { name: name.into(), parent, bind: Mat3x4::IDENTITY });
    let skeleton = Skeleton::new(bones.into()).unwrap();
    let parse = |text| Aim::parse(&skeleton, text).map(|aim| aim.bones().collect::<Vec<_>>());
    assert_eq!(parse("bip head 2"), Ok(vec![1]));
    assert_eq!(parse("bip head 0.5,bip head 2  0.5"), Ok(vec![0, 1]));
}

#[test]
fn objects_must_be_built_and_in_local_space() {
    let model = Arc::new(assets::mannequin());
    let aim = Aim::parse(&model.skeleton, "head").unwrap();
    let mut object = SkeletalObject::new(model.clone(), Space::Local);
    assert_eq!(object.aim(&aim, Vec3::ONE), Err(ObjectError::NotBuilt));
    assert!(!object.is_built());
    object.build(&model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
    let revision = object.revision();
    assert!(object.aim(&aim, Vec3::splat(f32::NAN)).is_err());
    assert_eq!(object.revision(), revision);
    assert!(object.aim(&aim, Vec3::new(50.0, 10.0, 60.0)).is_ok());
    assert_ne!(object.revision(), revision);
    object.set_model_space_pose(model.skeleton.bind_model()).unwrap();
    assert_eq!(object.aim(&aim, Vec3::ONE), Err(ObjectError::InModelSpace));
    assert_eq!(object.turn(&aim, 0.0, 0.1), Err(ObjectError::InModelSpace));
}

/// Returns a bone in model space.
fn in_model_space(parents: &[i32], local: &[Mat3x4], bone: usize) -> Mat3x4 {
    let mut all = vec![Mat3x4::IDENTITY; local.len()];
    pose::to_model_space(parents, local, &mut all);
    all[bone]
}

/// Returns a row of four bones, posed at random, and an aim of one to three of them; some have a scale or are mirrored,
/// or, if `skews`, a skew.
fn posed_row(random: &mut Random, skews: bool) -> (Vec<i32>, Vec<Mat3x4>, Aim) {
    let mut binds = vec![(None, Mat3x4::from_translation(random.direction() * 20.0))];
    binds.extend((0..3).map(|bone| (Some(bone), Mat3x4::from_translation(random.direction() * 6.0))));
    let skeleton = skeleton(&binds);
    let local = binds.iter().map(|(_, bind)| {
        let uniform = random.of(&[1.0, 1.0, 0.4, 2.5]);
        let scale = match random.below(4) {
            0 if skews => [0, 1, 2].map(|_| random.between(0.5, 2.0)),
            1 => [uniform, -uniform, uniform],
            _ => [uniform; 3],
        };
        let turn = Mat3x4::from_translation_rotation_scale([0.0; 3], random.turn(1.0).to_array(), scale);
        *bind * turn
    });
    let local = local.collect();
    let bones = [[(3, 1.0)].to_vec(), vec![(1, 1.0), (3, 2.0)], vec![(0, 0.3), (2, 0.0), (3, 0.7)]];
    let bones = &bones[random.below(3)];
    let axis = random.direction();
    let aim = Aim::new(&skeleton, bones).unwrap().with_axis(axis * random.between(0.5, 3.0), random.direction());
    let pole = random.of(&[None, Some(Vec3::Z), Some(Vec3::NEG_X)]);
    (skeleton.parents().to_vec(), local, aim.with_pole(pole))
}

#[test]
fn an_aim_tells_the_angle_that_it_misses_or_refuses_a_target_that_is_too_near() {
    let seed = 0x5eed_0006;
    let mut random = Random(seed);
    let (mut refused, mut hit) = (0, 0);
    for round in 0..6000 {
        let skews = round % 2 == 0;
        let (parents, mut local, aim) = posed_row(&mut random, skews);
        let offset = random.direction() * random.of(&[0.0, 3.0, 20.0]);
        let weight = random.of(&[1.0, 1.0, 0.5, 0.0]);
        let aim = aim.with_offset(offset).with_weight(weight).with_limit(random.of(&[PI, PI, 1.0]));
        let bone = in_model_space(&parents, &local, 3);
        let distance = random.of(&[2.0, 5.0, 19.0, 60.0, 200.0]);
        let target = bone.origin() + random.direction() * distance;
        let before = local.clone();
        let told = pose::aim(&parents, &mut local, &aim, target);
        let what = format!("seed {seed:#x}, round {round}: {told:?}");
        let Ok(told) = told else {
            assert_eq!(told, Err(PosingError::TooNear { bone: 3 }), "{what}");
            assert!(local == before, "{what}");
            refused += 1;
            continue;
        };
        let now = in_model_space(&parents, &local, 3);
        let way = target - now.transform_point(offset);
        let missed = now.transform_vector(aim.axis).angle_between(way);
        assert!((told - missed).abs() < 3e-3, "{what}, misses by {missed}");
        let is_behind = bone.transform_vector(aim.axis).angle_between(target - bone.origin()) > 2.5;
        let is_free = weight == 1.0 && aim.limit == PI && !is_behind && !skews && distance > 50.0;
        assert!(!is_free || told < 3e-3, "{what}");
        hit += u32::from(told < 3e-3 && offset != Vec3::ZERO);
    }
    assert!(refused > 500 && hit > 500, "{refused} {hit}");
}

#[test]
fn the_limit_is_that_of_the_axis_with_an_offset_and_without() {
    let seed = 0x5eed_0007;
    let mut random = Random(seed);
    let (mut held, mut hit) = (0, 0);
    for round in 0..6000 {
        let skews = round % 2 == 0;
        let (parents, local, aim) = posed_row(&mut random, skews);
        let offset = random.direction() * random.of(&[0.0, 3.0, 6.0]);
        let aim = aim.with_offset(offset);
        let bone = in_model_space(&parents, &local, 3);
        let target = bone.origin() + random.direction() * random.of(&[25.0, 60.0, 300.0]);
        let turn = |aim: &Aim| {
            let mut local = local.clone();
            let missed = pose::aim(&parents, &mut local, aim, target).ok()?;
            let now = in_model_space(&parents, &local, 3).transform_vector(aim.axis);
            Some((now.angle_between(bone.transform_vector(aim.axis)), missed))
        };
        let limit = random.of(&[0.0, 0.2, 1.0, 2.0]);
        let Some((whole, free)) = turn(&aim) else { continue };
        let Some((turned, missed)) = turn(&aim.clone().with_limit(limit)) else { continue };
        let what =
            format!("seed {seed:#x}, round {round}, {offset}: {turned} of {whole} with {limit}, missed {missed}");
        assert!(turned < limit + 3e-3, "{what}");
        // The bones of a chain end elsewhere with a limit.
        let is_alone = aim.bones().count() == 1;
        if whole < limit - 3e-3 && free < 3e-3 && is_alone {
            assert!(missed < 3e-3, "{what}");
            hit += 1;
        } else if whole > limit + 3e-3 && offset == Vec3::ZERO && free < 3e-3 && is_alone {
            assert!(turned > limit - 3e-3, "{what}");
            held += 1;
        }
        // A part of the turn stays within the limit, too.
        let Some((turned, _)) = turn(&aim.with_limit(limit).with_weight(random.between(0.0, 1.0))) else { continue };
        assert!(turned < limit + 3e-3, "{what}, in part {turned}");
    }
    assert!(held > 100 && hit > 200, "{held} {hit}");
}

#[test]
fn limited_aims_with_an_offset_follow_a_target_without_a_jump() {
    let model = assets::mannequin();
    let skeleton = &model.skeleton;
    let (parents, bone) = (skeleton.parents(), skeleton.find("head").unwrap());
    for text in ["head", "chest 0.2, neck 0.3, head 0.5"] {
        for (offset, limit) in [(Vec3::new(3.0, 0.0, 4.0), 1.0), (Vec3::new(2.0, 3.0, 1.0), 0.6), (Vec3::Y * 4.0, 1.3)]
        {
            let aim = Aim::parse(skeleton, text).unwrap().with_offset(offset).with_limit(limit);
            let place = skeleton.bind_model()[bone].origin();
            let worst = |elevation: f32, step: f32| {
                let turns = (0..(2.0 * PI / step) as u32).map(|number| number as f32 * step);
                let poses = turns.filter(|turn| (turn - PI).abs() > 0.15).map(|turn| {
                    let way = Quat::from_rotation_z(turn) * Quat::from_rotation_y(-elevation) * Vec3::X;
                    let mut local = skeleton.bind_local().to_vec();
                    pose::aim(parents, &mut local, &aim, place + way * 40.0).unwrap();
                    (turn, in_model_space(parents, &local, bone).rotation())
                });
                let poses: Vec<_> = poses.collect();
                let steps = poses.windows(2).filter(|pair| pair[1].0 - pair[0].0 < 1.5 * step);
                steps.map(|pair| between(pair[0].1, pair[1].1)).fold(0.0, f32::max)
            };
            for elevation in [0.1, 0.7, -0.5] {
                let (coarse, fine) = (worst(elevation, 1e-2), worst(elevation, 2e-3));
                assert!(fine < 0.02 && fine < coarse.max(5e-3) * 0.4, "{text} {offset} {elevation}: {coarse} {fine}");
            }
        }
    }
}
