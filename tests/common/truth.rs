//! Comparison of models with the findings of independent readers.
#![allow(dead_code)]

use std::ops::RangeBounds;
use std::path::{Path, PathBuf};

use serde_json::Value;
use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{AnimationSource, Mesh};
use skelobj::pose::{palette, skin_positions, to_model_space};

/// Relative tolerance of all recorded numbers.
pub const TOLERANCE: f64 = 2e-4;
/// Tolerance of boxes, as a fraction of the box.
const BOX_TOLERANCE: f64 = 1e-3;

/// Truth file and the model that it describes.
pub struct Case {
    pub name: String,
    pub path: PathBuf,
    pub truth: Value,
    pub bytes: Vec<u8>,
    pub model: Model,
}

/// Returns the cases of a folder and its subfolders whose file ends in `.extension`, at least `least` if there are any.
/// They are loaded with their side files, except those that replace the animations.
pub fn cases(test: &str, folder: &str, extension: &str, least: usize) -> Vec<Case> {
    let ending = format!(".{extension}.json");
    let paths = |truth: &Path| {
        let mut paths = Vec::new();
        walk(&truth.join(folder), &mut paths);
        paths.retain(|path| path.to_str().unwrap().ends_with(&ending));
        paths
    };
    let side = |path: PathBuf| (path.extension() != Some("framegroups".as_ref())).then(|| std::fs::read(path).ok());
    cases_of(test, paths, least.., |path| side(path).flatten())
}

/// Returns the cases of truth files and checks their number; `side` reads the side files of a model.
pub fn cases_of(
    test: &str,
    paths: impl FnOnce(&Path) -> Vec<PathBuf>,
    count: impl RangeBounds<usize>,
    side: impl Fn(PathBuf) -> Option<Vec<u8>>,
) -> Vec<Case> {
    let Some(shared) = super::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return Vec::new();
    };
    let corpus = shared.join("corpus");
    let case = |path: PathBuf| {
        let truth: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let name = truth["file"].as_str().unwrap().to_owned();
        let path = corpus.join(&name);
        let bytes = std::fs::read(&path).unwrap();
        let model = Model::load(&name, &bytes, |name| side(corpus.join(name)));
        let model = model.unwrap_or_else(|e| panic!("{name}: {e}"));
        Case { name, path, truth, bytes, model }
    };
    let cases: Vec<Case> = paths(&shared.join("truth")).into_iter().map(case).collect();
    assert!(count.contains(&cases.len()), "{test}: {} cases", cases.len());
    println!("shared cases: {test}: {}", cases.len());
    cases
}

fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { walk(&path, out) } else { out.push(path) }
    }
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub fn floats(value: &Value) -> Vec<f64> {
    list(value).iter().map(|v| v.as_f64().unwrap()).collect()
}

/// Returns `true` if all numbers agree; numbers that exceed an `f32` must only be finite.
pub fn agree(ours: &[f32], truth: &[f64]) -> bool {
    ours.len() == truth.len()
        && ours.iter().zip(truth).all(|(&ours, &truth)| {
            let unfit = !(truth as f32).is_finite();
            ours.is_finite() && (unfit || (f64::from(ours) - truth).abs() <= TOLERANCE * truth.abs().max(1.0))
        })
}

pub fn assert_matrices(what: &str, ours: &[Mat3x4], truth: &Value) {
    assert_eq!(ours.len(), list(truth).len(), "{what}");
    for (bone, (ours, truth)) in ours.iter().zip(list(truth)).enumerate() {
        assert!(agree(&ours.0, &floats(truth)), "{what}: bone {bone}: {:?} {truth}", ours.0);
    }
}

