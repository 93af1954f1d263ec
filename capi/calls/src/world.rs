//! Worlds: settings, files, log, frames.

use std::ffi::{CString, c_char};

use skelobj::math::Vec3;
use skelobj::runtime::{ModelId, ObjectId, Settings};
use skelobj::{FileSource, Runtime};

use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::{Id, SkelobjModel, SkelobjObject, SkelobjWorld};
use crate::model::LoadedModel;
use crate::numbers;
use crate::pointer::{Def, In, Out, SkelobjVectorFloats};
use crate::table::{self, Entry, slot_of};
use crate::user::SkelobjUser;

/// Level of a text for a log.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjLogLevel {
    /// Something was repaired or left out.
    Warning = 1,
    /// A call on the world failed.
    Error = 2,
}

/// Files of a host.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjFiles {
    /// Finds a file: a model, a file beside it, a doll. Returns its bytes and writes their number, or returns null if
    /// there is no such file. `name` is a plain path (skelobj_is_plain_path), whoever states it: script, model or host.
    /// Under any other name, `load` is not called, and the failure or warning states the name. The bytes must stay
    /// until `unload` is called, or for the rest of the call if that is null. Null if there are no files.
    pub load: Option<extern "C" fn(user: SkelobjUser, name: *const c_char, size: *mut usize) -> In<u8>>,
    /// Takes back what `load` returned, once; may be null.
    pub unload: Option<extern "C" fn(user: SkelobjUser, bytes: In<u8>, size: usize)>,
    /// Handed to both.
    pub user: SkelobjUser,
}

impl SkelobjFiles {
    pub(crate) const NONE: Self = Self { load: None, unload: None, user: SkelobjUser::NULL };
}

impl FileSource for SkelobjFiles {
    fn read(&self, name: &str) -> std::io::Result<Option<Vec<u8>>> {
        Ok(self.find(name))
    }
}

impl SkelobjFiles {
    /// Returns the contents of a file; `None` if the host has no such file.
    pub(crate) fn find(&self, name: &str) -> Option<Vec<u8>> {
        let load = self.load?;
        let name = CString::new(name).ok()?;
        let mut size = 0;
        let bytes = load(self.user, name.as_ptr(), &mut size);
        if bytes.is_null() {
            return None;
        }
        let copy = bytes.slice(size).map(<[u8]>::to_vec);
        if let Some(unload) = self.unload {
            unload(self.user, bytes, size);
        }
        copy.ok()
    }
}

/// Settings of a world. Get one from skelobj_default_world_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjWorldDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Number of bones of all objects that a world may have. Default 2097152.
    pub max_bones: u32,
    /// Acceleration, units per second squared. Default 0 0 -800.
    pub gravity: [f32; 3],
    /// Length of a metre, units: the scale of the world's tolerances. Default 40.
    pub length_unit: f32,
    /// Length of a physics step, seconds. Default 1/60.
    pub step: f32,
    /// Maximum time that one call simulates, seconds; time beyond it is dropped. Default 0.1.
    pub max_step_debt: f32,
    /// Solver iterations a step. Default 6; 4 makes awake ragdolls 22 % cheaper, with joint gaps up to twice as wide.
    pub iterations: i32,
    /// Sweeps over the joints in an iteration. Default 4.
    pub internal_iterations: i32,
    /// Linear damping of bodies, 1/s. Default 0.2.
    pub linear_damping: f32,
    /// Angular damping of bodies, 1/s. Default 1.
    pub angular_damping: f32,
    /// Friction coefficient of bodies and level. Default 0.65.
    pub friction: f32,
    /// Speed below which a body may sleep, units/s. Default 8.
    pub sleep_speed: f32,
    /// Number of pairs of bodies of ragdolls that may be near enough to touch in a step; beyond it ragdolls lose
    /// contacts, and the log names them. Default 100000.
    pub max_contact_pairs: u32,
    /// Sign of the pitch of entities with a skeletal model: -1 (default) as in Quake, or 1.
    pub mesh_pitch: f32,
    /// Factor of the roll of entities with a skeletal model. Default 1.
    pub mesh_roll: f32,
    /// 1 (default) if bones without bodies, such as fingers, keep the local pose of the last build in frames in which
    /// the game does not build; 0 if they return to the bind pose, as QuakeC's skel_ragupdate has it.
    pub keep_bones: i32,
    /// Limits on the models that the world loads.
    pub limits: SkelobjLimits,
    /// Files of the host, for models by name and for dolls.
    pub files: SkelobjFiles,
    /// Receives the warnings and failures of the world; may be null. `level` is SKELOBJ_LOG_LEVEL_...
    pub log: Option<extern "C" fn(user: SkelobjUser, level: i32, text: *const c_char)>,
    /// Handed to `log`.
    pub log_user: SkelobjUser,
}

