//! Dolls dropped on a floor: they come to rest, hold together, and stay above the floor.

use crate::common;
use crate::common::stage;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use skelobj::doll::Doll;
use skelobj::math::Vec3;
use skelobj::physics::{BrushEntity, Level, LevelError};
use skelobj::ragdoll::{DropError, DropReport, RagdollError};
use skelobj::{DropTest, Model, assets};

fn mannequin() -> DropTest {
    let model = Arc::new(stage::mannequin());
    let doll = Arc::new(Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll);
    DropTest::new(model, doll)
}

fn drop_all(test: &DropTest, seeds: std::ops::RangeInclusive<u64>) -> Vec<DropReport> {
    seeds.map(|seed| test.clone().with_seed(seed).run().unwrap()).collect()
}

fn most(reports: &[DropReport], value: impl Fn(&DropReport) -> f32) -> f32 {
    reports.iter().map(value).fold(0.0, f32::max)
}

fn assert_sound(seed: usize, report: &DropReport) {
    assert_eq!(report.non_finite, 0, "seed {seed}");
    assert!(report.asleep_after.is_some_and(|seconds| seconds < 5.0), "seed {seed}: {:?}", report.asleep_after);
    assert!(report.lowest_z > -2.6, "seed {seed}: {}", report.lowest_z);
    assert!(report.rest_speed < 1e-3, "seed {seed}: {}", report.rest_speed);
}

#[test]
fn forty_mannequins_fall_and_sleep() {
    let reports = drop_all(&mannequin(), 1..=40);
    let mut times: Vec<f32> = reports.iter().filter_map(|report| report.asleep_after).collect();
    times.sort_by(f32::total_cmp);
    assert_eq!(times.len(), reports.len());
    for (seed, report) in (1..).zip(&reports) {
        assert_sound(seed, report);
        assert!(report.max_gap_falling <= 3.0, "seed {seed}: {}", report.max_gap_falling);
        assert!(report.lowest_z > -2.0, "seed {seed}: {}", report.lowest_z);
        assert!(report.max_gap_resting <= 0.08, "seed {seed}: {}", report.max_gap_resting);
        assert!(report.max_stop_excess < 0.6, "seed {seed}: {}", report.max_stop_excess);
        assert!(report.resting_stop_excess < 0.02, "seed {seed}: {}", report.resting_stop_excess);
    }
    assert!((1.0..1.8).contains(&times[times.len() / 2]), "median {}", times[times.len() / 2]);
    assert!(times[times.len() * 9 / 10] < 2.5, "p90 {}", times[times.len() * 9 / 10]);
}

#[test]
fn nothing_gains_energy_by_falling() {
    for (seed, report) in (1..).zip(drop_all(&mannequin(), 1..=10)) {
        for (tenth, pair) in report.energy.windows(2).enumerate() {
            assert!(pair[1] <= pair[0] * 1.005, "seed {seed} after {tenth} tenths: {} to {}", pair[0], pair[1]);
        }
        let (first, last) = (report.energy[0], report.energy[report.energy.len() - 1]);
        assert!(last < 0.3 * first, "seed {seed}: {first} to {last}");
    }
}

#[test]
fn the_same_seed_gives_the_same_fall_and_another_seed_another() {
    let test = mannequin();
    let [first, again, other] = [7, 7, 8].map(|seed| test.clone().with_seed(seed).run().unwrap());
    assert_eq!(first, again);
    assert_ne!(first.energy, other.energy);
}

#[test]
fn a_gentle_fall_starts_with_the_speed_of_the_animation_and_the_floor_below_it() {
    let report = mannequin().run().unwrap();
    assert_sound(0, &report);
    assert_eq!((report.bodies, report.joints), (16, 15));
    assert!(report.lowest_z > -0.5, "{}", report.lowest_z);
}

