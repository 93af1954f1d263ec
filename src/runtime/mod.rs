//! Runtimes: the models, skeletal objects, ragdolls and physics of one game world, under ids.

mod awake;
mod dolls;
mod entities;
mod frame;
mod history;
mod impacts;
mod info;
mod models;
mod objects;
mod owner;
mod palettes;
mod posed_skins;
mod ragdolls;
mod replicate;
mod settings;
mod skin_trace;
#[cfg(feature = "serde")]
mod snapshot;
mod trace;
mod warning;

pub use crate::id::{IdBits, InvalidId, ModelId, ObjectId};
pub use crate::physics::stepped::Stepped;
pub use entities::EntityState;
pub use history::{HistoryError, HistoryForm, HistorySettings, PastPose, PastTarget, PoseHistory};
pub use impacts::Impact;
pub use info::{ObjectInfo, RagdollInfo};
pub use models::LoadModelError;
pub use owner::BodyOwner;
pub use ragdolls::RagdollCommandError;
pub use replicate::{BonePose, BoneReceiver, BonesError, Replication};
pub use settings::Settings;
#[cfg(feature = "serde")]
pub use snapshot::{Snapshot, SnapshotError};
pub use trace::{Hit, ObjectGeometry, Surface, Trace, TraceError, TraceTarget};
pub use warning::Warning;

use std::sync::{Arc, OnceLock};

use skelobj_model::internal::{self, NoFile};

use crate::FileSource;
use crate::OutOfRange;
use crate::id::IdSlotMap;
use crate::object::SkeletalObject;
use crate::physics::Physics;
use crate::ragdoll::Ragdoll;
pub(crate) use models::LoadedModel;

