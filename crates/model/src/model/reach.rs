//! Check that no pose of a model overflows, alone or as a palette.

use super::{Model, Skeleton};
use crate::math::Mat3x4;

/// Largest number that a pose or a palette may have by these bounds, which also bound partial sums of its products; the
/// rest is for rounding.
const MOST: f64 = f32::MAX as f64 / 2.0;

/// Bounds of matrices: the factor by which they lengthen a vector, and the length of their translations.
#[derive(Clone, Copy)]
struct Reach {
    factor: f64,
    origin: f64,
}

impl Reach {
    const IDENTITY: Self = Self { factor: 1.0, origin: 0.0 };

    /// Returns the bounds of matrices whose largest numbers, by position, are these.
    fn of_largest(largest: &[f32; 12]) -> Self {
        let most = |positions: [usize; 3]| positions.iter().fold(0.0, |most, &at| f64::max(most, largest[at].into()));
        let (x, y, z) = (most([0, 1, 2]), most([4, 5, 6]), most([8, 9, 10]));
        // A 3x3 matrix lengthens by at most the root of the sum of its squares.
        Self { factor: 3.0 * x.max(y).max(z), origin: 3f64.sqrt() * most([3, 7, 11]) }
    }

    /// Returns the bounds of one matrix; the factor of a rotation is 1 but for rounding.
    fn of(matrix: &Mat3x4) -> Self {
        let m = matrix.0.map(f64::from);
        let column = |at: usize| [m[at], m[at + 4], m[at + 8]];
        let dot = |a: [f64; 3], b: [f64; 3]| (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]).abs();
        let columns = [column(0), column(1), column(2)];
        // The square of the factor is an eigenvalue of the transposed matrix times the matrix, and at most the largest
        // sum of a row of that.
        let sums = columns.map(|row| columns.iter().map(|other| dot(row, *other)).sum::<f64>());
        Self { factor: sums[0].max(sums[1]).max(sums[2]).sqrt(), origin: dot(column(3), column(3)).sqrt() }
    }

    fn with(self, other: Self) -> Self {
        Self { factor: self.factor.max(other.factor), origin: self.origin.max(other.origin) }
    }

    /// Returns the bounds of the products of such matrices with others.
    fn times(self, other: Self) -> Self {
        Self { factor: self.factor * other.factor, origin: self.factor * other.origin + self.origin }
    }

    fn is_in_reach(self) -> bool {
        self.factor <= MOST && self.origin <= MOST
    }
}

impl Model {
    /// Returns the number of the first bone of which a pose, a blend of poses with weights of at most 1 in all, or a
    /// palette or attachment may overflow, if a file binds the model to this skeleton. The rest pose of the model is a
    /// pose, too. Evaluated animations are not examined.
    pub(crate) fn bone_out_of_reach(&self, bones: &Skeleton) -> Option<usize> {
        if self.is_plainly_in_reach(bones) {
            return None;
        }
        let of = |matrices: &[Mat3x4], bone: usize| matrices.get(bone).map_or(Reach::IDENTITY, Reach::of);
        let mut local: Vec<Reach> = (0..bones.len()).map(|bone| of(bones.bind_local(), bone)).collect();
        let rest = self.skeleton.bind_local().chunks_exact(bones.len().max(1));
        for pose in self.frames.chunks_exact(bones.len().max(1)).chain(rest) {
            for (reach, matrix) in local.iter_mut().zip(pose) {
                *reach = reach.with(Reach::of(matrix));
            }
        }
        let mut fixed: Vec<Reach> = (0..bones.len()).map(|bone| of(bones.inverse_bind(), bone)).collect();
        for place in &self.attachments {
            if let Some(reach) = fixed.get_mut(place.bone) {
                *reach = reach.with(Reach::of(&place.offset));
            }
        }
        let mut whole: Vec<Reach> = Vec::with_capacity(bones.len());
        for (bone, (local, fixed)) in local.into_iter().zip(fixed).enumerate() {
            let above = bones.parent(bone).and_then(|parent| whole.get(parent)).copied();
            let reach = above.map_or(local, |above| above.times(local));
            if !reach.is_in_reach() || !reach.times(fixed).is_in_reach() {
                return Some(bone);
            }
            whole.push(reach);
        }
        None
    }

    /// Returns `true` if the largest numbers of all matrices, as deep as the bones are, cannot overflow: so it is for
    /// nearly every model, and takes one pass.
    fn is_plainly_in_reach(&self, bones: &Skeleton) -> bool {
        let mut depths: Vec<i32> = Vec::with_capacity(bones.len());
        for parent in bones.parents() {
            let above = usize::try_from(*parent).ok().and_then(|parent| depths.get(parent)).copied();
            depths.push(above.unwrap_or_default() + 1);
        }
        let depth = depths.into_iter().max().unwrap_or_default();
        let poses = [&self.frames[..], self.skeleton.bind_local(), bones.bind_local()];
        let local = poses.map(|matrices| Reach::of_largest(&largest(matrices)));
        let local = local.into_iter().fold(Reach { factor: 0.0, origin: 0.0 }, Reach::with);
        let factor = local.factor.max(1.0);
        let whole = Reach { factor: factor.powi(depth), origin: local.origin * factor.powi(depth) * f64::from(depth) };
        let mut last = Reach::IDENTITY.with(Reach::of_largest(&largest(bones.inverse_bind())));
        for place in &self.attachments {
            last = last.with(Reach::of(&place.offset));
        }
        whole.times(last).is_in_reach()
    }
}

/// Returns the largest absolute number at each position of matrices.
fn largest(matrices: &[Mat3x4]) -> [f32; 12] {
    let mut largest = [0.0; 12];
    for Mat3x4(numbers) in matrices {
        for (most, number) in largest.iter_mut().zip(numbers) {
            let number = number.abs();
            *most = if number > *most { number } else { *most };
        }
    }
    largest
}