#[test]
fn a_break_ends_a_drop_with_what_was_measured_so_far() {
    let whole = mannequin().run().unwrap();
    for (until, steps) in [(-0.2, 0), (0.0, 0), (0.25, 15)] {
        let (mut first, mut last, mut frames) = (f32::NAN, f32::NAN, 0);
        let report = mannequin().run_with(|frame| {
            first = if frames == 0 { frame.time } else { first };
            (last, frames) = (frame.time, frames + 1);
            assert_eq!(frame.bones.len(), 21);
            assert!(frame.ragdoll.bodies(frame.physics).all(|body| body.position.is_finite()));
            // Animated until the release, limp from then on.
            assert_eq!(frame.ragdoll.animated_bodies(), if frame.time < 0.0 { 16 } else { 0 }, "{}", frame.time);
            if frame.time >= until - 1e-3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let report = report.unwrap();
        assert!((first + 0.4).abs() < 1e-3 && (last - until).abs() < 1e-3, "{first} {last}");
        assert_eq!((report.steps, report.asleep_after), (steps, None));
        assert!(whole.energy.starts_with(&report.energy) && whole.dt == report.dt, "{:?}", report.energy);
    }
}

#[test]
fn a_drop_starts_where_it_is_told_in_water_and_in_levels() {
    let heights = |test: &DropTest| {
        let mut heights = Vec::new();
        let report = test.run_with(|frame| {
            heights.extend((frame.time >= 0.0).then(|| frame.ragdoll.centre_of_mass(frame.physics)));
            ControlFlow::Continue(())
        });
        (report.unwrap(), heights)
    };
    let mut dry = mannequin();
    (dry.at, dry.height, dry.seconds) = (Vec3::new(50.0, -20.0, 40.0), 100.0, 0.5);
    let (_, fall) = heights(&dry);
    assert!(fall[0].distance(Vec3::new(50.0, -20.0, 180.0)) < 12.0, "{}", fall[0]);
    let mut wet = dry.clone();
    wet.water = Some(400.0);
    assert!(heights(&wet).1.last().unwrap().z > fall.last().unwrap().z + 30.0, "it sinks slowly");
    // A pose that would reach below the floor is raised, and nothing else.
    let mut lying = mannequin();
    lying.orient = Vec3::X * 90.0;
    let height = |test: &DropTest| test.start(&mut skelobj::Physics::default()).unwrap().entity.origin().z;
    assert!(height(&lying) > 2.0 && height(&dry) == 140.0, "{} {}", height(&lying), height(&dry));

    // The floor of a level is not that of the test, and beside it there is none.
    let mut level = Level::default();
    let mut world = skelobj::physics::BrushModel::default();
    let slab = |bits: u8| Vec3::from_array([1, 2, 4].map(|bit| if bits & bit == 0 { -200.0 } else { 200.0 }));
    world.hulls.push((0..8u8).map(|bits| slab(bits) * Vec3::new(1.0, 1.0, 0.1) - Vec3::Z * 120.0).collect());
    level.models.push(world);
    let mut test = mannequin();
    test.level = Some(Arc::new(level));
    test.at = Vec3::Z * -100.0;
    let (report, _) = heights(&test);
    assert!((-102.0..-99.0).contains(&report.lowest_z) && !report.left_level, "{report:?}");
    assert!(report.asleep_after.is_some());
    test.at.x = 900.0;
    let (report, _) = heights(&test);
    let seconds = report.steps as f32 * report.dt;
    assert!(report.left_level && report.asleep_after.is_none() && seconds < 5.0, "{seconds}");
}

#[test]
fn drops_with_unusable_numbers_levels_and_dolls_are_refused() {
    let error = |change: &dyn Fn(&mut DropTest)| {
        let mut test = mannequin();
        change(&mut test);
        test.run().unwrap_err()
    };
    let named = |change: &dyn Fn(&mut DropTest)| match error(change) {
        DropError::Settings(error) => error.name,
        other => panic!("{other}"),
    };
    for bad in [f32::NAN, f32::INFINITY, -0.1, 600.1] {
        assert_eq!(named(&|test| test.play = bad), "play");
        assert_eq!(named(&|test| test.fade = bad), "fade");
        assert_eq!(named(&|test| test.seconds = bad), "seconds");
    }
    // The centre of the bodies is beyond the end then.
    for (end, at) in [(-1e6, Vec3::ZERO), (1e6, Vec3::ZERO), (0.0, Vec3::splat(1e6)), (1e6, Vec3::splat(-1e6))] {
        let mut test = mannequin();
        (test.play, test.seconds, test.height, test.water, test.at) = (0.0, 0.1, end, Some(end), at);
        let report = test.run();
        assert!(report.as_ref().is_ok_and(|report| report.non_finite == 0), "{end} {at}: {report:?}");
    }
    let too_high = error(&|test| (test.at.z, test.height) = (1e6, 1.0));
    assert!(matches!(too_high, DropError::Ragdoll(RagdollError::OutOfRange(_))), "{too_high}");
    for velocity in [Vec3::X * 2e6, Vec3::NAN] {
        assert_eq!(named(&|test| test.velocity = velocity), "velocity");
        assert_eq!(named(&|test| test.angular_velocity = velocity), "angular_velocity");
    }
    for bad in [f32::NAN, f32::NEG_INFINITY, 1e6f32.next_up(), (-1e6f32).next_down()] {
        assert_eq!(named(&|test| test.water = Some(bad)), "water");
        assert_eq!(named(&|test| test.at.y = bad), "at");
        assert_eq!(named(&|test| test.height = bad), "height");
    }
    assert_eq!(named(&|test| test.physics.step = 0.0), "step");
    let mut level = Level::default();
    let door = BrushEntity { entity: 0, model: 0, origin: Vec3::X * 2e6, angles: Vec3::ZERO, solid: true };
    (level.models, level.brush_entities) = (vec![Default::default()], vec![door]);
    level.models[0].hulls.push(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]);
    let level = Arc::new(level);
    assert!(matches!(error(&|test| test.level = Some(level.clone())), DropError::Level(LevelError::TooFar)));
    let empty = Arc::new(Doll::default());
    assert!(matches!(error(&|test| test.doll = empty.clone()), DropError::Ragdoll(RagdollError::NoBodies)));
}

/// Greatest measurements without those of the worst fall of 50, or the worst five of 500: one or two are far beyond all
/// others.
struct Bounds {
    /// Time to sleep of all falls, seconds.
    rest: f32,
    /// Gap at rest and while falling, units.
    gaps: [f32; 2],
    /// Motion beyond a stop while falling and at rest, radians.
    excess: [f32; 2],
    /// Depth of the lowest point in the floor, units.
    depth: f32,
    /// Share of the falls that pass a stop by more than 0.6 radians while falling.
    beyond: f32,
    /// Share of the falls that gain more than 1 % of the energy of the release within 0.1 s.
    gaining: f32,
}

impl Bounds {
    fn hold(&self, name: &str, test: &DropTest) {
        const FIRST_SEED: u64 = 2_000_000;
        let count = std::env::var("SKELOBJ_FALLS").map_or(50, |count| count.parse().unwrap());
        let reports = drop_all(test, FIRST_SEED..=FIRST_SEED + count - 1);
        let gains = |report: &DropReport| {
            report.energy.windows(2).any(|pair| pair[1] - pair[0] > 0.01 * report.energy[0].abs())
        };
        let share =
            |is: &dyn Fn(&DropReport) -> bool| reports.iter().filter(|report| is(report)).count() as f32 / count as f32;
        let nearly_most = |of: fn(&DropReport) -> f32| {
            let mut values: Vec<f32> = reports.iter().map(of).collect();
            values.sort_by(f32::total_cmp);
            values[(values.len() - 1) * 99 / 100]
        };
        let found = [
            ("sleeps after", most(&reports, |r| r.asleep_after.unwrap_or(f32::INFINITY)), self.rest),
            ("gap at rest", nearly_most(|r| r.max_gap_resting), self.gaps[0]),
            ("gap falling", nearly_most(|r| r.max_gap_falling), self.gaps[1]),
            ("beyond stops falling", nearly_most(|r| r.max_stop_excess), self.excess[0]),
            ("beyond stops at rest", nearly_most(|r| r.resting_stop_excess), self.excess[1]),
            ("depth", nearly_most(|r| -r.lowest_z), self.depth),
            ("far beyond stops, share", share(&|report| report.max_stop_excess > 0.6), self.beyond),
            ("gaining energy, share", share(&gains), self.gaining),
        ];
        for (what, found, most) in found {
            assert!(found <= most, "{name}, {what}: {found}, at most {most} expected");
        }
        assert!(reports.iter().all(|report| report.non_finite == 0 && !report.left_level), "{name}");
    }
}

#[test]
fn falls_of_the_mannequin_stay_within_bounds() {
    let bounds = Bounds { rest: 3.5, gaps: [0.06, 2.0], excess: [0.4, 0.02], depth: 2.0, beyond: 0.0, gaining: 0.0 };
    bounds.hold("mannequin", &mannequin());
}

#[test]
fn falls_of_the_dog_stay_within_bounds() {
    let read = |name: &str| std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("dolls").join(name)).unwrap();
    let model = Arc::new(Model::load("dog.iqm", &read("dog.iqm"), |_| None).unwrap());
    let doll = Arc::new(Doll::parse_for(&read("dog.doll"), &model.skeleton).doll);
    let bounds =
        Bounds { rest: 5.5, gaps: [0.08, 2.2], excess: [0.65, 0.03], depth: 2.0, beyond: 0.01, gaining: 0.002 };
    bounds.hold("dog", &DropTest::new(model, doll));
}

