//! Running script and its world.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::mem::{Discriminant, discriminant};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use skelobj::qc::vm::{Field, FunctionId, Global, Limits, Machine, Profiled, Progs};
use skelobj::qc::{Environment, ScriptReport, VmHost};
use skelobj::runtime::{ObjectId, Runtime, Warning};

use super::output::SharedOutput;
use super::stop::entity_name;
use super::vars::AutoCvars;
use crate::error::CliError;
use crate::out::tell_line;

/// Entity of the world.
pub const WORLD: u32 = 0;

/// Value of `movetype` of monsters.
const STEPS: f32 = 4.0;

/// Number of words for the fields of all entities: mods of DarkPlaces have thousands of fields.
const ENTITY_WORDS: u32 = 1 << 26;

/// Maximum number of thinks of an entity in a frame: times can follow each other by less than a nanosecond.
const MAX_THINKS: usize = 1000;

/// Maximum number of warnings of the runtime that are printed of each kind.
const MAX_WARNINGS: usize = 64;

/// Running script and its world.
pub struct Game {
    /// World, which the code of a server and of a client may share.
    pub runtime: Rc<RefCell<Runtime>>,
    pub machine: Machine,
    pub environment: Environment,
    pub output: SharedOutput,
    /// Number of the running frame, which receivers of traces share.
    pub frame: Arc<AtomicU32>,
    /// Number of statements so far, with those that builtins charged.
    pub statements: u64,
    /// Number of models that could not be loaded.
    pub missing_models: usize,
    /// Beginning of messages about the game: its side, if there are two.
    pub label: &'static str,
    profiles: bool,
    /// Entities that think without a function, whose mistakes are reported.
    thoughtless: Option<HashSet<u32>>,
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
    touch: Option<Field>,
    move_type: Option<Field>,
    /// `time` and `cltime`.
    time: [Option<Global>; 2],
    /// `frametime` and `clframetime`.
    frame_time: [Option<Global>; 2],
}

/// Argument of a function that the engine calls.
pub enum Argument<'a> {
    Float(f32),
    Text(&'a str),
    Entity(u32),
    Vector([f32; 3]),
}

