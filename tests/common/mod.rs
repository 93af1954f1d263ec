//! What several tests need: where the shared material is, and small models.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

/// The folder of shared reference material: `SKELOBJ_SHARED`, else `../shared` beside the project.
///
/// Tests that need it say so when it is absent, and say how many of its cases they ran when it is there.
pub fn shared() -> Option<PathBuf> {
    let path = std::env::var_os("SKELOBJ_SHARED")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"));
    path.is_dir().then_some(path)
}

/// All files directly in `folder`, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_file()).collect();
    files.sort();
    files
}