/// Compares names, parents and the bind pose.
pub fn assert_bones(case: &Case) {
    let (skeleton, truth) = (&case.model.skeleton, &case.truth);
    assert_eq!(skeleton.len() as u64, truth["bone_count"].as_u64().unwrap(), "{}", case.name);
    let names: Vec<String> = skeleton.names().iter().map(ToString::to_string).collect();
    assert_eq!(serde_json::json!(names), truth["bone_names"], "{}", case.name);
    let base = &truth["base_abs_matrices"];
    assert_eq!(skeleton.has_bind(), base.is_array(), "{}", case.name);
    if skeleton.has_bind() {
        assert_matrices(&case.name, skeleton.bind_model(), base);
    }
}

pub fn assert_parents(case: &Case) {
    assert_eq!(serde_json::json!(case.model.skeleton.parents()), case.truth["bone_parents"], "{}", case.name);
}

/// Compares names, rates, loop flags and frames; `base_rate` is that of the bind pose if the truth has no animation.
pub fn assert_animations(case: &Case, base_rate: f32) {
    let (model, truth) = (&case.model, list(&case.truth["anims"]));
    if truth.is_empty() {
        let [base] = &model.animations[..] else { panic!("{}: {:?}", case.name, model.animations) };
        assert!(base.name == *"base" && base.rate == base_rate, "{}", case.name);
        assert_eq!(base.source, AnimationSource::BindPose, "{}", case.name);
        assert_eq!(model.frame_count(), 0, "{}", case.name);
        return;
    }
    assert_eq!(model.animations.len(), truth.len(), "{}", case.name);
    for (ours, truth) in model.animations.iter().zip(truth) {
        assert_eq!(ours.name.to_string(), animation_name(case, truth), "{}", case.name);
        assert_eq!(ours.looping, truth["loop"].as_bool().unwrap(), "{}", case.name);
        assert_eq!(ours.rate, truth["fps"].as_f64().unwrap() as f32, "{}", case.name);
        let number = |key: &str| truth[key].as_u64().unwrap() as u32;
        let expected = AnimationSource::Frames { first: number("first"), count: number("count") };
        assert_eq!(ours.source, expected, "{}", case.name);
    }
}

/// Returns the name of an animation; that of a file without a place for it is the name of the file.
fn animation_name<'a>(case: &'a Case, truth: &'a Value) -> &'a str {
    match truth["name"].as_str().unwrap() {
        "" => case.path.file_stem().unwrap().to_str().unwrap(),
        name => name,
    }
}

/// Compares sampled frames in both spaces; returns their number.
pub fn assert_frames(case: &Case) -> usize {
    let model = &case.model;
    assert_eq!(model.frame_count() as u64, case.truth["frame_count"].as_u64().unwrap(), "{}", case.name);
    for truth in list(&case.truth["frames"]) {
        let frame = truth["frame"].as_u64().unwrap() as usize;
        let what = format!("{} frame {frame}", case.name);
        assert_matrices(&what, model.frame(frame).unwrap(), &truth["rel"]);
        assert_matrices(&what, &model_space(model, frame), &truth["abs"]);
    }
    list(&case.truth["frames"]).len()
}

fn model_space(model: &Model, frame: usize) -> Vec<Mat3x4> {
    let relative = model.frame(frame).unwrap();
    let mut out = vec![Mat3x4::ZERO; relative.len()];
    to_model_space(model.skeleton.parents(), relative, &mut out);
    out
}

