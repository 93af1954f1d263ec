//! Found dolls that are links, or become links while they are served.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::client::{Server, folder, skelobj};

const TEXT: &[u8] = b"body a link1\n\tshape sphere\n";
const SECRET: &[u8] = b"password 1234\n";

/// Creates a folder with a model and its doll, and a file outside of it.
fn with_secret(test: &str) -> (PathBuf, PathBuf) {
    let (inside, outside) = (folder(test), folder(&format!("{test}_outside")));
    let secret = outside.join("config.cfg");
    fs::write(&secret, SECRET).unwrap();
    (inside, secret)
}

fn relink(target: &Path, link: &Path) {
    fs::remove_file(link).unwrap();
    symlink(target, link).unwrap();
}

#[test]
fn a_found_doll_that_leads_outside_is_neither_shown_nor_written() {
    let (folder, secret) = with_secret("link_out");
    for target in [secret.clone(), Path::new("../link_out_outside/config.cfg").to_owned()] {
        relink(&target, &folder.join("m.doll"));
        let server = Server::start(&["m.iqm"], &folder);
        let scene = server.scene();
        assert_eq!(scene["doll"], serde_json::Value::Null);
        assert_eq!(server.get("/api/file/doll").status, 404);
        let refused = server.put(TEXT, 1);
        assert!(refused.status == 403 && refused.text().contains("no doll"), "{}", refused.text());
        let output = skelobj(&["view", "m.iqm", "--html", "out.html", "--force"], &folder);
        assert!(output.status.success());
        let page = fs::read_to_string(folder.join("out.html")).unwrap();
        assert!(!page.contains("password"));
        assert!(String::from_utf8(output.stderr).unwrap().contains("m.doll: warning: not used: a link leads out"));
    }
    assert_eq!(fs::read(&secret).unwrap(), SECRET);
}

#[test]
fn a_found_doll_that_becomes_a_link_is_neither_shown_nor_written() {
    let (folder, secret) = with_secret("becomes");
    let doll = folder.join("m.doll");
    let shown = fs::read(&doll).unwrap();
    let server = Server::start(&["m.iqm"], &folder);
    relink(&secret, &doll);
    let refused = server.put(TEXT, 1);
    assert_eq!(refused.status, 403);
    assert!(refused.text().starts_with("the file is no longer inside the model's folder"), "{}", refused.text());
    // The contents outside are not even compared: those that the page knows are refused, too.
    fs::write(&secret, &shown).unwrap();
    assert_eq!(server.put(TEXT, 1).status, 403);
    assert_eq!(fs::read(&secret).unwrap(), shown);
    assert_eq!(server.get("/api/file/doll").body, shown);
    // A link to nothing does not let a new file be made outside.
    fs::remove_file(&secret).unwrap();
    assert!(server.put(TEXT, 1).status >= 400);
    assert!(!secret.exists() && doll.is_symlink());
    fs::remove_file(&doll).unwrap();
    fs::write(&doll, &shown).unwrap();
    let revision = server.scene()["revision"].as_u64().unwrap();
    assert_eq!(server.put(TEXT, revision).status, 204);
    assert_eq!(fs::read(&doll).unwrap(), TEXT);
}

#[test]
fn a_found_doll_in_a_folder_that_is_linked_is_written_there() {
    let (inside, way) = (folder("way"), folder("way_outside").join("way"));
    symlink(&inside, &way).unwrap();
    relink(Path::new("kept.txt"), &inside.join("m.doll"));
    fs::write(inside.join("kept.txt"), "// mine\n").unwrap();
    let server = Server::start(&[way.join("m.iqm").to_str().unwrap()], &inside);
    assert_eq!(server.get("/api/file/doll").body, b"// mine\n");
    assert_eq!(server.put(TEXT, 1).status, 204);
    assert!(inside.join("m.doll").is_symlink());
    assert_eq!(fs::read(inside.join("kept.txt")).unwrap(), TEXT);
}

#[test]
fn a_named_doll_may_be_anywhere() {
    let (folder, secret) = with_secret("named");
    fs::write(&secret, "// mine\n").unwrap();
    relink(&secret, &folder.join("m.doll"));
    let server = Server::start(&["m.iqm", "--doll", "m.doll"], &folder);
    assert_eq!(server.put(TEXT, 1).status, 204);
    assert_eq!(fs::read(&secret).unwrap(), TEXT);
    assert!(folder.join("m.doll").is_symlink());
}
