//! Everything a runtime knows, to go back to: in a moment, or from a file in another process.

mod bytes;
#[cfg(feature = "ragdoll")]
mod dolls;
mod model;
mod numbering;
mod state;

use std::fmt;

use super::Runtime;
use state::State;

/// Everything that a [`Runtime`] held at a moment: all skeletal objects with their ids, ragdolls, dolls, the physics world
/// and the settings. [`Runtime::snapshot`] takes one.
///
/// A runtime that is [restored](Runtime::restore) continues bit-identically: the same calls give the same bits as in the
/// runtime that the snapshot was taken of. Models are not in a snapshot, only their names and checksums of their skeletons;
/// nor are files and warnings.
///
/// The physics world includes **the level**: contacts are warm only with the colliders that they belong to, and a restored
/// runtime needs no level to be added again. In memory the level's shapes are shared, and a snapshot costs some ten to forty
/// microseconds a ragdoll, whatever the size of the level; as bytes it has some 40 kB a ragdoll and 120 bytes a triangle of
/// the level.
///
/// [`from_bytes`](Self::from_bytes) refuses bytes that were damaged or come from another version of this crate or of rapier,
/// and whatever does not fit together: lengths, indexes, ids, bodies and joints. That makes nothing safe that someone forged
/// on purpose, for rapier trusts the inner workings of its sets: authenticate what comes from strangers.
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
/// // Another day, another process.
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
    /// Visits the names of the models that must be there for a restore, each once.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        let names = self.0.models.iter().filter_map(|model| model.name.as_deref());
        let mut seen = std::collections::HashSet::new();
        names.filter(move |name| seen.insert(*name))
    }
}

/// Why bytes are no snapshot, or a snapshot cannot be restored; nothing has changed then.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The bytes do not begin as a snapshot does.
    NotASnapshot,
    /// Bytes are missing at the end.
    Truncated {
        /// How many bytes there should be, at least.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The checksum is wrong, there are bytes too many, or the state cannot be decoded.
    Damaged,
    /// Another version of this crate or of rapier wrote the bytes.
    OtherVersion {
        /// The version that wrote them.
        found: String,
        /// This version.
        expected: String,
    },
    /// A part of the snapshot does not fit the others.
    Inconsistent {
        /// The part.
        part: &'static str,
    },
    /// No model was added under this name.
    MissingModel {
        /// The name.
        name: String,
    },
    /// The model was removed while objects of it were left, and this runtime has none of them.
    RemovedModel {
        /// How many bones the model had.
        bones: usize,
    },
    /// The model of this name has another skeleton: number, names, parents or bind pose of its bones.
    OtherModel {
        /// The name.
        name: String,
        /// How many bones the model of the snapshot had.
        expected: usize,
        /// How many bones the model of the runtime has.
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
    /// Takes a snapshot of everything as it is now, to be [restored](Self::restore) later.
    ///
    /// Best between two frames, after [`step`](Self::step). Joints that were removed since the last step (a ragdoll that was
    /// deleted or cleared) are gone in every copy, but rapier does not write down that their bodies still have to be told: a
    /// snapshot of such a moment that goes through bytes restores the same state, of which the bits may part from the
    /// original's later.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.save())
    }

    /// Goes back to a snapshot, of this runtime or of another one.
    ///
    /// Every model that was in use then must be there, under its name and with the same bones, in whatever order they were
    /// added; models keep the [`ModelId`](super::ModelId)s that they have here. [`SkelId`](super::SkelId)s are those of then,
    /// and those given out next the ones that would have been. Of a model that had been [removed](Self::remove_model) before
    /// the snapshot, some object must still be there. Models and [files](Self::set_files) are all that a new runtime needs
    /// beforehand: settings, floors and levels come with the snapshot and take the place of what is there. Warnings that
    /// wait to be taken stay.
    ///
    /// Objects that were there then and are there now keep the memory of their bones. With rapier's threads, a thread pool
    /// set for the old physics world has to be set again.
    ///
    /// # Errors
    /// [`SnapshotError`]; nothing has changed then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let models = self.find_models(&snapshot.0.models)?;
        self.load(snapshot.0.clone(), &models);
        Ok(())
    }
}
