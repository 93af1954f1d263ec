//! NeL: `.shape`, `.skel` and `.anim`.
//!
//! A shape alone has its surfaces and the names of the bones that move them; a skeleton its bones and their bind pose;
//! an animation tracks for bones of certain names. [`Model::join`](crate::Model::join) puts them together. Everything is in Quake's axes
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
mod track_set;
mod turn;
mod vertices;

pub(crate) use anim::read as read_animation;
pub(crate) use shape::{MAGIC as SHAPE_MAGIC, read as read_shape};
pub(crate) use track_set::MAGIC as ANIMATION_MAGIC;

pub use track::{Track, TrackValue};
pub use track_set::TrackSet;
