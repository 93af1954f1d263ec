//! Conversions of numbers that come from scripts.

/// Truncates a number from a script toward zero, as Quake's engines convert handles, bones and frames.
///
/// NaN and the infinities become 0; finite numbers beyond the range of an `i32` become its nearest end.
///
/// ```
/// use skelobj::math::truncate;
/// assert_eq!([2.9, -2.9].map(truncate), [2, -2]);
/// assert_eq!([f32::NAN, f32::INFINITY].map(truncate), [0, 0]);
/// assert_eq!(truncate(1e20), i32::MAX);
/// ```
#[inline]
#[must_use]
pub fn truncate(number: f32) -> i32 {
    // Rust's own conversion checks every number for NaN and for overflow.
    #[cfg(target_arch = "x86_64")]
    {
        let integer = truncate_by_processor(number);
        if integer != i32::MIN {
            return integer;
        }
    }
    saturate(number)
}

/// Returns `true` if all numbers are finite. The loop has no early exit, so that the compiler vectorises it.
#[inline]
pub fn all_finite(numbers: &[f32]) -> bool {
    numbers.iter().fold(true, |finite, number| finite & number.is_finite())
}

/// Replaces a non-finite number from a script with 0 (difference 18).
#[inline]
pub fn finite_number(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}

/// Truncates a handle from a script toward zero; `None` if the result is negative, non-finite or beyond an `i32`.
#[inline]
pub fn handle(number: f32) -> Option<u32> {
    #[cfg(target_arch = "x86_64")]
    return u32::try_from(truncate_by_processor(number)).ok();
    #[cfg(not(target_arch = "x86_64"))]
    return (number > -1.0 && number < 2_147_483_648.0).then_some(number as u32);
}

/// Truncates an id from a script toward zero. A negative or non-finite number becomes a number beyond every id.
#[inline]
pub fn id_number(number: f32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return truncate_by_processor(number) as u32;
    #[cfg(not(target_arch = "x86_64"))]
    if number > -1.0 || number.is_nan() { number as u32 } else { u32::MAX }
}

/// Truncates a number toward zero with one instruction; returns `i32::MIN` for a number that no `i32` holds.
#[cfg(target_arch = "x86_64")]
#[inline]
fn truncate_by_processor(number: f32) -> i32 {
    safe_arch::truncate_to_i32_m128d_s(safe_arch::set_m128d_s(number.into()))
}

#[cfg_attr(target_arch = "x86_64", cold)]
fn saturate(number: f32) -> i32 {
    if number.is_finite() { number as i32 } else { 0 }
}
