//! Tests of the library, one module for each room of `src`.
//!
//! They are one program, because every program links rapier anew. `memory` and `levels` are programs of their own:
//! the first counts the allocations of the process, the second selects its level of vector instructions.

mod common;
mod doll;
mod examples;
mod format;
mod math;
mod object;
mod physics;
mod pose;
mod project;
#[cfg(feature = "qc")]
mod qc;
mod ragdoll;
mod read;
mod runtime;
mod write;
