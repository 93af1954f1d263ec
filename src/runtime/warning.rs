//! What a runtime has to say that no return value carries.

use std::fmt;

use crate::doll::DollProblem;
use crate::model::Name;

/// Something that went wrong or looked odd, though the call went on.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Warning {
    /// A line of a doll.
    Doll {
        /// The doll's file; empty for a `dollstring`.
        file: String,
        /// What is wrong with it.
        problem: DollProblem,
    },
    /// A doll file that is used could not be read again; the doll stays.
    DollReloadFailed {
        /// The file.
        file: String,
    },
    /// Bodies of a ragdoll were put back because physics had lost them to numbers that are not finite.
    BodiesReset {
        /// The skeletal object, as scripts know it.
        handle: u32,
        /// How many.
        bodies: usize,
    },
    /// A command named a body that the doll does not have.
    NoSuchBody(Name),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Doll { file, problem } => write!(f, "{file}:{problem}"),
            Self::DollReloadFailed { file } => write!(f, "{file}: no longer there, the doll stays as it was"),
            Self::BodiesReset { handle, bodies } => {
                write!(f, "skeletal object {handle}: {bodies} bodies put back, their numbers were not finite")
            }
            Self::NoSuchBody(name) => write!(f, "animatebody: {name} is not a body of the doll"),
        }
    }
}
