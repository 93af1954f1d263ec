//! Readers of model files, one file or folder per format. All read through `cursor`.
//! [`Model::load`] chooses the reader.

pub(crate) mod actorx;
mod cursor;
pub(crate) mod darkplaces;
pub(crate) mod dpm;
mod finite_skeleton;
mod framegroups;
#[cfg(feature = "gltf")]
pub(crate) mod gltf;
#[cfg(not(feature = "gltf"))]
pub(crate) mod gltf {
    //! Refusal of glTF files in a build without the feature `gltf`.

    use super::Input;
    use crate::model::{Model, ModelError, ModelProblem};

    /// Refuses a glTF file and names the feature that reads it.
    pub(crate) fn read(_: &mut Input) -> Result<Model, ModelError> {
        Err(ModelError::new("header", 0, ModelProblem::NotBuiltIn { feature: "gltf" }))
    }
}
pub(crate) mod hlmdl;
pub(crate) mod iqm;
mod json;
pub(crate) mod md3;
pub(crate) mod md5;
pub(crate) mod nel;
mod normals;
mod player_files;
mod weights;
pub(crate) mod zym;

use crate::files::source::{NoFile, ask, is_plain_path};
use crate::limits::{Limit, LimitExceeded, Limits};
use crate::math::Mat3x4;
use crate::model::{AddAnimationsError, BoneMatch, Model, ModelError, ModelProblem, ModelWarning};
use crate::options::Dialect;
use cursor::File;

/// Model file and everything that its reader may use.
pub(crate) struct Input<'a> {
    /// Name of the file in the game.
    pub name: &'a str,
    pub bytes: &'a [u8],
    pub limits: &'a Limits,
    /// Engine whose rules the reader follows where engines read a file differently.
    pub dialect: Dialect,
    /// Function that returns the contents of a side file.
    pub side_files: &'a mut dyn FnMut(&str) -> Option<Vec<u8>>,
    /// Warning about the first side file that was not asked for, because the name of the model is not a plain path.
    pub refused: Option<ModelWarning>,
}

impl Input<'_> {
    /// Returns the side file `name`, a name derived from that of the model.
    pub fn beside(&mut self, name: &str) -> Option<Vec<u8>> {
        let found = ask(name, |name| Ok((self.side_files)(name)));
        if found == Err(NoFile::NotPlain) {
            self.refused.get_or_insert_with(|| ModelWarning::not_plain(name));
        }
        found.ok()
    }

    /// Returns a side file whose name is stored in the model, in the folder of the model or below.
    pub fn stored(&mut self, mut name: &str) -> Option<Vec<u8>> {
        while let Some(rest) = name.strip_prefix("./") {
            name = rest;
        }
        let name = is_plain_path(name).then(|| format!("{}{name}", directory(self.name)))?;
        self.beside(&name)
    }

    /// Returns the side file that the model names from the game's root, or else a file of that name in the model's
    /// folder.
    pub fn named(&mut self, name: &str) -> Option<Vec<u8>> {
        if !is_plain_path(name) {
            return None;
        }
        let beside = format!("{}{}", directory(self.name), name.rsplit('/').next().unwrap_or(name));
        self.beside(name).or_else(|| if beside == name { None } else { self.beside(&beside) })
    }
}

/// Advice for files of glTF 1.0.
pub(crate) const TO_GLTF_2: &str = "export it as glTF 2.0";

/// First bytes of binary glTF.
pub(crate) const GLB_MAGIC: &[u8] = b"glTF";

/// Returns `true` if the bytes are text glTF: JSON with an `asset`.
pub(crate) fn is_gltf_text(bytes: &[u8]) -> bool {
    const ASSET: &[u8] = b"\"asset\"";
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    text.starts_with(b"{") && text.windows(ASSET.len()).any(|word| word == ASSET)
}

/// Names the only animation of a file after the file, if the format stores no name for it.
pub(crate) fn named_after_file(mut model: Model, name: &str) -> Model {
    let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if let [animation] = &mut model.animations[..]
        && !stem.is_empty()
    {
        animation.name = stem.into();
    }
    model
}

/// Returns the folder of a model with its trailing slash.
fn directory(name: &str) -> &str {
    name.rfind('/').map_or("", |slash| &name[..=slash])
}

/// Adds the animations of a side file, charged to the budget of the model. Returns `None` if none fit the model's
/// bones.
fn add_animations(
    file: &mut File,
    section: &'static str,
    offset: usize,
    model: &mut Model,
    other: &Model,
) -> Result<Option<BoneMatch>, ModelError> {
    let matrices = (other.frame_count() as u64).saturating_mul(model.skeleton.len() as u64);
    file.charge(section, offset, matrices.saturating_mul(size_of::<Mat3x4>() as u64))?;
    match model.append_animations(other, false) {
        Ok(fit) => Ok(Some(fit)),
        Err(AddAnimationsError::TooLarge { needed, allowed }) => {
            let exceeded = LimitExceeded { limit: Limit::Memory, needed, allowed };
            Err(ModelError::new(section, offset, ModelProblem::LimitExceeded(exceeded)))
        }
        Err(AddAnimationsError::OutOfReach { bone }) => {
            let name = model.skeleton.name(bone).cloned().unwrap_or_default();
            Err(ModelError::new(section, offset, ModelProblem::OutOfReach { what: "bone", name }))
        }
        Err(AddAnimationsError::NoAnimations | AddAnimationsError::NoCommonBones) => Ok(None),
    }
}
