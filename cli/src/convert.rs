//! `skelobj convert`: conversion of a model to IQM or binary glTF.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::Args;
use skelobj::model::Proportions;
use skelobj::{Format, Model};

use crate::error::CliError;
use crate::{draw, files, input, out};

/// Convert a model to IQM or binary glTF
///
/// Files beside IN with its animations are also read, and for a .glb file those with its textures, which it then holds.
/// The command lists everything that OUT cannot hold.
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
    ///
    /// For a Quake III player, IN is lower.md3; name upper.md3 and head.md3 with this option.
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    #[command(flatten)]
    scale: input::ScaleArg,
    /// Give each animation at least this many poses per second, for one whose bones shrink between far turns
    #[arg(long, value_name = "HZ", value_parser = rate)]
    resample: Option<f32>,
    /// Keep bones and animations alone, on bones with the lengths of this model's, matched by name
    #[arg(long, value_name = "MODEL")]
    proportions: Option<PathBuf>,
    /// Write OUT even if it exists
    #[arg(long)]
    force: bool,
}

/// Parses a number of poses per second.
fn rate(argument: &str) -> Result<f32, String> {
    let rate = input::within(argument, 1.0..=1e3);
    rate.ok_or_else(|| "expected a number of poses per second from 1 to 1000, such as 60".to_owned())
}

/// Converts the model; writes nothing unless the converted file can be read again.
pub fn run(args: &ConvertArgs) -> Result<(), CliError> {
    let output = args.output.as_ref().or(args.named_output.as_ref());
    let path = output.ok_or_else(|| CliError::Format(PathBuf::new()))?;
    let extension = path.extension().unwrap_or_default();
    let format = extension.to_str().and_then(Format::from_extension).filter(|format| format.is_writable());
    let format = format.ok_or_else(|| CliError::Format(path.clone()))?;
    let loaded = input::model(Some(&args.input), &args.with, args.scale)?;
    let mut model = Cow::Borrowed(&loaded.model);
    if let Some(path) = &args.proportions {
        let other = input::model(Some(path), &[], args.scale)?;
        let fitted = model.in_proportions_of(&other.model.skeleton, &Proportions::new(&model.skeleton));
        model = Cow::Owned(fitted.map_err(|error| CliError::Proportions(loaded.name.clone(), error))?);
    }
    if let Some(rate) = args.resample {
        let resampled = model.resampled(rate).map_err(|error| CliError::Resample(loaded.name.clone(), error))?;
        model = Cow::Owned(resampled);
    }
    if format.extension() == "glb" && !model.meshes.is_empty() {
        let looks = draw::looks(&model, loaded.path.as_deref());
        draw::embed(model.to_mut(), &looks)?;
    }
    let model = &*model;
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
