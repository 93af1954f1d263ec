//! Animations that an entity plays.

use skelobj::model::{Blend, FrameFields, FrameState, PoseParameters};

use crate::error::Result;
use crate::numbers;
use crate::pointer::{Def, In};

/// Number of an entity's frame fields.
const FIELDS: usize = 17;

/// One animation at one time with one weight.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjBlend {
    /// Seconds from the start of the animation; it need not be wrapped.
    pub time: f64,
    /// Number of the animation.
    pub animation: i32,
    /// Weight in the sum; 0 for none.
    pub weight: f32,
}

/// Animations that pose a model. Get one from skelobj_default_frame_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjFrameDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Number of bones at the start that `base` poses instead of `blends`. Default 0.
    pub base_bones: i32,
    /// Animations of all bones. Default: the start of animation 0.
    pub blends: [SkelobjBlend; 4],
    /// Animations of the first bones.
    pub base: [SkelobjBlend; 2],
    /// Controllers of studio models, 0 to 1 each; the fifth is the mouth.
    pub controllers: [f32; 5],
    /// Blending of studio models, 0 to 1 each.
    pub blending: [f32; 2],
    /// An entity's 17 frame fields, which replace `blends` and `base` if this is not null: frame, frame2, frame3,
    /// frame4, frame1time, frame2time, frame3time, frame4time, lerpfrac, lerpfrac3, lerpfrac4, basebone, baseframe,
    /// baseframe2, baseframe1time, baseframe2time, baselerpfrac. They are read with FTE's rounding.
    pub fields: In<f32>,
    /// 1 if the fields are a server's, where fields of CSQC mean nothing. Default 0.
    pub is_server: i32,
}

impl From<&Blend> for SkelobjBlend {
    fn from(blend: &Blend) -> Self {
        Self { time: blend.time, animation: blend.animation, weight: blend.weight }
    }
}

impl From<&SkelobjBlend> for Blend {
    #[inline]
    fn from(blend: &SkelobjBlend) -> Self {
        Self { animation: blend.animation, time: blend.time, weight: blend.weight }
    }
}

impl SkelobjBlend {
    /// Returns 0 for a blend of zeros.
    #[inline]
    fn bits(&self) -> u64 {
        self.time.to_bits() | u64::from(self.animation as u32 | self.weight.to_bits())
    }
}

impl SkelobjFrameDef {
    pub(crate) fn new(frame: &FrameState) -> Self {
        let parameters = frame.parameters();
        Self {
            cookie: Self::COOKIE,
            base_bones: numbers::count(frame.base_bones()),
            blends: frame.blends().each_ref().map(SkelobjBlend::from),
            base: frame.base().each_ref().map(SkelobjBlend::from),
            controllers: parameters.controllers,
            blending: parameters.blends,
            fields: In::NULL,
            is_server: 0,
        }
    }

    /// Returns the first blend if nothing else has an effect.
    #[inline]
    pub(crate) fn single(&self) -> Option<Blend> {
        let [first, rest @ ..] = &self.blends;
        let blends = rest.iter().fold(0, |bits, blend| bits | blend.bits());
        let others = blends | u64::from(self.parameter_bits() | self.base_bones as u32);
        (self.fields.is_null() && others == 0).then(|| first.into())
    }

    /// Returns 0 if all parameters are 0.
    #[inline]
    fn parameter_bits(&self) -> u32 {
        self.controllers.iter().chain(&self.blending).fold(0, |bits, number| bits | number.to_bits())
    }

    /// Returns the frame state of the def.
    fn state(&self) -> Result<FrameState> {
        if let Some(blend) = self.single() {
            // A state of one blend is smaller work than one with three more that pose nothing.
            return Ok(FrameState::blended([blend]));
        }
        let base_bones = numbers::size(self.base_bones)?;
        let frame = if self.fields.is_null() {
            let frame = FrameState::blended(self.blends.each_ref().map(Blend::from));
            match base_bones {
                0 => frame,
                bones => frame.with_base(self.base.each_ref().map(Blend::from), bones),
            }
        } else {
            let mut fields = FrameFields::default();
            fields.as_floats_mut().copy_from_slice(self.fields.slice(FIELDS)?);
            if self.is_server == 0 { FrameState::client(&fields) } else { FrameState::server(&fields) }
        };
        Ok(match self.parameter_bits() {
            0 => frame,
            _ => frame.with_parameters(PoseParameters { controllers: self.controllers, blends: self.blending }),
        })
    }
}

impl In<SkelobjFrameDef> {
    /// Returns the frame state of a def.
    pub(crate) fn state(&self) -> Result<FrameState> {
        self.genuine()?;
        self.get()?.state()
    }

    /// Returns the frame state of a def, or that of a new entity for a null pointer.
    pub(crate) fn state_or_default(&self) -> Result<FrameState> {
        if self.is_null() { Ok(FrameState::default()) } else { self.state() }
    }
}

/// Returns a def that plays the start of animation 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_frame_def() -> SkelobjFrameDef {
    SkelobjFrameDef::new(&FrameState::single(0, 0.0))
}

/// Returns a def that plays one animation at `time` seconds.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_frame_single(animation: i32, time: f64) -> SkelobjFrameDef {
    let mut def = skelobj_default_frame_def();
    def.blends[0] = SkelobjBlend { time, animation, weight: 1.0 };
    def
}
