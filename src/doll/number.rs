//! Numbers as C reads them: the longest prefix of a word that is a number.

/// Returns the number at the beginning of `word` and its length in bytes; `None` if there is none.
///
/// Accepts what `atof` accepts: a sign, decimal digits with a point and an exponent, hexadecimal digits after `0x` with
/// a binary exponent after `p`, `inf`, `infinity`, `nan`. The result is rounded to f64 and then to f32, as C programs
/// do.
pub(crate) fn float(word: &[u8]) -> Option<(f32, usize)> {
    let sign_len = sign(word);
    let rest = &word[sign_len..];
    let (magnitude, len) = special(rest).or_else(|| hexadecimal(rest)).or_else(|| decimal(rest))?;
    let value = if word.first() == Some(&b'-') { -magnitude } else { magnitude };
    Some((value as f32, sign_len + len))
}

/// Returns the whole number at the beginning of `word` and its length in bytes; `None` if there is none.
///
/// Accepts what `atoi` accepts, a sign and decimal digits. A number beyond an i64 becomes the nearest i64.
pub(crate) fn integer(word: &[u8]) -> Option<(i64, usize)> {
    let sign_len = sign(word);
    let digits = digits(&word[sign_len..], u8::is_ascii_digit);
    if digits == 0 {
        return None;
    }
    let len = sign_len + digits;
    let magnitude = word[sign_len..len]
        .iter()
        .fold(0i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Some((if word[0] == b'-' { -magnitude } else { magnitude }, len))
}

fn sign(word: &[u8]) -> usize {
    usize::from(matches!(word.first(), Some(b'+' | b'-')))
}

fn digits(word: &[u8], is_digit: impl Fn(&u8) -> bool) -> usize {
    word.iter().take_while(|b| is_digit(b)).count()
}

fn special(word: &[u8]) -> Option<(f64, usize)> {
    [("infinity", f64::INFINITY), ("inf", f64::INFINITY), ("nan", f64::NAN)]
        .into_iter()
        .find(|(name, _)| word.get(..name.len()).is_some_and(|w| w.eq_ignore_ascii_case(name.as_bytes())))
        .map(|(name, value)| (value, name.len()))
}

/// Returns the numbers of digits before and after the point, and the length of both with the point; `None` without a
/// digit.
fn mantissa(word: &[u8], is_digit: impl Fn(&u8) -> bool) -> Option<(usize, usize, usize)> {
    let whole = digits(word, &is_digit);
    let fraction = if word.get(whole) == Some(&b'.') { digits(&word[whole + 1..], &is_digit) } else { 0 };
    let point = usize::from(word.get(whole) == Some(&b'.'));
    (whole + fraction > 0).then_some((whole, fraction, whole + point + fraction))
}

/// Returns the exponent after the letter `mark`, and its length with the letter; 0 if there is none.
fn exponent(word: &[u8], mark: u8) -> (i64, usize) {
    if !word.first().is_some_and(|b| b.eq_ignore_ascii_case(&mark)) {
        return (0, 0);
    }
    integer(&word[1..]).map_or((0, 0), |(value, len)| (value, len + 1))
}

fn decimal(word: &[u8]) -> Option<(f64, usize)> {
    let (_, _, len) = mantissa(word, u8::is_ascii_digit)?;
    let len = len + exponent(&word[len..], b'e').1;
    // The bytes are digits, a point and an exponent, which Rust and C read in the same way.
    let value = std::str::from_utf8(&word[..len]).ok()?.parse().ok()?;
    Some((value, len))
}

fn hexadecimal(word: &[u8]) -> Option<(f64, usize)> {
    let rest = word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X"))?;
    let (_, fraction, len) = mantissa(rest, u8::is_ascii_hexdigit)?;
    // Digits that do not fit into an f64 only scale the value.
    const FULL: f64 = (1u64 << 60) as f64;
    let (mut value, mut left_out) = (0.0, 0);
    for digit in rest[..len].iter().filter_map(|&b| (b as char).to_digit(16)) {
        if value < FULL {
            value = value * 16.0 + f64::from(digit);
        } else {
            left_out += 1;
        }
    }
    let (power, power_len) = exponent(&rest[len..], b'p');
    let power = power.saturating_add(4 * (left_out - fraction as i64)).clamp(-100_000, 100_000);
    let value = if value == 0.0 { 0.0 } else { value * 2f64.powi(power as i32) };
    Some((value, 2 + len + power_len))
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
