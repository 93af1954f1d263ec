//! Strings, and values as strings.

use super::number::{leading, shortest};
use crate::math::Vec3;
use crate::qc::Host;
use crate::qc::call::Call;

/// All string arguments from one on, one after the other.
pub(super) fn joined(call: &Call<'_, impl Host + ?Sized>, from: usize) -> Vec<u8> {
    (from..call.host.argc()).flat_map(|argument| call.host.string(argument).to_vec()).collect()
}

/// #26.
pub(crate) fn ftos(call: &mut Call<'_, impl Host + ?Sized>) {
    let text = shortest(call.host.float(0));
    call.host.return_string(text.as_bytes());
}

/// #27.
pub(crate) fn vtos(call: &mut Call<'_, impl Host + ?Sized>) {
    let [x, y, z] = call.host.vector(0).to_array();
    call.host.return_string(format!("'{x:.6} {y:.6} {z:.6}'").as_bytes());
}

/// #65.
pub(crate) fn etos(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let number = call.host.script().map_or(entity.0, |host| host.entity_number(entity));
    call.host.return_string(format!("entity {number}").as_bytes());
}

/// #81.
pub(crate) fn stof(call: &mut Call<'_, impl Host + ?Sized>) {
    let value = leading(call.host.string(0));
    super::math::return_finite(call, value);
}

/// #114: bytes.
pub(crate) fn strlen(call: &mut Call<'_, impl Host + ?Sized>) {
    let length = call.host.string(0).len();
    call.host.return_float(length as f32);
}

/// #115.
pub(crate) fn strcat(call: &mut Call<'_, impl Host + ?Sized>) {
    let text = joined(call, 0);
    call.host.return_string(&text);
}

/// #116: negative starts count from the end, negative lengths leave out that many less one at the end.
pub(crate) fn substring(call: &mut Call<'_, impl Host + ?Sized>) {
    let (mut start, mut length) = (i64::from(call.integer(1)), i64::from(call.integer(2)));
    let text = call.host.string(0).to_vec();
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
    call.host.return_string(text.get(range).unwrap_or_default());
}

/// #117: up to three numbers, with or without quotes.
pub(crate) fn stov(call: &mut Call<'_, impl Host + ?Sized>) {
    let text = call.host.string(0).to_vec();
    let vector = vector(text.strip_prefix(b"'").unwrap_or(&text));
    call.host.return_vector(if vector.is_finite() { vector } else { Vec3::ZERO });
}

fn vector(mut text: &[u8]) -> Vec3 {
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
    Vec3::from(vector)
}

/// #627.
pub(crate) fn sprintf(call: &mut Call<'_, impl Host + ?Sized>) {
    let text = super::format::sprintf(call);
    call.host.return_string(&text);
}
