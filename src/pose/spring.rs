//! Springs: chains of bones that swing behind the motion of what carries them.

use glam::{Affine3A, Mat3A, Vec3A};

use super::spring_motion::{Numbers, Pendulum, Step};
use super::{Chain, PosingError, bone_in_model_space, bone_list};
use crate::math::{Mat3x4, Vec3};
use crate::model::Skeleton;
use crate::out_of_range::OutOfRange;

/// Greatest number of colliders of a spring.
const MOST_COLLIDERS: usize = 8;

/// Rounds over the colliders in a frame: the length of the bone takes a part of each push back.
const ROUNDS: usize = 4;

/// Length of a chain over that of the shortest bone that swings.
const SHORTEST_SHARE: f32 = 1000.0;

/// Number of bones of a short chain.
const SHORT: usize = 8;

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
/// Each bone is a pendulum in world space on a damped spring, which pulls it to where the animation has it and a part
/// of the way to where the bone above swung; it lags where the character moves. The motion of a spring between two
/// frames is the exact one, so that it hardly depends on the frame rate and cannot explode. Bones only turn and keep
/// their lengths. A spring is not a ragdoll: nothing of the level holds it up.
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
    /// Part of the swing of the bone above that a bone follows, 0 to 1. With 0, all bones of equal lengths swing alike,
    /// as a stick does; with more, the chain bends, and swings wider and more slowly. Default 0.25.
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
    /// Start of the chain, world space.
    start: Vec3A,
    /// Speed of the start over the last frame, unless the spring began in it.
    speed: Option<Vec3A>,
    /// Matrices of the bones in local space before and after the last swing in model space.
    kept: Vec<[Mat3x4; 2]>,
}

