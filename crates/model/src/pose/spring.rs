//! Springs: what swings, how, and what it keeps from frame to frame.

use glam::{Affine3A, Vec3A};

use super::size::check_frame;
use super::spring_motion::Pendulum;
use super::{Chain, PosingError, bone_list};
use crate::math::{Mat3x4, Vec3};
use crate::model::Skeleton;
use crate::out_of_range::OutOfRange;

/// Greatest number of colliders of a spring.
pub(super) const MAX_COLLIDERS: usize = 8;

/// Rounds over the colliders in a frame: the length of the bone takes a part of each push back.
const ROUNDS: usize = 4;

/// Capsule on a bone that keeps a spring out; a sphere if both ends are the same.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::pose::SpringCollider;
/// let back = SpringCollider { bone: 9, from: Vec3::ZERO, to: Vec3::X * 10.0, radius: 5.0 };
/// assert_eq!(back.radius, 5.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpringCollider {
    /// Bone that carries the capsule, 0-based.
    pub bone: usize,
    /// One end of the axis, in the bone's own space.
    pub from: Vec3,
    /// Other end of the axis, in the bone's own space.
    pub to: Vec3,
    /// Radius, Quake units of the model.
    pub radius: f32,
}

/// Chain of bones that swings: a tail, hair, an antenna.
///
/// Each bone is a pendulum in world space on a damped spring, which pulls it to where the animation has it and a part
/// of the way to where the bone above swung; it lags where the character moves. The motion of the character and gravity
/// pull harder at a bone the farther it is from the start. The chain bends evenly, and its end moves as far as that of
/// a single bone as long as the chain, or up to half as far again. The motion of a spring between two frames is the
/// exact one, so that it hardly depends on the frame rate and cannot explode. Bones only turn and keep their lengths. A
/// spring is not a ragdoll: nothing of the level holds it up.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::pose::Spring;
/// let mut object = skelobj::assets::mannequin_object();
/// let arm = Spring::parse(&object.model().skeleton, "upperarm_l, hand_l")?.with_frequency(1.5);
/// for frame in 0..30 {
///     // In a game, after the build of the frame.
///     let entity = Mat3x4::from_translation([8.0 * frame as f32, 0.0, 0.0].into());
///     let mut posed = object.clone();
///     posed.swing(&arm, &entity, 1.0 / 60.0)?;
///     object = posed;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Spring {
    pub(super) chain: Chain,
    /// Swings per second without damping, 0.01 to 100. Default 2.
    pub frequency: f32,
    /// Damping ratio, from 0, with which a single bone swings for ever, to 1, with which it does not overshoot. Default
    /// 0.3.
    pub damping: f32,
    /// Part of the swing of the bone above that a bone follows, 0 to 1. With 0, each bone swings for itself; with more,
    /// the chain swings wider and more slowly. Default 0.5.
    pub share: f32,
    /// Acceleration in world space, Quake units per second squared. Default 0: the animation has the tail as it hangs.
    pub gravity: Vec3,
    /// Greatest angle from the animation, radians. Default: half a turn, but for 2 degrees none.
    pub limit: f32,
    /// Radius of the bones for colliders, Quake units of the model. Default 0.
    pub radius: f32,
    /// Distance from where its speed would have brought it, in lengths of the chain, beyond which the start of the
    /// chain has jumped, so that the spring begins anew; 0 for never. Default 4.
    pub teleport: f32,
    /// Part of the swing that is shown, 0 to 1. Default 1.
    pub weight: f32,
    colliders: [Option<SpringCollider>; MAX_COLLIDERS],
}

/// Motion of a spring's bones, from one frame to the next.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::pose::{self, Spring, SpringState};
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let arm = Spring::parse(skeleton, "upperarm_l, hand_l")?;
/// let mut state = SpringState::default(); // begins in the pose of the first frame
/// let mut local = skeleton.bind_local().to_vec();
/// pose::swing(skeleton.parents(), &mut local, &arm, &mut state, &Mat3x4::IDENTITY, 1.0 / 60.0)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpringState {
    pub(super) tips: Vec<Tip>,
    /// Start of the chain, world space.
    pub(super) start: Vec3A,
    /// Speed of the start over the last frame, unless the spring began in it.
    pub(super) speed: Option<Vec3A>,
    /// Matrices of the bones in local space before and after the last swing in model space.
    pub(super) kept: Vec<[Mat3x4; 2]>,
}

/// A bone in the last frame, world space.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Tip {
    /// Direction in the animation.
    pub animated: Vec3A,
    /// Direction as it swung.
    pub along: Vec3A,
    /// Angular velocity, radians per second.
    pub velocity: Vec3A,
}

impl SpringState {
    /// Returns the number of bones whose motion is known.
    pub(crate) fn bones(&self) -> usize {
        self.tips.len()
    }

    /// Lets the springs begin anew in the pose of the next frame, at rest.
    ///
    /// ```
    /// use skelobj::pose::SpringState;
    /// let mut state = SpringState::default();
    /// state.reset();
    /// assert_eq!(state, SpringState::default());
    /// ```
    pub fn reset(&mut self) {
        self.tips.clear();
    }
}

