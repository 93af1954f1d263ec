//! Loading of models from files of any format.

use super::table::FRAMEGROUPS;
use super::{Format, foreign};
use crate::limits::Limits;
use crate::model::{Model, ModelError, ModelProblem};
use crate::read::{Engine, Input, darkplaces};

impl Model {
    /// Reads a model file of any [`Format`].
    ///
    /// `name` is the path of the file in the game (`progs/ogre.iqm`). `side` returns the contents of side files
    /// (`progs/ogre.iqm.framegroups`, the buffers of a `.gltf`), or `None` for a file that does not exist;
    /// [`Format::side_files`] lists them. Only [plain paths](crate::is_plain_path) are requested: under another `name`,
    /// the model is loaded without side files, with a warning, or is refused if it needs one. An MD5 or NeL animation
    /// has no name in its file and gets that of the file: `run` for `ogre/run.md5anim`.
    ///
    /// # Errors
    /// A [`ModelError`] with section and byte offset if the file is unusable or exceeds the default [`Limits`]. A
    /// defect that can be repaired is not an error: [`warnings`](Self::warnings) lists the repairs.
    ///
    /// ```
    /// use skelobj::{Model, assets};
    ///
    /// let model = Model::load("progs/mannequin.iqm", assets::MANNEQUIN_IQM, |name| {
    ///     (name == "progs/mannequin.iqm.framegroups").then(|| b"0 30 20 true stand\n".to_vec())
    /// })?;
    /// assert_eq!(model.animations[0].name, *"stand");
    ///
    /// let error = Model::load("progs/cut.iqm", &assets::MANNEQUIN_IQM[..500], |_| None).unwrap_err();
    /// println!("{error}"); // section, byte offset, what was found and what was expected
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(name: &str, bytes: &[u8], side: impl FnMut(&str) -> Option<Vec<u8>>) -> Result<Self, ModelError> {
        Self::load_within(&Limits::DEFAULT, name, bytes, side)
    }

    /// Reads a model file of any [`Format`] within limits that the host sets.
    ///
    /// [`load`](Self::load) describes `name` and `side`.
    ///
    /// # Errors
    /// The errors of [`load`](Self::load); [`ModelProblem::LimitExceeded`] names the limit.
    ///
    /// ```
    /// use skelobj::{Limits, Model, assets};
    ///
    /// let mut limits = Limits::default();
    /// limits.frames = 20;
    /// let error = Model::load_within(&limits, "mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap_err();
    /// assert!(error.to_string().contains("frames, the limit is 20"), "{error}");
    /// ```
    pub fn load_within(
        limits: &Limits,
        name: &str,
        bytes: &[u8],
        mut side: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, ModelError> {
        let mut input = Input { name, bytes, limits, engine: Engine::Fte, side_files: &mut side, refused: None };
        let (mut model, format) = read(&mut input)?;
        if format.side_files().contains(&FRAMEGROUPS)
            && let Some(text) = input.beside(&framegroups(name))
        {
            model.apply_framegroups_within(limits, name, &text);
        }
        warn(&mut model, input);
        Ok(model)
    }

    /// Reads a model file by the rules of DarkPlaces, for game code that was written for that engine.
    ///
    /// Poses lose their scale; in a DPM file the root scale of the first frame goes into the distances between bones.
    /// Lines of a `.framegroups` file are `FIRST COUNT [FPS [LOOP [NAME]]]`: every line makes an animation, FPS is 20
    /// by default and at least 1, and FIRST and COUNT are clamped to the frames of the model. An animation loops unless
    /// LOOP reads as the number 0; a word reads as 0. The 16-bit storage of poses in DarkPlaces is not reproduced.
    ///
    /// # Errors
    /// The errors of [`load`](Self::load).
    ///
    /// ```
    /// use skelobj::{Model, assets};
    ///
    /// let groups = |name: &str| name.ends_with(".framegroups").then(|| b"0 10\n".to_vec());
    /// let model = Model::load_as_darkplaces("mannequin.iqm", assets::MANNEQUIN_IQM, groups)?;
    /// assert_eq!((model.animations.len(), model.animations[0].rate), (1, 20.0));
    /// # Ok::<(), skelobj::model::ModelError>(())
    /// ```
    pub fn load_as_darkplaces(
        name: &str,
        bytes: &[u8],
        side: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, ModelError> {
        Self::load_as_darkplaces_within(&Limits::default(), name, bytes, side)
    }

    /// Reads a model file by the rules of DarkPlaces, within the given limits.
    ///
    /// # Errors
    /// The errors of [`load_within`](Self::load_within).
    ///
    /// ```
    /// use skelobj::{Limits, Model, assets};
    ///
    /// let mut limits = Limits::default();
    /// limits.bones = 20;
    /// let error = Model::load_as_darkplaces_within(&limits, "mannequin.iqm", assets::MANNEQUIN_IQM, |_| None);
    /// assert!(error.is_err()); // the mannequin has 21 bones
    /// ```
    pub fn load_as_darkplaces_within(
        limits: &Limits,
        name: &str,
        bytes: &[u8],
        mut side: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, ModelError> {
        let engine = Engine::DarkPlaces;
        let mut input = Input { name, bytes, limits, engine, side_files: &mut side, refused: None };
        let (mut model, format) = read(&mut input)?;
        if format != Format::Iqm {
            darkplaces::remove_scale(&mut model, format == Format::Dpm);
        }
        darkplaces::name_bind_pose(&mut model);
        if let Some(text) = input.beside(&framegroups(name)) {
            darkplaces::apply_framegroups(&mut model, &text);
        }
        warn(&mut model, input);
        Ok(model)
    }
}

/// Adds to a model the warning about side files that were not asked for.
fn warn(model: &mut Model, input: Input) {
    if let Some(refused) = input.refused {
        refused.add_to(&mut model.warnings, input.limits.warnings);
    }
}

/// Reads a model with the reader of its format.
fn read(input: &mut Input) -> Result<(Model, Format), ModelError> {
    let unknown = || ModelError::new("header", 0, foreign::problem(input.bytes));
    let format = Format::detect(input.bytes).ok_or_else(unknown)?;
    let model = (format.row().read)(input)?;
    check(&model, input.limits)?;
    Ok((model, format))
}

/// Checks the number of bones, frames and triangles of a model.
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

/// Returns the name of the `.framegroups` file of the model `name`.
fn framegroups(name: &str) -> String {
    FRAMEGROUPS.replace("{name}", name)
}
