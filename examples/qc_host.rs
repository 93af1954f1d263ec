// An engine's side of the QuakeC builtins: `Args` and `Host` over its own QuakeC VM.
//
// cargo run --features qc --example qc_host
//
// The examples in the documentation of `skelobj::qc` run on this engine.
use std::collections::HashMap;

use skelobj::Dialect;
use skelobj::math::{Axes, Mat3x4, Vec3};
use skelobj::model::Name;
use skelobj::qc::{Args, Builtin, Entity, Field, Function, Host, MatchedFrame, ModelRef, Pointer};
use skelobj::qc::{Rules, ScriptResult, TagInfo};
use skelobj::runtime::{ModelId, ObjectId};
use skelobj::{Runtime, assets};

/// The globals, entities and models of an engine. Arguments and results are three words, as in QuakeC.
pub struct Engine {
    pub arguments: Vec<[f32; 3]>,
    pub result: [f32; 3],
    pub strings: Vec<Vec<u8>>,
    pub fields: HashMap<(Entity, Field), [f32; 3]>,
    pub axes: Axes,
    pub time: f32,
    pub models: Vec<ModelId>, // model index 1 is the first
    pub console: String,
    pub events: Vec<(f32, i32)>,
    pub tag: Option<TagInfo>,
    pub matched: Option<MatchedFrame>,
    pub results: HashMap<ScriptResult, f32>,
    pub dialect: Dialect,
    pub rules: Rules,
}

impl Engine {
    /// Creates an engine with the mannequin as model 1.
    pub fn with_mannequin() -> Result<(Runtime, Self), Box<dyn std::error::Error>> {
        let (runtime, _) = assets::mannequin_runtime();
        let models = vec![runtime.model_by_name("mannequin.iqm").ok_or("no mannequin")?];
        Ok((
            runtime,
            Self {
                arguments: Vec::new(),
                result: [0.0; 3],
                strings: vec![Vec::new()],
                fields: HashMap::new(),
                axes: Axes::IDENTITY,
                time: 0.0,
                models,
                console: String::new(),
                events: Vec::new(),
                tag: None,
                matched: None,
                results: HashMap::new(),
                dialect: Dialect::Fte,
                rules: Rules::Client,
            },
        ))
    }

    /// Calls a builtin with float arguments and returns its float result.
    pub fn call(&mut self, runtime: &mut Runtime, name: &str, arguments: &[f32]) -> f32 {
        self.arguments = arguments.iter().map(|&value| [value, 0.0, 0.0]).collect();
        Builtin::by_name(name.as_bytes()).unwrap().call(runtime, self);
        self.result[0]
    }

    /// Makes a string argument.
    pub fn text(&mut self, text: &str) -> f32 {
        self.strings.push(text.as_bytes().to_vec());
        (self.strings.len() - 1) as f32
    }

    fn argument(&self, number: usize) -> [f32; 3] {
        self.arguments.get(number).copied().unwrap_or_default()
    }

    fn field(&self, entity: Entity, field: Field) -> [f32; 3] {
        self.fields.get(&(entity, field)).copied().unwrap_or_default()
    }
}

#[rustfmt::skip]
impl Args for Engine {
    fn argc(&self) -> usize { self.arguments.len() }
    fn float(&self, n: usize) -> f32 { self.argument(n)[0] }
    fn vector(&self, n: usize) -> Vec3 { self.argument(n).into() }
    fn string(&self, n: usize) -> &[u8] { self.strings.get(self.argument(n)[0] as usize).map_or(&[], |text| text) }
    fn entity(&self, n: usize) -> Entity { Entity(self.argument(n)[0] as u64) }
    fn int(&self, n: usize) -> i32 { self.argument(n)[0].to_bits() as i32 }
    fn function(&self, n: usize) -> Function { Function(self.argument(n)[0] as u64) }
    fn pointer(&self, n: usize) -> Pointer { Pointer(self.argument(n)[0] as u64) }

