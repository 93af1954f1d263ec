//! State of a machine's builtins between calls.

use std::collections::HashMap;

use skelobj_model::internal::has_no_bones;

use super::declared::Declared;
use super::default_ragdolls::DefaultRagdolls;
use super::fields::FieldPlaces;
use super::pending_call::PendingCall;
use super::script::ScriptPlaces;
use super::walk::WalkPlaces;
use super::watch::Watch;
use crate::math::{Vec3, truncate};
use crate::qc::argument_number::not_finite;
use crate::qc::script_warning::{Added, Warnings};
use crate::qc::vm::stdlib::{Cvars, MessageLog, MessageReader};
use crate::qc::vm::{self, Global, Location, Progs};
use crate::qc::{
    Builtin, Dialect, ModelRef, Rules, Scene, ScriptCall, ScriptFiles, ScriptReport, ScriptResult, ScriptWarning,
};
use crate::runtime::{BoneReceiver, LoadModelError, ObjectId, Runtime};

/// Number of buffers of `skel_send`.
const BUFFERS: usize = 255;

/// Maximum number of objects that receive poses: as many as can exist.
const MAX_RECEIVERS: usize = 16_383;

/// Receiver of printed text.
type Output = dyn FnMut(&str) + Send;
/// Receiver of traced calls.
type Trace = dyn FnMut(&ScriptCall) + Send;
/// Receiver of reports.
type Reports = dyn FnMut(&ScriptReport<'_>) + Send;

/// State of a machine's builtins between calls: the places of fields and globals in its progs, its models by index,
/// console variables, the scene, and the receiver of printed text.
///
/// The builtins are those of [`TABLE`](crate::qc::TABLE) and of [the standard library](vm::stdlib).
///
/// # Example
/// ```
/// use skelobj::qc::Environment;
/// use skelobj::qc::vm::Progs;
/// use skelobj::{Dialect, assets};
/// use std::sync::{Arc, Mutex};
///
/// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
/// let (mut runtime, _) = assets::mannequin_runtime();
/// let console = Arc::new(Mutex::new(String::new()));
/// let output = console.clone();
/// let mut environment = Environment::new(&progs, move |text| output.lock().unwrap().push_str(text));
/// environment.dialect = Dialect::DarkPlaces;
/// assert_eq!(environment.precache_model(&mut runtime, "mannequin.iqm"), 1);
/// assert_eq!(environment.precache_model(&mut runtime, "ogre.iqm"), 2);
/// assert_eq!(environment.take_model_errors().len(), 1); // the file is missing
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Environment {
    /// Dialect of the progs.
    pub dialect: Dialect,
    /// Kind of the progs: client or server code.
    pub rules: Rules,
    /// Ends a script that calls an unknown builtin. By default the call returns 0, and the first one of each builtin is
    /// a [warning](Self::take_warnings); after [`set_warn`](Self::set_warn), the first one of each place.
    pub strict: bool,
    /// Console variables of the script.
    pub cvars: Cvars,
    /// Network messages that the script wrote.
    pub messages: MessageLog,
    /// Network message that the script reads, while it does: during a call of `CSQC_Ent_Update`.
    pub incoming: Option<MessageReader>,
    /// Text of the map's entities, for `getentitytoken`.
    pub entity_text: Vec<u8>,
    /// Lower and upper corners of the map's brush models, Quake units: those of the world, of `*1` and so on. An entity
    /// gets them from `setmodel`.
    pub brush_models: Vec<[Vec3; 2]>,
    /// Name of the map that the script changes to with `changelevel`. The host ends the level, and takes the name.
    pub next_level: Option<String>,
    pub(super) scene: Scene,
    pub(super) warnings: Warnings,
    /// Buffers of `skel_send` and `skel_receive`, of which the first has number 1.
    buffers: Vec<Vec<u8>>,
    /// Files of the script, besides those of the runtime.
    pub(super) script_files: Option<Box<dyn ScriptFiles + Send>>,
    /// Poses that objects have received.
    pub(super) receivers: HashMap<ObjectId, BoneReceiver>,
    pub(super) default_ragdolls: DefaultRagdolls,
    /// Numbers of shaders by name, from 1.
    pub(super) shaders: HashMap<Vec<u8>, usize>,
    pub(super) fields: FieldPlaces,
    /// Places of `v_forward`, `v_right` and `v_up`.
    pub(super) axes: [Global; 3],
    pub(super) time: Option<Global>,
    /// Global `self`.
    pub(super) this: Option<Global>,
    pub(super) tag_info: [Option<Global>; 6],
    /// Places of the globals of [`ScriptResult`], in its order.
    results: Vec<Option<Global>>,
    /// Places of `skel_match_origin`, `skel_match_yaw` and `skel_match_time`.
    pub(super) matched_pose: [Option<Global>; 3],
    pub(super) script: ScriptPlaces,
    pub(super) walk: WalkPlaces,
    /// Builtins of the progs, by their position in it.
    pub(super) declared: Vec<Declared>,
    /// Builtins of the progs that are in [`TABLE`](crate::qc::TABLE) and not observed, by their position in it, with
    /// the number of arguments that they need; observation costs their calls nothing.
    pub(super) builtins: Vec<Option<(&'static Builtin, usize)>>,
    /// Makes warnings of calls that do nothing.
    pub(super) warn: bool,
    /// Objects of a script whose calls are checked.
    pub(super) watch: Watch,
    /// Builtin that adds an entity to the scene.
    pub(super) add_entity: Option<&'static Builtin>,
    /// Models by index; 0 means no model.
    pub(super) models: Vec<(String, ModelRef)>,
    /// Indexes of the models by name.
    model_indexes: HashMap<String, usize>,
    /// Errors of models that the host has not taken yet.
    model_errors: Vec<LoadModelError>,
    output: Box<Output>,
    pub(super) trace: Option<Box<Trace>>,
    reports: Option<Box<Reports>>,
    /// `true` once a non-finite number was reported.
    said_not_finite: bool,
    /// Calls that a builtin requested.
    pub(super) pending: Vec<PendingCall>,
}

impl Environment {
    /// Creates the environment of machines that run `progs`; `output` receives printed text.
    ///
    /// Models, the files beside them and dolls come from the runtime's [files](Runtime::set_files).
    ///
    /// # Example
    /// ```
    /// use skelobj::assets;
    /// use skelobj::qc::vm::{Machine, Progs};
    /// use skelobj::qc::{Environment, VmHost};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let (mut runtime, _) = assets::mannequin_runtime();
    /// let mut environment = Environment::new(&progs, |text| print!("{text}"));
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// let mut machine = Machine::new(progs.into());
    /// let main = machine.find_function(b"main").ok_or("no main")?;
    /// machine.call(main, &mut host)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(progs: &Progs, output: impl FnMut(&str) + Send + 'static) -> Self {
        let global = |name: &str| progs.global(name.as_bytes());
        let info = |name: &str| global(&format!("gettaginfo_{name}"));
        let declared: Vec<Declared> = progs.builtins().iter().map(Declared::new).collect();
        Self {
            fields: FieldPlaces::new(progs),
            dialect: Dialect::default(),
            rules: Rules::default(),
            strict: false,
            cvars: Cvars::default(),
            messages: MessageLog::default(),
            incoming: None,
            entity_text: Vec::new(),
            brush_models: Vec::new(),
            next_level: None,
            scene: Scene::default(),
            warnings: Warnings::default(),
            buffers: vec![Vec::new(); BUFFERS],
            script_files: None,
            receivers: HashMap::new(),
            default_ragdolls: DefaultRagdolls::default(),
            shaders: HashMap::new(),
            axes: progs.axes(),
            time: global("time"),
            this: global("self"),
            tag_info: ["parent", "name", "offset", "forward", "right", "up"].map(info),
            results: ScriptResult::ALL.iter().map(|result| global(result.name())).collect(),
            matched_pose: ["origin", "yaw", "time"].map(|name| global(&format!("skel_match_{name}"))),
            script: ScriptPlaces::new(progs),
            walk: WalkPlaces::new(progs),
            builtins: declared.iter().map(Declared::unobserved).collect(),
            declared,
            warn: false,
            watch: Watch::default(),
            add_entity: Builtin::by_name("addentity"),
            models: vec![(String::new(), ModelRef::None)],
            model_indexes: HashMap::new(),
            model_errors: Vec::new(),
            output: Box::new(output),
            trace: None,
            reports: None,
            said_not_finite: false,
            pending: Vec::new(),
        }
    }

    /// Returns the scene that client code filled.
    ///
    /// # Example
    /// ```
    /// use skelobj::qc::vm::Progs;
    /// use skelobj::qc::Environment;
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let environment = Environment::new(&progs, |_| ());
    /// assert!(environment.scene().entities().is_empty()); // no `addentity` ran yet
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Returns buffer `number` of `skel_send` and `skel_receive`, 1 to 255; `None` for other numbers.
    ///
    /// The host sends what the script has put there, and puts there what it receives.
    ///
    /// # Example
    /// ```
    /// use skelobj::qc::vm::Progs;
    /// use skelobj::qc::Environment;
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let [mut server, mut client] = [(); 2].map(|()| Environment::new(&progs, |_| ()));
    /// // After the server's code called skel_send(skel, 0, 1):
    /// let message = server.buffer_mut(1).ok_or("no buffer")?.clone();
    /// // Before the client's code calls skel_receive(skel, 1, time):
    /// *client.buffer_mut(1).ok_or("no buffer")? = message;
    /// assert!(client.buffer_mut(0).is_none() && client.buffer_mut(256).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn buffer_mut(&mut self, number: usize) -> Option<&mut Vec<u8>> {
        self.buffers.get_mut(number.checked_sub(1)?)
    }

    /// Sets the files that scripts read, write and search with `fopen`, `search_begin` and their relatives.
    ///
    /// A file that is not there is looked up among those of the [runtime](Runtime::set_files). Without script files,
    /// nothing is written or found by searches.
    ///
    /// # Example
    /// ```
    /// use skelobj::qc::vm::Progs;
    /// use skelobj::qc::{Environment, ScriptFiles};
    /// use std::collections::BTreeMap;
    ///
    /// #[derive(Default)]
    /// struct Saved(BTreeMap<String, Vec<u8>>);
    ///
    /// impl ScriptFiles for Saved {
    ///     fn read(&mut self, name: &str) -> Option<Vec<u8>> {
    ///         self.0.get(name).cloned()
    ///     }
    ///     fn write(&mut self, name: &str, contents: &[u8]) {
    ///         self.0.insert(name.to_owned(), contents.to_owned());
    ///     }
    ///     fn names(&mut self) -> Vec<String> {
    ///         self.0.keys().cloned().collect()
    ///     }
    /// }
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let mut environment = Environment::new(&progs, |_| ());
    /// environment.set_script_files(Saved::default());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_script_files(&mut self, files: impl ScriptFiles + Send + 'static) {
        self.script_files = Some(Box::new(files));
    }

    /// Returns the receiver of an object, `None` if there are too many.
    pub(super) fn receiver(&mut self, object: ObjectId) -> Option<&mut BoneReceiver> {
        let has_room = self.receivers.len() < MAX_RECEIVERS || self.receivers.contains_key(&object);
        has_room.then(|| self.receivers.entry(object).or_default())
    }

    /// Returns the warnings since the last call, in the order in which they arose.
    ///
    /// Warnings are made for unknown builtins and, after [`set_warn`](Self::set_warn), for mistakes that engines
    /// ignore. A place in the code, which is a line and one of its builtins, makes one warning of each kind, and
    /// [`warning_counts`](Self::warning_counts) counts the others. Of 1024 places warnings are returned;
    /// [`warnings_left_out`](Self::warnings_left_out) counts those of the rest.
    ///
    /// # Example
    /// ```
    /// use skelobj::Runtime;
    /// use skelobj::qc::vm::{Machine, Progs};
    /// use skelobj::qc::{Environment, VmHost};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let mut runtime = Runtime::default();
    /// let mut environment = Environment::new(&progs, |_| ());
    /// environment.set_warn(true);
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// let mut machine = Machine::new(progs.into());
    /// let main = machine.find_function(b"main").ok_or("no main")?;
    /// machine.call(main, &mut host)?; // spawns a turret, entity 1; the runtime has no file of its model
    /// let this = machine.progs().global(b"self").ok_or("no self")?;
    /// machine.set_global(this, 1);
    /// let think = machine.find_function(b"turret_think").ok_or("no turret_think")?;
    /// machine.call(think, &mut host)?;
    /// let warnings = environment.take_warnings();
    /// let location = "spinning_bone.qc: turret_think, statement 6";
    /// assert_eq!(warnings[0].to_string(), format!("{location}: skel_create(1): no model 1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_warnings(&mut self) -> Vec<ScriptWarning> {
        self.warnings.take()
    }

    /// Returns the first warning of each place in the code, and how many the place has made; in the order in which they
    /// arose.
    ///
    /// # Example
    /// ```
    /// use skelobj::Runtime;
    /// use skelobj::qc::vm::{Machine, Progs};
    /// use skelobj::qc::{Environment, VmHost};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let mut runtime = Runtime::default();
    /// let mut environment = Environment::new(&progs, |_| ());
    /// environment.set_warn(true);
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// let mut machine = Machine::new(progs.into());
    /// machine.call(machine.find_function(b"main").ok_or("no main")?, &mut host)?; // spawns a turret, entity 1
    /// machine.set_global(machine.progs().global(b"self").ok_or("no self")?, 1);
    /// let think = machine.find_function(b"turret_think").ok_or("no turret_think")?;
    /// machine.call(think, &mut host)?; // the model of the turret is missing
    /// machine.call(think, &mut host)?;
    /// assert!(environment.warning_counts().all(|(_, count)| count == 2));
    /// assert_eq!(environment.take_warnings().len(), environment.warning_counts().count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn warning_counts(&self) -> impl Iterator<Item = (&ScriptWarning, u64)> {
        self.warnings.counts().iter().map(|(warning, count)| (warning, *count))
    }

    /// Returns the number of warnings of places beyond the first 1024, which
    /// [`take_warnings`](Self::take_warnings) never returns.
    ///
    /// # Example
    /// ```
    /// use skelobj::qc::vm::Progs;
    /// use skelobj::qc::Environment;
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let environment = Environment::new(&progs, |_| ());
    /// assert_eq!(environment.warnings_left_out(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn warnings_left_out(&self) -> u64 {
        self.warnings.left_out()
    }

    /// Passes warnings and errors of models to a receiver as they arise, between the texts that the script prints.
    ///
    /// [`take_warnings`](Self::take_warnings) and [`take_model_errors`](Self::take_model_errors) return them as well.
    ///
    /// # Example
    /// ```
    /// use skelobj::Runtime;
    /// use skelobj::qc::vm::Progs;
    /// use skelobj::qc::{Environment, ScriptReport};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let mut environment = Environment::new(&progs, |_| ());
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// environment.set_reports(move |report| {
    ///     let line = match report {
    ///         ScriptReport::Warning(warning) => warning.to_string(),
    ///         ScriptReport::ModelError(error, _) => error.to_string(),
    ///         other => format!("{other:?}"),
    ///     };
    ///     drop(sender.send(line));
    /// });
    /// environment.precache_model(&mut Runtime::default(), "ogre.iqm"); // the runtime has no files
    /// assert_eq!(receiver.try_recv()?, "no such file: ogre.iqm");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_reports(&mut self, receiver: impl FnMut(&ScriptReport<'_>) + Send + 'static) {
        self.reports = Some(Box::new(receiver));
    }

    pub(super) fn add_warning(&mut self, warning: ScriptWarning) {
        let added = self.warnings.add(warning);
        let Some(reports) = &mut self.reports else { return };
        let places = self.warnings.counts();
        match added {
            Added::First => places.last().into_iter().for_each(|(warning, _)| reports(&ScriptReport::Warning(warning))),
            Added::Full => reports(&ScriptReport::TooManyPlaces(places.len())),
            Added::Repeated | Added::LeftOut => {}
        }
    }

    /// Returns the index of a model, and loads a new model by the rules of the [dialect](Self::dialect), as
    /// `precache_model` and `setmodel` do.
    ///
    /// A missing or invalid file gets an index without a model, and an [error](Self::take_model_errors). What has
    /// no bones is [`ModelRef::Other`]: a file named `.bsp`, `.spr`, `.spr32` or `.sp2`, a part of the level, such as
    /// `*1`, which needs no file, and a model in a format without bones, such as Quake's,
    /// which is [reported](ScriptReport::BonelessModel).
    ///
    /// # Example
    /// ```
    /// use skelobj::assets;
    /// use skelobj::qc::vm::Progs;
    /// use skelobj::qc::Environment;
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let (mut runtime, _) = assets::mannequin_runtime();
    /// let mut environment = Environment::new(&progs, |_| ());
    /// let index = environment.precache_model(&mut runtime, "mannequin.iqm");
    /// assert_eq!(environment.precache_model(&mut runtime, "mannequin.iqm"), index);
    /// assert_ne!(environment.precache_model(&mut runtime, "*1"), index); // the first door of the level
    /// assert!(environment.take_model_errors().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn precache_model(&mut self, runtime: &mut Runtime, name: &str) -> usize {
        self.model_for(runtime, name, None)
    }

    /// Returns the index of a model for a statement of the script.
    pub(super) fn model_for(&mut self, runtime: &mut Runtime, name: &str, location: Option<Location>) -> usize {
        if let Some(index) = self.model_index(name) {
            return index;
        }
        let model = match runtime.load_model_as(name, self.dialect) {
            Ok(model) => ModelRef::Model(model),
            Err(_) if name.starts_with('*') => ModelRef::Other,
            Err(LoadModelError::Unreadable { .. }) if is_boneless(name) => ModelRef::Other,
            Err(error) if matches!(&error, LoadModelError::Unreadable { error, .. } if has_no_bones(&error.problem)) => {
                if let Some(reports) = &mut self.reports {
                    reports(&ScriptReport::BonelessModel(&error));
                }
                ModelRef::Other
            }
            Err(error) => {
                if let Some(reports) = &mut self.reports {
                    reports(&ScriptReport::ModelError(&error, location.as_ref()));
                }
                self.model_errors.push(error);
                ModelRef::Unknown
            }
        };
        let index = self.models.len();
        self.models.push((name.to_owned(), model));
        self.model_indexes.insert(name.to_owned(), index);
        index
    }

    /// Returns the errors of models since the last call, one for each model that could not be loaded.
    ///
    /// # Example
    /// ```
    /// use skelobj::Runtime;
    /// use skelobj::qc::vm::Progs;
    /// use skelobj::qc::Environment;
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let mut environment = Environment::new(&progs, |_| ());
    /// environment.precache_model(&mut Runtime::default(), "ogre.iqm"); // the runtime has no files
    /// let errors = environment.take_model_errors();
    /// assert_eq!(errors[0].to_string(), "no such file: ogre.iqm");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_model_errors(&mut self) -> Vec<LoadModelError> {
        std::mem::take(&mut self.model_errors)
    }

    /// Passes every call of the builtins that `is_traced` selects to a receiver, after the call.
    ///
    /// `is_traced` gets the name of each builtin that the progs declares, and the name of
    /// [`TABLE`](crate::qc::TABLE) or of [the standard library](vm::stdlib) if that is another.
    ///
    /// # Example
    /// ```
    /// use skelobj::assets;
    /// use skelobj::qc::vm::{Machine, Progs};
    /// use skelobj::qc::{Environment, VmHost};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let (mut runtime, _) = assets::mannequin_runtime();
    /// let mut environment = Environment::new(&progs, |_| ());
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// environment.set_trace(|name| name == "setmodel", move |call| drop(sender.send(call.clone())));
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// let mut machine = Machine::new(progs.into());
    /// let main = machine.find_function(b"main").ok_or("no main")?;
    /// machine.call(main, &mut host)?;
    /// let calls: Vec<_> = receiver.try_iter().collect();
    /// assert_eq!(calls.len(), 1);
    /// assert_eq!(calls[0].arguments, "entity 1, \"mannequin.iqm\"");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_trace(&mut self, is_traced: impl Fn(&str) -> bool, receiver: impl FnMut(&ScriptCall) + Send + 'static) {
        for declared in &mut self.declared {
            declared.is_traced = declared.names().iter().any(|name| is_traced(name));
        }
        self.trace = Some(Box::new(receiver));
        self.observe();
    }

    /// Chooses whether mistaken calls become warnings.
    ///
    /// If so, a call that does nothing (one with a bone or model that does not exist), a call that a builtin refuses,
    /// and other mistakes that engines ignore add a [`ScriptWarning`]. Writes to fields of removed entities do so
    /// after [`Machine::watch_writes`](vm::Machine::watch_writes). Otherwise the refusal alone is reported, as printed
    /// text. Writes that [`Machine::protect_world`](vm::Machine::protect_world) refuses always make warnings.
    ///
    /// # Example
    /// ```
    /// use skelobj::assets;
    /// use skelobj::qc::vm::{Machine, Progs};
    /// use skelobj::qc::{Environment, VmHost};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let (mut runtime, _) = assets::mannequin_runtime();
    /// let mut environment = Environment::new(&progs, |_| ());
    /// environment.set_warn(true); // calls take longer
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// let mut machine = Machine::new(progs.into());
    /// let main = machine.find_function(b"main").ok_or("no main")?;
    /// machine.call(main, &mut host)?;
    /// assert!(environment.take_warnings().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_warn(&mut self, warn: bool) {
        self.warn = warn;
        self.observe();
    }

    /// Chooses the builtins whose calls are observed.
    fn observe(&mut self) {
        for declared in &mut self.declared {
            declared.is_observed = self.warn || declared.is_traced;
        }
        self.builtins = self.declared.iter().map(Declared::unobserved).collect();
    }

    /// Returns the place of a global for results, `None` if the progs has none.
    pub(super) fn result(&self, global: ScriptResult) -> Option<Global> {
        self.results.get(global as usize).copied().flatten()
    }

    /// Returns `true` if the `drawmask` of an entity has a bit of a mask.
    pub(super) fn is_drawn(&self, machine: &vm::Machine, entity: u32, mask: i32) -> bool {
        let field = self.script.draw_mask.and_then(|field| machine.field_float(entity, field).ok());
        field.is_some_and(|drawn| truncate(drawn) & mask != 0)
    }

    /// Returns the index of a model that was precached; no name is index 0.
    pub(super) fn model_index(&self, name: &str) -> Option<usize> {
        if name.is_empty() { Some(0) } else { self.model_indexes.get(name).copied() }
    }

    /// Returns the name of a model index; the name of index 0 is empty.
    ///
    /// # Example
    /// ```
    /// use skelobj::assets;
    /// use skelobj::qc::vm::Progs;
    /// use skelobj::qc::Environment;
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let (mut runtime, _) = assets::mannequin_runtime();
    /// let mut environment = Environment::new(&progs, |_| ());
    /// let index = environment.precache_model(&mut runtime, "mannequin.iqm");
    /// assert_eq!(environment.model_name(index), Some("mannequin.iqm"));
    /// assert_eq!(environment.model_name(99), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn model_name(&self, index: usize) -> Option<&str> {
        self.models.get(index).map(|(name, _)| name.as_str())
    }

    /// Prints that a builtin received a non-finite number, the first time that any does (difference 18).
    pub(super) fn not_finite(&mut self, builtin: &str) {
        if !std::mem::replace(&mut self.said_not_finite, true) {
            self.print(&not_finite(builtin));
        }
    }

    /// Prints a text through the function that was given to [`new`](Self::new).
    ///
    /// # Example
    /// ```
    /// use skelobj::qc::vm::Progs;
    /// use skelobj::qc::Environment;
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// let mut environment = Environment::new(&progs, move |text: &str| drop(sender.send(text.to_owned())));
    /// environment.print("map start\n");
    /// assert_eq!(receiver.recv()?, "map start\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn print(&mut self, text: &str) {
        (self.output)(text);
    }
}

/// Returns `true` for the name of a level or sprite.
fn is_boneless(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["bsp", "spr", "spr32", "sp2"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Environment").field("models", &self.models).finish_non_exhaustive()
    }
}
