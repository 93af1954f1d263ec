//! Arithmetic of skinning, four vertices at a time.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Fallback, Simd, f32x4, f32x8, f64x2, mask32x4, u32x4};

use super::layout::{Blend, Each, Row, Shared};
use super::matrix_table::Table;
use super::{Group, Groups, NormalLength, Skinner};
use crate::math::Mat3x4;
use crate::simd::transposed;

/// Constants of an inverse square root by one Newton step, chosen for the smallest relative error: 0.00065.
const GUESS: u32 = 0x5F1F_FFF9;
const SLOPE: f32 = 0.703_952_25;
const OFFSET: f32 = 2.389_244_6;

/// Kernel for positions alone.
pub(super) const POSITIONS: u8 = 0;
/// Kernel for positions and exact normals, for which there is the same room.
pub(super) const EXACT_NORMALS: u8 = 1;
/// Kernel for anything else.
pub(super) const ANYTHING: u8 = 2;
/// Kernel for anything in little code, without a loop for each number of bones.
const PLAIN: u8 = 3;

/// Number of bones that is not known before.
const ANY: usize = usize::MAX;

/// Vectors of four vertices: the numbers of each axis side by side.
type Four<S> = [f32x4<S>; 3];

/// Matrices of four vertices: the numbers of each place side by side, row by row.
type Matrices<S> = [[f32x4<S>; 4]; 3];

/// Slices that the kernel writes, as floats.
pub(super) struct Output<'a> {
    pub positions: &'a mut [f32],
    pub normals: &'a mut [f32],
    pub tangents: &'a mut [[f32; 4]],
    pub length: NormalLength,
}

/// Output of a kernel.
struct Sink<'a, S: Simd> {
    positions: &'a mut [f32],
    normals: &'a mut [f32],
    tangents: &'a mut [[f32; 4]],
    length: NormalLength,
    /// Sums of the lengths of exact normals before scaling: NaN once one had no direction.
    lengths: f32x4<S>,
}

/// Skins a mesh without vectors, for which no further kernel pays.
///
/// Where nothing is optimised, compilers take minutes and gigabytes for all kernels without vectors, above all for
/// WebAssembly.
#[inline(never)]
pub(super) fn skin_plainly(simd: Fallback, skinner: &Skinner, palette: &[Mat3x4], table: &mut Table, out: Output<'_>) {
    skin::<_, false, PLAIN>(simd, skinner, palette, table, out);
}

/// Skins a mesh.
#[inline(always)]
pub(super) fn skin<S: Simd, const FUSED: bool, const WHAT: u8>(
    simd: S,
    skinner: &Skinner,
    palette: &[Mat3x4],
    table: &mut Table,
    out: Output<'_>,
) {
    let Skinner { rows, each, parts, .. } = skinner;
    let Output { positions, normals, tangents, length } = out;
    // Slices of one length need one check for both.
    let normals = if WHAT == EXACT_NORMALS { &mut normals[..positions.len()] } else { normals };
    let out = &mut Sink { positions, normals, tangents, length, lengths: f32x4::splat(simd, 0.0) };
    let (mut row, mut other) = (0, 0);
    for part in parts {
        table.fill(palette, &part.bones);
        for shared in &part.shared {
            let matrices = common::<S, FUSED, WHAT>(simd, shared, table);
            let (rows_end, each_end) = (row + shared.rows, other + shared.each);
            write::<S, _, FUSED, WHAT>(simd, rows, row..rows_end, &matrices, out);
            write::<S, _, FUSED, WHAT>(simd, each, other..each_end, &matrices, out);
            (row, other) = (rows_end, each_end);
        }
        for (count, single) in part.single.iter().enumerate() {
            write_single::<S, _, FUSED, WHAT>(simd, rows, row, count, &single.rows, table, out);
            write_single::<S, _, FUSED, WHAT>(simd, each, other, count, &single.each, table, out);
            (row, other) = (row + single.rows.len(), other + single.each.len());
        }
    }
    copy(simd, rows, row, out);
    copy(simd, each, other, out);
    if out.lengths.simd_ne(out.lengths).any_true() {
        keep(rows, out.normals);
        keep(each, out.normals);
    }
}