    fn return_float(&mut self, value: f32) { self.result = [value, 0.0, 0.0]; }
    fn return_vector(&mut self, value: Vec3) { self.result = value.to_array(); }
    fn return_string(&mut self, value: &[u8]) {
        self.strings.push(value.to_vec());
        self.result = [(self.strings.len() - 1) as f32, 0.0, 0.0];
    }
    fn return_bones(&mut self, object: ObjectId, _bones: &mut [Mat3x4]) { self.return_float(object.get() as f32); }
    fn return_null(&mut self) { self.result = [0.0; 3]; }

    fn set_float(&mut self, n: usize, value: f32) { self.arguments[n][0] = value; }
    fn set_int(&mut self, n: usize, value: i32) { self.arguments[n][0] = f32::from_bits(value as u32); }
    fn set_string(&mut self, n: usize, value: &[u8]) {
        self.strings.push(value.to_vec());
        self.arguments[n][0] = (self.strings.len() - 1) as f32;
    }
}

#[rustfmt::skip]
impl Host for Engine {
    fn dialect(&self) -> Dialect { self.dialect }
    fn rules(&self) -> Rules { self.rules }

    fn float_field(&self, entity: Entity, field: Field) -> f32 { self.field(entity, field)[0] }
    fn vector_field(&self, entity: Entity, field: Field) -> Vec3 { self.field(entity, field).into() }
    fn entity_field(&self, entity: Entity, field: Field) -> Option<Entity> {
        self.fields.get(&(entity, field)).map(|number| Entity(number[0] as u64))
    }
    fn set_float_field(&mut self, entity: Entity, field: Field, value: f32) {
        self.fields.insert((entity, field), [value, 0.0, 0.0]);
    }
    fn set_entity_field(&mut self, entity: Entity, field: Field, value: Entity) {
        self.fields.insert((entity, field), [value.0 as f32, 0.0, 0.0]);
    }

    fn axes(&self) -> Axes { self.axes }
    fn set_axes(&mut self, axes: Axes) { self.axes = axes; }
    fn time(&self) -> f32 { self.time }
    fn model(&mut self, _runtime: &mut Runtime, index: i32) -> ModelRef {
        match usize::try_from(index).map(|index| index.checked_sub(1)) {
            Ok(None) => ModelRef::None,
            Ok(Some(place)) => self.models.get(place).map_or(ModelRef::Unknown, |model| ModelRef::Model(*model)),
            Err(_) => ModelRef::Unknown,
        }
    }
    fn print(&mut self, text: &str) { self.console += text; }
    fn set_tag_info(&mut self, info: &TagInfo) { self.tag = Some(info.clone()); }
    fn set_result(&mut self, global: ScriptResult, value: f32) { self.results.insert(global, value); }
    fn set_matched_frame(&mut self, found: &MatchedFrame) { self.matched = Some(*found); }
    fn random(&mut self) -> f32 { 0.5 }
    fn call_with_event(&mut self, _function: Function, time: f32, code: i32, _data: &Name) {
        self.events.push((time, code));
    }
}

/// Does what a script would do: makes an object, builds a pose and asks for a bone.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut runtime, mut engine) = Engine::with_mannequin()?;
    let object = engine.call(&mut runtime, "skel_create", &[1.0]);
    let entity = Entity(1);
    engine.set_float_field(entity, Field::frame, 2.0); // the run
    engine.call(&mut runtime, "skel_build", &[object, entity.0 as f32, 1.0, 0.0, 0.0, 0.0]);
    let name = engine.text("hand_r");
    let bone = engine.call(&mut runtime, "skel_find_bone", &[object, name]);
    assert_eq!(bone, 21.0);
    engine.call(&mut runtime, "skel_get_boneabs", &[object, bone]);
    println!("hand_r: {:?}", engine.result);
    print!("{}", engine.console);
    Ok(())
}
