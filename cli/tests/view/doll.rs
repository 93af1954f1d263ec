//! The doll that the page writes, and the files that it sees change.

use std::fs;
use std::path::Path;
use std::thread;

use serde_json::json;

use super::client::{Server, folder};

const TEXT: &[u8] = b"body a link1\n\tshape sphere\n";

/// Returns the names and contents of the files of a folder, sorted.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let mut files: Vec<_> = entries.map(|path| (name(&path), fs::read(&path).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn the_doll_is_written_and_nothing_else() {
    let folder = folder("put");
    fs::write(folder.join("other.doll"), "body other\n").unwrap();
    let before = contents(&folder);
    let server = Server::start(&["m.iqm", "--doll", "m.doll"], &folder);
    let scene = server.scene();
    assert_eq!((&scene["doll"], &scene["revision"]), (&json!("m.doll"), &json!(1)));
    let saved = server.put(TEXT, 1);
    assert_eq!(saved.status, 204, "{}", saved.text());
    assert!(saved.head.contains("etag: \"2\""), "{}", saved.head);
    let expected: Vec<_> = before
        .into_iter()
        .map(|(name, bytes)| if name == "m.doll" { (name, TEXT.to_vec()) } else { (name, bytes) })
        .collect();
    assert_eq!(contents(&folder), expected);
    assert_eq!(server.get("/api/file/doll").body, TEXT);
    assert_eq!(server.scene()["revisions"], json!({ "model": 1, "doll": 2, "level": 1 }));
    assert_eq!(server.put(b"", 2).status, 204);
    assert_eq!(fs::read(folder.join("m.doll")).unwrap(), b"");
}

