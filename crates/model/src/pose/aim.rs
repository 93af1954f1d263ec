//! Aiming: chains of bones that turn towards a target.

use glam::Vec3A;

use super::turn::{IntoBone, about, applied, arc, matrix, part, roll, rotate};
use super::{PosingError, bone_in_model_space, bone_list};
use crate::math::{Mat3x4, Quat, Vec3};
use crate::model::Skeleton;
use crate::out_of_range::{LARGEST_VECTOR, OutOfRange};
use crate::trig;

/// Cosine of the angle beyond which a target counts as straight behind.
const BEHIND: f32 = -0.996_194_7; // 175 degrees

/// Cosine of half that angle.
const HALF_BEHIND: f32 = 0.043_619_387; // 87.5 degrees

/// Least distance from an offset to the target, as a part of the target's distance from the bone: nearer, rounding
/// decides the direction.
const NEAREST: f32 = 1e-4;

/// Part of the squared length of an axis by which a bone is skewed.
const SKEWED: f32 = 1e-3;

/// Number of halvings of the range in which a limit is searched for.
const HALVINGS: u32 = 22;

/// Greatest number of bones that share a turn.
const MAX_BONES: usize = 16;

/// Bones that turn together so that an axis of the last one points at a target.
///
/// The bones share the turn: each turns by its share of the angle, and the last one by what is left, so that it points
/// exactly at the target. Everything below a bone turns with it. The axis is the direction that points forward (+X in
/// model space) in the bind pose, unless [`axis`](Self::axis) states another.
///
/// An `Aim` is made once for a model. The bones move continuously with the target and the pose, with two exceptions:
/// within 5 degrees of straight behind, the weight falls to 0; and with the full weight and a pole, the roll jumps
/// where the target crosses the plane behind the pole, within 10 degrees of it. No rotation that keeps a bone upright
/// is continuous around its pole; a limit below 80 degrees keeps the aim away from it.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::pose::Aim;
/// let mut object = skelobj::assets::mannequin_object();
/// let look = Aim::parse(&object.model().skeleton, "chest 0.2, neck 0.3, head 0.5")?;
/// let target = Vec3::new(60.0, 40.0, 80.0); // model space
/// object.aim(&look, target)?;
/// let head = object.model_space(12).unwrap();
/// assert!(head.forward().angle_between(target - head.origin()) < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Aim {
    /// Bones from the uppermost to the last, with the part of the remaining turn that each takes; 1 for the last.
    /// In place, so that a script can make an aim for every call without an allocation.
    bones: [(u32, f32); MAX_BONES],
    count: usize,
    /// Direction in the last bone's own space that points at the target.
    pub axis: Vec3,
    /// Direction in the last bone's own space that turns to the side of [`pole`](Self::pole).
    pub up: Vec3,
    /// Direction in model space that keeps the last bone upright: the bone rolls about its axis until [`up`](Self::up)
    /// is on this side. The roll fades out within 10 degrees of the pole. `None`, or an `up` along the axis: no roll is
    /// added.
    pub pole: Option<Vec3>,
    /// Place in the last bone's own space from which the axis begins, such as the eyes or a muzzle.
    pub offset: Vec3,
    /// Greatest angle by which the axis turns from its direction in the pose, radians from 0 in model space. The
    /// default is half a turn, which does not limit.
    pub limit: f32,
    /// Part of the turn that is made, 0 to 1.
    pub weight: f32,
}

/// Limits of a turn, prepared for a call.
struct Bounds {
    weight: f32,
    /// Cosine of the limit, and cosine and sine of half of it; the cosine is below -1 without a limit.
    limit: (f32, f32, f32),
}

/// Directions in model space.
#[derive(Clone, Copy)]
struct Way {
    /// Line from the last bone to the point of the axis that is as far away as the target, in the pose.
    line: Vec3A,
    /// Axis of the last bone in the pose.
    axis: Vec3A,
    /// Direction from the last bone to the target.
    target: Vec3A,
}

