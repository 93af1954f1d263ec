//! Models as a snapshot identifies them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::SnapshotError;
use crate::model::{Model, Skeleton};
use crate::runtime::{ModelId, Runtime};

/// Name of a model, and the properties that its bones must have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SavedModel {
    /// Name of the model; `None` if it was removed while objects used it.
    pub name: Option<String>,
    pub bones: usize,
    /// Checksum of the bones' names, parents and bind pose.
    checksum: u32,
}

impl SavedModel {
    pub fn new(name: Option<&str>, skeleton: &Skeleton) -> Self {
        Self { name: name.map(str::to_owned), bones: skeleton.len(), checksum: checksum(skeleton) }
    }
}

fn checksum(skeleton: &Skeleton) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for name in skeleton.names() {
        hasher.update(name.as_bytes());
        // NUL ends a name: names contain none.
        hasher.update(&[0]);
    }
    for parent in skeleton.parents() {
        hasher.update(&parent.to_le_bytes());
    }
    for number in skeleton.bind_local().iter().flat_map(|bone| bone.0) {
        hasher.update(&number.to_bits().to_le_bytes());
    }
    hasher.finalize()
}

impl Runtime {
    /// Returns the runtime's models that a snapshot needs, in the snapshot's order.
    pub(super) fn find_models(&self, models: &[SavedModel]) -> Result<Vec<(ModelId, Arc<Model>)>, SnapshotError> {
        models.iter().map(|model| self.find_model(model)).collect()
    }

    fn find_model(&self, wanted: &SavedModel) -> Result<(ModelId, Arc<Model>), SnapshotError> {
        let same = |skeleton: &Skeleton| skeleton.len() == wanted.bones && checksum(skeleton) == wanted.checksum;
        let Some(name) = &wanted.name else {
            // A removed model is found through its objects.
            let mut objects =
                self.objects.iter().map(|(_, object)| object).filter(|object| self.models.get(object.model).is_none());
            let alike = objects.find(|object| same(&object.skeletal.model().skeleton));
            let found = alike.map(|object| (object.model, object.skeletal.model().clone()));
            return found.ok_or(SnapshotError::RemovedModel { bones: wanted.bones });
        };
        let named = || self.models.iter().filter(|(_, loaded)| loaded.name == *name);
        if let Some((id, loaded)) = named().find(|(_, loaded)| same(&loaded.model.skeleton)) {
            return Ok((id, loaded.model.clone()));
        }
        let name = name.clone();
        Err(match named().next() {
            Some((_, other)) => {
                SnapshotError::OtherModel { name, expected: wanted.bones, found: other.model.skeleton.len() }
            }
            None => SnapshotError::MissingModel { name },
        })
    }
}
