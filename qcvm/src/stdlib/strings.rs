//! Builtins on strings, and conversions of values to strings.

use super::call::Call;
use super::number::{leading, shortest};
use crate::Fault;

/// Returns the arguments from `first` on, which are strings, one after the other.
pub(super) fn joined(call: &Call<'_>, first: usize) -> Result<Vec<u8>, Fault> {
    let mut text = Vec::new();
    for argument in first..call.machine.argc() {
        text.extend_from_slice(call.string(argument)?);
    }
    Ok(text)
}

/// Runs `ftos` (#26).
pub(super) fn ftos(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = shortest(call.machine.argument_float(0));
    return_digits(call, &text)
}

/// Runs `vtos` (#27).
pub(super) fn vtos(call: &mut Call<'_>) -> Result<(), Fault> {
    let [x, y, z] = call.machine.argument_vector(0);
    return_digits(call, &format!("'{x:.6} {y:.6} {z:.6}'"))
}

/// Sets the call's result to the text of numbers, each digit of which takes about as long as a statement.
fn return_digits(call: &mut Call<'_>, text: &str) -> Result<(), Fault> {
    call.machine.charge(text.len() as u64)?;
    call.return_string(text.as_bytes())
}

/// Runs `etos` (#65).
pub(super) fn etos(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.argument_entity(0)?;
    call.return_string(format!("entity {entity}").as_bytes())
}

/// Runs `stof` (#81).
pub(super) fn stof(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = call.string(0)?;
    call.charge_bytes(text.len())?;
    let value = leading(text);
    call.return_float(value)
}

/// Runs `strlen` (#114): bytes.
pub(super) fn strlen(call: &mut Call<'_>) -> Result<(), Fault> {
    let length = call.string(0)?.len();
    call.return_float(length as f32)
}

/// Runs `strcat` (#115).
pub(super) fn strcat(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = joined(call, 0)?;
    call.return_string(&text)
}

/// Runs `strunzone` (#119): strings are freed once nothing refers to them, so it only checks its argument.
pub(super) fn strunzone(call: &mut Call<'_>) -> Result<(), Fault> {
    call.string(0).map(drop)
}

/// Runs `substring` (#116): negative starts count from the end, length -1 is to the end, -2 to one byte before it.
pub(super) fn substring(call: &mut Call<'_>) -> Result<(), Fault> {
    let (mut start, mut length) = (i64::from(call.integer(1)), i64::from(call.integer(2)));
    let text = call.string(0)?.to_vec();
    let whole = text.len() as i64;
    if start < 0 {
        start += whole;
    }
    if length < 0 {
        length += whole - start + 1;
    }
    let start = start.max(0);
    let end = start.saturating_add(length).min(whole);
    let range = usize::try_from(start).unwrap_or(0)..usize::try_from(end).unwrap_or(0);
    call.return_string(text.get(range).unwrap_or_default())
}

/// Runs `stov` (#117): up to three numbers, with or without quotes.
pub(super) fn stov(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = call.string(0)?.to_vec();
    call.charge_bytes(text.len())?;
    let vector = vector(text.strip_prefix(b"'").unwrap_or(&text));
    let is_finite = vector.iter().all(|component| component.is_finite());
    call.return_vector(if is_finite { vector } else { [0.0; 3] })
}

fn vector(mut text: &[u8]) -> [f32; 3] {
    let mut vector = [0.0; 3];
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    for component in &mut vector {
        let spaces = text.iter().take_while(|byte| is_space(byte)).count();
        text = text.get(spaces..).unwrap_or_default();
        *component = leading(text);
        let begins = text.first().is_some_and(|byte| matches!(byte, b'-' | b'+' | b'0'..=b'9'));
        if *component == 0.0 && !begins {
            break;
        }
        let word = text.iter().take_while(|byte| !is_space(byte) && **byte != b'\'').count();
        text = text.get(word..).unwrap_or_default();
        if text.first() == Some(&b'\'') {
            break;
        }
    }
    vector
}

/// Runs `sprintf` (#627).
pub(super) fn sprintf(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = super::format::sprintf(call)?;
    call.return_string(&text)
}
