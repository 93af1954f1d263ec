//! Progress of long work.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two pictures of work whose end is not known.
const TICK: Duration = Duration::from_millis(100);

/// Progress of long work: a bar on standard error; nothing is printed if that is not a terminal.
pub struct Progress(ProgressBar);

impl Progress {
    /// Begins a bar of `count` parts.
    pub fn new(count: usize, what: impl Into<String>) -> Self {
        let bar = ProgressBar::new(count as u64).with_message(what.into());
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len} {eta}");
        Self(style.map_or(bar.clone(), |style| bar.with_style(style)))
    }

    /// Begins a sign of work that has no parts.
    pub fn endless(what: impl Into<String>) -> Self {
        let bar = ProgressBar::new_spinner().with_message(what.into());
        let style = ProgressStyle::with_template("{msg} {spinner} {elapsed}");
        let bar = style.map_or(bar.clone(), |style| bar.with_style(style));
        bar.enable_steady_tick(TICK);
        Self(bar)
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
