//! Matrices in model space, kept until the next write to the pose.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::math::Mat3x4;

/// Model-space matrices of the present pose that were asked for.
///
/// All bones at once cost about as much as half of them one by one. They are computed once half of them were asked for,
/// or with the second query if the pose before had that many queries.
///
/// Readers on several threads may fill the cache: they borrow the object, so the pose cannot change and all of them
/// compute the same numbers.
#[derive(Debug, Default)]
pub(super) struct ModelSpaceCache {
    /// All bones, once they were computed.
    all: OnceLock<Box<[Mat3x4]>>,
    /// Memory for `all`.
    spare: Mutex<Box<[Mat3x4]>>,
    /// Bones that were computed one by one, none before the first query.
    single: OnceLock<Box<[Entry]>>,
    /// Number of queries in the present pose, without those that `single` answered.
    asked: AtomicU32,
    /// `true` if half of the bones or more were asked for in the last pose that had queries.
    expects_all: bool,
}

/// Matrix of a bone, with the revision of the pose that it was computed from.
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

    fn load(&self) -> Mat3x4 {
        let [a, b, c, d, e, f] = &self.matrix;
        Mat3x4(bytemuck::cast([a, b, c, d, e, f].map(|pair| pair.load(Ordering::Relaxed))))
    }

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
    /// Returns the matrix of a bone, if all were computed.
    #[inline]
    pub fn get(&self, bone: usize) -> Option<&Mat3x4> {
        let matrix = self.all.get()?.get(bone)?;
        self.count();
        Some(matrix)
    }

    /// Returns the matrix of a bone in a pose of `bones` bones, and keeps it: `one` computes the bone, `all` writes all
    /// bones.
    pub fn compute(
        &self,
        bone: usize,
        bones: usize,
        revision: u64,
        one: impl FnOnce() -> Mat3x4,
        all: impl FnOnce(&mut [Mat3x4]),
    ) -> Mat3x4 {
        let single = self.single.get_or_init(|| (0..bones).map(|_| Entry::new()).collect());
        debug_assert_eq!(single.len(), bones, "an object keeps its bones");
        debug_assert_ne!(revision, Entry::NEVER, "no object has the revision of an empty entry");
        let entry = &single[bone];
        if entry.revision.load(Ordering::Acquire) == revision {
            return entry.load();
        }
        let asked = self.count();
        if asked >= if self.expects_all { 1 } else { many(bones) } {
            return self.all.get_or_init(|| self.filled(bones, all))[bone];
        }
        let matrix = one();
        entry.store(revision, &matrix);
        matrix
    }

    fn filled(&self, bones: usize, all: impl FnOnce(&mut [Mat3x4])) -> Box<[Mat3x4]> {
        let mut matrices = std::mem::take(&mut *self.spare.lock().unwrap_or_else(PoisonError::into_inner));
        if matrices.len() != bones {
            matrices = vec![Mat3x4::ZERO; bones].into_boxed_slice();
        }
        all(&mut matrices);
        matrices
    }

    /// Counts a query, and returns the number of those before it.
    #[inline]
    fn count(&self) -> u32 {
        let asked = self.asked.load(Ordering::Relaxed);
        // Queries on other threads may be missed; this affects only when all bones are computed.
        self.asked.store(asked.wrapping_add(1), Ordering::Relaxed);
        asked
    }

    /// Forgets the matrices, as the pose is about to change.
    #[inline]
    pub fn forget(&mut self) {
        if *self.asked.get_mut() != 0 || self.all.get().is_some() {
            self.forget_asked();
        }
    }

    #[inline(never)]
    fn forget_asked(&mut self) {
        let asked = std::mem::take(self.asked.get_mut());
        self.expects_all = self.single.get().is_some_and(|single| asked >= many(single.len()));
        if let Some(matrices) = self.all.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = matrices;
        }
    }
}

/// Returns the number of queries that cost as much as all of the bones at once.
fn many(bones: usize) -> u32 {
    bones as u32 / 2
}
