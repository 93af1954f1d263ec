//! `skelobj info`: contents of a model.

pub mod json;
mod map;
mod pose;
mod text;

use std::path::{Path, PathBuf};

use clap::Args;
use skelobj::Model;
use skelobj::model::AnimationSource;

use crate::error::CliError;
use crate::input::LoadedModel;
use crate::out::tell_line;
use crate::{input, level, out};

/// Show the bones, animations, tags and meshes of a model, or the contents of a map
///
/// MODEL may also be a BSP file: its brush models, entities and liquids are listed.
/// In JSON a matrix is 12 numbers, row-major 3x4; with --time it is three rows of four numbers.
#[derive(Args)]
pub struct InfoArgs {
    /// Model file [default: the built-in mannequin]
    model: Option<PathBuf>,
    #[command(flatten)]
    with: input::WithArg,
    #[command(flatten)]
    scale: input::ScaleArg,
    /// Frames to print with --json, separated by commas, from 0 [default: the first, the middle and the last]
    #[arg(long, value_name = "N,..", value_delimiter = ',', requires = "json", value_parser = input::whole::<usize>)]
    frames: Option<Vec<usize>>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print with --json the bones and the skin at these seconds of an animation, separated by commas
    #[arg(long, value_name = "T,..", value_delimiter = ',', requires = "json", allow_hyphen_values = true, value_parser = seconds)]
    time: Vec<f32>,
    /// Animation for --time, by name or by number from 0 [default: the first]
    #[arg(long, alias = "animation", value_name = "ANIM", allow_negative_numbers = true, requires = "time")]
    anim: Option<String>,
}

/// Parses a time in seconds, which may be negative.
fn seconds(argument: &str) -> Result<f32, String> {
    let time = argument.trim().parse().ok().filter(|time: &f32| time.is_finite());
    time.ok_or_else(|| "expected seconds such as 0.5".to_owned())
}

/// Prints the description of the model.
pub fn run(args: InfoArgs) -> Result<(), CliError> {
    if let Some(path) = args.model.as_deref().filter(|path| level::is_map(path)) {
        let options = [("--with", !args.with.files.is_empty()), ("--frames", args.frames.is_some())];
        let options = options.into_iter().chain([("--scale", args.scale.scale.is_some())]);
        if let Some((option, _)) = options.chain([("--time", !args.time.is_empty())]).find(|given| given.1) {
            return Err(CliError::OptionOfModels(path.to_owned(), option));
        }
        let (level, _) = level::load(path)?;
        return if args.json { out::print_json(&map::json(&level)) } else { out::print(map::describe(path, &level)) };
    }
    let loaded = input::model(args.model.as_deref(), &args.with.files, args.scale)?;
    let model = &loaded.model;
    let path = loaded.path.as_deref().filter(|_| args.with.files.is_empty());
    if path.and_then(Path::extension).is_some_and(|extension| extension.eq_ignore_ascii_case("iqm")) {
        warn_of_fte(&loaded);
    }
    let baked;
    let framed = if can_be_baked(model) {
        baked = model.baked();
        &baked
    } else {
        model
    };
    let count = framed.frame_count();
    let frames = args.frames.unwrap_or_else(|| some_frames(count));
    if let Some(&frame) = frames.iter().find(|&&frame| frame >= count) {
        return Err(CliError::NoFrame(frame, count));
    }
    if args.json {
        let mut info = json::model(framed, &frames);
        if !args.time.is_empty() {
            let animation = args.anim.as_deref().map_or(Ok(0), |name| input::animation(name, model))?;
            info["poses"] = args.time.iter().map(|&time| pose::at(model, animation, time)).collect();
        }
        out::print_json(&info)
    } else {
        out::print(text::describe(&loaded, count))
    }
}

/// Tells what an IQM lacks that FTE needs of one with vertices.
fn warn_of_fte(loaded: &LoadedModel) {
    let (model, meshes) = (&loaded.model, &loaded.model.meshes);
    let vertices = || meshes.iter().filter(|mesh| !mesh.positions.is_empty());
    let lacks_texcoords = vertices().any(|mesh| mesh.texcoords.is_empty());
    let lacks_weights = !model.skeleton.is_empty() && vertices().any(|mesh| mesh.influences.is_empty());
    for (lacks, what) in [(lacks_texcoords, "texture coordinates"), (lacks_weights, "bone weights")] {
        if lacks {
            tell_line(format_args!("{}: warning: FTE does not load an IQM without {what}", loaded.name));
        }
    }
}

/// Returns `true` if the model has evaluated animations whose frames take little memory.
fn can_be_baked(model: &Model) -> bool {
    const MOST: usize = 1 << 22;
    let poses = |source: &AnimationSource| match source {
        AnimationSource::Evaluated { count, .. } => Some(*count as usize),
        _ => None,
    };
    let poses: Vec<usize> = model.animations.iter().filter_map(|animation| poses(&animation.source)).collect();
    let matrices = poses.iter().fold(0, |sum: usize, poses| sum.saturating_add(*poses));
    !poses.is_empty() && matrices.saturating_mul(model.skeleton.len()) <= MOST
}

fn some_frames(count: usize) -> Vec<usize> {
    let mut frames = vec![0, count / 2, count.saturating_sub(1)];
    frames.dedup();
    frames.retain(|&frame| frame < count);
    frames
}
