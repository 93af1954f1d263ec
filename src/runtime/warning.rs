//! Warnings of a runtime: problems that no return value reports.

use std::fmt;

use skelobj_model::internal::{self, Shown, counted};

use super::ObjectId;
use crate::doll::DollProblem;
use crate::physics::{LevelBodyId, LostContacts};

/// Problem that did not make its call fail; [`Runtime::take_warnings`](crate::Runtime::take_warnings) returns them.
///
/// [`Warning::Doll`] holds a [`DollProblem`] of either severity: a line of a doll that is an error is left out, and the
/// call goes on. Loaders return their own warnings: [`ModelWarning`](crate::model::ModelWarning) of a model file,
/// [`BspWarning`](crate::physics::BspWarning) of a map, `ScriptWarning` of a script.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::ragdoll::Command;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.set_files(|name: &str| (name == "mannequin.doll").then(|| b"body skull head\nshape ball\n".to_vec()));
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
/// let warnings = runtime.take_warnings();
/// assert!(warnings[0].to_string().starts_with("mannequin.doll:2:"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Warning {
    /// Problem in a line of a doll.
    Doll {
        /// Name of the doll's file, or `dollstring`.
        file: String,
        /// Problem, and its position in the text.
        problem: DollProblem,
    },
    /// Default doll that is not looked up, because the model's name is not a [plain path](crate::is_plain_path).
    NotPlainPath {
        /// Name of the doll's file.
        file: String,
    },
    /// Side file or doll that the source of files has, but cannot read.
    CannotRead {
        /// Name of the file.
        file: String,
        /// Reason of the source, such as a lack of permission.
        reason: String,
    },
    /// Doll file in use that no longer exists; the doll is unchanged.
    DollReloadFailed {
        /// Name of the file.
        file: String,
    },
    /// Bodies of a ragdoll that were reset because their positions or velocities were not finite.
    BodiesReset {
        /// Id of the skeletal object.
        object: ObjectId,
        /// Number of bodies that were reset.
        bodies: usize,
    },
    /// Ragdoll that fell out of the level, and is no longer simulated.
    ///
    /// [`Ragdoll::has_left_level`](crate::Ragdoll::has_left_level) describes how it returns.
    LeftLevel {
        /// Id of the skeletal object.
        object: ObjectId,
    },
    /// Mesh of the level that faces away from a ragdoll placed near it, as a mesh of the wrong
    /// [winding](crate::physics::Winding) does: bodies fall through it. Each mesh is reported once.
    FacesAway {
        /// Id of the level body with the mesh.
        body: LevelBodyId,
        /// Id of the skeletal object.
        object: ObjectId,
    },
    /// Ragdoll that lost contacts because more pairs of bodies were near enough to touch than
    /// [`PhysicsSettings::max_contact_pairs`](crate::physics::PhysicsSettings::max_contact_pairs) allows, or because
    /// more than 1024 pairs of its bodies overlap in its doll's reference pose.
    LostContacts {
        /// Object of the ragdoll.
        object: ObjectId,
        /// Contacts that the ragdoll lost.
        lost: LostContacts,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Doll { file, problem } => write!(f, "{}:{problem}", Shown::of(file)),
            Self::NotPlainPath { file } => {
                internal::write_not_plain(file, f)?;
                f.write_str("; the model has no default doll")
            }
            Self::CannotRead { file, reason } => internal::write_cannot_read(file, reason, f),
            Self::DollReloadFailed { file } => {
                write!(f, "{}: the file no longer exists; the doll is unchanged", Shown::of(file))
            }
            Self::BodiesReset { object, bodies } => {
                let reset = counted(*bodies, "body was reset because its", "bodies were reset because their");
                write!(f, "skeletal object {object}: {reset} positions or velocities were not finite")
            }
            Self::LeftLevel { object } => {
                write!(f, "skeletal object {object}: the ragdoll fell out of the level and is no longer simulated")
            }
            Self::FacesAway { body, object } => {
                write!(
                    f,
                    "level body {body}: the mesh faces away from skeletal object {object}, which falls through it: \
                     give the other winding"
                )
            }
            Self::LostContacts { object, lost } => {
                write!(
                    f,
                    "skeletal object {object}: too many bodies are in one place; its ragdoll passes through {lost}"
                )
            }
        }
    }
}
