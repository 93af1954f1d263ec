//! Memory in the frames of a game. The counters belong to the whole process, so these tests are a program of their own
//! and run one at a time.

mod allocations;
#[cfg(feature = "qc")]
#[path = "../common/calls.rs"]
mod calls;
#[path = "../common/counting.rs"]
mod counting;
mod frame_loop;
mod ragdolls;
#[cfg(feature = "qc")]
#[path = "../common/replayer.rs"]
#[allow(dead_code)] // Only its host is used here.
mod replayer;
#[path = "../common/stage.rs"]
mod stage;