impl Aim {
    /// Creates an aim of bones, each with its share of the turn, from the uppermost to the last.
    ///
    /// Only the ratios of the shares matter. Each bone must be below the one before it; there may be others between
    /// them, which turn along.
    ///
    /// ```
    /// use skelobj::pose::Aim;
    /// let mannequin = skelobj::assets::mannequin();
    /// let skeleton = &mannequin.skeleton;
    /// let bone = |name| skeleton.find(name).unwrap();
    /// let look = Aim::new(skeleton, &[(bone("chest"), 1.0), (bone("head"), 3.0)])?;
    /// assert_eq!(look, Aim::parse(skeleton, "chest 0.25, head 0.75")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::NoBones`], [`PosingError::TooManyBones`] beyond 16, [`PosingError::NoSuchBone`],
    /// [`PosingError::NotBelow`]; [`PosingError::OutOfRange`] if a share is negative or non-finite, or their sum is 0.
    pub fn new(skeleton: &Skeleton, bones: &[(usize, f32)]) -> Result<Self, PosingError> {
        let &[.., (last, _)] = bones else { return Err(PosingError::NoBones) };
        if bones.len() > MAX_BONES {
            return Err(PosingError::TooManyBones { most: MAX_BONES });
        }
        let mut above = None;
        for &(bone, share) in bones {
            OutOfRange::check((0.0..f32::INFINITY).contains(&share), "share of a bone", share, "a number from 0")?;
            if bone >= skeleton.len() {
                return Err(PosingError::NoSuchBone { bone });
            }
            if let Some(above) = above {
                check_below(skeleton.parents(), bone, above)?;
            }
            above = Some(bone);
        }
        let mut rest: f32 = bones.iter().map(|(_, share)| share).sum();
        OutOfRange::check(rest > 0.0 && rest < f32::INFINITY, "sum of the shares", rest, "a number above 0")?;
        let mut fractions = [(0, 0.0); MAX_BONES];
        for (place, &(bone, share)) in fractions.iter_mut().zip(bones) {
            let fraction = if rest > 0.0 { (share / rest).min(1.0) } else { 0.0 };
            rest -= share;
            *place = (bone as u32, if bone == last { 1.0 } else { fraction });
        }
        let into_bone = skeleton.inverse_bind()[last];
        let direction = |axis: Vec3| into_bone.transform_vector(axis).normalize_or(axis);
        Ok(Self {
            bones: fractions,
            count: bones.len(),
            axis: direction(Vec3::X),
            up: direction(Vec3::Z),
            pole: Some(Vec3::Z),
            offset: Vec3::ZERO,
            limit: std::f32::consts::PI,
            weight: 1.0,
        })
    }

    /// Creates an aim from a text: names of bones with their shares, separated by commas.
    ///
    /// A name without a number has the share 1. Names may contain spaces, but no commas.
    ///
    /// ```
    /// use skelobj::pose::Aim;
    /// let mannequin = skelobj::assets::mannequin();
    /// let look = Aim::parse(&mannequin.skeleton, "neck 0.4, head 0.6")?.with_limit(1.2);
    /// let error = Aim::parse(&mannequin.skeleton, "neck 0.4, haed 0.6").unwrap_err();
    /// assert_eq!(error.to_string(), "no bone is named `haed`, did you mean `head`?");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::NoBoneNamed`], [`PosingError::BadEntry`] and those of [`new`](Self::new). A share must be
    /// from 0 to 1.
    pub fn parse(skeleton: &Skeleton, text: impl AsRef<[u8]>) -> Result<Self, PosingError> {
        let mut bones = [(0, 0.0); MAX_BONES];
        let mut count = 0;
        for entry in bone_list::parse(skeleton, text.as_ref(), 1) {
            let bone_list::Listed { bone, weight, .. } = entry?;
            let most = MAX_BONES;
            *bones.get_mut(count).ok_or(PosingError::TooManyBones { most })? = (bone, weight.unwrap_or(1.0));
            count += 1;
        }
        Self::new(skeleton, &bones[..count])
    }

