//! Skinning palettes, for renderers.

use crate::math::Mat3x4;

/// Computes a skinning palette: `out[bone] = model[bone] * inverse_bind[bone]`.
///
/// Each matrix moves a vertex from the bind pose to the pose, both in model space. The function writes only the bones
/// that all three slices have. See [`Runtime::write_palette`](crate::Runtime::write_palette) for a skeletal object's
/// palette.
///
/// ```
/// use skelobj::{math::{Mat3x4, Vec3}, pose};
/// # let mannequin = skelobj::Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None)?;
/// let skeleton = &mannequin.skeleton;
/// let mut palette = vec![Mat3x4::ZERO; skeleton.len()];
/// pose::palette(skeleton.bind_model(), skeleton.inverse_bind(), &mut palette);
/// let vertex = Vec3::from(mannequin.meshes[0].positions[0]);
/// assert!(palette[0].transform_point(vertex).distance(vertex) < 1e-3); // the bind pose moves no vertex
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn palette(model: &[Mat3x4], inverse_bind: &[Mat3x4], out: &mut [Mat3x4]) {
    for (out, (model, inverse_bind)) in out.iter_mut().zip(model.iter().zip(inverse_bind)) {
        *out = *model * *inverse_bind;
    }
}
