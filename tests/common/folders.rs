//! The folder of shared reference material.

use std::path::{Path, PathBuf};

/// Returns the folder of shared reference material: `SKELOBJ_SHARED`, or `../shared` beside the project.
///
/// Tests that need the folder print a note if it is absent, and the number of cases otherwise.
pub fn shared() -> Option<PathBuf> {
    let path = std::env::var_os("SKELOBJ_SHARED")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"));
    path.is_dir().then_some(path)
}

/// Returns all files directly in `folder`, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_file()).collect();
    files.sort();
    files
}

/// Returns `true` if `SKELOBJ_THOROUGH` asks for every case of a test that tries a fifth of them else; `.ci/full` asks.
pub fn is_thorough() -> bool {
    std::env::var_os("SKELOBJ_THOROUGH").is_some()
}

/// Returns the stride through bytes at which a test of cut or changed files takes every `step`th one: five times
/// `step`, unless the test is [thorough](is_thorough). Five has no factor in common with the size of a number.
pub fn stride(step: usize) -> usize {
    if is_thorough() { step } else { step * 5 }
}