impl Spring {
    /// Creates the spring of the bones from a name to another below it, separated by a comma: "tail1, tail6".
    ///
    /// The last bone is the end and does not turn.
    ///
    /// ```
    /// use skelobj::pose::Spring;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// assert!(Spring::parse(&skeleton, "upperarm_l, hand_l").is_ok());
    /// assert!(Spring::parse(&skeleton, "tail1, tail6").is_err());
    /// ```
    ///
    /// # Errors
    /// Those of [`Chain::parse`].
    pub fn parse(skeleton: &Skeleton, text: impl AsRef<[u8]>) -> Result<Self, PosingError> {
        Ok(Self::new(Chain::parse(skeleton, text)?))
    }

    /// Creates the spring of a chain of bones, of which the numbers for reaching do not count.
    ///
    /// ```
    /// use skelobj::pose::{Chain, Spring};
    /// let mannequin = skelobj::assets::mannequin();
    /// let arm = Spring::new(Chain::parse(&mannequin.skeleton, "upperarm_l, hand_l")?);
    /// assert_eq!((arm.frequency, arm.damping), (2.0, 0.3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(chain: Chain) -> Self {
        Self {
            chain,
            frequency: 2.0,
            damping: 0.3,
            share: 0.5,
            gravity: Vec3::ZERO,
            limit: std::f32::consts::PI,
            radius: 0.0,
            teleport: 4.0,
            weight: 1.0,
            colliders: [None; MAX_COLLIDERS],
        }
    }

    /// Returns the spring with a frequency, swings per second from 0.01 to 100.
    #[must_use]
    pub fn with_frequency(mut self, frequency: f32) -> Self {
        self.frequency = frequency;
        self
    }

    /// Returns the spring with a damping ratio from 0 to 1.
    #[must_use]
    pub fn with_damping(mut self, damping: f32) -> Self {
        self.damping = damping;
        self
    }

    /// Returns the spring with the part of the swing above that its bones follow, from 0 to 1.
    #[must_use]
    pub fn with_share(mut self, share: f32) -> Self {
        self.share = share;
        self
    }

    /// Returns the spring with an acceleration in world space, Quake units per second squared.
    #[must_use]
    pub fn with_gravity(mut self, gravity: Vec3) -> Self {
        self.gravity = gravity;
        self
    }

    /// Returns the spring with a greatest angle from the animation, radians.
    #[must_use]
    pub fn with_limit(mut self, limit: f32) -> Self {
        self.limit = limit;
        self
    }

    /// Returns the spring with a radius of its bones, Quake units of the model.
    #[must_use]
    pub fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self
    }

    /// Returns the spring with a weight from 0 to 1.
    #[must_use]
    pub fn with_weight(mut self, weight: f32) -> Self {
        self.weight = weight;
        self
    }

    /// Returns the spring with one more collider; `None` if it has eight.
    #[must_use]
    pub fn with_collider(mut self, collider: SpringCollider) -> Option<Self> {
        *self.colliders.iter_mut().find(|free| free.is_none())? = Some(collider);
        Some(self)
    }

    /// Returns the spring with colliders from a text: names of bones, each with a radius in Quake units of the model,
    /// separated by commas: "chest 7, pelvis 6". A capsule reaches from the bone to its first child, a sphere is around
    /// a bone without one.
    ///
    /// ```
    /// use skelobj::pose::Spring;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// let arm = Spring::parse(&skeleton, "upperarm_l, hand_l")?;
    /// assert!(arm.clone().with_colliders(&skeleton, "chest 7, pelvis 6").is_ok());
    /// assert!(arm.with_colliders(&skeleton, "tail 7").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::NoBoneNamed`], [`PosingError::BadEntry`] for an entry that is not a bone and a number,
    /// [`PosingError::TooManyBones`] for more than eight colliders.
    pub fn with_colliders(mut self, skeleton: &Skeleton, text: impl AsRef<[u8]>) -> Result<Self, PosingError> {
        for entry in bone_list::entries(text.as_ref()) {
            let read = bone_list::split_last(entry)
                .and_then(|(name, radius)| Some((skeleton.find(name)?, bone_list::number(radius)?)));
            let expected = "a bone and a number between commas";
            let (bone, radius) = read.ok_or_else(|| bone_list::misread(skeleton, entry, expected))?;
            let child = (bone + 1..skeleton.len()).find(|child| skeleton.parent(*child) == Some(bone));
            let to = child.map_or(Vec3::ZERO, |child| skeleton.bind_local()[child].origin());
            let collider = SpringCollider { bone, from: Vec3::ZERO, to, radius };
            self = self.with_collider(collider).ok_or(PosingError::TooManyBones { most: MAX_COLLIDERS })?;
        }
        Ok(self)
    }

    /// Returns the bones that turn, from the start to the one above the end.
    ///
    /// ```
    /// use skelobj::pose::Spring;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// assert!(Spring::parse(&skeleton, "upperarm_l, hand_l")?.bones().eq([14, 15]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bones(&self) -> impl Iterator<Item = usize> {
        self.chain.bones()
    }

    /// Holds a bone out of colliders, in a few rounds, as one may push it into another.
    pub(super) fn hold_out(&self, bone: &mut Pendulum, whole: &Affine3A, capsules: &[Capsule]) {
        let (length, radius) = (bone.length, self.radius * Mat3x4::from(*whole).scale());
        for _round in 0..ROUNDS {
            let mut is_free = true;
            for capsule in capsules {
                if let Some([along, out]) = capsule.way_out(whole.translation, bone.along, length, radius) {
                    bone.point(along, out, self.limit);
                    is_free = false;
                }
            }
            if is_free {
                break;
            }
        }
    }

    /// Fills the capsules of the colliders on bones, whose matrices in world space `place` returns.
    pub(super) fn capsules<'a>(
        &self,
        capsules: &'a mut [Capsule; MAX_COLLIDERS],
        place: impl Fn(usize) -> Mat3x4,
    ) -> &'a [Capsule] {
        let mut count = 0;
        for (capsule, collider) in capsules.iter_mut().zip(self.colliders.iter().flatten()) {
            *capsule = Capsule::new(collider, &place(collider.bone));
            count += 1;
        }
        &capsules[..count]
    }

    /// Returns the error for a bone without an inverse, by its place in the chain.
    pub(super) fn singular(&self, at: usize) -> PosingError {
        PosingError::Singular { bone: self.chain.bones().nth(at).unwrap_or(0) }
    }

    pub(super) fn check(
        &self,
        parents: &[i32],
        local: &[Mat3x4],
        entity: &Mat3x4,
        seconds: f32,
    ) -> Result<(), PosingError> {
        self.chain.check(parents, local, Vec3::ZERO)?;
        let within = |is_within, name, value: f32, expected| OutOfRange::check(is_within, name, value, expected);
        within((0.01..=100.0).contains(&self.frequency), "frequency", self.frequency, "0.01 to 100 swings a second")?;
        within((0.0..=1.0).contains(&self.damping), "damping", self.damping, "a number from 0 to 1")?;
        within((0.0..=1.0).contains(&self.share), "share", self.share, "a number from 0 to 1")?;
        within((0.0..=1.0).contains(&self.weight), "weight", self.weight, "a number from 0 to 1")?;
        within(self.limit >= 0.0, "limit", self.limit, "a number of radians from 0")?;
        within(self.teleport >= 0.0, "teleport", self.teleport, "a number from 0")?;
        within((0.0..=1e6).contains(&self.radius), "radius", self.radius, "a number from 0 to 1e6")?;
        check_frame(entity, seconds)?;
        OutOfRange::check_all("gravity", self.gravity.to_array(), 1e6, "numbers from -1e6 to 1e6")?;
        for collider in self.colliders.iter().flatten() {
            let numbers = collider.from.to_array().into_iter().chain(collider.to.to_array()).chain([collider.radius]);
            OutOfRange::check_all("collider", numbers, 1e6, "numbers from -1e6 to 1e6")?;
            if collider.bone >= parents.len().min(local.len()) {
                return Err(PosingError::NoSuchBone { bone: collider.bone });
            }
        }
        Ok(())
    }
}

