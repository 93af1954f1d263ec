//! Joints of a doll.

use crate::math::Vec3;
use crate::model::Name;

/// A joint between two bodies, or between a body and the world; made by [`Joint::new`], its other fields assigned
/// afterwards.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Joint {
    /// Name by which commands refer to the joint; at most 31 bytes.
    pub name: Name,
    /// Motion that the joint allows.
    pub kind: JointKind,
    /// The body whose frame carries the axes, an index into [`Doll::bodies`](super::Doll::bodies).
    pub body1: usize,
    /// The other body, usually the child; `None` is the world.
    pub body2: Option<usize>,
    /// State at the start: an enabled joint holds. Default yes.
    pub enabled: bool,
    /// Flag for engines that show joints on request: this one is shown. Default no.
    pub draw: bool,
    /// First axis: a direction in model space in the reference pose, of any length but zero. Default 0 1 0.
    pub axis: Vec3,
    /// Second axis, as the first; used by [`Universal`](JointKind::Universal) and [`Hinge2`](JointKind::Hinge2).
    /// Default 0 0 1.
    pub axis2: Vec3,
    /// Limits of the turn about each axis (or of the slide along the first). Default 0 to 0: **locked**.
    pub stops: [Stops; 2],
    /// Share of a violated stop that is repaired per step, 0 to 1, for each axis. Default 0.2.
    pub erp: [f32; 2],
    /// Softness of the stops, for each axis; not negative. Default 0.00001.
    pub cfm: [f32; 2],
    /// Friction about each axis: torque in mass * (Quake units)^2 / s^2, for a slider force in
    /// mass * Quake units / s^2; not negative. Default 0.
    pub fmax: [f32; 2],
    /// The bone at whose origin the joint stands. Default: the bone of body 2, of body 1 for a joint to the world.
    pub pivot: Option<Name>,
    /// Place of the joint from the pivot bone, along that bone's axes, Quake units. Default 0 0 0.
    pub offset: Vec3,
    /// The line of the file that makes it, 1-based; 0 for a joint made by code.
    pub line: usize,
}

impl Joint {
    /// A joint with the defaults of the format.
    ///
    /// ```
    /// use skelobj::doll::{Joint, JointKind};
    /// let neck = Joint::new("neck".into(), JointKind::Hinge, 0, Some(1));
    /// assert!(neck.stops[0].is_locked());
    /// ```
    #[must_use]
    pub fn new(name: Name, kind: JointKind, body1: usize, body2: Option<usize>) -> Self {
        Self {
            name,
            kind,
            body1,
            body2,
            enabled: true,
            draw: false,
            axis: Vec3::Y,
            axis2: Vec3::Z,
            stops: [Stops::default(); 2],
            erp: [0.2; 2],
            cfm: [1e-5; 2],
            fmax: [0.0; 2],
            pivot: None,
            offset: Vec3::ZERO,
            line: 0,
        }
    }

    /// Returns the limits of axis 0 or 1, lowest first: radians from the reference pose, for a slider Quake units.
    /// `None` where there is no limit: the joint has no such axis or never limits it (axis 1 of a
    /// [`Hinge2`](JointKind::Hinge2)), or the stops say so.
    #[must_use]
    pub fn range(&self, axis: usize) -> Option<(f32, f32)> {
        let stops = self.stops.get(axis)?;
        match (self.kind, axis) {
            (JointKind::Hinge | JointKind::Hinge2, 0) | (JointKind::Universal, _) => stops.range(),
            (JointKind::Slider, 0) => stops.slide_range(),
            _ => None,
        }
    }
}

/// The motion that a joint allows its bodies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum JointKind {
    /// None: the bodies keep the relative pose of the reference pose.
    Fixed,
    /// Turns any way about a point, without stops.
    Point,
    /// Turns about the first axis.
    Hinge,
    /// Slides along the first axis without turning.
    Slider,
    /// Turns about both axes without twisting.
    Universal,
    /// Turns about both axes, like a car's steered wheel; only the first has stops.
    Hinge2,
}

impl JointKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [Self::Fixed, Self::Point, Self::Hinge, Self::Slider, Self::Universal, Self::Hinge2];

    /// Returns the word for the kind in a `.doll` file.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Point => "point",
            Self::Hinge => "hinge",
            Self::Slider => "slider",
            Self::Universal => "universal",
            Self::Hinge2 => "hinge2",
        }
    }
}

/// The limits of a joint about one axis: radians, for a slider Quake units; 0 is the reference pose.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stops {
    /// `LoStop`.
    pub lo: f32,
    /// `HiStop`.
    pub hi: f32,
}

impl Stops {
    /// Returns the limits of an angle, lowest first; `None` if there are none: low above high, NaN, or neither of them
    /// inside half a turn.
    ///
    /// ```
    /// use skelobj::doll::Stops;
    /// assert_eq!(Stops { lo: -0.5, hi: 1.0 }.range(), Some((-0.5, 1.0)));
    /// assert_eq!(Stops { lo: 1.0, hi: 0.0 }.range(), None);
    /// assert_eq!(Stops { lo: -4.0, hi: 4.0 }.range(), None);
    /// ```
    #[must_use]
    pub fn range(&self) -> Option<(f32, f32)> {
        let inside = self.lo > -std::f32::consts::PI || self.hi < std::f32::consts::PI;
        (inside && self.lo <= self.hi).then_some((self.lo, self.hi))
    }

    /// Returns the limits of a distance, lowest first; either may be infinite. `None` if there are none: low above
    /// high, NaN, or both infinite.
    #[must_use]
    pub fn slide_range(&self) -> Option<(f32, f32)> {
        let inside = self.lo.is_finite() || self.hi.is_finite();
        (inside && self.lo <= self.hi).then_some((self.lo, self.hi))
    }

    /// Returns whether the limits leave one angle (or place) only.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.lo == self.hi && self.lo.is_finite()
    }
}
