//! Calls of builtins: checked arguments, and results.

use super::{Mistake, StdBuiltin, StdHost};
use crate::{Fault, Machine};

/// Number of bytes whose work, one by one, counts as a statement.
const BYTES_A_STATEMENT: u64 = 4;

/// Running builtin.
pub(super) struct Call<'a> {
    pub(super) machine: &'a mut Machine,
    pub(super) host: &'a mut dyn StdHost,
    pub(super) builtin: &'a StdBuiltin,
}

impl Call<'_> {
    /// Returns a float argument; a non-finite value is reported and treated as 0.
    pub(super) fn float(&mut self, argument: usize) -> f32 {
        let value = self.machine.argument_float(argument);
        if value.is_finite() {
            return value;
        }
        self.mistake(Mistake::NotFinite);
        0.0
    }

    /// Returns a float argument truncated toward zero.
    pub(super) fn integer(&mut self, argument: usize) -> i32 {
        self.float(argument) as i32
    }

    /// Returns a vector argument; non-finite components are reported and treated as 0.
    pub(super) fn vector(&mut self, argument: usize) -> [f32; 3] {
        let value = self.machine.argument_vector(argument);
        if value.iter().all(|component| component.is_finite()) {
            return value;
        }
        self.mistake(Mistake::NotFinite);
        value.map(finite)
    }

    /// Reports a mistake of the call.
    #[cold]
    pub(super) fn mistake(&mut self, mistake: Mistake) {
        self.host.mistake(self.machine, self.builtin, mistake);
    }

    pub(super) fn string(&self, argument: usize) -> Result<&[u8], Fault> {
        self.machine.argument_string(argument)
    }

    /// Charges for work on this many bytes, in addition to their reading.
    pub(super) fn charge_bytes(&self, bytes: usize) -> Result<(), Fault> {
        self.machine.charge(bytes as u64 / BYTES_A_STATEMENT)
    }

    /// Returns a fault of the script that names the builtin.
    pub(super) fn fault(&self, problem: impl std::fmt::Display) -> Fault {
        Fault::Script(format!("{}: {problem}", self.builtin.name).into_bytes().into())
    }

    /// Returns a random number from 0 to below 1.
    pub(super) fn random(&mut self) -> f32 {
        f32::from(self.machine.random()) / 32768.0
    }

    /// Sets the call's result to a float, 0 for a non-finite one.
    pub(super) fn return_float(&mut self, value: f32) -> Result<(), Fault> {
        self.machine.return_float(finite(value));
        Ok(())
    }

    /// Sets the call's result to a vector.
    pub(super) fn return_vector(&mut self, value: [f32; 3]) -> Result<(), Fault> {
        self.machine.return_vector(value);
        Ok(())
    }

    /// Sets the call's result to an entity, the world for `None`.
    pub(super) fn return_entity(&mut self, entity: Option<u32>) -> Result<(), Fault> {
        self.machine.return_bits(entity.unwrap_or(0));
        Ok(())
    }

    /// Sets the call's result to a temporary string.
    pub(super) fn return_string(&mut self, text: &[u8]) -> Result<(), Fault> {
        self.machine.return_string(text)
    }
}

pub(crate) fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
