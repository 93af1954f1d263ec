//! Masks of an object, and layers that are added to its pose.

use std::ops::Range;
use std::sync::Arc;

use super::build::check_frame;
use super::last_build::{LastBuild, Source};
use super::{Built, ObjectError, Pose, SkeletalObject};
use crate::math::Mat3x4;
use crate::model::{FrameState, Model};
use crate::pose::{self, Additive, BoneMask, Group, LANES, PoseSource, PosingError, saturate};

/// Memory for masks that texts state, so that a script which states one in each frame allocates none.
#[derive(Debug, Default)]
pub(super) struct SpareMask {
    /// Mask that was ended.
    mask: Option<Arc<BoneMask>>,
    generations: Vec<u32>,
}

impl SkeletalObject {
    /// Limits later builds, edits of ranges, copies and layers to the bones of a mask; `None` ends that.
    ///
    /// A bone of weight 0 keeps its bits, one of weight 1 is changed as without a mask, and in between the old and the
    /// changed matrix are mixed as builds mix. Edits of single bones, whole poses that are set, aims, reaches, springs
    /// and ragdolls ignore the mask. Snapshots keep it.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// use skelobj::pose::BoneMask;
    /// use std::sync::Arc;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// let arms = Arc::new(BoneMask::parse(&model.skeleton, "clavicle_l, clavicle_r")?); // once for a model
    /// object.build(&model, &FrameState::single(1, 0.2), &Build::REPLACE)?; // walk
    /// let walk = object.pose().clone();
    /// object.set_mask(Some(arms));
    /// object.build(&model, &FrameState::single(2, 0.2), &Build::REPLACE)?; // only the arms run
    /// object.set_mask(None);
    /// let same = |bone: usize| object.pose().bones()[bone] == walk.bones()[bone];
    /// assert!(same(1) && !same(14));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_mask(&mut self, mask: Option<Arc<BoneMask>>) {
        // A build through a mask rounds even what it does not change, so it may not be left out.
        self.last_build = LastBuild::default();
        self.mask = mask;
    }

    /// Sets the mask that a text states, as [`BoneMask::parse`] reads it; an empty text ends the mask.
    ///
    /// Memory of the last mask that was stated is used again, so that a script may state masks in each frame.
    ///
    /// ```
    /// let mut object = skelobj::assets::mannequin_object();
    /// object.set_mask_named("spine 1 2, head 0")?;
    /// assert_eq!(object.mask().unwrap().weights()[10], 2.0 / 3.0); // the chest, one generation below
    /// object.set_mask_named("")?;
    /// assert!(object.mask().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError`] as from [`BoneMask::parse`]. The mask is unchanged.
    pub fn set_mask_named(&mut self, text: impl AsRef<[u8]>) -> Result<(), PosingError> {
        let text = text.as_ref();
        self.last_build = LastBuild::default();
        let SpareMask { mask: spare, generations } = &mut self.spare_mask;
        if text.is_empty() {
            *spare = self.mask.take().or(spare.take());
            return Ok(());
        }
        let skeleton = &self.model.skeleton;
        let own = self.mask.as_mut().or(spare.as_mut()).and_then(Arc::get_mut);
        match own.filter(|mask| mask.weights().len() == skeleton.len()) {
            Some(mask) => {
                mask.replace(skeleton, text, generations)?;
                self.mask = self.mask.take().or(spare.take());
            }
            None => self.mask = Some(BoneMask::parse(skeleton, text)?.into()),
        }
        Ok(())
    }

    /// Returns the mask of the object.
    ///
    /// ```
    /// use skelobj::pose::BoneMask;
    /// let mut object = skelobj::assets::mannequin_object();
    /// assert!(object.mask().is_none());
    /// let head = BoneMask::parse(&object.model().skeleton, "head")?;
    /// object.set_mask(Some(head.into()));
    /// assert_eq!(object.mask().unwrap().weights()[12], 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mask(&self) -> Option<&Arc<BoneMask>> {
        self.mask.as_ref()
    }

    /// Adds a layer to the pose, with a weight from -1 to 1 over the object's [mask](Self::set_mask).
    ///
    /// [`pose::add`] documents the rules. Add layers after the build of a frame and before a ragdoll follows.
    ///
    /// ```
    /// use skelobj::pose::Additive;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// let death = &model.animations[3];
    /// let flinch = Additive::new(model.pose(death, 4), model.pose(death, 0)); // once for a model
    /// object.add_layer(&flinch, 0.5)?;
    /// assert_ne!(object.pose().bones()[9], model.skeleton.bind_local()[9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NotBuilt`], [`ObjectError::InModelSpace`]; [`ObjectError::Posing`] if the weight is out of range.
    /// The object is unchanged.
    pub fn add_layer(&mut self, layer: &Additive, weight: f32) -> Result<(), ObjectError> {
        let mask = self.mask.clone();
        let bones = self.bones_for_layer(weight)?;
        pose::add(bones, layer, weight, mask.as_deref())?;
        saturate(bones);
        self.note_write(Built::ByScript);
        Ok(())
    }

    /// Adds the difference of a pose of `source` to a reference, with a weight from -1 to 1 over the object's
    /// [mask](Self::set_mask).
    ///
    /// `frame` selects the pose and `reference` the pose that adds nothing, such as the first frame of the same
    /// animation; `None` is the bind pose. Bones that `source` lacks are unchanged. A layer that never changes is
    /// cheaper as an [`Additive`].
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// let [frame, first] = [0.3, 0.0].map(|time| FrameState::single(3, time)); // death
    /// object.add_pose(&model, &frame, Some(&first), 0.5)?;
    /// assert_ne!(object.pose().bones()[9], model.skeleton.bind_local()[9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NotBuilt`], [`ObjectError::InModelSpace`]; [`ObjectError::Posing`] if the weight is out of range;
    /// [`ObjectError::OutOfRange`] if a weight, a time or a parameter of a frame state is not finite. The object is
    /// unchanged.
    pub fn add_pose(
        &mut self,
        source: &Model,
        frame: &FrameState,
        reference: Option<&FrameState>,
        weight: f32,
    ) -> Result<(), ObjectError> {
        for frame in [Some(frame), reference].into_iter().flatten() {
            check_frame(frame)?;
        }
        let (mask, mixer) = (self.mask.clone(), self.mixer(Source::Borrowed(source)));
        let bones = self.bones_for_layer(weight)?;
        let sample = |frame: &FrameState, range: Range<usize>, out: &mut [Mat3x4]| {
            mixer.sample(PoseSource { model: source, frame }, range, 0.0, 1.0, out).bones
        };
        const PIECE: usize = 32;
        let (mut posed, mut referred) = ([Mat3x4::ZERO; PIECE], [Mat3x4::ZERO; PIECE]);
        for (piece, bones) in bones.chunks_mut(PIECE).enumerate() {
            let start = piece * PIECE;
            let range = start..start + bones.len();
            let mut written = sample(frame, range.clone(), &mut posed);
            match reference {
                Some(frame) => {
                    written = written.min(sample(frame, range, &mut referred));
                }
                None => {
                    let bind = source.skeleton.bind_local();
                    let bind = &bind[range.start.min(bind.len())..range.end.min(bind.len())];
                    referred[..bind.len()].copy_from_slice(bind);
                    written = written.min(bind.len());
                }
            }
            let mut groups = [(Group::new(&[], &[])).0; PIECE / LANES];
            let mut scales = false;
            let (posed, referred) = (posed[..written].chunks(LANES), referred[..written].chunks(LANES));
            for (group, (pose, reference)) in groups.iter_mut().zip(posed.zip(referred)) {
                let is_scaled;
                (*group, is_scaled) = Group::new(pose, reference);
                scales |= is_scaled;
            }
            let weights = mask.as_deref().map(|mask| mask.weights().get(start..).unwrap_or_default());
            pose::add_groups(&mut bones[..written], &groups, scales, weight, weights);
            saturate(bones);
        }
        self.note_write(Built::ByScript);
        Ok(())
    }

    /// Returns the bones to add a layer to.
    fn bones_for_layer(&mut self, weight: f32) -> Result<&mut [Mat3x4], ObjectError> {
        pose::check_weight(weight)?;
        if !self.is_built() {
            return Err(ObjectError::NotBuilt);
        }
        match &mut self.pose {
            Pose::Local(bones) => Ok(bones),
            Pose::ModelSpace(_) => Err(ObjectError::InModelSpace),
        }
    }
}
