//! Skinning palettes, for renderers.

use crate::math::Mat3x4;

/// `out[bone] = model[bone] * inverse_bind[bone]`: from the bind pose's place to the pose's, model space both.
///
/// Only the bones that all three slices have are written.
pub fn palette(model: &[Mat3x4], inverse_bind: &[Mat3x4], out: &mut [Mat3x4]) {
    for (out, (model, inverse_bind)) in out.iter_mut().zip(model.iter().zip(inverse_bind)) {
        *out = *model * *inverse_bind;
    }
}
