//! `skelobj draw`: pictures of models and of their motion.

mod aim;
mod beside;
mod camera;
mod cut;
mod decode;
mod gif;
mod glb;
mod glyph;
mod ground;
mod layout;
mod light;
mod look;
mod motion;
mod panel;
mod parallel;
mod pierced;
mod raster;
mod scale;
mod scene;
mod shell;
mod shot;
mod skin;
mod solid;
mod strip;
mod surface;
mod texture;
mod timeline;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use skelobj::model::Animation;

use crate::error::CliError;
use crate::fall::{FallArgs, Place};
use crate::input::LoadedModel;
use crate::out::tell_line;
use crate::{files, input, level, out};
pub use gif::{RATE as GIF_RATE, draw as gif};
pub use glb::embed;
pub use look::{images, of as looks};
use motion::Motion;
pub use scene::{Scene, Stage};
use shot::Shot;
pub use shot::{Faults, Stamp};
pub use skin::Posed;
pub use strip::draw as strip;
pub use timeline::{Kind, between};

/// Width of a film strip and of a GIF file, pixels.
pub const WIDTH: u32 = 1600;
pub const GIF_WIDTH: u32 = 400;

/// Draw a model: the fall of its ragdoll, an animation, or views from all around
///
/// A model with a doll falls; one without plays its first animation, or is turned around if it has none. Blue shapes
/// of bodies follow the animation exactly, cyan ones approach it, yellow ones are pulled by it, orange ones are limp,
/// green ones are at rest, and black ones are out of the simulation. Red lines are gaps in joints, violet rings are
/// joints beyond a stop. Textures are those in the model, or PNG, JPEG, TGA and PCX files beside it. A GIF of a long
/// fall of a model with many triangles leaves out moments before the last. The exit code is 1 if the ragdoll leaves the
/// level.
#[derive(Args)]
pub struct DrawArgs {
    /// Model file [default: the built-in mannequin]
    model: Option<PathBuf>,
    #[command(flatten)]
    fall: FallArgs,
    /// Draw the fall of the ragdoll; a model without a doll is refused
    #[arg(long)]
    drop: bool,
    /// Draw an animation, by name or by number from 0, instead of a fall
    #[arg(long, value_name = "ANIM", allow_negative_numbers = true, conflicts_with_all = ["drop", "doll", "from", "seconds", "orient", "spin", "seed", "water", "velocity"])]
    anim: Option<String>,
    #[command(flatten)]
    with: input::WithArg,
    #[command(flatten)]
    scale: input::ScaleArg,
    /// Maximum number of panels, 1 to 32; there are fewer if little moves
    #[arg(long, value_name = "N", default_value_t = 8, allow_negative_numbers = true,
        value_parser = input::whole_in(1..=32_u32))]
    panels: u32,
    /// Width of a film strip or a GIF file in pixels, 64 to 3840; the height depends on the motion [default: 1600, or
    /// 400 for a GIF file]
    #[arg(long, value_name = "PX", allow_negative_numbers = true,
        value_parser = input::whole_in(64..=3840_u32))]
    width: Option<u32>,
    /// Least width of a panel in Quake units, 0 to 1e6: pictures of motions that fit into it have one scale [default:
    /// as wide as the motion]
    #[arg(long, value_name = "UNITS", default_value_t = 0.0, hide_default_value = true, allow_hyphen_values = true,
        value_parser = input::distance)]
    across: f32,
    /// Maximum number of panels in a row, 1 to 32 [default: all]
    #[arg(long, value_name = "N", default_value_t = 32, hide_default_value = true, allow_negative_numbers = true,
        value_parser = input::whole_in(1..=32_u32))]
    columns: u32,
    /// Draw the skin without the shapes of the bodies
    #[arg(long)]
    no_bodies: bool,
    /// File to write; the extension selects: a .png film strip, a looping .gif, or a .glb model with the motion
    #[arg(short, long, value_name = "FILE", default_value = "strip.png")]
    output: PathBuf,
    /// Write FILE even if it exists
    #[arg(long)]
    force: bool,
}

