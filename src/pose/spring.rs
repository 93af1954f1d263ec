//! Springs: chains of bones that swing behind the motion of what carries them.

use glam::Vec3A;

use super::turn::{IntoBone, applied, arc, rotate};
use super::{Chain, PosingError, bone_in_model_space, bone_list};
use crate::math::{Mat3x4, Vec3};
use crate::model::Skeleton;
use crate::out_of_range::OutOfRange;
use crate::trig;

/// Greatest number of colliders of a spring.
const MOST_COLLIDERS: usize = 8;

/// Rounds over the colliders in a frame: the length of the bone takes a part of each push back.
const ROUNDS: usize = 4;

/// Seconds beyond which a spring begins anew, as nobody saw what happened meanwhile.
const GAP: f32 = 0.5;

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
/// Each bone is pulled to where the animation has it, like a pendulum on a damped spring in world space, and lags where
/// the character moves. The motion of a bone between two frames is the spring's exact one, so that it hardly depends on
/// the frame rate and cannot explode. Bones only turn and keep their lengths. A spring is not a ragdoll: nothing of the
/// level holds it up.
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
    chain: Chain,
    /// Swings per second without damping, 0.01 to 100. Default 2.
    pub frequency: f32,
    /// Damping ratio, from 0, which swings for ever, to 1, which does not overshoot. Default 0.3.
    pub damping: f32,
    /// Acceleration in world space, Quake units per second squared. Default 0: the animation has the tail as it hangs.
    pub gravity: Vec3,
    /// Greatest angle from the animation, radians. Default: half a turn, none.
    pub limit: f32,
    /// Radius of the bones for colliders, Quake units of the model. Default 0.
    pub radius: f32,
    /// Distance of a jump in a frame beyond which the spring begins anew, Quake units in world space. Default 128.
    pub teleport: f32,
    /// Part of the swing that is shown, 0 to 1. Default 1.
    pub weight: f32,
    colliders: [Option<SpringCollider>; MOST_COLLIDERS],
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
    tips: Vec<Tip>,
}

