//! Dolls: the rigid bodies and joints of a model's ragdoll, as described by `.doll` files.
//!
//! A [`Doll`] is a plain table: bodies, joints and the pose they are measured in. [`Doll::parse`] reads one from text
//! and collects everything that is wrong with it; [`Doll::to_text`] writes it back; [`lint`] adds the advice a linter
//! gives. Bones are named, so one file serves every model that has bones of those names: [`Doll::parse_for`] leaves
//! out what a given model lacks.
//!
//! # The format
//! One directive per line, words separated by blanks, `"quoted words"` (`""` inside is one quote), `//` and `/* */`
//! comments. Directives and the words of [`Shape`] and [`JointKind`] ignore case; names do not.
//! ```text
//! refpose skin | refpose ANIMATION SECONDS
//! body NAME BONE                    joint NAME BODY [BODY]
//!   shape box|sphere|cylinder|capsule   type fixed|point|hinge|slider|universal|hinge2
//!   size X [[Y] Z]                      axis X Y Z           axis2 X Y Z
//!   mass M                              LoStop R  HiStop R   LoStop2 R  HiStop2 R
//!   animate STRENGTH                    ERP E  CFM C  FMax F ERP2 E  CFM2 C  FMax2 F
//!   offset X Y Z [PITCH YAW ROLL]       offset X Y Z
//!   orient [BONE]                       pivot BONE [X Y Z]
//!   draw 0|1                            draw 0|1  enabled 0|1
//! updatebody NAME|default           updatejoint NAME|default
//! ```
//! Attributes belong to the last object named. What is set on `default` becomes the starting value of the objects that
//! follow. Names may repeat; the first one is found.

mod attribute;
mod body;
mod bones;
mod diagnostic;
mod draft;
mod joint;
mod kind;
pub(crate) mod lexer;
mod lint;
pub(crate) mod number;
mod parse;
mod print;
mod problem;
mod suggest;

pub use body::{Body, Offset, Orient, Shape};
pub use diagnostic::Diagnostic;
pub use joint::{Joint, JointKind, Stops};
pub use kind::{DollProblemKind, Requirement};
pub use lint::lint;
pub use problem::{DollProblem, Severity};

use crate::model::Skeleton;

/// Bodies, joints, and the pose in which the joints are at rest.
///
/// ```
/// use skelobj::doll::{Doll, JointKind, Shape};
///
/// let doll = Doll::parse_strict(b"
/// body torso spine
///     shape capsule
///     size 12 12 20
/// body head Head
///     shape sphere
///     size 8
/// joint neck torso head
///     type hinge
///     LoStop -0.5
///     HiStop 0.5
/// ").expect("nothing wrong with it");
/// assert_eq!(doll.bodies[1].shape, Shape::Sphere);
/// assert_eq!(doll.joints[0].kind, JointKind::Hinge);
/// assert_eq!(doll.joints[0].range(0), Some((-0.5, 0.5)));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Doll {
    /// The pose in which every joint stands at angle 0.
    pub reference: ReferencePose,
    /// Rigid bodies, in the order of the file. A later body on the same bone drives the bone.
    pub bodies: Vec<Body>,
    /// Joints, in the order of the file; they name bodies by their index.
    pub joints: Vec<Joint>,
}

/// The pose of the model that joints are measured in: their anchors, axes and the zero of their stops.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ReferencePose {
    /// The bind pose (`refpose skin`, and what a doll without `refpose` has).
    #[default]
    BindPose,
    /// A moment of an animation (`refpose ANIMATION SECONDS`).
    Animation {
        /// The animation's number, 0-based.
        index: u32,
        /// Seconds from its start; finite, not negative.
        time: f32,
    },
}

/// The result of [`Doll::parse`]: the working part of a doll, and everything wrong with its text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parsed {
    /// The part of the doll that could be understood.
    pub doll: Doll,
    /// Problems in the order of the text; at most [`Parsed::MAX_PROBLEMS`] of them.
    pub problems: Vec<DollProblem>,
}

impl Parsed {
    /// The most problems that are kept. A text with more ends with
    /// [`DollProblemKind::TooManyProblems`], which is an error.
    pub const MAX_PROBLEMS: usize = 1000;

    /// Returns whether any of the problems is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|p| p.severity == Severity::Error)
    }

    /// Returns the doll if none of the problems is an error.
    ///
    /// # Errors
    /// All problems, warnings too, if any of them is an error.
    pub fn strict(self) -> Result<Doll, Vec<DollProblem>> {
        if self.has_errors() { Err(self.problems) } else { Ok(self.doll) }
    }
}

