//! glTF in a build without its reader.

use super::SideFiles;
use crate::model::{Model, ModelError, ModelProblem};

/// Refuses a glTF file and names the feature that reads it.
pub(crate) fn read(_name: &str, _bytes: &[u8], _side: &mut SideFiles) -> Result<Model, ModelError> {
    Err(ModelError::new("header", 0, ModelProblem::NotBuiltIn { feature: "gltf" }))
}
