//! Tests of the module `object`.

mod blending;
mod edits;
mod frame_time;
mod golden_build;
mod unchanged_builds;
