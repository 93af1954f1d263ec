//! What a runtime has to say that no return value carries.

use std::fmt;

use crate::doll::DollProblem;
use crate::model::Name;

/// Something that went wrong or looked odd, though the call went on.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Report {
    /// A line of a doll.
    Doll {
        /// The doll's file; empty for a `dollstring`.
        file: String,
        /// What is wrong with it.
        problem: DollProblem,
    },
    /// A command named a body that the doll does not have.
    NoSuchBody(Name),
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Doll { file, problem } => write!(f, "{file}:{problem}"),
            Self::NoSuchBody(name) => write!(f, "animatebody: {name} is not a body of the doll"),
        }
    }
}
