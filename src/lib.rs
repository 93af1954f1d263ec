//! Skeletal objects and ragdolls for Quake-style engines.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

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
pub mod samples;
pub mod skeleton;

pub use doll::Doll;
pub use model::Model;
#[cfg(feature = "ragdoll")]
pub use physics::Physics;
#[cfg(feature = "ragdoll")]
pub use ragdoll::{DropTest, Ragdoll};
pub use runtime::Runtime;
pub use skeleton::SkeletalObject;
