//! Dolls from files: a cache by file and model, default dolls, and files that change.

use std::collections::HashMap;
use std::sync::Arc;

use skelobj_model::internal::NoFile;

use super::{ModelId, ObjectId, RagdollCommandError, Runtime, Warning};
use crate::doll::{Doll, Parsed};
use crate::math::Mat3x4;
use crate::physics::Physics;
use crate::ragdoll::Ragdoll;

/// Dolls by file name and by the model that they were read for.
pub(super) type DollCache = HashMap<(String, ModelId), Arc<Doll>>;

impl Runtime {
    /// Returns the default doll of a model, reading it now rather than on first use; `None` if the model has none with
    /// bodies.
    ///
    /// The doll is read from the file with the model's name and `.doll` added, else from the file with the extension of
    /// that name replaced by `.doll` (difference 20). If the default doll is missing, here or on first use, the runtime
    /// looks for it again only after a call of this method, of [`reload_dolls`](Self::reload_dolls) or of
    /// [`set_files`](Self::set_files). If the model's name is not a [plain path](crate::is_plain_path), the look-up
    /// causes a [`Warning`].
    ///
    /// ```
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let doll = runtime.precache_doll(model).expect("mannequin.doll");
    /// assert_eq!(doll.bodies.len(), 16);
    /// assert!(runtime.ragdoll(object).is_none()); // no object has it yet
    /// ```
    pub fn precache_doll(&mut self, model: ModelId) -> Option<Arc<Doll>> {
        if let Some(loaded) = self.models.get_mut(model) {
            loaded.lacks_doll = false;
        }
        self.default_doll(model).filter(|doll| !doll.bodies.is_empty())
    }

