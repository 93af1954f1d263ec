//! Human-readable problems: the line of the text, with carets under the position.

use std::fmt;

use skelobj_model::internal::Shown;

use super::DollProblem;
use super::encoding::text_of;
use crate::model::Name;

/// Problem together with its line of the text, created by [`DollProblem::report`].
pub(super) struct Diagnostic<'a> {
    pub(super) problem: &'a DollProblem,
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

/// Maximum number of characters of a line that are shown.
const WIDTH: usize = 100;
/// Number of characters shown before the position, in a line that is cut.
const BEFORE: usize = 40;
/// Number of bytes examined on each side of the place: enough for `WIDTH` characters of four bytes.
const REACH: usize = 4 * WIDTH;

impl fmt::Display for Diagnostic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { problem, name, text } = self;
        let source = text.as_bytes();
        writeln!(f, "{}:{problem}", Shown::of(name))?;
        let at = problem.span.start.min(source.len());
        // Only the part of the line that can be shown is examined: a line may be the whole text.
        let nearby = &source[at.saturating_sub(REACH)..at];
        let line_start = nearby.iter().rposition(|&b| b == b'\n').map(|newline| newline + 1);
        let before = &nearby[line_start.unwrap_or(0)..];
        let begun_earlier = line_start.is_none() && at > REACH;
        let nearby = &source[at..source.len().min(at + REACH)];
        let line_end = nearby.iter().position(|&b| b == b'\n');
        let rest = &nearby[..line_end.unwrap_or(nearby.len())];
        let rest = rest.strip_suffix(b"\r").unwrap_or(rest);

        let mut head: Vec<char> = Shown::of(before).characters().collect();
        let head_cut = begun_earlier || head.len() > BEFORE && before.len() + rest.len() > WIDTH;
        if head_cut {
            head.drain(..head.len().saturating_sub(BEFORE));
        }
        let room = WIDTH.saturating_sub(head.len()).max(BEFORE);
        let (marked, tail) = rest.split_at(problem.span.len().min(rest.len()));
        let mut shown: Vec<char> = Shown::of(marked).characters().take(room).collect();
        let carets = shown.len().max(1);
        shown.extend(Shown::of(tail).characters().take(room - shown.len()));
        let tail_cut = Shown::of(rest).characters().nth(shown.len()).is_some();

        let (left, right) = (if head_cut { "…" } else { "" }, if tail_cut { "…" } else { "" });
        let indent = head.len() + usize::from(head_cut);
        let line: String = head.into_iter().chain(shown).collect();
        writeln!(f, "{:>3} | {left}{line}{right}", problem.line)?;
        writeln!(f, "    | {:indent$}{:^<carets$}", "", "")
    }
}

/// Name in backquotes, cut and cleaned for a message.
pub(crate) struct Quoted<'a>(&'a [u8]);

impl<'a> Quoted<'a> {
    pub(crate) fn of(name: &'a Name) -> Self {
        Self(name.as_bytes())
    }
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = text_of(self.0);
        let mut characters = Shown::of(&*text).characters();
        f.write_str("`")?;
        characters.by_ref().take(BEFORE).try_for_each(|c| write!(f, "{c}"))?;
        if characters.next().is_some() {
            f.write_str("…")?;
        }
        f.write_str("`")
    }
}