/// Replaces normals without a direction by those of the mesh.
#[cold]
fn keep<P: Place>(groups: &Groups<P>, normals: &mut [f32]) {
    for Group { normal: [x, y, z], place, .. } in &groups.groups {
        for (lane, start) in place.starts().into_iter().enumerate() {
            if let Some(out) = normals.get_mut(start..start + 3)
                && (out.iter().any(|number| !number.is_finite()) || out.iter().all(|number| *number == 0.0))
            {
                out.copy_from_slice(&[x[lane], y[lane], z[lane]]);
            }
        }
    }
}

/// Skins groups in which each vertex has another matrix of `count` bones.
#[inline(always)]
fn write_single<S: Simd, P: Place, const FUSED: bool, const WHAT: u8>(
    simd: S,
    groups: &Groups<P>,
    start: usize,
    count: usize,
    blends: &[[Blend; 4]],
    table: &Table,
    out: &mut Sink<'_, S>,
) {
    match count {
        _ if WHAT == PLAIN => write_counted::<S, P, FUSED, WHAT, ANY>(simd, groups, start, count, blends, table, out),
        0 => write_counted::<S, P, FUSED, WHAT, 0>(simd, groups, start, count, blends, table, out),
        1 => write_counted::<S, P, FUSED, WHAT, 1>(simd, groups, start, count, blends, table, out),
        2 => write_counted::<S, P, FUSED, WHAT, 2>(simd, groups, start, count, blends, table, out),
        3 => write_counted::<S, P, FUSED, WHAT, 3>(simd, groups, start, count, blends, table, out),
        _ => write_counted::<S, P, FUSED, WHAT, 4>(simd, groups, start, count, blends, table, out),
    }
}

#[inline(always)]
fn write_counted<S: Simd, P: Place, const FUSED: bool, const WHAT: u8, const COUNT: usize>(
    simd: S,
    groups: &Groups<P>,
    start: usize,
    count: usize,
    blends: &[[Blend; 4]],
    table: &Table,
    out: &mut Sink<'_, S>,
) {
    for (number, ([a, b, c, d], group)) in (start..).zip(blends.iter().zip(&groups.groups[start..])) {
        let (a01, a2) = blended::<S, FUSED, COUNT>(simd, count, a, table);
        let (b01, b2) = blended::<S, FUSED, COUNT>(simd, count, b, table);
        let (c01, c2) = blended::<S, FUSED, COUNT>(simd, count, c, table);
        let (d01, d2) = blended::<S, FUSED, COUNT>(simd, count, d, table);
        let ((a0, a1), (b0, b1)) = (a01.split(), b01.split());
        let ((c0, c1), (d0, d1)) = (c01.split(), d01.split());
        let matrices = [transposed([a0, b0, c0, d0]), transposed([a1, b1, c1, d1]), transposed([a2, b2, c2, d2])];
        write_group::<S, P, FUSED, WHAT>(simd, group, &matrices, out);
        write_tangents::<S, P, FUSED, WHAT>(simd, groups, number, &matrices, out);
    }
}

/// Skins groups that have a matrix in common.
#[inline(always)]
fn write<S: Simd, P: Place, const FUSED: bool, const WHAT: u8>(
    simd: S,
    groups: &Groups<P>,
    range: Range<usize>,
    matrices: &Matrices<S>,
    out: &mut Sink<'_, S>,
) {
    for (number, group) in (range.start..).zip(&groups.groups[range]) {
        write_group::<S, P, FUSED, WHAT>(simd, group, matrices, out);
        write_tangents::<S, P, FUSED, WHAT>(simd, groups, number, matrices, out);
    }
}

/// Writes a group's positions and normals, as far as they are wanted.
#[inline(always)]
fn write_group<S: Simd, P: Place, const FUSED: bool, const WHAT: u8>(
    simd: S,
    group: &Group<P>,
    matrices: &Matrices<S>,
    out: &mut Sink<'_, S>,
) {
    let position = moved::<S, FUSED>(matrices, load(simd, &group.position));
    if WHAT == EXACT_NORMALS {
        let [x, y, z] = rotated::<S, FUSED>(matrices, load(simd, &group.normal));
        let square = x * x + y * y + z * z;
        let scale = inverse_root(square);
        out.lengths += square * scale;
        let normal = [x * scale, y * scale, z * scale];
        return group.place.store_pair([position, normal], [out.positions, out.normals]);
    }
    group.place.store(position, out.positions);
    if WHAT >= ANYTHING && !out.normals.is_empty() {
        let normal = turned::<S, FUSED>(matrices, load(simd, &group.normal), out.length);
        group.place.store(normal, out.normals);
    }
}

