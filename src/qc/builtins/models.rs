//! Builtins on models by name.

use crate::qc::Host;
use crate::qc::call::Call;

/// Runs `setmodel` (#3).
pub(crate) fn setmodel(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let name = call.host.string(1).to_vec();
    let Call { runtime, host, .. } = call;
    match host.script() {
        Some(host) => host.set_model(runtime, entity, &name),
        None => call.complain(&"not available in this engine"),
    }
}

/// Returns the index of the model that argument 0 names.
fn precache(call: &mut Call<'_, impl Host + ?Sized>) -> usize {
    let name = call.host.string(0).to_vec();
    let Call { runtime, host, .. } = call;
    match host.script() {
        Some(host) => host.precache_model(runtime, &name),
        None => {
            call.complain(&"not available in this engine");
            0
        }
    }
}

/// Runs `precache_model` (#20): returns the name.
pub(crate) fn precache_model(call: &mut Call<'_, impl Host + ?Sized>) {
    precache(call);
    let name = call.host.string(0).to_vec();
    call.host.return_string(&name);
}

/// Runs `getmodelindex` (#200).
pub(crate) fn getmodelindex(call: &mut Call<'_, impl Host + ?Sized>) {
    let index = precache(call);
    call.host.return_float(index as f32);
}
