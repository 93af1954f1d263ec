//! Models from files of any format.

use super::table::FRAMEGROUPS;
use super::{Format, foreign};
use crate::limits::Limits;
use crate::model::{Model, ModelError, ModelProblem};
use crate::read::{Input, darkplaces};

impl Model {
    /// Reads a model file of any [`Format`].
    ///
    /// `name` is the file's name as the game knows it (`progs/ogre.iqm`); `side` is asked for the files beside it
    /// (`progs/ogre.iqm.framegroups`, the buffers of a `.gltf`; [`Format::side_files`] lists them) and answers `None`
    /// where there is none. An animation that comes alone in a file without a place for its name, as those of MD5 and
    /// NeL do, is named after the file: `run` for `ogre/run.md5anim`.
    ///
    /// # Errors
    /// Everything that makes the file unusable, with section and byte offset, and contents beyond the default
    /// [`Limits`]. Defects that can be put right are no errors: [`warnings`](Self::warnings) lists them.
    pub fn load(name: &str, bytes: &[u8], side: impl FnMut(&str) -> Option<Vec<u8>>) -> Result<Self, ModelError> {
        Self::load_within(&Limits::DEFAULT, name, bytes, side)
    }

    /// Reads a model file as [`load`](Self::load) does, within limits that the host sets.
    ///
    /// # Errors
    /// The errors of [`load`](Self::load); [`ModelProblem::LimitExceeded`] names the limit.
    pub fn load_within(
        limits: &Limits,
        name: &str,
        bytes: &[u8],
        mut side: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, ModelError> {
        let unknown = || ModelError::new("header", 0, foreign::problem(bytes));
        let row = Format::detect(bytes).ok_or_else(unknown)?.row();
        let mut model = (row.read)(&mut Input { name, bytes, limits, side_files: &mut side })?;
        check(&model, limits)?;
        if row.side_files.contains(&FRAMEGROUPS)
            && let Some(text) = side(&framegroups(name))
        {
            model.apply_framegroups_within(limits, name, &text);
        }
        Ok(model)
    }

    /// Reads a model file as DarkPlaces does, for game code that expects its numbers: poses without scale, and
    /// `.framegroups` lines by its rules.
    ///
    /// Those are `FIRST COUNT [FPS [LOOP [NAME]]]`, where every line counts, FPS is 20 unless given and at least 1, an
    /// animation loops unless LOOP reads as the number 0, as words do, FIRST and COUNT are brought into the frames
    /// there are. Of a DPM file the first frame's root scale goes into the distances between bones. Its 16-bit storage
    /// is not imitated.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_as_darkplaces(
        name: &str,
        bytes: &[u8],
        mut side: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, ModelError> {
        let mut model = Self::load(name, bytes, |file| if file.ends_with(".framegroups") { None } else { side(file) })?;
        darkplaces::remove_scale(&mut model, Format::detect(bytes) == Some(Format::Dpm));
        if let Some(text) = side(&framegroups(name)) {
            darkplaces::apply_framegroups(&mut model, &text);
        }
        Ok(model)
    }
}

/// Holds a model to the limits that are counts.
fn check(model: &Model, limits: &Limits) -> Result<(), ModelError> {
    let triangles = model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
    let counts = [
        ("skeleton", "bones", model.skeleton.len(), limits.bones),
        ("frames", "frames", model.frame_count(), limits.frames),
        ("meshes", "triangles", triangles, limits.triangles),
    ];
    for (section, limit, needed, allowed) in counts {
        Limits::check(limit, needed, allowed)
            .map_err(|exceeded| ModelError::new(section, 0, ModelProblem::LimitExceeded(exceeded)))?;
    }
    Ok(())
}

/// The name of the file whose animations replace those of the model `name`.
fn framegroups(name: &str) -> String {
    FRAMEGROUPS.replace("{name}", name)
}
