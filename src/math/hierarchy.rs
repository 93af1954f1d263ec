//! Conversion between local space (each bone relative to its parent) and model space.

use super::Mat3x4;

/// Converts local matrices to model space: `out[bone] = out[parent] * local[bone]`; roots are copied.
///
/// `parents` holds -1 for a root, otherwise an index less than the bone's own, as
/// [`Skeleton::parents`](crate::model::Skeleton::parents) does; any other value makes the bone a root. The function
/// writes only the bones that all three slices have.
///
/// ```
/// use skelobj::{math::Mat3x4, pose};
/// # let mannequin = skelobj::Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None)?;
/// let skeleton = &mannequin.skeleton;
/// let mut bones = vec![Mat3x4::ZERO; skeleton.len()];
/// pose::to_model_space(skeleton.parents(), skeleton.bind_local(), &mut bones);
/// assert_eq!(bones, skeleton.bind_model());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_model_space(parents: &[i32], local: &[Mat3x4], out: &mut [Mat3x4]) {
    let bones = parents.len().min(local.len()).min(out.len());
    // The parent of most bones is the bone before them, whose matrix is still in registers.
    let mut last = Mat3x4::IDENTITY;
    for bone in 0..bones {
        let (before, rest) = out.split_at_mut(bone);
        let parent = usize::try_from(parents[bone]).ok();
        last = match parent.and_then(|parent| before.get(parent)) {
            Some(_) if parent == bone.checked_sub(1) => last * local[bone],
            Some(parent) => *parent * local[bone],
            None => local[bone],
        };
        rest[0] = last;
    }
}

/// Converts model-space matrices to local space: `out[bone] = inverse(model[parent]) * model[bone]`; roots are copied.
///
/// A bone whose parent matrix is singular becomes the identity. `parents` is read as by [`to_model_space`].
///
/// ```
/// use skelobj::{math::Mat3x4, pose};
/// # let mannequin = skelobj::Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None)?;
/// let skeleton = &mannequin.skeleton;
/// let mut local = vec![Mat3x4::ZERO; skeleton.len()];
/// pose::to_local_space(skeleton.parents(), skeleton.bind_model(), &mut local);
/// let head = skeleton.find("head").ok_or("no head")?;
/// assert!(local[head].origin().distance(skeleton.bind_local()[head].origin()) < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_local_space(parents: &[i32], model: &[Mat3x4], out: &mut [Mat3x4]) {
    for (bone, (out, &parent)) in out.iter_mut().zip(parents).enumerate().take(model.len()) {
        let parent = usize::try_from(parent).ok().filter(|&p| p < bone);
        *out = match parent {
            Some(parent) => model[parent].inverse().map_or(Mat3x4::IDENTITY, |inverse| inverse * model[bone]),
            None => model[bone],
        };
    }
}
