//! `skelobj check`: problems of dolls, for people and for continuous integration.

mod github;
mod json;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use skelobj::Model;
use skelobj::doll::{Severity, decode, lint};
use skelobj::ragdoll::{CheckReport, DollCheck};

use crate::error::CliError;
use crate::files::Origin;
use crate::progress::Progress;
use crate::{files, input, out};

/// Check dolls, and test-drop them
///
/// Without --model, the model beside each doll is used: ogre.iqm for ogre.iqm.doll or ogre.doll. A doll without
/// errors is dropped in random orientations and compared with the limits. The last line, on standard error, says what
/// was done. The exit code is 1 if there are errors, or if a file cannot be read; warnings count with --deny-warnings.
/// Wrong arguments make the exit code 2.
///
/// A doll is UTF-8, UTF-16 with a byte order mark, or Latin-1. Columns count bytes of UTF-8.
#[derive(Args)]
pub struct CheckArgs {
    /// Doll files; - reads standard input
    #[arg(required = true, value_name = "DOLL")]
    dolls: Vec<PathBuf>,
    /// Model of the dolls [default: the model beside each doll]
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    #[command(flatten)]
    with: input::WithArg,
    #[command(flatten)]
    scale: input::ScaleArg,
    /// Number of drops, 0 to 10000 [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
        value_parser = input::whole_in(0..=DollCheck::MAX_DROPS))]
    drop: Option<u64>,
    /// Maximum gap of a joint at rest in Quake units, 0 to 1e6, for a doll of 64 units; in proportion to its size
    /// in steps of two; eight times as much is allowed while falling [default: 0.5]
    #[arg(long, value_name = "U", allow_hyphen_values = true, value_parser = input::distance)]
    max_gap: Option<f32>,
    /// Maximum time to come to rest in seconds, 0 to 600 [default: 8]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = input::seconds)]
    max_sleep: Option<f32>,
    /// Exit with code 1 if there are warnings
    #[arg(long)]
    deny_warnings: bool,
    /// Print problems alone, not what was done
    #[arg(long, short)]
    quiet: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print annotations for GitHub Actions
    #[arg(long, conflicts_with = "json")]
    github: bool,
}

/// Doll and what was found in it.
struct Checked {
    path: String,
    /// Path of the model, if there is one.
    model: Option<String>,
    text: Vec<u8>,
    report: CheckReport,
}

impl Checked {
    fn count(&self, severity: Severity) -> usize {
        self.report.problems.iter().filter(|p| p.severity() == severity).count()
    }
}

/// Exit code for wrong arguments, as of the parser of the arguments.
const WRONG_ARGUMENTS: u8 = 2;

/// Checks the dolls and prints their problems. The exit code is 1 if there are errors, or warnings that are denied.
pub fn run(args: &CheckArgs) -> Result<ExitCode, CliError> {
    let begun = Instant::now();
    let mut models = Models { args, loaded: HashMap::new() };
    let (mut checked, mut failed) = (Vec::new(), Vec::new());
    let mut code = 0;
    for path in &args.dolls {
        match check(path, args, &mut models) {
            Ok(doll) => {
                if !args.json {
                    print(&doll, args.github)?;
                }
                let denied =
                    doll.report.problems.iter().filter(|p| p.severity() == Severity::Error || args.deny_warnings);
                code = code.max(u8::from(denied.count() > 0));
                checked.push(doll);
            }
            // The other dolls are checked all the same.
            Err(error @ CliError::Output(_)) => return Err(error),
            Err(error) => {
                code = code.max(if matches!(error, CliError::NoModel(_)) { WRONG_ARGUMENTS } else { 1 });
                let (path, why) = (path.display().to_string(), error.to_string());
                out::tell_line(format_args!("skelobj: {why}"));
                if args.github {
                    out::print(github::unchecked(&path, &why))?;
                }
                failed.push((path, why));
            }
        }
    }
    if args.json {
        out::print_json(&json::of(&checked, &failed))?;
    }
    if !args.quiet {
        out::tell_line(format_args!("{}, {:.1} s", summary(&checked, failed.len()), begun.elapsed().as_secs_f32()));
    }
    Ok(ExitCode::from(code))
}

