//! Animations (framegroups) and the state of an entity that plays them.

use std::ops::Range;
use std::sync::Arc;

use super::{Name, Skeleton};
use crate::math::Mat3x4;

/// One framegroup: what `self.frame` selects.
#[derive(Clone, PartialEq, Debug)]
pub struct Animation {
    /// Its name; what `frameforname` looks for, case mattering.
    pub name: Name,
    /// Poses a second; finite and above zero.
    pub rate: f32,
    /// Whether the last pose leads back into the first.
    pub looping: bool,
    /// Where its poses come from.
    pub source: AnimationSource,
    /// What happens while it plays, sorted by time.
    pub events: Vec<Event>,
    /// FTE's action number, -1 for none, and its weight among the animations with the same action.
    pub action: Action,
}

/// Which action an animation shows, for `frameforaction`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Action {
    /// The number; -1 = none.
    pub id: i32,
    /// How likely it is to be chosen among its equals.
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
    /// What kind of event.
    pub code: u32,
    /// Its argument, a sound file for instance.
    pub data: Name,
}

/// Computes poses for a moment, where baked frames would lose something: exact times, blends chosen by parameters.
pub trait PoseEvaluator: std::fmt::Debug + Send + Sync {
    /// Writes the relative matrices of `bones` (0-based) at `time` seconds into `out`, whose first element is bone
    /// `bones.start`. `time` is finite; looping and clamping are the evaluator's. All matrices written are finite.
    fn evaluate(&self, time: f32, parameters: &PoseParameters, bones: Range<usize>, out: &mut [Mat3x4]);

    /// The same motion on the bones of another skeleton, by name, where this knows better how than to take the matrices
    /// over.
    fn retargeted(&self, _skeleton: &Skeleton) -> Option<Arc<dyn PoseEvaluator>> {
        None
    }

    /// Whether it only shows how bones rest when nothing drives them: such an animation gives way to a real one.
    fn is_rest_pose(&self) -> bool {
        false
    }

    /// Seconds the animation lasts, where that is not its number of poses divided by its rate.
    fn duration(&self) -> Option<f32> {
        None
    }
}

/// What a pose depends on besides animations and times: the controls of Half-Life models.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PoseParameters {
    /// Bone controllers 1 to 4 and the mouth, each in the unit its controller is declared in.
    pub controllers: [f32; 5],
    /// Which of a sequence's blends is shown: 0 to 1 along each of its two axes.
    pub blends: [f32; 2],
}

/// Where an animation's poses come from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AnimationSource {
    /// `count` frames of [`Model::frames`](super::Model::frames) from `first` on; `count` is at least 1.
    Frames {
        /// First frame.
        first: u32,
        /// How many.
        count: u32,
    },
    /// These frames, in this order; never empty.
    List(Vec<u32>),
    /// The bind pose, one pose long.
    BindPose,
    /// Computed when asked for.
    Evaluated {
        /// What computes them.
        poses: Arc<dyn PoseEvaluator>,
        /// How many poses it counts as; its duration is this divided by the animation's rate.
        count: u32,
    },
}

/// Evaluators are equal when they are the same one.
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

    /// A plain run of frames without events.
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

    /// How many poses it has; at least 1.
    pub fn pose_count(&self) -> usize {
        match &self.source {
            AnimationSource::Frames { count, .. } => (*count).max(1) as usize,
            AnimationSource::List(frames) => frames.len().max(1),
            AnimationSource::BindPose => 1,
            AnimationSource::Evaluated { count, .. } => (*count).max(1) as usize,
        }
    }

    /// Whether it only shows how bones rest when nothing drives them.
    pub fn is_rest_pose(&self) -> bool {
        match &self.source {
            AnimationSource::BindPose => true,
            AnimationSource::Evaluated { poses, .. } => poses.is_rest_pose(),
            AnimationSource::Frames { .. } | AnimationSource::List(_) => false,
        }
    }

    /// Seconds it lasts: poses divided by rate, or what an evaluator says (builtin #277, `frameduration`).
    pub fn duration(&self) -> f32 {
        let own = match &self.source {
            AnimationSource::Evaluated { poses, .. } => poses.duration(),
            _ => None,
        };
        own.unwrap_or(self.pose_count() as f32 / self.rate)
    }

    /// The frame of the model that pose `pose` shows; `None` where it shows none (the bind pose, an evaluated pose, a
    /// pose past the last).
    pub fn frame_of(&self, pose: usize) -> Option<usize> {
        match &self.source {
            AnimationSource::Frames { first, count } => (pose < *count as usize).then(|| *first as usize + pose),
            AnimationSource::List(frames) => frames.get(pose).map(|&frame| frame as usize),
            AnimationSource::BindPose | AnimationSource::Evaluated { .. } => None,
        }
    }

    /// The two poses around `time` (seconds) and how far between them it lies, 0 to 1.
    ///
    /// A looping animation blends its last pose into its first over one more step, and runs backwards for negative
    /// times; one that does not loop holds its ends.
    pub fn poses_at(&self, time: f32) -> (usize, usize, f32) {
        let x = time * self.rate;
        let x = if x.is_finite() { x } else { 0.0 };
        let count = self.pose_count();
        // Between two poses that follow each other nothing wraps, and truncating is the floor.
        if x >= 0.0 && x < (count - 1).min(1 << 20) as f32 {
            let pose = x as u32;
            return (pose as usize, pose as usize + 1, x - pose as f32);
        }
        let floor = x.floor();
        let fraction = x - floor;
        let (a, b) = if self.looping {
            let wrap = |pose: f64| pose.rem_euclid(count as f64) as usize;
            (wrap(f64::from(floor)), wrap(f64::from(floor) + 1.0))
        } else {
            let clamp = |pose: f64| pose.clamp(0.0, (count - 1) as f64) as usize;
            (clamp(f64::from(floor)), clamp(f64::from(floor) + 1.0))
        };
        if a == b { (a, b, 0.0) } else { (a, b, fraction) }
    }
}

