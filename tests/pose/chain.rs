//! Chains of bones that reach a target.

use crate::common::random::Random;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Bone, Skeleton};
use skelobj::pose::{self, Chain, PosingError};

/// Returns a straight tail of bones along X, 10 units apart, whose root is turned and away from the origin.
fn tail(count: usize) -> Skeleton {
    let bone = |number: usize| {
        let parent = number.checked_sub(1);
        let bind = match parent {
            None => Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.7), Vec3::new(5.0, 0.0, 40.0)),
            Some(_) => Mat3x4::from_translation(Vec3::X * 10.0),
        };
        Bone { name: format!("tail{number}").as_str().into(), parent, bind }
    };
    Skeleton::new((0..count).map(bone).collect()).unwrap()
}

fn ends(skeleton: &Skeleton, local: &[Mat3x4]) -> Vec3 {
    let mut model = vec![Mat3x4::ZERO; local.len()];
    pose::to_model_space(skeleton.parents(), local, &mut model);
    model.last().unwrap().origin()
}

#[test]
fn the_end_reaches_targets_on_all_sides_and_no_bone_is_stretched() {
    let skeleton = tail(7);
    let chain = Chain::parse(&skeleton, "tail0, tail6").unwrap().with_sweeps(64);
    let root = skeleton.bind_model()[0].origin();
    let mut exact = 0;
    for number in 0..60 {
        let angle = number as f32 * 2.4;
        let height = number as f32 / 30.0 - 1.0;
        let flat = (1.0 - height * height).max(0.0).sqrt();
        let direction = Vec3::new(flat * angle.cos(), flat * angle.sin(), height);
        let target = root + direction * (20.0 + (number % 7) as f32 * 5.0);
        let mut local = skeleton.bind_local().to_vec();
        let missed = pose::reach_chain(skeleton.parents(), &mut local, &chain, target).unwrap();
        assert!(missed <= 0.6, "{target}: {missed}, more than a hundredth of the length");
        exact += usize::from(missed <= 0.01);
        assert!((ends(&skeleton, &local).distance(target) - missed).abs() < 1e-4);
        for (bone, before) in local.iter().zip(skeleton.bind_local()) {
            assert_eq!(bone.origin(), before.origin());
            assert!((bone.forward().length() - 1.0).abs() < 1e-4);
        }
    }
    assert!(exact >= 50, "{exact} of 60");
}

#[test]
fn a_target_out_of_reach_is_pointed_at_and_what_is_missed_is_returned() {
    for (count, curl) in [(2, 0.0), (4, 0.0), (6, 0.3), (12, 0.15), (20, 0.1)] {
        let (skeleton, chain) = curled(count, Quat::from_rotation_z(curl));
        let length = 5.0 * count as f32;
        for target in [Vec3::Z, Vec3::NEG_X, Vec3::new(0.6, 0.8, 0.0), Vec3::new(-0.36, 0.48, -0.8)] {
            let mut local = skeleton.bind_local().to_vec();
            let missed = pose::reach_chain(skeleton.parents(), &mut local, &chain, target * (2.0 * length)).unwrap();
            assert!((missed - length).abs() < 0.01 * length, "{count} bones towards {target}: {missed}");
            let end = ends(&skeleton, &local);
            assert!(end.distance(target * length) < 0.01 * length, "{count} bones towards {target}: {end}");
        }
    }
}

#[test]
fn a_straight_chain_bends_for_a_target_on_its_line() {
    let skeleton = tail(5);
    let chain = Chain::parse(&skeleton, "tail0, tail4").unwrap().with_sweeps(64);
    let root = skeleton.bind_model()[0];
    for (along, bends) in [(0.5, true), (-0.4, true), (1.0, false)] {
        let target = root.transform_point(Vec3::X * 40.0 * along);
        let mut local = skeleton.bind_local().to_vec();
        let missed = pose::reach_chain(skeleton.parents(), &mut local, &chain, target).unwrap();
        assert!(missed < 0.02, "{along}: {missed}");
        assert_eq!(local != skeleton.bind_local(), bends);
    }
}

#[test]
fn a_folded_chain_unfolds_for_a_target_on_its_line() {
    let skeleton = tail(4);
    let chain = Chain::parse(&skeleton, "tail0, tail3").unwrap().with_sweeps(64);
    let fold = Mat3x4::from_rotation_translation(Quat::from_rotation_z(std::f32::consts::PI), Vec3::X * 10.0);
    let root = skeleton.bind_model()[0];
    for along in [15.0, 5.0, -12.0, 25.0] {
        let mut local = skeleton.bind_local().to_vec();
        (local[1], local[2]) = (fold, fold);
        let target = root.transform_point(Vec3::X * along);
        let missed = pose::reach_chain(skeleton.parents(), &mut local, &chain, target).unwrap();
        assert!(missed < 0.02, "{along}: {missed}");
    }
}

