//! Snapshots in any format of serde's: a version, a checksum, and the state in one run of bytes.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use super::Snapshot;
use super::state::{Part, State};

/// What a host's format holds.
#[derive(Serialize, Deserialize)]
struct Envelope<'a> {
    version: Cow<'a, str>,
    checksum: u32,
    #[serde(borrow, with = "serde_bytes")]
    state: Cow<'a, [u8]>,
}

/// What wrote it: the layout of a state is that of this crate and of rapier's sets.
fn version() -> String {
    #[cfg(feature = "ragdoll")]
    let physics = rapier3d::VERSION;
    #[cfg(not(feature = "ragdoll"))]
    let physics = "none";
    format!("skelobj {}, rapier {physics}", env!("CARGO_PKG_VERSION"))
}

/// Why bytes are no snapshot, or would be none.
#[derive(Debug)]
enum Unreadable {
    Version(String),
    Checksum { expected: u32, found: u32 },
    Encoding(postcard::Error),
    TooLong { bytes: usize },
    Fault(Part),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(found) => write!(f, "a snapshot of {found:?}, this is {:?}", version()),
            Self::Checksum { expected, found } => {
                write!(f, "a damaged snapshot: its checksum should be {expected:08x}, is {found:08x}")
            }
            Self::Encoding(error) => write!(f, "a snapshot that cannot be read: {error}"),
            Self::TooLong { bytes } => write!(f, "a snapshot with {bytes} bytes too many"),
            Self::Fault(part) => write!(f, "a snapshot whose {part} do not fit together"),
        }
    }
}

fn read(envelope: &Envelope<'_>) -> Result<State, Unreadable> {
    if envelope.version != version() {
        return Err(Unreadable::Version(envelope.version.chars().take(80).collect()));
    }
    let found = crc32fast::hash(&envelope.state);
    if found != envelope.checksum {
        return Err(Unreadable::Checksum { expected: envelope.checksum, found });
    }
    let (mut state, rest): (State, _) = postcard::take_from_bytes(&envelope.state).map_err(Unreadable::Encoding)?;
    if !rest.is_empty() {
        return Err(Unreadable::TooLong { bytes: rest.len() });
    }
    if let Some(part) = state.fault() {
        return Err(Unreadable::Fault(part));
    }
    state.complete();
    Ok(state)
}

impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A host may have made of the physics world what reading would refuse: better known now than then.
        if let Some(part) = self.0.fault() {
            return Err(ser::Error::custom(Unreadable::Fault(part)));
        }
        let state = postcard::to_allocvec(&self.0).map_err(ser::Error::custom)?;
        let checksum = crc32fast::hash(&state);
        Envelope { version: version().into(), checksum, state: state.into() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Snapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let envelope = Envelope::deserialize(deserializer)?;
        read(&envelope).map(Self).map_err(de::Error::custom)
    }
}
