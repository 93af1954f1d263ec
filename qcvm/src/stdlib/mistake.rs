//! Mistakes of calls that builtins pass over.

use std::fmt;

/// Mistake of a script in a call of a builtin, which goes on as engines do.
///
/// [`StdHost::mistake`](super::StdHost::mistake) receives it.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::Mistake;
///
/// let mistake = Mistake::MissingArguments { passed: 0, required: 1 };
/// assert_eq!(mistake.to_string(), "0 arguments, expected 1: the others are what the last call left");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Mistake {
    /// An argument is a NaN or an infinity, which the builtin treated as 0.
    NotFinite,
    /// The builtin got too few arguments and took the others from the last call.
    MissingArguments {
        /// Number of arguments that were passed.
        passed: usize,
        /// Number of arguments that the builtin needs.
        required: usize,
    },
    /// The world was to be removed or overwritten.
    World,
    /// No open file has the number.
    FileNotOpen,
    /// No file of a script has the name, for this reason.
    FileName(&'static str),
    /// The word, given here, is not a string; the builtin took an empty text.
    NotAString(u32),
    /// The divisor is 0, so that the result is 0.
    ZeroDivisor,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite => f.write_str("a non-finite number was treated as 0"),
            Self::MissingArguments { passed, required } => {
                let plural = if *passed == 1 { "" } else { "s" };
                write!(f, "{passed} argument{plural}, expected {required}: the others are what the last call left")
            }
            Self::World => f.write_str("the entity is the world, which stays as it is"),
            Self::FileName(reason) => write!(f, "the name is refused: {reason}"),
            Self::FileNotOpen => f.write_str("no open file has this number"),
            Self::NotAString(word) => write!(f, "{word:#x} is not a string, an empty text is in its place"),
            Self::ZeroDivisor => f.write_str("the divisor is 0, the result is 0"),
        }
    }
}
