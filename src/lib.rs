//! Skeletal objects and ragdolls for Quake-style engines: FTE's `skel_*` builtins as a library.
//!
//! Bytes become a [`Model`]; a model poses a [`SkeletalObject`]; a [`Doll`] turns a skeletal object into a ragdoll; every
//! engine, script and tool reaches all of it through one [`Runtime`].
//!
//! The priorities, in order:
//! 1. **Robustness.** No file, script or number makes the crate panic, hang, allocate without bound or lose earlier
//!    state; every error says what is wrong, where, and what was expected.
//! 2. **FTE's results, to the bit, where FTE is right.** Poses are blended and baked in its order of operations;
//!    recorded calls of the real engine are the tests. Where FTE is wrong, this crate is correct and documents it.
//! 3. **Speed.** Poses are plain matrices, kernels work on slices, and sleeping ragdolls cost nothing.
//! 4. **A small surface.** A model-to-renderer path of five calls, and few dependencies; physics is a feature.
//!
//! # Example
//! Alive, the animation poses the bones and carries the ragdoll's bodies along; dead, the bodies pose the bones.
#![cfg_attr(feature = "ragdoll", doc = "```")]
#![cfg_attr(not(feature = "ragdoll"), doc = "```ignore")]
//! use skelobj::math::Mat3x4;
//! use skelobj::model::FrameState;
//! use skelobj::ragdoll::Command;
//! use skelobj::skeleton::{Build, Space};
//! use skelobj::{Runtime, assets};
//!
//! let mut runtime = Runtime::default();
//! runtime.set_files(|name: &str| match name {
//!     "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
//!     "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
//!     _ => None,
//! });
//! runtime.physics_mut().add_floor(0.0)?;
//! let model = runtime.load_model("mannequin.iqm")?;
//! let skel = runtime.create_skeleton(model, Space::Local)?;
//!
//! let entity = Mat3x4::IDENTITY; // where the engine's entity stands
//! runtime.build(skel, model, &FrameState::single(2, 0.3), &Build::REPLACE)?;
//! runtime.ragdoll_command(skel, &entity, Command::Animate(0.0), None)?;
//! let mut palette = [Mat3x4::IDENTITY; 64];
//! for _frame in 0..60 {
//!     runtime.ragdoll_command(skel, &entity, Command::Update, None)?;
//!     runtime.write_palette(skel, &mut palette)?;
//!     runtime.step(1.0 / 60.0);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Units and spaces
//! Quake's: X forward, Y left, Z up; Quake units, seconds. Angles of entities are degrees, angles of joints radians. See
//! [`math`].
//!
//! # Features
//! - `ragdoll` (default): everything that needs rapier. Without it the crate has no Apache-2.0 code in it.
//! - `gltf` (default): glTF 2.0, read and written. Without it `Model::load` reports that the feature is missing.
//! - `qc`: the builtins for QuakeC, for engines that have a QuakeC machine.
//! - `qcvm`: `qc` with a machine, for engines that have none.
//! - `serde`: snapshots of a whole runtime (`Runtime::snapshot`); settings, dolls and ids are serializable, too.
//! - `parallel`: [palettes of many objects](runtime::Runtime::write_palettes) on several threads.
//! - `physics-parallel`: rapier on several threads, bit-identical; many awake ragdolls are faster, a single one is slower.
//! - `enhanced-determinism`: the same bits on every machine, as sines and similar functions are libm's. Poses then differ
//!   from FTE's in the last bit where those of its C library differ. It excludes rapier's `simd8`, should a host turn that on.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod assets;
pub mod doll;
mod files;
mod format;
#[cfg(doctest)]
mod guide;
mod id;
mod layout;
mod limits;
pub mod math;
pub mod model;
mod number;
#[cfg(feature = "ragdoll")]
pub mod physics;
pub mod pose;
#[cfg(feature = "qc")]
pub mod qc;
#[cfg(feature = "ragdoll")]
pub mod ragdoll;
pub mod read;
pub mod runtime;
pub mod skeleton;
mod trig;
pub mod write;

pub use doll::Doll;
pub use files::{FileSource, NoFiles, is_plain_path};
pub use format::Format;
/// The vectors, quaternions and matrices of [`math`]: the glam that rapier3d uses, too.
pub use glam;
pub use limits::{LimitExceeded, Limits};
pub use model::Model;
pub use number::OutOfRange;
#[cfg(feature = "ragdoll")]
pub use physics::Physics;
#[cfg(feature = "ragdoll")]
pub use ragdoll::{DropTest, Ragdoll};
pub use runtime::Runtime;
pub use skeleton::SkeletalObject;

// Vectors pass between the two unconverted only where both use one glam.
#[cfg(feature = "ragdoll")]
const _: fn(rapier3d::prelude::Vector) -> glam::Vec3 = |vector| vector;

#[cfg(all(doctest, feature = "ragdoll", feature = "serde"))]
#[doc = include_str!("../README.md")]
struct Readme;