/// A bone in the last frame, world space.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Tip {
    /// Direction in the animation.
    animated: Vec3A,
    /// Direction as it swung.
    along: Vec3A,
    /// Angular velocity, radians per second.
    velocity: Vec3A,
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
            share: 0.25,
            gravity: Vec3::ZERO,
            limit: std::f32::consts::PI,
            radius: 0.0,
            teleport: 4.0,
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

    /// Returns the spring with the part of the swing above that its bones follow, from 0 to 1.
    ///
    /// ```
    /// use skelobj::pose::Spring;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// let arm = Spring::parse(&skeleton, "upperarm_l, hand_l")?.with_share(0.5);
    /// assert_eq!(arm.share, 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_share(mut self, share: f32) -> Self {
        self.share = share;
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

    /// Holds a bone out of colliders, in a few rounds, as one may push it into another.
    fn hold_out(&self, bone: &mut Pendulum, whole: &Affine3A, capsules: &[Capsule]) {
        let (length, radius) = (1.0 / bone.per_length, self.radius * Mat3x4::from(*whole).scale());
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
    fn capsules<'a>(
        &self,
        capsules: &'a mut [Capsule; MOST_COLLIDERS],
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
    fn singular(&self, at: usize) -> PosingError {
        PosingError::Singular { bone: self.chain.bones().nth(at).unwrap_or(0) }
    }

    fn check(&self, parents: &[i32], local: &[Mat3x4], entity: &Mat3x4, seconds: f32) -> Result<(), PosingError> {
        self.chain.check(parents, local, Vec3::ZERO)?;
        let within = |is_within, name, value: f32, expected| OutOfRange::check(is_within, name, value, expected);
        within((0.01..=100.0).contains(&self.frequency), "frequency", self.frequency, "0.01 to 100 swings a second")?;
        within((0.0..=1.0).contains(&self.damping), "damping", self.damping, "a number from 0 to 1")?;
        within((0.0..=1.0).contains(&self.share), "share", self.share, "a number from 0 to 1")?;
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
/// `local` holds the animated pose in local space, `entity` is the matrix from model space to world space. Each bone is
/// a pendulum, whose rest is its direction in the animation as the entity carries it, turned by a share of the swing of
/// the bone above, which is pulled back in turn. It lags as the start of the chain gets faster and as the animated
/// direction turns. On the way from the last frame's pose to this one's, the motion of each spring is the exact one;
/// gravity and the share are impulses before and after it, in several parts of a long frame. Then limits and colliders
/// hold the bones, in the order from the start to the end.
///
/// With 0 seconds nothing moves. After more than half a second, after a jump beyond `teleport` and with the state of
/// another chain, the spring begins anew in the pose, with the speed of the entity.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::pose::{self, Spring, SpringState};
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let (arm, mut state) = (Spring::parse(skeleton, "upperarm_l, hand_l")?, SpringState::default());
/// let mut local = Vec::new();
/// for frame in 0..10 {
///     let entity = Mat3x4::from_translation(Vec3::X * (0.5 * (frame * frame) as f32)); // starts to run
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
    let chain = &spring.chain;
    let above = match usize::try_from(parents[chain.start()]) {
        Ok(parent) => *entity * bone_in_model_space(parents, local, parent),
        Err(_) => *entity,
    };
    let mut capsules = [Capsule::default(); MOST_COLLIDERS];
    let capsules = spring.capsules(&mut capsules, |bone| *entity * bone_in_model_space(parents, local, bone));
    let mut bones = [Mat3x4::IDENTITY; Chain::MOST_BONES];
    let bones = &mut bones[..chain.bones().count()];
    for (own, bone) in bones.iter_mut().zip(chain.bones()) {
        *own = local[bone];
    }
    let end = local[chain.end()].origin();
    let mut tail = Tail { bones, end };
    tail.swing(spring, state, &above, capsules, seconds).map_err(|at| spring.singular(at))?;
    for (own, bone) in bones.iter().zip(chain.bones()) {
        local[bone] = *own;
    }
    Ok(())
}

/// Swings the bones of a spring in model space, and takes along all bones below them.
///
/// A pose that still shows the last swing counts as the one before it. `carriers` is scratch memory.
pub(crate) fn swing_in_model_space(
    parents: &[i32],
    model: &mut [Mat3x4],
    carriers: &mut Vec<Option<u8>>,
    spring: &Spring,
    state: &mut SpringState,
    entity: &Mat3x4,
    seconds: f32,
) -> Result<(), PosingError> {
    spring.check(parents, model, entity, seconds)?;
    let chain = &spring.chain;
    let parent = usize::try_from(parents[chain.start()]).ok().map(|parent| model[parent]);
    let above = parent.map_or(*entity, |parent| *entity * parent);
    let mut capsules = [Capsule::default(); MOST_COLLIDERS];
    let capsules = spring.capsules(&mut capsules, |bone| *entity * model[bone]);
    // The bones of the chain and its end relative to the bones above them, and what takes a place on each to its new one.
    let count = chain.bones().count();
    let mut relative = [Mat3x4::IDENTITY; Chain::MOST_BONES + 1];
    let mut moves = [Mat3x4::IDENTITY; Chain::MOST_BONES];
    let mut into_above = match parent {
        Some(parent) => parent.inverse().ok_or(spring.singular(0))?,
        None => Mat3x4::IDENTITY,
    };
    for (at, bone) in chain.bones().enumerate() {
        relative[at] = into_above * model[bone];
        into_above = model[bone].inverse().ok_or(spring.singular(at))?;
        moves[at] = into_above;
    }
    relative[count] = into_above * model[chain.end()];
    let (bones, end) = relative.split_at_mut(count);
    let is_shown =
        state.kept.len() == count && bones.iter().zip(&state.kept).all(|(own, [_, shown])| is_near(own, shown));
    if is_shown {
        bones.iter_mut().zip(&state.kept).for_each(|(own, [before, _])| *own = *before);
    }
    let mut before = [Mat3x4::IDENTITY; Chain::MOST_BONES];
    before[..count].copy_from_slice(bones);
    let mut tail = Tail { bones, end: end[0].origin() };
    tail.swing(spring, state, &above, capsules, seconds).map_err(|at| spring.singular(at))?;
    state.kept.clear();
    state.kept.extend(before.iter().zip(bones.iter()).map(|(before, shown)| [*before, *shown]));
    let mut whole = parent.unwrap_or(Mat3x4::IDENTITY);
    for (own, to_new) in bones.iter().zip(&mut moves) {
        whole = whole * *own;
        *to_new = whole * *to_new;
    }
    // Place in the chain of the bone that carries each bone; parents come before their children.
    carriers.clear();
    let mut own = chain.bones().enumerate().peekable();
    for (bone, matrix) in model.iter_mut().enumerate().skip(chain.start()) {
        let carrier = match own.next_if(|(_, own)| *own == bone) {
            Some((at, _)) => Some(at as u8),
            None => {
                let parent = usize::try_from(parents[bone]).ok().and_then(|parent| parent.checked_sub(chain.start()));
                parent.and_then(|parent| carriers[parent])
            }
        };
        carriers.push(carrier);
        if let Some(at) = carrier {
            *matrix = moves[usize::from(at)] * *matrix;
        }
    }
    Ok(())
}

/// Returns `true` for matrices that differ by rounding errors only.
fn is_near(a: &Mat3x4, b: &Mat3x4) -> bool {
    a.0.iter().zip(&b.0).all(|(a, b)| (a - b).abs() <= 1e-4 * (1.0 + b.abs()))
}

/// Bones of a spring in local space, and the place of the end on the last of them.
struct Tail<'a> {
    bones: &'a mut [Mat3x4],
    end: Vec3,
}

