//! Engine of a recording: entities, globals and models as the file describes them.

use std::collections::HashMap;

use serde_json::Value;
use skelobj::math::{Axes, Mat3x4, Vec3};
use skelobj::model::Name;
use skelobj::qc::{Args, Dialect, Entity, Field, Function, Host, ModelRef, Pointer, Rules, SingleFrame, TagInfo};
use skelobj::runtime::ObjectId;
use skelobj::{FileSource as _, Model, Runtime};

use super::folder::Folder;

/// Return value of a builtin.
#[derive(Clone, PartialEq, Debug)]
pub enum Returned {
    Float(f32),
    Vector([f32; 3]),
    Text(Vec<u8>),
    Null,
    Pointer,
}

/// Argument of a recorded call, with handles and model indexes translated to those of this run.
#[derive(Clone, Debug)]
pub enum Argument {
    Float(f32),
    Vector(Vec3),
    Text(Vec<u8>),
    Entity(u64),
}

/// Index of the first recorded model; 0 means no model, 1 is the level.
const FIRST_MODEL: usize = 2;

/// Engine of one case.
pub struct RecordedHost {
    pub dialect: Dialect,
    pub rules: Rules,
    pub arguments: Vec<Argument>,
    pub returned: Option<Returned>,
    pub axes: Axes,
    pub time: f32,
    pub tag_info: Option<TagInfo>,
    pub fields: HashMap<(u64, Field), Argument>,
    folders: Vec<Folder>,
    models: Vec<(String, ModelRef)>,
    pub printed: String,
    told_not_finite: bool,
}

impl RecordedHost {
    pub fn new(dialect: Dialect, rules: Rules, folders: Vec<Folder>) -> Self {
        Self {
            dialect,
            rules,
            arguments: Vec::new(),
            returned: None,
            axes: Axes::IDENTITY,
            time: 0.0,
            tag_info: None,
            fields: HashMap::new(),
            folders,
            models: Vec::new(),
            printed: String::new(),
            told_not_finite: false,
        }
    }

    /// Returns the index of a model file, which is read if it is new.
    pub fn model_index(&mut self, runtime: &mut Runtime, name: &str) -> f32 {
        let index = self.models.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            let loaded = read_file(&self.folders, name).and_then(|bytes| {
                let side = |side: &str| read_file(&self.folders, side);
                match self.dialect {
                    Dialect::DarkPlaces => Model::load_as_darkplaces(name, &bytes, side).ok(),
                    _ => Model::load(name, &bytes, side).ok(),
                }
            });
            let model =
                loaded.and_then(|model| runtime.add_model(name, model).ok()).map_or(ModelRef::Unknown, ModelRef::Model);
            self.models.push((name.to_owned(), model));
            self.models.len() - 1
        });
        (FIRST_MODEL + index) as f32
    }

    /// Calls the builtin makevectors, which every engine has.
    pub fn make_vectors(&mut self) {
        self.axes = Axes::from_angles(self.vector(0));
    }

    fn argument<T: Default>(&self, number: usize, read: impl FnOnce(&Argument) -> Option<T>) -> T {
        self.arguments.get(number).and_then(read).unwrap_or_default()
    }
}

/// Returns a file of a recording (a model, a side file or a doll) from the first folder that has it.
pub fn read_file(folders: &[Folder], name: &str) -> Option<Vec<u8>> {
    folders.iter().find_map(|folder| folder.read(name))
}

/// Returns the vector of a JSON array.
pub fn vector(value: &Value) -> Option<Vec3> {
    let numbers: Vec<f32> = value.as_array()?.iter().map(|v| v.as_f64().unwrap_or(0.0) as f32).collect();
    Some(Vec3::from(<[f32; 3]>::try_from(numbers).ok()?))
}

impl Args for RecordedHost {
    fn argc(&self) -> usize {
        self.arguments.len()
    }

    fn float(&self, argument: usize) -> f32 {
        self.argument(argument, |a| if let Argument::Float(value) = a { Some(*value) } else { None })
    }

    fn vector(&self, argument: usize) -> Vec3 {
        self.argument(argument, |a| if let Argument::Vector(value) = a { Some(*value) } else { None })
    }

    fn string(&self, argument: usize) -> &[u8] {
        match self.arguments.get(argument) {
            Some(Argument::Text(text)) => text,
            _ => &[],
        }
    }

