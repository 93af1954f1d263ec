//! `skelobj sim`: drop test of a ragdoll.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde_json::json;
use skelobj::DropTest;
use skelobj::math::Vec3;
use skelobj::ragdoll::DropReport;

use crate::error::CliError;
use crate::{input, out};

/// Drop a ragdoll on a floor and measure its fall
///
/// The model plays an animation for a moment, then its ragdoll falls. A good doll comes to rest within seconds, with
/// joint gaps well below a unit.
#[derive(Args)]
pub struct SimArgs {
    /// Model file [default: the built-in mannequin]
    model: Option<PathBuf>,
    /// Doll file [default: ogre.iqm.doll or ogre.doll beside ogre.iqm]
    #[arg(long, value_name = "DOLL")]
    doll: Option<PathBuf>,
    /// Animation to play first, by name or by number from 0 [default: a death animation, or else the first]
    #[arg(long, value_name = "ANIM")]
    from: Option<String>,
    /// Maximum duration of the fall in seconds
    #[arg(long, value_name = "S", default_value_t = 10.0, allow_hyphen_values = true, value_parser = input::seconds)]
    seconds: f32,
    /// Pitch, yaw and roll of the entity in degrees
    #[arg(long, value_name = "P,Y,R", value_parser = input::triple, allow_hyphen_values = true)]
    orient: Option<[f32; 3]>,
    /// Spin at release about the world's axes, in radians per second
    #[arg(long, value_name = "X,Y,Z", value_parser = input::triple, allow_hyphen_values = true)]
    spin: Option<[f32; 3]>,
    /// Release at a height of 90 units with random orientation and spin; a number always gives the same fall
    #[arg(long, value_name = "N", value_parser = input::whole::<u64>)]
    seed: Option<u64>,
    /// Height of the surface of water above the floor [default: no water]
    #[arg(long, value_name = "Z", allow_hyphen_values = true, value_parser = input::height)]
    water: Option<f32>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the drop test and prints its measurements.
pub fn run(args: SimArgs) -> Result<(), CliError> {
    let loaded = input::model(args.model.as_deref(), &[])?;
    let doll = input::doll(args.doll.as_deref(), &loaded)?;
    let name = loaded.name;
    let mut test = DropTest::new(Arc::new(loaded.model), doll);
    if let Some(seed) = args.seed {
        test = test.seed(seed);
    }
    test.water = args.water;
    if let Some(from) = &args.from {
        test.animation = Some(input::animation(from, &test.model)?);
    }
    test.orient = args.orient.map_or(test.orient, Vec3::from_array);
    test.angular_velocity = args.spin.map_or(test.angular_velocity, Vec3::from_array);
    test.seconds = args.seconds;
    let report = test.run()?;
    if args.json { out::print_json(&json(&report)) } else { out::print(describe(&name, &test, &report)) }
}

fn json(report: &DropReport) -> serde_json::Value {
    json!({
        "bodies": report.bodies,
        "joints": report.joints,
        "steps": report.steps,
        "dt": report.dt,
        "asleep_after": report.asleep_after,
        "max_gap_falling": report.max_gap_falling,
        "max_gap_resting": report.max_gap_resting,
        "max_stop_excess": report.max_stop_excess,
        "resting_stop_excess": report.resting_stop_excess,
        "rest_speed": report.rest_speed,
        "lowest_z": report.lowest_z,
        "non_finite": report.non_finite,
        "energy": report.energy,
    })
}

fn describe(name: &str, test: &DropTest, report: &DropReport) -> String {
    let animation = match test.animation.and_then(|number| test.model.animations.get(number)) {
        Some(animation) => format!("plays `{}` for {:.2} s", animation.name, test.play),
        None => "shows its bind pose".to_owned(),
    };
    let rest = match report.asleep_after {
        Some(seconds) => format!("asleep {seconds:.2} s after release"),
        None => format!("NOT asleep after {:.2} s", report.steps as f32 * report.dt),
    };
    let odd = match report.non_finite {
        0 => String::new(),
        count => format!("NON-FINITE: {count} numbers\n"),
    };
    format!(
        "{name}: {} bodies, {} joints; {animation}, then falls\n\
         {rest} ({} steps of 1/{:.0} s)\n\
         joint gaps      {:7.3} units falling, {:.3} at rest\n\
         past stops      {:7.3} radians at most\n\
         speed at rest   {:7.3} units/s\n\
         lowest point    {:7.3} units (the floor is at 0)\n{odd}",
        report.bodies,
        report.joints,
        report.steps,
        1.0 / report.dt,
        report.max_gap_falling,
        report.max_gap_resting,
        report.max_stop_excess,
        report.rest_speed,
        report.lowest_z,
    )
}
