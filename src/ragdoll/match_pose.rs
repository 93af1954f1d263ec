//! Search for the animation and the time whose pose comes nearest to a ragdoll, and for the place of its entity.

use glam::{Quat, Vec3};
use rapier3d::prelude::Pose;
use skelobj_model::internal::{self, atan2f};

use super::{RagBody, Ragdoll, body_shape};
use crate::OutOfRange;
use crate::math::{EntityTransform, Mat3x4};
use crate::model::{FrameState, Model, Name};
use crate::physics::Physics;
use crate::pose::{self, PoseSource};

/// Pose of an animation that comes nearest to a ragdoll, from [`Ragdoll::match_pose`].
///
/// ```
/// use skelobj::Ragdoll;
/// use skelobj::math::{Mat3x4, Quat, Vec3};
/// use skelobj::model::FrameState;
/// use skelobj::object::Build;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// let model = runtime.model_of(object).expect("a model");
/// runtime.build(object, model, &FrameState::single(2, 0.2), &Build::REPLACE)?; // "run"
/// let entity = Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.5), Vec3::new(100.0, 20.0, 8.0));
/// runtime.ragdoll_command(object, &entity, "", None)?;
///
/// let found = runtime.match_pose(object, model, &[0, 1, 2], Ragdoll::NEAR_POSE)?;
/// assert_eq!((found.animation, found.time), (2, 0.2));
/// assert!(found.distance < 0.01 && (found.yaw - 0.5).abs() < 1e-4);
/// assert!(found.origin.distance(entity.origin()) < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct PoseMatch {
    /// Index of the animation in the model.
    pub animation: usize,
    /// Time in the animation, seconds.
    pub time: f64,
    /// Origin of the upright entity on which the animation's bodies come nearest to the ragdoll's, world space.
    pub origin: Vec3,
    /// Yaw of the upright entity, radians from -pi to pi.
    pub yaw: f32,
    /// Distance between the ragdoll and the pose, Quake units: the root mean square over the boxes around the bodies,
    /// each weighted by its mass.
    pub distance: f32,
}

impl PoseMatch {
    /// Returns the placement of the entity, unscaled.
    #[must_use]
    pub fn entity(&self) -> EntityTransform {
        EntityTransform::new(self.origin, Vec3::Y * self.yaw.to_degrees())
    }
}

/// Error of [`Ragdoll::match_pose`].
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::ragdoll::MatchError;
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, "", None)?; // as "idle" begins
/// let (ragdoll, posed) = (runtime.ragdoll(object).expect("a ragdoll"), runtime.object(object).expect("an object"));
/// let compare = |animations: &[usize]| ragdoll.match_pose(posed.model(), animations, 0.1, runtime.physics());
/// let MatchError::TooFar { animation: 2, distance, .. } = compare(&[2]).unwrap_err() else { panic!("it runs") };
/// assert!(distance > 0.1);
/// assert_eq!(compare(&[]), Err(MatchError::NoAnimations));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum MatchError {
    /// Empty list of animations.
    NoAnimations,
    /// Number without an animation in the model.
    NoSuchAnimation {
        /// Number in the list.
        animation: usize,
        /// Number of animations of the model.
        animations: usize,
    },
    /// Bone of a body that the model lacks.
    NoSuchBone(Name),
    /// Negative or non-finite tolerance.
    OutOfRange(OutOfRange),
    /// Non-finite poses of the ragdoll or of all animations.
    NotFinite,
    /// Animations farther away than the tolerance, all of them.
    TooFar {
        /// Animation that comes nearest.
        animation: usize,
        /// Distance of that animation, Quake units.
        distance: f32,
        /// Greatest distance that was allowed, Quake units.
        tolerance: f32,
    },
}

impl std::fmt::Display for MatchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoAnimations => f.write_str("no animation to compare the ragdoll with"),
            Self::NoSuchAnimation { animation, animations } => {
                write!(f, "animation {animation} does not exist: the model has {animations}")
            }
            Self::NoSuchBone(bone) => write!(f, "the model has no bone {bone}, which a body of the doll needs"),
            Self::OutOfRange(error) => error.fmt(f),
            Self::NotFinite => f.write_str("the poses of the ragdoll or of all animations are not finite"),
            Self::TooFar { animation, distance, tolerance } => write!(
                f,
                "no animation comes near the ragdoll: animation {animation} is {distance:.1} units away, at most \
                 {tolerance} are allowed"
            ),
        }
    }
}

impl std::error::Error for MatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::OutOfRange(error) => Some(error),
            _ => None,
        }
    }
}

impl From<OutOfRange> for MatchError {
    fn from(error: OutOfRange) -> Self {
        Self::OutOfRange(error)
    }
}

impl Ragdoll {
    /// Usual tolerance of [`match_pose`](Self::match_pose) for a doll of the size of a human, Quake units.
    ///
    /// The mannequin's corpses come within 3 to 10 units of an animation that begins on the same side, but no nearer
    /// than 13 units to one that begins on the other side.
    ///
    /// ```
    /// use skelobj::Ragdoll;
    /// assert_eq!(Ragdoll::NEAR_POSE, 12.0);
    /// ```
    pub const NEAR_POSE: f32 = 12.0;

