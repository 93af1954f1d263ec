//! The bones of a model: names, parents and the bind pose.

use std::collections::HashMap;
use std::sync::Arc;

use super::Name;
use super::rest::Rest;
use crate::math::Mat3x4;
use crate::math::hierarchy::to_model_space;

/// One bone as a reader or generator describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Bone {
    /// Its name; may be empty or repeated.
    pub name: Name,
    /// The bone it hangs on, which stands before it; `None` for a root.
    pub parent: Option<usize>,
    /// Bind pose in parent space.
    pub bind: Mat3x4,
}

/// The bones of a model, parents before children.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Skeleton {
    names: Vec<Name>,
    parents: Vec<i32>,
    bind_local: Vec<Mat3x4>,
    bind_model: Vec<Mat3x4>,
    inverse_bind: Vec<Mat3x4>,
    has_bind: bool,
    attachment_bones: Vec<usize>,
    rest: Option<Arc<Rest>>,
}

impl Skeleton {
    /// The most bones a model may have.
    pub const MAX_BONES: usize = 8192;

    /// Builds a skeleton with a bind pose. Model-space bind matrices and their inverses are computed here.
    ///
    /// # Errors
    /// A bone whose parent does not stand before it, or more than [`MAX_BONES`](Self::MAX_BONES) bones.
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

    /// Builds a skeleton without a bind pose, as files that hold only animations describe one: it can drive other
    /// models. All its bind matrices are the identity.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn without_bind(bones: Vec<(Name, Option<usize>)>) -> Result<Self, SkeletonError> {
        let mut skeleton = Self::hierarchy(bones.into_iter())?;
        let identity = vec![Mat3x4::IDENTITY; skeleton.len()];
        skeleton.bind_local = identity.clone();
        skeleton.bind_model = identity.clone();
        skeleton.inverse_bind = identity;
        Ok(skeleton)
    }

    /// Marks these bones (0-based) as places for other models; bones that do not exist are ignored.
    #[must_use]
    pub fn with_attachment_bones(mut self, bones: impl IntoIterator<Item = usize>) -> Self {
        let count = self.len();
        self.attachment_bones = bones.into_iter().filter(|&bone| bone < count).collect();
        self
    }

    /// Replaces the inverse bind matrices, for files that store them: they need not be the inverses of
    /// [`bind_model`](Self::bind_model). Bones past the end of the iterator keep theirs.
    #[must_use]
    pub fn with_inverse_bind(mut self, inverse_bind: impl IntoIterator<Item = Mat3x4>) -> Self {
        for (own, given) in self.inverse_bind.iter_mut().zip(inverse_bind) {
            *own = given;
        }
        self
    }

    /// Sets what the bones do where no track drives them.
    pub(crate) fn with_rest(mut self, rest: Rest) -> Self {
        self.rest = Some(Arc::new(rest));
        self
    }

    /// What the bones do where no track drives them, if that is not the bind pose.
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
        Ok(skeleton)
    }

    /// Returns the bones (0-based) that the file marks as places for other models, so that no tool removes them (a DPM's
    /// attachment flag).
    #[must_use]
    pub fn attachment_bones(&self) -> &[usize] {
        &self.attachment_bones
    }

    /// Returns the number of bones.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Returns whether there are no bones.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Returns the name of bone `bone` (0-based).
    #[must_use]
    pub fn name(&self, bone: usize) -> Option<&Name> {
        self.names.get(bone)
    }

    /// Returns all names, in bone order.
    #[must_use]
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// Returns the parent of bone `bone`; `None` for roots and for bones that do not exist.
    #[inline]
    #[must_use]
    pub fn parent(&self, bone: usize) -> Option<usize> {
        self.parents.get(bone).and_then(|&p| usize::try_from(p).ok())
    }

    /// Returns parent indexes in bone order, -1 for roots; each is less than the index of its bone.
    #[must_use]
    pub fn parents(&self) -> &[i32] {
        &self.parents
    }

    /// Finds the first bone with exactly this name; case matters.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        self.names.iter().position(|n| n.as_bytes() == name)
    }

    /// Finds the bone that a skin or track of a name means: of several the one that the format prefers, else the first.
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

    /// Returns whether the file had a bind pose.
    #[must_use]
    pub fn has_bind(&self) -> bool {
        self.has_bind
    }

    /// Returns the bind pose, parent space.
    #[must_use]
    pub fn bind_local(&self) -> &[Mat3x4] {
        &self.bind_local
    }

    /// Returns the bind pose, model space.
    #[must_use]
    pub fn bind_model(&self) -> &[Mat3x4] {
        &self.bind_model
    }

    /// Returns what skinning takes off each bone, model space: the inverses of [`bind_model`](Self::bind_model) (rotation
    /// and uniform scale assumed), or of the pose in which a file says that its skins are bound.
    #[must_use]
    pub fn inverse_bind(&self) -> &[Mat3x4] {
        &self.inverse_bind
    }
}

/// Bones that cannot be a skeleton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SkeletonError {
    /// A bone hangs on itself or on one that stands after it.
    ParentNotBefore {
        /// The bone, 0-based.
        bone: usize,
        /// The parent it names.
        parent: usize,
    },
    /// More bones than [`Skeleton::MAX_BONES`].
    TooManyBones {
        /// How many.
        count: usize,
    },
}

impl std::fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ParentNotBefore { bone, parent } => {
                write!(f, "bone {bone} names bone {parent} as its parent, which does not stand before it")
            }
            Self::TooManyBones { count } => write!(f, "{count} bones, at most {} are allowed", Skeleton::MAX_BONES),
        }
    }
}

impl std::error::Error for SkeletonError {}
