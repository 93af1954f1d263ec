//! Words of MD5 text: names, numbers, parentheses; separated by spaces and comments.

use std::ops::RangeInclusive;

use super::decimal::number;
use crate::model::{ModelError, ModelProblem, Name};

/// Maximum number of bytes of an unexpected word in an error.
const SHOWN: usize = 32;

/// Unread rest of a text file, with position and section for errors.
#[derive(Clone)]
pub(super) struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Section of the file, for errors.
    pub section: &'static str,
}

impl<'a> Words<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, section: "header" }
    }

    /// Returns the position of the next word, bytes.
    pub fn offset(&mut self) -> usize {
        self.skip();
        self.at
    }

    /// Returns the number of unread bytes.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Reads the next word, quoted or not, or a single parenthesis or brace; returns `None` at the end of the file.
    pub fn next(&mut self) -> Option<&'a [u8]> {
        self.skip();
        let rest = self.bytes.get(self.at..)?;
        let (taken, word) = match rest.first()? {
            b'"' => {
                let quoted = rest.get(1..)?;
                let end = quoted.iter().position(|&b| b == b'"').unwrap_or(quoted.len());
                ((end + 2).min(rest.len()), quoted.get(..end)?)
            }
            b'(' | b')' | b'{' | b'}' => (1, rest.get(..1)?),
            _ => {
                let end = rest.iter().position(|&b| is_delimiter(b)).unwrap_or(rest.len());
                (end, rest.get(..end)?)
            }
        };
        self.at += taken;
        Some(word)
    }

    /// Reads a required word.
    pub fn word(&mut self, what: &'static str) -> Result<&'a [u8], ModelError> {
        match self.next() {
            Some(word) => Ok(word),
            None => Err(self.error(ModelProblem::Missing { what })),
        }
    }

    /// Reads the word or parenthesis `expected`.
    pub fn require(&mut self, expected: &'static str) -> Result<(), ModelError> {
        let mut ahead = self.clone();
        // A quoted parenthesis is a name.
        if ahead.peek() != Some(b'"') && ahead.next() == Some(expected.as_bytes()) {
            self.at = ahead.at;
            return Ok(());
        }
        Err(self.unexpected(expected))
    }

    /// Returns the first byte of the next word.
    pub fn peek(&mut self) -> Option<u8> {
        self.skip();
        self.bytes.get(self.at).copied()
    }

    /// Reads a finite number that fits an `f32`.
    pub fn number(&mut self) -> Result<f64, ModelError> {
        self.skip();
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match number(rest) {
            Some((value, length)) if rest.get(length).copied().is_none_or(is_delimiter) => {
                if !(value as f32).is_finite() {
                    return Err(self.error(ModelProblem::NotFinite { field: "number" }));
                }
                self.at += length;
                Ok(value)
            }
            _ => Err(self.unexpected("a number")),
        }
    }

    /// Reads an integer in `range`.
    pub fn whole(&mut self, field: &'static str, range: RangeInclusive<i64>) -> Result<i64, ModelError> {
        self.skip();
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let signed = usize::from(rest.first() == Some(&b'-'));
        let digits = rest.iter().skip(signed).take_while(|b| b.is_ascii_digit());
        let (value, count) = digits.fold((0i64, 0), |(value, count), digit| {
            (value.saturating_mul(10).saturating_add(i64::from(digit - b'0')), count + 1)
        });
        let length = signed + count;
        if count == 0 || !rest.get(length).copied().is_none_or(is_delimiter) {
            return Err(self.unexpected("a whole number"));
        }
        let found = if signed == 1 { -value } else { value };
        if !range.contains(&found) {
            let (min, max) = (*range.start(), *range.end());
            return Err(self.error(ModelProblem::OutOfRange { field, found, min, max }));
        }
        self.at += length;
        Ok(found)
    }

    /// Reads the number of elements that follow, each of which takes at least `size` bytes of text.
    pub fn count(&mut self, field: &'static str, min: i64, size: usize) -> Result<u32, ModelError> {
        let at = self.offset();
        let count = self.whole(field, min..=i64::from(u32::MAX))? as u32;
        let needed = u64::from(count) * size as u64;
        let available = self.left();
        if needed > available as u64 {
            let problem = ModelProblem::PastEnd { needed, available };
            return Err(ModelError::new(self.section, at, problem));
        }
        Ok(count)
    }

    /// Reads the number of an element, which must be `expected` because elements are in order.
    pub fn index(&mut self, field: &'static str, expected: u32) -> Result<(), ModelError> {
        let at = self.offset();
        let found = self.whole(field, i64::MIN..=i64::MAX)?;
        let expected = i64::from(expected);
        if found != expected {
            return Err(ModelError::new(self.section, at, ModelProblem::Mismatch { field, found, expected }));
        }
        Ok(())
    }

    /// Reads `( x y z )` or `( s t )`.
    pub fn vector<const N: usize>(&mut self) -> Result<[f64; N], ModelError> {
        self.require("(")?;
        let mut vector = [0.0; N];
        for value in &mut vector {
            *value = self.number()?;
        }
        self.require(")")?;
        Ok(vector)
    }

    /// Returns the error of `problem` at the next word.
    pub fn error(&mut self, problem: ModelProblem) -> ModelError {
        let offset = self.offset();
        ModelError::new(self.section, offset, problem)
    }

    /// Returns the error of an unexpected next word.
    pub fn unexpected(&mut self, expected: &'static str) -> ModelError {
        let problem = match self.clone().next() {
            Some(found) => {
                let found = Name::new(found.get(..SHOWN).unwrap_or(found));
                ModelProblem::UnexpectedText { expected, found }
            }
            None => ModelProblem::Missing { what: expected },
        };
        self.error(problem)
    }

    /// Skips spaces and comments.
    #[inline]
    fn skip(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if is_space(byte) {
                self.at += 1;
            } else if byte != b'/' || !self.skip_comment() {
                return;
            }
        }
    }

    fn skip_comment(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = match rest {
            [b'/', b'/', ..] => rest.iter().position(|&b| b == b'\n'),
            [b'/', b'*', ..] => rest.windows(2).skip(2).position(|pair| pair == b"*/").map(|end| end + 4),
            _ => return false,
        };
        self.at += end.unwrap_or(rest.len());
        true
    }
}

