//! All bones of a skeleton in model space, with the bits of FTE's skel_get_boneabs.

use super::scratch::with_scratch;
use crate::math::Mat3x4;
use crate::model::Skeleton;

/// Writes the matrices that [`bone_in_model_space`](super::bone_in_model_space) returns, with AVX2 at half of the cost.
///
/// `local` and `out` must have as many bones as the skeleton.
pub(crate) fn bones_in_model_space(skeleton: &Skeleton, local: &[Mat3x4], out: &mut [Mat3x4]) {
    with_scratch(skeleton.len(), |scratch| skeleton.branches().to_model_space(local, scratch, out));
}
