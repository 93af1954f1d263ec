//! Builtins that a progs declares.

use crate::model::Name;
use crate::qc::Builtin;
use crate::qc::parameters::parameters;
use crate::qc::vm;
use crate::qc::vm::stdlib::{self, StdBuiltin};

/// Builtin that a progs declares.
#[derive(Debug)]
pub(super) struct Declared {
    /// Name in the progs.
    pub(super) name: String,
    pub(super) found: Found,
    /// Number of arguments that are not optional, of a builtin of the table.
    required: usize,
    /// The receiver of the trace gets its calls.
    pub(super) is_traced: bool,
    /// Calls are traced or checked.
    pub(super) is_observed: bool,
    /// An unknown builtin that was called.
    pub(super) was_missed: bool,
}

/// Implementation of a builtin.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    Table(&'static Builtin),
    Standard(&'static StdBuiltin),
    Unknown,
}

impl Declared {
    pub(super) fn new(builtin: &vm::Builtin) -> Self {
        let number = builtin.number;
        let in_table = if number == 0 { Builtin::by_name(&builtin.name) } else { Builtin::by_number(number) };
        let found = match (in_table, stdlib::lookup(number, &builtin.name)) {
            (Some(found), _) => Found::Table(found),
            (None, Some(found)) => Found::Standard(found),
            (None, None) => Found::Unknown,
        };
        let name = Name::new(&builtin.name).to_string();
        let required = if let Found::Table(builtin) = found { required(builtin.signature) } else { 0 };
        Self { name, found, required, is_traced: false, is_observed: false, was_missed: false }
    }

    /// Returns the builtin of the table, and the number of arguments that it needs.
    pub(super) fn in_table(&self) -> Option<(&'static Builtin, usize)> {
        match self.found {
            Found::Table(builtin) => Some((builtin, self.required)),
            _ => None,
        }
    }

    /// Returns the builtin of the table that runs without further steps, and the number of arguments that it needs.
    pub(super) fn unobserved(&self) -> Option<(&'static Builtin, usize)> {
        self.in_table().filter(|_| !self.is_observed)
    }

    /// Returns the names by which a trace selects the builtin: that in the progs, and that in the table.
    pub(super) fn names(&self) -> [&str; 2] {
        [&self.name, self.found.name().unwrap_or(&self.name)]
    }
}

/// Returns the number of parameters that are not optional, 0 if there may be any number of others.
fn required(signature: &'static str) -> usize {
    let declared = parameters(signature);
    let is_open = declared.iter().any(|parameter| parameter.kind == "...");
    if is_open { 0 } else { declared.iter().take_while(|parameter| !parameter.is_optional).count() }
}

impl Found {
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::Table(builtin) => Some(builtin.name),
            Self::Standard(builtin) => Some(builtin.name),
            Self::Unknown => None,
        }
    }

    pub(super) fn signature(self) -> &'static str {
        match self {
            Self::Table(builtin) => builtin.signature,
            Self::Standard(builtin) => builtin.signature,
            Self::Unknown => "float(...)",
        }
    }
}
