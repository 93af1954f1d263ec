//! Documents that contradict themselves.

use serde_json::{Value, json};
use skelobj::model::ModelProblem;

use super::made::{glb, load, small};

/// Returns the error text of the small file with a change, without its byte offset.
fn refused(change: impl FnOnce(&mut Value)) -> (&'static str, String) {
    let (mut document, binary) = small();
    change(&mut document);
    let error = load(&glb(&document, &binary)).unwrap_err();
    (error.section, error.problem.to_string())
}

#[test]
fn indexes_outside_their_lists_are_refused() {
    let outside = |pointer: &str, section: &str, problem: &str| {
        let found = refused(|document| {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            document.pointer_mut(parent).unwrap()[key] = json!(99);
        });
        assert_eq!(found, (section, problem.to_owned()), "{pointer}");
    };
    let list = |pointer: &str, section: &str, problem: &str| {
        let found = refused(|document| *document.pointer_mut(pointer).unwrap() = json!([99]));
        assert_eq!(found, (section, problem.to_owned()), "{pointer}");
    };
    outside("/scene", "scenes", "scene is 99, expected 0");
    list("/scenes/0/nodes", "scenes", "node is 99, expected 0 to 2");
    list("/nodes/0/children", "nodes", "child is 99, expected 0 to 2");
    list("/skins/0/joints", "skins", "joint is 99, expected 0 to 2");
    outside("/nodes/2/mesh", "nodes", "mesh is 99, expected 0");
    outside("/nodes/2/skin", "nodes", "skin is 99, expected 0");
    outside("/skins/0/inverseBindMatrices", "accessors", "accessor is 99, expected 0 to 7");
    outside("/meshes/0/primitives/0/indices", "accessors", "accessor is 99, expected 0 to 7");
    outside("/meshes/0/primitives/0/material", "meshes", "material is 99, expected 0");
    outside("/meshes/0/primitives/0/attributes/POSITION", "accessors", "accessor is 99, expected 0 to 7");
    outside("/animations/0/channels/0/target/node", "animations", "node is 99, expected 0 to 2");
    outside("/animations/0/channels/0/sampler", "animations", "sampler is 99, expected 0");
    outside("/accessors/0/bufferView", "accessors", "bufferView is 99, expected 0 to 8");
    outside("/bufferViews/0/buffer", "bufferViews", "buffer is 99, expected 0");
}

#[test]
fn ranges_outside_their_buffers_are_refused() {
    let huge = [u64::MAX, u64::MAX / 12, 1 << 40, 4, 1 << 32];
    for (pointer, key) in [
        ("/accessors/0", "count"),
        ("/accessors/0", "byteOffset"),
        ("/accessors/7/sparse", "count"),
        ("/accessors/7/sparse/values", "byteOffset"),
        ("/bufferViews/0", "byteOffset"),
        ("/bufferViews/0", "byteLength"),
        ("/bufferViews/0", "byteStride"),
        ("/buffers/0", "byteLength"),
    ] {
        for value in huge {
            let (mut document, binary) = small();
            document.pointer_mut(pointer).unwrap()[key] = json!(value);
            let result = load(&glb(&document, &binary));
            assert!(result.is_err() || value == 4, "{pointer} {key} {value}");
        }
    }
    // Zeros need no buffer, but they need memory.
    let (section, problem) = refused(|document| {
        let zeros = json!({ "componentType": 5126, "type": "VEC3", "count": 1_u64 << 33 });
        document["accessors"][0] = zeros;
        document["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("indices");
        document["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": 0 });
    });
    assert!(section == "meshes" && problem.contains("bytes of memory"), "{section}: {problem}");
}

