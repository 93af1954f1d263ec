//! FTE's result for the same text, and the dolls of real games.

use super::*;

fn golden_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn golden(file: &str) -> Value {
    serde_json::from_slice(&std::fs::read(golden_folder().join(file)).unwrap()).unwrap()
}

fn floats(value: &Value) -> Vec<f32> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32).collect()
}

/// Compares with FTE's recorded tables.
fn assert_like_fte(case: &str, text: &[u8], doll: &Doll, skeleton: &Skeleton, recorded: &Value) {
    if recorded["bodies"].is_null() {
        assert_eq!(doll.bodies, [], "{case}");
        return;
    }
    let animated = matches!(doll.reference, ReferencePose::Animation { .. });
    assert_eq!(animated, recorded["refanim"] != -1, "{case}");
    let bone_number = |name: &Name| skeleton.find(name.as_bytes()).unwrap() as u64 + 1;
    let bodies = recorded["bodies"].as_array().unwrap();
    assert_eq!(doll.bodies.len(), bodies.len(), "{case}");
    for (body, fte) in doll.bodies.iter().zip(bodies) {
        let at = format!("{case}: body {}", body.name);
        assert_eq!(fte["name"], body.name.to_string(), "{at}");
        assert_eq!(fte["bone"], bone_number(&body.bone), "{at}");
        let shape = [(Shape::Box, 1), (Shape::Sphere, 2), (Shape::Capsule, 3)];
        assert!(shape.contains(&(body.shape, fte["shape"].as_u64().unwrap())), "{at}");
        assert_eq!(fte["animate"].as_f64().unwrap() as f32, body.animate, "{at}");
        assert_eq!(fte["mass"].as_f64().unwrap() as f32, body.mass, "{at}");
        assert_eq!(fte["draw"] != 0, body.draw, "{at}");
        let mut size = body.size;
        // Difference 38: the length of a two-number size is not truncated to an integer.
        if String::from_utf8_lossy(text).contains("dimensions 3 7.9") && size[2] == 7.9 {
            size[2] = 7.0;
        }
        assert_eq!(floats(&fte["dim"]), size, "{at}");
        assert_eq!(fte["isoffset"] == 1, body.offset.is_some(), "{at}");
        if let Some(offset) = body.offset {
            let matrix = floats(&fte["relmatrix"]);
            assert_eq!([matrix[3], matrix[7], matrix[11]], offset.position.to_array(), "{at}");
        }
    }
    let joints = recorded["joints"].as_array().unwrap();
    assert_eq!(doll.joints.len(), joints.len(), "{case}");
    for (joint, fte) in doll.joints.iter().zip(joints) {
        let at = format!("{case}: joint {}", joint.name);
        assert_eq!(fte["name"], joint.name.to_string(), "{at}");
        let kind = [(JointKind::Fixed, -1), (JointKind::Point, 1), (JointKind::Hinge, 2), (JointKind::Slider, 3)];
        assert!(kind.contains(&(joint.kind, fte["type"].as_i64().unwrap())), "{at}");
        assert_eq!(fte["body1"], joint.body1 as u64, "{at}");
        assert_eq!(fte["body2"], joint.body2.map_or(-1, |b| b as i64), "{at}");
        let pivot_body = joint.body2.unwrap_or(joint.body1);
        let pivot = joint.pivot.as_ref().unwrap_or(&doll.bodies[pivot_body].bone);
        assert_eq!(fte["bonepivot"], bone_number(pivot), "{at}");
        assert_eq!((fte["enabled"] != 0, fte["draw"] != 0), (joint.enabled, joint.draw), "{at}");
        let [first, second] = joint.stops;
        for (field, value) in [
            ("ERP", joint.erp[0]),
            ("ERP2", joint.erp[1]),
            ("CFM", joint.cfm[0]),
            ("CFM2", joint.cfm[1]),
            ("FMax", joint.fmax[0]),
            ("FMax2", joint.fmax[1]),
            ("LoStop", first.lo),
            ("HiStop", first.hi),
            ("LoStop2", second.lo),
            ("HiStop2", second.hi),
        ] {
            assert_eq!(fte[field].as_f64().unwrap() as f32, value, "{at} {field}");
        }
        for (field, value) in [("offset", joint.offset), ("axis", joint.axis), ("axis2", joint.axis2)] {
            assert_eq!(floats(&fte[field]), value.to_array(), "{at} {field}");
        }
    }
}

