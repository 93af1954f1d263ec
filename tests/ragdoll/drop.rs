//! Dolls dropped on a floor: they come to rest, hold together, and stay above the floor.
#![cfg(feature = "ragdoll")]

use crate::common;
use crate::common::stage;
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
    println!(
        "mannequin: {} of {} asleep, median {:.2} s, p90 {:.2} s, slowest {:.2} s; gap {:.2} falling, {:.3} at rest; \
         stop excess {:.2} falling, {:.3} at rest; lowest {:.2}",
        times.len(),
        reports.len(),
        times[times.len() / 2],
        times[times.len() * 9 / 10],
        times[times.len() - 1],
        most(&reports, |r| r.max_gap_falling),
        most(&reports, |r| r.max_gap_resting),
        most(&reports, |r| r.max_stop_excess),
        most(&reports, |r| r.resting_stop_excess),
        -most(&reports, |r| -r.lowest_z),
    );
    assert_eq!(times.len(), reports.len());
    for (seed, report) in (1..).zip(&reports) {
        assert_sound(seed, report);
        assert!(report.max_gap_falling <= 3.0, "seed {seed}: {}", report.max_gap_falling);
        assert!(report.lowest_z > -2.0, "seed {seed}: {}", report.lowest_z);
        assert!(report.max_gap_resting <= 0.06, "seed {seed}: {}", report.max_gap_resting);
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
    println!("energy: at most {:+.4} of it gained in 0.1 s, at least {least_lost:.2} of it lost in all", greatest);
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
        println!(
            "{model}: {} of {} asleep, slowest {:?}, gap {:.2} falling, {:.3} at rest, stop excess {:.2} falling, {:.3} \
             at rest, lowest {:.2}",
            times.len(),
            reports.len(),
            times.last(),
            most(&reports, |r| r.max_gap_falling),
            most(&reports, |r| r.max_gap_resting),
            most(&reports, |r| r.max_stop_excess),
            most(&reports, |r| r.resting_stop_excess),
            -most(&reports, |r| -r.lowest_z),
        );
        for (seed, report) in (1..).zip(&reports) {
            assert_sound(seed, report);
            assert!(report.max_gap_resting < 1.0, "{model} seed {seed}: {}", report.max_gap_resting);
            cases += 1;
        }
    }
    println!("shared cases: dolls_of_existing_content_come_to_rest_in_one_piece: {cases}");
}
