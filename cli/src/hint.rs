//! Advice on arguments that are wrong in a usual way.

use std::ffi::OsStr;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};

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
            let is_output = Path::new(argument).extension().is_some() && !argument.starts_with('-');
            let writes = ["fit", "draw"].iter().any(|name| first == *name);
            (is_output && writes).then(|| format!("to write {argument}, use `-o {argument}`"))
        }
        _ => None,
    }
}

/// Prints advice below a message of clap.
pub fn tell(advice: &str) {
    out::tell("\n");
    out::tell_line(format_args!("  tip: {advice}"));
}