/// Returns what was done and found: "5 dolls, 100 drops, no problems".
fn summary(checked: &[Checked], unchecked: usize) -> String {
    let sum = |severity| checked.iter().map(|doll| doll.count(severity)).sum::<usize>();
    let (errors, warnings) = (sum(Severity::Error), sum(Severity::Warning));
    let drops = checked.iter().map(|doll| doll.report.drops.len()).sum();
    let mut parts = vec![out::count(checked.len(), "doll"), out::count(drops, "drop")];
    parts.extend(
        [(errors, "error"), (warnings, "warning")].into_iter().filter(|(n, _)| *n > 0).map(|(n, w)| out::count(n, w)),
    );
    if errors + warnings == 0 {
        parts.push("no problems".to_owned());
    }
    if unchecked > 0 {
        parts.push(out::count(unchecked, "file") + " not checked");
    }
    parts.join(", ")
}

fn check(path: &Path, args: &CheckArgs, models: &mut Models) -> Result<Checked, CliError> {
    let text = files::read_doll(path)?;
    let model = models.origin_for(path);
    let mut report = match &model {
        Some(model) => {
            let mut check = DollCheck::default();
            check.drops = args.drop.unwrap_or(check.drops);
            check.max_gap = args.max_gap.unwrap_or(check.max_gap);
            check.max_sleep = args.max_sleep.unwrap_or(check.max_sleep);
            let model = models.load(model)?;
            let progress = Progress::new(check.drops as usize, format!("dropping {}", path.display()));
            check.run_with(&text, &model, || progress.tick())
        }
        None if args.drop.is_some_and(|drops| drops > 0) => return Err(CliError::NoModel(path.to_owned())),
        None => {
            let named = [
                ("--with", !args.with.files.is_empty()),
                ("--max-gap", args.max_gap.is_some()),
                ("--max-sleep", args.max_sleep.is_some()),
            ];
            let idle: String = named
                .iter()
                .filter(|(_, is_named)| *is_named)
                .map(|(option, _)| format!(", {option} has no effect"))
                .collect();
            if !args.quiet {
                out::tell_line(format_args!(
                    "{}: no model beside it or with --model: only its text is checked{idle}",
                    path.display()
                ));
            }
            let mut report = CheckReport::default();
            report.problems = lint(&text, None);
            report
        }
    };
    if let Some(model) = &model {
        let name = files::name_of(&model.path());
        report.problems = report.problems.into_iter().map(|problem| problem.with_model_name(&name)).collect();
    }
    let model = model.map(|model| model.path().display().to_string());
    Ok(Checked { path: path.display().to_string(), model, text, report })
}

/// Models, each of which is read once.
struct Models<'a> {
    args: &'a CheckArgs,
    loaded: HashMap<PathBuf, Arc<Model>>,
}

impl Models<'_> {
    fn origin_for(&self, doll: &Path) -> Option<Origin> {
        match &self.args.model {
            Some(path) => Some(Origin::Named(path.clone())),
            None => input::model_beside(doll).map(Origin::Found),
        }
    }

    fn load(&mut self, origin: &Origin) -> Result<Arc<Model>, CliError> {
        let path = origin.path();
        if let Some(model) = self.loaded.get(&path) {
            return Ok(model.clone());
        }
        let model = Arc::new(input::model_of(Some(origin), &self.args.with.files, self.args.scale)?.model);
        self.loaded.insert(path, model.clone());
        Ok(model)
    }
}

fn print(doll: &Checked, github: bool) -> Result<(), CliError> {
    let text = decode(&doll.text);
    for problem in &doll.report.problems {
        match github {
            true => out::print(github::annotation(&doll.path, &text, problem))?,
            false => out::print_report(problem.report(&doll.path, &text))?,
        }
    }
    Ok(())
}
