//! Errors of operations on skeletal objects.

use crate::limits::LimitExceeded;
use crate::out_of_range::OutOfRange;
use crate::pose::PosingError;
use crate::shown::counted;

/// Error of an operation on a skeletal object. On error, nothing changes.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::model::FrameState;
/// use skelobj::object::{Build, ObjectError};
/// let mut object = skelobj::assets::mannequin_object();
/// let model = object.model().clone();
/// assert_eq!(object.set_bone(99, Mat3x4::IDENTITY), Err(ObjectError::NoSuchBone));
/// assert_eq!(object.set_bone(0, Mat3x4([f32::NAN; 12])), Err(ObjectError::TooLarge));
///
/// object.set_model_space_pose(model.skeleton.bind_model())?;
/// let partial = Build::REPLACE.with_bones(0..9);
/// let error = object.build(&model, &FrameState::single(0, 0.0), &partial).unwrap_err();
/// assert_eq!(error.to_string(), "the bones are in model space: build all of them and retain nothing");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
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
    /// 16,383 skeletal objects exist, which is the maximum.
    TooManyObjects,
    /// The bones of all objects would exceed `Settings::max_bones`.
    LimitExceeded(LimitExceeded),
    /// A build is partial or retains something, and the bones are in model space (difference 45).
    NotLocal,
    /// The bone's parent or the entity has no inverse: the matrix is flat or zero (difference 13).
    Singular,
    /// A number of the bone's new matrix is non-finite or beyond 1e30.
    TooLarge,
    /// The slice to write to has room for fewer matrices than the object has bones.
    TooShort {
        /// Number of matrices to write.
        needed: usize,
        /// Number of matrices that fit into the slice.
        found: usize,
    },
    /// A pose has more matrices than the object has bones.
    TooLong {
        /// Number of bones.
        bones: usize,
        /// Number of matrices.
        found: usize,
    },
    /// A number that a build calculates with is infinite or NaN: `retain`, `add`, or the `weight`, the `time` or a pose
    /// `parameter` of the frame state.
    OutOfRange(OutOfRange),
    /// The bones are in model space, and the operation needs them in local space.
    InModelSpace,
    /// The object was never built: its bones are zero.
    NotBuilt,
    /// An aim, a reach or another operation on chains of bones cannot be done.
    Posing(PosingError),
}

impl ObjectError {
    /// Checks that a slice has room for the matrices to write.
    pub(crate) fn check_room(needed: usize, found: usize) -> Result<(), Self> {
        if needed <= found { Ok(()) } else { Err(Self::TooShort { needed, found }) }
    }
}

impl std::fmt::Display for ObjectError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::LimitExceeded(exceeded) => return exceeded.fmt(f),
            Self::OutOfRange(error) => return error.fmt(f),
            Self::Posing(error) => return error.fmt(f),
            Self::TooShort { needed, found } => {
                let found = counted(*found, "matrix", "matrices");
                return write!(f, "the output has room for {found}, expected {needed}, one for each bone");
            }
            Self::TooLong { bones, found } => {
                let found = counted(*found, "matrix", "matrices");
                return write!(f, "the pose has {found}, expected {bones} at most, one for each bone");
            }
            Self::NoSuchObject => "no such skeletal object",
            Self::NoSuchModel => "no such model",
            Self::NoBones => "the model has no bones",
            Self::NoSuchBone => "no such bone",
            Self::TooManyObjects => "too many skeletal objects are alive",
            Self::NotLocal => "the bones are in model space: build all of them and retain nothing",
            Self::InModelSpace => "the bones are in model space, expected local space: build the object first",
            Self::NotBuilt => "the object was never built",
            Self::Singular => "the matrix of the bone's parent or of the entity has no inverse",
            Self::TooLarge => "the matrix has a number that is non-finite or beyond 1e30",
        })
    }
}

impl From<OutOfRange> for ObjectError {
    fn from(error: OutOfRange) -> Self {
        Self::OutOfRange(error)
    }
}

impl From<PosingError> for ObjectError {
    fn from(error: PosingError) -> Self {
        Self::Posing(error)
    }
}

impl std::error::Error for ObjectError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::LimitExceeded(exceeded) => Some(exceeded),
            Self::OutOfRange(error) => Some(error),
            Self::Posing(error) => Some(error),
            _ => None,
        }
    }
}
