//! Problems in the text of a doll.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use super::diagnostic::Diagnostic;
use super::{DollProblemKind, Parsed};
use crate::model::Name;

/// Problem in a `.doll` file, with its position.
///
/// Its `Display` form is one line, `line:column: error: message`; [`report`](Self::report) adds the line of the text.
/// The field `span` serves tools that render diagnostics themselves.
///
/// ```
/// use skelobj::doll::{Doll, Severity};
///
/// let problem = &Doll::parse(b"body head Head\n mass -2\n").problems[0];
/// assert_eq!((problem.severity(), problem.code()), (Severity::Error, "bad-number"));
/// assert_eq!((problem.line, problem.column, problem.span.clone()), (2, 7, 21..23));
/// assert_eq!(
///     problem.to_string(),
///     "2:7: error: `mass` must be a finite number above zero; the previous value is kept"
/// );
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct DollProblem {
    kind: DollProblemKind,
    /// Line of the text, 1-based.
    pub line: usize,
    /// Column in that line, in bytes of UTF-8, 1-based; a tab counts as one.
    pub column: usize,
    /// Byte range that the problem is about in the [decoded](super::decode()) text; possibly empty.
    pub span: Range<usize>,
}

impl DollProblem {
    /// Returns the severity of the problem: an error if something is skipped or cannot work.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }

    /// Returns the code of the problem: a short name in lower case that stays the same between versions.
    ///
    /// ```
    /// use skelobj::doll::lint;
    ///
    /// let text = b"body a hip\nbody b leg\njoint j a b\n type hinge\n HiStop 45\n";
    /// let problems = lint(text, None);
    /// assert_eq!(problems[0].code(), "stop-in-degrees");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// Returns the message of the problem, without its position and severity.
    ///
    /// ```
    /// use skelobj::doll::Doll;
    ///
    /// assert_eq!(Doll::parse(b"").problems[0].message(), "a doll needs at least one body");
    /// ```
    #[must_use]
    pub fn message(&self) -> String {
        self.kind.to_string()
    }

    /// Returns the text to write in place of the problem's [`span`](Self::span), if it is known: the word that was
    /// probably meant, in quotes where it needs them, or several words.
    ///
    /// ```
    /// use skelobj::doll::Doll;
    ///
    /// let problems = Doll::parse(b"body a hip\n shape capsul\n").problems;
    /// assert_eq!(problems[0].suggestion(), Some("capsule".into()));
    /// ```
    #[must_use]
    pub fn suggestion(&self) -> Option<String> {
        self.kind.suggestion()
    }

    /// Returns the problem with the name of the model for which the doll was read, which the message of the code
    /// `other-model` states; other messages stay as they are.
    ///
    /// ```
    /// use skelobj::{assets, doll::Doll};
    ///
    /// let text = b"body neck Bip01_Neck\nbody foot Bip01_Foot\n";
    /// let problem = Doll::parse_for(text, &assets::mannequin().skeleton).problems.remove(0);
    /// assert_eq!(
    ///     problem.with_model_name("mannequin.iqm").message(),
    ///     "none of its 2 bones is in mannequin.iqm: is it another model's doll?"
    /// );
    /// ```
    #[must_use]
    pub fn with_model_name(mut self, name: impl AsRef<[u8]>) -> Self {
        if let DollProblemKind::OtherModel { model, .. } = &mut self.kind {
            *model = Some(Name::new(name.as_ref()));
        }
        self
    }

    /// Returns the problem as `name:line:column: error: message`, followed by the line itself and carets under the
    /// place.
    ///
    /// Characters that could disturb a terminal (control, invisible and direction-changing characters) are shown as
    /// U+FFFD; long lines are cut around the position.
    ///
    /// `text` is the text that was parsed, [decoded](super::decode()); `name` is the name of the file to show.
    ///
    /// ```
    /// use skelobj::doll::{Doll, decode};
    ///
    /// let text = b"body head Head\n size 4 4 4 4\n";
    /// assert_eq!(
    ///     Doll::parse(text).problems[0].report("head.doll", &decode(text)).to_string(),
    ///     "head.doll:2:2: error: wrong number of words, expected `size X [[Y] Z]`
    ///   2 |  size 4 4 4 4
    ///     |  ^^^^
    /// "
    /// );
    /// ```
    #[must_use]
    pub fn report<'a>(&'a self, name: &'a str, text: &'a str) -> impl fmt::Display + 'a {
        Diagnostic { problem: self, name, text }
    }
}

impl fmt::Display for DollProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.line, self.column, self.severity(), self.kind)
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
        self.has_errors_since(0)
    }

    /// Returns `true` if no further problem is listed.
    pub(super) fn is_full(&self) -> bool {
        self.found.len() >= Parsed::MAX_PROBLEMS
    }

    /// Returns the number of problems so far.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Returns `true` if any problem but the first `count` is an error.
    pub(super) fn has_errors_since(&self, count: usize) -> bool {
        self.since(count).any(|(_, kind)| kind.severity() == Severity::Error)
    }

    /// Returns the problems after the first `count`.
    pub(super) fn since(&self, count: usize) -> impl Iterator<Item = &(Range<usize>, DollProblemKind)> {
        self.found.iter().skip(count)
    }

    /// Keeps the first `count` problems.
    pub(super) fn truncate(&mut self, count: usize) {
        self.found.truncate(count);
    }

    /// Keeps the problems for which `is_kept` returns `true`.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&DollProblemKind) -> bool) {
        self.found.retain(|(_, kind)| is_kept(kind));
    }

    /// Returns the places that have problems.
    pub(crate) fn places(&self) -> HashSet<Range<usize>> {
        self.found.iter().map(|(span, _)| span.clone()).collect()
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
            DollProblem { kind, line, column: span.start - line_start + 1, span }
        };
        self.found.into_iter().map(locate).collect()
    }
}

/// Severity of a problem. Errors are greater than warnings.
///
/// ```
/// use skelobj::{assets, doll::{Severity, lint}};
///
/// let worst = lint(b"body a hip\nbody b hip\n", None).iter().map(|problem| problem.severity()).max();
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
