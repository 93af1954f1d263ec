//! Error of numbers outside their range.

/// Error of an argument or setting that is out of range or non-finite.
///
/// The call that returns the error changes nothing.
///
/// ```
/// use skelobj::{OutOfRange, Runtime, runtime::Settings};
///
/// let mut settings = Settings::default();
/// settings.mesh_roll = f32::INFINITY;
/// let mut runtime = Runtime::default();
/// let error: OutOfRange = runtime.set_settings(settings).unwrap_err();
/// assert_eq!(error.to_string(), "mesh_roll is inf, expected a finite number");
/// assert_eq!(runtime.settings().mesh_roll, 1.0); // the call changed nothing
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct OutOfRange {
    /// Name of the argument or setting.
    pub name: &'static str,
    /// Number that was given.
    pub value: f64,
    /// Description of the allowed numbers.
    pub expected: &'static str,
}

impl OutOfRange {
    /// Returns the error unless `is_allowed`.
    pub(crate) fn check(
        is_allowed: bool,
        name: &'static str,
        value: impl Into<f64>,
        expected: &'static str,
    ) -> Result<(), Self> {
        if is_allowed { Ok(()) } else { Err(Self { name, value: value.into(), expected }) }
    }

    /// Checks that no number is NaN or has an absolute value above `most`; `expected` describes that range.
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

    /// Checks a place or a direction in model space.
    pub(crate) fn check_vector(name: &'static str, vector: glam::Vec3) -> Result<(), Self> {
        Self::check_all(name, vector.to_array(), LARGEST_VECTOR, "numbers from -1e9 to 1e9")
    }

    /// Checks a position or an offset in world space, Quake units.
    pub(crate) fn check_place(name: &'static str, place: glam::Vec3) -> Result<(), Self> {
        Self::check_all(name, place.to_array(), FARTHEST, "numbers from -1e6 to 1e6")
    }
}

/// Largest number of a vector in model space: its square times that of the length of any limb is finite.
pub(crate) const LARGEST_VECTOR: f32 = 1e9;

/// Maximum coordinate of simulated bodies in world space, Quake units.
pub const FARTHEST: f32 = 1e6;

impl std::fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is {}, expected {}", self.name, self.value, self.expected)
    }
}

impl std::error::Error for OutOfRange {}