/// One animation at one time with one weight.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Blend {
    /// The animation's number; outside the model's range it means animation 0.
    pub animation: i32,
    /// Seconds into the animation.
    pub time: f32,
    /// Its share; blends with a weight of zero or less do not count.
    pub weight: f32,
}

/// What an entity's frame fields say about a pose: up to four blends for the bones, and another set for the first
/// [`base_bones`](Self::base_bones) of them.
///
/// ```
/// use skelobj::model::FrameState;
/// let half = FrameState::single(2, 0.5);
/// assert_eq!(half.blends()[0].animation, 2);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FrameState {
    blends: [Blend; 4],
    base: [Blend; 2],
    base_bones: usize,
    parameters: PoseParameters,
}

/// The entity fields that a [`FrameState`] is made from, under their QuakeC names.
#[derive(Clone, Copy, PartialEq, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[allow(missing_docs)]
#[repr(C)]
pub struct FrameFields {
    pub frame: f32,
    pub frame2: f32,
    pub frame3: f32,
    pub frame4: f32,
    pub frame1time: f32,
    pub frame2time: f32,
    pub frame3time: f32,
    pub frame4time: f32,
    pub lerpfrac: f32,
    pub lerpfrac3: f32,
    pub lerpfrac4: f32,
    pub basebone: f32,
    pub baseframe: f32,
    pub baseframe2: f32,
    pub baseframe1time: f32,
    pub baseframe2time: f32,
    pub baselerpfrac: f32,
}

impl FrameFields {
    /// All fields, in the order of their declaration.
    pub fn as_floats_mut(&mut self) -> &mut [f32; 17] {
        bytemuck::cast_mut(self)
    }
}

/// The beginning of the first animation.
impl Default for FrameState {
    fn default() -> Self {
        Self::single(0, 0.0)
    }
}

impl FrameState {
    /// One animation at a time (seconds), at full weight.
    #[inline]
    pub fn single(animation: i32, time: f32) -> Self {
        Self::blended([Blend { animation, time, weight: 1.0 }, Blend::default(), Blend::default(), Blend::default()])
    }

    /// Four blends, in the order in which they are summed.
    #[inline]
    pub fn blended(blends: [Blend; 4]) -> Self {
        Self { blends, base: [Blend::default(); 2], base_bones: 0, parameters: PoseParameters::default() }
    }

    /// Lets the first `bones` bones play `base` instead.
    pub fn with_base(mut self, base: [Blend; 2], bones: usize) -> Self {
        self.base = base;
        self.base_bones = bones;
        self
    }

    /// With these parameters for models that have such.
    pub fn with_parameters(mut self, parameters: PoseParameters) -> Self {
        self.parameters = parameters;
        self
    }

    /// The rules of client game code: four blends, the weight of `frame` being what the others leave, and bones
    /// 1 to `basebone` - 1 from the base fields.
    #[inline]
    pub fn client(fields: &FrameFields) -> Self {
        let blend = |animation: f32, time, weight| match weight {
            0.0 => Blend::default(),
            _ => Blend { animation: crate::math::truncate(animation), time, weight },
        };
        let f = fields;
        let first = 1.0 - ((f.lerpfrac + f.lerpfrac3) + f.lerpfrac4);
        let state = Self::blended([
            blend(f.frame, f.frame1time, first),
            blend(f.frame2, f.frame2time, f.lerpfrac),
            blend(f.frame3, f.frame3time, f.lerpfrac3),
            blend(f.frame4, f.frame4time, f.lerpfrac4),
        ]);
        match base_bones(f.basebone) {
            0 => state,
            bones => {
                let first = blend(f.baseframe, f.baseframe1time, 1.0 - f.baselerpfrac);
                state.with_base([first, blend(f.baseframe2, f.baseframe2time, f.baselerpfrac)], bones)
            }
        }
    }

    /// The rules of server game code, as FTE's server was recorded: only `frame`, and `baseframe` for bones 1 to
    /// `basebone` (one more than on the client), both at `frame1time`.
    pub fn server(fields: &FrameFields) -> Self {
        let playing = |frame| Blend { animation: crate::math::truncate(frame), time: fields.frame1time, weight: 1.0 };
        let bones = crate::math::truncate(fields.basebone).max(0) as usize;
        Self::blended([playing(fields.frame), Blend::default(), Blend::default(), Blend::default()])
            .with_base([playing(fields.baseframe), Blend::default()], bones)
    }

    /// The blends of the bones from `base_bones` on.
    #[inline]
    pub fn blends(&self) -> &[Blend; 4] {
        &self.blends
    }

    /// The blends of the first `base_bones` bones.
    #[inline]
    pub fn base(&self) -> &[Blend; 2] {
        &self.base
    }

    /// The sum of the weights that count, of the group in which they are more.
    #[inline]
    pub(crate) fn weight(&self) -> f32 {
        let sum = |blends: &[Blend]| blends.iter().map(|b| b.weight.max(0.0)).sum::<f32>();
        if self.base_bones == 0 { sum(&self.blends) } else { sum(&self.blends).max(sum(&self.base)) }
    }

    /// Parameters for models that have such.
    pub fn parameters(&self) -> &PoseParameters {
        &self.parameters
    }

    /// How many bones, from the first on, play [`base`](Self::base).
    #[inline]
    pub fn base_bones(&self) -> usize {
        self.base_bones
    }
}

fn base_bones(basebone: f32) -> usize {
    usize::try_from(crate::math::truncate(basebone).saturating_sub(1)).unwrap_or(0)
}
