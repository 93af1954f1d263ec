//! Numbers.

use crate::qc::Host;
use crate::qc::call::Call;
use crate::trig;

/// Gives a float; one that left the range of numbers is 0.
pub(super) fn return_finite(call: &mut Call<'_, impl Host + ?Sized>, value: f32) {
    call.host.return_float(if value.is_finite() { value } else { 0.0 });
}

fn map(call: &mut Call<'_, impl Host + ?Sized>, function: fn(f32) -> f32) {
    let value = function(call.float(0));
    return_finite(call, value);
}

/// #7: from 0 to below 1; up to the one argument; from the first of two to the second.
pub(crate) fn random(call: &mut Call<'_, impl Host + ?Sized>) {
    let random = call.host.random();
    let (low, high) = match call.host.argc() {
        0 => (0.0, 1.0),
        1 => (0.0, call.float(0)),
        _ => (call.float(0), call.float(1)),
    };
    return_finite(call, low + random * (high - low));
}

/// #36: halves go away from zero.
pub(crate) fn rint(call: &mut Call<'_, impl Host + ?Sized>) {
    map(call, f32::round);
}

/// #37.
pub(crate) fn floor(call: &mut Call<'_, impl Host + ?Sized>) {
    map(call, f32::floor);
}

/// #38.
pub(crate) fn ceil(call: &mut Call<'_, impl Host + ?Sized>) {
    map(call, f32::ceil);
}

/// #43.
pub(crate) fn fabs(call: &mut Call<'_, impl Host + ?Sized>) {
    map(call, f32::abs);
}

/// #60: radians.
pub(crate) fn sin(call: &mut Call<'_, impl Host + ?Sized>) {
    map(call, |angle| trig::sin(angle.into()) as f32);
}

/// #61: radians.
pub(crate) fn cos(call: &mut Call<'_, impl Host + ?Sized>) {
    map(call, |angle| trig::cos(angle.into()) as f32);
}

/// #62: 0 of what has none.
pub(crate) fn sqrt(call: &mut Call<'_, impl Host + ?Sized>) {
    map(call, f32::sqrt);
}

fn reduce(call: &mut Call<'_, impl Host + ?Sized>, function: fn(f32, f32) -> f32) {
    let values = 1..call.host.argc();
    let first = call.float(0);
    let value = values.fold(first, |value, argument| function(value, call.float(argument)));
    call.host.return_float(value);
}

/// #94.
pub(crate) fn min(call: &mut Call<'_, impl Host + ?Sized>) {
    reduce(call, f32::min);
}

/// #95.
pub(crate) fn max(call: &mut Call<'_, impl Host + ?Sized>) {
    reduce(call, f32::max);
}

/// #96: the second argument within the first and the third.
pub(crate) fn bound(call: &mut Call<'_, impl Host + ?Sized>) {
    let (low, value, high) = (call.float(0), call.float(1), call.float(2));
    call.host.return_float(if value < low { low } else { value.min(high) });
}

/// #97.
pub(crate) fn pow(call: &mut Call<'_, impl Host + ?Sized>) {
    let (base, exponent) = (call.float(0), call.float(1));
    return_finite(call, trig::pow(base.into(), exponent.into()) as f32);
}

/// #471: radians; 0 of what has none.
pub(crate) fn asin(call: &mut Call<'_, impl Host + ?Sized>) {
    map(call, |value| trig::asin(value.into()) as f32);
}

/// #472: radians; 0 of what has none.
pub(crate) fn acos(call: &mut Call<'_, impl Host + ?Sized>) {
    map(call, |value| trig::acos(value.into()) as f32);
}

/// #473: radians.
pub(crate) fn atan(call: &mut Call<'_, impl Host + ?Sized>) {
    map(call, |value| trig::atan(value.into()) as f32);
}

/// #474: radians, of y and x.
pub(crate) fn atan2(call: &mut Call<'_, impl Host + ?Sized>) {
    let (y, x) = (call.float(0), call.float(1));
    call.host.return_float(trig::atan2(y.into(), x.into()) as f32);
}

/// #475: radians.
pub(crate) fn tan(call: &mut Call<'_, impl Host + ?Sized>) {
    map(call, |angle| trig::tan(angle.into()) as f32);
}
