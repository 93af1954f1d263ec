//! `skelobj info`: what is in a model.

mod json;
mod pose;
mod text;

use std::path::PathBuf;

use clap::Args;
use skelobj::Model;
use skelobj::model::AnimationSource;

use crate::error::CliError;
use crate::{input, out};

/// Show a model's bones, animations, tags and meshes
#[derive(Args)]
pub struct InfoArgs {
    /// The model; without it the built-in mannequin
    model: Option<PathBuf>,
    /// A file whose animations the model plays too, or that has the skeleton or surfaces it lacks; may be given several
    /// times
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Which baked frames to print with --json; without it the first, the middle and the last
    #[arg(long, value_name = "0,5,9", value_delimiter = ',', requires = "json")]
    frames: Option<Vec<usize>>,
    /// Print one JSON object: matrices are 12 numbers, row-major 3x4
    #[arg(long)]
    json: bool,
    /// Print with --json the bones and the skin at these seconds into an animation: matrices are three rows of four
    #[arg(long, value_name = "T,..", value_delimiter = ',', requires = "json", allow_hyphen_values = true, value_parser = seconds)]
    time: Vec<f32>,
    /// The animation that --time looks into, by name or number [default: the first]
    #[arg(long, value_name = "A", requires = "time")]
    animation: Option<String>,
}

fn seconds(argument: &str) -> Result<f32, String> {
    let time = argument.trim().parse().ok().filter(|time: &f32| time.is_finite());
    time.ok_or_else(|| "expected seconds such as 0.5".to_owned())
}

pub fn run(args: InfoArgs) -> Result<(), CliError> {
    let loaded = input::model(args.model.as_deref(), &args.with)?;
    let model = &loaded.model;
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
            let animation = args.animation.as_deref().map_or(Ok(0), |name| input::animation(name, model))?;
            info["poses"] = args.time.iter().map(|&time| pose::at(model, animation, time)).collect();
        }
        out::print_json(&info)
    } else {
        out::print(text::describe(&loaded, count))
    }
}

/// Whether there are evaluated animations, and frames of them do not take a lot of memory.
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
