//! Sizes of the numbers in poses.

use crate::math::Mat3x4;
use crate::out_of_range::OutOfRange;

/// Largest number that builds and edits leave in a bone: beyond the size of any model, and small enough that products
/// of two such numbers are finite in f64.
pub const LARGEST: f32 = 1e30;

/// Returns `true` if all numbers of a matrix are finite and within 1e30.
#[inline]
pub fn is_usable(bone: &Mat3x4) -> bool {
    bone.is_within(LARGEST)
}

/// Clamps the numbers of bones to 1e30 and replaces NaN with 0.
pub fn saturate(bones: &mut [Mat3x4]) {
    for bone in bones.iter_mut().filter(|bone| !is_usable(bone)) {
        for v in &mut bone.0 {
            *v = if v.is_nan() { 0.0 } else { v.clamp(-LARGEST, LARGEST) };
        }
    }
}

/// Checks what follows an entity from frame to frame: its matrix, and the seconds of a frame.
pub fn check_frame(entity: &Mat3x4, seconds: f32) -> Result<(), OutOfRange> {
    OutOfRange::check((0.0..=1e6).contains(&seconds), "seconds", seconds, "a number from 0 to 1e6")?;
    if entity.is_within(1e9) {
        return Ok(());
    }
    let numbers = entity.rows().into_iter().flat_map(|row| row.to_array());
    OutOfRange::check_all("entity", numbers, 1e9, "numbers from -1e9 to 1e9")
}