    /// Reads every doll file again, after the host's files have changed. Returns the number of dolls that changed.
    ///
    /// Objects that use a changed doll continue with the new one where they are; the strengths and joints that
    /// `animatebody` and `enablejoint` set are reset to those of the new doll. A file that no longer exists or has
    /// errors changes nothing and causes a [`Warning`]. Default dolls that were missing are looked up again.
    ///
    /// ```
    /// use skelobj::assets;
    /// use skelobj::math::Mat3x4;
    /// use skelobj::ragdoll::Command;
    /// use std::sync::{Arc, Mutex};
    /// let (mut runtime, object) = assets::mannequin_runtime();
    /// let text = Arc::new(Mutex::new(assets::MANNEQUIN_DOLL.to_vec()));
    /// let file = text.clone();
    /// runtime.set_files(move |name: &str| (name == "mannequin.doll").then(|| file.lock().unwrap().clone()));
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
    /// text.lock().unwrap().extend(b"\nupdatebody head\nmass 9\n"); // edited while the game runs
    /// assert_eq!(runtime.reload_dolls(), 1);
    /// let doll = runtime.ragdoll(object).unwrap().doll(); // the new one
    /// assert!(doll.bodies.iter().any(|body| body.name.as_bytes() == b"head" && body.mass == 9.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reload_dolls(&mut self) -> usize {
        self.models.for_each_mut(|_, loaded| loaded.lacks_doll = false);
        let mut keys: Vec<_> = self.dolls.keys().cloned().collect();
        keys.sort();
        let mut changed = 0;
        for (file, model) in keys {
            let Some(new) = self.read_again(&file, model) else { continue };
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

    /// Returns the doll that a file holds now; `None` if the file has errors or no bodies.
    fn read_again(&mut self, file: &str, model: ModelId) -> Option<Doll> {
        let text = match self.files.read(file) {
            Ok(text) => text,
            Err(NoFile::Unreadable(reason)) => {
                self.warn(Warning::CannotRead { file: file.to_owned(), reason });
                return None;
            }
            Err(NoFile::NotPlain | NoFile::Missing) => {
                self.warn(Warning::DollReloadFailed { file: file.to_owned() });
                return None;
            }
        };
        let (doll, faulty) = self.parse_doll(file, &text, model);
        (!faulty && !doll.bodies.is_empty()).then_some(doll)
    }

    fn replace_doll(&mut self, old: &Arc<Doll>, new: &Arc<Doll>) {
        let (physics, cost, awake) = (&mut self.physics, &mut self.cost, &mut self.awake);
        self.objects.for_each_mut(|id, object| {
            let Some(ragdoll) = object.ragdoll.as_ref().filter(|ragdoll| Arc::ptr_eq(ragdoll.doll(), old)) else {
                return;
            };
            // An object that cannot carry the new doll keeps the old one.
            if let Ok(renewed) = ragdoll.renew(new, &object.skeletal, physics) {
                renewed.set_owner(u64::from(id.get()), physics);
                if let Some(old) = object.ragdoll.replace(renewed) {
                    old.remove(physics);
                }
                awake.insert(id);
                object.recount(cost);
            }
        });
    }

    pub(super) fn default_doll(&mut self, model: ModelId) -> Option<Arc<Doll>> {
        let loaded = self.models.get(model).filter(|loaded| !loaded.lacks_doll)?;
        let names = loaded.doll_files.clone();
        let mut doll = None;
        for name in names.iter() {
            match self.load_doll(name, model) {
                Ok(found) => doll = Some(found),
                Err(NoFile::NotPlain) => self.warn(Warning::NotPlainPath { file: name.clone() }),
                Err(NoFile::Missing) => continue,
                Err(NoFile::Unreadable(reason)) => self.warn(Warning::CannotRead { file: name.clone(), reason }),
            }
            // Under a name with a wrong folder, the second file is as wrong as the first.
            break;
        }
        if doll.as_ref().is_none_or(|doll| doll.bodies.is_empty())
            && let Some(loaded) = self.models.get_mut(model)
        {
            loaded.lacks_doll = true;
        }
        doll
    }

    /// Returns the default doll of a model, if it was read.
    pub(super) fn cached_default_doll(&self, model: ModelId) -> Option<&Arc<Doll>> {
        let names = &self.models.get(model)?.doll_files;
        names.iter().find_map(|name| self.dolls.get(&(name.clone(), model)))
    }

    pub(super) fn load_doll(&mut self, file: &str, model: ModelId) -> Result<Arc<Doll>, NoFile> {
        let key = (file.to_owned(), model);
        if let Some(doll) = self.dolls.get(&key) {
            return Ok(doll.clone());
        }
        let text = self.files.read(file)?;
        let doll = Arc::new(self.parse_doll(file, &text, model).0);
        if !doll.bodies.is_empty() {
            self.dolls.insert(key, doll.clone());
        }
        Ok(doll)
    }

    /// Reads the text of a doll and warns of its problems; also returns whether any of them is an error.
    pub(super) fn parse_doll(&mut self, file: &str, text: &[u8], model: ModelId) -> (Doll, bool) {
        let parsed = match self.models.get(model) {
            Some(loaded) => Doll::parse_for(text, &loaded.model.skeleton),
            None => Doll::parse(text),
        };
        let faulty = parsed.has_errors();
        let Parsed { doll, problems, .. } = parsed;
        for problem in problems {
            self.warn(Warning::Doll { file: file.to_owned(), problem });
        }
        (doll, faulty)
    }

    /// Returns the object's ragdoll; creates one from its model's default doll if it has none.
    pub(super) fn need_ragdoll(
        &mut self,
        id: ObjectId,
        model: ModelId,
        entity: &Mat3x4,
    ) -> Result<(&mut Ragdoll, &mut Physics), RagdollCommandError> {
        if self.ragdoll(id).is_none() {
            let doll = self.default_doll(model).ok_or_else(|| self.no_doll(model))?;
            self.use_doll(id, &doll, entity, false)?;
        }
        let ragdoll = self.objects.get_mut(id).and_then(|object| object.ragdoll.as_mut());
        Ok((ragdoll.ok_or(RagdollCommandError::NoSuchObject)?, &mut self.physics))
    }

    /// Returns the error of an object without a doll, with the possible file names of its model's default doll.
    pub(super) fn no_doll(&self, model: ModelId) -> RagdollCommandError {
        let files = self.models.get(model).map(|loaded| loaded.doll_files.clone());
        RagdollCommandError::NoDoll { asked_for: files }
    }
}

/// Returns the possible file names of a model's default doll, in the order of the look-up (difference 20).
pub(super) fn default_doll_files(model: &str) -> [String; 2] {
    let folder = model.rfind('/').map_or(0, |slash| slash + 1);
    let stem = model[folder..].rfind('.').map_or(model.len(), |dot| folder + dot);
    [format!("{model}.doll"), format!("{}.doll", &model[..stem])]
}
