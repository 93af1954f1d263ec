//! Interface from the builtins to an engine, apart from the call itself.

use super::argument_number::not_finite;
use super::named::named;
use super::{Args, Builtin, Dialect, Entity, Function, Pointer, ScriptHost, ScriptResult};
use crate::math::{Axes, Vec3};
use crate::model::{FrameFields, Name};
use crate::runtime::{BoneReceiver, ModelId, ObjectId, Runtime};

named! {
    /// Entity fields that the builtins read, under their QuakeC names; a field that the game does not declare reads
    /// as 0.
    ///
    /// The fields of [`FrameFields`] come first, in its order.
    ///
    /// # Example
    /// ```
    /// use skelobj::qc::Field;
    ///
    /// // The declarations that a game's `defs.qc` needs:
    /// let declared: Vec<_> = Field::ALL.iter().map(|field| format!(".{} {};", field.kind(), field.name())).collect();
    /// assert!(declared.contains(&".float skeletonindex;".to_owned()));
    /// assert!(declared.contains(&".vector origin;".to_owned()));
    /// ```
    Field:
    "float":
        frame frame2 frame3 frame4 frame1time frame2time frame3time frame4time lerpfrac lerpfrac3 lerpfrac4
        basebone baseframe baseframe2 baseframe1time baseframe2time baselerpfrac
        bonecontrol1 bonecontrol2 bonecontrol3 bonecontrol4 bonecontrol5 subblendfrac subblend2frac
        basesubblendfrac basesubblend2frac
        skeletonindex modelindex renderflags scale tag_index;
    "entity": tag_entity;
    "vector": origin angles;
}

/// Kind of the calling game code.
///
/// # Example
/// ```
/// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
/// use engine::Engine; // examples/qc_host.rs
/// use skelobj::qc::{Entity, Field, Host, Rules};
///
/// let (mut runtime, mut engine) = Engine::with_mannequin()?;
/// let object = engine.call(&mut runtime, "skel_create", &[1.0]);
/// let monster = Entity(1);
/// for (field, value) in [(Field::frame, 1.0), (Field::frame2, 2.0), (Field::lerpfrac, 0.5)] {
///     engine.set_float_field(monster, field, value);
/// }
/// let mut hand = |engine: &mut Engine| {
///     engine.call(&mut runtime, "skel_build", &[object, 1.0, 1.0, 0.0, 0.0, 0.0]);
///     engine.call(&mut runtime, "skel_get_boneabs", &[object, 21.0]);
///     engine.result
/// };
/// let client = hand(&mut engine);
/// engine.rules = Rules::Server; // frame2 is ignored
/// let server = hand(&mut engine);
/// assert_ne!(client, server);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rules {
    /// CSQC: all frame fields are used.
    #[default]
    Client,
    /// SSQC: under [`Dialect::Fte`] only `frame`, `frame1time` and the base frame are used.
    Server,
}

/// Meaning of a model index.
///
/// # Example
/// ```
/// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
/// use engine::Engine; // examples/qc_host.rs
/// use skelobj::qc::{Host, ModelRef};
///
/// let (mut runtime, mut engine) = Engine::with_mannequin()?;
/// assert_eq!(engine.model(&mut runtime, 0), ModelRef::None);
/// assert!(matches!(engine.model(&mut runtime, 1), ModelRef::Model(_)));
/// assert_eq!(engine.model(&mut runtime, 9), ModelRef::Unknown);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ModelRef {
    /// Index 0, which means no model.
    None,
    /// Index without a model.
    Unknown,
    /// Model without bones, such as a level or a sprite.
    Other,
    /// Model of the runtime.
    Model(ModelId),
}

impl ModelRef {
    /// Returns the id of the runtime's model, `None` for all other meanings.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::qc::{Host, ModelRef};
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// let id = engine.model(&mut runtime, 1).id().ok_or("no model")?;
    /// assert_eq!(runtime.model(id).map(|model| model.skeleton.len()), Some(21));
    /// assert_eq!(ModelRef::Other.id(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn id(self) -> Option<ModelId> {
        match self {
            Self::Model(id) => Some(id),
            Self::None | Self::Unknown | Self::Other => None,
        }
    }
}