    /// Returns the aim with a greatest angle, radians.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Aim;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let look = Aim::parse(&object.model().skeleton, "head")?.with_limit(0.5);
    /// let missed = object.aim(&look, Vec3::new(0.0, 100.0, 56.0))?; // a quarter turn to the left
    /// assert!((missed - (90f32.to_radians() - 0.5)).abs() < 0.01);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_limit(mut self, limit: f32) -> Self {
        self.limit = limit;
        self
    }

    /// Returns the aim with a weight from 0 to 1, of which 0 turns nothing.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Aim;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let glance = Aim::parse(&object.model().skeleton, "head")?.with_weight(0.5);
    /// object.aim(&glance, Vec3::new(0.0, 100.0, 56.0))?; // a quarter turn to the left
    /// let forward = object.model_space(12).unwrap().forward();
    /// assert!((forward.y.atan2(forward.x) - 45f32.to_radians()).abs() < 0.01);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_weight(mut self, weight: f32) -> Self {
        self.weight = weight;
        self
    }

    /// Returns the aim with another axis, and another direction that stays up, both in the last bone's own space.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Aim;
    /// let mut object = skelobj::assets::mannequin_object();
    /// // The mannequin's arm hangs along the up axis of its bones.
    /// let point_at = Aim::parse(&object.model().skeleton, "upperarm_l")?.with_axis(Vec3::Z, Vec3::X);
    /// let target = Vec3::new(50.0, 20.0, 60.0);
    /// object.aim(&point_at, target)?;
    /// let arm = object.model_space(14).unwrap();
    /// assert!(arm.up().angle_between(target - arm.origin()) < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_axis(mut self, axis: Vec3, up: Vec3) -> Self {
        (self.axis, self.up) = (axis, up);
        self
    }

    /// Returns the aim with a place in the last bone's own space from which the axis begins.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Aim;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let eyes = Vec3::new(3.0, 0.0, 4.0);
    /// let look = Aim::parse(&object.model().skeleton, "head")?.with_offset(eyes);
    /// let target = Vec3::new(20.0, 15.0, 50.0);
    /// object.aim(&look, target)?;
    /// let head = object.model_space(12).unwrap();
    /// assert!(head.forward().angle_between(target - head.transform_point(eyes)) < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_offset(mut self, offset: Vec3) -> Self {
        self.offset = offset;
        self
    }

    /// Returns the aim with a direction in model space that keeps the last bone upright; `None` to add no roll.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Quat, Vec3};
    /// use skelobj::pose::Aim;
    /// let mut object = skelobj::assets::mannequin_object();
    /// let head = object.find_bone("head").unwrap();
    /// let tilt = Mat3x4::from_rotation_translation(Quat::from_rotation_x(0.5), Vec3::ZERO);
    /// object.post_mul_bone(head, tilt)?;
    /// let look = Aim::parse(&object.model().skeleton, "head")?;
    /// let ahead = Vec3::new(100.0, 0.0, 56.0);
    /// object.aim(&look.clone().with_pole(None), ahead)?;
    /// assert!(object.model_space(head).unwrap().left().z > 0.4); // still tilted
    /// object.aim(&look, ahead)?;
    /// assert!(object.model_space(head).unwrap().left().z.abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_pole(mut self, pole: Option<Vec3>) -> Self {
        self.pole = pole;
        self
    }

    /// Returns the bones, from the uppermost to the last.
    ///
    /// ```
    /// use skelobj::pose::Aim;
    /// let mannequin = skelobj::assets::mannequin();
    /// let look = Aim::parse(&mannequin.skeleton, "neck 0.4, head 0.6")?;
    /// assert!(look.bones().eq([11, 12]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bones(&self) -> impl Iterator<Item = usize> {
        self.chain().map(|(bone, _)| bone)
    }

    #[inline(always)]
    fn chain(&self) -> impl Iterator<Item = (usize, f32)> + Clone {
        self.bones[..self.count].iter().map(|&(bone, fraction)| (bone as usize, fraction))
    }

    /// Returns the rotation that aims the last bone alone, in its own space: `bone * rotation`.
    ///
    /// `bone` is the matrix of the last bone and `target` the place to point at, both in model space.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::pose::Aim;
    /// let mannequin = skelobj::assets::mannequin();
    /// let bind_pose = mannequin.skeleton.bind_model()[12];
    /// let look = Aim::parse(&mannequin.skeleton, "head")?;
    /// let target = bind_pose.origin() + Vec3::new(10.0, 10.0, 0.0);
    /// let rotation = look.rotation(&bind_pose, target)?;
    /// assert!((rotation.to_axis_angle().1 - 45f32.to_radians()).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`aim`].
    pub fn rotation(&self, bone: &Mat3x4, target: Vec3) -> Result<Quat, PosingError> {
        if self.limit < std::f32::consts::PI {
            return self.limited_alone(bone, target).map(|(rotation, _)| rotation);
        }
        let bounds = self.bounds(target)?;
        let (into, line, direction) = self.directions(bone, target)?;
        let (swing, turned, weight) = self.toward(&bounds, line, direction);
        Ok(self.rolled(swing, turned, &into, weight))
    }

    /// Returns the rotation that aims the last bone alone within a limit, and whether it surely reaches the target.
    #[inline(never)]
    fn limited_alone(&self, bone: &Mat3x4, target: Vec3) -> Result<(Quat, bool), PosingError> {
        let bounds = self.bounds(target)?;
        let (into, line, direction) = self.directions(bone, target)?;
        if self.turns_unevenly(bone) {
            let way = self.way(bone, line, target);
            return Ok((self.limited_rotation(&bounds, bone, &into, line, &way), false));
        }
        let (swing, turned, weight) = self.toward(&bounds, line, direction);
        Ok((self.rolled(swing, turned, &into, weight), turned == direction))
    }

    /// Returns whether the axis turns by another angle than the line to the target does in the space of the bone.
    #[inline(never)]
    fn turns_unevenly(&self, bone: &Mat3x4) -> bool {
        let [x, y, z] = bone.rows().map(Vec3A::from_vec4);
        let [xx, yy, zz] = [x, y, z].map(Vec3A::length_squared);
        let skew = [xx - yy, yy - zz, x.dot(y), y.dot(z), z.dot(x)];
        self.offset != Vec3::ZERO || skew.into_iter().any(|number| number.abs() > SKEWED * xx)
    }

    /// Returns the angle in model space between the rotated axis and the way from its beginning to the target.
    #[inline(never)]
    fn missed(&self, bone: &Mat3x4, rotation: Quat, target: Vec3) -> f32 {
        let Some(into) = IntoBone::new(bone) else { return 0.0 };
        let way = into.point(target.into()) - rotation * Vec3A::from(self.offset);
        let axis = rotation * Vec3A::from(self.axis);
        let [axis, way] = [axis, way].map(|vector| applied(bone, vector.normalize_or_zero()));
        angle_between(axis, way)
    }

    fn way(&self, tip: &Mat3x4, line: Vec3A, target: Vec3) -> Way {
        let [line, axis] = [line, self.axis.into()].map(|vector| applied(tip, vector).normalize());
        Way { line, axis, target: Vec3A::from(target - tip.origin()).normalize() }
    }

    /// Rotates the bones; with weight 0, they keep their bits.
    fn rotate(&self, local: &mut [Mat3x4], rotations: &[Quat]) {
        if self.weight == 0.0 {
            return;
        }
        for ((bone, _), rotation) in self.chain().zip(rotations) {
            rotate(&mut local[bone], *rotation);
        }
    }

    fn last(&self) -> usize {
        self.bones[self.count - 1].0 as usize
    }

    /// Checks the numbers of a call, and prepares its limits.
    #[inline(always)]
    fn bounds(&self, target: Vec3) -> Result<Bounds, PosingError> {
        let pole = self.pole.unwrap_or_default();
        let sizes = self.axis.abs() + self.up.abs() + self.offset.abs() + target.abs() + pole.abs();
        let are_small = sizes.element_sum() <= LARGEST_VECTOR;
        if !(are_small && (0.0..=1.0).contains(&self.weight) && self.limit >= 0.0) {
            self.check(target)?;
        }
        let limit = if self.limit < std::f32::consts::PI { self.prepared_limit() } else { (-2.0, 0.0, 1.0) };
        Ok(Bounds { weight: self.weight, limit })
    }

    #[inline(never)]
    fn prepared_limit(&self) -> (f32, f32, f32) {
        let half = f64::from(self.limit) / 2.0;
        let (cosine, sine) = (trig::cos(half), trig::sin(half));
        ((2.0 * cosine * cosine - 1.0) as f32, cosine as f32, sine as f32)
    }

    #[cold]
    fn check(&self, target: Vec3) -> Result<(), PosingError> {
        let pole = self.pole.unwrap_or_default();
        let vectors =
            [("axis", self.axis), ("up", self.up), ("offset", self.offset), ("pole", pole), ("target", target)];
        for (name, vector) in vectors {
            OutOfRange::check_vector(name, vector)?;
        }
        OutOfRange::check((0.0..=1.0).contains(&self.weight), "weight", self.weight, "a number from 0 to 1")?;
        OutOfRange::check(self.limit >= 0.0, "limit", self.limit, "a number of radians from 0")?;
        Ok(())
    }

    /// Returns, in the last bone's own space, the unit vectors that are to meet: from the bone's origin to the point of
    /// the axis that is as far away as the target, and to the target.
    #[inline(always)]
    fn directions(&self, bone: &Mat3x4, target: Vec3) -> Result<(IntoBone, Vec3A, Vec3A), PosingError> {
        let Some(into) = IntoBone::new(bone) else { return Err(PosingError::Singular { bone: self.last() }) };
        let target = into.point(target.into());
        let (distance, axis_size) = (target.length_squared(), self.axis.length_squared());
        // NaN fails the second comparison.
        let fits = distance.min(axis_size) > 1e-20 && distance + axis_size < f32::INFINITY;
        if !fits {
            return Err(self.unfit(distance, axis_size));
        }
        let scale = 1.0 / distance.sqrt();
        let mut axis = Vec3A::from(self.axis);
        if axis_size != 1.0 {
            axis *= 1.0 / axis_size.sqrt();
        }
        if self.offset != Vec3::ZERO {
            let offset = Vec3A::from(self.offset);
            let along = offset.dot(axis);
            let left = along * along + distance - offset.length_squared();
            // From the offset to the target, along the axis: behind it, no turn would help.
            let ahead = left.sqrt() - along;
            let is_ahead = ahead * scale > NEAREST;
            if !is_ahead {
                return Err(PosingError::TooNear { bone: self.last() });
            }
            axis = (offset + axis * ahead) * scale;
        }
        Ok((into, axis, target * scale))
    }

    #[cold]
    fn unfit(&self, distance: f32, axis_size: f32) -> PosingError {
        if axis_size > 1e-20 {
            return too_near_or_far(self.last(), distance);
        }
        let expected = "a vector with a length of at least 1e-10";
        OutOfRange { name: "axis", value: axis_size.sqrt().into(), expected }.into()
    }

    /// Returns the weight of a turn by an angle of this cosine: straight behind, it fades out.
    #[inline(always)]
    fn faded(weight: f32, cosine: f32) -> f32 {
        if cosine < BEHIND { weight * ((1.0 + cosine) * (1.0 / (1.0 + BEHIND))).max(0.0).sqrt() } else { weight }
    }

    /// Returns the rotation that turns a unit vector towards another as far as the aim allows, where the vector is
    /// then, and the weight of the rotation.
    #[inline(always)]
    fn toward(&self, bounds: &Bounds, axis: Vec3A, direction: Vec3A) -> (Quat, Vec3A, f32) {
        let cosine = axis.dot(direction);
        let weight = Self::faded(bounds.weight, cosine);
        let (limit, half_cosine, half_sine) = bounds.limit;
        let swing = if cosine < limit {
            let about = axis.cross(direction).normalize_or_zero();
            Quat::from_vec4((about * half_sine).extend(half_cosine))
        } else {
            arc(axis, direction, || axis.any_orthonormal_vector())
        };
        if weight >= 1.0 && cosine >= limit {
            return (swing, direction, weight);
        }
        let swing = part(swing, weight);
        (swing, swing * axis, weight)
    }

    /// Returns the rotation of the last bone, in its own space, where the limit of the axis is not that of the line to
    /// the target: with an offset, the roll about the line moves the axis, and a skewed bone changes angles.
    ///
    /// The line turns by the greatest part of its way with which the axis stays within the limit.
    #[cold]
    #[inline(never)]
    fn limited_rotation(&self, bounds: &Bounds, tip: &Mat3x4, into: &IntoBone, line: Vec3A, way: &Way) -> Quat {
        let (limit, half_cosine, half_sine) = bounds.limit;
        let axis = Vec3A::from(self.axis).normalize();
        let weight = Self::faded(bounds.weight, way.line.dot(way.target));
        let whole = arc(way.line, way.target, || way.line.any_orthonormal_vector());
        // The rotation of the bone, and the cosine of the angle by which it turns the axis.
        let turned = |line_turn: Quat| {
            let wanted = into.vector(line_turn * way.line).normalize();
            let swing = arc(line, wanted, || line.any_orthonormal_vector());
            let rotation = self.rolled(swing, wanted, into, weight);
            (rotation, applied(tip, rotation * axis).normalize().dot(way.axis))
        };
        let within = |share: f32| turned(part(whole, share)).1 - limit;
        let mut share = 1.0;
        if within(share) < 0.0 {
            let (mut low, mut high) = (0.0, 1.0);
            let tangent = half_sine / half_cosine;
            // The part of the line's way that is the limit: nearly right for a target that is far away.
            let way = whole.xyz().length() + tangent * (1.0 - whole.w);
            share = if way > 0.0 { (tangent / way).clamp(0.0, 1.0) } else { 1.0 };
            for _ in 0..HALVINGS {
                *(if within(share) < 0.0 { &mut high } else { &mut low }) = share;
                share = 0.5 * (low + high);
            }
            share = low;
        }
        let (rotation, cosine) = turned(part(part(whole, share), weight));
        if cosine >= limit - 1e-6 {
            return rotation;
        }
        // The roll alone goes beyond the limit.
        let now = rotation * axis;
        let side = (applied(tip, now).normalize() - way.axis * cosine).normalize_or_zero();
        let held = into.vector(way.axis * limit + side * (2.0 * half_sine * half_cosine)).normalize_or(now);
        arc(now, held, || now.any_orthonormal_vector()) * rotation
    }

    /// Returns the part of a rotation of at most half a turn that the aim allows.
    fn limited(&self, bounds: &Bounds, rotation: Quat) -> Quat {
        let (_, half_cosine, half_sine) = bounds.limit;
        let weight = bounds.weight * (rotation.w / HALF_BEHIND).min(1.0);
        let limited = if rotation.w < half_cosine {
            Quat::from_vec4((rotation.xyz().normalize_or_zero() * half_sine).extend(half_cosine))
        } else {
            rotation
        };
        part(limited, weight)
    }

    /// Returns a rotation of the last bone with the roll towards the pole added.
    #[inline(always)]
    fn rolled(&self, swing: Quat, turned: Vec3A, into: &IntoBone, weight: f32) -> Quat {
        let Some(pole) = self.pole else { return swing };
        roll(turned, swing * Vec3A::from(self.up), into.vector(pole.into()), weight) * swing
    }
}

