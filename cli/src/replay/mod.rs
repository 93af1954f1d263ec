//! `skelobj replay`: recorded builtin calls against ours.

mod compare;
mod host;
mod player;

use std::path::PathBuf;
use std::process::ExitCode;

use skelobj::qc::Dialect;

use crate::error::CliError;
use crate::{folder, out};

/// Play recordings of builtin calls and compare what they do
#[derive(clap::Args, Debug)]
pub struct ReplayArgs {
    /// Recordings to play, JSON
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where models and dolls are [default: `models` and `dolls` beside each file]
    #[arg(long, value_name = "DIR")]
    models: Vec<PathBuf>,
    /// Whose rules the calls were recorded under [default: those of the engine that a file names]
    #[arg(long, value_enum)]
    dialect: Option<DialectName>,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum DialectName {
    Fte,
    Darkplaces,
}

/// Plays the files and shows what differs; the exit code is 1 if anything did or a file could not be read.
pub fn run(args: &ReplayArgs) -> Result<ExitCode, CliError> {
    let dialect = args.dialect.map(|dialect| match dialect {
        DialectName::Fte => Dialect::Fte,
        DialectName::Darkplaces => Dialect::DarkPlaces,
    });
    let (mut passed, mut failed, mut left_out) = (0, 0, 0);
    for file in &args.files {
        match player::play(file, &args.models, dialect) {
            Ok(score) => {
                passed += score.passed;
                left_out += score.left_out;
                failed += score.failures.len();
                for failure in &score.failures {
                    out::print(format_args!("{failure}\n"))?;
                }
            }
            Err(problem) => {
                out::print(format_args!("{problem}\n"))?;
                failed += 1;
            }
        }
    }
    if left_out > 0 {
        out::print(format_args!("{left_out} entries left out: they show what is not imitated of DarkPlaces\n"))?;
    }
    out::print(format_args!("{passed} passed, {failed} failed\n"))?;
    Ok(ExitCode::from(u8::from(failed > 0)))
}
