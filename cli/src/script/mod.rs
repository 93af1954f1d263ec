//! `skelobj script`: execution of QuakeC without an engine.

mod args;
mod data;
mod dump;
mod entry;
mod figure;
mod film;
mod frames;
mod game;
mod moments;
mod output;
mod spawn;
mod trace;
mod vars;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use args::ScriptArgs;
use data::Data;
use dump::Dump;
use entry::Entries;
use film::Film;
use frames::Frames;
use game::Game;
use skelobj::physics::Level;
use skelobj::qc::vm::{ProfiledFunction, Progs};
use trace::Trace;

use crate::error::CliError;
use crate::files;
use crate::folder::{Folder, Found, or_working};
use crate::out::tell_line;

/// Runs a script to the end of its last frame.
pub fn run(args: &ScriptArgs) -> Result<(), CliError> {
    let progs = load(&args.progs)?;
    let entries = Entries::new(&progs, args)?;
    let folder = match args.models.as_deref() {
        Some(folder) if !folder.is_dir() => return Err(CliError::NoFolder("--models", folder.to_owned())),
        Some(folder) => Folder::new(folder),
        None => files::folder_of(&args.progs),
    };
    if let Some(data) = args.data.as_deref().filter(|data| !data.is_dir()) {
        return Err(CliError::NoFolder("--data", data.to_owned()));
    }
    let mut game = Game::new(Arc::new(progs), folder);
    let trace = set_up(&mut game, args);
    let models = args.models.as_deref().or(args.progs.parent()).unwrap_or(Path::new(""));
    game.environment.set_script_files(Data::new(args.data.as_deref(), or_working(models), game.output.clone()));
    if let Some(floor) = args.floor {
        game.runtime.physics_mut().add_floor(floor).map_err(CliError::Floor)?;
    }
    let level = args.map.as_deref().map(|path| spawn::load(path, &mut game)).transpose()?;
    let inputs: Vec<PathBuf> = [Some(&args.progs), args.map.as_ref()].into_iter().flatten().cloned().collect();
    let mut watched = Watched::new(args, &inputs)?;
    if args.profile.is_some() {
        game.start_profile();
    }
    let frames = Frames { count: args.frames, time: args.dt };
    let outcome = frames::play(&mut game, &entries, level.as_ref(), &frames, |game, time| watched.add(game, time));
    game.close_files();
    if args.warn && outcome.is_ok() {
        game.warn_of_undeleted();
    }
    game.output.finish()?;
    if let Some(trace) = trace {
        trace.report_left_out();
    }
    game.report_counts(args.warn);
    // What happened before an error of the script shows its cause.
    let written = watched.finish(args, level.as_ref().map(|(_, level)| level), &inputs);
    let profiled = write_profile(&mut game, args, &inputs);
    outcome?;
    written?;
    profiled?;
    match game.missing_models {
        0 => Ok(()),
        count => Err(CliError::MissingModels(count)),
    }
}

/// Results that are written at the end.
struct Watched {
    dump: Option<Dump>,
    film: Option<Film>,
}

impl Watched {
    fn new(args: &ScriptArgs, inputs: &[PathBuf]) -> Result<Self, CliError> {
        for path in [&args.draw, &args.profile].into_iter().flatten() {
            let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
            files::refuse_existing(path, &inputs, args.force)?;
        }
        let dump = args.dump_bones.as_deref().map(|path| Dump::create(path, inputs, args.force)).transpose()?;
        Ok(Self { dump, film: args.draw.is_some().then(Film::new) })
    }

    fn add(&mut self, game: &mut Game, time: f32) -> Result<(), CliError> {
        if let Some(dump) = &mut self.dump {
            dump.add(time, &figure::all(game))?;
        }
        if let Some(film) = &mut self.film {
            film.add(time, figure::seen(game));
        }
        Ok(())
    }

    fn finish(self, args: &ScriptArgs, level: Option<&Level>, inputs: &[PathBuf]) -> Result<(), CliError> {
        self.dump.map(Dump::finish).transpose()?;
        let (Some(film), Some(path)) = (self.film, &args.draw) else { return Ok(()) };
        let stage = film::stage(args.floor, level);
        let (png, panels) = film.draw(&stage, args.panels as usize, args.columns, args.width)?;
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        files::write(path, &png, &inputs, args.force)?;
        tell_line(format_args!("{}: {panels} panels, {} bytes", path.display(), png.len()));
        Ok(())
    }
}

/// Number of functions of a profile that are printed.
const PROFILED: usize = 20;

/// Writes the profile of a script, and prints the functions with the most statements.
fn write_profile(game: &mut Game, args: &ScriptArgs, inputs: &[PathBuf]) -> Result<(), CliError> {
    let (Some(path), Some(profile)) = (&args.profile, game.machine.take_profile()) else { return Ok(()) };
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    files::write(path, profile.folded().as_bytes(), &inputs, args.force)?;
    tell_line(format_args!("{:>12} {:>12} {:>9}  function", "statements", "with calls", "calls"));
    for function in profile.functions().iter().take(PROFILED) {
        let ProfiledFunction { name, calls, own, total, .. } = function;
        tell_line(format_args!("{own:>12} {total:>12} {calls:>9}  {name}"));
    }
    Ok(())
}

/// Applies the options of the environment. Returns the trace, if there is one.
fn set_up(game: &mut Game, args: &ScriptArgs) -> Option<Trace> {
    let environment = &mut game.environment;
    environment.dialect = args.dialect.into();
    environment.set_warn(args.warn);
    environment.strict = args.strict;
    for (name, value) in &args.set {
        environment.cvars.set(name.as_bytes(), value.as_bytes());
    }
    args.trace.as_deref().map(|names| Trace::start(game, names))
}

/// Reads a progs, and its line numbers if they lie beside it.
fn load(path: &Path) -> Result<Progs, CliError> {
    let bytes = files::read_named(path)?;
    let mut progs = Progs::load(&bytes).map_err(|error| CliError::Progs(path.to_owned(), error))?;
    if let Some(beside) = files::first_found([Found::beside(&path.with_extension("lno"))])
        && let Ok(lines) = beside.read()
        && let Err(error) = progs.load_lines(&lines)
    {
        tell_line(format_args!("{}: warning: {error}", beside.path().display()));
    }
    Ok(progs)
}
