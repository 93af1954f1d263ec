//! Animations, times and weights that an entity plays.

use super::PoseParameters;

/// One animation at one time with one weight.
///
/// ```
/// use skelobj::model::{Blend, FrameState};
///
/// let mannequin = skelobj::assets::mannequin();
/// let (walk, run) = (Blend::new(1, 0.4, 0.75), Blend::new(2, 0.3, 0.25));
/// let frame = FrameState::blended([walk, run]);
/// let pelvis = mannequin.tag_matrix(0, &frame).ok_or("no pelvis")?.origin();
/// let alone = [(1, 0.4), (2, 0.3)].map(|(number, time)| mannequin.tag_matrix(0, &FrameState::single(number, time)));
/// let [Some(walk), Some(run)] = alone else { return Err("no pelvis".into()) };
/// assert!(pelvis.distance(walk.origin() * 0.75 + run.origin() * 0.25) < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Blend {
    /// Seconds from the start of the animation. Wrapping is unnecessary: an f64 resolves microseconds for centuries.
    pub time: f64,
    /// Number of the animation; a number outside the model's range means animation 0.
    pub animation: i32,
    /// Weight in the sum; a blend with a weight of zero or less is ignored.
    pub weight: f32,
}

impl Blend {
    /// Returns a blend of an animation, as [`Model::find_animation`](super::Model::find_animation) numbers them, at
    /// `time` seconds.
    ///
    /// ```
    /// use skelobj::model::{Blend, FrameState};
    ///
    /// let mannequin = skelobj::assets::mannequin();
    /// let run = mannequin.find_animation("run").ok_or("no animation \"run\"")?;
    /// let half = FrameState::blended([Blend::new(run, 0.3, 0.5), Blend::new(run, 0.4, 0.5)]);
    /// assert_eq!(half.blends()[1].time, 0.4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn new(animation: usize, time: f64, weight: f32) -> Self {
        Self { animation: i32::try_from(animation).unwrap_or(i32::MAX), time, weight }
    }
}

/// Animations that pose a model: four blends, and two others for the first [`base_bones`](Self::base_bones) bones.
///
/// Quake's entities hold a frame state in their frame fields: [`FrameFields`] has them under their QuakeC names, and
/// [`client`](Self::client) and [`server`](Self::server) convert them. Times are f64 seconds; those from QuakeC's
/// fields are f32, and are calculated with FTE's rounding.
///
/// ```
/// use skelobj::model::{FrameFields, FrameState};
///
/// let mannequin = skelobj::assets::mannequin();
/// let run = FrameState::single(2, 0.3);
/// let fields = FrameFields { frame: 2.0, frame1time: 0.3, ..FrameFields::default() };
/// let [a, b] = [run, FrameState::client(&fields)].map(|frame| mannequin.tag_matrix(12, &frame));
/// let (a, b) = a.zip(b).ok_or("no head")?;
/// assert!(a.origin().distance(b.origin()) < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FrameState {
    blends: [Blend; 4],
    shape: Shape,
    extras: Extras,
}

/// Kind of a frame state, which tells how much of it poses a model.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Shape {
    /// Number of blends that are not blends without weight by construction.
    blends: u32,
    rounds_positions: u8,
    whole_poses: u8,
    /// 1 if [`Extras`] were set; the defaults otherwise.
    has_extras: u8,
    /// 0 if everything is in the first blend.
    has_more: u8,
}

/// Parts of a frame state that few entities use.
#[derive(Clone, Copy, PartialEq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Extras {
    base: [Blend; 2],
    base_bones: u64,
    parameters: PoseParameters,
    /// Sub-blends of the base group.
    base_subblends: [f32; 2],
    unused: u32,
}

impl PartialEq for FrameState {
    fn eq(&self, other: &Self) -> bool {
        let flags = |shape: Shape| (shape.rounds_positions, shape.whole_poses);
        self.blends == other.blends && flags(self.shape) == flags(other.shape) && self.extras == other.extras
    }
}

