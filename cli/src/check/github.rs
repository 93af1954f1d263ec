//! Annotations of GitHub Actions.

use skelobj::doll::DollProblem;

use crate::out;

/// Returns the line that makes GitHub show a problem in a decoded text beside the line of the file.
pub fn annotation(path: &str, text: &str, problem: &DollProblem) -> String {
    let (line, column) = (problem.line, problem.column);
    let words = text.as_bytes().get(problem.span.clone()).unwrap_or_default();
    let first_line = words.split(|&b| b == b'\n').next().unwrap_or_default();
    let end = column + first_line.len().max(1);
    let (severity, code) = (problem.severity(), problem.code());
    let (path, message) = (property(path), data(&out::line(&problem.message())));
    format!(
        "::{severity} file={path},line={line},endLine={line},col={column},endColumn={end},title={code}::{message}\n"
    )
}

/// Returns the line for a file that cannot be checked.
pub fn unchecked(path: &str, why: &str) -> String {
    format!("::error file={},title=unchecked::{}\n", property(path), data(&out::line(why)))
}

/// Escapes what would end a line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes what would end a property, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
