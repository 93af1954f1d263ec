//! Builtins that trace lines through the level and its entities.

use crate::physics::CollisionGroups;
use crate::qc::call::{Call, TRACE};
use crate::qc::{Host, ScriptTrace};
use crate::runtime::Trace;

/// Runs `traceline` (#16): traces from argument 0 to 1.
pub(crate) fn traceline(call: &mut Call<'_, impl Host + ?Sized>) {
    let line = Trace::line(call.vector(0), call.vector(1));
    trace_box(call, line, 2);
}

/// Runs `tracebox` (#90): traces a box of corners 1 and 2 from argument 0 to 3.
pub(crate) fn tracebox(call: &mut Call<'_, impl Host + ?Sized>) {
    let line = Trace::line(call.vector(0), call.vector(3));
    let line = line.with_box(call.vector(1), call.vector(2));
    trace_box(call, line, 4);
}

/// Runs `droptofloor` (#34): moves `self` down to the level.
pub(crate) fn droptofloor(call: &mut Call<'_, impl Host + ?Sized>) {
    let Call { runtime, host, .. } = call;
    let stands = host.script().is_some_and(|host| host.drop_to_floor(runtime));
    call.host.return_float(f32::from(u8::from(stands)));
}

/// Traces a box; arguments `rest` and the next tell which entities it hits.
fn trace_box(call: &mut Call<'_, impl Host + ?Sized>, trace: Trace, rest: usize) {
    call.host.charge(TRACE);
    let (nomonsters, ignored) = (call.integer(rest), call.host.entity(rest + 1));
    let trace = trace.with_groups(CollisionGroups::LEVEL);
    let hit = call.traced(&trace);
    let Call { runtime, host, .. } = call;
    let Some(host) = host.script() else { return call.complain(&"not available in this engine") };
    let mut result = ScriptTrace::before(hit, trace.start, trace.end);
    host.trace_entities(runtime, &trace, &mut result, nomonsters, ignored);
    host.set_trace(&result);
}
