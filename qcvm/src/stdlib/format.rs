//! Formats of `sprintf`.

use super::Mistake;
use super::call::Call;
use super::number::{general, scientific};
use crate::Fault;

/// Largest width or precision; larger ones are cut to this.
const WIDEST: usize = 1024;
/// Maximum number of bytes written; the rest is dropped.
const LONGEST: usize = 65_535;
/// Cost of a conversion, in statements.
const CONVERSION: u64 = 4;
/// Cost of writing a float, and of each of its decimals, in statements.
const FLOAT: u64 = 16;
const DECIMAL: u64 = 1;

/// Conversion of one argument: a `%` and what follows it.
#[derive(Default)]
struct Conversion {
    /// Argument that a position selects.
    argument: Option<usize>,
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    width: usize,
    precision: Option<usize>,
    /// `true` if `l` makes the argument an integer, `false` if `h` makes it a float.
    integer: Option<bool>,
}

/// Rest of a format, and the next argument.
struct Formatter<'a> {
    format: std::iter::Peekable<std::slice::Iter<'a, u8>>,
    argument: usize,
}

/// Returns the text of a call of `sprintf`: argument 0 is the format. An unknown conversion ends the text.
pub(super) fn sprintf(call: &mut Call<'_>) -> Result<Vec<u8>, Fault> {
    let format = call.string(0)?.to_vec();
    call.charge_bytes(format.len())?;
    let mut formatter = Formatter { format: format.iter().peekable(), argument: 1 };
    let mut out = Vec::new();
    while let Some(&byte) = formatter.format.next() {
        if byte != b'%' {
            out.push(byte);
        } else if !formatter.convert(call, &mut out)? {
            break;
        }
        if out.len() >= LONGEST {
            out.truncate(LONGEST);
            break;
        }
    }
    Ok(out)
}