/// Collider in world space.
#[derive(Clone, Copy, Default)]
pub(super) struct Capsule {
    from: Vec3A,
    axis: Vec3A,
    radius: f32,
}

impl Capsule {
    fn new(collider: &SpringCollider, bone: &Mat3x4) -> Self {
        let [from, to] = [collider.from, collider.to].map(|end| Vec3A::from(bone.transform_point(end)));
        Self { from, axis: to - from, radius: collider.radius * bone.scale() }
    }

    /// Returns the direction in which a bone of a radius lies outside of the capsule, and the way out; `None` if it is
    /// not inside.
    fn way_out(&self, start: Vec3A, along: Vec3A, length: f32, radius: f32) -> Option<[Vec3A; 2]> {
        let (apart, own) = (start - self.from, self.axis.length_squared());
        let (beside, ahead) = (along.dot(self.axis), along.dot(apart));
        // The nearest points of both axes.
        let mut at = (-ahead).clamp(0.0, length);
        let mut share = 0.0;
        if own > 0.0 {
            let across = self.axis.dot(apart);
            let skew = own - beside * beside;
            if skew > 1e-6 * own {
                at = ((beside * across - ahead * own) / skew).clamp(0.0, length);
            }
            share = ((beside * at + across) / own).clamp(0.0, 1.0);
            at = (beside * share - ahead).clamp(0.0, length);
        }
        let nearest = self.from + self.axis * share;
        let (away, radius) = (start + along * at - nearest, self.radius + radius);
        // A bone whose start is inside cannot leave.
        if away.length_squared() >= radius * radius || at < 1e-3 * length {
            return None;
        }
        let out = away.try_normalize()?;
        Some([(nearest + out * radius - start).try_normalize()?, out])
    }
}
