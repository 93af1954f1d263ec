//! Root motion: how far a bone of an animation carries the character.

use super::tags::bone_matrix;
use super::{PosingError, bone_list};
use crate::math::{Mat3x4, Quat, Vec3};
use crate::model::{Animation, AnimationSource, Blend, FrameState, Model, Skeleton};
use crate::out_of_range::OutOfRange;
use crate::trig;

/// Motion of a character between two moments, in the space that its entity had at the first one: a translation and a
/// yaw.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::pose::Motion;
/// let step = Motion { translation: Vec3::X * 10.0, yaw: 90f32.to_radians() };
/// let entity = step.moved(&Mat3x4::from_translation(Vec3::Z * 24.0));
/// assert!(entity.origin().distance(Vec3::new(10.0, 0.0, 24.0)) < 1e-4);
/// assert!(entity.forward().distance(Vec3::Y) < 1e-6); // to the left
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Motion {
    /// Translation, Quake units.
    pub translation: Vec3,
    /// Turn about the up axis, radians from -pi to pi; positive to the left.
    pub yaw: f32,
}

impl Motion {
    /// Returns this motion and another one after it.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::pose::Motion;
    /// let step = Motion { translation: Vec3::X * 10.0, yaw: 90f32.to_radians() };
    /// let both = step.then(step);
    /// assert!(both.translation.distance(Vec3::new(10.0, 10.0, 0.0)) < 1e-4);
    /// assert!((both.yaw.abs() - 180f32.to_radians()).abs() < 1e-5);
    /// ```
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Place::from(self).times(&next.into()).into()
    }

    /// Returns the motion as a matrix, which moves model space from the first moment to the second.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::pose::Motion;
    /// assert_eq!(Motion::default().matrix(), Mat3x4::IDENTITY);
    /// ```
    #[must_use]
    pub fn matrix(&self) -> Mat3x4 {
        Place::from(*self).matrix()
    }

    /// Returns the matrix of the entity after the motion, from its matrix before.
    ///
    /// A scaled entity moves further in proportion to its scale.
    ///
    /// ```
    /// use skelobj::math::{EntityTransform, Vec3};
    /// use skelobj::pose::Motion;
    /// let giant = EntityTransform::new(Vec3::ZERO, Vec3::ZERO).with_scale(2.0).to_world(-1.0, 1.0);
    /// let step = Motion { translation: Vec3::X * 10.0, yaw: 0.0 };
    /// assert_eq!(step.moved(&giant).origin(), Vec3::X * 20.0);
    /// ```
    #[must_use]
    pub fn moved(&self, entity: &Mat3x4) -> Mat3x4 {
        *entity * self.matrix()
    }
}

/// Bone whose motion moves the entity, and the parts of it that do.
///
/// An animator lets a character walk away from the origin. Without more, it leaves its entity behind and jumps back
/// where the animation begins anew. [`motion`](Self::motion) tells how far the entity has to go in a frame, and
/// [`SkeletalObject::take_motion`](crate::SkeletalObject::take_motion) takes that motion out of the pose, so that the
/// character stays with its entity: `entity * pose` is where the animator wanted it.
///
/// The place of the bone counts relative to the first pose of the animation. An animation that loops blends its last
/// pose into its first; while it does, the motion goes on as from the last pose but one to the last. An animation that
/// is evaluated on demand ends where its first pose begins again.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::pose::RootMotion;
/// let mannequin = skelobj::assets::mannequin();
/// let root = RootMotion::parse(&mannequin.skeleton, "pelvis")?;
/// let death = mannequin.find_animation("death").unwrap();
/// let fall = root.between(&mannequin, death, 0.0, 1.0)?;
/// assert!(fall.translation.x < -10.0 && fall.translation.z == 0.0); // backwards; the height stays in the pose
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootMotion {
    bone: usize,
    /// Moves the entity along X and Y of model space. Default `true`.
    pub distance: bool,
    /// Moves the entity along Z of model space. Default `false`.
    pub height: bool,
    /// Turns the entity about Z of model space. Default `true`.
    pub yaw: bool,
}

