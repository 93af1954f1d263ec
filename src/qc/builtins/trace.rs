//! Builtins that trace lines through the level.

use crate::math::Vec3;
use crate::physics::CollisionGroups;
use crate::qc::call::{Call, TRACE};
use crate::qc::{Host, ScriptTrace};
use crate::runtime::Trace;

/// Runs `traceline` (#16): traces from argument 0 to 1.
pub(crate) fn traceline(call: &mut Call<'_, impl Host + ?Sized>) {
    let (start, end) = (call.vector(0), call.vector(1));
    trace_box(call, start, end, [Vec3::ZERO; 2]);
}

/// Runs `tracebox` (#90): traces a box of corners 1 and 2 from argument 0 to 3.
pub(crate) fn tracebox(call: &mut Call<'_, impl Host + ?Sized>) {
    let (start, end) = (call.vector(0), call.vector(3));
    let corners = [call.vector(1), call.vector(2)];
    trace_box(call, start, end, corners);
}

/// Runs `droptofloor` (#34): moves `self` down to the level.
pub(crate) fn droptofloor(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.charge(TRACE);
    let Call { runtime, host, .. } = call;
    let stands = host.script().is_some_and(|host| host.drop_to_floor(runtime));
    call.host.return_float(f32::from(u8::from(stands)));
}

fn trace_box(call: &mut Call<'_, impl Host + ?Sized>, start: Vec3, end: Vec3, [mins, maxs]: [Vec3; 2]) {
    call.host.charge(TRACE);
    let hit = call.traced(&Trace::line(start, end).with_box(mins, maxs).with_groups(CollisionGroups::LEVEL));
    match call.host.script() {
        Some(host) => host.set_trace(&ScriptTrace::before(hit, start, end)),
        None => call.complain(&"not available in this engine"),
    }
}
