//! Dolls dropped on a floor: they come to rest, hold together, and stay above the floor.
#![cfg(feature = "ragdoll")]

use crate::common;
use crate::common::stage;
use std::path::Path;
use std::sync::Arc;

use skelobj::doll::Doll;
use skelobj::ragdoll::DropReport;
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
    let (mut greatest, mut least_lost) = (0.0f32, 1.0f32);
    for (seed, report) in (1..).zip(drop_all(&mannequin(), 1..=10)) {
        for (tenth, pair) in report.energy.windows(2).enumerate() {
            greatest = greatest.max((pair[1] - pair[0]) / pair[0]);
            assert!(pair[1] <= pair[0] * 1.005, "seed {seed} after {tenth} tenths: {} to {}", pair[0], pair[1]);
        }
        let (first, last) = (report.energy[0], report.energy[report.energy.len() - 1]);
        least_lost = least_lost.min(1.0 - last / first);
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

/// Greatest measurements of many falls.
struct Bounds {
    /// Time to sleep, seconds.
    rest: f32,
    /// Gap at rest of 99 % of the falls, and while falling, units.
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
        let mut gaps: Vec<f32> = reports.iter().map(|report| report.max_gap_resting).collect();
        gaps.sort_by(f32::total_cmp);
        let gap = gaps[(gaps.len() - 1) * 99 / 100];
        let found = [
            ("sleeps after", most(&reports, |r| r.asleep_after.unwrap_or(f32::INFINITY)), self.rest),
            ("gap at rest", gap, self.gaps[0]),
            ("gap falling", most(&reports, |r| r.max_gap_falling), self.gaps[1]),
            ("beyond stops falling", most(&reports, |r| r.max_stop_excess), self.excess[0]),
            ("beyond stops at rest", most(&reports, |r| r.resting_stop_excess), self.excess[1]),
            ("depth", most(&reports, |r| -r.lowest_z), self.depth),
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
    let bounds = Bounds { rest: 3.5, gaps: [0.05, 3.0], excess: [0.55, 0.03], depth: 2.6, beyond: 0.0, gaining: 0.0 };
    bounds.hold("mannequin", &mannequin());
}

#[test]
fn falls_of_the_dog_stay_within_bounds() {
    let read = |name: &str| std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("dolls").join(name)).unwrap();
    let model = Arc::new(Model::load("dog.iqm", &read("dog.iqm"), |_| None).unwrap());
    let doll = Arc::new(Doll::parse_for(&read("dog.doll"), &model.skeleton).doll);
    let bounds = Bounds { rest: 5.5, gaps: [0.1, 3.5], excess: [0.8, 0.06], depth: 2.6, beyond: 0.01, gaining: 0.002 };
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
    let bounds = Bounds { rest: 8.0, gaps: [0.17, 3.0], excess: [1.2, 0.6], depth: 1.6, beyond: 1.0, gaining: 0.17 };
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
        let mut times: Vec<f32> = reports.iter().filter_map(|r| r.asleep_after).collect();
        times.sort_by(f32::total_cmp);
        for (seed, report) in (1..).zip(&reports) {
            assert_sound(seed, report);
            assert!(report.max_gap_resting < 1.0, "{model} seed {seed}: {}", report.max_gap_resting);
            cases += 1;
        }
    }
    println!("shared cases: dolls_of_existing_content_come_to_rest_in_one_piece: {cases}");
}
