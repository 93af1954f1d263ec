//! Animations (framegroups): their poses, rates and events.

use std::ops::Range;
use std::sync::Arc;

use super::{Name, Skeleton};
use crate::math::Mat3x4;

/// One framegroup: what `self.frame` selects.
#[derive(Clone, PartialEq, Debug)]
pub struct Animation {
    /// Name that `frameforname` looks for; case matters.
    pub name: Name,
    /// Poses a second; finite and above zero.
    pub rate: f32,
    /// Set where the last pose leads back into the first.
    pub looping: bool,
    /// Source of the poses.
    pub source: AnimationSource,
    /// Events while the animation plays, sorted by time.
    pub events: Vec<Event>,
    /// FTE's action number, -1 for none, and its weight among the animations with the same action.
    pub action: Action,
}

/// The action that an animation shows, for `frameforaction`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Action {
    /// The number; -1 = none.
    pub id: i32,
    /// Likelihood of being chosen among the animations with the same number.
    pub weight: f32,
}

impl Action {
    /// No action.
    pub const NONE: Self = Self { id: -1, weight: 0.0 };
}

/// Something an animation does at a moment: a footstep, a muzzle flash.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Seconds into the animation.
    pub time: f32,
    /// Kind of the event, an engine's number.
    pub code: u32,
    /// Argument of the event, a sound file for instance.
    pub data: Name,
}

/// Computes poses for a moment, where baked frames would lose something: exact times, blends chosen by parameters.
pub trait PoseEvaluator: std::fmt::Debug + Send + Sync {
    /// Writes the local matrices of `bones` (0-based) at `time` seconds into `out`, whose first element is bone
    /// `bones.start`.
    ///
    /// `time` is finite, of any size and sign: the evaluator loops or clamps it, and should do so in f64, so that an
    /// animation runs smoothly after days of one game. All matrices written are finite.
    fn evaluate(&self, time: f64, parameters: &PoseParameters, bones: Range<usize>, out: &mut [Mat3x4]);

    /// Moves the motion to the bones of another skeleton, by name; `None` where the matrices are best taken over as
    /// they are.
    fn retargeted(&self, _skeleton: &Skeleton) -> Option<Arc<dyn PoseEvaluator>> {
        None
    }

    /// Returns whether the poses only show how bones rest when nothing drives them: a real animation takes precedence.
    fn is_rest_pose(&self) -> bool {
        false
    }

    /// Returns the seconds that the animation lasts, where that is not its number of poses divided by its rate.
    fn duration(&self) -> Option<f32> {
        None
    }
}

/// The parameters of a pose besides animations and times: the controls of Half-Life models.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PoseParameters {
    /// Bone controllers 1 to 4 and the mouth, each in the unit its controller is declared in.
    pub controllers: [f32; 5],
    /// Position among a sequence's blends: 0 to 1 along each of its two axes.
    pub blends: [f32; 2],
}

impl PoseParameters {
    /// Returns all parameters.
    #[inline]
    pub(crate) fn as_array(&self) -> [f32; 7] {
        let ([a, b, c, d, e], [f, g]) = (self.controllers, self.blends);
        [a, b, c, d, e, f, g]
    }
}

/// The source of an animation's poses.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AnimationSource {
    /// `count` frames of [`Model::frames`](super::Model::frames) from `first` on; `count` is at least 1.
    Frames {
        /// First frame.
        first: u32,
        /// Number of frames.
        count: u32,
    },
    /// Frames in this order; never empty.
    List(Vec<u32>),
    /// The bind pose, one pose long.
    BindPose,
    /// Poses that are computed when asked for.
    Evaluated {
        /// The evaluator that computes them.
        poses: Arc<dyn PoseEvaluator>,
        /// Number of poses that the animation counts as; its duration is this divided by its rate.
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
    /// Poses a second where a file states no usable rate.
    pub const DEFAULT_RATE: f32 = 10.0;
    /// Up to here an f32 tells positions a thousandth of a pose apart.
    const EXACT_POSES: u16 = 1 << 13;

    /// Makes a plain run of frames without events.
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
    #[must_use]
    pub fn pose_count(&self) -> usize {
        match &self.source {
            AnimationSource::Frames { count, .. } => (*count).max(1) as usize,
            AnimationSource::List(frames) => frames.len().max(1),
            AnimationSource::BindPose => 1,
            AnimationSource::Evaluated { count, .. } => (*count).max(1) as usize,
        }
    }

    /// Returns whether the animation only shows how bones rest when nothing drives them.
    #[must_use]
    pub fn is_rest_pose(&self) -> bool {
        match &self.source {
            AnimationSource::BindPose => true,
            AnimationSource::Evaluated { poses, .. } => poses.is_rest_pose(),
            AnimationSource::Frames { .. } | AnimationSource::List(_) => false,
        }
    }

    /// Returns the duration in seconds: poses divided by rate, or what an evaluator says (builtin #277,
    /// `frameduration`).
    #[must_use]
    pub fn duration(&self) -> f32 {
        let own = match &self.source {
            AnimationSource::Evaluated { poses, .. } => poses.duration(),
            _ => None,
        };
        own.unwrap_or(self.pose_count() as f32 / self.rate)
    }

    /// Returns the frame of the model that pose `pose` shows; `None` where there is none (the bind pose, an evaluated
    /// pose, a pose past the last).
    #[must_use]
    pub fn frame_of(&self, pose: usize) -> Option<usize> {
        match &self.source {
            AnimationSource::Frames { first, count } => (pose < *count as usize).then(|| *first as usize + pose),
            AnimationSource::List(frames) => frames.get(pose).map(|&frame| frame as usize),
            AnimationSource::BindPose | AnimationSource::Evaluated { .. } => None,
        }
    }

    /// Returns the two poses around `time` (seconds) and how far between them it lies, 0 to 1.
    ///
    /// A looping animation blends its last pose into its first over one more step, and runs backwards for negative
    /// times; one that does not loop holds its ends. A time that is not finite shows the beginning.
    ///
    /// Within 8192 poses of the beginning the position between the poses has FTE's bits (for a time that is an f32);
    /// further away it is computed in f64, where FTE's rounds to coarser and coarser steps.
    #[inline]
    #[must_use]
    pub fn poses_at(&self, time: f64) -> (usize, usize, f32) {
        self.poses_around(time, false)
    }

    /// The poses around a time; with `rounded` the position has FTE's bits however far from the beginning.
    #[inline]
    pub(crate) fn poses_around(&self, time: f64, rounded: bool) -> (usize, usize, f32) {
        // The product of two f32 is exact in f64: rounded once, it is their product in f32, which is FTE's.
        let exact = time * f64::from(self.rate);
        let x = exact as f32;
        let count = self.pose_count();
        // Between two poses that follow each other nothing wraps, and truncating is the floor.
        if x >= 0.0 && x < (count - 1).min(Self::EXACT_POSES as usize) as f32 {
            let pose = x as u32;
            return (pose as usize, pose as usize + 1, x - pose as f32);
        }
        let is_f32 = rounded || exact.abs() < f64::from(Self::EXACT_POSES);
        self.poses_around_position(if is_f32 { x.into() } else { exact })
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
        if a == b { (a, b, 0.0) } else { (a, b, (x - floor) as f32) }
    }
}
