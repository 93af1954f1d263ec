//! Animations that an entity plays.

use std::mem::offset_of;

use skelobj::model::{Blend, FrameFields, FrameState, PoseParameters};

use crate::error::Result;
use crate::numbers;
use crate::pointer::{Def, In};

/// Number of an entity's frame fields.
const FIELDS: usize = 17;

/// One animation at one time with one weight.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
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
    /// 1 if the fields are a server's: only frame, frame1time, basebone and baseframe are read, and both frames play at
    /// frame1time. Default 0.
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
        // Not number by number: a copy of the whole is one load and one store.
        const { assert!(offset_of!(SkelobjBlend, animation) == offset_of!(Blend, animation)) };
        bytemuck::must_cast(*blend)
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

    /// Returns `true` if nothing but the first blend has an effect.
    #[inline]
    fn is_single(&self) -> bool {
        let weights = self.blends[1..].iter().fold(0, |bits, blend| bits | blend.weight.to_bits());
        let others = u64::from(weights | self.base_bones as u32) | self.parameter_bits() | self.fields.address();
        others == 0
    }

    /// Returns the state of the first blend.
    #[inline]
    pub(crate) fn first(&self) -> FrameState {
        FrameState::blended([Blend::from(&self.blends[0])])
    }

    /// Returns 0 if all parameters are 0.
    #[inline]
    fn parameter_bits(&self) -> u64 {
        const START: usize = offset_of!(SkelobjFrameDef, controllers);
        const { assert!(offset_of!(SkelobjFrameDef, blending) == START + 20 && START.is_multiple_of(8)) };
        let start = std::ptr::from_ref(self).cast::<u8>();
        // SAFETY: seven numbers, which lie one behind the other from `START` on. In pairs, they take half the loads.
        let (pairs, last) =
            unsafe { (start.add(START).cast::<[u64; 3]>().read(), start.add(START + 24).cast::<u32>().read()) };
        pairs[0] | pairs[1] | pairs[2] | u64::from(last)
    }

    /// Returns the frame state of the def.
    fn state(&self) -> Result<FrameState> {
        if self.is_single() {
            // A state of one blend is smaller work than one with three more that pose nothing.
            return Ok(self.first());
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
    /// Returns a genuine def of which only the first blend has an effect.
    #[inline]
    pub(crate) fn single(&self) -> Option<&SkelobjFrameDef> {
        self.genuine().filter(|def| def.is_single())
    }

    /// Returns the frame state of a def.
    pub(crate) fn state(&self) -> Result<FrameState> {
        self.in_place()?.state()
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