#[test]
fn the_recorded_dolls_are_understood_as_fte_understands_them() {
    let mut compared = 0;
    for file in ["rag_parse.json", "rag_commands.json"] {
        let golden = golden(file);
        for case in golden["cases"].as_array().unwrap() {
            let name = case["case"].as_str().unwrap();
            let skeleton = if case["model"] == "chain.iqm" { chain() } else { testbones() };
            let mut text = None;
            for call in case["calls"].as_array().unwrap() {
                if let Some(command) = call["args"][1].as_str() {
                    if let Some(inline) = command.strip_prefix("dollstring\n") {
                        text = Some(inline.as_bytes().to_vec());
                    } else if let Some(file) = command.strip_prefix("doll ") {
                        // Fields that are not copied here are irrelevant to parsing.
                        text = std::fs::read(golden_folder().join("dolls").join(file)).ok();
                    }
                }
                if call["op"] == "dolldef" {
                    let Some(text) = &text else { continue };
                    let doll = Doll::parse_for(text, &skeleton).doll;
                    assert_like_fte(name, text, &doll, &skeleton, call);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared >= 7, "only {compared} compared");
}

#[test]
fn text_that_kills_fte_gives_a_problem_with_a_line() {
    let golden = golden("rag_fatal.json");
    let mut dolls = 0;
    for case in golden["cases"].as_array().unwrap() {
        for line in case["script"].as_array().unwrap() {
            let Some((_, command)) = line.as_str().unwrap().split_once("\ts:dollstring\\n") else { continue };
            let text = command.split('\t').next().unwrap().replace("\\n", "\n");
            let problems = Doll::parse_for(text.as_bytes(), &chain()).problems;
            assert!(!problems.is_empty(), "{}: {text:?}", case["case"]);
            assert!(problems[0].line >= 1 && problems[0].line <= text.lines().count());
            dolls += 1;
        }
    }
    assert_eq!(dolls, 6);
}

#[test]
fn dolls_of_real_games_are_read() {
    let Some(shared) = crate::common::shared() else {
        println!("SKIPPED dolls_of_real_games_are_read: no shared folder");
        return;
    };
    let mut count = 0;
    for (file, bodies, joints) in [("ragtest2.iqm.doll", 17, 16), ("ropelike.iqm.doll", 4, 3)] {
        let text = std::fs::read(shared.join("corpus/ragdoll").join(file)).unwrap();
        let doll = Doll::parse_strict(&text).unwrap_or_else(|p| panic!("{file}: {p:?}"));
        assert_eq!((doll.bodies.len(), doll.joints.len()), (bodies, joints), "{file}");
        assert!(doll.joints.iter().all(|j| j.kind == JointKind::Universal), "{file}");
        count += 1;
    }
    let folder = shared.join("golden/dolls");
    for file in crate::common::files(&folder) {
        let text = std::fs::read(&file).unwrap();
        let parsed = Doll::parse(&text);
        let stem = file.file_stem().unwrap().to_string_lossy();
        let wrong = ["badupdate", "empty", "notype", "notype8", "onlyjoints", "semicolon", "weird"];
        assert_eq!(parsed.has_errors(), wrong.contains(&&*stem), "{stem}: {:?}", parsed.problems);
        count += 1;
    }
    println!("shared cases: dolls_of_real_games_are_read: {count}");
}
