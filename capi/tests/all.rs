//! Tests of the C API: the header, C programs that use it, and the libraries as installed.
//!
//! They are one program, because every program links rapier anew. `live` is a program of its own: it counts the worlds
//! and models of the process.

mod common;
mod coverage;
mod engine;
mod header;
mod ids;
mod install;
mod layout;
mod levels_and_players;
mod lists;
mod programs;
mod rules;
#[path = "../../tests/common/small_bsp.rs"]
#[allow(dead_code, reason = "tests of the library use the rest of it")]
mod small_bsp;
mod unsafe_code;