    fn entity(&self, argument: usize) -> Entity {
        Entity(self.argument(argument, |a| if let Argument::Entity(value) = a { Some(*value) } else { None }))
    }

    fn int(&self, argument: usize) -> i32 {
        self.float(argument) as i32
    }

    fn function(&self, _: usize) -> Function {
        Function(0)
    }

    fn pointer(&self, _: usize) -> Pointer {
        Pointer(0)
    }

    fn return_float(&mut self, value: f32) {
        self.returned = Some(Returned::Float(value));
    }

    fn return_vector(&mut self, value: Vec3) {
        self.returned = Some(Returned::Vector(value.to_array()));
    }

    fn return_string(&mut self, value: &[u8]) {
        self.returned = Some(Returned::Text(value.to_vec()));
    }

    fn return_bones(&mut self, _: ObjectId, _: &mut [Mat3x4]) {
        self.returned = Some(Returned::Pointer);
    }

    fn return_null(&mut self) {
        self.returned = Some(Returned::Null);
    }

    fn set_float(&mut self, argument: usize, value: f32) {
        if let Some(argument) = self.arguments.get_mut(argument) {
            *argument = Argument::Float(value);
        }
    }

    fn set_int(&mut self, _: usize, _: i32) {}

    fn set_string(&mut self, _: usize, _: &[u8]) {}
}

impl Host for RecordedHost {
    fn dialect(&self) -> Dialect {
        self.dialect
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn float_field(&self, entity: Entity, field: Field) -> f32 {
        match self.fields.get(&(entity.0, field)) {
            Some(Argument::Float(value)) => *value,
            _ => 0.0,
        }
    }

    fn vector_field(&self, entity: Entity, field: Field) -> Vec3 {
        match self.fields.get(&(entity.0, field)) {
            Some(Argument::Vector(value)) => *value,
            _ => Vec3::ZERO,
        }
    }

    fn entity_field(&self, entity: Entity, field: Field) -> Option<Entity> {
        match self.fields.get(&(entity.0, field)) {
            Some(Argument::Entity(other)) if *other != 0 => Some(Entity(*other)),
            _ => None,
        }
    }

    fn set_float_field(&mut self, entity: Entity, field: Field, value: f32) {
        self.fields.insert((entity.0, field), Argument::Float(value));
    }

    fn set_entity_field(&mut self, entity: Entity, field: Field, value: Entity) {
        self.fields.insert((entity.0, field), Argument::Entity(value.0));
    }

    fn single_frame(&self, entity: Entity) -> Option<SingleFrame> {
        let field = |field| self.float_field(entity, field);
        use Field::{basebone, frame, frame1time, lerpfrac, lerpfrac3, lerpfrac4, renderflags};
        let is_single = [lerpfrac, lerpfrac3, lerpfrac4, basebone].into_iter().all(|other| field(other) == 0.0);
        is_single.then(|| SingleFrame { frame: field(frame), time: field(frame1time), flags: field(renderflags) })
    }

    fn axes(&self) -> Axes {
        self.axes
    }

    fn set_axes(&mut self, axes: Axes) {
        self.axes = axes;
    }

    fn time(&self) -> f32 {
        self.time
    }

    fn model(&mut self, _: &mut Runtime, index: i32) -> ModelRef {
        match usize::try_from(index) {
            Ok(0) => ModelRef::None,
            Ok(1) => ModelRef::Other,
            Ok(index) => self.models.get(index - FIRST_MODEL).map_or(ModelRef::Unknown, |(_, model)| *model),
            Err(_) => ModelRef::Unknown,
        }
    }

    fn print(&mut self, text: &str) {
        self.printed.push_str(text);
    }

    fn not_finite(&mut self, builtin: &'static str) {
        if !std::mem::replace(&mut self.told_not_finite, true) {
            self.printed.push_str(&format!("{builtin}: a non-finite number was treated as 0\n"));
        }
    }

    fn random(&mut self) -> f32 {
        0.5
    }

    fn set_tag_info(&mut self, info: &TagInfo) {
        self.tag_info = Some(info.clone());
    }

    fn call_with_event(&mut self, _: Function, _: f32, _: i32, _: &Name) {}
}
