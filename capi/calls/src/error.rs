//! Failures: a status for code, a text for people.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Display;

use skelobj::doll::DollProblem;
use skelobj::model::{AddAnimationsError, JoinError, ModelError, Name, PlayerError, ResampleError, SkeletonError};
use skelobj::object::ObjectError;
use skelobj::physics::{BspError, LevelError, WaterError};
use skelobj::pose::PosingError;
use skelobj::ragdoll::{DropError, MatchError, RagdollError, UnknownCommand};
use skelobj::runtime::{BonesError, LoadModelError, RagdollCommandError, SnapshotError, TraceError};
use skelobj::write::WriteError;
use skelobj::{LimitExceeded, OutOfRange};

/// Outcome of a call. `skelobj_last_error` returns the text that belongs to the last failure.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjStatus {
    /// The call did what it says.
    Ok = 0,
    /// A pointer that must not be null is null.
    NullPointer = 1,
    /// A pointer is not aligned for its type.
    Misaligned = 2,
    /// The id is 0, was never given out, was deleted, or belongs to something of another kind.
    BadId = 3,
    /// A def does not come from its `skelobj_default_..._def` function.
    BadDef = 4,
    /// A text is not UTF-8 where it must be.
    BadText = 5,
    /// A number is not finite, negative where it must not be, or out of range.
    BadNumber = 6,
    /// No bone, animation, mesh, body, file or the like has this number or name.
    NotFound = 7,
    /// The buffer is too small. Nothing was written into it; the needed size was.
    BufferTooSmall = 8,
    /// The world is in use: by a call whose callback makes this one, or by another thread.
    Busy = 9,
    /// A limit is exceeded.
    Limit = 10,
    /// A model, level or player cannot be read or written.
    BadFile = 11,
    /// A call on models or objects does not fit them.
    Mismatch = 12,
    /// The ragdoll or its doll cannot do this.
    Ragdoll = 13,
    /// The level or the water cannot do this.
    Level = 14,
    /// A snapshot is damaged or does not fit the world.
    BadSnapshot = 15,
    /// A message of bones is damaged or does not fit the object.
    BadMessage = 16,
    /// skelobj has met a bug of its own and has stopped the call. The only thing left to do with the world of the call
    /// is `skelobj_world_free`.
    Panic = 17,
}

