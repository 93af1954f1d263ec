//! Bones of a model: names, parents and the bind pose.

use std::collections::HashMap;
use std::sync::Arc;

use super::Name;
use super::rest::Rest;
use super::scaled::farther;
use crate::math::Mat3x4;
use crate::math::branches::Branches;
use crate::math::hierarchy::to_model_space;

/// Description of one bone, from which [`Skeleton::new`] builds a skeleton.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::model::{Bone, Skeleton};
///
/// let at = |height: f32| Mat3x4::from_translation(Vec3::Z * height);
/// let skeleton = Skeleton::new(vec![
///     Bone { name: "base".into(), parent: None, bind: at(10.0) },
///     Bone { name: "lid".into(), parent: Some(0), bind: at(20.0) },
/// ])?;
/// assert_eq!(skeleton.bind_model()[1], at(30.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Bone {
    /// Name of the bone; may be empty or repeated.
    pub name: Name,
    /// Index of the parent, less than the bone's own; `None` for a root.
    pub parent: Option<usize>,
    /// Bind pose in local space.
    pub bind: Mat3x4,
}

/// Bones of a model with their bind pose; parents come before children.
///
/// The order is that of the file, with no other guarantee: the bones of a branch need not follow each other.
/// [`Build::with_bones`](crate::object::Build::with_bones) shows how to find the bones of a branch, such as an upper
/// body.
///
/// ```
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let hand = skeleton.find("hand_l").ok_or("no hand")?;
/// let mut chain = vec![skeleton.names()[hand].to_string()];
/// let mut bone = hand;
/// while let Some(parent) = skeleton.parent(bone) {
///     chain.push(skeleton.names()[parent].to_string());
///     bone = parent;
/// }
/// assert_eq!(chain, ["hand_l", "forearm_l", "upperarm_l", "clavicle_l", "chest", "spine", "pelvis"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Skeleton {
    names: Vec<Name>,
    parents: Vec<i32>,
    branches: Branches,
    bind_local: Vec<Mat3x4>,
    bind_model: Vec<Mat3x4>,
    inverse_bind: Vec<Mat3x4>,
    has_bind: bool,
    rest: Option<Arc<Rest>>,
}

impl Skeleton {
    /// Maximum number of bones of a model.
    pub const MAX_BONES: usize = 8192;

