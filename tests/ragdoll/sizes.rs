//! Dolls of all sizes fall like the mannequin.

use std::sync::Arc;

use crate::common::stage::{Rig, bind_pose, built};
use skelobj::doll::Doll;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::physics::PhysicsSettings;
use skelobj::ragdoll::{DollCheck, DropReport};
use skelobj::{DropTest, Model, Physics, assets};

/// Height of the mannequin, units.
const HEIGHT: f32 = 64.0;

/// First seed of the falls.
const FIRST_SEED: u64 = 2_000_000;

/// Returns the mannequin's file with all lengths multiplied.
fn scaled_file(scale: f32) -> Vec<u8> {
    let mut file = assets::MANNEQUIN_IQM.to_vec();
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let header = |number: usize| word(16 + 4 * number);
    let [arrays, vertices, first_array] = [7, 8, 9].map(header);
    let [joints, first_joint, poses, first_pose] = [13, 14, 15, 16].map(header);
    let [frames, first_bounds] = [19, 22].map(header);
    let mut lengths = Vec::new();
    let positions = (0..arrays).map(|array| first_array + array * 20).filter(|array| word(*array) == 0);
    lengths.extend(positions.flat_map(|array| (0..vertices * 3).map(move |number| (array, number))));
    let mut lengths: Vec<usize> = lengths.into_iter().map(|(array, number)| word(array + 16) + number * 4).collect();
    let mut add = |first: usize, count: usize| lengths.extend((0..count).map(|number| first + number * 4));
    (0..joints).for_each(|joint| add(first_joint + joint * 48 + 8, 3));
    // Offsets and factors of the channels of translation.
    (0..poses).for_each(|pose| [8, 48].into_iter().for_each(|at| add(first_pose + pose * 88 + at, 3)));
    if first_bounds > 0 {
        add(first_bounds, frames * 8);
    }
    for at in lengths {
        let length = f32::from_le_bytes(file[at..at + 4].try_into().unwrap()) * scale;
        file[at..at + 4].copy_from_slice(&length.to_le_bytes());
    }
    file
}

/// Returns the fall of a mannequin that is larger by a factor, in a world that is larger by another.
fn scaled(scale: f32, world: f32) -> DropTest {
    let model = Model::load("mannequin.iqm", &scaled_file(scale), |_| None).unwrap();
    let mut doll = Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll;
    for body in &mut doll.bodies {
        body.size = body.size.map(|size| size * scale);
        body.mass *= scale.powi(3);
        body.offset.iter_mut().for_each(|offset| offset.position *= scale);
    }
    for joint in &mut doll.joints {
        joint.offset *= scale;
        // Weights grow with the masses and with gravity, and pull at longer arms.
        joint.fmax = joint.fmax.map(|torque| torque * scale.powi(4) * world);
        joint.muscle *= scale.powi(4) * world;
    }
    let mut test = DropTest::new(Arc::new(model), Arc::new(doll));
    test.physics = PhysicsSettings::default().scaled(world);
    test
}

/// Returns falls of a mannequin that is larger by a factor, in a world that is larger by another.
fn falls(scale: f32, world: f32, count: u64) -> Vec<DropReport> {
    let mut test = scaled(scale, world);
    test.seconds = 30.0;
    let fall = |seed| {
        let mut test = test.clone().with_seed(seed);
        test.height = DropTest::SEEDED_HEIGHT * scale;
        test.run().unwrap()
    };
    (FIRST_SEED..FIRST_SEED + count).map(fall).collect()
}

/// Number of falls of each size.
fn count() -> u64 {
    std::env::var("SKELOBJ_SIZES").map_or(10, |count| count.parse().unwrap())
}

/// Returns `true` if a box that moves at a speed, units/s, in a world that is larger by a factor has a velocity, with
/// which it would push what it meets.
fn pushes(speed: f32, world: f32) -> bool {
    let mut physics = Physics::new(PhysicsSettings::default().scaled(world)).unwrap();
    let size = Vec3::splat(16.0 * world);
    let door = physics.add_entity_box(-size, size, Vec3::ZERO).unwrap();
    physics.set_level_body_target(door, Vec3::X * (speed / 60.0), Quat::IDENTITY).unwrap();
    physics.advance(1.0 / 60.0, |_, _| ()).unwrap();
    physics.world().bodies.iter().any(|(_, body)| body.linvel().length() > 1.0)
}

#[test]
fn boxes_push_up_to_a_speed_that_follows_the_length_unit() {
    assert!(pushes(9e4, 1.0) && !pushes(1.1e5, 1.0));
    assert!(pushes(3.6e5, 4.0) && !pushes(4.4e5, 4.0));
    assert!(pushes(9e3, 0.1) && !pushes(1.1e4, 0.1));
}

/// Measurements of falls of a size, in lengths of the mannequin, each sorted.
struct Falls {
    rest: Vec<f32>,
    gap: Vec<f32>,
    excess: Vec<f32>,
}

impl Falls {
    fn new(scale: f32, reports: &[DropReport]) -> Self {
        let sorted = |value: &dyn Fn(&DropReport) -> f32| {
            let mut values: Vec<f32> = reports.iter().map(value).collect();
            values.sort_by(f32::total_cmp);
            values
        };
        Self {
            rest: sorted(&|report| report.asleep_after.unwrap_or(f32::INFINITY)),
            gap: sorted(&|report| report.max_gap_resting / scale),
            excess: sorted(&|report| report.max_stop_excess),
        }
    }
}

