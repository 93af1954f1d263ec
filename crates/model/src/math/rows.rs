//! Matrices in vector registers.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4, f32x8, mask32x4, mask32x8};

use super::Mat3x4;

/// Matrix as two vectors: rows 0 and 1, and row 2.
#[derive(Clone, Copy)]
pub(crate) struct Rows<S: Simd> {
    upper: f32x8<S>,
    lower: f32x4<S>,
}

impl<S: Simd> Rows<S> {
    #[inline(always)]
    pub fn load(simd: S, matrix: &Mat3x4) -> Self {
        Self { upper: f32x8::from_slice(simd, &matrix.0[..8]), lower: f32x4::from_slice(simd, &matrix.0[8..]) }
    }

    #[inline(always)]
    pub fn store(self, matrix: &mut Mat3x4) {
        self.upper.store_slice(&mut matrix.0[..8]);
        self.lower.store_slice(&mut matrix.0[8..]);
    }

    /// Multiplies all numbers by a factor.
    #[inline(always)]
    pub fn scaled(self, factor: f32) -> Self {
        Self { upper: self.upper * factor, lower: self.lower * factor }
    }

    /// Adds two matrices, number by number.
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self { upper: self.upper + other.upper, lower: self.lower + other.lower }
    }

    /// Prepares the matrix as the right factor of a product.
    #[inline(always)]
    pub fn into_factor(self) -> Factor<S> {
        let (first, second) = self.upper.split();
        Factor([first, second, self.lower])
    }

    /// Prepares the matrix as the left factor of products.
    #[inline(always)]
    pub fn into_left(self) -> Left<S> {
        Left::new(self, self)
    }
}

/// Left factor of products: each number of the matrix in all places of a row.
#[derive(Clone, Copy)]
pub(crate) struct Left<S: Simd> {
    upper: [f32x8<S>; 3],
    upper_origin: f32x8<S>,
    lower: [f32x4<S>; 3],
    lower_origin: f32x4<S>,
}

impl<S: Simd> Left<S> {
    /// Prepares a matrix whose first three columns are those of `basis`, and the fourth that of `origin`.
    #[inline(always)]
    fn new(basis: Rows<S>, origin: Rows<S>) -> Self {
        let simd = basis.lower.simd;
        let (first, second) = basis.upper.split();
        let [a, b] = [splats(first), splats(second)];
        // Adding -0 changes no number, not even the sign of a zero.
        let is_origin = mask32x8::simd_from(simd, [0, 0, 0, -1, 0, 0, 0, -1]);
        let upper_origin = is_origin.select(origin.upper, f32x8::splat(simd, -0.0));
        let is_origin = mask32x4::simd_from(simd, [0, 0, 0, -1]);
        let lower_origin = is_origin.select(origin.lower, f32x4::splat(simd, -0.0));
        Self {
            upper: [a[0].combine(b[0]), a[1].combine(b[1]), a[2].combine(b[2])],
            upper_origin,
            lower: splats(basis.lower),
            lower_origin,
        }
    }

    /// Multiplies two matrices with the roundings of [`Mat3x4`]'s product.
    #[inline(always)]
    pub fn times(&self, right: &Factor<S>) -> Rows<S> {
        self.moved(self.turned(right))
    }

    /// Multiplies two matrices, and prepares the product as the left factor of products.
    #[inline(always)]
    fn times_into_left(&self, right: &Factor<S>) -> (Rows<S>, Self) {
        let turned = self.turned(right);
        let product = self.moved(turned);
        // The same numbers as in `product`, one addition earlier: in a chain of bones, each waits for the one before.
        (product, Self::new(turned, product))
    }

    /// Multiplies two matrices without the origin of the left one.
    #[inline(always)]
    fn turned(&self, right: &Factor<S>) -> Rows<S> {
        let Factor([x, y, z]) = *right;
        Rows {
            upper: self.upper[0] * f32x8::block_splat(x)
                + self.upper[1] * f32x8::block_splat(y)
                + self.upper[2] * f32x8::block_splat(z),
            lower: self.lower[0] * x + self.lower[1] * y + self.lower[2] * z,
        }
    }

