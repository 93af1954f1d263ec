//! Errors of aiming and reaching.

use crate::model::Name;
use crate::out_of_range::OutOfRange;
use crate::shown::counted;

/// Error of an operation that poses chains of bones. On error, nothing changes.
///
/// ```
/// use skelobj::pose::{Aim, PosingError};
///
/// let mannequin = skelobj::assets::mannequin();
/// let [chest, head] = ["chest", "head"].map(|name| mannequin.skeleton.find(name).unwrap());
/// let error = Aim::new(&mannequin.skeleton, &[(head, 0.5), (chest, 0.5)]).unwrap_err();
/// assert_eq!(error, PosingError::NotBelow { bone: chest, above: head });
/// assert_eq!(error.to_string(), "bone 10 is not below bone 12 (bones counted from 0)");
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum PosingError {
    /// A list of bones is empty.
    NoBones,
    /// A list has more bones than an operation takes.
    TooManyBones {
        /// Greatest number of bones.
        most: usize,
    },
    /// The springs of an object swing more bones than it has.
    TooManySwinging {
        /// Number of bones of the object.
        most: usize,
    },
    /// A limb is not stated by three bones.
    NotThreeBones {
        /// Number of bones in the text.
        found: usize,
    },
    /// A chain is not stated by two bones.
    NotTwoBones {
        /// Number of bones in the text.
        found: usize,
    },
    /// Feet are not stated by a pelvis and three bones for each leg.
    NotLegs {
        /// Number of bones in the text.
        found: usize,
    },
    /// No bone has this number, or a slice is too short for it.
    NoSuchBone {
        /// Number of the bone, from 0.
        bone: usize,
    },
    /// No bone has the name that an entry of a list states.
    NoBoneNamed {
        /// Name in the list, without the numbers behind it.
        name: Name,
        /// Bone that was probably meant.
        suggestion: Option<Name>,
    },
    /// An entry of a list begins with the name of a bone, but what follows the name is not what the list takes.
    BadEntry {
        /// Text of the entry.
        entry: Name,
        /// Description of an entry that the list takes.
        expected: &'static str,
    },
    /// The list has a bone that is not a descendant of the bone before it.
    NotBelow {
        /// Number of the bone, from 0.
        bone: usize,
        /// Number of the bone that should be above it, from 0.
        above: usize,
    },
    /// The matrix of a bone in model space has no inverse: it is flat, zero, non-finite or too large to
    /// compute with.
    Singular {
        /// Number of the bone, from 0.
        bone: usize,
    },
    /// The target is at the bone's origin, or so near that no turn brings it before the offset of the aim.
    TooNear {
        /// Number of the bone, from 0.
        bone: usize,
    },
    /// Two bones of a limb are at the same place.
    NoLength {
        /// Number of the lower bone, from 0.
        bone: usize,
    },
    /// A limb is straight, and neither a hinge nor a pole nor the bind pose tells where it bends.
    NoBend {
        /// Number of the bone in the middle, from 0.
        bone: usize,
    },
    /// A number is non-finite or out of its range.
    OutOfRange(OutOfRange),
}

impl std::fmt::Display for PosingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const COUNTED: &str = "(bones counted from 0)";
        match self {
            Self::NoBones => f.write_str("the list of bones is empty"),
            Self::TooManyBones { most } => write!(f, "the list has more than {most} bones"),
            Self::TooManySwinging { most } => {
                write!(f, "the springs of the object swing more bones than its {most}; reset those that are not used")
            }
            Self::NotThreeBones { found } => {
                let bones = counted(*found, "bone", "bones");
                write!(f, "the limb has {bones}, expected 3, separated by commas")
            }
            Self::NotTwoBones { found } => {
                let bones = counted(*found, "bone", "bones");
                write!(f, "the chain has {bones}, expected 2, separated by a comma")
            }
            Self::NotLegs { found } => {
                let bones = counted(*found, "bone", "bones");
                write!(f, "the feet have {bones}, expected a pelvis and three for each leg, separated by commas")
            }
            Self::NoSuchBone { bone } => write!(f, "there is no bone {bone} {COUNTED}"),
            Self::NoBoneNamed { name, suggestion: None } => write!(f, "no bone is named `{name}`"),
            Self::NoBoneNamed { name, suggestion: Some(meant) } => {
                write!(f, "no bone is named `{name}`, did you mean `{meant}`?")
            }
            Self::BadEntry { entry, expected } => write!(f, "found `{entry}`, expected {expected}"),
            Self::NotBelow { bone, above } => write!(f, "bone {bone} is not below bone {above} {COUNTED}"),
            Self::Singular { bone } => write!(f, "the matrix of bone {bone} in model space has no inverse {COUNTED}"),
            Self::TooNear { bone } => write!(f, "the target is too near to bone {bone} {COUNTED}"),
            Self::NoLength { bone } => write!(f, "bone {bone} is at the place of the bone above it {COUNTED}"),
            Self::NoBend { bone } => {
                write!(f, "the limb is straight at bone {bone}, expected a hinge or a pole {COUNTED}")
            }
            Self::OutOfRange(error) => error.fmt(f),
        }
    }
}

impl From<OutOfRange> for PosingError {
    fn from(error: OutOfRange) -> Self {
        Self::OutOfRange(error)
    }
}

impl std::error::Error for PosingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::OutOfRange(error) => Some(error),
            _ => None,
        }
    }
}
