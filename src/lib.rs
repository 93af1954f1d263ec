//! Skeletal objects and ragdolls for Quake-style engines: FTE's `skel_*` builtins as a library.
//!
//! A [`Model`] is read from a file, a [`SkeletalObject`] holds its bones in a pose, a [`Doll`] describes its ragdoll,
//! and a [`Runtime`] manages the models, objects, ragdolls and physics of one game world. **Start with [`Runtime`]**,
//! whose page walks through a frame. Then go to the topic that you need:
//!
//! - **Posing models.** [`Model::load`] reads every supported [`Format`]. [`Runtime::build`] blends the animations of a
//!   [`FrameState`](model::FrameState) into bones. [`SkeletalObject`] edits single bones. [`Runtime::write_palette`]
//!   writes the matrices that a renderer skins with, and [`Runtime::tag_to_world`] returns the matrix of a tag. The
//!   module [`pose`] contains the underlying kernels.
//! - **Poses that meet the world.** An [`Aim`](pose::Aim) turns heads to a target, a [`Reach`](pose::Reach) places
//!   hands, [`Feet`](pose::Feet) stand on stairs and slopes, a [`Spring`](pose::Spring) swings tails and hair, an
//!   [`Additive`](pose::Additive) layer changes the bones of a [`BoneMask`](pose::BoneMask), and
//!   [`RootMotion`](pose::RootMotion) moves the entity by its animation.
//! - **Ragdolls.** [`Runtime::ragdoll_command`] runs the commands of `skel_ragupdate`, which [`ragdoll::Command`]
//!   lists. The module [`doll`] describes the doll language. [`Physics`] contains floors, levels, doors and boxes of
//!   entities. [`DropTest`] tests a doll.
//! - **Traces and hits.** [`Runtime::trace`] returns the object, the bone and the surface that a line or box hits;
//!   [`Runtime::user_data`] identifies the entity, and [`Runtime::ragdoll_impulse`] pushes it. A
//!   [`PoseHistory`](runtime::PoseHistory) lets a shot hit what a client saw.
//! - **Saving and networking.** `Runtime::snapshot` and `Runtime::restore` (feature `serde`) save everything, for save
//!   files and for rollback. [`Runtime::encode_bones`] encodes a pose for a client, where a
//!   [`BoneReceiver`](runtime::BoneReceiver) interpolates between poses.
//! - **QuakeC.** The module `qc` (feature `qc`) contains every builtin, for an engine with its own QuakeC VM;
//!   `qc::VmHost` (feature `qcvm`) adds a VM.
//!
//! # Example
//! While the character is alive, the animation poses the bones and moves the bodies of the ragdoll. When it dies, the
//! death animation plays on while the bodies become limp; then the bodies pose the bones.
//! ```
//! use skelobj::math::Mat3x4;
//! use skelobj::model::FrameState;
//! use skelobj::object::{Build, Space};
//! use skelobj::ragdoll::Command;
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
//! let animation = |name| runtime.model(model).and_then(|model| model.find_animation(name)).ok_or("no animation");
//! let (run, death) = (animation("run")?, animation("death")?);
//! let id = runtime.create_object(model, Space::Local)?;
//!
//! let entity = Mat3x4::IDENTITY; // matrix of the engine's entity
//! let mut palette = vec![Mat3x4::IDENTITY; runtime.object(id).map_or(0, |object| object.bone_count())];
//! for frame in 0..120 {
//!     let time = f64::from(frame) / 60.0;
//!     if frame < 30 {
//!         runtime.build(id, model, &FrameState::single(run, time), &Build::REPLACE)?;
//!     } else if frame < 48 {
//!         runtime.build(id, model, &FrameState::single(death, time - 0.5), &Build::REPLACE)?;
//!     }
//!     let command = if frame == 30 { Command::Animate(0.0, Some(0.3)) } else { Command::Update };
//!     runtime.ragdoll_command(id, &entity, command, None)?;
//!     runtime.write_palette(id, &mut palette)?;
//!     runtime.step(1.0 / 60.0)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Units and spaces
//! X points forward, Y left, Z up. Lengths are Quake units, times are seconds. Angles of entities are degrees, angles
//! of joints radians. A bone in **local space** is relative to its parent, in **model space** to the entity; the matrix
//! of the entity transforms to **world space**. See [`math`].
//!
//! # Guarantees
//! In order of priority:
//! 1. **Robustness.** No file, script or number can make the crate panic, hang or allocate without bound. The exception
//!    is a snapshot that was tampered with: authenticate snapshots from untrusted sources. A call that returns an error
//!    changes nothing, and the error states the problem, its position and what was expected.
//! 2. **FTE's results, bit for bit, where FTE is correct.** Poses are blended and baked in FTE's order of operations,
//!    and the tests replay calls recorded in FTE. Where FTE is wrong, this crate is correct. The repository lists the
//!    differences in `docs/fte-differences.md`; this documentation cites them as "difference 13".
//! 3. **Speed.** Poses are plain matrices, kernels work on slices, and sleeping ragdolls cost nothing.
//! 4. **A small API.** It takes five calls from a model file to a renderer. Dependencies are few.
//!
//! # Features
//! - `gltf` (default): glTF 2.0, read and written. Without it [`Model::load`] reports that the feature is missing.
//! - `qc`: the QuakeC builtins, for engines that have a QuakeC VM.
//! - `qcvm`: `qc` and a QuakeC VM, for engines that have none.
//! - `serde`: snapshots of a whole runtime (`Runtime::snapshot`), and serializable settings, dolls and ids.
//! - `parallel`: [palettes of many objects](Runtime::write_palettes) on several threads.
//! - `physics-parallel`: rapier on several threads, with bit-identical results. Many awake ragdolls are faster, a
//!   single one is slower.
//! - `enhanced-determinism`: bit-identical results on every machine, because libm computes sines and similar functions.
//!   Poses then differ from FTE's in the last bit where FTE's C library returns different results. The feature cannot
//!   be combined with rapier's feature `simd8`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod assets;
pub mod doll;
#[cfg(doctest)]
mod guide;
mod id;
pub mod physics;
#[cfg(feature = "qc")]
pub mod qc;
pub mod ragdoll;
pub mod runtime;

pub use doll::Doll;
/// Vectors, quaternions and matrices of [`math`], from the version of glam that rapier3d uses.
pub use glam;
pub use physics::Physics;
pub use ragdoll::{DropTest, Ragdoll};
pub use runtime::Runtime;
#[doc(inline)]
pub use skelobj_model::{
    Bundle, Dialect, FileSource, FileUse, Format, Limit, LimitExceeded, Limits, LoadOptions, Model, OutOfRange,
    SkeletalObject, files, is_plain_path, math, model, object, pose, write,
};

// Vectors need no conversion only if both use the same version of glam.
const _: fn(rapier3d::prelude::Vector) -> glam::Vec3 = |vector| vector;

#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../README.md")]
struct Readme;
