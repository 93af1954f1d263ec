//! Models, skeletal objects and the physics world of one game: the part of the crate that an engine embeds.

#[cfg(feature = "ragdoll")]
mod dolls;
mod entities;
mod frame;
mod info;
mod models;
mod objects;
#[cfg(feature = "ragdoll")]
mod owner;
mod palettes;
#[cfg(feature = "ragdoll")]
mod ragdolls;
mod replicate;
mod settings;
#[cfg(feature = "serde")]
mod snapshot;
mod trace;
mod warning;

pub use crate::id::{InvalidId, ModelId, SkelId};
pub use entities::EntityState;
#[cfg(feature = "ragdoll")]
pub use info::RagdollInfo;
pub use info::SkelInfo;
pub use models::{LoadModelError, TooManyModels};
#[cfg(feature = "ragdoll")]
pub use owner::BodyOwner;
#[cfg(feature = "ragdoll")]
pub use ragdolls::RagdollCommandError;
pub use replicate::{BonePose, BoneReceiver, BonesError, Replication};
pub use settings::Settings;
#[cfg(feature = "serde")]
pub use snapshot::{Snapshot, SnapshotError};
pub use trace::{Hit, ObjectGeometry, Surface, Trace, TraceError, TraceTarget};
pub use warning::Warning;

use std::sync::Arc;

use crate::files::{FileSource, NoFiles};
use crate::id::IdMap;
use crate::number::OutOfRange;
#[cfg(feature = "ragdoll")]
use crate::physics::Physics;
use crate::skeleton::SkeletalObject;
pub(crate) use models::LoadedModel;

/// The models, skeletal objects and ragdolls of one game world.
///
/// ```
/// use skelobj::model::FrameState;
/// use skelobj::skeleton::{Build, Space};
/// use skelobj::{Model, Runtime, assets};
///
/// let mut runtime = Runtime::default();
/// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
/// let model = runtime.add_model("mannequin.iqm", model)?;
/// let skel = runtime.create_skeleton(model, Space::Local)?;
/// runtime.build(skel, model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
/// assert_eq!(skel.get(), 1); // the number that QuakeC and C know it by
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Runtime {
    settings: Settings,
    files: Files,
    models: IdMap<ModelId, LoadedModel>,
    objects: IdMap<SkelId, Object>,
    /// Bones that all objects count as.
    cost: usize,
    /// Objects deleted in this frame.
    pending_delete: Vec<SkelId>,
    warnings: Vec<Warning>,
    #[cfg(feature = "ragdoll")]
    physics: Physics,
    #[cfg(feature = "ragdoll")]
    dolls: dolls::DollCache,
}

#[derive(Debug)]
struct Object {
    skeleton: SkeletalObject,
    model: ModelId,
    user_data: u64,
    pending_delete: bool,
    /// Bones that it counts as in the budget, with its ragdoll.
    cost: usize,
    #[cfg(feature = "ragdoll")]
    ragdoll: Option<crate::ragdoll::Ragdoll>,
}

/// The source of the host's files.
#[derive(Clone)]
struct Files(Arc<dyn FileSource>);

impl Default for Files {
    fn default() -> Self {
        Self(Arc::new(NoFiles))
    }
}

impl std::fmt::Debug for Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Files")
    }
}

impl Runtime {
    /// Maximum number of warnings kept until they are taken; further ones are lost.
    pub const MAX_WARNINGS: usize = 1000;

    /// Creates an empty world.
    ///
    /// # Errors
    /// [`OutOfRange`] names the first setting that is out of range.
    pub fn new(settings: Settings) -> Result<Self, OutOfRange> {
        let mut runtime = Self::default();
        runtime.set_settings(settings)?;
        Ok(runtime)
    }

    /// Sets the source of files: models, the files beside them, and dolls. Without a source there are no files.
    ///
    /// Default dolls that were missing are asked for again. Dolls that were read stay until
    /// `reload_dolls`. A snapshot does not hold the source; a restored runtime keeps the one that it has.
    ///
    /// ```
    /// use skelobj::{Runtime, assets};
    /// let mut runtime = Runtime::default();
    /// runtime.set_files(|name: &str| match name {
    ///     "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
    ///     "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
    ///     _ => None, // or read it from the game's folders and packs
    /// });
    /// let model = runtime.load_model("mannequin.iqm")?;
    /// # #[cfg(feature = "ragdoll")]
    /// assert!(runtime.precache_doll(model));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_files(&mut self, files: impl FileSource + 'static) {
        self.files = Files(Arc::new(files));
        #[cfg(feature = "ragdoll")]
        self.models.for_each_mut(|_, loaded| loaded.lacks_doll = false);
    }

    /// Returns the current settings.
    #[inline]
    #[must_use]
    pub fn settings(&self) -> Settings {
        Settings {
            #[cfg(feature = "ragdoll")]
            physics: *self.physics.settings(),
            ..self.settings
        }
    }

    /// Changes the settings from the next call and step on. Friction, damping and sleeping of ragdolls that are there already
    /// stay; a world that the host lends keeps its own parameters.
    ///
    /// # Errors
    /// [`OutOfRange`] names the first setting that is out of range; nothing has changed then.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), OutOfRange> {
        settings.check()?;
        #[cfg(feature = "ragdoll")]
        self.physics.set_settings(settings.physics)?;
        self.settings = settings;
        Ok(())
    }

    /// Removes and returns the warnings that came up since the last call, oldest first.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// Returns whether there are warnings to take.
    #[inline]
    #[must_use]
    pub fn has_warnings(&self) -> bool {
        !self.warnings.is_empty()
    }

    #[cfg(feature = "ragdoll")]
    fn warn(&mut self, warning: Warning) {
        if self.warnings.len() < Self::MAX_WARNINGS {
            self.warnings.push(warning);
        }
    }
}
