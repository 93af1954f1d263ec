//! `skelobj draw`: film strip of a drop test.

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

/// Drop a ragdoll on a floor and draw a film strip of its fall
///
/// Blue shapes follow the animation, orange ones are limp, green ones are at rest; red lines are gaps in joints.
#[derive(Args)]
pub struct DrawArgs {
    /// Model file [default: the built-in mannequin]
    model: Option<PathBuf>,
    /// Doll file [default: ogre.iqm.doll or ogre.doll beside ogre.iqm]
    #[arg(long, value_name = "DOLL")]
    doll: Option<PathBuf>,
    /// Animation to play first, by name or by number from 0 [default: a death animation, or else the first]
    #[arg(long, value_name = "ANIM")]
    from: Option<String>,
    /// Release at a height of 90 units with random orientation and spin; a number always gives the same fall
    #[arg(long, value_name = "N", value_parser = input::whole::<u64>)]
    seed: Option<u64>,
    /// Height of the surface of water above the floor [default: no water]
    #[arg(long, value_name = "Z", allow_hyphen_values = true, value_parser = input::height)]
    water: Option<f32>,
    /// Maximum number of panels, 1 to 32; there are fewer if little moves
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=32))]
    panels: u32,
    /// Width of the picture in pixels, 64 to 3840; the height depends on the motion
    #[arg(long, value_name = "PX", default_value_t = 1600, value_parser = clap::value_parser!(u32).range(64..=3840))]
    width: u32,
    /// Draw the skin without the shapes of the bodies
    #[arg(long)]
    no_bodies: bool,
    /// PNG file to write
    #[arg(short, long, value_name = "PNG", default_value = "strip.png")]
    output: PathBuf,
    /// Write the PNG file even if it is an input file or a symbolic link
    #[arg(long)]
    force: bool,
}

/// Runs the drop test and writes the film strip.
pub fn run(args: DrawArgs) -> Result<(), CliError> {
    let loaded = input::model(args.model.as_deref(), &[])?;
    let doll = input::doll(args.doll.as_deref(), &loaded)?;
    let mut test = DropTest::new(Arc::new(loaded.model), doll);
    if let Some(seed) = args.seed {
        test = test.seed(seed);
    }
    test.water = args.water;
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

/// Returns the scenes of the most telling moments. The deterministic test runs twice: once to find the moments, once to
/// keep the scenes.
fn scenes(test: &DropTest, panels: usize, bodies: bool) -> Result<Vec<Scene>, CliError> {
    let mut timeline = Timeline::default();
    test.run_with(|frame| timeline.watch(frame))?;
    let moments = timeline.moments(panels);
    let mut wanted = moments.iter().peekable();
    let mut scenes = Vec::with_capacity(moments.len());
    let mut step = 0;
    test.run_with(|frame| {
        if let Some(Moment { kind, .. }) = wanted.next_if(|moment| moment.step == step) {
            scenes.push(Scene::new(test, frame, *kind, bodies));
        }
        step += 1;
    })?;
    Ok(scenes)
}
