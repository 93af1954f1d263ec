//! Skeletal objects and ragdolls for Quake-style engines: what FTE's `skel_*` builtins give game code, as a library.
//!
//! Bytes become a [`Model`]; a model poses a [`SkeletalObject`]; a [`Doll`] turns a skeletal object into a ragdoll; every
//! engine, script and tool reaches all of it through one [`Runtime`].
//!
//! Its priorities, in order:
//! 1. **Nothing breaks it.** No file, script or number makes it panic, hang, allocate without bound or lose what was
//!    there before; every error says what, where, and what was expected.
//! 2. **The same results as FTE, to the bit, where FTE is right.** Poses are blended and baked in its order of
//!    operations; recorded calls of the real engine are the tests. Where FTE is wrong, this is correct and says so.
//! 3. **Speed.** Poses are plain matrices, kernels work on slices, what sleeps costs nothing.
//! 4. **A small surface.** A model-to-renderer path of five calls, and few dependencies; physics is a feature.
//!
//! # Example
//! Alive, the animation poses the bones and carries the ragdoll's bodies along; dead, the bodies pose the bones.
#![cfg_attr(feature = "ragdoll", doc = "```")]
#![cfg_attr(not(feature = "ragdoll"), doc = "```ignore")]
//! use skelobj::math::{EntityTransform, Mat3x4};
//! use skelobj::model::FrameState;
//! use skelobj::skeleton::{Build, Space};
//! use skelobj::{Model, Runtime, assets};
//!
//! let mut runtime = Runtime::default();
//! runtime.physics_mut().add_floor(0.0);
//! let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
//! let model = runtime.add_model("mannequin.iqm", model);
//! let skel = runtime.create_skeleton(model, Space::Local)?;
//! let entity = EntityTransform::IDENTITY;
//! let mut files = |name: &str| (name == "mannequin.doll").then(|| assets::MANNEQUIN_DOLL.to_vec());
//!
//! runtime.build(skel, model, &FrameState::single(2, 0.3), &Build::REPLACE)?;
//! runtime.ragdoll_command(skel, &entity, b"animate 0", None, &mut files)?;
//! for _frame in 0..60 {
//!     runtime.step(1.0 / 60.0);
//!     runtime.ragdoll_command(skel, &entity, b"", None, &mut files)?;
//! }
//! let mut palette = [Mat3x4::IDENTITY; 64];
//! runtime.write_palette(skel, &mut palette)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Units and spaces
//! Quake's: X forward, Y left, Z up; Quake units, seconds. Angles of entities are degrees, angles of joints radians. See
//! [`math`].
//!
//! # Features
//! - `ragdoll` (default): everything that needs rapier. Without it the crate has no Apache-2.0 code in it.
//! - `gltf` (default): glTF 2.0, read and written. Without it `Model::load` says that it is missing.
//! - `qc`: the builtins for QuakeC, and a virtual machine for engines that have none.
//! - `serde`: [snapshots](runtime::Runtime::snapshot) of a whole runtime; settings, dolls and ids are serde's, too.
//! - `parallel`: [palettes of many objects](runtime::Runtime::write_palettes) on several threads.
//! - `physics-parallel`: rapier on several threads. The bits are the same; many awake ragdolls are faster, a single one is
//!   slower.
//! - `enhanced-determinism`: the same bits on every machine, for sines and the like are libm's. Poses then differ from FTE's
//!   in a last bit where its C library does. It excludes rapier's `simd8`, should a host turn that on.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod assets;
pub mod doll;
pub mod math;
pub mod model;
#[cfg(feature = "ragdoll")]
pub mod physics;
pub mod pose;
#[cfg(feature = "qc")]
pub mod qc;
#[cfg(feature = "ragdoll")]
pub mod ragdoll;
pub mod runtime;
pub mod skeleton;
mod trig;

pub use doll::Doll;
/// The vectors, quaternions and matrices of [`math`]: the glam that rapier3d uses, too.
pub use glam;
pub use model::Model;
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
