//! Observed calls of builtins (traces and checks), and entities as a host draws them.

use std::cell::Cell;

use super::{MachineCall, VmHost};
use crate::qc::builtins::scene;
use crate::qc::call::Call;
use crate::qc::check::check;
use crate::qc::vm::{Fault, Machine};
use crate::qc::{Args as _, Builtin, Entity, SceneEntity, parameters};

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

impl VmHost<'_> {
    /// Returns an entity as `addentity` adds it to the scene, without adding it: its place, model, skeletal object and
    /// animations. `None` for the world and for a removed entity.
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
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// let mut machine = Machine::new(progs.into());
    /// let main = machine.find_function(b"main").ok_or("no main")?;
    /// machine.call(main, &mut host)?; // spawns a turret, entity 1
    /// let turret = host.scene_entity(&mut machine, 1).ok_or("no turret")?;
    /// assert!(turret.state.model.is_some() && turret.state.object.is_none()); // its think creates the object
    /// assert_eq!(host.scene_entity(&mut machine, 0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scene_entity(&mut self, machine: &mut Machine, entity: u32) -> Option<SceneEntity> {
        let builtin = self.environment.add_entity.filter(|_| entity != 0 && machine.is_entity_alive(entity))?;
        let mut host = MachineCall { machine, environment: self.environment, fault: Cell::new(None) };
        let mut call = Call { runtime: self.runtime, host: &mut host, builtin };
        Some(scene::drawn(&mut call, Entity(entity.into())))
    }
}
