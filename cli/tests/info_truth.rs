//! `skelobj info --json` compared with the findings of independent readers.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Relative tolerance of all recorded numbers.
const TOLERANCE: f64 = 2e-4;
/// Tolerance of boxes, as a fraction of the box.
const BOX_TOLERANCE: f64 = 1e-3;
/// Tolerance of poses, in the unit of the files.
const POSE_TOLERANCE: f64 = 1e-4;

fn shared() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let path = std::env::var_os("SKELOBJ_SHARED").map_or_else(beside, PathBuf::from);
    path.is_dir().then_some(path)
}

fn info(args: &[&str]) -> Value {
    let output =
        Command::new(env!("CARGO_BIN_EXE_skelobj")).args([&["info", "--json"], args].concat()).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the truth files below a folder, by path.
fn truths(folder: &Path) -> Vec<(PathBuf, Value)> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(truths(&path));
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let truth = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
            found.push((path, truth));
        }
    }
    found
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns every number in a value, at any depth.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(number) => vec![number.as_f64().unwrap()],
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        Value::Null => Vec::new(),
        other => panic!("{other}"),
    }
}

fn assert_numbers(what: &str, ours: &Value, truth: &Value) {
    let (ours, truth) = (numbers(ours), numbers(truth));
    assert_eq!(ours.len(), truth.len(), "{what}");
    for (ours, truth) in ours.into_iter().zip(truth) {
        assert!((ours - truth).abs() <= TOLERANCE * truth.abs().max(1.0), "{what}: {ours} {truth}");
    }
}

/// Compares matrices; one with a number that exceeds an f32 must only exist.
fn assert_matrices(what: &str, ours: &Value, truth: &Value) {
    assert_eq!(list(ours).len(), list(truth).len(), "{what}");
    for (bone, (ours, truth)) in list(ours).iter().zip(list(truth)).enumerate() {
        if numbers(truth).iter().all(|&number| (number as f32).is_finite()) {
            assert_numbers(&format!("{what} bone {bone}"), ours, truth);
        }
    }
}

fn assert_box(what: &str, ours: &Value, truth: &Value) {
    let (mins, maxs) = (numbers(&truth["mins"]), numbers(&truth["maxs"]));
    let size = mins.iter().zip(&maxs).map(|(a, b)| (b - a).powi(2)).sum::<f64>().sqrt();
    for (key, truth) in [("mins", mins), ("maxs", maxs)] {
        let ours = numbers(&ours[key]);
        assert_eq!(ours.len(), 3, "{what} {key}");
        assert!(
            ours.iter().zip(&truth).all(|(a, b)| (a - b).abs() <= BOX_TOLERANCE * size),
            "{what} {ours:?} {truth:?}"
        );
    }
}

/// Compares bones, animations and frames; returns the number of compared fields.
fn assert_skeleton(name: &str, ours: &Value, truth: &Value) -> usize {
    let mut fields = 0;
    let mut has = |key: &str| {
        let present = truth.get(key).is_some();
        fields += usize::from(present);
        present
    };
    // The truth covers a single file and lacks the frames of sequence groups in other files.
    let is_beside = |animation: &Value| animation["seqgroup"].as_u64().is_some_and(|group| group > 0);
    let whole = !list(&truth["anims"]).iter().any(is_beside);
    for key in ["bone_count", "bone_names", "frame_count"] {
        let same = ours[key] == truth[key] || (key == "frame_count" && !whole);
        assert!(!has(key) || same, "{name} {key}: {} {}", ours[key], truth[key]);
    }
    if has("bone_parents") {
        let mut parents = truth["bone_parents"].clone();
        if truth["format"] == "psa" {
            // In the file the root is its own parent.
            parents[0] = (-1).into();
        }
        assert_eq!(ours["bone_parents"], parents, "{name}");
    }
    if has("base_abs_matrices") {
        assert_eq!(ours["base_abs_matrices"].is_null(), truth["base_abs_matrices"].is_null(), "{name}");
        assert_matrices(&format!("{name} bind pose"), &ours["base_abs_matrices"], &truth["base_abs_matrices"]);
    }
    if has("anims") {
        // The .framegroups file, which the truth lists separately, replaces the animations of the file.
        let listed = &truth["framegroups_file"];
        let animations = if name == "dpm/spiderbot.dpm" && listed.is_array() { listed } else { &truth["anims"] };
        assert_eq!(list(&ours["anims"]).len(), list(animations).len(), "{name}");
        for (ours, truth) in list(&ours["anims"]).iter().zip(list(animations)) {
            for key in ["first", "count", "loop"] {
                let same = ours[key] == truth[key] || (key == "first" && is_beside(truth));
                assert!(same, "{name} {key} of {}: {} {}", truth["name"], ours[key], truth[key]);
            }
            // Files without a rate play ten poses per second, with a warning.
            let fps = if truth["fps"] == 0.0 { Value::from(10.0) } else { truth["fps"].clone() };
            assert_numbers(&format!("{name} fps"), &ours["fps"], &fps);
            let stem = Path::new(name).file_stem().unwrap().to_str().unwrap();
            let called = truth["name"].as_str().filter(|name| !name.is_empty() || truth["format"] != "md5anim");
            assert_eq!(ours["name"], called.filter(|name| !name.is_empty()).unwrap_or(stem), "{name}");
        }
    }
    if has("frames") {
        assert_eq!(list(&ours["frames"]).len(), list(&truth["frames"]).len(), "{name}");
        for (ours, truth) in list(&ours["frames"]).iter().zip(list(&truth["frames"])) {
            let what = format!("{name} frame {}", truth["frame"]);
            assert_eq!(ours["frame"], truth["frame"], "{name}");
            for space in ["rel", "abs"] {
                assert_matrices(&format!("{what} {space}"), &ours[space], &truth[space]);
            }
            // A file of animations has no skin; the truth used that of another file.
            for (ours, truth) in list(&ours["mesh_bbox"]).iter().zip(list(&truth["mesh_bbox"])) {
                assert_box(&what, ours, truth);
            }
        }
    }
    fields
}

