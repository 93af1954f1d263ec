//! Reaching: limbs of two segments that bring their end to a target.

use std::f32::consts::PI;

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, FrameState, Skeleton};
use skelobj::pose::{self, EndRotation, LimbRotations, PoseSource, PosingError, Reach};
use skelobj::{SkeletalObject, assets};

use crate::common::random::Random;

const HIP: Vec3 = Vec3::new(0.0, 8.0, 40.0);
const KNEE: Vec3 = Vec3::new(2.0, 8.0, 21.0);
const FOOT: Vec3 = Vec3::new(0.0, 8.0, 2.0);

/// Returns a leg whose bones have these rotations in model space, and its matrices.
fn leg(rotations: [Quat; 2], [hip, knee, foot]: [Vec3; 3]) -> (Reach, [Mat3x4; 2], Vec<Mat3x4>, Vec3) {
    let hip = Mat3x4::from_rotation_translation(rotations[0], hip);
    let knee = Mat3x4::from_rotation_translation(rotations[1], knee);
    let local = vec![hip, hip.inverse().unwrap() * knee, knee.inverse().unwrap() * Mat3x4::from_translation(foot)];
    let bones = local.iter().enumerate().map(|(number, bind)| Bone {
        name: format!("bone{number}").as_str().into(),
        parent: number.checked_sub(1),
        bind: *bind,
    });
    let skeleton = Skeleton::new(bones.collect()).unwrap();
    (Reach::new(&skeleton, [0, 1, 2]).unwrap(), [hip, knee], local, foot)
}

fn standing() -> (Reach, [Mat3x4; 2], Vec<Mat3x4>, Vec3) {
    leg([Quat::IDENTITY; 2], [HIP, KNEE, FOOT])
}

/// Returns where a target takes knee and foot.
fn reached(reach: &Reach, local: &[Mat3x4], target: Vec3) -> ([Vec3; 2], f32) {
    let mut local = local.to_vec();
    let missed = pose::reach(&[-1, 0, 1], &mut local, reach, target).unwrap();
    let mut model = local.clone();
    pose::to_model_space(&[-1, 0, 1], &local, &mut model);
    ([model[1].origin(), model[2].origin()], missed)
}

fn assert_near(found: LimbRotations, start: [f32; 4], middle: [f32; 4]) {
    for (found, wanted) in [(found.start, start), (found.middle, middle)] {
        let [x, y, z, w] = wanted;
        let wanted = Quat::from_xyzw(x, y, z, w);
        assert!((found - wanted).length() < 1e-4, "{found} is not {wanted}");
    }
}

#[test]
fn rotations_equal_those_of_an_independent_runtime() {
    let (reach, [hip, knee], _, foot) = standing();
    let reach = reach.with_hinge(Some(Vec3::NEG_Y)).with_pole(Some(Vec3::X)).with_soften(1.0);
    let target = Vec3::new(6.0, 8.0, 10.0);
    let rotations = reach.rotations(&hip, &knee, foot, target).unwrap();
    assert_near(rotations, [0.0, -0.359226, 0.0, 0.933250], [0.0, 0.511975, 0.0, 0.859000]);
    let half = reach.clone().with_weight(0.5).rotations(&hip, &knee, foot, target).unwrap();
    assert_near(half, [0.0, -0.182688, 0.0, 0.983171], [0.0, 0.265518, 0.0, 0.964106]);
    assert!((half.missed - Vec3::new(3.505372, 8.0, 4.599174).distance(target)).abs() < 1e-3);

    let turned = Quat::from_xyzw(0.0, 0.0, 0.258819, 0.965926);
    let (reach, [hip, knee], _, foot) = leg([turned; 2], [HIP, Vec3::new(1.732051, 9.0, 21.0), FOOT]);
    let reach = reach.with_hinge(Some(Vec3::NEG_Y)).with_pole(Some(Vec3::new(0.866025, 0.5, 0.0)));
    let rotations = reach.with_soften(1.0).with_twist(0.35).rotations(&hip, &knee, foot, Vec3::new(5.0, 12.0, 14.0));
    let (start, middle) = ([-0.022583, -0.437512, -0.177836, 0.881163], [0.0, 0.636094, 0.0, 0.771612]);
    assert_near(rotations.unwrap(), start, middle);
}

