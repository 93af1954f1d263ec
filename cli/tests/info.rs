//! `skelobj info`: descriptions of models.

use crate::command::{Folder, repository, skelobj, text, written};
use serde_json::Value;

fn json(args: &[&str]) -> Value {
    let output = skelobj(&[&["info", "--json"], args].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn golden(file: &str) -> String {
    repository(&format!("tests/golden/models/{file}"))
}

#[test]
fn the_mannequin_is_described() {
    let output = skelobj(&["info"]);
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with("mannequin.iqm: 21 bones, 4 animations, 143 frames, 3 meshes\n"), "{printed}");
    for word in ["pelvis", "idle", "death", "events", "loop"] {
        assert!(printed.contains(word), "{word}");
    }
}

#[test]
fn json_holds_bones_animations_meshes_and_frames() {
    let info = json(&["--frames", "0,5"]);
    assert_eq!(info["bone_count"], 21);
    assert_eq!(info["bone_names"][0], "pelvis");
    assert_eq!(info["bone_parents"][0], -1);
    assert_eq!(info["base_abs_matrices"].as_array().unwrap().len(), 21);
    assert_eq!(info["base_abs_matrices"][0].as_array().unwrap().len(), 12);
    assert_eq!(info["frame_count"], 143);
    assert_eq!(info["anims"][0]["name"], "idle");
    assert_eq!(info["anims"][0]["loop"], true);
    assert_eq!(info["anims"][3]["loop"], false);
    let mesh = &info["meshes"][0];
    assert!(mesh["vertex_count"].as_u64().unwrap() > 100 && mesh["triangle_count"].as_u64().unwrap() > 100);
    assert!(mesh["bbox_base"]["mins"][2].as_f64().unwrap() < mesh["bbox_base"]["maxs"][2].as_f64().unwrap());
    let frames = info["frames"].as_array().unwrap();
    assert_eq!(frames.iter().map(|f| f["frame"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 5]);
    assert_eq!(frames[1]["rel"].as_array().unwrap().len(), 21);
    assert_eq!(frames[1]["mesh_bbox"].as_array().unwrap().len(), 3);
}

/// The samples are models for FTE, too; one without texture coordinates or weights is told of.
#[test]
fn an_iqm_that_fte_does_not_load_is_told_of() {
    for sample in ["dog", "mannequin", "mannequin_getup", "ponytail", "rope", "turret"] {
        let output = skelobj(&["info", &repository(&format!("dolls/{sample}.iqm"))]);
        assert!(output.status.success() && output.stderr.is_empty(), "{sample}: {}", text(&output.stderr));
    }
    let folder = Folder::new("info-fte");
    let whole = std::fs::read(repository("dolls/rope.iqm")).unwrap();
    let number = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().unwrap()) as usize;
    let (arrays, offset) = (number(44), number(52));
    // A number of an array that nobody has hides it.
    for (kinds, told) in [(&[1][..], "texture coordinates"), (&[4, 5], "bone weights")] {
        let mut bytes = whole.clone();
        for at in (0..arrays).map(|array| offset + 20 * array).filter(|at| kinds.contains(&number(*at))) {
            bytes[at..at + 4].copy_from_slice(&9u32.to_le_bytes());
        }
        let path = folder.write("cut.iqm", &bytes);
        let output = skelobj(&["info", &path]);
        let error = text(&output.stderr);
        assert!(error.contains(&format!("cut.iqm: warning: FTE does not load an IQM without {told}\n")), "{error}");
    }
}

#[test]
fn framegroups_beside_a_model_are_found() {
    let names: Vec<_> =
        json(&[&golden("fg.iqm")])["anims"].as_array().unwrap().iter().map(|a| a["name"].clone()).collect();
    let plain = json(&[&golden("testbones.iqm")]);
    assert_ne!(Value::from(names), plain["anims"]);
}

#[test]
fn animations_of_another_file_are_added() {
    let alone = json(&[&golden("testbones.iqm")]);
    let with = json(&[&golden("testbones.iqm"), "--with", &golden("animonly.iqm")]);
    let count = |info: &Value| info["anims"].as_array().unwrap().len();
    assert!(count(&with) > count(&alone));
    assert_eq!(with["bone_names"], alone["bone_names"]);
}

#[test]
fn framegroups_beside_a_mesh_cut_the_animations_that_are_added() {
    let folder = Folder::new("framegroups");
    let mesh =
        folder.write("guard.md5mesh", "MD5Version 10 numJoints 1 numMeshes 0 joints { \"root\" -1 (0 0 0) (0 0 0) }");
    let animation = folder.write(
        "guard.md5anim",
        "MD5Version 10 numFrames 2 numJoints 1 frameRate 24 numAnimatedComponents 1 hierarchy { \"root\" -1 1 0 }
         baseframe { (0 0 0) (0 0 0) } frame 0 { 1 } frame 1 { 2 }",
    );
    folder.write("guard.md5mesh.framegroups", "1 1 10 0 second\n0 1 10 0 first\n");
    let at = |name: &str| {
        let info = json(&[&mesh, "--with", &animation, "--time", "0", "--anim", name]);
        info["poses"][0]["boneLocal"][0][0][3].as_f64().unwrap()
    };
    assert_eq!((at("second"), at("first")), (2.0, 1.0));
    let output = skelobj(&["info", &mesh, "--with", &animation]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!told.contains("framegroups"), "{told}");
}

#[test]
fn tags_of_a_vertex_animated_model_are_shown() {
    let file = format!("{}/../tests/golden-dp/models/tags.md3", env!("CARGO_MANIFEST_DIR"));
    let info = json(&[&file, "--frames", "0,3"]);
    assert_eq!(info["tag_names"], serde_json::json!(["tag_weapon", "Tag_Head"]));
    assert_eq!(info["tags_sampled"]["0"][0]["origin"], serde_json::json!([1.0, 0.0, 3.0]));
    assert_eq!(info["tags_sampled"]["3"][1]["origin"], serde_json::json!([4.0, 2.0, 1.5]));
    assert!(info["surfaces"][0]["first_vertex_pos"]["3"].is_array());
    let printed = String::from_utf8(skelobj(&["info", &file]).stdout).unwrap();
    assert!(printed.starts_with("tags.md3: 0 bones, 2 animations, 4 frames, 2 tags, 1 mesh\n"), "{printed}");
    for line in ["\ntags (", "\n   1 tag_weapon ", "\n   2 Tag_Head ", "\nmeshes (", " vertex animation\n"] {
        assert!(printed.contains(line), "{line}: {printed}");
    }
}

#[test]
fn poses_are_printed_at_times_in_an_animation() {
    let walk = ["--anim", "run", "--time", "0,-0.25,0.5"];
    let info = json(&walk);
    let poses = info["poses"].as_array().unwrap();
    assert_eq!(poses.iter().map(|pose| pose["time"].as_f64().unwrap()).collect::<Vec<_>>(), [0.0, -0.25, 0.5]);
    for pose in poses {
        assert_eq!(pose["animation"], "run");
        assert_eq!(pose["boneLocal"].as_array().unwrap().len(), 21);
        assert_eq!(pose["boneSkin"][20].as_array().unwrap().len(), 3);
        let vertices: u64 =
            info["meshes"].as_array().unwrap().iter().map(|m| m["vertex_count"].as_u64().unwrap()).sum();
        assert_eq!(pose["skinnedPositions"].as_array().unwrap().len() as u64, vertices);
    }
    assert_eq!(poses[0], json(&["--animation", "2", "--time", "0"])["poses"][0]);
    assert_ne!(poses[0]["boneLocal"], poses[2]["boneLocal"]);
    let failed = skelobj(&["info", "--json", "--time", "0", "--anim", "dance"]);
    assert!(
        String::from_utf8(failed.stderr)
            .unwrap()
            .contains("no animation `dance`: expected a number from 0 to 3 or one of idle, ")
    );
    for wrong in [&["--time", "0"][..], &["--frames", "0"], &["--json", "--time", "nan"], &["--json", "--anim", "idle"]]
    {
        assert_eq!(skelobj(&[&["info"], wrong].concat()).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn frames_past_the_end_and_files_that_are_no_models_are_refused() {
    let refused = |args: &[&str]| {
        let output = skelobj(args);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(refused(&["info", "--json", "--frames", "143"]), "skelobj: no frame 143: expected 0 to 142\n");
    let doll = format!("{}/../tests/golden/dolls/fixed.doll", env!("CARGO_MANIFEST_DIR"));
    assert!(refused(&["info", &doll]).contains("is a doll, not a model"));
}

#[test]
fn mistakes_in_the_arguments_are_answered_with_what_to_write() {
    let refused = |args: &[&str]| {
        let output = skelobj(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let model = format!("{}/../dolls/mannequin.iqm", env!("CARGO_MANIFEST_DIR"));
    assert!(refused(&[&model]).contains(&format!("use `skelobj info {model}`")));
    assert!(!refused(&["nosuch.iqm"]).contains("skelobj info"));
    assert!(refused(&["inof"]).contains("'info'"));
    assert!(refused(&["info", "--json", "--frames", "x"]).contains("--frames <N,..>': expected a whole number"));
    assert!(refused(&["sim", "--seed", "1.5"]).contains("--seed <N>': expected a whole number"));
    assert!(refused(&["sim", "--orient", "90"]).contains("expected three angles from -1e6 to 1e6 degrees"));
    assert!(refused(&["sim", "--velocity", "1,2"]).contains("expected three numbers from -1e6 to 1e6 units/s"));
    assert!(refused(&["sim", "--spin", "0,0,1e7"]).contains("expected three numbers from -1e6 to 1e6 radians/s"));
    assert!(refused(&["sim", "--seconds", "601"]).contains("expected seconds from 0 to 600"));
    assert!(refused(&["sim", "--water", "2e6"]).contains("expected a height from -1e6 to 1e6"));
}

#[test]
fn maps_and_models_are_told_apart_by_their_bytes() {
    let model = written("info_by_bytes", "mannequin.bsp");
    std::fs::write(&model, skelobj::assets::MANNEQUIN_IQM).unwrap();
    let output = skelobj(&["info", &model]);
    assert!(text(&output.stdout).starts_with("mannequin.bsp: 21 bones"), "{}", text(&output.stderr));
    let map = written("info_by_bytes", "start.iqm");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/examples/start.bsp");
    std::fs::copy(folder, &map).unwrap();
    let output = skelobj(&["info", &map]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!text(&output.stdout).contains("bones"), "{}", text(&output.stdout));
    // A name is all that an empty file has.
    let empty = written("info_by_bytes", "empty.bsp");
    std::fs::write(&empty, b"").unwrap();
    assert!(text(&skelobj(&["info", &empty]).stderr).ends_with("empty.bsp: it is empty\n"));
}
