//! Animations (framegroups): poses, rates and events.

use std::ops::Range;
use std::sync::Arc;

use super::{Name, Skeleton};
use crate::math::Mat3x4;

/// Animation of a model (a framegroup), which scripts select with the field `frame`.
///
/// ```
/// let mannequin = skelobj::assets::mannequin();
/// let walk = &mannequin.animations[1];
/// assert!(walk.name == *"walk" && walk.looping);
/// assert_eq!((walk.pose_count(), walk.rate), (28, 30.0));
/// assert!(walk.events.iter().any(|event| event.data == *"footstep_l"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Animation {
    /// Name that `frameforname` looks for; case matters.
    pub name: Name,
    /// Poses per second, finite. At 0 the animation stands still, as in DarkPlaces.
    pub rate: f32,
    /// Makes the last pose blend into the first.
    pub looping: bool,
    /// Source of the poses.
    pub source: AnimationSource,
    /// Events while the animation plays, sorted by time.
    pub events: Vec<Event>,
    /// Action number of FTE, with the weight among animations of one action.
    pub action: Action,
}

/// Action that an animation shows, for FTE's `frameforaction`.
///
/// ```
/// let mut mannequin = skelobj::assets::mannequin();
/// // FIRST COUNT FPS LOOP NAME ACTION WEIGHT
/// mannequin.apply_framegroups("mannequin.iqm", b"106 37 30 0 death 20 3 \n 0 60 20 1 idle");
/// let action = mannequin.animations[0].action;
/// assert_eq!((action.id, action.weight), (20, 3.0));
/// assert_eq!(mannequin.animations[1].action.id, -1); // none
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Action {
    /// Action number; -1 for none.
    pub id: i32,
    /// Likelihood of being chosen among the animations of one action, relative to the others.
    pub weight: f32,
}

impl Action {
    /// No action.
    pub const NONE: Self = Self { id: -1, weight: 0.0 };
}

/// Event at a moment of an animation: a footstep, a muzzle flash.
///
/// ```
/// let mannequin = skelobj::assets::mannequin();
/// let step = &mannequin.animations[2].events[1];
/// assert!(step.data == *"footstep_r" && (step.time - 0.3).abs() < 1e-6);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Seconds from the start of the animation.
    pub time: f32,
    /// Kind of the event, a number that the game defines.
    pub code: u32,
    /// Argument of the event, a sound file for instance.
    pub data: Name,
}

