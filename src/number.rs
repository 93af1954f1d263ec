//! Numbers that cannot be used.

/// A number that is out of its range, or not finite; the call that was given it changed nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct OutOfRange {
    /// The name of the setting or argument.
    pub name: &'static str,
    /// The number.
    pub value: f64,
    /// The numbers that are allowed, in words.
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
