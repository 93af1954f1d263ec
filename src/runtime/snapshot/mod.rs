//! Snapshots of a runtime's state, to restore in the same process or, through bytes, in another one.

mod bytes;
mod dolls;
mod model;
mod state;

use std::fmt;

use skelobj_model::internal::Shown;

use super::Runtime;
use state::State;

/// State of a [`Runtime`] at one moment: skeletal objects with their ids, ragdolls, dolls, the physics world and
/// settings.
///
/// [`Runtime::snapshot`] takes a snapshot, [`Runtime::restore`] restores it, [`to_bytes`](Self::to_bytes) and
/// [`from_bytes`](Self::from_bytes) convert it for a save file or another process. Models are not part of a snapshot,
/// only their names and checksums of their skeletons; files, limits and warnings are not part of it either.
///
/// ```
/// use skelobj::runtime::Snapshot;
/// use skelobj::{Runtime, assets};
/// let (runtime, id) = assets::mannequin_runtime();
/// let save_file = runtime.snapshot().to_bytes()?;
///
/// // In another process, later.
/// let snapshot = Snapshot::from_bytes(&save_file)?;
/// let mut restored = Runtime::default();
/// assert!(snapshot.models().eq(["mannequin.iqm"]));
/// restored.add_model("mannequin.iqm", assets::mannequin())?;
/// restored.restore(&snapshot)?;
/// let poses = [&runtime, &restored].map(|runtime| runtime.object(id).map(|object| object.pose().clone()));
/// assert_eq!(poses[0], poses[1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Determinism
/// A restored runtime continues bit-identically: the same calls have the same results as in the original runtime.
/// **Equal bytes mean an equal future**: both runtimes save the same bytes, now and after every call and step that both
/// make, so peers may compare hashes of [`to_bytes`](Self::to_bytes). A [`PoseHistory`](super::PoseHistory) is not part
/// of a snapshot: traces through the past find nothing that was recorded before a restore.
///
/// # Size and time
/// The physics world includes **the level**, because contacts keep their state only with their colliders; a restored
/// runtime needs no level to be added again. In memory the shapes of the level are shared, and a snapshot takes 10 to
/// 40 microseconds per ragdoll, regardless of the size of the level.
///
/// Encoded, a mannequin takes about 12 kB one frame after its death, and 20 to 22 kB from half a second on.
/// [`to_bytes`](Self::to_bytes) and [`from_bytes`](Self::from_bytes) each take about 90 microseconds per ragdoll.
/// Before compression a ragdoll takes 35 kB and a triangle of the level 120 bytes. Of the 35 kB of a mannequin with 16
/// bodies, 7 kB are state of this crate. The rest is state of rapier: about 8 kB of joints, 8 kB of contacts, 7 kB of
/// bodies and 5 kB of colliders, from which rapier continues bit-identically.
///
/// Removed objects leave no trace: after a million dolls and one step, a snapshot is as small as at first. Dolls that
/// no object uses are not part of it; they are read again from the runtime's files.
///
/// # Untrusted snapshots
/// [`from_bytes`](Self::from_bytes) refuses bytes that are damaged or come from another version of this crate or of
/// rapier. It also refuses inconsistent contents: lengths, indexes, ids, positions and speeds of bodies, the lists of
/// joints and contacts that connect them, and the lengths and free lists of rapier's sets. The rest of rapier's state
/// is not checked: islands, the tree of bounds and the colours of the solver. If these are changed and the checksum is
/// corrected, a step may panic or never terminate. **Authenticate snapshots from untrusted sources.**
#[derive(Clone, Debug)]
pub struct Snapshot(State);

impl Snapshot {
    /// Returns an iterator over the names of the models that a restore needs, each once.
    ///
    /// ```
    /// use skelobj::{Runtime, assets};
    /// let (runtime, _) = assets::mannequin_runtime();
    /// let snapshot = runtime.snapshot();
    /// let mut restored = Runtime::default();
    /// restored.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    /// for name in snapshot.models() {
    ///     restored.load_model(name)?;
    /// }
    /// restored.restore(&snapshot)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn models(&self) -> impl Iterator<Item = &str> {
        let names = self.0.models.iter().filter_map(|model| model.name.as_deref());
        let mut seen = std::collections::HashSet::new();
        names.filter(move |name| seen.insert(*name))
    }
}

