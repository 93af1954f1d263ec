//! The page as one file and as a folder.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::client::{Server, folder, skelobj};
use crate::small_bsp::Bsp29;

const PARTS: [&str; 3] = ["page.js.gz", "worker.js.gz", "skelobj.wasm.gz"];

fn dist(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/dist").join(name)).unwrap()
}

/// Returns the text of the element with this id, up to the end that a browser finds.
fn element<'a>(page: &'a str, id: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!(" id=\"{id}\">"))?;
    Some(rest.split_once("</script>")?.0)
}

#[test]
fn the_page_and_its_parts_are_served() {
    let server = Server::start(&[], &folder("parts"));
    let host = format!("HTTP/1.1\r\nHost: 127.0.0.1:{}", server.port);
    let names = ["index.html", "licences.txt"].into_iter().chain(PARTS);
    for (path, name) in names.map(|name| (name, name)).chain([("", "index.html"), ("?token=1", "index.html")]) {
        // The page itself needs no token: it is the one that anyone has.
        let answer = server.raw(format!("GET /{path} {host}\r\n\r\n"));
        assert_eq!((answer.status, answer.body), (200, dist(name)), "/{path}");
        for header in [
            "content-security-policy: default-src 'none';",
            "x-content-type-options: nosniff",
            "cross-origin-resource-policy: same-origin",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
        ] {
            assert!(answer.head.contains(header), "{header}: {}", answer.head);
        }
        assert!(!answer.head.contains("access-control"), "{}", answer.head);
    }
    assert!(server.get("/").head.contains("content-type: text/html; charset=utf-8"));
    assert_eq!(server.send("POST /", &[], &[]).status, 405);
}

