//! Bytes to [`Model`]: one file per format, all reading through `cursor`.

mod actorx;
mod bones;
mod cursor;
mod dpm;
mod framegroups;
#[cfg(feature = "gltf")]
mod gltf;
pub(crate) mod hlmdl;
mod iqm;
mod json;
mod md3;
mod md5;
pub mod nel;
mod normals;
mod player;
mod weights;
mod zym;

use crate::model::{Model, ModelError, ModelProblem};

/// Finds the files beside a model.
type SideFiles<'s> = dyn FnMut(&str) -> Option<Vec<u8>> + 's;

pub use framegroups::framegroups;
pub(crate) use framegroups::{number, words};
pub use player::{PlayerAnimation, PlayerConfig, player_config, skin};

/// Reads a model of whatever format the first bytes tell, without side files.
///
/// # Errors
/// [`ModelProblem::UnknownFormat`], or what the format's reader finds.
pub fn model(bytes: &[u8]) -> Result<Model, ModelError> {
    if bytes.starts_with(iqm::MAGIC) {
        return iqm::read(bytes);
    }
    if bytes.starts_with(md3::MAGIC) {
        return md3::read(bytes);
    }
    if nel::begins(bytes) {
        return nel::read(bytes);
    }
    if bytes.starts_with(dpm::MAGIC) {
        return dpm::read(bytes);
    }
    if bytes.starts_with(zym::MAGIC) {
        return zym::read(bytes);
    }
    if bytes.starts_with(actorx::PSK_MAGIC) {
        return actorx::read_psk(bytes);
    }
    if bytes.starts_with(actorx::PSA_MAGIC) {
        return actorx::read_psa(bytes);
    }
    if let Some(kind) = md5::kind(bytes) {
        return md5::read(bytes, kind);
    }
    if bytes.starts_with(hlmdl::MAGIC) {
        return hlmdl::read("", bytes, &mut |_| None);
    }
    if is_gltf(bytes) {
        return gltf("", bytes, &mut |_| None);
    }
    Err(ModelError::new("header", 0, ModelProblem::UnknownFormat))
}

/// Names the animation of a file that holds one alone and has no place for its name (MD5 and NeL animations) after the
/// file.
pub(crate) fn name_animation(model: &mut Model, name: &str, bytes: &[u8]) {
    let nameless = nel::is_animation(bytes) || md5::kind(bytes) == Some(md5::Kind::Animation);
    let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if let [animation] = &mut model.animations[..]
        && nameless
        && !stem.is_empty()
    {
        animation.name = stem.into();
    }
}

/// Whether it is glTF: a binary one, or JSON that speaks of an asset.
pub(crate) fn is_gltf(bytes: &[u8]) -> bool {
    const ASSET: &[u8] = b"\"asset\"";
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    bytes.starts_with(b"glTF") || text.starts_with(b"{") && text.windows(ASSET.len()).any(|word| word == ASSET)
}

/// Reads glTF, with the buffers that stand in files beside it.
#[cfg(feature = "gltf")]
pub(crate) fn gltf(name: &str, bytes: &[u8], side: &mut SideFiles) -> Result<Model, ModelError> {
    gltf::read(name, bytes, side)
}

/// Says what is missing.
#[cfg(not(feature = "gltf"))]
pub(crate) fn gltf(_name: &str, _bytes: &[u8], _side: &mut SideFiles) -> Result<Model, ModelError> {
    Err(ModelError::new("header", 0, ModelProblem::NotBuiltIn { feature: "gltf" }))
}

/// The folder of a model, with its slash.
fn directory(name: &str) -> &str {
    name.rfind('/').map_or("", |slash| &name[..=slash])
}

/// Adds the animations that a PSK keeps in a file beside it.
pub(crate) fn add_psa(model: &mut Model, name: &str, bytes: &[u8], side: &mut SideFiles) {
    if bytes.starts_with(actorx::PSK_MAGIC) {
        actorx::add_from_beside(model, name, bytes, side);
    }
}
