//! Construction of a skeleton whose matrices are all finite.

use super::cursor::{File, finite_or_identity};
use crate::math::Mat3x4;
use crate::model::{Bone, ModelError, ModelProblem, Skeleton, SkeletonError};

/// Refuses a number of bones above the maximum of a skeleton.
pub(super) fn check_count(section: &'static str, offset: usize, count: u32) -> Result<(), ModelError> {
    if count as usize > Skeleton::MAX_BONES {
        return Err(problem(section, offset, SkeletonError::TooManyBones { count: count as usize }));
    }
    Ok(())
}

/// Returns the skeleton of `bones`. A bind matrix that is non-finite, or that becomes non-finite in model space,
/// becomes the identity.
pub(super) fn skeleton<const BIG: bool>(
    file: &mut File<BIG>,
    section: &'static str,
    offset: impl Fn() -> usize,
    mut bones: Vec<Bone>,
) -> Result<Skeleton, ModelError> {
    let too_large = |error: ModelError| ModelError::new(section, offset(), error.problem);
    let mut model_space: Vec<Mat3x4> = file.reserve(section, 0, bones.len() as u64).map_err(too_large)?;
    let mut bad = 0;
    for bone in &mut bones {
        bone.bind = finite_or_identity(bone.bind, &mut bad);
        let above = bone.parent.and_then(|p| model_space.get(p)).copied();
        let mut whole = above.map_or(bone.bind, |above| above * bone.bind);
        if !whole.is_finite() {
            bad += 1;
            bone.bind = Mat3x4::IDENTITY;
            whole = above.unwrap_or(Mat3x4::IDENTITY);
        }
        model_space.push(whole);
    }
    if bad > 0 {
        file.warn_not_finite(section, offset(), bad);
    }
    Skeleton::new(bones).map_err(|error| problem(section, offset(), error))
}

/// Converts an error of [`Skeleton::new`] to the error of a reader.
pub(super) fn problem(section: &'static str, offset: usize, error: SkeletonError) -> ModelError {
    let problem = match error {
        SkeletonError::ParentNotBefore { bone, parent } => {
            ModelProblem::OutOfRange { field: "parent", found: parent as i64, min: -1, max: bone as i64 - 1 }
        }
        SkeletonError::TooManyBones { count } => ModelProblem::OutOfRange {
            field: "number of bones",
            found: count as i64,
            min: 0,
            max: Skeleton::MAX_BONES as i64,
        },
    };
    ModelError::new(section, offset, problem)
}
