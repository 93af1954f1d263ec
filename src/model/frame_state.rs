//! The animations, times and weights that an entity plays.

use super::PoseParameters;

/// One animation at one time with one weight.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Blend {
    /// The animation's number; outside the model's range it means animation 0.
    pub animation: i32,
    /// Seconds into the animation. It need not be wrapped: an f64 is exact to a microsecond for centuries.
    pub time: f64,
    /// Share of the animation in the sum; blends with a weight of zero or less do not count.
    pub weight: f32,
}

/// The animations that pose a model: up to four blends for the bones, and another set for the first
/// [`base_bones`](Self::base_bones) of them. Quake's entities hold this in their frame fields.
///
/// Times are seconds in f64. Those that come from QuakeC's fields ([`client`](Self::client), [`server`](Self::server))
/// are f32 and are calculated with as FTE does, to the bit; see [`FrameFields`] for how long that is good enough.
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
    rounds_positions: bool,
}

/// The entity fields that a [`FrameState`] is made from, under their QuakeC names.
///
/// The times are f32 seconds, and FTE rounds their product with the animation's rate to f32 once more. An animation of
/// 30 poses a second is off by at most an eighth of a pose up to 18 hours (2^16 s), a quarter up to 36 hours (2^17 s)
/// and half a pose up to 73 hours (2^18 s); beyond that, every second frame of a 60 Hz game shows the pose of the frame
/// before. Game code whose entities play for more than a day wraps its times: it subtracts `frameduration` (builtin
/// #277) from a time that has passed it.
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
    /// Returns all fields, in the order of their declaration.
    pub fn as_floats_mut(&mut self) -> &mut [f32; 17] {
        bytemuck::cast_mut(self)
    }
}

/// Plays the beginning of the first animation.
impl Default for FrameState {
    fn default() -> Self {
        Self::single(0, 0.0)
    }
}

impl FrameState {
    /// Plays one animation at a time (seconds), at full weight.
    #[inline]
    #[must_use]
    pub fn single(animation: i32, time: f64) -> Self {
        Self::blended([Blend { animation, time, weight: 1.0 }, Blend::default(), Blend::default(), Blend::default()])
    }

    /// Plays four blends, in the order in which they are summed.
    #[inline]
    #[must_use]
    pub fn blended(blends: [Blend; 4]) -> Self {
        Self {
            blends,
            base: [Blend::default(); 2],
            base_bones: 0,
            parameters: PoseParameters::default(),
            rounds_positions: false,
        }
    }

    /// Lets the first `bones` bones play `base` instead.
    #[must_use]
    pub fn with_base(mut self, base: [Blend; 2], bones: usize) -> Self {
        self.base = base;
        self.base_bones = bones;
        self
    }

    /// Rounds positions in an animation to f32 however far they are, as FTE does: for times that are f32 already.
    #[inline]
    pub(crate) fn with_f32_times(mut self) -> Self {
        self.rounds_positions = true;
        self
    }

    /// Sets the parameters for models that have such.
    #[must_use]
    pub fn with_parameters(mut self, parameters: PoseParameters) -> Self {
        self.parameters = parameters;
        self
    }

    /// Applies the rules of client game code: four blends, the weight of `frame` being what the others leave, and bones
    /// 1 to `basebone` - 1 from the base fields.
    #[inline]
    #[must_use]
    pub fn client(fields: &FrameFields) -> Self {
        let blend = |animation: f32, time: f32, weight| match weight {
            0.0 => Blend::default(),
            _ => Blend { animation: crate::math::truncate(animation), time: time.into(), weight },
        };
        let f = fields;
        let first = 1.0 - ((f.lerpfrac + f.lerpfrac3) + f.lerpfrac4);
        let state = Self::blended([
            blend(f.frame, f.frame1time, first),
            blend(f.frame2, f.frame2time, f.lerpfrac),
            blend(f.frame3, f.frame3time, f.lerpfrac3),
            blend(f.frame4, f.frame4time, f.lerpfrac4),
        ])
        .with_f32_times();
        match base_bones(f.basebone) {
            0 => state,
            bones => {
                let first = blend(f.baseframe, f.baseframe1time, 1.0 - f.baselerpfrac);
                state.with_base([first, blend(f.baseframe2, f.baseframe2time, f.baselerpfrac)], bones)
            }
        }
    }

    /// Applies the rules of server game code, as FTE's server was recorded: only `frame`, and `baseframe` for bones 1
    /// to `basebone` (one more than on the client), both at `frame1time`.
    #[must_use]
    pub fn server(fields: &FrameFields) -> Self {
        let time = fields.frame1time.into();
        let playing = |frame| Blend { animation: crate::math::truncate(frame), time, weight: 1.0 };
        let bones = crate::math::truncate(fields.basebone).max(0) as usize;
        Self::blended([playing(fields.frame), Blend::default(), Blend::default(), Blend::default()])
            .with_base([playing(fields.baseframe), Blend::default()], bones)
            .with_f32_times()
    }

    /// Returns the blends of the bones from `base_bones` on.
    #[inline]
    #[must_use]
    pub fn blends(&self) -> &[Blend; 4] {
        &self.blends
    }

    /// Returns the blends of the first `base_bones` bones.
    #[inline]
    #[must_use]
    pub fn base(&self) -> &[Blend; 2] {
        &self.base
    }

    /// The blends of the groups that pose bones; the first group may pose none.
    #[inline]
    pub(crate) fn active(&self) -> impl Iterator<Item = &Blend> {
        let base = if self.base_bones == 0 { &[][..] } else { &self.base };
        self.blends.iter().chain(base)
    }

    /// The sum of the weights' magnitudes, of the group in which it is more; infinite or NaN where a weight is.
    #[inline]
    pub(crate) fn weight(&self) -> f32 {
        let sum = |blends: &[Blend]| blends.iter().map(|blend| blend.weight.abs()).sum::<f32>();
        let main = sum(&self.blends);
        match self.base_bones {
            0 => main,
            _ => match sum(&self.base) {
                base if base <= main || main.is_nan() => main,
                base => base,
            },
        }
    }

    /// The sum of all times and parameters; infinite or NaN where one of them is.
    #[inline]
    pub(crate) fn times_and_parameters(&self) -> f64 {
        self.active().map(|blend| blend.time).sum::<f64>() + f64::from(self.parameters.as_array().iter().sum::<f32>())
    }

    /// Returns whether all weights, times and parameters, and their sums, are finite.
    pub(crate) fn is_finite(&self) -> bool {
        self.weight().is_finite() && self.times_and_parameters().is_finite()
    }

    /// Returns whether positions in an animation are rounded to f32 however far they are, as FTE rounds them.
    #[inline]
    pub(crate) fn rounds_positions(&self) -> bool {
        self.rounds_positions
    }

    /// Returns the parameters for models that have such.
    #[must_use]
    pub fn parameters(&self) -> &PoseParameters {
        &self.parameters
    }

    /// Returns the number of bones, from the first on, that play [`base`](Self::base).
    #[inline]
    #[must_use]
    pub fn base_bones(&self) -> usize {
        self.base_bones
    }
}

fn base_bones(basebone: f32) -> usize {
    usize::try_from(crate::math::truncate(basebone).saturating_sub(1)).unwrap_or(0)
}
