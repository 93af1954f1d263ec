//! Names of a progs file, as messages show them.

use std::fmt;

/// Name on one line, by the rules of skelobj's names: a tab becomes a blank. Line breaks, other control characters,
/// invisible and direction-changing characters, and bytes that are not UTF-8 become U+FFFD.
pub(crate) struct Shown<'a>(&'a [u8]);

impl<'a> Shown<'a> {
    pub(crate) fn of(name: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        Self(name.as_ref())
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for chunk in self.0.utf8_chunks() {
            chunk.valid().chars().try_for_each(|c| f.write_char(shown(c)))?;
            if !chunk.invalid().is_empty() {
                f.write_char(char::REPLACEMENT_CHARACTER)?;
            }
        }
        Ok(())
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