impl Game {
    /// Creates a game of a progs in a world, whose frames take at most `frame_time`.
    pub fn new(
        progs: Arc<Progs>,
        runtime: Rc<RefCell<Runtime>>,
        output: SharedOutput,
        label: &'static str,
        frame_time: Duration,
    ) -> Self {
        let printed = output.clone();
        let mut environment = Environment::new(&progs, move |text: &str| printed.print(text));
        let told = output.clone();
        environment.set_reports(move |report| tell(&told, label, report));
        let mut machine = Machine::with_limits(
            Arc::clone(&progs),
            Limits { frame_time, entity_words: ENTITY_WORDS, ..Limits::default() },
        );
        let start = Instant::now();
        machine.set_clock(move || start.elapsed());
        Self {
            places: Places {
                self_: progs.global(b"self"),
                other: progs.global(b"other"),
                next_think: progs.field(b"nextthink"),
                think: progs.field(b"think"),
                touch: progs.field(b"touch"),
                move_type: progs.field(b"movetype"),
                time: [b"time".as_slice(), b"cltime"].map(|name| progs.global(name)),
                frame_time: [b"frametime".as_slice(), b"clframetime"].map(|name| progs.global(name)),
            },
            variables: AutoCvars::new(&progs),
            runtime,
            environment,
            machine,
            output,
            frame: Arc::default(),
            statements: 0,
            missing_models: 0,
            label,
            profiles: false,
            thoughtless: None,
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

    /// Sets the time of the game and the duration of a frame, in seconds.
    pub fn set_time(&mut self, time: f32, frame_time: f32) {
        let Places { time: times, frame_time: durations, .. } = &self.places;
        for (places, value) in [(times, time), (durations, frame_time)] {
            for place in places.iter().flatten() {
                self.machine.set_global_float(*place, value);
            }
        }
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

    /// Returns the entity in the global `self`, if the progs has it.
    pub fn self_entity(&self) -> Option<u32> {
        self.places.self_.map(|place| self.machine.global(place))
    }

    /// Calls a function of the progs for an entity, if there is one.
    pub fn call_found(
        &mut self,
        function: Option<FunctionId>,
        entity: u32,
        arguments: &[Argument<'_>],
    ) -> Result<(), CliError> {
        function.map_or(Ok(()), |function| self.call(function, entity, arguments))
    }

    /// Calls a function of the progs for an entity, if the progs has one of this name.
    pub fn call_named(&mut self, name: &str, entity: u32, arguments: &[Argument<'_>]) -> Result<(), CliError> {
        self.call_found(self.machine.find_function(name.as_bytes()), entity, arguments)
    }

    /// Calls a function for an entity.
    pub fn call(&mut self, function: FunctionId, entity: u32, arguments: &[Argument<'_>]) -> Result<(), CliError> {
        self.call_for(function, [entity, WORLD], arguments)
    }

    /// Calls a function for the entities in `self` and `other`.
    fn call_for(
        &mut self,
        function: FunctionId,
        [entity, other]: [u32; 2],
        arguments: &[Argument<'_>],
    ) -> Result<(), CliError> {
        for (place, entity) in [(self.places.self_, entity), (self.places.other, other)] {
            if let Some(place) = place {
                self.machine.set_global(place, entity);
            }
        }
        for (number, argument) in arguments.iter().enumerate() {
            let words = match argument {
                Argument::Float(value) => [value.to_bits(), 0, 0],
                Argument::Text(text) => {
                    [self.machine.temporary_string(text.as_bytes()).map_err(CliError::Fault)?, 0, 0]
                }
                Argument::Entity(entity) => [*entity, 0, 0],
                Argument::Vector(vector) => vector.map(f32::to_bits),
            };
            self.machine.set_argument(number, words);
        }
        let mut runtime = self.runtime.borrow_mut();
        let mut host = VmHost { runtime: &mut runtime, environment: &mut self.environment };
        let outcome = if self.profiles {
            self.machine.call(function, &mut Profiled(&mut host))
        } else {
            self.machine.call(function, &mut host)
        };
        let outcome = outcome.map_err(CliError::Script);
        self.statements += self.machine.spent();
        self.missing_models += self.environment.take_model_errors().len();
        outcome
    }

    /// Runs the think of an entity that is due before the next frame, again and again as long as it moves `nextthink`
    /// on and not out of the frame. `time` is that of the think.
    pub fn think(&mut self, entity: u32, time: f32, frame_time: f32) -> Result<(), CliError> {
        let (Some(next), Some(think)) = (self.places.next_think, self.places.think) else { return Ok(()) };
        for _ in 0..MAX_THINKS {
            let Ok(due) = self.machine.field_float(entity, next) else { return Ok(()) };
            if due <= 0.0 || due > time + frame_time || !self.machine.is_entity_alive(entity) {
                return Ok(());
            }
            let now = due.max(time);
            if let [Some(time), _] = self.places.time {
                self.machine.set_global_float(time, now);
            }
            // Neither call can fail for an existing entity and field.
            let _ = self.machine.set_field_float(entity, next, 0.0);
            match self.machine.field(entity, think).unwrap_or(0) {
                0 => {
                    self.warn_of_no_think(entity);
                    return Ok(());
                }
                function => self.call(FunctionId(function), entity, &[])?,
            }
            if self.machine.field_float(entity, next).is_ok_and(|due| due <= now) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Lets an entity fall that moves as monsters do, and calls `touch` of it and of what it hits.
    pub fn fall(&mut self, entity: u32, frame_time: f32) -> Result<(), CliError> {
        let moves = self.places.move_type.and_then(|field| self.machine.field_float(entity, field).ok());
        if moves != Some(STEPS) || !self.machine.is_entity_alive(entity) {
            return Ok(());
        }
        let gravity = self.environment.cvars.float(b"sv_gravity");
        let touched = {
            let mut runtime = self.runtime.borrow_mut();
            let mut host = VmHost { runtime: &mut runtime, environment: &mut self.environment };
            host.fall(&mut self.machine, entity, gravity, frame_time)
        };
        let (Some(other), Some(touch)) = (touched, self.places.touch) else { return Ok(()) };
        for both in [[entity, other], [other, entity]] {
            let function = self.machine.field(both[0], touch).unwrap_or(0);
            if function != 0 && both.iter().all(|entity| self.machine.is_entity_alive(*entity)) {
                self.call_for(FunctionId(function), both, &[])?;
            }
        }
        Ok(())
    }

    /// Reports mistakes from here on.
    pub fn set_warn(&mut self) {
        self.environment.set_warn(true);
        self.machine.watch_writes();
        self.thoughtless = Some(HashSet::new());
    }

    fn warn_of_no_think(&mut self, entity: u32) {
        if self.thoughtless.as_mut().is_some_and(|entities| entities.insert(entity)) {
            let (label, name) = (self.label, entity_name(&self.machine, entity));
            self.output
                .tell_line(format_args!("skelobj: warning: {label}{name} has a nextthink and no think function"));
        }
    }

    /// Counts the statements of functions and builtins from here on.
    pub fn start_profile(&mut self) {
        self.machine.start_profile();
        self.profiles = true;
    }

    /// Closes the files that the script has left open.
    pub fn close_files(&mut self) {
        let mut runtime = self.runtime.borrow_mut();
        let mut host = VmHost { runtime: &mut runtime, environment: &mut self.environment };
        self.machine.close_files(&mut host);
    }

    /// Warns of objects that the script has lost.
    pub fn warn_of_undeleted(&mut self) {
        let mut runtime = self.runtime.borrow_mut();
        let mut host = VmHost { runtime: &mut runtime, environment: &mut self.environment };
        // Objects that the end of the script deletes exist until the end of the frame.
        host.step(&mut self.machine, 0.0);
        host.warn_of_undeleted(&mut self.machine);
    }

    /// Returns the skeletal objects that no entity of the game has.
    pub fn lost_objects(&mut self) -> Vec<ObjectId> {
        let mut runtime = self.runtime.borrow_mut();
        let mut host = VmHost { runtime: &mut runtime, environment: &mut self.environment };
        host.lost_objects(&mut self.machine)
    }

    /// Prints how often warnings were repeated, with a total if `is_total`.
    pub fn report_counts(&self, is_total: bool) {
        let label = self.label;
        let (mut places, mut warnings) = (0, self.environment.warnings_left_out());
        if warnings > 0 {
            tell_line(format_args!("skelobj: {label}{warnings} warnings of further places in the code"));
        }
        for (warning, count) in self.environment.warning_counts() {
            places += 1;
            warnings += count;
            if count > 1 {
                tell_line(format_args!("skelobj: warning: {label}{warning} ({} more times)", count - 1));
            }
        }
        if is_total && warnings > 0 {
            let further = if self.environment.warnings_left_out() > 0 { " and more" } else { "" };
            let [of_warnings, of_places] = [warnings == 1, places == 1].map(|is_one| if is_one { "" } else { "s" });
            tell_line(format_args!(
                "skelobj: {label}{warnings} warning{of_warnings} in total, from {places} place{of_places} in the \
                 code{further}"
            ));
        }
        let of_physics = self.warned.values().map(|count| count.saturating_sub(MAX_WARNINGS)).sum::<usize>();
        if of_physics > 0 {
            tell_line(format_args!("skelobj: {label}{of_physics} more warnings of the same kinds are left out"));
        }
    }

    /// Moves the ragdolls of entities without skeletal objects, before the world's step.
    pub fn update_default_ragdolls(&mut self, frame_time: f32) {
        let mut runtime = self.runtime.borrow_mut();
        let mut host = VmHost { runtime: &mut runtime, environment: &mut self.environment };
        host.update_default_ragdolls(&mut self.machine, frame_time);
    }

    /// Ends a frame of the world and prints its warnings.
    pub fn step(&mut self, frame_time: f32) {
        let mut runtime = self.runtime.borrow_mut();
        let mut host = VmHost { runtime: &mut runtime, environment: &mut self.environment };
        host.step(&mut self.machine, frame_time);
        for warning in runtime.take_warnings() {
            let count = self.warned.entry(discriminant(&warning)).or_default();
            *count += 1;
            if *count <= MAX_WARNINGS {
                self.output.tell_line(format_args!("skelobj: {}{warning}", self.label));
            }
        }
    }

    /// Frees what belonged to deleted objects, after the step of a world that another game has made.
    pub fn forget_deleted(&mut self) {
        let mut runtime = self.runtime.borrow_mut();
        let mut host = VmHost { runtime: &mut runtime, environment: &mut self.environment };
        host.forget_deleted(&mut self.machine);
    }

    /// Returns the number of the running frame; the start is frame 0.
    pub fn frame_number(&self) -> u32 {
        self.frame.load(Ordering::Relaxed)
    }

    /// Writes what was printed in a frame, and counts the frame.
    pub fn end_frame(&mut self) {
        self.output.flush();
        self.frame.fetch_add(1, Ordering::Relaxed);
    }
}

/// Prints a report of the environment.
fn tell(output: &SharedOutput, label: &str, report: &ScriptReport<'_>) {
    match report {
        ScriptReport::Warning(warning) => output.tell_line(format_args!("skelobj: warning: {label}{warning}")),
        ScriptReport::TooManyPlaces(places) => {
            output.tell_line(format_args!(
                "skelobj: warning: {label}{places} places in the code have made warnings; those of further places are \
                 only counted"
            ));
        }
        ScriptReport::BonelessModel(error) => output.tell_line(format_args!("skelobj: note: {label}{error}")),
        ScriptReport::ModelError(error, location) => {
            let place = location.map(|location| format!("{location}: ")).unwrap_or_default();
            output.tell_line(format_args!("skelobj: {label}{place}model not loaded: {error}"));
        }
        _ => {}
    }
}
