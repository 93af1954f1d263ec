//! Unsafe code is in eight files of the C API, each use with its reason, and nowhere else in the libraries of the
//! repository.

use std::path::{Path, PathBuf};

use crate::common::root;

/// Files with unsafe code, and what it is for.
const FILES: [&str; 8] =
    ["defs.rs", "lock.rs", "memory.rs", "model/frame.rs", "model/view.rs", "pointer.rs", "user.rs", "wasm.rs"];

/// Returns all files below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn unsafe_code_is_where_it_is_expected_and_has_its_reason() {
    let folder = root().join("capi/calls/src");
    let mut reasons = 0;
    for file in files(&folder) {
        let name = file.strip_prefix(&folder).expect("inside").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("a source file");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (number, line) in lines.iter().enumerate() {
            let code = !line.starts_with("//") && !line.starts_with("#[unsafe(no_mangle)]");
            if !code || !(line.contains("unsafe {") || line.contains("unsafe impl")) {
                continue;
            }
            assert!(FILES.contains(&name.as_str()), "{name}:{}: unsafe code", number + 1);
            let before = lines[..number].iter().rev().take(4);
            assert!(before.into_iter().any(|line| line.contains("SAFETY:")), "{name}:{}: no reason", number + 1);
            reasons += 1;
        }
    }
    assert!(reasons >= FILES.len(), "{reasons} uses");
}

#[test]
fn the_libraries_forbid_unsafe_code() {
    for library in ["src/lib.rs", "crates/model/src/lib.rs", "qcvm/src/lib.rs", "capi/src/lib.rs"] {
        let text = std::fs::read_to_string(root().join(library)).expect("a library");
        assert!(text.contains("#![forbid(unsafe_code)]"), "{library}");
    }
}
