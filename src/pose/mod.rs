//! Kernels over slices of bone matrices: blending, relative to model space, skinning palette, skinning.
//!
//! None of them knows handles or files; none allocates.

mod blend;
mod hierarchy;
mod palette;
mod sample;
mod skin;

pub use blend::{blend, retain_and_add};
pub use hierarchy::{to_model_space, to_relative};
pub use palette::palette;
pub use sample::{PoseSource, sample};
pub use skin::{skin_normals, skin_positions};