fn quantile(sorted: &[f32], share: f32) -> f32 {
    sorted[((sorted.len() as f32 * share) as usize).min(sorted.len() - 1)]
}

#[test]
fn a_fall_that_is_larger_by_a_power_of_two_has_the_same_bits() {
    let falls = |scale: f32| falls(scale, scale, 2).into_iter();
    for (large, usual) in falls(64.0).zip(falls(1.0)) {
        assert_eq!(large.asleep_after, usual.asleep_after);
        assert_eq!(large.max_stop_excess, usual.max_stop_excess);
        let lengths = |report: &DropReport| [report.max_gap_falling, report.max_gap_resting, report.lowest_z];
        assert_eq!(lengths(&large), lengths(&usual).map(|length| length * 64.0));
    }
}

#[test]
fn mannequins_of_all_sizes_fall_alike_in_worlds_of_their_size() {
    let usual = Falls::new(1.0, &falls(1.0, 1.0, count()));
    // The greatest of a few falls says little.
    let is_few = count() < 100;
    for scale in [0.02, 0.1, 10.0, 60.0] {
        let reports = falls(scale, scale, count());
        assert!(reports.iter().all(|report| report.asleep_after.is_some() && report.non_finite == 0), "{scale}");
        let found = Falls::new(scale, &reports);
        for (found, usual) in [(&found.rest, &usual.rest), (&found.gap, &usual.gap), (&found.excess, &usual.excess)] {
            let off = |share: f32| (quantile(found, share) / quantile(usual, share) - 1.0).abs();
            assert!(off(0.5) <= if is_few { 0.3 } else { 0.1 }, "{scale}: {found:?}, and {usual:?}");
            assert!(is_few || off(0.95) <= 0.25, "{scale}: {found:?}, and {usual:?}");
        }
    }
}

#[test]
fn mannequins_of_all_sizes_come_to_rest_in_one_piece_in_the_default_world() {
    // Of a hundred mannequins of 1.3 units, one has a gap of 1.6 %.
    for (scale, most) in [(0.02, 0.02), (0.1, 0.01), (10.0, 0.01), (60.0, 0.01)] {
        for (seed, report) in (FIRST_SEED..).zip(falls(scale, 1.0, if count() < 100 { 3 } else { count() })) {
            assert!(report.asleep_after.is_some(), "{scale}, seed {seed}");
            assert!(report.max_gap_resting < most * HEIGHT * scale, "{scale}, seed {seed}: {}", report.max_gap_resting);
            assert!(report.lowest_z > -0.06 * HEIGHT * scale, "{scale}, seed {seed}: {}", report.lowest_z);
            assert!(!report.left_level && report.non_finite == 0, "{scale}, seed {seed}");
        }
    }
}

#[test]
fn dolls_in_other_units_are_dropped_in_worlds_of_their_size() {
    let settings = |scale: f32| {
        let test = scaled(scale, 1.0);
        DropTest::usual_physics(&test.doll, &test.model)
    };
    assert_eq!([0.25, 1.0, 4.0].map(settings), [PhysicsSettings::default(); 3]);
    assert_eq!(settings(1.0 / 32.0), PhysicsSettings::default().scaled(1.0 / 32.0));
    assert_eq!(settings(60.0), PhysicsSettings::default().scaled(64.0));
    let test = scaled(1.0 / 32.0, 1.0).with_seed(1);
    assert_eq!(test.height, DropTest::SEEDED_HEIGHT / 32.0);
}

#[test]
fn limits_of_a_check_follow_the_size_of_the_doll() {
    for scale in [1.0 / 32.0, 32.0] {
        let test = scaled(scale, scale);
        let problems = |max_gap: f32| {
            let mut check = DollCheck::default();
            (check.drops, check.max_gap) = (3, max_gap);
            check.run(&test.doll.to_text(), &test.model).problems
        };
        // Gaps at rest are about a hundredth of a unit of the mannequin.
        assert_eq!(problems(0.1), [], "{scale}");
        let problems = problems(1e-3);
        let gap = problems.iter().find(|problem| problem.code() == "drop-gap").unwrap().message();
        let shown: f32 = gap.split_once("apart by ").unwrap().1.split(' ').next().unwrap().parse().unwrap();
        assert!(shown > 1e-3 * scale && shown < 0.1 * scale, "{scale}: {gap}");
    }
}

/// A person of 1.8 units whose masses are in kilograms, and a giant whose masses are the mannequin's: masses that the
/// mannequin may have mean the same in dolls of every size.
#[test]
fn masses_of_usual_numbers_keep_their_ratio_at_any_size() {
    for scale in [1.0 / 32.0, 32.0] {
        let test = scaled(scale, 1.0);
        let mut doll = (*test.doll).clone();
        for (number, body) in doll.bodies.iter_mut().enumerate() {
            body.mass = if number == 0 { 15.0 } else { 4.0 };
        }
        let settings = PhysicsSettings::default();
        let mut rig = Rig::new(bind_pose(&test.model), &Arc::new(doll), Mat3x4::IDENTITY, settings);
        let states = rig.bodies();
        let [heavy, light] = [0, 1].map(|body| built(rig.physics_mut(), &states[body]).mass());
        assert!((heavy / light - 15.0 / 4.0).abs() < 1e-3, "{scale}: {heavy} and {light}");
    }
}
