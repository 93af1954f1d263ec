//! Warnings that a script's calls have made.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};

use crate::qc::{ScriptProblem, ScriptWarning};

/// Maximum number of warnings.
const MOST: usize = 1024;

/// Warnings that the host has not taken yet, and the origins of all that were made.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    new: Vec<ScriptWarning>,
    seen: HashSet<(String, Discriminant<ScriptProblem>)>,
    left_out: u64,
}

impl Warnings {
    /// Adds a warning, unless its statement made one of its kind before or there are too many.
    pub(super) fn add(&mut self, warning: ScriptWarning) {
        let origin = match &warning.location {
            Some(location) => format!("{location}: {}", warning.builtin),
            None => warning.to_string(),
        };
        if self.seen.len() < MOST && self.seen.insert((origin, discriminant(&warning.problem))) {
            self.new.push(warning);
        } else {
            self.left_out += 1;
        }
    }

    pub(super) fn take(&mut self) -> Vec<ScriptWarning> {
        std::mem::take(&mut self.new)
    }

    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }
}
