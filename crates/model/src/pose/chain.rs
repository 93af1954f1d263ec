//! Chains: bones in a row that bend together so that their end reaches a target.

use glam::{Mat3A, Vec3A};

use super::turn::{IntoBone, arc, rotate};
use super::{PosingError, bone_in_model_space, bone_list};
use crate::math::{Mat3x4, Vec3};
use crate::model::Skeleton;
use crate::out_of_range::OutOfRange;

/// Greatest number of bones that turn.
const MAX_BONES: usize = 32;

/// Share of the length of a straight chain by which its middle is put aside where the target is on its line.
const ASIDE: f32 = 0.05;

/// Number of sweeps that move the joints one by one, before those that move all joints at once.
const COARSE: u32 = 3;

/// Part of the tolerance at which the joints are near enough: turning the bones there adds rounding errors.
const NEAR: f32 = 0.9;

/// Greatest part of the chain's length by which a sweep moves the end, and the greatest turn of a bone, radians.
const STEPS: [f32; 2] = [0.5, 1.0];

/// Share of the joints' leverage that is added so that a straight chain has one along its line, too.
const DAMPED: f32 = 1e-4;

/// Bones in a row that bend together so that their end reaches a target: a tail, a tentacle, a trunk.
///
/// All bones between the start and the end turn, each about its own origin, so that no bone is stretched. Sweeps over
/// the joints bring the end to the target, until it is within the tolerance or they are used up: the first ones move
/// each joint to its distance from the next, there and back (FABRIK), the others turn all bones by the least angles
/// that move the end (Gauss-Newton). Where bones are sheared, the rest turn one bone after the other (cyclic coordinate
/// descent). A target out of reach stretches the chain towards it. A limb of two segments is a [`Reach`](super::Reach),
/// which is exact.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::pose::Chain;
/// let mut object = skelobj::assets::mannequin_object();
/// let back = Chain::parse(&object.model().skeleton, "spine, hand_r")?;
/// let button = Vec3::new(20.0, -6.0, 30.0);
/// assert!(object.reach_chain(&back, button)? < 0.05);
/// let hand = object.find_bone("hand_r").and_then(|bone| object.model_space(bone)).unwrap();
/// assert!(hand.origin().distance(button) < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Chain {
    /// Bones from the start to the one above the end, each the parent of the next.
    bones: [u32; MAX_BONES],
    count: usize,
    end: usize,
    /// Greatest number of sweeps over the bones, 0 to 64. Default 16.
    pub sweeps: u32,
    /// Distance to the target at which the sweeps end, Quake units. Default 0.01.
    pub tolerance: f32,
    /// Part of the way to the target that the end goes, 0 to 1. Default 1.
    pub weight: f32,
}

impl Chain {
    /// Creates the chain from a bone to another below it.
    ///
    /// ```
    /// use skelobj::pose::Chain;
    /// let mannequin = skelobj::assets::mannequin();
    /// let bone = |name| mannequin.skeleton.find(name).unwrap();
    /// let arm = Chain::new(&mannequin.skeleton, bone("chest"), bone("hand_l"))?;
    /// assert_eq!(arm, Chain::parse(&mannequin.skeleton, "chest, hand_l")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::NoSuchBone`], [`PosingError::NotBelow`]; [`PosingError::TooManyBones`] if more than 32 would
    /// turn.
    pub fn new(skeleton: &Skeleton, start: usize, end: usize) -> Result<Self, PosingError> {
        if let Some(bone) = [start, end].into_iter().find(|bone| *bone >= skeleton.len()) {
            return Err(PosingError::NoSuchBone { bone });
        }
        let mut bones = [0; MAX_BONES];
        let (mut count, mut at) = (0, end);
        while at != start {
            at = skeleton.parent(at).ok_or(PosingError::NotBelow { bone: end, above: start })?;
            *bones.get_mut(count).ok_or(PosingError::TooManyBones { most: MAX_BONES })? = at as u32;
            count += 1;
        }
        if count == 0 {
            return Err(PosingError::NotBelow { bone: end, above: start });
        }
        bones[..count].reverse();
        Ok(Self { bones, count, end, sweeps: 16, tolerance: 0.01, weight: 1.0 })
    }

    /// Creates the chain of the names of its first and its last bone, separated by a comma.
    ///
    /// ```
    /// use skelobj::pose::Chain;
    /// let mannequin = skelobj::assets::mannequin();
    /// let arm = Chain::parse(&mannequin.skeleton, "clavicle_l, hand_l")?;
    /// assert!(arm.bones().eq([13, 14, 15]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::NotTwoBones`], [`PosingError::NoBoneNamed`], [`PosingError::BadEntry`] and those of
    /// [`new`](Self::new).
    pub fn parse(skeleton: &Skeleton, text: impl AsRef<[u8]>) -> Result<Self, PosingError> {
        let [start, end] = bone_list::names(skeleton, text.as_ref(), |found| PosingError::NotTwoBones { found })?;
        Self::new(skeleton, start, end)
    }

