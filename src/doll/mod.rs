//! Dolls: the rigid bodies and joints of a model's ragdoll, as described by `.doll` files.
//!
//! A [`Doll`] is a plain description of bodies, joints and the reference pose of the joints. It contains no physics
//! state. A [`Runtime`](crate::Runtime) loads dolls from files (`Command::Doll`, in QuakeC
//! `skel_ragupdate(self, "doll FILE", 0)`), and [`Runtime::set_ragdoll`](crate::Runtime::set_ragdoll) attaches one to a
//! posed object.
//!
//! | task | methods |
//! |---|---|
//! | read a file and report everything wrong with it | [`Doll::parse`], [`DollProblem::report`] |
//! | read a file for a model, without the bodies that the model lacks | [`Doll::parse_for`], [`Doll::for_skeleton`] |
//! | reject a file with errors | [`Doll::parse_strict`] |
//! | check a file while editing it | [`lint`], [`decode`](decode()) |
//! | create a doll in code and save it | [`Body::new`], [`Joint::new`], [`Doll::to_text`] |
//! | create a doll for a model without one | [`fit()`] |
//! | list the words of the language | [`directives`] |
//! | test how a doll falls | [`DropTest`](crate::DropTest), or `skelobj sim` on the command line |
//!
//! The page `docs/dolls.md` explains every word of the language, and the file `dolls/mannequin.doll`, which is
//! [`assets::MANNEQUIN_DOLL`](crate::assets::MANNEQUIN_DOLL), a whole doll line by line. Bones are
//! named, so one file works for every model that has bones with those names.
//!
//! ```
//! use skelobj::doll::{self, Doll};
//! use skelobj::{Model, assets};
//!
//! let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
//! let parsed = Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton);
//! assert_eq!((parsed.doll.bodies.len(), parsed.doll.joints.len(), parsed.problems.len()), (16, 15, 0));
//!
//! let text = b"body head Head\n";
//! let problems = doll::lint(text, Some(&model));
//! assert_eq!(
//!     problems[0].report("head.doll", &doll::decode(text)).to_string(),
//!     "head.doll:1:11: error: the model has no bone `Head`, did you mean `head`?
//!   1 | body head Head
//!     |           ^^^^
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The format
//! One directive per line, words separated by blanks, `"quoted words"` (`""` inside represents one quote), `//` and
//! `/* */` comments. Directives and the words of [`Shape`] and [`JointKind`] ignore case; names do not. The text is
//! UTF-8, UTF-16 with a byte order mark, or Latin-1.
//! ```text
//! refpose skin | refpose ANIMATION SECONDS
//! body NAME BONE                    joint NAME BODY [BODY]
//!   shape box|sphere|cylinder|capsule   type fixed|point|hinge|slider|universal|hinge2|cone
//!   size X [[Y] Z]                      axis X Y Z           axis2 X Y Z
//!   mass M                              LoStop R  HiStop R   LoStop2 R  HiStop2 R
//!   density D                           swing LO HI  swing2 LO HI  twist LO HI
//!                                       muscle K [DAMPING]   slacken SECONDS
//!   animate STRENGTH                    ERP E  CFM C  FMax F ERP2 E  CFM2 C  FMax2 F
//!   offset X Y Z [PITCH YAW ROLL]       offset X Y Z
//!   orient [BONE]                       pivot BONE [X Y Z]
//!   draw 0|1                            draw 0|1             enabled 0|1
//! updatebody NAME|default           updatejoint NAME|default
//! ```
//! Attributes apply to the body or joint that was named last. Attributes of `default` become the starting values of the
//! bodies or joints below it. Names may repeat; a lookup finds the first body or joint of a name.
//!
//! # Units
//! Sizes and offsets are Quake units, stops radians from the reference pose, the angles of an offset degrees. Masses
//! have no fixed unit, densities are relative to water; `FMax` is a torque in mass * units^2 / s^2, for sliders a force
//! in mass * units / s^2; `muscle` is such a torque per radian, its damping one per radian/s.