/// Fields of an entity that plays `frame` and nothing else, as most do.
///
/// # Example
/// [`Host::single_frame`] over an engine's entity:
/// ```
/// use skelobj::qc::SingleFrame;
///
/// struct EntVars {
///     frame: f32,
///     frame1time: f32,
///     renderflags: f32,
///     lerp_fractions: [f32; 3],
///     basebone: f32,
/// }
///
/// fn single_frame(entity: &EntVars) -> Option<SingleFrame> {
///     let is_single = entity.lerp_fractions == [0.0; 3] && entity.basebone == 0.0;
///     is_single.then_some(SingleFrame { frame: entity.frame, time: entity.frame1time, flags: entity.renderflags })
/// }
///
/// let mut turret = EntVars { frame: 2.0, frame1time: 0.3, renderflags: 0.0, lerp_fractions: [0.0; 3], basebone: 0.0 };
/// assert_eq!(single_frame(&turret).map(|single| single.frame), Some(2.0));
/// turret.basebone = 10.0; // legs and torso play different animations
/// assert_eq!(single_frame(&turret), None);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SingleFrame {
    /// Value of `frame`.
    pub frame: f32,
    /// Value of `frame1time`.
    pub time: f32,
    /// Value of `renderflags`.
    pub flags: f32,
}

/// Results of DarkPlaces' `gettaginfo` other than the tag's place: the tag relative to its parent.
///
/// # Example
/// ```
/// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
/// use engine::Engine; // examples/qc_host.rs
/// use skelobj::Dialect;
/// use skelobj::qc::{Entity, Field, Host};
///
/// let (mut runtime, mut engine) = Engine::with_mannequin()?;
/// engine.dialect = Dialect::DarkPlaces;
/// engine.set_float_field(Entity(1), Field::modelindex, 1.0);
/// engine.call(&mut runtime, "gettaginfo", &[1.0, 13.0]);
/// let info = engine.tag.ok_or("no tag info")?; // received by `set_tag_info`
/// assert_eq!((info.name.as_slice(), info.parent), (&b"head"[..], 12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// Results of `skel_matchpose` other than the animation: how an entity gets up.
///
/// # Example
/// ```
/// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
/// use engine::Engine; // examples/qc_host.rs
/// use skelobj::qc::{Entity, Field, Host};
///
/// let (mut runtime, mut engine) = Engine::with_mannequin()?;
/// let object = engine.call(&mut runtime, "skel_create", &[1.0]);
/// engine.set_float_field(Entity(1), Field::skeletonindex, object);
/// engine.set_float_field(Entity(1), Field::modelindex, 1.0);
/// engine.set_float_field(Entity(1), Field::frame, 3.0); // "death"
/// engine.call(&mut runtime, "skel_build", &[object, 1.0, 1.0, 0.0, 0.0, 0.0]);
/// let doll = engine.text("doll mannequin.doll");
/// engine.call(&mut runtime, "skel_ragupdate", &[1.0, doll, 0.0]);
/// let animations = engine.text("idle d*");
/// assert_eq!(engine.call(&mut runtime, "skel_matchpose", &[1.0, animations, 0.0]), 4.0); // 3 + 1
/// let found = engine.matched.ok_or("no globals")?; // received by `set_matched_frame`
/// assert!(found.origin.length() < 0.1 && found.yaw.abs() < 0.1);
/// assert_eq!(found.time, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct MatchedFrame {
    /// Origin for the entity (`skel_match_origin`), world space.
    pub origin: Vec3,
    /// Yaw for the entity, degrees (`skel_match_yaw`).
    pub yaw: f32,
    /// Time in the animation, seconds (`skel_match_time`).
    pub time: f32,
}

/// Interface from the builtins to an engine. To add the builtins, an engine only implements this trait and [`Args`].
///
/// One value represents one QuakeC VM. Several may share a [`Runtime`], as FTE's server and client code do (difference
/// 47). The value borrows whatever it needs for the length of a call.
///
/// # Example
/// `examples/quakec_host.rs` is the part of a real engine: it reads the arguments from the globals of its machine and
/// the fields from its entities, whose places it looks up once.
/// ```
#[doc = include_str!("../../examples/quakec_host.rs")]
/// ```
/// `examples/qc_host.rs` is an engine whose globals are a few vectors; it implements every method.
/// ```
#[doc = include_str!("../../examples/qc_host.rs")]
/// ```
pub trait Host: Args {
    /// Returns the dialect of the game code. The default is FTE's.
    ///
    /// [`Dialect`] shows the effect on a name.
    fn dialect(&self) -> Dialect {
        Dialect::Fte
    }

    /// Returns the kind of the calling game code. The default is client code.
    ///
    /// [`Rules`] shows the effect on an animation.
    fn rules(&self) -> Rules {
        Rules::Client
    }

    /// Returns `false` if DarkPlaces' cvar `r_lerpmodels` is 0: entities show whole poses of one animation.
    ///
    /// FTE's dialect ignores it. The default returns `true`.
    fn interpolates(&self) -> bool {
        true
    }