/// Limits on the contents of a file.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjLimits {
    /// Memory of a model, bytes.
    pub memory: u64,
    /// Memory of a model for each byte of its files, above a free allowance.
    pub memory_per_byte: u32,
    /// Number of bones.
    pub bones: u32,
    /// Number of frames.
    pub frames: u32,
    /// Number of triangles.
    pub triangles: u32,
    /// Number of warnings that are kept.
    pub warnings: u32,
    /// Not used.
    pub reserved: u32,
}

impl From<skelobj::Limits> for SkelobjLimits {
    fn from(limits: skelobj::Limits) -> Self {
        let skelobj::Limits { memory, memory_per_byte, bones, frames, triangles, warnings, .. } = limits;
        Self { memory, memory_per_byte, bones, frames, triangles, warnings, reserved: 0 }
    }
}

impl From<SkelobjLimits> for skelobj::Limits {
    fn from(limits: SkelobjLimits) -> Self {
        let mut own = Self::default();
        own.memory = limits.memory;
        own.memory_per_byte = limits.memory_per_byte;
        own.bones = limits.bones;
        own.frames = limits.frames;
        own.triangles = limits.triangles;
        own.warnings = limits.warnings;
        own
    }
}

impl SkelobjWorldDef {
    pub(crate) fn new(settings: &Settings) -> Self {
        let physics = &settings.physics;
        Self {
            cookie: Self::COOKIE,
            max_bones: settings.max_bones,
            gravity: physics.gravity.to_array(),
            length_unit: physics.length_unit,
            step: physics.step,
            max_step_debt: physics.max_step_debt,
            iterations: numbers::count(physics.iterations),
            internal_iterations: numbers::count(physics.internal_iterations),
            linear_damping: physics.linear_damping,
            angular_damping: physics.angular_damping,
            friction: physics.friction,
            sleep_speed: physics.sleep_speed,
            max_contact_pairs: physics.max_contact_pairs,
            mesh_pitch: settings.mesh_pitch,
            mesh_roll: settings.mesh_roll,
            keep_bones: numbers::flag(settings.keep_bones),
            limits: settings.load.limits.into(),
            files: SkelobjFiles::NONE,
            log: None,
            log_user: SkelobjUser::NULL,
        }
    }

    fn settings(&self) -> Result<Settings> {
        let mut settings = Settings::default();
        settings.max_bones = self.max_bones;
        settings.mesh_pitch = self.mesh_pitch;
        settings.mesh_roll = self.mesh_roll;
        settings.keep_bones = self.keep_bones != 0;
        settings.load.limits = self.limits.into();
        let physics = &mut settings.physics;
        physics.gravity = Vec3::from_array(self.gravity);
        physics.length_unit = self.length_unit;
        physics.step = self.step;
        physics.max_step_debt = self.max_step_debt;
        physics.iterations = numbers::size(self.iterations)?;
        physics.internal_iterations = numbers::size(self.internal_iterations)?;
        physics.linear_damping = self.linear_damping;
        physics.angular_damping = self.angular_damping;
        physics.friction = self.friction;
        physics.sleep_speed = self.sleep_speed;
        physics.max_contact_pairs = self.max_contact_pairs;
        Ok(settings)
    }
}

