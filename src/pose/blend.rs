//! Weighted sums of poses, in FTE's order of operations.

use crate::math::Mat3x4;

/// `out = sum of poses[i] * weights[i]`, bone by bone, as a plain linear sum: nothing is normalised.
///
/// A single pose of weight exactly 1 is copied; else the sum runs in the order given, product by product, without
/// fused multiply-add (that order decides the last bit). Only the bones that every slice has are written; without
/// poses `out` becomes zero.
pub fn blend(out: &mut [Mat3x4], poses: &[(&[Mat3x4], f32)]) {
    match poses {
        [] => out.fill(Mat3x4::ZERO),
        [(pose, 1.0)] => {
            let bones = out.len().min(pose.len());
            out[..bones].copy_from_slice(&pose[..bones]);
        }
        // The widths that game code uses, so that each becomes one pass over memory.
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

/// `out = out * retain + new * add`, float by float.
///
/// With `retain` 0 the old value is ignored, not multiplied; factors of exactly 1 are skipped, as in skel_build
/// (builtin #264).
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