impl RootMotion {
    /// Creates the motion of a bone (0-based), without its height.
    ///
    /// ```
    /// use skelobj::pose::{PosingError, RootMotion};
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(RootMotion::new(&mannequin.skeleton, 0)?.bone(), 0);
    /// assert_eq!(RootMotion::new(&mannequin.skeleton, 21), Err(PosingError::NoSuchBone { bone: 21 }));
    /// # Ok::<(), PosingError>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::NoSuchBone`].
    pub fn new(skeleton: &Skeleton, bone: usize) -> Result<Self, PosingError> {
        if bone >= skeleton.len() {
            return Err(PosingError::NoSuchBone { bone });
        }
        Ok(Self { bone, distance: true, height: false, yaw: true })
    }

    /// Creates the motion of a bone by its name, without its height.
    ///
    /// ```
    /// use skelobj::pose::RootMotion;
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(RootMotion::parse(&mannequin.skeleton, "pelvis")?, RootMotion::new(&mannequin.skeleton, 0)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::NoBoneNamed`], [`PosingError::BadEntry`] for a name with more words after it.
    pub fn parse(skeleton: &Skeleton, name: impl AsRef<[u8]>) -> Result<Self, PosingError> {
        let bone = bone_list::name(skeleton, name.as_ref().trim_ascii())?;
        Self::new(skeleton, bone)
    }

    /// Sets whether the entity moves along X and Y.
    ///
    /// ```
    /// use skelobj::pose::RootMotion;
    /// let mannequin = skelobj::assets::mannequin();
    /// let still = RootMotion::new(&mannequin.skeleton, 0)?.with_distance(false);
    /// assert_eq!(still.between(&mannequin, 3, 0.0, 1.0)?.translation.x, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_distance(mut self, distance: bool) -> Self {
        self.distance = distance;
        self
    }

    /// Sets whether the entity moves along Z.
    ///
    /// ```
    /// use skelobj::pose::RootMotion;
    /// let mannequin = skelobj::assets::mannequin();
    /// let whole = RootMotion::new(&mannequin.skeleton, 0)?.with_height(true);
    /// assert!(whole.between(&mannequin, 3, 0.0, 1.0)?.translation.z < -10.0); // it dies
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_height(mut self, height: bool) -> Self {
        self.height = height;
        self
    }

