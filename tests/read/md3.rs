//! MD3 files compared with the findings of independent readers.

use crate::common;
use crate::common::truth;
use std::path::Path;

use crate::common::truth::{Case, agree, floats, list};
use serde_json::Value;
use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Blend, FrameState, ModelProblem};
use skelobj::pose::{PoseSource, morph};

fn cases(test: &str) -> Vec<Case> {
    let paths = |truth: &Path| ["md3", "md3/sarge"].iter().flat_map(|f| common::files(&truth.join(f))).collect();
    truth::cases_of(test, paths, 9..=9, |path| std::fs::read(path).ok())
}

/// Returns an animation that shows a single frame.
fn only(model: &Model, frame: usize) -> Model {
    let mut model = model.clone();
    model.animations = vec![skelobj::model::Animation::frames("only", frame as u32, 1, 10.0, false)];
    model
}

fn assert_box(what: &str, points: &[Vec3], truth: &Value) {
    let mins = points.iter().copied().reduce(Vec3::min).unwrap();
    let maxs = points.iter().copied().reduce(Vec3::max).unwrap();
    let (low, high) = (floats(&truth["mins"]), floats(&truth["maxs"]));
    let size = low.iter().zip(&high).map(|(a, b)| b - a).fold(0.0, f64::max);
    let far = |ours: Vec3, truth: &[f64]| {
        ours.to_array().iter().zip(truth).any(|(&a, b)| (f64::from(a) - b).abs() > 1e-3 * size)
    };
    assert!(!far(mins, &low) && !far(maxs, &high), "{what}: {mins} {maxs} {truth}");
}

#[test]
fn frames_and_tags_are_those_of_the_file() {
    let mut compared = 0;
    for case in cases("frames_and_tags_are_those_of_the_file") {
        let (model, truth) = (&case.model, &case.truth);
        assert!(model.skeleton.is_empty(), "{}", case.name);
        assert_eq!(model.frame_count() as u64, truth["frame_count"].as_u64().unwrap(), "{}", case.name);
        assert_eq!(u64::from(model.flags), truth["flags"].as_u64().unwrap(), "{}", case.name);
        let names: Vec<String> = (0..model.tag_count()).map(|t| model.tag_name(t).unwrap().to_string()).collect();
        assert_eq!(serde_json::json!(names), truth["tag_names"], "{}", case.name);
        for (frame, truth) in truth["frame_info_sampled"].as_object().unwrap() {
            let bounds = &model.bounds[frame.parse::<usize>().unwrap()];
            assert!(agree(&bounds.mins, &floats(&truth["mins"])), "{}", case.name);
            assert!(agree(&bounds.maxs, &floats(&truth["maxs"])), "{}", case.name);
            assert!(agree(&[bounds.radius], &[truth["radius"].as_f64().unwrap()]), "{}", case.name);
        }
        for (frame, truth) in truth["tags_sampled"].as_object().unwrap() {
            let model = only(model, frame.parse().unwrap());
            for (tag, truth) in list(truth).iter().enumerate() {
                let what = format!("{} frame {frame} tag {tag}", case.name);
                let name = truth["name"].as_str().unwrap().as_bytes();
                assert_eq!(model.find_tag(name), Some(tag), "{what}");
                let matrix = model.tag_matrix(tag, &FrameState::single(0, 0.0)).unwrap();
                assert!(agree(&matrix.origin().to_array(), &floats(&truth["origin"])), "{what}: {matrix:?}");
                for (column, truth) in [matrix.forward(), matrix.left(), matrix.up()].iter().zip(list(&truth["axes"])) {
                    assert!(agree(&column.to_array(), &floats(truth)), "{what}: {matrix:?}");
                }
                compared += 1;
            }
        }
        assert_eq!(model.tag_matrix(model.tag_count(), &FrameState::default()), None, "{}", case.name);
    }
    assert!(compared > 0 || common::shared().is_none());
}

