//! Files cut or changed at any position: no panic, no hang, no unbounded memory.

use proptest::prelude::*;
use serde_json::{Value, json};
use skelobj::math::Mat3x4;
use skelobj::model::{Bone, ModelProblem, Skeleton};
use skelobj::write::WriteError;
use skelobj::{Format, Model};

use super::made::{glb, load, small};
use crate::common::watched;

/// Reads a file with a count of the memory; a readable model can be written in every format and read again. An IQM
/// file has no inverse bind pose: where that of its bones overflows, none is written.
fn sound(bytes: &[u8]) {
    let Ok(model) = watched::read("m.glb", bytes) else { return };
    for format in Format::all().filter(|format| format.is_writable()) {
        let written = match format.write(&model) {
            Ok(written) => written,
            Err(WriteError::OutOfReach { .. }) if format == Format::Iqm => continue,
            Err(error) => panic!("{format:?}: {error}"),
        };
        let back = load(&written).unwrap_or_else(|error| panic!("{format:?}: {error}"));
        watched::assert_sound("written", &back);
        assert_eq!(back.skeleton.len(), model.skeleton.len(), "{format:?}");
    }
}

#[test]
fn no_truncation_panics() {
    let (document, binary) = small();
    let whole = glb(&document, &binary);
    assert!(load(&whole).is_ok());
    for length in 0..whole.len() {
        let mut cut = whole[..length].to_vec();
        assert!(load(&cut).is_err(), "cut to {length}");
        // With a matching header.
        if length >= 12 {
            cut[8..12].copy_from_slice(&(length as u32).to_le_bytes());
            sound(&cut);
        }
    }
    let text = document.to_string();
    for length in 0..text.len() {
        assert!(load(&text.as_bytes()[..length]).is_err(), "text cut to {length}");
    }
}

#[test]
fn many_small_elements_are_refused_before_they_are_large() {
    for list in ["nodes", "meshes", "accessors", "skins", "animations"] {
        let text = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"{list}\":[{}{{}}]}}", "{},".repeat(1 << 20));
        let error = watched::read(list, text.as_bytes()).expect_err(list);
        assert!(error.to_string().contains("bytes of memory") || error.section == "JSON", "{list}: {error}");
    }
    let deep = format!("{{\"asset\":{}1{}}}", "[".repeat(1 << 16), "]".repeat(1 << 16));
    assert_eq!(load(deep.as_bytes()).unwrap_err().section, "JSON");
}

/// A file of a few kilobytes has many animations of several minutes.
#[test]
fn many_long_animations_are_refused() {
    let (document, mut binary) = small();
    let at = document["bufferViews"][5]["byteOffset"].as_u64().unwrap() as usize;
    binary[at + 8..at + 12].copy_from_slice(&1000.0_f32.to_le_bytes());
    let long = |number: usize| {
        let mut long = document["animations"][0].clone();
        long["extras"] = json!({ "rate": 20.0 + number as f64 / 100.0 });
        long
    };
    let with = |animations: Vec<Value>| {
        let mut document = document.clone();
        document["animations"] = json!(animations);
        watched::read("long", &glb(&document, &binary))
    };
    let error = with((0..40).map(long).collect()).unwrap_err();
    assert!(error.to_string().contains("bytes of memory"), "{error}");
    assert_eq!(with((0..2).map(long).collect()).unwrap().animations.len(), 2);
    // Equal animations share their frames.
    let model = with(vec![long(0); 400]).unwrap();
    assert_eq!((model.animations.len(), model.frame_count()), (400, 20_001));
}

#[test]
fn many_nodes_with_many_primitives_are_refused() {
    let (mut document, binary) = small();
    document["nodes"] = json!(vec![json!({ "mesh": 0 }); 4000]);
    document["scenes"] = json!([]);
    document.as_object_mut().unwrap().remove("scene");
    document["skins"] = json!([]);
    document["animations"] = json!([]);
    for primitive in [json!({ "attributes": {} }), document["meshes"][0]["primitives"][0].clone()] {
        document["meshes"][0]["primitives"] = json!(vec![primitive; 4000]);
        let error = watched::read("many", &glb(&document, &binary)).unwrap_err();
        assert!(error.to_string().contains("bytes of memory"), "{error}");
    }
}

