//! Facts about file formats that readers and writers share.

#[cfg(feature = "gltf")]
pub mod gltf;
/// Type numbers of the vertex arrays of an IQM file. A custom array adds the text offset of its name to `CUSTOM`.
pub mod iqm {
    pub const POSITION: u32 = 0;
    pub const TEXCOORD: u32 = 1;
    pub const NORMAL: u32 = 2;
    pub const TANGENT: u32 = 3;
    pub const BLEND_INDEXES: u32 = 4;
    pub const BLEND_WEIGHTS: u32 = 5;
    pub const COLOR: u32 = 6;
    pub const CUSTOM: u32 = 16;
}