/// Runtime with what a world of C has besides.
pub(crate) struct World {
    pub(crate) runtime: Runtime,
    files: SkelobjFiles,
    log: Option<extern "C" fn(SkelobjUser, i32, *const c_char)>,
    log_user: SkelobjUser,
    /// Models of the runtime and their ids in the table, by the slots of these.
    models: Vec<Option<(SkelobjModel, ModelId)>>,
}

impl World {
    /// Sends warnings and a failure to the log, but for a buffer without room: the call tells what it needs.
    #[cold]
    pub(crate) fn report(&mut self, failure: Option<&Failure>) {
        let warnings = self.runtime.take_warnings();
        let Some(log) = self.log else { return };
        let write = |level: SkelobjLogLevel, text: &str| {
            let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
            log(self.log_user, level as i32, text.as_ptr());
        };
        for warning in warnings {
            write(SkelobjLogLevel::Warning, &warning.to_string());
        }
        if let Some(failure) = failure.filter(|failure| failure.status() != SkelobjStatus::BufferTooSmall) {
            write(SkelobjLogLevel::Error, failure.text());
        }
    }

    /// Returns the runtime's id of a model.
    #[inline]
    pub(crate) fn model(&self, id: SkelobjModel) -> Result<ModelId> {
        match self.models.get(slot_of(id)) {
            Some(Some((known, model))) if *known == id => Ok(*model),
            _ => Err(no_model(id)),
        }
    }

    /// Returns the runtime's id of a model, or `None` for none.
    pub(crate) fn model_or_none(&self, id: SkelobjModel) -> Result<Option<ModelId>> {
        if id.is_none() { Ok(None) } else { self.model(id).map(Some) }
    }

    /// Returns the id in the table of a model of the runtime; none if it has none.
    fn model_id(&self, model: ModelId) -> SkelobjModel {
        let found = self.models.iter().flatten().find(|(_, known)| *known == model);
        found.map_or(SkelobjModel::NONE, |(id, _)| *id)
    }

    /// Returns the id of a model of the runtime; none if it has none, or the host has freed it.
    pub(crate) fn valid_model_id(&self, model: ModelId) -> SkelobjModel {
        let id = self.model_id(model);
        if table::has(id) { id } else { SkelobjModel::NONE }
    }

    /// Registers a model of the runtime.
    fn know_model(&mut self, id: SkelobjModel, model: ModelId) {
        let slots = self.models.len().max(slot_of(id) + 1);
        self.models.resize(slots, None);
        self.models[slot_of(id)] = Some((id, model));
    }

    /// Removes a model and returns the runtime's id of it.
    fn forget_model(&mut self, id: SkelobjModel) -> Result<ModelId> {
        let model = self.model(id)?;
        self.models[slot_of(id)] = None;
        Ok(model)
    }

    /// Returns the object with an id, which must exist.
    #[inline]
    pub(crate) fn object(&self, id: SkelobjObject) -> Result<(ObjectId, &skelobj::SkeletalObject)> {
        let object = id.get()?;
        Ok((object, self.runtime.object(object).ok_or_else(|| id.refused())?))
    }

    /// Returns the object with an id, which must exist, to be changed.
    #[inline]
    pub(crate) fn object_mut(&mut self, id: SkelobjObject) -> Result<&mut skelobj::SkeletalObject> {
        self.runtime.object_mut(id.get()?).ok_or_else(|| id.refused())
    }
}

/// Returns the failure of an id that a world does not have.
#[cold]
fn no_model(id: SkelobjModel) -> Failure {
    if !table::has(id) {
        return id.refused();
    }
    Failure::new(SkelobjStatus::BadId, format!("{id} is not in this world: skelobj_world_add_model adds it"))
}