#[test]
fn the_end_reaches_targets_all_around() {
    let (reach, _, local, _) = standing();
    for reach in
        [reach.clone(), reach.clone().with_pole(Some(Vec3::X)), reach.with_hinge(Some(Vec3::new(0.3, -1.0, 0.1)))]
    {
        for yaw in 0..12 {
            for pitch in -5..=5 {
                for distance in [6.0, 20.0, 36.0] {
                    let turn = Quat::from_rotation_z(yaw as f32 * 0.53) * Quat::from_rotation_y(pitch as f32 * 0.28);
                    let target = HIP + turn * Vec3::X * distance;
                    let ([_, foot], missed) = reached(&reach, &local, target);
                    assert!(foot.distance(target) < 2e-3 && missed < 2e-3, "{reach:?} {target} {foot} {missed}");
                }
            }
        }
    }
}

#[test]
fn a_hinge_that_is_not_across_the_limb_still_reaches() {
    let (reach, _, local, _) = standing();
    for degrees in [2.0f32, 5.0, 10.0, 25.0] {
        let hinge = Quat::from_rotation_x(degrees.to_radians()) * Vec3::NEG_Y;
        let target = HIP + Vec3::new(5.0, 3.0, -18.0);
        let (_, missed) = reached(&reach.clone().with_hinge(Some(hinge)), &local, target);
        assert!(missed < 1e-3, "{degrees}: {missed}");
    }
}

#[test]
fn near_its_full_reach_the_knee_does_not_snap() {
    let (reach, [hip, knee], local, foot) = standing();
    let length = HIP.distance(KNEE) + KNEE.distance(FOOT);
    let bend_at = |reach: &Reach, ratio: f32| {
        let target = HIP + Vec3::new(0.6, 0.0, -0.8) * (length * ratio);
        let rotations = reach.rotations(&hip, &knee, foot, target).unwrap();
        2.0 * rotations.middle.xyz().length().atan2(rotations.middle.w)
    };
    let greatest = |reach: &Reach| {
        let bends = (0..4000).map(|number| bend_at(reach, 0.8 + number as f32 * 1e-4));
        bends.clone().zip(bends.skip(1)).map(|(now, next)| (next - now).abs().to_degrees()).fold(0.0, f32::max)
    };
    assert!(greatest(&reach) < 0.1);
    assert!(greatest(&reach.clone().with_soften(1.0)) > 0.5);
    // The foot never passes its target, and comes ever nearer to the full length.
    let mut last = 0.0;
    for number in 0..4000 {
        let distance = length * (0.8 + number as f32 * 1e-4);
        let ([_, foot], missed) = reached(&reach, &local, HIP + Vec3::new(0.6, 0.0, -0.8) * distance);
        let far = HIP.distance(foot);
        assert!(far <= distance + 1e-3 && far <= length + 1e-3 && far >= last - 1e-3);
        assert!((missed - (distance - far)).abs() < 2e-3);
        last = far;
    }
    assert!(last > length * 0.97);
    // Below the part that is softened, it is exact.
    assert!(reached(&reach, &local, HIP - Vec3::Z * (length * 0.969)).1 < 1e-3);
}

#[test]
fn the_pole_tells_the_side_of_the_knee() {
    let (reach, _, local, _) = standing();
    let target = HIP - Vec3::Z * 25.0;
    for pole in [Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::new(-1.0, 1.0, 0.0)] {
        let ([knee, foot], _) = reached(&reach.clone().with_pole(Some(pole * 3.0)), &local, target);
        let side = (knee - HIP).reject_from(Vec3::Z);
        assert!(side.angle_between(pole) < 1e-2, "{pole}: {side}");
        assert!(foot.distance(target) < 1e-3);
    }
    // Without a pole, the knee stays in the plane in which it is bent.
    let ([knee, _], _) = reached(&reach, &local, target);
    assert!(knee.x > 5.0 && (knee.y - 8.0).abs() < 1e-3);
}

