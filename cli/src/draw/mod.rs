//! `skelobj draw`: a film strip of the drop test.

mod camera;
mod glyph;
mod light;
mod panel;
mod raster;
mod scene;
mod solid;
mod strip;
mod surface;
mod timeline;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use skelobj::DropTest;

use crate::error::CliError;
use crate::{files, input, out};
use scene::Scene;
use timeline::{Moment, Timeline};

/// Play an animation for a moment, let the ragdoll go above a floor, and draw a film strip of its fall
///
/// Blue shapes follow the animation, orange ones are limp, green ones have come to rest; red lines are gaps in joints.
#[derive(Args)]
pub struct DrawArgs {
    /// The model; without it the built-in mannequin
    model: Option<PathBuf>,
    /// The doll; without it MODEL.doll, or the model's name with .doll as its extension
    #[arg(long)]
    doll: Option<PathBuf>,
    /// The animation to play first, by name or number; without it the first that looks like a death, else the first
    #[arg(long, value_name = "ANIM")]
    from: Option<String>,
    /// Let it go 90 units up in a random orientation and with a random spin, the same for the same number
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many panels at most; there are fewer where little moves
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=32))]
    panels: u32,
    /// Width of the picture in pixels; its height follows from what happens
    #[arg(long, value_name = "PX", default_value_t = 1600, value_parser = clap::value_parser!(u32).range(64..=3840))]
    width: u32,
    /// Leave the shapes of the bodies away
    #[arg(long)]
    no_bodies: bool,
    /// The PNG file to write
    #[arg(short, long, value_name = "PNG", default_value = "strip.png")]
    output: PathBuf,
    /// Write the PNG file also where it is one of the files read, or a symbolic link
    #[arg(long)]
    force: bool,
}

pub fn run(args: DrawArgs) -> Result<(), CliError> {
    let loaded = input::model(args.model.as_deref(), &[])?;
    let doll = input::doll(args.doll.as_deref(), &loaded)?;
    let mut test = DropTest::new(Arc::new(loaded.model), doll);
    if let Some(seed) = args.seed {
        test = test.seed(seed);
    }
    if let Some(from) = &args.from {
        test.animation = Some(input::animation(from, &test.model)?);
    }
    let scenes = scenes(&test, args.panels as usize, !args.no_bodies)?;
    let png = strip::draw(&scenes, args.width)?;
    let inputs: Vec<&Path> = [&args.model, &args.doll].into_iter().flatten().map(PathBuf::as_path).collect();
    files::write(&args.output, &png, &inputs, args.force)?;
    let (path, panels) = (args.output.display(), scenes.len());
    out::print(format_args!("{path}: {panels} panels, {} bytes\n", png.len()))
}

/// The moments that tell the story. The test runs twice, alike to the bit: once to find them, once to keep them.
fn scenes(test: &DropTest, panels: usize, bodies: bool) -> Result<Vec<Scene>, CliError> {
    let mut timeline = Timeline::default();
    test.run_with(|frame| timeline.watch(frame))?;
    let moments = timeline.moments(panels);
    let mut wanted = moments.iter().peekable();
    let mut scenes = Vec::with_capacity(moments.len());
    let mut step = 0;
    test.run_with(|frame| {
        if let Some(Moment { kind, .. }) = wanted.next_if(|moment| moment.step == step) {
            scenes.push(Scene::new(&test.model, frame, *kind, bodies));
        }
        step += 1;
    })?;
    Ok(scenes)
}
