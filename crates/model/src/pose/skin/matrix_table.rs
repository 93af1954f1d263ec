//! Matrices of the bones of a mesh, side by side.

use std::cell::RefCell;

use crate::math::Mat3x4;

/// Number of floats of a matrix.
pub(super) const MATRIX: usize = 12;
/// Number of floats in which a matrix can begin: a power of two, so that a mask replaces the check of an index.
const BEGINNINGS: usize = 4096;
/// Number of matrices in a table.
pub(super) const CAPACITY: usize = BEGINNINGS / MATRIX;

/// Matrices of at most [`CAPACITY`] bones.
#[repr(align(32))]
pub(super) struct Table([f32; BEGINNINGS + MATRIX]);

thread_local! {
    static TABLE: RefCell<Table> = const { RefCell::new(Table([0.0; BEGINNINGS + MATRIX])) };
}

impl Table {
    /// Calls a function with the table of this thread.
    pub fn with(run: impl FnOnce(&mut Self)) {
        TABLE.with(|table| run(&mut table.borrow_mut()));
    }

    /// Copies the matrices of bones, zeros for those that the palette lacks.
    #[inline(always)]
    pub fn fill(&mut self, palette: &[Mat3x4], bones: &[u16]) {
        debug_assert!(bones.len() <= CAPACITY, "the bones of a part fit into the table");
        for (to, &bone) in self.0.as_chunks_mut::<MATRIX>().0.iter_mut().zip(bones) {
            *to = match palette.get(usize::from(bone)) {
                // A sum that begins with zero is not -0; adding zero here spares adding it to every sum.
                Some(matrix) => matrix.0.map(|number| number + 0.0),
                None => [0.0; MATRIX],
            };
        }
    }

    /// Returns the matrix that begins at a float.
    #[inline(always)]
    pub fn matrix(&self, offset: u32) -> &[f32] {
        debug_assert!((offset as usize) < BEGINNINGS, "offsets are those of the table");
        let start = offset as usize & (BEGINNINGS - 1);
        &self.0[start..start + MATRIX]
    }
}
