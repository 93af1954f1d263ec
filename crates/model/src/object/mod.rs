//! Skeletal objects: the bones of a model in a pose that game code builds and edits.

mod blending;
mod build;
mod cache;
mod edit;
mod last_build;
mod layers;
mod object_error;
mod pose;
mod posing;
#[cfg(feature = "serde")]
pub(crate) mod saved;
mod space;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::math::Mat3x4;
use crate::model::{Model, Name};
use crate::pose::{BoneMask, FeetState, SplitFrames};
pub use blending::Blending;
pub use build::Build;
use cache::ModelSpaceCache;
use last_build::LastBuild;
use layers::SpareMask;
pub use object_error::ObjectError;
pub use pose::Pose;
use posing::Springs;
pub use space::Space;

/// Bones of a model in one pose (builtins #263 to #275, #282 and #283).
///
/// A new object holds zeros. [`build`](Self::build) mixes animations into it; [`set_bone`](Self::set_bone),
/// [`mul_bone`](Self::mul_bone) and their relatives edit single bones; [`model_space`](Self::model_space) and
/// [`local_space`](Self::local_space) read bones; [`write_palette`](Self::write_palette) writes the matrices that a
/// renderer skins with. The bones are in local space or in model space; [`Pose`] says which.
///
/// Bones are numbered from 0 here and from 1 in scripts. Engines usually create objects in a `Runtime`, under ids; the
/// type works alone as well.
///
/// ```
/// use skelobj::model::FrameState;
/// use skelobj::object::{Build, Space};
/// use skelobj::{SkeletalObject, assets};
/// use std::sync::Arc;
///
/// let model = Arc::new(assets::mannequin());
/// let mut object = SkeletalObject::new(model.clone(), Space::Local);
/// object.build(&model, &FrameState::single(0, 0.25), &Build::REPLACE)?;
/// let head = object.find_bone("head").unwrap();
/// assert!(object.model_space(head).unwrap().origin().z > 50.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SkeletalObject {
    model: Arc<Model>,
    pose: Pose,
    built: Built,
    revision: u64,
    /// `true` if a pointer to the matrices was handed out, which may be written through at any time.
    is_shared: bool,
    in_model: ModelSpaceCache,
    last_build: LastBuild,
    mask: Option<Arc<BoneMask>>,
    blending: Blending,
    /// Frames of the models that were built from last, if blends need them split.
    split_frames: Vec<Arc<SplitFrames>>,
    /// Memory for masks that texts state.
    spare_mask: SpareMask,
    springs: Springs,
    /// Motion of the feet, once they were placed.
    feet: Option<Box<FeetState>>,
}

/// Last writer of a skeletal object's matrices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Built {
    /// None: the matrices are zeros, as created.
    Never,
    /// Game code.
    ByScript,
    /// A ragdoll.
    ByRagdoll,
}

impl Clone for SkeletalObject {
    fn clone(&self) -> Self {
        let (mask, springs, feet) = (self.mask.clone(), self.springs.clone(), self.feet.clone());
        let copy = Self::with_pose(self.model.clone(), self.pose.clone());
        Self { built: self.built, mask, blending: self.blending, springs, feet, ..copy }
    }
}

