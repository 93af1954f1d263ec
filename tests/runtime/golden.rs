//! Snapshots keep their bytes: a change that only moves code changes none of them.
#![cfg(all(feature = "serde", feature = "enhanced-determinism"))]

use crate::common::fnv1a;
use crate::common::scene::Scene;
use crate::common::stage::golden;
use std::fs;

/// Compares with the file; with `SKELOBJ_REGENERATE=1` the test writes it instead, for a change of the physics or of
/// the layout of snapshots.
#[test]
fn ten_snapshots_of_a_game_have_the_bytes_of_the_golden_file() {
    let mut scene = Scene::new();
    let lines = (1..=10).map(|number| {
        scene.run(36);
        let bytes = scene.runtime.snapshot().to_bytes().unwrap();
        format!("frame {}: {} bytes, {:016x}\n", number * 36, bytes.len(), fnv1a(bytes))
    });
    let (lines, path) = (lines.collect::<String>(), golden("snapshots.txt"));
    if std::env::var_os("SKELOBJ_REGENERATE").is_some() {
        fs::write(path, lines).unwrap();
    } else {
        assert_eq!(lines, fs::read_to_string(path).unwrap());
    }
}
