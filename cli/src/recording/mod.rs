//! Recordings of drop tests: `skelobj sim --record` and `--replay`.
//!
//! A recording holds the files that the test read, what was done with them, and the state after each step. A replay
//! starts from the files, not from saved state of the physics: so it can compare builds of different versions, and a
//! crafted file cannot bring the physics into a state that no test reaches.

mod fields;
mod file;
mod physics;
mod recorder;
mod replayer;
mod steps;

pub use recorder::Recorder;
pub use replayer::replay;

use crate::files::Contents;

/// Files that a drop test reads.
pub struct Source {
    pub model: Contents,
    pub doll: Contents,
    pub level: Option<Contents>,
    /// Files beside the model.
    pub beside: Vec<Contents>,
}