/// Soft stops, and a pose that is up to 1.8 radians beyond them when the model dies: while it is eased into them, the
/// body pushes itself off the floor.
#[test]
fn falls_of_a_doll_with_soft_stops_stay_within_bounds() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED falls_of_a_doll_with_soft_stops_stay_within_bounds: no shared folder");
        return;
    };
    let read = |name: &str| std::fs::read(shared.join("corpus").join(name)).unwrap();
    let model = Arc::new(Model::load("ragtest2.iqm", &read("iqm/ragtest2.iqm"), |_| None).unwrap());
    let doll = Arc::new(Doll::parse_for(&read("ragdoll/ragtest2.iqm.doll"), &model.skeleton).doll);
    let bounds = Bounds { rest: 8.0, gaps: [0.17, 2.5], excess: [1.0, 0.56], depth: 1.0, beyond: 1.0, gaining: 0.18 };
    bounds.hold("ragtest2", &DropTest::new(model, doll));
    println!("shared cases: falls_of_a_doll_with_soft_stops_stay_within_bounds: 1");
}

#[test]
fn dolls_of_existing_content_come_to_rest_in_one_piece() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED dolls_of_existing_content_come_to_rest_in_one_piece: no shared folder");
        return;
    };
    let mut cases = 0;
    for (model, doll) in [("ragtest2.iqm", "ragtest2.iqm.doll"), ("ropelike.iqm", "ropelike.iqm.doll")] {
        let file = std::fs::read(shared.join("corpus/iqm").join(model)).unwrap();
        let loaded = Arc::new(Model::load(model, &file, |_| None).unwrap());
        let text = std::fs::read(shared.join("corpus/ragdoll").join(doll)).unwrap();
        let doll = Arc::new(Doll::parse_for(&text, &loaded.skeleton).doll);
        let reports = drop_all(&DropTest::new(loaded, doll), 1..=20);
        for (seed, report) in (1..).zip(&reports) {
            assert_sound(seed, report);
            assert!(report.max_gap_resting < 1.0, "{model} seed {seed}: {}", report.max_gap_resting);
            cases += 1;
        }
    }
    println!("shared cases: dolls_of_existing_content_come_to_rest_in_one_piece: {cases}");
}