#[test]
fn a_part_of_the_way_is_gone_and_none_keeps_the_bits() {
    let skeleton = tail(6);
    let chain = Chain::parse(&skeleton, "tail1, tail5").unwrap().with_sweeps(64);
    let target = Vec3::new(10.0, 20.0, 60.0);
    let mut local = skeleton.bind_local().to_vec();
    let before = ends(&skeleton, &local);
    let missed = pose::reach_chain(skeleton.parents(), &mut local, &chain.clone().with_weight(0.25), target).unwrap();
    assert!((missed - before.distance(target) * 0.75).abs() < 0.05, "{missed}");
    assert_eq!(local[0], skeleton.bind_local()[0], "a bone above the chain");
    let mut local = skeleton.bind_local().to_vec();
    pose::reach_chain(skeleton.parents(), &mut local, &chain.with_weight(0.0), target).unwrap();
    assert_eq!(local, skeleton.bind_local());
}

#[test]
fn mirrored_and_scaled_bones_reach_too() {
    let skeleton = tail(6);
    let chain = Chain::parse(&skeleton, "tail0, tail5").unwrap().with_sweeps(64);
    let mut local = skeleton.bind_local().to_vec();
    local[0] =
        local[0] * Mat3x4::from_translation_rotation_scale([0.0; 3], Quat::IDENTITY.to_array(), [2.0, -2.0, 2.0]);
    let target = local[0].origin() + Vec3::new(10.0, 40.0, 30.0);
    assert!(pose::reach_chain(skeleton.parents(), &mut local, &chain, target).unwrap() <= 0.01);
}

#[test]
fn the_sweeps_end_at_the_tolerance_and_at_their_number() {
    let (skeleton, chain) = curled(8, Quat::from_rotation_z(0.1));
    let target = Vec3::new(17.0, 21.0, 7.0);
    let reached = |chain: Chain| {
        let mut local = skeleton.bind_local().to_vec();
        pose::reach_chain(skeleton.parents(), &mut local, &chain, target).unwrap()
    };
    assert!(reached(chain.clone()) <= 0.01);
    let coarse = reached(chain.clone().with_tolerance(0.5));
    assert!(coarse > 0.01 && coarse <= 0.5, "{coarse}");
    assert!(reached(chain.clone().with_sweeps(1)) > reached(chain.clone().with_sweeps(3)));
    let before = ends(&skeleton, skeleton.bind_local()).distance(target);
    assert_eq!(reached(chain.with_sweeps(0)), before);
}

#[test]
fn what_cannot_be_done_is_named_and_changes_nothing() {
    let skeleton = tail(5);
    let parse = |text| Chain::parse(&skeleton, text).unwrap_err();
    assert_eq!(parse("tail0"), PosingError::NotTwoBones { found: 1 });
    assert_eq!(parse("tail0, tail1, tail2"), PosingError::NotTwoBones { found: 3 });
    assert_eq!(parse("tail0, nose"), PosingError::NoBoneNamed { name: "nose".into(), suggestion: None });
    assert_eq!(parse("tail3, tail1"), PosingError::NotBelow { bone: 1, above: 3 });
    assert_eq!(parse("tail3, tail3"), PosingError::NotBelow { bone: 3, above: 3 });
    assert_eq!(Chain::new(&skeleton, 0, 9), Err(PosingError::NoSuchBone { bone: 9 }));
    let long = tail(40);
    assert_eq!(Chain::new(&long, 0, 39), Err(PosingError::TooManyBones { most: 32 }));
    assert!(Chain::new(&long, 7, 39).is_ok());

    let chain = Chain::new(&skeleton, 0, 4).unwrap();
    let target = Vec3::new(1.0, 2.0, 60.0);
    let refused = |chain: &Chain, target: Vec3, change: &dyn Fn(&mut Vec<Mat3x4>)| {
        let mut local = skeleton.bind_local().to_vec();
        change(&mut local);
        let before = local.clone();
        let error = pose::reach_chain(skeleton.parents(), &mut local, chain, target).unwrap_err();
        assert_eq!(format!("{before:?}"), format!("{local:?}"));
        error
    };
    let name = |error| match error {
        PosingError::OutOfRange(error) => error.name,
        other => panic!("{other}"),
    };
    for bad in [f32::NAN, f32::INFINITY, 1e38] {
        assert_eq!(name(refused(&chain, Vec3::new(0.0, bad, 0.0), &|_| {})), "target");
    }
    assert_eq!(name(refused(&chain.clone().with_weight(1.5), target, &|_| {})), "weight");
    assert_eq!(name(refused(&chain.clone().with_tolerance(f32::NAN), target, &|_| {})), "tolerance");
    assert_eq!(name(refused(&chain.clone().with_sweeps(65), target, &|_| {})), "sweeps");
    let flat = |local: &mut Vec<Mat3x4>| local[2] = Mat3x4::ZERO.with_origin(Vec3::X * 10.0);
    assert!(matches!(refused(&chain, target, &flat), PosingError::Singular { .. }));
    let short = |local: &mut Vec<Mat3x4>| local.truncate(3);
    assert_eq!(refused(&chain, target, &short), PosingError::NoSuchBone { bone: 4 });
}

