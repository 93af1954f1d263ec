//! Bones with numbers, as a text.

use std::str::FromStr;

use super::PosingError;
use crate::model::suggest::nearest;
use crate::model::{Name, Skeleton};
use crate::out_of_range::OutOfRange;

/// Entry of a list of bones.
pub(super) struct Listed {
    pub bone: usize,
    /// First number behind the name, from 0 to 1.
    pub weight: Option<f32>,
    /// Second number behind the name, a count.
    pub count: Option<u32>,
}

/// Reads entries separated by commas, each a name and up to `numbers` numbers, 1 or 2.
///
/// The longest beginning of an entry that is the name of a bone is its name, so that names may end in numbers.
pub(super) fn parse<'a>(
    skeleton: &'a Skeleton,
    text: &'a [u8],
    numbers: usize,
) -> impl Iterator<Item = Result<Listed, PosingError>> + 'a {
    entries(text).map(move |entry| {
        let expected = match numbers {
            1 => "a bone and at most one number between commas",
            _ => "a bone, at most one number and at most one whole number between commas",
        };
        let listed = listed(skeleton, entry, numbers).ok_or_else(|| misread(skeleton, entry, expected))?;
        let weight = listed.weight.unwrap_or(1.0);
        OutOfRange::check((0.0..=1.0).contains(&weight), "weight of a bone", weight, "a number from 0 to 1")?;
        Ok(listed)
    })
}

/// Returns the entries of a list, which commas separate.
pub(super) fn entries(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).filter(|entry| !entry.is_empty())
}

fn listed(skeleton: &Skeleton, entry: &[u8], numbers: usize) -> Option<Listed> {
    if let Some(bone) = skeleton.find(entry) {
        return Some(Listed { bone, weight: None, count: None });
    }
    let (name, last) = split_last(entry)?;
    if let Some(bone) = skeleton.find(name) {
        return Some(Listed { bone, weight: Some(number(last)?), count: None });
    }
    let (name, first) = split_last(name).filter(|_| numbers > 1)?;
    let (bone, weight, count) = (skeleton.find(name)?, number(first)?, number(last)?);
    Some(Listed { bone, weight: Some(weight), count: Some(count) })
}

/// Returns the bone of an entry that is a name alone.
pub(super) fn name(skeleton: &Skeleton, entry: &[u8]) -> Result<usize, PosingError> {
    skeleton.find(entry).ok_or_else(|| misread(skeleton, entry, "a bone without a number"))
}

/// Returns what is wrong with an entry in which no bone was found, or not what is `expected` after it.
#[cold]
pub(super) fn misread(skeleton: &Skeleton, entry: &[u8], expected: &'static str) -> PosingError {
    // Names may contain spaces and end in numbers.
    let begins = |bone: &Name| {
        let rest = entry.strip_prefix(bone.as_bytes()).filter(|_| !bone.is_empty());
        rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
    };
    if skeleton.names().iter().any(begins) {
        return PosingError::BadEntry { entry: Name::new(entry), expected };
    }
    let mut name = entry;
    while let Some((front, word)) = split_last(name)
        && number::<f32>(word).is_some()
    {
        name = front;
    }
    let suggestion = nearest(name, skeleton.names().iter().map(Name::as_bytes));
    PosingError::NoBoneNamed { name: Name::new(name), suggestion }
}

/// Reads as many names of bones as are expected, separated by commas. With another number of names, the error is that
/// of `wrong_count`, which takes the number.
pub(super) fn names<const COUNT: usize>(
    skeleton: &Skeleton,
    text: &[u8],
    wrong_count: impl FnOnce(usize) -> PosingError,
) -> Result<[usize; COUNT], PosingError> {
    let names = || text.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    let found = names().count();
    if found != COUNT {
        return Err(wrong_count(found));
    }
    let mut bones = [0; COUNT];
    for (bone, entry) in bones.iter_mut().zip(names()) {
        *bone = name(skeleton, entry)?;
    }
    Ok(bones)
}

/// Returns a text without its last word, and the word.
pub(super) fn split_last(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = text.iter().rposition(u8::is_ascii_whitespace)?;
    Some((text[..space].trim_ascii(), &text[space + 1..]))
}

/// Returns the number that a word is.
pub(super) fn number<N: FromStr>(word: &[u8]) -> Option<N> {
    std::str::from_utf8(word).ok()?.parse().ok()
}
