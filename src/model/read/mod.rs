//! Bytes to [`Model`]: one file per format, all reading through `cursor`.

mod cursor;
mod framegroups;
mod iqm;
mod json;

use super::{Model, ModelError, ModelProblem};

pub use framegroups::framegroups;

/// Reads a model of whatever format the first bytes tell, without side files.
///
/// # Errors
/// [`ModelProblem::UnknownFormat`], or what the format's reader finds.
pub fn model(bytes: &[u8]) -> Result<Model, ModelError> {
    if bytes.starts_with(iqm::MAGIC) {
        return iqm::read(bytes);
    }
    Err(ModelError::new("header", 0, ModelProblem::UnknownFormat))
}