impl Doll {
    /// Reads the text of a `.doll` file for no model in particular: every bone it names is believed to exist.
    ///
    /// Lenient: lines that are wrong are reported and left out, good ones count, as in FTE (which reports only the
    /// first). A number that cannot be used leaves its attribute as it was, a joint without a type is dropped. The
    /// text may be any bytes; time and memory are linear in its length.
    ///
    /// ```
    /// use skelobj::doll::Doll;
    ///
    /// let text = b"body b0 link0\n shape capsul\n mass 3\n";
    /// let parsed = Doll::parse(text);
    /// assert_eq!(parsed.doll.bodies[0].mass, 3.0);
    /// assert_eq!(
    ///     parsed.problems[0].report("rope.doll", text).to_string(),
    ///     "rope.doll:2:8: error: unknown shape `capsul`, did you mean `capsule`?
    ///   2 |  shape capsul
    ///     |        ^^^^^^
    /// "
    /// );
    /// ```
    #[must_use]
    pub fn parse(text: &[u8]) -> Parsed {
        parse::parse(text, None).finish()
    }

    /// Reads the text of a `.doll` file for a model: bodies on bones that it lacks, and joints between such bodies, are
    /// reported and left out.
    ///
    /// Bones are checked while reading, so that a later body of the same name takes the place of one whose bone is
    /// missing.
    #[must_use]
    pub fn parse_for(text: &[u8], skeleton: &Skeleton) -> Parsed {
        parse::parse(text, Some(skeleton)).finish()
    }

    /// Reads the text of a `.doll` file that has to be right.
    ///
    /// # Errors
    /// Everything that is wrong with it; warnings alone do not count.
    pub fn parse_strict(text: &[u8]) -> Result<Self, Vec<DollProblem>> {
        Self::parse(text).strict()
    }

    /// Returns the part of this doll that a model can have: without bodies on bones that it lacks and joints on such
    /// bodies; pivots and directions that name missing bones fall back to their defaults.
    #[must_use]
    pub fn for_skeleton(&self, skeleton: &Skeleton) -> Self {
        let has = |bone: &crate::model::Name| skeleton.find(bone.as_bytes()).is_some();
        let mut doll = Self { reference: self.reference, ..Self::default() };
        let mut kept = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            kept.push(has(&body.bone).then_some(doll.bodies.len()));
            if has(&body.bone) {
                let mut body = body.clone();
                body.orient = body.orient.filter(|o| !matches!(o, Orient::Toward(bone) if !has(bone)));
                doll.bodies.push(body);
            }
        }
        let new_index = |old: usize| kept.get(old).copied().flatten();
        for joint in &self.joints {
            let Some(body1) = new_index(joint.body1) else { continue };
            let body2 = joint.body2.map(new_index);
            if body2 == Some(None) {
                continue;
            }
            let pivot = joint.pivot.clone().filter(&has);
            doll.joints.push(Joint { body1, body2: body2.flatten(), pivot, ..joint.clone() });
        }
        doll
    }

    /// Returns whether the model has every bone that the doll names.
    #[must_use]
    pub fn is_compatible(&self, skeleton: &Skeleton) -> bool {
        let has = |bone: &crate::model::Name| skeleton.find(bone.as_bytes()).is_some();
        let toward = |body: &Body| match &body.orient {
            Some(Orient::Toward(bone)) => has(bone),
            _ => true,
        };
        // A doll made by code may name bodies that it does not have.
        let joins = |joint: &Joint| joint.body1.max(joint.body2.unwrap_or(0)) < self.bodies.len();
        self.bodies.iter().all(|body| has(&body.bone) && toward(body))
            && self.joints.iter().all(|joint| joins(joint) && joint.pivot.as_ref().is_none_or(has))
    }

    /// Returns the index of the first body of this name; case matters.
    #[must_use]
    pub fn find_body(&self, name: &[u8]) -> Option<usize> {
        self.bodies.iter().position(|b| b.name.as_bytes() == name)
    }

    /// Returns the index of the first joint of this name; case matters.
    #[must_use]
    pub fn find_joint(&self, name: &[u8]) -> Option<usize> {
        self.joints.iter().position(|j| j.name.as_bytes() == name)
    }

    /// Writes the doll as a `.doll` file that [`parse`](Self::parse) reads as an equal doll, except for the `line`s;
    /// every number comes back with the same bits (a NaN as some NaN).
    ///
    /// Bytes, because names are. The format cannot hold names with line breaks, body and joint names longer than
    /// [`MAX_NAME`](Self::MAX_NAME) bytes, or a joint to a body that shares its name with an earlier one; parsing never
    /// makes such a doll.
    ///
    /// ```
    /// use skelobj::doll::{Body, Doll};
    ///
    /// let mut doll = Doll::default();
    /// doll.bodies.push(Body::new("head".into(), "Bip01 Head".into()));
    /// assert_eq!(doll.to_text(), b"body head \"Bip01 Head\"\n\tshape box\n\tsize 4\n");
    /// ```
    #[must_use]
    pub fn to_text(&self) -> Vec<u8> {
        print::print(self)
    }

    /// Bytes of a body's or joint's name that count; the rest is cut off.
    pub const MAX_NAME: usize = 31;
}
