//! Builtins that send bones from a server to its clients, through buffers of the host.

use crate::qc::Host;
use crate::qc::call::Call;
use crate::runtime::{ObjectId, Replication};

/// Cost of each bone of a message, in QuakeC statements: rotations are recovered from positions.
const BONE: u64 = 8;

/// Returns the object of argument 0, if there is one, and charges for its bones.
fn object(call: &mut Call<'_, impl Host + ?Sized>) -> Option<ObjectId> {
    let id = call.live_object(0)?;
    call.charge_bones(id, BONE).then_some(id)
}

/// Reports a buffer that the host does not have.
fn no_buffer(call: &mut Call<'_, impl Host + ?Sized>, number: i32) {
    call.complain(&format_args!("no buffer {number}"));
}

/// Runs `skel_send`: replaces buffer 2 with the bones of object 0; returns the number of bytes.
pub(crate) fn send(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    let Some(id) = object(call) else { return };
    let (kind, number) = (call.integer(1), call.integer(2));
    let kind = match kind {
        0 => Replication::Full,
        1 => Replication::Positions,
        _ => return call.complain(&format_args!("{kind} is neither 0 (rotations, too) nor 1 (positions)")),
    };
    let mut message = Vec::new();
    if let Err(error) = call.runtime.encode_bones(id, kind, &mut message) {
        return call.complain(&error);
    }
    let length = message.len();
    match call.host.buffer(number) {
        Some(buffer) => {
            *buffer = message;
            call.host.return_float(length as f32);
        }
        None => no_buffer(call, number),
    }
}

/// Runs `skel_receive`: keeps the bones in buffer 1 for object 0, with the sender's time 2.
pub(crate) fn receive(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    let Some(id) = object(call) else { return };
    let (number, time) = (call.integer(1), call.float(2));
    let Some(buffer) = call.host.buffer(number) else { return no_buffer(call, number) };
    let pose = match call.runtime.decode_bones(id, buffer) {
        Ok(pose) => pose,
        Err(error) => return call.complain(&error),
    };
    let accepted = call.host.receiver(id).is_some_and(|receiver| receiver.receive(time.into(), pose));
    call.host.return_float(f32::from(u8::from(accepted)));
}

/// Runs `skel_show`: sets the bones of object 0 to those received around the sender's time 1.
pub(crate) fn show(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    let Some(id) = object(call) else { return };
    let time = call.float(1);
    let Call { runtime, host, .. } = call;
    let shown = host.receiver(id).map(|receiver| runtime.show_bones(id, receiver, time.into()));
    match shown.transpose() {
        Ok(shown) => call.host.return_float(f32::from(u8::from(shown == Some(true)))),
        Err(error) => call.complain(&error),
    }
}
