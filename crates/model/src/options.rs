//! Options of loaders.

use std::ops::Range;

use crate::limits::Limits;
use crate::math::script_number::finite_number;
use crate::math::truncate;

/// Engine that a game was written for, where the rules of FTE and DarkPlaces differ.
///
/// ```
/// use skelobj::{Dialect, LoadOptions};
/// assert_eq!(LoadOptions::default().dialect, Dialect::Fte);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Dialect {
    /// FTE.
    ///
    /// In game code, `last` of a bone range is excluded, and 0 means to the end. The bones of new objects are zero.
    /// Names are compared case-sensitively. Frame times are positions in the animation.
    #[default]
    Fte,
    /// DarkPlaces.
    ///
    /// Poses of a model lose their scale; in a DPM file the root scale of the first frame goes into the distances
    /// between bones. Lines of a `.framegroups` file are `FIRST COUNT [FPS [LOOP [NAME]]]`: every line makes an
    /// animation, FPS is 20 by default and at least 1, and FIRST and COUNT are clamped to the frames of the model. An
    /// animation loops unless LOOP reads as the number 0; a word reads as 0. The 16-bit storage of poses in DarkPlaces
    /// is not reproduced.
    ///
    /// In game code, `last` of a bone range is included, and 0 means no bone. The bones of new objects are the
    /// identity. Names are compared case-insensitively. Frame times are start times against the clock. Blended matrices
    /// have unit axes. `gettaginfo` includes the entity's scale and sets the `gettaginfo_` globals.
    DarkPlaces,
}

impl Dialect {
    /// Returns the 0-based range of bones that a script's `first` and `last` mean (difference 1).
    ///
    /// The range's end may lie beyond any object. FTE truncates, then subtracts 1; DarkPlaces subtracts first. NaN and
    /// infinities are treated as 0.
    ///
    /// # Example
    /// ```
    /// use skelobj::Dialect;
    ///
    /// assert_eq!(Dialect::Fte.bones(2.0, 5.0), 1..4);
    /// assert_eq!(Dialect::DarkPlaces.bones(2.0, 5.0), 1..5);
    /// assert_eq!(Dialect::Fte.bones(2.0, 0.0), 1..usize::MAX); // to the end
    /// assert!(Dialect::DarkPlaces.bones(2.0, 0.0).is_empty());
    /// ```
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
                // A number between 0 and 1 truncates to the first bone; 0 and below means no bone.
                start..index(last).map_or(start, |last| start.max(last + 1))
            }
        }
    }
}

/// Options of every loader: limits, and the engine whose rules apply.
///
/// These options are an argument of [`Model::load_with`](crate::Model::load_with),
/// [`Player::load_with`](crate::model::Player::load_with) and
/// [`Level::from_bsp_with`](crate::level::Level::from_bsp_with), and a field of the settings of a runtime.
///
/// ```
/// use skelobj::{Dialect, LoadOptions, Model, assets};
///
/// let options = LoadOptions::default().with_dialect(Dialect::DarkPlaces);
/// let groups = |name: &str| name.ends_with(".framegroups").then(|| b"0 10\n".to_vec());
/// let model = Model::load_with(&options, "mannequin.iqm", assets::MANNEQUIN_IQM, groups)?;
/// assert_eq!((model.animations.len(), model.animations[0].rate), (1, 20.0)); // the default of DarkPlaces
/// # Ok::<(), skelobj::model::ModelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct LoadOptions {
    /// Limits of memory and contents.
    pub limits: Limits,
    /// Engine by whose rules a model is read; levels and NeL files have no such rules.
    pub dialect: Dialect,
}

impl LoadOptions {
    /// Default options: default limits, the rules of FTE.
    pub(crate) const DEFAULT: Self = Self { limits: Limits::DEFAULT, dialect: Dialect::Fte };

    /// Returns the options with other limits.
    ///
    /// ```
    /// use skelobj::{Limits, LoadOptions, Model, assets};
    ///
    /// let mut limits = Limits::default();
    /// limits.frames = 20;
    /// let options = LoadOptions::default().with_limits(limits);
    /// let error = Model::load_with(&options, "mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap_err();
    /// assert!(error.to_string().contains("frames, the limit is 20"), "{error}");
    /// ```
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Returns the options with the rules of another engine.
    #[must_use]
    pub const fn with_dialect(self, dialect: Dialect) -> Self {
        Self { dialect, ..self }
    }
}
