//! Reader of glTF in a build without the feature `gltf`.

use super::Input;
use crate::model::{Model, ModelError, ModelProblem};

/// Refuses a glTF file and names the feature that reads it.
pub(crate) fn read(_: &mut Input) -> Result<Model, ModelError> {
    Err(ModelError::new("header", 0, ModelProblem::NotBuiltIn { feature: "gltf" }))
}