mod attribute;
mod body;
mod bone_names;
pub(crate) mod c_number;
mod code;
mod diagnostic;
mod directive;
pub(crate) mod draft;
pub(crate) mod encoding;
pub(crate) mod fit;
mod format;
mod joint;
mod kind;
pub(crate) mod lexer;
pub(crate) mod lint;
mod message;
mod on_model;
mod parse;
mod print;
pub(crate) mod problem;
mod synonyms;

pub use body::{Body, Offset, Orient, Shape};
use bone_names::Bones;
pub(crate) use diagnostic::Quoted;
pub use directive::{Directive, DirectiveScope, directives};
use encoding::Source;
pub use encoding::{decode, encode_like};
pub use fit::{Fit, FitError, FitOptions, fit};
pub use format::format;
pub use joint::{Joint, JointKind, Stops};
pub(crate) use kind::DollProblemKind;
use kind::Requirement;
pub use lint::lint;
pub(crate) use message::DidYouMean;
pub(crate) use on_model::{DropProblem, OnModelProblem};
pub use problem::{DollProblem, Severity};

use crate::model::{Name, Skeleton};

/// Bodies and joints of a ragdoll, and the pose in which the joints are measured.
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
/// ").expect("a doll without errors");
/// assert_eq!(doll.bodies[1].shape, Shape::Sphere);
/// assert_eq!(doll.joints[0].kind, JointKind::Hinge);
/// assert_eq!(doll.joints[0].range(0), Some((-0.5, 0.5)));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Doll {
    /// Pose in which every joint is at angle 0.
    pub reference: ReferencePose,
    /// Rigid bodies, in the order of the file. Of several bodies on a bone the last one drives the bone.
    pub bodies: Vec<Body>,
    /// Joints, in the order of the file; they refer to bodies by index.
    pub joints: Vec<Joint>,
}

/// Pose of the model in which joints are measured: their anchors, their axes and the zero of their stops.
///
/// ```
/// use skelobj::doll::{Doll, ReferencePose};
///
/// let doll = Doll::parse(b"refpose 3 0.5\nbody pelvis pelvis\n").doll;
/// assert_eq!(doll.reference, ReferencePose::Animation { index: 3, time: 0.5 });
/// assert_eq!(Doll::default().reference, ReferencePose::BindPose);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ReferencePose {
    /// Bind pose (`refpose skin`), which is also the default of a doll without `refpose`.
    #[default]
    BindPose,
    /// Moment of an animation (`refpose ANIMATION SECONDS`).
    Animation {
        /// Number of the animation, 0-based.
        index: u32,
        /// Time since the start of the animation, seconds; finite and not negative.
        time: f32,
    },
}

/// Result of [`Doll::parse`]: the usable part of a doll, and all problems of its text.
///
/// ```
/// use skelobj::doll::Doll;
///
/// let parsed = Doll::parse(b"body head Head\n mass heavy\n size 4\n");
/// assert_eq!(parsed.doll.bodies[0].mass, 1.0); // the default is kept
/// assert_eq!(parsed.problems[0].to_string(), "2:7: error: `heavy` is not a number");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parsed {
    /// Usable part of the doll.
    pub doll: Doll,
    /// Problems in the order of the text; at most [`Parsed::MAX_PROBLEMS`].
    pub problems: Vec<DollProblem>,
}

impl Parsed {
    /// Maximum number of problems. The list of a text with more problems ends with
    /// one with the code `too-many-problems`, which is an error.
    pub const MAX_PROBLEMS: usize = 1000;

