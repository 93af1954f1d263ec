//! A virtual machine for QuakeC, the language of Quake's game code.
//!
//! A compiler such as fteqcc turns QuakeC into a progs file. [`Progs::load`] reads and checks the file, a [`Machine`]
//! runs its functions, and the program around the machine provides the builtins that they call: [`Builtins`]. Engines,
//! tools and tests use the machine to run game code and mods unchanged. A new game gets a small, fast and sandboxed
//! scripting language with a mature compiler.
//!
//! # Example
//! `hello.qc` has a function `factorial` and prints with builtins of the [standard library](stdlib).
//! ```
//! use skelobj_qcvm::stdlib::Console;
//! use skelobj_qcvm::{Machine, Progs};
//! use std::sync::Arc;
//!
//! # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/hello.dat"));
//! let progs = Arc::new(Progs::load(bytes)?);
//! let mut console = Console::new(&progs, |text| print!("{}", String::from_utf8_lossy(text)));
//! let mut machine = Machine::new(progs);
//!
//! let factorial = machine.find_function(b"factorial").ok_or("no factorial")?;
//! machine.set_argument(0, [5f32.to_bits(), 0, 0]);
//! machine.call(factorial, &mut console)?;
//! assert_eq!(machine.result_float(), 120.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! A game adds its own builtins to the standard library. The progs gives each builtin a number or a name.
//! ```
//! use skelobj_qcvm::stdlib::{StdHost, lookup};
//! use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
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
//!                 Some(standard) => standard.call(machine, self),
//!                 None => Err(builtin.unknown()),
//!             },
//!         }
//!     }
//! }
//!
//! let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
//! let mut machine = Machine::new(progs.into());
//! let mut game = Game { score: 0.0 };
//! let damage = machine.find_function(b"damage").ok_or("no damage")?;
//! let monster = machine.spawn_entity()?;
//! machine.set_argument(0, [monster, 0, 0]);
//! machine.set_argument(1, [200f32.to_bits(), 0, 0]);
//! machine.call(damage, &mut game)?; // kills the monster and calls add_score(10)
//! assert_eq!(game.score, 10.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! The second program is `game.qc`. Most examples of this documentation run it: `progs` is the compiled program,
//! `machine` a [`Machine`] for it, and `console` a [`Console`](stdlib::Console).
//! ```c
#![doc = include_str!("../examples/game.qc")]
//! ```
//!
//! # Limits
//! No progs can make the machine panic, access memory outside its own, or run forever. Loading checks every table,
//! operand and jump. [`Limits`] bounds the statements of a call, its depth, the memory for strings, and the entities;
//! for a machine with a [clock](Machine::set_clock), it bounds the time of a frame, too.
//! Every error is a [`RunError`] that names the functions that were running, with source file and statement or
//! [line](Progs::load_lines), and the machine stays usable.
//!
//! # Semantics
//! Files of version 6 and of FTE's version 7, with statements of 16 or 32 bits, run as in FTE:
//!
//! - Arithmetic is in `f32`. Floats become integers by truncation, and division by zero gives an infinity.
//! - Strings compare by content, entities are numbers, and vectors are stored word by word.
//! - A progs may have 1,048,560 globals.
//!
//! Two differences from FTE are deliberate. `IF_S` and `IFNOT_S` test for an empty string, as their documentation says.
//! The use of an invalid entity, pointer or string is an error.
//!
//! Temporary strings live until no global, entity or local refers to them; a collector that runs between statements
//! frees them. Every machine starts its random numbers with the same seed, so that a run can be repeated.
//!
//! # Features
//! - `enhanced-determinism`: sines and similar functions of the standard library come from libm and have the same bits
//!   on every machine.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod address;
mod argument_types;
mod arguments;
mod control;
mod deadline;
mod decode;
mod entities;
mod error;
mod execute;
mod fault;
mod fields;
mod globals;
mod heap;
mod lines;
mod load;
mod machine;
mod memory;
mod names;
mod observe;
mod opcode;
mod profile;
mod progs;
mod shown;
mod slow_ops;
pub mod stdlib;
mod strings;
mod trig;
mod values;
mod word;

pub use error::{ProgsError, Table};
pub use fault::{Fault, Location, RunError};
pub use lines::LinesError;
pub use machine::{Builtins, Limits, Machine};
pub use observe::EntityWrite;
pub use profile::{Profile, Profiled, ProfiledFunction};
pub use progs::{Builtin, Field, FunctionId, Global, Progs, Type};

/// Global that holds a function's result, of three words.
const RETURN_VALUE: u32 = 1;
/// Global that holds the first argument; each argument takes three words.
const FIRST_ARGUMENT: u32 = 4;
/// Number of arguments that a call can pass.
const ARGUMENTS: usize = 8;
/// Number of globals that the calling convention needs.
const RESERVED_GLOBALS: u32 = 28;
/// Maximum number of statements in a progs.
const MAX_STATEMENTS: u32 = 1 << 26;
/// Maximum number of globals in a progs, many times what fteqcc writes unless its own limit is raised.
const MAX_GLOBALS: u32 = (1 << 20) - 16;
/// First global for vectors of the host, after all others and the two words that a vector at their end reaches.
const UNNAMED_GLOBALS: u32 = MAX_GLOBALS + 2;
/// Maximum number of bytes of a string pool that have addresses.
const MAX_STRINGS: u32 = 1 << 28;