/// Evaluator that computes poses on demand, for motion that baked frames do not hold exactly.
///
/// Readers use evaluators for formats with keys at arbitrary times or with pose parameters; a game can add its own.
///
/// ```
/// use std::{ops::Range, sync::Arc};
/// use skelobj::math::{Mat3x4, Quat, Vec3};
/// use skelobj::model::{Animation, AnimationSource, FrameState, PoseEvaluator, PoseParameters};
///
/// let mut mannequin = skelobj::assets::mannequin();
/// /// Turns every bone by one radian a second.
/// #[derive(Debug)]
/// struct Spin;
///
/// impl PoseEvaluator for Spin {
///     fn evaluate(&self, time: f64, _: &PoseParameters, bones: Range<usize>, out: &mut [Mat3x4]) {
///         let turn = Quat::from_rotation_z((time % std::f64::consts::TAU) as f32);
///         out[..bones.len()].fill(Mat3x4::from_rotation_translation(turn, Vec3::Z));
///     }
/// }
///
/// let source = AnimationSource::Evaluated { poses: Arc::new(Spin), count: 63 };
/// mannequin.animations.push(Animation { source, ..Animation::frames("spin", 0, 1, 10.0, true) });
/// let pelvis = mannequin.tag_matrix(0, &FrameState::single(4, 1.0)).ok_or("no pelvis")?;
/// assert!((pelvis.forward().y - 1f32.sin()).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PoseEvaluator: std::fmt::Debug + Send + Sync {
    /// Writes the local matrices of `bones` (0-based) at `time` seconds into `out`, whose first element is bone
    /// `bones.start`.
    ///
    /// `time` is finite, of any magnitude and sign. The evaluator wraps or clamps it in f64, so that an animation stays
    /// smooth after days of play. All matrices it writes are finite.
    ///
    /// ```
    /// use skelobj::Model;
    /// use skelobj::math::Mat3x4;
    /// use skelobj::model::{AnimationSource, PoseParameters};
    ///
    /// let file = std::fs::read("../../tests/data/examples/turret.mdl")?;
    /// let turret = Model::load("turret.mdl", &file, |_| None)?;
    /// let AnimationSource::Evaluated { poses, .. } = &turret.animations[0].source else { return Err("baked".into()) };
    /// let mut head = [Mat3x4::ZERO];
    /// poses.evaluate(1e6, &PoseParameters::default(), 0..1, &mut head);
    /// assert_eq!(head, [Mat3x4::IDENTITY]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn evaluate(&self, time: f64, parameters: &PoseParameters, bones: Range<usize>, out: &mut [Mat3x4]);

    /// Returns the motion for the bones of another skeleton, matched by name.
    ///
    /// With `None`, the default, [`Model::add_animations`](super::Model::add_animations) transfers baked matrices.
    fn retargeted(&self, _skeleton: &Skeleton) -> Option<Arc<dyn PoseEvaluator>> {
        None
    }

    /// Returns the number of the first bone of which a pose, or the palette of one, may exceed the range of an f32 on a
    /// skeleton; `None`, the default, if all are finite or nothing is known.
    fn bone_out_of_reach(&self, _skeleton: &Skeleton) -> Option<usize> {
        None
    }

    /// Returns `true` if [`evaluate`](Self::evaluate) gives the same bits for the same arguments, so that a build that
    /// repeats the last one can be left out. The default is `false`.
    fn is_pure(&self) -> bool {
        false
    }

    /// Returns `true` if the poses only show how bones rest without animation. A real animation takes precedence over
    /// such poses. The default is `false`.
    fn is_rest_pose(&self) -> bool {
        false
    }

    /// Returns the duration in seconds, if it differs from the number of poses divided by the rate. The default is
    /// `None`.
    fn duration(&self) -> Option<f32> {
        None
    }
}

/// Parameters of a pose other than animations and times: the controllers and blends of Half-Life models.
///
/// ```
/// use skelobj::Model;
/// use skelobj::model::{FrameState, PoseParameters};
///
/// let file = std::fs::read("../../tests/data/examples/turret.mdl")?;
/// let turret = Model::load("turret.mdl", &file, |_| None)?;
/// let aim = PoseParameters { controllers: [30.0, 0.0, 0.0, 0.0, 0.0], ..PoseParameters::default() };
/// let frame = FrameState::single(0, 0.0).with_parameters(aim);
/// let head = turret.tag_matrix(0, &frame).ok_or("no bone")?;
/// assert!((head.forward().y - 30f32.to_radians().sin()).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct PoseParameters {
    /// Inputs of bone controllers 1 to 4 and of the mouth, in the unit of the controller's range.
    pub controllers: [f32; 5],
    /// Position among the blends of a sequence, 0 to 1 along each of two axes.
    pub blends: [f32; 2],
}

impl PoseParameters {
    /// Returns all parameters in one array.
    #[inline]
    pub(crate) fn as_array(&self) -> [f32; 7] {
        let ([a, b, c, d, e], [f, g]) = (self.controllers, self.blends);
        [a, b, c, d, e, f, g]
    }
}