/// Models, skeletal objects, ragdolls and the physics world of one game world: the type that an engine embeds.
///
/// An engine creates one `Runtime` per game world. The runtime never sees entities: it takes matrices, ids and
/// [`FrameState`](crate::model::FrameState)s, and writes matrices. Ids identify objects and models; they are the same
/// numbers below 2^24 in Rust and QuakeC, and the low bits of the ids in C.
///
/// # A frame
/// Once, [`set_files`](Self::set_files) sets the source of files, [`load_model`](Self::load_model) reads a model, and
/// [`create_object`](Self::create_object) creates a skeletal object for each entity. Then every frame has these steps,
/// of which a game leaves out those that it does not need:
/// 1. [`Physics::set_level_body_target`] moves doors, lifts and entity boxes.
/// 2. [`RootMotion::during`](crate::pose::RootMotion::during) tells how far the animation carries the entity.
/// 3. [`build`](Self::build) blends animations into the bones of the object, in local space.
/// 4. [`take_motion`](Self::take_motion) takes the motion of step 2 out of the pose.
/// 5. [`set_mask`](SkeletalObject::set_mask), [`add_layer`](SkeletalObject::add_layer) and
///    [`add_pose`](Self::add_pose) add layers, and the game edits single bones, with [`object_mut`](Self::object_mut).
/// 6. [`place_feet`](Self::place_feet) places feet on the level, and [`reach`](SkeletalObject::reach) hands.
/// 7. [`aim`](SkeletalObject::aim) turns head and arms.
/// 8. [`swing`](SkeletalObject::swing) lets tails and hair lag behind all of that.
/// 9. [`ragdoll_command`](Self::ragdoll_command) starts or updates the ragdoll and writes the poses of its bodies into
///    the bones, in model space.
/// 10. [`record_pose`](Self::record_pose) keeps the pose for traces through the past.
/// 11. [`write_palette`](Self::write_palette) writes one matrix per bone for the renderer; [`trace`](Self::trace) and
///     [`tag_to_world`](Self::tag_to_world) use the finished pose.
/// 12. [`step`](Self::step) ends the frame: it frees deleted objects and simulates.
///
/// The first build of a frame is [`Build::REPLACE`](crate::object::Build::REPLACE): it replaces the pose of the last
/// frame. Builds of a [range](crate::object::Build::with_bones) of bones may follow. After a command the bones are in
/// model space, and a build that is partial or retains something fails with
/// [`ObjectError::NotLocal`](crate::object::ObjectError::NotLocal) until the next full one. To fade from one animation
/// to another over several frames, pass both to
/// [`FrameState::blended`](crate::model::FrameState::blended) with weights that change: a build that retains a share of
/// the pose would mix with what the last frame showed.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::model::FrameState;
/// use skelobj::object::{Build, Space};
/// use skelobj::ragdoll::Command;
/// use skelobj::{Runtime, assets};
///
/// let mut runtime = Runtime::default();
/// runtime.set_files(|name: &str| match name {
///     "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
///     "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
///     _ => None,
/// });
/// runtime.physics_mut().add_floor(0.0)?;
/// let model = runtime.load_model("mannequin.iqm")?;
/// let id = runtime.create_object(model, Space::Local)?;
/// let shown = runtime.model(model).ok_or("no model")?;
/// let death = shown.find_animation("death").ok_or("no death")?;
/// let head = shown.skeleton.find("head").ok_or("no head")?;
/// let mut palette = vec![Mat3x4::IDENTITY; shown.skeleton.len()];
/// let entity = Mat3x4::IDENTITY;
/// for frame in 0..90 {
///     if frame < 30 {
///         // Alive: the animation poses the bones, and the ragdoll follows.
///         let dying = FrameState::single(death, f64::from(frame) / 60.0);
///         runtime.build(id, model, &dying, &Build::REPLACE)?;
///     }
///     // Released at frame 30: from then on the bodies pose the bones.
///     let command = if frame == 30 { Command::Animate(0.0, None) } else { Command::Update };
///     runtime.ragdoll_command(id, &entity, command, None)?;
///     runtime.write_palette(id, &mut palette)?;
///     runtime.step(1.0 / 60.0)?;
/// }
/// let head = runtime.object(id).and_then(|object| object.model_space(head)).unwrap();
/// assert!(head.origin().z < 30.0); // on the ground; it stood at 56
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Matrices of entities
/// Every call that takes an entity takes its matrix from model space to world space. From a quaternion it is
/// [`Mat3x4::from_rotation_translation`](crate::math::Mat3x4::from_rotation_translation); from Quake's origin and
/// angles, with Quake's sign of a mesh's pitch, it is [`Settings::entity_matrix`]; glam's `Affine3A` and `Mat4` convert
/// with `From`.
///
/// A quaternion has to be of unit length: normalise one that comes from a file or a network, or that code has
/// accumulated. Others scale and shear the model.
///
/// ```
/// use skelobj::Runtime;
/// use skelobj::math::{EntityTransform, Mat3x4, Quat, Vec3};
///
/// let runtime = Runtime::default();
/// let origin = Vec3::new(100.0, 0.0, 24.0);
/// let turned = Quat::from_rotation_z(90f32.to_radians());
/// let from_quaternion = Mat3x4::from_rotation_translation(turned, origin);
/// let angles = Vec3::new(0.0, 90.0, 0.0); // pitch, yaw, roll, degrees
/// let from_angles = runtime.settings().entity_matrix(&EntityTransform::new(origin, angles));
/// assert!((from_quaternion.forward() - from_angles.forward()).length() < 1e-5);
/// ```
///
/// # From a hit to an entity
/// Store the number of the entity in [`set_user_data`](Self::set_user_data). [`trace`](Self::trace) returns a [`Hit`]
/// with the skeletal object and the bone; [`user_data`](Self::user_data) identifies the entity, and
/// [`ragdoll_impulse`](Self::ragdoll_impulse) pushes the bone.
///
/// Doors, lifts and entity boxes are level bodies and have no user data. Each has an id, `LevelBodyId`, which the
/// engine maps to its entity; a hit on one is a `Surface::Level` with the id.
///
/// A skeletal object is in the physics world only while it has a ragdoll, from its first
/// [`ragdoll_command`](Self::ragdoll_command) on. A trace through the world misses characters without a ragdoll: trace
/// each candidate with [`Trace::with_object`], and take the hit with the smallest fraction.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::ragdoll::{Command, Flinch};
/// use skelobj::runtime::Trace;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// let entity_number = 17;
/// runtime.set_user_data(object, entity_number)?;
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
///
/// let shot = Trace::line(Vec3::new(200.0, 0.0, 45.0), Vec3::new(-200.0, 0.0, 45.0));
/// let hit = runtime.trace(&shot)?.expect("the chest");
/// let victim = hit.object.and_then(|object| runtime.user_data(object));
/// assert_eq!(victim, Some(entity_number));
/// runtime.ragdoll_impulse(object, hit.bone, hit.point, Vec3::X * -3000.0, Flinch::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Deleting
/// [`delete_object`](Self::delete_object) marks an object; it stays usable until [`step`](Self::step) or
/// [`flush_deleted`](Self::flush_deleted). [`remove_model`](Self::remove_model) removes a model;
/// [`clear_ragdoll`](Self::clear_ragdoll) removes only a ragdoll.
///
/// # Saving and loading
/// With the feature `serde`, `Runtime::snapshot` captures all state except models and files, and
/// `Runtime::restore` restores it; `Snapshot::to_bytes` and `Snapshot::from_bytes` convert it for a save file. A
/// restored runtime continues bit-identically. The engine saves its own entities, the ids that they hold and its frame
/// counter beside the snapshot.
///
#[cfg_attr(feature = "serde", doc = "```")]
#[cfg_attr(not(feature = "serde"), doc = "```ignore")]
/// use skelobj::model::FrameState;
/// use skelobj::object::Build;
/// use skelobj::runtime::Snapshot;
/// use skelobj::{Runtime, assets};
/// let (mut runtime, object) = assets::mannequin_runtime();
/// runtime.set_user_data(object, 17)?; // the number of its entity
/// let save_file = runtime.snapshot().to_bytes()?;
///
/// // Later, in another process: a new runtime gets files and models, then the snapshot.
/// let snapshot = Snapshot::from_bytes(&save_file)?;
/// let mut loaded = Runtime::default();
/// loaded.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
/// for name in snapshot.models() {
///     loaded.load_model(name)?;
/// }
/// loaded.restore(&snapshot)?;
/// let model = loaded.model_by_name("mannequin.iqm").expect("loaded above"); // model ids are new
/// loaded.build(object, model, &FrameState::single(0, 0.1), &Build::REPLACE)?; // ids of objects are the same
/// assert_eq!(loaded.user_data(object), Some(17));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Sending bones
/// [`encode_bones`](Self::encode_bones) writes the pose of an object as a message of 6 or 14 bytes per bone. A client
/// that has the model decodes it with [`decode_bones`](Self::decode_bones), keeps the last poses in a [`BoneReceiver`]
/// and shows a pose between them with [`show_bones`](Self::show_bones).
///
/// # Problems
/// A call that fails returns an error and changes nothing. Problems that do not make a call fail, such as an unknown
/// word in a doll, are kept as [`Warning`]s until [`take_warnings`](Self::take_warnings).
#[derive(Default)]
pub struct Runtime {
    settings: Settings,
    files: Files,
    models: IdSlotMap<ModelId, LoadedModel>,
    /// Number of models that were ever added.
    models_added: u64,
    objects: IdSlotMap<ObjectId, Object>,
    /// Sum of the costs of all objects, bones.
    cost: usize,
    /// Objects that were deleted in this frame.
    pending_delete: Vec<ObjectId>,
    warnings: Vec<Warning>,
    history: Option<Box<PoseHistory>>,
    physics: Physics,
    dolls: dolls::DollCache,
    awake: awake::Awake,
    posed_skins: posed_skins::PosedSkins,
}

