//! Progress of long work, on a terminal only.

use indicatif::{ProgressBar, ProgressStyle};

/// Bar on standard error; nothing is printed if that is not a terminal.
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