#[test]
fn targets_that_pass_beside_the_line_of_a_pole_turn_the_limb_smoothly() {
    let (reach, [hip, knee], _, foot) = standing();
    for pole in [Vec3::X, Vec3::NEG_X, Vec3::new(-1.0, 0.3, 0.2), Vec3::new(0.2, -1.0, -0.5)].map(Vec3::normalize) {
        let (across, up) = pole.any_orthonormal_pair();
        let reach = reach.clone().with_pole(Some(pole));
        for beside in [3.0, -3.0, 5.0, -5.0] {
            for (along, aside) in [(across, up), (up, across)] {
                let mut last: Option<Quat> = None;
                for step in -300..=300 {
                    let (sine, cosine) = (step as f32 * 0.1).to_radians().sin_cos();
                    let target = HIP + (pole * cosine + along * sine) * 30.0 + aside * beside;
                    let start = reach.rotations(&hip, &knee, foot, target).unwrap().start;
                    let turned = |last: Quat| 2.0 * (last.conjugate() * start).xyz().length().min(1.0).asin();
                    let turn = last.map_or(0.0, turned).to_degrees();
                    assert!(turn < 4.0, "{pole} {beside} {step}: {turn}");
                    last = Some(start);
                }
            }
        }
    }
}

#[test]
fn a_straight_limb_takes_its_bend_from_the_bind_pose_the_pole_or_the_hinge() {
    let (bent, _, _, _) = standing();
    let straight = [HIP, HIP - Vec3::Z * 19.0, HIP - Vec3::Z * 38.0];
    let (reach, _, local, _) = leg([Quat::IDENTITY; 2], straight);
    let target = HIP - Vec3::Z * 20.0;
    let refused = pose::reach(&[-1, 0, 1], &mut local.clone(), &reach, target);
    assert_eq!(refused, Err(PosingError::NoBend { bone: 1 }));
    for reach in [bent, reach.clone().with_pole(Some(Vec3::X)), reach.clone().with_hinge(Some(Vec3::NEG_Y))] {
        let ([knee, _], missed) = reached(&reach, &local, target);
        assert!(missed < 1e-3 && knee.x > 5.0, "{knee} {missed}");
    }
    let hinge = reach.with_hinge(Some(Vec3::ZERO));
    let refused = pose::reach(&[-1, 0, 1], &mut local.clone(), &hinge, target);
    assert_eq!(refused, Err(PosingError::NoBend { bone: 1 }));
}

#[test]
fn a_clearly_bent_pose_bends_further_even_against_its_bind_pose() {
    let (reach, _, _, _) = standing();
    let backwards = [HIP, HIP + Vec3::new(-2.0, 0.0, -19.0), HIP - Vec3::Z * 38.0];
    let (_, _, local, _) = leg([Quat::IDENTITY; 2], backwards);
    let ([knee, _], missed) = reached(&reach, &local, HIP - Vec3::Z * 25.0);
    assert!(missed < 1e-3 && knee.x < -5.0, "{knee}");
    // A bind pose that is bent by less than 6 degrees does not count.
    let straighter = [HIP, HIP + Vec3::new(-0.5, 0.0, -19.0), HIP - Vec3::Z * 38.0];
    let (reach, _, _, _) = leg([Quat::IDENTITY; 2], straighter);
    let (_, _, local, _) = leg([Quat::IDENTITY; 2], [HIP, HIP - Vec3::Z * 19.0, HIP - Vec3::Z * 38.0]);
    let refused = pose::reach(&[-1, 0, 1], &mut local.clone(), &reach, HIP - Vec3::Z * 20.0);
    assert_eq!(refused, Err(PosingError::NoBend { bone: 1 }));
}

#[test]
fn a_straight_limb_that_points_far_away_does_not_flicker() {
    let (reach, [hip, knee], _, foot) = standing();
    let length = HIP.distance(KNEE) + KNEE.distance(FOOT);
    for soften in [0.97, 1.0] {
        let reach = reach.clone().with_pole(Some(Vec3::X)).with_soften(soften);
        for distance in [1.001, 3.0, 6.0, 100.0] {
            let mut last: Option<Quat> = None;
            for step in 0..400 {
                let angle = step as f32 * 1e-3 - 0.2;
                let target = HIP + Vec3::new(0.2, angle.sin(), -angle.cos()) * (length * distance);
                let start = reach.rotations(&hip, &knee, foot, target).unwrap().start;
                let turned = |last: Quat| 2.0 * (last.conjugate() * start).xyz().length().min(1.0).asin();
                let turned = last.map_or(0.0, turned).to_degrees();
                assert!(turned < 0.5, "{soften} {distance} {step}: {turned}");
                last = Some(start);
            }
        }
    }
}

