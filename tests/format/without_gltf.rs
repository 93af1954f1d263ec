//! Errors about glTF in a build without it.
#![cfg(not(feature = "gltf"))]

use skelobj::model::ModelProblem;
use skelobj::write::WriteError;
use skelobj::{Format, Model};

#[test]
fn gltf_is_known_but_not_read() {
    for bytes in [&b"glTF\x02\0\0\0"[..], br#"{ "asset": { "version": "2.0" } }"#] {
        let error = Model::load("m.glb", bytes, |_| None).unwrap_err();
        assert_eq!(error.problem, ModelProblem::NotBuiltIn { feature: "gltf" });
        assert!(error.to_string().contains("built without the feature `gltf`"), "{error}");
    }
}

#[test]
fn glb_is_known_but_not_written() {
    assert!(!Format::Glb.is_writable());
    assert_eq!(Format::Glb.write(&Model::default()), Err(WriteError::NotBuiltIn { feature: "gltf" }));
}
