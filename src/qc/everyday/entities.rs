//! Entities and the models they show.

use crate::qc::call::Call;
use crate::qc::{Entity, Host, ScriptHost};

/// What [`ScriptHost`] there is; says so if there is none.
fn script<'a>(call: &'a mut Call<'_, impl Host + ?Sized>) -> Option<&'a mut dyn ScriptHost> {
    if call.host.script().is_none() {
        call.complain(&"not in this engine");
    }
    call.host.script()
}

const WORLD: Entity = Entity(0);

/// #14.
pub(crate) fn spawn(call: &mut Call<'_, impl Host + ?Sized>) {
    let Some(host) = script(call) else { return call.host.return_float(0.0) };
    let entity = host.spawn();
    host.return_entity(entity);
}

/// #15.
pub(crate) fn remove(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    if let Some(host) = script(call) {
        host.remove(entity);
    }
}

/// #47: the world after the last.
pub(crate) fn nextent(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let Some(host) = script(call) else { return call.host.return_float(0.0) };
    let next = host.next_entity(entity);
    host.return_entity(next.unwrap_or(WORLD));
}

/// #18: the world if there is none.
pub(crate) fn find(call: &mut Call<'_, impl Host + ?Sized>) {
    let after = call.host.entity(0);
    let text = call.host.string(2).to_vec();
    let Some(host) = script(call) else { return call.host.return_float(0.0) };
    let found = host.find(after, 1, &text);
    host.return_entity(found.unwrap_or(WORLD));
}

/// #98: the world if there is none.
pub(crate) fn findfloat(call: &mut Call<'_, impl Host + ?Sized>) {
    let (after, number) = (call.host.entity(0), call.host.float(2));
    let Some(host) = script(call) else { return call.host.return_float(0.0) };
    let found = host.find_number(after, 1, number);
    host.return_entity(found.unwrap_or(WORLD));
}

/// #2.
pub(crate) fn setorigin(call: &mut Call<'_, impl Host + ?Sized>) {
    let (entity, origin) = (call.host.entity(0), call.vector(1));
    if let Some(host) = script(call) {
        host.set_origin(entity, origin);
    }
}

/// #3.
pub(crate) fn setmodel(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let name = call.host.string(1).to_vec();
    let Call { runtime, host, .. } = call;
    match host.script() {
        Some(host) => host.set_model(runtime, entity, &name),
        None => call.complain(&"not in this engine"),
    }
}

/// The index of the model that argument 0 names.
fn precache(call: &mut Call<'_, impl Host + ?Sized>) -> usize {
    let name = call.host.string(0).to_vec();
    let Call { runtime, host, .. } = call;
    match host.script() {
        Some(host) => host.precache_model(runtime, &name),
        None => {
            call.complain(&"not in this engine");
            0
        }
    }
}

/// #20: returns the name.
pub(crate) fn precache_model(call: &mut Call<'_, impl Host + ?Sized>) {
    precache(call);
    let name = call.host.string(0).to_vec();
    call.host.return_string(&name);
}

/// #200.
pub(crate) fn getmodelindex(call: &mut Call<'_, impl Host + ?Sized>) {
    let index = precache(call);
    call.host.return_float(index as f32);
}