/// Compares the first vertex and triangle, the counts, and the box in the bind pose of every mesh.
pub fn assert_meshes(case: &Case) {
    let truth = list(&case.truth["meshes"]);
    assert_eq!(case.model.meshes.len(), truth.len(), "{}", case.name);
    for (ours, truth) in case.model.meshes.iter().zip(truth) {
        let what = format!("{} {}", case.name, ours.name);
        assert_eq!(ours.name.to_string(), truth["name"].as_str().unwrap(), "{what}");
        assert_eq!(ours.material.to_string(), truth["material"].as_str().unwrap(), "{what}");
        assert_eq!(ours.positions.len() as u64, truth["vertex_count"].as_u64().unwrap(), "{what}");
        assert_eq!(ours.triangles.len() as u64, truth["triangle_count"].as_u64().unwrap(), "{what}");
        assert_eq!(used(ours).len() as u64, truth["vertices_used"].as_u64().unwrap(), "{what}");
        assert_eq!(serde_json::json!(ours.triangles[0]), truth["first_triangle"], "{what}");
        assert!(agree(&ours.positions[0], &floats(&truth["first_vertex_pos"])), "{what}");
        assert!(agree(&ours.texcoords[0], &floats(&truth["first_vertex_tc"])), "{what}");
        if truth["first_vertex_normal"].is_array() {
            assert!(agree(&ours.normals[0], &floats(&truth["first_vertex_normal"])), "{what} {:?}", ours.normals[0]);
        }
        assert_eq!(ours.normals.len(), ours.positions.len(), "{what}");
        assert!(ours.normals.iter().all(|&n| (Vec3::from(n).length() - 1.0).abs() < 1e-4), "{what}");
        let first = &ours.influences[0];
        let weights: Vec<_> = first.bones.iter().zip(first.weights).filter(|(_, w)| *w > 0.0).collect();
        let expected = list(&truth["first_vertex_weights"]);
        assert_eq!(weights.len(), expected.len(), "{what}");
        for ((&bone, weight), truth) in weights.into_iter().zip(expected) {
            assert_eq!(u64::from(bone), truth[0].as_u64().unwrap(), "{what}");
            assert!(agree(&[weight], &[truth[1].as_f64().unwrap()]), "{what}");
        }
        let positions: Vec<Vec3> = ours.positions.iter().copied().map(Vec3::from).collect();
        assert_box(&what, ours, &positions, &truth["bbox_base"]);
    }
}

/// Compares the skin in the sampled frames; returns the number of meshes.
pub fn assert_skins(case: &Case) -> usize {
    let model = &case.model;
    let mut compared = 0;
    for truth in list(&case.truth["frames"]) {
        let frame = truth["frame"].as_u64().unwrap() as usize;
        let mut matrices = vec![Mat3x4::ZERO; model.skeleton.len()];
        palette(&model_space(model, frame), model.skeleton.inverse_bind(), &mut matrices);
        let boxes = list(&truth["mesh_bbox"]);
        assert_eq!(boxes.len(), model.meshes.len(), "{}", case.name);
        for (mesh, truth) in model.meshes.iter().zip(boxes) {
            let mut positions = vec![Vec3::ZERO; mesh.positions.len()];
            skin_positions(mesh, &matrices, &mut positions);
            assert_box(&format!("{} frame {frame} {}", case.name, mesh.name), mesh, &positions, truth);
            compared += 1;
        }
    }
    compared
}

/// Returns the vertices that triangles use.
fn used(mesh: &Mesh) -> Vec<u32> {
    let mut used: Vec<u32> = mesh.triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    used
}

/// Returns the bounding box of the vertices that triangles use.
fn assert_box(what: &str, mesh: &Mesh, positions: &[Vec3], truth: &Value) {
    let (mins, maxs) = (floats(&truth["mins"]), floats(&truth["maxs"]));
    let size = mins.iter().zip(&maxs).map(|(a, b)| (b - a).powi(2)).sum::<f64>().sqrt();
    let seen = || used(mesh).into_iter().map(|index| positions[index as usize]);
    let (low, high) = (seen().reduce(Vec3::min).unwrap(), seen().reduce(Vec3::max).unwrap());
    let near = |ours: Vec3, truth: &[f64]| {
        ours.to_array().iter().zip(truth).all(|(&o, t)| (f64::from(o) - t).abs() <= BOX_TOLERANCE * size)
    };
    assert!(near(low, &mins) && near(high, &maxs), "{what}: {low} {high} {truth}");
}

/// Cuts `bytes` at every [stride](super::stride) and loads each piece; `load` must not panic.
pub fn every_cut(bytes: &[u8], mut load: impl FnMut(&[u8])) -> usize {
    let step = super::stride(if bytes.len() < 8 << 10 { 1 } else { bytes.len() / 512 });
    (0..bytes.len()).step_by(step).map(|length| load(&bytes[..length])).count()
}
