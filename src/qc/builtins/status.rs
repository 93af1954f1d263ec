//! Builtin that tells the state of a ragdoll.

use crate::qc::Host;
use crate::qc::call::Call;

/// Bodies and joints, or impacts, that are gone through in the time of one QuakeC statement.
const PARTS_A_STATEMENT: usize = 4;

/// Runs `skel_status`: of the ragdoll of argument 0, 1 asleep, 2 animated bodies, 3 greatest gap, 4 greatest
/// impulse of the last frame, 5 out of the level; 0 without a ragdoll.
pub(crate) fn status(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let what = call.integer(1);
    let id = call.entity_object(entity);
    let found = id.and_then(|id| Some((id, call.runtime.ragdoll(id)?)));
    let Some((id, ragdoll)) = found else { return call.host.return_float(0.0) };
    let parts = ragdoll.doll().bodies.len() + ragdoll.doll().joints.len();
    if !call.host.charge(1 + (parts / PARTS_A_STATEMENT) as u64) {
        return;
    }
    let physics = call.runtime.physics();
    let value = match what {
        1 => f32::from(u8::from(ragdoll.is_asleep(physics))),
        2 => ragdoll.animated_bodies() as f32,
        3 => ragdoll.joints(physics).map(|joint| joint.gap).fold(0.0, f32::max),
        4 => {
            let impacts = call.runtime.impacts();
            let (count, strongest) = impacts.fold((0, 0f32), |(count, strongest), impact| {
                (count + 1, if impact.object == id { strongest.max(impact.impulse) } else { strongest })
            });
            call.host.charge((count / PARTS_A_STATEMENT) as u64);
            strongest
        }
        5 => f32::from(u8::from(ragdoll.has_left_level())),
        _ => return unknown(call, what),
    };
    call.host.return_float(if value.is_finite() { value } else { 0.0 });
}

fn unknown(call: &mut Call<'_, impl Host + ?Sized>, what: i32) {
    call.complain(&format_args!(
        "{what} is none of 1 (asleep), 2 (animated bodies), 3 (gap), 4 (impulse) and 5 (left the level)"
    ));
    call.host.return_float(0.0);
}
