//! Writers of model files.

mod check;
#[cfg(feature = "gltf")]
mod glb;
mod iqm;
mod losses;
mod write_error;

#[cfg(feature = "gltf")]
pub use glb::glb;
pub use iqm::iqm;
pub use write_error::WriteError;

use crate::model::Model;

/// Writer of a format.
#[derive(Clone, Copy)]
pub(crate) enum Writer {
    BuiltIn {
        write: fn(&Model) -> Result<Vec<u8>, WriteError>,
        /// Function that lists what the format cannot hold of a model.
        losses: fn(&Model) -> Vec<&'static str>,
    },
    /// Writer that needs a missing feature of the crate.
    #[cfg_attr(feature = "gltf", expect(dead_code, reason = "no format is missing then"))]
    NotBuiltIn { feature: &'static str },
    /// No writer.
    Absent,
}

pub(crate) const IQM: Writer = Writer::BuiltIn { write: iqm, losses: losses::iqm };

#[cfg(feature = "gltf")]
pub(crate) const GLB: Writer = Writer::BuiltIn { write: glb, losses: losses::glb };

#[cfg(not(feature = "gltf"))]
pub(crate) const GLB: Writer = Writer::NotBuiltIn { feature: "gltf" };