/// Source of an animation's poses.
///
/// ```
/// use skelobj::model::{Animation, AnimationSource};
///
/// let mut mannequin = skelobj::assets::mannequin();
/// let nod = AnimationSource::List(vec![88, 92, 88]);
/// mannequin.animations.push(Animation { source: nod, ..Animation::frames("nod", 0, 1, 10.0, false) });
/// assert_eq!(mannequin.animations[4].pose_count(), 3);
/// assert_eq!(mannequin.animations[4].frame_of(1), Some(92));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AnimationSource {
    /// Run of `count` frames of [`Model::frames`](super::Model::frames), beginning at `first`; `count` is at least 1.
    Frames {
        /// First frame.
        first: u32,
        /// Number of frames.
        count: u32,
    },
    /// Frames in the order of the poses; never empty.
    List(Vec<u32>),
    /// Bind pose, as a single pose.
    BindPose,
    /// Poses that are computed on demand.
    Evaluated {
        /// Evaluator that computes the poses.
        poses: Arc<dyn PoseEvaluator>,
        /// Number of poses; divided by the rate, it is the duration unless the evaluator states one.
        count: u32,
    },
}

/// Compares evaluators by identity.
impl PartialEq for AnimationSource {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Frames { first: a, count: b }, Self::Frames { first: c, count: d }) => (a, b) == (c, d),
            (Self::List(a), Self::List(b)) => a == b,
            (Self::BindPose, Self::BindPose) => true,
            (Self::Evaluated { poses: a, count: b }, Self::Evaluated { poses: c, count: d }) => {
                Arc::ptr_eq(a, c) && b == d
            }
            _ => false,
        }
    }
}

impl Animation {
    /// Poses per second where a file states no usable rate.
    pub(crate) const DEFAULT_RATE: f32 = 10.0;
    /// Number of poses up to which an f32 position has a precision of a thousandth of a pose.
    const EXACT_POSES: u16 = 1 << 13;

    /// Returns an animation of `count` frames starting at `first`, at `rate` poses per second, without events or an
    /// action.
    ///
    /// ```
    /// use skelobj::model::Animation;
    ///
    /// let mut mannequin = skelobj::assets::mannequin();
    /// mannequin.animations.push(Animation::frames("stumble", 106, 12, 30.0, false)); // the beginning of "death"
    /// assert_eq!(mannequin.find_animation("stumble"), Some(4));
    /// ```
    pub fn frames(name: impl Into<Name>, first: u32, count: u32, rate: f32, looping: bool) -> Self {
        Self {
            name: name.into(),
            rate,
            looping,
            source: AnimationSource::Frames { first, count },
            events: Vec::new(),
            action: Action::NONE,
        }
    }

    /// Returns the number of poses; at least 1.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.animations[1].pose_count(), 28);
    /// ```
    #[must_use]
    pub fn pose_count(&self) -> usize {
        match &self.source {
            AnimationSource::Frames { count, .. } => (*count).max(1) as usize,
            AnimationSource::List(frames) => frames.len().max(1),
            AnimationSource::BindPose => 1,
            AnimationSource::Evaluated { count, .. } => (*count).max(1) as usize,
        }
    }

    /// Returns `true` if the animation only shows how bones rest without animation.
    ///
    /// ```
    /// use skelobj::model::{Animation, AnimationSource};
    ///
    /// let mannequin = skelobj::assets::mannequin();
    /// assert!(!mannequin.animations[0].is_rest_pose());
    /// let base = Animation { source: AnimationSource::BindPose, ..Animation::frames("base", 0, 1, 10.0, true) };
    /// assert!(base.is_rest_pose());
    /// ```
    #[must_use]
    pub fn is_rest_pose(&self) -> bool {
        match &self.source {
            AnimationSource::BindPose => true,
            AnimationSource::Evaluated { poses, .. } => poses.is_rest_pose(),
            AnimationSource::Frames { .. } | AnimationSource::List(_) => false,
        }
    }

    /// Returns what [`PoseEvaluator::bone_out_of_reach`] does; `None` for frames.
    pub(crate) fn bone_out_of_reach(&self, skeleton: &Skeleton) -> Option<usize> {
        match &self.source {
            AnimationSource::Evaluated { poses, .. } => poses.bone_out_of_reach(skeleton),
            _ => None,
        }
    }

