//! Builtins that a progs declares.

use crate::model::Name;
use crate::qc::Builtin;
use crate::qc::vm;
use crate::qc::vm::stdlib::{self, StdBuiltin};

/// Builtin that a progs declares.
#[derive(Debug)]
pub(super) struct Declared {
    /// Name in the progs.
    pub(super) name: String,
    pub(super) found: Found,
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
        Self { name, found, is_traced: false, is_observed: false, was_missed: false }
    }

    /// Returns the builtin of the table that runs without further steps.
    pub(super) fn unobserved(&self) -> Option<&'static Builtin> {
        match self.found {
            Found::Table(builtin) if !self.is_observed => Some(builtin),
            _ => None,
        }
    }

    /// Returns the names by which a trace selects the builtin: that in the progs, and that in the table.
    pub(super) fn names(&self) -> [&str; 2] {
        [&self.name, self.found.name().unwrap_or(&self.name)]
    }
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
