//! Dialects: the engines whose rules the builtins follow.

use std::ops::Range;

use crate::math::{finite_number, truncate};

/// Engine that game code was written for.
///
/// # Example
/// ```
/// use skelobj::qc::Dialect;
/// # mod engine {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs"));
/// # }
/// # use engine::Engine;
///
/// let (mut runtime, mut engine) = Engine::with_mannequin()?;
/// let object = engine.call(&mut runtime, "skel_create", &[1.0]);
/// let name = engine.text("HEAD");
/// assert_eq!(engine.call(&mut runtime, "skel_find_bone", &[object, name]), 0.0);
/// engine.dialect = Dialect::DarkPlaces; // names ignore case
/// assert_eq!(engine.call(&mut runtime, "skel_find_bone", &[object, name]), 13.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// FTE.
    ///
    /// `last` of a bone range is excluded, and 0 means to the end. The bones of new objects are zero. Names are
    /// compared case-sensitively. Frame times are positions in the animation.
    #[default]
    Fte,
    /// DarkPlaces.
    ///
    /// `last` of a bone range is included, and 0 means no bone. The bones of new objects are the identity. Names are
    /// compared case-insensitively. Frame times are start times against the clock. Blended matrices have unit axes.
    /// `gettaginfo` includes the entity's scale and sets the `gettaginfo_` globals.
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
    /// use skelobj::qc::Dialect;
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

    /// Returns `true` if two names are equal in this dialect.
    ///
    /// # Example
    /// ```
    /// use skelobj::qc::Dialect;
    ///
    /// assert!(!Dialect::Fte.same_name(b"head", b"Head"));
    /// assert!(Dialect::DarkPlaces.same_name(b"head", b"Head"));
    /// ```
    #[must_use]
    pub fn same_name(self, a: &[u8], b: &[u8]) -> bool {
        match self {
            Self::Fte => a == b,
            Self::DarkPlaces => a.eq_ignore_ascii_case(b),
        }
    }
}
