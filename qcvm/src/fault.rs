//! What can go wrong while QuakeC runs.

use std::fmt;

/// What stopped a call, without saying where. Builtins return it, too.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The call used up [`Limits::statements`](super::Limits::statements).
    Runaway,
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
    /// A value that is no function's number was called.
    BadFunction(u32),
    /// The host has no such builtin.
    UnknownBuiltin {
        /// Its number, 0 if it is bound by name.
        number: u32,
        /// Its name, empty if stripped.
        name: Box<[u8]>,
    },
    /// A number is not an entity's.
    BadEntity(u32),
    /// The world cannot be removed.
    RemovedWorld,
    /// No further entity can be spawned under [`Limits`](super::Limits).
    NoFreeEntity,
    /// A field value is no place in an entity.
    BadField(u32),
    /// A pointer leads nowhere, or to where it may not write.
    BadPointer {
        /// The address.
        address: u32,
        /// Whether it was to be written.
        write: bool,
    },
    /// The host's memory regions fill the part of the address space that is theirs.
    NoFreeAddress,
    /// A string handle is not, or no longer, a string.
    BadString(u32),
    /// Strings exceed [`Limits::string_bytes`](super::Limits::string_bytes).
    NoStringMemory,
    /// An array index is outside its array.
    BadIndex {
        /// The index.
        index: i32,
        /// The largest one allowed.
        last: i32,
    },
    /// A checked value is outside its bounds.
    OutOfBounds {
        /// The value.
        value: i32,
        /// The smallest one allowed.
        min: u32,
        /// The first one that is too large.
        end: u32,
    },
    /// A case without a switch before it, or a range of cases on a switch that has none.
    BadCase,
    /// The progs lacks a global or field that an instruction needs.
    MissingName(&'static str),
    /// The script or a builtin gave up, with this message.
    Script(Box<[u8]>),
    /// A function that a builtin called has failed.
    Nested(Box<RunError>),
}

/// What stopped a call, and where.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunError {
    /// What happened.
    pub fault: Fault,
    /// The function it happened in; for a builtin, its caller.
    pub function: String,
    /// The source file of that function, empty if the progs does not say.
    pub file: String,
    /// The statement, counted from the start of the progs.
    pub statement: u32,
}

impl From<RunError> for Fault {
    fn from(error: RunError) -> Self {
        Fault::Nested(Box::new(error))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Runaway => f.write_str("runaway loop"),
            Fault::TooDeep => f.write_str("too many nested calls"),
            Fault::NestedTooDeep => f.write_str("too many builtins calling functions that call builtins"),
            Fault::StackOverflow => f.write_str("stack overflow"),
            Fault::PastLastStatement => f.write_str("ran past the last statement"),
            Fault::NullFunction => f.write_str("call of the null function"),
            Fault::BadFunction(number) => write!(f, "call of {number:#x}, which is no function"),
            Fault::UnknownBuiltin { number, name } => {
                write!(f, "no builtin #{number} \"{}\"", String::from_utf8_lossy(name))
            }
            Fault::BadEntity(number) => write!(f, "{number} is no entity"),
            Fault::RemovedWorld => f.write_str("the world cannot be removed"),
            Fault::NoFreeEntity => f.write_str("no free entity"),
            Fault::BadField(offset) => write!(f, "{offset} is no entity field"),
            Fault::BadPointer { address, write: true } => write!(f, "write through bad pointer {address:#x}"),
            Fault::BadPointer { address, write: false } => write!(f, "read through bad pointer {address:#x}"),
            Fault::NoFreeAddress => f.write_str("no address left for memory of the engine"),
            Fault::BadString(handle) => write!(f, "{handle:#x} is no string"),
            Fault::NoStringMemory => f.write_str("out of string memory"),
            Fault::BadIndex { index, last } => write!(f, "array index {index}, expected 0 to {last}"),
            Fault::OutOfBounds { value, min, end } => write!(f, "value {value}, expected {min} to below {end}"),
            Fault::BadCase => f.write_str("case without a fitting switch"),
            Fault::MissingName(name) => write!(f, "the progs has no \"{name}\""),
            Fault::Script(message) if message.is_empty() => f.write_str("given up without a message"),
            Fault::Script(message) => f.write_str(&String::from_utf8_lossy(message)),
            Fault::Nested(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}: ", self.file)?;
        }
        write!(f, "{}, statement {}: {}", self.function, self.statement, self.fault)
    }
}

impl std::error::Error for Fault {
    /// That of the nested call, whose text is the fault's.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Fault::Nested(error) => error.source(),
            _ => None,
        }
    }
}

impl std::error::Error for RunError {
    /// The fault, whose text ends the error's.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.fault)
    }
}
