//! Cost and warnings of a file while it is read.

use super::error::{BspFixup, BspWarning};
use crate::limits::Limits;
use crate::physics::allowance::Allowance;

/// Allowance of a file, and the warnings about it.
pub(super) struct Ledger {
    pub allowance: Allowance,
    pub warnings: Vec<BspWarning>,
}

impl Ledger {
    pub fn new(bytes: &[u8], limits: &Limits) -> Self {
        Self { allowance: Allowance::new(bytes.len(), limits), warnings: Vec::new() }
    }

    /// Adds a warning. Beyond the maximum number, one last element counts the rest.
    pub fn warn(&mut self, lump: &'static str, record: usize, fixup: BspFixup) {
        if let Some(BspWarning { fixup: BspFixup::Further(count), .. }) = self.warnings.last_mut() {
            *count += 1;
        } else if self.warnings.len() < self.allowance.warnings() as usize {
            self.warnings.push(BspWarning { lump, record, fixup });
        } else {
            self.warnings.push(BspWarning { lump, record, fixup: BspFixup::Further(1) });
        }
    }
}
