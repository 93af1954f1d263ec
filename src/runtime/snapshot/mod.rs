//! Snapshots of a runtime's state, to restore in the same process or, through bytes, in another.

mod blocks;
mod bytes;
#[cfg(feature = "ragdoll")]
mod dolls;
mod model;
mod numbering;
mod state;

use std::fmt;

use super::Runtime;
use state::State;

/// The state of a [`Runtime`] at a moment: all skeletal objects with their ids, ragdolls, dolls, the physics world and the
/// settings. [`Runtime::snapshot`] takes one.
///
/// A runtime that is [restored](Runtime::restore) continues bit-identically: the same calls give the same bits as in the
/// runtime that the snapshot was taken of. Models are not in a snapshot, only their names and the checksums of their
/// skeletons; files and warnings are not in it either.
///
/// **Equal bytes mean an equal future.** A restored runtime saves the same bytes as the one that was saved, at once and
/// after every call and step that both make, so peers may compare hashes of [`to_bytes`](Self::to_bytes). What is gone leaves
/// nothing behind: after a million dolls a snapshot is as small as at first, once a step was made. Dolls that no object uses
/// are not in it; they are read again from the runtime's files.
///
/// The physics world includes **the level**: contacts keep their state only with the colliders that they belong to, and a
/// restored runtime needs no level to be added again. In memory the level's shapes are shared, and a snapshot takes some ten
/// to forty microseconds a ragdoll, whatever the size of the level. As bytes it has some 16 kB a ragdoll, for which
/// [`to_bytes`](Self::to_bytes) and [`from_bytes`](Self::from_bytes) take some 90 microseconds each. Before compression it has
/// 33 kB a ragdoll and 120 bytes a triangle of the level. A mannequin of 16 bodies has 6 kB of its own, the rest is rapier's:
/// about 8 kB each of joints and contacts, 7 kB of bodies and 5 kB of colliders, which rapier continues from bit by bit and
/// which nothing here can derive.
///
/// [`from_bytes`](Self::from_bytes) refuses bytes that were damaged or come from another version of this crate or of rapier,
/// and contents that are inconsistent: lengths, indexes, ids, places and speeds of bodies, and the lists of joints and contacts
/// that connect them. What rapier keeps to itself cannot be checked from outside: its islands, the tree of bounds, lists of
/// free places and the solver's colours. A snapshot in which these were changed under a right checksum may make a step panic
/// or never end, so **authenticate snapshots that come from strangers**.
///
/// ```
/// use skelobj::model::FrameState;
/// use skelobj::runtime::Snapshot;
/// use skelobj::skeleton::{Build, Space};
/// use skelobj::{Model, Runtime, assets};
///
/// let mannequin = || Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None);
/// let mut runtime = Runtime::default();
/// let model = runtime.add_model("mannequin.iqm", mannequin()?)?;
/// let skel = runtime.create_skeleton(model, Space::Local)?;
/// runtime.build(skel, model, &FrameState::single(0, 0.3), &Build::REPLACE)?;
/// let save_file = runtime.snapshot().to_bytes()?;
///
/// // In another process, later.
/// let snapshot = Snapshot::from_bytes(&save_file)?;
/// let mut restored = Runtime::default();
/// assert!(snapshot.models().eq(["mannequin.iqm"]));
/// restored.add_model("mannequin.iqm", mannequin()?)?;
/// restored.restore(&snapshot)?;
/// let poses = [&runtime, &restored].map(|runtime| runtime.object(skel).map(|object| object.pose().clone()));
/// assert_eq!(poses[0], poses[1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshot(State);

impl Snapshot {
    /// Returns an iterator over the names of the models that a restore needs, each once.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        let names = self.0.models.iter().filter_map(|model| model.name.as_deref());
        let mut seen = std::collections::HashSet::new();
        names.filter(move |name| seen.insert(*name))
    }
}

/// The error of reading or restoring a snapshot; nothing has changed then.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The bytes do not begin as a snapshot does.
    NotASnapshot,
    /// Bytes are missing at the end.
    Truncated {
        /// Least number of bytes expected.
        expected: usize,
        /// Number of bytes found.
        found: usize,
    },
    /// The checksum is wrong, there are bytes too many, or the state cannot be decoded.
    Damaged,
    /// Another version of this crate or of rapier wrote the bytes.
    OtherVersion {
        /// Version that wrote the bytes.
        found: String,
        /// Version of this crate.
        expected: String,
    },
    /// A part of the snapshot does not fit the others.
    Inconsistent {
        /// Name of the part.
        part: &'static str,
    },
    /// No model was added under this name.
    MissingModel {
        /// Name of the model.
        name: String,
    },
    /// The model had been removed when the snapshot was taken, and this runtime has no object of it.
    RemovedModel {
        /// Number of the model's bones.
        bones: usize,
    },
    /// The model of this name has another skeleton: the number, names, parents or bind pose of its bones differ.
    OtherModel {
        /// Name of the model.
        name: String,
        /// Number of bones in the snapshot's model.
        expected: usize,
        /// Number of bones in the runtime's model.
        found: usize,
    },
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASnapshot => f.write_str("not a snapshot"),
            Self::Truncated { expected, found } => {
                write!(f, "a truncated snapshot: {found} bytes, expected at least {expected}")
            }
            Self::Damaged => f.write_str("a damaged snapshot"),
            Self::OtherVersion { found, expected } => write!(f, "a snapshot of {found:?}, this is {expected:?}"),
            Self::Inconsistent { part } => write!(f, "a snapshot whose {part} do not fit together"),
            Self::MissingModel { name } => write!(f, "the snapshot needs the model {name}, which was not added"),
            Self::RemovedModel { bones } => {
                write!(f, "the snapshot has objects of a removed model of {bones} bones, which this runtime lacks")
            }
            Self::OtherModel { name, expected, found } if expected == found => {
                write!(f, "the bones of the model {name} have other names, parents or bind pose than the snapshot's")
            }
            Self::OtherModel { name, expected, found } => {
                write!(f, "the model {name} has {found} bones, the snapshot's had {expected}")
            }
        }
    }
}

impl std::error::Error for SnapshotError {}

impl Runtime {
    /// Takes a snapshot of the current state, to [restore](Self::restore) later.
    ///
    /// Any moment between two calls will do. In a world that the host lends or steps itself, take it after a step and before
    /// ragdolls and level bodies are removed: rapier does not serialize which joints were removed since its last step, and
    /// only in the runtime's own world is that finished at once.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.save())
    }

    /// Restores a snapshot of this runtime or of another one.
    ///
    /// Every model that was in use must have been added under its name and with the same bones, in any order; models keep
    /// the [`ModelId`](super::ModelId)s that they have in this runtime. [`SkelId`](super::SkelId)s are those of the
    /// snapshot, and new objects get the ids that they would have got then. If a model had been
    /// [removed](Self::remove_model) before the snapshot, this runtime must still have an object of it. A new runtime needs
    /// only models and [files](Self::set_files) beforehand: settings, floors and levels come with the snapshot and replace
    /// those of this runtime. Warnings that were not taken yet stay.
    ///
    /// Objects that exist both in the snapshot and in this runtime keep the memory of their bones. With rapier's threads, a
    /// thread pool that was set for the old physics world has to be set again.
    ///
    /// # Errors
    /// [`SnapshotError`]; nothing has changed then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let models = self.find_models(&snapshot.0.models)?;
        self.load(snapshot.0.clone(), &models);
        Ok(())
    }
}
