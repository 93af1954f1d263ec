//! Dolls from files: one reading for each file and model, default dolls, and files that change.

use std::collections::HashMap;
use std::sync::Arc;

use slotmap::Key;

use super::{ModelId, RagdollCommandError, Runtime, SkelId, Warning};
use crate::doll::{Doll, Parsed};
use crate::math::Mat3x4;
use crate::ragdoll::Ragdoll;

/// Dolls by file name, each read for one model.
pub(super) type DollCache = HashMap<(String, ModelId), Arc<Doll>>;

/// Where files come from: a name to its bytes.
pub type ReadFile<'a> = dyn FnMut(&str) -> Option<Vec<u8>> + 'a;

impl Runtime {
    /// Reads a model's default doll now rather than when it is first needed: the model's name with `.doll` added, else
    /// with its extension replaced by it. Returns whether there is one with bodies.
    ///
    /// A model that turns out to have none, here or when one is needed, is not asked for it again until this or
    /// [`flush_dolls`](Self::flush_dolls) is called.
    pub fn precache_doll(&mut self, model: ModelId, files: &mut ReadFile<'_>) -> bool {
        if let Some(loaded) = self.models.get_mut(model) {
            loaded.lacks_doll = false;
        }
        self.default_doll(model, files).is_some_and(|doll| !doll.bodies.is_empty())
    }

    /// Reads every doll file again. Objects that use one that has changed go on with the new doll where they are, what
    /// `animatebody` and `enablejoint` had set being as the new doll has it; a file that is gone, or has errors, changes
    /// nothing and is reported. Returns how many dolls changed.
    pub fn flush_dolls(&mut self, files: &mut ReadFile<'_>) -> usize {
        self.models.values_mut().for_each(|loaded| loaded.lacks_doll = false);
        let mut keys: Vec<_> = self.dolls.keys().cloned().collect();
        keys.sort();
        let mut changed = 0;
        for (file, model) in keys {
            let Some(new) = self.read_again(&file, model, files) else { continue };
            let Some(old) =
                self.dolls.get(&(file.clone(), model)).filter(|old| old.to_text() != new.to_text()).cloned()
            else {
                continue;
            };
            let new = Arc::new(new);
            self.dolls.insert((file, model), new.clone());
            self.replace_doll(&old, &new);
            changed += 1;
        }
        changed
    }

    /// The doll that a file holds now, if it is without errors.
    fn read_again(&mut self, file: &str, model: ModelId, files: &mut ReadFile<'_>) -> Option<Doll> {
        let Some(text) = files(file) else {
            self.warn(Warning::DollReloadFailed { file: file.to_owned() });
            return None;
        };
        let (doll, faulty) = self.parse_doll(file, &text, model);
        (!faulty && !doll.bodies.is_empty()).then_some(doll)
    }

    fn replace_doll(&mut self, old: &Arc<Doll>, new: &Arc<Doll>) {
        for (id, object) in &mut self.objects {
            let Some(ragdoll) = object.ragdoll.as_ref().filter(|ragdoll| Arc::ptr_eq(ragdoll.doll(), old)) else {
                continue;
            };
            // What cannot carry the new doll keeps the old one.
            if let Ok(renewed) = ragdoll.renew(new, &object.skeleton, &mut self.physics) {
                renewed.set_owner(id.data().as_ffi(), &mut self.physics);
                if let Some(old) = object.ragdoll.replace(renewed) {
                    old.remove(&mut self.physics);
                }
            }
        }
    }

    pub(super) fn default_doll(&mut self, model: ModelId, files: &mut ReadFile<'_>) -> Option<Arc<Doll>> {
        let loaded = self.models.get(model).filter(|loaded| !loaded.lacks_doll)?;
        let names = default_doll_files(&loaded.name);
        let doll = names.iter().find_map(|name| self.load_doll(name, model, files));
        if doll.as_ref().is_none_or(|doll| doll.bodies.is_empty())
            && let Some(loaded) = self.models.get_mut(model)
        {
            loaded.lacks_doll = true;
        }
        doll
    }

    /// The model's default doll, if it was read.
    pub(super) fn cached_default_doll(&self, model: ModelId) -> Option<&Arc<Doll>> {
        let names = default_doll_files(&self.models.get(model)?.name);
        names.into_iter().find_map(|name| self.dolls.get(&(name, model)))
    }

    pub(super) fn load_doll(&mut self, file: &str, model: ModelId, files: &mut ReadFile<'_>) -> Option<Arc<Doll>> {
        let key = (file.to_owned(), model);
        if let Some(doll) = self.dolls.get(&key) {
            return Some(doll.clone());
        }
        let doll = Arc::new(self.parse_doll(file, &files(file)?, model).0);
        if !doll.bodies.is_empty() {
            self.dolls.insert(key, doll.clone());
        }
        Some(doll)
    }

    /// Reads a doll's text and reports what is wrong with it; also whether anything of that is an error.
    pub(super) fn parse_doll(&mut self, file: &str, text: &[u8], model: ModelId) -> (Doll, bool) {
        let parsed = match self.models.get(model) {
            Some(loaded) => Doll::parse_for(text, &loaded.model.skeleton),
            None => Doll::parse(text),
        };
        let faulty = parsed.has_errors();
        let Parsed { doll, problems } = parsed;
        for problem in problems {
            self.warn(Warning::Doll { file: file.to_owned(), problem });
        }
        (doll, faulty)
    }

    /// The object's ragdoll, or its model's default one, made now.
    pub(super) fn need_ragdoll(
        &mut self,
        id: SkelId,
        model: ModelId,
        entity: &Mat3x4,
        files: &mut ReadFile<'_>,
    ) -> Result<(&mut Ragdoll, &mut crate::physics::Physics), RagdollCommandError> {
        if self.ragdoll(id).is_none() {
            let doll = self.default_doll(model, files).ok_or(RagdollCommandError::NoDoll)?;
            self.use_doll(id, &doll, entity, false)?;
        }
        let ragdoll = self.objects.get_mut(id).and_then(|o| o.ragdoll.as_mut()).ok_or(RagdollCommandError::NoDoll)?;
        Ok((ragdoll, &mut self.physics))
    }
}

/// Where the default doll of a model of this name may be, in the order in which they are asked for.
fn default_doll_files(model: &str) -> [String; 2] {
    let folder = model.rfind('/').map_or(0, |slash| slash + 1);
    let stem = model[folder..].rfind('.').map_or(model.len(), |dot| folder + dot);
    [format!("{model}.doll"), format!("{}.doll", &model[..stem])]
}