#[test]
#[cfg(unix)]
fn links_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = folder("link");
    symlink("m.doll", folder.join("link.doll")).unwrap();
    fs::set_permissions(folder.join("m.doll"), fs::Permissions::from_mode(0o640)).unwrap();
    let server = Server::start(&["m.iqm", "--doll", "link.doll"], &folder);
    assert_eq!(server.put(TEXT, 1).status, 204);
    assert!(folder.join("link.doll").is_symlink());
    assert_eq!(fs::read(folder.join("m.doll")).unwrap(), TEXT);
    assert_eq!(fs::metadata(folder.join("m.doll")).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_doll_that_changed_on_disk_is_not_written() {
    let folder = folder("conflict");
    let server = Server::start(&["m.iqm"], &folder);
    // At once, before the server looks at the file again.
    fs::write(folder.join("m.doll"), "body theirs link1\n").unwrap();
    assert_eq!(server.put(TEXT, 1).status, 409);
    assert_eq!(server.put(TEXT, 1).status, 409);
    assert_eq!(fs::read(folder.join("m.doll")).unwrap(), b"body theirs link1\n");
    assert_eq!(server.get("/api/file/doll").body, b"body theirs link1\n");
    let revision = server.scene()["revision"].as_u64().unwrap();
    assert_eq!(server.put(TEXT, revision + 1).status, 409);
    assert_eq!(server.put(TEXT, revision).status, 204);
    assert_eq!(server.put(TEXT, revision).status, 409);
}

#[test]
fn a_deleted_doll_is_written_again() {
    let folder = folder("deleted");
    let server = Server::start(&["m.iqm"], &folder);
    fs::remove_file(folder.join("m.doll")).unwrap();
    assert_eq!(server.put(TEXT, 7).status, 409);
    assert!(!folder.join("m.doll").exists());
    assert_eq!(server.put(TEXT, 1).status, 204);
    assert_eq!(fs::read(folder.join("m.doll")).unwrap(), TEXT);
}

#[test]
fn dolls_that_cannot_be_kept_are_not_written() {
    let folder = folder("unwritable");
    let built_in = Server::start(&[], &folder);
    assert_eq!(
        built_in.scene(),
        json!({
            "model": null, "side": [], "doll": null, "level": null, "palette": false, "scale": null,
            "fade": null,
            "problem": null, "revision": 1, "revisions": { "model": 1, "doll": 1, "level": 1 },
        })
    );
    let refused = |server: &Server, why: &str| {
        let refused = server.put(TEXT, 1);
        assert!(refused.status == 403 && refused.text() == format!("{why}\n"), "{} {}", refused.status, refused.text());
    };
    refused(&built_in, "the command was given no doll");
    // Half a unit of UTF-16 cannot be written back.
    fs::write(folder.join("m.doll"), b"\xff\xfe/\0/").unwrap();
    let cut = Server::start(&["m.iqm"], &folder);
    refused(&cut, "the file has bytes that are not text in its encoding");
    assert_eq!(fs::read(folder.join("m.doll")).unwrap(), b"\xff\xfe/\0/");
    fs::write(folder.join("m.doll"), TEXT).unwrap();
    let mut permissions = fs::metadata(folder.join("m.doll")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder.join("m.doll"), permissions).unwrap();
    let read_only = Server::start(&["m.iqm"], &folder);
    refused(&read_only, "the file is read-only");
    assert_eq!(fs::read(folder.join("m.doll")).unwrap(), TEXT);
}

#[test]
fn a_doll_that_cannot_be_read_is_not_written_and_the_reason_is_told() {
    let folder = folder("unreadable");
    let server = Server::start(&["m.iqm", "--doll", "m.doll"], &folder);
    fs::remove_file(folder.join("m.doll")).unwrap();
    fs::create_dir(folder.join("m.doll")).unwrap();
    let refused = server.put(TEXT, 1);
    assert_eq!(refused.status, 500);
    assert!(refused.text().contains("m.doll: it is a folder"), "{}", refused.text());
    fs::remove_dir(folder.join("m.doll")).unwrap();
    assert_eq!(server.put(TEXT, 1).status, 204);
}

#[test]
fn a_doll_keeps_its_encoding() {
    let folder = folder("encoding");
    let cases: [(&[u8], &[u8]); 3] = [
        (b"// caf\xe9\n", b"// th\xe9\n"),
        (b"\xef\xbb\xbf// caf\xc3\xa9\n", b"\xef\xbb\xbf// th\xc3\xa9\n"),
        (b"\xfe\xff\0/\0/", b"\xfe\xff\0/\0/\0 \0t\0h\0\xe9\0\n"),
    ];
    for (file, written) in cases {
        fs::write(folder.join("m.doll"), file).unwrap();
        let server = Server::start(&["m.iqm"], &folder);
        assert_eq!(server.put("// th\u{e9}\n".as_bytes(), 1).status, 204);
        assert_eq!(fs::read(folder.join("m.doll")).unwrap(), written);
        assert_eq!(server.get("/api/file/doll").body, "// th\u{e9}\n".as_bytes(), "the page reads UTF-8");
    }
    // Latin-1 has no such letter.
    fs::write(folder.join("m.doll"), b"// caf\xe9\n").unwrap();
    let server = Server::start(&["m.iqm"], &folder);
    let refused = server.put("// \u{142}\n".as_bytes(), 1);
    assert_eq!(refused.status, 403);
    assert!(refused.text().contains("the encoding of the file lacks a character"), "{}", refused.text());
    assert_eq!(fs::read(folder.join("m.doll")).unwrap(), b"// caf\xe9\n");
}

#[test]
fn files_that_go_or_grow_too_large_are_named_until_they_are_whole_again() {
    let folder = folder("problem");
    let model = fs::read(folder.join("m.iqm")).unwrap();
    let server = Server::start(&["m.iqm"], &folder);
    let wait = |revision| server.wait(revision);
    fs::remove_file(folder.join("m.iqm")).unwrap();
    let gone = wait(1);
    assert!(gone["problem"].as_str().unwrap().contains("m.iqm"), "{gone}");
    assert_eq!(gone["revisions"]["model"], 1, "what was shown is shown on");
    fs::write(folder.join("m.iqm"), &model).unwrap();
    let whole = wait(gone["revision"].as_u64().unwrap());
    assert_eq!(whole["problem"], json!(null));
    fs::File::options().write(true).open(folder.join("m.iqm")).unwrap().set_len(65 << 20).unwrap();
    let large = wait(whole["revision"].as_u64().unwrap());
    let problem = large["problem"].as_str().unwrap();
    assert!(problem.contains("m.iqm is the largest, have 66 MB") && problem.ends_with("at most 64"), "{problem}");
}

#[test]
fn the_scale_of_the_model_and_the_fade_reach_the_page() {
    let folder = folder("scale");
    let scene = Server::start(&["m.iqm", "--scale", "32", "--fade", "0.5"], &folder).scene();
    assert_eq!((&scene["scale"], &scene["fade"]), (&json!(32.0), &json!(0.5)));
}

#[test]
fn requests_that_do_not_say_what_they_replace_are_refused() {
    let folder = folder("unsaid");
    let server = Server::start(&["m.iqm"], &folder);
    let before = fs::read(folder.join("m.doll")).unwrap();
    assert_eq!(server.send("PUT /api/doll", &["Content-Length: 1"], b"x").status, 428);
    assert_eq!(server.send("PUT /api/doll", &["Content-Length: 1", "If-Match: *"], b"x").status, 428);
    assert_eq!(server.put(b"\xff", 1).status, 400);
    assert_eq!(server.put(b"\0", 1).status, 400);
    for (line, allow) in [("POST /api/doll", "put"), ("GET /api/doll", "put"), ("DELETE /api/scene", "get")] {
        let answer = server.send(line, &[], &[]);
        assert_eq!(answer.status, 405);
        assert!(answer.head.contains(&format!("\r\nallow: {allow}")), "{}", answer.head);
    }
    assert_eq!(fs::read(folder.join("m.doll")).unwrap(), before);
}

#[test]
fn a_waiting_client_learns_of_changes() {
    let folder = folder("wait");
    let server = Server::start(&["m.iqm"], &folder);
    assert_eq!(server.scene()["side"], json!([]));
    let wait = |revision| server.wait(revision);
    let while_waiting = |revision, change: &dyn Fn()| {
        thread::scope(|scope| {
            let answer = scope.spawn(|| wait(revision));
            change();
            answer.join().unwrap()
        })
    };
    // An editor that replaces the file by another one.
    let scene = while_waiting(1, &|| {
        fs::write(folder.join("new"), TEXT).unwrap();
        fs::rename(folder.join("new"), folder.join("m.doll")).unwrap();
    });
    assert_eq!(scene["revisions"], json!({ "model": 1, "doll": 2, "level": 1 }));
    assert_eq!(server.get("/api/file/doll").body, TEXT);
    // One that writes into it, with the same size.
    let same_size = TEXT.to_ascii_uppercase();
    let scene = while_waiting(2, &|| fs::write(folder.join("m.doll"), &same_size).unwrap());
    assert_eq!(scene["revision"], 3);
    assert_eq!(server.get("/api/file/doll").body, same_size);
    // A side file that appears.
    let scene = while_waiting(3, &|| fs::write(folder.join("m.iqm.framegroups"), "0 1 10 0 shouted\n").unwrap());
    assert_eq!(scene["side"], json!(["m.iqm.framegroups"]));
    assert_eq!(scene["revisions"], json!({ "model": 4, "doll": 3, "level": 1 }));
    let side = server.get("/api/file/side/0");
    assert_eq!(side.body, b"0 1 10 0 shouted\n");
    assert!(side.head.contains("etag: \"4\""), "{}", side.head);
    // A model that is damaged, and its doll, which may be written all the same.
    let scene = while_waiting(4, &|| fs::write(folder.join("m.iqm"), "damaged").unwrap());
    assert_eq!(scene["revisions"], json!({ "model": 5, "doll": 3, "level": 1 }));
    assert_eq!(server.put(TEXT, 3).status, 204);
    // Who asks late hears at once; who asks for nothing is told so.
    assert_eq!(wait(2)["revision"], 6);
    for query in
        ["", "?revision=6", "?seconds=9", "?revision=x&seconds=9", "?revision=6&seconds=26", "?revision=6&seconds=x"]
    {
        let refused = server.get(&format!("/api/wait{query}"));
        assert!(refused.status == 400 && refused.text().starts_with("expected "), "{query}: {}", refused.status);
    }
}

#[test]
fn a_client_waits_no_longer_than_it_asks() {
    let folder = folder("short");
    let server = Server::start(&["m.iqm"], &folder);
    // The client gives up before the longest wait ends.
    let unchanged = server.get("/api/wait?revision=1&seconds=0").json();
    assert_eq!(unchanged["revision"], 1);
}