/// Returns a chain of bones of 5 units, each turned against the one above it.
fn curled(count: usize, turn: Quat) -> (Skeleton, Chain) {
    let bone = |number: usize| {
        let parent = number.checked_sub(1);
        let bind = match parent {
            None => Mat3x4::IDENTITY,
            Some(_) => Mat3x4::from_rotation_translation(turn, Vec3::X * 5.0),
        };
        Bone { name: format!("bone{number}").as_str().into(), parent, bind }
    };
    let skeleton = Skeleton::new((0..=count).map(bone).collect()).unwrap();
    let chain = Chain::new(&skeleton, 0, count).unwrap();
    (skeleton, chain)
}

#[test]
fn targets_within_reach_are_reached() {
    let mut random = Random::seeded(9);
    for count in [3, 6, 12] {
        for turn in
            [Quat::IDENTITY, Quat::from_rotation_z(0.5), Quat::from_rotation_z(0.15) * Quat::from_rotation_y(0.1)]
        {
            let (skeleton, chain) = curled(count, turn);
            let length = 5.0 * count as f32;
            let (mut near, mut tried) = (0, 0);
            while tried < 200 {
                let place = Vec3::from_array([(); 3].map(|()| random.between(-1.0, 1.0)));
                if !(0.05..=0.95).contains(&place.length()) {
                    continue;
                }
                let mut local = skeleton.bind_local().to_vec();
                let target = place * length;
                let told = pose::reach_chain(skeleton.parents(), &mut local, &chain, target).unwrap();
                let missed = ends(&skeleton, &local).distance(target);
                assert!(
                    (told - missed).abs() < 1e-3 && missed < 0.01 * length,
                    "seed 9, {count} {turn}: {target} {missed}"
                );
                near += usize::from(missed < 0.0105);
                tried += 1;
            }
            assert!(near >= 190, "seed 9, {count} {turn}: {near}");
        }
    }
}

#[test]
fn a_target_that_moves_along_does_not_make_bones_jump() {
    let curl = Quat::from_rotation_z(0.15) * Quat::from_rotation_y(0.1);
    // On the line of a straight chain, no side is better than another.
    for (turn, first, most) in [(curl, 0, 1), (Quat::IDENTITY, 30, 4)] {
        for count in [3, 6, 12] {
            let (skeleton, chain) = curled(count, turn);
            let (mut before, mut jumps) = (None::<Vec<Mat3x4>>, 0);
            for step in first..first + 1885 {
                // Half a circle, and to and fro beyond reach: steps of 0.001 of the length.
                let (sine, cosine) = (step as f32 / 600.0).sin_cos();
                let far = if step < 900 { 0.6 } else { 0.6 + 0.5 * ((step - 900) as f32 / 500.0).sin().abs() };
                let target = Vec3::new(cosine, sine, 0.0) * (far * 5.0 * count as f32);
                let mut local = skeleton.bind_local().to_vec();
                pose::reach_chain(skeleton.parents(), &mut local, &chain, target).unwrap();
                if let Some(before) = &before {
                    let turned = (0..count).map(|bone| local[bone].rotation().angle_between(before[bone].rotation()));
                    jumps += usize::from(turned.fold(0f32, f32::max).to_degrees() > 10.0);
                }
                before = Some(local);
            }
            assert!(jumps <= most, "{count} bones, {turn}: {jumps}");
        }
    }
}