    /// Sets whether the entity turns.
    ///
    /// ```
    /// use skelobj::pose::RootMotion;
    /// let mannequin = skelobj::assets::mannequin();
    /// let straight = RootMotion::new(&mannequin.skeleton, 0)?.with_yaw(false);
    /// assert_eq!(straight.between(&mannequin, 2, 0.0, 0.2)?.yaw, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_yaw(mut self, yaw: bool) -> Self {
        self.yaw = yaw;
        self
    }

    /// Returns the bone, 0-based.
    ///
    /// ```
    /// use skelobj::pose::RootMotion;
    /// assert_eq!(RootMotion::parse(&skelobj::assets::mannequin().skeleton, "spine")?.bone(), 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bone(&self) -> usize {
        self.bone
    }

    /// Returns the motion of an animation from one time to another, seconds; backwards if `to` is the earlier one.
    ///
    /// Times of an animation that loops count its rounds: the motion from a to c is the motion from a to b and then the
    /// motion from b to c, over any number of rounds. An animation that does not loop moves between its first pose and
    /// its last. An animation that the model lacks, and one that stands still, has no motion.
    ///
    /// ```
    /// use skelobj::pose::RootMotion;
    /// let mannequin = skelobj::assets::mannequin();
    /// let root = RootMotion::parse(&mannequin.skeleton, "pelvis")?;
    /// let [whole, first, second] = [(0.0, 1.0), (0.0, 0.4), (0.4, 1.0)]
    ///     .map(|(from, to)| root.between(&mannequin, 3, from, to).unwrap());
    /// assert!(first.then(second).translation.distance(whole.translation) < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PosingError::OutOfRange`] if a time is not from -1e9 to 1e9; [`PosingError::NoSuchBone`] if the model lacks
    /// the bone.
    pub fn between(&self, model: &Model, animation: usize, from: f64, to: f64) -> Result<Motion, PosingError> {
        let track = self.track(model, animation, from, to)?;
        Ok(track.map_or(Motion::default(), |track| track.between(from, to).into()))
    }

    /// Returns the motion from one frame state to another: of the animations that the second one shows.
    ///
    /// Animations of both states move from the time in the first to the time in the second. An animation that the
    /// first state lacks moves for as long as the others do, the longest of them counts, but not from before its
    /// beginning; without others, it does not move. The lengths and the directions of the translations are averaged
    /// apart by the weights of the second state, so that a step forward and a step to the side are, half each, a step
    /// of the same length between them. A step forward and one back, half each, are none. Turns are averaged, whole
    /// ones included, as long as an animation turns by less than half a turn from pose to pose. Weights below 0 count
    /// as 0. If the frame state has two groups of bones, the root bone's group decides.
    ///
    /// ```
    /// use skelobj::model::{Blend, FrameState};
    /// use skelobj::pose::RootMotion;
    /// let mannequin = skelobj::assets::mannequin();
    /// let root = RootMotion::parse(&mannequin.skeleton, "pelvis")?;
    /// let at = |time: f64| FrameState::blended([Blend::new(3, time, 0.5), Blend::new(0, time, 0.5)]); // death, idle
    /// let half = root.motion(&mannequin, &at(0.0), &at(0.5))?;
    /// let whole = root.between(&mannequin, 3, 0.0, 0.5)?;
    /// assert!((half.translation.length() - 0.5 * whole.translation.length()).abs() < 0.5); // idle sways a little
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`between`](Self::between), and [`PosingError::OutOfRange`] if a weight is not finite.
    pub fn motion(&self, model: &Model, from: &FrameState, to: &FrameState) -> Result<Motion, PosingError> {
        let (earlier, later) = (self.group(from), self.group(to));
        check_weights(earlier)?;
        let start = |(slot, blend): (usize, &Blend)| {
            let same = |other: &&Blend| other.animation == blend.animation && other.weight != 0.0;
            earlier.get(slot).filter(same).or_else(|| earlier.iter().find(same)).map(|other| other.time)
        };
        let shown = later.iter().enumerate().filter(|(_, blend)| blend.weight > 0.0);
        let passed = shown.filter_map(|(slot, blend)| Some(blend.time - start((slot, blend))?));
        let seconds = passed.max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0);
        self.blend(model, later, |slot, blend| {
            let entered =
                || if seconds > 0.0 { (blend.time - seconds).max(blend.time.min(0.0)) } else { blend.time - seconds };
            start((slot, blend)).unwrap_or_else(entered)
        })
    }

    /// Returns the motion of a frame state during the last `seconds`, for which all its animations have run.
    ///
    /// The rules are those of [`motion`](Self::motion).
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// use skelobj::pose::RootMotion;
    /// let mannequin = skelobj::assets::mannequin();
    /// let root = RootMotion::parse(&mannequin.skeleton, "pelvis")?;
    /// let frame = root.during(&mannequin, &FrameState::single(3, 0.5), 0.5)?;
    /// assert_eq!(frame, root.between(&mannequin, 3, 0.0, 0.5)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`motion`](Self::motion).
    pub fn during(&self, model: &Model, frame: &FrameState, seconds: f64) -> Result<Motion, PosingError> {
        self.blend(model, self.group(frame), |_, blend| blend.time - seconds)
    }

    fn group<'a>(&self, frame: &'a FrameState) -> &'a [Blend] {
        if self.bone < frame.base_bones() { frame.base() } else { frame.blends() }
    }

    fn blend(
        &self,
        model: &Model,
        blends: &[Blend],
        start: impl Fn(usize, &Blend) -> f64,
    ) -> Result<Motion, PosingError> {
        check_weights(blends)?;
        let blends = || blends.iter().enumerate().filter(|(_, blend)| blend.weight > 0.0);
        // A single turn is told without its whole turns.
        let counts_turns = self.yaw && blends().count() > 1;
        // Shares, as sums of great weights would be infinite.
        let sum: f64 = blends().map(|(_, blend)| f64::from(blend.weight)).sum();
        let (mut direction, mut length, mut yaw) = (Vec3::ZERO, 0.0, 0.0);
        for (slot, blend) in blends() {
            let (from, to) = (start(slot, blend), blend.time);
            let Some(track) = self.track(model, number(blend), from, to)? else { continue };
            let share = f64::from(blend.weight) / sum;
            let place = track.between(from, to);
            let translation = Motion::from(place).translation;
            direction += share as f32 * translation.normalize_or_zero();
            length += share as f32 * translation.length();
            yaw += share * if counts_turns { track.turned(from, to) } else { place.yaw };
        }
        // Opposite directions in equal parts leave a rounding error.
        let is_opposed = direction.length_squared() < 1e-10;
        let direction = if is_opposed { Vec3::ZERO } else { direction.normalize_or_zero() };
        Ok(Motion { translation: direction * length, yaw: wrapped(yaw) as f32 })
    }

    /// Returns the motion that the pose of a frame state contains, as a matrix of model space. `local` returns a bone
    /// of a pose in local space. Sums of matrices do not turn by the average of the turns; `are_rotations` tells that
    /// they are none.
    pub(crate) fn contained(
        &self,
        model: &Model,
        frame: &FrameState,
        local: impl Fn(&FrameState, usize) -> Mat3x4,
        are_rotations: bool,
    ) -> Result<Mat3x4, PosingError> {
        if self.bone >= model.skeleton.len() {
            return Err(PosingError::NoSuchBone { bone: self.bone });
        }
        let at = |frame: &FrameState| bone_matrix(&model.skeleton, self.bone, |bone| local(frame, bone));
        let (first, now) = (at(&frame.with_start_of(self.bone)), at(frame));
        let is_blended = self.group(frame).iter().filter(|blend| blend.weight != 0.0).count() > 1;
        let yaw = if is_blended && !are_rotations { blended_yaw(&first, &now) } else { yaw(&first, &now) };
        Ok(self.place(&first, &now, yaw).matrix())
    }

    /// Returns the most poses of a frame state that the motion of its last `seconds` looks at, to charge for them.
    pub(crate) fn poses_within(&self, model: &Model, frame: &FrameState, seconds: f64) -> u64 {
        let shown = self.group(frame).iter().filter_map(|blend| model.animations.get(number(blend)));
        shown.map(|shown| ((seconds.abs() * f64::from(shown.rate).abs()) as u64).min(3 * MAX_STEPS)).sum()
    }

    /// Returns the root bone in an animation; `None` if the model lacks the animation.
    fn track<'a>(
        &'a self,
        model: &'a Model,
        animation: usize,
        from: f64,
        to: f64,
    ) -> Result<Option<Track<'a>>, PosingError> {
        for time in [from, to] {
            OutOfRange::check(time.abs() <= LATEST, "time", time, "seconds from -1e9 to 1e9")?;
        }
        if self.bone >= model.skeleton.len() {
            return Err(PosingError::NoSuchBone { bone: self.bone });
        }
        Ok(model.animations.get(animation).map(|shown| Track { root: self, model, animation, shown }))
    }
}

