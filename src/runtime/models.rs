//! Models of a runtime: adding, finding and removing them.

use std::sync::Arc;

use super::{ModelId, Runtime};
use crate::files::{self, NoFile};
use crate::limits::Limits;
use crate::model::{Model, ModelError};

/// Model with the name under which the game knows it.
#[derive(Debug)]
pub(crate) struct LoadedModel {
    pub(crate) name: String,
    pub(crate) model: Arc<Model>,
    /// `true` if every animation consists of frames and poses depend only on animations and times: code that gathers an
    /// entity's frame state then needs no pose parameters.
    #[cfg_attr(not(feature = "qc"), expect(dead_code, reason = "only QuakeC's entities have such parameters"))]
    pub(crate) frames_only: bool,
    /// Names of the files that its default doll may be in, in the order of the look-up.
    #[cfg(feature = "ragdoll")]
    pub(super) doll_files: Arc<[String; 2]>,
    /// `true` if neither of these files exists.
    #[cfg(feature = "ragdoll")]
    pub(super) lacks_doll: bool,
}

/// Error of [`Runtime::add_model`]: the runtime has 16,383 models already.
///
/// ```
/// use std::sync::Arc;
/// use skelobj::runtime::TooManyModels;
/// use skelobj::{Model, Runtime, assets};
///
/// let mut runtime = Runtime::default();
/// let model = Arc::new(Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?);
/// for _ in 0..16_383 {
///     runtime.add_model("mannequin.iqm", model.clone())?;
/// }
/// assert_eq!(runtime.add_model("mannequin.iqm", model), Err(TooManyModels));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyModels;

impl std::fmt::Display for TooManyModels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("there are 16,383 models already")
    }
}

impl std::error::Error for TooManyModels {}

/// Error of [`Runtime::load_model`]. No model was added.
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
            Self::NotPlainPath { name } => files::write_not_plain(name, f),
            Self::NoSuchFile { name } => write!(f, "no such file: {name}"),
            Self::Unreadable { name, error } => write!(f, "{name}: {error}"),
            Self::TooManyModels => TooManyModels.fmt(f),
        }
    }
}

impl std::error::Error for LoadModelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { error, .. } => Some(error),
            Self::TooManyModels => Some(&TooManyModels),
            Self::NotPlainPath { .. } | Self::NoSuchFile { .. } => None,
        }
    }
}

impl Runtime {
    /// Reads a model and the files beside it from the runtime's [files](Self::set_files), and adds it under the file's
    /// name.
    ///
    /// Every call reads the file again and adds another model; [`model_by_name`](Self::model_by_name) finds the one
    /// that is there. [`Settings::limits`](super::Settings::limits) limits the cost of a file.
    ///
    /// ```
    /// # use skelobj::{Runtime, assets};
    /// let mut runtime = Runtime::default();
    /// runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    /// let model = runtime.load_model("mannequin.iqm")?;
    /// assert_eq!(runtime.model(model).unwrap().skeleton.len(), 21);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadModelError::NotPlainPath`], [`LoadModelError::NoSuchFile`], [`LoadModelError::Unreadable`] or
    /// [`LoadModelError::TooManyModels`]. No model is added.
    pub fn load_model(&mut self, name: &str) -> Result<ModelId, LoadModelError> {
        self.load_model_with(name, |limits, bytes, side| Model::load_within(limits, name, bytes, side))
    }

