//! All bones of a pose in model space at once, each multiplied from the bone to the root.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4, f32x8, mask32x8};

use super::Mat3x4;
use crate::simd::dispatch;

/// Order of bones in which every bone stands before its descendants, and the descendants follow without a gap.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Branches(Vec<Branch>);

/// A place in the order.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Branch {
    bone: u16,
    /// Place behind the last descendant of the bone.
    end: u16,
}

impl Branches {
    /// Orders at most 65,535 bones, whose parents are read as by [`to_model_space`](super::hierarchy::to_model_space).
    pub fn new(parents: &[i32]) -> Self {
        debug_assert!(parents.len() <= usize::from(u16::MAX), "a place fits into 16 bits");
        let parent = |bone: usize| usize::try_from(parents[bone]).ok().filter(|&parent| parent < bone);
        let mut sizes = vec![1; parents.len()];
        for bone in (0..parents.len()).rev() {
            if let Some(parent) = parent(bone) {
                sizes[parent] += sizes[bone];
            }
        }
        let mut branches = vec![Branch::default(); parents.len()];
        let (mut next_root, mut next_child) = (0, vec![0; parents.len()]);
        for bone in 0..parents.len() {
            let next = parent(bone).map_or(&mut next_root, |parent| &mut next_child[parent]);
            let place = *next;
            let end = place + sizes[bone];
            *next = end;
            next_child[bone] = place + 1;
            branches[place] = Branch { bone: bone as u16, end: end as u16 };
        }
        debug_assert_eq!(next_root, parents.len(), "every bone has a place, without a gap");
        Self(branches)
    }

    /// Writes all bones in model space, each with the bits of
    /// [`bone_in_model_space`](super::hierarchy::bone_in_model_space).
    ///
    /// All slices must have as many bones as were ordered; `scratch` is overwritten.
    pub fn to_model_space(&self, local: &[Mat3x4], scratch: &mut [Mat3x4], out: &mut [Mat3x4]) {
        let lengths = [local.len(), scratch.len(), out.len()];
        debug_assert_eq!(lengths, [self.0.len(); 3], "all slices have as many bones as were ordered");
        dispatch!(simd => to_model_space_on(simd, &self.0, local, scratch, out));
    }
}

/// Multiplies each bone into all its descendants, from the leaves to the roots.
// The products of a bone with its ancestors cannot be shared with other bones, as they begin at the bone. But each
// ancestor is the left factor of all its descendants, and two of these fit into a vector.
#[inline(always)]
fn to_model_space_on<S: Simd>(
    simd: S,
    branches: &[Branch],
    local: &[Mat3x4],
    scratch: &mut [Mat3x4],
    out: &mut [Mat3x4],
) {
    let rows: &mut [[f32; 4]] = bytemuck::cast_slice_mut(&mut scratch[..branches.len()]);
    let (first, rest) = rows.split_at_mut(branches.len());
    let (second, third) = rest.split_at_mut(branches.len());
    for (place, branch) in branches.iter().enumerate().rev() {
        let (own, end) = (&local[usize::from(branch.bone)], usize::from(branch.end));
        debug_assert!(place < end && end <= branches.len(), "descendants follow their bone");
        // If the descendants are odd in number, the place of the bone fills the first pair: it is not yet written.
        let start = end - (end - place) / 2 * 2;
        let (x, y, z) = (&mut first[start..end], &mut second[start..end], &mut third[start..end]);
        multiply(simd, own, x.as_chunks_mut().0, y.as_chunks_mut().0, z.as_chunks_mut().0);
        let (rows, _) = own.0.as_chunks::<4>();
        first[place] = rows[0];
        second[place] = rows[1];
        third[place] = rows[2];
    }
    for (branch, ((x, y), z)) in branches.iter().zip(first.iter().zip(second).zip(third)) {
        let (rows, _) = out[usize::from(branch.bone)].0.as_chunks_mut::<4>();
        rows[0] = *x;
        rows[1] = *y;
        rows[2] = *z;
    }
}

/// Multiplies pairs of bones, given by their rows, by a matrix on the left.
#[inline(always)]
fn multiply<S: Simd>(
    simd: S,
    left: &Mat3x4,
    first: &mut [[[f32; 4]; 2]],
    second: &mut [[[f32; 4]; 2]],
    third: &mut [[[f32; 4]; 2]],
) {
    let pairs = first.len();
    if pairs == 0 {
        return;
    }
    // Adding -0 changes no number, not even the sign of a zero.
    let is_origin = mask32x8::simd_from(simd, [0, 0, 0, -1, 0, 0, 0, -1]);
    let mut splats = [f32x8::splat(simd, 0.0); 12];
    for (splat, float) in splats.iter_mut().zip(left.0) {
        *splat = f32x8::splat(simd, float);
    }
    let mut origins = [f32x8::splat(simd, -0.0); 3];
    for (row, origin) in origins.iter_mut().enumerate() {
        let row = f32x4::from_slice(simd, &left.0[4 * row..4 * row + 4]);
        *origin = is_origin.select(f32x8::block_splat(row), *origin);
    }
    let (second, third) = (&mut second[..pairs], &mut third[..pairs]);
    for pair in 0..pairs {
        let rows = [&mut first[pair], &mut second[pair], &mut third[pair]];
        let [x, y, z] = [
            f32x8::from_slice(simd, rows[0].as_flattened()),
            f32x8::from_slice(simd, rows[1].as_flattened()),
            f32x8::from_slice(simd, rows[2].as_flattened()),
        ];
        for (row, out) in rows.into_iter().enumerate() {
            let at = 4 * row;
            let product = splats[at] * x + splats[at + 1] * y + splats[at + 2] * z + origins[row];
            product.store_slice(out.as_flattened_mut());
        }
    }
}
