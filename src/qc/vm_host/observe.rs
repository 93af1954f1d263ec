//! Observed calls of builtins: traces and checks.

use std::cell::Cell;

use super::{MachineCall, VmHost};
use crate::qc::check::check;
use crate::qc::vm::{Fault, Machine};
use crate::qc::{Args as _, Builtin, parameters};

impl VmHost<'_> {
    /// Runs a builtin of the table, makes a warning if the call was a mistake, and passes its arguments and results to
    /// the receiver of the trace.
    pub(super) fn call_observed(&mut self, machine: &mut Machine, builtin: &'static Builtin) -> Result<(), Fault> {
        let call = MachineCall { machine, environment: self.environment, fault: Cell::new(None) };
        let arguments = call.environment.trace.is_some().then(|| parameters::arguments(builtin, &call));
        let outcome = self.call_table(machine, builtin);
        let mut call = MachineCall { machine, environment: self.environment, fault: Cell::new(None) };
        if call.environment.warn
            && let Some(problem) = check(builtin, self.runtime, &mut call)
        {
            call.warn(builtin, problem);
        }
        if let Some(arguments) = arguments {
            let results = outcome.as_ref().map_or_else(|fault| format!(": {fault}"), |()| results(builtin, &call));
            if let Some(trace) = &mut self.environment.trace {
                trace(&format!("{}({arguments}){results}\n", builtin.name));
            }
        }
        outcome
    }
}

/// Returns the results of a call that has just run: the returned value, and the parameters that the builtin writes.
fn results(builtin: &Builtin, call: &MachineCall<'_>) -> String {
    let words = call.machine.result();
    let returned = match builtin.signature.split_once('(').map_or("", |(kind, _)| kind.trim()) {
        "void" => String::new(),
        "float" => format!(" = {}", f32::from_bits(words[0])),
        "vector" => format!(" = {}", parameters::vector(words.map(f32::from_bits))),
        "string" => format!(" = {}", parameters::text(call.machine.string(words[0]).unwrap_or_default())),
        "entity" => format!(" = entity {}", words[0]),
        "int" => format!(" = {}", words[0] as i32),
        _ => format!(" = {:#x}", words[0]),
    };
    let declared = parameters::parameters(builtin.signature).into_iter().enumerate().take(call.argc());
    let written = declared.filter(|(_, parameter)| parameter.is_out);
    written.fold(returned, |text, (number, parameter)| {
        text + &format!(", {} {}", parameter.name, parameters::argument(parameter.kind, number, call))
    })
}
