//! `skelobj fit`: a doll for a model.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use skelobj::doll::{Doll, FitOptions, fit};

use crate::error::CliError;
use crate::{files, input, out};

/// Write a ragdoll for a model
///
/// The doll is complete and commented: each line tells where its number comes from. Bodies surround the skin; joints
/// allow the motion in the model's animations, and what the names of its bones suggest.
#[derive(Args)]
pub struct FitArgs {
    /// Model file [default: the built-in mannequin]
    model: Option<PathBuf>,
    /// Doll file to write [default: print the doll]
    #[arg(short, long, value_name = "DOLL")]
    output: Option<PathBuf>,
    /// File with animations of the model, or with the skeleton or the surfaces that MODEL lacks; may be repeated
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Maximum number of bodies; the smallest are left out
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = clap::value_parser!(u16).range(1..=256))]
    max_bodies: u16,
    /// Write DOLL even if it exists
    #[arg(long)]
    force: bool,
}

/// Fits a doll to the model, and writes or prints it.
pub fn run(args: &FitArgs) -> Result<(), CliError> {
    let inputs: Vec<&Path> = args.model.iter().chain(&args.with).map(PathBuf::as_path).collect();
    if let Some(path) = &args.output {
        files::refuse_existing(path, &inputs, args.force)?;
    }
    let loaded = input::model(args.model.as_deref(), &args.with)?;
    let mut options = FitOptions::default();
    options.name = loaded.name.as_str().into();
    options.max_bodies = args.max_bodies.into();
    let fitted = fit(&loaded.model, &options).map_err(|error| CliError::Fit(loaded.name.clone(), error))?;
    let Some(path) = &args.output else {
        return std::io::stdout().write_all(&fitted.text).map_err(CliError::Output);
    };
    files::write(path, &fitted.text, &inputs, args.force)?;
    if path.extension().is_none_or(|extension| extension != "doll") {
        out::tell_line(format_args!("{}: note: engines look for dolls whose names end in .doll", path.display()));
    }
    let doll = Doll::parse(&fitted.text).doll;
    let (bodies, joints) = (out::count(doll.bodies.len(), "body"), out::count(doll.joints.len(), "joint"));
    out::print_line(format_args!("{}: {bodies}, {joints}", path.display()))
}
