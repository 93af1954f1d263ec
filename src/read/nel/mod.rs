//! NeL: `.shape`, `.skel` and `.anim`.
//!
//! A shape alone has its surfaces and the names of the bones that move them; a skeleton its bones and their bind pose;
//! an animation tracks for bones of certain names. [`Model::join`] puts them together. Everything is in Quake's axes
//! (X forward, Y left, Z up) and in the files' own unit, the metre.

mod anim;
mod base;
mod curve;
mod ease;
mod geometry;
mod keys;
mod material;
mod matrix;
mod mesh;
mod mrm;
mod mrm_skinned;
mod poses;
mod sampled;
mod shape;
mod skel;
mod stream;
mod surfaces;
mod texture;
mod track;
mod turn;
mod vertices;

pub use anim::TrackSet;
pub use track::{Track, TrackValue};

use crate::model::{Model, ModelError};

/// Whether a file begins like one of these.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(shape::MAGIC) || bytes.starts_with(anim::MAGIC)
}

/// Whether it is an animation then.
pub(super) fn is_animation(bytes: &[u8]) -> bool {
    bytes.starts_with(anim::MAGIC)
}

/// Reads a `.shape`, `.skel` or `.anim`.
pub(super) fn read(bytes: &[u8]) -> Result<Model, ModelError> {
    if is_animation(bytes) { anim::read(bytes) } else { shape::read(bytes) }
}
