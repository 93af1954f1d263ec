//! Parts that a document shares many times: read once, or refused.

use serde_json::{Value, json};
use skelobj::model::{AnimationSource, ModelProblem};

use super::made::{Buffer, glb, load, read, small};
use crate::common::watched;

/// Forty animations of thirty seconds over seventy bones, each moving one of them, as in Khronos' Virtual City.
#[test]
fn many_long_animations_of_few_bones_load() {
    let (bones, animations, keys) = (68, 41, 901);
    let mut buffer = Buffer::default();
    let times: Vec<[f32; 1]> = (0..keys).map(|key| [key as f32 / 30.0]).collect();
    let mut all = Vec::new();
    for number in 0..animations {
        let input = buffer.floats(&times);
        // Each drives for ten seconds and pauses for twenty.
        let at = |key: usize| (key.clamp(number * 10, number * 10 + 300) - number * 10) as f32 * 0.1;
        let output = buffer.floats(&(0..keys).map(|key| [at(key), 0.0, 0.0]).collect::<Vec<_>>());
        let turns = buffer.floats(&vec![[0.0, 0.0, 0.0, 1.0]; keys]);
        all.push(json!({
            "channels": [
                { "sampler": 0, "target": { "node": number, "path": "translation" } },
                { "sampler": 1, "target": { "node": number, "path": "rotation" } },
            ],
            "samplers": [{ "input": input, "output": output }, { "input": input, "output": turns }],
        }));
    }
    let nodes: Vec<Value> = (0..bones).map(|bone| json!({ "name": format!("b{bone}") })).collect();
    let document = buffer.document(json!({ "nodes": nodes, "animations": all }));
    let model = watched::read("city", &glb(&document, &buffer.bytes)).unwrap();
    assert_eq!((model.skeleton.len(), model.animations.len()), (bones, animations));
    assert!(model.animations.iter().all(|animation| animation.pose_count() == keys));
    assert_eq!(model.frame_count(), animations * 301);
}

/// A thousand primitives each use three of 200,000 vertices.
#[test]
fn vertices_that_many_primitives_share_cost_what_each_uses() {
    let vertices = 200_000;
    let mut buffer = Buffer::default();
    let positions = buffer.floats(&(0..vertices).map(|x| [x as f32, 0.0, 0.0]).collect::<Vec<_>>());
    let primitives: Vec<Value> = (0..1000_u32)
        .map(|number| {
            let corners = [number * 3, number * 100, vertices as u32 - 1 - number].map(u32::to_le_bytes).concat();
            let indices = buffer.accessor(&corners, 5125, "SCALAR", 3);
            json!({ "attributes": { "POSITION": positions, "NORMAL": positions }, "indices": indices })
        })
        .collect();
    let document = buffer.document(json!({ "nodes": [{ "mesh": 0 }], "meshes": [{ "primitives": primitives }] }));
    let model = watched::read("shared", &glb(&document, &buffer.bytes)).unwrap();
    assert_eq!(model.meshes.len(), 1000);
    let places: Vec<f32> = model.meshes[7].positions.iter().map(|position| position[1] / 30.0).collect();
    assert_eq!(places, [21.0, 700.0, 199_992.0]);
    assert_eq!(model.meshes[7].triangles, [[0, 2, 1]]);
}