impl Tail<'_> {
    /// Swings the bones below a matrix in world space. On error, returns the place of the bone in the chain.
    fn swing(
        &mut self,
        spring: &Spring,
        state: &mut SpringState,
        above: &Mat3x4,
        capsules: &[Capsule],
        seconds: f32,
    ) -> Result<(), usize> {
        // Most chains are short, and filling a long array takes time.
        match self.bones.len() {
            0..=SHORT => self.swing_at_most::<SHORT>(spring, state, above, capsules, seconds),
            _ => self.swing_at_most::<{ Chain::MOST_BONES }>(spring, state, above, capsules, seconds),
        }
    }

    #[inline(always)]
    fn swing_at_most<const MOST: usize>(
        &mut self,
        spring: &Spring,
        state: &mut SpringState,
        above: &Mat3x4,
        capsules: &[Capsule],
        seconds: f32,
    ) -> Result<(), usize> {
        let count = self.bones.len();
        let mut pendulums = [Pendulum::default(); MOST];
        let pendulums = &mut pendulums[..count];
        let mut own = [Affine3A::IDENTITY; MOST];
        let own = &mut own[..count];
        let end = Vec3A::from(self.end);
        own.iter_mut().zip(&*self.bones).for_each(|(own, bone)| *own = (*bone).into());
        let above = Affine3A::from(*above);
        let (mut length, mut per_length) = (0.0, 0f32);
        let mut rigid = above;
        for (at, bone) in pendulums.iter_mut().enumerate() {
            rigid *= own[at];
            let way = rigid.matrix3 * own.get(at + 1).map_or(end, |next| next.translation);
            let square = way.length_squared();
            let is_usable = is_regular(&rigid.matrix3) && square < f32::INFINITY;
            if !is_usable {
                return Err(at);
            }
            // A bone without a length has no direction, and does not swing.
            (bone.per_length, bone.animated) = (0.0, Vec3A::X);
            if square > 0.0 {
                bone.per_length = 1.0 / square.sqrt();
                bone.animated = way * bone.per_length;
                length += square * bone.per_length;
                per_length = per_length.max(bone.per_length);
            }
        }
        if per_length * length > SHORTEST_SHARE {
            // Rounding leaves bones that hardly have a length, and whose swing would take all of the time.
            per_length = SHORTEST_SHARE / length;
            let shorter = pendulums.iter_mut().filter(|bone| bone.per_length > per_length);
            shorter.for_each(|bone| bone.per_length = 0.0);
        }
        let start = above.transform_point3a(own[0].translation);
        let expected = state.start + state.speed.unwrap_or(Vec3A::ZERO) * seconds;
        let teleport = spring.teleport * length;
        let has_jumped =
            teleport > 0.0 && state.speed.is_some() && start.distance_squared(expected) > teleport * teleport;
        let is_known = seconds <= GAP && !has_jumped && state.tips.len() == count;
        let Some(per_second) = is_known.then(|| state.advance(spring, pendulums, start, per_length, seconds)).flatten()
        else {
            state.begin(pendulums, start);
            return Ok(());
        };
        let mut whole = above;
        for (at, bone) in pendulums.iter_mut().enumerate() {
            whole *= own[at];
            if !capsules.is_empty() && bone.per_length > 0.0 {
                spring.hold_out(bone, &whole, capsules);
            }
            let shown = if spring.weight < 1.0 { bone.direction(spring.weight) } else { bone.along };
            let end = own.get(at + 1).map_or(end, |next| next.translation);
            if let Some(turn) = Turn::new(end, into_own(&whole.matrix3, shown)) {
                whole.matrix3 = turn.after(&whole.matrix3);
                self.bones[at] = Affine3A { matrix3: turn.after(&own[at].matrix3), ..own[at] }.into();
            }
        }
        for (tip, bone) in state.tips.iter_mut().zip(&*pendulums) {
            let velocity = bone.velocity + bone.turned * per_second;
            *tip = Tip { animated: bone.animated, along: bone.along, velocity };
        }
        Ok(())
    }
}

impl SpringState {
    /// Begins anew in a pose, at the speed of the next frame.
    fn begin(&mut self, bones: &[Pendulum], start: Vec3A) {
        self.tips.clear();
        let begun = |bone: &Pendulum| Tip { animated: bone.animated, along: bone.animated, velocity: Vec3A::ZERO };
        self.tips.extend(bones.iter().map(begun));
        (self.start, self.speed) = (start, None);
    }

