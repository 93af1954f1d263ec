//! `skelobj fit`: a doll for a model.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use skelobj::doll::{Doll, FitOptions, decode};
use skelobj::ragdoll::{CheckedFit, DollCheck};

use crate::error::CliError;
use crate::progress::Progress;
use crate::{files, input, out};

/// Write a ragdoll for a model
///
/// The doll is complete and commented: each line tells where its number comes from. Bodies surround the skin; joints
/// allow the motion in the model's animations, and what the names of its bones suggest. The doll is checked and dropped
/// as `skelobj check` does it, and joints that drops throw past their stops get more room; what is left is reported.
#[derive(Args)]
pub struct FitArgs {
    /// Model file [default: the built-in mannequin]
    model: Option<PathBuf>,
    /// Doll file to write [default: print the doll]
    #[arg(short, long, value_name = "DOLL")]
    output: Option<PathBuf>,
    #[command(flatten)]
    with: input::WithArg,
    #[command(flatten)]
    scale: input::ScaleArg,
    /// Maximum number of bodies, 1 to 256; the smallest are left out
    #[arg(long, value_name = "N", default_value_t = 48, allow_negative_numbers = true,
        value_parser = input::whole_in(1..=256_u16))]
    max_bodies: u16,
    /// Number of drops with which each fitted doll is checked, 0 to 10000; 0 leaves it as it is
    #[arg(long, value_name = "N", default_value_t = DollCheck::default().drops,
        allow_negative_numbers = true,
        value_parser = input::whole_in(0..=DollCheck::MAX_DROPS))]
    drop: u64,
    /// Fit bodies along the bones of a model whose skin has fewer than four vertices
    #[arg(long)]
    without_skin: bool,
    /// Write DOLL even if it exists
    #[arg(long)]
    force: bool,
}

/// Fits a doll to the model, and writes or prints it.
pub fn run(args: &FitArgs) -> Result<(), CliError> {
    let inputs: Vec<&Path> = args.model.iter().chain(&args.with.files).map(PathBuf::as_path).collect();
    if let Some(path) = &args.output {
        files::refuse_existing(path, &inputs, args.force)?;
    }
    let loaded = input::model(args.model.as_deref(), &args.with.files, args.scale)?;
    let mut options = FitOptions::default();
    options.name = loaded.name.as_str().into();
    options.max_bodies = args.max_bodies.into();
    options.without_skin = args.without_skin;
    let mut check = DollCheck::default();
    check.drops = args.drop;
    let model = Arc::new(loaded.model);
    let progress = Progress::endless(format!("fitting {}", loaded.name));
    let checked = check.fit(&model, &options).map_err(|error| CliError::Fit(loaded.name.clone(), error))?;
    drop(progress);
    let CheckedFit { fit: fitted, report, .. } = checked;
    if let Some(note) = fitted.notes.iter().find(|note| note.contains("--scale")) {
        // In the doll, it is a sentence of its own.
        let mut note = note.clone();
        if let Some(first) = note.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        out::tell_line(format_args!("{}: note: {note}", loaded.name));
    }
    let name = args.output.as_ref().map_or_else(|| "doll".to_owned(), |path| path.display().to_string());
    for problem in &report.problems {
        out::tell(problem.clone().with_model_name(&loaded.name).report(&name, &decode(&fitted.text)));
    }
    let Some(path) = &args.output else {
        return out::write(&fitted.text);
    };
    files::write(path, &fitted.text, &inputs, args.force)?;
    if path.extension().is_none_or(|extension| extension != "doll") {
        out::tell_line(format_args!("{}: note: engines look for dolls whose names end in .doll", path.display()));
    }
    let doll = Doll::parse(&fitted.text).doll;
    let (bodies, joints) = (out::count(doll.bodies.len(), "body"), out::count(doll.joints.len(), "joint"));
    let drops = out::count(report.drops.len(), "drop");
    out::print_line(format_args!("{}: {bodies}, {joints}, {drops}", path.display()))
}
