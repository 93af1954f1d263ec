//! Conversion between local space (each bone relative to its parent) and model space.

use fearless_simd::Simd;

use super::Mat3x4;
use super::rows::{Factor, each_in_model_space};
use crate::simd::dispatch;

/// Converts local matrices to model space: `out[bone] = out[parent] * local[bone]`; roots are copied.
///
/// `parents` holds -1 for a root, otherwise an index less than the bone's own, as
/// [`Skeleton::parents`](crate::model::Skeleton::parents) does; any other value makes the bone a root. The function
/// writes only the bones that all three slices have.
///
/// ```
/// use skelobj::{math::Mat3x4, pose};
///
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let mut bones = vec![Mat3x4::ZERO; skeleton.len()];
/// pose::to_model_space(skeleton.parents(), skeleton.bind_local(), &mut bones);
/// assert_eq!(bones, skeleton.bind_model());
/// ```
pub fn to_model_space(parents: &[i32], local: &[Mat3x4], out: &mut [Mat3x4]) {
    let bones = parents.len().min(local.len()).min(out.len());
    let out = &mut out[..bones];
    dispatch!(simd => to_model_space_on(simd, parents, local, out));
}

#[inline(always)]
fn to_model_space_on<S: Simd>(simd: S, parents: &[i32], local: &[Mat3x4], out: &mut [Mat3x4]) {
    debug_assert!(parents.len().min(local.len()) >= out.len(), "every bone that is written has a parent and a matrix");
    // Cut here, where the compiler sees that all slices are equally long.
    let local = &local[..out.len()];
    each_in_model_space(
        simd,
        parents,
        out,
        #[inline(always)]
        |bone| Factor::load(simd, &local[bone]),
        #[inline(always)]
        |_, _| (),
    );
}

/// Returns a bone in model space: `local[root] * (... * (local[parent] * local[bone]))`.
///
/// Products begin at the bone as in FTE's skel_get_boneabs; those of [`to_model_space`] begin at the root and may
/// differ in the last bit. `parents` is read as by [`to_model_space`]; the bone must exist.
pub(crate) fn bone_in_model_space(parents: &[i32], local: &[Mat3x4], bone: usize) -> Mat3x4 {
    debug_assert!(bone < parents.len().min(local.len()), "the bone exists");
    let mut out = Mat3x4::ZERO;
    dispatch!(simd => bone_in_model_space_on(simd, parents, local, bone, &mut out));
    out
}

#[inline(always)]
fn bone_in_model_space_on<S: Simd>(simd: S, parents: &[i32], local: &[Mat3x4], bone: usize, out: &mut Mat3x4) {
    let mut at = bone;
    let mut product = Factor::load(simd, &local[bone]);
    loop {
        let parent = parents[at] as u32 as usize;
        if parent >= at {
            break;
        }
        product = product.after(simd, &local[parent]);
        at = parent;
    }
    product.store(out);
}

/// Converts model-space matrices to local space: `out[bone] = inverse(model[parent]) * model[bone]`; roots are copied.
///
/// A bone whose parent matrix is singular becomes the identity. `parents` is read as by [`to_model_space`].
///
/// ```
/// use skelobj::{math::Mat3x4, pose};
///
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let mut local = vec![Mat3x4::ZERO; skeleton.len()];
/// pose::raw::to_local_space(skeleton.parents(), skeleton.bind_model(), &mut local);
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
