//! Files that are joined to the model, and the parts of a Quake III player.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::client::{Server, folder, skelobj};

const WITH: [&str; 5] = ["lower.md3", "--with", "upper.md3", "--with", "heads/head.md3"];

/// Creates a folder with a player; the head is in a folder of its own.
fn player(test: &str) -> PathBuf {
    let folder = folder(test);
    fs::create_dir(folder.join("heads")).unwrap();
    for part in ["lower.md3", "upper.md3", "heads/head.md3"] {
        fs::copy(folder.join("m.iqm"), folder.join(part)).unwrap(); // a part may have any format
    }
    fs::write(folder.join("animation.cfg"), "0 1 0 20 // BOTH_DEATH1\n").unwrap();
    fs::write(folder.join("upper_default.skin"), "rope,skins/vest.tga\n").unwrap();
    fs::create_dir(folder.join("skins")).unwrap();
    fs::write(folder.join("skins/vest.tga"), "an image").unwrap();
    fs::write(folder.join("upper_red.skin"), "rope,skins/red.tga\n").unwrap();
    folder
}

#[test]
fn the_parts_of_a_player_are_served_with_the_files_beside_them() {
    let folder = player("player");
    let server = Server::start(&WITH, &folder);
    let scene = server.scene();
    assert_eq!(scene["model"], "lower.md3");
    let side = ["upper.md3", "head.md3", "animation.cfg", "skins/vest.tga", "upper_default.skin"];
    assert_eq!(scene["side"], json!(side));
    for (number, name) in side.iter().enumerate() {
        let path = if *name == "head.md3" { "heads/head.md3" } else { name };
        assert_eq!(
            server.get(&format!("/api/file/side/{number}")).body,
            fs::read(folder.join(path)).unwrap(),
            "{name}"
        );
    }
}

#[test]
fn one_file_has_the_parts_inside() {
    let folder = player("player_html");
    let output = skelobj(&[&["view"], &WITH[..], &["--html", "out.html"]].concat(), &folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(folder.join("out.html")).unwrap();
    let (_, scene) = page.split_once(" id=\"scene\">").unwrap();
    let scene: Value = serde_json::from_str(scene.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(scene["side"][1]["name"], "head.md3");
    let head = BASE64_STANDARD.decode(scene["side"][1]["base64"].as_str().unwrap()).unwrap();
    assert_eq!(head, fs::read(folder.join("heads/head.md3")).unwrap());
    fs::write(folder.join("doll.html"), "body head head\n").unwrap();
    let refused = skelobj(&[&["view"], &WITH[..], &["--doll", "doll.html", "--html", "doll.html"]].concat(), &folder);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("it is an input file"));
}

#[test]
fn parts_that_are_missing_or_damaged_are_named() {
    let folder = player("player_refused");
    fs::write(folder.join("heads/bad.md3"), "damaged").unwrap();
    let refused = |args: &[&str], told: &str| {
        let output = skelobj(&[&["view", "--no-open"], args].concat(), &folder);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && stderr.contains(told), "{args:?}: {stderr}");
    };
    refused(&WITH[..3], "lower.md3 is part of a Quake III player: name its head.md3 with --with, too");
    refused(&["m.iqm", "--with", "heads/bad.md3"], "bad.md3");
    // The page tells files apart by their names.
    let mannequin = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dolls/mannequin.iqm");
    for name in ["man.iqm", "heads/man.iqm"] {
        fs::copy(&mannequin, folder.join(name)).unwrap();
    }
    refused(&["man.iqm", "--with", "heads/man.iqm"], "heads/man.iqm: the page cannot have two files of the same name");

    let server = Server::start(&WITH, &folder);
    let wait = |revision| server.wait(revision);
    let head = fs::read(folder.join("heads/head.md3")).unwrap();
    fs::remove_file(folder.join("heads/head.md3")).unwrap();
    let gone = wait(1);
    assert!(gone["problem"].as_str().unwrap().contains("head.md3: "), "{gone}");
    fs::write(folder.join("heads/head.md3"), "damaged").unwrap();
    let damaged = wait(gone["revision"].as_u64().unwrap());
    assert!(damaged["problem"].as_str().unwrap().contains("head.md3: "), "{damaged}");
    assert_ne!(damaged["problem"], gone["problem"]);
    assert_eq!(damaged["revisions"]["model"], 1, "what was shown is shown on");
    fs::write(folder.join("heads/head.md3"), head).unwrap();
    assert_eq!(wait(damaged["revision"].as_u64().unwrap())["problem"], json!(null));
}

#[test]
fn joined_files_come_in_their_order_and_are_watched() {
    let folder = folder("joined");
    let dolls = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dolls");
    for (from, to) in [("mannequin_getup.iqm", "z.iqm"), ("mannequin.iqm", "a.iqm")] {
        fs::copy(dolls.join(from), folder.join(to)).unwrap();
    }
    fs::write(folder.join("a.iqm.framegroups"), "0 1 10 0 still\n").unwrap();
    let with = ["--with", "z.iqm", "--with", "a.iqm"];
    // Without a model they join the mannequin.
    let scene = Server::start(&with, &folder).scene();
    assert_eq!((&scene["model"], &scene["side"]), (&Value::Null, &json!(["z.iqm", "a.iqm", "a.iqm.framegroups"])));
    let page = |name: &str| {
        assert!(skelobj(&["view", "--with", "z.iqm", "--html", name], &folder).status.success());
        fs::read_to_string(folder.join(name)).unwrap()
    };
    assert!(page("mannequin.html").contains("\"name\":\"z.iqm\""));

    fs::copy(dolls.join("mannequin.iqm"), folder.join("man.iqm")).unwrap();
    let server = Server::start(&[&["man.iqm"], &with[..]].concat(), &folder);
    fs::copy(dolls.join("mannequin.iqm"), folder.join("z.iqm")).unwrap();
    let changed = server.wait(1);
    assert_eq!(changed["revisions"]["model"], 2, "{changed}");
    assert_eq!(server.get("/api/file/side/0").body, fs::read(folder.join("z.iqm")).unwrap());
}
