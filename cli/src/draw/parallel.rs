//! Work on several threads with results in order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Returns the results of `work` for the numbers below `count`, in order. `done` is called after each.
pub fn map<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync, done: impl Fn() + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(count);
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let run = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
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
