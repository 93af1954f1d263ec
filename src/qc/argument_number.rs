//! Checks of numbers from scripts.

use skelobj_model::internal::finite_number;

use crate::math::{self, Vec3};
use crate::runtime::ObjectId;

/// Returns a vector with its non-finite components replaced by 0.
pub(super) fn finite_vector(v: Vec3) -> Vec3 {
    Vec3::from(v.to_array().map(finite_number))
}

/// Returns the index of a 1-based number.
#[inline]
pub(super) fn index(number: f32) -> Option<usize> {
    Some(skelobj_model::internal::handle(number)?.checked_sub(1)? as usize)
}

/// Returns the integer of an argument's bits: those of an integer below 2^23, otherwise those of a float.
///
/// No float but 0 and denormal ones has such bits.
pub(super) fn integer(bits: i32) -> i32 {
    if bits.unsigned_abs() < 1 << 23 { bits } else { math::truncate(f32::from_bits(bits as u32)) }
}

/// Returns the line that reports a non-finite number.
pub(super) fn not_finite(builtin: &str) -> String {
    format!("{builtin}: a non-finite number was treated as 0\n")
}

/// Returns the id of a script's number.
#[inline]
pub(super) fn object_id(number: f32) -> Option<ObjectId> {
    ObjectId::of_script(skelobj_model::internal::id_number(number))
}
