//! Errors of operations on skeletal objects.

use crate::limits::LimitExceeded;

/// Error of an operation on a skeletal object. On error, nothing changes.
///
/// ```
/// # use std::sync::Arc;
/// # use skelobj::{Model, SkeletalObject, assets, math::{Mat3x4, Quat, Vec3}, model::FrameState};
/// # use skelobj::object::{Build, ObjectError, Pose, Space};
/// # let model = Arc::new(Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?);
/// # let mut object = SkeletalObject::new(model.clone(), Space::Local);
/// # object.set_local_pose(model.skeleton.bind_local())?;
/// assert_eq!(object.set_bone(99, Mat3x4::IDENTITY), Err(ObjectError::NoSuchBone));
/// assert_eq!(object.set_bone(0, Mat3x4([f32::NAN; 12])), Err(ObjectError::TooLarge));
///
/// object.set_model_space_pose(model.skeleton.bind_model())?;
/// let partial = Build::REPLACE.range(0..9);
/// let error = object.build(&model, &FrameState::single(0, 0.0), &partial).unwrap_err();
/// assert_eq!(error.to_string(), "the bones are in model space: build all of them and retain nothing");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ObjectError {
    /// No skeletal object has this id.
    NoSuchObject,
    /// No model has this id.
    NoSuchModel,
    /// The model has no bones.
    NoBones,
    /// The object has no bone of this number.
    NoSuchBone,
    /// 16,383 skeletal objects exist, the most that there can be.
    TooManyObjects,
    /// The bones of all objects would exceed [`Settings::max_bones`](crate::runtime::Settings::max_bones).
    LimitExceeded(LimitExceeded),
    /// A build is partial or retains something, and the bones are in model space (difference 45).
    NotLocal,
    /// The bone's parent or the entity has no inverse: the matrix is flat or zero (difference 13).
    Singular,
    /// A number of the bone's new matrix is not finite or beyond 1e30.
    TooLarge,
    /// A number that a build calculates with is infinite or NaN.
    NotFinite(BuildNumber),
}

/// Number that [`SkeletalObject::build`](super::SkeletalObject::build) calculates with.
///
/// ```
/// # use std::sync::Arc;
/// # use skelobj::{Model, SkeletalObject, assets, math::{Mat3x4, Quat, Vec3}, model::FrameState};
/// # use skelobj::object::{Build, ObjectError, Pose, Space};
/// # let model = Arc::new(Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?);
/// # let mut object = SkeletalObject::new(model.clone(), Space::Local);
/// # object.set_local_pose(model.skeleton.bind_local())?;
/// use skelobj::object::BuildNumber;
/// let never = FrameState::single(0, f64::INFINITY);
/// let error = object.build(&model, &never, &Build::REPLACE).unwrap_err();
/// assert_eq!(error, ObjectError::NotFinite(BuildNumber::Time));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildNumber {
    /// Factor of the old pose, [`Build::retain`](super::Build::retain).
    Retain,
    /// Factor of the new pose, [`Build::add`](super::Build::add).
    Add,
    /// Weight of an animation, [`Blend::weight`](crate::model::Blend::weight).
    Weight,
    /// Time of an animation, [`Blend::time`](crate::model::Blend::time).
    Time,
    /// Parameter of a pose, one of [`PoseParameters`](crate::model::PoseParameters).
    Parameter,
}

impl std::fmt::Display for ObjectError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::LimitExceeded(exceeded) => return exceeded.fmt(f),
            Self::NoSuchObject => "no such skeletal object",
            Self::NoSuchModel => "no such model",
            Self::NoBones => "the model has no bones",
            Self::NoSuchBone => "no such bone",
            Self::TooManyObjects => "too many skeletal objects are alive",
            Self::NotLocal => "the bones are in model space: build all of them and retain nothing",
            Self::Singular => "the matrix of the bone's parent or of the entity has no inverse",
            Self::TooLarge => "the matrix has a number that is not finite or beyond 1e30",
            Self::NotFinite(BuildNumber::Retain) => "the factor of the old pose is not finite",
            Self::NotFinite(BuildNumber::Add) => "the factor of the new pose is not finite",
            Self::NotFinite(BuildNumber::Weight) => "the weight of an animation is not finite",
            Self::NotFinite(BuildNumber::Time) => "the time of an animation is not finite",
            Self::NotFinite(BuildNumber::Parameter) => "a pose parameter is not finite",
        })
    }
}

impl std::error::Error for ObjectError {}