fn check_weights(blends: &[Blend]) -> Result<(), PosingError> {
    for Blend { weight, .. } in blends {
        OutOfRange::check(weight.is_finite(), "weight", *weight, "a finite number")?;
    }
    Ok(())
}

fn number(blend: &Blend) -> usize {
    usize::try_from(blend.animation).unwrap_or(usize::MAX)
}

/// Latest time, seconds: rounds of an animation of a millisecond are exact in f64.
const LATEST: f64 = 1e9;

/// Part of the last pose's time at which an evaluated animation is at its end.
const END: f64 = 1.0 - 1e-7;

/// Most steps in which the turns of a part of a round are counted.
const MAX_STEPS: u64 = 256;

/// Root bone of an animation.
struct Track<'a> {
    root: &'a RootMotion,
    model: &'a Model,
    animation: usize,
    shown: &'a Animation,
}

impl Track<'_> {
    /// Returns how the pose at a time has moved from the first pose.
    fn shown_at(&self, time: f64) -> Place {
        let at = |time: f64| {
            let frame = FrameState::single(self.animation, time);
            self.model.tag_matrix(self.root.bone, &frame).unwrap_or(Mat3x4::IDENTITY)
        };
        let (first, now) = (at(0.0), at(time));
        self.root.place(&first, &now, yaw(&first, &now))
    }

    /// Returns the duration of a round, and the time in it at which the last pose begins to blend into the first.
    fn times(&self) -> (f64, f64) {
        let duration = f64::from(self.shown.duration());
        match self.shown.source {
            AnimationSource::Evaluated { .. } => (duration, duration * END),
            _ => (duration, duration - duration / self.shown.pose_count().max(1) as f64),
        }
    }

    /// Returns the motion from one time to another, without whole turns.
    fn between(&self, from: f64, to: f64) -> Place {
        let ((from_round, from), (to_round, to)) = (self.in_round(from), self.in_round(to));
        let rounds = match to_round - from_round {
            0 => Place::IDENTITY,
            rounds => self.round().power(rounds),
        };
        self.moved(from).inverse().times(&rounds).times(&self.moved(to))
    }

    /// Returns the turn from one time to another, with its whole turns.
    fn turned(&self, from: f64, to: f64) -> f64 {
        if from > to {
            return -self.turned(to, from);
        }
        let ((from_round, from), (to_round, to)) = (self.in_round(from), self.in_round(to));
        let duration = self.times().0;
        match to_round - from_round {
            0 => self.turned_in_round(from, to),
            rounds => {
                let whole = if rounds > 1 { (rounds - 1) as f64 * self.turned_in_round(0.0, duration) } else { 0.0 };
                self.turned_in_round(from, duration) + whole + self.turned_in_round(0.0, to)
            }
        }
    }

    fn turned_in_round(&self, from: f64, to: f64) -> f64 {
        let pose = self.times().0 / self.shown.pose_count().max(1) as f64;
        // The steps end at poses: between two of them, the bone turns the shorter way.
        let first = (from / pose).floor() + 1.0;
        let poses = ((to / pose).ceil() - first).clamp(0.0, self.shown.pose_count() as f64);
        let stride = (poses / MAX_STEPS as f64).ceil().max(1.0);
        let steps = (0..(poses / stride).ceil() as u64).map(|step| pose * (first + stride * step as f64));
        let mut yaw = self.moved(from).yaw;
        let mut turned = 0.0;
        for time in steps.chain([to]) {
            let next = self.moved(time).yaw;
            turned += wrapped(next - yaw);
            yaw = next;
        }
        turned
    }

    /// Returns the number of whole rounds before a time, and the time since the last one began.
    fn in_round(&self, time: f64) -> (i64, f64) {
        let (duration, _) = self.times();
        if !(self.shown.looping && duration > 0.0) {
            return (0, time.max(0.0));
        }
        let rounds = (time / duration).floor();
        (rounds as i64, (time - rounds * duration).clamp(0.0, duration))
    }

    /// Returns the motion since a round began.
    fn moved(&self, time: f64) -> Place {
        let (duration, closing) = self.times();
        if !(self.shown.looping && duration > 0.0) || time <= closing {
            return self.shown_at(time);
        }
        let part = (time - closing) / (duration - closing);
        self.shown_at(closing).lerp(&self.round(), part)
    }

    /// Returns the motion of a whole round.
    fn round(&self) -> Place {
        let (duration, closing) = self.times();
        let last = self.shown_at(closing);
        if matches!(self.shown.source, AnimationSource::Evaluated { .. }) || self.shown.pose_count() < 2 {
            return last;
        }
        let before = self.shown_at((closing - (duration - closing)).max(0.0));
        last.times(&before.inverse()).times(&last)
    }
}