#[test]
fn one_file_has_everything_inside() {
    let folder = folder("html");
    let text = "body a link1 // </script><!-- <script> skelobj:files -->\u{2028}\n";
    fs::write(folder.join("m.doll"), text).unwrap();
    fs::write(folder.join("m.iqm.framegroups"), "0 1 10 0 shouted\n").unwrap();
    let output = skelobj(&["view", "m.iqm", "--html", "out.html"], &folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(folder.join("out.html")).unwrap();
    for part in PARTS {
        let inside = element(&page, part.trim_end_matches(".gz")).unwrap();
        assert_eq!(BASE64_STANDARD.decode(inside).unwrap(), dist(part), "{part}");
    }
    let scene = element(&page, "scene").unwrap();
    assert!(!scene.contains('<'), "{scene}");
    let scene: Value = serde_json::from_str(scene).unwrap();
    let bytes = |file: &Value| BASE64_STANDARD.decode(file["base64"].as_str().unwrap()).unwrap();
    assert_eq!((&scene["doll"]["name"], &scene["doll"]["text"]), (&"m.doll".into(), &text.into()));
    assert_eq!(scene["model"]["name"], "m.iqm");
    assert_eq!(bytes(&scene["model"]), fs::read(folder.join("m.iqm")).unwrap());
    assert_eq!(scene["side"][0]["name"], "m.iqm.framegroups");
    assert_eq!(bytes(&scene["side"][0]), b"0 1 10 0 shouted\n");
    assert_eq!((&scene["level"], &scene["builtin"]), (&Value::Null, &Value::Null));
    assert!(!page.contains("<!-- skelobj:"), "a mark is left");
}

#[test]
fn a_page_of_nothing_but_a_fade_has_it() {
    let folder = folder("fade");
    let output = skelobj(&["view", "--fade", "0.25", "--html", "out.html"], &folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(folder.join("out.html")).unwrap();
    let scene: Value = serde_json::from_str(element(&page, "scene").unwrap()).unwrap();
    assert_eq!((&scene["fade"], &scene["builtin"]), (&0.25.into(), &"mannequin".into()));
    let output = skelobj(&["view", "--fade", "601", "--html", "far.html"], &folder);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_map_in_the_page_has_the_palette_of_its_game() {
    let folder = folder("palette");
    fs::write(folder.join("room.bsp"), Bsp29::room().bytes()).unwrap();
    let level = |name: &str| {
        let output = skelobj(&["view", "m.iqm", "--level", "room.bsp", "--html", name], &folder);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let page = fs::read_to_string(folder.join(name)).unwrap();
        serde_json::from_str::<Value>(element(&page, "scene").unwrap()).unwrap()["level"].take()
    };
    assert_eq!(level("without.html").get("palette"), None);
    fs::write(folder.join("palette.lmp"), [7; 768]).unwrap();
    let palette = level("with.html")["palette"].take();
    assert_eq!(BASE64_STANDARD.decode(palette.as_str().unwrap()).unwrap(), [7; 768]);
}

#[test]
fn without_files_the_page_shows_its_own() {
    let folder = folder("plain");
    assert!(skelobj(&["view", "--html", "out.html"], &folder).status.success());
    let page = fs::read_to_string(folder.join("out.html")).unwrap();
    assert_eq!(element(&page, "scene"), None);
    assert!(element(&page, "page.js").is_some());
    assert!(skelobj(&["view", "--doll", "m.doll", "--html", "doll.html"], &folder).status.success());
    let page = fs::read_to_string(folder.join("doll.html")).unwrap();
    let scene: Value = serde_json::from_str(element(&page, "scene").unwrap()).unwrap();
    assert_eq!((&scene["builtin"], &scene["model"]), (&"mannequin".into(), &Value::Null));
    assert_eq!(scene["doll"]["name"], "m.doll");
}

#[test]
fn a_doll_of_any_encoding_is_text_in_the_page() {
    let folder = folder("encodings");
    for bytes in [b"\xef\xbb\xbf// caf\xc3\xa9\n".as_slice(), b"// caf\xe9\n"] {
        fs::write(folder.join("m.doll"), bytes).unwrap();
        assert!(skelobj(&["view", "m.iqm", "--html", "out.html", "--force"], &folder).status.success());
        let page = fs::read_to_string(folder.join("out.html")).unwrap();
        let scene: Value = serde_json::from_str(element(&page, "scene").unwrap()).unwrap();
        assert_eq!(scene["doll"]["text"], "// caf\u{e9}\n");
    }
}

#[test]
fn existing_files_are_not_overwritten_without_force() {
    let folder = folder("force");
    fs::write(folder.join("out.html"), "mine").unwrap();
    let output = skelobj(&["view", "--html", "out.html"], &folder);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("out.html is not written: it exists (use --force"), "{told}");
    assert_eq!(fs::read(folder.join("out.html")).unwrap(), b"mine");
    assert!(skelobj(&["view", "--html", "out.html", "--force"], &folder).status.success());
    assert_ne!(fs::read(folder.join("out.html")).unwrap(), b"mine");

    fs::create_dir(folder.join("site")).unwrap();
    fs::write(folder.join("site/worker.js.gz"), "mine").unwrap();
    assert_eq!(skelobj(&["view", "--folder", "site"], &folder).status.code(), Some(1));
    assert_eq!(fs::read_dir(folder.join("site")).unwrap().count(), 1, "nothing else is written");
    assert_eq!(fs::read(folder.join("site/worker.js.gz")).unwrap(), b"mine");
    assert!(skelobj(&["view", "--folder", "site", "--force"], &folder).status.success());
    assert_eq!(fs::read(folder.join("site/worker.js.gz")).unwrap(), dist("worker.js.gz"));
}

#[test]
fn a_folder_has_the_parts() {
    let folder = folder("folder");
    assert!(skelobj(&["view", "--folder", "a/site"], &folder).status.success());
    for name in ["licences.txt"].into_iter().chain(PARTS) {
        assert_eq!(fs::read(folder.join("a/site").join(name)).unwrap(), dist(name), "{name}");
    }
    let page = fs::read_to_string(folder.join("a/site/index.html")).unwrap();
    assert_eq!(element(&page, "page.js"), None, "the parts are beside it");
    assert!(skelobj(&["view", "m.iqm", "--folder", "b"], &folder).status.success());
    let page = fs::read_to_string(folder.join("b/index.html")).unwrap();
    let scene: Value = serde_json::from_str(element(&page, "scene").unwrap()).unwrap();
    assert_eq!(scene["doll"]["name"], "m.doll");
}
