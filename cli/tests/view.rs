//! `skelobj view`: the page over real connections, as one file and as a folder.

mod client;
mod doll;
#[cfg(unix)]
mod links;
mod pack;
mod refusals;
mod with;
use std::fs::File;
use std::net::TcpListener;

use crate::small_bsp::Bsp29;
use client::{Server, folder, skelobj};

#[test]
fn files_that_are_not_usable_are_refused_before_anything_starts() {
    let folder = folder("unusable");
    std::fs::write(folder.join("bad.iqm"), "damaged").unwrap();
    std::fs::write(folder.join("bad.bsp"), "damaged").unwrap();
    File::create(folder.join("large.doll")).unwrap().set_len(65 << 20).unwrap();
    for (args, told) in [
        (&["missing.iqm"][..], "cannot read missing.iqm"),
        (&["bad.iqm"], "bad.iqm: "),
        (&["m.iqm", "--doll", "missing.doll"], "cannot read missing.doll"),
        (&["--level", "bad.bsp"], "bad.bsp: "),
        (&["m.iqm", "--doll", "large.doll"], "large.doll is the largest, have 66 MB together: expected at most 64"),
    ] {
        for way in [&["--no-open"][..], &["--html", "out.html"], &["--folder", "out"]] {
            let output = skelobj(&[&["view"], args, way].concat(), &folder);
            assert_eq!(output.status.code(), Some(1), "{args:?}");
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(stderr.contains(told), "{args:?}: {stderr}");
        }
    }
    assert!(!folder.join("out.html").exists() && !folder.join("out").exists());
}

#[test]
fn a_port_in_use_is_reported() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port().to_string();
    let output = skelobj(&["view", "--no-open", "--port", &port], &folder("port"));
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(&format!("cannot serve the page: 127.0.0.1:{port}: ")), "{told}");
    assert!(told.ends_with("; state another --port, or leave it out for a free one\n"), "{told}");
    for port in ["80", "65536", "-1"] {
        let told = String::from_utf8(skelobj(&["view", "--port", port], &folder("port")).stderr).unwrap();
        assert!(told.contains("expected a whole number from 1024 to 65535"), "{told}");
    }
}

#[test]
fn a_page_has_the_ending_of_pages() {
    let folder = folder("ending");
    for name in ["page.txt", "page"] {
        let output = skelobj(&["view", "--html", name, "--force"], &folder);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(told, format!("skelobj: cannot write {name}: its name must end in .html\n"));
        assert!(!output.status.success() && !folder.join(name).exists());
    }
    assert!(skelobj(&["view", "--html", "page.HTML", "--force"], &folder).status.success());
}

#[test]
fn the_stated_port_is_used() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let server = Server::start(&["--port", &free.to_string()], &folder("stated"));
    assert_eq!(server.port, free);
    assert_eq!(server.get("/api/scene").status, 200);
}

#[test]
fn arguments_that_exclude_each_other_are_refused() {
    let folder = folder("arguments");
    for args in [
        &["--html", "a.html", "--folder", "b"][..],
        &["--html", "a.html", "--port", "8000"],
        &["--folder", "b", "--no-open"],
        &["--port", "80"],
        &["--port", "x"],
    ] {
        assert_eq!(skelobj(&[&["view"], args].concat(), &folder).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn a_doll_without_a_model_is_that_of_the_mannequin() {
    let folder = folder("mannequin");
    let server = Server::start(&["--doll", "m.doll"], &folder);
    let scene = server.scene();
    assert_eq!((&scene["model"], &scene["doll"]), (&().into(), &"m.doll".into()));
    assert_eq!(server.get("/api/file/model").status, 404);
}

#[test]
fn the_map_and_the_textures_beside_the_model_are_served() {
    let folder = folder("level");
    let map = Bsp29::room().bytes();
    std::fs::write(folder.join("room.bsp"), &map).unwrap();
    // The material of the rope is `rope/hemp`.
    std::fs::create_dir(folder.join("rope")).unwrap();
    std::fs::write(folder.join("rope/hemp.tga"), "an image").unwrap();
    std::fs::write(folder.join("other.tga"), "another image").unwrap();
    let server = Server::start(&["m.iqm", "--level", "room.bsp"], &folder);
    let scene = server.scene();
    assert_eq!((&scene["level"], &scene["side"][0]), (&"room.bsp".into(), &"rope/hemp.tga".into()));
    assert_eq!(scene["side"].as_array().unwrap().len(), 1);
    assert_eq!(server.get("/api/file/level").body, map);
    assert_eq!(server.get("/api/file/side/0").body, b"an image");
    assert_eq!(server.get("/api/file/model").body, std::fs::read(folder.join("m.iqm")).unwrap());
    assert_eq!(server.get("/api/file/side/1").status, 404);
}

#[test]
fn the_palette_of_a_game_is_served_with_its_map() {
    let folder = folder("palette");
    std::fs::create_dir_all(folder.join("maps")).unwrap();
    std::fs::create_dir_all(folder.join("gfx")).unwrap();
    std::fs::write(folder.join("maps/room.bsp"), Bsp29::room().bytes()).unwrap();
    let start = || Server::start(&["m.iqm", "--level", "maps/room.bsp"], &folder);
    let server = start();
    assert_eq!((server.scene()["palette"].clone(), server.get("/api/file/palette").status), (false.into(), 404));
    std::fs::write(folder.join("gfx/palette.lmp"), [3; 768]).unwrap();
    assert_eq!(start().get("/api/file/palette").body, [3; 768]);
    // A page that is open gets it, too.
    assert_eq!(server.wait(1)["palette"], true);
    // One beside the map comes first, unless it is of another size.
    for (bytes, served) in [(vec![4; 768], 4), (vec![5; 767], 3)] {
        std::fs::write(folder.join("maps/Palette.LMP"), bytes).unwrap();
        let server = start();
        assert_eq!(
            (server.scene()["palette"].clone(), server.get("/api/file/palette").body),
            (true.into(), vec![served; 768])
        );
    }
}
