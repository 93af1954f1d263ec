//! Kernels over slices of bone matrices: blending, local to model space and back, skinning palette, skinning.
//!
//! None of them knows handles or files; none but a trace of skins allocates.

mod blend;
mod frames;
mod palette;
mod player;
mod sample;
mod skin;
mod tags;
mod trace;

pub use crate::math::hierarchy::{to_local_space, to_model_space};
pub use blend::{blend, retain_and_add};
pub use frames::{FrameWeights, morph_normals, morph_positions};
pub use palette::palette;
pub use sample::{PoseSource, sample};
pub use skin::{skin, skin_morphed, skin_positions};
pub(crate) use trace::{trace_hit_boxes, trace_skin};