/// Writes a group's tangents, if they are wanted.
#[inline(always)]
fn write_tangents<S: Simd, P: Place, const FUSED: bool, const WHAT: u8>(
    simd: S,
    groups: &Groups<P>,
    number: usize,
    matrices: &Matrices<S>,
    out: &mut Sink<'_, S>,
) {
    if WHAT >= ANYTHING
        && !out.tangents.is_empty()
        && let Some([x, y, z, side]) = groups.tangents.get(number)
    {
        let tangent = turned::<S, FUSED>(matrices, load(simd, &[*x, *y, *z]), out.length);
        groups.groups[number].place.store_sided(tangent, *side, out.tangents);
    }
}

/// Copies the groups from a number on, which no bone moves.
#[inline(always)]
fn copy<S: Simd, P: Place>(simd: S, groups: &Groups<P>, start: usize, out: &mut Sink<'_, S>) {
    for (number, Group { place, position, normal }) in groups.groups.iter().enumerate().skip(start) {
        place.store(load(simd, position), out.positions);
        let normal = load(simd, normal);
        place.store(scaled(normal, normal, out.length), out.normals);
        if let Some([x, y, z, side]) = groups.tangents.get(number) {
            let tangent = load(simd, &[*x, *y, *z]);
            place.store_sided(scaled(tangent, tangent, out.length), *side, out.tangents);
        }
    }
}

/// Returns the matrix of a blend in all four lanes.
#[inline(always)]
fn common<S: Simd, const FUSED: bool, const WHAT: u8>(simd: S, shared: &Shared, table: &Table) -> Matrices<S> {
    let (blend, count) = (&shared.blend, shared.count);
    let (upper, lower) = match count {
        _ if WHAT == PLAIN => blended::<S, FUSED, ANY>(simd, count, blend, table),
        0 => blended::<S, FUSED, 0>(simd, count, blend, table),
        1 => blended::<S, FUSED, 1>(simd, count, blend, table),
        2 => blended::<S, FUSED, 2>(simd, count, blend, table),
        3 => blended::<S, FUSED, 3>(simd, count, blend, table),
        _ => blended::<S, FUSED, 4>(simd, count, blend, table),
    };
    let (x, y) = upper.split();
    [splats(x), splats(y), splats(lower)]
}

/// Returns the weighted sum of `COUNT` matrices, or of `count`: two rows, and the third.
#[inline(always)]
fn blended<S: Simd, const FUSED: bool, const COUNT: usize>(
    simd: S,
    count: usize,
    blend: &Blend,
    table: &Table,
) -> (f32x8<S>, f32x4<S>) {
    let (mut upper, mut lower) = (f32x8::splat(simd, 0.0), f32x4::splat(simd, 0.0));
    for bone in 0..if COUNT == ANY { count } else { COUNT } {
        let matrix = table.matrix(blend.offsets[bone]);
        let (rows, row) = (f32x8::from_slice(simd, &matrix[..8]), f32x4::from_slice(simd, &matrix[8..]));
        let weight = blend.weights[bone];
        let (eight, four) = (f32x8::splat(simd, weight), f32x4::splat(simd, weight));
        if bone == 0 {
            (upper, lower) = (rows * eight, row * four);
        } else if FUSED {
            (upper, lower) = (rows.mul_add(eight, upper), row.mul_add(four, lower));
        } else {
            (upper, lower) = (upper + rows * eight, lower + row * four);
        }
    }
    (upper, lower)
}

#[inline(always)]
fn splats<S: Simd>(row: f32x4<S>) -> [f32x4<S>; 4] {
    let simd = row.simd;
    let [a, b, c, d]: [f32; 4] = row.into();
    [f32x4::splat(simd, a), f32x4::splat(simd, b), f32x4::splat(simd, c), f32x4::splat(simd, d)]
}

/// Returns four vectors one after the other.
#[inline(always)]
fn packed<S: Simd>([x, y, z]: Four<S>) -> [f32x4<S>; 3] {
    let (xy, zx, yz) = (x.unzip_low(y), halves(z, x), y.unzip_high(z));
    [xy.unzip_low(zx), halves(yz, xy), zx.unzip_high(yz)]
}

/// Returns the even numbers of a vector and the odd ones of another.
#[inline(always)]
fn halves<S: Simd>(even: f32x4<S>, odd: f32x4<S>) -> f32x4<S> {
    let (even, odd): (f64x2<S>, f64x2<S>) = (even.unzip_low(even).bitcast(), odd.unzip_high(odd).bitcast());
    even.zip_low(odd).bitcast()
}