impl RootMotion {
    /// Returns the parts of a bone's motion that move the entity, from two matrices in model space and the turn from
    /// one to the other.
    fn place(&self, first: &Mat3x4, now: &Mat3x4, yaw: f64) -> Place {
        let yaw = if self.yaw && yaw.is_finite() { yaw } else { 0.0 };
        let turned = Place { translation: [0.0; 3], yaw }.applied(first.origin());
        let moved = now.origin().to_array().map(f64::from);
        let mut translation = [0, 1, 2].map(|axis| moved[axis] - turned[axis]);
        if !self.distance {
            translation[0] = 0.0;
            translation[1] = 0.0;
        }
        if !self.height {
            translation[2] = 0.0;
        }
        if !translation.iter().all(|number| number.is_finite()) {
            translation = [0.0; 3];
        }
        Place { translation, yaw }
    }
}

/// Returns the turn about Z from one matrix to another.
fn yaw(first: &Mat3x4, now: &Mat3x4) -> f64 {
    let turn = now.rotation() * first.rotation().conjugate();
    wrapped(2.0 * trig::atan2(turn.z.into(), turn.w.into()))
}

/// Returns the turn about Z from one sum of matrices to another: the one that comes nearest, as sums of turns about Z
/// shrink across it, which would tilt the axes of a rotation.
fn blended_yaw(first: &Mat3x4, now: &Mat3x4) -> f64 {
    let turn = first.inverse().map_or(Mat3x4::IDENTITY, |inverse| *now * inverse).0.map(f64::from);
    trig::atan2(turn[4] - turn[1], turn[0] + turn[5])
}

