//! Bones with numbers, as a text.

use super::PosingError;
use crate::model::Skeleton;
use crate::out_of_range::OutOfRange;

/// Entry of a list of bones.
pub(super) struct Listed {
    pub bone: usize,
    /// First number behind the name, from 0 to 1.
    pub weight: Option<f32>,
    /// Second number behind the name, a count.
    pub count: Option<u32>,
}

/// Reads entries separated by commas, each a name and up to two numbers.
///
/// The longest beginning of an entry that is the name of a bone is its name, so that names may end in numbers.
pub(super) fn parse<'a>(
    skeleton: &'a Skeleton,
    text: &'a [u8],
) -> impl Iterator<Item = Result<Listed, PosingError>> + 'a {
    let entries = text.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).enumerate();
    entries.filter(|(_, entry)| !entry.is_empty()).map(|(at, entry)| {
        let unnamed = PosingError::NoBoneNamed { entry: at + 1 };
        if let Some(bone) = skeleton.find(entry) {
            return Ok(Listed { bone, weight: None, count: None });
        }
        let (name, last) = split_last(entry).ok_or(unnamed)?;
        if let Some(bone) = skeleton.find(name) {
            return Ok(Listed { bone, weight: Some(weight(last, unnamed)?), count: None });
        }
        let (name, first) = split_last(name).ok_or(unnamed)?;
        let bone = skeleton.find(name).ok_or(unnamed)?;
        let count = std::str::from_utf8(last).ok().and_then(|number| number.parse().ok()).ok_or(unnamed)?;
        Ok(Listed { bone, weight: Some(weight(first, unnamed)?), count: Some(count) })
    })
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
    for (entry, (bone, name)) in bones.iter_mut().zip(names()).enumerate() {
        *bone = skeleton.find(name).ok_or(PosingError::NoBoneNamed { entry: entry + 1 })?;
    }
    Ok(bones)
}

/// Returns a text without its last word, and the word.
pub(super) fn split_last(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = text.iter().rposition(u8::is_ascii_whitespace)?;
    Some((text[..space].trim_ascii(), &text[space + 1..]))
}

fn weight(word: &[u8], unnamed: PosingError) -> Result<f32, PosingError> {
    let number: f32 = std::str::from_utf8(word).ok().and_then(|number| number.parse().ok()).ok_or(unnamed)?;
    OutOfRange::check((0.0..=1.0).contains(&number), "weight of a bone", number, "a number from 0 to 1")?;
    Ok(number)
}
