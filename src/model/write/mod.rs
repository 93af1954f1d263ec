//! [`Model`](super::Model) to bytes.

mod error;
mod iqm;

pub use error::WriteError;
pub use iqm::iqm;
