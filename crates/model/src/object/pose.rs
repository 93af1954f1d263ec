//! Matrices of bones and the space that they are in.

use crate::math::Mat3x4;

/// Matrices of all bones of a skeletal object, in local space or in model space.
///
/// The matrices keep their address for as long as the object lives, even when the space changes.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::object::Pose;
/// let mut object = skelobj::assets::mannequin_object();
/// let local = object.pose().clone();
/// assert!(matches!(local, Pose::Local(_)));
/// let mut bones = vec![Mat3x4::ZERO; object.bone_count()];
/// object.write_model_space(&mut bones);
/// object.set_model_space_pose(&bones)?;
/// assert!(matches!(object.pose(), Pose::ModelSpace(_)));
/// assert_eq!(object.pose().bones()[0], local.bones()[0]); // a root is the same in both spaces
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pose {
    /// Local space, each bone relative to its parent: the result of
    /// [`SkeletalObject::build`](super::SkeletalObject::build).
    Local(Box<[Mat3x4]>),
    /// Model space, each bone relative to the entity: the result of a ragdoll.
    ModelSpace(Box<[Mat3x4]>),
}

impl Pose {
    /// Returns the matrices in their current space.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let object = skelobj::assets::mannequin_object();
    /// let bones: &[Mat3x4] = object.pose().bones();
    /// assert_eq!(bones.len(), 21);
    /// assert_eq!(bones[0].origin().z, 34.5); // the pelvis, a root: relative to the entity in both spaces
    /// ```
    #[inline]
    #[must_use]
    pub fn bones(&self) -> &[Mat3x4] {
        match self {
            Self::Local(bones) | Self::ModelSpace(bones) => bones,
        }
    }

    /// Returns the matrices in their current space, to write through.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let object = skelobj::assets::mannequin_object();
    /// let mut pose = object.pose().clone(); // a copy; SkeletalObject::bones_mut writes into an object
    /// pose.bones_mut()[0] = Mat3x4::IDENTITY;
    /// assert_ne!(&pose, object.pose());
    /// ```
    #[inline]
    pub fn bones_mut(&mut self) -> &mut [Mat3x4] {
        match self {
            Self::Local(bones) | Self::ModelSpace(bones) => bones,
        }
    }

    /// Returns `true` if the matrices are in local space.
    ///
    /// ```
    /// let mut object = skelobj::assets::mannequin_object();
    /// let model = object.model().clone();
    /// assert!(object.pose().is_local());
    /// object.set_model_space_pose(model.skeleton.bind_model())?;
    /// assert!(!object.pose().is_local());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Local(_))
    }

    pub(super) fn into_bones(self) -> Box<[Mat3x4]> {
        match self {
            Self::Local(bones) | Self::ModelSpace(bones) => bones,
        }
    }
}
