//! State of a machine's builtins between calls.

use std::collections::HashMap;

use super::fields::FieldPlaces;
use super::script::ScriptPlaces;
use crate::model::Name;
use crate::qc::number::not_finite;
use crate::qc::vm::stdlib::{self, StdBuiltin};
use crate::qc::vm::{self, Global, Progs};
use crate::qc::{Builtin, Dialect, ModelRef, Rules};
use crate::runtime::Runtime;

/// Receiver of printed text.
type Output = dyn FnMut(&str) + Send;

/// State of a machine's builtins between calls: the places of fields and globals in its progs, its models by index, and
/// the receiver of printed text.
///
/// The builtins are those of [`TABLE`](crate::qc::TABLE) and of [the standard library](stdlib).
///
/// # Example
/// ```
/// use skelobj::qc::Dialect;
/// # use skelobj::qc::vm::{Machine, Progs};
/// # use skelobj::qc::{Environment, VmHost};
/// # use skelobj::{Runtime, assets};
/// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/quakec/spinning_bone.dat"));
/// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
/// # let mut runtime = Runtime::default();
/// # runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
/// use std::sync::{Arc, Mutex};
///
/// let console = Arc::new(Mutex::new(String::new()));
/// let output = console.clone();
/// let mut environment = Environment::new(&progs, move |text| output.lock().unwrap().push_str(text));
/// environment.dialect = Dialect::DarkPlaces;
/// assert_eq!(environment.precache_model(&mut runtime, "mannequin.iqm"), 1);
/// assert_eq!(environment.precache_model(&mut runtime, "ogre.iqm"), 2);
/// assert!(console.lock().unwrap().contains("ogre.iqm")); // the file is missing
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Environment {
    /// Dialect of the progs.
    pub dialect: Dialect,
    /// Kind of the progs: client or server code.
    pub rules: Rules,
    pub(super) fields: FieldPlaces,
    /// Places of `v_forward`, `v_right` and `v_up`.
    pub(super) axes: [Global; 3],
    pub(super) time: Option<Global>,
    pub(super) tag_info: [Option<Global>; 6],
    /// Places of `skel_match_origin`, `skel_match_yaw` and `skel_match_time`.
    pub(super) matched_pose: [Option<Global>; 3],
    pub(super) script: ScriptPlaces,
    /// Builtins of the progs that are in [`TABLE`](crate::qc::TABLE), by their position in the progs.
    pub(super) builtins: Vec<Option<&'static Builtin>>,
    /// Builtins of the progs that are in the standard library, by their position in the progs.
    pub(super) standard: Vec<Option<&'static StdBuiltin>>,
    /// Models by index; 0 means no model.
    pub(super) models: Vec<(String, ModelRef)>,
    /// Indexes of the models by name.
    model_indexes: HashMap<String, usize>,
    output: Box<Output>,
    /// `true` once a non-finite number was reported.
    said_not_finite: bool,
    /// Calls that a builtin requested.
    pub(super) pending: Vec<PendingCall>,
}

pub(super) struct PendingCall {
    pub(super) function: vm::FunctionId,
    pub(super) time: f32,
    pub(super) code: i32,
    pub(super) data: Name,
}

impl Environment {
    /// Creates the environment of machines that run `progs`; `output` receives printed text.
    ///
    /// Models, the files beside them and dolls come from the runtime's [files](Runtime::set_files).
    ///
    /// # Example
    /// ```
    /// # use skelobj::qc::vm::{Machine, Progs};
    /// # use skelobj::qc::{Environment, VmHost};
    /// # use skelobj::{Runtime, assets};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/quakec/spinning_bone.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut runtime = Runtime::default();
    /// # runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    /// let mut environment = Environment::new(&progs, |text| print!("{text}"));
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// # let mut machine = Machine::new(progs);
    /// let main = machine.find_function(b"main").ok_or("no main")?;
    /// machine.call(main, &mut host)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(progs: &Progs, output: impl FnMut(&str) + Send + 'static) -> Self {
        let global = |name: &str| progs.global(name.as_bytes());
        let info = |name: &str| global(&format!("gettaginfo_{name}"));
        let builtin = |builtin: &vm::Builtin| {
            if builtin.number == 0 { Builtin::by_name(&builtin.name) } else { Builtin::by_number(builtin.number) }
        };
        let standard = |builtin: &vm::Builtin| stdlib::lookup(builtin.number, &builtin.name);
        Self {
            fields: FieldPlaces::new(progs),
            dialect: Dialect::default(),
            rules: Rules::default(),
            axes: progs.axes(),
            time: global("time"),
            tag_info: ["parent", "name", "offset", "forward", "right", "up"].map(info),
            matched_pose: ["origin", "yaw", "time"].map(|name| global(&format!("skel_match_{name}"))),
            script: ScriptPlaces::new(progs),
            builtins: progs.builtins().iter().map(builtin).collect(),
            standard: progs.builtins().iter().map(standard).collect(),
            models: vec![(String::new(), ModelRef::None)],
            model_indexes: HashMap::new(),
            output: Box::new(output),
            said_not_finite: false,
            pending: Vec::new(),
        }
    }

    /// Returns the index of a model, and loads a new model, as `precache_model` and `setmodel` do.
    ///
    /// A missing or invalid file gets an index without a model, and the error is printed.
    ///
    /// # Example
    /// ```
    /// # use skelobj::qc::vm::{Machine, Progs};
    /// # use skelobj::qc::{Environment, VmHost};
    /// # use skelobj::{Runtime, assets};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/quakec/spinning_bone.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut runtime = Runtime::default();
    /// # runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    /// let mut environment = Environment::new(&progs, |_| ());
    /// let index = environment.precache_model(&mut runtime, "mannequin.iqm");
    /// assert_eq!(environment.precache_model(&mut runtime, "mannequin.iqm"), index);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn precache_model(&mut self, runtime: &mut Runtime, name: &str) -> usize {
        if let Some(index) = self.model_index(name) {
            return index;
        }
        let model = match runtime.load_model(name) {
            Ok(model) => ModelRef::Model(model),
            Err(error) => {
                (self.output)(&format!("{error}\n"));
                ModelRef::Unknown
            }
        };
        let index = self.models.len();
        self.models.push((name.to_owned(), model));
        self.model_indexes.insert(name.to_owned(), index);
        index
    }

    /// Returns the index of a model that was precached; no name is index 0.
    pub(super) fn model_index(&self, name: &str) -> Option<usize> {
        if name.is_empty() { Some(0) } else { self.model_indexes.get(name).copied() }
    }

    /// Returns the name of a model index; the name of index 0 is empty.
    ///
    /// # Example
    /// ```
    /// # use skelobj::qc::vm::{Machine, Progs};
    /// # use skelobj::qc::{Environment, VmHost};
    /// # use skelobj::{Runtime, assets};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/quakec/spinning_bone.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut runtime = Runtime::default();
    /// # runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
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

    /// Passes a text to the environment's receiver of printed text.
    ///
    /// # Example
    /// ```
    /// # use skelobj::qc::vm::{Machine, Progs};
    /// # use skelobj::qc::{Environment, VmHost};
    /// # use skelobj::{Runtime, assets};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/quakec/spinning_bone.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut runtime = Runtime::default();
    /// # runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
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

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Environment").field("models", &self.models).finish_non_exhaustive()
    }
}
