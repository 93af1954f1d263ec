//! One skeletal object: a model's bones in a pose that game code builds and edits.

mod edit;
#[cfg(feature = "serde")]
mod saved;

use std::ops::Range;
use std::sync::Arc;

use crate::math::Mat3x4;
use crate::model::{FrameState, Model, Name};
use crate::pose::{self, PoseSource};
#[cfg(feature = "serde")]
pub(crate) use saved::SavedSkeleton;

/// The bones of a skeletal object; which space they are in is part of the value.
///
/// The matrices stay where they are in memory for as long as the object lives, also when the space changes.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pose {
    /// Each bone relative to its parent: what [`SkeletalObject::build`] makes.
    Local(Box<[Mat3x4]>),
    /// Each bone relative to the entity: what a ragdoll leaves.
    ModelSpace(Box<[Mat3x4]>),
}

impl Pose {
    /// The matrices, whatever their space.
    #[inline]
    pub fn bones(&self) -> &[Mat3x4] {
        match self {
            Self::Local(bones) | Self::ModelSpace(bones) => bones,
        }
    }

    /// The matrices, whatever their space, to write through.
    #[inline]
    pub fn bones_mut(&mut self) -> &mut [Mat3x4] {
        match self {
            Self::Local(bones) | Self::ModelSpace(bones) => bones,
        }
    }

    /// Whether the bones are relative to their parents.
    #[inline]
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Local(_))
    }

    fn into_bones(self) -> Box<[Mat3x4]> {
        match self {
            Self::Local(bones) | Self::ModelSpace(bones) => bones,
        }
    }
}

/// The space of a new skeletal object's bones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Space {
    /// Parent space.
    #[default]
    Local,
    /// Model space (skel_create's second argument).
    Model,
}

/// How [`SkeletalObject::build`] mixes a new pose into an old one.
#[derive(Clone, PartialEq, Debug)]
pub struct Build {
    /// Factor of what the bones hold; 0 ignores it.
    pub retain: f32,
    /// Factor of the new pose.
    pub add: f32,
    /// Which bones, 0-based, the end excluded; what lies beyond the object is cut off.
    pub bones: Range<usize>,
}

impl Build {
    /// All bones, replaced.
    pub const REPLACE: Self = Self { retain: 0.0, add: 1.0, bones: 0..usize::MAX };

    /// All bones, `retain` of the old and the rest of the new.
    pub fn retaining(retain: f32) -> Self {
        Self { retain, add: 1.0 - retain, bones: 0..usize::MAX }
    }

    /// The same for a range of bones (0-based, end excluded).
    pub fn range(mut self, bones: Range<usize>) -> Self {
        self.bones = bones;
        self
    }
}

/// Why an operation on a skeletal object did nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SkelError {
    /// No object has this handle.
    NoSuchObject,
    /// No model has this handle.
    NoSuchModel,
    /// The model has no bones.
    NoBones,
    /// No bone has this number.
    NoSuchBone,
    /// As many objects are alive as can be.
    TooManyObjects,
    /// A partial or blended build on an object whose bones are in model space (ruling 45).
    NotLocal,
    /// The bone's parent, or the entity, has no inverse: its matrix is flat or zero (ruling 13).
    Singular,
    /// The bone would hold a number that is not finite, or beyond 1e30.
    TooLarge,
}

impl std::fmt::Display for SkelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoSuchObject => "no such skeletal object",
            Self::NoSuchModel => "no such model",
            Self::NoBones => "the model has no bones",
            Self::NoSuchBone => "no such bone",
            Self::TooManyObjects => "too many skeletal objects are alive",
            Self::NotLocal => "the bones are in model space: build all of them, retaining nothing",
            Self::Singular => "the matrix of the parent has no inverse",
            Self::TooLarge => "a bone cannot hold numbers that are not finite or beyond 1e30",
        })
    }
}

impl std::error::Error for SkelError {}

/// A model's bones in a pose of their own (builtins #263 to #275).
///
/// Bones are numbered from 0 here; scripts count from 1.
///
/// ```
/// use std::sync::Arc;
/// use skelobj::{Model, SkeletalObject, assets};
/// use skelobj::model::FrameState;
/// use skelobj::skeleton::{Build, Space};
///
/// let model = Arc::new(Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?);
/// let mut object = SkeletalObject::new(model.clone(), Space::Local);
/// object.build(&model, &FrameState::single(0, 0.25), &Build::REPLACE)?;
/// let head = object.find_bone(b"head").unwrap();
/// assert!(object.model_space(head).unwrap().origin().z > 50.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SkeletalObject {
    model: Arc<Model>,
    pose: Pose,
    built: Built,
}

