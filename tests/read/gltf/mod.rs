//! Reading of glTF.
#![cfg(feature = "gltf")]

mod any_bytes;
mod made;
mod materials;
mod meaning;
mod names;
mod reference;
mod refused;
mod share;
mod world;
