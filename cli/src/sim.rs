//! `skelobj sim`: drop test of a ragdoll.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use skelobj::DropTest;
use skelobj::ragdoll::DropReport;

use crate::error::CliError;
use crate::fall::FallArgs;
use crate::out::{count, line};
use crate::recording::{Recorder, Source};
use crate::{files, input, out, recording};

/// Drop a ragdoll on a floor or in a level and measure its fall
///
/// The model plays an animation for a moment, then its ragdoll falls. A good doll comes to rest within seconds, with
/// joint gaps well below a unit. The exit code is 1 if the ragdoll leaves the level.
#[derive(Args)]
pub struct SimArgs {
    /// Model file [default: the built-in mannequin]
    model: Option<PathBuf>,
    #[command(flatten)]
    fall: FallArgs,
    #[command(flatten)]
    with: input::WithArg,
    #[command(flatten)]
    scale: input::ScaleArg,
    /// Write the fall to a file that another build can replay: the files, what was done, and the state after each step
    #[arg(long, value_name = "RUN", conflicts_with_all = ["scale", "with"])]
    record: Option<PathBuf>,
    /// Write RUN even if it exists
    #[arg(long, requires = "record")]
    force: bool,
    /// Repeat a recorded fall, and print the first step and body that differ; then the exit code is 1
    #[arg(long, value_name = "RUN",
        conflicts_with_all = ["model", "doll", "from", "fade", "seconds", "orient", "velocity", "spin", "seed", "water",
            "level", "at", "with", "scale", "record", "force", "json"])]
    replay: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the drop test and prints its measurements, or replays one. The exit code is 1 if the ragdoll left the level, or
/// if a replay differs.
pub fn run(args: SimArgs) -> Result<ExitCode, CliError> {
    if let Some(path) = &args.replay {
        return recording::replay(path);
    }
    let inputs: Vec<&Path> = args.model.as_deref().into_iter().chain(args.fall.inputs()).collect();
    if let Some(path) = &args.record {
        files::refuse_existing(path, &inputs, args.force)?;
    }
    let (loaded, files) = match args.record {
        Some(_) => input::model_with_files(args.model.as_deref()).map(|(loaded, files)| (loaded, Some(files)))?,
        None => (input::model(args.model.as_deref(), &args.with.files, args.scale)?, None),
    };
    let doll = input::doll_text(args.fall.doll.as_deref(), &loaded)?;
    let place = args.fall.place()?;
    let fall = args.fall.fall(loaded.model, &doll, &place)?;
    let report = match args.record.as_ref().zip(files) {
        Some((path, files)) => {
            let mut recorder = Recorder::default();
            let report = fall.run(|frame| recorder.add(frame))?;
            let source = Source { model: files.own, doll: doll.into(), level: place.file, beside: files.beside };
            recorder.write(path, source, &fall.test, &inputs, args.force)?;
            report
        }
        None => fall.run(|_| {})?,
    };
    let text = || describe(&loaded.name, &fall.test, &report);
    if args.json { out::print_json(&json(&report)) } else { out::print(text()) }?;
    Ok(ExitCode::from(u8::from(report.left_level)))
}

fn json(report: &DropReport) -> serde_json::Value {
    json!({
        "bodies": report.bodies,
        "joints": report.joints,
        "steps": report.steps,
        "dt": report.dt,
        "asleep_after": report.asleep_after,
        "left_level": report.left_level,
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
        Some(animation) if test.fade > 0.0 => format!("fades out of `{}` for {:.2} s", animation.name, test.fade),
        Some(animation) => format!("plays `{}` for {:.2} s", animation.name, test.play),
        None => "shows its bind pose".to_owned(),
    };
    let rest = match report.asleep_after {
        _ if report.left_level => {
            format!("LEFT THE LEVEL: nothing was below it {:.2} s after release", report.steps as f32 * report.dt)
        }
        Some(seconds) => format!("asleep {seconds:.2} s after release"),
        None => format!("NOT asleep after {:.2} s", report.steps as f32 * report.dt),
    };
    let odd = match report.non_finite {
        0 => String::new(),
        numbers => format!("NON-FINITE: {numbers} numbers\n"),
    };
    // Lengths of small dolls have more digits.
    let (mut digits, mut unit) = (3, test.physics.length_unit);
    while unit < 13.0 && digits < 9 {
        (unit, digits) = (unit * 10.0, digits + 1);
    }
    let (width, scale) = (digits + 4, 10f32.powi(digits as i32));
    let name = line(name);
    // A ragdoll that does not sleep is not at rest.
    let end = if report.asleep_after.is_some() { "at rest" } else { "at the end" };
    let floor = if test.level.is_none() { " (the floor is at 0)" } else { "" };
    format!(
        "{name}: {}, {}; {animation}, then falls\n\
         {rest} ({} steps of 1/{:.0} s)\n\
         joint gaps      {:width$.digits$} units falling, {:.digits$} {end}\n\
         past stops      {:width$.3} radians at most\n\
         speed {end:<10}{:width$.digits$} units/s\n\
         lowest point    {:width$.digits$} units{floor}\n{odd}",
        count(report.bodies, "body"),
        count(report.joints, "joint"),
        report.steps,
        1.0 / report.dt,
        report.max_gap_falling,
        report.max_gap_resting,
        report.max_stop_excess,
        report.rest_speed,
        // A height that rounds to zero has no sign.
        (report.lowest_z * scale).round() / scale + 0.0,
    )
}
