//! `skelobj replay`: comparison of recorded builtin calls with this implementation.

mod compare;
mod host;
mod player;

use std::path::PathBuf;
use std::process::ExitCode;

use skelobj::Dialect;

use crate::error::CliError;
use crate::input::DialectName;
use crate::{folder, out};

/// Replay recorded builtin calls and compare the results
///
/// A recording holds the builtin calls of an engine and their results, as in tests/golden. The exit code is 1 if a
/// result differs or a file cannot be read.
#[derive(clap::Args, Debug)]
pub struct ReplayArgs {
    /// Recordings, JSON files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Folder of models and dolls; may be repeated [default: models and dolls beside each file]
    #[arg(long, value_name = "DIR")]
    models: Vec<PathBuf>,
    /// Engine whose rules apply [default: the engine that a file names]
    #[arg(long, value_enum)]
    dialect: Option<DialectName>,
}

/// Replays the files and prints the differences. The exit code is 1 if a result differs or a file cannot be read.
pub fn run(args: &ReplayArgs) -> Result<ExitCode, CliError> {
    let dialect = args.dialect.map(Dialect::from);
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
                out::tell_line(format_args!("skelobj: {problem}"));
                if file.extension().is_some_and(|extension| extension == "run") {
                    let file = file.display();
                    out::tell_line(format_args!("  tip: `skelobj sim --replay {file}` repeats a recorded fall"));
                }
                failed += 1;
            }
        }
    }
    if left_out > 0 {
        out::print_line(format_args!(
            "{left_out} entries skipped: they depend on DarkPlaces behaviour that is not reproduced"
        ))?;
    }
    out::print_line(format_args!("{passed} passed, {failed} failed"))?;
    Ok(ExitCode::from(u8::from(failed > 0)))
}
