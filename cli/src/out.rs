//! Output to the terminal, in which names from files cannot end lines, control the terminal or change the direction of
//! text.

use std::fmt;
use std::io::{self, Write as _};

use anstyle::AnsiColor;
use serde_json::Value;
use skelobj::model::Name;

use crate::error::CliError;

/// Prints lines to standard output.
pub fn print(text: impl fmt::Display) -> Result<(), CliError> {
    write(lines(&text.to_string()).as_bytes())
}

/// Prints one line to standard output. A line break in it, such as that of a name in a file, does not end the line.
pub fn print_line(text: impl fmt::Display) -> Result<(), CliError> {
    print(format_args!("{}\n", line(&text.to_string())))
}

/// Prints one JSON value to standard output, with escapes for the characters that text replaces.
pub fn print_json(value: &Value) -> Result<(), CliError> {
    let mut text = String::new();
    for c in format!("{value:#}\n").chars() {
        // JSON requires escapes only below the space.
        if c.is_ascii() && c != '\u{7f}' || line(c.encode_utf8(&mut [0; 4])).starts_with(c) {
            text.push(c);
        } else {
            text.push_str(&format!("\\u{:04x}", u32::from(c)));
        }
    }
    write(text.as_bytes())
}

/// Writes bytes to standard output. A pipe that its reader closes early, as `head` does, is not an error, so that the
/// exit code still tells what was found.
pub fn write(bytes: &[u8]) -> Result<(), CliError> {
    unless_closed(io::stdout().write_all(bytes))
}

fn unless_closed(written: io::Result<()>) -> Result<(), CliError> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(CliError::Output),
    }
}

/// Prints the report of a problem to standard output, with colours on a terminal.
pub fn print_report(text: impl fmt::Display) -> Result<(), CliError> {
    unless_closed(anstream::stdout().write_all(styled(&lines(&text.to_string())).as_bytes()))
}

/// Prints lines to standard error, with colours on a terminal; a closed standard error is ignored.
pub fn tell(text: impl fmt::Display) {
    let _ = anstream::stderr().write_all(styled(&lines(&text.to_string())).as_bytes());
}

/// Words that begin a message, at the start of a line or after a place, and their colours.
const WORDS: [(&str, AnsiColor); 4] = [
    ("skelobj:", AnsiColor::Red),
    ("error:", AnsiColor::Red),
    ("warning:", AnsiColor::Yellow),
    ("tip:", AnsiColor::Green),
];

/// Colours the first word of each message. The terminal's own colours are the only ones that fit its background.
fn styled(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let starts = |word: &str| {
            let at = line.find(word)?;
            let before = line[..at].trim_start();
            (before.is_empty() || before.ends_with(": ")).then_some(at)
        };
        let found = WORDS.iter().filter_map(|(word, color)| Some((starts(word)?, *word, *color)));
        // Reports quote lines of dolls, which may contain such words.
        let is_quoted = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" | ");
        match found.min_by_key(|(at, ..)| *at).filter(|_| !is_quoted) {
            Some((at, word, color)) => {
                let style = color.on_default().bold();
                let rest = &line[at + word.len()..];
                out.push_str(&format!("{}{style}{word}{style:#}{rest}", &line[..at]));
            }
            None => out.push_str(line),
        }
    }
    out
}

/// Prints one line to standard error, as [`print_line`] does.
pub fn tell_line(text: impl fmt::Display) {
    tell(format_args!("{}\n", line(&text.to_string())));
}

/// Prints an error to standard error: one line, and for a script its call stack.
pub fn tell_error(error: &CliError) {
    match error {
        CliError::Script(_) => tell(format_args!("skelobj: {error}\n")),
        error => tell_line(format_args!("skelobj: {error}")),
    }
}

/// Returns a number with a noun, in the plural unless it is 1.
pub fn count(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        _ if noun.ends_with("sh") => format!("{number} {noun}es"),
        _ => format!("{number} {noun}s"),
    }
}

/// Returns a text as [names](Name) are shown, on one line.
pub fn line(text: &str) -> String {
    // A name ends at a zero.
    Name::from(text.replace('\0', "\u{fffd}").as_str()).to_string()
}

/// Returns a name for JSON, which can represent every character.
pub fn json_name(name: &Name) -> String {
    String::from_utf8_lossy(name.as_bytes()).into_owned()
}

/// Returns the lines of a text, each as [`line`] does.
fn lines(text: &str) -> String {
    let piece = |piece: &str| match piece.strip_suffix('\n') {
        Some(rest) => line(rest) + "\n",
        None => line(piece),
    };
    text.split_inclusive('\n').map(piece).collect()
}
