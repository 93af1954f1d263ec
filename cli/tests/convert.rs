//! `skelobj convert`: conversion between formats.

use std::path::{Path, PathBuf};

use crate::command::{repository, skelobj, written};
use serde_json::Value;
use skelobj::model::{Mesh, Model, Texture};
use skelobj::write;

fn convert(args: &[&str]) -> (String, String) {
    let output = skelobj(&[&["convert"], args].concat());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    assert!(output.status.success(), "{}", text(output.stderr));
    (text(output.stdout), text(output.stderr))
}

fn info(file: &str) -> Value {
    let output = skelobj(&["info", "--json", "--frames", "7", file]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(args: &[&str]) -> String {
    let output = skelobj(&[&["convert"], args].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn the_mannequin_goes_to_gltf_and_back() {
    let mannequin = repository("dolls/mannequin.iqm");
    let (glb, iqm) = (written("mannequin", "m.glb"), written("mannequin", "m.IQM"));
    let (said, lost) = convert(&[&mannequin, &glb]);
    let bytes = std::fs::metadata(&glb).unwrap().len();
    assert_eq!(said, format!("{glb}: 21 bones, 4 animations, 3 meshes, {bytes} bytes\n"));
    assert_eq!(lost, "mannequin.iqm: warning: .glb cannot hold events, comments\n");
    let (_, lost) = convert(&[&glb, &iqm]);
    assert_eq!(lost, "");
    let (original, there, back) = (info(&mannequin), info(&glb), info(&iqm));
    for field in ["bone_names", "bone_parents", "anims", "frame_count"] {
        assert_eq!(original[field], there[field], "{field}");
        assert_eq!(original[field], back[field], "{field}");
    }
    let hand = |info: &Value| info["frames"][0]["abs"][20].as_array().unwrap().clone();
    for (a, b) in hand(&original).iter().zip(hand(&there)) {
        assert!((a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-3, "{a} {b}");
    }
}

#[test]
fn a_converted_model_falls_like_the_original() {
    let glb = written("falls", "m.glb");
    convert(&[&repository("dolls/mannequin.iqm"), &glb]);
    let doll = repository("dolls/mannequin.doll");
    let sim = skelobj(&["sim", &glb, "--doll", &doll, "--json"]);
    assert!(sim.status.success(), "{}", String::from_utf8_lossy(&sim.stderr));
    let report: Value = serde_json::from_slice(&sim.stdout).unwrap();
    assert_eq!((&report["bodies"], &report["joints"]), (&16.into(), &15.into()));
    assert!(report["asleep_after"].is_number(), "{report}");
}

#[test]
fn the_contents_of_other_files_are_added() {
    let glb = written("with", "m.glb");
    let (bones, motion) =
        (repository("tests/golden/models/testbones.iqm"), repository("tests/golden/models/animonly.iqm"));
    convert(&[&bones, &glb, "--with", &motion]);
    let count = |info: &Value| info["anims"].as_array().unwrap().len();
    assert!(count(&info(&glb)) > count(&info(&bones)));
}

#[test]
fn textures_beside_a_model_go_into_gltf() {
    let glb = written("textures", "m.glb");
    let folder = Path::new(&glb).parent().unwrap();
    let mesh = Mesh {
        material: "textures/paint.tga".into(),
        positions: vec![[0.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 10.0, 20.0]],
        texcoords: vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]],
        triangles: vec![[0, 1, 2]],
        ..Mesh::default()
    };
    let other = Mesh { material: "missing".into(), ..mesh.clone() };
    let model = Model { meshes: vec![mesh, other], ..Model::default() };
    let input = folder.join("painted.iqm");
    std::fs::write(&input, write::iqm(&model).unwrap()).unwrap();
    // One run of 16 red pixels.
    let mut picture = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 24, 0, 0x80 | 15];
    picture.extend([10, 10, 220]);
    std::fs::write(folder.join("paint.tga"), picture).unwrap();
    convert(&[input.to_str().unwrap(), &glb]);
    let back = Model::load("m.glb", &std::fs::read(&glb).unwrap(), |_| None).unwrap();
    let texture = |name: &str| {
        let material = back.materials.iter().find(|material| material.name == *name);
        material.and_then(|material| material.texture.clone())
    };
    let Some(Texture::Embedded { bytes, .. }) = texture("textures/paint.tga") else { panic!("it is inside") };
    let pixel = tiny_skia::Pixmap::decode_png(&bytes).unwrap().pixel(1, 2).unwrap();
    assert_eq!([pixel.red(), pixel.green(), pixel.blue()], [220, 10, 10]);
    assert_eq!(texture("missing"), None);
}

#[test]
fn animations_get_the_rate_that_is_asked_for() {
    let iqm = written("resampled", "m.iqm");
    convert(&[&repository("dolls/mannequin.iqm"), &iqm, "--resample", "60"]);
    let walk = &info(&iqm)["anims"][1];
    assert_eq!((walk["fps"].as_f64(), walk["count"].as_u64()), (Some(60.0), Some(56)), "{walk}");
    let fitted = written("proportions", "f.iqm");
    convert(&[&repository("dolls/mannequin.iqm"), &fitted, "--proportions", &iqm]);
    let count = |list: &str| info(&fitted)[list].as_array().map_or(0, Vec::len);
    assert_eq!((count("anims"), count("meshes")), (info(&iqm)["anims"].as_array().unwrap().len(), 0));
    let other = skelobj(&["convert", &repository("tests/golden/models/chain.iqm"), "m.glb", "--proportions", &iqm]);
    assert!(String::from_utf8_lossy(&other.stderr).contains("--proportions: "), "{other:?}");
    let none = skelobj(&["convert", &iqm, "m.glb", "--resample", "0"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("from 1 to 1000, such as 60"));
}

#[test]
fn buffers_beside_a_model_are_found() {
    let iqm = written("beside", "parts.iqm");
    let (said, lost) = convert(&[&repository("tests/data/gltf/parts.gltf"), &iqm]);
    assert!(said.contains("2 bones, 1 animation, 3 meshes"), "{said}");
    assert_eq!(lost, "");
}

#[test]
fn impossible_requests_are_reported() {
    let mannequin = repository("dolls/mannequin.iqm");
    let out = written("refused", "m.obj");
    assert_eq!(
        refused(&[&mannequin, &out]),
        format!("skelobj: cannot write {out}: its name must end in .iqm or .glb\n")
    );
    assert!(refused(&[&mannequin, "m"]).contains("must end in"));
    assert!(refused(&["nosuch.iqm", "m.glb"]).starts_with("skelobj: cannot read nosuch.iqm: "));
    let nowhere: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no/such/folder/m.glb");
    assert!(refused(&[&mannequin, nowhere.to_str().unwrap()]).contains("m.glb: "));
    let doll = repository("tests/golden/dolls/fixed.doll");
    assert!(refused(&[&doll, "m.glb"]).contains("is a doll, not a model"));
    assert!(!Path::new("m.glb").exists());
}
