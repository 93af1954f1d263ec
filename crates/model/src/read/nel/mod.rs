//! NeL files: `.shape`, `.skel` and `.anim`.
//!
//! A shape has surfaces and the names of the bones that move them, a skeleton has bones with a bind pose, an animation
//! has tracks for named bones. [`Model::join`](crate::Model::join) combines them. Everything is in Quake's axes (X
//! forward, Y left, Z up) and in the unit of the files, the metre.

mod anim;
mod base;
mod curve;
mod ease;
mod geometry;
mod keys;
mod material;
mod matrix;
mod mesh_geom;
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