impl SkeletalObject {
    /// Creates an object for a model, with all matrices zero (builtin #263, skel_create).
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::{Build, Space};
    /// use skelobj::{SkeletalObject, assets};
    /// use std::sync::Arc;
    /// let model = Arc::new(assets::mannequin());
    /// let mut object = SkeletalObject::new(model.clone(), Space::Local);
    /// assert!(!object.is_built()); // all zeros
    /// object.build(&model, &FrameState::single(1, 0.0), &Build::REPLACE)?;
    /// assert!(object.is_built());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(model: Arc<Model>, space: Space) -> Self {
        let bones = vec![Mat3x4::ZERO; model.skeleton.len()].into_boxed_slice();
        let pose = match space {
            Space::Local => Pose::Local(bones),
            Space::Model => Pose::ModelSpace(bones),
        };
        Self::with_pose(model, pose)
    }

    fn with_pose(model: Arc<Model>, pose: Pose) -> Self {
        debug_assert_eq!(pose.bones().len(), model.skeleton.len(), "every bone has a matrix");
        // An object that is restored under the id of another one must not repeat its revisions.
        static OBJECTS: AtomicU32 = AtomicU32::new(0);
        let revision = u64::from(OBJECTS.fetch_add(1, Ordering::Relaxed)) << 32;
        Self {
            model,
            pose,
            built: Built::Never,
            revision,
            is_shared: false,
            in_model: ModelSpaceCache::default(),
            last_build: LastBuild::default(),
            mask: None,
            blending: Blending::default(),
            split_frames: Vec::new(),
            spare_mask: SpareMask::default(),
            springs: Springs::default(),
            feet: None,
        }
    }

    /// Records a write to the matrices.
    #[inline]
    fn note_write(&mut self, by: Built) {
        self.built = by;
        self.revision += 1;
        self.in_model.forget();
    }

    /// Returns a number that changes whenever the bones may have changed; `None` if they may change at any time.
    ///
    /// A renderer that keeps the revision with a palette writes the palette again only for another revision. A build
    /// that repeats the last write keeps the revision. No two objects of a process ever have the same revision. Scripts
    /// write at any time through the pointer of skel_mmap (#282).
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::object::Build;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// object.build(&model, &FrameState::single(0, 0.25), &Build::REPLACE)?;
    /// let drawn = object.revision();
    /// assert!(object.model_space(12).is_some());
    /// assert_eq!(object.revision(), drawn); // reading changes nothing
    /// object.build(&model, &FrameState::single(0, 0.5), &Build::REPLACE)?;
    /// assert_ne!(object.revision(), drawn);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn revision(&self) -> Option<u64> {
        (!self.is_shared).then_some(self.revision)
    }

    /// Returns the model that the bones belong to.
    ///
    /// ```
    /// let object = skelobj::assets::mannequin_object();
    /// let skeleton = &object.model().skeleton;
    /// let bind_pose = skeleton.bind_model()[12];
    /// assert_eq!(skeleton.name(12).unwrap(), "head");
    /// assert!((object.model_space(12).unwrap().origin() - bind_pose.origin()).length() < 1e-3);
    /// ```
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Returns the matrices of all bones with the space that they are in.
    ///
    /// ```
    /// let object = skelobj::assets::mannequin_object();
    /// assert!(object.pose().is_local());
    /// assert_eq!(object.pose().bones(), object.model().skeleton.bind_local());
    /// ```
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Returns the matrices of all bones to write through, in the object's current space (builtin #282, skel_mmap).
    ///
    /// Their address stays the same for as long as the object lives. Every later call sees the written values; they are
    /// not checked. The object counts as built by game code.
    ///
    /// ```
    /// let mut object = skelobj::assets::mannequin_object();
    /// let pelvis = &mut object.bones_mut()[0];
    /// pelvis.0[11] += 8.0; // the origin's Z: twelve floats, row-major 3x4
    /// assert!((object.model_space(12).unwrap().origin().z - 64.0).abs() < 1e-3); // the head rises from 56 to 64
    /// ```
    pub fn bones_mut(&mut self) -> &mut [Mat3x4] {
        self.note_write(Built::ByScript);
        self.pose.bones_mut()
    }

    /// Returns the matrices of all bones to hand out for later writes; this alone does not make the object built.
    pub(crate) fn bones_in_place(&mut self) -> &mut [Mat3x4] {
        self.is_shared = true;
        self.in_model.forget();
        self.last_build = LastBuild::default();
        self.pose.bones_mut()
    }

    /// Returns `true` if any bone was written since the object was created.
    ///
    /// A ragdoll can only start in an object that is built; other objects hold zeros.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::object::Space;
    /// use skelobj::{SkeletalObject, assets};
    /// let mut object = SkeletalObject::new(assets::mannequin().into(), Space::Local);
    /// assert!(!object.is_built());
    /// object.set_bone(0, Mat3x4::IDENTITY)?;
    /// assert!(object.is_built());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_built(&self) -> bool {
        // Scripts may have written through a pointer.
        self.built != Built::Never || self.pose.bones().iter().any(|bone| *bone != Mat3x4::ZERO)
    }

    /// Returns `true` if game code was the last to write the bones, rather than a ragdoll.
    ///
    /// `Runtime::ragdoll_command` takes such a pose as the animation to follow.
    ///
    /// ```
    /// use skelobj::Runtime;
    /// use skelobj::math::Mat3x4;
    /// use skelobj::ragdoll::Command;
    /// let (mut runtime, id) = skelobj::assets::mannequin_runtime();
    /// let built = |runtime: &Runtime| runtime.object(id).map(|object| object.is_built_since_ragdoll());
    /// assert_eq!(built(&runtime), Some(true));
    /// runtime.ragdoll_command(id, &Mat3x4::IDENTITY, Command::Update, None)?; // the ragdoll writes the bones
    /// assert_eq!(built(&runtime), Some(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_built_since_ragdoll(&self) -> bool {
        self.built == Built::ByScript
    }

    /// Returns the number of bones (builtin #265, skel_get_numbones).
    ///
    /// ```
    /// let object = skelobj::assets::mannequin_object();
    /// assert_eq!(object.bone_count(), 21);
    /// ```
    #[inline]
    #[must_use]
    pub fn bone_count(&self) -> usize {
        self.pose.bones().len()
    }

    /// Returns the name of a bone (0-based), or `None` if the object has no such bone (builtin #266,
    /// skel_get_bonename).
    ///
    /// ```
    /// let object = skelobj::assets::mannequin_object();
    /// assert_eq!(object.bone_name(12).unwrap(), "head");
    /// assert_eq!(object.bone_name(21), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn bone_name(&self, bone: usize) -> Option<&Name> {
        self.model.skeleton.name(bone)
    }

    /// Returns the parent of a bone, both 0-based (builtin #267, skel_get_boneparent).
    ///
    /// `None` for roots and for bones that do not exist.
    ///
    /// ```
    /// let object = skelobj::assets::mannequin_object();
    /// let chain = std::iter::successors(object.find_bone("hand_l"), |&bone| object.bone_parent(bone));
    /// assert!(chain.eq([16, 15, 14, 13, 10, 9, 0])); // hand, arm, clavicle, chest, spine, pelvis
    /// ```
    #[inline]
    #[must_use]
    pub fn bone_parent(&self, bone: usize) -> Option<usize> {
        self.model.skeleton.parent(bone)
    }

    /// Returns the first bone with this name, 0-based; case matters (builtin #268, skel_find_bone).
    ///
    /// ```
    /// let object = skelobj::assets::mannequin_object();
    /// assert_eq!(object.find_bone("head"), Some(12));
    /// assert_eq!(object.find_bone("Head"), None);
    /// ```
    #[must_use]
    pub fn find_bone(&self, name: impl AsRef<[u8]>) -> Option<usize> {
        self.model.skeleton.find(name)
    }

    /// Makes all matrices zero, as created.
    pub(crate) fn unbuild(&mut self) {
        self.note_write(Built::Never);
        self.pose.bones_mut().fill(Mat3x4::ZERO);
    }

    /// Returns the matrices of all bones for a ragdoll to write.
    pub(crate) fn written_by_ragdoll(&mut self) -> &mut [Mat3x4] {
        self.note_write(Built::ByRagdoll);
        self.pose.bones_mut()
    }
}