/// Ten thousand morphs of three vertices with the greatest allowed strength in the greatest number of frames.
#[test]
fn thousands_of_morph_targets_are_refused() {
    let (mut document, mut binary) = small();
    let count = 10_000;
    let target = document["meshes"][0]["primitives"][0]["targets"][0].clone();
    document["meshes"][0]["primitives"][0]["targets"] = json!(vec![target; count]);
    document["skins"] = json!([]);
    document["nodes"] = json!([{ "mesh": 0 }]);
    document["scenes"] = json!([{ "nodes": [0] }]);
    let strengths: Vec<u8> = (0..3 * count).flat_map(|number| [u8::from(number < count)]).collect();
    document["bufferViews"].as_array_mut().unwrap().push(json!({
        "buffer": 0, "byteOffset": binary.len(), "byteLength": strengths.len(),
    }));
    binary.extend(strengths);
    document["buffers"][0]["byteLength"] = json!(binary.len());
    let view = document["bufferViews"].as_array().unwrap().len() - 1;
    let accessors = document["accessors"].as_array_mut().unwrap();
    let output = accessors.len();
    accessors.push(json!({ "bufferView": view, "componentType": 5121, "type": "SCALAR", "count": 3 * count }));
    document["animations"] = json!([{
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
        "samplers": [{ "input": 5, "output": output }],
    }]);
    let at = document["bufferViews"][5]["byteOffset"].as_u64().unwrap() as usize;
    let mut long = binary.clone();
    // The second half of the second animation is constant.
    assert_eq!(watched::read("short", &glb(&document, &binary)).unwrap().frame_count(), 11);
    long[at + 4..at + 8].copy_from_slice(&1999.0_f32.to_le_bytes());
    long[at + 8..at + 12].copy_from_slice(&2000.0_f32.to_le_bytes());
    let error = watched::read("long", &glb(&document, &long)).unwrap_err();
    assert!(error.to_string().contains("bytes of memory"), "{error}");
}

/// Ten thousand arrays are the same bytes of the file, as sets of influences and as times of keys.
#[test]
fn repeated_attributes_are_read_once() {
    let (mut document, binary) = small();
    let (vertices, count) = (500_000, 10_000);
    for accessor in [0, 2, 3] {
        document["accessors"][accessor].as_object_mut().unwrap().remove("bufferView");
        document["accessors"][accessor]["count"] = json!(vertices);
    }
    let primitive = &mut document["meshes"][0]["primitives"][0];
    primitive.as_object_mut().unwrap().remove("targets");
    for set in 0..count {
        primitive["attributes"][format!("JOINTS_{set}")] = json!(2);
        primitive["attributes"][format!("WEIGHTS_{set}")] = json!(3);
    }
    let error = watched::read("sets", &glb(&document, &binary)).unwrap_err();
    assert!(error.to_string().contains("bytes of memory"), "{error}");

    let (mut document, mut binary) = small();
    let keys = 50_000_u32;
    binary.resize(binary.len().next_multiple_of(4), 0);
    document["bufferViews"].as_array_mut().unwrap().push(json!({
        "buffer": 0, "byteOffset": binary.len(), "byteLength": 4 * keys,
    }));
    binary.extend((0..keys).flat_map(|key| (key as f32).to_le_bytes()));
    document["buffers"][0]["byteLength"] = json!(binary.len());
    let view = document["bufferViews"].as_array().unwrap().len() - 1;
    let times = json!({ "bufferView": view, "componentType": 5126, "type": "SCALAR", "count": keys });
    let turns = json!({ "componentType": 5126, "type": "VEC4", "count": keys });
    let accessors = document["accessors"].as_array_mut().unwrap();
    let first = accessors.len();
    accessors.extend(std::iter::once(turns).chain(std::iter::repeat_n(times, count)));
    let sampler = |number: usize| json!({ "input": first + 1 + number, "output": first });
    let channel = |number: usize| json!({ "sampler": number, "target": { "node": 1, "path": "rotation" } });
    document["animations"][0]["samplers"] = (0..count).map(sampler).collect();
    document["animations"][0]["channels"] = (0..count).map(channel).collect();
    let error = watched::read("keys", &glb(&document, &binary)).unwrap_err();
    assert!(error.to_string().contains("bytes of memory"), "{error}");
}

