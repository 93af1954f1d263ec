//! Feet: the legs that stand on the ground, and what they keep from frame to frame.

use super::aim::check_below;
use super::size::check_frame;
use super::{PosingError, Reach, bone_list};
use crate::math::{Mat3x4, Vec3};
use crate::model::Skeleton;
use crate::out_of_range::OutOfRange;

/// Ground below a foot, as the trace of a host finds it.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::pose::Ground;
/// let stair = Ground { point: Vec3::new(40.0, 0.0, 16.0), normal: Vec3::Z };
/// assert_eq!(stair.normal, Vec3::Z);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ground {
    /// First point of the ground on the line, world space.
    pub point: Vec3,
    /// Normal of the ground there, world space, of any length.
    pub normal: Vec3,
}

/// Legs of a character whose animations are made for a level floor, and that walks on other ground.
///
/// Each frame, the foot that stands stays on its ground and takes the slope of it, the foot that swings sees the ground
/// ahead and rises to a step before it gets there, and the pelvis follows the lower foot on a spring of its own. Bones
/// keep their lengths, and feet keep the places of the animation as seen from above.
///
/// A `Feet` is made once for a model.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::pose::{Feet, Ground};
/// let mut object = skelobj::assets::mannequin_object(); // in a game, built anew in every frame
/// let legs = "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r";
/// let feet = Feet::parse(&object.model().skeleton, legs)?;
/// // A step of 8 units on the left side.
/// let trace = |from: Vec3, to: Vec3| {
///     let height = if from.y > 0.0 { 8.0 } else { 0.0 };
///     (from.z >= height && to.z <= height).then(|| Ground { point: from.with_z(height), normal: Vec3::Z })
/// };
/// object.place_feet(&feet, &Mat3x4::IDENTITY, 1.0 / 60.0, trace)?;
/// let [left, right] = ["foot_l", "foot_r"].map(|name| object.find_bone(name).unwrap());
/// let [left, right] = [left, right].map(|bone| object.model_space(bone).unwrap().origin());
/// assert!((left.z - right.z - 8.0).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Feet {
    pub(super) pelvis: usize,
    legs: [Option<Leg>; Feet::MAX_LEGS],
    /// Height of the floor of the animations in model space: -24 for a model whose origin is that of Quake's player.
    /// Default 0.
    pub floor: f32,
    /// Greatest height of a step from one foot to another, Quake units of the model. A foot stands on ground up to two
    /// steps above and below the floor of its entity. Default 18, Quake's own.
    pub step: f32,
    /// Greatest angle by which the ground tilts a sole, radians. Default 0.6.
    pub slope: f32,
    /// Frequency of the critically damped spring of the pelvis, swings per second, 0.1 to 100. Default 3.
    pub frequency: f32,
    /// Part of the correction that is made, 0 to 1: 1 on the ground, 0 in the air. It may change at any time. Default
    /// 1.
    pub weight: f32,
}

/// Leg of some [`Feet`].
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Leg {
    pub reach: Reach,
    /// Height of the ankle in the bind pose, model space.
    pub ankle: f32,
}

/// Motion of feet and pelvis, from one frame to the next.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::pose::{self, Feet, FeetState, Ground};
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let feet = Feet::parse(skeleton, "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r")?;
/// let mut state = FeetState::default(); // begins in the pose and on the ground of the first frame
/// let mut local = skeleton.bind_local().to_vec();
/// let trace = |from: Vec3, _| Some(Ground { point: from.with_z(0.0), normal: Vec3::Z });
/// pose::place_feet(skeleton.parents(), &mut local, &feet, &mut state, &Mat3x4::IDENTITY, 1.0 / 60.0, trace)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FeetState {
    pub(super) feet: Vec<FootState>,
    pub(super) body: BodyState,
}