/// Returns four vectors apart.
#[inline(always)]
fn apart<S: Simd>([x, y, z]: Four<S>) -> [[f32; 3]; 4] {
    let (x, y, z): ([f32; 4], [f32; 4], [f32; 4]) = (x.into(), y.into(), z.into());
    [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]], [x[3], y[3], z[3]]]
}

#[inline(always)]
fn load<S: Simd>(simd: S, [x, y, z]: &[[f32; 4]; 3]) -> Four<S> {
    [f32x4::simd_from(simd, *x), f32x4::simd_from(simd, *y), f32x4::simd_from(simd, *z)]
}

#[inline(always)]
fn moved<S: Simd, const FUSED: bool>([first, second, third]: &Matrices<S>, position: Four<S>) -> Four<S> {
    [place::<S, FUSED>(first, position), place::<S, FUSED>(second, position), place::<S, FUSED>(third, position)]
}

#[inline(always)]
fn place<S: Simd, const FUSED: bool>(row: &[f32x4<S>; 4], position: Four<S>) -> f32x4<S> {
    if FUSED {
        let [x, y, z] = position;
        return row[0].mul_add(x, row[1].mul_add(y, row[2].mul_add(z, row[3])));
    }
    direction::<S, FUSED>(row, position) + row[3]
}

#[inline(always)]
fn direction<S: Simd, const FUSED: bool>(row: &[f32x4<S>; 4], [x, y, z]: Four<S>) -> f32x4<S> {
    if FUSED {
        return row[2].mul_add(z, row[1].mul_add(y, row[0] * x));
    }
    row[0] * x + row[1] * y + row[2] * z
}

/// Returns rotated normals or tangents, as long as the matrices make them.
#[inline(always)]
fn rotated<S: Simd, const FUSED: bool>([first, second, third]: &Matrices<S>, from: Four<S>) -> Four<S> {
    let x = direction::<S, FUSED>(first, from);
    let y = direction::<S, FUSED>(second, from);
    let z = direction::<S, FUSED>(third, from);
    [x, y, z]
}

/// Returns rotated normals or tangents.
#[inline(always)]
fn turned<S: Simd, const FUSED: bool>(matrices: &Matrices<S>, from: Four<S>, length: NormalLength) -> Four<S> {
    scaled(rotated::<S, FUSED>(matrices, from), from, length)
}

/// Returns vectors of unit length; those without a direction are replaced by the ones in `from`.
#[inline(always)]
fn scaled<S: Simd>([mut x, mut y, mut z]: Four<S>, from: Four<S>, length: NormalLength) -> Four<S> {
    let square = x * x + y * y + z * z;
    let (scale, is_bad) = match length {
        NormalLength::Exact => exact(square),
        NormalLength::Newton => newton(square),
        NormalLength::Unscaled => return [x, y, z],
    };
    (x, y, z) = (x * scale, y * scale, z * scale);
    if is_bad.any_true() {
        x = is_bad.select(from[0], x);
        y = is_bad.select(from[1], y);
        z = is_bad.select(from[2], z);
    }
    [x, y, z]
}

/// Returns inverse square roots, and the lanes in which they are zero, infinite or NaN.
#[inline(always)]
fn exact<S: Simd>(square: f32x4<S>) -> (f32x4<S>, mask32x4<S>) {
    let scale = inverse_root(square);
    // NaN for zero and for what overflowed.
    let length = square * scale;
    (scale, length.simd_ne(length))
}

#[inline(always)]
fn inverse_root<S: Simd>(square: f32x4<S>) -> f32x4<S> {
    f32x4::splat(square.simd, 1.0) / square.sqrt()
}

/// Returns inverse square roots by one Newton step, and the lanes in which they are wrong.
#[inline(always)]
fn newton<S: Simd>(square: f32x4<S>) -> (f32x4<S>, mask32x4<S>) {
    let simd = square.simd;
    let bits: u32x4<S> = square.bitcast();
    let guess: f32x4<S> = (u32x4::splat(simd, GUESS) - (bits >> 1)).bitcast();
    let scale = guess * (f32x4::splat(simd, SLOPE) * (f32x4::splat(simd, OFFSET) - square * guess * guess));
    let is_normal = square.simd_ge(f32x4::splat(simd, f32::MIN_POSITIVE));
    (scale, !(is_normal & square.simd_lt(f32x4::splat(simd, f32::INFINITY))))
}

