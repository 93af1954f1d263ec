//! Models from files of any format.

use super::Format;
use super::table::FRAMEGROUPS;
use crate::model::{Model, ModelError, ModelProblem};
use crate::read::darkplaces;

impl Model {
    /// Reads a model file of any [`Format`].
    ///
    /// `name` is the file's name as the game knows it (`progs/ogre.iqm`); `side` is asked for the files beside it
    /// (`progs/ogre.iqm.framegroups`, the buffers of a `.gltf`; [`Format::side_files`] lists them) and answers `None`
    /// where there is none. An animation that comes alone in a file without a place for its name, as those of MD5 and
    /// NeL do, is named after the file: `run` for `ogre/run.md5anim`.
    ///
    /// # Errors
    /// Everything that makes the file unusable, with section and byte offset. What can be put right is, and stands in
    /// [`warnings`](Self::warnings).
    pub fn load(name: &str, bytes: &[u8], mut side: impl FnMut(&str) -> Option<Vec<u8>>) -> Result<Self, ModelError> {
        let unknown = || ModelError::new("header", 0, ModelProblem::UnknownFormat);
        let row = Format::detect(bytes).ok_or_else(unknown)?.row();
        let mut model = (row.read)(name, bytes, &mut side)?;
        if row.side_files.contains(&FRAMEGROUPS)
            && let Some(text) = side(&framegroups(name))
        {
            model.apply_framegroups(name, &text);
        }
        Ok(model)
    }

    /// Reads a model file as DarkPlaces does, for game code that expects its numbers: poses without scale, and
    /// `.framegroups` lines by its rules.
    ///
    /// Those are `FIRST COUNT [FPS [LOOP [NAME]]]`, where every line counts, FPS is 20 unless given and at least 1, an
    /// animation loops unless LOOP reads as the number 0, as words do, FIRST and COUNT are brought into the frames there
    /// are. Of a DPM file the first frame's root scale goes into the distances between bones. Its 16-bit storage is not
    /// imitated.
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

/// The name of the file whose animations replace those of the model `name`.
fn framegroups(name: &str) -> String {
    FRAMEGROUPS.replace("{name}", name)
}