/// Failure of a call. One pointer, so that results are small: calls that succeed are many.
pub struct Failure(Box<(SkelobjStatus, Cow<'static, str>)>);

pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    #[cold]
    pub fn new(status: SkelobjStatus, text: impl Into<Cow<'static, str>>) -> Self {
        // Texts that are made contain names from files and calls.
        let text = match text.into() {
            Cow::Owned(text) => Cow::Owned(Name::from(text.as_str()).to_string()),
            text => text,
        };
        Self(Box::new((status, text)))
    }

    pub fn status(&self) -> SkelobjStatus {
        self.0.0
    }

    pub fn text(&self) -> &str {
        &self.0.1
    }

    #[cold]
    pub fn not_found(what: impl Display) -> Self {
        Self::new(SkelobjStatus::NotFound, format!("no such {what}"))
    }

    #[cold]
    pub fn number(name: &str, expected: &str) -> Self {
        Self::new(SkelobjStatus::BadNumber, format!("{name}: expected {expected}"))
    }
}

macro_rules! statuses {
    ($($error:ty => $status:ident),* $(,)?) => {$(
        impl From<$error> for Failure {
            #[cold]
            fn from(error: $error) -> Self {
                Self::new(SkelobjStatus::$status, error.to_string())
            }
        }
    )*};
}

statuses! {
    OutOfRange => BadNumber,
    LimitExceeded => Limit,
    ModelError => BadFile,
    WriteError => BadFile,
    BspError => BadFile,
    DollProblem => Ragdoll,
    UnknownCommand => Ragdoll,
    MatchError => Ragdoll,
    RagdollError => Ragdoll,
    SkeletonError => Mismatch,
    AddAnimationsError => Mismatch,
    JoinError => Mismatch,
    LevelError => Level,
    WaterError => Level,
    SnapshotError => BadSnapshot,
    BonesError => BadMessage,
}

impl From<ObjectError> for Failure {
    #[cold]
    fn from(error: ObjectError) -> Self {
        let status = match error {
            ObjectError::NoSuchObject | ObjectError::NoSuchModel => SkelobjStatus::BadId,
            ObjectError::NoSuchBone => SkelobjStatus::NotFound,
            ObjectError::OutOfRange(_) | ObjectError::TooLarge | ObjectError::TooLong { .. } => {
                SkelobjStatus::BadNumber
            }
            ObjectError::LimitExceeded(_) | ObjectError::TooManyObjects => SkelobjStatus::Limit,
            ObjectError::Posing(error) => return error.into(),
            _ => SkelobjStatus::Mismatch,
        };
        Self::new(status, error.to_string())
    }
}

impl From<PosingError> for Failure {
    #[cold]
    fn from(error: PosingError) -> Self {
        let status = match error {
            PosingError::NoBoneNamed { .. } | PosingError::NoSuchBone { .. } => SkelobjStatus::NotFound,
            PosingError::OutOfRange(_) => SkelobjStatus::BadNumber,
            _ => SkelobjStatus::Mismatch,
        };
        Self::new(status, error.to_string())
    }
}

impl From<DropError> for Failure {
    #[cold]
    fn from(error: DropError) -> Self {
        match error {
            DropError::Settings(error) => error.into(),
            DropError::Level(error) => error.into(),
            error => Self::new(SkelobjStatus::Ragdoll, error.to_string()),
        }
    }
}

impl From<PlayerError> for Failure {
    #[cold]
    fn from(error: PlayerError) -> Self {
        let status = match error {
            PlayerError::Missing { .. } => SkelobjStatus::NotFound,
            PlayerError::TooLarge { .. } => SkelobjStatus::Limit,
            _ => SkelobjStatus::BadFile,
        };
        Self::new(status, error.to_string())
    }
}

impl From<LoadModelError> for Failure {
    #[cold]
    fn from(error: LoadModelError) -> Self {
        let status = match error {
            LoadModelError::NoSuchFile { .. } => SkelobjStatus::NotFound,
            LoadModelError::TooManyModels => SkelobjStatus::Limit,
            _ => SkelobjStatus::BadFile,
        };
        Self::new(status, error.to_string())
    }
}

impl From<RagdollCommandError> for Failure {
    #[cold]
    fn from(error: RagdollCommandError) -> Self {
        let status = match error {
            RagdollCommandError::NoSuchObject => SkelobjStatus::BadId,
            RagdollCommandError::NoSuchFile(_)
            | RagdollCommandError::NoSuchBody { .. }
            | RagdollCommandError::NoSuchJoint { .. } => SkelobjStatus::NotFound,
            RagdollCommandError::OutOfRange(_) => SkelobjStatus::BadNumber,
            _ => SkelobjStatus::Ragdoll,
        };
        Self::new(status, error.to_string())
    }
}

impl From<ResampleError> for Failure {
    #[cold]
    fn from(error: ResampleError) -> Self {
        let status = match error {
            ResampleError::Rate(_) => SkelobjStatus::BadNumber,
            _ => SkelobjStatus::Limit,
        };
        Self::new(status, error.to_string())
    }
}

impl From<TraceError> for Failure {
    #[cold]
    fn from(error: TraceError) -> Self {
        let status = match error {
            TraceError::NoSuchObject => SkelobjStatus::BadId,
            TraceError::NoHistory => SkelobjStatus::NotFound,
            _ => SkelobjStatus::BadNumber,
        };
        Self::new(status, error.to_string())
    }
}

/// Capacity of the text of the last failure, bytes.
const CAPACITY: usize = 1024;

/// Last failure of a thread. A fixed buffer: nothing is left to be freed when the thread or the library ends.
struct Last {
    status: SkelobjStatus,
    length: usize,
    text: [u8; CAPACITY],
}

thread_local! {
    static LAST: RefCell<Last> =
        const { RefCell::new(Last { status: SkelobjStatus::Ok, length: 0, text: [0; CAPACITY] }) };
}

/// Records the last failure of this thread.
#[cold]
pub fn record(failure: &Failure) {
    LAST.with_borrow_mut(|last| {
        let mut length = failure.text().len().min(CAPACITY);
        while !failure.text().is_char_boundary(length) {
            length -= 1;
        }
        last.status = failure.status();
        last.length = length;
        last.text[..length].copy_from_slice(&failure.text().as_bytes()[..length]);
    });
}

/// Forgets the last failure of this thread.
pub fn clear() {
    LAST.with_borrow_mut(|last| (last.status, last.length) = (SkelobjStatus::Ok, 0));
}

/// Status of the last failure of this thread.
pub fn last_status() -> SkelobjStatus {
    LAST.with_borrow(|last| last.status)
}

/// Calls a function with the text of the last failure of this thread.
pub fn with_last_text<T>(run: impl FnOnce(&[u8]) -> T) -> T {
    LAST.with_borrow(|last| run(&last.text[..last.length]))
}
