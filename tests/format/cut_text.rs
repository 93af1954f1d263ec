//! Text files cut at every byte: the rest is read, nothing panics.

use crate::common;
use std::path::{Path, PathBuf};

use skelobj::{Doll, Model};

/// Returns the files of the project and of the shared folder with this extension.
fn texts(extension: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders =
        ["dolls", "tests/dolls/bad", "tests/golden/dolls", "tests/golden/models"].map(|f| root.join(f)).to_vec();
    match common::shared() {
        Some(shared) => folders.extend(["ragdoll", "dpm", "md3"].map(|f| shared.join("corpus").join(f))),
        None => println!("SKIPPED cut {extension} of the corpus: no shared folder"),
    }
    let mut files: Vec<PathBuf> = folders.iter().flat_map(|folder| common::files(folder)).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    files
}

#[test]
fn no_truncation_of_a_doll_panics() {
    let files = texts("doll");
    for file in &files {
        let text = std::fs::read(file).unwrap();
        let step = common::stride(if text.len() < 4 << 10 { 1 } else { 7 });
        for length in (0..text.len()).step_by(step) {
            let parsed = Doll::parse(&text[..length]);
            for problem in &parsed.problems {
                let report = problem.report("cut.doll", &skelobj::doll::decode(&text[..length])).to_string();
                assert!(report.starts_with("cut.doll:"), "{report}");
            }
        }
    }
    assert!(files.len() > 40, "{}", files.len());
    println!("shared cases: no_truncation_of_a_doll_panics: {}", files.len());
}

#[test]
fn no_truncation_of_framegroups_panics() {
    let model = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/models/fg.iqm")).unwrap();
    let files = texts("framegroups");
    for file in &files {
        let text = std::fs::read(file).unwrap();
        for length in 0..text.len() {
            let model = Model::load("fg.iqm", &model, |_| Some(text[..length].to_vec())).unwrap();
            assert!(!model.animations.is_empty());
            assert!(model.animations.iter().all(|a| a.rate > 0.0 && a.duration().is_finite()));
        }
    }
    assert!(!files.is_empty());
    println!("shared cases: no_truncation_of_framegroups_panics: {}", files.len());
}
