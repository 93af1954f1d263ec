//! Errors of the command.

use std::fmt;
use std::io;
use std::path::PathBuf;

use skelobj::Format;
use skelobj::model::ModelError;
use skelobj::physics::LevelError;
use skelobj::qc::vm::{ProgsError, RunError};
use skelobj::ragdoll::DropError;
use skelobj::write::WriteError;

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
    /// Output file whose format cannot hold the model.
    Convert(PathBuf, WriteError),
    /// Output file whose contents could not be read again.
    Again(PathBuf, ModelError),
    /// File of `--with` that does not fit the model.
    With(PathBuf, String),
    /// Paths at which no doll was found, while none was named.
    NoDoll(Vec<PathBuf>),
    /// Doll that does not fit the model.
    Ragdoll(DropError),
    /// Floor at an unusable height.
    Floor(LevelError),
    /// Name or number of an unknown animation, and the names of the known ones.
    NoAnimation(String, Vec<String>),
    /// Number of an unknown frame, and the number of frames of the model.
    NoFrame(usize, usize),
    /// File that is not usable compiled QuakeC.
    Progs(PathBuf, ProgsError),
    /// Error of a script.
    Script(RunError),
    /// Picture that cannot be drawn, with the reason.
    Picture(String),
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => {
                write!(f, "cannot read {}: {error}", path.display())?;
                match path.to_str() {
                    Some("mannequin.iqm") => write!(f, "; leave MODEL out to use the built-in mannequin"),
                    _ => Ok(()),
                }
            }
            Self::Write(path, error) => write!(f, "cannot write {}: {error}", path.display()),
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
            Self::NoDoll(tried) => {
                write!(f, "no doll found: name one with --doll, or put it at")?;
                for (i, path) in tried.iter().enumerate() {
                    write!(f, "{} {}", if i == 0 { "" } else { " or" }, path.display())?;
                }
                Ok(())
            }
            Self::Ragdoll(error) => write!(f, "the doll does not fit the model: {error}"),
            Self::Floor(error) => write!(f, "--floor: {error}"),
            Self::NoAnimation(name, known) if known.is_empty() => {
                write!(f, "no animation `{name}`: the model has no animations (add some with `skelobj convert --with`)")
            }
            Self::NoAnimation(name, known) => {
                let most = known.len() - 1;
                write!(f, "no animation `{name}`: expected a number from 0 to {most} or one of {}", known.join(", "))
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
            Self::Script(error) => error.fmt(f),
            Self::Picture(why) => write!(f, "cannot draw: {why}"),
        }
    }
}

impl From<DropError> for CliError {
    fn from(error: DropError) -> Self {
        Self::Ragdoll(error)
    }
}
