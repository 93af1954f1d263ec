//! Everything a runtime knows, to go back to: in a moment, or from a file in another process.

mod bytes;
#[cfg(feature = "ragdoll")]
mod dolls;
mod model;
mod state;

use std::fmt;

use super::Runtime;
use state::State;

/// What [`Runtime::snapshot`] kept: all skeletal objects with their handles, ragdolls, dolls, the physics world and the
/// settings.
///
/// A runtime that is [restored](Runtime::restore) goes on exactly as the one that the snapshot was taken of: the same
/// calls give the same bits. Models are not in it, only their names and what tells one skeleton from another; nor are
/// reports that wait to be taken.
///
/// The whole physics world is in it, **the level too**: contacts are warm only with the colliders that they belong to, and
/// so a restored runtime needs no level to be added again. In memory the level's shapes are shared, and a snapshot costs
/// some ten to forty microseconds a ragdoll, whatever the size of the level; serialized it has some 40 kB a ragdoll and,
/// written out, 120 bytes a triangle of the level.
///
/// It is serialized in whatever format the host likes, as a version, a checksum and a run of bytes. Reading refuses
/// bytes that were damaged or come from another version of this crate or of rapier, and whatever does not fit together:
/// lengths, indexes, handles, bodies and what hangs on them; writing refuses the same, where a host made gravity or the
/// length of a step what no world can have. That makes nothing safe that someone forged on purpose, for
/// rapier trusts the inner workings of its sets; authenticate what comes from strangers.
///
/// ```
/// use skelobj::model::FrameState;
/// use skelobj::runtime::Snapshot;
/// use skelobj::skeleton::{Build, Space};
/// use skelobj::{Model, Runtime, assets};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mannequin = || Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None);
/// let mut runtime = Runtime::default();
/// let model = runtime.add_model("mannequin.iqm", mannequin()?);
/// let skel = runtime.create_skeleton(model, Space::Local)?;
/// runtime.build(skel, model, &FrameState::single(0, 0.3), &Build::REPLACE)?;
/// let bytes = postcard::to_allocvec(&runtime.snapshot())?;
///
/// // Another day, another process.
/// let snapshot: Snapshot = postcard::from_bytes(&bytes)?;
/// let mut restored = Runtime::default();
/// assert!(snapshot.models().eq(["mannequin.iqm"]));
/// restored.add_model("mannequin.iqm", mannequin()?);
/// restored.restore(&snapshot)?;
/// let same = restored.object_by_handle(1).and_then(|skel| restored.object(skel));
/// assert_eq!(same.map(|object| object.pose()), runtime.object(skel).map(|object| object.pose()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Snapshot(State);

impl Snapshot {
    /// The names of the models that must be there for it to be restored, each once.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        let names = self.0.models.iter().filter_map(|model| model.name.as_deref());
        let mut seen = std::collections::HashSet::new();
        names.filter(move |name| seen.insert(*name))
    }
}

/// Why a snapshot cannot be restored; nothing has changed then.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RestoreError {
    /// No model was added under this name.
    MissingModel {
        /// The name.
        name: String,
    },
    /// The model was removed while objects of it were left, and here are none of them.
    RemovedModel {
        /// How many bones it had.
        bones: usize,
    },
    /// The model of this name has other bones: their number, names, parents or bind pose.
    OtherModel {
        /// The name.
        name: String,
        /// How many bones the model of the snapshot had.
        expected: usize,
        /// How many the one that is there has.
        found: usize,
    },
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingModel { name } => write!(f, "the snapshot needs the model {name}, which was not added"),
            Self::RemovedModel { bones } => {
                write!(f, "the snapshot has objects of a removed model of {bones} bones, which nothing here has")
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

impl std::error::Error for RestoreError {}

impl Runtime {
    /// Keeps everything as it is now, to be [restored](Self::restore) later; the runtime goes on as if nothing had been.
    ///
    /// Best between two frames, after [`step`](Self::step). Joints that were removed since the last step (a ragdoll that
    /// was deleted or cleared) are gone in every copy, but rapier does not write down that their bodies still have to be
    /// told: a snapshot of such a moment that goes through bytes restores the same state, of which the bits may part from
    /// the original's later.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.save())
    }

    /// Goes back to a snapshot, of this runtime or of another one.
    ///
    /// Every model that was in use then must be there, under its name and with the same bones; in whatever order they were
    /// added. Handles that scripts hold and [`SkelId`](super::SkelId)s are those of then, and those given out next
    /// the ones that would have been. Of a model that had been [removed](Self::remove_model) before the snapshot, some object
    /// must still be there. Models are all that a new runtime needs beforehand: settings, floors and levels come
    /// with the snapshot, and take the place of what is there. Reports that wait to be taken stay.
    ///
    /// Objects that were there then and are there now keep the memory of their bones. With rapier's threads, a thread pool
    /// set for the old physics world has to be set again.
    ///
    /// # Errors
    /// [`RestoreError`]; nothing has changed then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RestoreError> {
        let models = self.find_models(&snapshot.0.models)?;
        self.load(snapshot.0.clone(), &models);
        Ok(())
    }
}
