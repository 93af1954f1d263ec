//! Models, skeletal objects and the physics world of one game: what an engine embeds.

#[cfg(feature = "ragdoll")]
mod dolls;
mod entities;
mod handles;
#[cfg(feature = "ragdoll")]
mod host_steps;
mod ids;
mod info;
mod objects;
mod palettes;
#[cfg(feature = "ragdoll")]
mod ragdolls;
mod replicate;
#[cfg(feature = "serde")]
mod snapshot;
mod trace;
mod warning;
#[cfg(feature = "ragdoll")]
mod world_trace;

#[cfg(feature = "ragdoll")]
pub use dolls::ReadFile;
pub use entities::EntityState;
#[cfg(feature = "ragdoll")]
pub use info::RagdollInfo;
pub use info::SkelInfo;
#[cfg(feature = "ragdoll")]
pub use ragdolls::RagdollCommandError;
pub use replicate::{BonePose, BoneReceiver, BonesError, Replication};
#[cfg(feature = "serde")]
pub use snapshot::{RestoreError, Snapshot};
pub use trace::{Against, Hit, Surface};
pub use warning::Warning;
#[cfg(feature = "ragdoll")]
pub use world_trace::Trace;

use std::sync::Arc;

use slotmap::{SecondaryMap, SlotMap};

use crate::math::{EntityTransform, Mat3x4};
use crate::model::Model;
#[cfg(feature = "ragdoll")]
use crate::physics::{Physics, PhysicsSettings};
use crate::skeleton::SkeletalObject;

slotmap::new_key_type! {
    /// A model of a [`Runtime`].
    pub struct ModelId;
    /// A skeletal object of a [`Runtime`]. One that was deleted is never mistaken for a newer one.
    pub struct SkelId;
}

/// What an engine may set.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// The cvar `r_meshpitch`: pitch of mesh entities is multiplied by it. Default -1: positive pitch tilts a mesh up.
    pub mesh_pitch: f32,
    /// The cvar `r_meshroll`. Default 1.
    pub mesh_roll: f32,
    /// How the physics world simulates.
    #[cfg(feature = "ragdoll")]
    pub physics: PhysicsSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mesh_pitch: -1.0,
            mesh_roll: 1.0,
            #[cfg(feature = "ragdoll")]
            physics: PhysicsSettings::default(),
        }
    }
}

impl Settings {
    /// Model space to world space of an entity.
    fn entity_matrix(&self, entity: &EntityTransform) -> Mat3x4 {
        entity.to_world(self.mesh_pitch, self.mesh_roll)
    }
}

/// One game world's models, skeletal objects and ragdolls.
///
/// ```
/// use skelobj::model::FrameState;
/// use skelobj::skeleton::{Build, Space};
/// use skelobj::{Model, Runtime, assets};
///
/// let mut runtime = Runtime::default();
/// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
/// let model = runtime.add_model("mannequin.iqm", model);
/// let skel = runtime.create_skeleton(model, Space::Local)?;
/// runtime.build(skel, model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
/// assert_eq!(runtime.handle(skel), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Runtime {
    settings: Settings,
    models: SlotMap<ModelId, LoadedModel>,
    ids: ids::IdTable,
    objects: SecondaryMap<SkelId, Object>,
    handles: handles::HandleTable,
    /// Deleted in this frame.
    doomed: Vec<SkelId>,
    warnings: Vec<Warning>,
    #[cfg(feature = "ragdoll")]
    physics: Physics,
    #[cfg(feature = "ragdoll")]
    dolls: dolls::DollCache,
}

#[derive(Debug)]
pub(crate) struct LoadedModel {
    name: String,
    pub(crate) model: Arc<Model>,
    /// See [`Runtime::frames_only`].
    pub(crate) frames_only: bool,
    /// Whether its default doll was asked for in vain.
    #[cfg(feature = "ragdoll")]
    lacks_doll: bool,
}

#[derive(Debug)]
struct Object {
    skeleton: SkeletalObject,
    model: ModelId,
    handle: u32,
    doomed: bool,
    #[cfg(feature = "ragdoll")]
    ragdoll: Option<crate::ragdoll::Ragdoll>,
}

impl Runtime {
    /// Reports kept until they are taken; further ones are lost.
    pub const MAX_WARNINGS: usize = 1000;

    /// An empty world.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            #[cfg(feature = "ragdoll")]
            physics: Physics::new(settings.physics),
            ..Self::default()
        }
    }

    /// What it was made with, to change; the physics settings of a world in use stay as they are.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// What it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Adds a model under the name the game knows it by, which is also what its default doll is named after.
    pub fn add_model(&mut self, name: impl Into<String>, model: impl Into<Arc<Model>>) -> ModelId {
        let model = model.into();
        self.models.insert(LoadedModel {
            name: name.into(),
            frames_only: frames_only(&model),
            #[cfg(feature = "ragdoll")]
            lacks_doll: false,
            model,
        })
    }

    /// Takes a model out, as a game does that changes its level; `None` if it is gone already.
    ///
    /// Objects made from it live on with its bones, and ragdolls with their dolls, but a default doll is no longer found
    /// for them. The id means no model from now on, whatever is added later.
    ///
    /// ```
    /// use skelobj::skeleton::Space;
    /// use skelobj::{Model, Runtime, assets};
    ///
    /// let mut runtime = Runtime::default();
    /// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// let id = runtime.add_model("mannequin.iqm", model);
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

    /// A model.
    #[inline]
    pub fn model(&self, id: ModelId) -> Option<&Arc<Model>> {
        self.models.get(id).map(|loaded| &loaded.model)
    }

    /// All models.
    pub fn models(&self) -> impl Iterator<Item = (ModelId, &Arc<Model>)> {
        self.models.iter().map(|(id, loaded)| (id, &loaded.model))
    }

    /// The name a model was added under.
    pub fn model_name(&self, id: ModelId) -> Option<&str> {
        self.models.get(id).map(|loaded| loaded.name.as_str())
    }

    /// Whether the poses of a model depend on animations and times alone, and every animation is made of frames: pose
    /// parameters need not be gathered for it. `false` for a model that does not exist.
    pub fn frames_only(&self, id: ModelId) -> bool {
        self.models.get(id).is_some_and(|loaded| loaded.frames_only)
    }

    /// What went wrong or looked odd since this was last asked, oldest first.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// Whether there is something to take.
    #[inline]
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

fn frames_only(model: &Model) -> bool {
    use crate::model::AnimationSource::BindPose;
    model.half_life.is_none() && !model.animations.iter().any(|animation| matches!(animation.source, BindPose))
}
