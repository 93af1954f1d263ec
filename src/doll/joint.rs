//! Joints of a doll.

use crate::math::Vec3;
use crate::model::Name;

/// Joint between two bodies, or between a body and the world.
///
/// [`Joint::new`] creates one with the defaults of the format; the other fields are assigned afterwards. Angles are
/// those of body 1 seen from body 2: with the child held still, a positive angle turns the parent about the axis,
/// counter-clockwise seen from the tip of the axis.
///
/// ```
/// use skelobj::doll::{Doll, Joint, JointKind, Stops};
/// use skelobj::{assets, math::Vec3};
///
/// let mut doll = Doll::parse(assets::MANNEQUIN_DOLL).doll;
/// let [thigh, shin] = [doll.find_body("thigh_l").unwrap(), doll.find_body("shin_l").unwrap()];
/// let mut knee = Joint::new("stiff_knee".into(), JointKind::Hinge, thigh, Some(shin));
/// knee.axis = Vec3::NEG_Y;
/// knee.stops[0] = Stops { lo: 0.0, hi: 0.5 };
/// doll.joints.push(knee);
/// assert!(String::from_utf8_lossy(&doll.to_text()).contains("joint stiff_knee thigh_l shin_l"));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Joint {
    /// Name by which commands refer to the joint; at most 31 bytes.
    pub name: Name,
    /// Motion that the joint allows.
    pub kind: JointKind,
    /// Body whose frame carries the axes, an index into [`Doll::bodies`](super::Doll::bodies).
    pub body1: usize,
    /// Body that the joint holds to `body1`, usually the child; `None` is the world.
    pub body2: Option<usize>,
    /// Enables the joint at the start; a disabled joint does not hold its bodies. Default `true`.
    pub enabled: bool,
    /// Asks engines that can show joints to show this one. Default `false`.
    pub draw: bool,
    /// First axis: a direction in model space in the reference pose, of any length but zero. Default 0 1 0.
    pub axis: Vec3,
    /// Second axis: a direction in model space in the reference pose, used by [`Universal`](JointKind::Universal),
    /// [`Hinge2`](JointKind::Hinge2) and [`Cone`](JointKind::Cone). Default 0 0 1.
    pub axis2: Vec3,
    /// Limits of the rotation about each axis, or of the translation along the first. Default 0 to 0: **locked**.
    pub stops: [Stops; 2],
    /// Limits of the twist of a [`Cone`](JointKind::Cone) about the third direction, axis x axis2, which lies along the
    /// limb; other joints have no twist. Default 0 to 0: **locked**.
    pub twist_stops: Stops,
    /// Share of a violated stop that is corrected per step, 0 to 1, for each axis. Default 0.2.
    pub erp: [f32; 2],
    /// Softness of the stops, for each axis; not negative. Default 0.00001. A stop yields by about torque * `cfm` /
    /// (240 * `erp`) radians, and by 0.5 at most: a hard end holds the joint there.
    pub cfm: [f32; 2],
    /// Friction about each axis: a torque in mass * (Quake units)^2 / s^2, for a slider a force in mass * Quake units /
    /// s^2; not negative. The greater of both resists the twist of a [`Cone`](JointKind::Cone). Default 0.
    pub fmax: [f32; 2],
    /// Stiffness with which a limp joint holds its pose: a torque in mass * (Quake units)^2 / s^2 per radian; not
    /// negative. Default 0: no muscle. Any stiffness is stable; great ones act as if they were smaller, as far as the
    /// masses of the joint's two bodies allow in a step of the simulation.
    pub muscle: f32,
    /// Damping of the muscle: a torque in mass * (Quake units)^2 / s^2 per radian/s; not negative. `None`, the default,
    /// is critical: the pose is reached without swinging past it.
    pub muscle_damping: Option<f32>,
    /// Time over which the muscle slackens after the joint has become limp, seconds; not negative. The stiffness falls
    /// evenly to 0, and with it a damping that is given; faster while all bodies are limp and turn together, twice as
    /// fast at a mean angular velocity (by mass) of 0.7 radians/s and five times as fast at 1.4. Default 0: the muscle
    /// never slackens. A limp ragdoll stays awake until its muscles are slack.
    pub slacken: f32,
    /// Bone at whose origin the joint is. Default: the bone of body 2, or of body 1 for a joint to the world.
    pub pivot: Option<Name>,
    /// Position of the joint relative to the pivot bone, along that bone's axes, Quake units. Default 0 0 0.
    pub offset: Vec3,
    /// Line of the file that defines the joint, 1-based; 0 for a joint made in code.
    pub line: usize,
}

