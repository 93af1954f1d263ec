//! `skelobj convert`: a model of any format as IQM or binary glTF.

use std::path::{Path, PathBuf};

use clap::Args;
use skelobj::{Format, Model};

use crate::error::CliError;
use crate::{files, input, out};

/// Write a model as IQM or binary glTF
#[derive(Args)]
pub struct ConvertArgs {
    /// The model, of any format that is read
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where to write it; its extension says how: .iqm or .glb
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// A file whose animations, skeleton or surfaces are added; may be given several times
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Write OUT also where it is one of the files read, or a symbolic link
    #[arg(long)]
    force: bool,
}

pub fn run(args: &ConvertArgs) -> Result<(), CliError> {
    let path = &args.output;
    let extension = path.extension().unwrap_or_default();
    let format = extension.to_str().and_then(Format::from_extension).filter(|format| format.is_writable());
    let format = format.ok_or_else(|| CliError::Format(path.clone()))?;
    let loaded = input::model(Some(&args.input), &args.with)?;
    let model = &loaded.model;
    let bytes = format.write(model).map_err(|error| CliError::Convert(path.clone(), error))?;
    // What was written, not what was meant to be.
    let written = Model::load("", &bytes, |_| None).map_err(|error| CliError::Again(path.clone(), error))?;
    let inputs: Vec<&Path> = [&args.input].into_iter().chain(&args.with).map(PathBuf::as_path).collect();
    files::write(path, &bytes, &inputs, args.force)?;
    let lost = format.losses(model);
    if !lost.is_empty() {
        out::tell(format_args!("{}: not kept: {}\n", loaded.name, lost.join(", ")));
    }
    let [bones, animations, meshes] = [written.skeleton.len(), written.animations.len(), written.meshes.len()];
    let (path, bytes) = (path.display(), bytes.len());
    out::print(format_args!("{path}: {bones} bones, {animations} animations, {meshes} meshes, {bytes} bytes\n"))
}
