//! The error of numbers that cannot be used.

/// The error of a number that is out of range or not finite; nothing has changed then.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct OutOfRange {
    /// Name of the setting or argument.
    pub name: &'static str,
    /// Number that was given.
    pub value: f64,
    /// Description of the numbers that are allowed.
    pub expected: &'static str,
}

impl OutOfRange {
    pub(crate) fn check(
        is_allowed: bool,
        name: &'static str,
        value: impl Into<f64>,
        expected: &'static str,
    ) -> Result<(), Self> {
        if is_allowed { Ok(()) } else { Err(Self { name, value: value.into(), expected }) }
    }
}

impl std::fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is {}, expected {}", self.name, self.value, self.expected)
    }
}

impl std::error::Error for OutOfRange {}
