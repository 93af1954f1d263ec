//! Weighted means of poses in which bones keep their rotations.

use std::borrow::Borrow;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4, f32x8, mask32x8};
use glam::{DMat3, DQuat, DVec3};

use super::blend;
use super::size::saturate;
use crate::math::Mat3x4;
use crate::simd::{dispatch, transposed};

/// Bones of an octet, as many as a vector has lanes.
const LANES: usize = 8;

/// Difference from a rotation, of each number, up to which a bone has no stretch: files round rotations.
const ROUNDED: f32 = 1e-4;

/// Square of the sine of the angle between two axes below which their parts are computed in f64.
const SLIM: f32 = 0.01;

/// Squares of lengths between which f32 divides by them.
const LEAST_SQUARE: f32 = 1e-20;
const MOST_SQUARE: f32 = 1e20;

type Lanes = [f32; LANES];

/// Eight bones, number by number: each is its rotation times its stretch.
///
/// The stretch is an upper triangular matrix, which scales, shears and mirrors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Octet {
    /// Unit quaternions: x, y, z, w; zero for a bone all of whose axes are zero.
    rotation: [Lanes; 4],
    origin: [Lanes; 3],
    /// Rows of the triangle: of forward, left and up its x; of left and up its y; of up its z.
    stretch: [Lanes; 6],
    /// `true` if no bone has a stretch.
    is_rigid: bool,
}

impl Octet {
    /// Splits the bones of a pose.
    pub fn split_pose(pose: &[Mat3x4]) -> Box<[Self]> {
        pose.chunks(LANES).map(|bones| Self::split_at(0, bones)).collect()
    }

    /// Splits bones, of which the first takes a lane. Lanes without a bone hold identities.
    #[inline(never)]
    fn split_at(lane: usize, bones: &[Mat3x4]) -> Self {
        let mut octet = [Mat3x4::IDENTITY; LANES];
        octet[lane..lane + bones.len()].copy_from_slice(bones);
        dispatch!(simd => split_on(simd, &octet))
    }
}

/// Most layers that are mixed: two poses of each of four blends.
pub(crate) const MAX_LAYERS: usize = 8;

/// Pose to mix, with its weight.
#[derive(Clone, Copy)]
pub(crate) struct Layer<'a> {
    /// Matrices of the bones to mix.
    pub pose: &'a [Mat3x4],
    /// All bones of the pose, if they were split before; otherwise empty.
    pub octets: &'a [Octet],
    pub weight: f32,
}

impl Layer<'_> {
    pub const NONE: Self = Self { pose: &[], octets: &[], weight: 0.0 };
}