    /// Builds a skeleton with a bind pose, and computes the model-space bind matrices and their inverses.
    ///
    /// # Errors
    /// [`SkeletonError::ParentNotBefore`] if a parent does not come before its child, [`SkeletonError::TooManyBones`]
    /// beyond [`MAX_BONES`](Self::MAX_BONES).
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::model::{Bone, Skeleton};
    /// let bone = |name: &str, parent| Bone { name: name.into(), parent, bind: Mat3x4::IDENTITY };
    /// let skeleton = Skeleton::new(vec![bone("hips", None), bone("tail1", Some(0)), bone("tail2", Some(1))])?;
    /// assert_eq!(skeleton.parents(), [-1, 0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(bones: Vec<Bone>) -> Result<Self, SkeletonError> {
        let mut skeleton = Self::hierarchy(bones.iter().map(|b| (b.name.clone(), b.parent)))?;
        skeleton.bind_local = bones.into_iter().map(|b| b.bind).collect();
        let mut bind_model = vec![Mat3x4::ZERO; skeleton.len()];
        to_model_space(&skeleton.parents, &skeleton.bind_local, &mut bind_model);
        skeleton.inverse_bind = bind_model.iter().map(Mat3x4::inverse_uniform).collect();
        skeleton.bind_model = bind_model;
        skeleton.has_bind = true;
        Ok(skeleton)
    }

    /// Builds a skeleton without a bind pose, as files with only animations describe one. All bind matrices are the
    /// identity.
    ///
    /// Such a skeleton drives other models: see [`Model::add_animations`](super::Model::add_animations).
    ///
    /// # Errors
    /// [`SkeletonError::ParentNotBefore`] if a parent does not come before its child, [`SkeletonError::TooManyBones`]
    /// beyond [`MAX_BONES`](Self::MAX_BONES).
    ///
    /// ```
    /// use skelobj::model::Skeleton;
    /// let skeleton = Skeleton::without_bind(vec![("pelvis".into(), None), ("spine".into(), Some(0))])?;
    /// assert!(!skeleton.has_bind());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_bind(bones: Vec<(Name, Option<usize>)>) -> Result<Self, SkeletonError> {
        let mut skeleton = Self::hierarchy(bones.into_iter())?;
        let identity = vec![Mat3x4::IDENTITY; skeleton.len()];
        skeleton.bind_local = identity.clone();
        skeleton.bind_model = identity.clone();
        skeleton.inverse_bind = identity;
        Ok(skeleton)
    }

    /// Replaces the inverse bind matrices, for files that store them; they may differ from the inverses of
    /// [`bind_model`](Self::bind_model). Bones past the end of the iterator keep theirs.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::model::{Bone, Skeleton};
    /// let lift = Mat3x4::from_translation(Vec3::Z * 8.0);
    /// let skeleton = Skeleton::new(vec![Bone { name: "base".into(), parent: None, bind: lift }])?;
    /// assert_eq!(skeleton.inverse_bind()[0].origin(), Vec3::Z * -8.0);
    /// let skeleton = skeleton.with_inverse_bind([Mat3x4::IDENTITY]);
    /// assert_eq!(skeleton.inverse_bind(), [Mat3x4::IDENTITY]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_inverse_bind(mut self, inverse_bind: impl IntoIterator<Item = Mat3x4>) -> Self {
        for (own, given) in self.inverse_bind.iter_mut().zip(inverse_bind) {
            *own = given;
        }
        self
    }

    /// Sets the channels of bones that no track drives.
    pub(crate) fn with_rest(mut self, rest: Rest) -> Self {
        debug_assert_eq!(rest.bones.len(), self.len(), "every bone has rest channels");
        debug_assert!(rest.numbers.values().all(|bone| *bone < self.len()), "names lead to bones");
        self.rest = Some(Arc::new(rest));
        self
    }

    /// Returns the channels of bones that no track drives, if they are not the bind pose.
    pub(crate) fn rest(&self) -> Option<&Arc<Rest>> {
        self.rest.as_ref()
    }

    fn hierarchy(bones: impl ExactSizeIterator<Item = (Name, Option<usize>)>) -> Result<Self, SkeletonError> {
        if bones.len() > Self::MAX_BONES {
            return Err(SkeletonError::TooManyBones { count: bones.len() });
        }
        let mut skeleton = Self::default();
        for (bone, (name, parent)) in bones.enumerate() {
            if let Some(parent) = parent
                && parent >= bone
            {
                return Err(SkeletonError::ParentNotBefore { bone, parent });
            }
            skeleton.names.push(name);
            skeleton.parents.push(parent.map_or(-1, |p| p as i32));
        }
        skeleton.branches = Branches::new(&skeleton.parents);
        Ok(skeleton)
    }

    /// Returns the number of bones.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.skeleton.len(), 21);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Returns `true` if the skeleton has no bones.
    ///
    /// ```
    /// use skelobj::Model;
    /// assert!(Model::default().skeleton.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Returns the name of bone `bone` (0-based); `None` past the last.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.skeleton.name(0), Some(&"pelvis".into()));
    /// ```
    #[must_use]
    pub fn name(&self, bone: usize) -> Option<&Name> {
        self.names.get(bone)
    }

    /// Returns all names, in bone order.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let feet = mannequin.skeleton.names().iter().filter(|name| name.as_bytes().starts_with(b"foot_"));
    /// assert_eq!(feet.count(), 2);
    /// ```
    #[must_use]
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// Returns the parent of bone `bone` (0-based); `None` for roots and past the last bone.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let skeleton = &mannequin.skeleton;
    /// let head = skeleton.find("head").ok_or("no head")?;
    /// assert_eq!(skeleton.parent(head), skeleton.find("neck"));
    /// assert_eq!(skeleton.parent(0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn parent(&self, bone: usize) -> Option<usize> {
        self.parents.get(bone).and_then(|&p| usize::try_from(p).ok())
    }

    /// Returns the parent indexes in bone order, -1 for roots; each is less than the index of its bone.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.skeleton.parents()[..5], [-1, 0, 1, 2, 3]); // pelvis, left leg
    /// ```
    #[must_use]
    pub fn parents(&self) -> &[i32] {
        &self.parents
    }

    /// Returns the order of bones in which descendants follow without a gap.
    pub(crate) fn branches(&self) -> &Branches {
        &self.branches
    }

    /// Returns the first bone with exactly this name, 0-based; case matters.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.skeleton.find("head"), Some(12));
    /// assert_eq!(mannequin.skeleton.find("Head"), None);
    /// ```
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<usize> {
        let name = name.as_ref();
        self.names.iter().position(|n| n.as_bytes() == name)
    }

    /// Returns a function from the name in a skin or track to its bone: of several bones the one that the format
    /// prefers, otherwise the first.
    pub(crate) fn names_to_bones(&self) -> impl Fn(&Name) -> Option<usize> {
        let mut first: HashMap<&Name, usize> = HashMap::new();
        if self.rest.is_none() {
            first.extend(self.names.iter().enumerate().rev().map(|(bone, name)| (name, bone)));
        }
        move |name| match &self.rest {
            Some(rest) => rest.numbers.get(name).copied(),
            None => first.get(name).copied(),
        }
    }

    /// Returns `true` if the file had a bind pose.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert!(mannequin.skeleton.has_bind());
    /// ```
    #[must_use]
    pub fn has_bind(&self) -> bool {
        self.has_bind
    }

    /// Returns the bind pose in local space, one matrix per bone.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    ///
    /// let mannequin = skelobj::assets::mannequin();
    /// let neck = mannequin.skeleton.find("neck").ok_or("no neck")?;
    /// let offset = mannequin.skeleton.bind_local()[neck].origin(); // from the chest
    /// assert!(offset.distance(Vec3::new(-0.3, 0.0, 9.9)) < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bind_local(&self) -> &[Mat3x4] {
        &self.bind_local
    }

    /// Returns the bind pose in model space, one matrix per bone.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let foot = mannequin.skeleton.find("foot_l").ok_or("no foot")?;
    /// assert!((mannequin.skeleton.bind_model()[foot].origin().z - 4.2).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bind_model(&self) -> &[Mat3x4] {
        &self.bind_model
    }

    /// Returns the inverse bind matrices, from which skinning palettes are computed; model space, one per bone.
    ///
    /// They are the inverses of [`bind_model`](Self::bind_model), assuming rotation and uniform scale, unless the file
    /// states the pose in which its skins are bound.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    ///
    /// let mannequin = skelobj::assets::mannequin();
    /// let skeleton = &mannequin.skeleton;
    /// let unmoved = skeleton.bind_model()[12] * skeleton.inverse_bind()[12];
    /// assert!(unmoved.0.iter().zip(Mat3x4::IDENTITY.0).all(|(a, b)| (a - b).abs() < 1e-4));
    /// ```
    #[must_use]
    pub fn inverse_bind(&self) -> &[Mat3x4] {
        &self.inverse_bind
    }
}

