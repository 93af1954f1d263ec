//! `skelobj fmt`: tidy text of dolls.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use skelobj::doll::{self, Doll};

use crate::error::CliError;
use crate::{files, out};

/// Tidy the text of dolls in place
///
/// Lines of attributes are indented, blanks and empty lines are made even, and comments after words are aligned.
/// Words and comments stay as they are, so the doll stays the same.
#[derive(Args)]
pub struct FmtArgs {
    /// Doll files; - reads standard input and writes standard output
    #[arg(required = true, value_name = "DOLL")]
    dolls: Vec<PathBuf>,
    /// Change nothing; print the names of files that are not tidy, with exit code 1
    #[arg(long)]
    check: bool,
}

/// Formats the files. The exit code is 1 if a file cannot be formatted, or is not tidy under `--check`.
pub fn run(args: &FmtArgs) -> Result<ExitCode, CliError> {
    let mut good = true;
    for path in &args.dolls {
        match format(path, args.check) {
            Ok(tidy) => good &= tidy,
            // The other files are formatted all the same.
            Err(error @ CliError::Output(_)) => return Err(error),
            Err(error) => {
                out::tell_error(&error);
                good = false;
            }
        }
    }
    Ok(ExitCode::from(u8::from(!good)))
}

/// Formats a file. Returns `false` if it is not tidy and may not be changed.
fn format(path: &Path, check: bool) -> Result<bool, CliError> {
    let text = files::read_doll(path)?;
    refuse(path, &text)?;
    let tidy = doll::format(&text);
    if check {
        if tidy != text {
            out::print_line(format_args!("{}", path.display()))?;
        }
        return Ok(tidy == text);
    }
    if files::is_stdin(path) {
        out::write(&tidy)?;
    } else if tidy != text {
        files::write(path, &tidy, &[], true)?;
    }
    Ok(true)
}

/// Refuses files of other kinds, which would be damaged.
fn refuse(path: &Path, text: &[u8]) -> Result<(), CliError> {
    let parsed = Doll::parse(text);
    let foreign = parsed.problems.iter().any(|p| ["unknown-directive", "comment-mark"].contains(&p.code()));
    if parsed.doll.bodies.is_empty() && foreign {
        let reason = "it is not a doll: it has no body, but other words than dolls have".to_owned();
        return Err(CliError::NotADoll(path.to_owned(), reason));
    }
    Ok(())
}
