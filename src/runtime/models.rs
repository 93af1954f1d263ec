//! Models of a runtime: adding, finding and removing them.

use std::sync::{Arc, OnceLock};

use skelobj_model::internal::{self, NoFile, Shown};

use super::{ModelId, Runtime, Warning};
use crate::Dialect;
use crate::model::{Model, ModelError};

/// Error of [`Runtime::load_model`] and [`Runtime::add_model`]. No model was added.
///
/// ```
/// use skelobj::Runtime;
/// use skelobj::runtime::LoadModelError;
///
/// let mut runtime = Runtime::default();
/// runtime.set_files(|name: &str| (name == "notes.iqm").then(|| b"not a model".to_vec()));
/// assert!(matches!(runtime.load_model("ogre.iqm"), Err(LoadModelError::NoSuchFile { .. })));
/// assert!(matches!(runtime.load_model("notes.iqm"), Err(LoadModelError::Unreadable { .. })));
/// assert!(matches!(runtime.load_model("/etc/passwd"), Err(LoadModelError::NotPlainPath { .. })));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum LoadModelError {
    /// The name is not a [plain path](crate::is_plain_path). The source of files was not asked.
    NotPlainPath {
        /// Name of the call.
        name: String,
    },
    /// The source of files has no file of this name.
    NoSuchFile {
        /// Name that was looked up.
        name: String,
    },
    /// The source of files has the file, but cannot read it.
    CannotRead {
        /// Name of the file.
        name: String,
        /// Reason of the source, such as a lack of permission.
        reason: String,
    },
    /// The file cannot be read as a model.
    Unreadable {
        /// Name of the file.
        name: String,
        /// Problem, and its position in the file.
        error: ModelError,
    },
    /// The runtime has 16,383 models already.
    TooManyModels,
}

impl std::fmt::Display for LoadModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotPlainPath { name } => internal::write_not_plain(name, f),
            Self::NoSuchFile { name } => internal::write_no_such(name, f),
            Self::CannotRead { name, reason } => internal::write_cannot_read(name, reason, f),
            Self::Unreadable { name, error } => write!(f, "{}: {error}", Shown::of(name)),
            Self::TooManyModels => f.write_str("the runtime has 16,383 models already"),
        }
    }
}

impl std::error::Error for LoadModelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// Model with the name under which the game knows it.
#[derive(Debug)]
pub(crate) struct LoadedModel {
    pub(crate) name: String,
    pub(crate) model: Arc<Model>,
    /// Number of models that were added before.
    number: u64,
    /// Doublings of the range of messages of bones, once they were needed.
    pub(super) doublings: OnceLock<u8>,
    /// `true` if every animation consists of frames and poses depend only on animations and times: code that gathers an
    /// entity's frame state then needs no pose parameters.
    #[cfg_attr(not(feature = "qc"), expect(dead_code, reason = "only QuakeC's entities have such parameters"))]
    pub(crate) frames_only: bool,
    /// Possible file names of its default doll, in the order of the look-up.
    pub(super) doll_files: Arc<[String; 2]>,
    /// `true` if neither of these files exists.
    pub(super) lacks_doll: bool,
}

impl Runtime {
    /// Reads a model and the files beside it from the runtime's [files](Self::set_files), and adds it under the file's
    /// name.
    ///
    /// Every call reads the file again and adds another model; [`model_by_name`](Self::model_by_name) finds a model
    /// that was added before. [`Settings::load`](super::Settings::load) limits the cost of a file and chooses the
    /// engine whose rules apply.
    ///
    /// ```
    /// use skelobj::{Runtime, assets};
    /// let mut runtime = Runtime::default();
    /// runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    /// let model = runtime.load_model("mannequin.iqm")?;
    /// assert_eq!(runtime.model(model).unwrap().skeleton.len(), 21);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadModelError::NotPlainPath`], [`LoadModelError::NoSuchFile`], [`LoadModelError::CannotRead`],
    /// [`LoadModelError::Unreadable`] or [`LoadModelError::TooManyModels`]. No model is added. A side file that cannot
    /// be read causes a [`Warning::CannotRead`].
    pub fn load_model(&mut self, name: &str) -> Result<ModelId, LoadModelError> {
        self.load_model_as(name, self.settings.load.dialect)
    }

    /// Reads a model by the rules of an engine.
    pub(crate) fn load_model_as(&mut self, name: &str, dialect: Dialect) -> Result<ModelId, LoadModelError> {
        let files = self.files.clone();
        let bytes = files.read(name).map_err(|reason| match reason {
            NoFile::NotPlain => LoadModelError::NotPlainPath { name: name.to_owned() },
            NoFile::Missing => LoadModelError::NoSuchFile { name: name.to_owned() },
            NoFile::Unreadable(reason) => LoadModelError::CannotRead { name: name.to_owned(), reason },
        })?;
        let options = self.settings.load.with_dialect(dialect);
        let mut unread = Vec::new();
        let side = |side_file: &str| match files.read(side_file) {
            Err(NoFile::Unreadable(reason)) => {
                unread.push(Warning::CannotRead { file: side_file.to_owned(), reason });
                None
            }
            found => found.ok(),
        };
        let model = Model::load_with(&options, name, &bytes, side);
        unread.into_iter().for_each(|warning| self.warn(warning));
        let model = model.map_err(|error| LoadModelError::Unreadable { name: name.to_owned(), error })?;
        self.add_model(name, model)
    }

