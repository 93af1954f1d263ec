//! What the builtins need of an engine besides the call itself.

use super::number::not_finite;
use super::{Args, Dialect, Entity, Function, Pointer, ScriptHost};
use crate::math::{Axes, Vec3};
use crate::model::FrameFields;
use crate::runtime::{ModelId, Runtime};

macro_rules! fields {
    ($($kind:literal: $($name:ident)*;)*) => {
        /// The entity fields that the builtins read, under their QuakeC names; a field that the game does not declare
        /// reads as 0.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[allow(missing_docs, non_camel_case_types)]
        #[non_exhaustive]
        pub enum Field {
            $($($name,)*)*
        }

        impl Field {
            /// All fields; those of [`FrameFields`] come first, in its order.
            pub const ALL: &[Self] = &[$($(Self::$name,)*)*];

            /// Its name in QuakeC.
            pub fn name(self) -> &'static str {
                match self {
                    $($(Self::$name => stringify!($name),)*)*
                }
            }

            /// Its type in QuakeC.
            pub fn kind(self) -> &'static str {
                match self {
                    $($(Self::$name)|* => $kind,)*
                }
            }
        }
    };
}

fields! {
    "float":
        frame frame2 frame3 frame4 frame1time frame2time frame3time frame4time lerpfrac lerpfrac3 lerpfrac4
        basebone baseframe baseframe2 baseframe1time baseframe2time baselerpfrac
        bonecontrol1 bonecontrol2 bonecontrol3 bonecontrol4 bonecontrol5 subblendfrac subblend2frac
        skeletonindex modelindex renderflags scale tag_index;
    "entity": tag_entity;
    "vector": origin angles;
}

/// Which game code calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rules {
    /// CSQC: all frame fields count.
    #[default]
    Client,
    /// SSQC: under [`Dialect::Fte`] only `frame`, `frame1time` and the base frame count.
    Server,
}

/// What a model index stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ModelRef {
    /// Nothing: index 0.
    None,
    /// No model has this index.
    Unknown,
    /// Something without bones, such as a level or a sprite.
    Other,
    /// A model of the runtime.
    Model(ModelId),
}

impl ModelRef {
    /// The model of the runtime.
    #[must_use]
    pub fn id(self) -> Option<ModelId> {
        match self {
            Self::Model(id) => Some(id),
            Self::None | Self::Unknown | Self::Other => None,
        }
    }
}

/// Fields of an entity that plays `frame` and nothing else, as most do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SingleFrame {
    /// `frame`.
    pub frame: f32,
    /// `frame1time`.
    pub time: f32,
    /// `renderflags`.
    pub flags: f32,
}

/// What DarkPlaces' gettaginfo leaves in globals besides the tag's place: the tag relative to its parent.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TagInfo {
    /// `gettaginfo_parent`: the parent's number, 0 for a root.
    pub parent: u32,
    /// `gettaginfo_name`.
    pub name: Vec<u8>,
    /// `gettaginfo_offset`.
    pub offset: Vec3,
    /// `gettaginfo_forward`, `gettaginfo_right`, `gettaginfo_up`.
    pub axes: Axes,
}

/// What an engine has that the builtins need; implementing this, and [`Args`] with it, is all that adding them to an
/// engine takes.
///
/// One value stands for one script machine; several may share a [`Runtime`], as FTE's server and client code do
/// (ruling 47). It borrows whatever it needs for the length of a call.
pub trait Host: Args {
    /// Whose rules the game code expects.
    fn dialect(&self) -> Dialect {
        Dialect::Fte
    }

    /// Which game code this is.
    fn rules(&self) -> Rules {
        Rules::Client
    }

    /// A float field of an entity.
    fn float_field(&self, entity: Entity, field: Field) -> f32;
    /// A vector field of an entity.
    fn vector_field(&self, entity: Entity, field: Field) -> Vec3;
    /// An entity field of an entity; `None` for the world.
    fn entity_field(&self, entity: Entity, field: Field) -> Option<Entity>;
    /// Writes a float field; only `tag_index`.
    fn set_float_field(&mut self, entity: Entity, field: Field, value: f32);
    /// Writes an entity field; only `tag_entity`.
    fn set_entity_field(&mut self, entity: Entity, field: Field, value: Entity);

    /// The fields that tell what an entity plays; an engine with a faster way than one by one replaces this. Fields of what
    /// has no weight may stay 0: frame2 where lerpfrac is 0, the base frames where basebone is 0.
    fn frame_fields(&self, entity: Entity) -> FrameFields {
        let mut fields = FrameFields::default();
        for (value, field) in fields.as_floats_mut().iter_mut().zip(Field::ALL) {
            *value = self.float_field(entity, *field);
        }
        fields
    }

    /// What an entity plays whose `lerpfrac`, `lerpfrac3`, `lerpfrac4` and `basebone` are 0: for an engine that knows that
    /// sooner than by asking for [`frame_fields`](Self::frame_fields).
    fn single_frame(&self, entity: Entity) -> Option<SingleFrame> {
        let _ = entity;
        None
    }

    /// The globals `v_forward`, `v_right` and `v_up`.
    fn axes(&self) -> Axes;
    /// Sets them.
    fn set_axes(&mut self, axes: Axes);
    /// The clock that frame times are measured on where they are start times, seconds.
    fn time(&self) -> f32;
    /// What a model index stands for. The engine adds models to the runtime when they are precached, or here.
    fn model(&mut self, runtime: &mut Runtime, index: i32) -> ModelRef;
    /// Prints a line, newline included, to the console.
    fn print(&mut self, text: &str);

    /// Learns that a script passed a NaN or an infinity to a builtin, which took it as 0 (ruling 18).
    ///
    /// The default prints that each time. A script can repeat it in every frame, so an engine does well to remember that it has
    /// printed it, as `Environment` does.
    fn not_finite(&mut self, builtin: &'static str) {
        self.print(&not_finite(builtin));
    }

    /// A random number from 0 to 1.
    fn random(&mut self) -> f32;

    /// What the builtins of [`Family::Engine`](super::Family::Engine) need besides; only of a host that stands alone.
    fn script(&mut self) -> Option<&mut dyn ScriptHost> {
        None
    }

    /// Fills DarkPlaces' `gettaginfo_*` globals, where the game has them.
    fn set_tag_info(&mut self, info: &TagInfo) {
        let _ = info;
    }

    /// Reads `words` from the script's memory at `pointer`; `false` if not all of it is there.
    fn read_memory(&mut self, pointer: Pointer, words: &mut [u32]) -> bool {
        let _ = (pointer, words);
        false
    }

    /// Calls a function of the script, once the running builtin has returned, with the moment, code and data of a model
    /// event. It may call builtins itself.
    fn call_with_event(&mut self, function: Function, time: f32, code: i32, data: &[u8]);
}
