//! The interface of an engine to the builtins, apart from the call itself.

use super::number::not_finite;
use super::{Args, Dialect, Entity, Function, Pointer, ScriptHost};
use crate::math::{Axes, Vec3};
use crate::model::{FrameFields, Name};
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

            /// Returns the name of the field in QuakeC.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($(Self::$name => stringify!($name),)*)*
                }
            }

            /// Returns the type of the field in QuakeC.
            #[must_use]
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

/// The kind of game code that calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rules {
    /// CSQC: all frame fields count.
    #[default]
    Client,
    /// SSQC: under [`Dialect::Fte`] only `frame`, `frame1time` and the base frame count.
    Server,
}

/// The meaning of a model index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ModelRef {
    /// No model: index 0.
    None,
    /// An index that no model has.
    Unknown,
    /// A model without bones, such as a level or a sprite.
    Other,
    /// A model of the runtime.
    Model(ModelId),
}

impl ModelRef {
    /// Returns the id of the runtime's model.
    #[must_use]
    pub fn id(self) -> Option<ModelId> {
        match self {
            Self::Model(id) => Some(id),
            Self::None | Self::Unknown | Self::Other => None,
        }
    }
}

/// The fields of an entity that plays `frame` and nothing else, as most do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SingleFrame {
    /// Value of `frame`.
    pub frame: f32,
    /// Value of `frame1time`.
    pub time: f32,
    /// Value of `renderflags`.
    pub flags: f32,
}

/// The values of DarkPlaces' gettaginfo besides the tag's place: the tag relative to its parent.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TagInfo {
    /// Number of the parent, 0 for a root (`gettaginfo_parent`).
    pub parent: u32,
    /// Name of the tag (`gettaginfo_name`).
    pub name: Vec<u8>,
    /// Offset from the parent (`gettaginfo_offset`).
    pub offset: Vec3,
    /// Axes relative to the parent (`gettaginfo_forward`, `gettaginfo_right`, `gettaginfo_up`).
    pub axes: Axes,
}

/// The interface of an engine to the builtins; implementing it and [`Args`] is all that adding the builtins to an engine
/// takes.
///
/// One value stands for one script machine; several may share a [`Runtime`], as FTE's server and client code do (ruling 47).
/// The value borrows whatever it needs for the length of a call.
pub trait Host: Args {
    /// Returns the dialect of the game code.
    fn dialect(&self) -> Dialect {
        Dialect::Fte
    }

    /// Returns the kind of game code that calls.
    fn rules(&self) -> Rules {
        Rules::Client
    }

    /// Returns a float field of an entity.
    fn float_field(&self, entity: Entity, field: Field) -> f32;
    /// Returns a vector field of an entity.
    fn vector_field(&self, entity: Entity, field: Field) -> Vec3;
    /// Returns an entity field of an entity; `None` for the world.
    fn entity_field(&self, entity: Entity, field: Field) -> Option<Entity>;
    /// Writes a float field; called for `tag_index` only.
    fn set_float_field(&mut self, entity: Entity, field: Field, value: f32);
    /// Writes an entity field; called for `tag_entity` only.
    fn set_entity_field(&mut self, entity: Entity, field: Field, value: Entity);

    /// Returns the fields that determine what an entity plays; an engine can replace this by a faster way than one by one.
    /// Fields without weight may stay 0: frame2 where lerpfrac is 0, the base frames where basebone is 0.
    fn frame_fields(&self, entity: Entity) -> FrameFields {
        let mut fields = FrameFields::default();
        for (value, field) in fields.as_floats_mut().iter_mut().zip(Field::ALL) {
            *value = self.float_field(entity, *field);
        }
        fields
    }

    /// Returns the fields of an entity whose `lerpfrac`, `lerpfrac3`, `lerpfrac4` and `basebone` are 0, `None` for others:
    /// for engines that know these faster than all [`frame_fields`](Self::frame_fields).
    fn single_frame(&self, entity: Entity) -> Option<SingleFrame> {
        let _ = entity;
        None
    }

    /// Returns the globals `v_forward`, `v_right` and `v_up`.
    fn axes(&self) -> Axes;
    /// Sets the globals `v_forward`, `v_right` and `v_up`.
    fn set_axes(&mut self, axes: Axes);
    /// Returns the clock that frame times refer to where they are start times, seconds.
    fn time(&self) -> f32;
    /// Returns the meaning of a model index. The engine adds models to the runtime when they are precached, or here.
    fn model(&mut self, runtime: &mut Runtime, index: i32) -> ModelRef;
    /// Prints a line, newline included, to the console.
    fn print(&mut self, text: &str);

    /// Reports that a script passed a NaN or an infinity to a builtin, which took it as 0 (ruling 18).
    ///
    /// The default prints a line each time. A script can repeat the call in every frame, so an engine should print it only
    /// once, as `Environment` does.
    fn not_finite(&mut self, builtin: &'static str) {
        self.print(&not_finite(builtin));
    }

    /// Counts work of a builtin as about this many QuakeC statements, for engines that limit those. Returns whether the
    /// script may go on: if not, the builtin does no more. The default has no limit.
    fn charge(&self, statements: u64) -> bool {
        let _ = statements;
        true
    }

    /// Returns a random number from 0 to 1.
    fn random(&mut self) -> f32;

    /// Returns what the builtins of [`Family::Engine`](super::Family::Engine) need besides; `None` but for hosts that stand
    /// alone.
    fn script(&mut self) -> Option<&mut dyn ScriptHost> {
        None
    }

    /// Sets DarkPlaces' `gettaginfo_*` globals, where the game has them.
    fn set_tag_info(&mut self, info: &TagInfo) {
        let _ = info;
    }

    /// Reads `words` from the script's memory at `pointer`; returns `false` if not all of it is readable.
    fn read_memory(&mut self, pointer: Pointer, words: &mut [u32]) -> bool {
        let _ = (pointer, words);
        false
    }

    /// Calls a function of the script, once the running builtin has returned, with the time, code and data of a model event.
    /// The function may call builtins itself.
    fn call_with_event(&mut self, function: Function, time: f32, code: i32, data: &Name);
}
