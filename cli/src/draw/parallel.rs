//! Work on several threads with results in order, and its progress.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};

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

/// Progress of long work: a bar on standard error; nothing is printed if that is not a terminal.
pub struct Progress(ProgressBar);

impl Progress {
    /// Begins a bar of `count` parts.
    pub fn new(count: usize, what: &'static str) -> Self {
        let bar = ProgressBar::new(count as u64).with_message(what);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}");
        Self(style.map_or(bar.clone(), |style| bar.with_style(style)))
    }

    /// Counts a part that is done.
    pub fn tick(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
