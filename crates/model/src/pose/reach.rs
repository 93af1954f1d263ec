//! Reaching: limbs of two segments that bring their end to a target.

use glam::Vec3A;

use super::aim::{below, check_below, too_near_or_far};
use super::turn::{IntoBone, about, applied, arc, half, matrix, part, roll_by, rotate};
use super::{PosingError, bone_in_model_space, bone_list};
use crate::math::{Mat3x4, Quat, Vec3};
use crate::model::Skeleton;
use crate::out_of_range::{LARGEST_VECTOR, OutOfRange};
use crate::trig;

/// Sine of the bend of a limb below which its pose does not tell where it bends, and the sine from which it alone does.
const BENT: [f32; 2] = [0.02, 0.1];

/// Part of a limb's length by which its end may be off before the bend is corrected. Rounding leaves less.
const CLOSE: f32 = 3e-5;

/// Most corrections of a bend; the first leaves a few percent of the error that a blended pose has.
const MAX_CORRECTIONS: u32 = 4;

/// A limb that bends in the middle so that its end reaches a target: a leg on a stair, a hand on a rail.
///
/// The three bones are in one line of descent; there may be others between them, which keep their poses. The joint in
/// the middle bends as a hinge, then the joint at the start turns. Bones keep their places relative to their parents,
/// so that no limb is stretched.
///
/// A `Reach` is made once for a model.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::pose::Reach;
/// let mut object = skelobj::assets::mannequin_object();
/// let leg = Reach::parse(&object.model().skeleton, "thigh_l, shin_l, foot_l")?.with_pole(Some(Vec3::X));
/// let stair = Vec3::new(8.0, 4.0, 12.0); // model space
/// let missed = object.reach(&leg, stair)?;
/// let foot = object.find_bone("foot_l").and_then(|bone| object.model_space(bone)).unwrap();
/// assert!(missed < 1e-3 && foot.origin().distance(stair) < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Reach {
    bones: [usize; 3],
    /// Axis of the hinge in the bind pose, in the middle bone's own space.
    bind_hinge: Option<Vec3>,
    /// Axis of the hinge, in the middle bone's own space: a positive turn opens the limb. `None`: the axis about which
    /// the pose is bent; where it is bent by less than 6 degrees, increasingly that of the bind pose, or if that is
    /// straight, too, the one that bends to the side of the pole.
    pub hinge: Option<Vec3>,
    /// Direction in model space to whose side the middle points, such as forward for a knee. Choose one across the
    /// lines to the targets: where such a line passes the pole, the limb turns fast. `None`: the limb keeps the plane
    /// in which it is bent.
    pub pole: Option<Vec3>,
    /// Part of the limb's full length, 0 to 1, from which the end falls behind the target, so that the middle does not
    /// snap straight. 1 reaches as far as the limb does. The default is 0.97.
    pub soften: f32,
    /// Turn of the whole limb about the line to the target, radians.
    pub twist: f32,
    /// Least and greatest angle between the segments, radians; 0 is folded, half a turn straight.
    pub bend: [f32; 2],
    /// Rotation of the bone at the end.
    pub end: EndRotation,
    /// Part of the correction that is made, 0 to 1.
    pub weight: f32,
}

/// Rotation of the bone at the end of a limb that [reaches](Reach).
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::pose::{EndRotation, Reach};
/// let mut object = skelobj::assets::mannequin_object();
/// let skeleton = &object.model().skeleton;
/// let leg = Reach::parse(skeleton, "thigh_l, shin_l, foot_l")?.with_pole(Some(Vec3::X));
/// let leg = leg.with_end(EndRotation::Kept);
/// let foot = skeleton.find("foot_l").unwrap();
/// let before = object.model_space(foot).unwrap();
/// object.reach(&leg, Vec3::new(8.0, 4.0, 12.0))?;
/// let after = object.model_space(foot).unwrap();
/// assert!(after.forward().distance(before.forward()) < 1e-4); // the sole stays level
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum EndRotation {
    /// The bone turns with the limb.
    #[default]
    WithLimb,
    /// The bone keeps the rotation in model space that it had in the pose.
    Kept,
    /// The rotation that the bone had in the pose, in model space, and this one after it, such as the slope of a floor.
    KeptThen(Quat),
}

