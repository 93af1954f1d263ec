//! Additive layers: a pose as its difference to a reference, added to another pose.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4};

use super::{BoneMask, PosingError};
use crate::math::Mat3x4;
use crate::out_of_range::OutOfRange;
use crate::simd::{dispatch, transposed};

/// Difference of a pose to a reference pose, bone by bone in local space: a translation, a rotation and a scale.
///
/// [`add`] adds it to any pose of the skeleton: recoil, breathing or a limp on top of a walk. Rotations are
/// quaternions, so that a part of a layer does not shrink a limb. Shear, and differences in scale along other axes than
/// the bone's, are left out.
///
/// ```
/// use skelobj::pose::{self, Additive};
/// let mannequin = skelobj::assets::mannequin();
/// let [idle, run] = [0, 2].map(|number| mannequin.pose(&mannequin.animations[number], 0));
/// let layer = Additive::new(run, idle);
/// let mut local = idle.to_vec();
/// pose::add(&mut local, &layer, 1.0, None)?;
/// assert!(local[5].origin().distance(run[5].origin()) < 1e-4); // the whole layer: the pose that it was made of
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Additive {
    groups: Vec<Group>,
    bones: usize,
    scales: bool,
}

/// Bones of a group, as many as a vector has lanes.
pub(crate) const LANES: usize = 4;

/// Size of a scale up to which it has no inverse.
const LEAST_SCALE: f32 = 1e-6;

/// Differences of four bones, number by number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Group {
    /// Quaternions: x, y, z, w; w is not negative.
    rotation: [[f32; LANES]; 4],
    translation: [[f32; LANES]; 3],
    scale: [[f32; LANES]; 3],
}

impl Group {
    const NONE: Self = Self {
        rotation: [[0.0; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES]],
        translation: [[0.0; LANES]; 3],
        scale: [[1.0; LANES]; 3],
    };

    /// Returns the differences of up to four bones, and whether one has a scale.
    pub fn new(pose: &[Mat3x4], reference: &[Mat3x4]) -> (Self, bool) {
        debug_assert!(pose.len() <= LANES, "a group has at most four bones");
        let (mut group, mut scales) = (Self::NONE, false);
        for (lane, (pose, reference)) in pose.iter().zip(reference).enumerate().take(LANES) {
            let translation = pose.origin() - reference.origin();
            for (numbers, number) in group.translation.iter_mut().zip(translation.to_array()) {
                numbers[lane] = if number.is_finite() { number } else { 0.0 };
            }
            let Some(difference) = reference.inverse().map(|inverse| inverse * *pose) else { continue };
            let rotation = difference.rotation();
            let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
            let across = rotation.conjugate();
            let axes = [difference.forward(), difference.left(), difference.up()];
            let scale = [0, 1, 2].map(|axis| (across * axes[axis])[axis]);
            if !(rotation.is_finite() && scale.iter().all(|number| number.is_finite())) {
                continue;
            }
            for (numbers, number) in group.rotation.iter_mut().zip(rotation.to_array()) {
                numbers[lane] = number;
            }
            for (numbers, number) in group.scale.iter_mut().zip(scale) {
                // The axes of a rotation are off by a rounding error.
                let is_scaled = (number - 1.0).abs() > 1e-4;
                numbers[lane] = if is_scaled { number } else { 1.0 };
                scales |= is_scaled;
            }
        }
        (group, scales)
    }
}

impl Additive {
    /// Creates the difference of a pose to a reference, both in local space.
    ///
    /// A bone whose reference has no inverse has only a translation. Bones that only one of them has are left out.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::pose::{self, Additive, PoseSource};
    /// let mannequin = skelobj::assets::mannequin();
    /// let mut breath = mannequin.skeleton.bind_local().to_vec();
    /// pose::sample(PoseSource { model: &mannequin, frame: &FrameState::single(0, 1.0) }, 0..21, &mut breath);
    /// let layer = Additive::new(&breath, mannequin.skeleton.bind_local()); // the bind pose is the reference
    /// assert_eq!(layer.bone_count(), 21);
    /// ```
    #[must_use]
    pub fn new(pose: &[Mat3x4], reference: &[Mat3x4]) -> Self {
        let mut layer = Self::default();
        layer.set(pose, reference);
        layer
    }

