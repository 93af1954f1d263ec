//! Skeletal objects and ragdolls for Quake-style engines: FTE's `skel_*` builtins as a library.
//!
//! A [`Model`] is read from a file, a [`SkeletalObject`] holds its bones in a pose, a [`Doll`] describes its ragdoll,
//! and a [`Runtime`] keeps the models, objects, ragdolls and physics of one game world. **Start with [`Runtime`]**: its
//! page leads through a frame. Then go to what you came for:
//!
//! - **Posing models.** [`Model::load`] reads every supported [`Format`]. [`Runtime::build`] mixes animations into
//!   bones, as a [`FrameState`](model::FrameState) says. [`SkeletalObject`] edits single bones.
//!   [`Runtime::write_palette`] writes the matrices that a renderer skins with, [`Runtime::tag_to_world`] finds the
//!   place of a tag. The module [`pose`] has the kernels alone.
//! - **Ragdolls.** [`Runtime::ragdoll_command`] runs the commands of `skel_ragupdate`, which [`ragdoll::Command`]
//!   lists. The module [`doll`] describes the language of `.doll` files. [`Physics`] holds floors, levels, doors and
//!   boxes of entities. [`DropTest`] measures a doll.
//! - **Traces and hits.** [`Runtime::trace`] returns the object, the bone and the surface that a line or box hits;
//!   [`Runtime::user_data`] leads to the entity, and [`Runtime::ragdoll_impulse`] pushes it.
//! - **Saving and networking.** `Runtime::snapshot` and `Runtime::restore` (feature `serde`) save everything, for save
//!   files and for rollback. [`Runtime::encode_bones`] sends a pose to a client, which a
//!   [`BoneReceiver`](runtime::BoneReceiver) shows smoothly.
//! - **QuakeC.** The module `qc` (feature `qc`) has every builtin for an engine with a QuakeC machine; `qc::VmHost`
//!   (feature `qcvm`) has the machine as well.
//!
//! # Example
//! Alive, the animation poses the bones and carries the bodies of the ragdoll along; dead, the bodies pose the bones.
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
//! X points forward, Y left, Z up. Lengths are Quake units, times are seconds. Angles of entities are degrees, angles
//! of joints radians. A bone in **local space** is relative to its parent, in **model space** to the entity; the matrix
//! of the entity leads to **world space**. See [`math`].
//!
//! # Guarantees
//! In the order of their priority:
//! 1. **Robustness.** No file, script or number makes the crate panic, hang or allocate without bound. A call that
//!    returns an error has changed nothing, and the error names the problem, its place and what was expected.
//! 2. **FTE's results, to the bit, where FTE is right.** Poses are blended and baked in its order of operations;
//!    recorded calls of the real engine are the tests. Where FTE is wrong, this crate is correct. The repository lists
//!    the differences in `docs/fte-differences.md`; this documentation cites them as "difference 13".
//! 3. **Speed.** Poses are plain matrices, kernels work on slices, and sleeping ragdolls cost nothing.
//! 4. **A small interface.** Five calls lead from a model to a renderer. Dependencies are few; physics is a feature.
//!
//! # Features
//! - `ragdoll` (default): everything that needs rapier. Without it the crate contains no Apache-2.0 code.
//! - `gltf` (default): glTF 2.0, read and written. Without it [`Model::load`] reports that the feature is missing.
//! - `qc`: the builtins for QuakeC, for engines that have a QuakeC machine.
//! - `qcvm`: `qc` with a machine, for engines that have none.
//! - `serde`: snapshots of a whole runtime (`Runtime::snapshot`), and serializable settings, dolls and ids.
//! - `parallel`: [palettes of many objects](Runtime::write_palettes) on several threads.
//! - `physics-parallel`: rapier on several threads, bit-identical. Many awake ragdolls are faster, a single one is
//!   slower.
//! - `enhanced-determinism`: the same bits on every machine, because sines and similar functions are libm's. Poses then
//!   differ from FTE's in the last bit if those of its C library differ. It excludes rapier's feature `simd8`.
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
/// Vectors, quaternions and matrices of [`math`], of the version of glam that rapier3d uses.
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