/// Returns the default settings of a world.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_world_def() -> SkelobjWorldDef {
    SkelobjWorldDef::new(&Settings::default())
}

/// Creates a world and returns its id; none on failure. `def` may be null for the default settings.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_create(def: In<SkelobjWorldDef>) -> SkelobjWorld {
    guard::value(SkelobjWorld::NONE, || {
        let def = def.def_or(skelobj_default_world_def)?;
        let mut runtime = Runtime::new(def.settings()?)?;
        runtime.set_files(def.files);
        let SkelobjWorldDef { files, log, log_user, .. } = def;
        table::insert(Entry::World(Box::new(World { runtime, files, log, log_user, models: Vec::new() })))
    })
}

/// Returns 1 if a world has this id, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_is_valid(world: SkelobjWorld) -> i32 {
    guard::value(0, || Ok(numbers::flag(table::has_world(world))))
}

/// Frees a world with its objects, ragdolls and level. Models stay: they belong to the host.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_free(world: SkelobjWorld) -> SkelobjStatus {
    guard::status(|| table::remove_world(world))
}

/// Writes the settings of a world, with its files and log.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_settings(world: SkelobjWorld, def: Out<SkelobjWorldDef>) -> SkelobjStatus {
    guard::world(world, |world| {
        let World { files, log, log_user, .. } = *world;
        let settings = SkelobjWorldDef::new(&world.runtime.settings());
        def.place()?.set(SkelobjWorldDef { files, log, log_user, ..settings });
        Ok(())
    })
}

/// Changes all settings of a world, its files and its log. A new gravity wakes all ragdolls.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_set_settings(world: SkelobjWorld, def: In<SkelobjWorldDef>) -> SkelobjStatus {
    guard::world(world, |world| {
        let def = def.def()?;
        world.runtime.set_settings(def.settings()?)?;
        world.runtime.set_files(def.files);
        (world.files, world.log, world.log_user) = (def.files, def.log, def.log_user);
        Ok(())
    })
}

/// Outcome of a frame's simulation.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjStepped {
    /// Number of physics steps that were made.
    pub steps: i32,
    /// Time that was dropped because it was too much, seconds.
    pub dropped: f32,
}

/// Simulates a frame: ragdolls, doors, water. `seconds` is the host's frame time. `stepped` may be null.
///
/// A frame is: build poses, skelobj_ragdoll_update every object, trace and draw, step.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_step(world: SkelobjWorld, seconds: f32, stepped: Out<SkelobjStepped>) -> SkelobjStatus {
    guard::world(world, |world| {
        let place = stepped.wanted()?;
        let done = world.runtime.step(seconds)?;
        if let Some(place) = place {
            place.set(SkelobjStepped { steps: numbers::count(done.steps), dropped: done.dropped });
        }
        Ok(())
    })
}

/// Returns how far the shown frame is between the last two physics steps, 0 to 1; 0 on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_step_blend(world: SkelobjWorld) -> f32 {
    guard::world_value(world, 0.0, |world| Ok(world.runtime.physics().blend()))
}

/// Frees objects whose deletion waits for the end of the frame.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_flush_deleted(world: SkelobjWorld) -> SkelobjStatus {
    guard::world(world, |world| {
        world.runtime.flush_deleted();
        Ok(())
    })
}

/// Writes the matrix of an entity, model space to world space, from its origin and Quake's angles (pitch, yaw, roll,
/// degrees), with the signs of the world's settings.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_entity_matrix(
    world: SkelobjWorld,
    origin: crate::pointer::InVector,
    angles: crate::pointer::InVector,
    scale: f32,
    matrix: crate::pointer::OutMatrix,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let place = matrix.place()?;
        let entity = skelobj::math::EntityTransform::new(origin.vector()?, angles.vector()?).with_scale(scale);
        let matrix = world.runtime.settings().entity_matrix(&entity);
        if !matrix.is_finite() {
            return Err(Failure::number("entity", "a finite origin, angles and scale"));
        }
        place.set(matrix.0);
        Ok(())
    })
}