    /// Returns `true` if any of the problems is an error; warnings do not count.
    ///
    /// ```
    /// use skelobj::doll::Doll;
    ///
    /// let doubled = Doll::parse(b"body a hip\nbody a chest\n"); // a name that is used twice is a warning
    /// assert!(!doubled.has_errors() && doubled.problems.len() == 1);
    /// assert!(Doll::parse(b"body a\n").has_errors());
    /// ```
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|p| p.severity() == Severity::Error)
    }

    /// Returns the doll if none of the problems is an error.
    ///
    /// ```
    /// use skelobj::{Model, assets, doll::Doll};
    ///
    /// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// let doll = Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).strict().expect("a doll for this model");
    /// assert_eq!(doll.bodies.len(), 16);
    /// assert!(Doll::parse_for(b"body tail tail\n", &model.skeleton).strict().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// All problems, including warnings, if any of them is an error.
    pub fn strict(self) -> Result<Doll, Vec<DollProblem>> {
        if self.has_errors() { Err(self.problems) } else { Ok(self.doll) }
    }
}

impl Doll {
    /// Parses the text of a `.doll` file without a model: every bone that it names is assumed to exist.
    ///
    /// Parsing is lenient, as in FTE: invalid lines are reported and ignored, valid lines are kept. (FTE reports only
    /// the first problem.) An unusable number leaves its attribute unchanged, and a joint without a type is dropped.
    /// The text may be any bytes, which are [decoded](decode()); time and memory are linear in its length.
    ///
    /// ```
    /// use skelobj::doll::{Doll, decode};
    ///
    /// let text = b"body b0 link0\n shape capsul\n mass 3\n";
    /// let parsed = Doll::parse(text);
    /// assert_eq!(parsed.doll.bodies[0].mass, 3.0);
    /// assert_eq!(
    ///     parsed.problems[0].report("rope.doll", &decode(text)).to_string(),
    ///     "rope.doll:2:8: error: unknown shape `capsul`, did you mean `capsule`?
    ///   2 |  shape capsul
    ///     |        ^^^^^^
    /// "
    /// );
    /// ```
    #[must_use]
    pub fn parse(text: &[u8]) -> Parsed {
        parse::parse(&Source::of(text), None).finish()
    }