/// Draws what the arguments ask for. The exit code is 1 if the ragdoll left the level.
pub fn run(args: DrawArgs) -> Result<ExitCode, CliError> {
    let output = Output::of(&args.output)?;
    let models = args.model.iter().chain(&args.with.files).map(PathBuf::as_path);
    let inputs: Vec<&Path> = models.chain(args.fall.inputs()).collect();
    // A place that cannot be written is known before anything is rendered. Ctrl-C while rendering leaves no file.
    drop(files::NewFile::create(&args.output, &inputs, args.force)?);
    let loaded = input::model(args.model.as_deref(), &args.with.files, args.scale)?;
    let looks = look::of(&loaded.model, loaded.path.as_deref());
    let mut place = args.fall.place()?;
    place.file = None;
    let triangles = place.level.as_deref().map(level::triangles).unwrap_or_default();
    let has_map = place.level.is_some();
    let motion = motion(&args, loaded, &place)?;
    let has_floor = matches!(motion, Motion::Drop(_)) && !has_map;
    let stage = Stage { floor: has_floor.then_some(0.0), level: triangles, across: args.across };
    let model = motion.model();
    let scene = |shot: &Shot| Scene::of_shot(model, &looks, shot, !args.no_bodies);
    let mut left_level = false;
    let mut note_end = |shots: &[Shot]| left_level = shots.last().is_some_and(|last| last.kind == Kind::LeftLevel);
    let (bytes, content) = match (output, &motion) {
        (Output::Png, _) => {
            let shots = motion.moments(args.panels as usize)?;
            note_end(&shots);
            let (width, scene) = (args.width.unwrap_or(WIDTH), |number: usize| scene(&shots[number]));
            let bytes = strip::draw(shots.len(), scene, &stage, width, args.columns)?;
            (bytes, format!("{} panels", shots.len()))
        }
        (Output::Gif, _) => {
            let mut shots = motion.frames(gif::RATE)?;
            note_end(&shots);
            let ends = matches!(motion, Motion::Drop(_));
            let left_out = if ends { gif::shorten(&mut shots, model) } else { 0.0 };
            let width = args.width.unwrap_or(GIF_WIDTH);
            let bytes = gif::draw(shots.len(), |number| scene(&shots[number]), &stage, width, ends)?;
            let mut content = format!("{} frames", shots.len());
            if left_out > 0.0 {
                content.push_str(&format!(" ({left_out:.1} s before the last are left out)"));
            }
            (bytes, content)
        }
        (Output::Glb, Motion::Drop(_)) => {
            let shots = motion.frames(glb::RATE)?;
            note_end(&shots);
            (glb::fall(model, &shots, &looks, &stage, !args.no_bodies)?, format!("{} poses", shots.len()))
        }
        (Output::Glb, Motion::Animation(_, number, _)) => {
            let poses = model.animations.get(*number).map_or(0, Animation::pose_count);
            (glb::animation(model, Some(*number), &looks)?, format!("{poses} poses"))
        }
        (Output::Glb, Motion::Turn(_, Some(number), _)) => {
            (glb::animation(model, Some(*number), &looks)?, "an animation that stands still".to_owned())
        }
        (Output::Glb, Motion::Turn(..)) => (glb::animation(model, None, &looks)?, "no animation".to_owned()),
    };
    files::write(&args.output, &bytes, &inputs, args.force)?;
    out::print_line(format_args!("{}: {content}, {} bytes", args.output.display(), bytes.len()))?;
    if left_level {
        tell_line("warning: the ragdoll left the level");
    }
    Ok(ExitCode::from(u8::from(left_level)))
}

/// Returns the motion that the arguments ask for: the stated one, or else that of the doll beside the model.
fn motion(args: &DrawArgs, loaded: LoadedModel, place: &Place) -> Result<Motion, CliError> {
    if let Some(name) = &args.anim {
        let number = input::animation(name, &loaded.model)?;
        return Ok(Motion::of_animation(loaded.model, number, place.at));
    }
    match input::doll_text(args.fall.doll.as_deref(), &loaded) {
        Err(CliError::NoDoll(_)) if !args.drop && !args.fall.asks_for_a_fall() => {
            Ok(Motion::of_model(loaded.model, place.at))
        }
        doll => Ok(Motion::Drop(Box::new(args.fall.fall(loaded.model, &doll?, place)?))),
    }
}

/// Kind of a picture's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// Film strip.
    Png,
    /// Motion that loops.
    Gif,
    /// Model with its motion, for viewers.
    Glb,
}

impl Output {
    /// Returns the kind that the ending of a name tells.
    ///
    /// # Errors
    /// [`CliError::Ending`] for any other ending.
    pub fn of(path: &Path) -> Result<Self, CliError> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        match ending.as_str() {
            "png" => Ok(Self::Png),
            "gif" => Ok(Self::Gif),
            "glb" => Ok(Self::Glb),
            _ => Err(CliError::Ending(path.to_owned(), ".png, .gif or .glb")),
        }
    }
}