    /// Returns `true` for a list of two names, those of a chain; three are those of a [`Reach`](super::Reach).
    ///
    /// ```
    /// use skelobj::pose::Chain;
    /// assert!(Chain::is_named_by("spine, hand_r"));
    /// assert!(!Chain::is_named_by("upperarm_r, forearm_r, hand_r"));
    /// ```
    #[must_use]
    pub fn is_named_by(text: impl AsRef<[u8]>) -> bool {
        text.as_ref().iter().filter(|byte| **byte == b',').count() == 1
    }

    /// Returns the chain with a greatest number of sweeps, 0 to 64.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Chain;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let back = Chain::parse(&object.model().skeleton, "spine, hand_r")?;
    /// let button = Vec3::new(20.0, -6.0, 30.0);
    /// let coarse = object.clone().reach_chain(&back.clone().with_sweeps(1), button)?;
    /// assert!(coarse > object.reach_chain(&back, button)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_sweeps(mut self, sweeps: u32) -> Self {
        self.sweeps = sweeps;
        self
    }

    /// Returns the chain with the distance to the target at which the sweeps end, Quake units.
    #[must_use]
    pub fn with_tolerance(mut self, tolerance: f32) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Returns the chain with a weight from 0 to 1, of which 0 changes nothing.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Chain;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let before = object.pose().clone();
    /// let back = Chain::parse(&object.model().skeleton, "spine, hand_r")?.with_weight(0.0);
    /// object.reach_chain(&back, Vec3::new(20.0, -6.0, 30.0))?;
    /// assert_eq!(object.pose(), &before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_weight(mut self, weight: f32) -> Self {
        self.weight = weight;
        self
    }

    /// Returns the bones that turn, from the start to the one above the end.
    ///
    /// ```
    /// use skelobj::pose::Chain;
    /// let mannequin = skelobj::assets::mannequin();
    /// assert!(Chain::parse(&mannequin.skeleton, "thigh_l, foot_l")?.bones().eq([1, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bones(&self) -> impl Iterator<Item = usize> {
        self.chain().iter().map(|bone| *bone as usize)
    }

    /// Greatest number of bones that turn.
    pub(super) const MAX_BONES: usize = MAX_BONES;

    /// Returns the first bone.
    pub(super) fn start(&self) -> usize {
        self.bones[0] as usize
    }

    /// Returns the last bone, which does not turn.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    fn chain(&self) -> &[u32] {
        debug_assert!((1..=MAX_BONES).contains(&self.count), "a chain has a bone that turns");
        &self.bones[..self.count]
    }

    pub(super) fn check(&self, parents: &[i32], local: &[Mat3x4], target: Vec3) -> Result<(), PosingError> {
        OutOfRange::check_vector("target", target)?;
        OutOfRange::check((0.0..=1.0).contains(&self.weight), "weight", self.weight, "a number from 0 to 1")?;
        OutOfRange::check(self.tolerance >= 0.0, "tolerance", self.tolerance, "a number from 0")?;
        OutOfRange::check(self.sweeps <= 64, "sweeps", self.sweeps, "0 to 64")?;
        if self.end >= parents.len().min(local.len()) {
            return Err(PosingError::NoSuchBone { bone: self.end });
        }
        let mut above = None;
        for bone in self.bones().chain([self.end]) {
            if let Some(above) = above.filter(|above| usize::try_from(parents[bone]) != Ok(*above)) {
                return Err(PosingError::NotBelow { bone, above });
            }
            above = Some(bone);
        }
        Ok(())
    }
}

