//! Recorded calls of the real engines, replayed through the table of builtins.

use crate::common::replayer::player;

use std::path::{Path, PathBuf};

use player::{Score, play};
use serde_json::Value;
use skelobj::Dialect;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn play_all(folder: &Path, files: &[&str]) -> Score {
    let mut total = Score::default();
    for file in files {
        let score = play(&folder.join(file), &[], None).unwrap();
        total.passed += score.passed;
        total.left_out += score.left_out;
        total.failures.extend(score.failures);
    }
    for failure in &total.failures {
        println!("{failure}");
    }
    total
}

const SKELETAL: [&str; 11] = [
    "build_errors.json",
    "build_lerp.json",
    "build_ranges.json",
    "build_retain_add.json",
    "build_times_testbones.json",
    "copybones.json",
    "create_info.json",
    "delete.json",
    "framegroups_file.json",
    "getters.json",
    "set_mul.json",
];

#[test]
fn every_recorded_call_and_dump_of_fte_comes_out_the_same() {
    let mut files = SKELETAL.to_vec();
    files.push("world_space.json");
    let score = play_all(&folder("golden"), &files);
    assert_eq!((score.passed, score.failures.len()), (1084, 0));
}

#[test]
fn every_recorded_ragdoll_command_of_fte_gives_the_same_result() {
    let files = ["rag_commands.json", "rag_parse.json", "rag_default_doll.json"];
    let score = play_all(&folder("golden"), &files);
    assert_eq!((score.passed, score.failures.len()), (125, 0));
}

/// Replays a recording with one digit of an entry changed; returns the failures.
fn failures_with(file: &str, case: &str, entry: usize, path: &str, change: fn(&mut Value)) -> Vec<String> {
    let text = std::fs::read(folder("golden").join(file)).unwrap();
    let mut recording: Value = serde_json::from_slice(&text).unwrap();
    let cases = recording["cases"].as_array_mut().unwrap();
    let case = cases.iter_mut().find(|c| c["case"] == case).unwrap();
    change(case["calls"][entry].pointer_mut(path).unwrap());
    let name = format!("skelobj-replay-{}-{entry}{}", std::process::id(), path.replace('/', "-"));
    let place = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&place).unwrap();
    let copy = place.join(file);
    std::fs::write(&copy, recording.to_string()).unwrap();
    let folders = [folder("golden/models"), folder("golden/dolls")];
    let score = play(&copy, &folders, None).unwrap();
    std::fs::remove_dir_all(&place).unwrap();
    score.failures.iter().map(|failure| failure.to_string()).collect()
}

#[test]
fn one_changed_digit_is_one_failure_that_says_where() {
    let bump = |value: &mut Value| *value = Value::from(value.as_f64().unwrap() + 1.0);
    let last = |value: &mut Value| {
        // The ninth digit: the nearest float may be the same, but the recording differs.
        let text = format!("{:.8e}", value.as_f64().unwrap());
        let (digits, exponent) = text.split_once('e').unwrap();
        let (front, digit) = digits.split_at(digits.len() - 1);
        let digit = (digit.parse::<u32>().unwrap() + 1) % 10;
        *value = Value::from(format!("{front}{digit}e{exponent}").parse::<f64>().unwrap());
    };
    let text = |value: &mut Value| *value = Value::from("spime");
    type Change = (&'static str, &'static str, usize, &'static str, fn(&mut Value));
    let changes: [Change; 6] = [
        ("getters.json", "absolute_skeleton_filled_by_copybones", 7, "/result/2", bump),
        ("getters.json", "absolute_skeleton_filled_by_copybones", 9, "/after/v_up/0", bump),
        ("getters.json", "absolute_skeleton_filled_by_copybones", 6, "/bones/2/7", last),
        ("world_space.json", "set_bone_world_3_angles", 10, "/ruled/bones/2/4", last),
        ("create_info.json", "find_bone", 4, "/result", bump),
        ("rag_commands.json", "missing_doll_replaces_existing", 9, "/ruled/result", bump),
    ];
    for (file, case, entry, path, change) in changes {
        let failures = failures_with(file, case, entry, path, change);
        assert_eq!(failures.len(), 1, "{file} {path}: {failures:?}");
        assert!(failures[0].contains(&format!("{case} [{entry}]: ")), "{failures:?}");
        assert!(failures[0].contains("wanted ") && failures[0].contains("got "), "{failures:?}");
    }
    let info = std::fs::read_to_string(folder("golden/create_info.json")).unwrap();
    let recording: Value = serde_json::from_str(&info).unwrap();
    let named = |op: &Value| op["builtin"] == "skel_get_bonename" && op["result"] == "spine";
    let mut cases = recording["cases"].as_array().unwrap().iter();
    let case = cases.find(|case| case["calls"].as_array().unwrap().iter().any(named)).unwrap();
    let entry = case["calls"].as_array().unwrap().iter().position(named).unwrap();
    assert_eq!(failures_with("create_info.json", case["case"].as_str().unwrap(), entry, "/result", text).len(), 1);
}

#[test]
fn the_iqm_calls_of_darkplaces_come_out_the_same_under_its_dialect() {
    let files = [
        "attachments.json",
        "build_errors.json",
        "build_lerp.json",
        "build_ranges.json",
        "build_retain.json",
        "build_times_testbones.json",
        "copybones.json",
        "create_info.json",
        "delete.json",
        "framegroups_file.json",
        "gettaginfo.json",
        "getters.json",
        "set_mul.json",
        "dpm.json",
        "md3_tags.json",
    ];
    let score = play_all(&folder("golden-dp"), &files);
    assert_eq!((score.passed, score.failures.len()), (1142, 0));
    // By other rules than those of the file they do not.
    let score = play(&folder("golden-dp").join("build_ranges.json"), &[], Some(Dialect::Fte)).unwrap();
    assert!(!score.failures.is_empty());
}
