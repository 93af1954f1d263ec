//! Numbers that come from scripts.

/// Returns whether all numbers are finite: without an early end, so that four are looked at at once.
#[cfg(feature = "qc")]
#[inline]
pub(crate) fn all_finite(numbers: &[f32]) -> bool {
    numbers.iter().fold(true, |finite, number| finite & number.is_finite())
}

/// Replaces a number from a script that is not finite by 0 (ruling 18).
#[cfg(feature = "qc")]
#[inline]
pub(crate) fn finite_number(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}

/// Truncates a number from a script toward zero; NaN and infinities become 0, and numbers beyond an `i32` its nearest
/// end.
#[inline]
#[must_use]
pub fn truncate(number: f32) -> i32 {
    // Rust's conversion looks at every number for what has no integer.
    #[cfg(target_arch = "x86_64")]
    {
        let integer = truncate_by_processor(number);
        if integer != i32::MIN {
            return integer;
        }
    }
    saturate(number)
}

/// Truncates a handle from a script toward zero; `None` for what is negative then, not finite, or beyond any `i32`.
#[cfg(feature = "qc")]
#[inline]
pub(crate) fn handle(number: f32) -> Option<u32> {
    #[cfg(target_arch = "x86_64")]
    return u32::try_from(truncate_by_processor(number)).ok();
    #[cfg(not(target_arch = "x86_64"))]
    return (number > -1.0 && number < 2_147_483_648.0).then_some(number as u32);
}

/// A number from a script as an id: truncated toward zero; beyond any id for what is negative then or has no integer.
#[cfg(feature = "qc")]
#[inline]
pub(crate) fn id_number(number: f32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return truncate_by_processor(number) as u32;
    #[cfg(not(target_arch = "x86_64"))]
    if number > -1.0 || number.is_nan() { number as u32 } else { u32::MAX }
}

/// `i32::MIN` for what has no integer.
#[cfg(target_arch = "x86_64")]
#[inline]
fn truncate_by_processor(number: f32) -> i32 {
    safe_arch::truncate_to_i32_m128d_s(safe_arch::set_m128d_s(number.into()))
}

#[cfg_attr(target_arch = "x86_64", cold)]
fn saturate(number: f32) -> i32 {
    if number.is_finite() { number as i32 } else { 0 }
}
