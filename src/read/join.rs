//! Animations of a side file.

use super::cursor::File;
use crate::limits::{Limit, LimitExceeded};
use crate::math::Mat3x4;
use crate::model::{AddAnimationsError, BoneMatch, Model, ModelError, ModelProblem};

/// Adds the animations of a side file, charged to the budget of the model. Returns `None` if none fit the model's
/// bones.
pub(super) fn add_animations(
    file: &mut File,
    section: &'static str,
    offset: usize,
    model: &mut Model,
    other: &Model,
) -> Result<Option<BoneMatch>, ModelError> {
    let matrices = (other.frame_count() as u64).saturating_mul(model.skeleton.len() as u64);
    file.charge(section, offset, matrices.saturating_mul(size_of::<Mat3x4>() as u64))?;
    match model.add_animations(other) {
        Ok(fit) => Ok(Some(fit)),
        Err(AddAnimationsError::TooLarge { needed, allowed }) => {
            let exceeded = LimitExceeded { limit: Limit::Memory, needed, allowed };
            Err(ModelError::new(section, offset, ModelProblem::LimitExceeded(exceeded)))
        }
        Err(AddAnimationsError::NoAnimations | AddAnimationsError::NoCommonBones) => Ok(None),
    }
}
