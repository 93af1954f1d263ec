//! Builtins on impacts of ragdolls.

use crate::math::{Axes, Vec3};
use crate::qc::call::Call;
use crate::qc::{Host, ScriptResult};
use crate::runtime::BodyOwner;

/// Number of impacts that a call goes past at the cost of one QuakeC statement.
const IMPACTS_A_STATEMENT: usize = 16;

/// Globals of the results of `skel_impact`, in the order of its arguments.
const RESULTS: [ScriptResult; 4] = [
    ScriptResult::skel_impact_skel,
    ScriptResult::skel_impact_bone,
    ScriptResult::skel_impact_impulse,
    ScriptResult::skel_impact_other,
];

/// Runs `skel_impactthreshold`: notes impacts of at least impulse 0; a negative number stops.
pub(crate) fn threshold(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    let threshold = Some(call.float(0)).filter(|impulse| *impulse >= 0.0);
    match call.runtime.set_impact_threshold(threshold) {
        Ok(()) => call.host.return_float(1.0),
        Err(error) => call.complain(&error),
    }
}

/// Runs `skel_impact`: the point of impact 0. Handle, bone, impulse and the handle of what was hit go to arguments
/// 1 to 4, the normal to `v_forward`.
pub(crate) fn impact(call: &mut Call<'_, impl Host + ?Sized>) {
    let number = call.float(0);
    let number = (number >= 0.0).then_some(number as usize);
    call.host.charge(1 + (number.unwrap_or_default() / IMPACTS_A_STATEMENT) as u64);
    let impact = number.and_then(|number| call.runtime.impacts().nth(number));
    let numbers = impact.map_or([0.0; 4], |impact| {
        let other = match impact.other {
            Some(BodyOwner::Ragdoll { object, .. }) => object.get() as f32,
            _ => 0.0,
        };
        [impact.object.get() as f32, (impact.bone + 1) as f32, impact.impulse, other]
    });
    for (argument, (global, number)) in (1..).zip(RESULTS.into_iter().zip(numbers)) {
        call.out_float(argument, global, number);
    }
    if let Some(impact) = impact {
        let right = impact.normal.any_orthonormal_vector();
        call.host.set_axes(Axes { forward: impact.normal, right, up: right.cross(impact.normal) });
    }
    call.host.return_vector(impact.map_or(Vec3::ZERO, |impact| impact.point));
}
