//! Malformed files: refused or repaired without a panic and without memory out of proportion.

use crate::common;
mod any_bytes;
mod memory;
mod mutated;
mod repairs;
mod small;

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::watched::{read, read_anything};

/// Formats with the start or end of the names of their bad files.
const FORMATS: &[&str] = &[
    "iqm", //
    "dpm", "zym", "psk", "psa", "md5", "md5mesh",
];

fn is_read(file: &str) -> bool {
    FORMATS.iter().any(|format| file.starts_with(&format!("{format}_")) || file.ends_with(&format!(".{format}")))
}

/// The first bytes of a file select the reader, regardless of its name.
#[test]
fn no_bad_file_takes_much_memory() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED no_bad_file_takes_much_memory: no shared folder");
        return;
    };
    let mut count = 0;
    for folder in ["bad", "bad/nel", "bad/bsp", "bad/amplify"] {
        for path in common::files(&shared.join(folder)) {
            let _ = read_anything(&path.display().to_string(), &std::fs::read(&path).unwrap());
            count += 1;
        }
    }
    assert!(count >= 180, "{count} files");
    println!("shared cases: no_bad_file_takes_much_memory: {count}");
}

#[test]
fn every_bad_file_is_refused_or_put_right() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED every_bad_file_is_refused_or_put_right: no shared folder");
        return;
    };
    let folder = shared.join("bad");
    let manifest: Vec<Value> = serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let (mut count, mut worst) = (0, (Duration::ZERO, String::new()));
    for entry in &manifest {
        let file = entry["file"].as_str().unwrap();
        if !is_read(file) {
            continue;
        }
        let bytes = std::fs::read(folder.join(file)).unwrap();
        let start = Instant::now();
        let result = read(file, &bytes);
        worst = worst.max((start.elapsed(), file.to_owned()));
        // Text in parentheses describes other implementations.
        let expected = entry["expected"].as_str().unwrap().split('(').next().unwrap();
        let (may_fail, may_load) =
            (expected.contains("reject"), expected.contains("load") || expected.contains(" or "));
        match result {
            Ok(model) => assert!(may_load, "{file} loads, expected: {expected} {:?}", model.warnings),
            Err(error) => assert!(may_fail, "{file}: {error}, expected: {expected}"),
        }
        count += 1;
    }
    assert!(count >= 100, "{count} files");
    println!("shared cases: every_bad_file_is_refused_or_put_right: {count} (slowest {:?} {})", worst.0, worst.1);
}
