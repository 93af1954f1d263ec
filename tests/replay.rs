//! Recorded calls of the real engines, played through the table of builtins.
#![cfg(all(feature = "qc", feature = "ragdoll"))]


#[path = "../cli/src/replay/compare.rs"]
mod compare;
#[path = "../cli/src/replay/host.rs"]
mod host;
#[path = "../cli/src/replay/player.rs"]
mod player;

use std::path::{Path, PathBuf};

use player::{Score, play};
use skelobj::qc::Dialect;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn play_all(folder: &Path, files: &[&str], dialect: Dialect) -> Score {
    let mut total = Score::default();
    for file in files {
        let score = play(&folder.join(file), &[], dialect).unwrap();
        println!("{file}: {} passed, {} failed", score.passed, score.failures.len());
        total.passed += score.passed;
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
    let score = play_all(&folder("golden"), &files, Dialect::Fte);
    assert_eq!((score.passed, score.failures.len()), (1084, 0));
}

#[test]
fn every_recorded_ragdoll_command_of_fte_gives_the_same_result() {
    let files = ["rag_commands.json", "rag_parse.json", "rag_default_doll.json"];
    let score = play_all(&folder("golden"), &files, Dialect::Fte);
    assert_eq!((score.passed, score.failures.len()), (125, 0));
}