/// Bends a chain of bones so that its end comes to a target in model space.
///
/// `local` holds the pose in local space. Bones keep their places relative to their parents, to the bit. Returns the
/// distance in Quake units by which the end misses the target: at most the tolerance, unless the target is out of
/// reach, the sweeps are too few, or the weight is below 1. A straight chain whose target is on its line, nearer than
/// its end, bends to the side that its first bone has up.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::pose::{self, Chain};
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let back = Chain::parse(skeleton, "spine, hand_r")?;
/// let mut local = skeleton.bind_local().to_vec();
/// assert!(pose::reach_chain(skeleton.parents(), &mut local, &back, Vec3::new(20.0, -6.0, 30.0))? < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PosingError::NoSuchBone`] and [`PosingError::NotBelow`] if the slices are not those of the chain's skeleton;
/// [`PosingError::Singular`]; [`PosingError::OutOfRange`]. No bone is changed.
pub fn reach_chain(parents: &[i32], local: &mut [Mat3x4], chain: &Chain, target: Vec3) -> Result<f32, PosingError> {
    chain.check(parents, local, target)?;
    let start = chain.chain()[0] as usize;
    let root = match usize::try_from(parents[start]) {
        Ok(parent) => bone_in_model_space(parents, local, parent),
        Err(_) => Mat3x4::IDENTITY,
    };
    // The bones of the chain and its end, apart from the pose until nothing can fail.
    let mut bent = [Mat3x4::IDENTITY; MAX_BONES + 1];
    let bent = &mut bent[..=chain.count];
    for (bone, number) in bent.iter_mut().zip(chain.bones().chain([chain.end])) {
        *bone = local[number];
    }
    let mut joints = Joints::new(&root, bent);
    let before = joints.end;
    let goal = if chain.weight < 1.0 { before + (target - before) * chain.weight } else { target };
    let is_far = |end: Vec3| end.distance(goal) > chain.tolerance;
    let mut end = before;
    if chain.weight > 0.0 && chain.sweeps > 0 && is_far(end) {
        let singular = |at: usize| PosingError::Singular { bone: chain.chain()[at] as usize };
        let used = joints.bend(&(root * bent[0]), goal, chain);
        end = joints.turn(&root, bent).map_err(singular)?;
        for _sweep in used..chain.sweeps {
            if !is_far(end) {
                break;
            }
            sweep(&root, bent, goal).map_err(singular)?;
            end = bent.iter().fold(root, |above, bone| above * *bone).origin();
        }
    }
    let missed = end.distance(target);
    if !missed.is_finite() {
        return Err(PosingError::Singular { bone: start });
    }
    for (bone, number) in bent[..chain.count].iter().zip(chain.bones()) {
        local[number] = *bone;
    }
    Ok(missed)
}

/// Turns each bone of a chain once, from the last to the first, so that it points the end at the goal. On error,
/// returns the place in the chain of a bone that has no inverse.
fn sweep(root: &Mat3x4, bent: &mut [Mat3x4], goal: Vec3) -> Result<(), usize> {
    let count = bent.len() - 1;
    let mut whole = [*root; MAX_BONES];
    let mut above = *root;
    for (whole, bone) in whole.iter_mut().zip(&bent[..count]) {
        above = above * *bone;
        *whole = above;
    }
    let mut end = bent[count].origin();
    for at in (0..count).rev() {
        let into = IntoBone::new(&whole[at]).ok_or(at)?;
        let wanted = into.point(goal.into());
        // A bone at the end or at the goal points nowhere.
        if let (Some(from), Some(to)) = (Vec3A::from(end).try_normalize(), wanted.try_normalize()) {
            let turn = arc(from, to, || from.any_orthonormal_vector());
            rotate(&mut bent[at], turn);
        }
        end = bent[at].transform_point(end);
    }
    Ok(())
}

/// Joints of a chain, model space relative to the first.
struct Joints {
    places: [Vec3A; MAX_BONES + 1],
    lengths: [f32; MAX_BONES],
    count: usize,
    start: Vec3A,
    /// Last of the places in the pose, model space.
    end: Vec3,
}

impl Joints {
    fn new(root: &Mat3x4, bent: &[Mat3x4]) -> Self {
        debug_assert!((2..=MAX_BONES + 1).contains(&bent.len()), "a chain has a start and an end");
        let count = bent.len() - 1;
        let mut joints = Self {
            places: [Vec3A::ZERO; MAX_BONES + 1],
            lengths: [0.0; MAX_BONES],
            count,
            start: (*root * bent[0]).origin().into(),
            end: Vec3::ZERO,
        };
        let mut above = *root;
        for (at, bone) in bent.iter().enumerate() {
            above = above * *bone;
            joints.places[at] = Vec3A::from(above.origin()) - joints.start;
            if at > 0 {
                joints.lengths[at - 1] = joints.places[at].distance(joints.places[at - 1]);
            }
        }
        joints.end = above.origin();
        joints
    }

    /// Moves the joints so that the end is at the goal, and returns the number of sweeps that it took. `first` is the
    /// first bone.
    fn bend(&mut self, first: &Mat3x4, goal: Vec3, chain: &Chain) -> u32 {
        debug_assert_eq!(self.count, chain.count, "every bone that turns is a joint");
        let goal = Vec3A::from(goal) - self.start;
        let (distance, length) = (goal.length(), self.lengths[..self.count].iter().sum::<f32>());
        if distance >= length {
            let along = goal * (1.0 / distance);
            (0..self.count).for_each(|at| self.places[at + 1] = self.places[at] + along * self.lengths[at]);
            return 1;
        }
        self.bend_aside(first, goal);
        for used in 0..chain.sweeps {
            if self.places[self.count].distance(goal) <= chain.tolerance * NEAR {
                return used;
            }
            if used < COARSE { self.sweep(goal) } else { self.turn_all(goal, length) }
        }
        chain.sweeps
    }