/// Turns a chain of bones so that an axis of the last one points at a target in model space.
///
/// `local` holds the pose in local space. Bones keep their places relative to their parents, to the bit. Returns the
/// angle in radians that the aim misses, by its limit or its weight: the one in model space between the axis and the
/// way from where it begins, the offset, to the target.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::pose::{self, Aim};
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let look = Aim::parse(skeleton, "chest 0.2, neck 0.3, head 0.5")?;
/// let mut local = skeleton.bind_local().to_vec();
/// let missed = pose::aim(skeleton.parents(), &mut local, &look, Vec3::new(50.0, 50.0, 70.0))?;
/// assert!(missed < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PosingError::NoSuchBone`] and [`PosingError::NotBelow`] if the slices are not those of the aim's skeleton;
/// [`PosingError::Singular`]; [`PosingError::TooNear`] if the target is at the last bone's origin, or so near that no
/// turn brings it before the offset; [`PosingError::OutOfRange`]. No bone is changed.
pub fn aim(parents: &[i32], local: &mut [Mat3x4], aim: &Aim, target: Vec3) -> Result<f32, PosingError> {
    check_chain(parents, local, aim)?;
    let (bone, last) = (aim.bones[0].0 as usize, aim.last());
    let mut bone_model = bone_in_model_space(parents, local, bone);
    if bone == last {
        let (rotation, is_reached) = if aim.limit < std::f32::consts::PI {
            aim.limited_alone(&bone_model, target)?
        } else {
            let bounds = aim.bounds(target)?;
            let (into, line, direction) = aim.directions(&bone_model, target)?;
            let (swing, turned, weight) = aim.toward(&bounds, line, direction);
            (aim.rolled(swing, turned, &into, weight), turned == direction)
        };
        if aim.weight > 0.0 {
            rotate(&mut local[bone], rotation);
        }
        return Ok(if is_reached { 0.0 } else { aim.missed(&bone_model, rotation, target) });
    }
    let bounds = aim.bounds(target)?;
    // All of it is computed before anything is written.
    let mut rotations = [Quat::IDENTITY; MAX_BONES];
    let mut start = None;
    let mut missed = 0.0;
    for (number, (bone, fraction)) in aim.chain().enumerate() {
        let below = below(parents, local, bone, last);
        let tip = bone_model * below;
        let (into_tip, line, _) = aim.directions(&tip, target)?;
        let now = aim.way(&tip, line, target);
        let from = *start.get_or_insert(now);
        let (_, wanted, weight) = aim.toward(&bounds, from.line, now.target);
        if bone == last {
            let rotation = if bounds.limit.0 >= -1.0 && aim.offset != Vec3::ZERO {
                aim.limited_rotation(&bounds, &tip, &into_tip, line, &Way { target: now.target, ..from })
            } else {
                let wanted = into_tip.vector(wanted).normalize();
                let swing = arc(line, wanted, || line.any_orthonormal_vector());
                aim.rolled(swing, wanted, &into_tip, weight)
            };
            missed = aim.missed(&tip, rotation, target);
            rotations[number] = rotation;
            break;
        }
        let into = IntoBone::new(&bone_model).ok_or(PosingError::Singular { bone })?;
        let [now, wanted] = [now.line, wanted].map(|direction| into.vector(direction).normalize());
        rotations[number] = part(arc(now, wanted, || now.any_orthonormal_vector()), fraction);
        let next = aim.bones[number + 1].0 as usize;
        bone_model = bone_model * matrix(rotations[number]) * self::below(parents, local, bone, next);
    }
    aim.rotate(local, &rotations);
    Ok(missed)
}

