//! Weighted sums of poses, in FTE's order of operations.

use crate::math::Mat3x4;

/// Computes the weighted sum of poses, bone by bone; weights and matrices are not normalised.
///
/// A single pose of weight exactly 1 is copied. Otherwise products are added in the order given, without fused
/// multiply-add; the order decides the last bit. The function writes only the bones that every slice has. Without
/// poses, `out` becomes zero.
///
/// ```
/// use skelobj::{math::Mat3x4, pose};
/// # let mannequin = skelobj::Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None)?;
/// let [stand, walk] = [0, 1].map(|number| mannequin.pose(&mannequin.animations[number], 0));
/// let mut out = vec![Mat3x4::ZERO; mannequin.skeleton.len()];
/// pose::blend(&mut out, &[(stand, 0.5), (walk, 0.5)]);
/// let pelvis = (stand[0].origin() + walk[0].origin()) / 2.0;
/// assert!(out[0].origin().distance(pelvis) < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn blend(out: &mut [Mat3x4], poses: &[(&[Mat3x4], f32)]) {
    match poses {
        [] => out.fill(Mat3x4::ZERO),
        [(pose, 1.0)] => {
            let bones = out.len().min(pose.len());
            out[..bones].copy_from_slice(&pose[..bones]);
        }
        // Game code blends up to four poses: for these numbers one pass over memory is enough.
        [a] => sum(out, [*a]),
        [a, b] => sum(out, [*a, *b]),
        [a, b, c] => sum(out, [*a, *b, *c]),
        [a, b, c, d] => sum(out, [*a, *b, *c, *d]),
        [a, b, c, d, rest @ ..] => {
            sum(out, [*a, *b, *c, *d]);
            for &(pose, weight) in rest {
                for (out, pose) in floats_mut(out).iter_mut().zip(floats(pose)) {
                    *out += pose * weight;
                }
            }
        }
    }
}

/// Computes `out = out * retain + new * add`, float by float, as `skel_build` (builtin #264) does.
///
/// With `retain` 0 the old value is ignored, so that a NaN does not survive; with `retain` 0 and `add` 1 the floats are
/// copied.
///
/// ```
/// use skelobj::{math::{Mat3x4, Vec3}, pose};
/// let mut bones = [Mat3x4([f32::NAN; 12])];
/// let lifted = [Mat3x4::from_translation(Vec3::Z * 8.0)];
/// pose::retain_and_add(&mut bones, 0.0, &lifted, 0.25);
/// pose::retain_and_add(&mut bones, 1.0, &[Mat3x4::IDENTITY], 0.75);
/// assert_eq!(bones[0], Mat3x4::from_translation(Vec3::Z * 2.0));
/// ```
pub fn retain_and_add(out: &mut [Mat3x4], retain: f32, new: &[Mat3x4], add: f32) {
    let new = floats(new);
    let out = floats_mut(out);
    let pairs = out.iter_mut().zip(new);
    match (retain == 0.0, add == 1.0) {
        (true, true) => pairs.for_each(|(out, new)| *out = *new),
        (true, false) if add == 0.0 => pairs.for_each(|(out, _)| *out = 0.0),
        (true, false) => pairs.for_each(|(out, new)| *out = new * add),
        (false, _) => pairs.for_each(|(out, new)| *out = *out * retain + new * add),
    }
}

fn sum<const N: usize>(out: &mut [Mat3x4], poses: [(&[Mat3x4], f32); N]) {
    let bones = poses.iter().map(|(pose, _)| pose.len()).min().unwrap_or(0).min(out.len());
    let weights = poses.map(|(_, weight)| weight);
    let poses = poses.map(|(pose, _)| &floats(pose)[..bones * 12]);
    for (i, out) in floats_mut(&mut out[..bones]).iter_mut().enumerate() {
        let mut total = poses[0][i] * weights[0];
        for n in 1..N {
            total += poses[n][i] * weights[n];
        }
        *out = total;
    }
}

fn floats(bones: &[Mat3x4]) -> &[f32] {
    bytemuck::cast_slice(bones)
}

fn floats_mut(bones: &mut [Mat3x4]) -> &mut [f32] {
    bytemuck::cast_slice_mut(bones)
}