fn is_space(byte: u8) -> bool {
    byte <= b' '
}

fn is_delimiter(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'(' | b')' | b'{' | b'}' | b'"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_between_spaces_comments_and_parentheses() {
        let text = b"joints{ \"a b\"-1(0 1.5)// the root\r\n\t/* more */ tri /x \"open";
        let mut words = Words::new(text);
        let all: Vec<_> = std::iter::from_fn(|| words.next()).collect();
        let expected: [&[u8]; 12] =
            [b"joints", b"{", b"a b", b"-1", b"(", b"0", b"1.5", b")", b"tri", b"/x", b"open", b""];
        assert_eq!(all, expected[..11]);
        assert_eq!(Words::new(b"/* no end").next(), None);
        assert_eq!(Words::new(b"// no end").next(), None);
        assert_eq!(Words::new(b"/").next(), Some(&b"/"[..]));
    }

    #[test]
    fn unexpected_words_are_reported_with_their_place() {
        let mut words = Words::new(b"vert banana 1e999 7 \"{\"");
        assert_eq!(words.require("tri").unwrap_err().to_string(), "header at byte 0: expected tri, found \"vert\"");
        words.require("vert").unwrap();
        assert_eq!(words.number().unwrap_err().to_string(), "header at byte 5: expected a number, found \"banana\"");
        words.next();
        assert_eq!(words.number().unwrap_err().problem, ModelProblem::NotFinite { field: "number" });
        words.next();
        assert_eq!(words.whole("parent", -1..=3).unwrap_err().offset, 18);
        assert_eq!(words.index("vert", 6).unwrap_err().offset, 18);
        assert!(words.require("{").is_err());
        assert_eq!(words.next(), Some(&b"{"[..]));
        assert_eq!(words.number().unwrap_err().problem, ModelProblem::Missing { what: "a number" });
    }

    #[test]
    fn counts_are_compared_with_the_bytes_that_are_left() {
        let mut words = Words::new(b"numverts 3 0123456789");
        words.next();
        assert_eq!(words.clone().count("numverts", 0, 3).unwrap(), 3);
        assert_eq!(words.clone().count("numverts", 0, 4).unwrap_err().offset, 9);
        assert!(words.count("numverts", 4, 1).is_err());
    }
}