    /// Returns a float field of an entity, 0 for a field that the game does not declare.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::qc::{Entity, Field, Host};
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// let object = engine.call(&mut runtime, "skel_create", &[1.0]);
    /// engine.set_float_field(Entity(1), Field::frame, 2.0); // the mannequin's run
    /// engine.set_float_field(Entity(1), Field::frame1time, 0.3);
    /// let built = engine.call(&mut runtime, "skel_build", &[object, 1.0, 1.0, 0.0, 0.0, 0.0]);
    /// assert_eq!(built, object);
    /// assert_eq!(engine.float_field(Entity(1), Field::lerpfrac), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn float_field(&self, entity: Entity, field: Field) -> f32;
    /// Returns a vector field of an entity, zero for a field that the game does not declare.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::qc::{Entity, Field};
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// engine.fields.insert((Entity(1), Field::origin), [64.0, 0.0, 24.0]);
    /// engine.call(&mut runtime, "gettaginfo", &[1.0, 0.0]); // tag 0 is the entity itself
    /// assert_eq!(engine.result, [64.0, 0.0, 24.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn vector_field(&self, entity: Entity, field: Field) -> Vec3;
    /// Returns an entity field of an entity; `None` for the world.
    fn entity_field(&self, entity: Entity, field: Field) -> Option<Entity>;
    /// Sets a float field of an entity. The builtins write `tag_index` only.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::qc::{Entity, Field, Host};
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// let (weapon, soldier) = (Entity(2), Entity(1));
    /// engine.set_float_field(soldier, Field::modelindex, 1.0);
    /// let hand = engine.text("hand_r");
    /// engine.call(&mut runtime, "setattachment", &[2.0, 1.0, hand]);
    /// assert_eq!(engine.float_field(weapon, Field::tag_index), 21.0);
    /// assert_eq!(engine.entity_field(weapon, Field::tag_entity), Some(soldier));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn set_float_field(&mut self, entity: Entity, field: Field, value: f32);
    /// Sets an entity field of an entity. The builtins write `tag_entity` only.
    fn set_entity_field(&mut self, entity: Entity, field: Field, value: Entity);

