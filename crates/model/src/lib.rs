//! Skeletal models of Quake-style engines: file formats, poses and levels as plain data.
//!
//! The crate `skelobj` exports all of it beside ragdolls, physics and QuakeC: start there. Without those, this crate
//! has models, skeletal objects and levels, and depends neither on rapier nor on anything else that is licensed under
//! Apache-2.0 alone.
//!
//! The features are `gltf` (default), `serde` for plain data, and `enhanced-determinism`: sines and the like from libm.
//!
//! [`Model::load`] reads a file, [`SkeletalObject`] holds its bones in a pose, and [`pose`] has the kernels.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod files;
mod format;
#[doc(hidden)]
pub mod internal;
mod layout;
pub mod level;
mod limits;
pub mod math;
pub mod model;
pub mod object;
mod options;
mod out_of_range;
pub mod pose;
mod read;
mod shown;
mod simd;
mod trig;
pub mod write;

pub use files::source::{FileSource, is_plain_path};
pub use format::Format;
pub use format::bundle::{Bundle, FileUse};
/// Vectors, quaternions and matrices of [`math`].
pub use glam;
pub use limits::{Limit, LimitExceeded, Limits};
pub use model::Model;
pub use object::SkeletalObject;
pub use options::{Dialect, LoadOptions};
pub use out_of_range::OutOfRange;
