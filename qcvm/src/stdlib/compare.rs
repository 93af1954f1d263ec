//! Builtins that compare and search texts, and convert characters.

use std::cmp::Ordering;
use std::iter;

use super::call::Call;
use crate::Fault;

/// Order of two texts.
type Order = fn(&[u8], &[u8]) -> Ordering;

fn ignoring_case(a: &[u8], b: &[u8]) -> Ordering {
    let lower = |text: &[u8]| text.to_ascii_lowercase();
    lower(a).cmp(&lower(b))
}

fn return_order(call: &mut Call<'_>, order: Ordering) -> Result<(), Fault> {
    call.return_float(f32::from(order as i8))
}

/// Returns a part of a text, from an offset on. Offsets outside of the text mean its end.
fn part(text: &[u8], offset: i32, length: Option<i32>) -> &[u8] {
    let rest = usize::try_from(offset).ok().and_then(|offset| text.get(offset..)).unwrap_or_default();
    // C takes a negative length for a large one.
    let length = length.and_then(|length| usize::try_from(length).ok()).unwrap_or(usize::MAX);
    rest.get(..length).unwrap_or(rest)
}

fn compare(call: &mut Call<'_>, order: Order) -> Result<(), Fault> {
    let length = (call.machine.argc() > 2).then(|| call.integer(2));
    let (first, second) = (call.integer(3), call.integer(4));
    let (a, b) = (call.string(0)?, call.string(1)?);
    let order = order(part(a, first, length), part(b, second, length));
    return_order(call, order)
}

/// Runs `strncmp` and `strcmp` (#228).
pub(super) fn strncmp(call: &mut Call<'_>) -> Result<(), Fault> {
    compare(call, Ord::cmp)
}

/// Runs `strcasecmp` (#229) and `strncasecmp` (#230).
pub(super) fn strncasecmp(call: &mut Call<'_>) -> Result<(), Fault> {
    compare(call, ignoring_case)
}

/// Returns a text with one character for each byte, whose search takes time in proportion to its length.
fn characters(text: &[u8]) -> String {
    text.iter().map(|byte| char::from(*byte)).collect()
}

/// Runs `strstrofs` (#221): -1 if the text is not found, or the start is outside.
pub(super) fn strstrofs(call: &mut Call<'_>) -> Result<(), Fault> {
    let start = usize::try_from(call.integer(2)).ok();
    let (text, wanted) = (call.string(0)?, call.string(1)?);
    call.charge_bytes(text.len() + wanted.len())?;
    let wanted = characters(wanted);
    let found = start.and_then(|start| {
        let rest = characters(text.get(start..)?);
        let before = rest.get(..rest.find(&wanted)?)?;
        Some(start + before.chars().count())
    });
    call.return_float(found.map_or(-1.0, |offset| offset as f32))
}

/// Runs `str2chr` (#222): negative offsets count from the end.
pub(super) fn str2chr(call: &mut Call<'_>) -> Result<(), Fault> {
    let offset = i64::from(call.integer(1));
    let text = call.string(0)?;
    let offset = if offset < 0 { offset + text.len() as i64 } else { offset };
    let byte = usize::try_from(offset).ok().and_then(|offset| text.get(offset)).copied();
    call.return_float(byte.map_or(0.0, f32::from))
}

/// Runs `chr2str` (#223): one byte for each argument, its low 8 bits.
pub(super) fn chr2str(call: &mut Call<'_>) -> Result<(), Fault> {
    let text: Vec<u8> = (0..call.machine.argc()).map(|argument| call.integer(argument) as u8).collect();
    call.return_string(&text)
}

/// Runs `strtolower` (#480): ASCII letters.
pub(super) fn strtolower(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = call.string(0)?.to_ascii_lowercase();
    call.return_string(&text)
}

/// Runs `strtoupper` (#481): ASCII letters.
pub(super) fn strtoupper(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = call.string(0)?.to_ascii_uppercase();
    call.return_string(&text)
}

