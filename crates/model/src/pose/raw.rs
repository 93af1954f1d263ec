//! Kernels that the functions of [`pose`](super) consist of, for hosts that mix poses themselves, and the choice of the
//! vector instructions that all kernels use.
//!
//! ```
//! use skelobj::math::{Mat3x4, Vec3};
//! use skelobj::pose::raw;
//!
//! let at = |height: f32| [Mat3x4::from_translation(Vec3::Z * height)];
//! let (stand, walk, mut out) = (at(2.0), at(4.0), [Mat3x4::ZERO]);
//! raw::blend(&mut out, &[(&stand, 0.5), (&walk, 0.5)]);
//! assert_eq!(out, at(3.0));
//! ```

pub use super::blend::{blend, retain_and_add};
pub use super::palette::local_to_palette;
pub use super::sample::sample_over;
pub use crate::math::hierarchy::to_local_space;
pub use crate::simd::SimdLevel;
