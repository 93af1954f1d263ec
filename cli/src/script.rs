//! `skelobj script`: execution of QuakeC without an engine.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use skelobj::qc::vm::{Field, FunctionId, Global, Machine, Progs};
use skelobj::qc::{Environment, VmHost};
use skelobj::{FileSource as _, Runtime, assets};

use crate::error::CliError;
use crate::folder::Folder;
use crate::out::{plain, tell};
use crate::{files, input};

/// Run compiled QuakeC: main, then frames of StartFrame, entity thinks and physics
///
/// The script has the builtins of docs/builtins.md. Its prints go to standard output; a script error ends the command
/// with exit code 1. Without --frames only main runs.
#[derive(clap::Args)]
pub struct ScriptArgs {
    /// Compiled QuakeC, as written by fteqcc or gmqcc
    #[arg(value_name = "PROGS.dat")]
    progs: PathBuf,
    /// Folder of models and dolls [default: the folder of PROGS.dat]; mannequin.iqm, mannequin_getup.iqm and
    /// mannequin.doll are built in
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    /// Number of frames to run after main
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = input::whole::<u32>)]
    frames: u32,
    /// Duration of a frame in seconds, 0 to 1
    #[arg(long, value_name = "S", default_value_t = 1.0 / 60.0, value_parser = frame_time)]
    dt: f32,
    /// Height of a floor for ragdolls and traces, in units; without this option there is no floor
    #[arg(long, value_name = "Z", allow_hyphen_values = true, value_parser = height)]
    floor: Option<f32>,
}

/// Parses the duration of a frame in seconds.
fn frame_time(argument: &str) -> Result<f32, String> {
    let time = argument.parse().ok().filter(|time| (0.0..=1.0).contains(time));
    time.ok_or_else(|| "expected seconds from 0 to 1, such as 0.05".to_owned())
}

/// Parses the height of a floor in Quake units.
fn height(argument: &str) -> Result<f32, String> {
    let height = argument.parse().ok().filter(|height: &f32| height.abs() <= 1e5);
    height.ok_or_else(|| "expected a height from -100000 to 100000".to_owned())
}

/// Runs a script to the end of its last frame.
pub fn run(args: &ScriptArgs) -> Result<(), CliError> {
    let bytes = files::read_named(&args.progs)?;
    let progs = Progs::load(&bytes).map_err(|error| CliError::Progs(args.progs.clone(), error))?;
    let folder = args.models.as_deref().map_or_else(|| files::folder_of(&args.progs), Folder::new);
    let mut script = Script::new(Arc::new(progs), folder);
    if let Some(floor) = args.floor {
        script.runtime.physics_mut().add_floor(floor).map_err(CliError::Floor)?;
    }
    let outcome = script.play(args.frames, args.dt);
    script.output.lock().finish()?;
    outcome
}

/// Standard output and its first error.
struct Output {
    out: io::BufWriter<io::Stdout>,
    failed: Option<io::Error>,
}

impl Output {
    fn print(&mut self, text: &str) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(plain(text).as_bytes()).err();
        }
    }

    fn finish(&mut self) -> Result<(), CliError> {
        let flushed = self.out.flush();
        match self.failed.take() {
            Some(error) => Err(CliError::Output(error)),
            None => flushed.map_err(CliError::Output),
        }
    }
}

/// Output of a script, shared by the environment, which prints, and the frame loop, which checks for errors.
#[derive(Clone)]
struct SharedOutput(Arc<Mutex<Output>>);

impl SharedOutput {
    fn lock(&self) -> MutexGuard<'_, Output> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Running script and its world.
struct Script {
    runtime: Runtime,
    machine: Machine,
    environment: Environment,
    output: SharedOutput,
    places: Places,
}

/// Globals and fields of the progs that the frame loop uses; `None` for each that the progs lacks.
struct Places {
    self_: Option<Global>,
    other: Option<Global>,
    time: Option<Global>,
    frame_time: Option<Global>,
    next_think: Option<Field>,
    think: Option<Field>,
}

impl Script {
    fn new(progs: Arc<Progs>, folder: Folder) -> Self {
        let output = Output { out: io::BufWriter::new(io::stdout()), failed: None };
        let output = SharedOutput(Arc::new(Mutex::new(output)));
        let printed = output.clone();
        let print = move |text: &str| printed.lock().print(text);
        let global = |name: &str| progs.global(name.as_bytes());
        let mut runtime = Runtime::default();
        runtime.set_files(move |name: &str| read(&folder, name));
        Self {
            places: Places {
                self_: global("self"),
                other: global("other"),
                time: global("time"),
                frame_time: global("frametime"),
                next_think: progs.field(b"nextthink"),
                think: progs.field(b"think"),
            },
            runtime,
            environment: Environment::new(&progs, print),
            machine: Machine::new(progs),
            output,
        }
    }

    fn play(&mut self, frames: u32, frame_time: f32) -> Result<(), CliError> {
        self.set_float(self.places.frame_time, frame_time);
        self.call_named("main")?;
        self.step(0.0);
        for frame in 1..=frames {
            let time = (f64::from(frame) * f64::from(frame_time)) as f32;
            self.set_float(self.places.time, time);
            self.call_named("StartFrame")?;
            self.think(time, frame_time)?;
            self.step(frame_time);
            if self.output.lock().failed.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Runs the thinks that are due before the next frame, at most one per entity (difference 50).
    fn think(&mut self, time: f32, frame_time: f32) -> Result<(), CliError> {
        let (Some(next), Some(think)) = (self.places.next_think, self.places.think) else { return Ok(()) };
        for entity in 1..self.machine.entity_count() {
            let Ok(due) = self.machine.field_float(entity, next) else { continue };
            if due <= 0.0 || due > time + frame_time || !self.machine.is_entity_alive(entity) {
                continue;
            }
            self.set_float(self.places.time, due.max(time));
            // Neither call can fail for an existing entity and field.
            let _ = self.machine.set_field_float(entity, next, 0.0);
            let function = self.machine.field(entity, think).unwrap_or(0);
            if function != 0 {
                self.call(FunctionId(function), entity)?;
            }
        }
        Ok(())
    }

    fn call_named(&mut self, name: &str) -> Result<(), CliError> {
        match self.machine.find_function(name.as_bytes()) {
            Some(function) => self.call(function, 0),
            None => Ok(()),
        }
    }

    fn call(&mut self, function: FunctionId, entity: u32) -> Result<(), CliError> {
        for (place, entity) in [(self.places.self_, entity), (self.places.other, 0)] {
            if let Some(place) = place {
                self.machine.set_global(place, entity);
            }
        }
        let mut host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
        self.machine.call(function, &mut host).map_err(CliError::Script)
    }

    /// Ends a frame and prints its warnings.
    fn step(&mut self, frame_time: f32) {
        VmHost { runtime: &mut self.runtime, environment: &mut self.environment }.step(&mut self.machine, frame_time);
        for warning in self.runtime.take_warnings() {
            tell(format_args!("skelobj: {warning}\n"));
        }
    }

    fn set_float(&mut self, place: Option<Global>, value: f32) {
        if let Some(place) = place {
            self.machine.set_global_float(place, value);
        }
    }
}

/// Returns a file below the folder, or a built-in file of the mannequin.
fn read(folder: &Folder, name: &str) -> Option<Vec<u8>> {
    folder.read(name).or_else(|| match name {
        "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
        "mannequin_getup.iqm" => Some(assets::MANNEQUIN_GETUP_IQM.to_vec()),
        "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
        _ => None,
    })
}
