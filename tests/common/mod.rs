//! Helpers of several tests.
// Without some features, some tests and thus some helpers are missing.
#![allow(dead_code)]

mod bad_dolls;
#[cfg(all(feature = "qc", feature = "ragdoll"))]
pub mod calls;
#[cfg(all(feature = "qcvm", feature = "ragdoll"))]
pub mod charges;
#[cfg(feature = "qcvm")]
pub mod compiled;
pub mod corpus;
pub mod counting;
mod folders;
#[cfg(feature = "ragdoll")]
pub mod made_bsp;
pub mod random;
#[cfg(all(feature = "qc", feature = "ragdoll"))]
pub mod replayer;
#[cfg(all(feature = "serde", feature = "ragdoll"))]
pub mod scene;
#[cfg(feature = "ragdoll")]
pub mod small_bsp;
#[cfg(feature = "ragdoll")]
pub mod stage;
pub mod truth;
pub mod watched;

pub use bad_dolls::bad_dolls;
pub use folders::{files, is_thorough, shared, stride};