    /// Parses the text of a `.doll` file for a model. Bodies on bones that the model lacks, and joints on such bodies,
    /// are reported and skipped. A bone whose bytes are not those of the model is found if its characters are: names in
    /// models are UTF-8 or Latin-1.
    ///
    /// Bones are checked while reading, so a later body of the same name takes the place of one whose bone is missing.
    ///
    /// ```
    /// use skelobj::{Model, assets, doll::Doll};
    ///
    /// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// let text = b"body head Bip01_Head\nbody head head\n"; // for two families of models
    /// let parsed = Doll::parse_for(text, &model.skeleton);
    /// assert_eq!(parsed.doll.bodies.len(), 1);
    /// assert_eq!(parsed.doll.bodies[0].bone, *"head");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn parse_for(text: &[u8], skeleton: &Skeleton) -> Parsed {
        parse::parse(&Source::of(text), Some(skeleton)).finish()
    }

    /// Parses the text of a `.doll` file that must not have errors.
    ///
    /// ```
    /// use skelobj::doll::Doll;
    ///
    /// let problems = Doll::parse_strict(b"body a hip\n mass -1\n").unwrap_err();
    /// assert_eq!((problems[0].line, problems[0].column), (2, 7));
    /// ```
    ///
    /// # Errors
    /// All problems, including warnings, if any of them is an error.
    pub fn parse_strict(text: &[u8]) -> Result<Self, Vec<DollProblem>> {
        Self::parse(text).strict()
    }

    /// Returns the part of this doll that fits a model.
    ///
    /// Bodies on bones that the model lacks are skipped, and so are joints on such bodies. Pivots and directions that
    /// name missing bones fall back to their defaults. Names of bones become those of the model, as in
    /// [`parse_for`](Self::parse_for).
    ///
    /// ```
    /// use skelobj::{Model, assets, doll::{Body, Doll}};
    ///
    /// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// let mut doll = Doll::parse(assets::MANNEQUIN_DOLL).doll;
    /// doll.bodies.push(Body::new("tail".into(), "tail".into()));
    /// assert!(!doll.is_compatible(&model.skeleton));
    /// assert_eq!(doll.for_skeleton(&model.skeleton).bodies.len(), 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn for_skeleton(&self, skeleton: &Skeleton) -> Self {
        let bones = Bones::new(skeleton);
        let find = |bone: &Name| bones.resolve(bone);
        let mut doll = Self { reference: self.reference, ..Self::default() };
        let mut kept = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let bone = find(&body.bone);
            kept.push(bone.is_some().then_some(doll.bodies.len()));
            if let Some(bone) = bone {
                let orient = match &body.orient {
                    Some(Orient::Toward(bone)) => find(bone).map(Orient::Toward),
                    orient => orient.clone(),
                };
                doll.bodies.push(Body { bone, orient, ..body.clone() });
            }
        }
        let new_index = |old: usize| kept.get(old).copied().flatten();
        for joint in &self.joints {
            let Some(body1) = new_index(joint.body1) else { continue };
            let body2 = joint.body2.map(new_index);
            if body2 == Some(None) {
                continue;
            }
            let pivot = joint.pivot.as_ref().and_then(find);
            doll.joints.push(Joint { body1, body2: body2.flatten(), pivot, ..joint.clone() });
        }
        doll
    }

    /// Returns `true` if the model has every bone that the doll names, with the same bytes, and every joint refers to
    /// bodies of the doll.
    ///
    /// ```
    /// use skelobj::{Model, assets, doll::Doll};
    ///
    /// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// assert!(Doll::parse(assets::MANNEQUIN_DOLL).doll.is_compatible(&model.skeleton));
    /// assert!(!Doll::parse(b"body tail tail\n").doll.is_compatible(&model.skeleton));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_compatible(&self, skeleton: &Skeleton) -> bool {
        let has = |bone: &Name| skeleton.find(bone.as_bytes()).is_some();
        let toward = |body: &Body| match &body.orient {
            Some(Orient::Toward(bone)) => has(bone),
            _ => true,
        };
        // A doll made in code may name bodies that it does not have.
        let joins = |joint: &Joint| joint.body1.max(joint.body2.unwrap_or(0)) < self.bodies.len();
        self.bodies.iter().all(|body| has(&body.bone) && toward(body))
            && self.joints.iter().all(|joint| joins(joint) && joint.pivot.as_ref().is_none_or(has))
    }

    /// Returns the index of the first body with this name; the comparison is case-sensitive.
    ///
    /// ```
    /// use skelobj::{assets, doll::Doll};
    ///
    /// let doll = Doll::parse(assets::MANNEQUIN_DOLL).doll;
    /// let head = doll.find_body("head").expect("a head");
    /// assert_eq!(doll.bodies[head].mass, 4.0);
    /// assert_eq!(doll.find_body("Head"), None);
    /// ```
    #[must_use]
    pub fn find_body(&self, name: impl AsRef<[u8]>) -> Option<usize> {
        let name = name.as_ref();
        self.bodies.iter().position(|b| b.name.as_bytes() == name)
    }

    /// Returns the index of the first joint with this name; the comparison is case-sensitive.
    ///
    /// ```
    /// use skelobj::{assets, doll::Doll};
    ///
    /// let doll = Doll::parse(assets::MANNEQUIN_DOLL).doll;
    /// let neck = &doll.joints[doll.find_joint("neck").expect("a neck")];
    /// assert_eq!(Some(neck.body2), Some(doll.find_body("head")));
    /// ```
    #[must_use]
    pub fn find_joint(&self, name: impl AsRef<[u8]>) -> Option<usize> {
        let name = name.as_ref();
        self.joints.iter().position(|j| j.name.as_bytes() == name)
    }

    /// Writes the doll as a `.doll` file that [`parse`](Self::parse) reads as an equal doll, except for the `line`
    /// fields. Every number is read back with the same bits (a NaN as some NaN).
    ///
    /// The result is bytes because names are bytes. The format cannot represent names with line breaks, body and joint
    /// names longer than [`MAX_NAME`](Self::MAX_NAME) bytes, and a joint to a body that shares its name with an earlier
    /// body; parsing never produces such a doll.
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

    /// Maximum length of a body's or joint's name, bytes; longer names are cut off.
    pub const MAX_NAME: usize = 31;
}