fn assert_meshes(name: &str, ours: &Value, truth: &Value) -> usize {
    assert_eq!(list(ours).len(), list(truth).len(), "{name}");
    for (number, (ours, truth)) in list(ours).iter().zip(list(truth)).enumerate() {
        let what = format!("{name} mesh {number}");
        for key in ["name", "material", "triangle_count"] {
            assert_eq!(ours[key], truth[key], "{what}");
        }
        let vertices = ours.get("file_vertex_count").unwrap_or(&ours["vertex_count"]);
        assert_eq!(vertices, &truth["vertex_count"], "{what}");
        assert_box(&what, &ours["bbox_base"], &truth["bbox_base"]);
    }
    list(truth).len()
}

fn assert_surfaces(name: &str, ours: &Value, truth: &Value) -> usize {
    assert_eq!(ours["flags"], truth["flags"], "{name}");
    assert_eq!(ours["tag_names"], truth["tag_names"], "{name}");
    for (frame, truth) in truth["tags_sampled"].as_object().unwrap() {
        let ours = &ours["tags_sampled"][frame];
        assert_eq!(list(ours).len(), list(truth).len(), "{name} frame {frame}");
        for (ours, truth) in list(ours).iter().zip(list(truth)) {
            assert_eq!(ours["name"], truth["name"], "{name}");
            for key in ["origin", "axes"] {
                assert_numbers(&format!("{name} frame {frame} {}", truth["name"]), &ours[key], &truth[key]);
            }
        }
    }
    let (ours, truth) = (list(&ours["surfaces"]), list(&truth["surfaces"]));
    assert_eq!(ours.len(), truth.len(), "{name}");
    for (ours, truth) in ours.iter().zip(truth) {
        let what = format!("{name} {}", truth["name"]);
        for key in ["name", "shaders", "vertex_count", "triangle_count", "first_triangle"] {
            assert_eq!(ours[key], truth[key], "{what} {key}");
        }
        assert_numbers(&what, &ours["first_vertex_tc"], &truth["first_vertex_tc"]);
        for (frame, truth_box) in truth["bbox_sampled"].as_object().unwrap() {
            assert_box(&what, &ours["bbox_sampled"][frame], truth_box);
            for key in ["first_vertex_pos", "first_vertex_normal"] {
                assert_numbers(&format!("{what} frame {frame} {key}"), &ours[key][frame], &truth[key][frame]);
            }
        }
    }
    truth.len()
}

#[test]
fn every_field_that_a_truth_file_has_too_is_the_same() {
    let test = "every_field_that_a_truth_file_has_too_is_the_same";
    let Some(shared) = shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let (mut files, mut fields) = (0, 0);
    for folder in ["derived_iqm", "derived_psk", "dpm", "hlmdl", "iqm", "md3", "md5", "psk", "zym"] {
        for (path, truth) in truths(&shared.join("truth").join(folder)) {
            // A supplement adds facts about the same file.
            if path.to_str().unwrap().ends_with(".more.json") {
                continue;
            }
            let name = truth["file"].as_str().unwrap();
            let file = shared.join("corpus").join(name);
            let frames: Vec<String> = list(&truth["frames"]).iter().map(|frame| frame["frame"].to_string()).collect();
            let (frames, file) = (frames.join(","), file.to_str().unwrap());
            let mut args = vec![file];
            if !frames.is_empty() {
                args.extend(["--frames", &frames]);
            }
            let ours = info(&args);
            fields += assert_skeleton(name, &ours, &truth);
            match truth.get("surfaces") {
                Some(_) => fields += assert_surfaces(name, &ours, &truth),
                None if truth.get("meshes").is_some() => {
                    fields += assert_meshes(name, &ours["meshes"], &truth["meshes"]);
                }
                None => {}
            }
            files += 1;
        }
    }
    assert!(files >= 67, "{files} files");
    println!("shared cases: {test}: {files} ({fields} fields, surfaces and meshes)");
}