#[test]
fn surfaces_are_those_of_the_file() {
    let mut compared = 0;
    for case in cases("surfaces_are_those_of_the_file") {
        let truth = list(&case.truth["surfaces"]);
        assert_eq!(case.model.meshes.len(), truth.len(), "{}", case.name);
        for (mesh, truth) in case.model.meshes.iter().zip(truth) {
            let what = format!("{} {}", case.name, mesh.name);
            assert_eq!(mesh.name.to_string(), truth["name"].as_str().unwrap(), "{what}");
            assert_eq!(mesh.material.to_string(), truth["shaders"][0].as_str().unwrap(), "{what}");
            assert_eq!(mesh.positions.len() as u64, truth["vertex_count"].as_u64().unwrap(), "{what}");
            assert_eq!(mesh.triangles.len() as u64, truth["triangle_count"].as_u64().unwrap(), "{what}");
            assert_eq!(serde_json::json!(mesh.triangles[0]), truth["first_triangle"], "{what}");
            assert!(agree(&mesh.texcoords[0], &floats(&truth["first_vertex_tc"])), "{what}");
            for (frame, truth_box) in truth["bbox_sampled"].as_object().unwrap() {
                let model = only(&case.model, frame.parse().unwrap());
                let pose = FrameState::single(0, 0.0);
                let mut positions = vec![Vec3::ZERO; mesh.positions.len()];
                let mut normals = positions.clone();
                morph(mesh, PoseSource { model: &model, frame: &pose }, &mut positions, &mut normals);
                assert_box(&what, &positions, truth_box);
                let first = &truth["first_vertex_pos"][frame];
                assert!(agree(&positions[0].to_array(), &floats(first)), "{what}");
                let first = &truth["first_vertex_normal"][frame];
                assert!(agree(&normals[0].to_array(), &floats(first)), "{what}");
                compared += 1;
            }
        }
    }
    assert!(compared > 0 || common::shared().is_none());
}

#[test]
fn animations_are_the_engines() {
    let mut compared = 0;
    for case in cases("animations_are_the_engines") {
        let live = list(&case.truth["cross_checks"]["fteqw-sv (live QC skel_* / gettaginfo)"]["fte_groups"]);
        for (ours, truth) in case.model.animations.iter().zip(live) {
            assert_eq!(ours.name.to_string(), truth["name"].as_str().unwrap(), "{}", case.name);
            assert!(agree(&[ours.duration()], &[truth["duration"].as_f64().unwrap()]), "{}", case.name);
            compared += 1;
        }
        let count = case.model.animations.len();
        let groups = list(&case.truth["framegroups_file"]).len();
        assert_eq!(count, if groups > 0 { groups } else { case.model.frame_count() }, "{}", case.name);
    }
    assert!(compared > 0 || common::shared().is_none());
}

