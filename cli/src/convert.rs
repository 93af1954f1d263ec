//! `skelobj convert`: conversion of a model to IQM or binary glTF.

use std::path::{Path, PathBuf};

use clap::Args;
use skelobj::{Format, Model};

use crate::error::CliError;
use crate::{files, input, out};

/// Convert a model to IQM or binary glTF
///
/// Files beside IN with its animations or textures are also read. The command lists everything that OUT cannot hold.
#[derive(Args)]
pub struct ConvertArgs {
    /// Model file of any supported format
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Output file; the extension selects the format: .iqm or .glb
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// File with further animations, or with the skeleton or the surfaces that IN lacks; may be repeated
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Write OUT even if it exists
    #[arg(long)]
    force: bool,
}

/// Converts the model; writes nothing unless the converted file can be read again.
pub fn run(args: &ConvertArgs) -> Result<(), CliError> {
    let path = &args.output;
    let extension = path.extension().unwrap_or_default();
    let format = extension.to_str().and_then(Format::from_extension).filter(|format| format.is_writable());
    let format = format.ok_or_else(|| CliError::Format(path.clone()))?;
    let loaded = input::model(Some(&args.input), &args.with)?;
    let model = &loaded.model;
    let bytes = format.write(model).map_err(|error| CliError::Convert(path.clone(), error))?;
    // The summary describes the written file, not the input.
    let written = Model::load("", &bytes, |_| None).map_err(|error| CliError::Again(path.clone(), error))?;
    let inputs: Vec<&Path> = [&args.input].into_iter().chain(&args.with).map(PathBuf::as_path).collect();
    files::write(path, &bytes, &inputs, args.force)?;
    let lost = format.losses(model);
    if !lost.is_empty() {
        let extension = format.extension();
        out::tell_line(format_args!("{}: warning: .{extension} cannot hold {}", loaded.name, lost.join(", ")));
    }
    let [bones, animations, meshes] = [written.skeleton.len(), written.animations.len(), written.meshes.len()];
    let (path, bytes) = (path.display(), bytes.len());
    out::print_line(format_args!("{path}: {bones} bones, {animations} animations, {meshes} meshes, {bytes} bytes"))
}
