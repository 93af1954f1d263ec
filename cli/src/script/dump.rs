//! Bones of all frames as JSON.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skelobj::math::Mat3x4;

use super::figure::Figure;
use crate::error::CliError;
use crate::files::NewFile;
use crate::info::json::number;
use crate::out::json_name;

/// File of the bones of all frames: one line for each frame.
pub struct Dump {
    file: NewFile,
    frames: usize,
}

impl Dump {
    /// Begins a file.
    ///
    /// # Errors
    /// [`CliError::Overwrite`] if the file exists, unless `force` is set; [`CliError::Write`].
    pub fn create(path: &Path, inputs: &[PathBuf], force: bool) -> Result<Self, CliError> {
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        let mut file = NewFile::create(path, &inputs, force)?;
        file.write_all(b"{\"frames\":[")?;
        Ok(Self { file, frames: 0 })
    }

    /// Adds a frame with the entities that have skeletal objects, and the names of their sides, if there are two.
    pub fn add(&mut self, time: f32, sides: &[(Option<&str>, Vec<Figure>)]) -> Result<(), CliError> {
        let figures = sides.iter().flat_map(|(side, figures)| figures.iter().map(move |figure| (*side, figure)));
        let entities: Vec<Value> = figures.filter_map(|(side, figure)| entity(side, figure)).collect();
        let comma = if self.frames == 0 { "\n" } else { ",\n" };
        self.frames += 1;
        self.file.write_all(format!("{comma}{}", json!({ "time": number(time), "entities": entities })).as_bytes())
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<(), CliError> {
        self.file.write_all(b"\n]}\n")?;
        self.file.finish()
    }
}

fn entity(side: Option<&str>, figure: &Figure) -> Option<Value> {
    let object = figure.object?;
    let names = figure.model.skeleton.names().iter().map(json_name);
    let bones: Vec<Value> =
        names.zip(&figure.bones).map(|(name, bone)| json!({ "name": name, "matrix": matrix(bone) })).collect();
    let mut entity = json!({
        "entity": figure.entity,
        "object": object.get(),
        "model": figure.name,
        "world": matrix(&figure.world),
        "bones": bones,
    });
    if let Some(side) = side {
        entity["side"] = side.into();
    }
    Some(entity)
}

/// Returns a matrix as three rows of four numbers, one after the other; a number that is not finite is null.
fn matrix(matrix: &Mat3x4) -> Value {
    matrix.0.into_iter().map(number).collect()
}