/// Rotations of a limb that reaches a target, as [`Reach::rotations`] returns them.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::pose::Reach;
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let leg = Reach::parse(skeleton, "thigh_l, shin_l, foot_l")?.with_pole(Some(Vec3::X));
/// let [thigh, shin, foot] = leg.bones().map(|bone| skeleton.bind_model()[bone]);
/// let rotations = leg.rotations(&thigh, &shin, foot.origin(), Vec3::new(8.0, 4.0, 12.0))?;
/// assert!(rotations.missed < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct LimbRotations {
    /// Rotation of the bone at the start, in its own space: `bone * rotation`.
    pub start: Quat,
    /// Rotation of the bone in the middle, in its own space.
    pub middle: Quat,
    /// Distance from the end to the target afterwards, Quake units.
    pub missed: f32,
}

impl Reach {
    /// Creates the limb of three bones, from the start to the end.
    ///
    /// ```
    /// use skelobj::pose::Reach;
    /// let mannequin = skelobj::assets::mannequin();
    /// let skeleton = &mannequin.skeleton;
    /// let bones = ["upperarm_l", "forearm_l", "hand_l"].map(|name| skeleton.find(name).unwrap());
    /// assert_eq!(Reach::new(skeleton, bones)?, Reach::parse(skeleton, "upperarm_l, forearm_l, hand_l")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::NoSuchBone`]; [`PosingError::NotBelow`] if a bone is not below the one before it.
    pub fn new(skeleton: &Skeleton, bones: [usize; 3]) -> Result<Self, PosingError> {
        check_limb(skeleton.parents(), skeleton.len(), bones)?;
        let [start, middle, end] = bones.map(|bone| skeleton.bind_model()[bone]);
        let bind_hinge = IntoBone::new(&middle).and_then(|into| {
            let (upper, lower) = (into.point(start.origin().into()), into.point(end.origin().into()));
            let (axis, sine) = bend_of(upper, lower)?;
            (sine > BENT[1] && skeleton.has_bind()).then_some(axis.into())
        });
        Ok(Self {
            bones,
            bind_hinge,
            hinge: None,
            pole: None,
            soften: 0.97,
            twist: 0.0,
            bend: [0.0, std::f32::consts::PI],
            end: EndRotation::WithLimb,
            weight: 1.0,
        })
    }

    /// Creates the limb of three bones by their names, separated by commas.
    ///
    /// ```
    /// use skelobj::pose::Reach;
    /// let mannequin = skelobj::assets::mannequin();
    /// let skeleton = &mannequin.skeleton;
    /// let leg = Reach::parse(skeleton, "thigh_l, shin_l, foot_l")?;
    /// assert!(leg.bones().map(|bone| skeleton.name(bone).unwrap()) == ["thigh_l", "shin_l", "foot_l"]);
    /// let error = Reach::parse(skeleton, "thigh_l, shin_l, Foot_L").unwrap_err();
    /// assert_eq!(error.to_string(), "no bone is named `Foot_L`, did you mean `foot_l`?");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::NoBoneNamed`], [`PosingError::BadEntry`], [`PosingError::NotThreeBones`] and
    /// [`PosingError::NotBelow`].
    pub fn parse(skeleton: &Skeleton, text: impl AsRef<[u8]>) -> Result<Self, PosingError> {
        Self::new(skeleton, bone_list::names(skeleton, text.as_ref(), |found| PosingError::NotThreeBones { found })?)
    }

