//! Names of side files: only files of the model's folder are requested, whatever the document contains.

use proptest::prelude::*;
use serde_json::json;
use skelobj::{Model, is_plain_path};

use super::made::small;
use crate::common;

/// Returns the names that are requested when a document names this buffer.
fn asked(uri: &str) -> Vec<String> {
    let (mut document, binary) = small();
    document["buffers"][0]["uri"] = json!(uri);
    let mut asked = Vec::new();
    let _ = Model::load("progs/m.gltf", document.to_string().as_bytes(), |name| {
        asked.push(name.to_owned());
        Some(binary.clone())
    });
    asked.retain(|name| name != "progs/m.gltf.framegroups");
    asked
}

fn assert_below(uri: &str) {
    for name in asked(uri) {
        let below = name.strip_prefix("progs/").unwrap_or_else(|| panic!("{uri:?} asks for {name:?}"));
        assert!(is_plain_path(below), "{uri:?} asks for {name:?}");
    }
}

#[test]
fn paths_outside_the_folder_are_not_requested() {
    for uri in [
        ".//etc/passwd",
        ".//dev/zero",
        ".//./etc/passwd",
        "/etc/passwd",
        "..",
        "../x.bin",
        "./../x.bin",
        "a/../../x.bin",
        "a/./x.bin",
        "a//x.bin",
        "%2e%2e/x.bin",
        "%2E%2E%2Fx.bin",
        ".%2f%2fetc%2fpasswd",
        "..%5cx.bin",
        "a\\..\\x.bin",
        "c:x.bin",
        "c%3a/x.bin",
        "file:///etc/passwd",
        "http://x/y",
        "x.bin%00.png",
        "x\u{0}.bin",
        "x%0a.bin",
        "",
        "./",
        ".",
        "%ff%fe",
    ] {
        assert_eq!(asked(uri), [""; 0], "{uri:?}");
    }
    assert_eq!(asked("././deep/my%20data.bin"), ["progs/deep/my data.bin"]);
    assert_eq!(asked("%252e%252e/x.bin"), ["progs/%2e%2e/x.bin"], "decoded once");
}

#[test]
fn files_made_to_reach_outside_are_refused() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED files_made_to_reach_outside_are_refused: no shared folder");
        return;
    };
    for file in ["leak.gltf", "zero.gltf"] {
        let bytes = std::fs::read(shared.join("bad/amplify").join(file)).unwrap();
        let error = Model::load(file, &bytes, |name| panic!("asked for {name}")).unwrap_err();
        assert_eq!(error.section, "buffers", "{file}: {error}");
    }
    println!("shared cases: files_made_to_reach_outside_are_refused: 2");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_name_leads_outside(parts in prop::collection::vec(
        prop::sample::select(vec![".", "..", "/", "\\", "%2e", "%2f", "%5c", ":", "%3a", "a", "%", "\u{0}", "%00", " "]),
        0..8,
    )) {
        assert_below(&parts.concat());
    }
}
