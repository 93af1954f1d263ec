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

/// Runs `getmodelindex` (#200): with argument 1 it loads no model.
pub(crate) fn getmodelindex(call: &mut Call<'_, impl Host + ?Sized>) {
    let index = if call.float(1) == 0.0 { precache(call) } else { known_index(call) };
    call.host.return_float(index as f32);
}

/// Returns the index of the model that argument 0 names, 0 if it was not loaded.
fn known_index(call: &mut Call<'_, impl Host + ?Sized>) -> usize {
    let name = call.host.string(0).to_vec();
    call.host.script().and_then(|host| host.find_model(&name)).unwrap_or(0)
}

/// Runs `setmodelindex` (#333).
pub(crate) fn setmodelindex(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let index = usize::try_from(call.integer(1)).ok();
    let name = index.and_then(|index| call.host.script()?.model_name(index)).unwrap_or_default();
    let Call { runtime, host, .. } = call;
    match host.script() {
        Some(host) => host.set_model(runtime, entity, &name),
        None => call.complain(&"not available in this engine"),
    }
}

/// Runs `modelnameforindex` (#334).
pub(crate) fn modelnameforindex(call: &mut Call<'_, impl Host + ?Sized>) {
    let index = usize::try_from(call.integer(0)).ok();
    let name = index.and_then(|index| call.host.script()?.model_name(index));
    call.host.return_string(&name.unwrap_or_default());
}

/// Runs `shaderforname` (#238): the same number for the same name, from 1.
pub(crate) fn shaderforname(call: &mut Call<'_, impl Host + ?Sized>) {
    let name = call.host.string(0).to_vec();
    let number = call.host.script().map_or(0, |host| host.shader(&name));
    call.host.return_float(number as f32);
}

/// Runs `precache_sound` (#19), `precache_file` (#68) and their relatives: returns the name.
pub(crate) fn precache_file(call: &mut Call<'_, impl Host + ?Sized>) {
    let name = call.host.string(0).to_vec();
    call.host.return_string(&name);
}

/// Runs `setcustomskin` (#376): skins show in nothing that the host computes.
pub(crate) fn setcustomskin(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.entity(0);
}
