//! Weights of bones, which limit what builds, edits and layers change.

use super::{PosingError, bone_list};
use crate::math::Mat3x4;
use crate::model::Skeleton;
use crate::out_of_range::OutOfRange;

/// Weight of each bone of a model, from 0 (unchanged) to 1 (changed as without a mask).
///
/// A mask is made once for a model. [`SkeletalObject::set_mask`](crate::SkeletalObject::set_mask) applies it to builds,
/// edits of ranges and layers.
///
/// ```
/// use skelobj::pose::BoneMask;
/// let mannequin = skelobj::assets::mannequin();
/// let upper_body = BoneMask::parse(&mannequin.skeleton, "spine 1 1, uperarm_r 0.5").unwrap_err();
/// assert_eq!(upper_body.to_string(), "no bone is named `uperarm_r`, did you mean `upperarm_r`?");
/// let upper_body = BoneMask::parse(&mannequin.skeleton, "spine 1 1, upperarm_r 0.5")?;
/// let weight = |name| upper_body.weights()[mannequin.skeleton.find(name).unwrap()];
/// assert_eq!(["pelvis", "spine", "chest", "head", "hand_r"].map(weight), [0.0, 0.5, 1.0, 1.0, 0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Box<[f32]>", into = "Box<[f32]>"))]
pub struct BoneMask {
    weights: Box<[f32]>,
}

impl TryFrom<Box<[f32]>> for BoneMask {
    type Error = PosingError;

    fn try_from(weights: Box<[f32]>) -> Result<Self, PosingError> {
        Self::new(weights)
    }
}

impl From<BoneMask> for Box<[f32]> {
    fn from(mask: BoneMask) -> Self {
        mask.weights
    }
}

impl BoneMask {
    /// Creates a mask from the weights of all bones, in the order of the skeleton.
    ///
    /// Bones without a weight have weight 0.
    ///
    /// ```
    /// use skelobj::pose::BoneMask;
    /// let legs = BoneMask::new(vec![1.0; 9])?; // the mannequin's first nine bones
    /// assert!(BoneMask::new(vec![1.5]).is_err());
    /// assert_eq!(legs.weights().len(), 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::OutOfRange`] if a weight is not from 0 to 1.
    pub fn new(weights: impl Into<Box<[f32]>>) -> Result<Self, PosingError> {
        let weights = weights.into();
        for &weight in &weights {
            OutOfRange::check((0.0..=1.0).contains(&weight), "weight of a bone", weight, "a number from 0 to 1")?;
        }
        Ok(Self { weights })
    }

    /// Creates a mask from a text: names of bones with weights, separated by commas.
    ///
    /// An entry applies to the bone and everything below it; later entries replace what earlier ones say of a bone. A
    /// name without a number has the weight 1. A second number is a count of generations over which the weight rises:
    /// with 3, the bone has a quarter of it, its children half, their children three quarters, and those below them all
    /// of it. Names may contain spaces, but no commas.
    ///
    /// ```
    /// use skelobj::pose::BoneMask;
    /// let mannequin = skelobj::assets::mannequin();
    /// let mask = BoneMask::parse(&mannequin.skeleton, "spine, head 0")?;
    /// let weight = |name| mask.weights()[mannequin.skeleton.find(name).unwrap()];
    /// assert_eq!(["pelvis", "spine", "hand_l", "head"].map(weight), [0.0, 1.0, 1.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::NoBones`] if there is no entry; [`PosingError::NoBoneNamed`], [`PosingError::BadEntry`];
    /// [`PosingError::OutOfRange`] if a weight is not from 0 to 1.
    pub fn parse(skeleton: &Skeleton, text: impl AsRef<[u8]>) -> Result<Self, PosingError> {
        let mut mask = Self { weights: vec![0.0; skeleton.len()].into_boxed_slice() };
        mask.replace(skeleton, text.as_ref(), &mut Vec::new())?;
        Ok(mask)
    }

    /// Replaces the weights by those that a text states for a skeleton with as many bones, with `generations` as
    /// scratch. On error, they stay.
    pub(crate) fn replace(
        &mut self,
        skeleton: &Skeleton,
        text: &[u8],
        generations: &mut Vec<u32>,
    ) -> Result<(), PosingError> {
        let mut is_empty = true;
        for entry in bone_list::parse(skeleton, text, 2) {
            entry?;
            is_empty = false;
        }
        if is_empty {
            return Err(PosingError::NoBones);
        }
        debug_assert_eq!(self.weights.len(), skeleton.len(), "every bone has a weight");
        self.weights.fill(0.0);
        for bone_list::Listed { bone: root, weight, count } in bone_list::parse(skeleton, text, 2).flatten() {
            let (weight, steps) = (weight.unwrap_or(1.0), count.map_or(1.0, |count| count as f32 + 1.0));
            // Descendants follow their ancestors.
            generations.clear();
            generations.resize(self.weights.len(), 0);
            for bone in root..generations.len() {
                let above = skeleton.parent(bone).map_or(0, |parent| generations[parent]);
                debug_assert!(
                    skeleton.parent(bone).is_none_or(|parent| parent < bone),
                    "parents stand before children"
                );
                let generation = if bone == root { 1 } else { above + u32::from(above > 0) };
                generations[bone] = generation;
                if generation > 0 {
                    self.weights[bone] = weight * (generation as f32 / steps).min(1.0);
                }
            }
        }
        Ok(())
    }

    /// Returns the weights of the bones.
    ///
    /// ```
    /// use skelobj::pose::BoneMask;
    /// let mannequin = skelobj::assets::mannequin();
    /// let mask = BoneMask::parse(&mannequin.skeleton, "pelvis 0.25")?; // the root: all bones
    /// assert_eq!(mask.weights(), [0.25; 21]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Returns the weight of a bone, 0 if the mask has none for it.
    pub(crate) fn weight(&self, bone: usize) -> f32 {
        self.weights.get(bone).copied().unwrap_or(0.0)
    }
}

/// Mixes a changed bone into a bone. The weights 0 and 1 choose one of them, whose numbers keep their bits.
pub(crate) fn mix(bone: &mut Mat3x4, changed: &Mat3x4, weight: f32) {
    debug_assert!((0.0..=1.0).contains(&weight), "masks hold weights from 0 to 1, not {weight}");
    if weight == 1.0 {
        *bone = *changed;
    } else if weight != 0.0 {
        for (old, new) in bone.0.iter_mut().zip(changed.0) {
            *old = *old * (1.0 - weight) + new * weight;
        }
    }
}