/// What the matrices of a skeletal object are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Built {
    /// Zeros, as created.
    Never,
    /// Written by game code since a ragdoll last wrote them.
    ByScript,
    /// Written by a ragdoll last.
    #[cfg(feature = "ragdoll")]
    ByRagdoll,
}

impl SkeletalObject {
    /// A new object for the model, all its matrices zero (builtin #263).
    pub fn new(model: Arc<Model>, space: Space) -> Self {
        let bones = vec![Mat3x4::ZERO; model.skeleton.len()].into_boxed_slice();
        let pose = match space {
            Space::Local => Pose::Local(bones),
            Space::Model => Pose::ModelSpace(bones),
        };
        Self { model, pose, built: Built::Never }
    }

    /// The model whose bones it has.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The bones and their space.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The twelve floats of every bone, to write through (builtin #282, skel_mmap). Their address is the same for as
    /// long as the object lives, and whatever is written counts from the next call on.
    pub fn bones_mut(&mut self) -> &mut [Mat3x4] {
        self.built = Built::ByScript;
        self.pose.bones_mut()
    }

    /// The same memory, to hand out for later writes: by itself it changes nothing.
    #[cfg(feature = "qc")]
    pub(crate) fn bones_in_place(&mut self) -> &mut [Mat3x4] {
        self.pose.bones_mut()
    }

    /// Whether anything was ever written into the bones: until then they are zeros.
    pub fn is_built(&self) -> bool {
        // Scripts may have written through a pointer.
        self.built != Built::Never || self.pose.bones().iter().any(|bone| *bone != Mat3x4::ZERO)
    }

    /// Whether game code wrote into the bones after a ragdoll last did.
    pub fn is_built_since_ragdoll(&self) -> bool {
        self.built == Built::ByScript
    }

    /// How many bones it has (builtin #265).
    #[inline]
    pub fn bone_count(&self) -> usize {
        self.pose.bones().len()
    }

    /// A bone's name (builtin #266).
    #[inline]
    pub fn bone_name(&self, bone: usize) -> Option<&Name> {
        self.model.skeleton.name(bone)
    }

    /// The bone it hangs on; `None` for roots and for bones that do not exist (builtin #267).
    #[inline]
    pub fn bone_parent(&self, bone: usize) -> Option<usize> {
        self.model.skeleton.parent(bone)
    }

    /// The first bone of that name; case matters (builtin #268).
    pub fn find_bone(&self, name: &[u8]) -> Option<usize> {
        self.model.skeleton.find(name)
    }

    /// Mixes a pose of `source` into a range of bones (builtin #264, skel_build).
    ///
    /// Bone by bone, `old * retain + new * add`, a plain sum: fractions that do not add up to 1 scale the model.
    /// `source` may be another model; bones that it lacks are left alone. An object in model space can only be
    /// rebuilt whole with nothing retained, and becomes relative by it.
    ///
    /// # Errors
    /// [`SkelError::NotLocal`]; the object is unchanged then.
    #[inline]
    pub fn build(&mut self, source: &Model, frame: &FrameState, build: &Build) -> Result<(), SkelError> {
        self.build_shaped(source, frame, build, None)
    }

    fn build_shaped(
        &mut self,
        source: &Model,
        frame: &FrameState,
        build: &Build,
        shape: Option<fn(&mut Mat3x4)>,
    ) -> Result<(), SkelError> {
        let count = self.bone_count();
        let (retain, add) = (finite(build.retain), finite(build.add));
        let end = build.bones.end.min(count);
        let start = build.bones.start.min(end);
        if !self.pose.is_local() {
            if retain != 0.0 || start != 0 || end != count {
                return Err(SkelError::NotLocal);
            }
            self.replace_pose(Pose::Local);
        }
        self.built = Built::ByScript;
        let source = PoseSource { model: source, frame };
        let bones = &mut self.pose.bones_mut()[start..end];
        // Fractions of one whole cannot make numbers grow; others may, in a single call or in a hundred.
        let grows = retain.abs() + add.abs() * frame.weight() > 1.001;
        if retain == 0.0 && add == 1.0 && shape.is_none() {
            pose::sample(source, start..end, bones);
            if grows {
                edit::saturate(bones);
            }
            return Ok(());
        }
        // A bounded piece at a time: no allocation, and the piece stays in the nearest cache.
        let mut scratch = [Mat3x4::ZERO; 32];
        for (piece, bones) in bones.chunks_mut(scratch.len()).enumerate() {
            let start = start + piece * scratch.len();
            let written = pose::sample(source, start..start + bones.len(), &mut scratch);
            if let Some(shape) = shape {
                scratch[..written].iter_mut().for_each(shape);
            }
            pose::retain_and_add(&mut bones[..written], retain, &scratch[..written], add);
            if grows {
                edit::saturate(bones);
            }
        }
        Ok(())
    }

