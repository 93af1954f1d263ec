//! A small QuakeC virtual machine, for tests, tools and engines that have none of their own.
//!
//! [`Progs::load`] reads what fteqcc writes (version 6, and FTE's version 7) and checks all of it, so that no file can
//! make a [`Machine`] panic, read outside its memory or run for ever: statements, call depth, memory for strings and
//! entities are limited by [`Limits`]. Builtins, and memory of the engine that QuakeC reaches through pointers, are the
//! caller's: see [`Builtins`]. An error names the function and the statement.
//!
//! Semantics follow FTE: arithmetic is in f32, floats become integers by truncation, division by zero gives an infinity,
//! strings compare by content, entities are numbers, vectors are stored word by word. A progs may have 1,048,560 globals. Two
//! differences are deliberate: `IF_S` and `IFNOT_S` test for an
//! empty string, as their documentation says, and using an invalid entity, pointer or string is an error.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod address;
mod control;
mod decode;
mod entities;
mod error;
mod execute;
mod fault;
mod globals;
mod load;
mod machine;
mod memory;
mod opcode;
mod progs;
mod slow_ops;
mod strings;
mod values;
mod word;

pub use error::{ProgsError, Table};
pub use fault::{Fault, RunError};
pub use machine::{Builtins, Limits, Machine};
pub use progs::{Builtin, Field, FunctionId, Global, Progs, Type};

/// The global that holds a function's result, of three words.
const RETURN_VALUE: u32 = 1;
/// The global that holds the first argument; each takes three words.
const FIRST_ARGUMENT: u32 = 4;
/// How many arguments a call can pass.
const ARGUMENTS: usize = 8;
/// Globals that the calling convention needs.
const RESERVED_GLOBALS: u32 = 28;
/// The most statements that a progs may have.
const MAX_STATEMENTS: u32 = 1 << 26;
/// The most globals that a progs may have: many times what fteqcc writes unless its own limit is raised.
const MAX_GLOBALS: u32 = (1 << 20) - 16;
/// Behind them, and the two words that a vector at their end can reach, there is room for vectors of the host.
const UNNAMED_GLOBALS: u32 = MAX_GLOBALS + 2;
/// The most bytes of a string pool that have addresses.
const MAX_STRINGS: u32 = 1 << 28;
