//! Kernels over slices of bone matrices, from a frame state to a renderer's palette.
//!
//! A [`Pose`](crate::object::Pose) is the pose of a skeletal object, and belongs to [`object`](crate::object). A
//! palette is a plain slice, with a [`Mat3x4`](crate::math::Mat3x4) per bone.
//!
//! [`sample`] poses a model in local space, [`to_model_space`] accumulates the hierarchy, and [`palette`] gives one
//! matrix per bone to skin with; [`skin`] skins on the CPU. No kernel uses handles or files, and only a trace of skins
//! allocates. The kernels that these consist of are in [`raw`].
//!
//! ```
//! use skelobj::math::{Mat3x4, Vec3};
//! use skelobj::model::FrameState;
//! use skelobj::pose::{self, PoseSource};
//!
//! let mannequin = skelobj::assets::mannequin();
//! let bones = mannequin.skeleton.len();
//! let (mut local, mut model) = (vec![Mat3x4::ZERO; bones], vec![Mat3x4::ZERO; bones]);
//! let frame = FrameState::single(2, 0.1); // 0.1 seconds into "run"
//! pose::sample(PoseSource { model: &mannequin, frame: &frame }, 0..bones, &mut local);
//! pose::to_model_space(mannequin.skeleton.parents(), &local, &mut model);
//! let mut palette = vec![Mat3x4::ZERO; bones];
//! pose::palette(&model, mannequin.skeleton.inverse_bind(), &mut palette);
//!
//! let body = &mannequin.meshes[0];
//! let mut vertices = vec![Vec3::ZERO; body.positions.len()];
//! pose::skin_positions(body, &palette, &mut vertices);
//! assert!(vertices.iter().all(|vertex| vertex.z > -1.0 && vertex.z < 66.0));
//! ```

mod additive;
mod aim;
mod blend;
mod bone_list;
mod bone_mask;
mod chain;
mod feet;
mod frames;
mod octet;
mod palette;
mod place_feet;
mod player;
mod posing_error;
pub mod raw;
mod reach;
mod root_motion;
mod sample;
pub(crate) mod size;
mod skin;
mod split_frames;
mod spring;
mod spring_motion;
pub(crate) mod survey;
mod swing;
mod tags;
pub(crate) mod trace;
mod turn;

pub(crate) use crate::math::hierarchy::bone_in_model_space;
pub use crate::math::hierarchy::to_model_space;
pub use additive::{Additive, add};
pub(crate) use additive::{Group, LANES, add_groups, check_weight};
pub use aim::{Aim, aim, turn};
pub use bone_mask::BoneMask;
pub(crate) use bone_mask::mix;
pub use chain::{Chain, reach_chain};
pub use feet::{Feet, FeetState, Ground};
pub use frames::morph;
pub(crate) use octet::{Layer, mix as mix_rotations};
pub(crate) use palette::bones_in_model_space;
pub use palette::{palette, sample_palette};
pub use place_feet::place_feet;
pub use posing_error::PosingError;
pub use reach::{EndRotation, LimbRotations, Reach, reach};
pub use root_motion::{Motion, RootMotion};
pub use sample::{PoseSource, sample};
pub(crate) use sample::{Sampled, sample_into, sample_rotations};
pub(crate) use size::{is_usable, saturate};
pub use skin::{NormalLength, SkinOptions, SkinnedVertices, Skinner, skin, skin_morphed, skin_positions};
pub(crate) use split_frames::SplitFrames;
pub use spring::{Spring, SpringCollider, SpringState};
pub use swing::swing;
pub(crate) use swing::swing_in_model_space;
