//! From local space (each bone relative to its parent bone) to model space, and back.

use super::Mat3x4;

/// Multiplies local matrices down the hierarchy: `out[bone] = out[parent] * local[bone]`, roots copied.
///
/// `parents` holds -1 for roots and smaller indexes than the bone's own otherwise; a parent that does not stand
/// before its bone counts as a root. Only the bones that all three slices have are written.
pub fn to_model_space(parents: &[i32], local: &[Mat3x4], out: &mut [Mat3x4]) {
    let bones = parents.len().min(local.len()).min(out.len());
    // Most bones hang on the one before them: that one is at hand yet.
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

/// Computes local matrices from those in model space: `out[bone] = inverse(model[parent]) * model[bone]`, roots copied.
///
/// A bone whose parent has no inverse becomes the identity.
pub fn to_local_space(parents: &[i32], model: &[Mat3x4], out: &mut [Mat3x4]) {
    for (bone, (out, &parent)) in out.iter_mut().zip(parents).enumerate().take(model.len()) {
        let parent = usize::try_from(parent).ok().filter(|&p| p < bone);
        *out = match parent {
            Some(parent) => model[parent].inverse().map_or(Mat3x4::IDENTITY, |inverse| inverse * model[bone]),
            None => model[bone],
        };
    }
}
