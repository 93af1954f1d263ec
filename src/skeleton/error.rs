//! Errors of operations on skeletal objects.

use crate::limits::LimitExceeded;

/// The reason why an operation on a skeletal object did nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SkelError {
    /// No object has this id.
    NoSuchObject,
    /// No model has this id.
    NoSuchModel,
    /// The model has no bones.
    NoBones,
    /// No bone has this number.
    NoSuchBone,
    /// The most objects that can be alive at once are alive.
    TooManyObjects,
    /// The bones of the object exceed [`Settings::max_bones`](crate::runtime::Settings::max_bones).
    LimitExceeded(LimitExceeded),
    /// A partial or blended build on an object whose bones are in model space (ruling 45).
    NotLocal,
    /// The bone's parent, or the entity, has no inverse: its matrix is flat or zero (ruling 13).
    Singular,
    /// The bone would hold a number that is not finite, or beyond 1e30.
    TooLarge,
    /// A number that a build calculates with is infinite or NaN.
    NotFinite(BuildNumber),
}

/// The numbers that [`SkeletalObject::build`](super::SkeletalObject::build) calculates with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildNumber {
    /// [`Build::retain`](super::Build::retain).
    Retain,
    /// [`Build::add`](super::Build::add).
    Add,
    /// [`Blend::weight`](crate::model::Blend::weight).
    Weight,
    /// [`Blend::time`](crate::model::Blend::time).
    Time,
    /// One of [`PoseParameters`](crate::model::PoseParameters).
    Parameter,
}

impl std::fmt::Display for SkelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::LimitExceeded(exceeded) => return exceeded.fmt(f),
            Self::NoSuchObject => "no such skeletal object",
            Self::NoSuchModel => "no such model",
            Self::NoBones => "the model has no bones",
            Self::NoSuchBone => "no such bone",
            Self::TooManyObjects => "too many skeletal objects are alive",
            Self::NotLocal => "the bones are in model space: build all of them, retaining nothing",
            Self::Singular => "the matrix of the parent has no inverse",
            Self::TooLarge => "a bone cannot hold numbers that are not finite or beyond 1e30",
            Self::NotFinite(BuildNumber::Retain) => "the share of the old pose that is retained is not finite",
            Self::NotFinite(BuildNumber::Add) => "the share of the new pose that is added is not finite",
            Self::NotFinite(BuildNumber::Weight) => "the weight of an animation is not finite",
            Self::NotFinite(BuildNumber::Time) => "the time of an animation is not finite",
            Self::NotFinite(BuildNumber::Parameter) => "a pose parameter is not finite",
        })
    }
}

impl std::error::Error for SkelError {}
