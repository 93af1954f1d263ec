//! The engine whose rules the builtins follow.

use std::ops::Range;

use crate::math::{finite_number, truncate};

/// The engine that game code was written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// FTE: `last` of a bone range is excluded, 0 means to the end; new objects are zero; names go by case; frame times
    /// are positions in the animation.
    #[default]
    Fte,
    /// DarkPlaces: `last` is included, 0 means nothing; new objects are the identity; case does not matter; frame times
    /// are start times against the clock; blends are made of unit axes; gettaginfo knows scale and fills its extra
    /// globals.
    DarkPlaces,
}

impl Dialect {
    /// The 0-based range of bones that a script's `first` and `last` mean (ruling 1); its end may lie beyond any object.
    ///
    /// FTE truncates, then subtracts 1; DarkPlaces subtracts first. NaN and infinities count as 0.
    #[inline]
    #[must_use]
    pub fn bones(self, first: f32, last: f32) -> Range<usize> {
        match self {
            Self::Fte => {
                let (start, last) = (truncate(first).max(1) as usize - 1, truncate(last));
                start..if last > 0 { start.max(last as usize - 1) } else { usize::MAX }
            }
            Self::DarkPlaces => {
                let index = |number: f32| usize::try_from(truncate(finite_number(number) - 1.0)).ok();
                let start = index(first).unwrap_or(0);
                // Between 0 and 1 truncates to the first bone, 0 and below is nothing.
                start..index(last).map_or(start, |last| start.max(last + 1))
            }
        }
    }

    /// Returns whether two names are equal.
    #[must_use]
    pub fn same_name(self, a: &[u8], b: &[u8]) -> bool {
        match self {
            Self::Fte => a == b,
            Self::DarkPlaces => a.eq_ignore_ascii_case(b),
        }
    }
}