    /// Maximum number of poses of an animation that are compared; longer animations are sampled at equal distances.
    pub(crate) const MATCHED_POSES: usize = 1 << 12;

    /// Finds the pose in some of a model's animations that comes nearest to the ragdoll, and where the entity has to
    /// stand to show it there. This is how a character gets up: the entity is moved, and the animation plays from the
    /// time that was found.
    ///
    /// Every pose of the animations is compared, up to 4096 of each, so that a corpse that sits gets up from the middle
    /// of an animation. Limbs that were severed from the root are left out. The entity may stand anywhere and have any
    /// yaw, but it is upright: a corpse on its face matches no animation that begins on the back. Among equally near
    /// poses, the first animation of the list and the earliest time are chosen. `model` may differ from the ragdoll's
    /// model if its bones have the same names.
    ///
    /// The distance of two poses is measured in Quake units, as the root mean square over the boxes around the bodies.
    /// [`NEAR_POSE`](Self::NEAR_POSE) is the usual `tolerance`. The height of the origin is that of the nearest pose,
    /// not that of a floor: check with a trace that the entity has room, and put it on the floor.
    ///
    /// [`PoseMatch`] and [`MatchError`] show how to use it, and [`Runtime::match_pose`](crate::Runtime::match_pose) a
    /// whole revival.
    ///
    /// # Errors
    /// [`MatchError::TooFar`] if no pose is within the tolerance; the other variants of [`MatchError`] if there is
    /// nothing to compare.
    pub fn match_pose(
        &self,
        model: &Model,
        animations: &[usize],
        tolerance: f32,
        physics: &Physics,
    ) -> Result<PoseMatch, MatchError> {
        let is_distance = tolerance.is_finite() && tolerance >= 0.0;
        internal::check_number(is_distance, "tolerance", tolerance, "a finite number of at least 0")?;
        let unknown = animations.iter().find(|animation| **animation >= model.animations.len());
        if let Some(&animation) = unknown {
            return Err(MatchError::NoSuchAnimation { animation, animations: model.animations.len() });
        }
        if animations.is_empty() {
            return Err(MatchError::NoAnimations);
        }
        let ragdoll_pose = RagdollPose::new(self, model, physics)?;
        let mut bones = vec![Mat3x4::ZERO; model.skeleton.len()];
        let mut in_model = bones.clone();
        let mut nearest: Option<PoseMatch> = None;
        for &animation in animations {
            for time in times(model, animation) {
                let frame = FrameState::single(animation, time);
                pose::sample(PoseSource { model, frame: &frame }, 0..bones.len(), &mut bones);
                pose::to_model_space(model.skeleton.parents(), &bones, &mut in_model);
                let found = ragdoll_pose.compare(&in_model, animation, time);
                if found.distance.is_finite() && nearest.is_none_or(|nearest| found.distance < nearest.distance) {
                    nearest = Some(found);
                }
            }
        }
        let nearest = nearest.ok_or(MatchError::NotFinite)?;
        let PoseMatch { animation, distance, .. } = nearest;
        if distance > tolerance { Err(MatchError::TooFar { animation, distance, tolerance }) } else { Ok(nearest) }
    }
}

/// Returns the times of an animation's poses, seconds.
fn times(model: &Model, animation: usize) -> impl Iterator<Item = f64> {
    let animation = &model.animations[animation];
    let (poses, rate) = (animation.pose_count(), f64::from(animation.rate));
    let stride = poses.div_ceil(Ragdoll::MATCHED_POSES);
    // Without a rate, the first pose is the only one that has a time.
    let count = if rate.is_normal() && rate > 0.0 { poses } else { 1 };
    (0..count).step_by(stride).map(move |pose| pose as f64 / rate.max(f64::MIN_POSITIVE))
}

/// Body of a ragdoll as it lies, with the size and weight that it has in a comparison.
struct WeighedBody {
    bone: usize,
    placement: body_shape::Placement,
    weight: f64,
    /// Mean square of the body's coordinates along its own axes, from its centre.
    spread: [f64; 3],
    /// Position relative to the centre of mass, and axes, world space.
    offset: [f64; 3],
    axes: [[f64; 3]; 3],
}

/// Bodies of a ragdoll as they lie.
struct RagdollPose {
    bodies: Vec<WeighedBody>,
    weight: f64,
    centre: Vec3,
    /// Scale of the ragdoll.
    scale: f32,
    /// Weighted sum of squares of all numbers of the bodies.
    squares: f64,
}

