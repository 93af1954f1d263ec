//! Skeleton, skin and tracks together, at any moment.

use std::path::Path;

use serde_json::Value;
use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::FrameState;
use skelobj::pose::{PoseSource, palette, sample, skin, to_model_space};

use super::{common, corpus, list, load, number, vector};

const TOLERANCE: f32 = 1e-4;

struct Posed {
    /// Bones in model space, and the palette.
    bones: Vec<Mat3x4>,
    palette: Vec<Mat3x4>,
}

fn posed(model: &Model, time: f32) -> Posed {
    let count = model.skeleton.len();
    let mut relative = vec![Mat3x4::ZERO; count];
    let frame = FrameState::single(0, time.into());
    assert_eq!(sample(PoseSource { model, frame: &frame }, 0..count, &mut relative), count);
    let mut bones = vec![Mat3x4::ZERO; count];
    to_model_space(model.skeleton.parents(), &relative, &mut bones);
    let mut matrices = vec![Mat3x4::ZERO; count];
    palette(&bones, model.skeleton.inverse_bind(), &mut matrices);
    Posed { bones, palette: matrices }
}

/// Returns the model of a pose file: its shape, joined with skeleton and animation in the given order.
fn model(shared: &Path, truth: &Value, order: [&str; 3]) -> Model {
    let mut model = Model::default();
    for (number, kind) in order.iter().filter_map(|key| truth[*key].as_str()).enumerate() {
        let part = load(kind, &corpus(shared, kind));
        if number == 0 {
            model = part;
        } else {
            model.join(&part).unwrap_or_else(|e| panic!("{kind}: {e}"));
        }
    }
    model
}

fn files(test: &str) -> Vec<(String, Value)> {
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return Vec::new();
    };
    let files = common::files(&shared.join("truth/nel")).into_iter();
    let files = files.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("pose_"));
    let read = |path: &Path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let files: Vec<_> = files.map(|path| (path.file_name().unwrap().to_string_lossy().into(), read(&path))).collect();
    assert!(files.len() >= 7, "{}", files.len());
    println!("shared cases: {test}: {}", files.len());
    files
}

/// Returns the rotation from NeL's pose to Quake's; the identity for skeletons that stand in Quake's axes.
fn axes(truth: &Value) -> Mat3x4 {
    match truth["anim"].is_null() {
        true => Mat3x4::IDENTITY,
        false => Mat3x4([0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
    }
}

fn assert_pose(what: &str, model: &Model, truth: &Value, pose: &Value) {
    let axes = axes(truth);
    let posed = posed(model, pose["time"].as_f64().unwrap_or(0.0) as f32);
    let bones = list(&pose["boneLocal"]);
    assert_eq!(posed.bones.len(), bones.len(), "{what}");
    for (bone, (ours, truth)) in posed.bones.iter().zip(bones).enumerate() {
        let theirs: Vec<f32> = list(truth).iter().flat_map(list).map(number).collect();
        let theirs = axes * Mat3x4(theirs.try_into().unwrap());
        for (ours, theirs) in ours.0.iter().zip(theirs.0) {
            assert!((ours - theirs).abs() < TOLERANCE, "{what} bone {bone}: {ours} {theirs}");
        }
    }
    for mesh in &model.meshes {
        let mut positions = vec![Vec3::ZERO; mesh.positions.len()];
        let mut normals = positions.clone();
        skin(mesh, &posed.palette, &mut positions, &mut normals);
        for (at, &vertex) in mesh.file_vertices.iter().enumerate() {
            let theirs = axes.transform_point(vector(&pose["skinnedPositions"][vertex as usize]));
            let off = (positions[at] - theirs).length();
            assert!(off < TOLERANCE, "{what} vertex {vertex}: {} {theirs}", positions[at]);
            if let Some(normal) = pose["skinnedNormals"].get(vertex as usize) {
                let theirs = axes.transform_vector(vector(normal)).normalize_or_zero();
                assert!((normals[at] - theirs).length() < 1e-3, "{what} normal {vertex}: {} {theirs}", normals[at]);
            }
        }
    }
}

#[test]
fn poses_are_those_of_the_real_library_at_their_exact_times() {
    for (name, truth) in files("poses_are_those_of_the_real_library_at_their_exact_times") {
        let model = model(&common::shared().unwrap(), &truth, ["shape", "skel", "anim"]);
        assert_eq!(model.animations.len(), 1, "{name}");
        for pose in list(&truth["poses"]) {
            assert_pose(&format!("{name} at {}", pose["time"]), &model, &truth, pose);
        }
    }
}

#[test]
fn the_order_in_which_files_are_joined_does_not_matter() {
    for (name, truth) in files("the_order_in_which_files_are_joined_does_not_matter") {
        for order in [["shape", "anim", "skel"], ["skel", "shape", "anim"], ["skel", "anim", "shape"]] {
            let model = model(&common::shared().unwrap(), &truth, order);
            let pose = &truth["poses"][0];
            assert_pose(&format!("{name}, {order:?}"), &model, &truth, pose);
        }
    }
}
