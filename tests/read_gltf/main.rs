//! Reading glTF.
#![cfg(feature = "gltf")]

mod any_bytes;
mod made;
mod meaning;
mod reference;
mod refused;
#[path = "../bad_models/watched.rs"]
mod watched;
