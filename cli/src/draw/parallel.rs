//! Work on several threads with results in order.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `take` with the results of `work` for the numbers below `count`, in order; few are in memory at a time.
pub fn each<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync, mut take: impl FnMut(usize, T)) {
    let batch = 2 * thread::available_parallelism().map_or(1, usize::from);
    for first in (0..count).step_by(batch) {
        let results = map(first..count.min(first + batch), &work, || ());
        (first..).zip(results).for_each(|(number, result)| take(number, result));
    }
}

/// Returns the results of `work` for some numbers, in order. `done` is called after each.
pub fn map<T: Send>(numbers: Range<usize>, work: impl Fn(usize) -> T + Sync, done: impl Fn() + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(numbers.len());
    let (next, results) = (AtomicUsize::new(numbers.start), Mutex::new(Vec::with_capacity(numbers.len())));
    let run = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return;
            }
            let result = work(number);
            results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((number, result));
            done();
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