#[test]
fn bends_have_limits() {
    let (reach, _, local, _) = standing();
    let bend = |reach: &Reach, target: Vec3| {
        let ([knee, foot], missed) = reached(reach, &local, target);
        ((HIP - knee).angle_between(foot - knee), missed)
    };
    let limited = reach.with_bend([1.0, 2.0]);
    let (angle, missed) = bend(&limited, HIP - Vec3::Z * 4.0);
    assert!((angle - 1.0).abs() < 1e-3 && missed > 5.0);
    let (angle, missed) = bend(&limited, HIP - Vec3::Z * 37.0);
    assert!((angle - 2.0).abs() < 1e-3 && missed > 1.0);
    let (angle, missed) = bend(&limited, HIP - Vec3::Z * 25.0);
    assert!((1.0..2.0).contains(&angle) && missed < 1e-3);
}

#[test]
fn a_target_on_the_start_or_too_near_folds_the_limb() {
    let (reach, _, local, _) = leg([Quat::IDENTITY; 2], [HIP, KNEE, KNEE - Vec3::new(2.0, 0.0, 9.0)]);
    let refused = pose::reach(&[-1, 0, 1], &mut local.clone(), &reach, HIP);
    assert_eq!(refused, Err(PosingError::TooNear { bone: 0 }));
    // The segments have different lengths: what is nearer than their difference is missed.
    let (_, missed) = reached(&reach, &local, HIP - Vec3::Z * 2.0);
    let difference = HIP.distance(KNEE) - 85f32.sqrt();
    assert!((missed - (difference - 2.0)).abs() < 1e-3, "{missed}");
}

#[test]
fn a_scaled_limb_reaches_and_keeps_its_lengths() {
    let (reach, _, mut local, _) = standing();
    for scale in [0.5, 1.0, 3.0] {
        local[0] = Mat3x4::from_columns(Vec3::X * scale, Vec3::Y * scale, Vec3::Z * scale, HIP);
        let target = HIP + Vec3::new(8.0, 3.0, -20.0) * scale;
        let ([knee, foot], missed) = reached(&reach, &local, target);
        assert!(missed < 1e-3 * scale.max(1.0) && foot.distance(target) < 2e-3 * scale.max(1.0));
        assert!((knee.distance(HIP) - HIP.distance(KNEE) * scale).abs() < 1e-3);
    }
}

#[test]
fn bones_between_turn_along_and_places_keep_their_bits() {
    let mut object = assets::mannequin_object();
    let skeleton = object.model().skeleton.clone();
    // From the chest, over clavicle and upper arm, to the hand.
    let arm = Reach::parse(&skeleton, "clavicle_l, forearm_l, hand_l").unwrap();
    let target = Vec3::new(14.0, 12.0, 52.0);
    assert!(object.reach(&arm, target).unwrap() < 1e-3);
    assert!(object.model_space(16).unwrap().origin().distance(target) < 1e-3);
    let bones = object.pose().bones();
    for (bone, (now, before)) in bones.iter().zip(skeleton.bind_local()).enumerate() {
        assert_eq!(now.origin().to_array().map(f32::to_bits), before.origin().to_array().map(f32::to_bits));
        assert_eq!(now == before, ![13, 15].contains(&bone), "bone {bone}");
    }
}

#[test]
fn the_end_turns_with_the_limb_or_keeps_its_rotation() {
    let foot = 3;
    let skeleton = assets::mannequin().skeleton;
    let leg = Reach::parse(&skeleton, "thigh_l, shin_l, foot_l").unwrap().with_pole(Some(Vec3::X));
    let before = skeleton.bind_model()[foot];
    let after = |leg: &Reach| {
        let mut object = assets::mannequin_object();
        object.reach(leg, Vec3::new(12.0, 6.0, 14.0)).unwrap();
        object.model_space(foot).unwrap()
    };
    let turned = |bone: Mat3x4, turn: Quat| {
        bone.forward().distance(turn * before.forward()) + bone.up().distance(turn * before.up())
    };
    assert!(turned(after(&leg), Quat::IDENTITY) > 0.2);
    let kept = after(&leg.clone().with_end(EndRotation::Kept));
    assert!(turned(kept, Quat::IDENTITY) < 1e-4);
    assert!(kept.origin().distance(Vec3::new(12.0, 6.0, 14.0)) < 1e-3);
    let slope = Quat::from_rotation_y(-0.4);
    for slope in [slope, -slope] {
        assert!(turned(after(&leg.clone().with_end(EndRotation::KeptThen(slope))), slope) < 1e-4);
    }
    // A part of the correction turns by a part of the slope, whichever of its two quaternions is stated.
    let half = [slope, -slope].map(|slope| after(&leg.clone().with_weight(0.5).with_end(EndRotation::KeptThen(slope))));
    assert_eq!(half[0], half[1]);
}

