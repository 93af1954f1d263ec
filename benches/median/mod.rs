//! Criterion with medians that the program can compare.

use std::hint::black_box;
use std::time::Instant;

use criterion::BenchmarkGroup;
use criterion::measurement::WallTime;

/// Measures `routine` under a name and returns the median of its rounds in seconds; `None` if the command line excludes
/// it.
pub fn median<T>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, mut routine: impl FnMut() -> T) -> Option<f64> {
    let mut rounds = Vec::new();
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|times| {
            let start = Instant::now();
            for _ in 0..times {
                black_box(routine());
            }
            let elapsed = start.elapsed();
            rounds.push(elapsed.as_secs_f64() / times as f64);
            elapsed
        });
    });
    rounds.sort_by(f64::total_cmp);
    rounds.get(rounds.len() / 2).copied()
}
