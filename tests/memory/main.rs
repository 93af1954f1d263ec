//! Memory in the frames of a game. The counters belong to the whole process, so these tests are a program of their own
//! and run one at a time.

mod allocations;
#[cfg(all(feature = "qc", feature = "ragdoll"))]
#[path = "../common/calls.rs"]
mod calls;
#[path = "../common/counting.rs"]
mod counting;
#[cfg(feature = "ragdoll")]
mod frame_loop;
#[cfg(feature = "ragdoll")]
mod ragdolls;
#[cfg(all(feature = "qc", feature = "ragdoll"))]
#[path = "../common/replayer.rs"]
#[allow(dead_code)] // Only its host is used here.
mod replayer;
#[cfg(feature = "ragdoll")]
#[path = "../common/stage.rs"]
mod stage;
