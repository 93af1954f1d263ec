//! Documents made by the tests.

use serde_json::{Value, json};
use skelobj::Model;
use skelobj::model::ModelError;

/// Returns a binary file of a document and its buffer.
pub fn glb(document: &Value, binary: &[u8]) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut binary = binary.to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let length = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
    let total = (12 + 8 + text.len() + 8 + binary.len()) as u32;
    let parts: [&[u8]; 9] = [
        b"glTF",
        &2u32.to_le_bytes(),
        &total.to_le_bytes(),
        &length(&text),
        b"JSON",
        &text,
        &length(&binary),
        b"BIN\0",
        &binary,
    ];
    parts.concat()
}

pub fn load(bytes: &[u8]) -> Result<Model, ModelError> {
    Model::load("m.glb", bytes, |_| None)
}

pub fn read(document: &Value, binary: &[u8]) -> Model {
    load(&glb(document, binary)).unwrap_or_else(|e| panic!("{e}"))
}

/// Buffer that is filled array by array, with a view for each.
#[derive(Default)]
pub struct Buffer {
    pub bytes: Vec<u8>,
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
}

impl Buffer {
    pub fn bytes(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() }));
        self.bytes.extend_from_slice(bytes);
        self.views.len() - 1
    }

    pub fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        let view = self.bytes(bytes);
        self.accessors.push(json!({ "bufferView": view, "componentType": component, "type": kind, "count": count }));
        self.accessors.len() - 1
    }

    pub fn floats<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        let kind = ["", "SCALAR", "VEC2", "VEC3", "VEC4"].get(N).copied().unwrap_or("MAT4");
        let bytes: Vec<u8> = values.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(&bytes, 5126, kind, values.len())
    }

    /// Returns the document with this buffer.
    pub fn document(&self, mut document: Value) -> Value {
        document["asset"] = json!({ "version": "2.0" });
        document["bufferViews"] = json!(self.views);
        document["accessors"] = json!(self.accessors);
        document["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        document
    }
}

/// Returns a skinned triangle on two joints, the second rotating: a bit of everything in 1.5 KB.
pub fn small() -> (Value, Vec<u8>) {
    let mut buffer = Buffer::default();
    let positions = buffer.floats(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let indices = buffer.accessor(&[0, 0, 1, 0, 2, 0], 5123, "SCALAR", 3);
    let joints = buffer.accessor(&[0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 5121, "VEC4", 3);
    let weights = buffer.accessor(&[128, 127, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0], 5121, "VEC4", 3);
    buffer.accessors[weights]["normalized"] = json!(true);
    let mut inverse = [0.0; 16];
    inverse.iter_mut().step_by(5).for_each(|one| *one = 1.0);
    let mut second = inverse;
    second[13] = -1.0;
    let inverses = buffer.floats(&[inverse, second]);
    let times = buffer.floats(&[[0.0], [0.5], [1.0]]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turns = buffer.floats(&[[0.0, 0.0, 0.0, 1.0], [half, 0.0, 0.0, half], [1.0, 0.0, 0.0, 0.0]]);
    let index_view = buffer.bytes(&[1]);
    let value_view = buffer.bytes(&[0.0f32, 0.25, 0.0].map(f32::to_le_bytes).concat());
    let target = buffer.accessors.len();
    buffer.accessors.push(json!({ "componentType": 5126, "type": "VEC3", "count": 3, "sparse": {
        "count": 1,
        "indices": { "bufferView": index_view, "componentType": 5121 },
        "values": { "bufferView": value_view },
    }}));
    let document = buffer.document(json!({
        "scene": 0,
        "scenes": [{ "nodes": [0, 2] }],
        "nodes": [
            { "name": "a", "children": [1] },
            { "name": "b", "translation": [0, 1, 0] },
            { "mesh": 0, "skin": 0 },
        ],
        "skins": [{ "joints": [0, 1], "inverseBindMatrices": inverses }],
        "materials": [{ "name": "paint" }],
        "meshes": [{ "name": "skin", "primitives": [{
            "attributes": { "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights },
            "indices": indices,
            "material": 0,
            "targets": [{ "POSITION": target }],
        }], "extras": { "targetNames": ["pull"] } }],
        "animations": [{
            "name": "turn",
            "channels": [{ "sampler": 0, "target": { "node": 1, "path": "rotation" } }],
            "samplers": [{ "input": times, "output": turns }],
        }],
    }));
    (document, buffer.bytes)
}
