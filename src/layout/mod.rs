//! Facts about file formats that readers and writers share.

#[cfg(feature = "gltf")]
pub mod gltf;
pub mod iqm;
