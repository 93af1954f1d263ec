//! Decimal numbers from bytes.

/// Maximum length of a number, bytes; longer text is not a number.
const LONGEST: usize = 512;

/// Powers of ten that an `f64` holds exactly.
const EXACT: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Returns the number at the start of `text`, rounded to the nearest `f64`, and its length in bytes. The number is
/// infinite if it is too large; the result is `None` if there is no number.
pub(super) fn number(text: &[u8]) -> Option<(f64, usize)> {
    let mut at = 0;
    let negative = text.first() == Some(&b'-');
    if negative || text.first() == Some(&b'+') {
        at += 1;
    }
    let (mut mantissa, mut digits, mut scale) = (0u64, 0u32, 0i32);
    let mut seen = false;
    let mut fraction = false;
    loop {
        match text.get(at) {
            Some(&digit @ b'0'..=b'9') => {
                seen = true;
                // Leading zeros do not count as digits; nineteen digits always fit.
                digits += u32::from(mantissa != 0 || digit != b'0');
                if digits <= 19 {
                    mantissa = mantissa * 10 + u64::from(digit - b'0');
                }
                scale -= i32::from(fraction);
            }
            Some(b'.') if !fraction => fraction = true,
            _ => break,
        }
        at += 1;
        if at > LONGEST {
            return None;
        }
    }
    if !seen {
        return None;
    }
    if let Some((exponent, length)) = text.get(at..).and_then(exponent) {
        scale = scale.saturating_add(exponent);
        at += length;
    }
    // Both operands are exact, so the single operation rounds correctly.
    let power = EXACT.get(scale.unsigned_abs() as usize);
    let value = match power {
        Some(power) if digits <= 19 && mantissa < 1 << 53 => {
            let value = mantissa as f64;
            let value = if scale < 0 { value / power } else { value * power };
            if negative { -value } else { value }
        }
        _ => std::str::from_utf8(text.get(..at)?).ok()?.parse().ok()?,
    };
    Some((value, at))
}

/// Returns the exponent at the start of `text`, `e` included, and its length in bytes.
fn exponent(text: &[u8]) -> Option<(i32, usize)> {
    let (b'e' | b'E', rest) = text.split_first()? else { return None };
    let signed = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
    let digits = rest.get(signed..)?.iter().take(8).take_while(|b| b.is_ascii_digit()).count();
    let text = std::str::from_utf8(rest.get(..signed + digits)?).ok()?;
    Some((text.parse().ok()?, 1 + signed + digits))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let digits = "12345678901234567890123";
        let texts = [
            "0",
            "-0",
            "+7",
            "1.",
            ".5",
            "-1.0000000000",
            "0.0000000437",
            "9007199254740993",
            "1e22",
            "1e23",
            "1e-22",
            "1E+3",
            "1e999",
            "-1e999",
            "1e-999",
            "0.1e1",
            "0.30000000000000004",
            "179769313486231570000",
            digits,
            "0.000000000000000000000000000001",
            "123456789012345678.9",
            "4294967295",
            "2.2250738585072011e-308",
        ];
        for text in texts {
            let expected: f64 = text.parse().unwrap();
            let (value, length) = number(text.as_bytes()).unwrap();
            assert_eq!((value.to_bits(), length), (expected.to_bits(), text.len()), "{text}");
        }
    }

    #[test]
    fn a_number_ends_at_the_first_byte_that_cannot_continue_it() {
        for (text, length) in [("1)", 1), ("1e", 1), ("1e+", 1), ("1.2.3", 3), ("-5 6", 2), ("3x", 1), ("1e5e5", 3)] {
            assert_eq!(number(text.as_bytes()).unwrap().1, length, "{text}");
        }
        for text in ["", "-", ".", "e5", "banana", "nan", "inf", "+-1", "\""] {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
        assert_eq!(number(&[b'1'; 10_000]), None);
    }
}
