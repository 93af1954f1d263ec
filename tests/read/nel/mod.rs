//! NeL files compared with the findings of the real library, also in motion.

use crate::common;
mod bad;
mod made;
mod made_anim;
mod poses;
mod shapes;
mod skeletons;
mod tracks;

use std::path::{Path, PathBuf};

use serde_json::Value;
use skelobj::Model;
use skelobj::math::Vec3;

/// Truth file and the bytes of the file it describes.
struct Case {
    name: String,
    truth: Value,
    bytes: Vec<u8>,
}

/// Returns all truth files whose names end in this way.
fn cases(test: &str, ending: &str) -> Vec<Case> {
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return Vec::new();
    };
    let mut cases = Vec::new();
    for path in common::files(&shared.join("truth/nel")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("pose_") || !name.ends_with(ending) {
            continue;
        }
        let truth: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let name = truth["file"].as_str().unwrap().to_owned();
        let bytes = corpus(&shared, &name);
        cases.push(Case { name, truth, bytes });
    }
    assert!(!cases.is_empty(), "no truth files *{ending}");
    println!("shared cases: {test}: {}", cases.len());
    cases
}

fn corpus(shared: &Path, name: &str) -> Vec<u8> {
    let path: PathBuf = shared.join("corpus/nel").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn load(name: &str, bytes: &[u8]) -> Model {
    Model::load(name, bytes, |_| None).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number")) as f32
}

fn vector(value: &Value) -> Vec3 {
    let [x, y, z] = list(value) else { panic!("{value} is no vector") };
    Vec3::new(number(x), number(y), number(z))
}

fn names(value: &Value) -> Vec<String> {
    list(value).iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

/// Converts a vector from NeL's axes to Quake's.
fn quake(v: Vec3) -> Vec3 {
    Vec3::new(-v.y, v.x, v.z)
}
