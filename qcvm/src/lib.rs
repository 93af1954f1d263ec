//! A virtual machine for QuakeC, the language of Quake's game code.
//!
//! A compiler such as fteqcc turns QuakeC into a progs file. [`Progs::load`] reads and checks one, a [`Machine`] runs its
//! functions, and what they cannot do themselves, they ask of the program around them: its [`Builtins`]. Engines, tools and
//! tests use the machine for game code and mods as they are; a new game gets a small, fast and sandboxed scripting language
//! with a compiler that has been in use for decades.
//!
//! # Example
//! `hello.qc` prints a factorial; the [standard library](stdlib) has the builtins that it calls.
//! ```
//! use skelobj_qcvm::stdlib::Console;
//! use skelobj_qcvm::{Machine, Progs};
//! use std::sync::Arc;
//!
//! # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/hello.dat"));
//! let progs = Arc::new(Progs::load(bytes)?);
//! let mut host = Console::new(&progs, |text| print!("{}", String::from_utf8_lossy(text)));
//! let mut machine = Machine::new(progs);
//!
//! let factorial = machine.find_function(b"factorial").ok_or("no factorial")?;
//! machine.set_argument(0, [5f32.to_bits(), 0, 0]);
//! machine.call(factorial, &mut host)?;
//! assert_eq!(machine.result_float(), 120.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! A game has builtins of its own, which it finds by the number or name that the progs gives them.
//! ```
//! use skelobj_qcvm::stdlib::{StdHost, lookup};
//! use skelobj_qcvm::{Builtin, Builtins, Fault, Machine};
//!
//! struct Game {
//!     score: f32,
//! }
//!
//! impl StdHost for Game {
//!     fn print(&mut self, text: &[u8]) {
//!         print!("{}", String::from_utf8_lossy(text));
//!     }
//! }
//!
//! impl Builtins for Game {
//!     fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
//!         match &*builtin.name {
//!             b"add_score" => {
//!                 self.score += machine.argument_float(0);
//!                 machine.return_float(self.score);
//!                 Ok(())
//!             }
//!             _ => match lookup(builtin.number, &builtin.name) {
//!                 Some(found) => found.call(machine, self),
//!                 None => Err(builtin.unknown()),
//!             },
//!         }
//!     }
//! }
//! ```
//!
//! # Limits
//! No progs can make the machine panic, read or write outside its memory, or run for ever. Loading checks every table,
//! operand and jump; [`Limits`] bounds the statements of a call, its depth, the memory for strings and the entities. Whatever
//! goes wrong is a [`RunError`] that names the function, its source file and the statement, and the machine can be used
//! further.
//!
//! # Semantics
//! Files of version 6 and of FTE's version 7, with statements of 16 and 32 bits, run as FTE runs them: arithmetic is in f32,
//! floats become integers by truncation, division by zero gives an infinity, strings compare by content, entities are
//! numbers, vectors are stored word by word. A progs may have 1,048,560 globals. Two differences from FTE are deliberate:
//! `IF_S` and `IFNOT_S` test for an empty string, as their documentation says, and the use of an invalid entity, pointer or
//! string is an error.
//!
//! Temporary strings live until no global, entity or local holds them; a collector that runs between statements frees them.
//! The machine starts every sequence of random numbers with the same seed, so that a run can be repeated.
//!
//! # Features
//! - `enhanced-determinism`: sines and the like of the standard library come from libm and have the same bits on every
//!   machine.
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
mod names;
mod opcode;
mod progs;
mod slow_ops;
pub mod stdlib;
mod strings;
mod trig;
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