    /// Returns the limb with a hinge: an axis in the middle bone's own space, about which a positive turn opens it.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Reach;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let leg = Reach::parse(&object.model().skeleton, "thigh_l, shin_l, foot_l")?.with_hinge(Some(Vec3::NEG_Y));
    /// assert!(object.reach(&leg, Vec3::new(0.0, 4.0, 12.0))? < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_hinge(mut self, hinge: Option<Vec3>) -> Self {
        self.hinge = hinge;
        self
    }

    /// Returns the limb with a direction in model space to whose side the middle points.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Reach;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let leg = Reach::parse(&object.model().skeleton, "thigh_l, shin_l, foot_l")?.with_pole(Some(Vec3::Y));
    /// object.reach(&leg, Vec3::new(0.0, 4.0, 15.0))?;
    /// let [hip, knee] = [1, 2].map(|bone| object.model_space(bone).unwrap().origin());
    /// assert!(knee.y > hip.y + 5.0); // the knee points to the left
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_pole(mut self, pole: Option<Vec3>) -> Self {
        self.pole = pole;
        self
    }

    /// Returns the limb with the part of its length, 0 to 1, from which it falls behind the target.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Reach;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let leg = Reach::parse(&object.model().skeleton, "thigh_l, shin_l, foot_l")?.with_pole(Some(Vec3::X));
    /// let ankle = object.find_bone("foot_l").and_then(|bone| object.model_space(bone)).unwrap().origin();
    /// let soft = object.clone().reach(&leg, ankle)?; // the leg of the bind pose is straight
    /// let straight = object.reach(&leg.with_soften(1.0), ankle)?;
    /// assert!(soft > 0.1 && straight < 0.01); // a soft limb stays a little bent
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_soften(mut self, soften: f32) -> Self {
        self.soften = soften;
        self
    }

    /// Returns the limb with a turn about the line to the target, radians.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Reach;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let leg = Reach::parse(&object.model().skeleton, "thigh_l, shin_l, foot_l")?.with_pole(Some(Vec3::X));
    /// let target = Vec3::new(0.0, 4.0, 15.0);
    /// assert!(object.reach(&leg.with_twist(0.4), target)? < 1e-3); // the knee turns, the foot stays
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_twist(mut self, twist: f32) -> Self {
        self.twist = twist;
        self
    }

    /// Returns the limb with a least and a greatest angle between its segments, radians.
    ///
    /// 0 is folded, half a turn straight. A target that needs another angle is missed.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Reach;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let leg = Reach::parse(&object.model().skeleton, "thigh_l, shin_l, foot_l")?.with_pole(Some(Vec3::X));
    /// let leg = leg.with_bend([1.5, 3.0]);
    /// assert!(object.reach(&leg, Vec3::new(0.0, 4.0, 30.0))? > 5.0); // the knee does not bend that far
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_bend(mut self, bend: [f32; 2]) -> Self {
        self.bend = bend;
        self
    }

    /// Returns the limb with a rotation of its end.
    ///
    /// ```
    /// use skelobj::math::{Quat, Vec3};
    /// use skelobj::pose::{EndRotation, Reach};
    /// let mut object = skelobj::assets::mannequin_object();
    /// let slope = Quat::from_rotation_y(-0.3); // toes up
    /// let leg = Reach::parse(&object.model().skeleton, "thigh_l, shin_l, foot_l")?.with_pole(Some(Vec3::X));
    /// let foot = object.find_bone("foot_l").unwrap();
    /// let before = object.model_space(foot).unwrap();
    /// object.reach(&leg.with_end(EndRotation::KeptThen(slope)), Vec3::new(8.0, 4.0, 12.0))?;
    /// let after = object.model_space(foot).unwrap();
    /// assert!(after.forward().distance(slope * before.forward()) < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_end(mut self, end: EndRotation) -> Self {
        self.end = end;
        self
    }

    /// Returns the limb with a weight from 0 to 1, of which 0 changes nothing.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Reach;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let before = object.pose().clone();
    /// let leg = Reach::parse(&object.model().skeleton, "thigh_l, shin_l, foot_l")?.with_weight(0.0);
    /// object.reach(&leg, Vec3::new(0.0, 4.0, 15.0))?;
    /// assert_eq!(object.pose(), &before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_weight(mut self, weight: f32) -> Self {
        self.weight = weight;
        self
    }

    /// Returns the bones at the start, in the middle and at the end.
    ///
    /// ```
    /// use skelobj::pose::Reach;
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(Reach::parse(&mannequin.skeleton, "thigh_l, shin_l, foot_l")?.bones(), [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bones(&self) -> [usize; 3] {
        self.bones
    }

    /// Returns the rotations of the bones at the start and in the middle that bring the end to a target.
    ///
    /// `start` and `middle` are the matrices of the bones, `end` is the origin of the bone at the end, all in model
    /// space, as `target` is. [`end`](Self::end) is not used.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::pose::Reach;
    /// let mannequin = skelobj::assets::mannequin();
    /// let leg = Reach::parse(&mannequin.skeleton, "thigh_l, shin_l, foot_l")?
    ///     .with_hinge(Some(Vec3::NEG_Y))
    ///     .with_pole(Some(Vec3::X));
    /// let at = |height| Mat3x4::from_translation(Vec3::new(0.0, 8.0, height));
    /// let (hip, foot) = (at(40.0), Vec3::new(0.0, 8.0, 2.0));
    /// let knee = Mat3x4::from_translation(Vec3::new(2.0, 8.0, 21.0));
    /// let rotations = leg.rotations(&hip, &knee, foot, Vec3::new(6.0, 8.0, 10.0))?;
    /// assert!((rotations.middle.y - 0.511975).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`reach`].
    pub fn rotations(
        &self,
        start: &Mat3x4,
        middle: &Mat3x4,
        end: Vec3,
        target: Vec3,
    ) -> Result<LimbRotations, PosingError> {
        self.check(target)?;
        self.checked_rotations(start, middle, end, target)
    }

    /// Checks that the bones are among so many with these parents, each below the one before it.
    pub(super) fn check_bones(&self, parents: &[i32], count: usize) -> Result<(), PosingError> {
        check_limb(parents, count, self.bones)
    }

    /// Returns the limb with a hinge for straight poses, if the bind pose has none: the one that bends the limb to the
    /// side of +X of model space.
    pub(super) fn bent_forward(mut self, skeleton: &Skeleton) -> Self {
        let [start, middle, end] = self.bones.map(|bone| skeleton.bind_model()[bone]);
        self.bind_hinge = self.bind_hinge.or_else(|| {
            let into_middle = IntoBone::new(&middle)?;
            let across = Vec3A::from(end.origin() - start.origin()).cross(Vec3A::X);
            let axis = into_middle.vector(across).try_normalize()? * into_middle.handedness;
            Some(axis.into())
        });
        self
    }

    #[inline(always)]
    pub(super) fn check(&self, target: Vec3) -> Result<(), PosingError> {
        let [least, greatest] = self.bend;
        let (hinge, pole) = (self.hinge.unwrap_or_default(), self.pole.unwrap_or_default());
        let sizes = target.abs() + hinge.abs() + pole.abs();
        let rotates = match self.end {
            EndRotation::KeptThen(rotation) => (rotation.length_squared() - 1.0).abs() < 0.01,
            EndRotation::WithLimb | EndRotation::Kept => true,
        };
        let fits = (0.0..=1.0).contains(&self.weight) && (0.0..=1.0).contains(&self.soften) && 0.0 <= least;
        // Products of 0 and what is not finite are NaN.
        let are_small = sizes.element_sum() + self.twist * 0.0 <= LARGEST_VECTOR;
        if are_small && rotates && fits && least <= greatest { Ok(()) } else { self.check_each(target) }
    }

    #[cold]
    fn check_each(&self, target: Vec3) -> Result<(), PosingError> {
        let [least, greatest] = self.bend;
        let fraction = "a number from 0 to 1";
        let (hinge, pole) = (self.hinge.unwrap_or_default(), self.pole.unwrap_or_default());
        for (name, vector) in [("target", target), ("hinge", hinge), ("pole", pole)] {
            OutOfRange::check_vector(name, vector)?;
        }
        OutOfRange::check(self.twist.is_finite(), "twist", self.twist, "a finite number")?;
        OutOfRange::check((0.0..=1.0).contains(&self.weight), "weight", self.weight, fraction)?;
        OutOfRange::check((0.0..=1.0).contains(&self.soften), "soften", self.soften, fraction)?;
        OutOfRange::check(least >= 0.0, "least bend", least, "a number of radians from 0")?;
        OutOfRange::check(least <= greatest, "greatest bend", greatest, "a number from the least bend")?;
        let length = match self.end {
            EndRotation::KeptThen(rotation) => rotation.length(),
            EndRotation::WithLimb | EndRotation::Kept => 1.0,
        };
        let is_unit = (length * length - 1.0).abs() < 0.01;
        OutOfRange::check(is_unit, "rotation of the end", length, "a quaternion of length 1")?;
        Ok(())
    }

    #[inline(always)]
    fn checked_rotations(
        &self,
        start: &Mat3x4,
        middle: &Mat3x4,
        end: Vec3,
        target: Vec3,
    ) -> Result<LimbRotations, PosingError> {
        let posed = self.posed(start, middle, end, target)?;
        let held = softened(posed.distance, posed.hinge.length, self.soften);
        let bend = self.bent(&posed.hinge, held);
        let share = held / posed.distance;
        let (foot, far) = (posed.foot(middle, bend), posed.into_start.vector(posed.way));
        // The end is in the direction of the target then: squares of the distances at which it is and should be.
        let (found, wanted) = (foot.length_squared(), share * share * far.length_squared());
        if (found - wanted).abs() > 2.0 * CLOSE * wanted {
            return self.corrected(start, middle, end, target);
        }
        self.turned(start, middle, &posed, bend, foot, far)
    }

    /// Returns the rotations of a limb whose bones are sheared or scaled: lengths in the spaces of two bones differ
    /// then, and another distance is to be held in that of the middle.
    #[cold]
    #[inline(never)]
    fn corrected(
        &self,
        start: &Mat3x4,
        middle: &Mat3x4,
        end: Vec3,
        target: Vec3,
    ) -> Result<LimbRotations, PosingError> {
        let posed = self.posed(start, middle, end, target)?;
        let wanted = softened(posed.distance, posed.hinge.length, self.soften);
        let far = posed.into_start.vector(posed.way);
        let scale = posed.distance / far.length();
        let at = |held: f32| {
            let bend = self.bent(&posed.hinge, held);
            let foot = posed.foot(middle, bend);
            (bend, foot, foot.length() * scale)
        };
        // The secant method.
        let mut held = wanted;
        let (mut bend, mut foot, mut found) = at(held);
        let mut slope = held / found;
        for _ in 0..MAX_CORRECTIONS {
            let off = (wanted - found).abs();
            let next_held = held + (wanted - found) * slope;
            let next = at(next_held);
            // Not so for a limb that is as long or as bent as it can be, nor for NaN.
            let is_nearer = off > CLOSE * posed.hinge.length && (wanted - next.2).abs() < off;
            if !is_nearer {
                break;
            }
            slope = (next_held - held) / (next.2 - found);
            held = next_held;
            (bend, foot, found) = next;
        }
        self.turned(start, middle, &posed, bend, foot, far)
    }

    #[inline(always)]
    fn posed(&self, start: &Mat3x4, middle: &Mat3x4, end: Vec3, target: Vec3) -> Result<Posed, PosingError> {
        let [start_bone, middle_bone, _] = self.bones;
        let Some(into_start) = IntoBone::new(start) else { return Err(PosingError::Singular { bone: start_bone }) };
        let Some(into_middle) = IntoBone::new(middle) else { return Err(PosingError::Singular { bone: middle_bone }) };
        let (hip, end) = (Vec3A::from(start.origin()), Vec3A::from(end));
        let way = Vec3A::from(target) - hip;
        let distance = into_middle.vector(way).length_squared();
        let is_apart = distance > 1e-20 && distance < f32::INFINITY;
        if !is_apart {
            return Err(too_near_or_far(start_bone, distance));
        }
        let limb = Limb { upper: into_middle.point(hip), lower: into_middle.point(end), whole: end - hip };
        let hinge = self.hinged(&into_middle, &limb)?;
        let knee = into_start.point(middle.origin().into());
        Ok(Posed { into_start, limb, hinge, knee, way, distance: distance.sqrt() })
    }

    /// Returns the rotations of a limb that is bent, so that its end is at `foot`, towards the target, which is at
    /// `far`; both in the space of the start.
    #[inline(always)]
    fn turned(
        &self,
        start: &Mat3x4,
        middle: &Mat3x4,
        posed: &Posed,
        bend: Quat,
        mut foot: Vec3A,
        far: Vec3A,
    ) -> Result<LimbRotations, PosingError> {
        let Posed { into_start, limb, hinge, knee, way, .. } = posed;
        let ahead = far / far.length_squared().sqrt();
        let reached = foot.length_squared();
        let across = || knee.cross(foot).try_normalize().unwrap_or_else(|| ahead.any_orthonormal_vector());
        let swing = if reached > 1e-20 { arc(foot * (1.0 / reached.sqrt()), ahead, across) } else { Quat::IDENTITY };
        let mut turn = swing;
        if let Some(pole) = self.pole {
            // Where the limb is straight, the hinge still tells the side of the middle.
            let side = into_start.vector(applied(middle, hinge.axis.cross(bend * limb.lower - limb.upper)));
            // In full also near the pole: a part would jump wherever the pose has the other side.
            turn = roll_by(ahead, swing * side, into_start.vector(pole.into()), |_, _, _| 1.0) * turn;
        }
        if self.twist != 0.0 {
            turn = about(ahead, self.twist * into_start.handedness) * turn;
        }
        let mut rotations = LimbRotations { start: turn, middle: bend, missed: 0.0 };
        if self.weight < 1.0 {
            let shortest = if turn.w < 0.0 { -turn } else { turn };
            rotations.start = part(shortest, self.weight);
            rotations.middle = part(bend, self.weight);
            foot = posed.foot(middle, rotations.middle);
        }
        rotations.missed = self.finite((applied(start, rotations.start * foot) - *way).length())?;
        Ok(rotations)
    }

    /// Returns a distance, unless numbers were too large to compute it.
    #[inline(always)]
    fn finite(&self, distance: f32) -> Result<f32, PosingError> {
        if distance.is_finite() { Ok(distance) } else { Err(PosingError::Singular { bone: self.bones[0] }) }
    }

    /// Returns the hinge of the limb, and how it is bent.
    #[inline(always)]
    fn hinged(&self, into_middle: &IntoBone, limb: &Limb) -> Result<Hinge, PosingError> {
        let Limb { upper, lower, .. } = *limb;
        let (upper_size, lower_size) = (upper.length_squared(), lower.length_squared());
        let are_long = upper_size > 1e-20 && lower_size > 1e-20;
        if !are_long {
            let [_, middle, end] = self.bones;
            return Err(PosingError::NoLength { bone: if lower_size > 1e-20 { middle } else { end } });
        }
        let no_bend = PosingError::NoBend { bone: self.bones[1] };
        let Some(axis) = self.hinge_of(into_middle, limb) else { return Err(no_bend) };
        let length = upper_size.sqrt() + lower_size.sqrt();
        // The parts along the hinge stay; those across it turn.
        let along = upper.dot(axis) * lower.dot(axis);
        let (x, y) = (upper.dot(lower) - along, axis.dot(upper.cross(lower)));
        let size = (x * x + y * y).sqrt();
        let turns = size > 1e-20;
        if !turns {
            return Err(no_bend);
        }
        let scale = 1.0 / size;
        Ok(Hinge { axis, length, sizes: upper_size + lower_size, along, scale, bend: (x * scale, y * scale) })
    }

    /// Returns the rotation of the middle, in its own space, that holds the end at a distance from the start.
    #[inline(always)]
    fn bent(&self, hinge: &Hinge, held: f32) -> Quat {
        let wanted = 0.5 * (hinge.sizes - held * held);
        let (cosine_now, sine_now) = hinge.bend;
        let cosine = self.within_bend(((wanted - hinge.along) * hinge.scale).clamp(-1.0, 1.0));
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        let (half_cosine, half_sine) =
            half(cosine * cosine_now + sine * sine_now, sine * cosine_now - cosine * sine_now);
        Quat::from_vec4((hinge.axis * half_sine).extend(half_cosine))
    }

    /// Returns the cosine of the angle between the segments, held to the limits.
    #[inline(always)]
    fn within_bend(&self, mut cosine: f32) -> f32 {
        let [least, greatest] = self.bend;
        if least > 0.0 {
            cosine = cosine.min(trig::cos(least.min(std::f32::consts::PI).into()) as f32);
        }
        if greatest < std::f32::consts::PI {
            cosine = cosine.max(trig::cos(greatest.into()) as f32);
        }
        cosine
    }

    /// Returns the unit axis about which the middle bends; a positive turn opens the limb.
    #[inline(always)]
    fn hinge_of(&self, into_middle: &IntoBone, limb: &Limb) -> Option<Vec3A> {
        if let Some(hinge) = self.hinge {
            let size = hinge.length_squared();
            return (size > 1e-36 && size < f32::INFINITY).then(|| (hinge * (1.0 / size.sqrt())).into());
        }
        let posed = bend_of(limb.upper, limb.lower);
        let trust = posed.map_or(0.0, |(_, sine)| ((sine - BENT[0]) * (1.0 / (BENT[1] - BENT[0]))).clamp(0.0, 1.0));
        if let (Some((axis, _)), true) = (posed, trust >= 1.0) {
            return Some(axis);
        }
        let straight = self.bind_hinge.map(Vec3A::from).or_else(|| {
            let across = limb.whole.cross(self.pole?.into());
            into_middle.vector(across).try_normalize().map(|axis| axis * into_middle.handedness)
        });
        match (straight, posed) {
            (Some(straight), Some((axis, _))) => (straight + (axis - straight) * trust).try_normalize().or(Some(axis)),
            (None, Some((axis, _))) if trust > 0.0 => Some(axis),
            (straight, _) => straight,
        }
    }
}

/// Limb in a pose.
struct Posed {
    into_start: IntoBone,
    limb: Limb,
    hinge: Hinge,
    /// Origin of the middle, in the space of the start.
    knee: Vec3A,
    /// From the start to the target, in model space.
    way: Vec3A,
    /// Length of the way, in the space of the middle.
    distance: f32,
}

impl Posed {
    /// Returns where a bend takes the end, in the space of the start, whose origin is the joint.
    #[inline(always)]
    fn foot(&self, middle: &Mat3x4, bend: Quat) -> Vec3A {
        self.knee + self.into_start.vector(applied(middle, bend * self.limb.lower))
    }
}

/// Hinge of a limb, in the space of its middle bone.
struct Hinge {
    /// Unit vector; a positive turn opens the limb.
    axis: Vec3A,
    /// Length of both segments.
    length: f32,
    /// Sum of the squares of their lengths.
    sizes: f32,
    /// Product of their parts along the axis.
    along: f32,
    /// Inverse of the product of their parts across it.
    scale: f32,
    /// Cosine and sine of the angle between the parts across it.
    bend: (f32, f32),
}

/// Segments of a limb in the space of its middle bone, and the way from start to end in model space.
struct Limb {
    upper: Vec3A,
    lower: Vec3A,
    whole: Vec3A,
}

/// Returns the unit axis about which a positive turn opens a limb, and the sine of its bend; `None` without one.
#[inline(always)]
fn bend_of(upper: Vec3A, lower: Vec3A) -> Option<(Vec3A, f32)> {
    let across = upper.cross(lower);
    let (size, sizes) = (across.length(), (upper.length_squared() * lower.length_squared()).sqrt());
    (size > sizes * 1e-4).then(|| (across * (1.0 / size), size / sizes))
}

/// Returns the distance at which the end is held for a target at a distance: the same up to a part of the length, then
/// ever less, and below the length.
#[inline(always)]
fn softened(distance: f32, length: f32, soften: f32) -> f32 {
    let hard = soften * length;
    let soft = length - hard;
    if distance <= hard || soft <= 0.0 {
        return if distance < length { distance } else { length };
    }
    let ratio = 4.0 / ((distance - hard) / soft + 4.0);
    hard + soft * (1.0 - (ratio * ratio) * (ratio * ratio))
}

/// Brings the end of a limb to a target in model space.
///
/// `local` holds the pose in local space. Bones keep their places relative to their parents, to the bit. Returns the
/// distance in Quake units by which the end misses the target: 0 but for rounding, unless the target is out of reach,
/// near the full length of the limb ([`Reach::soften`]), or beyond [`Reach::bend`], or the weight is below 1.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::pose::{self, Reach};
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let arm = Reach::parse(skeleton, "upperarm_r, forearm_r, hand_r")?.with_pole(Some(Vec3::NEG_X));
/// let mut local = skeleton.bind_local().to_vec();
/// let button = Vec3::new(14.0, -10.0, 45.0);
/// assert!(pose::reach(skeleton.parents(), &mut local, &arm, button)? < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PosingError::NoSuchBone`] and [`PosingError::NotBelow`] if the slices are not those of the limb's skeleton;
/// [`PosingError::Singular`]; [`PosingError::TooNear`] if the target is at the start; [`PosingError::NoLength`];
/// [`PosingError::NoBend`]; [`PosingError::OutOfRange`]. No bone is changed.
pub fn reach(parents: &[i32], local: &mut [Mat3x4], reach: &Reach, target: Vec3) -> Result<f32, PosingError> {
    reach.check(target)?;
    let [start, middle, end] = reach.bones;
    check_limb(parents, parents.len().min(local.len()), reach.bones)?;
    let start_model = bone_in_model_space(parents, local, start);
    let to_middle = below(parents, local, start, middle);
    let to_end = below(parents, local, middle, end);
    let posed = [&start_model, &to_middle, &(start_model * to_middle), &to_end];
    reach.apply(parents, local, posed, target, reach.end)
}

impl Reach {
    /// Brings the end to a target, with numbers and bones that were checked. `posed` are the matrices of the start in
    /// model space, of the middle relative to it and in model space, and of the end relative to the middle.
    #[inline(always)]
    pub(super) fn apply(
        &self,
        parents: &[i32],
        local: &mut [Mat3x4],
        posed: [&Mat3x4; 4],
        target: Vec3,
        rotation: EndRotation,
    ) -> Result<f32, PosingError> {
        let ([start, middle, end], [start_model, to_middle, middle_model, to_end]) = (self.bones, posed);
        let end_point = middle_model.transform_point(to_end.origin());
        if self.weight == 0.0 {
            return self.finite(end_point.distance(target));
        }
        let rotations = self.checked_rotations(start_model, middle_model, end_point, target)?;
        if rotation != EndRotation::WithLimb {
            let parent = parents[end] as usize;
            let mut turned = *start_model * matrix(rotations.start) * *to_middle * matrix(rotations.middle);
            if parent != middle {
                turned = turned * below(parents, local, middle, parent);
            }
            let into_parent = turned.inverse().ok_or(PosingError::Singular { bone: parent })?;
            let mut kept = *middle_model * *to_end;
            if let EndRotation::KeptThen(rotation) = rotation {
                let shorter = if rotation.w < 0.0 { -rotation } else { rotation };
                kept = matrix(part(shorter.normalize(), self.weight)) * kept;
            }
            let wanted = into_parent * kept;
            if !wanted.is_finite() {
                return Err(PosingError::Singular { bone: parent });
            }
            local[end] = wanted.with_origin(local[end].origin());
        }
        rotate(&mut local[start], rotations.start);
        rotate(&mut local[middle], rotations.middle);
        Ok(rotations.missed)
    }
}

/// Checks that three bones exist, each below the one before it.
fn check_limb(parents: &[i32], count: usize, bones: [usize; 3]) -> Result<(), PosingError> {
    let [start, middle, end] = bones;
    if let Some(&bone) = bones.iter().find(|bone| **bone >= count) {
        return Err(PosingError::NoSuchBone { bone });
    }
    check_below(parents, middle, start)?;
    check_below(parents, end, middle)
}