#[test]
fn a_weight_of_0_changes_no_bit_and_returns_the_distance() {
    let mut object = assets::mannequin_object();
    let before = object.pose().clone();
    let foot = object.model_space(3).unwrap().origin();
    let leg = Reach::parse(&object.model().skeleton, "thigh_l, shin_l, foot_l").unwrap();
    let leg = leg.with_weight(0.0).with_end(EndRotation::Kept);
    let missed = object.reach(&leg, foot + Vec3::X * 3.0).unwrap();
    assert!((missed - 3.0).abs() < 1e-4);
    assert_eq!(object.pose(), &before);
}

#[test]
fn twist_turns_the_knee_about_the_line_to_the_target() {
    let (reach, _, local, _) = standing();
    let target = HIP - Vec3::Z * 25.0;
    let reach = reach.with_pole(Some(Vec3::X)).with_twist(0.5);
    let ([knee, foot], _) = reached(&reach, &local, target);
    assert!(foot.distance(target) < 1e-3);
    let side = (knee - HIP).reject_from(Vec3::Z);
    // About the line down to the target, seen from above to the right.
    assert!((side.y.atan2(side.x) + 0.5).abs() < 1e-3, "{side}");
}

#[test]
fn what_cannot_be_reached_for_is_refused_and_nothing_changes() {
    let (reach, _, local, _) = standing();
    let target = HIP - Vec3::Z * 20.0;
    let refused = |reach: &Reach, local: &[Mat3x4], target: Vec3| {
        let mut bones = local.to_vec();
        let error = pose::reach(&[-1, 0, 1], &mut bones, reach, target).unwrap_err();
        let bits = |bones: &[Mat3x4]| bones.iter().map(|bone| bone.0.map(f32::to_bits)).collect::<Vec<_>>();
        assert_eq!(bits(&bones), bits(local));
        error
    };
    let mut flat = local.clone();
    flat[0] = Mat3x4::ZERO;
    assert_eq!(refused(&reach, &flat, target), PosingError::Singular { bone: 0 });
    let mut flat = local.clone();
    flat[1] = Mat3x4::from_columns(Vec3::X, Vec3::X, Vec3::Z, flat[1].origin());
    assert_eq!(refused(&reach, &flat, target), PosingError::Singular { bone: 1 });
    let mut short = local.clone();
    short[1] = short[1].with_origin(Vec3::ZERO);
    assert_eq!(refused(&reach, &short, target), PosingError::NoLength { bone: 1 });
    let mut short = local.clone();
    short[2] = short[2].with_origin(Vec3::ZERO);
    assert_eq!(refused(&reach, &short, target), PosingError::NoLength { bone: 2 });
    for (name, reach, target) in [
        ("target", reach.clone(), Vec3::NAN),
        ("twist", reach.clone().with_twist(f32::INFINITY), target),
        ("hinge", reach.clone().with_hinge(Some(Vec3::NAN)), target),
        ("pole", reach.clone().with_pole(Some(Vec3::NAN)), target),
        ("weight", reach.clone().with_weight(-0.1), target),
        ("soften", reach.clone().with_soften(1.1), target),
        ("least bend", reach.clone().with_bend([-0.1, PI]), target),
        ("greatest bend", reach.clone().with_bend([2.0, 1.0]), target),
        (
            "rotation of the end",
            reach.clone().with_end(EndRotation::KeptThen(Quat::from_xyzw(0.0, 0.0, f32::NAN, 1.0))),
            target,
        ),
    ] {
        let PosingError::OutOfRange(error) = refused(&reach, &local, target) else { panic!("{name}") };
        assert_eq!(error.name, name);
    }
    let long = reach.clone().with_end(EndRotation::KeptThen(Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)));
    assert!(refused(&long, &local, target).to_string().contains("expected a quaternion of length 1"));
    let far = refused(&reach, &local, Vec3::splat(1e20));
    assert!(matches!(far, PosingError::OutOfRange(error) if error.name == "target"));
    assert_eq!(pose::reach(&[-1, 0], &mut local.clone(), &reach, target), Err(PosingError::NoSuchBone { bone: 2 }));
    let error = pose::reach(&[-1, -1, 1], &mut local.clone(), &reach, target).unwrap_err();
    assert_eq!(error, PosingError::NotBelow { bone: 1, above: 0 });
}