    /// Returns the duration in seconds, as `frameduration` (builtin #277) does: the number of poses divided by the
    /// rate, 0 if the rate is 0, or the duration that an evaluator states.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.animations[0].duration(), 3.0); // "idle": 60 poses, 20 a second
    /// ```
    #[must_use]
    pub fn duration(&self) -> f32 {
        let own = match &self.source {
            AnimationSource::Evaluated { poses, .. } => poses.duration(),
            _ => None,
        };
        let stands_still = self.rate == 0.0;
        own.unwrap_or(if stands_still { 0.0 } else { self.pose_count() as f32 / self.rate })
    }

    /// Returns the frame of the model that pose `pose` shows; `None` for the bind pose, for evaluated poses and past
    /// the last pose.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let death = &mannequin.animations[3];
    /// assert_eq!([0, 36, 37].map(|pose| death.frame_of(pose)), [Some(106), Some(142), None]);
    /// ```
    #[must_use]
    pub fn frame_of(&self, pose: usize) -> Option<usize> {
        match &self.source {
            AnimationSource::Frames { first, count } => (pose < *count as usize).then(|| *first as usize + pose),
            AnimationSource::List(frames) => frames.get(pose).map(|&frame| frame as usize),
            AnimationSource::BindPose | AnimationSource::Evaluated { .. } => None,
        }
    }

    /// Returns the two poses around `time` (seconds) and the position between them, 0 to 1.
    ///
    /// A looping animation blends its last pose into its first during one more step, and runs backwards for negative
    /// times. Any other animation holds its first and last pose. A non-finite time shows the beginning.
    ///
    /// Within 8192 poses of the beginning the position has FTE's bits, if the time is an f32. Beyond that it is
    /// computed in f64; FTE rounds it to ever coarser steps.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let (idle, death) = (&mannequin.animations[0], &mannequin.animations[3]); // 20 and 30 poses per second
    /// assert_eq!(idle.poses_at(0.125), (2, 3, 0.5));
    /// assert_eq!(idle.poses_at(2.975), (59, 0, 0.5)); // loops
    /// assert_eq!(death.poses_at(100.0), (36, 36, 0.0)); // holds its end
    /// ```
    #[inline]
    #[must_use]
    pub fn poses_at(&self, time: f64) -> (usize, usize, f32) {
        self.poses_around(time, false)
    }

    /// Returns the poses around a time; with `rounded` the position has FTE's bits at any distance from the beginning.
    #[inline]
    pub(crate) fn poses_around(&self, time: f64, rounded: bool) -> (usize, usize, f32) {
        // The product of two f32 is exact in f64. Rounded to f32, it is the product that FTE computes.
        let exact = time * f64::from(self.rate);
        let x = exact as f32;
        if let Some((pose, fraction)) = self.pose_before(x) {
            return (pose, pose + 1, fraction);
        }
        let is_f32 = rounded || exact.abs() < f64::from(Self::EXACT_POSES);
        self.poses_around_position(if is_f32 { x.into() } else { exact })
    }

    /// Returns the pose before a position, and the fraction of the way to the next; `None` if a pose may wrap.
    #[inline(always)]
    pub(crate) fn pose_before(&self, x: f32) -> Option<(usize, f32)> {
        if x >= 0.0 && x < (self.pose_count() - 1).min(Self::EXACT_POSES as usize) as f32 {
            // Truncation equals the floor.
            let pose = x as u32;
            debug_assert!((pose as usize) + 1 < self.pose_count(), "a pose follows");
            return Some((pose as usize, x - pose as f32));
        }
        None
    }

    fn poses_around_position(&self, x: f64) -> (usize, usize, f32) {
        let x = if x.is_finite() { x } else { 0.0 };
        let last = self.pose_count() - 1;
        let floor = x.floor();
        let (a, b) = if self.looping {
            let a = floor.rem_euclid((last + 1) as f64) as usize;
            (a, if a == last { 0 } else { a + 1 })
        } else {
            let clamp = |pose: f64| pose.clamp(0.0, last as f64) as usize;
            (clamp(floor), clamp(floor + 1.0))
        };
        debug_assert!(a <= last && b <= last, "both poses exist");
        if a == b { (a, b, 0.0) } else { (a, b, (x - floor) as f32) }
    }
}
