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

    /// Checks that numbers are finite and no further from 0 than `most`, which `expected` describes.
    #[cfg(feature = "ragdoll")]
    pub(crate) fn check_all(
        name: &'static str,
        values: impl IntoIterator<Item = f32>,
        most: f32,
        expected: &'static str,
    ) -> Result<(), Self> {
        let mut values = values.into_iter();
        values
            .find(|value| value.is_nan() || value.abs() > most)
            .map_or(Ok(()), |value| Self::check(false, name, value, expected))
    }

    /// Checks a place or an offset in the world, Quake units.
    #[cfg(feature = "ragdoll")]
    pub(crate) fn check_place(name: &'static str, place: glam::Vec3) -> Result<(), Self> {
        Self::check_all(name, place.to_array(), FARTHEST, "numbers from -1e6 to 1e6")
    }
}

/// Greatest coordinate of what a physics world simulates, Quake units.
#[cfg(feature = "ragdoll")]
pub(crate) const FARTHEST: f32 = 1e6;

impl std::fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is {}, expected {}", self.name, self.value, self.expected)
    }
}

impl std::error::Error for OutOfRange {}
