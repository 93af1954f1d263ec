//! Numbers from scripts, which may be anything.

use crate::math::{self, Vec3, finite_number};
use crate::runtime::SkelId;

/// A vector without components that are not finite.
pub(super) fn finite_vector(v: Vec3) -> Vec3 {
    Vec3::from(v.to_array().map(finite_number))
}

/// A 1-based number as an index.
#[inline]
pub(super) fn index(number: f32) -> Option<usize> {
    Some(math::handle(number)?.checked_sub(1)? as usize)
}

/// The line that reports a number that is not finite.
pub(super) fn not_finite(builtin: &str) -> String {
    format!("{builtin}: a number that is not finite, taken as 0\n")
}

/// The id that a script's number stands for.
#[inline]
pub(super) fn skel_id(number: f32) -> Option<SkelId> {
    SkelId::of_script(math::id_number(number))
}
