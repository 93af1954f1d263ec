//! Errors of running QuakeC.

use std::fmt;
use std::time::Duration;

use crate::shown::Shown;

/// Reason why a call stopped, without the location. Builtins also return faults; [`RunError`] adds the location.
///
/// # Example
/// A host's builtin that refuses an argument:
/// ```
/// use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
///
/// struct Game;
///
/// impl Builtins for Game {
///     fn call(&mut self, machine: &mut Machine, _builtin: &Builtin) -> Result<(), Fault> {
///         if machine.argument_float(0) < 0.0 {
///             return Err(Fault::Script((*b"a negative score").into()));
///         }
///         Ok(())
///     }
/// }
///
/// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
/// let mut machine = Machine::new(progs.into());
/// let add_score = machine.find_function(b"add_score").ok_or("no add_score")?;
/// machine.set_argument(0, [(-1f32).to_bits(), 0, 0]);
/// let error = machine.call(add_score, &mut Game).unwrap_err();
/// assert_eq!(error.fault.to_string(), "a negative score");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The call used up its [`Limits::statements`](super::Limits::statements).
    Runaway,
    /// The calls of the frame have taken longer than [`Limits::frame_time`](super::Limits::frame_time).
    Overtime {
        /// Name of the function or builtin that has taken the most of the time, empty if the progs does not name it.
        function: Box<[u8]>,
        /// Time that it has taken, without the functions that it called.
        took: Duration,
    },
    /// Functions call each other deeper than [`Limits::depth`](super::Limits::depth).
    TooDeep,
    /// Builtins call QuakeC deeper than [`Limits::nesting`](super::Limits::nesting).
    NestedTooDeep,
    /// The locals of all running functions exceed [`Limits::stack_words`](super::Limits::stack_words).
    StackOverflow,
    /// Execution ran past the last statement.
    PastLastStatement,
    /// The null function was called.
    NullFunction,
    /// The called value, given here, is not the number of a function.
    BadFunction(u32),
    /// The host lacks a builtin.
    UnknownBuiltin {
        /// Number of the builtin, 0 if it is bound by name.
        number: u32,
        /// Name of the builtin, empty if the compiler stripped it.
        name: Box<[u8]>,
    },
    /// The number given here is not that of an entity.
    BadEntity(u32),
    /// A script tried to remove the world.
    RemovedWorld,
    /// The entities have reached their [`Limits`](super::Limits).
    NoFreeEntity {
        /// Number of entities allowed, the world included.
        most: u32,
    },
    /// The offset given here lies beyond an entity's words.
    BadField(u32),
    /// A pointer refers to no memory, or to memory that cannot be written.
    BadPointer {
        /// Address in the pointer.
        address: u32,
        /// `true` if the access was a write.
        write: bool,
    },
    /// The host's regions fill their part of the address space.
    NoFreeAddress,
    /// The handle given here is not, or no longer, a string.
    BadString(u32),
    /// Strings exceed [`Limits::string_bytes`](super::Limits::string_bytes).
    NoStringMemory,
    /// Allocations of the script exceed [`Limits::memory_bytes`](super::Limits::memory_bytes).
    NoMemory,
    /// An array index is out of range.
    BadIndex {
        /// Index of the access.
        index: i32,
        /// Largest index allowed.
        last: i32,
    },
    /// A checked value is out of its bounds.
    OutOfBounds {
        /// Value that was checked.
        value: i32,
        /// Smallest value allowed.
        min: u32,
        /// Smallest value that is too large.
        end: u32,
    },
    /// A case has no switch before it, or a range of cases belongs to a switch of vectors or strings.
    BadCase,
    /// The progs lacks a global or field, named here, that an instruction needs.
    MissingName(&'static str),
    /// A script or a builtin reported an error with this message.
    Script(Box<[u8]>),
    /// A function that a builtin called has failed.
    Nested(Box<RunError>),
}

/// Statement of a function.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::Console;
/// use skelobj_qcvm::{Machine, Progs};
///
/// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
/// let mut console = Console::new(&progs, |_| ());
/// let mut machine = Machine::new(progs.into());
/// let press_button = machine.find_function(b"press_button").ok_or("no press_button")?;
/// let error = machine.call(press_button, &mut console).unwrap_err();
/// assert_eq!(error.location.to_string(), "game.qc: press_button, statement 37");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// Name of the function.
    pub function: String,
    /// Source file of the function, empty if the progs does not name it.
    pub file: String,
    /// Number of the statement, counted from the start of the progs.
    pub statement: u32,
    /// Line of the statement in the source file, if the progs has [line numbers](super::Progs::load_lines).
    pub line: Option<u32>,
}