    /// Moves the bones on from the last frame, and returns the frames per second, or 0 without a frame; `None` for
    /// numbers of a snapshot that was tampered with.
    fn advance(
        &mut self,
        spring: &Spring,
        bones: &mut [Pendulum],
        start: Vec3A,
        per_length: f32,
        seconds: f32,
    ) -> Option<f32> {
        let (mut speed, mut per_second) = (self.speed, 0.0);
        if seconds > 0.0 {
            let numbers = Numbers {
                frequency: 2.0 * std::f64::consts::PI * f64::from(spring.frequency),
                damping: spring.damping.into(),
                share: spring.share,
                gravity: spring.gravity.into(),
            };
            let step = Step::new(&numbers, seconds, per_length);
            per_second = 1.0 / step.seconds;
            // The entity moves in the time of the frame, of which the swing may take a part only.
            let new = (start - self.start) * (1.0 / seconds);
            for (bone, tip) in bones.iter_mut().zip(&self.tips) {
                bone.velocity = tip.velocity;
                bone.carry(tip.animated, tip.along);
            }
            step.advance(&numbers, bones, self.speed.map(|old| new - old));
            speed = Some(new);
        } else {
            for (bone, tip) in bones.iter_mut().zip(&self.tips) {
                bone.velocity = tip.velocity;
                bone.turn_along(tip.animated, tip.along);
            }
        }
        let mut sum = speed.unwrap_or(Vec3A::ZERO);
        for bone in bones.iter_mut() {
            bone.hold(spring.limit);
            bone.along = bone.direction(1.0);
            sum += bone.along + bone.velocity;
        }
        if !sum.is_finite() {
            return None;
        }
        (self.start, self.speed) = (start, speed);
        Some(per_second)
    }
}

/// Cosine at which directions count as opposite.
const LEAST_COSINE: f32 = 1e-6 - 1.0;

/// The shortest turn from a direction to another, as `c v + s x v + s (s . v) / (1 + c)`.
struct Turn {
    sine: Vec3A,
    cosine: f32,
}

impl Turn {
    /// Returns `None` if one of the directions, which need not be of length 1, is 0.
    #[inline(always)]
    fn new(from: Vec3A, to: Vec3A) -> Option<Self> {
        let sizes = from.length_squared() * to.length_squared();
        let is_usable = sizes > 0.0 && sizes < f32::INFINITY;
        if !is_usable {
            return None;
        }
        let scale = 1.0 / sizes.sqrt();
        let cosine = from.dot(to) * scale;
        if cosine > LEAST_COSINE {
            return Some(Self { sine: from.cross(to) * scale, cosine });
        }
        let sine = (1.0 - LEAST_COSINE * LEAST_COSINE).sqrt();
        Some(Self { sine: from.any_orthogonal_vector().normalize() * sine, cosine: LEAST_COSINE })
    }

    /// Returns axes that are turned before they are applied.
    #[inline(always)]
    fn after(&self, axes: &Mat3A) -> Mat3A {
        let Self { sine, cosine } = *self;
        let part = 1.0 / (1.0 + cosine);
        let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis];
        let along = (x * sine.x + y * sine.y + z * sine.z) * part;
        Mat3A::from_cols(
            x * cosine + along * sine.x + y * sine.z - z * sine.y,
            y * cosine + along * sine.y + z * sine.x - x * sine.z,
            z * cosine + along * sine.z + x * sine.y - y * sine.x,
        )
    }
}

/// Smallest square of the sine between an axis and the plane of the others with which a matrix has an inverse.
const FLAT: f32 = 1e-10;

#[inline(always)]
fn is_regular(axes: &Mat3A) -> bool {
    let across = axes.y_axis.cross(axes.z_axis);
    let determinant = axes.x_axis.dot(across);
    let sizes = axes.x_axis.length_squared() * across.length_squared();
    determinant * determinant > FLAT * sizes && sizes < f32::INFINITY
}

/// Returns the direction that the axes of a bone take to a direction, not normalised.
#[inline(always)]
fn into_own(axes: &Mat3A, direction: Vec3A) -> Vec3A {
    let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis];
    // The rows of an inverse are the cross products of the columns, over the determinant.
    let first = y.cross(z);
    let rows = Mat3A::from_cols(first, z.cross(x), x.cross(y));
    rows.transpose() * direction * 1f32.copysign(x.dot(first))
}

/// Collider in world space.
#[derive(Clone, Copy, Default)]
struct Capsule {
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