    /// Adds the origin, which the first three columns do not have.
    #[inline(always)]
    fn moved(&self, turned: Rows<S>) -> Rows<S> {
        Rows { upper: turned.upper + self.upper_origin, lower: turned.lower + self.lower_origin }
    }
}

/// Returns the first three numbers of a row, each in all places.
///
/// Written as permutations: numbers taken out of a vector would leave the vector registers from bone to bone.
#[inline(always)]
fn splats<S: Simd>(row: f32x4<S>) -> [f32x4<S>; 3] {
    let (low, high) = (row.zip_low(row), row.zip_high(row));
    [low.zip_low(low), low.zip_high(low), high.zip_low(high)]
}

/// Right factor of a product: the rows of a matrix.
#[derive(Clone, Copy)]
pub(crate) struct Factor<S: Simd>([f32x4<S>; 3]);

impl<S: Simd> Factor<S> {
    #[inline(always)]
    pub fn load(simd: S, matrix: &Mat3x4) -> Self {
        let [x, y, z] = [&matrix.0[..4], &matrix.0[4..8], &matrix.0[8..]];
        Self([f32x4::from_slice(simd, x), f32x4::from_slice(simd, y), f32x4::from_slice(simd, z)])
    }

    #[inline(always)]
    pub fn store(self, matrix: &mut Mat3x4) {
        self.into_rows().store(matrix);
    }

    /// Returns `left` times this matrix with the roundings of [`Mat3x4`]'s product.
    ///
    /// [`Left`] costs less where one matrix is the left factor of several products, or comes from registers.
    #[inline(always)]
    pub fn after(self, simd: S, left: &Mat3x4) -> Self {
        Self([self.row(simd, left, 0), self.row(simd, left, 4), self.row(simd, left, 8)])
    }

    #[inline(always)]
    fn row(self, simd: S, left: &Mat3x4, at: usize) -> f32x4<S> {
        let Self([x, y, z]) = self;
        let row = &left.0[at..at + 4];
        // Adding -0 changes no number, not even the sign of a zero.
        let is_origin = mask32x4::simd_from(simd, [0, 0, 0, -1]);
        let origin = is_origin.select(f32x4::from_slice(simd, row), f32x4::splat(simd, -0.0));
        f32x4::splat(simd, row[0]) * x + f32x4::splat(simd, row[1]) * y + f32x4::splat(simd, row[2]) * z + origin
    }

    #[inline(always)]
    fn into_rows(self) -> Rows<S> {
        let Self([x, y, z]) = self;
        Rows { upper: x.combine(y), lower: z }
    }
}

/// Writes the matrices of bones in model space, and calls `then` with the number and the matrix of each,
/// prepared as the left factor of products.
///
/// `local` returns the local matrix of a bone. The kernel poses the first bones of `parents`, as many as `model` has;
/// they are read as by [`to_model_space`](super::hierarchy::to_model_space).
#[inline(always)]
pub(crate) fn each_in_model_space<S: Simd>(
    simd: S,
    parents: &[i32],
    model: &mut [Mat3x4],
    local: impl Fn(usize) -> Factor<S>,
    mut then: impl FnMut(usize, &Left<S>),
) {
    let bones = model.len();
    debug_assert!(parents.len() >= bones, "every bone has a parent");
    let parents = &parents[..bones];
    if bones == 0 {
        return;
    }
    let root = local(0).into_rows();
    root.store(&mut model[0]);
    // The parent of most bones is the bone before them, which is still in registers.
    let mut last = root.into_left();
    then(0, &last);
    for bone in 1..bones {
        let own = local(bone);
        let parent = parents[bone] as u32 as usize;
        let (rows, left) = if parent == bone - 1 {
            last.times_into_left(&own)
        } else if parent < bone {
            Rows::load(simd, &model[parent]).into_left().times_into_left(&own)
        } else {
            (own.into_rows(), own.into_rows().into_left())
        };
        rows.store(&mut model[bone]);
        last = left;
        then(bone, &last);
    }
}