/// Reason why a call stopped, and the location.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::Console;
/// use skelobj_qcvm::{Fault, Machine, Progs};
///
/// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
/// let mut console = Console::new(&progs, |_| ());
/// let mut machine = Machine::new(progs.into());
/// let forever = machine.find_function(b"forever").ok_or("no forever")?;
/// let error = machine.call(forever, &mut console).unwrap_err();
/// assert_eq!(error.fault, Fault::Runaway);
/// assert_eq!((error.location.file.as_str(), error.location.function.as_str()), ("game.qc", "forever"));
/// assert_eq!(error.callers, []); // the host called it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunError {
    /// Reason of the error.
    pub fault: Fault,
    /// Statement that stopped; for a builtin, the call in its caller.
    pub location: Location,
    /// Calls that led to the location, innermost first: at most [`Limits::depth`](super::Limits::depth).
    pub callers: Vec<Location>,
}

impl RunError {
    /// Returns the locations of all running functions, innermost first, including those of the functions that
    /// [builtins called](Fault::Nested).
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Console;
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.into());
    /// let press_button = machine.find_function(b"press_button").ok_or("no press_button")?;
    /// let error = machine.call(press_button, &mut console).unwrap_err();
    /// let functions: Vec<&str> = error.call_stack().iter().map(|at| at.function.as_str()).collect();
    /// assert_eq!(functions, ["press_button"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn call_stack(&self) -> Vec<&Location> {
        let mut stack = match &self.fault {
            Fault::Nested(inner) => inner.call_stack(),
            _ => Vec::new(),
        };
        stack.push(&self.location);
        stack.extend(&self.callers);
        stack
    }
}

impl From<RunError> for Fault {
    fn from(error: RunError) -> Self {
        Fault::Nested(Box::new(error))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Overtime { function, took } => {
                f.write_str("the frame has run out of time")?;
                match &**function {
                    b"" => Ok(()),
                    name => write!(f, ", of which {} took {:.2} s", Shown::of(name), took.as_secs_f64()),
                }
            }
            Fault::Runaway => f.write_str("runaway loop: the call has used up its statements"),
            Fault::TooDeep => f.write_str("too many nested function calls"),
            Fault::NestedTooDeep => f.write_str("too many nested calls from builtins into QuakeC"),
            Fault::StackOverflow => f.write_str("stack overflow: the running functions have too many locals"),
            Fault::PastLastStatement => f.write_str("execution past the last statement"),
            Fault::NullFunction => f.write_str("call of the null function"),
            Fault::BadFunction(number) => write!(f, "call of {number:#x}, which is not a function"),
            Fault::UnknownBuiltin { number: 0, name } => {
                write!(f, "unknown builtin \"{}\"", Shown::of(name))
            }
            Fault::UnknownBuiltin { number, name } => {
                write!(f, "unknown builtin #{number} \"{}\"", Shown::of(name))
            }
            Fault::BadEntity(number) => write!(f, "{number} is not an entity"),
            Fault::RemovedWorld => f.write_str("the world cannot be removed"),
            Fault::NoFreeEntity { most } => write!(f, "too many entities, at most {most} can exist"),
            Fault::BadField(offset) => write!(f, "{offset} is not an entity field"),
            Fault::BadPointer { address, write: true } => write!(f, "write through invalid pointer {address:#x}"),
            Fault::BadPointer { address, write: false } => write!(f, "read through invalid pointer {address:#x}"),
            Fault::NoFreeAddress => f.write_str("no address left for memory of the host"),
            Fault::BadString(handle) => write!(f, "{handle:#x} is not a string"),
            Fault::NoStringMemory => f.write_str("out of string memory"),
            Fault::NoMemory => f.write_str("out of memory for blocks, tables, buffers and files"),
            Fault::BadIndex { index, last } => write!(f, "array index {index}, expected 0 to {last}"),
            Fault::OutOfBounds { value, min, end } => {
                write!(f, "array index {value}, expected {min} to {}", i64::from(*end) - 1)
            }
            Fault::BadCase => f.write_str("case without a matching switch"),
            Fault::MissingName(name) => write!(f, "the progs lacks the name \"{name}\""),
            Fault::Script(message) if message.is_empty() => f.write_str("error without a message"),
            Fault::Script(message) => f.write_str(&String::from_utf8_lossy(message)),
            Fault::Nested(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = Shown::of(if self.file.is_empty() { "unknown file" } else { &self.file });
        let function = Shown::of(&self.function);
        match self.line {
            Some(line) => write!(f, "{file}:{line}: {function}"),
            None if self.file.is_empty() => write!(f, "{function}, statement {}", self.statement),
            None => write!(f, "{file}: {function}, statement {}", self.statement),
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.fault)
    }
}

impl std::error::Error for Fault {
    /// Returns the source of a nested call's error, whose text is the fault's.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Fault::Nested(error) => error.source(),
            _ => None,
        }
    }
}

impl std::error::Error for RunError {
    /// Returns the fault, whose text ends the error's.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.fault)
    }
}
