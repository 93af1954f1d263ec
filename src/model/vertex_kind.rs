//! What the vertex arrays of an IQM hold, by their numbers in the file; custom ones add the text offset of their name.

pub(super) const POSITION: u32 = 0;
pub(super) const TEXCOORD: u32 = 1;
pub(super) const NORMAL: u32 = 2;
pub(super) const TANGENT: u32 = 3;
pub(super) const BLEND_INDEXES: u32 = 4;
pub(super) const BLEND_WEIGHTS: u32 = 5;
pub(super) const COLOR: u32 = 6;
pub(super) const CUSTOM: u32 = 16;
