//! skel_build compared with recorded calls of FTE: every dumped matrix must have the same bits.

use std::collections::HashMap;

use serde_json::Value;
use skelobj::model::{FrameFields, FrameState};
use skelobj::object::{Build, Space};
use skelobj::runtime::{ModelId, ObjectId};
use skelobj::{Model, Runtime};

#[test]
fn builds_at_many_times_have_the_bits_of_fte() {
    assert_eq!(replay("build_times_testbones.json"), 70);
}

#[test]
fn builds_of_bone_ranges_have_the_bits_of_fte() {
    assert_eq!(replay("build_ranges.json"), 21);
}

#[test]
fn builds_that_retain_and_add_have_the_bits_of_fte() {
    assert_eq!(replay("build_retain_add.json"), 26);
}

#[test]
fn builds_that_blend_four_ways_have_the_bits_of_fte() {
    assert_eq!(replay("build_lerp.json"), 14);
}

/// Replays the create, build and dump entries of a file; returns the number of equal dumps.
fn replay(file: &str) -> usize {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let text = std::fs::read(folder.join(file)).unwrap();
    let file: Value = serde_json::from_slice(&text).unwrap();
    let mut agreed = 0;
    for case in file["cases"].as_array().unwrap() {
        let mut world = World::default();
        for call in case["calls"].as_array().unwrap() {
            match call["op"].as_str().unwrap() {
                "setfield" if call["value"].is_number() => {
                    let entity = world.fields.entry(call["ent"].as_u64().unwrap()).or_default();
                    set_field(entity, call["field"].as_str().unwrap(), float(&call["value"]));
                }
                "call" => world.call(call, case["mode"] == "ssqc"),
                "dump" => {
                    let wanted = call["ruled"].get("bones").unwrap_or(&call["bones"]);
                    let object = world.runtime.object(world.objects[&call["skel"].as_u64().unwrap()]).unwrap();
                    let got = object.pose().bones();
                    assert_eq!(got.len(), wanted.as_array().unwrap().len());
                    for (bone, wanted) in got.iter().zip(wanted.as_array().unwrap()) {
                        let wanted: Vec<u32> = wanted.as_array().unwrap().iter().map(|v| float(v).to_bits()).collect();
                        assert_eq!(bone.0.map(f32::to_bits).to_vec(), wanted, "{} {bone:?}", case["case"]);
                    }
                    agreed += 1;
                }
                _ => {}
            }
        }
    }
    agreed
}

#[derive(Default)]
struct World {
    runtime: Runtime,
    models: HashMap<String, ModelId>,
    objects: HashMap<u64, ObjectId>,
    fields: HashMap<u64, FrameFields>,
}

impl World {
    fn model(&mut self, name: &str) -> ModelId {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/models");
        *self.models.entry(name.to_owned()).or_insert_with(|| {
            let bytes = std::fs::read(folder.join(name)).unwrap();
            let model = Model::load(name, &bytes, |side| std::fs::read(folder.join(side)).ok()).unwrap();
            self.runtime.add_model(name, model).unwrap()
        })
    }

    fn call(&mut self, call: &Value, server: bool) {
        let args = call["args"].as_array().unwrap();
        match call["builtin"].as_str().unwrap() {
            "skel_create" => {
                let model = self.model(args[0]["model"].as_str().unwrap());
                let id = self.runtime.create_object(model, Space::Local).unwrap();
                self.objects.insert(call["result"].as_u64().unwrap(), id);
            }
            "skel_build" => {
                let id = self.objects[&args[0].as_u64().unwrap()];
                let fields = self.fields.get(&args[1]["entity"].as_u64().unwrap()).copied().unwrap_or_default();
                let frame = if server { FrameState::server(&fields) } else { FrameState::client(&fields) };
                let source = self.model(args[2]["model"].as_str().unwrap());
                let retain = float(&args[3]);
                let add = args.get(6).map_or(1.0 - retain, float);
                let first = (float(&args[4]) as i64 - 1).max(0) as usize;
                let last = match float(&args[5]) as i64 - 1 {
                    ..0 => usize::MAX,
                    last => last as usize,
                };
                let build = Build { retain, add, bones: first..last };
                self.runtime.build(id, source, &frame, &build).unwrap();
            }
            _ => {}
        }
    }
}

fn float(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

fn set_field(fields: &mut FrameFields, name: &str, value: f32) {
    *match name {
        "frame" => &mut fields.frame,
        "frame2" => &mut fields.frame2,
        "frame3" => &mut fields.frame3,
        "frame4" => &mut fields.frame4,
        "frame1time" => &mut fields.frame1time,
        "frame2time" => &mut fields.frame2time,
        "frame3time" => &mut fields.frame3time,
        "frame4time" => &mut fields.frame4time,
        "lerpfrac" => &mut fields.lerpfrac,
        "lerpfrac3" => &mut fields.lerpfrac3,
        "lerpfrac4" => &mut fields.lerpfrac4,
        "basebone" => &mut fields.basebone,
        "baseframe" => &mut fields.baseframe,
        "baseframe2" => &mut fields.baseframe2,
        "baselerpfrac" => &mut fields.baselerpfrac,
        "baseframe1time" => &mut fields.baseframe1time,
        "baseframe2time" => &mut fields.baseframe2time,
        other => panic!("no such field here: {other}"),
    } = value;
}
