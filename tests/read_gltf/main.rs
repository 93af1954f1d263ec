//! Reading glTF.
#![cfg(feature = "gltf")]

mod any_bytes;
mod made;
mod meaning;
mod names;
mod reference;
mod refused;
mod share;
mod world;
#[path = "../common/mod.rs"]
mod common;
#[path = "../bad_models/watched.rs"]
mod watched;