/// `golden-dp` recorded a tag's matrix on a server; DarkPlaces blends in the same way.
#[test]
fn tags_between_frames_are_the_linear_sum() {
    let test = "tags_between_frames_are_the_linear_sum";
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let recorded: Value =
        serde_json::from_slice(&std::fs::read(shared.join("golden-dp/md3_tags.json")).unwrap()).unwrap();
    let folder = shared.join("golden-dp/models");
    let bytes = std::fs::read(folder.join("tags.md3")).unwrap();
    let model = Model::load("tags.md3", &bytes, |side| std::fs::read(folder.join(side)).ok()).unwrap();
    let mut compared = 0;
    for case in list(&recorded["cases"]).iter().filter(|case| case["case"] == "ssqc_tags") {
        // The server's time is 0, and the animation began 0.13 s before.
        let frame = FrameState::single(0, 0.13);
        for call in list(&case["calls"]).iter().filter(|call| call["builtin"] == "gettaginfo") {
            let number = call["args"][1].as_u64().unwrap() as usize;
            let Some(matrix) = number.checked_sub(1).and_then(|tag| model.tag_matrix(tag, &frame)) else { continue };
            let axes = matrix.axes();
            let vectors = [(axes.forward, "v_forward"), (axes.right, "v_right"), (axes.up, "v_up")];
            for (ours, field) in vectors {
                assert!(agree(&ours.to_array(), &floats(&call["after"][field])), "tag {number} {field}: {ours}");
            }
            assert!(agree(&matrix.origin().to_array(), &floats(&call["result"])), "tag {number}: {matrix:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 2);
    println!("shared cases: {test}: {compared}");
}

#[test]
fn blends_of_several_animations_sum_in_vertices_and_tags_alike() {
    for case in cases("blends_of_several_animations_sum_in_vertices_and_tags_alike") {
        let model = &case.model;
        if model.tags.is_empty() || model.frame_count() < 10 {
            continue;
        }
        let mut model = model.clone();
        model.animations = (0..10).map(|f| skelobj::model::Animation::frames("f", f * 5, 5, 10.0, false)).collect();
        let blend = |animation, time, weight| Blend { animation, time, weight };
        let state = FrameState::blended([blend(1, 0.0, 0.25), blend(3, 0.25, 0.75)]);
        let frames = [(5, 0.25), (17, 0.375), (18, 0.375)];
        let tag = &model.tags[0].frames;
        let expected: Vec<f64> =
            (0..12).map(|i| frames.iter().map(|&(f, w): &(usize, f64)| f64::from(tag[f].0[i]) * w).sum()).collect();
        assert!(agree(&model.tag_matrix(0, &state).unwrap().0, &expected), "{}", case.name);
        let mesh = &model.meshes[0];
        let mut out = vec![Vec3::ZERO; 1];
        morph(mesh, PoseSource { model: &model, frame: &state }, &mut out, &mut []);
        let at = |f: usize, axis: usize| f64::from(mesh.frames.positions[f * mesh.positions.len()][axis]);
        let expected: Vec<f64> = (0..3).map(|axis| frames.iter().map(|&(f, w)| at(f, axis) * w).sum()).collect();
        assert!(agree(&out[0].to_array(), &expected), "{}", case.name);
    }
}

#[test]
fn truncated_files_are_refused_or_read_but_never_panic() {
    for case in cases("truncated_files_are_refused_or_read_but_never_panic") {
        let step = common::stride(if case.bytes.len() < 8 << 10 { 1 } else { case.bytes.len() / 300 });
        for length in (0..case.bytes.len()).step_by(step) {
            if let Ok(model) = Model::load("cut.md3", &case.bytes[..length], |_| None) {
                let frame = FrameState::single(0, 0.5);
                for mesh in &model.meshes {
                    let mut positions = vec![Vec3::ZERO; mesh.positions.len()];
                    morph(mesh, PoseSource { model: &model, frame: &frame }, &mut positions, &mut []);
                }
            }
        }
        for at in (0..case.bytes.len()).step_by(step * 3) {
            let mut changed = case.bytes.clone();
            changed[at] = !changed[at];
            let _ = Model::load("changed.md3", &changed, |_| None);
        }
    }
}

/// The manifest of the malformed files states the expected results.
#[test]
fn malformed_files_are_refused_or_read_as_their_manifest_says() {
    let test = "malformed_files_are_refused_or_read_as_their_manifest_says";
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let manifest: Value = serde_json::from_slice(&std::fs::read(shared.join("bad/manifest.json")).unwrap()).unwrap();
    let mut count = 0;
    for entry in list(&manifest) {
        let name = entry["file"].as_str().unwrap();
        if Path::new(name).extension().is_none_or(|e| e != "md3") {
            continue;
        }
        let result = Model::load(name, &std::fs::read(shared.join("bad").join(name)).unwrap(), |_| None);
        let expected = entry["expected"].as_str().unwrap();
        assert_eq!(result.is_ok(), expected.starts_with("load"), "{name}: {expected}: {:?}", result.err());
        count += 1;
        match (name, result) {
            ("md3_tag_name_no_nul.md3", Ok(model)) => {
                assert!(model.tags.iter().any(|tag| tag.name.as_bytes() == [0xff; 64]), "{:?}", model.tags);
            }
            ("md3_tag_name_empty.md3", Ok(model)) => {
                assert!(model.tags.iter().any(|tag| tag.name.is_empty()));
                assert_eq!(model.find_tag(b""), None);
            }
            ("md3_surf_ofsend0.md3", Err(error)) => {
                assert!(matches!(error.problem, ModelProblem::OutOfRange { field: "ofsEnd", .. }), "{error}");
            }
            _ => {}
        }
    }
    assert_eq!(count, 8);
    println!("shared cases: {test}: {count}");
}

fn field(bytes: &mut Vec<u8>, value: i32) {
    bytes.extend(value.to_le_bytes());
}

fn name(bytes: &mut Vec<u8>, name: &str) {
    let end = bytes.len() + 64;
    bytes.extend(name.bytes());
    bytes.resize(end, 0);
}

/// Returns two frames, one tag that turns left, and one surface of one triangle with two shaders.
fn small() -> Vec<u8> {
    let mut bytes = b"IDP3".to_vec();
    field(&mut bytes, 15);
    name(&mut bytes, "small");
    let frames_at = 108;
    let tags_at = frames_at + 2 * 56;
    let surfaces_at = tags_at + 2 * 112;
    for value in [8, 2, 1, 1, 0, frames_at, tags_at, surfaces_at, 0] {
        field(&mut bytes, value);
    }
    for _ in 0..2 {
        for float in [-3.0_f32, -4.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 5.5] {
            bytes.extend(float.to_le_bytes());
        }
        bytes.extend([b'f'; 16]);
    }
    let axes =
        [[[1.0_f32, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]];
    for (frame, axes) in axes.iter().enumerate() {
        name(&mut bytes, if frame == 0 { "tag_a" } else { "other" });
        for float in [frame as f32, 0.0, 2.0].iter().chain(axes.as_flattened()) {
            bytes.extend(float.to_le_bytes());
        }
    }
    bytes.extend(b"IDP3");
    name(&mut bytes, "skin");
    let shaders_at = 108;
    let triangles_at = shaders_at + 2 * 68;
    let texcoords_at = triangles_at + 12;
    let vertices_at = texcoords_at + 3 * 8;
    let end = vertices_at + 6 * 8;
    for value in [0, 2, 2, 3, 1, triangles_at, shaders_at, texcoords_at, vertices_at, end] {
        field(&mut bytes, value);
    }
    for shader in ["red", "blue"] {
        name(&mut bytes, shader);
        field(&mut bytes, 0);
    }
    for value in [0, 1, 2] {
        field(&mut bytes, value);
    }
    for float in [0.0_f32, 0.25, 0.5, 0.75, 1.0, 0.5] {
        bytes.extend(float.to_le_bytes());
    }
    for vertex in 0..6_i16 {
        for value in [64 * vertex, -32, 0] {
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend([0, 0]);
    }
    bytes
}

#[test]
fn a_small_file_is_read_as_written() {
    let model = Model::load("small.md3", &small(), |_| None).unwrap();
    assert_eq!((model.frame_count(), model.tag_count(), model.flags), (2, 1, 8));
    assert_eq!(model.warnings, []);
    assert_eq!(model.tag_name(0).unwrap().to_string(), "tag_a");
    assert_eq!((model.bounds[0].xy_radius, model.bounds[0].radius), (5.0, 5.5));
    let mesh = &model.meshes[0];
    assert_eq!(mesh.positions, [[0.0, -0.5, 0.0], [1.0, -0.5, 0.0], [2.0, -0.5, 0.0]]);
    assert_eq!(mesh.frames.positions[3], [3.0, -0.5, 0.0]);
    assert_eq!(mesh.normals[0], [0.0, 0.0, 1.0]);
    let materials: Vec<_> = model.skins.iter().map(|s| (s.mesh, s.materials[0].material.to_string())).collect();
    assert_eq!(materials, [(0, "red".to_owned()), (0, "blue".to_owned())]);
    let turned = model.tag_matrix(0, &FrameState::single(1, 0.0)).unwrap();
    assert_eq!((turned.forward(), turned.left()), (Vec3::Y, -Vec3::X));
    assert_eq!(turned.origin(), Vec3::new(1.0, 0.0, 2.0));
}

#[test]
fn framegroups_cut_a_small_file_into_animations_and_tags_follow() {
    let side = |name: &str| (name == "small.md3.framegroups").then(|| b"0 2 10 1 turn".to_vec());
    let model = Model::load("small.md3", &small(), side).unwrap();
    assert_eq!(model.animations.len(), 1);
    let between = model.tag_matrix(0, &FrameState::single(0, 0.025)).unwrap();
    let expected = Mat3x4([0.75, -0.25, 0.0, 0.25, 0.25, 0.75, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0]);
    assert!(between.0.iter().zip(expected.0).all(|(a, b)| (a - b).abs() < 1e-6), "{between:?}");
}

#[test]
fn indexes_and_counts_outside_their_range_are_refused_where_they_stand() {
    let surface = 108 + 2 * 56 + 2 * 112;
    let cases = [
        (4, 14, "header", 4),
        (76, 0, "header", 76),
        (80, -1, "header", 80),
        (84, 2, "surface", small().len()),
        (surface, 7, "surface", surface),
        (surface + 72, 3, "surface", surface + 72),
        (surface + 104, 107, "surface", surface + 104),
        (surface + 108 + 136, 3, "triangles", surface + 108 + 136),
        (surface + 108 + 136, -1, "triangles", surface + 108 + 136),
        (surface + 88, -4, "surface", surface + 88),
        (surface + 88, i32::MAX, "triangles", surface + i32::MAX as usize),
    ];
    for (at, value, section, offset) in cases {
        let mut bytes = small();
        bytes[at..at + 4].copy_from_slice(&i32::to_le_bytes(value));
        let error = Model::load("bad.md3", &bytes, |_| None).unwrap_err();
        assert_eq!((error.section, error.offset), (section, offset), "{value} at {at}: {error}");
    }
}