impl RagdollPose {
    fn new(ragdoll: &Ragdoll, model: &Model, physics: &Physics) -> Result<Self, MatchError> {
        let find =
            |name: &Name| model.skeleton.find(name.as_bytes()).ok_or_else(|| MatchError::NoSuchBone(name.clone()));
        let mut bodies = Vec::with_capacity(ragdoll.state.bodies.len());
        let mut places = Vec::with_capacity(ragdoll.state.bodies.len());
        let hangs = ragdoll.hangs_on_root(|_, joint| joint.attachment.is_enabled());
        let all = ragdoll.state.bodies.iter().zip(&ragdoll.doll.bodies).zip(hangs);
        for ((body, doll_body), _) in all.filter(|(_, hangs)| *hangs) {
            let at = physics.world().bodies.get(body.handle).map_or(body.target, |built| *built.position());
            let built = physics.world().bodies.get(body.handle);
            let weight = built.map_or(0.0, |built| f64::from(built.mass()));
            places.push(at.translation);
            bodies.push(WeighedBody {
                bone: find(&doll_body.bone)?,
                placement: body.placement,
                weight,
                spread: spread(body, physics),
                offset: [0.0; 3],
                axes: axes(&at),
            });
        }
        // Bodies that all lack a mass count alike.
        let weight = bodies.iter().map(|body| body.weight).sum::<f64>();
        if !weight.is_normal() {
            bodies.iter_mut().for_each(|body| body.weight = 1.0);
        }
        let weight = bodies.iter().map(|body| body.weight).sum::<f64>();
        let centre = mean(&bodies, &places, weight);
        let mut squares = 0.0;
        for (body, place) in bodies.iter_mut().zip(&places) {
            body.offset = numbers(*place - centre);
            squares += body.weight * body.squares(&body.offset, &body.axes);
        }
        Ok(Self { bodies, weight, centre, scale: ragdoll.state.scale, squares })
    }

    /// Returns the pose with the yaw and the origin at which it comes nearest.
    fn compare(&self, bones: &[Mat3x4], animation: usize, time: f64) -> PoseMatch {
        let at = |body: &WeighedBody| {
            let at = body.placement.on(&bones[body.bone]);
            Pose::from_parts(at.translation * self.scale, at.rotation)
        };
        let posed: Vec<Pose> = self.bodies.iter().map(at).collect();
        let places: Vec<Vec3> = posed.iter().map(|pose| pose.translation).collect();
        let centre = mean(&self.bodies, &places, self.weight);
        // The distance is least where the products of all vectors with those of the turned pose are greatest: the sum
        // of `along` times the cosine of the yaw, `across` times its sine, and `up`.
        let (mut along, mut across, mut up, mut squares) = (0.0, 0.0, 0.0, 0.0);
        let mut add = |weight: f64, lies: &[f64; 3], posed: &[f64; 3]| {
            along += weight * (lies[0] * posed[0] + lies[1] * posed[1]);
            across += weight * (lies[1] * posed[0] - lies[0] * posed[1]);
            up += weight * lies[2] * posed[2];
        };
        for (body, at) in self.bodies.iter().zip(&posed) {
            let (offset, axes) = (numbers(at.translation - centre), axes(at));
            add(body.weight, &body.offset, &offset);
            for ((spread, lies), posed) in body.spread.iter().zip(&body.axes).zip(&axes) {
                add(body.weight * spread, lies, posed);
            }
            squares += body.weight * body.squares(&offset, &axes);
        }
        let yaw = atan2f(across as f32, along as f32);
        let products = (along * along + across * across).sqrt() + up;
        let square = (self.squares + squares - 2.0 * products) / self.weight;
        // Rounding may leave less than nothing, but NaN must stay.
        let distance = if square < 0.0 { 0.0 } else { square.sqrt() as f32 };
        PoseMatch { animation, time, origin: self.centre - Quat::from_rotation_z(yaw) * centre, yaw, distance }
    }
}

impl WeighedBody {
    /// Returns the mean square of the distances of the body's points from the origin of `offset`.
    fn squares(&self, offset: &[f64; 3], axes: &[[f64; 3]; 3]) -> f64 {
        let square = |vector: &[f64; 3]| vector.iter().map(|number| number * number).sum::<f64>();
        square(offset) + axes.iter().zip(self.spread).map(|(axis, spread)| spread * square(axis)).sum::<f64>()
    }
}

/// Returns the mean of the bodies' places.
fn mean(bodies: &[WeighedBody], places: &[Vec3], weight: f64) -> Vec3 {
    let weighted = bodies.iter().zip(places).map(|(body, place)| *place * (body.weight / weight) as f32);
    weighted.sum()
}

/// Returns the mean square of the coordinates of the box around a body, along its own axes.
fn spread(body: &RagBody, physics: &Physics) -> [f64; 3] {
    let half = body_shape::collider_of(body, physics).map_or(Vec3::ZERO, |collider| {
        let own = collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
        collider.shape().compute_aabb(&own).half_extents()
    });
    numbers(half * half / 3.0)
}

fn axes(pose: &Pose) -> [[f64; 3]; 3] {
    [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| numbers(pose.rotation * axis))
}

fn numbers(vector: Vec3) -> [f64; 3] {
    vector.to_array().map(f64::from)
}
