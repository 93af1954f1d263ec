//! Helpers of several tests: the shared material, and small models.
#![allow(dead_code)]

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

/// Checks each `tests/dolls/bad/*.doll` whose name is `chosen`, and compares the problems with the report beside it.
/// With SKELOBJ_REGENERATE, writes the reports instead. Returns the number of dolls.
pub fn bad_dolls(
    chosen: impl Fn(&str) -> bool,
    check: impl Fn(&str, &[u8]) -> Vec<skelobj::doll::DollProblem>,
) -> usize {
    let mut dolls = 0;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dolls/bad");
    for file in files(&folder).into_iter().filter(|f| f.extension().is_some_and(|e| e == "doll")) {
        let name = file.file_name().unwrap().to_str().unwrap();
        if !chosen(name) {
            continue;
        }
        let text = std::fs::read(&file).unwrap();
        let problems = check(name, &text);
        assert!(!problems.is_empty(), "{name} is not bad");
        let report: String = problems.iter().map(|p| p.report(name, &text).to_string()).collect();
        let expected = file.with_extension("expected");
        if std::env::var_os("SKELOBJ_REGENERATE").is_some() {
            std::fs::write(&expected, &report).unwrap();
        } else {
            assert_eq!(report, std::fs::read_to_string(&expected).unwrap_or_default(), "{name}");
        }
        dolls += 1;
    }
    dolls
}