/// Entity fields from which a [`FrameState`] is created, under their QuakeC names.
///
/// The times are f32 seconds, and FTE rounds their product with the animation's rate to f32 once more. An animation of
/// 30 poses per second is off by at most an eighth of a pose up to 18 hours (2^16 s), a quarter up to 36 hours (2^17 s)
/// and half a pose up to 73 hours (2^18 s); beyond that, every second frame of a 60 Hz game shows the pose of the frame
/// before. Game code whose entities play for more than a day wraps its times: it subtracts `frameduration` (builtin
/// #277) from a time that has passed it.
///
/// ```
/// use skelobj::model::{FrameFields, FrameState};
///
/// // A quarter of the way from "walk" to "run".
/// let fields = FrameFields { frame: 1.0, frame2: 2.0, lerpfrac: 0.25, ..FrameFields::default() };
/// let weights = FrameState::client(&fields).blends().map(|blend| (blend.animation, blend.weight));
/// assert_eq!(weights[..2], [(1, 0.75), (2, 0.25)]);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct FrameFields {
    /// Animation of the first blend; its weight is 1 less the three `lerpfrac` fields.
    pub frame: f32,
    /// Animation of the second blend.
    pub frame2: f32,
    /// Animation of the third blend.
    pub frame3: f32,
    /// Animation of the fourth blend.
    pub frame4: f32,
    /// Time of the first blend, seconds.
    pub frame1time: f32,
    /// Time of the second blend, seconds.
    pub frame2time: f32,
    /// Time of the third blend, seconds.
    pub frame3time: f32,
    /// Time of the fourth blend, seconds.
    pub frame4time: f32,
    /// Weight of the second blend.
    pub lerpfrac: f32,
    /// Weight of the third blend.
    pub lerpfrac3: f32,
    /// Weight of the fourth blend.
    pub lerpfrac4: f32,
    /// Number (1-based) of the first bone that the base fields do not pose; 0 for none.
    pub basebone: f32,
    /// Animation of the first base blend; its weight is 1 less `baselerpfrac`.
    pub baseframe: f32,
    /// Animation of the second base blend.
    pub baseframe2: f32,
    /// Time of the first base blend, seconds.
    pub baseframe1time: f32,
    /// Time of the second base blend, seconds.
    pub baseframe2time: f32,
    /// Weight of the second base blend.
    pub baselerpfrac: f32,
}

impl FrameFields {
    /// Returns all fields as an array, in the order of their declaration.
    ///
    /// ```
    /// use skelobj::model::FrameFields;
    /// let mut fields = FrameFields::default();
    /// let floats = fields.as_floats_mut(); // an engine copies them from its entity
    /// (floats[0], floats[4]) = (3.0, 0.5);
    /// assert_eq!((fields.frame, fields.frame1time), (3.0, 0.5));
    /// ```
    pub fn as_floats_mut(&mut self) -> &mut [f32; 17] {
        bytemuck::cast_mut(self)
    }
}

/// Returns `true` if two values of `N` times eight bytes have the same bits; a branch for each would cost more.
#[inline]
fn same<T: bytemuck::Pod, const N: usize>(a: &T, b: &T) -> bool {
    // Not by `map`, which is not inlined everywhere.
    let (a, b): (&[u64; N], &[u64; N]) = (bytemuck::cast_ref(a), bytemuck::cast_ref(b));
    (0..N).fold(0, |differences, n| differences | (a[n] ^ b[n])) == 0
}

/// Returns the blends, followed by blends without weight. More than `M` do not compile.
fn padded<const N: usize, const M: usize>(blends: [Blend; N]) -> [Blend; M] {
    const { assert!(N <= M, "a frame state has at most four blends, its base at most two") };
    let mut all = [Blend::default(); M];
    all[..N].copy_from_slice(&blends);
    all
}

/// Plays the first animation at its start.
impl Default for FrameState {
    fn default() -> Self {
        Self::single(0, 0.0)
    }
}

