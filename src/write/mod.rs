//! [`Model`](crate::Model) to bytes.

mod check;
mod decompose;
mod error;
mod format;
#[cfg(feature = "gltf")]
mod glb;
mod iqm;

pub use error::WriteError;
pub use format::Format;
#[cfg(feature = "gltf")]
pub use glb::glb;
pub use iqm::iqm;
