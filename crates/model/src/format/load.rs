//! Loading of models from files of any format.

use super::table::FRAMEGROUPS;
use super::{Format, fast_turns, foreign};
use crate::limits::{Limit, Limits};
use crate::model::{Model, ModelError, ModelProblem, Name};
use crate::options::{Dialect, LoadOptions};
use crate::read::{Input, darkplaces};

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
        Self::load_with(&LoadOptions::DEFAULT, name, bytes, side)
    }

    /// Reads a model file of any [`Format`] with options: limits that the host sets, and the engine whose rules apply.
    ///
    /// [`load`](Self::load) describes `name` and `side`.
    ///
    /// # Errors
    /// The errors of [`load`](Self::load); [`ModelProblem::LimitExceeded`] names the limit.
    ///
    /// ```
    /// use skelobj::{LoadOptions, Model, assets};
    ///
    /// let mut options = LoadOptions::default();
    /// options.limits.frames = 20;
    /// let error = Model::load_with(&options, "mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap_err();
    /// assert!(error.to_string().contains("frames, the limit is 20"), "{error}");
    /// ```
    pub fn load_with(
        options: &LoadOptions,
        name: &str,
        bytes: &[u8],
        mut side: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, ModelError> {
        let LoadOptions { limits, dialect } = options;
        let mut input = Input { name, bytes, limits, dialect: *dialect, side_files: &mut side, refused: None };
        let (mut model, format) = read(&mut input)?;
        if *dialect == Dialect::DarkPlaces {
            if format != Format::Iqm {
                darkplaces::remove_scale(&mut model, format == Format::Dpm);
            }
            darkplaces::name_bind_pose(&mut model);
            if let Some(text) = input.beside(&framegroups(name)) {
                darkplaces::apply_framegroups(&mut model, &text);
            }
        } else if format.side_files().contains(&FRAMEGROUPS)
            && let Some(text) = input.beside(&framegroups(name))
        {
            model.apply_framegroups_within(limits, name, &text);
        }
        fast_turns::warn(&mut model, limits);
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

/// Checks the number of bones, frames and triangles of a model, and that its poses cannot overflow.
fn check(model: &Model, limits: &Limits) -> Result<(), ModelError> {
    let triangles = model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
    let counts = [
        ("skeleton", Limit::Bones, model.skeleton.len(), limits.bones),
        ("frames", Limit::Frames, model.frame_count(), limits.frames),
        ("meshes", Limit::Triangles, triangles, limits.triangles),
    ];
    for (section, limit, needed, allowed) in counts {
        Limits::check(limit, needed, allowed)
            .map_err(|exceeded| ModelError::new(section, 0, ModelProblem::LimitExceeded(exceeded)))?;
    }
    let too_far = |name: &Name| ModelProblem::OutOfReach { what: "bone", name: name.clone() };
    match model.bone_out_of_reach(&model.skeleton).and_then(|bone| model.skeleton.name(bone)) {
        Some(name) => Err(ModelError::new("skeleton", 0, too_far(name))),
        None => Ok(()),
    }
}

/// Returns the name of the `.framegroups` file of the model `name`.
fn framegroups(name: &str) -> String {
    FRAMEGROUPS.replace("{name}", name)
}
