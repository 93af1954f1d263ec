//! Files that are invalid, cut or changed.

use serde_json::Value;
use skelobj::model::{JoinError, ModelProblem};

use super::{common, corpus, load};
use crate::common::watched::read;

/// Expected results of the shared bad files, by name and number of cases.
#[test]
fn bad_files_are_refused_or_put_right_as_expected() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED bad_files_are_refused_or_put_right_as_expected: no shared folder");
        return;
    };
    let folder = shared.join("bad/nel");
    let manifest: Value = serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let cases = manifest.as_array().unwrap();
    assert!(cases.len() >= 33);
    for case in cases {
        let name = case["file"].as_str().unwrap();
        let result = read(name, &std::fs::read(folder.join(name)).unwrap());
        match case["expect"].as_str().unwrap() {
            "ok" => assert_eq!(result.unwrap_or_else(|e| panic!("{name}: {e}")).warnings, []),
            "ok with a warning" => {
                let warnings = result.unwrap_or_else(|e| panic!("{name}: {e}")).warnings;
                assert!(matches!(warnings[..], [ref one] if one.message().starts_with("accepted: ")), "{warnings:?}");
            }
            "error or drop the partial triangle" => {
                let model = result.unwrap_or_else(|e| panic!("{name}: {e}"));
                assert_eq!(model.meshes[0].triangles.len(), 11);
                assert!(model.warnings.iter().any(|w| w.message().starts_with("skipped: ")), "{:?}", model.warnings);
            }
            "parses; error when bound to gnu.skel" => {
                let mut model = result.unwrap_or_else(|e| panic!("{name}: {e}"));
                let before = model.clone();
                let error = model.join(&load("gnu.skel", &corpus(&shared, "gnu.skel"))).unwrap_err();
                assert_eq!(error, JoinError::NoSuchBone { bone: 38, bones: 38 });
                assert_eq!(model, before);
            }
            "error" | "error or clamp" => {
                assert!(result.is_err(), "{name} was read");
            }
            other => panic!("{name}: what is {other:?}?"),
        }
    }
    println!("shared cases: bad_files_are_refused_or_put_right_as_expected: {}", cases.len());
}

#[test]
fn refusals_say_what_is_wrong() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED refusals_say_what_is_wrong: no shared folder");
        return;
    };
    let problem =
        |name: &str| read(name, &std::fs::read(shared.join("bad/nel").join(name)).unwrap()).expect_err(name).problem;
    let class = |name: &str| ModelProblem::UnsupportedClass { name: name.into() };
    assert_eq!(problem("05_unknown_class.shape"), class("CMush"));
    assert_eq!(problem("30_real_unregistered_class.shape"), class("CBBClusterShape"));
    assert_eq!(problem("25_track_class_is_mesh.anim"), class("CMesh"));
    assert_eq!(problem("26_texture_points_at_root.shape"), ModelProblem::WrongClass { expected: "texture" });
    let version = |found, expected| ModelProblem::UnsupportedVersion { found, expected };
    assert_eq!(problem("06_newer_version.shape"), version(7, "at most 6"));
    assert_eq!(problem("07_cmesh_too_old.shape"), version(5, "6"));
    assert_eq!(problem("24_key_time_nan.anim"), ModelProblem::NotFinite { field: "time of a key" });
    let range = |field, found, max| ModelProblem::OutOfRange { field, found, min: 0, max };
    assert_eq!(problem("14_index_out_of_range.shape"), range("vertex", 65536, 23));
    assert_eq!(problem("16_material_id_out_of_range.shape"), range("material", 77, 0));
    assert_eq!(problem("18_packed_bone_out_of_range.shape"), range("bone of a vertex", 240, 0));
    println!("shared cases: refusals_say_what_is_wrong: 10");
}

/// Every file of the corpus, cut at each byte if it is small, otherwise at some bytes.
#[test]
fn no_truncation_panics() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED no_truncation_panics: no shared folder");
        return;
    };
    let (mut files, mut cuts) = (0, 0);
    for folder in ["corpus/nel", "corpus/nel/generated"] {
        for path in common::files(&shared.join(folder)) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with(".md") {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let step = common::stride(if bytes.len() < 8 << 10 { 1 } else { bytes.len() / 500 + 1 });
            for length in (0..bytes.len()).step_by(step) {
                // The last bytes of an animation are names, which may be empty.
                assert!(read(&name, &bytes[..length]).is_err(), "{name} cut to {length}");
                cuts += 1;
            }
            files += 1;
        }
    }
    assert!(cuts > 0 || crate::common::shared().is_none());
    println!("shared cases: no_truncation_panics: {files}");
}

/// Each byte changed to a critical value.
#[test]
fn no_changed_byte_panics() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED no_changed_byte_panics: no shared folder");
        return;
    };
    let files = [
        "box_score.shape",
        "rectangle.shape",
        "sphere_skeleton.skel",
        "fy_acc_plantegrelot.skel",
        "sphere_test_02.anim",
        "generated/gen_water.shape",
    ];
    for name in files {
        let good = corpus(&shared, name);
        for at in (0..good.len()).step_by(common::stride(1)) {
            for value in [0, 0x80, 0xff] {
                let mut bytes = good.clone();
                bytes[at] = value;
                let _ = read(name, &bytes);
            }
        }
    }
    println!("shared cases: no_changed_byte_panics: {}", files.len());
}