    /// Takes these relative matrices as they are, the object becoming relative; bones that they lack are left alone.
    pub fn set_local_pose(&mut self, relative: &[Mat3x4]) {
        self.replace_pose(Pose::Local);
        self.built = Built::ByScript;
        for (bone, relative) in self.pose.bones_mut().iter_mut().zip(relative) {
            *bone = *relative;
        }
    }

    /// Takes these model-space matrices as they are, the object being in model space from now on; bones that they lack are
    /// left alone.
    pub fn set_model_space_pose(&mut self, bones: &[Mat3x4]) {
        self.replace_pose(Pose::ModelSpace);
        self.built = Built::ByScript;
        for (bone, given) in self.pose.bones_mut().iter_mut().zip(bones) {
            *bone = *given;
        }
    }

    /// A bone relative to its parent (builtin #269). In model space it is computed as `inverse(parent) * bone`; the
    /// bone itself for roots, or where the parent has no inverse.
    #[inline]
    pub fn relative(&self, bone: usize) -> Option<Mat3x4> {
        let bones = self.pose.bones();
        let own = *bones.get(bone)?;
        match (&self.pose, self.bone_parent(bone)) {
            (Pose::ModelSpace(_), Some(parent)) => Some(bones[parent].inverse().map_or(own, |inverse| inverse * own)),
            _ => Some(own),
        }
    }

    /// A bone relative to the entity (builtin #270).
    pub fn model_space(&self, bone: usize) -> Option<Mat3x4> {
        let bones = self.pose.bones();
        let mut matrix = *bones.get(bone)?;
        if self.pose.is_local() {
            let mut at = bone;
            while let Some(parent) = self.bone_parent(at) {
                matrix = bones[parent] * matrix;
                at = parent;
            }
        }
        Some(matrix)
    }

    /// All bones relative to the entity; writes as many as `out` has room for.
    pub fn write_model_space(&self, out: &mut [Mat3x4]) {
        match &self.pose {
            Pose::Local(bones) => pose::to_model_space(self.model.skeleton.parents(), bones, out),
            Pose::ModelSpace(bones) => {
                let count = bones.len().min(out.len());
                out[..count].copy_from_slice(&bones[..count]);
            }
        }
    }

    /// The skinning palette: every bone's model-space matrix times its inverse bind matrix.
    pub fn write_palette(&self, out: &mut [Mat3x4]) {
        self.write_model_space(out);
        for (out, inverse_bind) in out.iter_mut().zip(self.model.skeleton.inverse_bind()) {
            *out = *out * *inverse_bind;
        }
    }

    /// Replaces a bone, in the object's own space (builtin #271).
    ///
    /// # Errors
    /// [`SkelError::NoSuchBone`], [`SkelError::TooLarge`]; the bone is left alone then.
    #[inline]
    pub fn set_bone(&mut self, bone: usize, matrix: Mat3x4) -> Result<(), SkelError> {
        self.edit(bone, |_| matrix)
    }

    /// `bone = matrix * bone`: turns a bone, **and its offset**, about its parent's origin (builtin #272).
    ///
    /// # Errors
    /// As [`set_bone`](Self::set_bone).
    #[inline]
    pub fn mul_bone(&mut self, bone: usize, matrix: Mat3x4) -> Result<(), SkelError> {
        self.edit(bone, |old| matrix * old)
    }

    #[inline]
    fn edit(&mut self, bone: usize, change: impl FnOnce(Mat3x4) -> Mat3x4) -> Result<(), SkelError> {
        let slot = self.pose.bones_mut().get_mut(bone).ok_or(SkelError::NoSuchBone)?;
        let changed = change(*slot);
        if !edit::is_usable(&changed) {
            return Err(SkelError::TooLarge);
        }
        *slot = changed;
        self.built = Built::ByScript;
        Ok(())
    }

    /// Turns the bones to model space where they are.
    #[cfg(feature = "ragdoll")]
    pub(crate) fn make_model_space(&mut self) {
        if let Pose::Local(bones) = &mut self.pose {
            // Parents stand before children, so one pass in place is enough.
            for bone in 0..bones.len() {
                if let Some(parent) = self.model.skeleton.parent(bone) {
                    bones[bone] = bones[parent] * bones[bone];
                }
            }
            self.replace_pose(Pose::ModelSpace);
        }
    }

    /// The bones as a ragdoll leaves them.
    #[cfg(feature = "ragdoll")]
    pub(crate) fn written_by_ragdoll(&mut self) -> &mut [Mat3x4] {
        self.built = Built::ByRagdoll;
        self.pose.bones_mut()
    }

    fn replace_pose(&mut self, kind: fn(Box<[Mat3x4]>) -> Pose) {
        let old = std::mem::replace(&mut self.pose, Pose::Local(Box::default()));
        self.pose = kind(old.into_bones());
    }
}

fn finite(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}
