//! `skelobj convert`: conversion of a model to IQM or binary glTF.

use std::path::{Path, PathBuf};

use clap::Args;
use skelobj::{Format, Limits, Model};

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
    #[arg(value_name = "OUT", required_unless_present = "named_output")]
    output: Option<PathBuf>,
    /// Output file, another way to name OUT
    #[arg(short = 'o', long = "output", value_name = "OUT", conflicts_with = "output")]
    named_output: Option<PathBuf>,
    /// File with further animations, or with the skeleton or the surfaces that IN lacks; may be repeated
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    #[command(flatten)]
    scale: input::ScaleArg,
    /// Give animations whose bones turn by more than 60 degrees between two frames at least HZ frames per second
    ///
    /// New frames turn bones the shortest way. Frames and durations of the model stay as they are.
    #[arg(long, value_name = "HZ", value_parser = rate)]
    resample: Option<f32>,
    /// Write OUT even if it exists
    #[arg(long)]
    force: bool,
}

/// Parses a number of frames per second.
fn rate(argument: &str) -> Result<f32, String> {
    let rate = argument.trim().parse().ok().filter(|rate: &f32| *rate > 0.0 && *rate <= 1e3);
    rate.ok_or_else(|| "expected frames per second, above 0 and at most 1000, such as 30".to_owned())
}

/// Converts the model; writes nothing unless the converted file can be read again.
pub fn run(args: &ConvertArgs) -> Result<(), CliError> {
    let output = args.output.as_ref().or(args.named_output.as_ref());
    let path = output.ok_or_else(|| CliError::Format(PathBuf::new()))?;
    let extension = path.extension().unwrap_or_default();
    let format = extension.to_str().and_then(Format::from_extension).filter(|format| format.is_writable());
    let format = format.ok_or_else(|| CliError::Format(path.clone()))?;
    let loaded = input::model(Some(&args.input), &args.with, args.scale)?;
    let resampled = args.resample.map(|rate| loaded.model.baked().resampled(rate, &Limits::default())).transpose();
    let resampled = resampled.map_err(|error| CliError::Resample(loaded.name.clone(), error))?;
    let model = resampled.as_ref().unwrap_or(&loaded.model);
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
    let bones = out::count(written.skeleton.len(), "bone");
    let animations = out::count(written.animations.len(), "animation");
    let meshes = out::count(written.meshes.len(), "mesh");
    let (path, bytes) = (path.display(), bytes.len());
    out::print_line(format_args!("{path}: {bones}, {animations}, {meshes}, {bytes} bytes"))
}
