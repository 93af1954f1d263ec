//! Bones over a network.

use std::sync::{Mutex, MutexGuard, PoisonError};

use skelobj::runtime::{BoneReceiver, Replication};

use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::{Id, SkelobjObject, SkelobjReceiver, SkelobjWorld};
use crate::numbers::flag;
use crate::pointer::{In, Out};
use crate::table::{self, Entry};

/// Contents of a message of bones.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjReplication {
    /// Positions and rotations of all bones.
    Full = 0,
    /// Positions of all bones, from which rotations are guessed.
    Positions = 1,
}

/// Writes a message with the bones of an object, and its size in bytes (may be null). `what` is SKELOBJ_REPLICATION_...
/// Positions reach 512 units from the entity in each direction, or as far as the animations of the object's model lead.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_encode_bones(
    world: SkelobjWorld,
    object: SkelobjObject,
    what: i32,
    buffer: Out<u8>,
    capacity: usize,
    size: Out<usize>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (buffer, size) = (buffer.buffer(capacity)?, size.wanted()?);
        let what = match what {
            0 => Replication::Full,
            1 => Replication::Positions,
            _ => return Err(Failure::number("what", "SKELOBJ_REPLICATION_FULL or _POSITIONS")),
        };
        let mut message = Vec::new();
        world.runtime.encode_bones(object.get()?, what, &mut message)?;
        buffer.fill(&message, size)
    })
}

/// Sets the bones of an object to those of a message.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_apply_bones(
    world: SkelobjWorld,
    object: SkelobjObject,
    message: In<u8>,
    size: usize,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let message = message.slice(size)?;
        Ok(world.runtime.apply_bones(object.get()?, message)?)
    })
}

/// Creates a receiver, which keeps the last messages of one object and interpolates between them, and returns its id;
/// none on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_receiver_create() -> SkelobjReceiver {
    guard::value(SkelobjReceiver::NONE, || table::insert(Entry::Receiver(Mutex::new(BoneReceiver::default()).into())))
}

/// Returns 1 if a receiver has this id, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_receiver_is_valid(receiver: SkelobjReceiver) -> i32 {
    guard::value(0, || Ok(flag(table::has(receiver))))
}

/// Frees a receiver.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_receiver_free(receiver: SkelobjReceiver) -> SkelobjStatus {
    guard::status(|| table::remove(receiver))
}

fn open(receiver: &Mutex<BoneReceiver>) -> MutexGuard<'_, BoneReceiver> {
    receiver.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands a message for an object to a receiver. `time` is the sender's, seconds. Returns 1 if it is new, 0 if it is
/// late or damaged.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_receiver_receive(
    world: SkelobjWorld,
    object: SkelobjObject,
    receiver: SkelobjReceiver,
    time: f64,
    message: In<u8>,
    size: usize,
) -> i32 {
    guard::world_value(world, 0, |world| {
        let (message, receiver) = (message.slice(size)?, table::receiver(receiver)?);
        let pose = world.runtime.decode_bones(object.get()?, message)?;
        let is_new = open(&receiver).receive(time, pose);
        Ok(flag(is_new))
    })
}

/// Sets the bones of an object to those at a time of the sender, interpolated. Returns 1 if there are any, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_receiver_show(
    world: SkelobjWorld,
    object: SkelobjObject,
    receiver: SkelobjReceiver,
    time: f64,
) -> i32 {
    guard::world_value(world, 0, |world| {
        let receiver = table::receiver(receiver)?;
        let shown = world.runtime.show_bones(object.get()?, &open(&receiver), time)?;
        Ok(flag(shown))
    })
}

/// Returns the time of the newest message of a receiver; -1 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_receiver_newest(receiver: SkelobjReceiver) -> f64 {
    guard::value(-1.0, || Ok(open(&*table::receiver(receiver)?).newest().unwrap_or(-1.0)))
}

/// Forgets all messages of a receiver, for an object that jumps.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_receiver_clear(receiver: SkelobjReceiver) -> SkelobjStatus {
    guard::status(|| {
        let receiver = table::receiver(receiver)?;
        clear(&receiver)
    })
}

fn clear(receiver: &Mutex<BoneReceiver>) -> Result<()> {
    open(receiver).clear();
    Ok(())
}
