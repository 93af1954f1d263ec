//! Observed calls of builtins (traces and checks), and entities as a host draws them.

use super::declared::Found;
use super::{MachineCall, VmHost};
use crate::model::Name;
use crate::qc::builtins::scene;
use crate::qc::call::Call;
use crate::qc::check::{check, written_entity};
use crate::qc::script_warning::ScriptProblem;
use crate::qc::vm::{self, EntityWrite, Fault, Machine};
use crate::qc::{Args as _, Builtin, Entity, Host as _, SceneEntity, ScriptCall, ScriptWarning};

/// Builtins of the standard library that change their first argument, an entity.
const STANDARD_CHANGES_ENTITY: [&str; 2] = ["setorigin", "setsize"];

impl VmHost<'_> {
    /// Runs a builtin, makes a warning if the call was a mistake, and passes its arguments and results to the receiver
    /// of the trace.
    pub(super) fn call_observed(&mut self, machine: &mut Machine, builtin: &vm::Builtin) -> Result<(), Fault> {
        self.warn_of_writes(machine);
        let Some(declared) = self.environment.declared.get(builtin.index as usize) else { return Ok(()) };
        let (found, is_traced) = (declared.found, declared.is_traced);
        let signature = found.signature();
        let name = found.name().unwrap_or(&declared.name).to_owned();
        let arguments = is_traced.then(|| MachineCall::new(machine, self.environment).arguments(signature));
        let outcome = match found {
            Found::Table(found) if self.environment.warn => self.call_checked(machine, found),
            found => self.call_found(machine, builtin, found),
        };
        if self.environment.warn && STANDARD_CHANGES_ENTITY.contains(&&*name) {
            let mut call = MachineCall::new(machine, self.environment);
            let entity = call.entity(0);
            if let Err(problem) = written_entity(&mut call, entity) {
                call.warn(&name, signature, problem);
            }
        }
        if let Some(arguments) = arguments {
            let call = MachineCall::new(machine, self.environment);
            let results = match &outcome {
                Ok(()) => call.results(&name, signature),
                Err(fault) => format!(": {fault}"),
            };
            let (location, time) = (call.machine.call_location(), call.time());
            let traced = ScriptCall { builtin: name, arguments, results, location, time };
            if let Some(trace) = &mut self.environment.trace {
                trace(&traced);
            }
        }
        outcome
    }

    /// Makes warnings of the writes that the machine has noted.
    pub(super) fn warn_of_writes(&mut self, machine: &mut Machine) {
        for EntityWrite { entity, field, location, .. } in machine.take_writes() {
            let problem = ScriptProblem::FieldWrite { entity, field: Name::new(&field) };
            let (builtin, arguments) = (String::new(), String::new());
            self.environment.add_warning(ScriptWarning { builtin, arguments, problem, location: Some(location) });
        }
    }

    /// Runs a builtin of the table, and makes warnings of its mistakes.
    fn call_checked(&mut self, machine: &mut Machine, builtin: &'static Builtin) -> Result<(), Fault> {
        self.watch_uses(machine, builtin);
        let outcome = self.call_table(machine, builtin);
        let mut call = MachineCall::new(machine, self.environment);
        if let Some(problem) = check(builtin, self.runtime, &mut call) {
            call.warn(builtin.name, builtin.signature, problem);
        }
        if outcome.is_ok() {
            self.watch_changes(machine, builtin);
        }
        outcome
    }
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
        let mut host = MachineCall::new(machine, self.environment);
        let mut call = Call { runtime: self.runtime, host: &mut host, builtin };
        Some(scene::drawn(&mut call, Entity(entity.into())))
    }
}