    /// Moves each joint to its distance from the next one, from the goal to the start, and back.
    fn sweep(&mut self, goal: Vec3A) {
        let Self { places, lengths, count, .. } = self;
        places[*count] = goal;
        for at in (0..*count).rev() {
            let way = (places[at] - places[at + 1]).normalize_or(Vec3A::NEG_X);
            places[at] = places[at + 1] + way * lengths[at];
        }
        places[0] = Vec3A::ZERO;
        for at in 0..*count {
            let way = (places[at + 1] - places[at]).normalize_or(Vec3A::X);
            places[at + 1] = places[at] + way * lengths[at];
        }
    }

    /// Turns all bones by the angles whose squares have the least sum and that bring the end to the goal.
    fn turn_all(&mut self, goal: Vec3A, length: f32) {
        let Self { places, lengths, count, .. } = self;
        let end = places[*count];
        let way = (goal - end).clamp_length_max(STEPS[0] * length);
        // A turn of a joint moves the end across its lever.
        let (mut leverage, mut squares) = (Mat3A::ZERO, 0.0);
        for place in &places[..*count] {
            let lever = end - *place;
            leverage.x_axis -= lever * lever.x;
            leverage.y_axis -= lever * lever.y;
            leverage.z_axis -= lever * lever.z;
            squares += lever.length_squared();
        }
        leverage += Mat3A::from_diagonal(glam::Vec3::splat(squares * (1.0 + DAMPED)));
        let [x, y, z] = [leverage.x_axis, leverage.y_axis, leverage.z_axis];
        let first = y.cross(z);
        let pull = Vec3A::new(first.dot(way), z.cross(x).dot(way), x.cross(y).dot(way)) * (1.0 / x.dot(first));
        if !pull.is_finite() {
            return;
        }
        let mut turns = [Vec3A::ZERO; MAX_BONES];
        let (mut turn, mut widest) = (Vec3A::ZERO, 0f32);
        for (own, place) in turns.iter_mut().zip(&places[..*count]) {
            turn += (end - *place).cross(pull);
            *own = turn;
            widest = widest.max(turn.length_squared());
        }
        let part = if widest > STEPS[1] * STEPS[1] { STEPS[1] / widest.sqrt() } else { 1.0 };
        let mut from = places[0];
        for at in 0..*count {
            let (old, turn) = (places[at + 1] - from, turns[at] * part);
            let aside = turn.cross(old);
            let new = old + aside + turn.cross(aside) * 0.5;
            from = places[at + 1];
            places[at + 1] = places[at] + new.normalize_or_zero() * lengths[at];
        }
    }

    /// Turns the bones of the chain so that they point from joint to joint, and returns the place of the end. On error,
    /// returns the place in the chain of a bone that has no inverse.
    fn turn(&self, root: &Mat3x4, bent: &mut [Mat3x4]) -> Result<Vec3, usize> {
        debug_assert_eq!(bent.len(), self.count + 1, "the bones are those of the joints, and the end");
        let mut above = *root;
        for at in 0..self.count {
            let into = IntoBone::new(&(above * bent[at])).ok_or(at)?;
            let end = Vec3A::from(bent[at + 1].origin());
            let wanted = into.vector(self.places[at + 1] - self.places[at]);
            if let (Some(from), Some(to)) = (end.try_normalize(), wanted.try_normalize()) {
                rotate(&mut bent[at], arc(from, to, || from.any_orthonormal_vector()));
            }
            above = above * bent[at];
        }
        Ok((above * bent[self.count]).origin())
    }

    /// Bends a straight or folded chain whose goal is on its line and within its length, as no turn towards the goal
    /// would.
    fn bend_aside(&mut self, first: &Mat3x4, goal: Vec3A) {
        let length: f32 = self.lengths[..self.count].iter().sum();
        let Some(at) = self.lengths[..self.count].iter().position(|own| *own > 1e-3 * length) else { return };
        let Some(line) = (self.places[at + 1] - self.places[at]).try_normalize() else { return };
        let is_on_line = |place: Vec3A| place.reject_from(line).length() <= 1e-3 * length;
        let is_nearer = goal.dot(line) < length * (1.0 - 1e-3);
        if self.count < 2
            || !self.places[..=self.count].iter().all(|place| is_on_line(*place))
            || !is_on_line(goal)
            || !is_nearer
        {
            return;
        }
        let up = Vec3A::from(first.up()).reject_from(line);
        let side = up.try_normalize().unwrap_or_else(|| line.any_orthonormal_vector());
        let aside = self.places[at] + (line + side * ASIDE).normalize() * self.lengths[at] - self.places[at + 1];
        self.places[at + 1..=self.count].iter_mut().for_each(|place| *place += aside);
    }
}