/// End of a bone, world space.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Tip {
    place: Vec3A,
    velocity: Vec3A,
    /// Place in the animation, on the bone above as it swung.
    target: Vec3A,
    /// Way to that place from the origin of the bone.
    animated: Vec3A,
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
            gravity: Vec3::ZERO,
            limit: std::f32::consts::PI,
            radius: 0.0,
            teleport: 128.0,
            weight: 1.0,
            colliders: [None; MOST_COLLIDERS],
        }
    }

    /// Returns the spring with a frequency, swings per second from 0.01 to 100.
    ///
    /// ```
    /// use skelobj::pose::Spring;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// let arm = Spring::parse(&skeleton, "upperarm_l, hand_l")?.with_frequency(1.5);
    /// assert_eq!(arm.frequency, 1.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_frequency(mut self, frequency: f32) -> Self {
        self.frequency = frequency;
        self
    }

    /// Returns the spring with a damping ratio from 0 to 1.
    ///
    /// ```
    /// use skelobj::pose::Spring;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// let arm = Spring::parse(&skeleton, "upperarm_l, hand_l")?.with_damping(0.8);
    /// assert_eq!(arm.damping, 0.8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_damping(mut self, damping: f32) -> Self {
        self.damping = damping;
        self
    }

    /// Returns the spring with an acceleration in world space, Quake units per second squared.
    ///
    /// ```
    /// use skelobj::pose::Spring;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// let arm = Spring::parse(&skeleton, "upperarm_l, hand_l")?.with_gravity(skelobj::math::Vec3::Z * -800.0);
    /// assert_eq!(arm.gravity.z, -800.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_gravity(mut self, gravity: Vec3) -> Self {
        self.gravity = gravity;
        self
    }

    /// Returns the spring with a greatest angle from the animation, radians.
    ///
    /// ```
    /// use skelobj::pose::Spring;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// let arm = Spring::parse(&skeleton, "upperarm_l, hand_l")?.with_limit(0.5);
    /// assert_eq!(arm.limit, 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_limit(mut self, limit: f32) -> Self {
        self.limit = limit;
        self
    }

    /// Returns the spring with a radius of its bones, Quake units of the model.
    ///
    /// ```
    /// use skelobj::pose::Spring;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// let arm = Spring::parse(&skeleton, "upperarm_l, hand_l")?.with_radius(2.0);
    /// assert_eq!(arm.radius, 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self
    }

    /// Returns the spring with a weight from 0 to 1.
    ///
    /// ```
    /// use skelobj::pose::Spring;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// let arm = Spring::parse(&skeleton, "upperarm_l, hand_l")?.with_weight(0.5);
    /// assert_eq!(arm.weight, 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_weight(mut self, weight: f32) -> Self {
        self.weight = weight;
        self
    }

    /// Returns the spring with one more collider; `None` if it has eight.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::{Spring, SpringCollider};
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// let ball = SpringCollider { bone: 10, from: Vec3::ZERO, to: Vec3::ZERO, radius: 7.0 };
    /// let arm = Spring::parse(&skeleton, "upperarm_l, hand_l")?;
    /// assert!(arm.with_collider(ball).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    /// [`PosingError::NoBoneNamed`] for an entry without the name of a bone and a number,
    /// [`PosingError::TooManyBones`] for more than eight colliders.
    pub fn with_colliders(mut self, skeleton: &Skeleton, text: impl AsRef<[u8]>) -> Result<Self, PosingError> {
        let entries = text.as_ref().split(|byte| *byte == b',').map(<[u8]>::trim_ascii).enumerate();
        for (at, entry) in entries.filter(|(_, entry)| !entry.is_empty()) {
            let unnamed = PosingError::NoBoneNamed { entry: at + 1 };
            let (name, number) = bone_list::split_last(entry).ok_or(unnamed)?;
            let bone = skeleton.find(name).ok_or(unnamed)?;
            let radius = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok()).ok_or(unnamed)?;
            let child = (bone + 1..skeleton.len()).find(|child| skeleton.parent(*child) == Some(bone));
            let to = child.map_or(Vec3::ZERO, |child| skeleton.bind_local()[child].origin());
            let collider = SpringCollider { bone, from: Vec3::ZERO, to, radius };
            self = self.with_collider(collider).ok_or(PosingError::TooManyBones { most: MOST_COLLIDERS })?;
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

    fn check(&self, parents: &[i32], local: &[Mat3x4], entity: &Mat3x4, seconds: f32) -> Result<(), PosingError> {
        self.chain.check(parents, local, Vec3::ZERO)?;
        let within = |is_within, name, value: f32, expected| OutOfRange::check(is_within, name, value, expected);
        within((0.01..=100.0).contains(&self.frequency), "frequency", self.frequency, "0.01 to 100 swings a second")?;
        within((0.0..=1.0).contains(&self.damping), "damping", self.damping, "a number from 0 to 1")?;
        within((0.0..=1.0).contains(&self.weight), "weight", self.weight, "a number from 0 to 1")?;
        within(self.limit >= 0.0, "limit", self.limit, "a number of radians from 0")?;
        within(self.teleport >= 0.0, "teleport", self.teleport, "a number from 0")?;
        within((0.0..=1e6).contains(&self.radius), "radius", self.radius, "a number from 0 to 1e6")?;
        within((0.0..=1e6).contains(&seconds), "seconds", seconds, "a number from 0 to 1e6")?;
        OutOfRange::check_all("gravity", self.gravity.to_array(), 1e6, "numbers from -1e6 to 1e6")?;
        let numbers = entity.rows().into_iter().flat_map(|row| row.to_array());
        OutOfRange::check_all("entity", numbers, 1e9, "numbers from -1e9 to 1e9")?;
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

/// Swings the bones of a spring for a frame of some seconds.
///
/// `local` holds the animated pose in local space, `entity` is the matrix from model space to world space. The target
/// of a bone is where the animation has its end; on the way from the last frame's target to this one's, the motion is
/// the exact one of a damped spring. Then the end goes back to its bone's length and out of the colliders, in the order
/// from the start to the end. With 0 seconds nothing moves. After more than half a second, after a jump of more than
/// `teleport` and with the state of another chain, the spring begins anew in the pose.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::pose::{self, Spring, SpringState};
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let (arm, mut state) = (Spring::parse(skeleton, "upperarm_l, hand_l")?, SpringState::default());
/// let mut local = Vec::new();
/// for frame in 0..10 {
///     let entity = Mat3x4::from_translation(Vec3::X * (5.0 * frame as f32)); // runs
///     local = skeleton.bind_local().to_vec();
///     pose::swing(skeleton.parents(), &mut local, &arm, &mut state, &entity, 1.0 / 60.0)?;
/// }
/// assert_ne!(local[14], skeleton.bind_local()[14]); // the arm lags
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PosingError::NoSuchBone`] and [`PosingError::NotBelow`] if the slices are not those of the spring's skeleton;
/// [`PosingError::Singular`]; [`PosingError::OutOfRange`]. No bone and no state is changed.
pub fn swing(
    parents: &[i32],
    local: &mut [Mat3x4],
    spring: &Spring,
    state: &mut SpringState,
    entity: &Mat3x4,
    seconds: f32,
) -> Result<(), PosingError> {
    spring.check(parents, local, entity, seconds)?;
    let mut above = match usize::try_from(parents[spring.chain.start()]) {
        Ok(parent) => *entity * bone_in_model_space(parents, local, parent),
        Err(_) => *entity,
    };
    let mut capsules = [Capsule::default(); MOST_COLLIDERS];
    let mut count = 0;
    for (capsule, collider) in capsules.iter_mut().zip(spring.colliders.iter().flatten()) {
        *capsule = Capsule::new(collider, &(*entity * bone_in_model_space(parents, local, collider.bone)));
        count += 1;
    }
    let capsules = &capsules[..count];
    let bones = spring.chain.bones().count();
    let mut tips = [Tip::at(Vec3A::ZERO); Chain::MOST_BONES];
    let mut turned = [Mat3x4::IDENTITY; Chain::MOST_BONES];
    let is_known = state.tips.len() == bones && seconds <= GAP;
    let step = Step::new(spring, seconds);
    for (at, bone) in spring.chain.bones().enumerate() {
        let whole = above * local[bone];
        let into = IntoBone::new(&whole).ok_or(PosingError::Singular { bone })?;
        let end = Vec3A::from(local[spring.chain.child(at)].origin());
        let origin = into.origin;
        let target = origin + applied(&whole, end);
        let before = state
            .tips
            .get(at)
            .filter(|tip| is_known && tip.is_finite() && tip.target.distance(target) <= spring.teleport);
        let length = origin.distance(target);
        let mut tip = Tip::at(target);
        turned[at] = local[bone];
        if let (Some(before), Some(animated)) = (before, (target - origin).try_normalize()) {
            let reach = Reach { origin, animated, length, limit: spring.limit };
            let speed = step.speed(before, target);
            tip = reach.held(step.advanced(before, &reach, speed), speed);
            let radius = spring.radius * whole.scale();
            for capsule in capsules.iter().cycle().take(ROUNDS * capsules.len()) {
                tip = reach.held(capsule.pushed(tip, radius), speed);
            }
            let shown = target + (tip.place - target) * spring.weight;
            let wanted = into.vector(shown - origin).try_normalize();
            if let (Some(from), Some(to)) = (end.try_normalize(), wanted) {
                rotate(&mut turned[at], arc(from, to, || from.any_orthonormal_vector()));
            }
        }
        tip.animated = target - origin;
        tip.target = target;
        if !(tip.is_finite() && turned[at].is_finite()) {
            return Err(PosingError::Singular { bone });
        }
        tips[at] = tip;
        above = above * turned[at];
    }
    for (at, bone) in spring.chain.bones().enumerate() {
        local[bone] = turned[at];
    }
    state.tips.clear();
    state.tips.extend_from_slice(&tips[..bones]);
    Ok(())
}

impl Tip {
    /// Returns `false` for the state of a snapshot that was tampered with.
    fn is_finite(&self) -> bool {
        [self.place, self.velocity, self.target, self.animated].iter().all(|numbers| numbers.is_finite())
    }

    fn at(place: Vec3A) -> Self {
        Self { place, velocity: Vec3A::ZERO, target: place, animated: Vec3A::ZERO }
    }
}

/// Motion of a damped spring over a frame: how much of an angle and of an angular velocity is left.
struct Step {
    seconds: f32,
    angle_of_angle: f32,
    angle_of_velocity: f32,
    velocity_of_angle: f32,
    velocity_of_velocity: f32,
    /// Acceleration by gravity over the stiffness.
    gravity: Vec3A,
}

impl Step {
    fn new(spring: &Spring, seconds: f32) -> Self {
        let (frequency, damping) =
            (2.0 * std::f64::consts::PI * f64::from(spring.frequency), f64::from(spring.damping));
        let time = f64::from(seconds);
        let decay = trig::exp(-damping * frequency * time);
        let swing = frequency * (1.0 - damping * damping).sqrt();
        let phase = swing * time;
        let cosine = trig::cos(phase);
        // Towards critical damping the sine vanishes with the frequency.
        let sine = if phase < 1e-4 { time } else { trig::sin(phase) / swing };
        Self {
            seconds,
            angle_of_angle: (decay * (cosine + damping * frequency * sine)) as f32,
            angle_of_velocity: (decay * sine) as f32,
            velocity_of_angle: (-decay * frequency * frequency * sine) as f32,
            velocity_of_velocity: (decay * (cosine - damping * frequency * sine)) as f32,
            gravity: Vec3A::from(spring.gravity) * (1.0 / (frequency * frequency)) as f32,
        }
    }

    /// Returns the velocity of a target over the frame.
    fn speed(&self, before: &Tip, target: Vec3A) -> Vec3A {
        if self.seconds > 0.0 { (target - before.target) / self.seconds } else { Vec3A::ZERO }
    }

    /// Returns the tip after the frame: its turn from the animation, an axis times an angle, swings.
    fn advanced(&self, before: &Tip, reach: &Reach, speed: Vec3A) -> Tip {
        let from = before.animated.normalize_or(reach.animated);
        let now = (before.place - before.target + before.animated).normalize_or(from);
        let turn = turn_between(from, now);
        let velocity = now.cross(before.velocity - speed) / reach.length;
        let rest = now.cross(self.gravity) / reach.length;
        let off = turn - rest;
        let (turn, velocity) = if self.seconds > 0.0 {
            let left = off * self.angle_of_angle + velocity * self.angle_of_velocity;
            (rest + left, off * self.velocity_of_angle + velocity * self.velocity_of_velocity)
        } else {
            (turn, velocity)
        };
        // The axis keeps its direction against the animation, which may have turned.
        let carried = arc(from, reach.animated, || from.any_orthonormal_vector());
        let along = turned_by(carried * turn, reach.animated);
        Tip {
            place: reach.origin + along * reach.length,
            velocity: speed + (carried * velocity).cross(along) * reach.length,
            ..*before
        }
    }
}

/// Returns the turn from one unit vector to another: its axis times its angle.
fn turn_between(from: Vec3A, to: Vec3A) -> Vec3A {
    let across = from.cross(to);
    let (sine, cosine) = (across.length(), from.dot(to));
    // Opposite directions have no axis.
    if sine > 1e-6 { across * (trig::atan2(sine.into(), cosine.into()) as f32 / sine) } else { across }
}

/// Turns a vector across the axis of a turn by its angle.
fn turned_by(turn: Vec3A, vector: Vec3A) -> Vec3A {
    let angle = turn.length();
    if angle < 1e-6 {
        return (vector + turn.cross(vector)).normalize_or(vector);
    }
    let (sine, cosine) = (trig::sin(angle.into()) as f32, trig::cos(angle.into()) as f32);
    let axis = turn / angle;
    vector * cosine + axis.cross(vector) * sine + axis * (axis.dot(vector) * (1.0 - cosine))
}

/// Places that the end of a bone can have, world space.
struct Reach {
    origin: Vec3A,
    /// Direction of the animation.
    animated: Vec3A,
    length: f32,
    limit: f32,
}

impl Reach {
    /// Returns the tip at the length of the bone and within the limit, without velocity along the bone.
    fn held(&self, tip: Tip, speed: Vec3A) -> Tip {
        let mut along = (tip.place - self.origin).normalize_or(self.animated);
        if self.limit < std::f32::consts::PI {
            let (cosine, sine) = (trig::cos(self.limit.into()) as f32, trig::sin(self.limit.into()) as f32);
            if along.dot(self.animated) < cosine {
                let side = along.reject_from(self.animated).normalize_or(self.animated.any_orthonormal_vector());
                along = self.animated * cosine + side * sine;
            }
        }
        let velocity = tip.velocity - along * (tip.velocity - speed).dot(along);
        Tip { place: self.origin + along * self.length, velocity, ..tip }
    }
}

/// Collider in world space.
#[derive(Clone, Copy, Default)]
struct Capsule {
    from: Vec3A,
    to: Vec3A,
    radius: f32,
}

impl Capsule {
    fn new(collider: &SpringCollider, bone: &Mat3x4) -> Self {
        let [from, to] = [collider.from, collider.to].map(|end| Vec3A::from(bone.transform_point(end)));
        Self { from, to, radius: collider.radius * bone.scale() }
    }

    /// Returns the tip outside of the capsule, without a velocity into it.
    fn pushed(&self, tip: Tip, radius: f32) -> Tip {
        let axis = self.to - self.from;
        let along = (tip.place - self.from).dot(axis) / axis.length_squared().max(f32::MIN_POSITIVE);
        let nearest = self.from + axis * along.clamp(0.0, 1.0);
        let (away, radius) = (tip.place - nearest, self.radius + radius);
        if away.length_squared() >= radius * radius {
            return tip;
        }
        let Some(out) = away.try_normalize() else { return tip };
        let inward = tip.velocity.dot(out).min(0.0);
        Tip { place: nearest + out * radius, velocity: tip.velocity - out * inward, ..tip }
    }
}
