//! Recording of a drop test while it runs.

use std::path::Path;

use serde_json::json;
use skelobj::DropTest;
use skelobj::ragdoll::DropFrame;

use super::Source;
use super::file::Recording;
use super::physics;
use super::steps::Step;
use crate::error::CliError;
use crate::files;
use crate::out::json_name;

/// States after the steps so far.
#[derive(Default)]
pub struct Recorder {
    bodies: Vec<String>,
    steps: Vec<Step>,
}

impl Recorder {
    /// Adds the next step.
    pub fn add(&mut self, frame: &DropFrame<'_>) {
        if self.steps.is_empty() {
            self.bodies = frame.ragdoll.bodies(frame.physics).map(|body| json_name(&body.name)).collect();
        }
        self.steps.push(Step::of(frame));
    }

    /// Writes the recording of a test to a file.
    pub fn write(
        self,
        path: &Path,
        source: Source,
        test: &DropTest,
        inputs: &[&Path],
        force: bool,
    ) -> Result<(), CliError> {
        let calls = json!({
            "animation": test.animation,
            "play": test.play,
            "fade": test.fade,
            "seconds": test.seconds,
            "orient": test.orient.to_array(),
            "velocity": test.velocity.to_array(),
            "spin": test.angular_velocity.to_array(),
            "height": test.height,
            "at": test.at.to_array(),
            "water": test.water,
            "physics": physics::to_json(&test.physics),
        });
        let made_by = env!("CARGO_PKG_VERSION").to_owned();
        let recording = Recording { made_by, source, calls, bodies: self.bodies, steps: self.steps };
        files::write(path, &recording.to_bytes(), inputs, force)
    }
}
