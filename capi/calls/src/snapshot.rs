//! Snapshots: everything in a world, for saved games, rollback and histories.

use std::ffi::c_char;

use skelobj::runtime::Snapshot;

use crate::SkelobjStatus;
use crate::guard;
use crate::id::{Id, SkelobjSnapshot, SkelobjWorld};
use crate::numbers;
use crate::pointer::{In, Out};
use crate::table::{self, Entry};

/// Takes a snapshot of a world and returns its id; none on failure. A history of frames is a list of these.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_snapshot_take(world: SkelobjWorld) -> SkelobjSnapshot {
    guard::world_value(world, SkelobjSnapshot::NONE, |world| {
        table::insert(Entry::Snapshot(world.runtime.snapshot().into()))
    })
}

/// Puts a world into the state of a snapshot: of this world, or of another with the same models under the same names.
/// Ids of objects, level bodies and water are those of the snapshot.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_snapshot_restore(world: SkelobjWorld, snapshot: SkelobjSnapshot) -> SkelobjStatus {
    guard::world(world, |world| Ok(world.runtime.restore(&*table::snapshot(snapshot)?)?))
}

/// Returns 1 if a snapshot has this id, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_snapshot_is_valid(snapshot: SkelobjSnapshot) -> i32 {
    guard::value(0, || Ok(numbers::flag(table::has(snapshot))))
}

/// Frees a snapshot.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_snapshot_free(snapshot: SkelobjSnapshot) -> SkelobjStatus {
    guard::status(|| table::remove(snapshot))
}

/// Writes a snapshot as bytes for a file, and their number (may be null). The bytes hold nothing of the host: entities
/// and the ids that they hold are saved beside them.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_snapshot_write(
    snapshot: SkelobjSnapshot,
    buffer: Out<u8>,
    capacity: usize,
    size: Out<usize>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, size) = (buffer.buffer(capacity)?, size.wanted()?);
        buffer.fill(&table::snapshot(snapshot)?.to_bytes()?, size)
    })
}

/// Reads a snapshot from bytes and returns its id; none on failure. Bytes from strangers must be authenticated first.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_snapshot_read(bytes: In<u8>, size: usize) -> SkelobjSnapshot {
    guard::value(SkelobjSnapshot::NONE, || {
        let snapshot = Snapshot::from_bytes(bytes.slice(size)?)?;
        table::insert(Entry::Snapshot(snapshot.into()))
    })
}

/// Writes the names of the models that a snapshot needs, one on each line, and the length of the text (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_snapshot_models(
    snapshot: SkelobjSnapshot,
    buffer: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, length, snapshot) = (buffer.buffer(capacity)?, length.wanted()?, table::snapshot(snapshot)?);
        let names: Vec<&str> = snapshot.models().collect();
        buffer.fill_text(names.join("\n").as_bytes(), length)
    })
}
