//! Builtins on numbers.

use super::Mistake;
use super::call::Call;
use crate::{Fault, trig};

fn map(call: &mut Call<'_>, function: fn(f32) -> f32) -> Result<(), Fault> {
    let value = function(call.float(0));
    call.return_float(value)
}

/// Runs `random` (#7): from 0 to below 1, up to the one argument, or from the first of two to the second.
pub(super) fn random(call: &mut Call<'_>) -> Result<(), Fault> {
    let random = call.random();
    let (low, high) = match call.machine.argc() {
        0 => (0.0, 1.0),
        1 => (0.0, call.float(0)),
        _ => (call.float(0), call.float(1)),
    };
    call.return_float(low + random * (high - low))
}

/// Runs `rint` (#36): halves are rounded away from zero.
pub(super) fn rint(call: &mut Call<'_>) -> Result<(), Fault> {
    map(call, f32::round)
}

/// Runs `floor` (#37).
pub(super) fn floor(call: &mut Call<'_>) -> Result<(), Fault> {
    map(call, f32::floor)
}

/// Runs `ceil` (#38).
pub(super) fn ceil(call: &mut Call<'_>) -> Result<(), Fault> {
    map(call, f32::ceil)
}

/// Runs `fabs` (#43).
pub(super) fn fabs(call: &mut Call<'_>) -> Result<(), Fault> {
    map(call, f32::abs)
}

/// Runs `sin` (#60): radians.
pub(super) fn sin(call: &mut Call<'_>) -> Result<(), Fault> {
    map(call, |angle| trig::sin(angle.into()) as f32)
}

/// Runs `cos` (#61): radians.
pub(super) fn cos(call: &mut Call<'_>) -> Result<(), Fault> {
    map(call, |angle| trig::cos(angle.into()) as f32)
}

/// Runs `sqrt` (#62): 0 for negative numbers.
pub(super) fn sqrt(call: &mut Call<'_>) -> Result<(), Fault> {
    map(call, f32::sqrt)
}

fn reduce(call: &mut Call<'_>, function: fn(f32, f32) -> f32) -> Result<(), Fault> {
    let values = 1..call.machine.argc();
    let first = call.float(0);
    let value = values.fold(first, |value, argument| function(value, call.float(argument)));
    call.return_float(value)
}

/// Runs `min` (#94).
pub(super) fn min(call: &mut Call<'_>) -> Result<(), Fault> {
    reduce(call, f32::min)
}

/// Runs `max` (#95).
pub(super) fn max(call: &mut Call<'_>) -> Result<(), Fault> {
    reduce(call, f32::max)
}

/// Runs `bound` (#96): limits the second argument to the range from the first to the third.
pub(super) fn bound(call: &mut Call<'_>) -> Result<(), Fault> {
    let (low, value, high) = (call.float(0), call.float(1), call.float(2));
    call.return_float(if value > high { high } else { value.max(low) })
}

/// Runs `pow` (#97).
pub(super) fn pow(call: &mut Call<'_>) -> Result<(), Fault> {
    let (base, exponent) = (call.float(0), call.float(1));
    call.return_float(trig::pow(base.into(), exponent.into()) as f32)
}

/// Runs `mod` (#245): the remainder with the sign of the dividend, 0 for a division by 0.
pub(super) fn modulo(call: &mut Call<'_>) -> Result<(), Fault> {
    let (dividend, divisor) = (call.float(0), call.float(1));
    if divisor == 0.0 {
        call.mistake(Mistake::ZeroDivisor);
    }
    let quotient = (dividend / divisor).trunc();
    call.return_float(dividend - divisor * quotient)
}

/// Returns an angle in degrees from 0 to below 360.
pub(crate) fn anglemod(angle: f32) -> f32 {
    let angle = angle.rem_euclid(360.0);
    // A small negative angle is rounded up.
    if angle < 360.0 { angle } else { 0.0 }
}

/// Runs `anglemod` (#102).
pub(super) fn wrapped(call: &mut Call<'_>) -> Result<(), Fault> {
    let angle = call.float(0);
    call.return_float(anglemod(angle))
}

/// Runs `bitshift` (#218): to the left, or to the right for a negative quantity.
pub(super) fn bitshift(call: &mut Call<'_>) -> Result<(), Fault> {
    let (value, quantity) = (call.integer(0), call.integer(1));
    let shifted = match u32::try_from(quantity) {
        Ok(left) => value.checked_shl(left).unwrap_or(0),
        Err(_) => value >> quantity.unsigned_abs().min(31),
    };
    call.return_float(shifted as f32)
}

/// Runs `asin` (#471): radians, 0 outside -1 to 1.
pub(super) fn asin(call: &mut Call<'_>) -> Result<(), Fault> {
    map(call, |value| trig::asin(value.into()) as f32)
}

/// Runs `acos` (#472): radians, 0 outside -1 to 1.
pub(super) fn acos(call: &mut Call<'_>) -> Result<(), Fault> {
    map(call, |value| trig::acos(value.into()) as f32)
}

/// Runs `atan` (#473): radians.
pub(super) fn atan(call: &mut Call<'_>) -> Result<(), Fault> {
    map(call, |value| trig::atan(value.into()) as f32)
}

/// Runs `atan2` (#474): radians, of y and x.
pub(super) fn atan2(call: &mut Call<'_>) -> Result<(), Fault> {
    let (y, x) = (call.float(0), call.float(1));
    call.return_float(trig::atan2(y.into(), x.into()) as f32)
}

/// Runs `tan` (#475): radians.
pub(super) fn tan(call: &mut Call<'_>) -> Result<(), Fault> {
    map(call, |angle| trig::tan(angle.into()) as f32)
}
