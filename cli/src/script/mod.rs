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
mod network;
mod output;
mod session;
mod spawn;
mod stop;
mod summary;
mod trace;
mod vars;
mod watch;

use std::io;
use std::path::{Path, PathBuf};

pub use args::ScriptArgs;
use dump::Dump;
use film::Film;
use frames::Frames;
use session::Session;
use skelobj::physics::Level;
use skelobj::qc::vm::{Profile, ProfiledFunction};
use summary::Summary;
use watch::FilesRead;

use crate::draw::{self, Output as Picture};
use crate::error::CliError;
use crate::files;
use crate::out::tell_line;

/// Runs a script, with `--watch` again and again.
pub fn run(args: &ScriptArgs) -> Result<(), CliError> {
    match if args.watch { watch::repeat(args) } else { run_once(args, &FilesRead::default()) } {
        // The frames, and the repetitions, end when a reader such as `head` closes the pipe.
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Runs a script to the end of its last frame, and lists the files that it reads in `read`.
fn run_once(args: &ScriptArgs, read: &FilesRead) -> Result<(), CliError> {
    let mut session = Session::new(args, read)?;
    let inputs: Vec<PathBuf> = args.all_progs().chain(&args.map).cloned().collect();
    let mut watched = Watched::new(args, &inputs)?;
    let frames = Frames { count: args.frames, time: args.dt };
    let mut summary = args.summary.then(Summary::new);
    let outcome = frames::play(&mut session, &frames, &mut watched, summary.as_mut());
    session.games().for_each(|game| game.close_files());
    if args.warn && outcome.is_ok() {
        session.games().for_each(|game| game.warn_of_undeleted());
    }
    if let Err(error) = session.output.finish() {
        outcome?;
        return Err(error);
    }
    session.report_counts(args.warn);
    if let Some(summary) = summary {
        summary.print(&mut session);
    }
    // What happened before an error of the script shows its cause.
    let written = watched.finish(args, session.level.as_ref().map(|(_, level)| level), &inputs);
    let profiled = write_profile(&mut session, args, &inputs);
    outcome?;
    written?;
    profiled?;
    match session.games().map(|game| game.missing_models).sum() {
        0 => Ok(()),
        count => Err(CliError::MissingModels(count)),
    }
}

/// Refuses output files that are not to be replaced, and pictures of other kinds than a script's.
fn refuse_existing(args: &ScriptArgs) -> Result<(), CliError> {
    if let Some(path) = &args.draw
        && !matches!(Picture::of(path), Ok(Picture::Png | Picture::Gif))
    {
        return Err(CliError::Ending(path.clone(), ".png or .gif"));
    }
    let inputs: Vec<&Path> = args.all_progs().chain(&args.map).map(PathBuf::as_path).collect();
    let mut outputs = [&args.draw, &args.profile, &args.dump_bones].into_iter().flatten();
    outputs.try_for_each(|path| files::refuse_existing(path, &inputs, args.force))
}

/// Results that are written at the end.
pub struct Watched {
    dump: Option<Dump>,
    film: Option<Film>,
}

impl Watched {
    fn new(args: &ScriptArgs, inputs: &[PathBuf]) -> Result<Self, CliError> {
        refuse_existing(args)?;
        let dump = args.dump_bones.as_deref().map(|path| Dump::create(path, inputs, args.force)).transpose()?;
        Ok(Self { dump, film: args.draw.is_some().then(|| Film::new(!args.no_bodies)) })
    }

    /// Adds a frame, before its physics.
    pub fn add(&mut self, session: &mut Session, time: f32) -> Result<(), CliError> {
        if let Some(dump) = &mut self.dump {
            dump.add(time, &session.all_figures())?;
        }
        if let Some(film) = &mut self.film {
            film.add(time, session.seen());
        }
        Ok(())
    }

    fn finish(self, args: &ScriptArgs, level: Option<&Level>, inputs: &[PathBuf]) -> Result<(), CliError> {
        self.dump.map(Dump::finish).transpose()?;
        let (Some(film), Some(path)) = (self.film, &args.draw) else { return Ok(()) };
        let stage = film::stage(args.floor, level);
        let (bytes, content) = if Picture::of(path)? == Picture::Gif {
            let (gif, frames) = film.gif(&stage, args.width.unwrap_or(draw::GIF_WIDTH), args.focus)?;
            (gif, format!("{frames} frames"))
        } else {
            let width = args.width.unwrap_or(draw::WIDTH);
            let (png, panels) = film.strip(&stage, args.panels as usize, args.columns, width, args.focus)?;
            (png, format!("{panels} panels"))
        };
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        files::write(path, &bytes, &inputs, args.force)?;
        tell_line(format_args!("{}: {content}, {} bytes", path.display(), bytes.len()));
        Ok(())
    }
}

/// Number of functions of a profile that are printed.
const PROFILED: usize = 20;

/// Writes the profile of a script, and prints the functions with the most statements.
fn write_profile(session: &mut Session, args: &ScriptArgs, inputs: &[PathBuf]) -> Result<(), CliError> {
    let Some(path) = &args.profile else { return Ok(()) };
    let profiles: Vec<(&str, Profile)> =
        session.games().filter_map(|game| Some((game.label, game.machine.take_profile()?))).collect();
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    // The side is the outermost function of its stacks.
    let stack = |label: &str, line: &str| match label.strip_suffix(": ") {
        Some(side) => format!("{side};{line}\n"),
        None => format!("{line}\n"),
    };
    let folded = profiles
        .iter()
        .map(|(label, profile)| profile.folded().lines().map(|line| stack(label, line)).collect::<String>());
    files::write(path, folded.collect::<String>().as_bytes(), &inputs, args.force)?;
    tell_line(format_args!("{:>12} {:>12} {:>9}  function", "statements", "with calls", "calls"));
    for (label, profile) in &profiles {
        for function in profile.functions().iter().take(PROFILED) {
            let ProfiledFunction { name, calls, own, total, .. } = function;
            tell_line(format_args!("{own:>12} {total:>12} {calls:>9}  {label}{name}"));
        }
    }
    Ok(())
}
