//! Ragdolls.

use crate::qc::Host;
use crate::qc::call::Call;

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
