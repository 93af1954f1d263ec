//! Why a command could not do its work.

use std::fmt;
use std::io;
use std::path::PathBuf;

use skelobj::Format;
use skelobj::model::ModelError;
use skelobj::physics::LevelError;
use skelobj::qc::vm::{ProgsError, RunError};
use skelobj::ragdoll::DropError;
use skelobj::write::WriteError;

/// What goes to standard error, after `skelobj: `.
#[derive(Debug)]
pub enum CliError {
    /// A file cannot be read.
    Read(PathBuf, io::Error),
    /// A file cannot be written.
    Write(PathBuf, io::Error),
    /// A file is not written for this reason, which `--force` puts aside.
    Overwrite(PathBuf, &'static str),
    /// Standard output cannot be written.
    Output(io::Error),
    /// A file is no model that can be used.
    Model(PathBuf, ModelError),
    /// A file name that names no format which models are written in.
    Format(PathBuf),
    /// A model that cannot be written to this file.
    Convert(PathBuf, WriteError),
    /// A model whose file could not be read again.
    Again(PathBuf, ModelError),
    /// A file's animations do not fit the model.
    With(PathBuf, String),
    /// No doll was named and none stands beside the model; where it was looked for.
    NoDoll(Vec<PathBuf>),
    /// The doll cannot be dropped on the model.
    Ragdoll(DropError),
    /// The floor cannot be where it was asked for.
    Floor(LevelError),
    /// The model has no such animation; the ones it has.
    NoAnimation(String, Vec<String>),
    /// The model has no such frame.
    NoFrame(usize, usize),
    /// A file is no progs that can be run.
    Progs(PathBuf, ProgsError),
    /// A script failed.
    Script(RunError),
    /// A picture that cannot be made.
    Picture(String),
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::Write(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            Self::Overwrite(path, reason) => {
                write!(f, "{} is not written: {reason} (--force writes it all the same)", path.display())
            }
            Self::Output(error) => write!(f, "cannot write the output: {error}"),
            Self::Model(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Format(path) => {
                let written = Format::all().filter(|format| format.is_writable());
                let known: Vec<String> = written.map(|format| format!(".{}", format.extension())).collect();
                write!(f, "{}: the name has to end in {}", path.display(), known.join(" or "))
            }
            Self::Convert(path, error) => {
                write!(f, "cannot write {}: {error}", path.display())?;
                match error {
                    WriteError::NoBindPose { .. } => write!(f, " (add the skeleton's file by --with)"),
                    _ => Ok(()),
                }
            }
            Self::Again(path, error) => {
                write!(f, "cannot write {}: it could not be read again: {error}", path.display())
            }
            Self::With(path, error) => write!(f, "{}: {error}", path.display()),
            Self::NoDoll(tried) => {
                write!(f, "no doll: name one with --doll (looked for")?;
                for (i, path) in tried.iter().enumerate() {
                    write!(f, "{} {}", if i == 0 { "" } else { " and" }, path.display())?;
                }
                write!(f, ")")
            }
            Self::Ragdoll(error) => write!(f, "the doll does not fit: {error}"),
            Self::Floor(error) => write!(f, "--floor: {error}"),
            Self::NoAnimation(name, known) if known.is_empty() => {
                write!(f, "no animation `{name}`: the model has none")
            }
            Self::NoAnimation(name, known) => write!(f, "no animation `{name}`; there are: {}", known.join(", ")),
            Self::NoFrame(frame, count) => write!(f, "no frame {frame}: the model has {count}"),
            Self::Progs(path, error) => write!(f, "{}: {error}", path.display()),
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
