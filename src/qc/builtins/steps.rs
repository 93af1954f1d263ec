//! Builtins that move monsters over the level.

use crate::qc::Host;
use crate::qc::call::Call;

/// Runs `walkmove` (#32): moves `self` in the direction 0 by the distance 1; returns 1, or 0.
pub(crate) fn walkmove(call: &mut Call<'_, impl Host + ?Sized>) {
    let [yaw, distance] = call.floats();
    let [yaw, distance] = call.finite([yaw, distance]);
    let Call { runtime, host, .. } = call;
    let moved = host.script().is_some_and(|host| host.walk(runtime, yaw, distance));
    call.host.return_float(f32::from(u8::from(moved)));
}

/// Runs `movetogoal` (#67): moves `self` by the distance 0 towards `goalentity`.
pub(crate) fn movetogoal(call: &mut Call<'_, impl Host + ?Sized>) {
    let distance = call.float(0);
    let Call { runtime, host, .. } = call;
    if let Some(host) = host.script() {
        host.approach(runtime, distance);
    }
}

/// Runs `checkbottom` (#40): returns 1 if entity 0 stands on the level with all corners.
pub(crate) fn checkbottom(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let Call { runtime, host, .. } = call;
    let stands = host.script().is_some_and(|host| host.stands(runtime, entity));
    call.host.return_float(f32::from(u8::from(stands)));
}
