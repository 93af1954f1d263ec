//! Weighted sums of poses, in FTE's order of operations.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};

use crate::math::Mat3x4;
use crate::simd::dispatch;

/// Poses with their weights.
pub(super) type Weighted<'a> = [(&'a [Mat3x4], f32)];

/// Computes the weighted sum of poses, bone by bone; weights and matrices are not normalised.
///
/// A single pose of weight exactly 1 is copied. Otherwise products are added in the order given, without fused
/// multiply-add; the order decides the last bit. The function writes only the bones that every slice has. Without
/// poses, `out` becomes zero.
///
/// ```
/// use skelobj::{math::Mat3x4, pose};
///
/// let mannequin = skelobj::assets::mannequin();
/// let [stand, walk] = [0, 1].map(|number| mannequin.pose(&mannequin.animations[number], 0));
/// let mut out = vec![Mat3x4::ZERO; mannequin.skeleton.len()];
/// pose::raw::blend(&mut out, &[(stand, 0.5), (walk, 0.5)]);
/// let pelvis = (stand[0].origin() + walk[0].origin()) / 2.0;
/// assert!(out[0].origin().distance(pelvis) < 1e-5);
/// ```
pub fn blend(out: &mut [Mat3x4], poses: &[(&[Mat3x4], f32)]) {
    let bones = poses.iter().fold(out.len(), |bones, (pose, _)| bones.min(pose.len()));
    let out = &mut out[..bones];
    match *poses {
        // Read as far as `out` goes.
        [(pose, 1.0)] => out.copy_from_slice(&pose[..bones]),
        _ => mix(out, 0.0, poses, 1.0),
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
/// pose::raw::retain_and_add(&mut bones, 0.0, &lifted, 0.25);
/// pose::raw::retain_and_add(&mut bones, 1.0, &[Mat3x4::IDENTITY], 0.75);
/// assert_eq!(bones[0], Mat3x4::from_translation(Vec3::Z * 2.0));
/// ```
pub fn retain_and_add(out: &mut [Mat3x4], retain: f32, new: &[Mat3x4], add: f32) {
    let bones = out.len().min(new.len());
    mix(&mut out[..bones], retain, &[(&new[..bones], 1.0)], add);
}

/// Computes `out = out * retain + sum * add` in one pass, where `sum` is the weighted sum of poses.
///
/// Factors as for [`retain_and_add`], the sum as for [`blend`]. The poses must have as many bones as `out`.
pub(super) fn mix(out: &mut [Mat3x4], retain: f32, poses: &Weighted<'_>, add: f32) {
    debug_assert!(poses.iter().all(|(pose, _)| pose.len() >= out.len()), "every pose has the bones of the sum");
    if retain == 0.0 {
        if add == 0.0 {
            return out.fill(Mat3x4::ZERO);
        }
        if let (true, [(pose, 1.0)]) = (add == 1.0, poses) {
            return out.copy_from_slice(pose);
        }
    }
    if poses.is_empty() {
        // Zero has a sign, which the scripts of a mod may see.
        let nothing = 0.0 * add;
        let floats = out.iter_mut().flat_map(|bone| &mut bone.0);
        return floats.for_each(|float| *float = if retain == 0.0 { nothing } else { *float * retain + nothing });
    }
    // Most entities show one or two animations, each between two of its poses.
    match *poses {
        [a, b] => mix_exactly(out, retain, [a, b], add),
        [a, b, c, d] => mix_exactly(out, retain, [a, b, c, d], add),
        _ => dispatch!(simd => mix_on(simd, out, retain, poses, add)),
    }
}

/// Computes what [`mix`] does, compiled for a number of poses.
#[inline(always)]
pub(super) fn mix_exactly<const N: usize>(out: &mut [Mat3x4], retain: f32, poses: [(&[Mat3x4], f32); N], add: f32) {
    if retain != 0.0 {
        return dispatch!(simd => retain_on(simd, out, retain, poses, add));
    }
    if add == 1.0 {
        return dispatch!(simd => sum_on(simd, out, poses));
    }
    if add == 0.0 {
        return out.fill(Mat3x4::ZERO);
    }
    dispatch!(simd => scale_on(simd, out, poses, add));
}

/// Four bones: six vectors of eight floats.
type Quad = [f32; 48];

#[inline(always)]
fn sum_on<S: Simd, const N: usize>(simd: S, out: &mut [Mat3x4], poses: [(&[Mat3x4], f32); N]) {
    each(
        simd,
        out,
        poses,
        &[],
        #[inline(always)]
        |_, sum| sum,
    );
}

#[inline(always)]
fn scale_on<S: Simd, const N: usize>(simd: S, out: &mut [Mat3x4], poses: [(&[Mat3x4], f32); N], add: f32) {
    let added = f32x8::splat(simd, add);
    each(
        simd,
        out,
        poses,
        &[],
        #[inline(always)]
        move |_, sum| sum * added,
    );
}

#[inline(always)]
fn retain_on<S: Simd, const N: usize>(
    simd: S,
    out: &mut [Mat3x4],
    retain: f32,
    poses: [(&[Mat3x4], f32); N],
    add: f32,
) {
    let (retained, added) = (f32x8::splat(simd, retain), f32x8::splat(simd, add));
    each(
        simd,
        out,
        poses,
        &[],
        #[inline(always)]
        move |old, sum| old * retained + sum * added,
    );
}

/// Mixes any number of poses.
#[inline(always)]
fn mix_on<S: Simd>(simd: S, out: &mut [Mat3x4], retain: f32, poses: &Weighted<'_>, add: f32) {
    let (retained, added) = (f32x8::splat(simd, retain), f32x8::splat(simd, add));
    if retain == 0.0 {
        return by_count(
            simd,
            out,
            poses,
            #[inline(always)]
            move |_, sum| sum * added,
        );
    }
    by_count(
        simd,
        out,
        poses,
        #[inline(always)]
        move |old, sum| old * retained + sum * added,
    );
}

/// Sums poses, four at first if there are as many.
#[inline(always)]
fn by_count<S: Simd>(
    simd: S,
    out: &mut [Mat3x4],
    poses: &Weighted<'_>,
    finish: impl Fn(f32x8<S>, f32x8<S>) -> f32x8<S> + Copy,
) {
    debug_assert!(!poses.is_empty(), "nothing is mixed without a kernel");
    match *poses {
        [a] => each(simd, out, [a], &[], finish),
        [a, b, c, d, ref rest @ ..] => each(simd, out, [a, b, c, d], rest, finish),
        [a, ref rest @ ..] => each(simd, out, [a], rest, finish),
        [] => {}
    }
}

/// Sums the `first` poses and the `rest`, and writes what `finish` makes of the old floats and the sum.
#[inline(always)]
fn each<S: Simd, const N: usize>(
    simd: S,
    out: &mut [Mat3x4],
    first: [(&[Mat3x4], f32); N],
    rest: &Weighted<'_>,
    finish: impl Fn(f32x8<S>, f32x8<S>) -> f32x8<S> + Copy,
) {
    let bones = out.len();
    debug_assert!(rest.iter().all(|(pose, _)| pose.len() >= bones), "every pose has the bones of the sum");
    let (out, last) = out.as_chunks_mut::<4>();
    let (count, start) = (out.len(), out.len() * 4);
    let mut weights = [f32x8::splat(simd, 0.0); N];
    let mut quads: [&[[Mat3x4; 4]]; N] = [&[]; N];
    let mut ends: [&[Mat3x4]; N] = [&[]; N];
    for (n, (pose, weight)) in first.into_iter().enumerate() {
        weights[n] = f32x8::splat(simd, weight);
        (quads[n], ends[n]) = pose[..bones].as_chunks();
    }
    // True of none of them; known to the compiler here, it spares the loops their bounds checks.
    for n in 0..N {
        debug_assert_eq!([quads[n].len(), ends[n].len()], [count, last.len()], "poses were cut to one length");
        if quads[n].len() != count || ends[n].len() != last.len() {
            return;
        }
    }
    // Indices, not iterators: only their bounds checks are left out.
    for i in 0..count {
        for at in [0, 8, 16, 24, 32, 40] {
            let mut sum = load(simd, &quads[0][i], at) * weights[0];
            for n in 1..N {
                sum += load(simd, &quads[n][i], at) * weights[n];
            }
            for (pose, weight) in rest {
                if let Some(quad) = pose.as_chunks().0.get(i) {
                    sum += load(simd, quad, at) * f32x8::splat(simd, *weight);
                }
            }
            let sum = finish(load(simd, &out[i], at), sum);
            let quad: &mut Quad = bytemuck::cast_mut(&mut out[i]);
            sum.store_slice(&mut quad[at..at + 8]);
        }
    }
    for i in 0..last.len() {
        // Two vectors that overlap, both computed before either is written.
        let mut sums = [f32x8::splat(simd, 0.0); 2];
        for (sum, at) in sums.iter_mut().zip([0, 4]) {
            *sum = f32x8::from_slice(simd, &ends[0][i].0[at..at + 8]) * weights[0];
            for n in 1..N {
                *sum += f32x8::from_slice(simd, &ends[n][i].0[at..at + 8]) * weights[n];
            }
            for (pose, weight) in rest {
                if let Some(bone) = pose.get(start + i) {
                    *sum += f32x8::from_slice(simd, &bone.0[at..at + 8]) * f32x8::splat(simd, *weight);
                }
            }
            *sum = finish(f32x8::from_slice(simd, &last[i].0[at..at + 8]), *sum);
        }
        sums[0].store_slice(&mut last[i].0[..8]);
        sums[1].store_slice(&mut last[i].0[4..]);
    }
}

#[inline(always)]
fn load<S: Simd>(simd: S, quad: &[Mat3x4; 4], at: usize) -> f32x8<S> {
    let quad: &Quad = bytemuck::cast_ref(quad);
    f32x8::from_slice(simd, &quad[at..at + 8])
}
