//! Lines through the level.

use crate::math::Vec3;
use crate::qc::Host;
use crate::qc::ScriptTrace;
use crate::qc::call::Call;

/// #16: from argument 0 to 1.
pub(crate) fn traceline(call: &mut Call<'_, impl Host + ?Sized>) {
    let (start, end) = (call.vector(0), call.vector(1));
    let trace = trace(call, start, end);
    match call.host.script() {
        Some(host) => host.set_trace(&trace),
        None => call.complain(&"not in this engine"),
    }
}

const fn clear(end: Vec3) -> ScriptTrace {
    ScriptTrace { fraction: 1.0, end, normal: Vec3::ZERO, distance: 0.0, start_solid: false }
}

#[cfg(feature = "ragdoll")]
fn trace(call: &Call<'_, impl Host + ?Sized>, start: Vec3, end: Vec3) -> ScriptTrace {
    use crate::physics::Layers;

    let hit = call.runtime.physics().trace(start, end, Layers::LEVEL);
    hit.map_or(clear(end), |hit| ScriptTrace {
        fraction: hit.fraction,
        end: hit.point,
        normal: hit.normal,
        distance: hit.normal.dot(hit.point),
        start_solid: hit.normal == Vec3::ZERO,
    })
}

/// Without physics there is no level to hit.
#[cfg(not(feature = "ragdoll"))]
fn trace(_: &Call<'_, impl Host + ?Sized>, _: Vec3, end: Vec3) -> ScriptTrace {
    clear(end)
}
