//! Memory in the frames of a game. The counters belong to the whole process, so these tests are a program of their own
//! and run one at a time.

mod allocations;
#[path = "../common/counting.rs"]
mod counting;
#[cfg(feature = "ragdoll")]
mod frame_loop;
#[cfg(feature = "ragdoll")]
mod ragdolls;
#[cfg(feature = "ragdoll")]
#[path = "../common/stage.rs"]
mod stage;
