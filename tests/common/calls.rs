//! Builtins called by name on the recorded models.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

use super::replayer::folder::Folder;
use super::replayer::host::{Argument, RecordedHost, Returned, read_file};
use skelobj::Dialect;
use skelobj::Runtime;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::qc::{Builtin, Field, Rules};
use skelobj::runtime::ObjectId;

/// Reads a file of the recordings.
pub fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// Returns a float argument.
pub fn f(value: f32) -> Argument {
    Argument::Float(value)
}

pub fn v(x: f32, y: f32, z: f32) -> Argument {
    Argument::Vector(Vec3::new(x, y, z))
}

pub fn e(entity: u64) -> Argument {
    Argument::Entity(entity)
}

pub fn s(text: &str) -> Argument {
    Argument::Text(text.as_bytes().to_vec())
}

/// Runtime with an engine.
pub struct World {
    pub runtime: Runtime,
    pub host: RecordedHost,
}

impl World {
    pub fn new() -> Self {
        Self::with(Dialect::Fte, Rules::Client)
    }

    pub fn with(dialect: Dialect, rules: Rules) -> Self {
        let folders = ["models", "dolls", "../golden-dp/models"].map(|name| Folder::new(golden(name))).to_vec();
        let mut runtime = Runtime::default();
        let files = folders.clone();
        runtime.set_files(move |name: &str| read_file(&files, name));
        Self { runtime, host: RecordedHost::new(dialect, rules, folders) }
    }

    /// Calls a builtin and returns its result.
    pub fn call(&mut self, name: &str, arguments: &[Argument]) -> Option<Returned> {
        self.host.arguments = arguments.to_vec();
        self.host.returned = None;
        Builtin::by_name(name.as_bytes()).unwrap().call(&mut self.runtime, &mut self.host);
        self.host.returned.clone()
    }

    /// Calls a builtin and returns its result as a float.
    pub fn number(&mut self, name: &str, arguments: &[Argument]) -> f32 {
        match self.call(name, arguments) {
            Some(Returned::Float(value)) => value,
            other => panic!("{name} returned {other:?}"),
        }
    }

    pub fn vector(&mut self, name: &str, arguments: &[Argument]) -> Vec3 {
        match self.call(name, arguments) {
            Some(Returned::Vector(value)) => Vec3::from(value),
            other => panic!("{name} returned {other:?}"),
        }
    }

    pub fn text(&mut self, name: &str, arguments: &[Argument]) -> String {
        match self.call(name, arguments) {
            Some(Returned::Text(value)) => String::from_utf8(value).unwrap(),
            other => panic!("{name} returned {other:?}"),
        }
    }

    pub fn model(&mut self, name: &str) -> Argument {
        f(self.host.model_index(&mut self.runtime, name))
    }

    pub fn set(&mut self, entity: u64, field: Field, value: Argument) {
        self.host.fields.insert((entity, field), value);
    }

    /// Creates an object without building it.
    pub fn create(&mut self, model: &str) -> f32 {
        let model = self.model(model);
        self.number("skel_create", &[model])
    }

    /// Creates an object in the pose that entity 1 plays, and gives it to entity 1.
    pub fn built(&mut self, model: &str) -> f32 {
        let object = self.create(model);
        let model = self.model(model);
        self.set(1, Field::modelindex, model.clone());
        self.set(1, Field::skeletonindex, f(object));
        let build = [f(object), e(1), model, f(0.0), f(0.0), f(0.0), f(1.0)];
        assert_eq!(self.number("skel_build", &build), object);
        object
    }

    pub fn id(&self, object: f32) -> ObjectId {
        ObjectId::new(object as u32).unwrap()
    }

    pub fn bones(&self, object: f32) -> Vec<Mat3x4> {
        self.runtime.object(self.id(object)).unwrap().pose().bones().to_vec()
    }

    pub fn is_local(&self, object: f32) -> bool {
        self.runtime.object(self.id(object)).unwrap().pose().is_local()
    }

    /// Returns the text printed since the last call.
    pub fn printed(&mut self) -> String {
        std::mem::take(&mut self.host.printed)
    }

    pub fn ragdoll(&mut self, command: &str, source: f32) -> f32 {
        self.number("skel_ragupdate", &[e(1), s(command), f(source)])
    }
}