    /// Replaces the difference, without an allocation if there are no more bones than before.
    ///
    /// ```
    /// use skelobj::pose::Additive;
    /// let mannequin = skelobj::assets::mannequin();
    /// let [idle, run] = [0, 2].map(|number| mannequin.pose(&mannequin.animations[number], 0));
    /// let mut layer = Additive::new(idle, idle);
    /// layer.set(run, idle);
    /// assert_eq!(layer, Additive::new(run, idle));
    /// ```
    pub fn set(&mut self, pose: &[Mat3x4], reference: &[Mat3x4]) {
        self.bones = pose.len().min(reference.len());
        self.scales = false;
        self.groups.clear();
        for (pose, reference) in pose[..self.bones].chunks(LANES).zip(reference.chunks(LANES)) {
            let (group, scales) = Group::new(pose, reference);
            self.groups.push(group);
            self.scales |= scales;
        }
    }

    /// Returns the number of bones.
    ///
    /// ```
    /// use skelobj::pose::Additive;
    /// assert_eq!(Additive::default().bone_count(), 0);
    /// ```
    #[must_use]
    pub fn bone_count(&self) -> usize {
        self.bones
    }
}

/// Adds a layer to a pose in local space.
///
/// Each bone is rotated in its own space by a part of the layer's rotation, moved by a part of its translation, and
/// scaled: `bone * rotation * scale`. The weight is from -1, which takes the layer away again, to 1; it is multiplied
/// by the bone's weight in the mask, if there is one. A scale of 0 has no inverse, and is not taken away. A bone of
/// weight 0 keeps its bits. The function changes only the bones that `local` and the layer have. Products of
/// huge numbers may be infinite; [`SkeletalObject::add_layer`](crate::SkeletalObject::add_layer) clamps them.
///
/// ```
/// use skelobj::pose::{self, Additive, BoneMask};
/// let mannequin = skelobj::assets::mannequin();
/// let [idle, run] = [0, 2].map(|number| mannequin.pose(&mannequin.animations[number], 0));
/// let layer = Additive::new(run, idle);
/// let arms = BoneMask::parse(&mannequin.skeleton, "clavicle_l, clavicle_r")?;
/// let mut local = idle.to_vec();
/// pose::add(&mut local, &layer, 0.5, Some(&arms))?;
/// assert_eq!(local[1], idle[1]); // a thigh
/// assert_ne!(local[14], idle[14]); // an upper arm
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PosingError::OutOfRange`] if the weight is not from -1 to 1. No bone is changed.
pub fn add(local: &mut [Mat3x4], layer: &Additive, weight: f32, mask: Option<&BoneMask>) -> Result<(), PosingError> {
    check_weight(weight)?;
    let bones = local.len().min(layer.bones);
    add_groups(&mut local[..bones], &layer.groups, layer.scales, weight, mask.map(BoneMask::weights));
    Ok(())
}

/// Checks the weight of a layer.
pub(crate) fn check_weight(weight: f32) -> Result<(), PosingError> {
    OutOfRange::check((-1.0..=1.0).contains(&weight), "weight", weight, "a number from -1 to 1")?;
    Ok(())
}

/// Adds groups of bones; the weights are those of the bones, missing ones are 0.
pub(crate) fn add_groups(bones: &mut [Mat3x4], groups: &[Group], scales: bool, weight: f32, weights: Option<&[f32]>) {
    debug_assert!(bones.len() <= groups.len() * LANES, "every bone has a difference");
    debug_assert!((-1.0..=1.0).contains(&weight), "the weight was checked");
    if weight == 0.0 {
        return;
    }
    match (weights, scales) {
        (None, false) => dispatch!(simd => add_on::<_, false, false>(simd, bones, groups, weight, &[])),
        (None, true) => dispatch!(simd => add_on::<_, true, false>(simd, bones, groups, weight, &[])),
        (Some(weights), false) => dispatch!(simd => add_on::<_, false, true>(simd, bones, groups, weight, weights)),
        (Some(weights), true) => dispatch!(simd => add_on::<_, true, true>(simd, bones, groups, weight, weights)),
    }
}

#[inline(always)]
fn add_on<S: Simd, const SCALES: bool, const MASK: bool>(
    simd: S,
    bones: &mut [Mat3x4],
    groups: &[Group],
    weight: f32,
    weights: &[f32],
) {
    let (whole, rest) = bones.as_chunks_mut::<LANES>();
    let number = whole.len();
    for (number, (bones, group)) in whole.iter_mut().zip(groups).enumerate() {
        let weights = if MASK { lane_weights(weights, number) } else { [1.0; LANES] };
        add_group::<S, SCALES, MASK>(simd, bones, group, weight, &weights);
    }
    if let (false, Some(group)) = (rest.is_empty(), groups.get(number)) {
        let mut padded = [Mat3x4::IDENTITY; LANES];
        padded[..rest.len()].copy_from_slice(rest);
        let weights = if MASK { lane_weights(weights, number) } else { [1.0; LANES] };
        add_group::<S, SCALES, MASK>(simd, &mut padded, group, weight, &weights);
        rest.copy_from_slice(&padded[..rest.len()]);
    }
}

/// Returns the weights of a group of bones, 0 for those that are missing.
#[inline(always)]
fn lane_weights(weights: &[f32], group: usize) -> [f32; LANES] {
    let (whole, rest) = weights.as_chunks::<LANES>();
    match whole.get(group) {
        Some(weights) => *weights,
        None => {
            let mut padded = [0.0; LANES];
            if group == whole.len() {
                padded[..rest.len()].copy_from_slice(rest);
            }
            padded
        }
    }
}

/// Adds the differences of four bones, each in a lane.
#[inline(always)]
fn add_group<S: Simd, const SCALES: bool, const MASK: bool>(
    simd: S,
    bones: &mut [Mat3x4; LANES],
    group: &Group,
    weight: f32,
    weights: &[f32; LANES],
) {
    let mut weight = f32x4::splat(simd, weight);
    let mut keeps = false;
    if MASK {
        weight *= f32x4::from_slice(simd, weights);
        let is_kept = weight.simd_eq(f32x4::splat(simd, 0.0));
        if is_kept.all_true() {
            return;
        }
        keeps = is_kept.any_true();
    }
    let one = f32x4::splat(simd, 1.0);
    let [x, y, z, w] = group.rotation.each_ref();
    let (x, y) = (f32x4::from_slice(simd, x), f32x4::from_slice(simd, y));
    let (z, w) = (f32x4::from_slice(simd, z), f32x4::from_slice(simd, w));
    // Part of the rotation, normalised.
    let (x, y, z) = (x * weight, y * weight, z * weight);
    let w = (w - one) * weight.abs() + one;
    let scale = one / (x * x + y * y + z * z + w * w).sqrt();
    let (x, y, z, w) = (x * scale, y * scale, z * scale, w * scale);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz) = (x * x2, x * y2, x * z2);
    let (yy, yz, zz) = (y * y2, y * z2, z * z2);
    let (xw, yw, zw) = (w * x2, w * y2, w * z2);
    let mut columns =
        [[one - (yy + zz), xy + zw, xz - yw], [xy - zw, one - (xx + zz), yz + xw], [xz + yw, yz - xw, one - (xx + yy)]];
    if SCALES {
        for (column, scale) in columns.iter_mut().zip(&group.scale) {
            let whole = (f32x4::from_slice(simd, scale) - one) * weight.abs() + one;
            let is_taken = weight.simd_lt(f32x4::splat(simd, 0.0));
            let has_inverse = whole.abs().simd_gt(f32x4::splat(simd, LEAST_SCALE));
            let scale = is_taken.select(has_inverse.select(one / whole, one), whole);
            for number in column {
                *number *= scale;
            }
        }
    }
    for row in 0..3 {
        let [a, b, c, d] = bones.each_ref();
        let start = 4 * row;
        let old = transposed([
            f32x4::from_slice(simd, &a.0[start..start + 4]),
            f32x4::from_slice(simd, &b.0[start..start + 4]),
            f32x4::from_slice(simd, &c.0[start..start + 4]),
            f32x4::from_slice(simd, &d.0[start..start + 4]),
        ]);
        let [first, second, third] = &columns;
        let mut new = [
            old[0] * first[0] + old[1] * first[1] + old[2] * first[2],
            old[0] * second[0] + old[1] * second[1] + old[2] * second[2],
            old[0] * third[0] + old[1] * third[1] + old[2] * third[2],
            old[3] + f32x4::from_slice(simd, &group.translation[row]) * weight,
        ];
        if MASK && keeps {
            let is_kept = weight.simd_eq(f32x4::splat(simd, 0.0));
            for (new, old) in new.iter_mut().zip(old) {
                *new = is_kept.select(old, *new);
            }
        }
        let new = transposed(new);
        for (bone, numbers) in bones.iter_mut().zip(new) {
            numbers.store_slice(&mut bone.0[start..start + 4]);
        }
    }
}
