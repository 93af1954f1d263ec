//! Texts from files and calls, as messages show them.

use std::fmt;

/// Text of unknown origin on one line: a tab becomes a blank. Line breaks, other control characters, invisible and
/// direction-changing characters, and bytes that are not UTF-8 become U+FFFD.
#[derive(Clone, Copy)]
pub struct Shown<'a>(&'a [u8]);

impl<'a> Shown<'a> {
    /// Returns a text as messages show it.
    pub fn of(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        Self(text.as_ref())
    }

    /// Returns the characters that are shown.
    pub fn characters(self) -> impl Iterator<Item = char> + 'a {
        self.0.utf8_chunks().flat_map(|chunk| {
            let bad = (!chunk.invalid().is_empty()).then_some(char::REPLACEMENT_CHARACTER);
            chunk.valid().chars().map(shown).chain(bad)
        })
    }

    /// Returns `true` if every character is shown as it is. Bytes that are not UTF-8 do not count.
    pub fn is_visible(self) -> bool {
        self.0.utf8_chunks().all(|chunk| chunk.valid().chars().all(|c| shown(c) == c))
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::str::from_utf8(self.0) {
            Ok(text) if self.is_visible() => f.pad(text),
            _ => f.pad(&self.characters().collect::<String>()),
        }
    }
}

/// Returns a number of things with their name.
pub fn counted<N: PartialEq + From<u8> + fmt::Display>(count: N, one: &str, many: &str) -> String {
    format!("{count} {}", if count == N::from(1) { one } else { many })
}

/// Returns the message about bytes that are needed past the end of a file or a section.
pub fn past_end(needed: u64, available: u64) -> String {
    let (needed, left) = (counted(needed, "byte", "bytes"), counted(available, "is", "are"));
    format!("needs {needed}, but only {left} left")
}

/// Length with the precision of its format, and with two significant digits if it is too small for that: dolls have
/// any size.
#[derive(Clone, Copy)]
pub struct ShownLength(pub f32);

impl fmt::Display for ShownLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = f.precision().unwrap_or(0);
        let mut last = self.0.abs() * 10.0f32.powi(digits as i32);
        if last > 0.0 && last < 1.0 {
            while last < 10.0 && digits < 12 {
                (last, digits) = (last * 10.0, digits + 1);
            }
        }
        write!(f, "{:.digits$}", self.0)
    }
}

fn shown(c: char) -> char {
    match c {
        '\t' => ' ',
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {
            char::REPLACEMENT_CHARACTER
        }
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}