#[test]
fn animations_that_do_the_same_have_the_same_frames() {
    let mut buffer = Buffer::default();
    let times = buffer.floats(&[[0.0], [1.0]]);
    let ys = buffer.floats(&[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let animation = |name: &str, extras: Value| {
        json!({
            "name": name,
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
            "samplers": [{ "input": times, "output": ys }],
            "extras": extras,
        })
    };
    let animations = [animation("a", json!({})), animation("b", json!({})), animation("c", json!({ "loop": true }))];
    let document = buffer.document(json!({ "nodes": [{ "name": "n" }], "animations": animations }));
    let model = read(&document, &buffer.bytes);
    let names: Vec<String> = model.animations.iter().map(|animation| animation.name.to_string()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert_eq!(model.animations[0].source, AnimationSource::Frames { first: 0, count: 21 });
    assert_eq!(model.animations[1].source, model.animations[0].source);
    assert_eq!(model.animations[2].source, AnimationSource::Frames { first: 21, count: 21 });
}

#[test]
fn sparse_arrays_replace_what_is_there() {
    let mut buffer = Buffer::default();
    let positions = buffer.floats(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 5.0, 0.0]]);
    let indices = buffer.bytes(&[1, 0, 3, 0]);
    let values = buffer.bytes(&[7.0f32, 0.0, 0.0, 0.0, 9.0, 0.0].map(f32::to_le_bytes).concat());
    let sparse = |count: usize| {
        json!({
            "count": count,
            "indices": { "bufferView": indices, "componentType": 5123 },
            "values": { "bufferView": values },
        })
    };
    buffer.accessors[positions]["sparse"] = sparse(2);
    let corners = buffer.accessor(&[0, 2, 3], 5121, "SCALAR", 3);
    let whole = json!({ "attributes": { "POSITION": positions } });
    let part = json!({ "attributes": { "POSITION": positions }, "indices": corners });
    for (primitives, expected) in [
        (json!([whole]), vec![[0.0; 3], [7.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 9.0, 0.0]]),
        (json!([part, part]), vec![[0.0; 3], [0.0, 0.0, 1.0], [0.0, 9.0, 0.0]]),
    ] {
        let document = json!({ "nodes": [{ "mesh": 0 }], "meshes": [{ "primitives": primitives }] });
        let model = read(&buffer.document(document), &buffer.bytes);
        let places: Vec<[f32; 3]> = expected.iter().map(|&[x, y, z]| [z * 30.0, x * 30.0, y * 30.0]).collect();
        assert_eq!(model.meshes[0].positions, places);
    }
    // More replaced elements than elements.
    buffer.accessors[positions]["sparse"] = sparse(5);
    let document = json!({ "nodes": [{ "mesh": 0 }], "meshes": [{ "primitives": [whole] }] });
    let error = load(&glb(&buffer.document(document), &buffer.bytes)).unwrap_err();
    assert_eq!(error.problem.to_string(), "sparse count is 5, expected 0 to 4");
}

/// A hundred thousand weights for one morph in a mesh that a thousand nodes show.
#[test]
fn weights_without_morphs_are_not_kept_for_each_node() {
    let (mut document, buffer) = small();
    let mut weights = vec![0.0; 100_000];
    weights[0] = 0.5;
    document["meshes"][0]["weights"] = json!(weights);
    document["scenes"][0]["nodes"].as_array_mut().unwrap().extend((3..1003).map(|node| json!(node)));
    document["nodes"].as_array_mut().unwrap().extend(vec![json!({ "mesh": 0 }); 1000]);
    let model = watched::read("weights", &glb(&document, &buffer)).unwrap();
    assert_eq!(model.meshes.len(), 1001);
    assert!(model.meshes.iter().all(|mesh| mesh.morphs[0].name == *"pull"));
}

/// Two hundred equal animations; of 100,000 poses all but the first are one frame.
#[test]
fn lists_of_frames_are_not_copied_for_nothing() {
    let mut buffer = Buffer::default();
    let times = buffer.floats(&[[0.0], [1.0 / 30.0], [100_000.0 / 30.0]]);
    let output = buffer.floats(&[[0.0; 3], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    let animation = json!({
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
        "samplers": [{ "input": times, "output": output }],
    });
    let of = |count: usize| {
        let document = json!({ "nodes": [{ "name": "n" }], "animations": vec![animation.clone(); count] });
        glb(&buffer.document(document), &buffer.bytes)
    };
    let model = watched::read("two lists", &of(2)).unwrap();
    assert!(matches!(&model.animations[1].source, AnimationSource::List(list) if list.len() > 90_000));
    let error = watched::read("two hundred lists", &of(200)).unwrap_err();
    assert!(matches!(error.problem, ModelProblem::LimitExceeded(_)), "{error}");
}