impl FrameState {
    /// Returns the state of one animation at `time` seconds, with weight 1.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    ///
    /// let mannequin = skelobj::assets::mannequin();
    /// let dead = FrameState::single(3, 1.2);
    /// let pelvis = mannequin.tag_matrix(0, &dead).ok_or("no pelvis")?;
    /// assert!(pelvis.origin().z < 15.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn single(animation: usize, time: f64) -> Self {
        Self::blended([Blend::new(animation, time, 1.0)])
    }

    /// Returns the state of up to four blends, in the order in which they are summed. Passing more than four is a
    /// compile error.
    ///
    /// ```
    /// use skelobj::model::{Blend, FrameState};
    /// let fade = |weight: f32| {
    ///     let (out, into) = (Blend::new(0, 1.0, 1.0 - weight), Blend::new(3, 0.0, weight));
    ///     FrameState::blended([out, into])
    /// };
    /// assert_eq!(fade(0.25).blends().map(|blend| blend.weight), [0.75, 0.25, 0.0, 0.0]);
    /// ```
    #[inline]
    #[must_use]
    pub fn blended<const N: usize>(blends: [Blend; N]) -> Self {
        let has_more = u8::from(N > 1);
        let shape = Shape { blends: N as u32, rounds_positions: 0, whole_poses: 0, has_extras: 0, has_more };
        Self { blends: padded(blends), shape, extras: bytemuck::Zeroable::zeroed() }
    }

    /// Makes the first `bones` bones play `base` instead of the four blends.
    ///
    /// ```
    /// use skelobj::{math::Mat3x4, model::{Blend, FrameState}, pose::{self, PoseSource}};
    ///
    /// let mannequin = skelobj::assets::mannequin();
    /// // The legs (bones 0 to 8) run, the rest stands.
    /// let run = Blend { animation: 2, time: 0.0, weight: 1.0 };
    /// let frame = FrameState::single(0, 0.0).with_base([run], 9);
    /// let mut local = [Mat3x4::ZERO; 21];
    /// pose::sample(PoseSource { model: &mannequin, frame: &frame }, 0..21, &mut local);
    /// assert_eq!(local[..9], mannequin.pose(&mannequin.animations[2], 0)[..9]);
    /// assert_eq!(local[9..], mannequin.pose(&mannequin.animations[0], 0)[9..]);
    /// ```
    #[must_use]
    pub fn with_base<const N: usize>(mut self, base: [Blend; N], bones: usize) -> Self {
        self.extras.base = padded(base);
        self.extras.base_bones = bones as u64;
        (self.shape.has_extras, self.shape.has_more) = (1, 1);
        self
    }

    /// Rounds positions in animations to f32 at any distance from the start, as FTE does, for times that were f32.
    #[inline]
    pub(crate) fn with_f32_times(mut self) -> Self {
        self.shape.rounds_positions = 1;
        self
    }

    /// Sets the pose parameters, for models that have bone controllers or blends.
    ///
    /// ```
    /// use skelobj::Model;
    /// use skelobj::model::{FrameState, PoseParameters};
    ///
    /// let file = std::fs::read("../../tests/data/examples/turret.mdl")?;
    /// let turret = Model::load("turret.mdl", &file, |_| None)?;
    /// let aim = |degrees: f32| PoseParameters { controllers: [degrees, 0.0, 0.0, 0.0, 0.0], blends: [0.0; 2] };
    /// let head = |degrees| turret.tag_matrix(0, &FrameState::single(0, 0.0).with_parameters(aim(degrees)));
    /// assert_eq!(head(45.0), head(80.0)); // the controller is clamped at 45 degrees
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_parameters(mut self, parameters: PoseParameters) -> Self {
        self.extras.parameters = parameters;
        self.extras.base_subblends = parameters.blends;
        (self.shape.has_extras, self.shape.has_more) = (1, 1);
        self
    }

    /// Returns the state without interpolation, as DarkPlaces shows it with `r_lerpmodels 0`: the first blend with a
    /// positive weight plays alone, and every pose is shown until the next one is due.
    ///
    /// ```
    /// use skelobj::model::{Blend, FrameState};
    ///
    /// let mannequin = skelobj::assets::mannequin();
    /// let blended = FrameState::blended([Blend::new(2, 0.117, 0.5), Blend::new(0, 0.0, 0.5)]);
    /// let stepped = blended.without_interpolation();
    /// let run = &mannequin.animations[2]; // 30 poses a second
    /// let pose = mannequin.pose(run, 3); // of 0.1 s
    /// assert_eq!(mannequin.tag_matrix(0, &stepped), Some(pose[0]));
    /// ```
    #[must_use]
    pub fn without_interpolation(mut self) -> Self {
        let first = self.blends.iter().find(|blend| blend.weight > 0.0);
        let alone = first.map_or(Blend::default(), |blend| Blend { weight: 1.0, ..*blend });
        self.blends = padded([alone]);
        self.shape = Shape { blends: 1, whole_poses: 1, has_more: self.shape.has_extras, ..self.shape };
        self
    }

    /// Returns the state with other sub-blends for the base group than those of
    /// [`with_parameters`](Self::with_parameters).
    ///
    /// ```
    /// use skelobj::model::{Blend, FrameState, PoseParameters};
    ///
    /// let parameters = PoseParameters { blends: [1.0, 0.5], ..PoseParameters::default() };
    /// let state = FrameState::single(4, 0.0) // the torso aims up
    ///     .with_base([Blend::new(1, 0.2, 1.0)], 10)
    ///     .with_parameters(parameters)
    ///     .with_base_subblends([0.25, 0.5]); // the legs lean
    /// assert_eq!(state.parameters().blends, [1.0, 0.5]);
    /// ```
    #[must_use]
    pub fn with_base_subblends(mut self, blends: [f32; 2]) -> Self {
        self.extras.base_subblends = blends;
        (self.shape.has_extras, self.shape.has_more) = (1, 1);
        self
    }

    /// Converts entity fields as client game code does in FTE.
    ///
    /// The state has four blends: `frame` has the weight that the others leave. Bones 1 to `basebone` - 1 (1-based)
    /// play the base fields. A blend of weight 0 is left empty.
    ///
    /// ```
    /// use skelobj::model::{FrameFields, FrameState};
    /// let fields = FrameFields { frame: 0.0, baseframe: 2.0, basebone: 10.0, ..FrameFields::default() };
    /// let state = FrameState::client(&fields);
    /// assert_eq!((state.base_bones(), state.base()[0].animation), (9, 2));
    /// ```
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

    /// Converts entity fields as FTE's server does for game code, compared with recordings of it.
    ///
    /// Only `frame` and `baseframe` play, both at `frame1time`. Bones 1 to `basebone` (1-based) play `baseframe`: one
    /// bone more than on the client.
    ///
    /// ```
    /// use skelobj::model::{FrameFields, FrameState};
    /// let fields = FrameFields { frame: 1.0, frame2: 2.0, lerpfrac: 0.5, basebone: 10.0, ..FrameFields::default() };
    /// let state = FrameState::server(&fields);
    /// assert_eq!((state.blends()[0].weight, state.blends()[1].weight), (1.0, 0.0));
    /// assert_eq!(state.base_bones(), 10);
    /// ```
    #[must_use]
    pub fn server(fields: &FrameFields) -> Self {
        let time = fields.frame1time.into();
        let playing = |frame| Blend { animation: crate::math::truncate(frame), time, weight: 1.0 };
        let bones = crate::math::truncate(fields.basebone).max(0) as usize;
        Self::blended([playing(fields.frame)]).with_base([playing(fields.baseframe)], bones).with_f32_times()
    }

    /// Returns the blends of the bones from [`base_bones`](Self::base_bones) on.
    ///
    /// ```
    /// use skelobj::model::FrameState;
    /// let blends = *FrameState::single(2, 0.3).blends();
    /// assert_eq!((blends[0].animation, blends[0].time, blends[1].weight), (2, 0.3, 0.0));
    /// ```
    #[inline]
    #[must_use]
    pub fn blends(&self) -> &[Blend; 4] {
        &self.blends
    }

    /// Returns the blends of the first [`base_bones`](Self::base_bones) bones.
    ///
    /// ```
    /// use skelobj::model::{FrameFields, FrameState};
    /// let fields = FrameFields { baseframe: 2.0, baselerpfrac: 0.25, basebone: 10.0, ..FrameFields::default() };
    /// let base = *FrameState::client(&fields).base();
    /// assert_eq!((base[0].animation, base[0].weight, base[1].weight), (2, 0.75, 0.25));
    /// ```
    #[inline]
    #[must_use]
    pub fn base(&self) -> &[Blend; 2] {
        &self.extras.base
    }

    /// Returns the blends of the groups that pose bones; the base group may pose none.
    #[inline]
    pub(crate) fn active(&self) -> impl Iterator<Item = &Blend> {
        let base = if self.extras.base_bones == 0 { &[][..] } else { &self.extras.base };
        self.leading_blends().iter().chain(base)
    }

    /// Returns the sum of the magnitudes of the weights, of the group with the larger sum; non-finite if a weight is.
    #[inline]
    pub(crate) fn weight(&self) -> f32 {
        let sum = |blends: &[Blend]| blends.iter().map(|blend| blend.weight.abs()).sum::<f32>();
        let main = sum(self.leading_blends());
        match self.extras.base_bones {
            0 => main,
            _ => match sum(&self.extras.base) {
                base if base <= main || main.is_nan() => main,
                base => base,
            },
        }
    }

    /// Returns the sum of all times and parameters; non-finite if one of them is.
    #[inline]
    pub(crate) fn times_and_parameters(&self) -> f64 {
        let times = self.active().map(|blend| blend.time).sum::<f64>();
        match self.shape.has_extras {
            0 => times,
            _ => {
                let parameters = self.extras.parameters.as_array();
                times + f64::from(parameters.iter().chain(&self.extras.base_subblends).sum::<f32>())
            }
        }
    }

    /// Returns the blends up to the last one that was given.
    #[inline]
    pub(crate) fn leading_blends(&self) -> &[Blend] {
        debug_assert!(self.shape.blends as usize <= self.blends.len(), "a frame state has at most four blends");
        &self.blends[..self.blends.len().min(self.shape.blends as usize)]
    }

    /// Returns `true` if both states have the same bits, so that they pose a model alike.
    ///
    /// Parts that the shape tells to be defaults are not read; the first time, which differs most often, is read first.
    #[inline]
    pub(crate) fn has_bits_of(&self, other: &Self) -> bool {
        debug_assert!(self.shape.has_more >= self.shape.has_extras, "extras count as more than one blend");
        let ([a, more_a @ ..], [b, more_b @ ..]) = (&self.blends, &other.blends);
        same::<_, 2>(a, b)
            && same::<_, 1>(&self.shape, &other.shape)
            && (self.shape.has_more == 0
                || same::<_, 6>(more_a, more_b)
                    && (self.shape.has_extras == 0 || same::<_, 10>(&self.extras, &other.extras)))
    }

    /// Takes over all that [`has_bits_of`](Self::has_bits_of) reads.
    #[inline]
    pub(crate) fn copy_bits_of(&mut self, other: &Self) {
        self.blends = other.blends;
        self.shape = other.shape;
        if other.shape.has_extras != 0 {
            self.extras = other.extras;
        }
    }

    /// Returns `true` if all weights, times and parameters and their sums are finite.
    pub(crate) fn is_finite(&self) -> bool {
        self.weight().is_finite() && self.times_and_parameters().is_finite()
    }

    /// Returns the state with the animations of a bone at their beginning.
    pub(crate) fn with_start_of(&self, bone: usize) -> Self {
        let mut start = *self;
        let blends = if bone < self.base_bones() { &mut start.extras.base[..] } else { &mut start.blends };
        blends.iter_mut().for_each(|blend| blend.time = 0.0);
        start
    }

    /// Returns `true` if positions in animations are rounded to f32 at any distance from the start, as in FTE.
    #[inline]
    pub(crate) fn rounds_positions(&self) -> bool {
        self.shape.rounds_positions != 0
    }

    /// Returns the controllers and blends of a Half-Life model. Other formats ignore them.
    ///
    /// ```
    /// use skelobj::model::{FrameState, PoseParameters};
    /// assert_eq!(FrameState::single(0, 0.0).parameters(), &PoseParameters::default());
    /// ```
    #[must_use]
    pub fn parameters(&self) -> &PoseParameters {
        &self.extras.parameters
    }

    /// Returns `true` if poses are not interpolated.
    #[inline]
    pub(crate) fn shows_whole_poses(&self) -> bool {
        self.shape.whole_poses != 0
    }

    /// Returns the pose parameters of the base group.
    ///
    /// [`with_base_subblends`](Self::with_base_subblends) shows a use.
    pub(crate) fn base_parameters(&self) -> PoseParameters {
        PoseParameters { blends: self.extras.base_subblends, ..self.extras.parameters }
    }

    /// Returns the number of bones, starting with the first, that play [`base`](Self::base).
    ///
    /// ```
    /// use skelobj::model::{FrameFields, FrameState};
    /// let fields = FrameFields { basebone: 10.0, ..FrameFields::default() };
    /// assert_eq!([FrameState::client(&fields), FrameState::server(&fields)].map(|state| state.base_bones()), [9, 10]);
    /// ```
    #[inline]
    #[must_use]
    pub fn base_bones(&self) -> usize {
        self.extras.base_bones as usize
    }
}

fn base_bones(basebone: f32) -> usize {
    usize::try_from(crate::math::truncate(basebone).saturating_sub(1)).unwrap_or(0)
}

/// Returns `true` for a frame that makes an entity's ragdoll limp (difference 39): a positive number with bit 15.
#[inline]
pub fn is_limp_frame(number: i32) -> bool {
    number > 0 && number & 0x8000 != 0
}