impl Skeleton {
    /// Returns the skeleton with all lengths multiplied.
    pub(super) fn times(&self, factor: f32) -> Self {
        let mut skeleton = self.clone();
        let binds = skeleton.bind_local.iter_mut().chain(&mut skeleton.bind_model).chain(&mut skeleton.inverse_bind);
        binds.for_each(|matrix| *matrix = farther(*matrix, factor));
        if let Some(rest) = &mut skeleton.rest {
            for bone in &mut Arc::make_mut(rest).bones {
                bone.channels.position *= f64::from(factor);
                bone.channels.pivot *= f64::from(factor);
            }
        }
        skeleton
    }
}

/// Error of [`Skeleton::new`] and [`Skeleton::without_bind`].
///
/// ```
/// use skelobj::model::{Skeleton, SkeletonError};
/// let error = Skeleton::without_bind(vec![("spine".into(), Some(1)), ("pelvis".into(), None)]);
/// assert_eq!(error, Err(SkeletonError::ParentNotBefore { bone: 0, parent: 1 }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SkeletonError {
    /// The parent of a bone is the bone itself or comes after it.
    ParentNotBefore {
        /// Index of the bone, 0-based.
        bone: usize,
        /// Index of the parent, 0-based.
        parent: usize,
    },
    /// The number of bones exceeds [`Skeleton::MAX_BONES`].
    TooManyBones {
        /// Number of bones.
        count: usize,
    },
}

impl std::fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ParentNotBefore { bone, parent } => {
                write!(f, "bone {bone} has bone {parent} as its parent; a parent must come before its children")
            }
            Self::TooManyBones { count } => write!(f, "found {count} bones, expected at most {}", Skeleton::MAX_BONES),
        }
    }
}

impl std::error::Error for SkeletonError {}