#[test]
fn limbs_are_three_bones_in_a_line() {
    let skeleton = assets::mannequin().skeleton;
    assert_eq!(Reach::new(&skeleton, [1, 2, 99]), Err(PosingError::NoSuchBone { bone: 99 }));
    assert_eq!(Reach::new(&skeleton, [3, 2, 1]), Err(PosingError::NotBelow { bone: 2, above: 3 }));
    assert_eq!(Reach::new(&skeleton, [1, 2, 16]), Err(PosingError::NotBelow { bone: 16, above: 2 }));
    assert_eq!(Reach::parse(&skeleton, "thigh_l, shin_l"), Err(PosingError::NotThreeBones { found: 2 }));
    assert_eq!(Reach::parse(&skeleton, "a, b, c, d"), Err(PosingError::NotThreeBones { found: 4 }));
    let unknown = PosingError::NoBoneNamed { name: "toes".into(), suggestion: None };
    assert_eq!(Reach::parse(&skeleton, "thigh_l, shin_l, toes"), Err(unknown));
}

#[test]
fn objects_in_model_space_are_refused() {
    let mut object: SkeletalObject = assets::mannequin_object();
    let model = object.model().clone();
    let leg = Reach::parse(&model.skeleton, "thigh_l, shin_l, foot_l").unwrap();
    object.set_model_space_pose(model.skeleton.bind_model()).unwrap();
    assert_eq!(object.reach(&leg, Vec3::ONE), Err(skelobj::object::ObjectError::InModelSpace));
}

#[test]
fn limbs_of_blended_and_skewed_poses_reach_as_those_of_stored_ones() {
    let model = assets::mannequin();
    let skeleton = &model.skeleton;
    let parents = skeleton.parents();
    let seed = 0x5eed_0003;
    let mut random = Random(seed);
    for names in ["thigh_l, shin_l, foot_l", "upperarm_r, forearm_r, hand_r", "thigh_r, shin_r, toe_r"] {
        let limb = Reach::parse(skeleton, names).unwrap().with_soften(1.0);
        let bones = limb.bones();
        for round in 0..1500 {
            let mut local = skeleton.bind_local().to_vec();
            let frame = FrameState::single(random.below(4), f64::from(random.between(0.0, 2.0)));
            pose::sample(PoseSource { model: &model, frame: &frame }, 0..skeleton.len(), &mut local);
            if round % 3 == 0 {
                let scale = [0, 1, 2].map(|_| random.between(0.9, 1.1));
                let skew = Mat3x4::from_translation_rotation_scale([0.0; 3], random.turn(3.0).to_array(), scale);
                let bone = bones[random.below(2)];
                local[bone] = local[bone] * skew;
            }
            let places = |local: &[Mat3x4]| {
                let mut all = vec![Mat3x4::IDENTITY; local.len()];
                pose::to_model_space(parents, local, &mut all);
                bones.map(|bone| all[bone].origin())
            };
            let [start, middle, end] = places(&local);
            let length = start.distance(middle) + middle.distance(end);
            let side = random.direction() * 0.6;
            // Near enough that a skewed limb, which is shorter on some sides, gets there.
            let share = random.between(0.35, if round % 3 == 0 { 0.75 } else { 0.94 });
            let target = start + ((end - start).normalize() + side).normalize() * length * share;
            let pole = random.of(&[None, Some(Vec3::X), Some(Vec3::Y)]);
            let twist = random.of(&[0.0, 0.4]);
            let before = local.clone();
            let missed = pose::reach(parents, &mut local, &limb.clone().with_pole(pole).with_twist(twist), target);
            let what = format!("seed {seed:#x}, {names}, round {round}");
            let Ok(missed) = missed else { panic!("{what}: {missed:?}") };
            let off = places(&local)[2].distance(target);
            assert!(off < 1e-4 * length, "{what}: {off} of {length}");
            assert!((off - missed).abs() < 1e-4 * length, "{what}: {off}, told {missed}");
            assert!(bones.iter().all(|bone| local[*bone].origin() == before[*bone].origin()), "{what}");
        }
    }
}
