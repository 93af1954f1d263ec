//! Errors about bones in the words of a script: names in place of numbers.

use crate::model::Skeleton;
use crate::pose::PosingError;

/// Returns the text of an error of an operation that took bones by their names.
pub(super) fn told(error: &PosingError, skeleton: &Skeleton) -> String {
    let bone = |bone: usize| skeleton.names().get(bone).map_or_else(String::new, |name| format!("`{name}`"));
    match *error {
        PosingError::NotBelow { bone: lower, above } => format!("{} is not below {}", bone(lower), bone(above)),
        PosingError::Singular { bone: at } => format!("the matrix of {} in model space has no inverse", bone(at)),
        PosingError::TooNear { bone: at } => format!("the target is too near to {}", bone(at)),
        PosingError::NoLength { bone: at } => format!("{} is at the place of the bone above it", bone(at)),
        PosingError::NoBend { bone: at } => format!("the limb is straight at {}, expected a hinge or a pole", bone(at)),
        _ => error.to_string(),
    }
}