/// State of a character's pelvis and entity.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct BodyState {
    /// Floor of the entity, world space.
    pub floor: Vec3,
    /// Speed of the floor in the last frame.
    pub speed: Vec3,
    /// Speed with which a lift carries the entity, units of the model per second.
    pub carried: f32,
    /// Offset of the pelvis from the animation.
    pub pelvis: Track,
    /// Offset of the pelvis as it was shown.
    pub pelvis_shown: f32,
    /// Offset of the entity's height, smoothed: its velocity is that with which the character climbs.
    pub climb: Track,
}

/// State of a foot.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct FootState {
    /// Offset of the foot from the animation.
    pub lift: Track,
    /// Normal of the ground on which the sole is.
    pub normal: Vec3,
    /// Angle of the knee beyond that of the animation, radians.
    pub knee: f32,
    /// Offset of the ankle from the animation as it was shown, model space.
    pub shown: Vec3,
    /// Place of the ankle in the animation, world space.
    pub ankle: Vec3,
    /// Height of the ground below the ankle, relative to the entity.
    pub under: Option<f32>,
}

/// Height that follows a target, relative to the entity, Quake units of the model.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Track {
    pub offset: f32,
    /// Speed in world space, units of the model per second.
    pub velocity: f32,
    /// Target in the last frame.
    pub target: f32,
}

impl FeetState {
    /// Lets the feet begin anew in the pose and on the ground of the next frame.
    pub fn reset(&mut self) {
        self.feet.clear();
        self.body = BodyState::default();
    }
}

impl Feet {
    /// Greatest number of legs.
    pub const MAX_LEGS: usize = 4;

    /// Creates the feet of a character by names of bones, separated by commas: the pelvis, and a thigh, a shin and a
    /// foot for each leg.
    ///
    /// ```
    /// use skelobj::pose::Feet;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// let feet = Feet::parse(&skeleton, "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r")?;
    /// assert_eq!(feet.bones().collect::<Vec<_>>(), [[1, 2, 3], [5, 6, 7]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::NoBoneNamed`], [`PosingError::BadEntry`], [`PosingError::NotLegs`] for another number of bones,
    /// and those of [`Feet::new`].
    pub fn parse(skeleton: &Skeleton, text: impl AsRef<[u8]>) -> Result<Self, PosingError> {
        let text = text.as_ref();
        let names = || text.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
        let found = names().count();
        if found % 3 != 1 || found == 1 {
            return Err(PosingError::NotLegs { found });
        }
        let mut bones = names().map(|name| bone_list::name(skeleton, name));
        let mut next = || bones.next().unwrap_or(Err(PosingError::NotLegs { found }));
        let mut feet = Self::without_legs(skeleton, next()?)?;
        for _leg in 0..found / 3 {
            feet.add(skeleton, Reach::new(skeleton, [next()?, next()?, next()?])?)?;
        }
        Ok(feet)
    }

    /// Creates the feet of a character from its pelvis and the limbs of its legs, whose hinges and bends count, such as
    /// those within the stops of a doll.
    ///
    /// A knee that neither a hinge nor the pose nor the bind pose bends goes forward, along +X of model space.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::{Feet, Reach};
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// let left = Reach::parse(&skeleton, "thigh_l, shin_l, foot_l")?;
    /// let right = Reach::parse(&skeleton, "thigh_r, shin_r, foot_r")?;
    /// let legs = [left, right].map(|leg| leg.with_hinge(Some(Vec3::NEG_Y)));
    /// assert!(Feet::new(&skeleton, 0, legs).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::NoBones`] without legs; [`PosingError::TooManyBones`] for more than
    /// [`MAX_LEGS`](Self::MAX_LEGS); [`PosingError::NoSuchBone`]; [`PosingError::NotBelow`] if a leg does not start
    /// below the pelvis; [`PosingError::OutOfRange`] for a number of a limb.
    pub fn new(skeleton: &Skeleton, pelvis: usize, legs: impl IntoIterator<Item = Reach>) -> Result<Self, PosingError> {
        let mut feet = Self::without_legs(skeleton, pelvis)?;
        for reach in legs {
            feet.add(skeleton, reach)?;
        }
        if feet.legs[0].is_none() {
            return Err(PosingError::NoBones);
        }
        Ok(feet)
    }