    /// Reads a model as [`load_model`](Self::load_model) does, but by the rules of DarkPlaces, as
    /// [`Model::load_as_darkplaces`] describes them.
    ///
    /// ```
    /// # use skelobj::{Runtime, assets};
    /// let mut runtime = Runtime::default();
    /// runtime.set_files(|name: &str| match name {
    ///     "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
    ///     "mannequin.iqm.framegroups" => Some(b"0 10\n".to_vec()),
    ///     _ => None,
    /// });
    /// let model = runtime.load_model_as_darkplaces("mannequin.iqm")?;
    /// assert_eq!(runtime.model(model).unwrap().animations[0].rate, 20.0); // the default of DarkPlaces
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`load_model`](Self::load_model). No model is added.
    pub fn load_model_as_darkplaces(&mut self, name: &str) -> Result<ModelId, LoadModelError> {
        self.load_model_with(name, |limits, bytes, side| Model::load_as_darkplaces_within(limits, name, bytes, side))
    }

    fn load_model_with(
        &mut self,
        name: &str,
        load: impl FnOnce(&Limits, &[u8], &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Model, ModelError>,
    ) -> Result<ModelId, LoadModelError> {
        let files = self.files.clone();
        let bytes = files.read(name).map_err(|reason| match reason {
            NoFile::NotPlain => LoadModelError::NotPlainPath { name: name.to_owned() },
            NoFile::Missing => LoadModelError::NoSuchFile { name: name.to_owned() },
        })?;
        let model = load(&self.settings.limits, &bytes, &|side_file: &str| files.read(side_file).ok())
            .map_err(|error| LoadModelError::Unreadable { name: name.to_owned(), error })?;
        self.add_model(name, model).map_err(|TooManyModels| LoadModelError::TooManyModels)
    }

    /// Adds a model under the name by which the game knows it.
    ///
    /// The default doll of the model is looked up under this name: as `NAME.doll`, then with the extension replaced by
    /// `.doll`. Any name is accepted, but under one that is not a [plain path](crate::is_plain_path), no doll is looked
    /// up.
    ///
    /// ```
    /// # use skelobj::{Model, Runtime, assets};
    /// let mut runtime = Runtime::default();
    /// let mannequin = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// let model = runtime.add_model("progs/player.iqm", mannequin)?;
    /// assert_eq!(runtime.model_by_name("progs/player.iqm"), Some(model));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TooManyModels`] if the runtime has 16,383 models.
    pub fn add_model(
        &mut self,
        name: impl Into<String>,
        model: impl Into<Arc<Model>>,
    ) -> Result<ModelId, TooManyModels> {
        let (name, model) = (name.into(), model.into());
        let loaded = LoadedModel {
            frames_only: frames_only(&model),
            #[cfg(feature = "ragdoll")]
            doll_files: Arc::new(super::dolls::default_doll_files(&name)),
            #[cfg(feature = "ragdoll")]
            lacks_doll: false,
            model,
            name,
        };
        self.models.insert(loaded).ok_or(TooManyModels)
    }

    /// Removes a model and returns it; `None` if no model has this id.
    ///
    /// Games do this when they change levels. Objects created from the model keep its bones, and ragdolls keep their
    /// dolls, but the default doll of the model is no longer found. The id is not reused for a long time.
    ///
    /// ```
    /// use skelobj::object::Space;
    /// use skelobj::{Model, Runtime, assets};
    ///
    /// let mut runtime = Runtime::default();
    /// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// let id = runtime.add_model("mannequin.iqm", model)?;
    /// let object = runtime.create_object(id, Space::Local)?;
    /// assert!(runtime.remove_model(id).is_some() && runtime.model(id).is_none());
    /// assert_eq!(runtime.object(object).map(|object| object.bone_count()), Some(21));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_model(&mut self, id: ModelId) -> Option<Arc<Model>> {
        let removed = self.models.remove(id)?;
        #[cfg(feature = "ragdoll")]
        self.dolls.retain(|(_, model), _| *model != id);
        Some(removed.model)
    }

    /// Returns a model; `None` if no model has this id.
    ///
    /// ```
    /// # use skelobj::{Model, Runtime, assets, math::{Mat3x4, Quat, Vec3}, model::FrameState};
    /// # use skelobj::{object::{Build, Space}, runtime::*};
    /// # let mut runtime = Runtime::default();
    /// # let mannequin = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// # let model = runtime.add_model("mannequin.iqm", mannequin)?;
    /// # let object = runtime.create_object(model, Space::Local)?;
    /// # runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
    /// let mannequin = runtime.model(model).unwrap();
    /// assert_eq!(mannequin.find_animation("death"), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn model(&self, id: ModelId) -> Option<&Arc<Model>> {
        self.models.get(id).map(|loaded| &loaded.model)
    }

    /// Returns an iterator over all models and their ids.
    ///
    /// ```
    /// # use skelobj::{Model, Runtime, assets, math::{Mat3x4, Quat, Vec3}, model::FrameState};
    /// # use skelobj::{object::{Build, Space}, runtime::*};
    /// # let mut runtime = Runtime::default();
    /// # let mannequin = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// # let model = runtime.add_model("mannequin.iqm", mannequin)?;
    /// # let object = runtime.create_object(model, Space::Local)?;
    /// # runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
    /// for (id, model) in runtime.models() {
    ///     println!("{id}: {} bones", model.skeleton.len());
    /// }
    /// assert_eq!(runtime.models().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn models(&self) -> impl Iterator<Item = (ModelId, &Arc<Model>)> {
        self.models.iter().map(|(id, loaded)| (id, &loaded.model))
    }

    /// Returns the name under which a model was added; `None` if no model has this id.
    ///
    /// ```
    /// # use skelobj::{Model, Runtime, assets, math::{Mat3x4, Quat, Vec3}, model::FrameState};
    /// # use skelobj::{object::{Build, Space}, runtime::*};
    /// # let mut runtime = Runtime::default();
    /// # let mannequin = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// # let model = runtime.add_model("mannequin.iqm", mannequin)?;
    /// # let object = runtime.create_object(model, Space::Local)?;
    /// # runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
    /// assert_eq!(runtime.model_name(model), Some("mannequin.iqm"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn model_name(&self, id: ModelId) -> Option<&str> {
        self.models.get(id).map(|loaded| loaded.name.as_str())
    }

    /// Returns the id of the model with a name; case matters.
    ///
    /// If several models have the name, the result is the first that [`models`](Self::models) visits. The search is
    /// linear.
    ///
    /// ```
    /// # use skelobj::{Model, Runtime, assets, math::{Mat3x4, Quat, Vec3}, model::FrameState};
    /// # use skelobj::{object::{Build, Space}, runtime::*};
    /// # let mut runtime = Runtime::default();
    /// # let mannequin = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// # let model = runtime.add_model("mannequin.iqm", mannequin)?;
    /// # let object = runtime.create_object(model, Space::Local)?;
    /// # runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
    /// let model = match runtime.model_by_name("mannequin.iqm") {
    ///     Some(model) => model,
    ///     None => runtime.load_model("mannequin.iqm")?, // read only once
    /// };
    /// assert_eq!(runtime.model_by_name("Mannequin.iqm"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn model_by_name(&self, name: &str) -> Option<ModelId> {
        self.models.iter().find(|(_, loaded)| loaded.name == name).map(|(id, _)| id)
    }
}

fn frames_only(model: &Model) -> bool {
    use crate::model::AnimationSource::BindPose;
    model.half_life.is_none() && !model.animations.iter().any(|animation| matches!(animation.source, BindPose))
}