/// Turns a chain of bones by a pitch and a yaw, radians about the axes of model space.
///
/// A positive pitch turns down, a positive yaw to the left, as in Quake. The bones share the turn, and the aim's limit
/// and weight apply to it; its axis, pole and offset do not. Angles of more than half a turn are taken the shorter way;
/// within 5 degrees of half a turn the weight falls to 0. Returns the angle in radians that is left.
///
/// ```
/// use skelobj::pose::{self, Aim};
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let look = Aim::parse(skeleton, "chest 0.2, neck 0.3, head 0.5")?;
/// let mut local = skeleton.bind_local().to_vec();
/// pose::turn(skeleton.parents(), &mut local, &look, 0.0, 0.8)?;
/// let mut model = local.clone();
/// pose::to_model_space(skeleton.parents(), &local, &mut model);
/// let forward = model[12].forward();
/// assert!((forward.y.atan2(forward.x) - 0.8).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PosingError::NoSuchBone`] and [`PosingError::NotBelow`] if the slices are not those of the aim's skeleton;
/// [`PosingError::Singular`]; [`PosingError::OutOfRange`]. No bone is changed.
pub fn turn(parents: &[i32], local: &mut [Mat3x4], aim: &Aim, pitch: f32, yaw: f32) -> Result<f32, PosingError> {
    for (name, angle) in [("pitch", pitch), ("yaw", yaw)] {
        OutOfRange::check(angle.is_finite(), name, angle, "a finite number")?;
    }
    let bounds = aim.bounds(Vec3::ZERO)?;
    check_chain(parents, local, aim)?;
    let wanted = about(Vec3A::Z, yaw) * about(Vec3A::Y, pitch);
    let wanted = if wanted.w < 0.0 { -wanted } else { wanted };
    let made = aim.limited(&bounds, wanted);
    let mut left = made;
    let mut rotations = [Quat::IDENTITY; MAX_BONES];
    let mut bone_model = bone_in_model_space(parents, local, aim.bones[0].0 as usize);
    for (number, (bone, fraction)) in aim.chain().enumerate() {
        let into = IntoBone::new(&bone_model).ok_or(PosingError::Singular { bone })?;
        let taken = part(left, fraction);
        left *= taken.conjugate();
        // The axis of a rotation is mirrored with its space.
        let axis = Vec3A::from(taken.xyz());
        let about = into.vector(axis) * into.handedness;
        let length = about.length();
        let about = if length > 0.0 { about * (axis.length() / length) } else { Vec3A::ZERO };
        rotations[number] = Quat::from_vec4(about.extend(taken.w)).normalize();
        if let Some((next, _)) = aim.chain().nth(number + 1) {
            bone_model = bone_model * matrix(rotations[number]) * below(parents, local, bone, next);
        }
    }
    aim.rotate(local, &rotations);
    Ok(angle(wanted * made.conjugate()))
}

