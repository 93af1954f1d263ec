//! Errors of the command.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use skelobj::Format;
use skelobj::OutOfRange;
use skelobj::doll::FitError;
use skelobj::model::{AddAnimationsError, ModelError, PlayerError, PlayerPart, ResampleError};
use skelobj::physics::LevelError;
use skelobj::qc::vm::{Fault, ProgsError, RunError};
use skelobj::ragdoll::DropError;
use skelobj::write::WriteError;

use crate::files;
use crate::out::line;

/// Error of a subcommand, printed to standard error after `skelobj: `.
#[derive(Debug)]
pub enum CliError {
    /// File that cannot be read.
    Read(PathBuf, io::Error),
    /// File that cannot be written.
    Write(PathBuf, io::Error),
    /// File that is not written without `--force`, with the reason.
    Overwrite(PathBuf, &'static str),
    /// Standard output that cannot be written.
    Output(io::Error),
    /// File that is not a usable model.
    Model(PathBuf, ModelError),
    /// Output file whose extension is not that of a writable format.
    Format(PathBuf),
    /// Picture or page whose extension is not one of its kind, and the extensions that are.
    Ending(PathBuf, &'static str),
    /// Output file whose format cannot hold the model.
    Convert(PathBuf, WriteError),
    /// Output file whose contents could not be read again.
    Again(PathBuf, ModelError),
    /// File of `--with` that does not fit the model.
    With(PathBuf, String),
    /// Part of a Quake III player that is named with another, and the part that is missing.
    PlayerParts(PathBuf, PlayerPart),
    /// Quake III player that cannot be one model, by the path of a part.
    Player(PathBuf, PlayerError),
    /// Paths at which no doll was found, while none was named.
    NoDoll(Vec<PathBuf>),
    /// Doll that cannot be dropped, because no model was found for it.
    NoModel(PathBuf),
    /// Map where a model is expected.
    MapAsModel(PathBuf),
    /// File of no known model format.
    UnknownFormat(PathBuf),
    /// Map with an option that only models have, by its name.
    OptionOfModels(PathBuf, &'static str),
    /// File that is not a doll, with the reason.
    NotADoll(PathBuf, String),
    /// Model to which no doll can be fitted, by its name.
    Fit(String, FitError),
    /// Model that cannot have a size, by its name.
    Scale(String, OutOfRange),
    /// Model whose animations cannot have a rate, by its name.
    Resample(String, ResampleError),
    /// The animations cannot be fitted to the other model.
    Proportions(String, AddAnimationsError),
    /// Doll that cannot be dropped.
    Drop(PathBuf, DropError),
    /// Floor at an unusable height.
    Floor(LevelError),
    /// Name or number of an unknown animation, and the names of the known ones.
    NoAnimation(String, Vec<String>),
    /// Number of an unknown frame, and the number of frames of the model.
    NoFrame(usize, usize),
    /// File that is not usable compiled QuakeC.
    Progs(PathBuf, ProgsError),
    /// Progs of a menu.
    MenuProgs(PathBuf),
    /// Progs without any function that runs, and the names of those that would.
    NothingToRun(PathBuf, Vec<&'static str>),
    /// Progs of which nothing runs without frames, and a function that runs in them.
    OnlyFrames(PathBuf, &'static str),
    /// Option with the kind and the name of something that none of the progs has.
    NotInProgs(&'static str, Vec<PathBuf>, &'static str, String),
    /// Function of `--break` that has no code at the place named, with the reason.
    Breakpoint(String, String),
    /// Number of the entity of `--focus`, which is never seen.
    NeverSeen(u64),
    /// Folder of models that does not exist.
    NoFolder(&'static str, PathBuf),
    /// Map that cannot be used, with the reason.
    Map(PathBuf, String),
    /// Map without a place at which players start, while no place was named.
    NoPlace(PathBuf),
    /// Recording that cannot be replayed, with the reason.
    Recording(PathBuf, String),
    /// Error of a script.
    Script(RunError),
    /// Mistake in the messages between the code of a server and that of a client.
    Network(String),
    /// Number of models that a script could not load; each was reported.
    MissingModels(usize),
    /// Error of a script's machine outside of its functions.
    Fault(Fault),
    /// Picture that cannot be drawn, with the reason.
    Picture(String),
    /// Server of the page that cannot start, with the reason.
    Serve(String),
    /// Files of a page that are too large together.
    LargeScene {
        /// Name of the largest of them.
        largest: String,
        /// Size of all files, bytes.
        size: usize,
        /// Maximum size, bytes.
        most: usize,
    },
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => {
                write!(f, "cannot read {}: {error}", path.display())?;
                if path.to_str() == Some("mannequin.iqm") {
                    return write!(f, "; leave MODEL out to use the built-in mannequin");
                }
                let missing = Some(path.as_path()).filter(|_| error.kind() == io::ErrorKind::NotFound);
                match missing.and_then(files::nearest) {
                    Some(meant) => write!(f, "; did you mean {}?", meant.display()),
                    None => Ok(()),
                }
            }
            Self::Write(path, error) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
                match folder {
                    Some(folder) => {
                        write!(f, "cannot write {}: there is no folder {}", path.display(), folder.display())
                    }
                    None => write!(f, "cannot write {}: {error}", path.display()),
                }
            }
            Self::Overwrite(path, reason) => {
                write!(f, "{} is not written: {reason} (use --force to write it anyway)", path.display())
            }
            Self::Output(error) => write!(f, "cannot write the output: {error}"),
            Self::Model(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Format(path) => {
                let written = Format::all().filter(|format| format.is_writable());
                let known: Vec<String> = written.map(|format| format!(".{}", format.extension())).collect();
                write!(f, "cannot write {}: its name must end in {}", path.display(), known.join(" or "))
            }
            Self::Ending(path, endings) => {
                write!(f, "cannot write {}: its name must end in {endings}", path.display())
            }
            Self::Convert(path, error) => {
                write!(f, "cannot write {}: {error}", path.display())?;
                match error {
                    WriteError::NoBindPose { .. } => write!(f, " (name the file with the skeleton with --with)"),
                    _ => Ok(()),
                }
            }
            Self::Again(path, error) => {
                write!(f, "cannot write {}: the result would not be readable: {error}", path.display())
            }
            Self::With(path, error) => write!(f, "{}: {error}", path.display()),
            Self::PlayerParts(path, missing) => {
                write!(f, "{} is part of a Quake III player: name its {missing}.md3 with --with, too", path.display())
            }
            Self::Player(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Fit(name, error @ FitError::NoSkin { .. }) => {
                write!(f, "{name}: {error} (use --without-skin to fit it all the same)")
            }
            Self::Fit(name, error) => write!(f, "{name}: {error}"),
            Self::Scale(name, error) => write!(f, "{name}: --scale: {error}"),
            Self::Proportions(name, error) => write!(f, "{name}: --proportions: {error}"),
            Self::Resample(name, error) => write!(f, "{name}: --resample: {error}"),
            Self::NoDoll(tried) => {
                write!(f, "no doll found: name one with --doll, or put it at")?;
                for (i, path) in tried.iter().enumerate() {
                    write!(f, "{} {}", if i == 0 { "" } else { " or" }, path.display())?;
                }
                write!(f, "; `skelobj fit` writes one for a model")
            }
            Self::NoModel(path) => {
                write!(
                    f,
                    "{}: no model to drop it with: name one with --model, or put it beside the doll",
                    path.display()
                )
            }
            Self::MapAsModel(path) => {
                let path = path.display();
                write!(
                    f,
                    "{path} is a map, not a model: `skelobj info` describes it, and `--level` of `skelobj sim`, "
                )?;
                write!(f, "`draw` and `view` puts a model into it")
            }
            Self::UnknownFormat(path) => {
                let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
                let path = path.display();
                match extension.as_str() {
                    "doll" => write!(f, "{path} is a doll, not a model: `skelobj check {path}` tests it"),
                    "map" => write!(f, "{path} is the source of a map, not a model: compile it to a .bsp"),
                    "dat" => write!(f, "{path} is not a model: `skelobj script {path}` runs compiled QuakeC"),
                    "run" => write!(f, "{path} is not a model: `skelobj sim --replay {path}` repeats a recorded fall"),
                    _ => {
                        let known: Vec<&str> = Format::all().map(Format::name).collect();
                        write!(f, "{path}: the first bytes match no known model format; known are {}", known.join(", "))
                    }
                }
            }
            Self::OptionOfModels(path, option) => write!(f, "{} is a map: {option} is for models", path.display()),
            Self::NotADoll(path, why) => write!(f, "{}: {why}", path.display()),
            Self::Drop(path, error) => write!(f, "{} cannot be dropped: {error}", path.display()),
            Self::Floor(error) => write!(f, "--floor: {error}"),
            Self::NoAnimation(name, known) if known.is_empty() => {
                write!(f, "no animation `{name}`: the model has no animations (add some with `skelobj convert --with`)")
            }
            Self::NoAnimation(name, known) => {
                let most = known.len() - 1;
                let (shown, more) = known.split_at(known.len().min(MAX_NAMES));
                write!(f, "no animation `{name}`: expected a number from 0 to {most} or one of {}", shown.join(", "))?;
                match more.len() {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Self::NoFrame(frame, 0) => write!(f, "no frame {frame}: the model has no frames"),
            Self::NoFrame(frame, count) => write!(f, "no frame {frame}: expected 0 to {}", count - 1),
            Self::Progs(path, error) => {
                write!(f, "{}: {error}", path.display())?;
                match path.extension() {
                    Some(extension)
                        if extension.eq_ignore_ascii_case("qc") || extension.eq_ignore_ascii_case("src") =>
                    {
                        write!(f, " (compile it first, for example with fteqcc)")
                    }
                    _ => Ok(()),
                }
            }
            Self::MenuProgs(path) => {
                write!(f, "{}: the code of a menu, whose builtins have other numbers, is not supported", path.display())
            }
            Self::NothingToRun(path, names) => {
                write!(
                    f,
                    "{}: nothing to run: it has none of {}; name a function with --call",
                    path.display(),
                    names.join(", ")
                )
            }
            Self::OnlyFrames(path, name) => {
                write!(f, "{}: nothing to run: {name} runs in frames, add --frames", path.display())
            }
            Self::NotInProgs(option, paths, kind, name) => {
                let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
                match paths.as_slice() {
                    [path] => write!(f, "{option}: {path} has no {kind} `{name}`"),
                    paths => write!(f, "{option}: neither {} has a {kind} `{name}`", paths.join(" nor ")),
                }
            }
            Self::Breakpoint(function, why) => write!(f, "--break: `{function}` does not stop there: {why}"),
            Self::NeverSeen(entity) => write!(f, "--focus: entity {entity} has a model in no frame"),
            Self::NoFolder(option, path) => write!(f, "{option}: {} is not a folder", path.display()),
            Self::Map(path, why) => write!(f, "{}: {why}", path.display()),
            Self::NoPlace(path) => {
                write!(f, "{} has no place at which players start: name one with --at X,Y,Z", path.display())
            }
            Self::Recording(path, why) => write!(f, "{}: {why}", path.display()),
            Self::Script(error) => script(error, f),
            Self::Network(mistake) => f.write_str(mistake),
            Self::MissingModels(1) => f.write_str("1 model was not loaded"),
            Self::MissingModels(count) => write!(f, "{count} models were not loaded"),
            Self::Fault(fault) => fault.fmt(f),
            Self::Picture(why) => write!(f, "cannot draw: {why}"),
            Self::Serve(why) => write!(f, "cannot serve the page: {why}"),
            Self::LargeScene { largest, size, most } => {
                write!(f, "the files for the page, of which {largest} is the largest, have ")?;
                write!(f, "{} MB together: expected at most {}", size.div_ceil(1 << 20), most >> 20)
            }
        }
    }
}

impl CliError {
    /// Returns the exit code of the command: 3 if the time of a frame ended a script, else 1.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Script(error) if is_overtime(error) => ExitCode::from(3),
            _ => ExitCode::FAILURE,
        }
    }
}

/// Returns `true` if the time of a frame ended a script, also within functions that a builtin called.
fn is_overtime(error: &RunError) -> bool {
    match &error.fault {
        Fault::Overtime { .. } => true,
        Fault::Nested(inner) => is_overtime(inner),
        _ => false,
    }
}

/// Maximum number of names that are printed in an error.
const MAX_NAMES: usize = 64;

/// Number of callers that are printed at each end of a long call stack.
const CALLERS: usize = 8;

/// Writes an error of a script with its call stack.
fn script(error: &RunError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&line(&error.to_string()))?;
    let stack = error.call_stack();
    for (number, caller) in stack.iter().enumerate().skip(1) {
        let after = stack.len() - 1 - number;
        if number > CALLERS && after >= CALLERS {
            if number == CALLERS + 1 {
                write!(f, "\n  ... {} more", stack.len() - 1 - 2 * CALLERS)?;
            }
            continue;
        }
        write!(f, "\n  called from {}", line(&caller.to_string()))?;
    }
    Ok(())
}
