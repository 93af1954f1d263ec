//! Bones and the space they are in.

use crate::math::Mat3x4;

/// The bones of a skeletal object; which space they are in is part of the value.
///
/// The matrices stay where they are in memory for as long as the object lives, also when the space changes.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pose {
    /// Local space, each bone relative to its parent bone: what [`SkeletalObject::build`](super::SkeletalObject::build)
    /// makes.
    Local(Box<[Mat3x4]>),
    /// Model space, each bone relative to the entity: what a ragdoll leaves.
    ModelSpace(Box<[Mat3x4]>),
}

impl Pose {
    /// Returns the matrices, whatever their space.
    #[inline]
    #[must_use]
    pub fn bones(&self) -> &[Mat3x4] {
        match self {
            Self::Local(bones) | Self::ModelSpace(bones) => bones,
        }
    }

    /// Returns the matrices, whatever their space, to write through.
    #[inline]
    pub fn bones_mut(&mut self) -> &mut [Mat3x4] {
        match self {
            Self::Local(bones) | Self::ModelSpace(bones) => bones,
        }
    }

    /// Returns whether the bones are in local space.
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

/// The space of a new skeletal object's bones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Space {
    /// Local space: each bone relative to its parent bone.
    #[default]
    Local,
    /// Model space: each bone relative to the entity (skel_create's second argument).
    Model,
}

/// The largest number that builds and edits leave in a bone: far beyond any model, and products of two stay finite in
/// f64.
const LARGEST: f32 = 1e30;

/// Returns whether a bone may hold this: all numbers are finite and within 1e30.
#[inline]
pub(super) fn is_usable(bone: &Mat3x4) -> bool {
    bone.is_within(LARGEST)
}

/// Clamps the numbers of bones to what they may hold; NaN becomes 0.
pub(super) fn saturate(bones: &mut [Mat3x4]) {
    for bone in bones.iter_mut().filter(|bone| !is_usable(bone)) {
        for v in &mut bone.0 {
            *v = if v.is_nan() { 0.0 } else { v.clamp(-LARGEST, LARGEST) };
        }
    }
}