/// Adds a model to a world under the name by which the game knows it. The same model may be in many worlds.
///
/// The doll of the model is in the file with this name and ".doll" appended, or in place of the extension.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_add_model(world: SkelobjWorld, name: In<c_char>, model: SkelobjModel) -> SkelobjStatus {
    guard::world(world, |world| {
        let (name, loaded) = (name.text()?, table::model(model)?);
        if world.model(model).is_ok() {
            return Err(Failure::new(SkelobjStatus::Mismatch, format!("{model} is in the world already")));
        }
        let own = world.runtime.add_model(name, loaded.model().clone())?;
        world.know_model(model, own);
        Ok(())
    })
}

/// Loads a model through the world's files, adds it under its file name and returns its id; none on failure. If a model
/// was added under this name before, its id is returned; if the host has freed that id, the model gets a new one.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_load_model(world: SkelobjWorld, name: In<c_char>) -> SkelobjModel {
    guard::world_value(world, SkelobjModel::NONE, |world| {
        let name = name.text()?;
        let known = world.runtime.model_by_name(name);
        let old = known.map_or(SkelobjModel::NONE, |model| world.model_id(model));
        if table::has(old) {
            return Ok(old);
        }
        let own = known.map_or_else(|| world.runtime.load_model(name), Ok)?;
        let model = world.runtime.model(own).cloned().ok_or_else(|| Failure::not_found("model"))?;
        let id = table::insert(Entry::Model(LoadedModel::new(model).into())).inspect_err(|_| {
            if known.is_none() {
                world.runtime.remove_model(own);
            }
        })?;
        // The model had another id, which was freed.
        let _ = world.forget_model(old);
        world.know_model(id, own);
        Ok(id)
    })
}

/// Returns the id of the model that was added under a name; none if the world has none, or the host has freed its id.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_find_model(world: SkelobjWorld, name: In<c_char>) -> SkelobjModel {
    guard::world_value(world, SkelobjModel::NONE, |world| {
        let model = world.runtime.model_by_name(name.text()?);
        Ok(model.map_or(SkelobjModel::NONE, |model| world.valid_model_id(model)))
    })
}

/// Writes the name under which a model was added, and its length without the terminating zero (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_model_name(
    world: SkelobjWorld,
    model: SkelobjModel,
    buffer: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (buffer, length) = (buffer.buffer(capacity)?, length.wanted()?);
        let name = world.runtime.model_name(world.model(model)?).unwrap_or_default();
        buffer.fill_text(name.as_bytes(), length)
    })
}

/// Writes the ids of the models in a world, and their number (may be null). An id that the host has freed is not among
/// them, though the world has its model until skelobj_world_remove_model.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_models(
    world: SkelobjWorld,
    models: Out<SkelobjModel>,
    capacity: i32,
    count: Out<i32>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (buffer, count) = (models.buffer(numbers::size(capacity)?)?, count.wanted()?);
        let ids: Vec<SkelobjModel> =
            world.models.iter().flatten().map(|(id, _)| *id).filter(|id| table::has(*id)).collect();
        buffer.fill(&ids, count)
    })
}

/// Removes a model from a world. Its objects and their ragdolls stay as they are; the model itself stays valid.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_world_remove_model(world: SkelobjWorld, model: SkelobjModel) -> SkelobjStatus {
    guard::world(world, |world| {
        let own = world.forget_model(model)?;
        world.runtime.remove_model(own);
        Ok(())
    })
}

/// Returns a vector of gravity or the like as Rust has it.
pub(crate) fn vector(floats: SkelobjVectorFloats) -> Vec3 {
    Vec3::from_array(floats)
}
