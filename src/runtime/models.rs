//! The models of a runtime: adding, finding and removing them.

use std::sync::Arc;

use super::{ModelId, Runtime};
use crate::model::{Model, ModelError};

/// A model and the name under which the game knows it.
#[derive(Debug)]
pub(crate) struct LoadedModel {
    pub(crate) name: String,
    pub(crate) model: Arc<Model>,
    /// True if its poses depend on animations and times alone, and every animation is made of frames: code that gathers an
    /// entity's frame state then needs no pose parameters.
    #[cfg_attr(not(feature = "qc"), expect(dead_code, reason = "only QuakeC's entities have such parameters"))]
    pub(crate) frames_only: bool,
    /// Files that its default doll may be in, in the order in which they are looked up.
    #[cfg(feature = "ragdoll")]
    pub(super) doll_files: Arc<[String; 2]>,
    /// True if neither of these files was there.
    #[cfg(feature = "ragdoll")]
    pub(super) lacks_doll: bool,
}

/// The error of [`Runtime::add_model`]: there are 16,383 models already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyModels;

impl std::fmt::Display for TooManyModels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("there are 16,383 models already")
    }
}

impl std::error::Error for TooManyModels {}

/// The error of [`Runtime::load_model`]; nothing was added.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum LoadModelError {
    /// The runtime's files include none of this name.
    NoSuchFile {
        /// Name that was looked up.
        name: String,
    },
    /// The file cannot be read as a model.
    Unreadable {
        /// Name of the file.
        name: String,
        /// Description of the problem and its place in the file.
        error: ModelError,
    },
    /// There are 16,383 models already.
    TooManyModels,
}

impl std::fmt::Display for LoadModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
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
            Self::NoSuchFile { .. } => None,
        }
    }
}

impl Runtime {
    /// Reads a model from the runtime's [files](Self::set_files), with the files beside it, and adds it under the file's
    /// name. Each call reads the file again and adds a model; ask [`model_by_name`](Self::model_by_name) first.
    ///
    /// # Errors
    /// [`LoadModelError`]; nothing is added then.
    pub fn load_model(&mut self, name: &str) -> Result<ModelId, LoadModelError> {
        let files = self.files.0.clone();
        let bytes = files.read(name).ok_or_else(|| LoadModelError::NoSuchFile { name: name.to_owned() })?;
        let model = Model::load_within(&self.settings.limits, name, &bytes, |side_file| files.read(side_file))
            .map_err(|error| LoadModelError::Unreadable { name: name.to_owned(), error })?;
        self.add_model(name, model).map_err(|TooManyModels| LoadModelError::TooManyModels)
    }

    /// Adds a model under the name by which the game knows it; its default doll is named after it too.
    ///
    /// # Errors
    /// [`TooManyModels`] if there are 16,383 models.
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

    /// Removes a model, as a game does when it changes levels, and returns it; `None` if no model has this id.
    ///
    /// Objects made from the model keep its bones, and ragdolls keep their dolls, but their default doll is no longer found.
    /// The id is not reused for a long time.
    ///
    /// ```
    /// use skelobj::skeleton::Space;
    /// use skelobj::{Model, Runtime, assets};
    ///
    /// let mut runtime = Runtime::default();
    /// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// let id = runtime.add_model("mannequin.iqm", model)?;
    /// let skel = runtime.create_skeleton(id, Space::Local)?;
    /// assert!(runtime.remove_model(id).is_some() && runtime.model(id).is_none());
    /// assert_eq!(runtime.object(skel).map(|object| object.bone_count()), Some(21));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_model(&mut self, id: ModelId) -> Option<Arc<Model>> {
        let removed = self.models.remove(id)?;
        #[cfg(feature = "ragdoll")]
        self.dolls.retain(|(_, model), _| *model != id);
        Some(removed.model)
    }

    /// Returns the model with an id.
    #[inline]
    #[must_use]
    pub fn model(&self, id: ModelId) -> Option<&Arc<Model>> {
        self.models.get(id).map(|loaded| &loaded.model)
    }

    /// Returns an iterator over all models and their ids.
    pub fn models(&self) -> impl Iterator<Item = (ModelId, &Arc<Model>)> {
        self.models.iter().map(|(id, loaded)| (id, &loaded.model))
    }

    /// Returns the name under which a model was added.
    #[must_use]
    pub fn model_name(&self, id: ModelId) -> Option<&str> {
        self.models.get(id).map(|loaded| loaded.name.as_str())
    }

    /// Returns the id of the model with a name; case matters. If several models have the name, it is the first that
    /// [`models`](Self::models) visits.
    #[must_use]
    pub fn model_by_name(&self, name: &str) -> Option<ModelId> {
        self.models.iter().find(|(_, loaded)| loaded.name == name).map(|(id, _)| id)
    }
}

fn frames_only(model: &Model) -> bool {
    use crate::model::AnimationSource::BindPose;
    model.half_life.is_none() && !model.animations.iter().any(|animation| matches!(animation.source, BindPose))
}
