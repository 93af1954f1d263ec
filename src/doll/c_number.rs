//! Numbers as C reads them: the longest prefix of a word that is a number, as a grammar of nom's parsers.
//!
//! ```text
//! float       = ["+" | "-"] (special | hexadecimal | decimal)
//! integer     = ["+" | "-"] digits, at least one
//! special     = "infinity" | "inf" | "nan"
//! hexadecimal = "0x" mantissa ["p" integer], the mantissa in hexadecimal digits
//! decimal     = mantissa ["e" integer]
//! mantissa    = digits ["." digits], at least one
//! ```
//!
//! Letters are accepted in any case.

use std::ops::Neg;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::{char, digit0, digit1, hex_digit0, one_of};
use nom::combinator::{map, map_opt, opt, recognize, value, verify};
use nom::sequence::{pair, preceded};

/// Result of a parser: what is not a number needs no explanation.
type IResult<'a, T> = nom::IResult<&'a [u8], T, ()>;

/// Returns the number at the beginning of `word` and its length in bytes; `None` if there is none.
///
/// Accepts what `atof` accepts: a sign, decimal digits with a point and an exponent, hexadecimal digits after `0x` with
/// a binary exponent after `p`, `inf`, `infinity`, `nan`. The result is rounded to f64 and then to f32, as C programs
/// do.
pub(crate) fn float(word: &[u8]) -> Option<(f32, usize)> {
    let number = signed(alt((special, hexadecimal, decimal)));
    prefix(word, map(number, |value| value as f32))
}

/// Returns the whole number at the beginning of `word` and its length in bytes; `None` if there is none.
///
/// Accepts what `atoi` accepts, a sign and decimal digits. A number beyond an i64 becomes the nearest i64.
pub(crate) fn integer(word: &[u8]) -> Option<(i64, usize)> {
    prefix(word, signed(magnitude))
}

/// Returns what `parser` reads at the beginning of `word`, and its length in bytes.
fn prefix<'a, T>(word: &'a [u8], mut parser: impl Parser<&'a [u8], Output = T, Error = ()>) -> Option<(T, usize)> {
    let (after, value) = parser.parse(word).ok()?;
    Some((value, word.len() - after.len()))
}

/// Parser of a magnitude that may have a sign before it.
fn signed<'a, T: Neg<Output = T>>(
    magnitude: impl Parser<&'a [u8], Output = T, Error = ()>,
) -> impl Parser<&'a [u8], Output = T, Error = ()> {
    map(pair(opt(one_of("+-")), magnitude), |(sign, value)| if sign == Some('-') { -value } else { value })
}

fn magnitude(input: &[u8]) -> IResult<'_, i64> {
    let append = |value: i64, digit: &u8| value.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    map(digit1, |digits: &[u8]| digits.iter().fold(0, append)).parse(input)
}

fn special(input: &[u8]) -> IResult<'_, f64> {
    alt((
        value(f64::INFINITY, tag_no_case("infinity")),
        value(f64::INFINITY, tag_no_case("inf")),
        value(f64::NAN, tag_no_case("nan")),
    ))
    .parse(input)
}

fn hexadecimal(input: &[u8]) -> IResult<'_, f64> {
    let digits = preceded(tag_no_case("0x"), mantissa(hex_digit0));
    map(pair(digits, opt(exponent("p"))), |((whole, fraction), power)| {
        hexadecimal_value(whole, fraction, power.unwrap_or(0))
    })
    .parse(input)
}

fn decimal(input: &[u8]) -> IResult<'_, f64> {
    let numeral = recognize(pair(mantissa(digit0), opt(exponent("e"))));
    // The bytes are digits, a point and an exponent, which Rust and C read in the same way.
    map_opt(numeral, |numeral| std::str::from_utf8(numeral).ok()?.parse().ok()).parse(input)
}

/// Parser of the digits before and after a point that may be left out; one of them is enough.
fn mantissa<'a>(
    digits: impl Fn(&'a [u8]) -> IResult<'a, &'a [u8]> + Copy,
) -> impl Parser<&'a [u8], Output = (&'a [u8], &'a [u8]), Error = ()> {
    let fraction = map(opt(preceded(char('.'), digits)), Option::unwrap_or_default);
    verify(pair(digits, fraction), |(whole, fraction): &(&[u8], &[u8])| !whole.is_empty() || !fraction.is_empty())
}

