//! Models as a snapshot names them.

use serde::{Deserialize, Serialize};

use super::RestoreError;
use crate::model::Skeleton;
use crate::runtime::{ModelId, Runtime};

/// A model by its name, and what its bones must be like.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SavedModel {
    pub name: String,
    pub bones: usize,
    /// Of the bones' names, parents and bind pose.
    checksum: u32,
}

impl SavedModel {
    pub fn new(name: &str, skeleton: &Skeleton) -> Self {
        Self { name: name.to_owned(), bones: skeleton.len(), checksum: checksum(skeleton) }
    }
}

fn checksum(skeleton: &Skeleton) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for name in skeleton.names() {
        hasher.update(name.as_bytes());
        // Names end where they end: names are free of NULs.
        hasher.update(&[0]);
    }
    for parent in skeleton.parents() {
        hasher.update(&parent.to_le_bytes());
    }
    for number in skeleton.bind_relative().iter().flat_map(|bone| bone.0) {
        hasher.update(&number.to_bits().to_le_bytes());
    }
    hasher.finalize()
}

impl Runtime {
    /// The models of a snapshot, each as it is known here.
    pub(super) fn find_models(&self, models: &[SavedModel]) -> Result<Vec<ModelId>, RestoreError> {
        models.iter().map(|model| self.find_model(model)).collect()
    }

    fn find_model(&self, wanted: &SavedModel) -> Result<ModelId, RestoreError> {
        let named = || self.models.iter().filter(|(_, loaded)| loaded.name == wanted.name);
        let same = |(_, loaded): &(ModelId, &crate::runtime::LoadedModel)| {
            let skeleton = &loaded.model.skeleton;
            skeleton.len() == wanted.bones && checksum(skeleton) == wanted.checksum
        };
        if let Some((id, _)) = named().find(same) {
            return Ok(id);
        }
        let name = wanted.name.clone();
        Err(match named().next() {
            Some((_, other)) => {
                RestoreError::OtherModel { name, expected: wanted.bones, found: other.model.skeleton.len() }
            }
            None => RestoreError::MissingModel { name },
        })
    }
}
