//! Properties of liquids, and the error of calls about water.

use glam::Vec3;

use crate::out_of_range::{FARTHEST, OutOfRange};

/// Properties of a liquid.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::physics::Liquid;
///
/// let river = Liquid::WATER.with_current(Vec3::X * 60.0);
/// assert_eq!((river.density, river.drag), (1.0, 4.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Liquid {
    /// Density relative to water. A body floats if its own `density` is less. From 0 to
    /// 1e6; at 0 nothing floats.
    pub density: f32,
    /// Rate at which the motion of a submerged body approaches the current, 1/s, from 0 to 1e6. Turning slows down at
    /// this rate, too.
    pub drag: f32,
    /// Velocity of the liquid, world space, units/s.
    pub current: Vec3,
}

impl Liquid {
    /// Water, with the friction of Quake's swimming (`sv_waterfriction` 4).
    pub const WATER: Self = Self { density: 1.0, drag: 4.0, current: Vec3::ZERO };
    /// Slime, which is thicker and slightly denser than water.
    pub const SLIME: Self = Self { density: 1.1, drag: 10.0, current: Vec3::ZERO };
    /// Lava, which is as dense as two waters and hard to move in.
    pub const LAVA: Self = Self { density: 2.0, drag: 20.0, current: Vec3::ZERO };

    /// Returns the liquid with another density, relative to water.
    #[must_use]
    pub fn with_density(self, density: f32) -> Self {
        Self { density, ..self }
    }

    /// Returns the liquid with another drag, 1/s.
    #[must_use]
    pub fn with_drag(self, drag: f32) -> Self {
        Self { drag, ..self }
    }

    /// Returns the liquid with another current, world space, units/s.
    #[must_use]
    pub fn with_current(self, current: Vec3) -> Self {
        Self { current, ..self }
    }

    /// Checks that every number is in range.
    ///
    /// ```
    /// use skelobj::physics::Liquid;
    ///
    /// let error = Liquid::WATER.with_density(f32::NAN).check().unwrap_err();
    /// assert_eq!(error.to_string(), "density is NaN, expected a number from 0 to 1e6");
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] names the first number that is NaN, negative or above a million.
    pub fn check(&self) -> Result<(), OutOfRange> {
        for (name, value) in [("density", self.density), ("drag", self.drag)] {
            OutOfRange::check((0.0..=FARTHEST).contains(&value), name, value, "a number from 0 to 1e6")?;
        }
        OutOfRange::check_place("current", self.current)
    }
}

/// Error of adding or changing water. The physics world is unchanged.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::physics::{Liquid, LiquidVolume, Physics, WaterError};
///
/// let mut physics = Physics::default();
/// let pool = physics.add_water(LiquidVolume::new_box(Vec3::ZERO, Vec3::splat(64.0))?, Liquid::WATER)?;
/// physics.remove_water(pool);
/// assert_eq!(physics.set_water_liquid(pool, Liquid::LAVA), Err(WaterError::NoSuchWater));
/// # Ok::<(), WaterError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum WaterError {
    /// Number that is NaN, negative or too large.
    OutOfRange(OutOfRange),
    /// Box without volume, empty list of planes, or plane without a direction.
    Flat,
    /// Volume with more planes than [`LiquidVolume::MAX_PLANES`](super::LiquidVolume::MAX_PLANES).
    TooManyPlanes,
    /// World that already has 16,383 volumes of water.
    TooManyWaters,
    /// Id that no water has, or no longer has.
    NoSuchWater,
}

impl std::fmt::Display for WaterError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OutOfRange(error) => error.fmt(f),
            Self::Flat => f.write_str("the box has no volume, there are no planes, or a plane has no direction"),
            Self::TooManyPlanes => {
                write!(f, "the volume has more than {} planes, the maximum", super::LiquidVolume::MAX_PLANES)
            }
            Self::TooManyWaters => f.write_str("the world already has 16,383 volumes of water, the maximum"),
            Self::NoSuchWater => f.write_str("no water has this id"),
        }
    }
}

impl std::error::Error for WaterError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::OutOfRange(error) => Some(error),
            _ => None,
        }
    }
}

impl From<OutOfRange> for WaterError {
    fn from(error: OutOfRange) -> Self {
        Self::OutOfRange(error)
    }
}
