//! Reading of glTF.
#![cfg(feature = "gltf")]

mod any_bytes;
#[path = "../common/mod.rs"]
mod common;
mod made;
mod materials;
mod meaning;
mod names;
mod reference;
mod refused;
mod share;
#[path = "../bad_models/watched.rs"]
mod watched;
mod world;
