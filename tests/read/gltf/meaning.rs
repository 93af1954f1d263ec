//! Effects of the parts of a document.

use serde_json::{Value, json};
use skelobj::Model;
use skelobj::math::Vec3;
use skelobj::model::{AnimationSource, ModelProblem};

use super::made::{Buffer, glb, load, read, small};

#[test]
fn a_small_file_is_read_whole() {
    let (document, binary) = small();
    let model = read(&document, &binary);
    assert_eq!(model.warnings, []);
    assert_eq!(model.skeleton.names().iter().map(ToString::to_string).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(model.skeleton.bind_model()[1].origin(), Vec3::Z * 30.0);
    let mesh = &model.meshes[0];
    assert_eq!((&mesh.name, &mesh.material), (&"skin".into(), &"paint".into()));
    assert_eq!(mesh.positions, [[0.0, 0.0, 0.0], [0.0, 30.0, 0.0], [0.0, 0.0, 30.0]]);
    assert_eq!(mesh.triangles, [[0, 2, 1]]);
    assert_eq!(mesh.normals, [[1.0, 0.0, 0.0]; 3], "towards us, which is forward");
    assert_eq!(mesh.influences[0].bones[..2], [0, 1]);
    assert!((mesh.influences[0].weights[0] - 128.0 / 255.0).abs() < 1e-6);
    assert_eq!(mesh.morphs[0].name, *"pull");
    assert_eq!((&mesh.morphs[0].vertices[..], &mesh.morphs[0].positions[..]), (&[1][..], &[[0.0, 0.0, 7.5]][..]));
    // Keys twice per second: a multiple of that rate from 20 on.
    let turn = &model.animations[0];
    assert_eq!((turn.name.to_string(), turn.rate, turn.looping), ("turn".into(), 20.0, false));
    assert_eq!(turn.source, AnimationSource::Frames { first: 0, count: 21 });
}

#[test]
fn text_and_binary_are_told_apart_by_what_is_in_them() {
    let text = br#" { "asset": { "version": "2.0" } }"#;
    assert_eq!(Model::load("m.bin", text, |_| None), Ok(Model::default()));
    let marked = [b"\xef\xbb\xbf", &text[..]].concat();
    assert_eq!(Model::load("m.bin", &marked, |_| None), Ok(Model::default()));
    let other = br#"{ "assets": 1 }"#;
    assert_eq!(Model::load("m.gltf", other, |_| None).unwrap_err().problem, ModelProblem::UnknownFormat);
}

#[test]
fn buffers_come_from_text_and_from_files_in_the_models_folder() {
    let (mut document, binary) = small();
    let expected = read(&document, &binary).frames;
    document["buffers"][0]["uri"] = json!("./deep/my%20data.bin");
    let text = document.to_string();
    let mut asked = Vec::new();
    let model = Model::load("progs/m.gltf", text.as_bytes(), |side| {
        asked.push(side.to_owned());
        (side == "progs/deep/my data.bin").then(|| binary.clone())
    });
    assert_eq!(model.unwrap().frames, expected);
    assert_eq!(asked, ["progs/deep/my data.bin", "progs/m.gltf.framegroups"]);

    let refused = |uri: &str| {
        let mut document = document.clone();
        document["buffers"][0]["uri"] = json!(uri);
        let error = Model::load("progs/m.gltf", document.to_string().as_bytes(), |_| Some(binary.clone())).unwrap_err();
        assert_eq!(error.problem, ModelProblem::SideFile { name: uri.into() });
    };
    for uri in ["../data.bin", "a/%2e%2e/b.bin", "/etc/data.bin", "c:/data.bin", "http://x/data.bin"] {
        refused(uri);
    }
    let error = Model::load("m.gltf", text.as_bytes(), |_| None).unwrap_err();
    assert_eq!(
        error.to_string().split(": ").nth(1),
        Some("the required file ./deep/my%20data.bin is missing, or outside the folder of the model or of the game")
    );

    document["buffers"][0]["uri"] = json!(format!("data:,{}", "%00".repeat(binary.len())));
    assert!(load(document.to_string().as_bytes()).is_ok());
    document["buffers"][0]["uri"] = json!("data:application/octet-stream;base64,AAAA");
    let error = load(document.to_string().as_bytes()).unwrap_err();
    assert_eq!(error.problem, ModelProblem::PastEnd { needed: binary.len() as u64, available: 3 });
}

/// Returns a node that goes up and comes back by these keys, with application data.
fn bounce(times: &[f32], heights: &[f32], extras: Value) -> Model {
    let mut buffer = Buffer::default();
    let input = buffer.floats(&times.iter().map(|&t| [t]).collect::<Vec<_>>());
    let output = buffer.floats(&heights.iter().map(|&y| [0.0, y, 0.0]).collect::<Vec<_>>());
    let document = buffer.document(json!({
        "nodes": [{ "name": "ball" }],
        "animations": [{
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
            "samplers": [{ "input": input, "output": output }],
            "extras": extras,
        }],
    }));
    read(&document, &buffer.bytes)
}

#[test]
fn an_animation_that_ends_as_it_begins_loops() {
    let shape = |model: &Model| {
        let animation = &model.animations[0];
        (animation.pose_count(), animation.rate, animation.looping)
    };
    let keys = [0.0, 0.05, 0.1, 0.15];
    assert_eq!(shape(&bounce(&keys, &[0.0, 1.0, 2.0, 0.0], json!({}))), (3, 20.0, true));
    assert_eq!(shape(&bounce(&keys, &[0.0, 1.0, 2.0, 3.0], json!({}))), (4, 20.0, false));
    assert_eq!(shape(&bounce(&keys, &[0.0, 1.0, 2.0, 0.0], json!({ "loop": false }))), (4, 20.0, false));
    assert_eq!(shape(&bounce(&keys, &[0.0, 1.0, 2.0, 3.0], json!({ "loop": true }))), (4, 20.0, true));
    // A stated rate applies only if the keys leave the rate open.
    assert_eq!(shape(&bounce(&[0.0, 1.0], &[0.0, 1.0], json!({ "rate": 5.0 }))), (6, 5.0, false));
    assert_eq!(shape(&bounce(&[0.0, 1.0], &[0.0, 1.0], json!("rate"))), (21, 20.0, false));
    assert_eq!(shape(&bounce(&[0.0], &[1.0], json!(7))), (1, 10.0, false));
}

#[test]
fn the_rate_is_that_of_the_keys_or_30_to_the_end() {
    let rate = |times: &[f32]| {
        let heights: Vec<f32> = (0..times.len()).map(|i| i as f32).collect();
        let animation = &bounce(times, &heights, Value::Null).animations[0];
        (animation.pose_count(), animation.rate)
    };
    let every = |rate: f32, frames: &[u32]| frames.iter().map(|&frame| frame as f32 / rate).collect::<Vec<_>>();
    assert_eq!(rate(&every(24.0, &[0, 2, 5, 240])), (241, 24.0));
    assert_eq!(rate(&every(60.0, &[1, 2, 3, 7])), (8, 60.0));
    assert_eq!(rate(&every(12.5, &[0, 1, 2])), (5, 25.0));
    let (poses, uneven) = rate(&[0.0, 0.31, 0.777, 1.013]);
    assert_eq!(poses, 32);
    assert!((uneven - 31.0 / 1.013).abs() < 1e-4);
    let (poses, dense) = rate(&every(1000.0, &[0, 1, 2]));
    assert!(poses == 2 && (dense - 500.0).abs() < 0.01, "{poses} {dense}");
}

#[test]
fn sixteen_bit_numbers_and_strides_are_understood() {
    let mut buffer = Buffer::default();
    // Three positions of normalised signed shorts, each followed by two bytes of padding.
    let shorts: [[i16; 4]; 3] = [[0, 0, 0, 7], [32767, 0, 0, 7], [0, -32768, 16384, 7]];
    let bytes: Vec<u8> = shorts.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
    let positions = buffer.accessor(&bytes, 5122, "VEC3", 3);
    buffer.accessors[positions]["normalized"] = json!(true);
    buffer.views[0]["byteStride"] = json!(8);
    let colors = buffer.accessor(&[255, 0, 51, 0, 0, 0, 0, 0, 0, 0, 0, 0], 5121, "VEC3", 3);
    buffer.accessors[colors]["normalized"] = json!(true);
    buffer.views[1]["byteStride"] = json!(4);
    let document = buffer.document(json!({
        "extensionsRequired": ["KHR_mesh_quantization", "KHR_materials_unlit"],
        "nodes": [{ "mesh": 0, "scale": [2, 2, 2] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": positions, "COLOR_0": colors } }] }],
    }));
    let model = read(&document, &buffer.bytes);
    let mesh = &model.meshes[0];
    assert_eq!(mesh.positions[1], [0.0, 60.0, 0.0]);
    assert!((Vec3::from(mesh.positions[2]) - Vec3::new(16384.0 / 32767.0 * 60.0, 0.0, -60.0)).length() < 1e-4);
    // Linear light in the file, sRGB in the mesh: 0.2 of the light is 0.4845 of the byte.
    let wanted = [1.0, 0.0, 0.484_529, 1.0];
    assert!(mesh.colors[0].iter().zip(wanted).all(|(own, wanted)| (own - wanted).abs() < 1e-6), "{:?}", mesh.colors[0]);
    assert!(mesh.influences.is_empty() && model.skeleton.is_empty(), "nothing moves");
}

#[test]
fn integers_are_numbers_or_shares_of_the_largest_one() {
    // Component, its bytes, a positive value, and the least one, which is not a share below -1.
    let cases: [(u32, usize, i64, i64, f32); 4] = [
        (5120, 1, 100, -128, 127.0),
        (5121, 1, 200, 0, 255.0),
        (5122, 2, 5000, -32768, 32767.0),
        (5123, 2, 60_000, 0, 65535.0),
    ];
    for (component, size, value, least, largest) in cases {
        for is_share in [true, false] {
            let mut buffer = Buffer::default();
            let numbers = [[0, 0, 0, 0], [value, 0, 0, 0], [0, value, least, 0]];
            let bytes: Vec<u8> = numbers.as_flattened().iter().flat_map(|n| n.to_le_bytes()[..size].to_vec()).collect();
            let positions = buffer.accessor(&bytes, component, "VEC3", 3);
            buffer.accessors[positions]["normalized"] = json!(is_share);
            buffer.views[0]["byteStride"] = json!(4 * size);
            let document = buffer.document(json!({
                "extensionsRequired": ["KHR_mesh_quantization"],
                "nodes": [{ "mesh": 0, "scale": [0.125, 0.125, 0.125] }],
                "meshes": [{ "primitives": [{ "attributes": { "POSITION": positions } }] }],
            }));
            let found = read(&document, &buffer.bytes).meshes[0].positions.clone();
            let number =
                |number: i64| if is_share { (number as f32 / largest).max(-1.0) } else { number as f32 } * 3.75;
            let expected = [[0.0; 3], [0.0, number(value), 0.0], [number(least), 0.0, number(value)]];
            for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
                assert!(
                    (found - expected).abs() <= expected.abs() * 1e-6,
                    "{component} {is_share}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn normals_that_a_file_lacks_are_those_of_its_triangles_wherever_they_are() {
    let mut buffer = Buffer::default();
    let positions = buffer.floats(&[[1.0, 2.0, 3.0], [2.0, 2.0, 3.0], [1.0, 3.0, 3.0]]);
    let document = buffer.document(json!({
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": positions } }] }],
    }));
    assert_eq!(read(&document, &buffer.bytes).meshes[0].normals, [[1.0, 0.0, 0.0]; 3]);
}

#[test]
fn of_eight_influences_the_strongest_four_count() {
    let (mut document, mut binary) = small();
    // Six joints of the same node, which the reader keeps apart.
    let nodes: Vec<Value> = (0..6).map(|i| json!({ "name": format!("j{i}") })).collect();
    document["nodes"] = json!(nodes);
    document["nodes"].as_array_mut().unwrap().push(json!({ "mesh": 0, "skin": 0 }));
    document["nodes"].as_array_mut().unwrap().push(json!({ "children": [0, 1, 2, 3, 4, 5] }));
    document["scenes"][0]["nodes"] = json!([6, 7]);
    document["skins"] = json!([{ "joints": [0, 1, 2, 3, 4, 5] }]);
    document["animations"] = json!([]);
    let mut add = |values: [[u8; 4]; 3], normalized: bool| {
        let bytes = values.as_flattened();
        let views = document["bufferViews"].as_array_mut().unwrap();
        views.push(json!({ "buffer": 0, "byteOffset": binary.len(), "byteLength": bytes.len() }));
        let view = views.len() - 1;
        binary.extend_from_slice(bytes);
        let accessors = document["accessors"].as_array_mut().unwrap();
        accessors.push(json!({
            "bufferView": view, "componentType": 5121, "type": "VEC4", "count": 3, "normalized": normalized,
        }));
        accessors.len() - 1
    };
    let attributes = [
        ("JOINTS_0", add([[0, 1, 2, 3]; 3], false)),
        ("WEIGHTS_0", add([[10, 60, 20, 30]; 3], true)),
        ("JOINTS_1", add([[4, 5, 99, 0]; 3], false)),
        ("WEIGHTS_1", add([[90, 40, 0, 0]; 3], true)),
    ];
    document["buffers"][0]["byteLength"] = json!(binary.len());
    for (name, accessor) in attributes {
        document["meshes"][0]["primitives"][0]["attributes"][name] = json!(accessor);
    }
    let model = read(&document, &binary);
    let told: Vec<String> = model.warnings.iter().map(|warning| warning.message()).collect();
    assert_eq!(told, ["3 vertices are on more than four bones; kept the four strongest of each"]);
    let influences = &model.meshes[0].influences[2];
    assert_eq!(influences.bones, [4, 1, 5, 3]);
    assert!((influences.weights[0] - 90.0 / 220.0).abs() < 1e-6);
}

#[test]
fn vertices_that_primitives_share_are_split() {
    let (mut document, mut binary) = small();
    let at = binary.len();
    binary.extend([2, 0, 1, 0, 0, 0]);
    document["buffers"][0]["byteLength"] = json!(binary.len());
    document["bufferViews"].as_array_mut().unwrap().push(json!({ "buffer": 0, "byteOffset": at, "byteLength": 2 }));
    let view = document["bufferViews"].as_array().unwrap().len() - 1;
    let accessors = document["accessors"].as_array_mut().unwrap();
    accessors.push(json!({ "bufferView": view, "componentType": 5123, "type": "SCALAR", "count": 1 }));
    let index = accessors.len() - 1;
    let mut second = document["meshes"][0]["primitives"][0].clone();
    second["indices"] = json!(index);
    document["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
    let model = read(&document, &binary);
    assert_eq!(model.meshes.iter().map(|mesh| mesh.positions.len()).collect::<Vec<_>>(), [3, 0]);
}

#[test]
fn effect_flags_stand_where_fte_looks_for_them() {
    let document = json!({ "asset": { "version": "2.0", "extras": { "fte": { "modelflags": 72 } } } });
    assert_eq!(read(&document, &[]).flags, 72);
}

#[test]
fn unusable_parts_are_left_out_with_a_warning() {
    let (document, binary) = small();
    let warned = |change: fn(&mut Value)| {
        let mut document = document.clone();
        change(&mut document);
        let warnings = read(&document, &binary).warnings;
        (warnings[0].section, warnings[0].message(), warnings.len())
    };
    let lines = warned(|document| document["meshes"][0]["primitives"][0]["mode"] = json!(1));
    assert_eq!(lines, ("meshes", "skipped: primitives that have no triangles".to_owned(), 1));
    let nothing = warned(|document| document["animations"][0]["channels"][0]["target"]["path"] = json!("pointer"));
    assert_eq!(nothing, ("animations", "skipped: a channel without a node or with unreadable data".to_owned(), 2));
    let version = glb(&json!({ "asset": { "version": "3.0" } }), &[]);
    let expected = ModelProblem::UnsupportedVersion { found: 3, expected: "2" };
    assert_eq!(load(&version).unwrap_err().problem, expected);
}

#[test]
fn an_optional_member_that_is_null_is_absent() {
    let (document, binary) = small();
    let plain = read(&document, &binary);
    let optional = [
        ("", "extensionsRequired textures images"),
        ("/asset", "extras"),
        ("/nodes/1", "children mesh skin camera matrix rotation scale weights"),
        ("/nodes/2", "name children"),
        ("/meshes/0", "weights"),
        ("/meshes/0/primitives/0", "mode extensions"),
        ("/meshes/0/primitives/0/targets/0", "NORMAL"),
        ("/materials/0", "pbrMetallicRoughness normalTexture occlusionTexture emissiveTexture alphaMode extensions"),
        ("/animations/0", "extras"),
        ("/animations/0/samplers/0", "interpolation"),
        ("/accessors/0", "byteOffset normalized sparse"),
        ("/accessors/7", "bufferView"),
        ("/accessors/7/sparse/indices", "byteOffset"),
        ("/bufferViews/0", "byteOffset byteStride"),
        ("/buffers/0", "uri extensions"),
    ];
    for (object, names) in optional {
        for name in names.split(' ') {
            let mut document = document.clone();
            document.pointer_mut(object).unwrap()[name] = Value::Null;
            assert_eq!(read(&document, &binary), plain, "{object}/{name}");
        }
    }
    let mut plain = document.clone();
    plain["meshes"][0]["primitives"][0]["targets"] = Value::Null;
    assert!(read(&plain, &binary).meshes[0].morphs.is_empty());
    let mut empty = json!({ "asset": { "version": "2.0" } });
    for list in
        "scene scenes nodes skins meshes materials textures images animations accessors bufferViews buffers".split(' ')
    {
        empty[list] = Value::Null;
    }
    assert_eq!(read(&empty, &[]).meshes.len(), 0);
}