#[test]
fn bones_of_nel_skeletons_are_those_of_the_file() {
    let test = "bones_of_nel_skeletons_are_those_of_the_file";
    let Some(shared) = shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let mut files = 0;
    for (_, truth) in truths(&shared.join("truth/nel")) {
        let (Some(name), Some(bones)) = (truth["file"].as_str(), truth["bones"].as_array()) else { continue };
        let ours = info(&[shared.join("corpus/nel").join(name).to_str().unwrap()]);
        for (key, truth_key) in [("bone_names", "name"), ("bone_parents", "parent")] {
            assert_eq!(ours[key], bones.iter().map(|bone| bone[truth_key].clone()).collect::<Value>(), "{name}");
        }
        files += 1;
    }
    assert!(files >= 7, "{files}");
    println!("shared cases: {test}: {files}");
}

/// Converts NeL's axes to Quake's, as far as tracks turned them.
fn in_quake_axes(truth: &Value, vector: &[f64]) -> [f64; 3] {
    match truth["anim"].is_null() {
        true => [vector[0], vector[1], vector[2]],
        false => [-vector[1], vector[0], vector[2]],
    }
}

fn assert_near(what: &str, ours: &Value, theirs: [f64; 3], tolerance: f64) {
    let ours = numbers(ours);
    assert!(
        ours.len() == 3 && ours.iter().zip(theirs).all(|(a, b)| (a - b).abs() < tolerance),
        "{what}: {ours:?} {theirs:?}"
    );
}

#[test]
fn poses_at_any_time_are_those_of_the_real_library() {
    let test = "poses_at_any_time_are_those_of_the_real_library";
    let Some(shared) = shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let (mut files, mut poses, mut vertices) = (0, 0, 0);
    for (path, truth) in truths(&shared.join("truth/nel")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if !name.starts_with("pose_") {
            continue;
        }
        let file = |key: &str| Some(shared.join("corpus/nel").join(truth[key].as_str()?).to_str()?.to_owned());
        let times = list(&truth["poses"]).iter().map(|pose| pose["time"].as_f64().unwrap_or(0.0).to_string());
        let mut args = vec![file("shape").unwrap(), "--time".to_owned(), times.collect::<Vec<_>>().join(",")];
        for with in ["skel", "anim"].into_iter().filter_map(file) {
            args.extend(["--with".to_owned(), with]);
        }
        let ours = info(&args.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(list(&ours["poses"]).len(), list(&truth["poses"]).len(), "{name}");
        for (ours, pose) in list(&ours["poses"]).iter().zip(list(&truth["poses"])) {
            let what = format!("{name} at {}", pose["time"]);
            assert_eq!(list(&ours["boneLocal"]).len(), list(&pose["boneLocal"]).len(), "{what}");
            for (bone, (ours, theirs)) in list(&ours["boneLocal"]).iter().zip(list(&pose["boneLocal"])).enumerate() {
                for column in 0..4 {
                    let [ours, theirs] = [ours, theirs].map(|m| [0, 1, 2].map(|row| m[row][column].clone()));
                    let theirs = in_quake_axes(&truth, &numbers(&Value::from(theirs.to_vec())));
                    assert_near(&format!("{what} bone {bone}"), &ours.to_vec().into(), theirs, POSE_TOLERANCE);
                }
            }
            // The library computes normals with f32 matrices that are not normalised.
            for (key, tolerance) in [("skinnedPositions", POSE_TOLERANCE), ("skinnedNormals", 1e-3)] {
                // The library also moves vertices that no triangle of the finest level has.
                let shown = list(&ours[key]).iter().enumerate().filter(|(_, ours)| ours.is_array());
                for (vertex, ours) in shown.filter(|_| pose.get(key).is_some()) {
                    let mut theirs = in_quake_axes(&truth, &numbers(&pose[key][vertex]));
                    if key == "skinnedNormals" {
                        let length = theirs.iter().map(|v| v * v).sum::<f64>().sqrt();
                        theirs = theirs.map(|v| v / length);
                    }
                    assert_near(&format!("{what} {key} {vertex}"), ours, theirs, tolerance);
                    vertices += usize::from(key == "skinnedPositions");
                }
            }
            poses += 1;
        }
        files += 1;
    }
    assert!(files >= 7 && vertices > 10_000, "{files} files, {vertices} vertices");
    println!("shared cases: {test}: {files} ({poses} poses, {vertices} skinned vertices)");
}
