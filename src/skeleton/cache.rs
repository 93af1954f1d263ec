//! Matrices in model space, kept until the next write to the pose.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::math::Mat3x4;

/// Model-space matrices that were asked for, each with the revision of the pose that it was computed from.
///
/// Empty until the first query. Readers on several threads may fill it at once: they borrow the object, so that the
/// revision stands still and all of them write the same numbers.
#[derive(Debug, Default)]
pub(super) struct ModelSpaceCache(OnceLock<Box<[Entry]>>);

#[derive(Debug)]
struct Entry {
    revision: AtomicU64,
    matrix: [AtomicU64; 6],
}

impl Entry {
    /// Revision that no pose has.
    const NEVER: u64 = u64::MAX;

    fn new() -> Self {
        Self { revision: AtomicU64::new(Self::NEVER), matrix: Default::default() }
    }

    #[inline]
    fn load(&self) -> Mat3x4 {
        let [a, b, c, d, e, f] = &self.matrix;
        Mat3x4(bytemuck::cast([a, b, c, d, e, f].map(|pair| pair.load(Ordering::Relaxed))))
    }

    #[inline]
    fn store(&self, revision: u64, matrix: &Mat3x4) {
        let pairs: [u64; 6] = bytemuck::cast(matrix.0);
        for (place, pair) in self.matrix.iter().zip(pairs) {
            place.store(pair, Ordering::Relaxed);
        }
        // Whoever sees the revision sees the matrix.
        self.revision.store(revision, Ordering::Release);
    }
}

impl ModelSpaceCache {
    /// Returns the matrix of a bone in a revision of the pose, if it was kept.
    #[inline]
    pub fn get(&self, bone: usize, revision: u64) -> Option<Mat3x4> {
        let entry = self.0.get()?.get(bone)?;
        (entry.revision.load(Ordering::Acquire) == revision).then(|| entry.load())
    }

    /// Keeps the matrix of a bone in a revision of the pose, which has `bones` bones.
    pub fn keep(&self, bone: usize, bones: usize, revision: u64, matrix: &Mat3x4) {
        let entries = self.0.get_or_init(|| (0..bones).map(|_| Entry::new()).collect());
        if let Some(entry) = entries.get(bone) {
            entry.store(revision, matrix);
        }
    }
}
