//! Conversion between numbers and text.

/// Returns the number that a text starts with after white space, as C reads it; 0 if there is none.
pub(super) fn leading(text: &[u8]) -> f32 {
    let text = text.trim_ascii_start();
    let digits = |from: usize| text.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let whole = digits(end);
    end += whole;
    if text.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if whole + fraction == 0 {
            return 0.0;
        }
        end += 1 + fraction;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        match digits(end + 1 + sign) {
            0 => {}
            exponent => end += 1 + sign + exponent,
        }
    }
    let number = text.get(..end).and_then(|number| std::str::from_utf8(number).ok());
    number.and_then(|number| number.parse::<f64>().ok()).map_or(0.0, |value| value as f32)
}

/// Returns a float as `ftos` writes it: whole numbers without a point, others with enough digits to tell them apart.
pub(super) fn shortest(value: f32) -> String {
    if value == (value as i32) as f32 {
        return (value as i32).to_string();
    }
    if !value.is_finite() {
        let sign = if value.is_sign_negative() { "-" } else { "" };
        return format!("{sign}1.#{}", if value.is_nan() { "NAN" } else { "INF" });
    }
    let exponent = ((value.to_bits() >> 23) & 0xff) as i32 - 127;
    let decimals = 8 + (f64::from(-exponent) * std::f64::consts::LOG10_2) as i32;
    match usize::try_from(decimals) {
        Ok(decimals) if decimals > 0 => {
            let text = format!("{:.decimals$}", f64::from(value));
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => format!("{:.0}", f64::from(value)),
    }
}

/// Returns a number as C's `%e` writes it.
pub(super) fn scientific(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let Some((digits, exponent)) = text.split_once('e') else { return text };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
    format!("{digits}e{sign}{exponent:0>2}")
}

/// Returns a number as C's `%g` writes it.
pub(super) fn general(value: f64, precision: usize) -> String {
    if !value.is_finite() || value == 0.0 {
        return format!("{value}").to_lowercase();
    }
    let precision = precision.max(1);
    let text = scientific(value, precision - 1);
    let exponent = text.split_once('e').and_then(|(_, exponent)| exponent.parse::<i64>().ok()).unwrap_or(0);
    if exponent < -4 || exponent >= precision as i64 {
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, ""));
        return format!("{}e{exponent}", without_zeros(digits));
    }
    let decimals = usize::try_from(precision as i64 - 1 - exponent).unwrap_or(0);
    without_zeros(&format!("{value:.decimals$}")).to_owned()
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}