#[derive(Debug)]
struct Object {
    skeletal: SkeletalObject,
    model: ModelId,
    user_data: u64,
    pending_delete: bool,
    /// Doublings of the range of messages, once they were needed after the model had been removed.
    doublings: OnceLock<u8>,
    /// Share of the budget of bones: bones of the object, and a number of bones for each body of its ragdoll.
    cost: usize,
    ragdoll: Option<Ragdoll>,
}

/// File source without files, the default of a runtime.
struct NoFiles;

impl FileSource for NoFiles {
    fn read(&self, _: &str) -> std::io::Result<Option<Vec<u8>>> {
        Ok(None)
    }
}

/// Source of the host's files.
#[derive(Clone)]
struct Files(Arc<dyn FileSource>);

impl Files {
    /// Reads a file under a name that may come from a file or a script.
    fn read(&self, name: &str) -> Result<Vec<u8>, NoFile> {
        internal::ask(name, |name| self.0.read(name))
    }
}

impl Default for Files {
    fn default() -> Self {
        Self(Arc::new(NoFiles))
    }
}

impl std::fmt::Debug for Runtime {
    /// Writes the settings and the numbers of models, objects, ragdolls and warnings, but not their contents.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Runtime");
        shown.field("settings", &self.settings());
        shown.field("models", &self.models.iter().count()).field("objects", &self.objects.iter().count());
        let ragdolls = self.objects.iter().filter(|(_, object)| object.ragdoll.is_some()).count();
        shown.field("ragdolls", &ragdolls);
        shown.field("warnings", &self.warnings.len()).finish_non_exhaustive()
    }
}