/// Computes what [`mix`](blend::mix) does, except that the rotation of each bone is the mean of the quaternions, with
/// the same factors. `first` is the number of the first bone. The weights of the layers are positive.
///
/// A single pose is scaled, as its rotation is the mean.
pub(crate) fn mix(out: &mut [Mat3x4], first: usize, retain: f32, layers: &[Layer<'_>], add: f32) {
    debug_assert!(layers.len() <= MAX_LAYERS, "every layer has a place");
    debug_assert!(layers.iter().all(|layer| layer.pose.len() >= out.len()), "every pose has the bones of the mean");
    match layers {
        _ if add == 0.0 => blend::mix(out, retain, &[], add),
        [] => blend::mix(out, retain, &[], add),
        [layer] if retain == 0.0 => blend::mix(out, retain, &[(layer.pose, layer.weight)], add),
        _ => dispatch!(simd => mix_on(simd, out, first, retain, layers, add)),
    }
}

#[inline(always)]
fn mix_on<S: Simd>(simd: S, out: &mut [Mat3x4], first: usize, retain: f32, layers: &[Layer<'_>], add: f32) {
    // Octets that all layers have.
    let split = layers.iter().map(|layer| layer.octets.len()).min().unwrap_or(0);
    let (mut number, mut lane, mut start) = (first / LANES, first % LANES, 0);
    while start < out.len() {
        let end = out.len().min(start + LANES - lane);
        let kept = layers.iter().filter_map(|layer| Some((layer.octets.get(number)?, layer.weight * add, 1.0)));
        // The sum has the turns of the new poses, whatever the sign of their factor.
        let old;
        let mut retained = None;
        if retain != 0.0 {
            old = Octet::split_at(lane, &out[start..end]);
            retained = Some((&old, retain, retain * add));
        }
        let sum = if number < split && retained.is_none() {
            // Apart from the next branch, as its loop keeps the sums in registers.
            Sum::new(simd, kept)
        } else if number < split {
            Sum::new(simd, kept.chain(retained))
        } else {
            let new = layers.iter().map(|layer| {
                let octet = layer.octets.get(number).copied();
                let octet = octet.unwrap_or_else(|| Octet::split_at(lane, &layer.pose[start..end]));
                (octet, layer.weight * add, 1.0)
            });
            Sum::new(simd, new.chain(retained.map(|(old, weight, side)| (*old, weight, side))))
        };
        let is_rigid = sum.rigid.is_some();
        match <&mut [Mat3x4; LANES]>::try_from(&mut out[start..end]) {
            Ok(bones) => sum.store(bones),
            Err(_) => {
                let mut bones = [Mat3x4::ZERO; LANES];
                sum.store(&mut bones);
                out[start..end].copy_from_slice(&bones[lane..lane + end - start]);
            }
        }
        if !is_rigid {
            // A turned axis may have a greater number than the axis before.
            saturate(&mut out[start..end]);
        }
        (number, lane, start) = (number + 1, 0, end);
    }
}

/// Weighted sum of octets.
struct Sum<S: Simd> {
    simd: S,
    rotation: [f32x8<S>; 4],
    origin: [f32x8<S>; 3],
    /// Sum of the stretches, unless all octets are rigid.
    stretch: [f32x8<S>; 6],
    /// Sum of the weights, if all octets are rigid.
    rigid: Option<f32>,
}

impl<S: Simd> Sum<S> {
    /// Sums octets with weights. Each rotation is added with the sign with which it is nearer to the sum of those
    /// before it, or, if the third number is negative, farther from it.
    #[inline(always)]
    fn new<O: Borrow<Octet>>(simd: S, octets: impl Iterator<Item = (O, f32, f32)> + Clone) -> Self {
        let zero = f32x8::splat(simd, 0.0);
        let (mut rotation, mut origin, mut stretch) = ([zero; 4], [zero; 3], [zero; 6]);
        let (mut sum, mut is_rigid) = (0.0, true);
        for (octet, weight, side) in octets.clone() {
            let octet = octet.borrow();
            let weights = f32x8::splat(simd, weight);
            let turn = load(simd, &octet.rotation);
            let side = dot(turn, rotation) * f32x8::splat(simd, side);
            rotation = plus(rotation, scaled(turn, weights.copysign(side)));
            origin = plus(origin, scaled(load(simd, &octet.origin), weights));
            sum += weight;
            is_rigid &= octet.is_rigid;
        }
        if !is_rigid {
            for (octet, weight, _) in octets {
                let weights = f32x8::splat(simd, weight);
                stretch = plus(stretch, scaled(load(simd, &octet.borrow().stretch), weights));
            }
        }
        Self { simd, rotation, origin, stretch, rigid: is_rigid.then_some(sum) }
    }

    /// Writes the bones.
    #[inline(always)]
    fn store(self, bones: &mut [Mat3x4; LANES]) {
        let simd = self.simd;
        let one = f32x8::splat(simd, 1.0);
        // Without any rotation, the quaternion stays zero, whose matrix is the identity.
        let square = dot(self.rotation, self.rotation).max(f32x8::splat(simd, f32::MIN_POSITIVE));
        let scale = one / square.sqrt();
        let [x, y, z, w] = scaled(self.rotation, scale);
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, xy, xz) = (x * x2, x * y2, x * z2);
        let (yy, yz, zz) = (y * y2, y * z2, z * z2);
        let (xw, yw, zw) = (w * x2, w * y2, w * z2);
        let f = [one - (yy + zz), xy + zw, xz - yw];
        let l = [xy - zw, one - (xx + zz), yz + xw];
        let u = [xz + yw, yz - xw, one - (xx + yy)];
        let [f, l, u] = match self.rigid {
            Some(weight) => {
                let weights = f32x8::splat(simd, weight);
                [scaled(f, weights), scaled(l, weights), scaled(u, weights)]
            }
            None => {
                let [fx, lx, ux, ly, uy, uz] = self.stretch;
                [
                    scaled(f, fx),
                    plus(scaled(f, lx), scaled(l, ly)),
                    plus(plus(scaled(f, ux), scaled(l, uy)), scaled(u, uz)),
                ]
            }
        };
        // Zeros without a sign: the bits of a bone do not depend on whether others have a stretch.
        let zeros = [f32x8::splat(simd, 0.0); 3];
        let (l, u) = (plus(l, zeros), plus(u, zeros));
        for row in 0..3 {
            let [a, b, c, d] = [f[row].split(), l[row].split(), u[row].split(), self.origin[row].split()];
            let numbers = [transposed([a.0, b.0, c.0, d.0]), transposed([a.1, b.1, c.1, d.1])];
            for bone in 0..LANES {
                numbers[bone / 4][bone % 4].store_slice(&mut bones[bone].0[4 * row..4 * row + 4]);
            }
        }
    }
}

/// Splits eight bones.
#[inline(always)]
fn split_on<S: Simd>(simd: S, bones: &[Mat3x4; LANES]) -> Octet {
    let (zero, one) = (splat(simd, 0.0), splat(simd, 1.0));
    let (mut forward, mut left) = ([splat(simd, 0.0); 3], [splat(simd, 0.0); 3]);
    let (mut up, mut origin) = (forward, left);
    for row in 0..3 {
        let at = 4 * row;
        let low = transposed([
            f32x4::from_slice(simd, &bones[0].0[at..at + 4]),
            f32x4::from_slice(simd, &bones[1].0[at..at + 4]),
            f32x4::from_slice(simd, &bones[2].0[at..at + 4]),
            f32x4::from_slice(simd, &bones[3].0[at..at + 4]),
        ]);
        let high = transposed([
            f32x4::from_slice(simd, &bones[4].0[at..at + 4]),
            f32x4::from_slice(simd, &bones[5].0[at..at + 4]),
            f32x4::from_slice(simd, &bones[6].0[at..at + 4]),
            f32x4::from_slice(simd, &bones[7].0[at..at + 4]),
        ]);
        forward[row] = low[0].combine(high[0]);
        left[row] = low[1].combine(high[1]);
        up[row] = low[2].combine(high[2]);
        origin[row] = low[3].combine(high[3]);
    }

    // Gram and Schmidt: what is not along the axes before.
    let square = dot(forward, forward);
    let fx = square.sqrt();
    let x = scaled(forward, one / fx);
    let lx = dot(x, left);
    let across = plus(left, scaled(x, -lx));
    let (left_square, across_square) = (dot(left, left), dot(across, across));
    let ly = across_square.sqrt();
    let y = scaled(across, one / ly);
    let z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    let mut stretch = [fx, lx, dot(x, up), ly, dot(y, up), dot(z, up)];
    let (least, most) = (splat(simd, LEAST_SQUARE), splat(simd, MOST_SQUARE));
    let is_regular = square.simd_gt(least)
        & square.simd_lt(most)
        & left_square.simd_gt(least)
        & left_square.simd_lt(most)
        & across_square.simd_gt(left_square * splat(simd, SLIM));

    let (ideal, rounded) = ([one, zero, zero, one, zero, one], splat(simd, ROUNDED));
    let mut is_rigid = is_regular;
    for number in 0..6 {
        is_rigid &= (stretch[number] - ideal[number]).abs().simd_le(rounded);
    }
    for number in 0..6 {
        stretch[number] = is_rigid.select(ideal[number], stretch[number]);
    }

    // Of four times the products of the quaternion's components, the row of one of at least a half.
    let (sum, difference) = (x[0] + y[1], x[0] - y[1]);
    let (above, below) = (one + z[2], one - z[2]);
    let (xx, yy, zz, ww) = (below + difference, below - difference, above - sum, above + sum);
    let (xw, yw, zw) = (y[2] - z[1], z[0] - x[2], x[1] - y[0]);
    let (xy, xz, yz) = (x[1] + y[0], z[0] + x[2], y[2] + z[1]);
    let (is_lower, is_x, is_z) = (z[2].simd_lt(zero), difference.simd_gt(zero), sum.simd_lt(zero));
    let masks = [is_lower, is_x, is_z];
    let row = [
        one_of(masks, xx, xy, xz, xw),
        one_of(masks, xy, yy, yz, yw),
        one_of(masks, xz, yz, zz, zw),
        one_of(masks, xw, yw, zw, ww),
    ];
    let half = splat(simd, 0.5) / one_of(masks, xx, yy, zz, ww).sqrt();
    let mut octet = Octet {
        rotation: stored(scaled(row, half)),
        origin: stored(origin),
        stretch: stored(stretch),
        is_rigid: is_rigid.all_true(),
    };
    if !is_regular.all_true() {
        split_irregular(&mut octet, bones, &stored([is_regular.select(one, zero)])[0]);
    }
    octet
}

/// Splits those bones of an octet that are not regular.
#[cold]
#[inline(never)]
fn split_irregular(octet: &mut Octet, bones: &[Mat3x4; LANES], is_regular: &Lanes) {
    for lane in 0..LANES {
        if is_regular[lane] == 1.0 {
            continue;
        }
        let (rotation, stretch) = split(&bones[lane]);
        for (numbers, number) in octet.rotation.iter_mut().zip(rotation) {
            numbers[lane] = number;
        }
        for (numbers, number) in octet.stretch.iter_mut().zip(stretch) {
            numbers[lane] = number;
        }
    }
}

/// Splits any matrix into a rotation, which is zero if all axes are, and a stretch.
fn split(bone: &Mat3x4) -> ([f32; 4], [f32; 6]) {
    let [forward, left, up] = [bone.forward(), bone.left(), bone.up()].map(|axis| axis.as_dvec3());
    let across = |axis: DVec3, from: DVec3| {
        let across = axis - from * from.dot(axis);
        let is_across = across.length() > 1e-6 * axis.length();
        if is_across { across.try_normalize() } else { None }
    };
    // An axis without a direction takes one across the others.
    let (x, y) = match (forward.try_normalize(), left.try_normalize(), up.try_normalize()) {
        (Some(x), ..) => {
            let beside_up = || across(up, x).map(|up| up.cross(x));
            (x, across(left, x).or_else(beside_up).unwrap_or_else(|| x.any_orthonormal_vector()))
        }
        (None, Some(y), _) => (across(up, y).map_or_else(|| y.any_orthonormal_vector(), |up| y.cross(up)), y),
        (None, None, Some(z)) => {
            let x = z.any_orthonormal_vector();
            (x, z.cross(x))
        }
        (None, None, None) => return ([0.0; 4], [forward.x, left.x, up.x, left.y, up.y, up.z].map(|n| n as f32)),
    };
    let z = x.cross(y);
    let stretch = [x.dot(forward), x.dot(left), x.dot(up), y.dot(left), y.dot(up), z.dot(up)];
    let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize();
    (rotation.as_quat().to_array(), stretch.map(|number| number as f32))
}

#[inline(always)]
fn splat<S: Simd>(simd: S, number: f32) -> f32x8<S> {
    f32x8::splat(simd, number)
}

#[inline(always)]
fn load<S: Simd, const N: usize>(simd: S, lanes: &[Lanes; N]) -> [f32x8<S>; N] {
    let mut numbers = [f32x8::splat(simd, 0.0); N];
    for (number, lanes) in numbers.iter_mut().zip(lanes) {
        *number = f32x8::from_slice(simd, lanes);
    }
    numbers
}

#[inline(always)]
fn stored<S: Simd, const N: usize>(numbers: [f32x8<S>; N]) -> [Lanes; N] {
    let mut lanes = [[0.0; LANES]; N];
    for n in 0..N {
        numbers[n].store_slice(&mut lanes[n]);
    }
    lanes
}

/// Returns one of four numbers: of the first two where the first mask is set, and the first of two where theirs is.
#[inline(always)]
fn one_of<S: Simd>(
    [is_first, is_x, is_z]: [mask32x8<S>; 3],
    x: f32x8<S>,
    y: f32x8<S>,
    z: f32x8<S>,
    w: f32x8<S>,
) -> f32x8<S> {
    is_first.select(is_x.select(x, y), is_z.select(z, w))
}

#[inline(always)]
fn dot<S: Simd, const N: usize>(a: [f32x8<S>; N], b: [f32x8<S>; N]) -> f32x8<S> {
    let mut sum = a[0] * b[0];
    for n in 1..N {
        sum += a[n] * b[n];
    }
    sum
}

#[inline(always)]
fn scaled<S: Simd, const N: usize>(mut numbers: [f32x8<S>; N], factor: f32x8<S>) -> [f32x8<S>; N] {
    for number in &mut numbers {
        *number *= factor;
    }
    numbers
}

#[inline(always)]
fn plus<S: Simd, const N: usize>(mut a: [f32x8<S>; N], b: [f32x8<S>; N]) -> [f32x8<S>; N] {
    for n in 0..N {
        a[n] += b[n];
    }
    a
}