/// Turn about Z, and a translation after it.
#[derive(Clone, Copy, Debug)]
struct Place {
    translation: [f64; 3],
    yaw: f64,
}

impl From<Motion> for Place {
    fn from(motion: Motion) -> Self {
        Self { translation: motion.translation.to_array().map(f64::from), yaw: motion.yaw.into() }
    }
}

impl From<Place> for Motion {
    fn from(place: Place) -> Self {
        let translation = place.translation.map(|number| number as f32);
        Self { translation: translation.into(), yaw: wrapped(place.yaw) as f32 }
    }
}

impl Place {
    const IDENTITY: Self = Self { translation: [0.0; 3], yaw: 0.0 };

    fn applied(&self, point: Vec3) -> [f64; 3] {
        let [x, y, z] = point.to_array().map(f64::from);
        self.times(&Self { translation: [x, y, z], yaw: 0.0 }).translation
    }

    fn times(&self, next: &Self) -> Self {
        let ([x, y, z], [dx, dy, dz]) = (self.translation, next.translation);
        let (sine, cosine) = (trig::sin(self.yaw), trig::cos(self.yaw));
        Self {
            translation: [x + cosine * dx - sine * dy, y + sine * dx + cosine * dy, z + dz],
            yaw: self.yaw + next.yaw,
        }
    }

    fn inverse(&self) -> Self {
        let back = Self { translation: [0.0; 3], yaw: -self.yaw };
        back.times(&Self { translation: self.translation.map(|number| -number), yaw: 0.0 })
    }

    /// Returns the motion, repeated; backwards for a negative number.
    fn power(&self, times: i64) -> Self {
        let mut square = if times < 0 { self.inverse() } else { *self };
        let (mut left, mut product) = (times.unsigned_abs(), Self::IDENTITY);
        while left > 0 {
            if left % 2 == 1 {
                product = product.times(&square);
            }
            square = square.times(&square);
            square.yaw = wrapped(square.yaw);
            left /= 2;
        }
        product
    }

    fn lerp(&self, other: &Self, part: f64) -> Self {
        let translation =
            [0, 1, 2].map(|axis| self.translation[axis] + (other.translation[axis] - self.translation[axis]) * part);
        Self { translation, yaw: self.yaw + wrapped(other.yaw - self.yaw) * part }
    }

    fn matrix(&self) -> Mat3x4 {
        let half = self.yaw / 2.0;
        let rotation = Quat::from_xyzw(0.0, 0.0, trig::sin(half) as f32, trig::cos(half) as f32);
        Mat3x4::from_rotation_translation(rotation, self.translation.map(|number| number as f32).into())
    }
}

/// Returns an angle as one from -pi to pi.
fn wrapped(angle: f64) -> f64 {
    const TURN: f64 = 2.0 * std::f64::consts::PI;
    angle - (angle / TURN).round() * TURN
}
