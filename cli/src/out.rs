//! Output to the terminal without control characters from files and scripts.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write as _};

use serde_json::Value;

use crate::error::CliError;

/// Prints to standard output.
pub fn print(text: impl fmt::Display) -> Result<(), CliError> {
    io::stdout().write_all(plain(&text.to_string()).as_bytes()).map_err(CliError::Output)
}

/// Prints one JSON value to standard output.
pub fn print_json(value: &Value) -> Result<(), CliError> {
    let mut text = String::new();
    for c in format!("{value:#}\n").chars() {
        match c {
            // JSON requires escapes only below the space.
            '\u{7f}'..='\u{9f}' => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    io::stdout().write_all(text.as_bytes()).map_err(CliError::Output)
}

/// Prints to standard error; a closed standard error is ignored.
pub fn tell(text: impl fmt::Display) {
    let _ = io::stderr().write_all(plain(&text.to_string()).as_bytes());
}

/// Returns the text with control characters other than tabs and line ends replaced.
pub fn plain(text: &str) -> Cow<'_, str> {
    let is_harmful = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace(is_harmful, "\u{fffd}"))
}
