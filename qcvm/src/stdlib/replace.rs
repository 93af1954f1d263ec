//! Builtins that make new texts of others: parts replaced, padded, recoloured, and the keys of infostrings.

use super::call::Call;
use super::strings::joined;
use crate::Fault;

/// Cost of a comparison at a place of a text, in statements for each byte that is searched.
const SEARCHED_A_STATEMENT: u64 = 8;
/// Largest width of a padded text.
const WIDEST: usize = 4095;

/// Returns text 2 with every text 0 in it replaced by text 1.
fn replaced(call: &mut Call<'_>, same: impl Fn(&[u8], &[u8]) -> bool) -> Result<(), Fault> {
    let (search, replace, subject) = (call.string(0)?, call.string(1)?, call.string(2)?);
    if search.is_empty() {
        let handle = call.machine.argument_bits(2);
        call.machine.return_bits(handle);
        return Ok(());
    }
    let work = subject.len() as u64 * (1 + search.len() as u64 / SEARCHED_A_STATEMENT);
    call.machine.charge(work / 4)?;
    let most = call.machine.limits.string_bytes;
    let mut result = Vec::new();
    let mut rest = subject;
    while let Some((first, others)) = rest.split_first() {
        if rest.get(..search.len()).is_some_and(|part| same(part, search)) {
            result.extend_from_slice(replace);
            rest = rest.get(search.len()..).unwrap_or_default();
        } else {
            result.push(*first);
            rest = others;
        }
        if result.len() > most {
            return Err(Fault::NoStringMemory);
        }
    }
    call.return_string(&result)
}

pub(super) fn strreplace(call: &mut Call<'_>) -> Result<(), Fault> {
    replaced(call, |a, b| a == b)
}

pub(super) fn strireplace(call: &mut Call<'_>) -> Result<(), Fault> {
    replaced(call, |a, b| a.eq_ignore_ascii_case(b))
}

pub(super) fn strpad(call: &mut Call<'_>) -> Result<(), Fault> {
    let pad = call.integer(0);
    let text = joined(call, 1)?;
    call.charge_bytes(text.len())?;
    let width = (pad.unsigned_abs() as usize).min(WIDEST);
    call.charge_bytes(width)?;
    let spaces = vec![b' '; width.saturating_sub(text.len())];
    let padded = if pad < 0 { [spaces, text].concat() } else { [text, spaces].concat() };
    call.return_string(&padded)
}

/// Distance of red characters from white ones.
const RED: u8 = 128;
/// Distance of special digits from the others, downwards.
const SPECIAL: u8 = 30;

/// Returns a byte in the case and the colours that `strconv` asks for.
fn converted(byte: u8, case: i32, letters: i32, digits: i32, is_odd: bool) -> u8 {
    let plain = byte & !RED;
    let digit = match plain {
        b'0'..=b'9' => Some(plain - b'0'),
        18..=27 => Some(plain - 18),
        _ => None,
    };
    if let Some(digit) = digit {
        return match digits {
            1 => b'0' + digit,
            2 => b'0' + digit + RED,
            3 => b'0' + digit - SPECIAL,
            4 => b'0' + digit + RED - SPECIAL,
            _ => byte,
        };
    }
    let colour = match letters {
        1 => 0,
        2 => RED,
        5 | 6 if plain.is_ascii_alphabetic() => {
            let is_red = is_odd == (letters == 6);
            if is_red { RED } else { 0 }
        }
        _ => byte & RED,
    };
    if plain.is_ascii_alphabetic() {
        let cased = match case {
            1 => plain.to_ascii_lowercase(),
            2 => plain.to_ascii_uppercase(),
            _ => plain,
        };
        return cased | colour;
    }
    if plain < 16 { byte } else { plain | colour }
}

pub(super) fn strconv(call: &mut Call<'_>) -> Result<(), Fault> {
    let [case, letters, digits] = [0, 1, 2].map(|argument| call.integer(argument));
    let text = joined(call, 3)?;
    call.charge_bytes(text.len())?;
    let result: Vec<u8> =
        text.iter().enumerate().map(|(at, byte)| converted(*byte, case, letters, digits, at % 2 == 1)).collect();
    call.return_string(&result)
}

/// Returns the keys and values of an infostring, `\key\value\key\value`.
fn pairs(info: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut parts = info.strip_prefix(b"\\").unwrap_or(info).split(|byte| *byte == b'\\');
    std::iter::from_fn(move || Some((parts.next()?, parts.next()?)))
}

pub(super) fn infoget(call: &mut Call<'_>) -> Result<(), Fault> {
    let (info, key) = (call.string(0)?, call.string(1)?);
    call.charge_bytes(info.len())?;
    let value = pairs(info).find(|(name, _)| *name == key).map_or(&b""[..], |(_, value)| value).to_vec();
    call.return_string(&value)
}

pub(super) fn infoadd(call: &mut Call<'_>) -> Result<(), Fault> {
    let given = joined(call, 2)?;
    call.charge_bytes(given.len())?;
    let (info, key) = (call.string(0)?, call.string(1)?);
    call.charge_bytes(info.len())?;
    let result = with_key(info, key, &given);
    call.return_string(&result)
}

/// Returns an infostring with a value under a key, without the key for an empty value; unchanged if the key or value
/// contains a separator.
fn with_key(info: &[u8], key: &[u8], value: &[u8]) -> Vec<u8> {
    if [key, value].concat().iter().any(|byte| matches!(byte, b'\\' | b'"' | b'\n')) {
        return info.to_vec();
    }
    let kept = pairs(info).filter(|(name, _)| *name != key);
    let added = Some((key, value)).filter(|(key, value)| !key.is_empty() && !value.is_empty());
    kept.chain(added).flat_map(|(key, value)| [&b"\\"[..], key, b"\\", value].concat()).collect()
}