    fn without_legs(skeleton: &Skeleton, pelvis: usize) -> Result<Self, PosingError> {
        if pelvis >= skeleton.len() {
            return Err(PosingError::NoSuchBone { bone: pelvis });
        }
        let legs = [const { None }; Self::MAX_LEGS];
        Ok(Self { pelvis, legs, floor: 0.0, step: 18.0, slope: 0.6, frequency: 3.0, weight: 1.0 })
    }

    fn add(&mut self, skeleton: &Skeleton, reach: Reach) -> Result<(), PosingError> {
        let [start, _, end] = reach.bones();
        reach.check(Vec3::ZERO)?;
        reach.check_bones(skeleton.parents(), skeleton.len())?;
        check_below(skeleton.parents(), start, self.pelvis)?;
        let free = self.legs.iter_mut().find(|leg| leg.is_none());
        let ankle = skeleton.bind_model()[end].origin().z;
        *free.ok_or(PosingError::TooManyBones { most: 1 + 3 * Self::MAX_LEGS })? =
            Some(Leg { reach: reach.bent_forward(skeleton).with_soften(1.0), ankle });
        Ok(())
    }

    pub(super) fn legs(&self) -> impl Iterator<Item = &Leg> {
        self.legs.iter().flatten()
    }

    /// Returns the feet with a height of the floor of the animations, Quake units in model space.
    #[must_use]
    pub fn with_floor(mut self, floor: f32) -> Self {
        self.floor = floor;
        self
    }

    /// Returns the feet with a greatest height of a step, Quake units of the model.
    #[must_use]
    pub fn with_step(mut self, step: f32) -> Self {
        self.step = step;
        self
    }

    /// Returns the feet with a greatest tilt of the soles, radians.
    #[must_use]
    pub fn with_slope(mut self, slope: f32) -> Self {
        self.slope = slope;
        self
    }

    /// Returns the feet with a frequency of the pelvis's spring, swings per second.
    #[must_use]
    pub fn with_frequency(mut self, frequency: f32) -> Self {
        self.frequency = frequency;
        self
    }

    /// Returns the feet with a weight from 0 to 1: 1 on the ground, 0 in the air.
    #[must_use]
    pub fn with_weight(mut self, weight: f32) -> Self {
        self.weight = weight;
        self
    }

    /// Returns the bones of each leg: thigh, shin and foot.
    ///
    /// ```
    /// use skelobj::pose::Feet;
    /// let skeleton = skelobj::assets::mannequin().skeleton;
    /// let feet = Feet::parse(&skeleton, "pelvis, thigh_l, shin_l, foot_l")?;
    /// assert!(feet.bones().eq([[1, 2, 3]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bones(&self) -> impl Iterator<Item = [usize; 3]> {
        self.legs().map(|leg| leg.reach.bones())
    }

    pub(super) fn check(
        &self,
        parents: &[i32],
        local: &[Mat3x4],
        entity: &Mat3x4,
        seconds: f32,
    ) -> Result<(), PosingError> {
        let count = parents.len().min(local.len());
        if self.pelvis >= count {
            return Err(PosingError::NoSuchBone { bone: self.pelvis });
        }
        for leg in self.legs() {
            leg.reach.check_bones(parents, count)?;
            check_below(parents, leg.reach.bones()[0], self.pelvis)?;
        }
        let within = |is_within, name, value: f32, expected| OutOfRange::check(is_within, name, value, expected);
        within(self.floor.abs() <= 1e6, "floor", self.floor, "a number from -1e6 to 1e6")?;
        within((0.0..=1e6).contains(&self.step), "step", self.step, "a number from 0 to 1e6")?;
        within((0.0..=1.5).contains(&self.slope), "slope", self.slope, "a number of radians from 0 to 1.5")?;
        within((0.1..=100.0).contains(&self.frequency), "frequency", self.frequency, "0.1 to 100 swings a second")?;
        within((0.0..=1.0).contains(&self.weight), "weight", self.weight, "a number from 0 to 1")?;
        Ok(check_frame(entity, seconds)?)
    }
}
