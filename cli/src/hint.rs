//! Advice on arguments that are wrong in a usual way.

use std::ffi::OsStr;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use skelobj::Format;

use crate::out;

/// Commands that people try, and those that do what they mean.
const MEANT: [(&str, &str); 6] = [
    ("record", "to record a fall, use `skelobj sim --record FILE.run`"),
    ("play", "to repeat a recorded fall, use `skelobj sim --replay FILE.run`"),
    ("test", "to test dolls, use `skelobj check DOLL...`"),
    ("lint", "to test dolls, use `skelobj check DOLL...`"),
    ("export", "to convert a model, use `skelobj convert IN OUT.glb`"),
    ("render", "to draw a model, use `skelobj draw MODEL -o FILE.png`"),
];

/// Returns advice on arguments that could not be parsed.
pub fn of(error: &clap::Error, arguments: &[std::ffi::OsString]) -> Option<String> {
    let first = arguments.first().map_or(OsStr::new(""), |first| first.as_os_str());
    match error.kind() {
        ErrorKind::InvalidSubcommand if Path::new(first).is_file() => {
            Some(format!("to describe the model, use `skelobj info {}`", first.display()))
        }
        ErrorKind::InvalidSubcommand => {
            MEANT.iter().find(|(name, _)| first == *name).map(|(_, advice)| (*advice).to_owned())
        }
        ErrorKind::UnknownArgument => {
            let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return None };
            misplaced(first.to_str()?, argument, arguments)
        }
        ErrorKind::ValueValidation => {
            let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return None };
            apart(option.split_once(" <")?, arguments)
        }
        _ => None,
    }
}

/// Returns advice on three numbers that stand apart after an option of three.
fn apart((option, value): (&str, &str), arguments: &[std::ffi::OsString]) -> Option<String> {
    if value.matches(',').count() != 2 {
        return None;
    }
    let at = arguments.iter().position(|argument| argument == option)?;
    let numbers: Vec<&str> = arguments.get(at + 1..at + 4)?.iter().filter_map(|number| number.to_str()).collect();
    let are_numbers = numbers.len() == 3 && numbers.iter().all(|number| number.parse::<f32>().is_ok());
    are_numbers.then(|| format!("three numbers are written with commas: `{option} {}`", numbers.join(",")))
}

/// Returns advice on a file that is named without its option.
fn misplaced(command: &str, file: &str, arguments: &[std::ffi::OsString]) -> Option<String> {
    let ending = |file: &OsStr| Path::new(file).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let own = ending(OsStr::new(file)).filter(|_| !file.starts_with('-'))?;
    let is_model = Format::from_extension(&own).is_some();
    if ["sim", "draw", "view"].contains(&command) {
        let is_option = |file: &OsStr| file.to_string_lossy().starts_with('-');
        let is_doll = |file: &OsStr| !is_option(file) && ending(file).is_some_and(|ending| ending == "doll");
        // The doll may have taken the place of the model.
        let is_loose = |pair: &&[std::ffi::OsString]| pair[0] != "--doll" && is_doll(&pair[1]);
        if let Some(pair) = arguments.windows(2).find(is_loose) {
            let doll = pair[1].display();
            return Some(format!("to use the doll {doll}, write `--doll {doll}`"));
        }
        if own == "bsp" {
            return Some(format!("to use the map {file}, write `--level {file}`"));
        }
    }
    // Such a file may be what draw writes.
    let joins = is_model && (command != "draw" || own != "glb");
    match command {
        "fit" | "info" | "sim" | "view" | "draw" if joins => {
            Some(format!("to add {file} to the model, use `--with {file}`"))
        }
        "fit" | "draw" => Some(format!("to write {file}, use `-o {file}`")),
        _ => None,
    }
}

/// Prints advice below a message of clap.
pub fn tell(advice: &str) {
    out::tell("\n");
    out::tell_line(format_args!("  tip: {advice}"));
}
