//! Problems in the text of a doll.

use std::fmt;
use std::ops::Range;

use super::diagnostic::Diagnostic;
use super::{DollProblemKind, Parsed};

/// Problem in a `.doll` file, with its position.
///
/// Its `Display` form is one line, `line:column: error: message`; [`report`](Self::report) adds the line of the text.
/// The field `span` serves tools that render diagnostics themselves.
///
/// ```
/// use skelobj::doll::{Doll, DollProblemKind, Severity};
///
/// let problem = &Doll::parse(b"body head Head\n mass -2\n").problems[0];
/// assert_eq!(problem.severity, Severity::Error);
/// assert_eq!((problem.line, problem.column, problem.span.clone()), (2, 7, 21..23));
/// assert_eq!(
///     problem.to_string(),
///     "2:7: error: `mass` must be a finite number above zero; the previous value is kept"
/// );
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct DollProblem {
    /// Severity of the problem.
    pub severity: Severity,
    /// Kind of the problem.
    pub kind: DollProblemKind,
    /// Line of the text, 1-based.
    pub line: usize,
    /// Column in that line, in bytes, 1-based; a tab counts as one.
    pub column: usize,
    /// Byte range of the text that the problem is about; always inside the text, possibly empty.
    pub span: Range<usize>,
}

impl DollProblem {
    /// Returns the problem as `name:line:column: error: message`, followed by the line itself and carets under the
    /// place.
    ///
    /// `source` is the text that was parsed, `name` is the name of the file to show.
    ///
    /// ```
    /// use skelobj::doll::Doll;
    ///
    /// let text = b"body head Head\n size 4 4 4 4\n";
    /// assert_eq!(
    ///     Doll::parse(text).problems[0].report("head.doll", text).to_string(),
    ///     "head.doll:2:2: error: wrong number of words, expected `size X [[Y] Z]`
    ///   2 |  size 4 4 4 4
    ///     |  ^^^^
    /// "
    /// );
    /// ```
    #[must_use]
    pub fn report<'a>(&'a self, name: &'a str, source: &'a [u8]) -> Diagnostic<'a> {
        Diagnostic { problem: self, name, source }
    }
}

impl fmt::Display for DollProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.line, self.column, self.severity, self.kind)
    }
}

impl std::error::Error for DollProblem {}

/// Problems found so far.
#[derive(Default)]
pub(crate) struct Problems {
    found: Vec<(Range<usize>, DollProblemKind)>,
}

impl Problems {
    /// Adds a problem, unless there are too many.
    pub(crate) fn add(&mut self, span: &Range<usize>, kind: impl FnOnce() -> DollProblemKind) {
        match self.found.len().cmp(&(Parsed::MAX_PROBLEMS - 1)) {
            std::cmp::Ordering::Less => self.found.push((span.clone(), kind())),
            std::cmp::Ordering::Equal => self.found.push((span.clone(), DollProblemKind::TooManyProblems)),
            std::cmp::Ordering::Greater => {}
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.found.iter().any(|(_, kind)| kind.severity() == Severity::Error)
    }

    /// Returns all problems in the order of the text, with lines and columns.
    pub(super) fn locate(mut self, text: &[u8]) -> Vec<DollProblem> {
        self.found.sort_by_key(|(span, _)| span.start);
        let (mut line, mut line_start, mut counted) = (1, 0, 0);
        let locate = |(span, kind): (Range<usize>, DollProblemKind)| {
            for (i, _) in text[counted..span.start].iter().enumerate().filter(|(_, b)| **b == b'\n') {
                line += 1;
                line_start = counted + i + 1;
            }
            counted = span.start;
            DollProblem { severity: kind.severity(), kind, line, column: span.start - line_start + 1, span }
        };
        self.found.into_iter().map(locate).collect()
    }
}

/// Severity of a problem. Errors are greater than warnings.
///
/// ```
/// use skelobj::{assets, doll::{Severity, lint}};
///
/// let worst = lint(b"body a hip\nbody b hip\n", None).iter().map(|problem| problem.severity).max();
/// assert_eq!(worst, Some(Severity::Warning));
/// assert!(lint(assets::MANNEQUIN_DOLL, None).is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Severity {
    /// Text that is accepted as written, but is probably a mistake.
    Warning,
    /// Text that is skipped or cannot work.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}