    /// Returns the fields that determine the animations of an entity.
    ///
    /// The default reads them one by one; an engine can replace it with a faster implementation. Fields without weight
    /// may stay 0: `frame2` where `lerpfrac` is 0, the base frames where `basebone` is 0.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::qc::{Entity, Field, Host};
    ///
    /// let (_, mut engine) = Engine::with_mannequin()?;
    /// engine.set_float_field(Entity(1), Field::frame, 2.0);
    /// engine.set_float_field(Entity(1), Field::frame1time, 0.3);
    /// let fields = engine.frame_fields(Entity(1));
    /// assert_eq!((fields.frame, fields.frame1time), (2.0, 0.3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn frame_fields(&self, entity: Entity) -> FrameFields {
        let mut fields = FrameFields::default();
        for (value, field) in fields.as_floats_mut().iter_mut().zip(Field::ALL) {
            *value = self.float_field(entity, *field);
        }
        fields
    }

    /// Returns the fields of an entity whose `lerpfrac`, `lerpfrac3`, `lerpfrac4` and `basebone` are 0; `None` for
    /// others.
    ///
    /// For engines that find these faster than all [`frame_fields`](Self::frame_fields). The default returns `None`.
    fn single_frame(&self, entity: Entity) -> Option<SingleFrame> {
        let _ = entity;
        None
    }

    /// Returns the host's own skeletal object for an entity whose `skeletonindex` is 0, such as one for the engine's
    /// ragdolls. Builtins that take an entity use it. The default returns `None`.
    fn own_object(&self, entity: Entity) -> Option<ObjectId> {
        let _ = entity;
        None
    }

    /// Returns the globals `v_forward`, `v_right` and `v_up`.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::math::{Axes, Vec3};
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// let object = engine.call(&mut runtime, "skel_create", &[1.0]);
    /// let turned = Axes::from_angles(Vec3::new(0.0, 90.0, 0.0));
    /// engine.axes = turned; // as `makevectors` does
    /// engine.call(&mut runtime, "skel_set_bone", &[object, 1.0, 0.0]);
    ///
    /// engine.axes = Axes::IDENTITY;
    /// engine.call(&mut runtime, "skel_get_bonerel", &[object, 1.0]);
    /// assert_eq!(engine.axes, turned);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn axes(&self) -> Axes;
    /// Sets the globals `v_forward`, `v_right` and `v_up`.
    fn set_axes(&mut self, axes: Axes);
    /// Returns the game's clock in seconds, which frame times refer to where they are start times.
    fn time(&self) -> f32;
    /// Returns the meaning of a model index. The engine adds models to the runtime when they are precached, or here.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// assert_ne!(engine.call(&mut runtime, "skel_create", &[1.0]), 0.0);
    /// assert_eq!(engine.call(&mut runtime, "skel_create", &[9.0]), 0.0); // no such model
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn model(&mut self, runtime: &mut Runtime, index: i32) -> ModelRef;
    /// Prints a line, newline included, to the console.
    fn print(&mut self, text: &str);

    /// Receives the reason why a builtin did not do what its call asked for.
    ///
    /// The default prints a line with the name of the builtin and the reason.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::qc::{Builtin, Host};
    ///
    /// let (_, mut engine) = Engine::with_mannequin()?;
    /// engine.complain(Builtin::by_name("skel_send").ok_or("no such builtin")?, "no buffer 999");
    /// assert_eq!(engine.console, "skel_send: no buffer 999\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn complain(&mut self, builtin: &Builtin, reason: &str) {
        self.print(&format!("{}: {reason}\n", builtin.name));
    }

    /// Reports that a script passed a NaN or an infinity to a builtin, which treated it as 0 (difference 18).
    ///
    /// The default prints a line each time. A script can repeat the call in every frame, so an engine should print the
    /// line only once, as `Environment` does.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// engine.call(&mut runtime, "skel_create", &[f32::NAN]);
    /// assert_eq!(engine.console, "skel_create: a non-finite number was treated as 0\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn not_finite(&mut self, builtin: &'static str) {
        self.print(&not_finite(builtin));
    }

    /// Counts work of a builtin as this many QuakeC statements, for engines that limit those.
    ///
    /// Returns `true` if the script may continue; on `false` the builtin ends its work. The default has no limit.
    fn charge(&self, statements: u64) -> bool {
        let _ = statements;
        true
    }

    /// Returns a random number from 0 to 1.
    ///
    /// The default returns 0, so that `frameforaction` chooses the first animation.
    fn random(&mut self) -> f32 {
        0.0
    }

    /// Returns the interface to the builtins of [`Family::Engine`](super::Family::Engine), for standalone hosts.
    ///
    /// Engines have these builtins already; the default returns `None`.
    fn script(&mut self) -> Option<&mut dyn ScriptHost> {
        None
    }

    /// Sets DarkPlaces' `gettaginfo_` globals. The default does nothing.
    ///
    /// [`TagInfo`] shows its contents.
    fn set_tag_info(&mut self, info: &TagInfo) {
        let _ = info;
    }

    /// Sets a global of the script to a number that the builtin also returns through an argument. The default does
    /// nothing, for engines whose scripts are compiled by a recent fteqcc.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::qc::ScriptResult;
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// engine.call(&mut runtime, "getnextmodelevent", &[1.0, 1.0, 0.0, 0.9]);
    /// let moment = engine.results[&ScriptResult::modelevent_time]; // received by `set_result`
    /// assert!(moment > 0.0 && moment < 0.9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn set_result(&mut self, global: ScriptResult, value: f32) {
        let _ = (global, value);
    }

    /// Sets a global of the script to a text that the builtin also returns through an argument. The default does
    /// nothing.
    fn set_string_result(&mut self, global: ScriptResult, value: &[u8]) {
        let _ = (global, value);
    }

    /// Sets the `skel_match_` globals of `skel_matchpose`. The default does nothing.
    ///
    /// [`MatchedFrame`] shows its contents.
    fn set_matched_frame(&mut self, found: &MatchedFrame) {
        let _ = found;
    }

    /// Returns the contents of a buffer for `skel_send` and `skel_receive`, `None` for a number without a buffer.
    ///
    /// An engine sends the bytes that a script has put into a buffer, and fills buffers with what it receives. The
    /// default has no buffers.
    fn buffer(&mut self, number: i32) -> Option<&mut Vec<u8>> {
        let _ = number;
        None
    }

    /// Returns the receiver of an existing object, with what `skel_receive` read for it. The default has none.
    ///
    /// A receiver may be dropped when its object is deleted.
    fn receiver(&mut self, object: ObjectId) -> Option<&mut BoneReceiver> {
        let _ = object;
        None
    }

    /// Reads `words` from the script's memory at `pointer`; returns `false` if any word is not readable.
    ///
    /// The default has no memory. [`Pointer`] shows an implementation.
    fn read_memory(&mut self, pointer: Pointer, words: &mut [u32]) -> bool {
        let _ = (pointer, words);
        false
    }

    /// Calls a function of the script with the time (seconds), code and data of a model event.
    ///
    /// The call must happen after the running builtin has returned. The function may call builtins itself. The default
    /// prints that the engine cannot.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// // The walk (animation 1) has two footsteps in its 0.93 s; the script's callback is function 7.
    /// engine.call(&mut runtime, "processmodelevents", &[1.0, 1.0, 0.0, 0.9, 7.0]);
    /// assert_eq!(engine.events.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn call_with_event(&mut self, function: Function, time: f32, code: i32, data: &Name) {
        let _ = (function, time, code, data);
        self.print("processmodelevents: not available in this engine\n");
    }
}