/// Runs `strlennocol` (#476): a text's length without colour codes.
pub(super) fn strlennocol(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = call.string(0)?;
    call.charge_bytes(text.len())?;
    let length = without_colours(text).count();
    call.return_float(length as f32)
}

/// Runs `strdecolorize` (#477): a text without colour codes.
pub(super) fn strdecolorize(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = call.string(0)?;
    call.charge_bytes(text.len())?;
    let shown: Vec<u8> = without_colours(text).flatten().copied().collect();
    call.return_string(&shown)
}

/// Returns the characters of a text that are not part of a colour code; `^^` is one.
fn without_colours(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    iter::from_fn(move || {
        loop {
            match text {
                [b'^', b'0'..=b'9', rest @ ..] => text = rest,
                [b'^', b'x', r, g, b, rest @ ..] if [r, g, b].into_iter().all(u8::is_ascii_hexdigit) => text = rest,
                _ => {
                    let length = if text.starts_with(b"^^") { 2 } else { 1 };
                    let (shown, rest) = text.split_at_checked(length)?;
                    text = rest;
                    return Some(shown);
                }
            }
        }
    })
}

/// Runs `stoi` (#259): the decimal integer at the start of a text, limited to 32 bits.
pub(super) fn stoi(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = call.string(0)?;
    call.charge_bytes(text.len())?;
    let text = text.trim_ascii_start();
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let digits = text.iter().skip(sign).take_while(|byte| byte.is_ascii_digit());
    let size = digits.fold(0i64, |value, digit| (value * 10 + i64::from(digit - b'0')).min(1 << 32));
    let value = if text.first() == Some(&b'-') { -size } else { size };
    call.machine.return_bits(value.clamp(i32::MIN.into(), i32::MAX.into()) as i32 as u32);
    Ok(())
}

/// Runs `itos` (#260).
pub(super) fn itos(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = call.machine.argument_bits(0) as i32;
    call.return_string(value.to_string().as_bytes())
}

/// Runs `stoh` (#261): as C's `strtoul` reads it, with a sign, limited to 32 bits.
pub(super) fn stoh(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = call.string(0)?;
    call.charge_bytes(text.len())?;
    let text = text.trim_ascii_start();
    let negative = text.first() == Some(&b'-');
    let text = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let prefixed = text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X"));
    let digits = prefixed.filter(|rest| rest.first().and_then(digit).is_some()).unwrap_or(text);
    let value =
        digits.iter().map_while(digit).fold(0u64, |value, digit| (value * 16 + u64::from(digit)).min(u32::MAX.into()))
            as u32;
    call.machine.return_bits(if negative { value.wrapping_neg() } else { value });
    Ok(())
}

/// Runs `htos` (#262).
pub(super) fn htos(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = call.machine.argument_bits(0);
    call.return_string(format!("{value:08x}").as_bytes())
}

/// Runs `ftoi`, which has no number: truncates toward zero.
pub(super) fn ftoi(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = call.integer(0);
    call.machine.return_bits(value as u32);
    Ok(())
}

/// Runs `itof`, which has no number: with three arguments, of `count` bits from bit `shift` on.
pub(super) fn itof(call: &mut Call<'_>) -> Result<(), Fault> {
    let bits = call.machine.argument_bits(0);
    if call.machine.argc() < 2 {
        return call.return_float(bits as i32 as f32);
    }
    let count = if call.machine.argc() > 2 { call.integer(2) } else { 24 };
    let shift = u32::try_from(call.integer(1)).unwrap_or(u32::MAX);
    let shifted = bits.checked_shr(shift).unwrap_or(0);
    let mask = u32::try_from(count).ok().and_then(|count| 1u32.checked_shl(count)).map_or(u32::MAX, |high| high - 1);
    call.return_float((shifted & mask) as f32)
}