impl Formatter<'_> {
    fn next_argument(&mut self) -> usize {
        self.argument += 1;
        self.argument - 1
    }

    fn take(&mut self, wanted: u8) -> bool {
        self.format.next_if(|&&byte| byte == wanted).is_some()
    }

    /// Reads a position such as `2$` and returns its argument, or reads nothing.
    fn position(&mut self) -> Option<usize> {
        let mut ahead = self.format.clone();
        let mut number = 0;
        while let Some(digit) = ahead.next_if(|byte| byte.is_ascii_digit()) {
            number = (number * 10 + usize::from(digit - b'0')).min(WIDEST);
        }
        let is_position = number > 0 && ahead.next_if_eq(&&b'$').is_some();
        is_position.then(|| {
            self.format = ahead;
            number
        })
    }

    /// Returns the argument for a `*`.
    fn starred(&mut self) -> usize {
        let position = self.position();
        position.unwrap_or_else(|| self.next_argument())
    }

    fn digits(&mut self) -> Option<usize> {
        let mut number = None;
        while let Some(digit) = self.format.next_if(|byte| byte.is_ascii_digit()) {
            number = Some((number.unwrap_or(0) * 10 + usize::from(digit - b'0')).min(WIDEST));
        }
        number
    }

    fn conversion(&mut self, call: &mut Call<'_>) -> Conversion {
        let mut conversion = Conversion { argument: self.position(), ..Conversion::default() };
        while let Some(flag) = self.format.next_if(|byte| b"-0+ #".contains(byte)) {
            match flag {
                b'-' => conversion.left = true,
                b'0' => conversion.zero = true,
                b'+' => conversion.plus = true,
                b' ' => conversion.space = true,
                _ => {}
            }
        }
        conversion.width = if self.take(b'*') {
            let width = call.integer(self.starred());
            conversion.left |= width < 0;
            (width.unsigned_abs() as usize).min(WIDEST)
        } else {
            self.digits().unwrap_or(0)
        };
        if self.take(b'.') {
            conversion.precision = if self.take(b'*') {
                let precision = call.integer(self.starred());
                usize::try_from(precision).ok().map(|precision| precision.min(WIDEST))
            } else {
                Some(self.digits().unwrap_or(0))
            };
        }
        while let Some(length) = self.format.next_if(|byte| b"hlLjzt".contains(byte)) {
            conversion.integer = match length {
                b'h' => Some(false),
                b'l' | b'L' => Some(true),
                _ => conversion.integer,
            };
        }
        conversion
    }

    /// Converts the next argument; returns `false` if the conversion is unknown.
    fn convert(&mut self, call: &mut Call<'_>, out: &mut Vec<u8>) -> Result<bool, Fault> {
        let conversion = self.conversion(call);
        let Some(&kind) = self.format.next() else { return Ok(false) };
        if kind == b'%' {
            out.push(b'%');
            return Ok(true);
        }
        let argument = conversion.argument.unwrap_or_else(|| self.next_argument());
        let whole = conversion.integer.unwrap_or(kind == b'i');
        call.machine.charge(conversion.cost(kind))?;
        match kind {
            b's' => {
                let text = text_of(call, argument)?;
                let end = conversion.precision.unwrap_or(usize::MAX).min(text.len());
                Conversion { zero: false, ..conversion }.pad(out, text.get(..end).unwrap_or(text));
            }
            b'S' => {
                let text = quoted(text_of(call, argument)?);
                call.charge_bytes(text.len())?;
                let end = conversion.precision.unwrap_or(usize::MAX).min(text.len());
                Conversion { zero: false, ..conversion }.pad(out, text.get(..end).unwrap_or(&text));
            }
            b'c' => {
                let code = if whole { call.machine.argument_bits(argument) as i32 } else { call.integer(argument) };
                let byte = [code as u8];
                let text: &[u8] = if byte == [0] { &[] } else { &byte };
                Conversion { zero: false, ..conversion }.pad(out, text);
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let value = if whole {
                    i64::from(call.machine.argument_bits(argument) as i32)
                } else {
                    call.machine.argument_float(argument) as i64
                };
                let unsigned = if whole { value & 0xffff_ffff } else { value };
                let digits = match kind {
                    b'd' | b'i' => value.unsigned_abs().to_string(),
                    b'u' => (unsigned as u64).to_string(),
                    b'x' => format!("{unsigned:x}"),
                    b'X' => format!("{unsigned:X}"),
                    _ => format!("{unsigned:o}"),
                };
                let digits = format!("{digits:0>width$}", width = conversion.precision.unwrap_or(0));
                let signed = matches!(kind, b'd' | b'i');
                conversion.pad_number(out, signed && value < 0, signed, &digits);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
                let value = if whole {
                    f64::from(call.machine.argument_bits(argument) as i32)
                } else {
                    call.machine.argument_float(argument).into()
                };
                conversion.float(out, kind, value);
            }
            b'v' | b'V' => {
                let vector = call.machine.argument_vector(argument);
                for (number, value) in vector.into_iter().enumerate() {
                    if number > 0 {
                        out.push(b' ');
                    }
                    conversion.float(out, if kind == b'v' { b'g' } else { b'G' }, value.into());
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Returns a text argument. The text is empty if the argument is not a string.
fn text_of<'c>(call: &'c mut Call<'_>, argument: usize) -> Result<&'c [u8], Fault> {
    if let Err(Fault::BadString(word)) = call.string(argument) {
        call.mistake(Mistake::NotAString(word));
        return Ok(&[]);
    }
    call.string(argument)
}

/// Returns a text in quotes, as the console reads it: one with line ends or quotes has escapes and a backslash before
/// its first quote.
fn quoted(text: &[u8]) -> Vec<u8> {
    if !text.iter().any(|byte| matches!(byte, b'\n' | b'\r' | b'"')) {
        return [b"\"", text, b"\""].concat();
    }
    let mut quoted = b"\\\"".to_vec();
    for byte in text {
        match byte {
            b'\n' => quoted.extend(b"\\n"),
            b'\r' => quoted.extend(b"\\r"),
            b'\t' => quoted.extend(b"\\t"),
            b'\'' | b'"' | b'\\' | b'$' => quoted.extend([b'\\', *byte]),
            _ => quoted.push(*byte),
        }
    }
    quoted.push(b'"');
    quoted
}

impl Conversion {
    /// Returns the cost of a conversion in statements. Each decimal of a float is a division of long numbers.
    fn cost(&self, kind: u8) -> u64 {
        let decimals = self.precision.unwrap_or(6) as u64;
        let digits = match kind.to_ascii_lowercase() {
            b'f' | b'e' | b'g' => FLOAT + DECIMAL * decimals,
            b'v' => 3 * (FLOAT + DECIMAL * decimals),
            b's' => 0,
            _ => decimals / 4,
        };
        CONVERSION + digits + self.width as u64 / 4
    }

    fn float(&self, out: &mut Vec<u8>, kind: u8, value: f64) {
        let precision = self.precision.unwrap_or(6);
        let magnitude = value.abs();
        let mut digits = match kind.to_ascii_lowercase() {
            b'e' => scientific(magnitude, precision),
            b'g' => general(magnitude, precision),
            _ => format!("{magnitude:.precision$}").to_lowercase(),
        };
        if kind.is_ascii_uppercase() {
            digits.make_ascii_uppercase();
        }
        self.pad_number(out, value.is_sign_negative(), true, &digits);
    }

    fn pad_number(&self, out: &mut Vec<u8>, negative: bool, signed: bool, digits: &str) {
        let sign = match negative {
            true => "-",
            false if signed && self.plus => "+",
            false if signed && self.space => " ",
            false => "",
        };
        if self.zero && !self.left {
            let width = self.width.saturating_sub(sign.len());
            out.extend(format!("{sign}{digits:0>width$}").into_bytes());
        } else {
            self.pad(out, format!("{sign}{digits}").as_bytes());
        }
    }

    fn pad(&self, out: &mut Vec<u8>, text: &[u8]) {
        let spaces = std::iter::repeat_n(b' ', self.width.saturating_sub(text.len()));
        if self.left {
            out.extend(text);
            out.extend(spaces);
        } else {
            out.extend(spaces);
            out.extend(text);
        }
    }
}
