//! Errors about bones in the words of a script: names in place of numbers.

use crate::doll::nearest;
use crate::model::{Name, Skeleton};
use crate::pose::PosingError;

/// Returns the text of an error of an operation that took the bones of a list.
pub(super) fn told(error: PosingError, skeleton: &Skeleton, list: &[u8]) -> String {
    let bone = |bone: usize| skeleton.names().get(bone).map_or_else(String::new, |name| format!("`{name}`"));
    match error {
        PosingError::NoBoneNamed { entry } => {
            let entry = list.split(|byte| *byte == b',').nth(entry.saturating_sub(1)).unwrap_or_default();
            misread(skeleton, entry.trim_ascii())
        }
        PosingError::NotBelow { bone: lower, above } => format!("{} is not below {}", bone(lower), bone(above)),
        PosingError::Singular { bone: at } => format!("the matrix of {} in model space has no inverse", bone(at)),
        PosingError::TooNear { bone: at } => format!("the target is too near to {}", bone(at)),
        PosingError::NoLength { bone: at } => format!("{} is at the place of the bone above it", bone(at)),
        PosingError::NoBend { bone: at } => format!("the limb is straight at {}, expected a hinge or a pole", bone(at)),
        other => other.to_string(),
    }
}

/// Returns what is wrong with an entry: a name, behind which numbers may be.
fn misread(skeleton: &Skeleton, entry: &[u8]) -> String {
    let shown = Name::new(entry);
    let is_number = |word: &&[u8]| std::str::from_utf8(word).is_ok_and(|word| word.parse::<f32>().is_ok());
    // Names may contain spaces and end in numbers.
    let rest_behind = |name: &[u8]| {
        let rest = entry.strip_prefix(name).filter(|_| !name.is_empty())?;
        rest.first().is_none_or(u8::is_ascii_whitespace).then_some(rest)
    };
    let names = || skeleton.names().iter().map(Name::as_bytes);
    let Some(rest) = names().filter_map(rest_behind).min_by_key(|rest| rest.len()) else {
        let mut name = entry;
        while let Some(space) = name.iter().rposition(u8::is_ascii_whitespace)
            && is_number(&&name[space + 1..])
        {
            name = name[..space].trim_ascii_end();
        }
        return match nearest(name, names()) {
            Some(meant) => format!("no bone is named `{}`, did you mean `{meant}`?", Name::new(name)),
            None => format!("no bone is named `{}`", Name::new(name)),
        };
    };
    let mut rest_words = rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    match rest_words.find(|word| !is_number(word)) {
        Some(word) if skeleton.find(word).is_some() => {
            format!("`{shown}` lacks a comma before `{}`", Name::new(word))
        }
        Some(word) => format!("`{}` in `{shown}` is not a number", Name::new(word)),
        None if rest.trim_ascii().is_empty() => format!("`{shown}` lacks a number"),
        None => format!("`{shown}` has the wrong number of numbers"),
    }
}
