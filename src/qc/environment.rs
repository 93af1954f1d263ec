//! What a machine's builtins know from one call to the next.

use super::vm::{self, Global, Progs};
use super::{Builtin, Dialect, Field, ModelRef, Rules};
use crate::model::{FrameFields, Model};
use crate::runtime::Runtime;

/// Where files come from: a name to its bytes.
pub(super) type Files = dyn FnMut(&str) -> Option<Vec<u8>>;
/// Where printed text goes.
type Output = dyn FnMut(&str);

/// What a machine's builtins know from one call to the next: where its progs has fields and globals, its models by index,
/// files, and what was printed.
pub struct Environment {
    /// Whose rules the progs expects.
    pub dialect: Dialect,
    /// Whether it is client or server code.
    pub rules: Rules,
    pub(super) fields: Vec<Option<vm::Field>>,
    pub(super) frame_fields: FrameFieldPlaces,
    pub(super) axes: [Option<Global>; 3],
    pub(super) time: Option<Global>,
    pub(super) tag_info: [Option<Global>; 6],
    /// The builtins of the progs, by their place in it.
    pub(super) builtins: Vec<Option<&'static Builtin>>,
    /// By model index; 0 is no model.
    pub(super) models: Vec<(String, ModelRef)>,
    pub(super) files: Box<Files>,
    output: Box<Output>,
    /// Calls that a builtin asked for.
    pub(super) pending: Vec<PendingCall>,
}

pub(super) struct PendingCall {
    pub(super) function: vm::FunctionId,
    pub(super) time: f32,
    pub(super) code: i32,
    pub(super) data: Vec<u8>,
}

impl Environment {
    /// For machines that run `progs`. `files` answers for models, the files beside them, and dolls; `output` gets what is
    /// printed.
    pub fn new(
        progs: &Progs,
        files: impl FnMut(&str) -> Option<Vec<u8>> + 'static,
        output: impl FnMut(&str) + 'static,
    ) -> Self {
        let global = |name: &str| progs.global(name.as_bytes());
        let info = |name: &str| global(&format!("gettaginfo_{name}"));
        let builtin = |builtin: &vm::Builtin| {
            if builtin.number == 0 { Builtin::by_name(&builtin.name) } else { Builtin::by_number(builtin.number) }
        };
        Self {
            frame_fields: FrameFieldPlaces::new(progs),
            dialect: Dialect::default(),
            rules: Rules::default(),
            fields: Field::ALL.iter().map(|field| progs.field(field.name().as_bytes())).collect(),
            axes: ["v_forward", "v_right", "v_up"].map(global),
            time: global("time"),
            tag_info: ["parent", "name", "offset", "forward", "right", "up"].map(info),
            builtins: progs.builtins().iter().map(builtin).collect(),
            models: vec![(String::new(), ModelRef::None)],
            files: Box::new(files),
            output: Box::new(output),
            pending: Vec::new(),
        }
    }

    /// The index of a model, which is read if it is new: what `precache_model` and `setmodel` use. A file that is missing
    /// or broken gets an index that stands for nothing known, and what is wrong with it is printed.
    pub fn precache_model(&mut self, runtime: &mut Runtime, name: &str) -> usize {
        if let Some(index) = self.models.iter().position(|(known, _)| known == name) {
            return index;
        }
        let model = match (self.files)(name) {
            None => Err(format!("no such file: {name}\n")),
            Some(bytes) => Model::load(name, &bytes, &mut self.files).map_err(|error| format!("{name}: {error}\n")),
        };
        let model = match model {
            Ok(model) => ModelRef::Model(runtime.add_model(name, model)),
            Err(problem) => {
                (self.output)(&problem);
                ModelRef::Unknown
            }
        };
        self.models.push((name.to_owned(), model));
        self.models.len() - 1
    }

    /// The name of a model index.
    pub fn model_name(&self, index: usize) -> Option<&str> {
        self.models.get(index).map(|(name, _)| name.as_str())
    }

    /// Prints a text.
    pub fn print(&mut self, text: &str) {
        (self.output)(text);
    }

    #[inline]
    pub(super) fn field(&self, field: Field) -> Option<vm::Field> {
        self.fields.get(field as usize).copied().flatten()
    }
}

/// Where the fields that [`FrameFields`] holds stand in an entity; beyond its end if the progs has none.
pub(super) struct FrameFieldPlaces([u32; FRAME_FIELDS]);

/// How many fields tell what an entity plays.
const FRAME_FIELDS: usize = size_of::<FrameFields>() / size_of::<f32>();

impl FrameFieldPlaces {
    fn new(progs: &Progs) -> Self {
        let mut places = [u32::MAX; FRAME_FIELDS];
        for (place, field) in places.iter_mut().zip(Field::ALL) {
            *place = progs.field(field.name().as_bytes()).map_or(u32::MAX, |field| field.offset);
        }
        Self(places)
    }

    /// The fields in an entity's words. What has no weight is not looked at: most entities play one animation.
    #[inline]
    pub(super) fn read(&self, words: &[u32]) -> FrameFields {
        let field = |field: Field| {
            let bits = self.0.get(field as usize).and_then(|&place| words.get(place as usize));
            bits.map_or(0.0, |bits| f32::from_bits(*bits))
        };
        let mut fields = FrameFields {
            frame: field(Field::frame),
            frame1time: field(Field::frame1time),
            lerpfrac: field(Field::lerpfrac),
            lerpfrac3: field(Field::lerpfrac3),
            lerpfrac4: field(Field::lerpfrac4),
            basebone: field(Field::basebone),
            ..FrameFields::default()
        };
        if fields.lerpfrac != 0.0 {
            fields.frame2 = field(Field::frame2);
            fields.frame2time = field(Field::frame2time);
        }
        if fields.lerpfrac3 != 0.0 {
            fields.frame3 = field(Field::frame3);
            fields.frame3time = field(Field::frame3time);
        }
        if fields.lerpfrac4 != 0.0 {
            fields.frame4 = field(Field::frame4);
            fields.frame4time = field(Field::frame4time);
        }
        if fields.basebone != 0.0 {
            fields.baseframe = field(Field::baseframe);
            fields.baseframe2 = field(Field::baseframe2);
            fields.baseframe1time = field(Field::baseframe1time);
            fields.baseframe2time = field(Field::baseframe2time);
            fields.baselerpfrac = field(Field::baselerpfrac);
        }
        fields
    }
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Environment").field("models", &self.models).finish_non_exhaustive()
    }
}