/// Parser of an exponent after its letter.
fn exponent<'a>(letter: &'static str) -> impl Parser<&'a [u8], Output = i64, Error = ()> {
    preceded(tag_no_case(letter), signed(magnitude))
}

/// Returns the value of hexadecimal digits before and after the point, times a power of two.
fn hexadecimal_value(whole: &[u8], fraction: &[u8], power: i64) -> f64 {
    // Digits that do not fit into an f64 only scale the value.
    const FULL: f64 = (1u64 << 60) as f64;
    let (mut value, mut left_out) = (0.0, 0);
    for digit in whole.iter().chain(fraction).filter_map(|&b| char::from(b).to_digit(16)) {
        if value < FULL {
            value = value * 16.0 + f64::from(digit);
        } else {
            left_out += 1;
        }
    }
    let power = power.saturating_add(4 * (left_out - fraction.len() as i64)).clamp(-100_000, 100_000);
    if value == 0.0 { 0.0 } else { value * 2f64.powi(power as i32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_beginning_that_is_a_number_counts() {
        let cases: [(&str, f32, usize); 18] = [
            ("4", 4.0, 1),
            ("4;", 4.0, 1),
            ("-0.5", -0.5, 4),
            (".5.5", 0.5, 2),
            ("5.", 5.0, 2),
            ("1e2", 100.0, 3),
            ("1e", 1.0, 1),
            ("1e+", 1.0, 1),
            ("1E-2x", 0.01, 4),
            ("+7", 7.0, 2),
            ("0x10", 16.0, 4),
            ("0x1.8p3", 12.0, 7),
            ("0x", 0.0, 1),
            ("-0XfFg", -255.0, 5),
            ("inf", f32::INFINITY, 3),
            ("-Infinity", f32::NEG_INFINITY, 9),
            ("1e999", f32::INFINITY, 5),
            ("1e-999", 0.0, 6),
        ];
        for (word, value, len) in cases {
            assert_eq!(float(word.as_bytes()), Some((value, len)), "{word}");
        }
        assert!(float(b"nan").is_some_and(|(value, len)| value.is_nan() && len == 3));
        for word in ["", "x", "-", ".", "e5", "--1", "\u{e9}", "+.e"] {
            assert_eq!(float(word.as_bytes()), None, "{word}");
        }
    }

    #[test]
    fn integers_end_at_the_first_byte_that_is_not_a_digit() {
        assert_eq!(integer(b"12.9"), Some((12, 2)));
        assert_eq!(integer(b"-3"), Some((-3, 2)));
        assert_eq!(integer(b"0x10"), Some((0, 1)));
        assert_eq!(integer(b"99999999999999999999"), Some((i64::MAX, 20)));
        assert_eq!(integer(b"yes"), None);
    }

    #[test]
    fn very_long_numbers_are_read() {
        let long = [b'9'; 100_000];
        assert_eq!(float(&long), Some((f32::INFINITY, 100_000)));
        let hex = [b"0x".as_slice(), &[b'f'; 100_000]].concat();
        assert_eq!(float(&hex), Some((f32::INFINITY, 100_002)));
        let tiny = [b"0x.".as_slice(), &[b'0'; 100_000], b"1"].concat();
        assert_eq!(float(&tiny), Some((0.0, 100_004)));
        let (zeros, ones) = ("0".repeat(300), "f".repeat(300));
        let cases = [
            (format!("0x1.{ones}"), 2.0),
            (format!("0x1{zeros}p-1200"), 1.0),
            (format!("0x.{zeros}1p1204"), 1.0),
            (format!("-0x{zeros}8.{zeros}"), -8.0),
            (format!("0x{zeros}p99999999"), 0.0),
        ];
        for (word, value) in cases {
            assert_eq!(float(word.as_bytes()), Some((value, word.len())), "{word}");
        }
    }
}
