//! Facts of file formats that their readers and writers share.

#[cfg(feature = "gltf")]
pub mod gltf;
pub mod iqm;
