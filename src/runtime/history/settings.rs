//! Settings of a history, and errors of recording.

use std::fmt;

/// Form in which a [`PoseHistory`](super::PoseHistory) stores matrices of bones.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::runtime::{HistoryForm, HistorySettings};
/// let mut bytes = Vec::new();
/// for form in [HistoryForm::Exact, HistoryForm::Packed] {
///     let (mut runtime, object) = skelobj::assets::mannequin_runtime();
///     let mut settings = HistorySettings::default();
///     settings.form = form;
///     runtime.keep_history(Some(settings))?;
///     runtime.record_pose(object, 0.0, &Mat3x4::IDENTITY)?;
///     bytes.push(runtime.history().unwrap().bytes());
/// }
/// assert!(bytes[0] - bytes[1] >= 21 * (48 - 15)); // a bit more than 14 bytes for each of the 21 bones
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum HistoryForm {
    /// 48 bytes per bone. A trace at the time of a record has the bits of the trace that was made then.
    #[default]
    Exact,
    /// 14 bytes per bone, and 24 for a bone with scale or shear that moves a vertex by more than 1/128 unit; such are
    /// bones between two frames that are far apart. Positions are off by 1/65534 of the extent of the pose at most,
    /// rotations by 0.005 degrees, and the axes of a bone with scale or shear by 1/65534 of the longest axis in the
    /// pose. Beside a bone that is scaled by 2,000, a vertex 20 units from another scaled bone is off by 0.6 units.
    Packed,
}

/// Settings of a [`PoseHistory`](super::PoseHistory).
///
/// ```
/// use skelobj::runtime::{HistoryForm, HistorySettings};
/// let settings = HistorySettings::default();
/// assert_eq!((settings.seconds, settings.max_bytes), (1.0, 64 << 20));
/// assert_eq!(settings.form, HistoryForm::Exact);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct HistorySettings {
    /// Time before the newest record that the history covers, seconds; at most 3600. After a longer pause, no record
    /// continues an earlier one. Default 1.
    pub seconds: f32,
    /// Memory for records, bytes; the oldest ones make room for new ones. Default 64 MiB: a second of 240 objects with
    /// 75 bones at 72 records a second.
    pub max_bytes: usize,
    /// Form of the matrices. Default: exact.
    pub form: HistoryForm,
}

impl Default for HistorySettings {
    fn default() -> Self {
        Self { seconds: 1.0, max_bytes: 64 << 20, form: HistoryForm::Exact }
    }
}

/// Error of [`Runtime::record_pose`](crate::Runtime::record_pose). Nothing is recorded.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::runtime::HistoryError;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// let error = runtime.record_pose(object, 0.0, &Mat3x4::IDENTITY).unwrap_err();
/// assert_eq!(error, HistoryError::NoHistory); // see Runtime::keep_history
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum HistoryError {
    /// The runtime keeps no history.
    NoHistory,
    /// No skeletal object has this id.
    NoSuchObject,
    /// The time is not finite.
    TimeNotFinite,
    /// The matrix of the entity has no inverse: it is flat, zero, not finite or beyond 1e30.
    SingularEntity,
    /// The records of one time do not fit in the memory of the history.
    Full {
        /// Memory that the records of this time need at most, bytes.
        needed: usize,
        /// [`HistorySettings::max_bytes`].
        limit: usize,
    },
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHistory => f.write_str("the runtime keeps no history"),
            Self::NoSuchObject => f.write_str("no such skeletal object"),
            Self::TimeNotFinite => f.write_str("the time of the record is not finite"),
            Self::SingularEntity => f.write_str("the matrix of the entity has no inverse"),
            Self::Full { needed, limit } => {
                write!(f, "the records of one time need {needed} bytes, the limit is {limit}")
            }
        }
    }
}

impl std::error::Error for HistoryError {}
