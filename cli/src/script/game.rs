//! Running script and its world.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use skelobj::qc::vm::{Field, FunctionId, Global, Machine, Profiled, Progs};
use skelobj::qc::{Environment, ScriptReport, VmHost};
use skelobj::runtime::Warning;
use skelobj::{Runtime, assets};

use super::output::SharedOutput;
use super::vars::AutoCvars;
use crate::error::CliError;
use crate::folder::{Folder, read_in};
use crate::out::tell_line;

/// Entity of the world.
pub const WORLD: u32 = 0;

/// Maximum number of warnings of the runtime that are printed of each kind.
const MOST_WARNINGS: usize = 64;

/// Running script and its world.
pub struct Game {
    pub runtime: Runtime,
    pub machine: Machine,
    pub environment: Environment,
    pub output: SharedOutput,
    /// Number of the running frame; the start is frame 0.
    pub frame: Arc<AtomicU32>,
    /// Number of models that could not be loaded.
    pub missing_models: usize,
    profiles: bool,
    /// Number of warnings of each kind.
    warned: HashMap<Discriminant<Warning>, usize>,
    places: Places,
    variables: AutoCvars,
}

/// Globals and fields of the progs that calls use; `None` for each that the progs lacks.
struct Places {
    self_: Option<Global>,
    other: Option<Global>,
    next_think: Option<Field>,
    think: Option<Field>,
}

/// Argument of a function that the engine calls.
pub enum Argument<'a> {
    Float(f32),
    Text(&'a str),
}

impl Game {
    /// Creates the world of a script whose models are in `folder`.
    pub fn new(progs: Arc<Progs>, folder: Folder) -> Self {
        let output = SharedOutput::new();
        let printed = output.clone();
        let mut environment = Environment::new(&progs, move |text: &str| printed.print(text));
        let told = output.clone();
        environment.set_reports(move |report| tell(&told, report));
        let mut runtime = Runtime::default();
        runtime.set_files(move |name: &str| read(&folder, name));
        Self {
            places: Places {
                self_: progs.global(b"self"),
                other: progs.global(b"other"),
                next_think: progs.field(b"nextthink"),
                think: progs.field(b"think"),
            },
            variables: AutoCvars::new(&progs),
            runtime,
            environment,
            machine: Machine::new(progs),
            output,
            frame: Arc::default(),
            missing_models: 0,
            profiles: false,
            warned: HashMap::new(),
        }
    }

    /// Creates the console variables that fill globals, and fills the globals.
    pub fn create_variables(&mut self) -> Result<(), CliError> {
        self.variables.create(&self.machine, &mut self.environment.cvars);
        self.update_variables()
    }

    /// Fills the globals of console variables that have changed.
    pub fn update_variables(&mut self) -> Result<(), CliError> {
        self.variables.update(&mut self.machine, &self.environment.cvars).map_err(CliError::Fault)
    }

    /// Sets a float global of the progs, if it has one of this name.
    pub fn set_float(&mut self, name: &str, value: f32) {
        if let Some(place) = self.machine.progs().global(name.as_bytes()) {
            self.machine.set_global_float(place, value);
        }
    }