/// Axes are too long although none of their numbers is too large.
#[test]
fn axes_whose_length_overflows_are_neither_read_nor_written() {
    let (mut document, binary) = small();
    let big = 3e38f32;
    let matrix = [big, big, 0.0, 0.0, -big, big, 0.0, 0.0, 0.0, 0.0, big, 0.0, 0.0, 0.0, 0.0, 1.0];
    document["nodes"][0]["matrix"] = json!(matrix);
    document["nodes"][1].as_object_mut().unwrap().remove("translation");
    document["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    let error = load(&glb(&document, &binary)).unwrap_err();
    assert!(matches!(error.problem, ModelProblem::OutOfReach { what: "bone", .. }), "{error}");

    let bind = Mat3x4([big, -big, 0.0, 0.0, big, big, 0.0, 0.0, 0.0, 0.0, big, 0.0]);
    assert!(bind.left().as_dvec3().length() > f64::from(f32::MAX));
    let skeleton = Skeleton::new(vec![Bone { name: "made".into(), parent: None, bind }]).unwrap();
    let model = Model { skeleton, ..Model::default() };
    for format in Format::all().filter(|format| format.is_writable()) {
        assert_eq!(format.write(&model), Err(WriteError::OutOfReach { bone: "made".into() }), "{format:?}");
    }
}

/// The baked strength of a morph overflows.
#[test]
fn morphs_that_overflow_are_repaired() {
    let (mut document, binary) = small();
    document["meshes"][0]["weights"] = json!([3e38]);
    let bytes = glb(&document, &binary);
    sound(&bytes);
    let model = load(&bytes).unwrap();
    assert!(
        model.warnings.iter().any(|warning| warning.message().starts_with("1 value is non-finite; ")),
        "{:?}",
        model.warnings
    );
}

/// Returns every position of a value in a document.
fn places(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| places(value, format!("{at}/{key}"), out)),
        Value::Array(list) => list.iter().enumerate().for_each(|(i, value)| places(value, format!("{at}/{i}"), out)),
        _ => {}
    }
    out.push(at);
}

#[test]
fn any_value_of_the_document_may_be_another() {
    let (document, binary) = small();
    let mut all = Vec::new();
    places(&document, String::new(), &mut all);
    let others = [
        json!(null),
        json!(0),
        json!(1),
        json!(-1),
        json!(3),
        json!(1.5),
        json!(1e39),
        json!(u64::MAX),
        json!(5121),
        json!("x"),
        json!([]),
        json!([0, 0, 0, 0]),
        json!([1, 2]),
        json!({}),
        json!(true),
    ];
    for place in &all {
        for other in &others {
            let mut changed = document.clone();
            *changed.pointer_mut(place).unwrap() = other.clone();
            sound(&glb(&changed, &binary));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_may_be_changed(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..16),
        in_text in any::<bool>(),
    ) {
        let (document, binary) = small();
        let mut bytes = glb(&document, &binary);
        let start = if in_text { 20 } else { bytes.len() - binary.len() };
        for (index, value) in changes {
            // In the text one digit replaces another; most other changes make it invalid JSON.
            let at = start + index.index(bytes.len() - start);
            if !in_text {
                bytes[at] = value;
            } else if bytes[at].is_ascii_digit() {
                bytes[at] = b'0' + value % 10;
            }
        }
        sound(&bytes);
    }
}
