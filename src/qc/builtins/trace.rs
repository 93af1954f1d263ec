//! Builtins that trace lines through the level.

use crate::math::Vec3;
use crate::qc::Host;
use crate::qc::ScriptTrace;
use crate::qc::call::{Call, TRACE};

/// Runs `traceline` (#16): traces from argument 0 to 1.
pub(crate) fn traceline(call: &mut Call<'_, impl Host + ?Sized>) {
    let (start, end) = (call.vector(0), call.vector(1));
    call.host.charge(TRACE);
    let trace = trace(call, start, end);
    match call.host.script() {
        Some(host) => host.set_trace(&trace),
        None => call.complain(&"not available in this engine"),
    }
}

#[cfg(feature = "ragdoll")]
fn trace(call: &mut Call<'_, impl Host + ?Sized>, start: Vec3, end: Vec3) -> ScriptTrace {
    use crate::physics::CollisionGroups;
    use crate::runtime::Trace;

    let hit = call.traced(&Trace::line(start, end).in_groups(CollisionGroups::LEVEL));
    hit.map_or(ScriptTrace::clear(end), ScriptTrace::from)
}

/// Returns a trace without a hit: without physics there is no level.
#[cfg(not(feature = "ragdoll"))]
fn trace(_: &mut Call<'_, impl Host + ?Sized>, _: Vec3, end: Vec3) -> ScriptTrace {
    ScriptTrace::clear(end)
}
