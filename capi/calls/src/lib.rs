//! C API of skelobj: every function of `include/skelobj.h`.
//!
//! Pointers from C are values of the types in `pointer.rs`, which check null and alignment; `tests/unsafe_code.rs`
//! lists the few files with `unsafe`. Every function runs in `guard.rs`, which catches panics and records the last
//! error. Worlds, models and everything else that C refers to by an id are in the one table of `table.rs`.
#![warn(missing_docs, clippy::undocumented_unsafe_blocks)]
#![allow(clippy::too_many_arguments)] // C has no methods and no tuples.

// A panic in WebAssembly ends the instance, which web/skelobj.js replaces; nothing else there can be corrupted.
#[cfg(not(any(panic = "unwind", target_family = "wasm")))]
compile_error!("no call may end the host's process: panics must unwind");

mod defs;
mod error;
mod guard;
mod id;
mod lock;
mod memory;
mod numbers;
mod pointer;
mod table;
mod text;
mod user;

mod doll;
mod history;
mod level;
mod level_mesh;
mod matrix;
mod model;
mod net;
mod object;
mod posing;
mod query;
mod ragdoll;
mod snapshot;
mod version;
// Its tests run on every machine.
#[cfg(any(test, target_family = "wasm"))]
mod wasm;
mod world;

pub use doll::*;
pub use error::SkelobjStatus;
pub use history::*;
pub use id::{
    SkelobjDoll, SkelobjKind, SkelobjLevel, SkelobjLevelBody, SkelobjModel, SkelobjObject, SkelobjPlayer,
    SkelobjReceiver, SkelobjSnapshot, SkelobjWater, SkelobjWorld, skelobj_object_from_number, skelobj_object_number,
};
pub use level::*;
pub use level_mesh::*;
pub use matrix::*;
pub use memory::{CountingAllocator, skelobj_memory_in_use};
pub use model::*;
pub use net::*;
pub use object::*;
pub use pointer::{In, InMatrix, InVector, Out, OutMatrix, OutVector};
pub use posing::*;
pub use query::*;
pub use ragdoll::*;
pub use snapshot::*;
pub use user::SkelobjUser;
pub use version::*;
#[cfg(target_family = "wasm")]
pub use wasm::*;
pub use world::*;
