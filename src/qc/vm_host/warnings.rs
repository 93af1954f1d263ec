//! Warnings that a script's calls have made.

use std::collections::HashSet;

use crate::qc::ScriptWarning;

/// Maximum number of different warnings.
const MOST: usize = 1024;

/// Warnings that the host has not taken yet, and the texts of all that were made.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    new: Vec<ScriptWarning>,
    seen: HashSet<String>,
}

impl Warnings {
    /// Adds a warning, unless it was made before or there are too many.
    pub(super) fn add(&mut self, warning: ScriptWarning) {
        if self.seen.len() < MOST && self.seen.insert(warning.to_string()) {
            self.new.push(warning);
        }
    }

    pub(super) fn take(&mut self) -> Vec<ScriptWarning> {
        std::mem::take(&mut self.new)
    }
}