/// Places of four vertices in slices.
pub(super) trait Place: Copy {
    /// Writes four vectors as three floats each, as many as there is room for.
    fn store<S: Simd>(self, vectors: Four<S>, out: &mut [f32]);

    /// Writes four vectors to each of two slices of the same length, as many as there is room for.
    fn store_pair<S: Simd>(self, vectors: [Four<S>; 2], out: [&mut [f32]; 2]);

    /// Writes four vectors with a fourth number each, as many as there is room for.
    fn store_sided<S: Simd>(self, vectors: Four<S>, side: [f32; 4], out: &mut [[f32; 4]]);

    /// Returns three times the numbers of the vertices.
    fn starts(self) -> [usize; 4];
}

impl Place for Row {
    #[inline(always)]
    fn store<S: Simd>(self, vectors: Four<S>, out: &mut [f32]) {
        let (start, vectors) = (self.0 as usize, packed(vectors));
        match out.get_mut(start..start + 12) {
            Some(out) => store_row(vectors, out),
            None => store_part(vectors, start, out),
        }
    }

    #[inline(always)]
    fn store_pair<S: Simd>(self, [first, second]: [Four<S>; 2], [out, other]: [&mut [f32]; 2]) {
        debug_assert_eq!(out.len(), other.len(), "positions and normals have the same room");
        let (start, first, second) = (self.0 as usize, packed(first), packed(second));
        if start + 12 <= out.len() && start + 12 <= other.len() {
            store_row(first, &mut out[start..start + 12]);
            store_row(second, &mut other[start..start + 12]);
        } else {
            store_part(first, start, out);
            store_part(second, start, other);
        }
    }

    #[inline(always)]
    fn store_sided<S: Simd>(self, [x, y, z]: Four<S>, side: [f32; 4], out: &mut [[f32; 4]]) {
        let vectors = transposed([x, y, z, f32x4::simd_from(x.simd, side)]);
        for (out, vector) in out.iter_mut().skip(self.0 as usize / 3).zip(vectors) {
            *out = vector.into();
        }
    }

    fn starts(self) -> [usize; 4] {
        [0, 3, 6, 9].map(|lane| self.0 as usize + lane)
    }
}

impl Place for Each {
    #[inline(always)]
    fn store<S: Simd>(self, vectors: Four<S>, out: &mut [f32]) {
        for (start, vector) in self.starts().into_iter().zip(apart(vectors)) {
            if let Some(out) = out.get_mut(start..start + 3) {
                out.copy_from_slice(&vector);
            }
        }
    }

    #[inline(always)]
    fn store_pair<S: Simd>(self, [first, second]: [Four<S>; 2], [out, other]: [&mut [f32]; 2]) {
        for ((start, first), second) in self.starts().into_iter().zip(apart(first)).zip(apart(second)) {
            if start + 3 <= out.len() && start + 3 <= other.len() {
                out[start..start + 3].copy_from_slice(&first);
                other[start..start + 3].copy_from_slice(&second);
            }
        }
    }

    #[inline(always)]
    fn store_sided<S: Simd>(self, [x, y, z]: Four<S>, side: [f32; 4], out: &mut [[f32; 4]]) {
        let vectors = transposed([x, y, z, f32x4::simd_from(x.simd, side)]);
        for (start, vector) in self.starts().into_iter().zip(vectors) {
            if let Some(out) = out.get_mut(start / 3) {
                *out = vector.into();
            }
        }
    }

    #[inline(always)]
    fn starts(self) -> [usize; 4] {
        let [a, b, c, d] = self.0;
        [a as usize, b as usize, c as usize, d as usize]
    }
}

#[inline(always)]
fn store_row<S: Simd>([first, second, third]: [f32x4<S>; 3], out: &mut [f32]) {
    first.store_slice(&mut out[..4]);
    second.store_slice(&mut out[4..8]);
    third.store_slice(&mut out[8..]);
}

/// Writes those of four vectors for which there is room.
#[inline(always)]
fn store_part<S: Simd>([first, second, third]: [f32x4<S>; 3], start: usize, out: &mut [f32]) {
    let vectors: [[f32; 4]; 3] = [first.into(), second.into(), third.into()];
    let room = out.get_mut(start..).unwrap_or_default().chunks_exact_mut(3);
    room.zip(vectors.as_flattened().chunks_exact(3)).for_each(|(out, vector)| out.copy_from_slice(vector));
}
