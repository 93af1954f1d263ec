//! The state of a machine's builtins between calls.

use std::collections::HashMap;

use super::fields::FieldPlaces;
use super::script::ScriptPlaces;
use crate::model::Name;
use crate::qc::number::not_finite;
use crate::qc::vm::stdlib::{self, StdBuiltin};
use crate::qc::vm::{self, Global, Progs};
use crate::qc::{Builtin, Dialect, ModelRef, Rules};
use crate::runtime::Runtime;

/// The receiver of printed text.
type Output = dyn FnMut(&str) + Send;

/// The state of a machine's builtins between calls: the places of fields and globals in its progs, its models by index, and
/// the receiver of printed text.
///
/// The builtins are those of [`TABLE`](crate::qc::TABLE) and of [the standard library](stdlib).
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
    pub(super) script: ScriptPlaces,
    /// Builtins of the progs that are in [`TABLE`](crate::qc::TABLE), by their place in the progs.
    pub(super) builtins: Vec<Option<&'static Builtin>>,
    /// Builtins of the progs that are in the standard library, by their place in the progs.
    pub(super) standard: Vec<Option<&'static StdBuiltin>>,
    /// Models by index; 0 is no model.
    pub(super) models: Vec<(String, ModelRef)>,
    /// Indexes of the models by name.
    model_indexes: HashMap<String, usize>,
    output: Box<Output>,
    /// True once a number that is not finite was reported.
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
    /// Creates the environment of machines that run `progs`; `output` receives printed text. Models, the files beside them
    /// and dolls come from the runtime's [files](Runtime::set_files).
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

    /// Returns the index of a model, as `precache_model` and `setmodel` do; a new model is read from its file. A file that
    /// is missing or broken gets an index without a model, and the problem is printed.
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

    /// Returns the name of a model index.
    #[must_use]
    pub fn model_name(&self, index: usize) -> Option<&str> {
        self.models.get(index).map(|(name, _)| name.as_str())
    }

    /// Prints that a builtin received a number that is not finite, the first time that any does (ruling 18).
    pub(super) fn not_finite(&mut self, builtin: &str) {
        if !std::mem::replace(&mut self.said_not_finite, true) {
            self.print(&not_finite(builtin));
        }
    }

    /// Prints a text.
    pub fn print(&mut self, text: &str) {
        (self.output)(text);
    }
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Environment").field("models", &self.models).finish_non_exhaustive()
    }
}