    /// Sets a string global of the progs, if it has one of this name.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), CliError> {
        if let Some(place) = self.machine.progs().global(name.as_bytes()) {
            let handle = self.machine.permanent_string(text.as_bytes()).map_err(CliError::Fault)?;
            self.machine.set_global(place, handle);
        }
        Ok(())
    }

    /// Calls a function of the progs for an entity, if the progs has one of this name.
    pub fn call_named(&mut self, name: &str, entity: u32, arguments: &[Argument<'_>]) -> Result<(), CliError> {
        match self.machine.find_function(name.as_bytes()) {
            Some(function) => self.call(function, entity, arguments),
            None => Ok(()),
        }
    }

    /// Calls a function for an entity.
    pub fn call(&mut self, function: FunctionId, entity: u32, arguments: &[Argument<'_>]) -> Result<(), CliError> {
        for (place, entity) in [(self.places.self_, entity), (self.places.other, WORLD)] {
            if let Some(place) = place {
                self.machine.set_global(place, entity);
            }
        }
        for (number, argument) in arguments.iter().enumerate() {
            let bits = match argument {
                Argument::Float(value) => value.to_bits(),
                Argument::Text(text) => self.machine.temporary_string(text.as_bytes()).map_err(CliError::Fault)?,
            };
            self.machine.set_argument(number, [bits, 0, 0]);
        }
        let mut host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
        let outcome = if self.profiles {
            self.machine.call(function, &mut Profiled(&mut host))
        } else {
            self.machine.call(function, &mut host)
        };
        let outcome = outcome.map_err(CliError::Script);
        self.missing_models += self.environment.take_model_errors().len();
        outcome
    }

    /// Runs the think of an entity that is due before the next frame.
    pub fn think(&mut self, entity: u32, time: f32, frame_time: f32) -> Result<(), CliError> {
        let (Some(next), Some(think)) = (self.places.next_think, self.places.think) else { return Ok(()) };
        let Ok(due) = self.machine.field_float(entity, next) else { return Ok(()) };
        if due <= 0.0 || due > time + frame_time || !self.machine.is_entity_alive(entity) {
            return Ok(());
        }
        self.set_float("time", due.max(time));
        // Neither call can fail for an existing entity and field.
        let _ = self.machine.set_field_float(entity, next, 0.0);
        match self.machine.field(entity, think).unwrap_or(0) {
            0 => Ok(()),
            function => self.call(FunctionId(function), entity, &[]),
        }
    }

    /// Counts the statements of functions and builtins from here on.
    pub fn start_profile(&mut self) {
        self.machine.start_profile();
        self.profiles = true;
    }

    /// Closes the files that the script has left open.
    pub fn close_files(&mut self) {
        let mut host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
        self.machine.close_files(&mut host);
    }

    /// Warns of objects that the script has lost.
    pub fn warn_of_undeleted(&mut self) {
        let mut host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
        // Objects that the end of the script deletes exist until the end of the frame.
        host.step(&mut self.machine, 0.0);
        host.warn_of_undeleted(&mut self.machine);
    }

    /// Prints how often warnings were repeated, with a total if `is_total`.
    pub fn report_counts(&self, is_total: bool) {
        let (mut places, mut warnings) = (0, self.environment.warnings_left_out());
        if warnings > 0 {
            tell_line(format_args!("skelobj: {warnings} warnings of further places in the code"));
        }
        for (warning, count) in self.environment.warning_counts() {
            places += 1;
            warnings += count;
            if count > 1 {
                tell_line(format_args!("skelobj: warning: {warning} ({} more times)", count - 1));
            }
        }
        if is_total && warnings > 0 {
            let further = if self.environment.warnings_left_out() > 0 { " and more" } else { "" };
            let [of_warnings, of_places] = [warnings == 1, places == 1].map(|is_one| if is_one { "" } else { "s" });
            tell_line(format_args!(
                "skelobj: {warnings} warning{of_warnings} in total, from {places} place{of_places} in the code{further}"
            ));
        }
        let of_physics = self.warned.values().map(|count| count.saturating_sub(MOST_WARNINGS)).sum::<usize>();
        if of_physics > 0 {
            tell_line(format_args!("skelobj: {of_physics} more warnings of the same kinds are left out"));
        }
    }

    /// Ends a frame and prints its warnings.
    pub fn step(&mut self, frame_time: f32) {
        let mut host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
        host.update_default_ragdolls(&mut self.machine, frame_time);
        host.step(&mut self.machine, frame_time);
        for warning in self.runtime.take_warnings() {
            let count = self.warned.entry(discriminant(&warning)).or_default();
            *count += 1;
            if *count <= MOST_WARNINGS {
                self.output.tell_line(format_args!("skelobj: {warning}"));
            }
        }
        self.output.flush();
        self.frame.fetch_add(1, Ordering::Relaxed);
    }
}

/// Prints a report of the environment.
fn tell(output: &SharedOutput, report: &ScriptReport<'_>) {
    match report {
        ScriptReport::Warning(warning) => output.tell_line(format_args!("skelobj: warning: {warning}")),
        ScriptReport::TooManyPlaces(places) => {
            output.tell_line(format_args!(
                "skelobj: warning: {places} places in the code have made warnings; those of further places are only \
                 counted"
            ));
        }
        ScriptReport::ModelError(error) => output.tell_line(format_args!("skelobj: model not loaded: {error}")),
        _ => {}
    }
}

/// Returns a file below the folder, or a built-in file of the mannequin.
fn read(folder: &Folder, name: &str) -> Option<Vec<u8>> {
    read_in(folder, name).or_else(|| match name {
        "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
        "mannequin_getup.iqm" => Some(assets::MANNEQUIN_GETUP_IQM.to_vec()),
        "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
        _ => None,
    })
}
