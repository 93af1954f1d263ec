//! Falls of ragdolls, as `sim` and `draw` make them.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use skelobj::DropTest;
use skelobj::Model;
use skelobj::math::Vec3;
use skelobj::physics::Level;
use skelobj::ragdoll::{DropFrame, DropReport};

use crate::error::CliError;
use crate::files::Contents;
use crate::input::DollText;
use crate::{input, level};

/// Options of a fall.
#[derive(Args)]
pub struct FallArgs {
    /// Doll file [default: ogre.iqm.doll or ogre.doll beside ogre.iqm]
    #[arg(long, value_name = "DOLL")]
    pub doll: Option<PathBuf>,
    /// Animation to play before the fall, by name or by number from 0 [default: a death animation, or else the first]
    #[arg(long, value_name = "ANIM", allow_negative_numbers = true)]
    from: Option<String>,
    #[command(flatten)]
    fade: input::FadeArg,
    /// Maximum duration of the fall in seconds, 0 to 600 [default: 10]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = input::seconds)]
    seconds: Option<f32>,
    /// Pitch, yaw and roll of the entity in degrees, each from -1e6 to 1e6
    #[arg(long, value_name = "P,Y,R", value_parser = input::angles, allow_hyphen_values = true)]
    orient: Option<[f32; 3]>,
    /// Velocity at release along the world's axes in units per second, each from -1e6 to 1e6, besides the animation's
    #[arg(long, value_name = "X,Y,Z", value_parser = input::velocity, allow_hyphen_values = true)]
    velocity: Option<[f32; 3]>,
    /// Spin at release about the world's axes in radians per second, each from -1e6 to 1e6
    #[arg(long, value_name = "X,Y,Z", value_parser = input::spin, allow_hyphen_values = true)]
    spin: Option<[f32; 3]>,
    /// Release at a height of 90 units (more or less for larger or smaller dolls) with random orientation and spin; a
    /// number always gives the same fall
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = input::whole::<u64>)]
    seed: Option<u64>,
    /// Height of the surface of water above the floor [default: no water]
    #[arg(long, value_name = "Z", allow_hyphen_values = true, value_parser = input::height)]
    water: Option<f32>,
    /// Map to put the model in, a BSP file [default: a floor]
    #[arg(long, value_name = "MAP")]
    pub level: Option<PathBuf>,
    /// Position of the entity's origin in the map [default: where players start]
    #[arg(long, value_name = "X,Y,Z", requires = "level", value_parser = input::place, allow_hyphen_values = true)]
    at: Option<[f32; 3]>,
}

/// Position of the model, with the map around it.
#[derive(Default)]
pub struct Place {
    pub level: Option<Arc<Level>>,
    /// File of the map.
    pub file: Option<Contents>,
    pub at: Vec3,
}

/// Fall of a doll.
pub struct Fall {
    pub test: DropTest,
    /// Path of the doll.
    doll: PathBuf,
}

impl FallArgs {
    /// Returns `true` if an option only makes sense for a fall.
    pub fn asks_for_a_fall(&self) -> bool {
        let thrown = self.velocity.is_some() || self.spin.is_some();
        let turned = self.orient.is_some() || thrown || self.seed.is_some();
        let timed = self.fade.fade.is_some() || self.seconds.is_some();
        turned || timed || self.doll.is_some() || self.from.is_some() || self.water.is_some()
    }

    /// Reads the map, if the options name one, and returns the position in it.
    pub fn place(&self) -> Result<Place, CliError> {
        let Some(path) = &self.level else { return Ok(Place::default()) };
        let (level, file) = level::load(path)?;
        let at = level::place(path, &level, self.at)?;
        Ok(Place { level: Some(Arc::new(level)), file: Some(file), at })
    }

    /// Returns the fall of a doll on a model.
    pub fn fall(&self, model: Model, doll: &DollText, place: &Place) -> Result<Fall, CliError> {
        let parsed = doll.parse(&model);
        let mut test = DropTest::new(Arc::new(model), parsed);
        doll.tell_other_scale(&test.model);
        if let Some(seed) = self.seed {
            test = test.with_seed(seed);
        }
        if let Some(from) = &self.from {
            test.animation = Some(input::animation(from, &test.model)?);
        }
        if let Some(fade) = self.fade.fade {
            (test.play, test.fade) = (0.0, fade);
        }
        test.seconds = self.seconds.unwrap_or(test.seconds);
        test.orient = self.orient.map_or(test.orient, Vec3::from_array);
        test.velocity = self.velocity.map_or(test.velocity, Vec3::from_array);
        test.angular_velocity = self.spin.map_or(test.angular_velocity, Vec3::from_array);
        (test.water, test.at, test.level) = (self.water, place.at, place.level.clone());
        Ok(Fall { test, doll: doll.name.clone() })
    }

    /// Returns the files that the options name.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        [&self.doll, &self.level].into_iter().flatten().map(PathBuf::as_path)
    }
}

impl Fall {
    /// Runs the fall, calls `watch` with every step, and returns the measurements.
    pub fn run(&self, mut watch: impl FnMut(&DropFrame<'_>)) -> Result<DropReport, CliError> {
        let watch = |frame: &DropFrame<'_>| {
            watch(frame);
            ControlFlow::Continue(())
        };
        self.test.run_with(watch).map_err(|error| CliError::Drop(self.doll.clone(), error))
    }
}