    /// Adds a model under the name by which the game knows it.
    ///
    /// The default doll of the model is looked up under this name: as `NAME.doll`, then with the extension replaced by
    /// `.doll`. Any name is accepted, but a doll is looked up only under a [plain path](crate::is_plain_path).
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// let model = runtime.add_model("progs/player.iqm", skelobj::assets::mannequin())?;
    /// assert_eq!(runtime.model_by_name("progs/player.iqm"), Some(model));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadModelError::TooManyModels`] if the runtime has 16,383 models.
    pub fn add_model(
        &mut self,
        name: impl Into<String>,
        model: impl Into<Arc<Model>>,
    ) -> Result<ModelId, LoadModelError> {
        let (name, model) = (name.into(), model.into());
        let loaded = LoadedModel {
            frames_only: frames_only(&model),
            doll_files: Arc::new(super::dolls::default_doll_files(&name)),
            lacks_doll: false,
            model,
            name,
            number: self.models_added,
            doublings: OnceLock::new(),
        };
        let id = self.models.insert(loaded).ok_or(LoadModelError::TooManyModels)?;
        self.models_added += 1;
        Ok(id)
    }

    /// Removes a model and returns it; `None` if no model has this id.
    ///
    /// Games do this when they change levels. Objects created from the model keep its bones, and ragdolls keep their
    /// dolls, but the default doll of the model is no longer found. The id is not reused for a long time.
    ///
    /// ```
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// assert!(runtime.remove_model(model).is_some() && runtime.model(model).is_none());
    /// assert_eq!(runtime.object(object).map(|object| object.bone_count()), Some(21));
    /// ```
    pub fn remove_model(&mut self, id: ModelId) -> Option<Arc<Model>> {
        let removed = self.models.remove(id)?;
        self.dolls.retain(|(_, model), _| *model != id);
        Some(removed.model)
    }

    /// Returns a model; `None` if no model has this id.
    ///
    /// ```
    /// let (runtime, _) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let mannequin = runtime.model(model).unwrap();
    /// assert_eq!(mannequin.find_animation("death"), Some(3));
    /// ```
    #[inline]
    #[must_use]
    pub fn model(&self, id: ModelId) -> Option<&Arc<Model>> {
        self.models.get(id).map(|loaded| &loaded.model)
    }

    /// Returns an iterator over all models and their ids.
    ///
    /// ```
    /// let (runtime, _) = skelobj::assets::mannequin_runtime();
    /// for (id, model) in runtime.models() {
    ///     println!("{id}: {} bones", model.skeleton.len());
    /// }
    /// assert_eq!(runtime.models().count(), 1);
    /// ```
    pub fn models(&self) -> impl Iterator<Item = (ModelId, &Arc<Model>)> {
        self.models.iter().map(|(id, loaded)| (id, &loaded.model))
    }

    /// Returns the name under which a model was added; `None` if no model has this id.
    ///
    /// ```
    /// let (runtime, _) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// assert_eq!(runtime.model_name(model), Some("mannequin.iqm"));
    /// ```
    #[must_use]
    pub fn model_name(&self, id: ModelId) -> Option<&str> {
        self.models.get(id).map(|loaded| loaded.name.as_str())
    }

    /// Returns the id of the model with a name; case matters.
    ///
    /// If several models have the name, as after a reload, the result is the one that was added last. The search is
    /// linear.
    ///
    /// ```
    /// let (mut runtime, _) = skelobj::assets::mannequin_runtime();
    /// let model = match runtime.model_by_name("mannequin.iqm") {
    ///     Some(model) => model,
    ///     None => runtime.load_model("mannequin.iqm")?, // read only once
    /// };
    /// assert_eq!(runtime.model_name(model), Some("mannequin.iqm"));
    /// assert_eq!(runtime.model_by_name("Mannequin.iqm"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn model_by_name(&self, name: &str) -> Option<ModelId> {
        let named = self.models.iter().filter(|(_, loaded)| loaded.name == name);
        named.max_by_key(|(_, loaded)| loaded.number).map(|(id, _)| id)
    }
}

fn frames_only(model: &Model) -> bool {
    use crate::model::AnimationSource::BindPose;
    model.half_life.is_none() && !model.animations.iter().any(|animation| matches!(animation.source, BindPose))
}
