//! Documents as exporters and games write them, valid or not.

use serde_json::{Value, json};
use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{AnimationSource, FrameState};
use skelobj::pose::{PoseSource, morph, palette, skin_morphed, to_model_space};

use super::made::{Buffer, glb, load, read, small};
use crate::common;

#[test]
fn channels_without_a_node_are_left_out_with_a_warning() {
    let (mut document, binary) = small();
    let expected = read(&document, &binary);
    let pointer = json!({ "sampler": 0, "target": {
        "path": "pointer",
        "extensions": { "KHR_animation_pointer": { "pointer": "/nodes/0/translation" } },
    } });
    let nothing = json!({ "sampler": 0, "target": { "path": "rotation" } });
    document["animations"][0]["channels"].as_array_mut().unwrap().extend([pointer, nothing]);
    document["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    let model = read(&document, &binary);
    assert_eq!((&model.frames, &model.animations), (&expected.frames, &expected.animations));
    let fixups: Vec<_> = model.warnings.iter().map(|warning| (warning.section, warning.message())).collect();
    assert_eq!(
        fixups,
        [("animations", "skipped: a channel without a node or with unreadable data".to_owned())],
        "once for an animation"
    );
}

#[test]
fn a_scene_without_nodes_is_read() {
    let (mut document, binary) = small();
    document["scenes"].as_array_mut().unwrap().push(json!({ "name": "empty" }));
    assert_eq!(read(&document, &binary).meshes.len(), 1);
    document["scene"] = json!(1);
    assert_eq!(read(&document, &binary).meshes.len(), 0);
}

#[test]
fn commas_after_the_last_element_are_let_through() {
    let (document, binary) = small();
    let expected = read(&document, &binary);
    let mut document = document;
    // A name that contains a comma before a bracket.
    document["nodes"][0]["name"] = json!("a,] \\\",}");
    let plain = document.to_string();
    assert!(plain.contains(",] "));
    let odd = plain.replace("}]", "}, ]").replace("}}", "},}");
    assert!(odd.len() > plain.len() + 5);
    let mut bytes = glb(&json!({}), &binary);
    // The buffer is a data URI, so that the text is a complete file.
    let start = bytes.len() - binary.len().next_multiple_of(4);
    bytes.drain(..start);
    let uri: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    let inside = |text: &str| {
        let buffer = format!("\"uri\":\"data:,{uri}\",\"byteLength\"");
        let at = text.find("\"buffers\"").unwrap();
        format!("{}{}", &text[..at], text[at..].replacen("\"byteLength\"", &buffer, 1))
    };
    let model = load(inside(&odd).as_bytes()).unwrap();
    assert_eq!(model.skeleton.names()[0], *"a,] \\\",}");
    assert_eq!((&model.meshes, &model.frames), (&expected.meshes, &expected.frames));
    let warnings: Vec<_> = model.warnings.iter().map(|warning| warning.message()).collect();
    assert_eq!(warnings, ["accepted: a trailing comma".to_owned()]);
    let text = inside(&odd);
    assert!(text.as_bytes()[model.warnings[0].offset] == b',');
    // Two of them are not.
    assert_eq!(load(inside(&plain.replace("}]", "},,]")).as_bytes()).unwrap_err().section, "JSON");
}

#[test]
fn a_mesh_that_is_left_out_is_reported_once() {
    let (mut document, binary) = small();
    let mut lines = document["meshes"][0]["primitives"][0].clone();
    lines["mode"] = json!(1);
    document["meshes"][0]["primitives"] = json!(vec![lines; 20]);
    let nodes = document["nodes"].as_array_mut().unwrap();
    nodes.extend((0..5).map(|_| json!({ "mesh": 0 })));
    document["scenes"][0]["nodes"] = json!([0, 2, 3, 4, 5, 6, 7]);
    let model = read(&document, &binary);
    assert!(model.meshes.is_empty());
    let warnings: Vec<_> = model.warnings.iter().map(|warning| (warning.section, warning.message())).collect();
    assert_eq!(warnings, [("meshes", "skipped: primitives that have no triangles".to_owned())]);
}

/// Returns a document with a square whose first corner a morph raises by one metre, in two keys of a second each.
fn square(buffer: &mut Buffer) -> (Value, Value) {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let positions = buffer.floats(&corners);
    let raised = buffer.floats(&[[0.0, 1.0, 0.0], [0.0; 3], [0.0; 3]]);
    let times = buffer.floats(&[[0.0], [1.0]]);
    let strengths = buffer.floats(&[[0.0], [1.0]]);
    let mesh = json!({ "primitives": [{
        "attributes": { "POSITION": positions },
        "targets": [{ "POSITION": raised }],
    }] });
    (mesh, json!({ "input": times, "output": strengths }))
}

/// Returns the position of the first skinned vertex at a time.
fn corner(model: &Model, time: f64) -> Vec3 {
    let frame = FrameState::single(0, time);
    let source = PoseSource { model, frame: &frame };
    let mesh = &model.meshes[0];
    let mut places = vec![Vec3::ZERO; mesh.positions.len()];
    morph(mesh, source, &mut places, &mut []);
    let bones = model.skeleton.len();
    let mut relative = vec![Mat3x4::IDENTITY; bones];
    skelobj::pose::sample(source, 0..bones, &mut relative);
    let mut absolute = relative.clone();
    to_model_space(model.skeleton.parents(), &relative, &mut absolute);
    let mut matrices = absolute.clone();
    palette(&absolute, model.skeleton.inverse_bind(), &mut matrices);
    skin_morphed(mesh, &matrices, &mut places, &mut []);
    places[0]
}

#[test]
fn shapes_move_beside_a_camera_that_moves() {
    let mut buffer = Buffer::default();
    let (mesh, weights) = square(&mut buffer);
    let places = buffer.floats(&[[0.0, 0.0, 0.0], [0.0, 5.0, 0.0]]);
    let document = buffer.document(json!({
        "nodes": [
            { "name": "square", "mesh": 0 },
            { "name": "boom", "children": [2] },
            { "name": "camera", "camera": 0 },
        ],
        "cameras": [{ "type": "perspective", "perspective": { "yfov": 1, "znear": 0.1 } }],
        "meshes": [mesh],
        "animations": [{
            "channels": [
                { "sampler": 0, "target": { "node": 0, "path": "weights" } },
                { "sampler": 1, "target": { "node": 1, "path": "translation" } },
                { "sampler": 1, "target": { "node": 2, "path": "translation" } },
            ],
            "samplers": [weights, { "input": weights["input"], "output": places }],
        }],
    }));
    let model = read(&document, &buffer.bytes);
    assert!(model.skeleton.is_empty(), "a camera and what it hangs on are no bones");
    assert!((corner(&model, 0.5) - Vec3::Z * 15.0).length() < 1e-4, "{}", corner(&model, 0.5));
    assert_eq!(model.frame_count(), 21);
}

#[test]
fn shapes_move_along_splines() {
    let mut buffer = Buffer::default();
    let (mesh, mut weights) = square(&mut buffer);
    // Of each key the tangent before it, its weight, and the tangent behind it.
    weights["output"] = json!(buffer.floats(&[[0.0], [0.0], [0.0], [0.0], [1.0], [0.0]]));
    weights["interpolation"] = json!("CUBICSPLINE");
    let document = buffer.document(json!({
        "nodes": [{ "name": "square", "mesh": 0 }],
        "meshes": [mesh],
        "animations": [{
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
            "samplers": [weights],
        }],
    }));
    let model = read(&document, &buffer.bytes);
    for (time, height) in [(0.0, 0.0), (0.25, 30.0 * 0.15625), (0.5, 15.0), (0.75, 30.0 * 0.84375), (1.0, 30.0)] {
        assert!((corner(&model, time) - Vec3::Z * height).length() < 1e-4, "{time}: {}", corner(&model, time));
    }
}

#[test]
fn shapes_of_a_skinned_mesh_move_before_its_bones_do() {
    let mut buffer = Buffer::default();
    let (mut mesh, weights) = square(&mut buffer);
    let joints = buffer.accessor(&[0; 12], 5121, "VEC4", 3);
    let whole = buffer.floats(&[[1.0, 0.0, 0.0, 0.0]; 3]);
    mesh["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    mesh["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(whole);
    mesh["weights"] = json!([0.5]);
    let places = buffer.floats(&[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    let document = buffer.document(json!({
        "nodes": [{ "name": "bone" }, { "name": "square", "mesh": 0, "skin": 0 }],
        "skins": [{ "joints": [0] }],
        "meshes": [mesh],
        "animations": [{
            "channels": [
                { "sampler": 0, "target": { "node": 1, "path": "weights" } },
                { "sampler": 1, "target": { "node": 0, "path": "translation" } },
            ],
            "samplers": [weights, { "input": weights["input"], "output": places }],
        }],
    }));
    let model = read(&document, &buffer.bytes);
    assert_eq!(model.skeleton.len(), 1);
    assert_eq!(model.meshes[0].positions[0], [0.0, 0.0, 15.0], "half of it by default");
    for (time, height, left) in [(0.0, 0.0, 0.0), (0.5, 15.0, 30.0), (1.0, 30.0, 60.0)] {
        let expected = Vec3::new(0.0, left, height);
        assert!((corner(&model, time) - expected).length() < 1e-4, "{time}: {}", corner(&model, time));
    }
    // Also after writing and reading.
    let back = load(&skelobj::write::glb(&model).unwrap()).unwrap();
    for time in [0.0, 0.3, 0.75, 1.0] {
        assert!((corner(&model, time) - corner(&back, time)).length() < 1e-4, "{time}");
    }
}

#[test]
fn real_files_load() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED real_files_load: no shared folder");
        return;
    };
    let load = |file: &str| {
        let bytes = std::fs::read(shared.join("bad/amplify").join(file)).unwrap();
        Model::load(file, &bytes, |_| None)
    };
    let pointer = load("ptr.gltf").unwrap();
    assert_eq!((pointer.animations.len(), pointer.warnings.len()), (1, 1));
    let empty = load("emptyscene.gltf").unwrap();
    assert_eq!((empty.animations.len(), empty.warnings.len()), (1, 0));
    let far = load("inf.gltf").unwrap_err().to_string();
    assert!(far.ends_with("the transform of node \"b\" exceeds the range of an f32"), "{far}");
    println!("shared cases: real_files_load: 3");
}

#[test]
fn still_poses_are_stored_once() {
    // Moves for a second, holds for eight, moves back for one.
    let mut buffer = Buffer::default();
    let times = buffer.floats(&[[0.0], [1.0], [9.0], [10.0]]);
    let ys = buffer.floats(&[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.0]]);
    let still = buffer.floats(&[[0.0, 2.0, 0.0]; 4]);
    let animation = |output: usize| {
        json!({
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
            "samplers": [{ "input": times, "output": output }],
        })
    };
    let document = buffer.document(json!({
        "nodes": [{ "name": "lift" }],
        "animations": [animation(ys), animation(still)],
    }));
    let model = read(&document, &buffer.bytes);
    let [moves, holds] = &model.animations[..] else { panic!("{:?}", model.animations) };
    assert_eq!((moves.pose_count(), moves.rate, moves.duration()), (201, 20.0, 10.05));
    assert_eq!(holds.pose_count(), 200, "it ends as it begins, so it loops");
    assert_eq!(model.frame_count(), 41 + 1);
    let AnimationSource::List(frames) = &holds.source else { panic!("{:?}", holds.source) };
    assert!(frames.iter().all(|&frame| frame == 41));
    let height = |pose: usize| model.pose(moves, pose)[0].origin().z;
    for (pose, expected) in [(0, 0.0), (10, 15.0), (20, 30.0), (100, 30.0), (180, 30.0), (190, 22.5), (200, 15.0)] {
        assert!((height(pose) - expected).abs() < 1e-3, "{pose}: {}", height(pose));
    }
}