impl Runtime {
    /// Maximum number of warnings that the runtime keeps until they are taken; it drops further ones.
    pub const MAX_WARNINGS: usize = 1000;

    /// Creates an empty runtime with these settings. `Runtime::default()` has the default settings.
    ///
    /// ```
    /// use skelobj::Runtime;
    /// use skelobj::runtime::Settings;
    /// let mut settings = Settings::default();
    /// settings.max_bones = 42; // two mannequins
    /// let runtime = Runtime::new(settings)?;
    /// assert_eq!(runtime.settings().max_bones, 42);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] names the first setting that is out of range.
    pub fn new(settings: Settings) -> Result<Self, OutOfRange> {
        let mut runtime = Self::default();
        runtime.set_settings(settings)?;
        Ok(runtime)
    }

    /// Reads a file for a script.
    #[cfg(feature = "qcvm")]
    pub(crate) fn read_file(&self, name: &str) -> Option<Vec<u8>> {
        self.files.read(name).ok()
    }

    /// Returns the size of a file for a script, whose name is a plain path.
    #[cfg(feature = "qcvm")]
    pub(crate) fn file_size(&self, name: &str) -> Option<u64> {
        self.files.0.size(name).ok().flatten()
    }

    /// Sets the source of files: models, the files beside them, and dolls. A new runtime has none.
    ///
    /// Any function from a name to bytes is a [`FileSource`]. Default dolls that were missing are looked up again;
    /// loaded dolls are kept until [`reload_dolls`](Self::reload_dolls). A snapshot does not contain the source: a
    /// restored runtime keeps its own.
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
    /// assert!(runtime.precache_doll(model).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_files(&mut self, files: impl FileSource + 'static) {
        self.files = Files(Arc::new(files));
        self.models.for_each_mut(|_, loaded| loaded.lacks_doll = false);
    }

    /// Returns the current settings.
    ///
    /// ```
    /// let settings = skelobj::Runtime::default().settings();
    /// assert_eq!((settings.mesh_pitch, settings.mesh_roll), (-1.0, 1.0)); // Quake's r_meshpitch and r_meshroll
    /// ```
    #[inline]
    #[must_use]
    pub fn settings(&self) -> Settings {
        Settings { physics: *self.physics.settings(), ..self.settings }
    }

    /// Changes the settings, effective from the next call and step. A new gravity wakes all ragdolls.
    ///
    /// Existing ragdolls keep their friction, and take the damping and the sleep speed when they next come to rest or
    /// wake; those that move when the sleep speed becomes 0 keep both. A world that the host lends keeps its own
    /// parameters.
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// let mut settings = runtime.settings();
    /// settings.mesh_pitch = f32::NAN;
    /// assert_eq!(runtime.set_settings(settings).unwrap_err().name, "mesh_pitch");
    /// assert_eq!(runtime.settings().mesh_pitch, -1.0); // unchanged
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] names the first setting that is out of range. On error, nothing changes.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), OutOfRange> {
        settings.check()?;
        self.physics.set_settings(settings.physics)?;
        self.settings = settings;
        Ok(())
    }

    /// Removes and returns the warnings since the last call, oldest first.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::ragdoll::Command;
    /// use skelobj::runtime::Warning;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let doll = Command::parse("dollstring\nbody skull head\nshape ball\n")?;
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, doll, None)?; // the shape is unknown, the body remains
    /// for warning in runtime.take_warnings() {
    ///     println!("{warning}");
    ///     assert!(matches!(warning, Warning::Doll { .. }));
    /// }
    /// assert!(runtime.take_warnings().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// Returns `true` if there are warnings to take.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::ragdoll::Command;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// assert!(!runtime.has_warnings());
    /// let doll = Command::parse("dollstring\nbodi skull head\nbody skull head\n")?; // a typing error
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, doll, None)?;
    /// assert!(runtime.has_warnings());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn has_warnings(&self) -> bool {
        !self.warnings.is_empty()
    }

    fn warn(&mut self, warning: Warning) {
        if self.warnings.len() < Self::MAX_WARNINGS {
            self.warnings.push(warning);
        }
    }
}