impl Joint {
    /// Creates a joint with the defaults of the format.
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
            twist_stops: Stops::default(),
            erp: [0.2; 2],
            cfm: [1e-5; 2],
            fmax: [0.0; 2],
            muscle: 0.0,
            muscle_damping: None,
            slacken: 0.0,
            pivot: None,
            offset: Vec3::ZERO,
            line: 0,
        }
    }

    /// Returns the limits of axis 0 or 1, lowest first: radians from the reference pose, for a slider Quake units.
    ///
    /// `None` means that there is no limit: the joint has no such axis, does not limit it (axis 1 of a
    /// [`Hinge2`](JointKind::Hinge2)), or has stops without effect (see [`Stops::range`]). The ranges of a
    /// [`Cone`](JointKind::Cone) are the axes of its ellipse: each holds in the middle of the other.
    ///
    /// ```
    /// use skelobj::{assets, doll::Doll};
    ///
    /// let doll = Doll::parse(assets::MANNEQUIN_DOLL).doll;
    /// let knee = &doll.joints[doll.find_joint("knee_l").expect("a knee")];
    /// assert_eq!((knee.range(0), knee.range(1)), (Some((-0.1, 2.5)), None)); // a hinge has one axis
    /// ```
    #[must_use]
    pub fn range(&self, axis: usize) -> Option<(f32, f32)> {
        let stops = self.stops.get(axis)?;
        match (self.kind, axis) {
            (JointKind::Hinge | JointKind::Hinge2, 0) | (JointKind::Universal | JointKind::Cone, _) => stops.range(),
            (JointKind::Slider, 0) => stops.slide_range(),
            _ => None,
        }
    }

    /// Returns the limits of the twist of a [`Cone`](JointKind::Cone), lowest first, radians from the reference pose.
    ///
    /// `None` means that there is no limit: the joint is not a cone, or its limits have no effect (see
    /// [`Stops::range`]).
    ///
    /// ```
    /// use skelobj::doll::Doll;
    ///
    /// let text = b"body a chest\nbody b arm\njoint j a b\ntype cone\nswing -1 1\nswing2 -0.5 0.5\ntwist -0.3 1.2\n";
    /// let shoulder = &Doll::parse(text).doll.joints[0];
    /// assert_eq!((shoulder.range(0), shoulder.twist_range()), (Some((-1.0, 1.0)), Some((-0.3, 1.2))));
    /// ```
    #[must_use]
    pub fn twist_range(&self) -> Option<(f32, f32)> {
        if self.kind == JointKind::Cone { self.twist_stops.range() } else { None }
    }
}

/// Motion that a joint allows its bodies.
///
/// ```
/// use skelobj::{assets, doll::{Doll, JointKind}};
///
/// let doll = Doll::parse(assets::MANNEQUIN_DOLL).doll;
/// let hinges = doll.joints.iter().filter(|joint| joint.kind == JointKind::Hinge);
/// assert_eq!(hinges.count(), 6); // knees, ankles and elbows
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum JointKind {
    /// No motion: the bodies keep the relative pose of the reference pose.
    Fixed,
    /// Rotation about a point in all directions, without stops.
    Point,
    /// Rotation about the first axis.
    Hinge,
    /// Translation along the first axis without rotation.
    Slider,
    /// Rotation about both axes without twist.
    Universal,
    /// Rotation about both axes, like a car's steered wheel; only the first axis has stops.
    Hinge2,
    /// Rotation about both axes within an ellipse, and twist about the third direction, as in shoulders and hips.
    ///
    /// The ellipse is centred on the means of both ranges and reaches to their ends. `type universal` with a `twist`
    /// gives a cone, too; engines that do not know `twist` skip its line and read a universal joint.
    Cone,
}

impl JointKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Fixed, Self::Point, Self::Hinge, Self::Slider, Self::Universal, Self::Hinge2, Self::Cone];

    /// Returns the word for the kind in a `.doll` file.
    ///
    /// ```
    /// use skelobj::doll::JointKind;
    ///
    /// assert_eq!(JointKind::Hinge.word(), "hinge"); // `type hinge`
    /// assert!(JointKind::ALL.iter().all(|kind| kind.word() != "ball"));
    /// ```
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Point => "point",
            Self::Hinge => "hinge",
            Self::Slider => "slider",
            Self::Universal => "universal",
            Self::Hinge2 => "hinge2",
            Self::Cone => "cone",
        }
    }
}

/// Limits of a joint about one axis: radians, for a slider Quake units; 0 is the reference pose.
///
/// ```
/// use skelobj::doll::{Doll, Stops};
///
/// let text = b"body a hip\nbody b knee\njoint j a b\n type hinge\n LoStop -0.5\n HiStop 1\n";
/// let joint = &Doll::parse(text).doll.joints[0];
/// assert_eq!(joint.stops[0], Stops { lo: -0.5, hi: 1.0 });
/// assert!(joint.stops[1].is_locked()); // the default, which a hinge does not use
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stops {
    /// Low limit, set by `LoStop` or `LoStop2`.
    pub lo: f32,
    /// High limit, set by `HiStop` or `HiStop2`.
    pub hi: f32,
}

impl Stops {
    /// Returns the limits of an angle in radians, lowest first.
    ///
    /// `None` means that there is no limit: low above high, NaN, or neither of them inside half a turn.
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

    /// Returns the limits of a distance in Quake units, lowest first; either may be infinite.
    ///
    /// `None` means that there is no limit: low above high, NaN, or both infinite.
    pub(super) fn slide_range(&self) -> Option<(f32, f32)> {
        let inside = self.lo.is_finite() || self.hi.is_finite();
        (inside && self.lo <= self.hi).then_some((self.lo, self.hi))
    }

    /// Returns `true` if the limits allow a single angle or position only.
    ///
    /// ```
    /// use skelobj::doll::Stops;
    ///
    /// assert!(Stops::default().is_locked());
    /// assert!(!Stops { lo: 0.0, hi: 2.4 }.is_locked());
    /// ```
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.lo == self.hi && self.lo.is_finite()
    }
}