#[test]
fn nodes_that_do_not_form_a_tree_are_refused() {
    let cycle = refused(|document| document["nodes"][1]["children"] = json!([0]));
    assert_eq!(cycle, ("nodes", "root above this node missing".into()));
    let own = refused(|document| document["nodes"][1]["children"] = json!([1]));
    assert_eq!(own, ("nodes", "parent is 1, expected 0".into()));
    let itself = refused(|document| document["nodes"][2]["children"] = json!([2]));
    assert_eq!(itself, ("nodes", "root above this node missing".into()));
    let many = refused(|document| {
        let nodes: Vec<Value> = (0..70_000).map(|_| json!({ "name": "n" })).collect();
        document["skins"][0]["joints"] = json!((0..70_000).collect::<Vec<_>>());
        document["nodes"] = json!(nodes);
    });
    assert_eq!(many, ("nodes", "number of bones is 70000, expected 0 to 8192".into()));
}

#[test]
fn errors_say_where_they_are() {
    let (mut document, binary) = small();
    document["nodes"][1]["mesh"] = json!(7);
    let bytes = glb(&document, &binary);
    let error = load(&bytes).unwrap_err();
    let node = bytes[error.offset..].split_inclusive(|byte| *byte == b'}').next().unwrap();
    assert!(node.starts_with(b"{") && String::from_utf8_lossy(node).contains("\"mesh\":7"), "{error}");

    let text = b"{ \"asset\": { \"version\": \"2.0\" },\n  \"nodes\": [{ \"mesh\": -1 }] }";
    let error = load(text).unwrap_err();
    assert_eq!((error.section, &text[error.offset - 1..error.offset + 1]), ("JSON", &b"-1"[..]));
    assert!(error.to_string().contains("integer `-1`"), "{error}");
}

#[test]
fn extensions_without_which_it_is_not_understood_are_refused() {
    let name = "KHR_draco_mesh_compression";
    let found = refused(|document| document["extensionsRequired"] = json!([name]));
    assert_eq!(found.1, ModelProblem::UnsupportedExtension { name: name.into() }.to_string());
}

/// Compressed data without a required extension has arrays without bytes, or buffers without any.
#[test]
fn compression_is_named() {
    let found = refused(|document| {
        document["meshes"][0]["primitives"][0]["extensions"] = json!({ "KHR_draco_mesh_compression": {} });
        document["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    });
    assert_eq!(found, ("meshes", "the required extension KHR_draco_mesh_compression is not supported".into()));
    let meshopt = refused(|document| {
        let fallback = json!({ "byteLength": 4, "extensions": { "EXT_meshopt_compression": { "fallback": true } } });
        document["buffers"].as_array_mut().unwrap().push(fallback);
    });
    assert_eq!(meshopt, ("buffers", "the required extension EXT_meshopt_compression is not supported".into()));
}

#[test]
fn nodes_out_of_reach_are_refused_by_name() {
    for far in [1e38, 1e39, f64::from(f32::MAX) / 29.0] {
        let found = refused(|document| document["nodes"][1]["translation"] = json!([0, far, 0]));
        assert_eq!(found, ("nodes", "the transform of node \"b\" exceeds the range of an f32".into()), "{far}");
    }
    // Each is in range, but not combined with the other.
    let found = refused(|document| {
        document["nodes"][0]["scale"] = json!([1e20, 1e20, 1e20]);
        document["nodes"][1]["translation"] = json!([0, 1e20, 0]);
    });
    assert_eq!(found.0, "nodes");
    let (mut document, binary) = small();
    document["nodes"][1]["translation"] = json!([0, 1e36, 0]);
    assert!(load(&glb(&document, &binary)).is_ok());
}

#[test]
fn excessive_times_are_refused() {
    let (mut document, mut binary) = small();
    let at = document["bufferViews"][5]["byteOffset"].as_u64().unwrap() as usize;
    for last in [1e9_f32, f32::MAX] {
        binary[at + 8..at + 12].copy_from_slice(&last.to_le_bytes());
        let error = load(&glb(&document, &binary)).unwrap_err();
        assert_eq!(error.section, "animations", "{error}");
    }
    // Invalid times make no channel.
    binary[at + 8..at + 12].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(load(&glb(&document, &binary)).unwrap().animations.is_empty());
    document["accessors"][5]["count"] = json!(2);
    assert_eq!(load(&glb(&document, &binary)).unwrap().animations.len(), 1);
}
