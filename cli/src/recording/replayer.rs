//! Repetition of a recorded drop test.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use skelobj::math::Vec3;
use skelobj::physics::Level;
use skelobj::{Doll, DropTest, Model};

use super::fields::Fields;
use super::file::Recording;
use super::physics;
use super::steps::Step;
use crate::error::CliError;
use crate::{files, out};

/// Largest angle, angular velocity and height that `skelobj sim` accepts.
const FARTHEST: f32 = 1e6;

/// Runs the test of a recording again up to the first difference, or else to the last recorded step, and prints the
/// difference. The exit code is 1 if there is one.
///
/// # Errors
/// [`CliError::Recording`] if the file is damaged, of another version, or if its test cannot run.
pub fn replay(path: &Path) -> Result<ExitCode, CliError> {
    let unusable = |why: String| CliError::Recording(path.to_owned(), why);
    let recording = Recording::from_bytes(&files::read_named(path)?).map_err(unusable)?;
    let test = test(&recording).map_err(unusable)?;
    let mut step = 0;
    let mut difference = None;
    test.run_with(|frame| {
        let now = Step::of(frame);
        difference = differs(recording.steps.get(step), &now, &recording.bodies)
            .map(|what| format!("step {step} ({:.2} s): {what}", frame.time));
        step += 1;
        if difference.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .map_err(|error| unusable(error.to_string()))?;
    let recorded = recording.steps.len();
    if difference.is_none() && step < recorded {
        difference = Some(format!("step {step}: the fall ends, the recorded one has {recorded} steps"));
    }
    let (name, made_by) = (path.display(), &recording.made_by);
    let (ours, bodies) = (env!("CARGO_PKG_VERSION"), recording.bodies.len());
    out::print_line(format_args!(
        "{name}: {} with {}, recorded by skelobj {made_by}, replayed by {ours}",
        recording.source.model.name, recording.source.doll.name
    ))?;
    match difference {
        Some(difference) => {
            out::print_line(format_args!("differs first at {difference}"))?;
            Ok(ExitCode::FAILURE)
        }
        None => {
            out::print_line(format_args!("{recorded} steps of {bodies} bodies are the same to the bit"))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Returns what is different after a step.
fn differs(recorded: Option<&Step>, now: &Step, names: &[String]) -> Option<String> {
    let Some(recorded) = recorded else { return Some("the recorded fall had ended".to_owned()) };
    if recorded == now {
        return None;
    }
    if recorded.bodies.len() != now.bodies.len() {
        return Some(format!("{} bodies, recorded were {}", now.bodies.len(), recorded.bodies.len()));
    }
    let mut pairs = recorded.bodies.iter().zip(&now.bodies).zip(names);
    let body = pairs.find(|((old, new), _)| old != new);
    Some(body.map_or("the bones differ, the bodies do not".to_owned(), |((old, new), name)| {
        if old.position == new.position {
            return format!("body `{name}` is at the same place, but turns or moves in another way");
        }
        format!("body `{name}` is {:e} units from where it was recorded", old.place().distance(new.place()))
    }))
}

/// Returns the test that was recorded.
fn test(recording: &Recording) -> Result<DropTest, String> {
    let source = &recording.source;
    let side = |name: &str| source.beside.iter().find(|file| file.name == name).map(|file| file.bytes.clone());
    let model = Model::load(&source.model.name, &source.model.bytes, side).map_err(|error| error.to_string())?;
    let doll = Doll::parse_for(&source.doll.bytes, &model.skeleton).doll;
    let mut test = DropTest::new(Arc::new(model), Arc::new(doll));
    let calls = Fields(&recording.calls);
    test.animation = calls.count_or_null("animation")?;
    if test.animation.is_some_and(|number| number >= test.model.animations.len()) {
        return Err("the model lacks the animation that was played".to_owned());
    }
    // The test itself checks the times, the height of the water and the position.
    (test.play, test.fade) = (calls.number("play")?, calls.number("fade")?);
    test.seconds = calls.number("seconds")?;
    (test.height, test.water) = (calls.number("height")?, calls.number_or_null("water")?);
    (test.orient, test.angular_velocity) = (calls.vector("orient")?, calls.vector("spin")?);
    (test.velocity, test.at) = (calls.vector("velocity")?, calls.vector("at")?);
    for (name, values) in [
        ("orient", test.orient),
        ("velocity", test.velocity),
        ("spin", test.angular_velocity),
        ("height", Vec3::splat(test.height)),
    ] {
        if values.abs().max_element() > FARTHEST {
            return Err(format!("its header is wrong: {name} has a number beyond {FARTHEST:e}"));
        }
    }
    test.physics = physics::from_json(&calls.object("physics")?)?;
    if let Some(level) = &source.level {
        test.level = Some(Arc::new(Level::from_bsp(&level.bytes).map_err(|error| error.to_string())?));
    }
    Ok(test)
}