/// Returns the angle of a rotation, radians.
fn angle(rotation: Quat) -> f32 {
    (2.0 * trig::atan2(rotation.xyz().length().into(), rotation.w.abs().into())) as f32
}

/// Returns the error of a target whose squared distance cannot be used.
#[cold]
pub(super) fn too_near_or_far(bone: usize, distance: f32) -> PosingError {
    if distance.is_nan() {
        return PosingError::Singular { bone };
    }
    if distance <= 1e-20 {
        return PosingError::TooNear { bone };
    }
    OutOfRange { name: "distance to the target", value: distance.sqrt().into(), expected: "at most 1e19" }.into()
}

/// Returns the angle between two vectors, radians, precise for small ones, too.
fn angle_between(a: Vec3A, b: Vec3A) -> f32 {
    trig::atan2(a.cross(b).length().into(), a.dot(b).into()) as f32
}

/// Checks that the slices have the bones of an aim, in its order.
#[inline]
fn check_chain(parents: &[i32], local: &[Mat3x4], aim: &Aim) -> Result<(), PosingError> {
    let last = aim.last();
    if last >= parents.len().min(local.len()) {
        return Err(PosingError::NoSuchBone { bone: last });
    }
    let above = aim.chain().map(|(bone, _)| bone);
    above.clone().skip(1).zip(above).try_for_each(|(bone, above)| check_below(parents, bone, above))
}

/// Checks that a bone is a descendant of another one.
pub(super) fn check_below(parents: &[i32], bone: usize, above: usize) -> Result<(), PosingError> {
    let mut at = bone;
    while at > above {
        // A root has no parent below its own number.
        let parent = parents[at] as u32 as usize;
        if parent >= at {
            break;
        }
        at = parent;
    }
    if at == above && bone != above { Ok(()) } else { Err(PosingError::NotBelow { bone, above }) }
}

/// Returns the matrix of a bone relative to one above it.
pub(super) fn below(parents: &[i32], local: &[Mat3x4], above: usize, bone: usize) -> Mat3x4 {
    if bone == above {
        return Mat3x4::IDENTITY;
    }
    let mut product = local[bone];
    let mut at = bone;
    loop {
        let parent = parents[at] as u32 as usize;
        if parent >= at || parent <= above {
            return product;
        }
        product = local[parent] * product;
        at = parent;
    }
}
