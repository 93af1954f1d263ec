//! Ragdolls, and shots at them.

use crate::qc::call::Call;
use crate::qc::{Host, ScriptTrace};
use crate::runtime::{Against, Hit};

/// #281: commands a ragdoll and updates its object's bones.
#[cfg(feature = "ragdoll")]
pub(crate) fn ragupdate(call: &mut Call<'_, impl Host + ?Sized>) {
    use crate::runtime::RagdollCommandError;

    call.host.return_float(0.0);
    let entity = call.host.entity(0);
    let source = call.object(2);
    let Some(id) = call.entity_object(entity) else { return };
    let transform = call.transform(entity);
    let command = call.host.string(1).to_vec();
    let host = &mut *call.host;
    let mut files = |name: &str| host.read_file(name);
    match call.runtime.ragdoll_command(id, &transform, &command, source, &mut files) {
        Ok(result) => call.host.return_float(result as f32),
        // A model without a doll is no mistake where nothing was asked of it.
        Err(RagdollCommandError::NoDoll) if command.trim_ascii().is_empty() => {}
        Err(error) => call.complain(&error),
    }
}

/// #281 where ragdolls were left out of the build.
#[cfg(not(feature = "ragdoll"))]
pub(crate) fn ragupdate(call: &mut Call<'_, impl Host + ?Sized>) {
    call.complain(&"built without ragdolls");
    call.host.return_float(0.0);
}

/// By name: hits the ragdoll of argument 0 at bone 1, point 2, with impulse 3.
#[cfg(feature = "ragdoll")]
pub(crate) fn ragimpulse(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    let entity = call.host.entity(0);
    let bone = call.index(1);
    let (point, impulse) = (call.vector(2), call.vector(3));
    let Some(id) = call.entity_object(entity) else { return };
    match call.runtime.ragdoll_impulse(id, bone, point, impulse) {
        Ok(hit) => call.host.return_float(f32::from(u8::from(hit))),
        Err(error) => call.complain(&error),
    }
}

/// The same where ragdolls were left out of the build.
#[cfg(not(feature = "ragdoll"))]
pub(crate) fn ragimpulse(call: &mut Call<'_, impl Host + ?Sized>) {
    call.complain(&"built without ragdolls");
    call.host.return_float(0.0);
}

/// By name: a line from argument 1 to 2 through the object of argument 0, or through all ragdolls if that names none. The
/// bone goes to argument 3, the fraction to 4.
pub(crate) fn trace(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let line = [call.vector(1), call.vector(2)];
    let hit = match call.entity_object(entity) {
        Some(id) => {
            let transform = call.transform(entity);
            let hit = call.runtime.trace_object(id, &transform, line, Against::Best);
            hit.unwrap_or_else(|error| {
                call.complain(&error);
                None
            })
        }
        None if call.names_object(entity) => None,
        None => trace_ragdolls(call, line),
    };
    let handle = hit.and_then(|hit| call.runtime.handle(hit.skel?)).unwrap_or(0);
    call.host.return_float(handle as f32);
    call.host.set_float(3, hit.and_then(|hit| hit.bone).map_or(0.0, |bone| (bone + 1) as f32));
    call.host.set_float(4, hit.map_or(1.0, |hit| hit.fraction));
    if let Some(host) = call.host.script() {
        host.set_trace(&hit.map_or(ScriptTrace::clear(line[1]), ScriptTrace::from));
    }
}

#[cfg(feature = "ragdoll")]
fn trace_ragdolls(call: &Call<'_, impl Host + ?Sized>, [start, end]: [crate::math::Vec3; 2]) -> Option<Hit> {
    use crate::physics::Layers;
    use crate::runtime::Trace;

    call.runtime.trace(&Trace::line(start, end).of(Layers::DOLLS))
}

#[cfg(not(feature = "ragdoll"))]
fn trace_ragdolls(_: &Call<'_, impl Host + ?Sized>, _: [crate::math::Vec3; 2]) -> Option<Hit> {
    None
}
