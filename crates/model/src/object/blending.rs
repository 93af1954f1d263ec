//! The rule by which the poses of a skeletal object are mixed.

use std::ops::Range;
use std::slice::{from_mut, from_ref};
use std::sync::Arc;

use super::SkeletalObject;
use super::last_build::{LastBuild, Source};
use crate::math::Mat3x4;
use crate::pose::{self, Layer, PoseSource, Sampled, SplitFrames};

/// Rule by which builds, masks and copies mix the poses of bones.
///
/// ```
/// use skelobj::model::{Blend, FrameState};
/// use skelobj::object::{Blending, Build};
/// let mut object = skelobj::assets::mannequin_object();
/// let model = object.model().clone();
/// let halfway = FrameState::blended([Blend::new(0, 0.2, 0.5), Blend::new(2, 0.2, 0.5)]); // idle and run
/// let mut shortest = |blending: Blending| {
///     object.set_blending(blending);
///     let built = object.build(&model, &halfway, &Build::REPLACE);
///     let lengths = object.pose().bones().iter().flat_map(|bone| [bone.forward(), bone.left(), bone.up()]);
///     built.map(|()| lengths.map(|axis| axis.length()).fold(1.0, f32::min))
/// };
/// assert!(shortest(Blending::Linear)? < 0.9);
/// assert!(shortest(Blending::Rotations)? > 0.99999);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Blending {
    /// Sum of matrices, number by number, as in FTE. Poses far apart shorten and shear a bone between them.
    #[default]
    Linear,
    /// Each bone is a rotation times its own scale. Rotations take the shorter way; origin, scale and shear change in
    /// proportion. A mirrored bone stays mirrored.
    Rotations,
}

/// Models whose frames an object keeps for the next build: its own, and sources of layers.
const MAX_MODELS: usize = 4;

impl SkeletalObject {
    /// Sets the rule by which later calls mix poses; a new object has [`Blending::Linear`].
    ///
    /// The rule is that of [`build`](Self::build) and [`build_normalized`](Self::build_normalized), between two frames
    /// of an animation as between animations; of [`add_pose`](Self::add_pose) and [`take_motion`](Self::take_motion),
    /// which sample poses; and of bones to which a [mask](Self::set_mask) gives a weight between 0 and 1. Snapshots
    /// keep it.
    ///
    /// With [`Blending::Rotations`], the rotation of a bone is the mean of the quaternions, normalised, with the
    /// weights and factors of the sum of matrices. Each quaternion counts with the sign with which it is nearer to the
    /// sum of those before it. Origin, scale and shear are summed as before, so that weights that do not add up to 1
    /// scale the model. Scale and shear are what is left of a bone's matrix without its rotation, which Gram-Schmidt
    /// orthogonalisation finds from its forward and left axes; less than 0.0001 of them counts as none. A pose that is
    /// not mixed with another keeps the bits of [`Blending::Linear`].
    ///
    /// The frames of a model are split into rotations and scales when they are shown for the first time, which
    /// allocates memory. They are kept for as long as an object blends them. All objects share them. Split frames take
    /// slightly more memory than the frames themselves.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// use skelobj::object::Blending;
    /// use skelobj::pose::BoneMask;
    /// let mut object = skelobj::assets::mannequin_object();
    /// object.set_blending(Blending::Rotations);
    /// object.set_bone(12, Mat3x4::IDENTITY)?; // the head
    /// object.set_mask(Some(BoneMask::parse(&object.model().skeleton, "head 0.5")?.into()));
    /// object.mul_bones(12..13, Mat3x4::from_rotation_translation(Quat::from_rotation_z(3.0), Vec3::ZERO));
    /// let half = object.pose().bones()[12];
    /// assert!(half.forward().distance(Vec3::new(1.5f32.cos(), 1.5f32.sin(), 0.0)) < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_blending(&mut self, blending: Blending) {
        if self.blending != blending {
            self.last_build = LastBuild::default();
            self.split_frames.clear();
            self.blending = blending;
        }
    }

    /// Returns the rule by which poses are mixed.
    ///
    /// ```
    /// use skelobj::object::Blending;
    /// let mut object = skelobj::assets::mannequin_object();
    /// assert_eq!(object.blending(), Blending::Linear);
    /// object.set_blending(Blending::Rotations);
    /// assert_eq!(object.blending(), Blending::Rotations);
    /// ```
    #[must_use]
    pub fn blending(&self) -> Blending {
        self.blending
    }

    /// Returns what mixes poses of a model.
    pub(super) fn mixer(&mut self, source: Source<'_>) -> Mixer {
        let frames = match self.blending {
            Blending::Linear => None,
            Blending::Rotations => self.frames_of(source),
        };
        Mixer { blending: self.blending, frames }
    }

    fn frames_of(&mut self, source: Source<'_>) -> Option<Arc<SplitFrames>> {
        let model = source.model();
        if let Some(frames) = self.split_frames.iter().find(|frames| frames.is_of(model)) {
            return Some(frames.clone());
        }
        let shared = match source {
            Source::Shared(model) => model,
            // A model that may change cannot be kept.
            Source::Borrowed(model) => Some(&self.model).filter(|own| std::ptr::eq(Arc::as_ptr(own), model))?,
        };
        let frames = SplitFrames::of(shared);
        if self.split_frames.len() == MAX_MODELS {
            self.split_frames.remove(0);
        }
        self.split_frames.push(frames.clone());
        Some(frames)
    }
}

/// Mixes poses by the rule of an object.
pub(super) struct Mixer {
    blending: Blending,
    /// Frames of the model to sample, if they are kept.
    frames: Option<Arc<SplitFrames>>,
}

impl Mixer {
    /// Samples as [`pose::raw::sample_over`] does.
    #[inline(always)]
    pub fn sample(
        &self,
        source: PoseSource<'_>,
        bones: Range<usize>,
        retain: f32,
        add: f32,
        out: &mut [Mat3x4],
    ) -> Sampled {
        match self.blending {
            Blending::Linear => pose::sample_into(source, bones, retain, add, out),
            Blending::Rotations => pose::sample_rotations(source, self.frames.as_deref(), bones, retain, add, out),
        }
    }
}

impl Blending {
    /// Mixes as [`pose::raw::retain_and_add`] does. `first` is the number of the first bone.
    pub(super) fn retain_and_add(self, out: &mut [Mat3x4], first: usize, retain: f32, new: &[Mat3x4], add: f32) {
        match self {
            Self::Linear => pose::raw::retain_and_add(out, retain, new, add),
            Self::Rotations => {
                pose::mix_rotations(out, first, retain, &[Layer { pose: new, octets: &[], weight: 1.0 }], add);
            }
        }
    }

    /// Mixes a changed bone into a bone, with a weight from 0 to 1.
    pub(super) fn mix(self, bone: &mut Mat3x4, changed: &Mat3x4, weight: f32) {
        match self {
            Self::Rotations if weight > 0.0 && weight < 1.0 => {
                self.retain_and_add(from_mut(bone), 0, 1.0 - weight, from_ref(changed), weight);
            }
            _ => pose::mix(bone, changed, weight),
        }
    }
}
