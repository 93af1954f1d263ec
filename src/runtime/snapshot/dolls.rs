//! Dolls of a snapshot.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::number_in;
use crate::doll::Doll;
use crate::model::Model;
use crate::runtime::{ModelId, dolls::DollCache};

/// Dolls in use, each once: ragdolls and files that shared a doll share it after a restore.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct SavedDolls {
    dolls: Vec<Arc<Doll>>,
    /// File name, number of the model that the file was read for, and number of the doll; sorted.
    files: Vec<(String, usize, usize)>,
}

impl SavedDolls {
    /// Returns the number of a doll; adds the doll if it is new.
    pub fn add(&mut self, doll: &Arc<Doll>) -> usize {
        number_in(&mut self.dolls, doll.clone(), Arc::ptr_eq)
    }

    pub fn get(&self, number: usize) -> Option<&Arc<Doll>> {
        self.dolls.get(number)
    }

    /// Adds the files that the dolls in use were read from for these models; other dolls can be read again.
    pub fn add_files(&mut self, cache: &DollCache, models: &[(ModelId, Arc<Model>)]) {
        let mut files = Vec::new();
        for ((file, model), doll) in cache {
            let model = models.iter().position(|(used, _)| used == model);
            let doll = self.dolls.iter().position(|used| Arc::ptr_eq(used, doll));
            if let Some((model, doll)) = model.zip(doll) {
                files.push((file.clone(), model, doll));
            }
        }
        files.sort();
        self.files = files;
    }

    /// Replaces the dolls that a cache holds for these models.
    pub fn load(self, cache: &mut DollCache, models: &[(ModelId, Arc<Model>)]) {
        cache.retain(|(_, model), _| models.iter().all(|(used, _)| used != model));
        for (file, model, doll) in self.files {
            if let Some(((model, _), doll)) = models.get(model).zip(self.dolls.get(doll)) {
                cache.insert((file, *model), doll.clone());
            }
        }
    }

    /// Returns `true` if all numbers are in range for this number of models.
    pub fn is_sound(&self, models: usize) -> bool {
        let joins = |doll: &Arc<Doll>| {
            let bodies = doll.bodies.len();
            doll.joints.iter().all(|joint| joint.body1.max(joint.body2.unwrap_or(0)) < bodies)
        };
        let names = |(_, model, doll): &(String, usize, usize)| *model < models && *doll < self.dolls.len();
        self.dolls.iter().all(joins) && self.files.iter().all(names)
    }
}
