//! Warnings of a runtime: problems that no return value reports.

use std::fmt;

#[cfg(feature = "ragdoll")]
use super::SkelId;
use crate::doll::DollProblem;

/// A problem that did not make its call fail.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Warning {
    /// A line of a doll has a problem.
    Doll {
        /// Name of the doll's file; empty for a `dollstring`.
        file: String,
        /// Description of the problem.
        problem: DollProblem,
    },
    /// A doll file in use could not be read again; the doll is unchanged.
    DollReloadFailed {
        /// Name of the file.
        file: String,
    },
    /// Bodies of a ragdoll were put back because their positions or velocities were no longer finite.
    #[cfg(feature = "ragdoll")]
    BodiesReset {
        /// Id of the skeletal object.
        skel: SkelId,
        /// Number of bodies.
        bodies: usize,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Doll { file, problem } => write!(f, "{file}:{problem}"),
            Self::DollReloadFailed { file } => write!(f, "{file}: no longer there, the doll stays as it was"),
            #[cfg(feature = "ragdoll")]
            Self::BodiesReset { skel, bodies } => {
                write!(f, "skeletal object {skel}: {bodies} bodies put back, their positions were not finite")
            }
        }
    }
}