/// Error of encoding, decoding or restoring a snapshot. On error, nothing changes.
///
/// ```
/// use skelobj::Runtime;
/// use skelobj::runtime::{Snapshot, SnapshotError};
/// let (runtime, _) = skelobj::assets::mannequin_runtime();
/// let mut bytes = runtime.snapshot().to_bytes()?;
/// let mut other = Runtime::default(); // without the model
/// let error = other.restore(&Snapshot::from_bytes(&bytes)?).unwrap_err();
/// assert_eq!(error, SnapshotError::MissingModel { name: "mannequin.iqm".to_owned() });
///
/// *bytes.last_mut().unwrap() ^= 1; // a bit of the save file flips
/// assert_eq!(Snapshot::from_bytes(&bytes).unwrap_err(), SnapshotError::Damaged);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The bytes do not begin like a snapshot.
    NotASnapshot,
    /// Bytes are missing at the end.
    Truncated {
        /// Minimum number of bytes expected.
        expected: usize,
        /// Number of bytes found.
        found: usize,
    },
    /// The checksum is wrong, there are too many bytes, or the state cannot be decoded.
    Damaged,
    /// Another version of this crate or of rapier wrote the bytes.
    OtherVersion {
        /// Version that wrote the bytes.
        found: String,
        /// Version of this crate.
        expected: String,
    },
    /// A part of the snapshot contradicts the others.
    Inconsistent {
        /// Name of the part.
        part: &'static str,
    },
    /// The runtime has no model of this name.
    MissingModel {
        /// Name of the model.
        name: String,
    },
    /// The model had been removed when the snapshot was taken, and the runtime has no object of it.
    RemovedModel {
        /// Number of the model's bones.
        bones: usize,
    },
    /// The runtime's model of this name has another skeleton: number, names, parents or bind pose of its bones differ.
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
            Self::NotASnapshot => f.write_str("not a snapshot: the bytes do not begin with SKELSNAP"),
            Self::Truncated { expected, found } => {
                write!(f, "a truncated snapshot: {found} bytes, expected at least {expected}")
            }
            Self::Damaged => f.write_str("a damaged snapshot: its checksum, length or contents are wrong"),
            Self::OtherVersion { found, expected } => {
                write!(f, "a snapshot of version \"{}\", expected \"{}\"", Shown::of(found), Shown::of(expected))
            }
            Self::Inconsistent { part } => write!(f, "a snapshot whose {part} do not fit together"),
            Self::MissingModel { name } => {
                write!(f, "the snapshot needs the model {}, which was not added", Shown::of(name))
            }
            Self::RemovedModel { bones } => {
                write!(f, "the snapshot has objects of a removed model of {bones} bones, which this runtime lacks")
            }
            Self::OtherModel { name, expected, found } if expected == found => {
                let name = Shown::of(name);
                write!(f, "the bones of the model {name} have other names, parents or bind pose than the snapshot's")
            }
            Self::OtherModel { name, expected, found } => {
                write!(f, "the model {} has {found} bones, the snapshot's had {expected}", Shown::of(name))
            }
        }
    }
}

impl std::error::Error for SnapshotError {}

impl Runtime {
    /// Takes a snapshot of the current state, to [restore](Self::restore) later.
    ///
    /// It can be taken between any two calls. In a world that the host lends or steps itself, take it after a step and
    /// before ragdolls and level bodies are removed: rapier does not serialize which joints were removed since its last
    /// step, and only the runtime's own world makes up for that at once.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let before = runtime.snapshot();
    /// runtime.object_mut(object).unwrap().set_bone(12, Mat3x4::IDENTITY)?; // a prediction that was wrong
    /// runtime.restore(&before)?;
    /// assert_ne!(runtime.object(object).unwrap().local_space(12), Some(Mat3x4::IDENTITY));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.save())
    }

    /// Restores a snapshot of this runtime or of another one.
    ///
    /// A new runtime needs only models and [files](Self::set_files) beforehand: settings, floors, levels and the
    /// impact threshold come with the snapshot and replace those of this runtime; limits and warnings are kept.
    ///
    /// - Every model in use must have been added under its name and with the same bones, in any order. If a model had
    ///   been [removed](Self::remove_model) before the snapshot, this runtime must still have an object of it.
    /// - Models keep the [`ModelId`](super::ModelId)s of this runtime. [`ObjectId`](super::ObjectId)s are those of the
    ///   snapshot, and new objects get the ids that they would have got at the time of the snapshot.
    /// - User data, and the ids of level bodies and water, are those of the snapshot: floors, doors and entity boxes
    ///   have the ids under which they were saved. Ids that were created after the snapshot are invalid until they are
    ///   given out again.
    /// - A snapshot contains nothing of the engine. Save the engine's entities with the ids that they hold, and its
    ///   frame counter beside it. User data of [objects](Self::set_user_data), [level
    ///   bodies](crate::physics::Physics::set_level_body_user_data) and
    ///   [water](crate::physics::Physics::set_water_user_data) leads back to entities.
    /// - Objects that exist both in the snapshot and in this runtime keep the memory of their bones.
    /// - A thread pool that was set for the old physics world must be set again.
    ///
    /// ```
    /// use skelobj::object::Space;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let snapshot = runtime.snapshot();
    /// let newer = runtime.create_object(model, Space::Local)?;
    /// runtime.restore(&snapshot)?;
    /// assert!(runtime.object(object).is_some() && runtime.object(newer).is_none());
    /// assert_eq!(runtime.create_object(model, Space::Local)?, newer); // ids repeat as well
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SnapshotError::MissingModel`], [`SnapshotError::RemovedModel`], [`SnapshotError::OtherModel`]. On error,
    /// nothing changes.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let models = self.find_models(&snapshot.0.models)?;
        self.load(snapshot.0.clone(), &models);
        Ok(())
    }
}

/// Returns the number of an item in a table; adds the item if the table lacks it.
fn number_in<T>(table: &mut Vec<T>, item: T, same: impl Fn(&T, &T) -> bool) -> usize {
    table.iter().position(|other| same(other, &item)).unwrap_or_else(|| {
        table.push(item);
        table.len() - 1
    })
}
